"""Requests with places for a query: what is filled in cannot break out of its place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote

from cranfield import errors
from cranfield.data.queries import Value

_PLACE = re.compile(r"\{\{ *(\w+) *\}\}|\{(\w+)\}")
"""`{query}`; also with two braces, as other templates have it."""


class Placeholder(NamedTuple):
    """Where something is filled in."""

    name: str
    is_quoted: bool
    """Whether it stands within a text in quotes."""


Template = tuple[str | Placeholder, ...]
"""Texts, and between them what is filled in."""


def url_template(text: str, known: Sequence[str]) -> Template:
    """An address with places."""
    return _template(text, known, "The address", lambda before: False)


def json_template(text: str, known: Sequence[str], what: str) -> Template:
    """JSON with places, in quotes or without; it must be JSON whatever is filled in."""
    template = _template(text, known, what, _is_in_json_text)
    try:
        json.loads(filled_json(template, dict.fromkeys(known, 'a"\\\n{b}')))
    except ValueError as error:
        raise errors.retrieving.body_is_not_json(what, str(error)) from None
    return template


def sql_template(text: str, known: Sequence[str]) -> Template:
    """A statement with places, each of which becomes a parameter."""
    template = _template(text, known, "The statement", _is_in_sql_text)
    for part in template:
        if isinstance(part, Placeholder) and part.is_quoted:
            raise errors.retrieving.quoted_placeholder(part.name)
    return template


def names_in(*templates: Template) -> list[str]:
    """What is filled in, each name once."""
    return list(
        dict.fromkeys(part.name for template in templates for part in template if isinstance(part, Placeholder))
    )


def filled_url(template: Template, values: Mapping[str, Value]) -> str:
    """The address for a query: what is filled in is percent-encoded.

    >>> filled_url(url_template("http://h/?q={query}", ["query"]), {"query": "a&b/c?d=100% é"})
    'http://h/?q=a%26b%2Fc%3Fd%3D100%25%20%C3%A9'
    """
    return "".join(
        quote(_text(values[part.name]), safe="") if isinstance(part, Placeholder) else part for part in template
    )


def filled_json(template: Template, values: Mapping[str, Value]) -> str:
    """The body for a query: a text is escaped, a number stays one, and so do the numbers of a vector.

    >>> body = json_template('{"q": "title:{query}", "k": {size}, "v": {vector}}', ["query", "size", "vector"], "body")
    >>> print(filled_json(body, {"query": 'say "hi"', "size": 10, "vector": "0.5, -1"}))
    {"q": "title:say \\"hi\\"", "k": 10, "v": [0.5, -1.0]}
    """
    return "".join(_in_json(part, values[part.name]) if isinstance(part, Placeholder) else part for part in template)


def filled_sql(template: Template, mark: str) -> tuple[str, list[str]]:
    """A statement in a database's own spelling of parameters, and the names of these in their order.

    >>> filled_sql(sql_template("SELECT id FROM d WHERE d MATCH {query} LIMIT {size}", ["query", "size"]), "?")
    ('SELECT id FROM d WHERE d MATCH ? LIMIT ?', ['query', 'size'])
    """
    escape: Callable[[str], str] = (lambda text: text.replace("%", "%%")) if mark == "%s" else str
    text = "".join(mark if isinstance(part, Placeholder) else escape(part) for part in template)
    return text, [part.name for part in template if isinstance(part, Placeholder)]


def sql_parameters(names: Sequence[str], values: Mapping[str, Value]) -> list[Value]:
    """What is given for the parameters of a statement; a vector as databases read one from a text.

    >>> sql_parameters(["query", "vector"], {"query": "1, 2", "vector": "0.5, -1"})
    ['1, 2', '[0.5, -1]']
    """
    return [_in_sql(name, values[name]) for name in names]


def _in_sql(name: str, value: Value) -> Value:
    is_vector = name != "query" and isinstance(value, str) and _numbers(value) is not None
    return f"[{str(value).strip().removeprefix('[').removesuffix(']')}]" if is_vector else value


def _template(text: str, known: Sequence[str], what: str, is_quoted: Callable[[str], bool]) -> Template:
    parts: list[str | Placeholder] = []
    end = 0
    for match in _PLACE.finditer(text):
        name = match[1] or match[2]
        if name not in known:
            raise errors.retrieving.unknown_placeholder(what, name, known)
        parts += [text[end : match.start()], Placeholder(name, is_quoted(text[: match.start()]))]
        end = match.end()
    return (*parts, text[end:])


def _is_in_json_text(before: str) -> bool:
    """Whether a text in quotes began and did not end."""
    return len(re.findall(r'"', re.sub(r"\\.", "", before))) % 2 == 1


_SQL_PARTS = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|/\*.*?\*/""", re.DOTALL)


def _is_in_sql_text(before: str) -> bool:
    rest = _SQL_PARTS.sub("", before)
    return "'" in rest or '"' in rest


def _in_json(place: Placeholder, value: Value) -> str:
    if place.is_quoted:
        return json.dumps(_text(value))[1:-1]
    numbers = _numbers(value) if place.name != "query" else None
    return json.dumps(value if numbers is None else numbers)


def _numbers(value: Value) -> list[float] | None:
    """The numbers of a vector, which a query file holds as a text."""
    parts = value.strip().removeprefix("[").removesuffix("]").split(",") if isinstance(value, str) else ()
    if len(parts) < 2:
        return None
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        return None
    return numbers if all(abs(number) < float("inf") for number in numbers) else None


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)
