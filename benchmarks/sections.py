"""The parts of the report: each measures something and gives its table, and notes what the aims are about."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from benchmarks import in_memory
from benchmarks.peers import BIN, MEASURES, Tool, must_agree, tools
from benchmarks.timing import PATIENCE, REPEATS, Command, Cost, Timed, best, measured
from benchmarks.workloads import ADHOC, DEEP_LEARNING, PASSAGE, RECOMMENDER, Workload
from cranfield import Table

PLAIN = "cranfield, plain loops"
TINY = Workload("tiny", queries=1, depth=1, judged=1, largest_grade=1)
BYTES_PER_LINE = 50


@dataclass(frozen=True)
class Bench:
    """Where files go, how large everything is, and what was found so far."""

    directory: Path
    passage: Workload = PASSAGE
    adhoc: Workload = ADHOC
    deep_learning: Workload = DEEP_LEARNING
    recommender: Workload = RECOMMENDER
    recommender_in_memory: int = 100_000
    """Users of the recommender whose dictionaries every tool gets."""
    lines: tuple[int, ...] = (10**5, 10**6, 10**7)
    judgments: tuple[int, ...] = (1, 10, 100, 1000, 10_000)
    runs: tuple[int, ...] = (1, 2, 4, 8, 16, 32, 64)
    counted_lines: tuple[int, int] = (100_000, 1_100_000)
    """Sizes of run whose instructions are counted."""
    repeats: int = REPEATS
    patience: float = PATIENCE
    found: dict[str, float] = field(default_factory=dict)
    """What the aims are about, by name."""

    def best(self, commands: Mapping[str, Command], repeats: int | None = None) -> dict[str, Cost]:
        """What commands take, as often as here is usual."""
        return best(commands, repeats or self.repeats, self.patience)

    @cached_property
    def tools(self) -> dict[str, Tool]:
        """The tools that are here, warmed up: ranx has compiled itself before it is timed."""
        here = tools()
        files = self.passage.with_queries(min(in_memory.FEW, self.passage.queries)).write(self.directory)
        for tool in here.values():
            measured(tool.command(*files))
        return here

    @cached_property
    def start_up(self) -> dict[str, Cost]:
        """What each tool takes for one query with one document."""
        files = TINY.write(self.directory)
        return self.best({name: tool.command(*files) for name, tool in self.tools.items()}, repeats=3 * self.repeats)


def start_up(bench: Bench) -> str:
    """The smallest evaluation, beside merely importing NumPy."""
    cranfield = str(BIN / "cranfield")
    others = {
        "python -c 'import numpy'": Command((sys.executable, "-c", "import numpy")),
        "python -c 'import cranfield'": Command((sys.executable, "-c", "import cranfield")),
        "cranfield --help": Command((cranfield, "--help")),
    }
    costs = bench.best(others, repeats=3 * bench.repeats)
    costs |= {f"{name}, one document": cost for name, cost in bench.start_up.items()}
    numpy = costs["python -c 'import numpy'"]
    columns = _columns(costs)
    columns["× import numpy"] = [cost.wall / numpy.wall for cost in costs.values()]
    ours = bench.start_up["cranfield"]
    bench.found.update(
        {
            "start-up, processor": ours.processor / numpy.processor,
            "start-up, wall": ours.wall / numpy.wall,
        }
    )
    return Table(columns).markdown(3)


def passage(bench: Bench) -> str:
    """Many queries, few judgments: nearly all is reading."""
    return _from_files(bench, bench.passage, plain=True)


def adhoc(bench: Bench) -> str:
    """Many judgments."""
    return _from_files(bench, bench.adhoc)


def deep_learning(bench: Bench) -> str:
    """Few queries: nearly all is start-up."""
    return _from_files(bench, bench.deep_learning)


def gzipped(bench: Bench) -> str:
    """The passage run compressed, beside merely decompressing it."""
    qrels, run = bench.passage.write(bench.directory)
    subprocess.run(["gzip", "--force", str(run)], check=True)
    packed = run.with_name(run.name + ".gz")
    commands = {
        "gzip -dc": Command(("gzip", "-dc", str(packed)), prints=False),
        **{name: tool.command(qrels, packed) for name, tool in bench.tools.items() if tool.reads_gzip},
    }
    costs = bench.best(commands)
    _check(bench, costs)
    size = packed.stat().st_size
    packed.unlink()
    alone, ours = costs["gzip -dc"], costs["cranfield"]
    bench.found.update(
        {"gzipped, processor": ours.processor / alone.processor, "gzipped, wall": ours.wall / alone.wall}
    )
    columns = _columns(costs)
    columns["× gzip, wall"] = [cost.wall / alone.wall for cost in costs.values()]
    return f"{bench.passage}; {size / 1e6:,.0f} MB compressed.\n\n{Table(columns).markdown(2)}"


def dictionaries(bench: Bench) -> str:
    """Judgments and runs that are in memory already, in processor seconds."""
    users = min(bench.recommender_in_memory, bench.recommender.queries)
    parts = []
    for workload in (bench.passage, bench.adhoc, bench.deep_learning, bench.recommender.with_queries(users)):
        timed = in_memory.took(workload, repeats=bench.repeats, patience=bench.patience)
        ours = timed[f"cranfield, {in_memory.BEFORE}"]
        for name, other in timed.items():
            bench.found[f"{workload.name}, dictionaries, {name}"] = other.processor / ours.processor
        parts.append(f"### {workload.name}\n\n{workload}.\n\n{_calls(timed, ours).markdown(3)}")
    return (
        "`{query: {document: value}}`, with strings as ids, to scores of every query. *Judgments read before*: "
        "cranfield's `Judgments`, pytrec_eval's and ir_measures' evaluators, ranx's `Qrels` and `Run` exist already; "
        "else each is made as well.\n\n" + "\n\n".join(part.strip() for part in parts)
    )


def recommender(bench: Bench) -> str:
    """Very many short lists, with whole numbers as ids."""
    qrels, run = bench.recommender.write_parquet(bench.directory)
    tool = bench.tools["cranfield"]
    cost = bench.best({"cranfield": tool.command(qrels, run)})["cranfield"]
    for path in (qrels, run):
        path.unlink()
    timed = in_memory.took(bench.recommender, numbered=True, repeats=bench.repeats, patience=bench.patience)
    rows = bench.recommender.lines
    bench.found["recommender, million rows a second"] = rows / cost.wall / 1e6
    calls = {f"dictionaries: {name}": call for name, call in timed.items()}
    named: dict[str, Cost | Timed] = {"Parquet, whole process": cost, **calls}
    table = Table(
        {
            "from": list(named),
            "processor s": [each.processor for each in named.values()],
            "wall s": [each.wall for each in named.values()],
            "peak MB": [round(each.memory) if isinstance(each, Cost) else None for each in named.values()],
            "million rows a second": [rows / each.wall / 1e6 for each in named.values()],
            "runs": [each.runs for each in named.values()],
        }
    )
    shape = (
        f"{bench.recommender.queries:,} users × {bench.recommender.depth} items, {bench.recommender.judged} judgments"
    )
    return f"{shape} each; rows are those of the run, time is wall time.\n\n{table.markdown(2)}"


def growth(bench: Bench) -> str:
    """Whether time and memory grow with the lines, the judgments and the runs, and with nothing else."""
    by_lines = {lines: _grown(bench, Workload("grown", max(lines // 1000, 1), 1000, 1, 1)) for lines in bench.lines}
    by_judgments = {
        judged: _grown(bench, Workload("grown", bench.adhoc.queries, bench.adhoc.depth, judged, 2))
        for judged in bench.judgments
    }
    by_runs = _by_runs(bench)
    return "\n\n".join(
        f"### {what}\n\n{table.markdown(2).strip()}"
        for what, table in (
            ("Lines of a run, in queries of 1,000", _growth_table("lines", by_lines)),
            (f"Judgments a query, {bench.adhoc.queries:,} queries", _growth_table("judgments", by_judgments)),
            (f"Runs of {bench.adhoc.lines:,} lines, {bench.adhoc}", _growth_table("runs", by_runs)),
        )
    )


def instructions(bench: Bench) -> str:
    """What the processor does for a line of a run: two sizes, so that start-up cancels."""
    if not shutil.which("valgrind"):
        return "Not counted: there is no valgrind here."
    few, many = bench.counted_lines
    counts = {lines: _instructions(bench, lines) for lines in (few, many)}
    a_line = (counts[many] - counts[few]) / (many - few)
    bench.found["instructions a line"] = a_line
    table = Table(
        {"lines": [f"{lines:,}" for lines in counts], "million instructions": [c / 1e6 for c in counts.values()]}
    )
    return f"{table.markdown(1)}\nThat is **{a_line:,.0f} instructions a line**, by `valgrind --tool=callgrind`."


SECTIONS: dict[str, Callable[[Bench], str]] = {
    "start-up": start_up,
    "passage": passage,
    "adhoc": adhoc,
    "deep-learning": deep_learning,
    "gzipped": gzipped,
    "dictionaries": dictionaries,
    "recommender": recommender,
    "growth": growth,
    "instructions": instructions,
}


def _from_files(bench: Bench, workload: Workload, *, plain: bool = False) -> str:
    """Every tool from two files to five means, with and without what it takes to start."""
    qrels, run = workload.write(bench.directory)
    commands = {name: tool.command(qrels, run) for name, tool in bench.tools.items()}
    if plain:
        commands[PLAIN] = Command(commands["cranfield"].words, {"CRANFIELD_KERNELS": "plain"})
    costs = bench.best(commands)
    _check(bench, costs)
    size = run.stat().st_size
    run.unlink()
    ours = costs["cranfield"]
    started = {name: bench.start_up[name.partition(",")[0]] for name in costs}
    worked = {name: cost.processor - started[name].processor for name, cost in costs.items()}
    for name, cost in costs.items():
        bench.found.update(
            {
                f"{workload.name}, processor, {name}": cost.processor / ours.processor,
                f"{workload.name}, wall, {name}": cost.wall / ours.wall,
                f"{workload.name}, start-up excluded, {name}": worked[name] / worked["cranfield"],
            }
        )
    bench.found[f"{workload.name}, MB"] = ours.memory
    columns = _columns(costs)
    columns["× cranfield, processor"] = [cost.processor / ours.processor for cost in costs.values()]
    columns["× cranfield, wall"] = [cost.wall / ours.wall for cost in costs.values()]
    columns["start-up s"] = [cost.processor for cost in started.values()]
    columns["without it s"] = list(worked.values())
    columns["× cranfield, without"] = [each / worked["cranfield"] if each > 0 else None for each in worked.values()]
    return f"{workload}; {size / 1e6:,.0f} MB of run.\n\n{Table(columns).markdown(2)}"


def _check(bench: Bench, costs: Mapping[str, Cost]) -> None:
    """Every tool printed the means that cranfield printed."""
    means = {
        name: bench.tools[name.partition(",")[0]].means(cost.printed)
        for name, cost in costs.items()
        if name.partition(",")[0] in bench.tools
    }
    must_agree(means["cranfield"], means)


def _columns(costs: Mapping[str, Cost]) -> dict[str, list[str | int | float | None]]:
    return {
        "tool": list(costs),
        "processor s": [cost.processor for cost in costs.values()],
        "wall s": [cost.wall for cost in costs.values()],
        "peak MB": [round(cost.memory) for cost in costs.values()],
        "runs": [cost.runs for cost in costs.values()],
    }


def _calls(timed: Mapping[str, Timed], ours: Timed) -> Table:
    return Table(
        {
            "tool": list(timed),
            "processor s": [call.processor for call in timed.values()],
            "wall s": [call.wall for call in timed.values()],
            "runs": [call.runs for call in timed.values()],
            "× cranfield, processor": [call.processor / ours.processor for call in timed.values()],
        }
    )


def _grown(bench: Bench, workload: Workload) -> Cost | None:
    """What cranfield takes for a workload; nothing where the disk has no room for it."""
    lines = workload.lines + workload.queries * workload.judged
    if shutil.disk_usage(bench.directory).free < BYTES_PER_LINE * lines:
        return None
    qrels, run = workload.write(bench.directory)
    try:
        return bench.best({"cranfield": bench.tools["cranfield"].command(qrels, run)})["cranfield"]
    finally:
        qrels.unlink()
        run.unlink()


def _by_runs(bench: Bench) -> dict[int, Cost | None]:
    qrels, run = bench.adhoc.write(bench.directory)
    links = [bench.directory / f"{number}.run" for number in range(max(bench.runs))]
    for link in links:
        link.symlink_to(run)
    chosen = [word for measure in MEASURES for word in ("-m", measure)]

    def command(count: int) -> Command:
        return Command((str(BIN / "cranfield"), "evaluate", str(qrels), *map(str, links[:count]), *chosen, "--quiet"))

    costs = bench.best({str(count): command(count) for count in bench.runs})
    return {int(count): cost for count, cost in costs.items()}


def _growth_table(what: str, costs: Mapping[int, Cost | None]) -> Table:
    return Table(
        {
            what: [f"{number:,}" for number in costs],
            "processor s": [cost and cost.processor for cost in costs.values()],
            "wall s": [cost and cost.wall for cost in costs.values()],
            "peak MB": [round(cost.memory) if cost else "no room on the disk" for cost in costs.values()],
            "runs": [cost and cost.runs for cost in costs.values()],
        }
    )


def _instructions(bench: Bench, lines: int) -> int:
    files = Workload("counted", max(lines // 1000, 1), min(lines, 1000), 1, 1).write(bench.directory)
    evaluate = bench.tools["cranfield"].command(*files)
    # The command is a script; valgrind wants the program that runs it. Strings hash alike in both runs.
    words = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable, *evaluate.words)
    done = subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": "0"})
    return int(re.findall(r"Collected : (\d+)", done.stderr)[-1])
