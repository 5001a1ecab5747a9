"""docs/parity.md, which `make parity` writes, tells of every tool and leaves no difference unexplained."""

from __future__ import annotations

import re

from parity.compare import DISTRIBUTIONS
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "parity.md").read_text(encoding="utf-8")
ROWS = [line.split(" | ") for line in PAGE.splitlines() if line.count(" | ") == 5 and line.split(" | ")[3].isdigit()]


def test_every_tool_that_is_compared_has_its_part():
    files = [path.stem.removeprefix("peers_") for path in (ROOT / "parity").glob("peers_*.py")]
    parts = re.findall(r"^## (\S+) \d", PAGE, re.MULTILINE)
    assert len(parts) > 5
    assert set(parts) == {DISTRIBUTIONS[name] for name in files}, "run `make parity`"


def test_every_tool_that_is_installed_for_it_is_known():
    listed = [line for path in (ROOT / "parity").glob("peers*.txt") for line in path.read_text().splitlines()]
    named = {re.split(r"[<>=# ]", line)[0] for line in listed if not line.startswith("#")}
    assert named == {*DISTRIBUTIONS.values(), "pytest"}  # which runs ranx's own tests


def test_what_differs_says_why():
    assert len(ROWS) > 200
    for *_, values, difference, why in ROWS:
        assert int(values) > 0
        assert float(difference) <= 1e-9 or why.strip(" |")
