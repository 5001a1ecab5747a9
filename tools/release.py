"""Whether a tag may be published: `python -m tools.release --tag v1.2.0 --repository https://github.com/…`."""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str] | None = None) -> int:
    """Print what is in the way; the exit code is 1 if anything is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tag", required=True)
    parser.add_argument("--repository", required=True, help="Address of the repository that publishes.")
    given = parser.parse_args(arguments)
    found = list(obstacles(given.tag, given.repository))
    print("\n".join(found) or f"{given.tag} may be published.")
    return int(bool(found))


def obstacles(tag: str, repository: str, root: Path = ROOT) -> Iterator[str]:
    """What does not fit: the version, its section of the changelog, the address of the project."""
    (version,) = re.findall(
        r'^VERSION = "(.*)"$', (root / "src" / "cranfield" / "version.py").read_text("utf-8"), re.MULTILINE
    )
    if tag != f"v{version}":
        yield f"The tag is {tag}, and src/cranfield/version.py says {version}."
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    if not re.search(rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$", changelog, re.MULTILINE):
        yield f"CHANGELOG.md has no section '## {version} (YYYY-MM-DD)': the date of the release is missing."
    urls = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    if urls["Repository"].lower() != repository.lower().rstrip("/"):
        yield f"This repository is {repository}; [project.urls] of pyproject.toml says {urls['Repository']}."
    for name in ("Changelog", "Issues"):
        if not urls[name].startswith(urls["Repository"] + "/"):
            yield f"{name} of [project.urls] is at another address than Repository."


if __name__ == "__main__":
    sys.exit(main())
