"""The real collections with which other tools were run, and what those tools' names mean here."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import cranfield as cf
from cranfield.data.run import Run
from cranfield.errors import Findings, UsageError
from cranfield.measures import Measure
from tests.conftest import SHARED_DATA


class Collection(NamedTuple):
    folder: str
    qrels: str
    runs: str
    """Where the runs are, with * for a run's name."""


COLLECTIONS = (
    Collection("02-dl19-passage", "qrels.dl19-passage.txt", "runs/*.run.gz"),
    Collection("03-robust03", "qrels.robust03.txt.gz", "runs/*.run.gz"),
    Collection("04-web2012-diversity", "qrels.adhoc.txt.gz", "runs/*.run.gz"),
    Collection("05-beir-scifact", "qrels.trec.txt", "runs/*.run.gz"),
    Collection("09-recsys-lastfm", "test.qrels.txt.gz", "*.run.gz"),
    Collection("10-cacm-smoke", "qrels.cacm.txt", "*.run"),
)


class Reference(NamedTuple):
    """One output file of another tool: what it was run on, and how."""

    folder: str
    run: str
    variant: str
    path: Path


def references(tool: str, suffix: str) -> list[Reference]:
    """The output files of a tool over all collections."""
    found = []
    for collection in COLLECTIONS:
        for path in sorted((SHARED_DATA / collection.folder / "reference" / tool).glob(f"*{suffix}")):
            run, _, variant = path.name.removesuffix(suffix).partition(".")
            found.append(Reference(collection.folder, run, variant or "default", path))
    # This one lies beside the folders in which the others are.
    lastfm = SHARED_DATA / "09-recsys-lastfm" / "reference" / "trec_eval-9.0.8.mostpop.c.txt"
    if tool == "trec_eval-9.0.8" and lastfm.exists():
        found.append(Reference("09-recsys-lastfm", "mostpop", "c", lastfm))
    return found


@cache
def judgments(folder: str) -> cf.Judgments:
    collection = next(one for one in COLLECTIONS if one.folder == folder)
    return cf.read_judgments(SHARED_DATA / folder / collection.qrels)


@cache
def run(folder: str, name: str) -> Run:
    """A run held in memory, since many tests read it."""
    collection = next(one for one in COLLECTIONS if one.folder == folder)
    path = SHARED_DATA / folder / collection.runs.replace("*", name)
    rankings = list(cf.read_run(path).rankings(Findings()))
    return Run(name, lambda findings: iter(rankings))


def text(path: Path) -> str:
    return (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode()


def trec_eval_lines(path: Path) -> Iterator[tuple[str, str, str]]:
    """Measure, query and printed value of every line."""
    for line in text(path).splitlines():
        measure, query, value = line.split("\t")
        yield measure.strip(), query, value


@cache
def measure_named(name: str, version: int) -> Measure | None:
    """The measure that trec_eval prints under a name, or None where there is no such measure here yet."""
    try:
        measure = cf.parse(name)
    except UsageError:
        return None
    takes_levels = "levels" in measure.definition.parameters
    return measure(levels=f"trec_eval-{version}") if takes_levels else measure


def family(name: str) -> str:
    """A printed name without its parameters: `P` for `P_10`."""
    return re.sub(r"_[\d.,=-]+$", "", name)
