"""How far the judging is, and how good: progress by query and judge, agreement, repetitions, gold, speed."""

from __future__ import annotations

import threading
from array import array
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Any

import numpy as np

from cranfield.arrays import Ints
from cranfield.assessing.events import Current, Event
from cranfield.assessing.items import GOLD
from cranfield.assessing.service import Service
from cranfield.assessing.state import JudgeState
from cranfield.assessing.tally import FASTEST_MS
from cranfield.data.labels import LabelRows, Labels, Numbered
from cranfield.errors import CranfieldError
from cranfield.judging.agree import agree
from cranfield.judging.answer import Agreement
from cranfield.show.table import finite

FEWEST_SHARED = 20
"""Documents with two labels from which on agreement is computed."""
HOUR = timedelta(hours=1)
IDLE = timedelta(minutes=10)
"""Who said nothing for so long is idle."""
LAST = 50
"""How many labels the speed is computed from."""


@dataclass(frozen=True)
class QueryProgress:
    """How far one query is."""

    query: str
    documents: int
    """Documents to label."""
    done: int
    """Those with as many labels as are wanted."""
    labels: int
    wanted: int


@dataclass(frozen=True)
class SelfAgreement:
    """What a judge said of documents that were shown twice."""

    documents: int
    same: float
    """The share with the same grade."""
    distance: float
    """How far the two grades are apart, on average."""


@dataclass(frozen=True)
class GoldAgreement:
    """What a judge said of documents whose right grade is known."""

    documents: int
    right: float
    """The share with the right grade."""
    bias: float
    """The judge's grade less the right one, on average."""


@dataclass(frozen=True)
class JudgeProgress:
    """How far one judge is, and how fast."""

    number: int
    name: str
    kind: str
    is_off: bool
    labels: int
    skipped: int
    cannot: int
    later: int
    last_hour: int
    """Labels within the last hour."""
    median_seconds: float | None
    """Of the last labels, the time each took."""
    too_fast: float
    """The share of labels that took less time than anybody needs to read."""
    grades: Mapping[str, float]
    """The share of each grade among this judge's labels."""
    last_at: str | None
    """When this judge said something last (UTC)."""
    is_idle: bool
    left: int
    """Documents that this judge could still label."""
    seconds_left: float | None
    repeats: SelfAgreement | None
    gold: GoldAgreement | None


@dataclass(frozen=True)
class PairAgreement:
    """How far two judges agree."""

    one: str
    other: str
    documents: int
    agreement: float
    kappa: float
    low: float
    high: float


@dataclass(frozen=True)
class AgreementSummary:
    """How far judges agree so far."""

    sentence: str
    coefficient: str
    value: float
    low: float
    high: float
    documents: int
    """Documents with two labels or more."""
    pairs: tuple[PairAgreement, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; undefined numbers are None."""
        values: dict[str, Any] = _plain(asdict(self))
        return values


@dataclass(frozen=True)
class JudgingProgress:
    """How far everybody is."""

    labels: int
    """Labels of people that count towards those wanted."""
    wanted: int
    documents: int
    """Documents to label."""
    done: int
    """Those with as many labels as are wanted."""
    extra: int
    """Documents with more labels than were asked for."""
    in_hand: int
    """Documents that somebody is looking at."""
    decided: int
    """Documents whose grade was adjudicated."""
    reasons: Mapping[str, int]
    """Why judges had differed, as whoever decided said."""
    seconds_left: float | None
    """Until all is labelled, if everybody who is at work goes on."""
    queries: tuple[QueryProgress, ...]
    judges: tuple[JudgeProgress, ...]

    @property
    def seconds_per_label(self) -> float | None:
        """How long all judges who are at work take together for a label."""
        return _seconds_per_label(self.judges)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; undefined numbers are None."""
        values: dict[str, Any] = _plain({**asdict(self), "seconds_per_label": self.seconds_per_label})
        return values


class Quality:
    """Watches a project. Events are read once each, so that a page may ask every few seconds."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.seq = 0
        self.paces: dict[int, Pace] = {}
        """By judge."""
        self.reasons: dict[int, str] = {}
        """By item, why judges had differed."""
        self._agreement: tuple[bytes, AgreementSummary | None] = b"", None
        self._reading = threading.Lock()

    def progress(self, now: datetime | None = None) -> JudgingProgress:
        """How far everybody is; `now` is the server's clock."""
        with self._reading:
            self._read()
            return self._progress(now or datetime.now(UTC))

    def agreement(self) -> AgreementSummary | None:
        """How far judges agree; nothing below 20 documents with two labels. The same labels give the same numbers."""
        labels = comparable_labels(self.service)
        if labels is None:
            return None
        seen = labels.values.tobytes() + labels.of_item.tobytes() + labels.of_judge.tobytes()
        with self._reading:
            if self._agreement[0] != seen:
                self._agreement = seen, _agreement_of(labels)
            return self._agreement[1]

    def _read(self) -> None:
        for event in self.service.store.events(self.seq):
            self.seq = event.seq
            self.paces.setdefault(event.judge, Pace()).add(event)
            if event.kind == "adjudicate" and event.item is not None:
                self.reasons[event.item] = str(event.more.get("reason", "other"))

    def _progress(self, now: datetime) -> JudgingProgress:
        service, state = self.service, self.service.state
        judges = tuple(self._judge(of, now) for of in list(state.by_judge.values()) if of.judge.kind != "manager")
        with service.lock:
            wanted = service.assignment.wanted[1:].astype(np.int64)
            given = np.minimum(state.counts[1:], wanted)
            decided = list(state.adjudicated)
        seconds = _seconds_per_label(judges)
        return JudgingProgress(
            labels=int(given.sum()),
            wanted=int(wanted.sum()),
            documents=int(np.count_nonzero(wanted)),
            done=int(np.count_nonzero((given >= wanted) & (wanted > 0))),
            extra=len(state.extra),
            in_hand=int(np.count_nonzero(service.assignment.leases.counts)),
            decided=len(decided),
            reasons=dict(Counter(self.reasons[item] for item in decided if item in self.reasons)),
            seconds_left=None if seconds is None else seconds * int((wanted - given).sum()),
            queries=tuple(self._queries(wanted, given)),
            judges=judges,
        )

    def _queries(self, wanted: Ints, given: Ints) -> list[QueryProgress]:
        items = self.service.items
        counts = [
            np.bincount(items.of_query, weights=of, minlength=len(items.queries)).astype(np.int64).tolist()
            for of in (wanted > 0, (wanted > 0) & (given >= wanted), given, wanted)
        ]
        rows = zip(items.queries, *counts, strict=True)
        return [QueryProgress(*row) for row in rows if row[1]]

    def _judge(self, of: JudgeState, now: datetime) -> JudgeProgress:
        # The lock is held for one judge at a time: labels are stored meanwhile.
        with self.service.lock:
            said, repeats = dict(of.said), dict(of.repeats)
            left = self.service.assignment.left(of.judge.number)
        judge, pace = of.judge, self.paces.get(of.judge.number, Pace())
        kinds = Counter(now.kind for now in said.values())
        grades = Counter(f"{now.grade:g}" for now in said.values() if now.kind == "label")
        seconds = pace.median_seconds
        return JudgeProgress(
            number=judge.number,
            name=judge.name,
            kind=judge.kind,
            is_off=judge.off,
            labels=kinds["label"],
            skipped=kinds["skip"],
            cannot=kinds["cannot"],
            later=kinds["later"],
            last_hour=pace.since(now - HOUR),
            median_seconds=seconds,
            too_fast=pace.too_fast,
            grades={grade: count / grades.total() for grade, count in sorted(grades.items())},
            last_at=pace.last_at,
            is_idle=pace.last_at is None or datetime.fromisoformat(pace.last_at) < now - IDLE,
            left=left,
            seconds_left=None if seconds is None else seconds * left,
            repeats=_self_agreement(said, repeats),
            gold=self._gold(said),
        )

    def _gold(self, said: Mapping[int, Current]) -> GoldAgreement | None:
        items = self.service.items
        pairs = [
            (now.grade, float(items.known[item - 1]))
            for item, now in said.items()
            if now.kind == "label" and now.grade is not None and items.part[item - 1] == GOLD
        ]
        if not pairs:
            return None
        right = sum(grade == known for grade, known in pairs) / len(pairs)
        return GoldAgreement(len(pairs), right, sum(grade - known for grade, known in pairs) / len(pairs))


class Pace:
    """When one judge labelled, and how fast."""

    def __init__(self) -> None:
        self.times: deque[datetime] = deque()
        """Of labels within an hour before the last one."""
        self.seconds = array("d")
        self.fast = 0
        self.last_at: str | None = None

    def add(self, event: Event) -> None:
        """One more event of this judge; corrections in bulk are somebody else's."""
        if event.item is None or event.how == "bulk":
            return
        self.last_at = event.at
        if event.kind not in ("label", "repeat"):
            return
        at = datetime.fromisoformat(event.at)
        self.times.append(at)
        while self.times[0] < at - HOUR:
            self.times.popleft()
        if event.active_ms > 0:
            self.seconds.append(event.active_ms / 1000)
            self.fast += event.active_ms < FASTEST_MS

    def since(self, time: datetime) -> int:
        """How many labels there were since some time, an hour ago at most."""
        return sum(at >= time for at in self.times)

    @property
    def median_seconds(self) -> float | None:
        """How long each of the last labels took."""
        return median(self.seconds[-LAST:]) if self.seconds else None

    @property
    def too_fast(self) -> float:
        """The share of labels that took less time than reading does."""
        return self.fast / len(self.seconds) if self.seconds else 0.0


def labels_now(service: Service, kinds: Sequence[str] = ("person", "model")) -> dict[int, list[tuple[int, float]]]:
    """By item the judges who grade it, and their grades; items and judges in their order."""
    by_item: dict[int, list[tuple[int, float]]] = {}
    for number, of in list(service.state.by_judge.items()):
        if of.judge.kind in kinds:
            with service.lock:
                said = list(of.said.items())
            for item, now in said:
                if now.kind == "label" and now.grade is not None:
                    by_item.setdefault(item, []).append((number, now.grade))
    return {item: by_item[item] for item in sorted(by_item)}


def comparable_labels(service: Service) -> Labels | None:
    """All labels of all judges; nothing if too few documents have two of them to compare judges."""
    state, items = service.state, service.items
    models = any(judge.kind == "model" for judge in state.judges)
    if not models and int(np.count_nonzero(state.counts > 1)) < FEWEST_SHARED:
        return None  # without a look at every label: a page asks every few seconds
    labels = labels_now(service)
    if sum(len(said) > 1 for said in labels.values()) < FEWEST_SHARED or items.other is not None:
        return None
    rows = [(item - 1, judge, grade) for item, said in labels.items() for judge, grade in said]
    at = np.array([item for item, _, _ in rows], dtype=np.int64)
    numbers = sorted({judge for _, judge, _ in rows})
    judges = Numbered(
        [state.by_judge[number].judge.name for number in numbers],
        np.searchsorted(numbers, [judge for _, judge, _ in rows]),
    )
    queries = sorted(set(items.of_query[at].tolist()))
    return Labels.from_rows(
        LabelRows(
            range(1, len(rows) + 1),
            Numbered([items.queries[query] for query in queries], np.searchsorted(queries, items.of_query[at])),
            Numbered(items.documents, items.of_document[at].astype(np.int64)),
            judges,
            np.array([grade for _, _, grade in rows], dtype=np.float64),
            "label",
        )
    )


def _agreement_of(labels: Labels) -> AgreementSummary | None:
    try:
        return _summary(agree(labels, seed=0))
    except CranfieldError:  # such as one judge who labelled all of them
        return None


def _summary(agreement: Agreement) -> AgreementSummary:
    first = agreement.by_default
    pairs = tuple(
        PairAgreement(
            pair.one, pair.other, pair.items, pair.agreement, pair.kappa.value, pair.kappa.low, pair.kappa.high
        )
        for pair in agreement.pairs
        if pair.items
    )
    return AgreementSummary(agreement.verdict(), first.name, first.value, first.low, first.high, first.items, pairs)


def _self_agreement(said: Mapping[int, Current], repeats: Mapping[int, Current]) -> SelfAgreement | None:
    both = [
        (again.grade, first.grade)
        for item, again in repeats.items()
        if (first := said.get(item)) is not None and first.kind == "label"
    ]
    pairs = [(again, first) for again, first in both if again is not None and first is not None]
    if not pairs:
        return None
    same = sum(again == first for again, first in pairs) / len(pairs)
    return SelfAgreement(len(pairs), same, sum(abs(again - first) for again, first in pairs) / len(pairs))


def _seconds_per_label(judges: Sequence[JudgeProgress]) -> float | None:
    """How long all people who are at work take together for a label."""
    at_work = (judge for judge in judges if not judge.is_off and not judge.is_idle and judge.kind == "person")
    speeds = [1 / judge.median_seconds for judge in at_work if judge.median_seconds]
    return 1 / sum(speeds) if speeds else None


def _plain(value: Any) -> Any:
    """Plain values for JSON: undefined numbers are None."""
    if isinstance(value, Mapping):
        return {str(key): _plain(of) for key, of in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(of) for of in value]
    return finite(value) if isinstance(value, float) else value
