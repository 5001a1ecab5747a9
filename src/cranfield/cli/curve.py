"""`cranfield curve`: precision over recall, measures over cutoffs, and pictures of every query's score."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import click

from cranfield.choices import CurveKind, PictureKind
from cranfield.cli.inputs import EvaluationChoices, Inputs, RankingCommand, are_typed, evaluation, reading, relevant
from cranfield.cli.options import Whole, choice, require_one_standard_input
from cranfield.cli.output import Printing, echo_warnings, hint, printing, show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.data.judgments import Judgments
    from cranfield.evaluating.scores import Scores
    from cranfield.figures import Picture
    from cranfield.measures import Measure
    from cranfield.notation import Typed

LINES: tuple[CurveKind, ...] = get_args(CurveKind)
KINDS: tuple[PictureKind, ...] = get_args(PictureKind)
DEFAULT_MEASURE = "nDCG@10"
FOR: dict[str, tuple[str, ...]] = {
    "--query": LINES,
    "-q": LINES,
    "-k": ("pr", "at-k", "depth"),
    "--baseline": ("differences", "scatter"),
    "--highlight": (*LINES, "distribution"),
}
"""Options that only some pictures have a use for."""


@click.command(cls=RankingCommand)
@click.argument("sources", metavar="QRELS RUN... | RANKING...", nargs=-1)
@click.option(
    "--kind",
    type=choice(PictureKind),
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
    help="Measure of at-k, may be repeated [default: nDCG]; or of differences, scatter, distribution and heatmap "
    "[default: nDCG@10].",
)
@click.option("--query", metavar="ID", help="One query's curve instead of the mean over queries.")
@click.option("-q", "--per-query", is_flag=True, help="Also every query's curve.")
@click.option(
    "-k",
    "deepest",
    type=Whole(),
    metavar="N",
    help="The largest cutoff. [default: the deepest document, for at-k at most 100]",
)
@click.option(
    "--baseline",
    metavar="RUN",
    help="The run to compare with in differences and scatter, by name. [default: the first run]",
)
@relevant
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
@evaluation
@printing
@reading
def curve(
    sources: tuple[str, ...],
    kind: PictureKind,
    output: str | None,
    measures: tuple[str, ...],
    query: str | None,
    per_query: bool,
    deepest: int | None,
    baseline: str | None,
    relevant: tuple[int, ...],
    size: str | None,
    title: str | None,
    highlight: tuple[str, ...],
    evaluation: EvaluationChoices,
    printing: Printing,
    inputs: Inputs,
) -> None:
    """Draw curves and other pictures of runs; in a terminal a sketch, in a pipe the numbers.

    \b
        cranfield curve qrels.txt bm25.run dense.run -o curve.svg
        cranfield curve qrels.txt bm25.run --kind pr --query 301
        cranfield curve qrels.txt *.run --kind at-k -m nDCG -m R -o at-k.pdf
        cranfield curve qrels.txt bm25.run dense.run --kind differences -m AP
        cranfield curve "0 1 0 1 0 1" --relevant 15 --kind pr

    \b
    pr11          interpolated precision at 11 levels of recall
    pr            precision against recall at each rank, not interpolated
    at-k          a measure at each cutoff k
    depth         precision and recall at each rank
    roc           relevant documents found against irrelevant ones seen
    differences   every query's difference to a baseline, sorted
    scatter       every query's score against a baseline's
    distribution  how a run's scores are spread over queries
    heatmap       the score of every run for every query
    grades        how often each grade was given

    Rankings may be typed instead of files: one grade per rank, as `cranfield score --help` shows. Each is a query, by
    number.

    Figures in files need matplotlib: pip install matplotlib.
    """
    if output is not None:
        # Before anything is read: a typo should not cost minutes.
        from cranfield.figures.images import check

        check(output)
    inches = None if size is None else _inches(size)
    require_one_standard_input(*sources)
    rankings = _rankings(sources, relevant, evaluation, inputs)
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
    if kind == "grades":
        from cranfield.figures import grades_of

        picture: Picture = grades_of(_judgments(sources, rankings, inputs))
    else:
        from cranfield.figures import Curve

        scores = _scores(sources, rankings, _measures(kind, measures, evaluation), evaluation, inputs, printing.quiet)
        _require_one_order(scores, kind, query)
        unknown = [name for name in highlight if name not in scores.runs]
        if unknown:
            from cranfield.errors import UsageError

            raise UsageError(f"There is no run {unknown[0]!r} to highlight; there are: {', '.join(scores.runs)}.")
        picture = _picture(scores, kind, measures, query, per_query, deepest, baseline)
        if rankings and isinstance(picture, Curve):
            picture = picture.of_typed([ranking.text for ranking in rankings])
    if output is not None:
        from cranfield.figures.images import save

        save(picture.plot(size=inches, title=title, highlight=highlight), output)
        hint(f"The figure is in {output}.", quiet=printing.quiet)
    if output is None or printing.is_chosen:
        show(picture, printing)
    else:
        echo_warnings(picture.warnings, quiet=printing.quiet)


def _measures(kind: PictureKind, names: tuple[str, ...], evaluation: EvaluationChoices) -> Sequence[Measure]:
    """The measures to evaluate: those of queries, or for a curve whatever lets the files be read."""
    from cranfield.figures.lines import at_least, families

    match kind:
        case "pr11" | "pr" | "at-k" | "depth" | "roc":
            return [at_least(family) for family in families(kind, names or None)]
        case _:
            chosen = evaluation.plan(names or (DEFAULT_MEASURE,)).measures
    if len(chosen) > 1:
        raise click.UsageError("One measure is drawn at a time; give -m once.")
    return chosen


def _rankings(
    sources: tuple[str, ...], relevant: tuple[int, ...], evaluation: EvaluationChoices, inputs: Inputs
) -> tuple[Typed, ...]:
    """The rankings that were typed; none where files were named."""
    from cranfield.notation import several

    if are_typed(sources):
        inputs.require_files()
        return several(sources, relevant=relevant or None, rel=1 if evaluation.rel is None else evaluation.rel)
    if not sources:
        raise click.UsageError("Name judgments and at least one run, or type a ranking such as '1 0 1 1'.")
    if relevant:
        raise click.UsageError(
            "--relevant is for rankings that are typed; with files, the judgments show what is relevant."
        )
    return ()


def _scores(
    sources: tuple[str, ...],
    rankings: tuple[Typed, ...],
    measures: Sequence[Measure],
    evaluation: EvaluationChoices,
    inputs: Inputs,
    quiet: bool,
) -> Scores:
    """The scores of runs in files, or of rankings on the command line."""
    if rankings:
        from cranfield.evaluating.typed_rankings import evaluate_rankings, require_relevant

        require_relevant(rankings, evaluation.rel)
        return evaluate_rankings(rankings, measures, **evaluation.chosen())
    judgments, *runs = sources
    if not runs:
        raise click.UsageError(f"Only judgments were given, {judgments}; name at least one run, or type a ranking.")
    return inputs.scores(evaluation.plan(measures), judgments, runs, quiet=quiet)


def _judgments(sources: tuple[str, ...], rankings: tuple[Typed, ...], inputs: Inputs) -> Judgments:
    """The judgments alone, in a file or in rankings on the command line."""
    if rankings:
        from cranfield.evaluating.typed_rankings import judgments_and_run

        return judgments_and_run(rankings)[0]
    if len(sources) > 1:
        raise click.UsageError("--kind grades counts the grades of the judgments; leave out the runs.")
    return inputs.judgments(sources[0])


def _require_one_order(scores: Scores, kind: PictureKind, query: str | None) -> None:
    """Refuse to draw one order of equal scores where the average over all was asked for."""
    if scores.settings.ties == "average" and (kind == "roc" or (kind == "pr" and query is not None)):
        raise click.UsageError(f"--kind {kind} shows one order of documents; --ties average has none.")


def _picture(
    scores: Scores,
    kind: PictureKind,
    measures: tuple[str, ...],
    query: str | None,
    per_query: bool,
    deepest: int | None,
    baseline: str | None,
) -> Picture:
    from cranfield.figures import curve_of, grades_of, heat_map, paired, spread

    match kind:
        case "differences" | "scatter":
            picture: Picture = paired(scores, baseline=baseline, kind=kind)
        case "distribution":
            picture = spread(scores)
        case "heatmap":
            picture = heat_map(scores)
        case "grades":
            picture = grades_of(scores.require_detail("The grades").judgments)
        case _:
            picture = curve_of(scores, kind, measures or None, query=query, per_query=per_query, k=deepest)
    return picture.with_warnings(scores.warnings)


def _inches(text: str) -> tuple[float, float]:
    width, by, height = text.casefold().partition("x")
    try:
        size = float(width), float(height)
    except ValueError:
        size = 0.0, 0.0
    if not by or not all(1 <= side <= 100 for side in size):
        raise click.BadParameter(f"{text!r} is not a width and height in inches, such as 6x4.", param_hint="--size")
    return size
