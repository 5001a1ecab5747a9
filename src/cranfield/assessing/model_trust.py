"""Can this model judge here? How far it agrees with people, what it overrates, what fools it, what it decides."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import pairwise
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield import errors
from cranfield.arrays import Floats
from cranfield.assessing.events import Judge, ModelAnswer
from cranfield.assessing.items import Items
from cranfield.assessing.state import State
from cranfield.assessing.store import Store, open_store
from cranfield.assessing.trust_answer import (
    MODEL,
    PEOPLE,
    PROBES,
    Certainty,
    ModelTrust,
    Overrating,
    ProbeResult,
    Slope,
    SystemOrder,
)
from cranfield.comparing.intervals import t_interval
from cranfield.comparing.order_agreement import order_agreement
from cranfield.data.judgments import MODEL_MARK
from cranfield.data.labels import Labels
from cranfield.data.run import Run
from cranfield.formats import read_run
from cranfield.formats.labels import read_labels
from cranfield.judging.agree import agree
from cranfield.judging.answer import Agreement
from cranfield.judging.conclusions import Conclusions
from cranfield.show.excerpts import words_of

if TYPE_CHECKING:
    from cranfield.assessing.service import Service

FEWEST = 20
"""Documents labelled by people and the model below which nothing is concluded."""
BINS = 5
SURE = (0.0, 0.5, 0.7, 0.9, 1.0)
"""Shares of a grade between which documents are counted together."""
AT_ONCE = 1000
"""Documents whose grades are read while nobody can store a label."""


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
