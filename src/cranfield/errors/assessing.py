"""What can go wrong where people judge: settings, labels that are refused, and stores."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.errors.findings import Finding, UsageError
from cranfield.phrases import examples, option, short, shown

# Settings


def wrong_grades(text: str, reason: str) -> UsageError:
    """Grades that make no scale."""
    return UsageError(f"{option('grades', text)}: {reason}, as in {option('grades', '0=not relevant,1=relevant')}.")


def wrong_share(name: str, value: object) -> UsageError:
    """A share of the pairs that is not one."""
    return UsageError(f"{name} must be a share from 0 to 1, not {shown(value)}.")


def link_without_document(link: str) -> UsageError:
    """A pattern of links that are all the same."""
    return UsageError(f"link must contain {{document}}, as in https://example.org/{{document}}, not {shown(link)}.")


# What is judged


def no_pairs(path: str | None, fields: Sequence[str]) -> Finding:
    """A list that is no list of pairs."""
    named = examples([str(short(field, 40)) for field in fields], 10)
    return _no_pairs(path, f"its first line has {len(fields)} columns: {named}")


def no_pair(path: str, value: object) -> Finding:
    """An entry of a JSON file that is no pair."""
    return _no_pairs(path, f"an entry is {shown(value)}")


def _no_pairs(path: str | None, found: str) -> Finding:
    return Finding(
        "error",
        "no-pairs",
        f"it does not list pairs of query and document; {found}",
        "Write a query and a document a line, or a header that names the columns query and document. "
        f"Judgments that there are already go with {option('judgments', 'FILE')}.",
        path,
    )


def all_judged(count: int) -> Finding:
    """Nothing is left to judge."""
    return Finding(
        "error",
        "all-judged",
        f"all {count:,} pairs of query and document are judged already",
        f"Pool more documents ({option('depth', '20')}), add runs, or leave {option('judgments')} out.",
    )


def nothing_to_prefer() -> UsageError:
    """Preferences where no query has two documents."""
    return UsageError("Preferences need at least two documents of a query; pool more of them or add runs.")


def fixed_setting(name: str, changeable: Sequence[str]) -> UsageError:
    """A setting that labels depend on."""
    return UsageError(f"{name} cannot change while people judge; these can: {', '.join(changeable)}.")


# Labels that are refused


def stale() -> str:
    """A label for an item that changed in the meantime."""
    return "This label was changed elsewhere in the meantime, in another tab or by a manager. Choose which one counts."


def key_reused() -> str:
    """One key for two different labels."""
    return "The key of this label was used for another one before. Reload the page."


def note_too_long(length: int, most: int) -> str:
    """A note beyond what is kept."""
    return f"The note has {length:,} characters; {most:,} are possible."


def not_on_scale(grade: object, scale: str) -> str:
    """A grade that the project does not have."""
    return f"The grade {shown(grade)} is not one of this project's grades: {scale}."


def unknown_item(item: object) -> str:
    """An item that the project does not have, or that the judge never saw."""
    return f"There is no pair of query and document with the number {shown(item)} for this judge."


def unknown_judge(judge: object) -> str:
    """A judge that the project does not have."""
    return f"There is no judge with the number {shown(judge)}."


def judge_is_off(name: str) -> str:
    """Somebody who was switched off."""
    return f"{name} is switched off in this project. Ask whoever manages it."


def only_models() -> str:
    """Labels of a model in the name of somebody else."""
    return "A program stores labels of models only."


def no_program() -> str:
    """A program without the server's token."""
    return "Programs need the token of this server, which is in the lock file next to the store."


def only_managers() -> str:
    """Something that is not for judges."""
    return "Only a manager of this project may do this."


def wrong_submission(what: str) -> str:
    """A label that makes no sense."""
    return f"The label cannot be understood: {what}."


def not_all_labels(labels: int, wanted: int) -> str:
    """Nothing to decide before everybody has judged."""
    return f"{labels} of {wanted} labels are given; decide when all are."


def closing() -> str:
    """The server is about to stop."""
    return "The server is stopping. What waits here is sent when it is back."


def nothing_to_undo(key: str) -> str:
    """A correction in bulk that is not known."""
    return f"There is no correction {shown(key)} to take back."


# Judges


def wrong_name(name: str, longest: int) -> UsageError:
    """A name that nobody could read."""
    return UsageError(f"The name of a judge has 1 to {longest} printable characters, unlike {shown(name)}.")


def judge_twice(name: str, known: str) -> UsageError:
    """A second judge of one name."""
    return UsageError(f"There is a judge {known!r} already; {shown(name)} counts as the same name.")


# Stores

_LET_GO = "Stop that one first, or open its address."


def in_use(path: str, address: str, pid: int, host: str) -> Finding:
    """A second server for one store."""
    holder = f"process {pid} on {host}" if pid else "another process"
    where = f"{address} ({holder})" if address else holder
    return Finding("error", "store-in-use", f"is in use by {where}", _LET_GO, path)


def server_gone(path: str, address: str) -> str:
    """The server through which labels are written does not answer any more."""
    return (
        f"{path}: the judging server at {address} does not answer any more. What was stored stays stored; the same "
        "command goes on from there."
    )


def no_store(path: str) -> Finding:
    """A file that is none of ours."""
    advice = "Name a file that `cranfield judge` made, or a new one."
    return Finding("error", "no-store", "is not a judging project of cranfield", advice, path)


def store_exists(path: str, *, is_store: bool) -> Finding:
    """A file where a new one is to be made."""
    go_on = f"To go on with it: cranfield judge {path}. For a new project choose another name."
    advice = go_on if is_store else "Choose another name; nothing was overwritten."
    return Finding("error", "store-exists", "exists already", advice, path)


def newer_store(path: str, version: int, known: int) -> Finding:
    """A store that a later cranfield made."""
    message = f"was made by a newer cranfield (tables of version {version}; this one knows {known})"
    return Finding("error", "newer-store", message, "Update it: pip install --upgrade cranfield", path)


def older_store(path: str, version: int, known: int) -> Finding:
    """A store whose tables must be changed before they can be read."""
    message = f"was made by an older cranfield (tables of version {version}, now {known})"
    advice = f"Open it once with: cranfield judge {path}. A copy of it is kept."
    return Finding("error", "older-store", message, advice, path)


def damaged_store(path: str, reason: str) -> Finding:
    """A store that SQLite cannot read."""
    advice = "Restore a backup, or save what can be read with: sqlite3 FILE .recover"
    return Finding("error", "damaged-store", f"is damaged: {reason}", advice, path)


def not_writable(path: str) -> Finding:
    """A file that may only be read."""
    return Finding("error", "not-writable", "may not be written", "Check its permissions, or copy it.", path)


def store_full(where: str) -> str:
    """No room left."""
    return f"{where}: the disk is full. Nothing is lost: free some space, and what waits is stored."


def store_busy(where: str, seconds: float) -> str:
    """Somebody else writes, and goes on doing so."""
    return f"{where}: another program has held it for {seconds:g} seconds. What waits is stored when it lets go."


def read_only(where: str) -> str:
    """The system does not let anybody write."""
    return f"{where}: may not be written. Check the permissions of the file and its folder."


def opened_for_reading(where: str) -> str:
    """The store was opened to be read."""
    return f"{where}: was opened for reading."


def store_broken(where: str, reason: str) -> str:
    """The file is gone, or the disk fails."""
    return f"{where}: cannot be read or written: {reason}."


# What `--verify` may say


def stray_row(table: str, row: object) -> str:
    """A row that refers to nothing."""
    return f"{table}, row {row}: refers to a row that does not exist"


def wrong_current(item: int, judge: int) -> str:
    """The current label is not the one that the events say."""
    return f"item {item}, judge {judge}: the current label does not follow from the events"


def wrong_judge(name: str) -> str:
    """A judge is not as the events say."""
    return f"judge {name}: is not as the events say"


def wrong_project() -> str:
    """The settings are not those of the last event that changed them."""
    return "the settings are not those that the events say"


def wrong_order(seq: int) -> str:
    """Events out of order."""
    return f"event {seq}: is out of order"


def unknown_in_event(seq: int, what: str, number: int) -> str:
    """An event about nothing."""
    return f"event {seq}: there is no {what} {number}"


def overwritten(seq: int) -> str:
    """An event that replaced a label which its judge had not seen."""
    return f"event {seq}: replaced a label that it does not name"


def more_problems(count: int) -> str:
    """There is more than is listed."""
    return f"and {count:,} more"


# PostgreSQL


def no_connection(where: str, reason: str) -> Finding:
    """A database that does not answer."""
    advice = "Check that it runs, and the address: postgresql://USER@HOST/DATABASE?schema=NAME"
    return Finding("error", "no-connection", f"no connection: {reason}", advice, where)


def wrong_schema(name: str) -> UsageError:
    """A name that is no plain one."""
    return UsageError(f"schema must be small letters, digits and _, not {shown(name)}.")


def backup_by_dump(where: str, schema: str) -> str:
    """PostgreSQL has its own tool for copies."""
    return f"{where}: make a copy with pg_dump --schema={schema}"


# The server and its pages


def unknown_host(host: str) -> UsageError:
    """An address that this machine does not have."""
    return UsageError(f"{option('host', host)}: no such address on this machine. Leave it out to use 127.0.0.1.")


def no_port(host: str, port: int | None) -> UsageError:
    """A port that cannot be used, or none that is free."""
    if port is None:
        return UsageError(f"No port could be opened on {host}. Name one with {option('port')}.")
    return UsageError(
        f"{option('port', str(port))}: cannot be used on {host}, perhaps because another program uses it. "
        "Leave it out to use one that is free."
    )


def wrong_public_url(url: str) -> UsageError:
    """The address of a proxy that is none, or has a path."""
    return UsageError(
        f"{option('public_url', url)}: must be http:// or https:// and a host, without a path, "
        "as in https://judging.example.org."
    )


def no_link() -> str:
    """A browser without a valid link."""
    return (
        "This browser has no valid link to this project. Open the link that you were given; "
        "if it was renewed, ask for the new one. Labels that wait in this browser are then saved."
    )


def wrong_link() -> str:
    """A link that is nobody's."""
    return "This link is not valid. It may be incomplete, or it was renewed: ask whoever sent it for the new one."


def too_many_links() -> str:
    """Too many wrong links."""
    return "Too many wrong links were tried from this address. Wait a minute, then open your link again."


def managers_only() -> str:
    """A judge who asks for a manager's page."""
    return "This page is for managers of the project. Open the manager's link, which the terminal shows."


def export_ended(name: str) -> str:
    """A process that writes an export ended before it was done."""
    return f"{name} could not be written completely: the process that writes it ended. Export it again."


def no_page(status: int) -> str:
    """An address or method that the server does not have."""
    if status == 405:
        return "This address cannot be used in this way."
    return "There is no such page. Open your link again."


def wrong_body() -> str:
    """A request that is neither JSON nor a form."""
    return "A request must be JSON or a form; nothing was stored."


def not_json() -> str:
    """A request whose JSON cannot be read."""
    return "The request is not a JSON object; nothing was stored."


def wrong_field(name: str) -> str:
    """A request with a value that makes no sense."""
    return f"The request has no valid value for {name}; nothing was stored."


def no_such_passage() -> str:
    """A passage that is not in the text."""
    return "This passage is not in the text of the document; select or copy it from there."
