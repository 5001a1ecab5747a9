"""Can this model judge here? How far it agrees with people, what it overrates, what fools it, what it decides."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from cranfield import errors
from cranfield.arrays import Floats
from cranfield.assessing.items import Items
from cranfield.assessing.state import State
from cranfield.assessing.store import Store, open_store
from cranfield.comparing.intervals import Interval, t_interval
from cranfield.data.labels import Labels
from cranfield.data.run import Run
from cranfield.errors import Finding
from cranfield.formats import read_run
from cranfield.formats.labels import read_labels
from cranfield.judging.agree import agree
from cranfield.judging.answer import Agreement
from cranfield.judging.estimates import Coefficient
from cranfield.model_judging.judge import require_labels
from cranfield.model_judging.probes import PROBES
from cranfield.phrases import counted, listed, percent
from cranfield.show.answer import Answer
from cranfield.show.excerpts import words_of
from cranfield.show.table import Cell, Estimate, Table, finite
from cranfield.version import VERSION

FEWEST = 20
"""Documents labelled by people and the model below which nothing is concluded."""
BINS = 5
GOOD, FAIR = 0.6, 0.4
"""Kappa from which a model's labels are commonly taken as good, and as of some use (Landis & Koch, 1977)."""
FOOLED = 0.1
"""Share of made-up documents called relevant from which a model can be fooled."""
PEOPLE, MODEL = "people", "model"
"""What tables call them."""


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
    warnings: tuple[Finding, ...] = ()

    @property
    def kappa(self) -> Coefficient:
        """Linearly weighted kappa of the model and people."""
        return self.with_model.pairs[0].linear

    def verdict(self) -> str:
        """Whether the model can be used here, for what, and what would make it better."""
        return " ".join(_sentences(self))

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

    def tables(self) -> list[Table]:
        """Agreement, rates, overrating, made-up documents, and orders of systems."""
        against = self.with_model.against
        conclusions = self.with_model.conclusions
        return [
            self.agreement_table(),
            *([against.calibration_table(MODEL)] if against else []),
            self.overrating_table(),
            *([self.probe_table()] if self.probes else []),
            *(conclusions.tables() if conclusions else []),
        ]

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
            "agreement": self.with_model.to_dict(),
            "between_people": None if self.between_people is None else self.between_people.to_dict(),
        }


def trust(
    store: str | PathLike[str] | Store, *, model: str = "", used_by: Sequence[str] = (), samples: int = 1000
) -> ModelTrust:
    """How far the labels of a model can be trusted in a judging store, compared with people's of the same documents.

    `model` names the judge if several models labelled here; `used_by` names runs that use the same model, about which
    its labels say nothing.
    """
    if isinstance(store, str | PathLike):
        reading = open_store(store, read_only=True)
        try:
            return trust(reading, model=model, used_by=used_by, samples=samples)
        finally:
            reading.close()
    judge = require_labels(store, model)
    items = store.items()
    state = State(store.project(), items).apply_all(store.events())
    people = {item: grade for item in state.graded() if (grade := state.merged(item)) is not None}
    by_model = {
        item: current.grade for item, by, current in store.current() if by == judge.number and current.kind == "label"
    }
    both = sorted(people.keys() & by_model.keys())
    if len(both) < FEWEST:
        raise errors.model_judging.nobody_to_compare(len(both))
    labels = _labels(items, {PEOPLE: people, MODEL: by_model}, both)
    runs = _runs(items)
    answers = list(store.answers(judge.number))
    apart = np.array([float(by_model[item] or 0.0) - people[item] for item in both])
    texts = [
        (store.query_text(items.query_of(item)), store.document_text(int(items.of_document[item - 1]))) for item in both
    ]
    lengths = np.array([float(len(document.text.split())) for _, document in texts])
    shares = np.array(
        [_shared(query.text or query.name, f"{document.title} {document.text}") for query, document in texts]
    )
    return ModelTrust(
        judge.name,
        len(both),
        agree(labels, reference=PEOPLE, runs=runs if len(runs) > 1 else None, samples=samples),
        _between_people(items, state, samples),
        tuple(_overrating(apart, {"length": lengths, "query words": shares})),
        tuple(_slope(name, values, apart) for name, values in (("length", lengths), ("query words", shares))),
        tuple(_probe_results(answers, _lowest_relevant(store))),
        _repeated(answers, by_model),
        tuple(run for run in items.runs if run in used_by or _bare(judge.name) in run.casefold()),
    )


def _labels(items: Items, by_judge: Mapping[str, Mapping[int, float | None]], chosen: Sequence[int]) -> Labels:
    rows = [
        (items.queries[items.query_of(item)], items.documents[int(items.of_document[item - 1])], judge, grades[item])
        for judge, grades in by_judge.items()
        for item in chosen
        if grades.get(item) is not None
    ]
    return read_labels(rows)


def _between_people(items: Items, state: State, samples: int) -> Agreement | None:
    by_judge: dict[str, dict[int, float | None]] = defaultdict(dict)
    people = {judge.number: judge.name for judge in state.judges if judge.kind == "person"}
    for item in range(1, len(items) + 1):
        labels = [(people[judge], grade) for judge, grade in state.labels(item) if judge in people]
        for name, grade in labels if len(labels) > 1 else ():
            by_judge[name][item] = grade
    chosen = sorted({item for grades in by_judge.values() for item in grades})
    if len(by_judge) < 2 or len(chosen) < FEWEST:
        return None
    return agree(_labels(items, by_judge, chosen), samples=samples)


def _runs(items: Items) -> list[Run]:
    """The runs of a project at the ranks they have among its items."""
    runs = []
    for place in items.places:
        rows = [
            (
                items.queries[items.query_of(int(item))],
                items.documents[int(items.of_document[int(item) - 1])],
                int(rank),
            )
            for item, rank in zip(place.items, place.ranks, strict=True)
        ]
        if rows:
            runs.append(read_run(rows, columns="query,document,rank", name=place.name))
    return runs


def _overrating(apart: Floats, properties: Mapping[str, Floats]) -> Iterator[Overrating]:
    yield Overrating("all", "", len(apart), t_interval(apart))
    for name, values in properties.items():
        edges = np.unique(np.quantile(values, np.linspace(0, 1, BINS + 1)))
        if len(edges) < 3:
            continue
        of = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
        for at in range(len(edges) - 1):
            chosen = apart[of == at]
            if len(chosen):
                yield Overrating(name, f"{edges[at]:.3g} to {edges[at + 1]:.3g}", len(chosen), t_interval(chosen))


def _slope(name: str, values: Floats, apart: Floats) -> Slope:
    """The correlation of a property with overrating, with Fisher's interval."""
    if len(apart) < 4 or not (np.ptp(values) and np.ptp(apart)):
        return Slope(name, math.nan, math.nan, math.nan)
    r = float(np.corrcoef(values, apart)[0, 1])
    z, half = math.atanh(min(max(r, -0.999999), 0.999999)), 1.959963984540054 / math.sqrt(len(apart) - 3)
    return Slope(name, r, math.tanh(z - half), math.tanh(z + half))


def _shared(query: str, text: str) -> float:
    """The share of a query's words that a text contains."""
    words, said = words_of(query), {word.casefold() for word in text.split()}
    return sum(word in said or any(word in token for token in said) for word in words) / len(words) if words else 0.0


def _lowest_relevant(store: Store) -> float:
    return min((grade for grade in store.project().scale if grade > 0), default=1.0)


def _probe_results(answers: Sequence[Any], relevant: float) -> Iterator[ProbeResult]:
    for kind in PROBES:
        grades = [
            answer.grade
            for answer in answers
            if answer.purpose == "probe" and answer.facts.get("probe") == kind and answer.grade is not None
        ]
        if grades:
            yield ProbeResult(kind, len(grades), sum(grade >= relevant for grade in grades))


def _repeated(answers: Sequence[Any], labels: Mapping[int, float | None]) -> tuple[int, int]:
    again = {answer.item: answer.grade for answer in answers if answer.purpose == "repeat" and answer.grade is not None}
    known = [(grade, labels[item]) for item, grade in again.items() if item in labels]
    return len(known), sum(first == second for first, second in known)


def _bare(name: str) -> str:
    """The model's own name, without how it was asked."""
    return name.removeprefix("model:").partition("@")[0].casefold()


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
    if answer.repeated[0]:
        yield "same grade when asked twice", Estimate(answer.repeated[1] / answer.repeated[0], math.nan, math.nan)


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
    conclusions = answer.with_model.conclusions
    if conclusions is not None and conclusions.flips:
        flips = {(flip.run, flip.other) for flip in conclusions.flips}
        yield f"{counted(len(flips), 'pair')} of runs change places when the model judges instead of people."
    yield "What it gets wrong is corrected by `cranfield correct`, with queries that people judge."


_PROBE_WORDS = {
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
