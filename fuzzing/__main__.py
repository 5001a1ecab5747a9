"""Tries damaged and odd inputs on everything that reads: `make fuzz`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType

from fuzzing.attempt import Problem, attempt
from fuzzing.rounds import Tally, tried, write
from fuzzing.targets import TARGETS, Target

FINDINGS = Path("fuzz-findings")


def main(arguments: Sequence[str] | None = None) -> int:
    """Try inputs, print what was tried and found, and exit with 1 if anything was found."""
    given = _arguments(arguments)
    if given.replay is not None:
        return _replay(given.replay)
    targets = _chosen(given.only)
    load_everything()
    seed = int(time.time()) if given.seed is None else given.seed
    print(
        f"Trying {', '.join(target.name for target in targets)} for {given.seconds:g} seconds with SEED={seed}.",
        flush=True,
    )
    tallies = tried(targets, seed, given.seconds, given.processes, partial(_write_finding, given.findings))
    _print_findings(tallies, given.findings)
    print(speeds(tallies))
    print(summary(tallies))
    return int(any(tally.problems for tally in tallies.values()))


def speeds(tallies: Mapping[str, Tally]) -> str:
    """How many inputs one process tried in a second."""
    rates = (f"{name} {tally.inputs / max(tally.seconds, 1e-9):,.0f}" for name, tally in tallies.items())
    return f"Inputs a second and process: {', '.join(rates)}."


def summary(tallies: Mapping[str, Tally]) -> str:
    """How many inputs of each kind were tried, and how many findings there were."""
    tried = ", ".join(f"{name} {tally.inputs:,}" for name, tally in tallies.items())
    found = sum(len(tally.problems) for tally in tallies.values())
    total = sum(tally.inputs for tally in tallies.values())
    return f"{total:,} inputs ({tried}); {found} finding{'s' * (found != 1)}."


def load_everything() -> list[ModuleType]:
    """Import whatever a target could need, so that no process has to."""
    from functools import cache
    from importlib import import_module, metadata
    from pkgutil import walk_packages

    import cranfield

    modules = (module.name for module in walk_packages(cranfield.__path__, "cranfield."))
    names = [name for name in modules if name.split(".")[1] != "testing"]
    others = (
        "pyarrow.parquet",
        "pyarrow.feather",
        "pandas",
        "zstandard",
        "isal.igzip",
        "scipy.special",
        "scipy.optimize",
    )
    loaded = [import_module(name) for name in (*names, *others)]
    # What is installed stays as it is; looking for it at every unknown name would take most of the time.
    vars(metadata)["entry_points"] = cache(metadata.entry_points)
    return loaded


def _write_finding(folder: Path, tally: Tally, kind: str) -> None:
    """Write the input of a finding as soon as it is met, and name it when it is the first of its kind."""
    problem, case = tally.problems[kind]
    place = _place(folder, tally, problem)
    place.mkdir(parents=True, exist_ok=True)
    write(case, place)
    if tally.times[kind] == 1:
        print(f"{problem.target}: {kind} (in {place})", flush=True)


def _place(folder: Path, tally: Tally, problem: Problem) -> Path:
    return folder / f"{problem.target}-{list(tally.problems).index(problem.kind) + 1}"


def _print_findings(tallies: Mapping[str, Tally], folder: Path) -> None:
    for tally in tallies.values():
        for kind, (problem, _) in tally.problems.items():
            place = _place(folder, tally, problem)
            print(f"\n{problem}\n({tally.times[kind]} inputs; one is in {place}: make fuzz REPLAY={place})", flush=True)


def _replay(folder: Path) -> int:
    """Try the input of a folder again."""
    import tempfile

    name = folder.name.rpartition("-")[0] or folder.name
    target = _chosen(name)[0]
    with tempfile.TemporaryDirectory() as copy:  # a target may write files of its own
        write({path.name: path.read_bytes() for path in folder.iterdir()}, Path(copy))
        problem = attempt(target.name, target.call, Path(copy))
    print(problem or f"{target.name}: nothing is wrong with {folder}")
    return int(problem is not None)


def _chosen(only: str) -> Sequence[Target]:
    names = [name for name in only.replace(",", " ").split() if name]
    known = {target.name: target for target in TARGETS}
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"There is no target {unknown[0]!r}. Choose from {', '.join(known)}.")
    return [known[name] for name in names] or list(TARGETS)


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzzing", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long to try inputs")
    parser.add_argument("--seed", type=int, default=None, help="random seed; by default the time")
    parser.add_argument("--only", default="", help="targets to try, separated by commas")
    parser.add_argument("--processes", type=int, default=2, help="processes that try inputs at the same time")
    parser.add_argument(
        "--findings", type=Path, default=FINDINGS, help="folder to which inputs of findings are written"
    )
    parser.add_argument("--replay", type=Path, default=None, help="try the input of a folder again")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
