"""Runs the lines of other tools that pages show, next to the demo collection, and compares what they print.

Such lines are a script under a name of its own; the block below it is what it prints. `make parity` runs all of them,
and `make test` those of the tools that come with the tests.
"""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from cranfield import demo

DOCS = Path(__file__).parent.parent / "docs"
WITH_TESTS = {"from-pytrec_eval.md": "pytrec_eval-terrier", "from-ir_measures.md": "ir-measures"}
"""Pages, and the tool of each, whose lines every run of the tests runs."""
WITH_PARITY = {"from-ranx.md": "ranx", "from-pyterrier.md": "pyterrier", "from-ragas.md": "ragas"}
"""Pages of tools that are too large for that."""
NOT_RUN = ("from-quepid-and-rank_eval.md",)
"""Pages of tools that are servers: nothing to import."""
_SCRIPT = re.compile(r"^```python (\w+\.py)\n(.*?)^```\n+```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class OldLines(NamedTuple):
    """A script of another tool, and what the page says it prints."""

    page: str
    name: str
    code: str
    printed: str

    def difference(self) -> str:
        """What it prints instead; nothing where page and tool agree."""
        printed = _output(self.code)
        return "" if doctest.OutputChecker().check_output(self.printed, printed, _FLAGS) else printed


def old_lines(page: str) -> list[OldLines]:
    """The scripts of a page."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return [OldLines(page, *shown.groups()) for shown in _SCRIPT.finditer(text)]


def versions_that_differ(tools: dict[str, str]) -> list[str]:
    """Pages that name another version of a tool than the one that is installed."""
    installed = {page: f"{tool} {metadata.version(tool)}" for page, tool in tools.items()}
    return [
        f"{page} does not name {tool}"
        for page, tool in installed.items()
        if tool not in (DOCS / page).read_text(encoding="utf-8")
    ]


def _output(code: str) -> str:
    """All that a script prints; errors too, but no warnings of the tool about itself."""
    with tempfile.TemporaryDirectory() as folder:
        demo.write(folder)
        command = [sys.executable, "-W", "ignore", "-c", code]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else done.stderr


def main() -> int:
    """Run all and tell which pages are wrong."""
    pages = WITH_TESTS | WITH_PARITY
    scripts = [script for page in pages for script in old_lines(page)]
    wrong = versions_that_differ(pages)
    for script in scripts:
        if printed := script.difference():
            wrong.append(f"{script.page}, {script.name} prints\n{printed}")
    print(f"{len(scripts)} scripts of {len(pages)} tools run, as pages show them.")
    print("\n".join(wrong) or "They print what the pages say.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
