"""How much is tried: enough for every change (`make test`), or many times that (`make thorough`)."""

from typing import TypeVar

from hypothesis import settings

T = TypeVar("T")

EXAMPLES = 20
"""Of a property, unless it says how many it takes."""


def more(count: int) -> int:
    """So many, and as many times more as the profile of Hypothesis tries more than usual."""
    return count * settings.default.max_examples // EXAMPLES


def examples(count: int) -> settings:
    """A property is tried with so many examples, or in proportion."""
    return settings(max_examples=more(count))


def few_or(few: T, many: T) -> T:
    """So few for every change, and so many in `make thorough`."""
    return many if settings.default.max_examples > EXAMPLES else few
