"""The lowest versions that this project says it works with, as constraints: `make oldest` installs and tests them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_LOWEST = re.compile(r"([A-Za-z0-9_.-]+)(?:\[[^]]*\])?>=([0-9.]+)(?:\s*;.*)?")


def main() -> None:
    """Print a line for each."""
    print("\n".join(constraints()))


def constraints(root: Path = ROOT) -> list[str]:
    """Such as `numpy==1.26`, for whatever is needed when the package runs, with all its extras."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    needs = [*project["dependencies"], *(need for extra in project["optional-dependencies"].values() for need in extra)]
    own = f"{project['name']}["
    return list(dict.fromkeys(_lowest(need) for need in needs if not need.startswith(own)))


def _lowest(need: str) -> str:
    found = _LOWEST.fullmatch(need)
    if found is None:
        raise ValueError(f"{need} has no lowest version")
    return f"{found[1]}=={found[2]}"


if __name__ == "__main__":
    main()
