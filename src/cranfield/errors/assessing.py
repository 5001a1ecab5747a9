"""What can go wrong where people judge: settings, labels that are refused, and stores."""

from __future__ import annotations

from cranfield.errors.findings import UsageError
from cranfield.errors.phrases import option, shown

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


# Labels that are refused


def stale() -> str:
    """A label for an item that changed in the meantime."""
    return "This label was changed elsewhere in the meantime, in another tab or by a manager. Choose which one counts."


def key_reused() -> str:
    """One key for two different labels."""
    return "The key of this label was used for another one before. Reload the page."
