"""What can go wrong where people judge: settings, labels that are refused, and stores."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.errors.findings import Finding, UsageError
from cranfield.errors.phrases import examples, option, short, shown

# Settings


def wrong_grades(text: str, reason: str) -> UsageError:
    """Grades that make no scale."""
    return UsageError(f"{option('grades', text)}: {reason}, as in {option('grades', '0=not relevant,1=relevant')}.")


def wrong_share(name: str, value: object) -> UsageError:
    """A share of the pairs that is not one."""
    return UsageError(f"{name} must be a share from 0 to 1, not {shown(value)}.")


def link_without_document(link: str) -> UsageError:
    """A pattern of links that are all the same."""
    return UsageError(f"link must contain {{document}}, as in https://example.org/{{document}}, not {shown(link)}.")


# What is judged


def no_pairs(path: str | None, fields: Sequence[str]) -> Finding:
    """A list that is no list of pairs."""
    named = examples([str(short(field, 40)) for field in fields], 10)
    return Finding(
        "error",
        "no-pairs",
        f"it does not list pairs of query and document; its first line has {len(fields)} columns: {named}",
        "Write a query and a document a line, or a header that names the columns query and document. "
        f"Judgments that there are already go with {option('judgments', 'FILE')}.",
        path,
    )


def all_judged(count: int) -> Finding:
    """Nothing is left to judge."""
    return Finding(
        "error",
        "all-judged",
        f"all {count:,} pairs of query and document are judged already",
        f"Pool more documents ({option('depth', '20')}), add runs, or leave {option('judgments')} out.",
    )


def nothing_to_prefer() -> UsageError:
    """Preferences where no query has two documents."""
    return UsageError("Preferences need at least two documents of a query; pool more of them or add runs.")


# Labels that are refused


def stale() -> str:
    """A label for an item that changed in the meantime."""
    return "This label was changed elsewhere in the meantime, in another tab or by a manager. Choose which one counts."


def key_reused() -> str:
    """One key for two different labels."""
    return "The key of this label was used for another one before. Reload the page."
