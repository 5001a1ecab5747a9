"""What can be wrong with the choice of loops."""

from __future__ import annotations

from cranfield.errors.findings import UsageError


def unknown_kernels(variable: str, choice: str) -> UsageError:
    """The environment asks for loops that do not exist."""
    return UsageError(
        f"{variable} is {choice!r}; it may be 'plain' or 'compiled'.\nUnset it to have whichever is installed."
    )


def no_compiled_kernels(variable: str, reason: str) -> UsageError:
    """The environment asks for compiled loops and they were not built."""
    return UsageError(
        f"{variable} is 'compiled', but the compiled loops are not installed: {reason}\n"
        "Install cranfield again where there is a C compiler, or unset the variable: results are the same, only slower."
    )
