"""JSON as other tools write it, in the shape that judgments and runs have here."""

from __future__ import annotations

from typing import Any

from cranfield import errors
from cranfield.errors import DataError, Findings
from cranfield.formats.columns import Kind
from cranfield.formats.search_responses import ratings_in, responses_in


def kind_of_shape(value: object) -> Kind | None:
    """Whether a value in another tool's shape holds judgments or a run; None where its shape is our own."""
    if ratings_in(value) is not None:
        return "judgments"
    return None if responses_in(value) is None else "run"


def name_of_shape(value: object) -> str | None:
    """What a value in another tool's shape is; None where its shape is our own."""
    if ratings_in(value) is not None:
        return "_rank_eval request"
    responses = responses_in(value)
    if responses is None:
        return None
    if responses.grades is not None:
        return "_rank_eval response"
    names = dict.fromkeys(answer.engine.name for answer in responses.answers if answer.engine)
    return " and ".join(names) or "responses"


def plain_run(value: Any, findings: Findings, name: str | None = None, path: str | None = None) -> Any:
    """Rankings in a shape that is read here; what has one already stays as it is."""
    responses = responses_in(value, name, path)
    if responses is not None:
        return responses.run(findings)
    if ratings_in(value) is not None:
        raise DataError([errors.search_responses.no_results(path)])
    return value


def plain_judgments(value: Any, findings: Findings, name: str | None = None, path: str | None = None) -> Any:
    """Judgments in a shape that is read here; what has one already stays as it is."""
    if (ratings := ratings_in(value)) is not None:
        return ratings
    responses = responses_in(value, name, path)
    return value if responses is None else responses.judgments(findings)
