"""What can be wrong or surprising where a model judges."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.errors.findings import DataError, Finding, UsageError
from cranfield.phrases import option


def wrong_base_url(url: str) -> UsageError:
    """An address that is none."""
    return UsageError(
        f"{url!r} is not the address of an endpoint. Write it with http:// or https:// and without user or query, "
        "such as http://127.0.0.1:11434/v1."
    )


def no_model_name() -> UsageError:
    """A model without a name."""
    return UsageError("Name the model, as the endpoint calls it.")


def wrong_timeout(timeout: float, least: float, most: float) -> UsageError:
    """A time in which no answer comes, or for which nobody waits."""
    return UsageError(f"timeout must be a number of seconds from {least:g} to {most:g}, not {timeout:g}.")


def umbrela_scale(grades: Sequence[float]) -> UsageError:
    """UMBRELA's prompt for another scale."""
    shown = ", ".join(f"{grade:g}" for grade in grades)
    return UsageError(
        f"The prompt umbrela has the grades 0, 1, 2 and 3; this project has {shown}. Use the default prompt."
    )


def prompt_without(path: str, missing: Sequence[str]) -> DataError:
    """A prompt that says nothing of the query or the document."""
    names = " and ".join(f"{{{name}}}" for name in missing)
    return DataError(
        [
            Finding(
                "error",
                "prompt-field",
                f"the prompt does not contain {names}",
                f"Write {names} where it belongs.",
                path,
            )
        ]
    )


def preferences_by_model(where: str) -> DataError:
    """A project of preferences."""
    message = "this project asks which of two documents is better; a model gives grades only"
    return DataError([Finding("error", "model-preferences", message, path=where)])


def nobody_to_compare(people: int) -> DataError:
    """A model's labels, and hardly any of people for the same documents."""
    message = f"people labelled {people:,} of the documents that the model labelled; there is nothing to compare"
    advice = "Judge some of them yourself, drawn at random: cranfield judge STORE."
    return DataError([Finding("error", "nobody-to-compare", message, advice)])


def no_model_labels(where: str, name: str = "") -> DataError:
    """A project without labels of a model."""
    message = f"the model {name!r} has given no labels here" if name else "no model has given any labels here"
    advice = "Let one label the documents: cranfield judge model STORE --model NAME."
    return DataError([Finding("error", "no-model-labels", message, advice, where)])


def needs_consent(host: str) -> UsageError:
    """Texts would leave the machine, and nobody was asked."""
    return UsageError(f"Documents would be sent to {host}. If that is meant, add {option('yes')}.")


ALONE = "model-alone"
"""The kind of the warning that no person judged."""


def by_model_alone(path: str | None, judges: Sequence[str]) -> Finding:
    """Judgments that no person gave."""
    names = ", ".join(judges[:3])
    message = f"all judgments come from a model ({names}); nothing shows how wrong it is"
    return Finding(
        "warning",
        ALONE,
        message,
        "Have people judge some queries, drawn at random, and use `cranfield correct`.",
        path,
    )
