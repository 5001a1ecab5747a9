"""The same evaluation on a cluster of two workers on this machine, next to a pass that only counts rows.

Also a process of its own, so that nothing else has a Java machine: `python -m benchmarks.on_spark FOLDER ROWS`.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

MEASURES = ["nDCG@10", "AP", "RR", "P@10", "R@100"]
DEPTH, JUDGED, FILES = 1_000, 20, 8
RANKING_METRICS_ROWS = 1_000_000
"""What RankingMetrics is timed on: it takes minutes for more."""


def write(folder: Path, rows: int) -> None:
    """Parquet folders of a run with so many rows, queries one after the other, and of judgments."""
    rng = np.random.default_rng(0)
    queries = rows // DEPTH
    for name in ("run", "judged"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for part, own in enumerate(np.array_split(np.arange(queries), FILES)):
        names = pa.array([f"q{query:07}" for query in own])
        documents = [rng.choice(5 * DEPTH, DEPTH, replace=False) for _ in own]
        table = pa.table(
            {
                "query": names.take(pa.array(np.repeat(np.arange(len(own)), DEPTH))),
                "document": [f"d{number:06}" for ranking in documents for number in ranking],
                "score": rng.random(len(own) * DEPTH),
            }
        )
        parquet.write_table(table, folder / "run" / f"part-{part}.parquet")
        judged = [rng.choice(ranking, JUDGED, replace=False) for ranking in documents]
        table = pa.table(
            {
                "query": names.take(pa.array(np.repeat(np.arange(len(own)), JUDGED))),
                "document": [f"d{number:06}" for ranking in judged for number in ranking],
                "grade": rng.integers(0, 4, len(own) * JUDGED),
            }
        )
        parquet.write_table(table, folder / "judged" / f"part-{part}.parquet")


def processor_seconds() -> float:
    """Of this process and all that come from it, also of those that ended."""
    ticks = 0
    parents: dict[int, list[int]] = {}
    used: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
            used[int(entry.name)] = sum(map(int, fields[11:15]))
    waiting = [os.getpid()]
    while waiting:
        process = waiting.pop()
        ticks += used.get(process, 0)
        waiting += parents.get(process, [])
    return ticks / os.sysconf("SC_CLK_TCK")


def session() -> Any:
    """A cluster of two workers with a core and a gigabyte each."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    warnings.simplefilter("ignore")
    from pyspark.sql import SparkSession

    building = SparkSession.builder.master("local-cluster[2,1,1024]")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "1g",
        "spark.sql.shuffle.partitions": "8",
    }
    for name, value in settings.items():
        building = building.config(name, value)
    return building.getOrCreate()


def counted(spark: Any, folder: Path) -> int:
    """Rows that went through Python and back as a number."""

    def count(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = sum(batch.num_rows for batch in batches)
        yield pa.RecordBatch.from_pydict({"rows": [rows]})

    found = spark.read.parquet(str(folder / "run")).mapInArrow(count, "rows bigint").groupBy().sum().collect()
    return int(found[0][0])


def by_frames(spark: Any, folder: Path) -> dict[str, float]:
    """Data frames, sorted by query."""
    from cranfield import spark as on_spark

    judged, run = (spark.read.parquet(str(folder / name)) for name in ("judged", "run"))
    return on_spark.evaluate(judged, run, MEASURES).means()


def by_files(spark: Any, folder: Path) -> dict[str, float]:
    """Files, read where they are."""
    from cranfield import spark as on_spark

    return on_spark.evaluate(folder / "judged", folder / "run", MEASURES).means()


def by_windows(spark: Any, folder: Path) -> float:
    """nDCG@10 by a window function and joins, as people write it; no other measure."""
    for name in ("judged", "run"):
        spark.read.parquet(str(folder / name)).createOrReplaceTempView(name)
    query = """
        WITH ranked AS (SELECT *, row_number() OVER (PARTITION BY query ORDER BY score DESC, document DESC) rank
                        FROM run),
        gained AS (SELECT query, sum(grade / log2(rank + 1)) dcg FROM ranked JOIN judged USING (query, document)
                   WHERE rank <= 10 GROUP BY query),
        best AS (SELECT query, sum(grade / log2(place + 1)) ideal FROM
                 (SELECT *, row_number() OVER (PARTITION BY query ORDER BY grade DESC) place FROM judged)
                 WHERE place <= 10 GROUP BY query)
        SELECT avg(coalesce(dcg, 0) / ideal) FROM best LEFT JOIN gained USING (query)
    """
    return float(spark.sql(query).collect()[0][0])


def by_ranking_metrics(spark: Any, folder: Path) -> float:
    """Spark's own nDCG@10 and mean average precision, of a part of the run; every judged document counts alike."""
    from pyspark.mllib.evaluation import RankingMetrics

    queries = RANKING_METRICS_ROWS // DEPTH
    names = spark.read.parquet(str(folder / "run")).select("query").distinct().orderBy("query").limit(queries)
    run = spark.read.parquet(str(folder / "run")).join(names, "query", "left_semi")
    ordered = run.rdd.map(lambda row: (row["query"], (row["score"], row["document"]))).groupByKey()
    ranked = ordered.mapValues(lambda rows: [document for _, document in sorted(rows, reverse=True)])
    judged = (
        spark.read.parquet(str(folder / "judged"))
        .filter("grade > 0")
        .rdd.map(lambda row: (row["query"], row["document"]))
    )
    metrics = RankingMetrics(ranked.join(judged.groupByKey().mapValues(list)).values())
    return float(metrics.ndcgAt(10) + metrics.meanAveragePrecision)


WAYS: dict[str, Callable[[Any, Path], Any]] = {
    "rows counted in Python": counted,
    "data frames": by_frames,
    "Parquet folders": by_files,
    "window functions, nDCG@10 alone": by_windows,
    f"RankingMetrics, {RANKING_METRICS_ROWS:,} rows": by_ranking_metrics,
}


def local(folder: Path) -> dict[str, float]:
    """The same without Spark."""
    import cranfield as cf

    return cf.evaluate(folder / "judged", folder / "run", MEASURES).means()


def main() -> None:
    """Print what each way took, the best of a few times after the first."""
    folder, rows, repeats = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    write(folder, rows)
    costs: dict[str, tuple[float, float]] = {}
    means: dict[str, Any] = {}

    def timed(name: str, work: Callable[[], Any], times: int) -> None:
        taken = []
        for _ in range(times):
            processor, wall = processor_seconds(), time.perf_counter()
            means[name] = work()
            taken.append((processor_seconds() - processor, time.perf_counter() - wall))
        costs[name] = min(taken)
        print(name, costs[name], file=sys.stderr, flush=True)

    timed("cranfield, one machine", lambda: local(folder), repeats)
    spark = session()

    def once(work: Callable[[Any, Path], Any]) -> Any:
        spark.catalog.clearCache()  # of a plan that it knows, Spark would show what it kept
        return work(spark, folder)

    for name, work in WAYS.items():
        timed(name, partial(once, work), 1 if name.startswith("RankingMetrics") else repeats + 1)
    spark.stop()
    assert means["data frames"] == means["Parquet folders"] == means["cranfield, one machine"]
    print(json.dumps(costs))


if __name__ == "__main__":
    main()
