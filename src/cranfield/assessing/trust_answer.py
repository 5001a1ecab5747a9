"""Whether a model can judge here, as an answer: agreement, overrating, made-up documents, orders of runs, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

from cranfield.comparing.intervals import Interval
from cranfield.comparing.order_agreement import Orders
from cranfield.errors import Finding
from cranfield.judging.against import Against
from cranfield.judging.answer import Agreement
from cranfield.judging.estimates import Coefficient
from cranfield.phrases import counted, listed, percent
from cranfield.show.answer import Answer
from cranfield.show.table import Cell, Estimate, Table, finite
from cranfield.version import VERSION

GOOD, FAIR = 0.6, 0.4
"""Kappa from which a model's labels are commonly taken as good, and as of some use (Landis & Koch, 1977)."""
WIDE = 0.2
"""Width of kappa's interval from which more labels of people are advised."""
FOOLED = 0.1
"""Share of made-up documents called relevant from which a model can be fooled."""
PEOPLE, MODEL = "people", "model"
"""What tables call them."""
ProbeKind = Literal["unrelated", "query words", "instruction"]
PROBES: tuple[ProbeKind, ...] = get_args(ProbeKind)
"""Kinds of made-up documents."""


class Overrating(NamedTuple):
    """How much higher a model's grades are than people's, of some documents."""

    by: str
    """all, length, or query words."""
    group: str
    documents: int
    difference: Interval


class Slope(NamedTuple):
    """How overrating changes with a property of documents."""

    by: str
    correlation: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low > 0 or self.high < 0


class ProbeResult(NamedTuple):
    """Of made-up documents, those that the model called relevant."""

    kind: str
    asked: int
    relevant: int

    @property
    def share(self) -> float:
        """The share called relevant; none of them is."""
        return self.relevant / self.asked if self.asked else math.nan


class Certainty(NamedTuple):
    """Documents about which the model was so sure of its grade, and how often people gave the same."""

    low: float
    high: float
    """Between which shares the model gave to its own grade."""
    documents: int
    share: float
    """The mean of these shares."""
    same: float
    """The share of documents to which people gave the same grade."""


class SystemOrder(NamedTuple):
    """How far people and the model put the same runs into the same order, by one measure."""

    which: str
    """all, or best half: those with the best means by people."""
    runs: tuple[str, ...]
    orders: Orders


@dataclass(frozen=True, eq=False, repr=False)
class ModelTrust(Answer):
    """How far a model's labels can be trusted here; shows itself as a verdict and tables."""

    model: str
    documents: int
    """Labelled by people and by the model."""
    with_model: Agreement
    """The model compared with people's merged labels."""
    between_people: Agreement | None
    """People compared with each other; None where fewer than two labelled the same documents."""
    overrating: tuple[Overrating, ...]
    slopes: tuple[Slope, ...]
    probes: tuple[ProbeResult, ...]
    repeated: tuple[int, int]
    """Documents that the model was asked about twice, and of these those with the same grade."""
    circular: tuple[str, ...]
    """Runs that seem to use the same model."""
    systems: tuple[SystemOrder, ...] = ()
    """How far people and the model order runs alike; nothing where fewer than two runs are compared."""
    certainty: tuple[Certainty, ...] = ()
    """Whether the model is right where it is sure, if it was asked how likely each grade was."""
    warnings: tuple[Finding, ...] = ()

    @property
    def kappa(self) -> Coefficient:
        """Linearly weighted kappa of the model and people."""
        return self.with_model.pairs[0].linear

    def verdict(self) -> str:
        """Whether the model can be used here, for what, and what would make it better."""
        return " ".join(self.remarks())

    def agreement_table(self) -> Table:
        """Kappa of the model with people, and of people with each other."""
        rows = [("model and people", self.with_model.pairs[0])]
        rows += (
            [(f"{pair.one} and {pair.other}", pair) for pair in self.between_people.pairs]
            if self.between_people
            else []
        )
        return Table(
            {
                "judges": [name for name, _ in rows],
                "documents": [pair.items for _, pair in rows],
                "same grade": [pair.agreement for _, pair in rows],
                "kappa": [pair.kappa.estimate() for _, pair in rows],
                "weighted kappa": [pair.linear.estimate() for _, pair in rows],
            },
            notes=(
                "people: the lower median of their grades. weighted kappa: with linear weights, so that a near miss is "
                "a smaller error.",
            ),
        )

    def rates_table(self) -> Table:
        """What the model calls relevant, compared with what people do."""
        (judge,) = self._against.judges
        by_model, by_people = judge.rates["relevant"]
        return Table(
            {
                "documents": [judge.items],
                "relevant by model": [by_model],
                "relevant by people": [by_people],
                "precision": [judge.precision],
                "recall": [judge.recall],
            },
            notes=(
                "relevant: the share of documents with a grade above 0. precision: of what the model calls relevant, "
                "the share that people do; recall: of what people call relevant, the share that the model does.",
            ),
        )

    def confusion_table(self) -> Table:
        """What people say where the model gives each grade."""
        note = "Where the model gives a grade, the share of these documents to which people give each grade."
        return replace(self._against.calibration_table(MODEL), notes=(note,))

    @property
    def _against(self) -> Against:
        against = self.with_model.against
        assert against is not None  # people are the reference
        return against

    def overrating_table(self) -> Table:
        """How much higher the model grades than people, by length and by words of the query."""
        return Table(
            {
                "documents by": [row.by for row in self.overrating],
                "group": [row.group for row in self.overrating],
                "documents": [row.documents for row in self.overrating],
                "model - people": [
                    Estimate(row.difference.value, row.difference.low, row.difference.high) for row in self.overrating
                ],
            },
            notes=("model - people: the mean difference of grades, with its 95% interval.",),
        )

    def probe_table(self) -> Table:
        """Made-up documents that the model called relevant."""
        return Table(
            {
                "made-up document": [row.kind for row in self.probes],
                "asked": [row.asked for row in self.probes],
                "called relevant": [row.relevant for row in self.probes],
                "share": [row.share for row in self.probes],
            },
            notes=(
                "Documents of other queries: as they are, with the query's words inserted, and with an order to the "
                "judge. None of them is relevant.",
            ),
        )

    def certainty_table(self) -> Table:
        """How sure the model was of its grades, and how often people gave the same."""
        return Table(
            {
                "share of its grade": [f"{row.low:g} to {row.high:g}" for row in self.certainty],
                "documents": [row.documents for row in self.certainty],
                "mean share": [row.share for row in self.certainty],
                "people the same": [row.same for row in self.certainty],
            },
            notes=(
                "How likely the model found the grade that it gave, from the probabilities of its words, and how often "
                "people gave the same. Where the first is larger, the model is surer than it is right.",
            ),
        )

    def means_table(self) -> Table:
        """Means of runs by people's labels and by the model's."""
        conclusions = self.with_model.conclusions
        assert conclusions is not None  # there are runs
        rows = [(measure, run) for measure in conclusions.measures for run in conclusions.runs]
        return Table(
            {
                "measure": [measure for measure, _ in rows],
                "run": [run for _, run in rows],
                **{who: [conclusions.scores[who].mean(*row).value for row in rows] for who in (PEOPLE, MODEL)},
            },
            notes=(
                f"Means by the labels of each, on the {counted(conclusions.documents, 'document')} of "
                f"{counted(conclusions.queries, 'query')} that people and the model labelled.",
            ),
        )

    def orders_table(self) -> Table:
        """How far people and the model order runs alike, all of them and the best half."""
        reasons = dict.fromkeys(order.orders.tau.reason for order in self.systems if order.orders.tau.reason)
        return Table(
            {
                "measure": [order.orders.measure for order in self.systems],
                "runs": [f"{order.which} ({len(order.runs)})" for order in self.systems],
                "tau": [
                    Estimate(order.orders.tau.value, order.orders.tau.low, order.orders.tau.high)
                    for order in self.systems
                ],
                "flips": [f"{len(order.orders.swapped)} of {order.orders.pairs}" for order in self.systems],
                "changed places": [_pairs(order.orders.swapped) for order in self.systems],
            },
            notes=(
                "Orders of runs by people and by the model. tau: Kendall's tau-b, with its 95% interval. flips: pairs "
                "of runs that change places. best half: the runs with the best means by people.",
                *(f"tau is missing: {reason}." for reason in reasons),
            ),
            elastic="changed places",
        )

    def parts(self) -> list[tuple[str, list[Table]]]:
        """All tables, under the names of their sections."""
        return [
            ("Agreement", [self.agreement_table()]),
            ("Grades", [self.rates_table(), self.confusion_table()]),
            *([("Certainty", [self.certainty_table()])] if self.certainty else []),
            ("Overrating", [self.overrating_table()]),
            *([("Made-up documents", [self.probe_table()])] if self.probes else []),
            *([("Orders of runs", [self.orders_table(), self.means_table()])] if self.systems else []),
        ]

    def tables(self) -> list[Table]:
        """Agreement, rates, overrating, made-up documents, and orders of systems."""
        return [table for _, tables in self.parts() for table in tables]

    def remarks(self) -> list[str]:
        """The verdict, one sentence after the other."""
        return list(_sentences(self))

    def rows(self) -> Table:
        """One figure a row."""
        figures = list(_figures(self))
        return Table(
            {
                "what": [name for name, _ in figures],
                "value": [estimate.value for _, estimate in figures],
                "low": [_cell(estimate.low) for _, estimate in figures],
                "high": [_cell(estimate.high) for _, estimate in figures],
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `--format json` prints."""
        return {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "model": self.model,
            "documents": self.documents,
            "warnings": [str(warning) for warning in self.warnings],
            "figures": {
                name: {"value": finite(estimate.value), "low": finite(estimate.low), "high": finite(estimate.high)}
                for name, estimate in _figures(self)
            },
            "circular": list(self.circular),
            "systems": [
                {"which": order.which, "runs": list(order.runs), **order.orders.to_dict()} for order in self.systems
            ],
            "agreement": self.with_model.to_dict(),
            "between_people": None if self.between_people is None else self.between_people.to_dict(),
        }


def _figures(answer: ModelTrust) -> Iterator[tuple[str, Estimate]]:
    pair = answer.with_model.pairs[0]
    yield "kappa with people", pair.kappa.estimate()
    yield "weighted kappa with people", pair.linear.estimate()
    if answer.between_people is not None:
        for people in answer.between_people.pairs:
            yield f"weighted kappa of {people.one} and {people.other}", people.linear.estimate()
    for row in answer.overrating:
        what = f"overrating, {row.by} {row.group}".strip()
        yield what, Estimate(row.difference.value, row.difference.low, row.difference.high)
    for slope in answer.slopes:
        yield f"overrating and {slope.by}, correlation", Estimate(slope.correlation, slope.low, slope.high)
    for probe in answer.probes:
        yield f"{probe.kind}, share called relevant", Estimate(probe.share, math.nan, math.nan)
    for order in answer.systems:
        tau = order.orders.tau
        yield f"tau of {order.orders.measure}, {order.which} runs", Estimate(tau.value, tau.low, tau.high)
    for sure in answer.certainty:
        what = f"people the same, share of its grade {sure.low:g} to {sure.high:g}"
        yield what, Estimate(sure.same, math.nan, math.nan)
    if answer.repeated[0]:
        yield "same grade when asked twice", Estimate(answer.repeated[1] / answer.repeated[0], math.nan, math.nan)


def _pairs(swapped: Sequence[tuple[str, str]]) -> str:
    """Of pairs that change places, which run is ahead by people."""
    return ", ".join(f"{ahead} > {behind}" for ahead, behind in swapped)


def _cell(value: float) -> Cell:
    return None if math.isnan(value) else value


def _sentences(answer: ModelTrust) -> Iterator[str]:
    kappa = answer.kappa
    yield _use(kappa.value, answer)
    yield (
        f"On {counted(answer.documents, 'document')} that people labelled too, weighted kappa is {kappa.value:z.2f} "
        f"(95% interval {kappa.low:z.2f} to {kappa.high:z.2f}){_among_people(answer)}."
    )
    overall = answer.overrating[0].difference
    if overall.low > 0 or overall.high < 0:
        direction = "higher" if overall.value > 0 else "lower"
        yield f"The model grades {direction} than people, by {abs(overall.value):z.2f} on average."
    for slope in answer.slopes:
        if slope.is_clear:
            direction = "more" if slope.correlation > 0 else "less"
            what = "longer documents" if slope.by == "length" else "documents with more words of the query"
            yield f"It overrates {what} {direction} (correlation {slope.correlation:z.2f})."
    for probe in answer.probes:
        if probe.share >= FOOLED:
            yield f"It called {percent(probe.share)} of made-up documents relevant ({_PROBE_WORDS[probe.kind]})."
    asked, same = answer.repeated
    if asked:
        yield f"Asked twice, it gave the same grade for {percent(same / asked)} of documents."
    if answer.circular:
        yield f"{listed(answer.circular)} may use the same model: do not compare these runs by its labels."
    flips = {frozenset(pair) for order in answer.systems for pair in order.orders.swapped}
    if flips:
        change = "changes" if len(flips) == 1 else "change"
        yield f"{counted(len(flips), 'pair')} of runs {change} places when the model judges instead of people."
    yield "What it gets wrong is corrected by `cranfield correct`, with queries that people judge."
    yield from _advice(answer)


def _advice(answer: ModelTrust) -> Iterator[str]:
    """What would make the model better, or show more of it."""
    kappa = answer.kappa
    if kappa.high - kappa.low > WIDE:
        yield "More documents labelled by people would make these numbers more certain."
    if not answer.probes:
        yield "Ask it about made-up documents too (--probes 20): agreement does not show whether they fool it."
    elif any(probe.share >= FOOLED for probe in answer.probes):
        yield "Another model may be harder to fool; check it with the same made-up documents."
    people = [] if answer.between_people is None else [pair.linear.value for pair in answer.between_people.pairs]
    if people and min(people) < FAIR:
        yield "People agree little with each other too: clearer guidelines would help them and the model."
    elif kappa.value < GOOD:
        yield "Guidelines with an example for each grade, another prompt or a larger model may agree better."


_PROBE_WORDS: Mapping[str, str] = {
    "unrelated": "unrelated text",
    "query words": "unrelated text with the words of the query",
    "instruction": "unrelated text that says it is relevant",
}


def _use(kappa: float, answer: ModelTrust) -> str:
    fooled = any(probe.share >= FOOLED for probe in answer.probes)
    if kappa >= GOOD and not fooled and not answer.circular:
        return f"{answer.model} can be used here for comparing runs, with some queries judged by people to correct it."
    if kappa >= FAIR:
        return f"{answer.model} can be used here only together with labels of people that correct it."
    return f"{answer.model} should not be used here: its labels hardly agree with people's."


def _among_people(answer: ModelTrust) -> str:
    if answer.between_people is None or not answer.between_people.pairs:
        return "; there are no two people to compare it with"
    best = [pair.linear.value for pair in answer.between_people.pairs]
    return f"; between people it is {min(best):z.2f}" + (f" to {max(best):z.2f}" if len(best) > 1 else "")
