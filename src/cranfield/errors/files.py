"""What can be wrong with a file as a whole, or with its columns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from cranfield.errors.findings import CranfieldError, DataError, Finding, UsageError, did_you_mean
from cranfield.phrases import NAME, beginning_small, examples, option, sentences, short, spoken

JUDGMENTS_FIRST = "The judgments come first: cranfield evaluate QRELS RUN"

# Files that cannot be read at all


def no_such_file(path: str, near: Sequence[str] = ()) -> Finding:
    """Nothing is at this path."""
    hint = f"Did you mean {' or '.join(near)}?" if near else "Check the path; - reads standard input."
    return Finding("error", "no-such-file", "there is no such file", hint, path)


def unreadable(path: str, reason: str) -> Finding:
    """The system refuses to open or read the file, in its own words."""
    message = f"cannot be read: {beginning_small(reason)}"
    return Finding("error", "unreadable", message, "Check the path and its permissions.", path)


def cannot_spill(folder: str, reason: str, why: str = "rows not grouped by query are sorted there") -> CranfieldError:
    """More data than are held in memory, and no room for them."""
    grouped = ", or group the rows by query" if "grouped" in why else ""
    return CranfieldError(
        f"{folder}: cannot be written: {beginning_small(reason)}; {why}.\n"
        f"Free some space, name another folder in the environment variable TMPDIR{grouped}."
    )


def damaged_table(path: str | None, reason: str) -> Finding:
    """A Parquet or Arrow table whose parts contradict each other, in the library's own words."""
    first = reason.strip().split("\n")[0]
    message = f"the table is damaged: {short(first)}"
    return Finding("error", "unreadable", message, "Write or copy the file again.", path)


def is_directory(path: str) -> Finding:
    """A folder where a file is expected."""
    return Finding("error", "is-directory", "is a folder, not a file", "Name the file in it to read.", path)


def several_splits(path: str, names: Sequence[str]) -> Finding:
    """A folder with judgments of several splits, none of which is called test."""
    advice = f"Name one of them: {path}/qrels/{names[0]}"
    return Finding("error", "several-splits", f"has judgments for several splits: {', '.join(names)}", advice, path)


def no_parts(path: str) -> Finding:
    """A folder without files, or a pattern that no file fits."""
    return Finding(
        "error",
        "no-such-file",
        "there are no files to read",
        "Check the path; in a pattern * stands for any characters and ? for one.",
        path,
    )


def loop_of_links(path: str) -> Finding:
    """A link in a folder to a folder that it is in."""
    advice = "Remove the link, or name the files by a pattern in quotes, such as 'runs/part-*.parquet'."
    return Finding("error", "loop-of-links", "is a link to a folder that it is in", advice, path)


def part_without_column(path: str, column: str, first: str) -> Finding:
    """A file of a table without a column that the first file has."""
    message = f"has no column {column!r}, which {first} has; files of one table have the same columns"
    return Finding("error", "parts-differ", message, "Write the files of the table in the same way.", path)


def parts_differ(path: str, examples: Sequence[tuple[str, str]]) -> Finding:
    """Files of different formats where all together would be one run."""
    message = "has files of several formats: " + ", ".join(f"{name} looks like {format}" for name, format in examples)
    advice = "Name the files that belong together by a pattern in quotes, such as 'runs/part-*.parquet'."
    return Finding("error", "parts-differ", message, advice, path)


def not_in_parts(path: str, example: str) -> Finding:
    """Files each of which is one whole, such as a JSON object."""
    message = f"has several files, and {example} is not a table that could go on in another file"
    return Finding("error", "parts-differ", message, "Name one file.", path)


def several_runs_in_folder(path: str, first: str, other: str) -> Finding:
    """A folder whose files are hardly parts of one run."""
    message = (
        f"has {first} and {other}; a folder is read as one run, or one set of judgments, only where the names of its "
        "files differ in numbers alone"
    )
    advice = (
        f"Name the file to read, or several runs one by one: {path}/{first} {path}/{other}. If all files are parts of "
        f"one run, name them by a pattern in quotes: '{path}/*'."
    )
    return Finding("error", "several-runs", message, advice, path)


def other_files(path: str, example: str) -> Finding:
    """A folder where a run was expected, with files that are no answers of a search engine."""
    return Finding(
        "error",
        "is-directory",
        f"is a folder, and {example} in it is not a response of a search engine",
        "Name the file of the run. A folder is a run if it has one JSON response per query, named after the query.",
        path,
    )


def broken_compression(path: str, reason: str) -> Finding:
    """A compressed file that ends early or is damaged."""
    advice = "It was probably not copied or downloaded to its end: fetch it again."
    return Finding("error", "broken-compression", f"the compressed data are damaged: {reason}", advice, path)


def misnamed_compression(path: str, suffix: str) -> Finding:
    """The suffix promises a compression and the bytes are neither that nor text."""
    message = f"the name ends in {suffix}, but the file is neither compressed in a known way nor text"
    return Finding(
        "error", "misnamed-compression", message, "cranfield reads gzip, bzip2, xz, zstd, lz4 and plain text.", path
    )


def not_text(path: str) -> Finding:
    """Bytes that are no text and no known binary format."""
    advice = "cranfield reads text, JSON, Parquet and Arrow files, also compressed with gzip, bzip2, xz, zstd or lz4."
    return Finding("error", "not-text", "is neither text nor a known binary format", advice, path)


def is_archive(path: str) -> Finding:
    """An archive of several files."""
    return Finding("error", "is-archive", "is an archive of files", "Unpack it and name the file to read.", path)


def damaged_workbook(path: str, reason: str) -> Finding:
    """A workbook that its reader cannot open, in the reader's own words."""
    message = f"the workbook cannot be read: {short(reason.strip())}"
    return Finding(
        "error", "unreadable", message, "Save it again, or save the sheet as CSV (in Excel: CSV UTF-8).", path
    )


def several_sheets(path: str, names: Sequence[str]) -> Finding:
    """A workbook of which nobody knows which sheet is meant."""
    message = f"has several sheets ({', '.join(map(repr, names))}), and it is not clear which to read"
    return Finding("error", "several-sheets", message, "Save the sheet as CSV, or remove the others.", path)


def is_markup(path: str, name: str) -> Finding:
    """A page where data were expected, as a download that failed leaves."""
    advice = "Open it in a browser: a download may have given an error page instead of the file."
    return Finding("error", "is-markup", f"is {name}, not a table", advice, path)


def wrong_encoding(path: str, encoding: str) -> Finding:
    """Text in another encoding than UTF-8, known from its first bytes."""
    advice = f"Save it as UTF-8 (in Excel: CSV UTF-8), or convert it: iconv -f {encoding} -t UTF-8"
    return Finding("error", "wrong-encoding", f"the text is {encoding}; expected UTF-8", advice, path)


def broken_encoding(path: str, encoding: str) -> Finding:
    """Text that is not in the encoding that its first bytes announce."""
    message = f"the text begins as {encoding} and does not go on so"
    return Finding("error", "wrong-encoding", message, "Save it again, as UTF-8 (in Excel: CSV UTF-8).", path)


def wrong_line_ends(path: str) -> Finding:
    """Lines that end as on very old computers; all would be read as one."""
    advice = "Convert it, for instance with: tr '\\r' '\\n'"
    return Finding("error", "wrong-line-ends", "lines end with CR alone; expected LF or CR LF", advice, path)


def unknown_format(name: str, known: Sequence[str]) -> UsageError:
    """A format name nobody knows."""
    return UsageError(sentences(f"unknown format {name!r}; known are {', '.join(known)}.", did_you_mean(name, known)))


def unknown_role(name: str, known: Sequence[str]) -> UsageError:
    """A role in `columns` nobody knows."""
    return UsageError(
        sentences(
            f"columns: unknown role {name!r}; known are {', '.join(known)} and _ for a column to skip.",
            did_you_mean(name, known),
        )
    )


def wrong_columns(reason: str) -> UsageError:
    """A `columns` argument that cannot be understood."""
    return UsageError(
        f"columns: {reason}. Name the header, as in query=qid,document=pid,grade=label, "
        "or every column in order, as in query,document,grade."
    )


def unreadable_object(value: object, what: str) -> UsageError:
    """A Python object that no reader understands."""
    return UsageError(
        f"cannot read {what} from {type(value).__name__}. Give a path, a file object, "
        "{query: {document: value}}, rows of (query, document, value), or a table."
    )


def spark_frame(value: object) -> UsageError:
    """A Spark data frame, which would be collected on the driver."""
    return UsageError(
        f"{type(value).__module__}.{type(value).__name__} is a Spark data frame; to read it here would collect all its "
        "rows on the driver.\nEvaluate it where it is: cranfield.spark.evaluate(judgments, run, ...), or, of a click "
        "log, cranfield.spark.clicks(log, model). If it fits into memory, give df.toArrow()."
    )


# What a file holds as a whole


def nothing_read(path: str | None, what: str) -> Finding:
    """No row at all."""
    where = "the file is empty or holds only comments" if path else "the input is empty"
    return Finding("error", "nothing-read", f"no {what} found: {where}", "Check that it is the right file.", path)


def several_runs(path: str | None, names: Sequence[str]) -> Finding:
    """A table with the results of several systems, where one run is wanted."""
    message = f"this is a table of {len(names):,} runs ({examples(names)}), where one run was expected"
    return Finding("error", "several-runs", message, "Give only the rows of one of them.", path)


def swapped_arguments(path: str | None, found: str, line: int | None = None, text: str | None = None) -> Finding:
    """A run where judgments are expected, or the other way round; `found` is what it is."""
    is_run = "this is a run, where judgments were expected"
    is_judgments = "these are judgments, where a run was expected"
    return Finding(
        "error",
        "swapped-arguments",
        is_run if found == "run" else is_judgments,
        spoken(command=JUDGMENTS_FIRST, python="Give the judgments first, then the run."),
        path,
        line,
        text and short(text),
    )


def swapped_values(run: str, path: str | None) -> Finding:
    """Dictionaries that seem to be swapped: the judgments hold scores, and the run holds grades."""
    return Finding(
        "error",
        "swapped-arguments",
        f"the judgments hold fractions, like scores, and the run {run!r} a few whole numbers, like grades: "
        "they seem to be swapped",
        "Give the judgments first. If they are right, say what each is: "
        + spoken(command="in files with named columns (CSV, JSONL).", python="read_judgments(...) and read_run(...)."),
        path,
    )


def in_command(error: CranfieldError, command: str, arguments: str, options: Collection[str]) -> CranfieldError:
    """An error as a command tells it: where files are swapped, the advice names this command and how it takes them."""
    if not isinstance(error, DataError) or not any(f.advice == JUDGMENTS_FIRST for f in error.findings):
        return error
    usage = f"cranfield {command} {arguments}"
    if arguments.startswith(("QRELS", "[QRELS")):
        advice = f"The judgments come first: {usage}"
    elif "--judgments" in options:
        advice = f"Judgments are an option: {usage} --judgments QRELS"
    else:
        advice = f"Judgments have no place here: {usage}"
    findings = [replace(f, advice=advice) if f.advice == JUDGMENTS_FIRST else f for f in error.findings]
    return DataError(findings, more=error.more)


def is_yandex_log(path: str | None) -> Finding:
    """A log of queries and clicks by session."""
    message = "this is a click log of Yandex (lines of queries, Q, and clicks, C), neither judgments nor a run"
    return Finding("error", "is-click-log", message, f"To make judgments from it: {_from_clicks()}.", path)


def _from_clicks() -> str:
    return spoken(command="cranfield clicks LOG -o judgments.qrels", python="cranfield.clicks(log).judgments")


def is_click_log(path: str | None, names: Sequence[str]) -> Finding:
    """A log of clicks, whose positions would be taken for the ranks of a run."""
    return Finding(
        "error",
        "is-click-log",
        f"this is a click log, neither judgments nor a run; its columns are {', '.join(map(str, names))}",
        f"To make judgments from it: {_from_clicks()}. If it is a run, say so: "
        f"{option('columns', {'query': NAME, 'document': NAME, 'rank': NAME})}.",
        path,
    )


def unknown_layout(path: str | None, what: str, line: int | None = None, text: str | None = None) -> Finding:
    """Text whose columns cannot be guessed."""
    layouts = ["query,document,grade"] if what == "judgments" else ["query,document,score", "query,document,rank"]
    return Finding(
        "error",
        "unknown-layout",
        f"cannot recognise the columns of the {what}",
        f"Name the columns with {' or '.join(option('columns', one) for one in layouts)} "
        "(every column in order, _ for one to skip).",
        path,
        line,
        text and short(text),
    )


def unsupported_format(path: str | None, found: str, advice: str) -> Finding:
    """A format that is recognised but not read."""
    return Finding("error", "unsupported-format", f"{found} cannot be read", advice, path)


# Columns


def wrong_column_count(
    path: str | None, line: int, text: str, found: int, expected: str, advice: str, *, unit: str = "line"
) -> Finding:
    """A line with too few or too many columns; `expected` says what has how many."""
    columns = "1 column" if found == 1 else f"{found} columns"
    message = f"{columns} where {expected}"
    return Finding("error", "wrong-column-count", message, advice, path, line, short(text), unit=unit)


def extra_columns(path: str | None, line: int, found: int, text: str) -> Finding:
    """More columns than a TREC run has; as trec_eval does, they are ignored."""
    message = f"{found} columns where a TREC run has 6; those after the sixth are ignored"
    return Finding("warning", "extra-columns", message, "", path, line, short(text))


def unknown_column(path: str | None, name: str, names: Sequence[str]) -> Finding:
    """A column asked for that is not there."""
    message = f"there is no column {name!r}; the columns are {', '.join(map(str, names))}"
    return Finding("error", "unknown-column", message, did_you_mean(name, names), path)


def missing_column(path: str | None, roles: str | Sequence[str], names: Sequence[str]) -> Finding:
    """No column has a name known for a role, or for several."""
    missing = [roles] if isinstance(roles, str) else list(roles)
    *first, last = missing
    what = f"{', '.join(first)} or {last}" if first else last
    message = f"no column gives the {what}; the columns are {', '.join(map(str, names))}"
    advice = f"Name {'them' if first else 'it'} with {option('columns', dict.fromkeys(missing, NAME))}."
    return Finding("error", "missing-column", message, advice, path)


def ambiguous_columns(path: str | None, role: str, candidates: Sequence[str]) -> Finding:
    """Several columns could fill one role."""
    message = f"several columns could give the {role}: {', '.join(candidates)}"
    advice = f"Choose one with {option('columns', {role: candidates[0]})}."
    return Finding("error", "ambiguous-columns", message, advice, path)
