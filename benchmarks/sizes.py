"""What each command takes on two large runs: how long somebody waits for an answer."""

from __future__ import annotations

from pathlib import Path

from benchmarks import reporting
from benchmarks.peers import BIN
from benchmarks.reporting import Reported
from benchmarks.timing import Command
from benchmarks.workloads import Workload

LARGE = Reported(2, Workload("sizes", queries=7000, depth=1000, judged=5, largest_grade=3))
WAITS = (
    "evaluate QRELS RUN",
    "evaluate QRELS RUN --per-query",
    "evaluate QRELS RUN --ties average",
    "evaluate QRELS RUN --bounds unjudged",
    "evaluate QRELS RUN --group-by (.+)[0-9]$",
    "compare QRELS RUN RUN",
    "report QRELS RUN RUN -o FILE.html",
    "curve QRELS RUN RUN",
    "explain QRELS RUN --query 1 -m nDCG@10",
    "why QRELS RUN -m nDCG@10",
    "check QRELS RUN",
    "trec-eval QRELS RUN",
    "recommendation RUN -k 10",
    "fuse RUN RUN -o FILE.run",
    "convert RUN FILE.jsonl",
    "similarity RUN RUN",
    "pool RUN RUN --depth 100 -o FILE.tsv",
)
"""Commands as the page about speed shows them."""


def commands(large: Reported, directory: Path) -> dict[str, Command]:
    """Each command with files for its capital letters, by what it was."""
    qrels, runs = reporting.write(large, directory)
    return {wait: _command(wait, qrels, runs, directory) for wait in WAITS}


def _command(wait: str, qrels: Path, runs: list[Path], directory: Path) -> Command:
    given = iter(runs)
    words = [
        str(qrels)
        if word == "QRELS"
        else str(next(given))
        if word == "RUN"
        else word.replace("FILE", f"{directory}/made")
        for word in wait.split()
    ]
    return Command((str(BIN / "cranfield"), *words), prints=False)
