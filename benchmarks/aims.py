"""What was aimed at, and whether it was met."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from benchmarks.clicking import LAYOUTS
from benchmarks.in_memory import BEFORE
from benchmarks.sections import PLAIN, WITHOUT_ISAL
from cranfield import Table


class Aim(NamedTuple):
    """A number that should be at least, or at most, so large."""

    what: str
    found: str
    """Its name among what the sections found."""
    least: float | None = None
    most: float | None = None
    unit: str = "×"
    beside: str | None = None
    """What the number is divided by, if not by cranfield's own."""

    def row(self, found: Mapping[str, float]) -> tuple[str, str, str, str]:
        """What was aimed at, how much, what was found, and the verdict."""
        bound = f"≥ {self.least:g}" if self.least is not None else f"≤ {self.most:g}"
        if self.found not in found:
            return self.what, f"{bound} {self.unit}", "", "not measured"
        number = found[self.found] / (found[self.beside] if self.beside else 1)
        met = number >= self.least if self.least is not None else number <= (self.most or 0)
        return self.what, f"{bound} {self.unit}", f"{number:.3g} {self.unit}", "met" if met else "**not met**"


AIMS = (
    Aim("passage: processor time of trec_eval", "passage, processor, trec_eval", least=12),
    Aim("passage: processor time of pytrec_eval", "passage, processor, pytrec_eval", least=20),
    Aim("passage: processor time of ir_measures", "passage, processor, ir_measures", least=40),
    Aim("passage: processor time of ranx", "passage, processor, ranx", least=40),
    Aim("passage: wall time of trec_eval", "passage, wall, trec_eval", least=20),
    Aim("passage: peak memory", "passage, MB", most=150, unit="MB"),
    Aim(
        "passage: processor time of pytrec_eval, compared with the plain loops",
        "passage, processor, pytrec_eval",
        least=1,
        beside=f"passage, processor, {PLAIN}",
    ),
    *(
        Aim(f"passage gzipped: {time} time of {name}, of that of gzip -dc", f"gzipped, {time}, {name}", most=1.3)
        for name in ("cranfield", WITHOUT_ISAL)
        for time in ("wall", "processor")
    ),
    *(
        Aim(f"fusion: processor time of ranx, {method}", f"fusion, {method}, processor, ranx", least=5)
        for method in ("rrf", "combsum")
    ),
    *(
        Aim(f"fusion, warm, {what}: processor time of ranx, any method", f"fusion warm, {what}, least, ranx", least=5)
        for what in ("files", "memory")
    ),
    Aim("fusion: 1,089 settings tuned", "fusion, tuning, seconds", most=10, unit="s"),
    Aim("scattered: processor time for 3 million shuffled lines", "scattered, seconds", most=3, unit="s"),
    Aim("adhoc: processor time of trec_eval, both without start-up", "adhoc, start-up excluded, trec_eval", least=4),
    *(
        Aim(
            f"{workload}, dictionaries: processor time of pytrec_eval's evaluate",
            f"{workload}, dictionaries, pytrec_eval, {BEFORE}",
            least=least,
        )
        for workload, least in (("passage", 8), ("adhoc", 5), ("deep-learning", 5))
    ),
    Aim(
        "recommender, Parquet: rows, on all cores",
        "recommender, million rows a second",
        least=15,
        unit="million a second",
    ),
    Aim("comparison: processor time of all pairs", "comparison, seconds", most=4, unit="s"),
    Aim("labels: reading 1.25 million judgments by subtopic", "judgments by subtopic, seconds", most=0.5, unit="s"),
    Aim("labels: agreement of a million labels", "agree, seconds", most=2, unit="s"),
    Aim("clicks: reading a million impressions, or the slowest fit", "clicks, slowest, seconds", most=300, unit="s"),
    *(
        Aim(f"clicks: processor time of {what}", f"clicks, {what}, seconds", most=most, unit="s")
        for what, most in (
            *((f"reading {layout}", 6 if "UBI" in layout else 4) for layout in LAYOUTS),
            *(("PBM", 4), ("UBM", 4), ("DBN", 8), ("CCM", 10)),
        )
    ),
    Aim("clicks: peak memory, the log included", "clicks, MB", most=2000, unit="MB"),
    Aim("report: processor time beyond evaluation", "report, seconds beyond evaluation", most=1, unit="s"),
    Aim("report: size of the page", "report, MB", most=1, unit="MB"),
    Aim("judging: a million pairs and 300,000 texts imported", "judging, import, seconds", most=60, unit="s"),
    Aim("judging: the store of these opened", "judging, start, seconds", most=5, unit="s"),
    Aim("judging: the next items handed out, 99 of 100", "judging, next, ms", most=5, unit="ms"),
    Aim("judging: peak memory", "judging, MB", most=400, unit="MB"),
    Aim("judging-server: command to first saved label", "judging, first label, seconds", most=10, unit="s"),
    Aim("judging-server: key to next document painted, p95", "judging, key to next, ms", most=50, unit="ms"),
    Aim("judging-server: a label of 50 judges, p95", "judging, p95 ms", most=150, unit="ms"),
    Aim("judging-server: a label of 50 judges, p99", "judging, p99 ms", most=500, unit="ms"),
    Aim("judging-server: errors", "judging, errors", most=0, unit=""),
    Aim("judging-server: durable labels at the peak", "judging, peak", least=200, unit="a second"),
    Aim("judging-server: the same in PostgreSQL", "judging, peak in PostgreSQL", least=100, unit="a second"),
    Aim("judging-server: labels lost, twice or unsound after kill -9", "judging, lost", most=0, unit=""),
    Aim("judging-server: back after kill -9", "judging, restart", most=2, unit="s"),
    Aim("spark: data frames, of a pass that counts rows in Python", "Spark, data frames, × rows counted", most=2.2),
    Aim("spark: Parquet folders, of one machine", "Spark, Parquet folders, × one machine", most=2),
    Aim("judging: durable labels", "judging, labels a second", least=200, unit="a second"),
    Aim("start-up: wall time, of that of importing NumPy", "start-up, wall", most=1.3),
    Aim("start-up: processor time, of that of importing NumPy", "start-up, processor", most=1.5),
)


def table(found: Mapping[str, float]) -> Table:
    """All aims next to what was found."""
    columns = zip(*(aim.row(found) for aim in AIMS), strict=True)
    return Table(dict(zip(("as a multiple of cranfield's, unless said", "aim", "found", ""), columns, strict=True)))
