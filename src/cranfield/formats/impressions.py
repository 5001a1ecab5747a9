"""Impressions that are a row each: the documents shown, and which of them were clicked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from cranfield import errors
from cranfield.arrays import Ints
from cranfield.data.click_log import Codes
from cranfield.errors import Findings
from cranfield.formats.click_results import CLICKED, Names, Results, Values, propensities, whole_number
from cranfield.formats.columns import folded
from cranfield.formats.tables import Rows
from cranfield.formats.values import Checked, is_missing

_RANKS = {folded(name) for name in ("clicked_ranks", "click_positions", "clicked_positions")}
SEPARATORS = "|;, "


def results_of_lists(rows: Rows, clicks_are: str, before: int, names: Names, findings: Findings) -> Results:
    """Rows of impressions, each with as many results as it has documents; so many impressions were before."""
    columns, checked = rows.columns, rows.checked(findings)
    lists = _lists(columns, clicks_are, checked)
    lines = np.asarray(rows.lines, dtype=np.int32)[lists.row]
    each = Checked(lines.tolist(), rows.unit, rows.path, findings)

    def codes(role: str) -> Codes | None:
        return names.of(role).codes(checked.ids(columns[role], role))[lists.row] if role in columns else None

    return Results(
        codes("session"),
        codes("query"),
        (lists.row + before).astype(np.int32),
        names.documents.codes(each.ids(lists.documents, "document")),
        np.array(lists.clicked, dtype=np.bool_),
        None,
        None if lists.propensity is None else propensities(lists.propensity, each),
        lines,
        rows.unit,
        rows.path,
    )


def are_ranks(name: str) -> bool:
    """Whether a column of clicks has the ranks of the documents clicked, by its name."""
    return folded(name) in _RANKS


class _Lists(NamedTuple):
    """Impressions as results: which row each comes from, its document, and whether it was clicked."""

    row: Ints
    documents: list[str]
    clicked: list[bool]
    propensity: list[Any] | None


def _lists(columns: Mapping[str, Values], clicks_are: str, checked: Checked) -> _Lists:
    documents: list[str] = []
    clicked: list[bool] = []
    propensity: list[Any] = []
    lengths: list[int] = []
    as_ranks = are_ranks(clicks_are)
    weights = columns.get("propensity")
    for at, (shown, clicks) in enumerate(zip(columns["documents"], columns["clicks"], strict=True)):
        line = checked.lines[at]
        ids = ids_of(_as_list(shown, "documents", line, checked))
        if not ids:
            checked.findings.add(errors.clicks.empty_impression(checked.path, line, unit=checked.unit))
            lengths.append(0)
            continue
        documents += ids
        clicked += _clicks(ids, _as_list(clicks, "clicks", line, checked), as_ranks, line, checked)
        lengths.append(len(ids))
        if weights is not None:
            given = _as_list(weights[at], "propensity", line, checked)
            if len(given) != len(ids):
                wrong = errors.clicks.unequal_propensities(checked.path, line, len(given), len(ids), unit=checked.unit)
                checked.findings.add(wrong)
                given = [1.0] * len(ids)
            propensity += given
    row = np.repeat(np.arange(len(lengths)), lengths)
    return _Lists(row, documents, clicked, propensity if weights is not None else None)


def _as_list(value: object, what: str, line: int, checked: Checked) -> list[Any]:
    if isinstance(value, str):
        return split_list(value)
    if isinstance(value, list | tuple | np.ndarray):
        return list(value)
    if is_missing(value):
        return []
    checked.findings.add(errors.clicks.no_list(checked.path, line, what, value, unit=checked.unit))
    return []


def split_list(text: str) -> list[Any]:
    """A list in a field: JSON, or ids between bars, semicolons, commas or blanks."""
    stripped = text.strip()
    if stripped.startswith("["):
        try:
            value = json.loads(stripped)
        except (ValueError, RecursionError):
            value = [part.strip(" '\"") for part in stripped.strip("[]").split(",")]
        return value if isinstance(value, list) else [value]
    separator = next((sign for sign in SEPARATORS if sign in stripped), " ")
    return [part.strip() for part in stripped.split(separator) if part.strip()]


def ids_of(values: list[Any]) -> list[str]:
    """Documents as ids, whether they are named or described."""
    if set(map(type, values)) <= {str}:
        return values
    return [value if isinstance(value, str) else as_text(_plain(value)) for value in values]


def as_text(value: object) -> str:
    """A value as an id; nothing for one that Python refuses to spell."""
    try:
        return str(value)
    except ValueError:  # a whole number of thousands of digits
        return ""


def _plain(value: Any) -> Any:
    """A document or a click that is an object of its own gives its id, or its rank."""
    if isinstance(value, Mapping):
        for name in ("document", "doc_id", "document_id", "object_id", "id", "_id", "position", "rank"):
            if name in value:
                return value[name]
    return value.item() if isinstance(value, np.generic) else value


def _clicks(documents: list[str], clicks: list[Any], as_ranks: bool, line: int, checked: Checked) -> list[bool]:
    """Whether each document was clicked."""
    plain = [_plain(click) for click in clicks]
    flagged = not as_ranks and all(type(click) in (int, bool) or click in ("0", "1") for click in plain)
    if flagged and len(plain) == len(documents) and all(click in CLICKED for click in plain):
        return [CLICKED[click] for click in plain]
    found = [False] * len(documents)
    place = {document: at for at, document in enumerate(documents)} if not as_ranks else {}
    if flagged and len(plain) > 1 and not all(as_text(click) in place for click in plain):
        if all(click in CLICKED for click in plain):
            wrong = errors.clicks.unequal_lists(checked.path, line, len(plain), len(documents), unit=checked.unit)
            checked.findings.add(wrong)
            return found
        if len(plain) == len(documents) and 0 in plain:
            odd = next(click for click in plain if click not in CLICKED)
            checked.findings.add(errors.clicks.not_clicked_or_not(checked.path, line, odd, unit=checked.unit))
            return found
    for click in plain:
        rank = whole_number(click) or 0
        if as_text(click) in place:
            found[place[as_text(click)]] = True
        elif 1 <= rank <= len(documents):
            found[rank - 1] = True
        else:
            wrong = errors.clicks.clicked_not_shown(checked.path, line, click, len(documents), unit=checked.unit)
            checked.findings.add(wrong)
    return found
