"""What browsers send, read strictly: JSON of the pages' own code, and forms."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from cranfield import errors
from cranfield.assessing.refusals import Refused, Unsound
from cranfield.assessing.submission import Submission

if TYPE_CHECKING:
    from starlette.requests import Request

FIELDS = 200
"""Fields that a form may have."""
_TAB = re.compile(r"[0-9a-f]{16}")
_WHOLE = re.compile(r"-?[0-9]{1,18}")


class WrongType(Refused):
    """A body that is neither JSON nor a form."""

    status = 415


async def values_of(request: Request) -> tuple[Mapping[str, Any], bool]:
    """The values of a request's body, and whether it came from a page's code, as JSON, rather than from a form."""
    return values_in(request, await request.body())


def values_in(request: Request, body: bytes) -> tuple[Mapping[str, Any], bool]:
    """The same of a body that has come."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":
        return _json(body), True
    if kind == "application/x-www-form-urlencoded":
        return _form(body), False
    raise WrongType(errors.assessing.wrong_body())


def _json(body: bytes) -> Mapping[str, Any]:
    try:
        values = json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Unsound(errors.assessing.not_json()) from None
    if not isinstance(values, dict):
        raise Unsound(errors.assessing.not_json())
    return values


def _form(body: bytes) -> Mapping[str, Any]:
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, strict_parsing=bool(body), max_num_fields=FIELDS
        )
    except ValueError:
        raise Unsound(errors.assessing.wrong_body()) from None
    return dict(pairs)


def _no_number(name: str) -> float:
    raise ValueError(name)


def new_tab() -> str:
    """A name for a tab that has none yet."""
    return secrets.token_hex(8)


def new_key() -> str:
    """A key for an act of a page without code."""
    return secrets.token_hex(16)


def tab_of(value: object) -> str | None:
    """The name of a tab, if it is one."""
    return value if isinstance(value, str) and _TAB.fullmatch(value) else None


def text_of(values: Mapping[str, Any], name: str, most: int = 10_000) -> str:
    """A text that can be stored anywhere: no half characters, no NUL."""
    value = values.get(name, "")
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > most:
        raise Unsound(errors.assessing.wrong_field(name))
    return value.encode("utf-8", "replace").decode().replace("\x00", "␀").replace("\r\n", "\n")


def whole_of(values: Mapping[str, Any], name: str) -> int | None:
    """A whole number, or nothing."""
    value = values.get(name)
    if value is None or value == "":
        return None
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        return int(value)
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > 10**18:
        raise Unsound(errors.assessing.wrong_field(name))
    return value


def number_of(values: Mapping[str, Any], name: str) -> float | None:
    """A number, or nothing."""
    value = values.get(name)
    if value is None or value == "":
        return None
    try:
        number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None
    except (ValueError, OverflowError):
        number = None
    if number is None or not -1e18 < number < 1e18:
        raise Unsound(errors.assessing.wrong_field(name))
    return number


def submission_of(values: Mapping[str, Any]) -> Submission:
    """What a judge's page sends. A grade without a kind is a label, as of a button."""
    item = whole_of(values, "item")
    if item is None:
        raise Unsound(errors.assessing.wrong_field("item"))
    kind = text_of(values, "kind", 20) or "label"
    return Submission(
        key=text_of(values, "key", 64),
        item=item,
        kind=kind,
        grade=number_of(values, "grade") if kind == "label" else None,
        before=whole_of(values, "before"),
        active_ms=max(0, whole_of(values, "active_ms") or 0),
        away_ms=max(0, whole_of(values, "away_ms") or 0),
        how=text_of(values, "how", 20) or "key",
        note=text_of(values, "note"),
        more=_passage(values.get("more")) if kind == "passage" else {},
    )


def _passage(more: object) -> dict[str, Any]:
    """What was selected, and in which document of the card."""
    if not isinstance(more, dict):
        raise Unsound(errors.assessing.wrong_field("more"))
    return {"text": text_of(more, "text"), "document": whole_of(more, "document") or 0}
