"""`cranfield judge`: judge documents in the browser, alone or as a team."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.inputs import Inputs, reading
from cranfield.cli.options import (
    SEEDS,
    Command,
    Real,
    Whole,
    bundle,
    option,
    require_one_standard_input,
)
from cranfield.cli.output import echo_warnings, hint, progress, quiet
from cranfield.cli.pool_inputs import measure

if TYPE_CHECKING:
    from cranfield.assessing.session import Judging

PROJECT, PEOPLE, SERVER, FILES = "New project", "Judges and labels", "Server", "Without a server"


def _settings(**given: Any) -> dict[str, Any]:
    """What was chosen, by name; 0 is a choice too."""
    return {name: value for name, value in given.items() if not (value is None or value is False or value == ())}


project = bundle(
    "project",
    _settings,
    option(
        "--store",
        metavar="FILE",
        group=PROJECT,
        help="Where labels are saved: a file or postgresql://… [default: judging.db]",
    ),
    option("--queries", metavar="FILE", group=PROJECT, help="Query file: id, text and perhaps a description."),
    option("--documents", metavar="FILE", group=PROJECT, help="Document file: id, title, text and perhaps a url."),
    option(
        "--judgments", metavar="QRELS", group=PROJECT, help="Judgments to begin with; only what they lack is judged."
    ),
    option("--gold", metavar="QRELS", group=PROJECT, help="Known correct grades of some pairs, to check judges."),
    option(
        "--depth", type=Whole(), metavar="K", group=PROJECT, help="Judge the top K documents of each run. [default: 10]"
    ),
    option(
        "--preferences",
        is_flag=True,
        group=PROJECT,
        help="Ask which of two documents is better, instead of asking for grades.",
    ),
    option(
        "--title", metavar="TEXT", group=PROJECT, help="Name of the project, which judges see. [default: the store's]"
    ),
    option("--seed", type=Whole(0, SEEDS), metavar="N", group=PROJECT, help="Random seed. [default: 0]"),
)
"""What a new project is made of."""

asking = bundle(
    "asking",
    _settings,
    option("--judges", metavar="NAMES", group=PEOPLE, help="Judges to add, such as ada,ben. [default: you]"),
    option(
        "--labels",
        type=Whole(1, 1000),
        metavar="K",
        group=PEOPLE,
        help="Labels per pair, by different judges. [default: 1]",
    ),
    option(
        "--shared",
        type=Real(0, 1),
        metavar="SHARE",
        group=PEOPLE,
        help="Share of pairs that every judge labels, to measure agreement. [default: 0]",
    ),
    option(
        "--repeats",
        type=Real(0, 1),
        metavar="SHARE",
        group=PEOPLE,
        help="Share of pairs shown to a judge twice, to measure how far judges agree with themselves. [default: 0]",
    ),
    option(
        "--grades",
        metavar="GRADES",
        group=PEOPLE,
        help="Grades and their words, such as 0=not relevant,1=relevant. [default: 0 to 3]",
    ),
    option("--guidelines", metavar="FILE.md", group=PEOPLE, help="What judges should know, in Markdown."),
    option(
        "--strategy",
        metavar="NAME",
        group=PEOPLE,
        help="What comes first: decide (drawn from documents on which runs differ), depth, comparison, mtf, mm-ns, "
        "thompson or sample. [default: decide with two or more runs, else depth]",
    ),
    measure,
    option(
        "--link",
        metavar="PATTERN",
        group=PEOPLE,
        help="Web address of a document, such as https://example.org/{document}.",
    ),
    option("--mark-passages", is_flag=True, group=PEOPLE, help="Also ask for the passage that answers the query."),
    option(
        "--new-link",
        multiple=True,
        metavar="NAME",
        group=PEOPLE,
        help="Make a new link for a judge; the one before stops working. May be repeated.",
    ),
)
"""Who judges and how; an existing project takes these too."""

server = bundle(
    "server",
    _settings,
    option(
        "--host", metavar="ADDRESS", group=SERVER, help="Address to listen at. [default: 127.0.0.1, this machine alone]"
    ),
    option(
        "--port",
        type=Whole(1, 65535),
        metavar="N",
        group=SERVER,
        help="Port to listen at. [default: 8765, or the next that is free]",
    ),
    option(
        "--public-url", metavar="URL", group=SERVER, help="Address by which judges reach it, behind a reverse proxy."
    ),
    option("--no-open", is_flag=True, group=SERVER, help="Open no browser."),
    option("--until-done", is_flag=True, group=SERVER, help="End by itself when everything is labelled."),
)
"""How it is served."""

files = bundle(
    "files",
    _settings,
    option(
        "--export",
        metavar="FILE",
        group=FILES,
        help="Write the labels: TREC with a judge in each line (.txt, .qrels), .csv, or all events as .jsonl.",
    ),
    option(
        "--page",
        metavar="FILE",
        group=FILES,
        help="Write a page (.html) on which a judge can label without a server; with several --judges, one page each.",
    ),
    option(
        "--import",
        "import_",
        multiple=True,
        metavar="FILE",
        group=FILES,
        help="Import labels: a file that such a page has saved, or a table of query, document, judge and grade. May be "
        "repeated.",
    ),
    option("--verify", is_flag=True, group=FILES, help="Check that the store is sound; exit 1 if it is not."),
)
"""What ends at once."""


@click.command(cls=Command)
@click.argument("sources", metavar="RUN... | POOL | STORE", nargs=-1, required=True)
@project
@asking
@server
@files
@quiet
@reading
def judge(
    sources: tuple[str, ...],
    project: Mapping[str, Any],
    asking: Mapping[str, Any],
    server: Mapping[str, Any],
    files: Mapping[str, Any],
    quiet: bool,
    inputs: Inputs,
) -> None:
    """Judge documents in the browser, alone or as a team, and see what the labels do to the comparison.

    \b
        cranfield judge bm25.run dense.run --queries queries.tsv --documents documents.jsonl
        cranfield judge judging.db
        cranfield judge judging.db --judges ada,ben --labels 2
        cranfield judge pool.csv --grades "0=no,1=yes" --guidelines guidelines.md
        cranfield judge judging.db --export labels.csv

    Runs start a new project: their top documents are judged, and every label is saved in judging.db as it is given. A
    store continues where it stopped; a pool (`cranfield pool -o`) or a list of pairs (query, document) is judged as it
    is. Judges see neither runs nor ranks nor what other judges do. `cranfield agree`, `merge`, `evaluate` and `compare`
    read the labels from the store, also while people judge.
    """
    require_one_standard_input(*sources, *(project.get(name) for name in ("queries", "documents", "judgments", "gold")))
    if len(files) > 1:
        given = " and ".join(f"--{name.rstrip('_')}" for name in files)
        raise click.UsageError(f"{given} are done one after the other; give one.")
    if files and server:
        raise click.UsageError(
            f"--{next(iter(server)).replace('_', '-')} is about the server, which --{_only(files)} does without."
        )
    if "verify" in files or "export" in files:
        _read_store(sources, {**project, **asking}, files, quiet=quiet)
        return
    if not files:
        from cranfield.assessing.web.serving import require_packages

        require_packages()
    with progress(quiet=quiet):
        judging = _begun(sources, dict(project), dict(asking), inputs)
    echo_warnings(judging.warnings, quiet=quiet)
    if files:
        _exchange(judging, files, names=asking.get("judges"), quiet=quiet)
        return
    _serve(judging, server, sources)


def _only(files: Mapping[str, Any]) -> str:
    return next(iter(files)).rstrip("_")


def _begun(sources: tuple[str, ...], project: dict[str, Any], asking: dict[str, Any], inputs: Inputs) -> Judging:
    from cranfield.assessing.opening import ProjectInputs, names_pool, names_store
    from cranfield.assessing.session import begin

    store = project.pop("store", None)
    people = {name: asking.pop(name) for name in ("judges", "new_link") if name in asking}
    for name in project.keys() & {"judgments", "gold"}:
        project[name] = inputs.judgments(project[name])
    if "seed" in project:
        asking["seed"] = project.pop("seed")
    read: list[object] = []
    for source in sources:
        read += [source] if names_store(source) or names_pool(source) else inputs.runs([source])
    return begin(read, ProjectInputs(**project, settings=asking), store=store, **people)


def _serve(judging: Judging, server: Mapping[str, Any], sources: tuple[str, ...]) -> None:
    from cranfield.assessing.opening import names_store
    from cranfield.assessing.words import closing_lines

    options = {name: value for name, value in server.items() if name != "no_open"}
    judging.serve(**options, open_browser="no_open" not in server, announce=click.echo)
    runs = [source for source in sources if not names_store(source)]
    for line in closing_lines(judging.ended(" ".join(runs) or "RUN...")):
        click.echo(line)


def _read_store(sources: tuple[str, ...], options: Mapping[str, Any], files: Mapping[str, Any], *, quiet: bool) -> None:
    """Read a store that others may write meanwhile."""
    from cranfield.assessing.opening import names_store, split_sources, store_of
    from cranfield.assessing.store import open_store

    if not all(map(names_store, sources)) or set(options) - {"store"}:
        raise click.UsageError(f"--{_only(files)} takes a store and nothing else, such as cranfield judge judging.db.")
    store = open_store(store_of(split_sources(sources)[0], options.get("store")), read_only=True)
    try:
        if "export" in files:
            from cranfield.assessing.export import write_export

            hint(write_export(store, files["export"]), quiet=quiet)
            return
        problems = store.verify()
    finally:
        store.close()
    for problem in problems:
        click.echo(problem)
    if problems:
        raise SystemExit(1)
    click.echo(f"{store.where}: the store is sound.")


def _exchange(judging: Judging, files: Mapping[str, Any], *, names: str | None, quiet: bool) -> None:
    """Write pages that need no server, or take in what they saved."""
    from cranfield.assessing.importing import import_file
    from cranfield.assessing.offline import MOST_ITEMS, write_pages
    from cranfield.assessing.session import names_of

    try:
        if "page" in files:
            for path, name, count in write_pages(judging.service, files["page"], names_of(names or "")):
                rest = (
                    "; a page holds no more, so write another when these labels are in" if count == MOST_ITEMS else ""
                )
                click.echo(f"{path}: {count:,} pairs for {name}{rest}")
            hint(
                "Send each judge their page; what they save is read by: cranfield judge STORE --import FILE",
                quiet=quiet,
            )
        for path in files.get("import_", ()):
            for imported in import_file(judging.service, path):
                click.echo(imported)
    finally:
        judging.close()
