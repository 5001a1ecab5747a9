"""Speed and memory of cranfield beside its peers, each a whole process from files to five measures.

Tools alternate; the best of several runs counts. Written to results.md beside this file.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path
from typing import NamedTuple

from workloads import WORKLOADS

from cranfield import Table

HERE = Path(__file__).parent
REPEATS = 3
BIN = Path(sys.executable).parent

PYTREC_EVAL = """
import sys, pytrec_eval
with open(sys.argv[1]) as f: qrels = pytrec_eval.parse_qrel(f)
with open(sys.argv[2]) as f: run = pytrec_eval.parse_run(f)
names = ("map", "ndcg_cut_10", "recip_rank", "P_10", "recall_1000")
found = pytrec_eval.RelevanceEvaluator(qrels, set(names)).evaluate(run)
for name in names:
    print(name, pytrec_eval.compute_aggregated_measure(name, [q[name] for q in found.values()]))
"""


class Cost(NamedTuple):
    """What one process took."""

    processor: float
    wall: float
    memory: float


def tools(qrels: Path, run: Path) -> dict[str, list[str]]:
    """The command line of each tool that is here."""
    measures = ["AP", "nDCG@10", "RR", "P@10", "R@1000"]
    chosen = [part for measure in measures for part in ("-m", measure)]
    commands = {
        "cranfield": [str(BIN / "cranfield"), "evaluate", str(qrels), str(run), *chosen, "--quiet"],
        "pytrec_eval": [sys.executable, "-c", PYTREC_EVAL, str(qrels), str(run)],
        "ir_measures": [str(BIN / "ir_measures"), str(qrels), str(run), " ".join(measures)],
    }
    if trec_eval := shutil.which("trec_eval"):
        official = ["-m", "map", "-m", "ndcg_cut.10", "-m", "recip_rank", "-m", "P.10", "-m", "recall.1000"]
        commands["trec_eval"] = [trec_eval, "-c", *official, str(qrels), str(run)]
    return commands


def measured(command: list[str]) -> Cost:
    """Processor and wall time in seconds and peak memory in MB of a process."""
    start = os.times().elapsed
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    process.returncode = 0
    return Cost(usage.ru_utime + usage.ru_stime, os.times().elapsed - start, usage.ru_maxrss / 1024)


def best(commands: dict[str, list[str]], repeats: int = REPEATS) -> dict[str, Cost]:
    """The cheapest of several runs of each command, taking turns."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(repeats):
        for name, command in commands.items():
            costs[name].append(measured(command))
    return {name: Cost(*map(min, zip(*found, strict=True))) for name, found in costs.items()}


def table_of(costs: dict[str, Cost], reference: str) -> Table:
    """A row per tool, with its processor time as a multiple of the reference's."""
    return Table(
        {
            "tool": list(costs),
            "processor s": [cost.processor for cost in costs.values()],
            "wall s": [cost.wall for cost in costs.values()],
            "peak MB": [round(cost.memory) for cost in costs.values()],
            f"× {reference}": [cost.processor / costs[reference].processor for cost in costs.values()],
        }
    )


def start_up(directory: Path) -> Table:
    """The smallest evaluation, beside merely importing NumPy."""
    qrels, run = directory / "tiny.qrels", directory / "tiny.run"
    qrels.write_text("q1 0 d1 1\n")
    run.write_text("q1 Q0 d1 1 0.5 tiny\n")
    commands = {
        "python -c 'import numpy'": [sys.executable, "-c", "import numpy"],
        "cranfield --help": [str(BIN / "cranfield"), "--help"],
        "cranfield evaluate": [str(BIN / "cranfield"), "evaluate", str(qrels), str(run), "--quiet"],
        "ir_measures": [str(BIN / "ir_measures"), str(qrels), str(run), "nDCG@10 AP RR"],
    }
    return table_of(best(commands, repeats=15), "python -c 'import numpy'")


def main() -> None:
    """Run everything, print it, write it down."""
    machine = f"{date.today()}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    parts = [f"# Benchmarks\n\n{machine}; best of {REPEATS}, whole processes, from files to five measures."]
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        parts.append(f"## Start-up\n\n{start_up(directory).markdown(3)}")
        print(parts[-1])
        for load in WORKLOADS:
            shape = f"{load.queries:,} queries × {load.depth:,} documents, {load.judged:,} judgments a query"
            costs = best(tools(*load.write(directory)))
            parts.append(f"## {load.name}: {shape}\n\n{table_of(costs, 'cranfield').markdown(2)}")
            print(parts[-1])
    (HERE / "results.md").write_text("\n\n".join(part.strip() for part in parts) + "\n")


if __name__ == "__main__":
    main()
