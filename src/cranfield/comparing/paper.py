"""A comparison as a table for a paper: means, and marks of the differences that are significant."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cranfield.choices import PaperOrder
from cranfield.comparing.words import corrected_for, mark, shown_group
from cranfield.evaluating.score_tables import caption_notes, ranking_words
from cranfield.phrases import counted
from cranfield.show.paper import PaperCell, PaperTable, as_sentence, paper_caption, places_by_number

if TYPE_CHECKING:
    from cranfield.comparing.comparison import Comparison, Standing

MOST_LETTERED = 10
"""Of more runs, no mark names every run that one is better than: nobody could read them."""
LONGEST_GROUP = 5
"""Characters of the letters of a group; where they are more, only runs as good as the best are marked."""
LABEL = "tab:comparison"


def paper_table(
    comparison: Comparison,
    places: int,
    *,
    caption: str | None = None,
    label: str | None = None,
    order: PaperOrder = "mean",
) -> PaperTable:
    """A row for every run, a column for every measure; the marks are those of the comparison's own family.

    With a baseline, † and ‡ mark runs that are significantly better and worse; with several, letters name the
    baselines. Where every pair was compared, letters name the runs that one is better than; of many runs, they name
    groups that do not differ significantly, or else the runs that do not differ from the best are marked.
    """
    runs = comparison.standings[0].runs if order == "mean" else comparison.results.runs
    marks = _marks(comparison, runs)
    columns = {
        str(standing.measure): _cells(comparison, standing, runs, marks, places) for standing in comparison.standings
    }
    letters = tuple(marks.letters.get(run, "") for run in runs) if marks.letters else ()
    return PaperTable(runs, columns, _caption(comparison, marks, caption), label or LABEL, letters)


class _Marks(ABC):
    """What stands next to means, and what it says."""

    def __init__(self, legend: str, letters: dict[str, str] | None = None) -> None:
        self.legend = legend
        self.letters = letters or {}

    @abstractmethod
    def of(self, standing: Standing, run: str) -> tuple[str, str]:
        """The marks above and below the line."""


class _Baseline(_Marks):
    def __init__(self, baseline: str) -> None:
        super().__init__(f"† significantly better, ‡ significantly worse than {baseline}")
        self.baseline = baseline

    def of(self, standing: Standing, run: str) -> tuple[str, str]:
        is_better, is_worse = (run, self.baseline) in standing.better, (self.baseline, run) in standing.better
        return "†" if is_better else "‡" if is_worse else "", ""


class _Named(_Marks):
    """Letters of the runs that a run is better than and, of baselines, of those that it is worse than."""

    def __init__(self, named: Sequence[str], legend: str, *, both: bool) -> None:
        super().__init__(legend, {run: mark(at) for at, run in enumerate(named)})
        self.named, self.both = named, both

    def of(self, standing: Standing, run: str) -> tuple[str, str]:
        above = [at for at, other in enumerate(self.named) if (run, other) in standing.better]
        below = [at for at, other in enumerate(self.named) if (other, run) in standing.better] if self.both else []
        return ranges(above), ranges(below)


class _Groups(_Marks):
    def of(self, standing: Standing, run: str) -> tuple[str, str]:
        return shown_group(standing.letters[standing.runs.index(run)]), ""


class _AsGoodAsBest(_Marks):
    def of(self, standing: Standing, run: str) -> tuple[str, str]:
        best = standing.runs[0]
        return "" if run == best or (best, run) in standing.better else "*", ""


def _marks(comparison: Comparison, runs: Sequence[str]) -> _Marks:
    if not comparison.every_pair:
        baselines = comparison.baselines
        if len(baselines) == 1:
            return _Baseline(baselines[0])
        legend = (
            "Superscripts name the baselines that a run is significantly better than, subscripts those it is worse than"
        )
        return _Named(baselines, legend, both=True)
    if len(runs) <= MOST_LETTERED:
        return _Named(runs, "Superscripts name the runs that a run is significantly better than", both=False)
    groups = [shown_group(letters) for standing in comparison.standings for letters in standing.letters]
    if all(groups) and max(map(len, groups)) <= LONGEST_GROUP:
        return _Groups("Runs that share a letter do not differ significantly under that measure")
    return _AsGoodAsBest("* not significantly different from the best mean")


def _cells(
    comparison: Comparison, standing: Standing, runs: Sequence[str], marks: _Marks, places: int
) -> list[PaperCell]:
    means = dict(zip(standing.runs, standing.means, strict=True))
    numbers = [comparison.digits.text(standing.measure, means[run].value, places) for run in runs]
    lower = standing.measure.definition.lower_is_better
    ranked = places_by_number(numbers, lower_is_better=lower)
    return [
        PaperCell(number, place, *marks.of(standing, run))
        for run, number, place in zip(runs, numbers, ranked, strict=True)
    ]


def _caption(comparison: Comparison, marks: _Marks, caption: str | None) -> str:
    choices, results = comparison.choices, comparison.results
    scale = "of scores standardised by query, " if choices.standardise else ""
    over = f"{counted(len(results.queries), 'query')}{ranking_words(results.settings)}"
    about = as_sentence(caption or f"Means {scale}over {over}")
    tested = f"{marks.legend} ({choices.test_name}, {corrected_for(comparison)}, α = {choices.alpha:.2g})."
    ending = paper_caption(results.measures, len(results.runs), comparison.digits)
    return " ".join([about, *caption_notes(results.settings), tested, *ending])


def ranges(places: Sequence[int]) -> str:
    """Marks of runs; three or more that follow each other by the first and the last.

    >>> ranges([0, 1, 3, 4, 5, 6, 7, 26])
    'a,b,d–h,aa'
    """
    parts: list[list[int]] = []
    for at in places:
        if parts and parts[-1][-1] == at - 1:
            parts[-1].append(at)
        else:
            parts.append([at])
    return ",".join(
        f"{mark(part[0])}–{mark(part[-1])}" if len(part) > 2 else ",".join(map(mark, part)) for part in parts
    )
