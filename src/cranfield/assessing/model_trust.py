"""Can this model judge here? How far it agrees with people, what it overrates, what fools it, what it decides."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from itertools import pairwise
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from cranfield import errors
from cranfield.arrays import Floats
from cranfield.assessing.events import Judge, ModelAnswer
from cranfield.assessing.items import Items
from cranfield.assessing.state import State
from cranfield.assessing.store import Store, open_store
from cranfield.comparing.intervals import Interval, t_interval
from cranfield.comparing.order_agreement import Orders, order_agreement
from cranfield.data.judgments import MODEL_MARK
from cranfield.data.labels import Labels
from cranfield.data.run import Run
from cranfield.errors import Finding
from cranfield.formats import read_run
from cranfield.formats.labels import read_labels
from cranfield.judging.against import Against
from cranfield.judging.agree import agree
from cranfield.judging.answer import Agreement
from cranfield.judging.conclusions import Conclusions
from cranfield.judging.estimates import Coefficient
from cranfield.phrases import counted, listed, percent
from cranfield.show.answer import Answer
from cranfield.show.excerpts import words_of
from cranfield.show.table import Cell, Estimate, Table, finite
from cranfield.version import VERSION

if TYPE_CHECKING:
    from cranfield.assessing.service import Service

FEWEST = 20
"""Documents labelled by people and the model below which nothing is concluded."""
BINS = 5
GOOD, FAIR = 0.6, 0.4
"""Kappa from which a model's labels are commonly taken as good, and as of some use (Landis & Koch, 1977)."""
WIDE = 0.2
"""Width of kappa's interval from which more labels of people are advised."""
SURE = (0.0, 0.5, 0.7, 0.9, 1.0)
"""Shares of a grade between which documents are counted together."""
FOOLED = 0.1
"""Share of made-up documents called relevant from which a model can be fooled."""
PEOPLE, MODEL = "people", "model"
"""What tables call them."""
ProbeKind = Literal["unrelated", "query words", "instruction"]
PROBES: tuple[ProbeKind, ...] = get_args(ProbeKind)
"""Kinds of made-up documents."""
AT_ONCE = 1000
"""Documents whose grades are read while nobody can store a label."""


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
    state = State(store.project(), store.items()).apply_all(store.events())
    return trust_now(store, state, model=model, used_by=used_by, samples=samples)


def trust_now(
    store: Store,
    state: State,
    *,
    model: str = "",
    used_by: Sequence[str] = (),
    samples: int = 1000,
    lock: AbstractContextManager[Any] | None = None,
) -> ModelTrust:
    """The same of a project at work; `lock` keeps others from changing its state while it is read."""
    items = state.items
    judge, given = _given(state, model, store.where, nullcontext() if lock is None else lock)
    both = sorted(given.people.keys() & given.model.keys())
    if len(both) < FEWEST:
        raise errors.model_judging.nobody_to_compare(len(both))
    labels = _labels(items, {PEOPLE: given.people, MODEL: given.model}, both)
    runs = _runs(items, both)
    answers = list(store.answers(judge.number))
    apart = np.array([given.model[item] - given.people[item] for item in both])
    lengths, shares = _properties(store, items, both)
    with_model = agree(labels, reference=PEOPLE, runs=runs if len(runs) > 1 else None, samples=samples)
    return ModelTrust(
        judge.name,
        len(both),
        with_model,
        _between_people(items, given.by_person, samples),
        tuple(_overrating(apart, {"length": lengths, "query words": shares})),
        tuple(_slope(name, values, apart) for name, values in (("length", lengths), ("query words", shares))),
        tuple(_probe_results(answers, _lowest_relevant(store))),
        _repeated(answers, given.model),
        tuple(run for run in items.runs if run in used_by or _bare(judge.name) in run.casefold()),
        tuple(_systems(with_model.conclusions)) if with_model.conclusions else (),
        tuple(_certainty(answers, given)),
    )


class TrustWatch:
    """Watches the models of a project: while no label changes, nothing is computed twice."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self._answers: dict[tuple[str, tuple[str, ...]], tuple[int, ModelTrust]] = {}
        self._computing = threading.Lock()

    def models(self) -> list[str]:
        """The models that labelled here, the one with most labels first."""
        return models_of(self.service.state)

    def trust(self, model: str = "", used_by: Sequence[str] = ()) -> ModelTrust:
        """How far a model can be trusted by the labels so far."""
        service, key = self.service, (model, tuple(used_by))
        with self._computing:
            seq, before = service.state.seq, self._answers.get(key)
            if before is not None and before[0] == seq:
                return before[1]
            answer = trust_now(service.store, service.state, model=model, used_by=used_by, lock=service.lock)
            self._answers = {key: (seq, answer)}
            return answer


def models_of(state: State) -> list[str]:
    """The models that labelled here, the one with most labels first."""
    models = [of for of in list(state.by_judge.values()) if of.judge.kind == "model" and of.labelled]
    return [of.judge.name for of in sorted(models, key=lambda of: -of.labelled)]


class _Given(NamedTuple):
    """By item, grades of people merged and of a model, and by judge those of each person."""

    people: dict[int, float]
    model: dict[int, float]
    by_person: dict[str, dict[int, float]]


def _given(state: State, name: str, where: str, lock: AbstractContextManager[Any]) -> tuple[Judge, _Given]:
    """The model of a name, or the one with most labels, and all labels that it is compared with."""
    names = [model for model in models_of(state) if name in ("", model)]
    if not names:
        raise errors.model_judging.no_model_labels(where, name)
    by_judge: dict[str, dict[int, float]] = {}
    people: dict[int, float] = {}
    for of in list(state.by_judge.values()):
        if of.judge.kind == "person" or of.judge.name == names[0]:
            with lock:
                said = list(of.said.items())
            by_judge[of.judge.name] = {
                item: now.grade for item, now in said if now.kind == "label" and now.grade is not None
            }
    with lock:
        graded = list(state.graded())
    for start in range(0, len(graded), AT_ONCE):
        with lock:
            merged = {item: state.merged(item) for item in graded[start : start + AT_ONCE]}
        people |= {item: grade for item, grade in merged.items() if grade is not None}
    model = next(judge for judge in state.judges if judge.name == names[0])
    return model, _Given(people, by_judge.pop(model.name), by_judge)


def _properties(store: Store, items: Items, chosen: Sequence[int]) -> tuple[Floats, Floats]:
    """Of each document its length in words, and the share of the query's words that it contains."""
    lengths, shares = [], []
    for item in chosen:
        query, document = (
            store.query_text(items.query_of(item)),
            store.document_text(int(items.of_document[item - 1])),
        )
        lengths.append(float(len(document.text.split())))
        shares.append(_shared(query.text or query.name, f"{document.title} {document.text}"))
    return np.array(lengths), np.array(shares)


def _labels(items: Items, by_judge: Mapping[str, Mapping[int, float]], chosen: Sequence[int]) -> Labels:
    rows = [
        (items.queries[items.query_of(item)], items.documents[int(items.of_document[item - 1])], judge, grades[item])
        for judge, grades in by_judge.items()
        for item in chosen
        if item in grades
    ]
    return read_labels(rows)


def _between_people(items: Items, by_person: Mapping[str, Mapping[int, float]], samples: int) -> Agreement | None:
    counts = Counter(item for grades in by_person.values() for item in grades)
    chosen = sorted(item for item, count in counts.items() if count > 1)
    people = {name: grades for name, grades in by_person.items() if any(counts[item] > 1 for item in grades)}
    if len(people) < 2 or len(chosen) < FEWEST:
        return None
    return agree(_labels(items, people, chosen), samples=samples)


def _runs(items: Items, chosen: Sequence[int]) -> list[Run]:
    """The runs of a project at the ranks they have among its items, for the queries of some items."""
    queries = {items.query_of(item) for item in chosen}
    runs = []
    for place in items.places:
        rows = [
            (
                items.queries[items.query_of(item)],
                items.documents[int(items.of_document[item - 1])],
                rank,
            )
            for item, rank in zip(place.items.tolist(), place.ranks.tolist(), strict=True)
            if items.query_of(item) in queries
        ]
        if rows:
            runs.append(read_run(rows, columns="query,document,rank", name=place.name))
    return runs


def _systems(conclusions: Conclusions) -> Iterator[SystemOrder]:
    """Both orders of all runs and, where that leaves enough for an order, of the best half."""
    people, model = conclusions.scores[PEOPLE], conclusions.scores[MODEL]
    for measure in people.measures:
        means = {run: people.mean(measure, run).value for run in people.runs}
        best = sorted(people.runs, key=lambda run: means[run], reverse=not measure.definition.lower_is_better)
        best = best[: math.ceil(len(best) / 2)]
        for which, runs in (("all", people.runs), ("best half", tuple(best))):
            if len(runs) > 1:
                alone = people.with_measures([measure]), model.with_measures([measure])
                (orders,) = order_agreement(*alone, among=runs).orders
                yield SystemOrder(which, tuple(runs), replace(orders, one=PEOPLE, other=MODEL))


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


def _certainty(answers: Sequence[ModelAnswer], given: _Given) -> Iterator[Certainty]:
    last = {
        answer.item: float(answer.facts.get("shares", {}).get(f"{answer.grade:g}", math.nan))
        for answer in answers
        if answer.purpose == "label" and answer.grade is not None
    }
    known = [(share, item) for item, share in last.items() if share == share and item in given.people]
    for low, high in pairwise(SURE):
        chosen = [(share, item) for share, item in known if low < share <= high]
        if chosen:
            same = sum(given.model.get(item) == given.people[item] for _, item in chosen)
            mean = math.fsum(share for share, _ in chosen) / len(chosen)
            yield Certainty(low, high, len(chosen), mean, same / len(chosen))


def _lowest_relevant(store: Store) -> float:
    return min((grade for grade in store.project().scale if grade > 0), default=1.0)


def _probe_results(answers: Sequence[ModelAnswer], relevant: float) -> Iterator[ProbeResult]:
    for kind in PROBES:
        grades = [
            answer.grade
            for answer in answers
            if answer.purpose == "probe" and answer.facts.get("probe") == kind and answer.grade is not None
        ]
        if grades:
            yield ProbeResult(kind, len(grades), sum(grade >= relevant for grade in grades))


def _repeated(answers: Sequence[ModelAnswer], labels: Mapping[int, float]) -> tuple[int, int]:
    again = {answer.item: answer.grade for answer in answers if answer.purpose == "repeat" and answer.grade is not None}
    known = [(grade, labels[item]) for item, grade in again.items() if item in labels]
    return len(known), sum(first == second for first, second in known)


def _bare(name: str) -> str:
    """The model's own name, without how it was asked."""
    return name.removeprefix(MODEL_MARK).partition("@")[0].casefold()


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
