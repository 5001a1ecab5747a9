"""Scores of rankings that were typed: each one's, and their mean."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cranfield.choices import CurveKind, Undefined
from cranfield.errors import Finding, UsageError
from cranfield.evaluating.profiles import Profile
from cranfield.evaluating.profiles import find as find_profile
from cranfield.evaluating.scores import Scores
from cranfield.evaluating.typed_rankings import evaluate_rankings, require_relevant
from cranfield.explaining import Explanation
from cranfield.explaining.explanation import Rows, explain_typed
from cranfield.figures.lines import Curve
from cranfield.measures import Measure
from cranfield.notation import Typed, several
from cranfield.phrases import listed
from cranfield.show.answer import Answer
from cranfield.show.measures import canonical_column, legend, name_dict
from cranfield.show.table import Cell, Table, finite
from cranfield.version import VERSION

DEFAULT_MEASURES = ("SetP", "SetR", "AP", "RR", "nDCG")
MEAN = "mean"
RANKING = "ranking"
FOUND = "found"
_NAMES_OF_MEANS = {"AP": "MAP", "RR": "MRR"}


@dataclass(frozen=True, eq=False)
class RankingScores(Answer):
    """Scores of rankings that were typed. Printing it shows them, and of several their mean."""

    rankings: tuple[Typed, ...]
    scores: Scores
    """The same as scores of an evaluation, whose queries are the rankings by number: 1, 2, …"""
    warnings: tuple[Finding, ...] = ()

    def __getitem__(self, measure: str | Measure) -> list[float]:
        """One measure's scores, in the order of the rankings; NaN where undefined."""
        scores: list[float] = self.scores[measure][0].tolist()
        return scores

    def mean(self, measure: str | Measure) -> float:
        """One measure's mean over the rankings."""
        return self.scores.mean(measure).value

    def explain(
        self, measure: str | Measure | None = None, ranking: int = 1, *, rows: Rows | None = None
    ) -> Explanation:
        """How one score is calculated: by default the first measure's, of the first ranking."""
        if not isinstance(ranking, int) or not 1 <= ranking <= len(self.rankings):
            raise UsageError(f"ranking must be a number from 1 to {len(self.rankings)}, not {ranking!r}.")
        position = 0 if measure is None else self.scores.position(measure)
        settings = self.scores.provenance.settings[position]
        return explain_typed(
            self.rankings,
            ranking,
            self.scores.measures[position],
            depth=settings.depth,
            judged_only=settings.judged_only,
            rel=settings.rel,
            unjudged_grade=settings.unjudged_grade,
            rows=rows,
        )

    def curve(
        self,
        kind: CurveKind = "pr11",
        measures: str | Measure | Iterable[str | Measure] | None = None,
        *,
        ranking: int | None = None,
        k: int | None = None,
    ) -> Curve:
        """A curve of one ranking by number, or of their mean; `cranfield.curve` says what kinds there are."""
        require_relevant(self.rankings, self.scores.settings.rel)
        query = None if ranking is None else str(ranking)
        return self.scores.curve(kind, measures, query=query, k=k).of_typed([one.text for one in self.rankings])

    def tables(self) -> list[Table]:
        """A row for each ranking and, of several, one for the mean."""
        level = self.scores.settings.level
        found = [f"{one.found(level)} of {one.relevant(level)}" for one in self.rankings]
        columns: dict[str, list[Cell]] = {
            RANKING: [*(one.text for one in self.rankings), *([MEAN] if self._has_mean else [])],
            FOUND: [*found, *([""] if self._has_mean else [])],
            **{str(measure): self._cells(measure) for measure in self.scores.measures},
        }
        names = list(map(str, self.scores.measures))
        narrow: dict[str, list[Cell]] = {"": [FOUND, *names]}  # a name that no ranking has
        for at, text in enumerate(columns[RANKING]):
            name = str(text) if text not in narrow else f"{text} ({at + 1})"
            narrow[name] = [columns[FOUND][at], *(columns[name][at] for name in names)]
        return [
            Table(
                columns,
                notes=tuple(self._notes()),
                elastic=RANKING,
                right=(FOUND, *names),
                narrow=Table(narrow, right=tuple(narrow)[1:]) if len(names) > len(self.rankings) else None,
            )
        ]

    def rows(self) -> Table:
        """A row for each ranking and measure; of several rankings, the mean of each measure under `mean`."""
        rows: list[tuple[Cell, ...]] = []
        for measure in self.scores.measures:
            values = [*self[measure], *([self.mean(measure)] if self._has_mean else [])]
            texts = [*(one.text for one in self.rankings), MEAN]
            rows += [(text, str(measure), measure.cell(value)) for text, value in zip(texts, values, strict=False)]
        columns = dict(zip((RANKING, "measure", "value"), map(list, zip(*rows, strict=True)), strict=True))
        return Table({**columns, **canonical_column(columns["measure"], self.scores.measures)})

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield score --format json` prints."""
        settings, measures = self.scores.settings, self.scores.measures
        return {
            "cranfield": VERSION,
            "settings": {
                "profile": settings.profile,
                "rel": settings.level,
                "depth": settings.depth,
                "judged_only": settings.judged_only,
                **({} if settings.unjudged_grade is None else {"unjudged_grade": settings.unjudged_grade}),
            },
            "measures": [name_dict(measure) for measure in measures],
            "rankings": [
                {
                    "ranking": one.text,
                    "retrieved": list(one.retrieved),
                    "missed": list(one.missed),
                    "relevant": one.relevant(settings.level),
                    "relevant_retrieved": one.found(settings.level),
                    "scores": {str(measure): finite(measure.cell(self[measure][at])) for measure in measures},
                }
                for at, one in enumerate(self.rankings)
            ],
            "means": {str(measure): finite(measure.cell(self.mean(measure))) for measure in measures},
            "notes": list(self._notes()),
            "warnings": [str(warning) for warning in self.warnings],
        }

    @property
    def _has_mean(self) -> bool:
        return len(self.rankings) > 1

    def _cells(self, measure: Measure) -> list[Cell]:
        values = [*self[measure], *([self.mean(measure)] if self._has_mean else [])]
        return ["undefined" if math.isnan(value) else measure.cell(value) for value in values]

    def _notes(self) -> Iterator[str]:
        yield f"{FOUND}: relevant documents retrieved, out of all relevant ones."
        yield from legend(self.scores.measures)
        if not self._has_mean:
            return
        measures = self.scores.measures
        for name in dict.fromkeys(one.name for one in measures if one.name in _NAMES_OF_MEANS):
            yield f"The mean of {name} is called {_NAMES_OF_MEANS[name]}."
        for kind, words in (("sum", "the sum over rankings"), ("geometric", "a geometric mean")):
            if of_kind := [str(one) for one in measures if one.definition.mean == kind]:
                yield f"{listed(of_kind)}: the last row is {words}."
        for rule, becomes in (("zero", "counts as 0 in the mean"), ("skip", "is left out of the mean")):
            ruled = [one for one, undefined in zip(measures, self.scores.undefined, strict=True) if undefined == rule]
            if names := [str(measure) for measure in ruled if any(map(math.isnan, self[measure]))]:
                yield f"An undefined score {becomes} ({', '.join(names)})."


def score(
    rankings: object,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    relevant: int | Sequence[int | None] | None = None,
    profile: str | Profile | None = None,
    depth: int | None = None,
    judged_only: bool | None = None,
    rel: float | None = None,
    undefined: Undefined | None = None,
    unjudged_grade: float | None = None,
) -> RankingScores:
    """Scores of one or several rankings, each a text or a list of grades; no files are needed.

    `relevant` is how many documents are relevant in all, retrieved or not: one number for every ranking, or one for
    each. Other choices are those of `evaluate`.

    >>> print(score(["1011110001", "0100111011"], "AP"))
    ranking       found       AP
    ────────────────────────────
    1011110001   6 of 6   0.7750
    0100111011   6 of 6   0.5212
    mean                  0.6481
    found: relevant documents retrieved, out of all relevant ones.
    The mean of AP is called MAP.
    >>> score("0 1 0 1 0 1 0 0 0 0", "P@2 AP", relevant=15)["AP"]
    [0.1]
    """
    read = several(rankings, relevant=relevant, rel=1 if rel is None else rel)
    if not all(one.retrieved or one.missed for one in read):
        raise UsageError("An empty ranking was given. One that retrieved none of 3 relevant documents is '|+3'.")
    default = None if find_profile(profile).measures else DEFAULT_MEASURES
    scores = evaluate_rankings(
        read,
        default if measures is None else measures,
        profile=profile,
        depth=depth,
        judged_only=judged_only,
        rel=rel,
        undefined=undefined,
        unjudged_grade=unjudged_grade,
    )
    return RankingScores(read, scores, scores.warnings)
