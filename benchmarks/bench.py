"""Measures everything, prints it, and writes it to results.md next to this file if nothing was left out."""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
from datetime import date
from pathlib import Path

from benchmarks import aims
from benchmarks.judging_server import Attended
from benchmarks.peers import versions
from benchmarks.sections import LONG, SECTIONS, Bench
from benchmarks.timing import LONGEST, PATIENCE, REPEATS
from cranfield.kernels import are_compiled

RESULTS = Path(__file__).parent / "results.md"
METHOD = f"""\
Five measures: AP, nDCG@10, RR, P@10, R@1000. The data are made from a fixed seed, and no two scores of a query are
equal; every tool's means were compared with cranfield's before its time was taken to mean anything.

Tools take turns. The best of {REPEATS} runs counts, of {3 * REPEATS} for start-up, of {4 * REPEATS} calls in memory.
What took {PATIENCE:g} seconds together is not run once more, and what takes {LONGEST:g} is stopped (> {LONGEST:g});
the column *best of* says how often each was run. These are whole processes, unless said otherwise, with files that are
in the page cache. Processor time is that of all threads; peak memory is shown from 10 MB on. ranx has compiled itself
before it is timed, as far as it keeps what it compiles."""


def main() -> None:
    """Measure, print, write."""
    given = _arguments()
    # As a user has it: how many threads NumPy starts is part of what starting costs.
    os.environ.pop("OPENBLAS_NUM_THREADS", None)
    with tempfile.TemporaryDirectory(prefix="cranfield-bench-") as name:
        os.environ["NUMBA_CACHE_DIR"] = str(Path(name) / "numba")
        lines = tuple(10**exponent for exponent in range(5, given.largest + 1))
        attended = Attended(seconds=60 * given.minutes, kills=given.kills, store=given.store)
        text = report(Bench(Path(name), lines=lines, attended=attended), given.only)
    if set(given.only) == set(SECTIONS):
        RESULTS.write_text(text, encoding="utf-8")
        print(f"\nWritten to {RESULTS}.")


def report(bench: Bench, only: list[str]) -> str:
    """The whole report; each part is printed as soon as it is there."""
    parts = []
    for name in only:
        parts.append(f"## {name}\n\n{(SECTIONS | LONG)[name](bench).strip()}")
        print(f"\n{parts[-1]}", flush=True)
    summary = aims.table(bench.found).markdown().strip()
    print(f"\n{summary}", flush=True)
    return "\n\n".join(["# Benchmarks", f"{machine()}.", METHOD, summary, *parts]) + "\n"


def machine() -> str:
    """Where and with what this was measured."""
    loops = "compiled" if are_compiled() else "plain"
    parts = [
        f"{date.today()}",
        _processor(),
        f"{os.cpu_count()} cores",
        f"{platform.system()} {platform.machine()}",
        f"Python {platform.python_version()}",
        *(f"{name} {version}" for name, version in versions().items()),
        f"{loops} loops",
    ]
    return ", ".join(parts)


def _processor() -> str:
    known = Path("/proc/cpuinfo")
    lines = known.read_text().splitlines() if known.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or "unknown processor"


def _arguments() -> argparse.Namespace:
    def sections(text: str) -> list[str]:
        names = [name.strip() for name in text.split(",") if name.strip()] or list(SECTIONS)
        if unknown := set(names) - set(SECTIONS | LONG):
            known = ", ".join(SECTIONS | LONG)
            raise argparse.ArgumentTypeError(f"no section {', '.join(unknown)}; there are {known}")
        return names

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", type=sections, default=list(SECTIONS), help="sections, separated by commas")
    parser.add_argument("--largest", type=int, default=7, help="the longest run has 10 to the power of so many lines")
    parser.add_argument("--minutes", type=float, default=30, help="how long judges judge, of judging-server")
    parser.add_argument("--kills", type=int, default=1000, help="how often the server is killed there")
    parser.add_argument("--store", default="judging.db", help="where labels are kept there; postgresql://… too")
    return parser.parse_args()


if __name__ == "__main__":
    main()
