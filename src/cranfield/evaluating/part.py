"""The scores of some whole queries: what an evaluation does with all of them, and each of many machines with a few.

Nothing here looks at queries that are not there, so that any division of a collection gives the same scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from cranfield.align import Alignment, align
from cranfield.arrays import Bools, Floats
from cranfield.data.judgments import Judgments
from cranfield.data.run import Ranking, Run
from cranfield.errors import Findings
from cranfield.evaluating.settings import Settings
from cranfield.measures import Measure
from cranfield.measures.scoring import score


def score_run(
    run: Run,
    judgments: Judgments,
    measures: Sequence[Measure],
    settings: Sequence[Settings],
    findings: Findings | None = None,
) -> tuple[Alignment, Floats]:
    """The run as the first measure sees it, and all scores; for other settings it is aligned again.

    Of a part of a collection, `findings` gathers what is wrong, and ids need not meet.
    """
    values = np.empty((len(measures), len(judgments.queries)))
    alignments: dict[Settings, Alignment] = {}
    for shared in dict.fromkeys(settings):
        rows = [row for row, other in enumerate(settings) if other == shared]
        # What is wrong with a run is found when it is read first.
        gathered = findings if findings is None or not alignments else type(findings)()
        alignments[shared] = aligned(run, judgments, shared, gathered)
        values[rows] = scored(alignments[shared], [measures[row] for row in rows], shared)
    return alignments[settings[0]], values


def aligned(run: Run, judgments: Judgments, settings: Settings, findings: Findings | None = None) -> Alignment:
    """A run as the settings have it seen."""

    def rankings(found: Findings) -> Iterator[Ranking]:
        return (ranking.without(ranking.query) for ranking in run.rankings(found))

    seen = run if settings.identical == "keep" else Run(run.name, rankings, run.path)
    return align(seen, judgments, ties=settings.order, precision=settings.precision, findings=findings)


def scored(alignment: Alignment, measures: Sequence[Measure], settings: Settings) -> Floats:
    """Scores by measure and query as the settings want them."""
    if settings.ties == "average":
        from cranfield.evaluating.bounds import tie_bounds

        return tie_bounds(alignment, measures, settings.view).expected
    return score(alignment, measures, settings.view)


def tied_ends(
    alignment: Alignment, measures: Sequence[Measure], settings: Sequence[Settings]
) -> Iterator[tuple[list[int], Floats]]:
    """Scores with tied documents in the worst and in the best order, of the measures at some positions.

    Measures without an order of their own, and those that no tie can move, are left out.
    """
    from cranfield.evaluating.bounds import tie_ends

    for view in dict.fromkeys(chosen.view for chosen in settings if chosen.ties != "average"):
        rows = [at for at, chosen in enumerate(settings) if chosen.view == view and chosen.ties != "average"]
        ends = tie_ends(alignment, [measures[at] for at in rows], view)
        if ends is not None:
            yield rows, ends


def counted(alignment: Alignment, settings: Settings) -> Bools:
    """Which queries the mean of a run is over."""
    queries = np.ones(len(alignment.judgments.queries), dtype=np.bool_)
    if settings.average_over == "answered":
        queries &= alignment.retrieved > 0
    if settings.without_relevant == "drop":
        queries &= have_relevant(alignment.judgments, settings.level)
    return queries


def have_relevant(judgments: Judgments, rel: float) -> Bools:
    """Which queries have a relevant document."""
    found: Bools = np.logical_or.reduceat(judgments.grades >= rel, judgments.starts[:-1])
    return found
