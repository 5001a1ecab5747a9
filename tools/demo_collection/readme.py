"""The README of the demo collection."""

from __future__ import annotations

from collections.abc import Mapping

from tools.demo_collection.rankers import DEPTH
from tools.demo_collection.relevance import POOL_DEPTHS

WITH_HEADER = (".csv", ".tsv")


def readme(contents: Mapping[str, str]) -> str:
    """What each file of the collection is, with its number of rows."""
    rows = "\n".join(f"| `{name}` | {_rows(name, text):,} | {DESCRIPTIONS[name]} |" for name, text in contents.items())
    return TEXT.format(rows=rows, depth=POOL_DEPTHS["bm25"], late_depth=POOL_DEPTHS["dense"])


def _rows(name: str, text: str) -> int:
    return text.count("\n") - name.endswith(WITH_HEADER)


DESCRIPTIONS = {
    "queries.tsv": "queries: `query_id`, `text`, `intent` (howto, informational, navigational, problem)",
    "documents.jsonl": "documents: `doc_id`, `title`, `text`",
    "labels.csv": "raw material, the labels of each judge: `query`, `document`, `judge`, `grade`",
    "qrels.txt": "the merged judgments, in TREC format",
    "title.run": f"BM25 over titles alone, at most {DEPTH} documents a query, in TREC format like all runs",
    "bm25.run": f"BM25 over title and text, at most {DEPTH} documents a query",
    "dense.run": f"cosine of topic and synonym vectors, {DEPTH} documents a query",
    "hybrid.run": f"reciprocal rank fusion of bm25 and dense, {DEPTH} documents a query",
    "clicks.csv": "what people clicked on the bm25 results: `session`, `query`, `position`, `document`, `clicked`",
}

TEXT = """\
# The garden collection

A small test collection about growing vegetables, fruit and flowers,
and about the services of a community garden.
It is synthetic: `python -m tools.demo_collection.generate` makes every file from a fixed seed.
The gardening advice is meant to be plausible and is no more than that.

| file | rows | what it is |
|---|---:|---|
{rows}

## Try it

```sh
cranfield evaluate qrels.txt title.run bm25.run dense.run hybrid.run
cranfield evaluate qrels.txt title.run --bounds ties --bounds unjudged
cranfield explain qrels.txt hybrid.run --query q01 -m nDCG@10
cranfield check qrels.txt title.run
cranfield measures nDCG
cranfield clicks clicks.csv --judgments qrels.txt
```

Systems are evaluated against `qrels.txt`. `labels.csv` is raw material for studies of judges: it has up to three
grades for a document, so it is refused as judgments. `clicks.csv` is a click log, from which `cranfield clicks`
makes judgments.

## How it was made

**Documents** are guides that give one fact about one aspect of a plant, letters from readers whose titles
give nothing away, pages on two aspects, portraits of a plant, pages about a whole group of plants, and
pages that only mention a plant.

**Relevance.** Each query asks for one fact, or for any fact about an aspect, or for a portrait.
A document that gives the fact clearly is worth 3; another fact about the same aspect a little less than 2;
a page about the whole group 1; anything else next to nothing.

**Judges.** Ada, Ben and Cleo grade from 0 (not relevant) to 3 (answers the query). They see the true
relevance through noise. Ben is kind, Cleo is strict, and now and then one of them leaves a document out.

**Merged judgments.** The grade in `qrels.txt` is the median of the judges' grades, and the lower of the two
where only two judged.

**Pool.** The first {depth} documents of title, bm25 and hybrid were judged, and the first {late_depth}
of dense, which came late. A few were left out by accident, so every run has unjudged documents.

**Runs** are real rankings of these documents, made by four very small search engines. The title run is silent
where no title shares a word with the query, and has many tied scores.

**Tuning.** The settings of the rankers, the judges' noise, the depth of the pool and the wording of the queries
were tuned, by looking at the scores, until the systems differed visibly, so p-values found on this collection
are no evidence about methods.

**Clicks.** A person looks at a result with a probability that falls with its position, and clicks it with one
that rises with its relevance. From the top down, in half of the cases two neighbouring results change places. The
true probabilities are `EXAMINATION` and `ATTRACTION` in `tools/demo_collection/visits.py`.
"""
