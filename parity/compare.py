"""Compares cranfield with every tool of `peers.txt`, here and now, and writes docs/parity.md.

Exits with 1 if a value differs by more than a tool's digits allow and no reason is given.
"""

from __future__ import annotations

import sys
from importlib import import_module, metadata
from pathlib import Path

from cranfield import Table
from parity.rows import EXACT, Row

HERE = Path(__file__).parent
DISTRIBUTIONS = {
    "beir": "beir",
    "cwl": "cwl-eval",
    "haystack": "haystack-ai",
    "ir_measures": "ir-measures",
    "langchain": "langchain-classic",
    "llamaindex": "llama-index-core",
    "ppi": "ppi-python",
    "pyndeval": "pyndeval",
    "pytrec_eval": "pytrec_eval-terrier",
    "qdrant": "qdrant-client",
    "ranx": "ranx",
    "rectools": "RecTools",
    "sklearn": "scikit-learn",
    "trectools": "trectools",
}
"""Each file of this folder that compares with a tool, and the tool's name on PyPI."""
PAGE = HERE.parent / "docs" / "parity.md"
INTRODUCTION = """\
# Compared with other tools

What other tools compute, and what cranfield computes, on the same data: written by `make parity`, which installs the
tools below, calls them, and fails if a number differs for no stated reason.

The data are made from a fixed seed: 60 queries, rankings of 1 to 120 documents, half of them unjudged, no two of equal
score. Some queries are silent, some have no relevant document, some no irrelevant one. *Graded* judgments have grades
from 0 to 4 and *binary* ones 0 and 1; in *sampled* ones some documents were pooled but never judged; *tied* rankings
have five different scores only; *diverse* judgments grade a document for each of several subtopics. *Answered* leaves
out silent queries, for tools that do not know of them; *some relevant* and *some irrelevant* leave out queries that
have no such document. *Fused* are scores of three runs (two, where the tool takes no more) that list documents in
different orders, fused with the choices of the tool (`--like`): one value for each document of each query.

A difference is the largest absolute one over all values compared. Undefined scores count as 0. On real collections
`make test` compares with stored outputs of trec_eval, ndeval, gdeval and others, to every digit they print."""


def main() -> int:
    """Compare all, write the page, and tell what is wrong."""
    rows = {path.stem.removeprefix("peers_"): _compared(path.stem) for path in sorted(HERE.glob("peers_*.py"))}
    page = [INTRODUCTION, *(section(tool, of_tool) for tool, of_tool in rows.items())]
    PAGE.write_text("\n\n".join(page) + "\n", encoding="utf-8")
    every = [(tool, row) for tool, of_tool in rows.items() for row in of_tool]
    values = sum(row.values for _, row in every)
    print(f"{values:,} values of {len(every)} measures of {len(rows)} tools compared; {PAGE.name} is written.")
    wrong = [
        f"{tool}: {row.theirs} compared with {row.ours} ({row.data}) {row.wrong}" for tool, row in every if row.wrong
    ]
    print("\n".join(wrong) or "Nothing differs for no stated reason.")
    return 1 if wrong else 0


def section(tool: str, rows: list[Row]) -> str:
    """A tool's part of the page: what was compared, row by row, and what was not."""
    module = import_module(f"parity.peers_{tool}")
    table = Table(
        {
            "its measure": [row.theirs for row in rows],
            "here": [row.ours for row in rows],
            "data": [row.data for row in rows],
            "values": [row.values for row in rows],
            "difference": [_shown(row.difference) for row in rows],
            "why": [row.reason or ("prints five decimals" if row.tolerance > EXACT else "") for row in rows],
        }
    )
    absent = [f"`{name}` ({why})" for name, why in getattr(module, "ABSENT", {}).items()]
    parts = [
        f"## {DISTRIBUTIONS[tool]} {metadata.version(DISTRIBUTIONS[tool])}",
        (module.__doc__ or "").strip(),
        table.markdown().strip(),
        f"Not compared: {'; '.join(absent)}." if absent else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _compared(module: str) -> list[Row]:
    return [Row(*row) for row in import_module(f"parity.{module}").compare()]


def _shown(difference: float) -> str:
    return "0" if difference == 0 else f"{difference:.1g}"


if __name__ == "__main__":
    sys.exit(main())
