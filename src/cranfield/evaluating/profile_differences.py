"""Why tools disagree: one measure under every profile, and the choices that make the difference on this data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from cranfield import formats
from cranfield.align import Alignment
from cranfield.choices import Duplicates
from cranfield.data.judgments import Judgments
from cranfield.data.run import Run
from cranfield.errors import Finding
from cranfield.evaluating.evaluation import groups_of, must_have_one_grade, scores_from
from cranfield.evaluating.part import aligned, scored
from cranfield.evaluating.preparing import preparation_from
from cranfield.evaluating.profiles import PROFILES, WORDS, Profile
from cranfield.evaluating.scores import ScoreDetail, Scores
from cranfield.evaluating.settings import Settings, checked
from cranfield.formats.columns import ColumnsGiven, columns_for
from cranfield.measures import Measure, parse
from cranfield.show.answer import Answer
from cranfield.show.measures import legend, name_dict
from cranfield.show.table import Table, finite

TOLERANCE = 1e-9
"""Numbers closer than this are the same: that is rounding."""


class Reason(NamedTuple):
    """A choice of a profile, and what it alone does to the number."""

    choice: str
    """As one would make it: `average_over=answered`."""
    says: str
    effect: float
    """How far it alone moves the number; NaN where it makes it undefined."""

    @property
    def matters(self) -> bool:
        """Whether it alone makes another number."""
        return not abs(self.effect) <= TOLERANCE

    @property
    def sentence(self) -> str:
        """What it does, and whether it leaves anything to average."""
        return f"{self.says}, which leaves no query" if math.isnan(self.effect) else self.says


@dataclass(frozen=True)
class Opinion:
    """What a tool gives for the measure."""

    profile: Profile
    measure: Measure | None
    """The measure as the tool computes it; None where it has no such measure."""
    value: float = math.nan
    difference: float = 0.0
    """How far it is from ours; NaN where only one of the two is defined."""
    reasons: tuple[Reason, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether the number is another than ours."""
        return differs(self.difference)

    @property
    def sentence(self) -> str:
        """Why the number is another one, or that it is the same."""
        if self.measure is None:
            return "no such measure"
        return sentence_of(self.difference, self.reasons)


@dataclass(frozen=True, repr=False)
class Why(Answer):
    """One measure of one run under every profile. Printing it shows which tools differ, and why."""

    measure: Measure
    run: str
    opinions: tuple[Opinion, ...]
    warnings: tuple[Finding, ...] = ()

    def verdict(self) -> str:
        """How many tools give another number."""
        others = [opinion for opinion in self.opinions if opinion.profile.name != "cranfield" and opinion.measure]
        differing = [opinion for opinion in others if opinion.differs]
        if not differing:
            return f"All {len(others)} tools that have {self.measure} agree on {self.run}."
        give = "gives" if len(differing) == 1 else "give"
        return f"{len(differing)} of {len(others)} tools that have {self.measure} {give} another number for {self.run}."

    def table(self) -> Table:
        """A row for each profile that has the measure; below it, a sentence on each that differs."""
        having = [opinion for opinion in self.opinions if opinion.measure]
        return Table(
            {
                "profile": [opinion.profile.name for opinion in having],
                str(self.measure): [opinion.value for opinion in having],
                "difference": [signed(opinion.difference) if opinion.differs else "" for opinion in having],
            },
            notes=(*self._sentences(), *self._notes(), *legend([self.measure])),
        )

    def rows(self) -> Table:
        """A row for each profile: the number, how far it is from ours, and why."""
        return Table(
            {
                "profile": [opinion.profile.name for opinion in self.opinions],
                "measure": ["" if opinion.measure is None else opinion.measure.canonical for opinion in self.opinions],
                "value": [None if opinion.measure is None else opinion.value for opinion in self.opinions],
                "difference": [None if opinion.measure is None else opinion.difference for opinion in self.opinions],
                "why": [opinion.sentence for opinion in self.opinions],
            },
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            **name_dict(self.measure),
            "run": self.run,
            "profiles": [
                {
                    "name": opinion.profile.name,
                    "of": opinion.profile.of,
                    "measure": None if opinion.measure is None else opinion.measure.canonical,
                    "value": finite(opinion.value),
                    "difference": finite(opinion.difference) if opinion.measure is not None else None,
                    "reasons": [reason._asdict() | {"effect": finite(reason.effect)} for reason in opinion.reasons],
                    "sentence": opinion.sentence,
                }
                for opinion in self.opinions
            ],
            "warnings": [str(warning) for warning in self.warnings],
        }

    def _sentences(self) -> Iterator[str]:
        """Who differs and why, those with the same reason together; then who has no such measure."""
        others = [opinion for opinion in self.opinions if opinion.differs or opinion.measure is None]
        for sentence in dict.fromkeys(opinion.sentence for opinion in sorted(others, key=lambda o: o.measure is None)):
            names = [opinion.profile.name for opinion in others if opinion.sentence == sentence]
            yield f"{', '.join(names)}: {sentence}."

    def _notes(self) -> Iterator[str]:
        for opinion in self.opinions:
            for note in opinion.profile.notes:
                if opinion.measure and opinion.measure.name in note.about:
                    yield f"{opinion.profile.name}: {note.text}"


def why(
    judgments: object,
    run: object,
    measure: str | Measure,
    *,
    depth: int | None = None,
    judged_only: bool | None = None,
    rel: float | None = None,
    group_by: object = None,
    alternatives: object = None,
    only_queries: object = None,
    unjudged_grade: float | None = None,
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
) -> Why:
    """One measure under every profile, with the choices that make the difference on this data.

    >>> judged = {"q1": {"d1": 2, "d2": 1}, "q2": {"d1": 1}}
    >>> print(why(judged, {"q1": ["d2", "d1"]}, "nDCG"))
    4 of 7 tools that have nDCG give another number for run.
    <BLANKLINE>
    profile          nDCG   difference
    ──────────────────────────────────
    cranfield      0.4299
    trec_eval-10   0.4299
    trec_eval-9    0.8597   +0.4299
    ...
    trec_eval-9, pytrec_eval, sklearn: averages over the judged queries that the run answered.
    ...
    """
    choices = {"depth": depth, "judged_only": judged_only, "rel": rel, "unjudged_grade": unjudged_grade}
    prepared = {"group_by": group_by, "alternatives": alternatives, "only_queries": only_queries}
    preparation, labels = preparation_from({name: value for name, value in prepared.items() if value is not None})
    given = checked({**{name: value for name, value in choices.items() if value is not None}, **labels})
    asked = parse(measure)
    read = formats.read_judgments(judgments, columns=columns_for("judgments", columns), groups=groups_of([asked]))
    judged = preparation.judgments(read)
    must_have_one_grade(judged, [asked])
    source = formats.read_run(run, columns=columns_for("run", columns), duplicates=duplicates)
    data = _Data(judged, preparation.run(source))
    own = PROFILES["cranfield"]
    (ours,) = own.parse(measure, given.get("rel"))
    base = _Choice(ours, own.settings_for(ours, given))
    value = data.value(base)
    preparation.require_effect([judged.chunks, *(alignment.chunks for alignment in data.alignments.values())])
    opinions = tuple(_opinion(profile, measure, given, base, value, data) for profile in PROFILES.values())
    return Why(ours, data.run.name, opinions, data.scores(base).warnings)


class _Choice(NamedTuple):
    """A measure and the settings it is evaluated under."""

    measure: Measure
    settings: Settings


class _Data:
    """Judgments and a run, aligned once for each way of seeing it."""

    def __init__(self, judgments: Judgments, run: Run) -> None:
        self.judgments = judgments
        self.run = run
        self.alignments: dict[tuple[str, str, str], Alignment] = {}

    def scores(self, choice: _Choice) -> Scores:
        """The scores of one measure under some settings."""
        measure, settings = choice
        seen = settings.order, settings.precision, settings.identical
        if seen not in self.alignments:
            self.alignments[seen] = aligned(self.run, self.judgments, settings)
        alignment = self.alignments[seen]
        values = scored(alignment, [measure], settings)[:, np.newaxis]
        return scores_from(ScoreDetail(self.judgments, (alignment,)), (measure,), values, (settings,))

    def value(self, choice: _Choice) -> float:
        """The mean of one measure under some settings."""
        return self.scores(choice).mean(choice.measure).value


def _opinion(
    profile: Profile, measure: str | Measure, said: Mapping[str, Any], base: _Choice, ours: float, data: _Data
) -> Opinion:
    (theirs,) = profile.parse(measure, said.get("rel"))
    if not profile.has(theirs):
        return Opinion(profile, None)
    choice = _Choice(theirs, profile.settings_for(theirs, said))
    value = data.value(choice)
    opinion = Opinion(profile, theirs, value, difference_of(value, ours))
    return replace(opinion, reasons=tuple(_reasons(choice, base, ours, data))) if opinion.differs else opinion


def _reasons(choice: _Choice, base: _Choice, ours: float, data: _Data) -> Iterator[Reason]:
    """Each choice that the base does not make, and what it does alone."""
    for name, value in vars(choice.settings).items():
        if name != "profile" and value != getattr(base.settings, name):
            alone = base._replace(settings=replace(base.settings, **{name: value}))
            yield _reason(name, value, difference_of(data.value(alone), ours))
    for name, value in choice.measure.params.items():
        if value != base.measure.params[name]:
            alone = base._replace(measure=base.measure(**{name: value}))
            yield _reason(name, value, difference_of(data.value(alone), ours))


def sentence_of(difference: float, reasons: Sequence[Reason]) -> str:
    """Why a number is another one than ours, or that it is the same."""
    if not differs(difference):
        return "gives the same"
    matter = [reason for reason in reasons if reason.matters]
    if not matter:
        return " and ".join(reason.says for reason in reasons) + ", which matters only together"
    if len(matter) == 1:
        return matter[0].sentence
    if math.isnan(difference):
        return next((reason for reason in matter if math.isnan(reason.effect)), matter[0]).sentence
    return "; ".join(f"{reason.says} ({signed(reason.effect)})" for reason in matter)


def differs(difference: float) -> bool:
    """Whether a difference is more than rounding; so is one to a number that is undefined."""
    return not abs(difference) <= TOLERANCE


def difference_of(value: float, ours: float) -> float:
    """Two undefined numbers do not differ."""
    return 0.0 if math.isnan(value) and math.isnan(ours) else value - ours


def signed(difference: float) -> str:
    """A difference with its sign, and at least one digit of it; none to a number that is undefined."""
    if math.isnan(difference):
        return "undefined"
    return f"{difference:+z.4f}" if abs(difference) >= 0.00005 else f"{difference:+.0e}"


def _reason(name: str, value: Any, effect: float) -> Reason:
    choice = f"{name}={value}"
    return Reason(choice, WORDS.get((name, value), f"has {choice}"), effect)
