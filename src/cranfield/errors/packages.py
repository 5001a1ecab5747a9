"""Packages that only some people need, where they are not installed."""

from __future__ import annotations

from cranfield.errors.findings import Finding, UsageError
from cranfield.phrases import listed


def missing(what: str, *packages: str) -> UsageError:
    """What was asked for needs packages that are not there."""
    is_one = len(packages) == 1
    return UsageError(
        f"{_needs(what, packages)}, which {'is' if is_one else 'are'} not installed.\n{_advice(packages)}"
    )


def missing_reader(path: str | None, what: str, *packages: str) -> Finding:
    """A file or store that is read by packages that are not there."""
    return Finding("error", "missing-package", _needs(f"reading {what}", packages), _advice(packages), path)


def _needs(what: str, packages: tuple[str, ...]) -> str:
    names = [package.partition("[")[0] for package in packages]
    return f"{what} needs the {'package' if len(packages) == 1 else 'packages'} {listed(names)}"


def _advice(packages: tuple[str, ...]) -> str:
    import shlex

    # By their own names packages are found wherever cranfield itself came from.
    return f"Install {'it' if len(packages) == 1 else 'them'}: pip install {shlex.join(packages)}"
