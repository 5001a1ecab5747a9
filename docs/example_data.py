"""Files that people bring, made of the demo collection for the pages that begin with them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import cranfield as cf
from cranfield import demo


def write(text: str, directory: Path) -> None:
    """Write the files that a page names."""
    for name, made in FILES.items():
        if name in text:
            (directory / name).write_text(made(), encoding="utf-8")


def _query_texts() -> dict[str, str]:
    queries = cf.read_queries(demo.path("queries.tsv"))
    return {query: queries.text(query) for query in queries.ids}


def _ratings() -> str:
    """A spreadsheet of ratings by the texts of queries."""
    texts, judgments = _query_texts(), cf.read_judgments(demo.path("qrels.txt"))
    rows = [(texts[query], doc, int(grade)) for query in judgments for doc, grade in judgments[query].items()]
    return _csv([("query", "doc", "rating"), *rows])


def _csv(rows: list[tuple[object, ...]]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def _responses(run: str, took: int) -> str:
    """For each query, what Elasticsearch's `_search` answered."""
    texts, titles = _query_texts(), cf.read_documents(demo.path("documents.jsonl"))
    answers: dict[str, object] = {}
    for line in demo.path(run).read_text(encoding="utf-8").splitlines():
        query, _, document, _, score, _ = line.split()
        empty: dict[str, object] = {"took": took, "timed_out": False, "hits": {"total": {"value": 0}, "hits": []}}
        hits = answers.setdefault(texts[query], empty)["hits"]  # type: ignore[index]
        hits["hits"].append({"_id": document, "_score": float(score), "_source": {"title": titles[document].title}})
        hits["total"]["value"] += 1
    return json.dumps(answers)


def _in_order(run: str) -> str:
    """What `_msearch` answered: responses in the order of the queries, without their ids."""
    return json.dumps({"took": 42, "responses": list(json.loads(_responses(run, 5)).values())})


def _request(run: str) -> str:
    """What `_msearch` was asked: two lines for each query."""
    bodies = [{"query": {"match": {"title": text}}, "size": 30} for text in json.loads(_responses(run, 5))]
    return "".join(f"{json.dumps({'index': 'garden'})}\n{json.dumps(body)}\n" for body in bodies)


FILES: Mapping[str, Callable[[], str]] = {
    "ratings.csv": _ratings,
    "v1.json": lambda: _responses("bm25.run", 5),
    "v2.json": lambda: _responses("hybrid.run", 9),
    "msearch.json": lambda: _in_order("bm25.run"),
    "msearch-request.ndjson": lambda: _request("bm25.run"),
}
