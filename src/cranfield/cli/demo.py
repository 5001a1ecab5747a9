"""`cranfield demo`: a tour of the product on a small collection that comes with the package."""

from __future__ import annotations

import click

from cranfield.cli.output import hint, styled

TOUR = (
    (
        "How good are they? Four systems, all judged queries, 95% intervals:",
        "evaluate qrels.txt title.run bm25.run dense.run hybrid.run --format table",
    ),
    (
        "Which is better, and is the difference significant?",
        "compare qrels.txt bm25.run hybrid.run -m nDCG@10 --movers 2 --format table",
    ),
    (
        "Title matching gives many documents the same score. How much of its result is luck?",
        "evaluate qrels.txt title.run -m nDCG@10 -m RR --bounds ties --format table",
    ),
    (
        "How is one score calculated? Rank by rank, term by term:",
        "explain qrels.txt bm25.run --query q70 -m AP --format table",
    ),
    (
        "Can the labels be trusted? Three people judged:",
        "agree labels.csv --run title.run --run bm25.run --run hybrid.run -m nDCG@10 --format table",
    ),
    ("What would people's clicks say?", "clicks clicks.csv --model PBM --judgments qrels.txt --format table"),
    ("Is anything odd about the files?", "check qrels.txt title.run --format table"),
)

NEXT = """\
Try next, on these files or on yours (TREC, BEIR, MS MARCO, CSV, JSON, Parquet, compressed or not):

  cranfield demo --write DIR             write the collection out, to play with
  cranfield evaluate QRELS RUN... -q     every query's score
  cranfield evaluate QRELS RUN... --format json
  cranfield report QRELS RUN... -o report.html
  cranfield gate init QRELS RUN          keep search from getting worse, in CI
  cranfield pool RUN... --depth 20       what to judge next
  cranfield judge RUN... --queries FILE --documents FILE
                                         judge it in the browser, alone or as a team
  cranfield measures nDCG                a definition, and what other tools make of it
  cranfield check FILE...                what is wrong in a file, before it costs you a day\
"""


@click.command()
@click.option("--write", "directory", metavar="DIR", help="Write the collection's files to a directory instead.")
def demo(directory: str | None) -> None:
    """Tour the product on a small collection: what it runs, what it prints, what to try next."""
    from cranfield import demo as collection
    from cranfield.formats.writing import written

    if directory == "":
        raise click.UsageError("Name the directory to write to.")
    if directory is not None:
        with written(directory):
            copies = collection.write(directory)
        for path in copies:
            click.echo(path)
        hint(f"Try: cd {directory} && cranfield evaluate qrels.txt bm25.run hybrid.run", quiet=False)
        return
    click.echo(
        "A community garden's help pages: 70 queries, 786 documents, three judges, four systems.\n"
        "The data come with the package and were made by its own generator."
    )
    for words, command in TOUR:
        click.echo(f"\n{styled(words, bold=True)}\n\n$ cranfield {command}")
        _run(command.split())
    click.echo(f"\n{NEXT}")


def _run(arguments: list[str]) -> None:
    """Run a command inside the collection's folder, so that file names are as short as a user's would be."""
    from contextlib import chdir

    from cranfield import demo as collection
    from cranfield.cli import cranfield

    with chdir(collection.path("qrels.txt").parent):
        cranfield.main(arguments, prog_name="cranfield", standalone_mode=False)
