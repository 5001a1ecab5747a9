"""The parts of the report: each measures something and gives its table, and notes what the aims are about."""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from benchmarks import clicking, comparing, fusing, in_memory, judging, labelling, reporting, sizes
from benchmarks import judging_server as served_judging
from benchmarks.clicking import Clicked
from benchmarks.comparing import MANY_RUNS, Compared
from benchmarks.fusing import Fused
from benchmarks.judging import Collected
from benchmarks.judging_server import Attended
from benchmarks.labelling import MILLION_LABELS, Labelled
from benchmarks.peers import BIN, MEASURES, Tool, must_agree, tools, without
from benchmarks.reporting import Reported
from benchmarks.timing import PATIENCE, REPEATS, Command, Cost, Timed, best, best_calls, measured
from benchmarks.workloads import ADHOC, DEEP_LEARNING, FEWER_USERS, PASSAGE, RECOMMENDER, SCATTERED, Workload
from cranfield import Table
from cranfield.show.table import Cell

PLAIN = "cranfield, plain loops"
WITHOUT_ISAL = "cranfield, without isal"
TINY = Workload("tiny", queries=1, depth=1, judged=1, largest_grade=1)
BYTES_PER_LINE = 50


@dataclass(frozen=True)
class Bench:
    """Where files go, how large everything is, and what was found so far."""

    directory: Path
    passage: Workload = PASSAGE
    adhoc: Workload = ADHOC
    deep_learning: Workload = DEEP_LEARNING
    scattered: tuple[Workload, ...] = SCATTERED
    recommender: Workload = RECOMMENDER
    fewer_users: Workload = FEWER_USERS
    lines: tuple[int, ...] = (10**5, 10**6, 10**7)
    judgments: tuple[int, ...] = (1, 10, 100, 1000, 10_000)
    runs: tuple[int, ...] = (1, 2, 4, 8, 16, 32, 64)
    compared: Compared = MANY_RUNS
    labelled: Labelled = MILLION_LABELS
    clicked: Clicked = clicking.MANY
    fused: Fused = fusing.SOME
    on_spark: int = 10_000_000
    """Rows of the run that is evaluated on a cluster."""
    reported: Reported = reporting.TEN
    large: Reported = sizes.LARGE
    collected: Collected = judging.MILLION
    attended: Attended = field(default_factory=Attended)
    counted_lines: tuple[int, int] = (100_000, 1_100_000)
    """Sizes of run whose instructions are counted."""
    repeats: int = REPEATS
    patience: float = PATIENCE
    found: dict[str, float] = field(default_factory=dict)
    """What the aims are about, by name."""

    def best(self, commands: Mapping[str, Command], repeats: int | None = None) -> dict[str, Cost]:
        """What commands take, as often as here is usual."""
        return best(commands, repeats or self.repeats, self.patience)

    def calls(self, workload: Workload, *, alone: bool = False, numbered: bool = False) -> dict[str, Timed]:
        """What evaluating dictionaries takes; more often than is usual, since most calls are short."""
        return in_memory.took(workload, 4 * self.repeats, self.patience, alone=alone, numbered=numbered)

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
    """The smallest evaluation, compared with merely importing NumPy."""
    cranfield = str(BIN / "cranfield")
    others = {
        "python -c 'import numpy'": Command((sys.executable, "-c", "import numpy")),
        "python -c 'import cranfield'": Command((sys.executable, "-c", "import cranfield")),
        "cranfield --help": Command((cranfield, "--help")),
    }
    costs = bench.best(others, repeats=3 * bench.repeats)
    costs |= {f"{name}, one document": cost for name, cost in bench.start_up.items()}
    numpy = costs["python -c 'import numpy'"]
    columns = cost_columns(costs)
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
    """The passage run compressed, compared with merely decompressing it."""
    qrels, run = bench.passage.write(bench.directory)
    subprocess.run(["gzip", "--force", str(run)], check=True)
    packed = run.with_name(run.name + ".gz")
    commands = {name: tool.command(qrels, packed) for name, tool in bench.tools.items() if tool.reads_gzip}
    commands[WITHOUT_ISAL] = without("isal", commands["cranfield"])
    commands["gzip -dc"] = Command(("gzip", "-dc", str(packed)), prints=False)
    costs = bench.best(commands)
    _check(bench, costs)
    size = packed.stat().st_size
    packed.unlink()
    alone = costs["gzip -dc"]
    for name, cost in costs.items():
        bench.found[f"gzipped, wall, {name}"] = cost.wall / alone.wall
        bench.found[f"gzipped, processor, {name}"] = cost.processor / alone.processor
    columns = cost_columns(costs)
    columns["× gzip, processor"] = [cost.processor / alone.processor for cost in costs.values()]
    columns["× gzip, wall"] = [cost.wall / alone.wall for cost in costs.values()]
    return f"{bench.passage}; {size / 1e6:,.0f} MB compressed.\n\n{Table(columns).markdown(2)}"


def scattered(bench: Bench) -> str:
    """Runs whose lines come in any order, compared with the same runs in order."""
    rows: dict[str, Cost] = {}
    for workload in bench.scattered:
        in_order = bench.best({"cranfield": bench.tools["cranfield"].command(*workload.write(bench.directory))})
        files = workload.write_shuffled(bench.directory)
        costs = bench.best({name: tool.command(*files) for name, tool in bench.tools.items()})
        _check(bench, costs)
        for path in files:
            path.unlink()
        rows |= {f"{workload}: cranfield, lines in order": in_order["cranfield"]}
        rows |= {f"{workload}: {name}": cost for name, cost in costs.items()}
        slowest = max(bench.found.get("scattered, seconds", 0), costs["cranfield"].processor)
        bench.found["scattered, seconds"] = slowest
    return Table(cost_columns(rows)).markdown(2)


def dictionaries(bench: Bench) -> str:
    """Judgments and runs that are in memory already, in processor seconds."""
    parts = []
    for workload in (bench.passage, bench.adhoc, bench.deep_learning, bench.fewer_users):
        timed = bench.calls(workload)
        beside = {name: timed[_like(name)].processor for name in timed}
        for name, call in timed.items():
            bench.found[f"{workload.name}, dictionaries, {name}"] = call.processor / beside[name]
        columns = cost_columns(timed)
        columns["× cranfield, processor"] = [call.processor / beside[name] for name, call in timed.items()]
        parts.append(f"### {workload.name}\n\n{workload}.\n\n{Table(columns).markdown(3)}")
    told = (
        "`{query: {document: value}}`, with strings as ids, to scores of every query. *Judgments read before*: "
        "cranfield's `Judgments`, pytrec_eval's and ir_measures' evaluators, ranx's `Qrels` and `Run` exist already; "
        "else each is made as well, and compared with cranfield that reads its judgments, too. "
        f"The recommender has {bench.fewer_users.queries:,} users here: with all, some tools would take minutes."
    )
    return "\n\n".join([told, *(part.strip() for part in parts)])


def recommender(bench: Bench) -> str:
    """Very many short lists."""
    every, some = bench.recommender, bench.fewer_users
    qrels, run = every.write_parquet(bench.directory)
    whole = bench.best({"cranfield": bench.tools["cranfield"].command(qrels, run)})["cranfield"]
    for path in (qrels, run):
        path.unlink()
    bench.found["recommender, million rows a second"] = every.lines / whole.wall / 1e6
    rows: list[tuple[str, Workload, Cost | Timed]] = [("Parquet, whole numbers as ids, whole process", every, whole)]
    for ids, workload in (("strings", every), ("whole numbers", some)):
        timed = bench.calls(workload, alone=True, numbered=ids == "whole numbers")
        rows += [(f"dictionaries, {ids} as ids: {name}", workload, call) for name, call in timed.items()]
    columns = cost_columns({name: cost for name, _, cost in rows})
    columns["users"] = [f"{workload.queries:,}" for _, workload, _ in rows]
    columns["million rows a second"] = [workload.lines / cost.wall / 1e6 for _, workload, cost in rows]
    shape = f"{every.depth} items and {every.judged} judgments a user"
    return f"{shape}; rows are those of the run, by wall time.\n\n{Table(columns).markdown(2)}"


def growth(bench: Bench) -> str:
    """Whether time and memory grow with the lines, the judgments and the runs, and with nothing else."""
    by_lines = {lines: _grown(bench, Workload("grown", max(lines // 1000, 1), 1000, 1, 1)) for lines in bench.lines}
    by_judgments = {
        judged: _grown(bench, Workload("grown", bench.adhoc.queries, bench.adhoc.depth, judged, 2))
        for judged in bench.judgments
    }
    by_runs = _by_runs(bench)
    by_rows = {
        scattered: {rows: _grown_table(bench, rows, scattered=scattered) for rows in bench.lines}
        for scattered in (False, True)
    }
    return "\n\n".join(
        f"### {what}\n\n{table.markdown(2).strip()}"
        for what, table in (
            ("Lines of a run, in queries of 1,000", _growth_table("lines", by_lines)),
            ("Rows of a run in Parquet with texts as ids, in queries of 1,000", _growth_table("rows", by_rows[False])),
            ("The same where every next row is of another query", _growth_table("rows", by_rows[True])),
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


def comparison(bench: Bench) -> str:
    """Every two of many runs, next to SciPy's permutation test, which is called for one pair and multiplied."""
    timed = comparing.took(bench.compared, bench.repeats, bench.patience)
    one = timed["scipy, one of them"]
    every = Timed(one.processor * bench.compared.tests, one.wall * bench.compared.tests, 0, None)
    costs = {**timed, "scipy, all of them, extrapolated": every}
    whole = timed["cranfield, the whole comparison"]
    bench.found["comparison, seconds"] = whole.processor
    bench.found["comparison, scipy"] = every.processor / whole.processor
    columns = cost_columns(costs)
    columns["best of"] = [cost.runs or None for cost in costs.values()]
    columns["× cranfield, processor"] = [cost.processor / whole.processor for cost in costs.values()]
    told = (
        "`cf.compare(scores, all_pairs=True)` with its intervals, effect sizes, groups and ranks, and the "
        "randomization tests alone; `scipy.stats.permutation_test`, vectorised, for one pair under one measure, "
        "multiplied by the number of tests. Both find the same p, but for chance."
    )
    return f"{bench.compared}. {told}\n\n{Table(columns).markdown(2)}"


def clicks(bench: Bench) -> str:
    """Click models, fitted to a log that was read before."""
    took = clicking.took(bench.clicked, bench.directory)
    bench.found["clicks, slowest, seconds"] = max(cost.wall for cost in took.values())
    bench.found.update({f"clicks, {what}, seconds": cost.processor for what, cost in took.items()})
    bench.found["clicks, MB"] = max(cost.memory for cost in took.values())
    columns: dict[str, list[Cell]] = {
        "what": list(took),
        "processor s": [cost.processor for cost in took.values()],
        "wall s": [cost.wall for cost in took.values()],
        "peak MB": [round(cost.memory) for cost in took.values()],
    }
    told = "Files of each layout are read, and each model fitted with its usual choices to the first; once each."
    pairs = clicking.beside(bench.clicked, bench.directory)
    compared: dict[str, list[Cell]] = {
        "model": list(pairs),
        "cranfield, processor s": [own for own, _ in pairs.values()],
        "PyClick, processor s": [other for _, other in pairs.values()],
    }
    peer = f"{bench.clicked.few:,} impressions, fitted with PyClick's choices; empty where PyClick is not importable."
    return f"{bench.clicked}. {told}\n\n{Table(columns).markdown(1)}\n\n{peer}\n\n{Table(compared).markdown(4)}"


def labels(bench: Bench) -> str:
    """Judgments by subtopic, and agreement of few and of many judges."""
    timed = labelling.took(bench.labelled, bench.directory, bench.repeats, bench.patience)
    read, few, many, *_ = timed.values()
    bench.found["judgments by subtopic, seconds"] = read.processor
    bench.found["agree, seconds"] = max(few.processor, many.processor)
    return f"{bench.labelled}.\n\n{Table(cost_columns(timed)).markdown(2)}"


def fusion(bench: Bench) -> str:
    """Runs fused, from files to a file."""
    timed = fusing.commands(bench.fused, bench.directory)
    for command in fusing.commands(fusing.Fused(2, 2, 5, 10), bench.directory / "few").values():
        measured(command)  # ranx compiles itself
    costs = bench.best(timed)
    columns = cost_columns(costs)
    ours = {name: costs[f"cranfield, {name.partition(', ')[2]}"].processor for name in costs}
    columns["× cranfield, processor"] = [cost.processor / ours[name] for name, cost in costs.items()]
    for name, cost in costs.items():
        tool, method = name.split(", ")
        bench.found[f"fusion, {method}, processor, {tool}"] = cost.processor / ours[name]
    bench.found["fusion, MB"] = max(cost.memory for name, cost in costs.items() if name.startswith("cranfield"))
    warm = _fused_warm(bench)
    return f"{bench.fused}.\n\n{Table(columns).markdown(2)}\n\n{warm}"


def _fused_warm(bench: Bench) -> str:
    """The same within one process that has done it before; and a search among a thousand settings."""
    for function in fusing.calls(fusing.Fused(2, 2, 5, 10), bench.directory / "few").values():
        function()  # ranx compiles itself
    timed = best_calls(fusing.calls(bench.fused, bench.directory), bench.repeats, bench.patience)
    for name, own in timed.items():
        tool, method, what = name.split(", ")
        bench.found[f"fusion warm, {method}, {what}, {tool}"] = (
            own.processor / timed[f"cranfield, {method}, {what}"].processor
        )
    for what in ("files", "memory"):
        names = [f"fusion warm, {method}, {what}, ranx" for method in fusing.METHODS]
        if found := [bench.found[name] for name in names if name in bench.found]:
            bench.found[f"fusion warm, {what}, least, ranx"] = min(found)
    tuned = best_calls({"cranfield, fuse tune": fusing.tuning(bench.fused, bench.directory)}, 1)
    bench.found["fusion, tuning, seconds"] = tuned["cranfield, fuse tune"].processor
    told = "Warm, in one process: from files to a file, and from dictionaries to dictionaries. Tuned: 1,089 settings."
    return f"{told}\n\n{Table(cost_columns({**timed, **tuned})).markdown(2)}"


def report(bench: Bench) -> str:
    """The page about several runs, and what it takes beyond evaluating them."""
    page = bench.directory / "report.html"
    costs = bench.best(reporting.commands(bench.reported, bench.directory, page))
    beyond = costs[reporting.REPORTED].processor - costs[reporting.EVALUATED].processor
    bench.found["report, seconds beyond evaluation"] = beyond
    bench.found["report, MB"] = page.stat().st_size / 1e6
    return f"{bench.reported}; the page has {page.stat().st_size:,} bytes.\n\n{Table(cost_columns(costs)).markdown(2)}"


def waits(bench: Bench) -> str:
    """What each command takes where runs are large."""
    costs = bench.best(sizes.commands(bench.large, bench.directory), repeats=1)
    columns = {"cranfield" if name == "tool" else name: cells for name, cells in cost_columns(costs).items()}
    return f"{bench.large}. Once each.\n\n{Table(columns).markdown(1)}"


def judged(bench: Bench) -> str:
    """A large judging project: made from files, opened, and labels given in it."""
    judging.write(bench.collected, bench.directory)
    made, served = (measured(judging.command(step, bench.directory)) for step in ("import", "serve"))
    numbers = {**json.loads(made.printed), **json.loads(served.printed)}
    (bench.directory / "judging.db").unlink()
    bench.found.update(
        {
            "judging, import, seconds": numbers["seconds"],
            "judging, start, seconds": numbers["start"],
            "judging, next, ms": numbers["next, p99 ms"],
            "judging, labels a second": numbers["labels a second"],
            "judging, MB": max(made.memory, served.memory),
        }
    )
    columns: dict[str, list[Cell]] = {
        "what": ["import", "start", "next item, median", "next item, 99 of 100", "durable labels, 8 judges at once"],
        "found": [
            f"{numbers['seconds']:.1f} s ({made.processor:.1f} s of processor time), {made.memory:.0f} MB of memory",
            f"{numbers['start']:.1f} s, {served.memory:.0f} MB of memory",
            f"{numbers['next, median ms']:.2f} ms",
            f"{numbers['next, p99 ms']:.2f} ms",
            f"{numbers['labels a second']:.0f} a second",
        ],
    }
    size = f"{numbers['MB on disk']:,.0f} MB on disk"
    return f"{bench.collected}; {size}, in SQLite. Once each.\n\n{Table(columns).markdown()}"


def judging_server(bench: Bench) -> str:
    """The server as judges meet it; half an hour, and an hour for the kills."""
    many = bench.attended
    folders = [bench.directory / name for name in ("first", "keys", "many", "peak", "kill")]
    for folder in folders:
        folder.mkdir()
    for folder in folders[2:]:
        judging.write(many.collected, folder)
    first = served_judging.first_label(folders[0])
    painted = served_judging.key_to_next(folders[1], many.keys)
    usual = served_judging.summary(served_judging.attended(folders[2], many, served_judging.thinking, many.seconds))
    peak = served_judging.summary(served_judging.attended(folders[3], many, lambda: 0.0, many.peak_seconds))
    kills = served_judging.killed(folders[4], many)
    key = served_judging.percentile(painted, 0.95)
    bench.found.update(
        {
            "judging, first label, seconds": first,
            "judging, key to next, ms": key,
            "judging, p95 ms": usual["p95 ms"],
            "judging, p99 ms": usual["p99 ms"],
            "judging, errors": usual["errors"] + peak["errors"] + kills.refused,
            f"judging, peak{'' if many.where == 'in SQLite' else f' {many.where}'}": peak["labels a second"],
            "judging, lost": usual["lost"] + peak["lost"] + kills.lost + kills.duplicates + kills.unsound,
            "judging, restart": kills.slowest_start,
        }
    )
    back = (
        f"back after {statistics.median(kills.starts):.1f} s, {kills.slowest_start:.1f} s at most"
        if kills.starts
        else ""
    )
    columns: dict[str, list[Cell]] = {
        "what": [
            "command to first saved label, in Chromium",
            f"key to next document painted, p95 of {len(painted)}, network {served_judging.LATENCY} ms",
            f"{many.judges} judges, a label a second each",
            "what the manager did meanwhile",
            f"as fast as they can, for {many.peak_seconds:g} s",
            f"killed {kills.kills:,} times under 20 judges, in {kills.seconds / 60:.0f} minutes",
        ],
        "found": [
            f"{first:.1f} s",
            f"{key:.0f} ms",
            _served(usual),
            f"{usual['exports']} exports to {usual['exported']:,} labels, the slowest {usual['slowest export']:.1f} s;"
            f" the comparison of {usual['effect of']:,} labels",
            f"{peak['labels a second']:.0f} durable labels a second; {_served(peak)}",
            f"{kills.acknowledged:,} acknowledged, {kills.resent:,} sent again, {kills.lost} lost, "
            f"{kills.duplicates} twice, {kills.unsound} unsound, {kills.refused} refused; {back}",
        ],
    }
    return f"{many}; {many.where}.\n\n{Table(columns).markdown()}"


def _served(met: Mapping[str, float]) -> str:
    times = ", ".join(f"{share} {met[f'{share} ms']:.0f} ms" for share in ("p50", "p95", "p99", "largest"))
    return f"{times}; {met['labels']:,} labels, {met['errors']} errors, {met['lost']} lost"


SECTIONS: dict[str, Callable[[Bench], str]] = {
    "start-up": start_up,
    "passage": passage,
    "adhoc": adhoc,
    "deep-learning": deep_learning,
    "gzipped": gzipped,
    "scattered": scattered,
    "dictionaries": dictionaries,
    "recommender": recommender,
    "growth": growth,
    "instructions": instructions,
    "comparison": comparison,
    "labels": labels,
    "clicks": clicks,
    "fusion": fusion,
    "report": report,
    "sizes": waits,
    "judging": judged,
}


def spark(bench: Bench) -> str:
    """A cluster on this machine, next to a pass that only counts rows, to Spark's own measures and to one machine."""
    words = (sys.executable, "-m", "benchmarks.on_spark", str(bench.directory / "spark"), str(bench.on_spark), "2")
    printed = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout
    costs = json.loads(printed.splitlines()[-1])
    counted = costs["rows counted in Python"][0]
    bench.found["Spark, data frames, × rows counted"] = costs["data frames"][0] / counted
    bench.found["Spark, Parquet folders, × one machine"] = (
        costs["Parquet folders"][0] / costs["cranfield, one machine"][0]
    )
    columns: dict[str, list[Cell]] = {
        "what": list(costs),
        "processor s": [processor for processor, _ in costs.values()],
        "wall s": [wall for _, wall in costs.values()],
        "× rows counted": [processor / counted for processor, _ in costs.values()],
    }
    return (
        f"{bench.on_spark:,} rows of a run, 1,000 documents and 20 judgments for each query, in Parquet; "
        f"local-cluster[2,1,1024]. The best of 2 after the first, of all processes.\n\n{Table(columns).markdown(2)}"
    )


LONG: dict[str, Callable[[Bench], str]] = {"judging-server": judging_server, "spark": spark}
"""Measured only where they are asked for."""


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
    columns = cost_columns(costs)
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
        if name.partition(",")[0] in bench.tools and cost.finished
    }
    must_agree(means["cranfield"], means)


def _like(name: str) -> str:
    """Cranfield's way of evaluating dictionaries that a tool's is compared with."""
    return f"cranfield, {in_memory.BEFORE}" if in_memory.BEFORE in name else "cranfield"


def cost_columns(costs: Mapping[str, Cost | Timed]) -> dict[str, list[Cell]]:
    """What each tool took, as columns of a table."""
    memory = [round(cost.memory) if isinstance(cost, Cost) else None for cost in costs.values()]
    return {
        "tool": list(costs),
        "processor s": [_seconds(cost, cost.processor) for cost in costs.values()],
        "wall s": [_seconds(cost, cost.wall) for cost in costs.values()],
        **({"peak MB": list(memory)} if any(memory) else {}),
        "best of": [cost.runs for cost in costs.values()],
    }


def _seconds(cost: Cost | Timed, seconds: float) -> Cell:
    return f"> {seconds:.0f}" if isinstance(cost, Cost) and not cost.finished else seconds


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


def _grown_table(bench: Bench, rows: int, *, scattered: bool) -> Cost | None:
    """The same for a run in Parquet."""
    if shutil.disk_usage(bench.directory).free < BYTES_PER_LINE * rows * (2 if scattered else 1):
        return None  # scattered rows are sorted in a temporary file
    files = Workload("grown", max(rows // 1000, 1), 1000, 1, 1).write_tables(bench.directory, scattered=scattered)
    try:
        return bench.best({"cranfield": bench.tools["cranfield"].command(*files)})["cranfield"]
    finally:
        for file in files:
            file.unlink()


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
            "best of": [cost and cost.runs for cost in costs.values()],
        }
    )


def _instructions(bench: Bench, lines: int) -> int:
    files = Workload("counted", max(lines // 1000, 1), min(lines, 1000), 1, 1).write(bench.directory)
    evaluate = bench.tools["cranfield"].command(*files)
    # The command is a script; valgrind wants the program that runs it. Strings hash alike in both runs.
    words = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable, *evaluate.words)
    done = subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": "0"})
    return int(re.findall(r"Collected : (\d+)", done.stderr)[-1])
