"""The tools that are compared, as commands from files to five means; those that are not installed are left out."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from benchmarks.timing import Command

MEASURES = ("AP", "nDCG@10", "RR", "P@10", "R@1000")
BIN = Path(sys.executable).parent

DIGITS = 1e-4
"""How far two tools' means may be apart: half of the last digit they print, twice."""

TREC_EVAL_NAMES = dict(zip(MEASURES, ("map", "ndcg_cut_10", "recip_rank", "P_10", "recall_1000"), strict=True))
RANX_NAMES = dict(zip(MEASURES, ("map", "ndcg@10", "mrr", "precision@10", "recall@1000"), strict=True))
OWN_NAMES = dict(zip(MEASURES, MEASURES, strict=True))

WITH_PYTREC_EVAL = f"""
import gzip, sys, pytrec_eval
opened = [gzip.open(path, "rt") if path.endswith(".gz") else open(path) for path in sys.argv[1:]]
qrels, run = pytrec_eval.parse_qrel(opened[0]), pytrec_eval.parse_run(opened[1])
names = {tuple(TREC_EVAL_NAMES.values())}
found = pytrec_eval.RelevanceEvaluator(qrels, set(names)).evaluate(run)
for name in names:
    print(name, pytrec_eval.compute_aggregated_measure(name, [of_query[name] for of_query in found.values()]))
"""
WITH_RANX = f"""
import sys, ranx
kinds = ["gz" if path.endswith(".gz") else "trec" for path in sys.argv[1:]]
qrels, run = ranx.Qrels.from_file(sys.argv[1], kind=kinds[0]), ranx.Run.from_file(sys.argv[2], kind=kinds[1])
for name, value in ranx.evaluate(qrels, run, {list(RANX_NAMES.values())}).items():
    print(name, value)
"""


class Tool(NamedTuple):
    """A tool, the command that evaluates a run with it, and what it calls the five measures."""

    command: Callable[[Path, Path], Command]
    names: Mapping[str, str]
    reads_gzip: bool
    package: str | None = None

    def means(self, printed: str) -> dict[str, float]:
        """The five means in what the tool printed: of each line that has a name, the first number after it."""
        lines = [line.split() for line in printed.splitlines()]
        return {
            measure: next(_first_number(words[words.index(name) + 1 :]) for words in lines if name in words)
            for measure, name in self.names.items()
        }


def tools() -> dict[str, Tool]:
    """All tools that are here, cranfield first."""
    every = {
        "cranfield": Tool(_cranfield, OWN_NAMES, reads_gzip=True, package="cranfield"),
        "trec_eval": Tool(_trec_eval, TREC_EVAL_NAMES, reads_gzip=False),
        "pytrec_eval": Tool(_python(WITH_PYTREC_EVAL), TREC_EVAL_NAMES, reads_gzip=True, package="pytrec_eval-terrier"),
        "ir_measures": Tool(_ir_measures, OWN_NAMES, reads_gzip=True, package="ir-measures"),
        "ranx": Tool(_python(WITH_RANX), RANX_NAMES, reads_gzip=True, package="ranx"),
    }
    return {name: tool for name, tool in every.items() if find_spec(name) or shutil.which(name)}


def without(package: str, command: Command) -> Command:
    """Cranfield's command as it runs where a package is not installed."""
    script = f"import sys; sys.modules[{package!r}] = None; from cranfield.cli import main; main()"
    return Command((sys.executable, "-c", script, *command.words[1:]), command.environment)


def versions() -> dict[str, str]:
    """Which versions of the tools, and of what they stand on, are here."""
    found = {name: metadata.version(tool.package) for name, tool in tools().items() if tool.package}
    found |= {
        name: metadata.version(name) for name in ("numpy", "scipy", "isal", "pyarrow", "numba") if find_spec(name)
    }
    if trec_eval := shutil.which("trec_eval"):
        told = subprocess.run([trec_eval, "--version"], capture_output=True, text=True, check=False)
        found["trec_eval"] = (told.stdout + told.stderr).strip().split()[-1]
    return found


def must_agree(ours: Mapping[str, float], theirs: Mapping[str, Mapping[str, float]]) -> None:
    """Stop where a tool computes something else: its time would mean nothing."""
    for tool, means in theirs.items():
        for measure, mean in ours.items():
            if not abs(means[measure] - mean) <= DIGITS:
                raise SystemExit(f"{tool} has {measure} {means[measure]}, cranfield {mean}: these are not the same.")


def _cranfield(qrels: Path, run: Path) -> Command:
    chosen = [word for measure in MEASURES for word in ("-m", measure)]
    printed = ("--quiet", "--format", "tsv", "--places", "6")
    return Command((str(BIN / "cranfield"), "evaluate", str(qrels), str(run), *chosen, *printed))


def _trec_eval(qrels: Path, run: Path) -> Command:
    chosen = [word for name in ("map", "ndcg_cut.10", "recip_rank", "P.10", "recall.1000") for word in ("-m", name)]
    return Command(("trec_eval", "-c", *chosen, str(qrels), str(run)))


def _ir_measures(qrels: Path, run: Path) -> Command:
    return Command((str(BIN / "ir_measures"), str(qrels), str(run), " ".join(MEASURES)))


def _python(script: str) -> Callable[[Path, Path], Command]:
    return lambda qrels, run: Command((sys.executable, "-c", script, str(qrels), str(run)))


def _first_number(words: list[str]) -> float:
    for word in words:
        with suppress(ValueError):
            return float(word)
    raise SystemExit(f"There is no number among {words}.")
