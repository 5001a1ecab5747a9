"""Labels, decisions and events of a project as files that other commands and spreadsheets read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import PurePath

from cranfield import errors
from cranfield.assessing.events import Event
from cranfield.assessing.items import IMPORTED, Items
from cranfield.assessing.store import Store
from cranfield.data.judgments import by_models
from cranfield.data.labels import Labels
from cranfield.errors import DataError
from cranfield.formats.judging_store import StoredJudging, StoredLabel, judgments_of_project, preferences_of
from cranfield.formats.labels import labels_of_project
from cranfield.formats.sheets import sheet_text
from cranfield.formats.writing import form_of, require_one_word, trec, write_text
from cranfield.judging.merging import merge, plain
from cranfield.phrases import counted
from cranfield.show.table import Cell, Table

FILES = ("csv", "tsv", "jsonl", "trec")
"""How a project is written to a file: labels as a table, all events, or judgments."""


def stored_judging(store: Store) -> StoredJudging:
    """What judges say now, of a store that is open."""
    items, judges = store.items(), {judge.number: judge for judge in store.judges()}
    said = []
    for item, number, now in store.current():
        if now.kind in ("label", "adjudicate") and now.grade is not None:
            judge = judges[number]
            said.append((now.seq, _label(items, item, judge.name, judge.kind, now.kind, now.grade)))
    labels = tuple(label for _, label in said if label.kind == "label" and label.judge_kind != "manager")
    decided = {label.item: label for _, label in sorted(said, key=lambda one: one[0]) if label.kind == "adjudicate"}
    return StoredJudging(store.where, store.project().task, labels, decided, tuple(_imported(items)))


def labels_of(store: Store) -> Labels:
    """The labels of every judge, as `agree` and `merge` take them."""
    return labels_of_project(stored_judging(store))


def label_table(store: Store) -> Table:
    """A row for what each judge says of each document now: a label, or that there is none and why."""
    items, judges = store.items(), {judge.number: judge for judge in store.judges()}
    current = [(item, judge, now) for item, judge, now in store.current() if judges[judge].kind != "manager"]
    shown = [one for one in current if one[2].kind in ("label", "skip", "cannot", "later")]
    events, notes = _events_and_notes(store, {now.seq for _, _, now in shown})
    rows = [
        (item, judges[judge].name, now, events[now.seq], notes.get((item, judge), "")) for item, judge, now in shown
    ]
    columns: dict[str, list[Cell]] = {"query": [_query(items, item) for item, *_ in rows]}
    columns["document"] = [_document(items, item) for item, *_ in rows]
    if items.other is not None:
        columns["other"] = [_other(items, item) for item, *_ in rows]
    columns |= {
        "judge": [judge for _, judge, *_ in rows],
        "grade": [None if now.grade is None else plain(now.grade) for _, _, now, *_ in rows],
        "kind": [now.kind for _, _, now, *_ in rows],
        "at": [event.at for *_, event, _ in rows],
        "seconds": [event.active_ms / 1000 for *_, event, _ in rows],
        "how": [event.how for *_, event, _ in rows],
        "note": [note for *_, note in rows],
        "chosen": [str(event.more.get("chosen", "")) for *_, event, _ in rows],
        "extra": ["yes" if event.more.get("extra") else "" for *_, event, _ in rows],
    }
    return Table(columns, exact=("grade", "seconds"))


def decision_table(store: Store) -> Table:
    """A row for each grade that was decided on, as `merge --adjudicated` reads it."""
    items, judges = store.items(), {judge.number: judge for judge in store.judges()}
    decided = [(item, judge, now) for item, judge, now in store.current() if now.kind == "adjudicate"]
    events, _ = _events_and_notes(store, {now.seq for _, _, now in decided})
    return Table(
        {
            "query": [_query(items, item) for item, _, _ in decided],
            "document": [_document(items, item) for item, _, _ in decided],
            "grade": [plain(now.grade or 0.0) for _, _, now in decided],
            "decided_by": [judges[judge].name for _, judge, _ in decided],
            "at": [events[now.seq].at for _, _, now in decided],
            "reason": [str(events[now.seq].more.get("reason", "")) for _, _, now in decided],
            "note": [events[now.seq].note for _, _, now in decided],
        },
        exact=("grade",),
    )


def label_lines(store: Store) -> str:
    """Labels as lines of a TREC file with the judge in the second column, which `agree` reads."""
    labels = stored_judging(store).labels
    return _lines((label.query, label.judge, label.document, label.grade) for label in labels)


def preference_lines(store: Store) -> str:
    """Preferences in five columns (query judge subgroup document grade), which preference measures read."""
    return _lines(tuple(row) for row in preferences_of(stored_judging(store).labels))


def judgment_lines(store: Store) -> str:
    """Judgments as a TREC file, with the rule they come from at its top: what `evaluate` reads of a project."""
    judging = stored_judging(store)
    comments = [f"{counted(len(judging.known), 'judgment')} from before"] if judging.known else []
    people = {label.judge: None for label in judging.labels if label.judge_kind == "person"}
    if people:
        labels = labels_of_project(judging)
        comments = [*merge(labels, judges=[name for name in labels.judges if name in people]).comments(), *comments]
    models = by_models(label.judge for label in judging.labels) if not (judging.known or judging.decided) else []
    counts = Counter(label.judge for label in judging.labels)
    judge = counts.most_common(1)[0][0] if models else "0"
    return trec(judgments_of_project(judging), [f"labels of {judge} alone", *comments] if models else comments, judge)


def event_lines(store: Store) -> Iterator[str]:
    """Every event there ever was, one JSON object a line, oldest first."""
    items, judges = store.items(), {judge.number: judge.name for judge in store.judges()}
    for event in store.events():
        values = event._asdict() | {"more": dict(event.more), "judge_name": judges.get(event.judge)}
        if event.item is not None:
            values |= {"query": _query(items, event.item), "document": _document(items, event.item)}
            if items.other is not None:
                values["other"] = _other(items, event.item)
        yield json.dumps(values, ensure_ascii=False, sort_keys=True).encode("utf-8", "replace").decode() + "\n"


EXPORTS: Mapping[str, Callable[[Store], Iterable[str]]] = {
    "labels.csv": lambda store: [sheet_text(label_table(store), "csv")],
    "labels.qrels": lambda store: [label_lines(store)],
    "judgments.qrels": lambda store: [judgment_lines(store)],
    "adjudicated.csv": lambda store: [sheet_text(decision_table(store), "csv")],
    "preferences.qrels": lambda store: [preference_lines(store)],
    "events.jsonl": event_lines,
}
"""By the name of the file, its text in parts."""


def exports_of(task: str) -> list[str]:
    """The files that a project of grades, or of preferences, can be written to.

    >>> exports_of("preferences")
    ['labels.csv', 'preferences.qrels', 'events.jsonl']
    """
    if task == "preferences":
        return ["labels.csv", "preferences.qrels", "events.jsonl"]
    return [name for name in EXPORTS if name != "preferences.qrels"]


def write_export(store: Store, path: str | PathLike[str]) -> str:
    """Write a project to a file; what is written follows from its name, and is described by one of `EXPORTS`.

    A name such as `labels.qrels` or `adjudicated.csv` is itself; of others the ending decides: labels for a
    spreadsheet (.csv, .tsv), all events (.jsonl), judgments or preferences (.qrels, .txt).
    """
    known = exports_of(store.project().task)
    name = PurePath(path).name
    form = form_of(path, FILES, "a judging project")
    chosen = name if name in known else _by_form(form, known)
    if form == "tsv":
        parts: Iterable[str] = [sheet_text(label_table(store), "tsv")]
    else:
        parts = EXPORTS[chosen](store)
    write_text(path, "".join(parts))
    return chosen


def _by_form(form: str, known: Sequence[str]) -> str:
    if form == "trec":
        return next(name for name in known if name in ("judgments.qrels", "preferences.qrels"))
    return "events.jsonl" if form == "jsonl" else "labels.csv"


def _lines(rows: Iterable[tuple[object, ...]]) -> str:
    lines = []
    for *names, grade in rows:
        for what, name in zip(_COLUMNS[len(names)], names, strict=True):
            require_one_word(what, str(name))
        lines.append(" ".join([*map(str, names), str(plain(float(str(grade))))]))
    if not lines:
        raise DataError([errors.judging_store.no_labels_yet("the project")])
    return "\n".join(lines) + "\n"


_COLUMNS = {3: ("query", "judge", "document"), 4: ("query", "judge", "subgroup", "document")}


def _events_and_notes(store: Store, numbers: set[int]) -> tuple[dict[int, Event], dict[tuple[int, int], str]]:
    """Some events by their number; and by item and judge, the note that stands."""
    events, notes = {}, {}
    for event in store.events():
        if event.seq in numbers:
            events[event.seq] = event
        if event.note and event.item is not None:
            notes[event.item, event.judge] = event.note
    return events, notes


def _label(items: Items, item: int, judge: str, judge_kind: str, kind: str, grade: float) -> StoredLabel:
    other = None if items.other is None else _other(items, item)
    return StoredLabel(item, _query(items, item), _document(items, item), other, judge, judge_kind, kind, grade)


def _imported(items: Items) -> Iterator[tuple[str, str, float]]:
    for at in (items.part == IMPORTED).nonzero()[0].tolist():
        yield _query(items, at + 1), _document(items, at + 1), float(items.known[at])


def _query(items: Items, item: int) -> str:
    return items.queries[items.query_of(item)]


def _document(items: Items, item: int) -> str:
    return items.documents[int(items.of_document[item - 1])]


def _other(items: Items, item: int) -> str:
    assert items.other is not None
    return items.documents[int(items.other[item - 1])]
