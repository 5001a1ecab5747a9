"""What a page sends, checked before anything is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

from cranfield import errors
from cranfield.assessing.events import FROM_JUDGES, NOTHING, How
from cranfield.assessing.items import Items
from cranfield.assessing.project import Project
from cranfield.assessing.refusals import NotOnScale, TooLong, UnknownItem, Unsound
from cranfield.formats.values import writable

NOTE_LENGTH = 2_000
"""Characters of a note."""
KEY_LENGTH = 100
LONGEST_MS = 24 * 60 * 60 * 1000
"""A day: clocks of pages are not to be trusted with more."""


class Submission(NamedTuple):
    """What a page sends: the fields of an event that are the judge's."""

    key: str
    item: int
    kind: str
    grade: float | None = None
    before: int | None = None
    active_ms: int = 0
    away_ms: int = 0
    how: str = "key"
    note: str = ""
    more: Mapping[str, Any] = NOTHING
    """Of a passage where it begins and ends; nothing else is read."""


def checked_submission(sent: Submission, project: Project, items: Items) -> Submission:
    """The same, if it makes sense; times are cut to what is possible."""
    if not isinstance(sent.key, str) or not 1 <= len(sent.key) <= KEY_LENGTH or not sent.key.isprintable():
        raise _unsound("key")
    if sent.kind not in FROM_JUDGES | {"adjudicate"}:
        raise _unsound("kind")
    if sent.how not in get_args(How):
        raise _unsound("how")
    if not items.has(sent.item):
        raise UnknownItem(errors.assessing.unknown_item(sent.item))
    if sent.before is not None and not _is_whole(sent.before):
        raise _unsound("before")
    return sent._replace(
        grade=_grade(sent, project),
        active_ms=_milliseconds(sent.active_ms),
        away_ms=_milliseconds(sent.away_ms),
        note=_note(sent.note),
        more=_passage(sent),
    )


def require_on_scale(grade: object, project: Project) -> float:
    """Refuse a grade that the project does not have."""
    if not isinstance(grade, int | float) or isinstance(grade, bool) or grade not in project.scale:
        scale = ", ".join(f"{value:g}" for value in project.scale)
        raise NotOnScale(errors.assessing.not_on_scale(grade, scale))
    return float(grade)


def _grade(sent: Submission, project: Project) -> float | None:
    if sent.kind in ("label", "adjudicate"):
        return require_on_scale(sent.grade, project)
    if sent.grade is not None:
        raise _unsound("grade")
    return None


def _note(note: object) -> str:
    if not isinstance(note, str):
        raise _unsound("note")
    if len(note) > NOTE_LENGTH:
        raise TooLong(errors.assessing.note_too_long(len(note), NOTE_LENGTH))
    return writable(note).replace("\0", "\ufffd")


def _milliseconds(value: object) -> int:
    if isinstance(value, float) and 0 <= value < LONGEST_MS:
        return round(value)
    if not _is_whole(value):
        raise _unsound("time")
    return min(max(int(value), 0), LONGEST_MS)  # type: ignore[call-overload]  # just seen


def _passage(sent: Submission) -> Mapping[str, Any]:
    """Where a passage begins and ends, in characters of the text; nothing else is kept."""
    if sent.kind != "passage":
        return NOTHING
    start, end = sent.more.get("start"), sent.more.get("end")
    if not _is_whole(start) or not _is_whole(end) or not 0 <= start < end:  # type: ignore[operator]
        raise _unsound("passage")
    second = {"document": 1} if sent.more.get("document") == 1 else {}  # of two side by side
    return {"start": start, "end": end, **second}


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 53


def _unsound(what: str) -> Unsound:
    return Unsound(errors.assessing.wrong_submission(what))
