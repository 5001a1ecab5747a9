"""`cranfield curve`: precision over recall, measures over cutoffs, and pictures of every query's score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cranfield.cli.inputs import Inputs, ranking_options, reading_options
from cranfield.cli.numbers import Whole
from cranfield.cli.output import chosen_format, echo_json, echo_table, echo_warnings, hint, printing_options
from cranfield.cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.data.judgments import Judgments
    from cranfield.figures import Picture
    from cranfield.measures import Measure
    from cranfield.scores import Scores

LINES = ("pr11", "pr", "at-k", "depth", "roc")
OF_QUERIES = ("differences", "scatter", "distribution", "heatmap")
KINDS = (*LINES, *OF_QUERIES, "grades")
DEFAULT_MEASURE = "nDCG@10"
FOR = {
    "--query": LINES,
    "-q": LINES,
    "-k": ("pr", "at-k", "depth"),
    "--baseline": ("differences", "scatter"),
    "--highlight": (*LINES, "distribution"),
}
"""Options that only some pictures have a use for."""


@click.command()
@click.argument("files", metavar="QRELS RUN...", nargs=-1)
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default="pr11",
    show_default=True,
    help="What to draw; see above.",
)
@click.option("-o", "--output", metavar="FILE", help="Draw a figure into a file: .svg, .pdf or .png.")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="The measure of at-k, where it may be repeated [default: nDCG], and of pictures of queries "
    "[default: nDCG@10].",
)
@click.option("--query", metavar="ID", help="One query's curve instead of the mean over queries.")
@click.option("-q", "--per-query", is_flag=True, help="Every query's curve beside the mean.")
@click.option(
    "-k",
    "deepest",
    type=Whole(),
    metavar="N",
    help="The last cutoff. [default: the deepest document, for at-k at most 100]",
)
@click.option(
    "--baseline",
    metavar="RUN",
    help="What runs are put beside in differences and scatter, by name. [default: the first run]",
)
@click.option(
    "--ranking",
    "rankings",
    multiple=True,
    metavar="GRADES",
    help="Instead of files, a ranking as grades by rank: '1001|1', with - for unjudged and after | what was never "
    "retrieved; may be repeated, for one query each.",
)
@click.option(
    "--size",
    metavar="WxH",
    help="Width and height of the figure in inches, such as 3.3x2.5 for one column of a paper.",
)
@click.option("--title", metavar="TEXT", help="A title of your own; '' for none.")
@click.option(
    "--highlight",
    multiple=True,
    metavar="RUN",
    help="A run that stands out where there are many; may be repeated. [default: the best]",
)
@ranking_options
@click.option(
    "--ties",
    type=click.Choice(["document", "document-ascending", "given"]),
    help="Order of equal scores: by document id (last first, or ascending), or as given. [default: document]",
)
@printing_options
@reading_options
@click.option("--quiet", is_flag=True, help="No warnings and hints.")
def curve(
    files: tuple[str, ...],
    kind: str,
    output: str | None,
    measures: tuple[str, ...],
    query: str | None,
    per_query: bool,
    deepest: int | None,
    baseline: str | None,
    rankings: tuple[str, ...],
    size: str | None,
    title: str | None,
    highlight: tuple[str, ...],
    rel: float | None,
    depth: int | None,
    judged_only: bool,
    ties: str | None,
    form: str | None,
    places: int,
    judgments_format: str | None,
    run_format: str | None,
    columns: tuple[str, ...],
    quiet: bool,
) -> None:
    """Draw curves and other pictures of runs; in a terminal a sketch, in a pipe the numbers.

    \b
        cranfield curve qrels.txt bm25.run dense.run -o curve.svg
        cranfield curve qrels.txt bm25.run --kind pr --query 301
        cranfield curve qrels.txt *.run --kind at-k -m nDCG -m R -o at-k.pdf
        cranfield curve qrels.txt bm25.run dense.run --kind differences -m AP

    \b
    pr11          interpolated precision at 11 levels of recall
    pr            precision and recall at each rank: the saw-tooth
    at-k          a measure at each cutoff k
    depth         precision and recall on the way down the ranking
    roc           relevant documents found, by irrelevant ones met
    differences   every query's difference to a baseline, sorted
    scatter       every query's score against a baseline's
    distribution  how a run's scores are spread over queries
    heatmap       the score of every run for every query
    grades        how often each grade was given

    Figures need matplotlib: pip install 'cranfield[plot]'.
    """
    from cranfield.errors import UsageError

    if output is not None:
        # Before anything is read: a typo should not cost minutes.
        from cranfield.figures.images import check

        check(output)
    inches = None if size is None else _inches(size)
    if files.count("-") > 1:
        raise click.UsageError("Standard input can be read only once; give one file as -.")
    if per_query and query is not None:
        raise click.UsageError("-q shows every query, --query one; choose one of them.")
    given = {
        "--query": query is not None,
        "-q": per_query,
        "-k": deepest is not None,
        "--baseline": baseline is not None,
        "--highlight": bool(highlight),
    }
    for option, kinds in FOR.items():
        if given[option] and kind not in kinds:
            raise click.UsageError(f"{option} is for --kind {', '.join(kinds[:-1])} or {kinds[-1]}, not {kind}.")
    asked = _asked(kind, measures, rel)
    inputs = Inputs(judgments_format, run_format, columns)
    judgments, runs = _ranked(rankings, files) if rankings else _read(files, kind, asked, inputs)
    if kind == "grades":
        from cranfield.figures import grades_of

        picture: Picture = grades_of(judgments)
        warnings = judgments.warnings
    else:
        from cranfield.evaluating import evaluate
        from cranfield.figures import Curve

        with progress(quiet=quiet) as watch:
            scores = evaluate(
                judgments,
                runs if rankings else [watch.watched(inputs.run(path)) for path in files[1:]],
                asked,
                depth=depth,
                judged_only=judged_only,
                rel=rel,
                ties=ties,  # type: ignore[arg-type]  # click has checked the choices
            )
        unknown = [name for name in highlight if name not in scores.runs]
        if unknown:
            raise UsageError(f"There is no run {unknown[0]!r} to highlight; there are: {', '.join(scores.runs)}.")
        picture = _picture(scores, kind, measures, query, per_query, deepest, baseline)
        if len(rankings) == 1 and title is None and isinstance(picture, Curve):
            title = f"{picture.what}, ranking {rankings[0]}"
        warnings = scores.warnings
    if output is not None:
        from cranfield.figures.images import save

        save(picture.plot(size=inches, title=title, highlight=highlight), output)
        hint(f"The figure is in {output}.", quiet=quiet)
    if output is None or form is not None:
        _echo(picture, chosen_format(form), places)
    echo_warnings(warnings, quiet=quiet)


def _asked(kind: str, measures: tuple[str, ...], rel: float | None) -> list[Measure]:
    """The measures to evaluate: those of queries, or for a curve whatever lets the files be read."""
    from cranfield.figures.lines import at_least, families
    from cranfield.measures import parse_all

    if kind in LINES:
        return [at_least(family) for family in families(kind, measures or None)]  # type: ignore[arg-type]  # click's
    asked = parse_all(measures or (DEFAULT_MEASURE,), rel=rel)
    if len(asked) > 1:
        raise click.UsageError("One measure is drawn at a time; give -m once.")
    return asked


def _read(
    files: tuple[str, ...], kind: str, asked: Sequence[Measure], inputs: Inputs
) -> tuple[Judgments, tuple[str, ...]]:
    from cranfield.evaluating import groups_of

    if not files:
        raise click.UsageError("Name judgments and at least one run, or a ranking with --ranking.")
    judgments, *runs = files
    if kind == "grades" and runs:
        raise click.UsageError("Grades are in the judgments; leave out the runs.")
    if kind != "grades" and not runs:
        raise click.UsageError(f"Only judgments were given, {judgments}; name at least one run.")
    groups = groups_of(asked) if kind != "grades" else None
    return inputs.judgments(judgments, groups), tuple(runs)


def _ranked(rankings: tuple[str, ...], files: tuple[str, ...]) -> tuple[Judgments, dict[str, dict[str, list[str]]]]:
    """Judgments and a run from rankings in the project's notation: a query for each."""
    from cranfield.formats import read_judgments
    from cranfield.notation import documents

    if files:
        raise click.UsageError("Rankings come from files or from --ranking; give one or the other.")
    given = {str(number): documents(text) for number, text in enumerate(rankings, 1)}
    judgments = read_judgments({query: grades for query, (grades, _) in given.items()})
    return judgments, {"ranking": {query: ranked for query, (_, ranked) in given.items()}}


def _picture(
    scores: Scores,
    kind: str,
    measures: tuple[str, ...],
    query: str | None,
    per_query: bool,
    deepest: int | None,
    baseline: str | None,
) -> Picture:
    from cranfield.figures import curve_of, heat_map, paired, spread

    match kind:
        case "differences" | "scatter":
            return paired(scores, baseline=baseline, kind=kind)
        case "distribution":
            return spread(scores)
        case "heatmap":
            return heat_map(scores)
        case _:
            return curve_of(
                scores,
                kind,  # type: ignore[arg-type]  # click has checked the choices
                measures or None,
                query=query,
                per_query=per_query,
                k=deepest,
            )


def _inches(text: str) -> tuple[float, float]:
    width, by, height = text.casefold().partition("x")
    try:
        size = float(width), float(height)
    except ValueError:
        size = 0.0, 0.0
    if not by or not all(1 <= side <= 100 for side in size):
        raise click.BadParameter(f"{text!r} is no width and height in inches, such as 6x4.", param_hint="--size")
    return size


def _echo(picture: Picture, form: str, places: int) -> None:
    if form == "json":
        echo_json(picture.to_dict())
    elif form == "table":
        import shutil

        click.echo(picture.text(shutil.get_terminal_size().columns))
    else:
        echo_table(picture.table(), form, places)
