"""Whether every public name has a type that every type checker sees alike: part of `make types`.

Asked is pyright's `--verifytypes`. A name is public as docs/stability.md says; a class has a type if all its public
attributes and methods have.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

PUBLIC = ("compat", "demo", "measures", "testing")
"""Modules whose names are public, too."""


def main() -> int:
    """Print how many names have a type, and those that have none; the exit code is 1 if there are such."""
    report = _asked()
    if report["generalDiagnostics"]:
        print("\n".join(one["message"] for one in report["generalDiagnostics"]))
        return 1
    symbols = [one for one in report["typeCompleteness"]["symbols"] if is_public(one["name"])]
    without = [one for one in symbols if not has_type(one)]
    # What is wrong is said of an attribute, and the class it is in only counts as incomplete.
    print("\n".join(reasons(report["typeCompleteness"]["symbols"])) if without else "", end="\n" if without else "")
    print(f"{len(symbols) - len(without):,} of {len(symbols):,} public names have a type")
    return int(bool(without) or not symbols)


def is_public(name: str) -> bool:
    """Whether it is a name that users may rely on: `cranfield.evaluate`, `cranfield.measures.AP.bounds`."""
    package, first, *more = [*name.split("."), ""]
    return package == "cranfield" and bool(first) and (not any(more) or first in PUBLIC)


def has_type(symbol: Mapping[str, Any]) -> bool:
    """Whether its type is known, and not left to be inferred."""
    return bool(symbol["isTypeKnown"]) and not symbol.get("isTypeAmbiguous")


def reasons(symbols: list[dict[str, Any]]) -> Iterator[str]:
    """Where a type is missing, of names that others are made of."""
    for symbol in symbols:
        if symbol["isExported"] and not has_type(symbol):
            for one in symbol["diagnostics"]:
                if "partially unknown" not in one["message"]:
                    line = one["range"]["start"]["line"] + 1
                    yield f"{one['file']}:{line}: {symbol['name']}: {one['message'].splitlines()[0]}"


def _asked() -> dict[str, Any]:
    # Pyright looks for the package where the first Python of the path has it.
    folder = Path(sys.executable).parent
    path = os.pathsep.join([str(folder), os.environ["PATH"]])
    command = [sys.executable, "-m", "pyright", "--verifytypes", "cranfield", "--ignoreexternal", "--outputjson"]
    done = subprocess.run(
        command, env={**os.environ, "PATH": path}, stdout=subprocess.PIPE, encoding="utf-8", check=False
    )
    report: dict[str, Any] = json.loads(done.stdout)
    return report


if __name__ == "__main__":
    sys.exit(main())
