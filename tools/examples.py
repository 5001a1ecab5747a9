"""Writes the data of examples/ and what their commands print: `python -m tools.examples`.

The data are parts of the demo collection in the forms that a shop, a RAG project and an evaluation campaign have.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import cranfield as cf
from cranfield import demo

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / "examples"
QUERIES, DEPTH = 40, 20
_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main() -> None:
    """Write data first, then what the commands of each README print."""
    for path, text in data().items():
        (HOME / path).write_text(text, encoding="utf-8", newline="\n")
    for project in projects():
        readme = HOME / project / "README.md"
        readme.write_text(with_fresh_output(project), encoding="utf-8", newline="\n")


def projects() -> list[str]:
    """The examples, each a folder."""
    return sorted(path.parent.name for path in HOME.glob("*/README.md"))


def with_fresh_output(project: str) -> str:
    """The README of an example whose console blocks show what their commands print, run in a copy of the folder."""
    text = (HOME / project / "README.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / project
        shutil.copytree(HOME / project, copy, ignore=shutil.ignore_patterns("__pycache__"))
        return _CONSOLE.sub(lambda block: f"```console\n{''.join(_printed(block[1], copy))}```", text)


def _printed(block: str, folder: Path) -> Iterator[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    there = {**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8", "COLUMNS": "100", "PYTHONDONTWRITEBYTECODE": "1"}
    for line in block.splitlines():
        if line.startswith("$ "):
            done = subprocess.run(
                ["bash", "-c", line[2:]],
                cwd=folder,
                env=there,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                check=False,
            )
            yield f"{line}\n" + "".join(f"{shown.rstrip()}\n" for shown in done.stdout.splitlines())


def data() -> dict[str, str]:
    """Every file, by its path in examples/."""
    return _shop() | _rag() | _campaign()


def _asked() -> list[tuple[str, str, str]]:
    lines = demo.path("queries.tsv").read_text(encoding="utf-8").splitlines()[1 : QUERIES + 1]
    return [(query, text, intent) for query, text, intent in (line.split("\t") for line in lines)]


def _judged() -> dict[str, dict[str, int]]:
    judgments = cf.read_judgments(demo.path("qrels.txt"))
    return {query: {doc: int(grade) for doc, grade in judgments[query].items()} for query, _, _ in _asked()}


def _ranked(run: str) -> Iterator[tuple[str, int, str, float]]:
    """Query, rank, document and score of a run, for the queries and to the depth that examples have."""
    ranks: dict[str, int] = {}
    asked = {query for query, _, _ in _asked()}
    for line in demo.path(run).read_text(encoding="utf-8").splitlines():
        query, _, document, _, score, _ = line.split()
        ranks[query] = ranks.get(query, 0) + 1
        if query in asked and ranks[query] <= DEPTH:
            yield query, ranks[query], document, float(score)


def _table(header: list[str], rows: Iterator[tuple[object, ...]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def _shop() -> dict[str, str]:
    """Merchandisers rated articles from 0 to 3; the engine was asked before and after a change."""
    text_of = {query: text for query, text, _ in _asked()}

    def answers(run: str) -> str:
        rows = ((text_of[query], rank, _article(doc), score) for query, rank, doc, score in _ranked(run))
        return _table(["query", "position", "sku", "score"], rows)

    ratings = ((text_of[q], _article(doc), grade) for q, of in _judged().items() for doc, grade in of.items())
    return {
        "shop-search/ratings.csv": _table(["query", "sku", "rating"], ratings),
        "shop-search/queries.csv": _table(
            ["query_id", "text", "category"], ((text, text, intent) for _, text, intent in _asked())
        ),
        "shop-search/before.csv": answers("bm25.run"),
        "shop-search/after.csv": answers("hybrid.run"),
    }


def _article(document: str) -> str:
    return f"GDN-{document.removeprefix('d')}"


def _rag() -> dict[str, str]:
    """Questions with the documents that answer them, and those documents among others."""
    answers = {query: {doc: grade for doc, grade in of.items() if grade > 0} for query, of in _judged().items()}
    wanted = {doc for of in answers.values() for doc in of}
    lines = demo.path("documents.jsonl").read_text(encoding="utf-8").splitlines()
    kept = [line for at, line in enumerate(lines) if json.loads(line)["doc_id"] in wanted or at % 10 == 0]
    questions = [{"query_id": query, "text": text} for query, text, _ in _asked()]
    return {
        "rag/documents.jsonl": "".join(f"{line}\n" for line in kept),
        "rag/questions.jsonl": "".join(f"{json.dumps(question)}\n" for question in questions),
        "rag/answers.csv": _table(
            ["query_id", "doc_id", "grade"], ((q, doc, grade) for q, of in answers.items() for doc, grade in of.items())
        ),
    }


def _campaign() -> dict[str, str]:
    """Topics, runs of three groups, and the labels that assessors gave."""
    asked = {query for query, _, _ in _asked()}
    labels = demo.path("labels.csv").read_text(encoding="utf-8").splitlines()
    files = {
        "trec-campaign/topics.tsv": "".join(f"{query}\t{text}\n" for query, text, _ in _asked()),
        "trec-campaign/labels.csv": "".join(
            f"{line}\n" for at, line in enumerate(labels) if at == 0 or line.split(",")[0] in asked
        ),
    }
    for run in ("title", "bm25", "dense"):
        rows = _ranked(f"{run}.run")
        files[f"trec-campaign/{run}.run"] = "".join(
            f"{q} Q0 {doc} {rank} {score} {run}\n" for q, rank, doc, score in rows
        )
    return files


if __name__ == "__main__":
    main()
