"""Judging without a server: one page for one judge, and the labels that it saved, read back."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield import errors
from cranfield.assessing.events import FROM_JUDGES, NOTHING, Judge
from cranfield.assessing.items import DocumentText
from cranfield.assessing.passages import placed
from cranfield.assessing.project import Project
from cranfield.assessing.refusals import Refused, Stale
from cranfield.assessing.service import Card, Service
from cranfield.assessing.submission import Submission
from cranfield.errors import DataError
from cranfield.formats.json_text import json_of
from cranfield.formats.source import as_source
from cranfield.formats.writing import path_for, write_text
from cranfield.phrases import counted, shown

FORMAT = "labels"
"""What the file of a page calls itself."""
MOST_ITEMS = 5_000
"""Pairs of one page: a week's work, and a file that a mail can carry."""
_KEY = re.compile(r"[0-9a-f]{32}")
_LONGEST_TIME = 2**31


class WrittenPage(NamedTuple):
    """A page that was written."""

    path: str
    judge: str
    pairs: int


class Imported(NamedTuple):
    """What became of the labels of a file."""

    path: str
    judge: str
    new: int
    repeated: int
    stale: int
    """Not taken in, because the judge's label here is another one by now."""
    elsewhere: int = 0
    """Of documents that the project does not ask about."""

    def __str__(self) -> str:
        parts = [f"{counted(self.new, 'new label')} of {self.judge}"]
        parts += [f"{self.repeated:,} known already"] if self.repeated else []
        parts += [f"{self.stale:,} left out, as {self.judge} changed them here since"] if self.stale else []
        parts += [f"{self.elsewhere:,} of documents that are not in this project"] if self.elsewhere else []
        return f"{self.path}: {', '.join(parts)}"


def write_pages(service: Service, path: str | os.PathLike[str], names: Sequence[str]) -> list[WrittenPage]:
    """A page for each judge, with the pairs that fall to them; of several judges the file has the name of each."""
    judges = _judges(service, names)
    written = []
    for judge, items in zip(judges, shares(service, judges), strict=True):
        own = os.fspath(path) if len(judges) == 1 else path_for(path, judge.name)
        write_text(own, offline_page(service.project, judge, service.preview(judge.number, items)))
        written.append(WrittenPage(own, judge.name, len(items)))
    return written


def shares(service: Service, judges: Sequence[Judge]) -> list[list[int]]:
    """Which pairs fall to whom: as many labels as are wanted, and the pairs of a query together."""
    plan, state = service.assignment.plan, service.state
    missing = np.maximum(service.assignment.wanted - state.counts, 0)
    items = np.flatnonzero(missing)
    of_query = service.items.of_query[items - 1]
    order = np.lexsort((plan.order[items - 1], plan.query_order[of_query], plan.phase[items]))
    mine: list[list[int]] = [[] for _ in judges]
    turns: dict[int, list[int]] = {}
    for item in items[order].tolist():
        query = service.items.query_of(item)
        if query not in turns:
            turns[query] = sorted(range(len(judges)), key=lambda at: len(mine[at]))
        free = [at for at in turns[query] if not state.by_judge[judges[at].number].handled[item]]
        for at in free[: int(missing[item])]:
            if len(mine[at]) < MOST_ITEMS:
                mine[at].append(item)
    return mine


def offline_page(project: Project, judge: Judge, cards: Sequence[Card]) -> str:
    """One file that needs nothing else: the pairs, the page of a judge, and a policy that lets nothing else run."""
    from markupsafe import Markup

    from cranfield.assessing.web import pages

    style, script = pages.style(), pages.script_of("offline")
    settings = {**pages.page_settings(project, judge, "offline", ""), "offline": True, "name": judge.name}
    blank = pages.shown_document(DocumentText(""), set())._asdict()
    return pages.render(
        "offline.html",
        project=project,
        judge=judge,
        tab="offline",
        key="",
        card=None,
        earlier=None,
        given="",
        message="",
        cards=[pages.shown_card(card, project, whole=True) for card in cards],
        blank=[blank] * (2 if project.task == "preferences" else 1),
        settings=settings,
        buttons=pages.grade_buttons(project),
        preferences=project.task == "preferences",
        guidelines=pages.guidelines_html(project.guidelines) if project.guidelines.strip() else "",
        tally=dict.fromkeys(("progress", "countdown", "batch", "speed"), ""),
        nothing="Everything on this page is judged. Save your labels, and send the file to whoever sent you this page.",
        style=Markup(style),
        script=Markup(script),
        policy=_policy(style, script),
    )


def import_labels(service: Service, path: str | os.PathLike[str]) -> Imported:
    """Take in the labels of a file; one that comes twice, in this file or another, counts once."""
    name = os.fspath(path)
    judge, labels = _read(service, name)
    new = repeated = stale = 0
    for number, label in enumerate(labels, 1):
        try:
            receipt = service.record(judge.number, placed(service, _submission(service, label)))
        except Stale:
            stale += 1
        except (Refused, _LabelError) as error:
            raise DataError([errors.judging_projects.wrong_saved_label(name, number, str(error))]) from None
        else:
            new, repeated = new + (not receipt.repeated), repeated + receipt.repeated
    return Imported(name, judge.name, new, repeated, stale)


class _LabelError(Exception):
    """A label of a file that no page of ours wrote."""


def _judges(service: Service, names: Sequence[str]) -> list[Judge]:
    named = [service.judge_named(name) for name in names]
    people = [judge for judge in (named or service.judges) if judge is not None and judge.kind == "person"]
    return [judge for judge in people if not judge.off]


def _policy(style: str, script: str) -> str:
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    return (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )


def _read(service: Service, path: str) -> tuple[Judge, list[Mapping[str, Any]]]:
    file = as_source(path)
    assert file is not None  # a path is always one
    content = json_of(file)
    labels = content.get("labels") if isinstance(content, Mapping) else None
    if not isinstance(content, Mapping) or content.get("cranfield") != FORMAT or not isinstance(labels, list):
        raise DataError([errors.judging_projects.no_saved_labels(path)])
    if content.get("project") != service.project.id:
        raise DataError([errors.judging_projects.labels_of_other_project(path, service.store.where)])
    number = content.get("judge")
    judge = next((one for one in service.judges if one.number == number and one.kind == "person"), None)
    if judge is None or isinstance(number, bool):
        raise DataError([errors.judging_projects.labels_of_unknown_judge(path)])
    for at, label in enumerate(labels, 1):
        if not isinstance(label, Mapping):
            raise DataError([errors.judging_projects.wrong_saved_label(path, at, "it is no label")])
    return judge, labels


def _submission(service: Service, label: Mapping[str, Any]) -> Submission:
    """A label as a page sends it; whatever is not as a page writes it is refused."""
    key, kind, note, more = (label.get(name) for name in ("key", "kind", "note", "more"))
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise _LabelError("its key is not one")
    if not isinstance(kind, str) or kind not in FROM_JUDGES:
        raise _LabelError(f"there is no kind {shown(kind)}")
    if not isinstance(note, str | None) or not isinstance(more, Mapping | None):
        raise _LabelError("its note is not one")
    before = label.get("before")
    if (after := label.get("after")) is not None:
        earlier = service.store.event_of(str(after))
        before = None if earlier is None else earlier.seq
    grade, item = label.get("grade"), label.get("item")
    return Submission(
        key,
        item,  # type: ignore[arg-type]  # checked where all labels are
        kind,
        grade,
        before if isinstance(before, int) and not isinstance(before, bool) else None,
        _milliseconds(label.get("active_ms")),
        _milliseconds(label.get("away_ms")),
        "import",
        note or "",
        more or NOTHING,
    )


def _milliseconds(value: object) -> int:
    is_time = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _LONGEST_TIME
    return int(value) if is_time else 0  # type: ignore[call-overload]
