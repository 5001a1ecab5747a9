"""Sound files to begin with: pieces of the demo collection, and small examples of every layout."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from cranfield import demo
from fuzzing.forms import compressed, in_other_form
from fuzzing.mutations import damaged, mutated
from fuzzing.stores import HEAD, changed_store, stores

Case = Mapping[str, bytes]
"""Files by their names."""


@dataclass(frozen=True)
class File:
    """A sound file, and what its columns are called where it has no header."""

    data: bytes
    names: tuple[str, ...] = ()
    is_table: bool = True
    """Whether it can be written in other forms."""


Seed = Mapping[str, File]

QRELS = ("query_id", "iteration", "doc_id", "relevance")
RUN = ("query_id", "Q0", "doc_id", "rank", "score", "tag")


def case_of(seeds: Sequence[Seed], number: int, rng: Random) -> Case:
    """The input of a number: first every seed as it is, then changed ones."""
    if number < len(seeds):
        return {name: file.data for name, file in seeds[number].items()}
    seed = rng.choice(seeds)
    changed = set(rng.sample(list(seed), rng.choice((1, 1, 1, len(seed)))))
    return {
        name: _changed(file, [other[name].data for other in seeds if name in other], rng)
        if name in changed
        else file.data
        for name, file in seed.items()
    }


def _changed(file: File, others: Sequence[bytes], rng: Random) -> bytes:
    data = file.data
    if data.startswith(HEAD):
        return changed_store(data, rng)
    if rng.random() < 0.85:
        data = mutated(data, others, rng)
    if file.is_table and rng.random() < 0.3:
        data = in_other_form(data, file.names, rng)
        if rng.random() < 0.3:
            data = mutated(data, others, rng) if data[:1] in b"{[" else damaged(data, rng)
    if rng.random() < 0.08:
        data = compressed(data, rng)
        if rng.random() < 0.5:
            data = damaged(data, rng)
    return data


# The demo collection


@cache
def _demo(name: str, queries: tuple[str, ...], most: int) -> bytes:
    """The first lines of each of some queries, below the header."""
    lines = demo.path(name).read_bytes().splitlines(keepends=True)
    head = lines[:1] if b"query" in lines[0] else []
    of_queries = [[line for line in lines if query.encode() in line][:most] for query in queries]
    return b"".join([*head, *(line for of_query in of_queries for line in of_query)])


_QUERIES = ("q01", "q02", "q05")
DEMO_QRELS = File(_demo("qrels.txt", _QUERIES, 15), QRELS)
DEMO_RUN = File(_demo("bm25.run", _QUERIES, 15), RUN)
OTHER_RUN = File(_demo("dense.run", _QUERIES, 10), RUN)


def _text(text: str, *names: str, table: bool = True) -> File:
    return File(text.encode(), names, table)


def _on_windows(text: str) -> File:
    """A table as Excel saves it there."""
    return File(text.encode("cp1252"))


def _lines(*records: object) -> File:
    return File("".join(json.dumps(record) + "\n" for record in records).encode(), is_table=False)


def _json(value: object) -> File:
    return File(json.dumps(value).encode(), is_table=False)


SMALL_QRELS = _text("q1 0 d1 2\nq1 0 d2 0\nq1 0 d3 1\nq2 0 d1 1\nq2 0 d4 -1\n", *QRELS)
SMALL_RUN = _text("q1 Q0 d1 1 3.5 t\nq1 Q0 d2 2 3.5 t\nq1 Q0 d9 3 1 t\nq2 Q0 d4 1 0.5 t\nq2 Q0 d1 2 -1e3 t\n", *RUN)
_HITS = [{"_index": "a", "_id": "d1", "_score": 2.5}, {"_index": "b", "_id": "d2", "_score": None}]
_GRADES = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 1, "d4": -1}}
_SCORES = {"q1": {"d1": 3.5, "d2": 3.5, "d9": 1.0}, "q2": {"d4": 0.5, "d1": -1000.0}}

JUDGMENTS: tuple[File, ...] = (
    *(DEMO_QRELS, SMALL_QRELS),
    _text("1\t0\td1\t1\n1\t0\td7\t1\n2\t0\td2\t1\n", *QRELS),
    _text("q1 d1 2\nq1 d2 0\nq2 d1 1\n", "qid", "docno", "label"),
    _text("query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td1\t1\n"),
    _text('query,docid,rating\n"red shoes",d1,3\n"red, shoes",d2,1\nshoes,d1,0\n'),
    _text("qid;docno;label;note\nq1;d1;2;a\nq1;d2;0.5;\nq2;d1;1;b\n"),
    *(_json(_GRADES), _json([{"query": "q1", "doc": "d1", "grade": 2}, {"query": "q2", "doc": "d1", "grade": 0.5}])),
    _lines({"qid": "q1", "docno": "d1", "label": 2}, {"qid": "q2", "docno": "d1", "label": 0}),
    _text("query,query_text,document,title,grade,runs\nq1,why,d1,Dogs,2,2\nq1,why,d2,,,1\nq2,how,d1,Cats,n/a,1\n"),
    _text("query_id,chunk_id\nq1,d1\nq1,d3\nq2,d1\n"),
    _text("question_id\tnode_id\trelevant\nq1\td1\tTrue\nq1\td2\tFalse\nq2\td1\tTrue\n"),
    _json(
        {"requests": [{"id": "q1", "ratings": [{"_id": "d1", "rating": 2}, {"_index": "a", "_id": "d2", "rating": 0}]}]}
    ),
    _json({"metric_score": 1, "details": {"q1": {"hits": [{"hit": _HITS[0], "rating": 1}]}}, "failures": {}}),
    _text("3 qid:q1 1:1 2:0.5 # d1\n2 qid:q1 1:0 # d2\n1 qid:q2 1:0 2:0.1 # d1\n", table=False),
    _text("2 qid:q1 1:0.05 #docid = d1 inc = 0.01 prob = 0.13\n0 qid:q1 1:0.3 #docid = d2 inc = 1\n", table=False),
    _text('\n3 qid:q1 # d1 red shoes\n\n0 qid:q1 # d2; "red shoes"\n\n1 qid:q2 # d1 boots\n', table=False),
    _text("2 qid:q1 1:3 2:3\n0 qid:q1 1:1 2:0\n1 qid:q2 1:4 2:1\n", table=False),
    _on_windows("query;doc;Note;grade\nq1;d1;für 5 €;2\nq1;Käse;;0\nq2;d1;“gut”;1\n"),
    _text("query;document;grade\nq1;d1;2,5\nq1;d2;0,25\nq2;d1;1\nq2;d3;\n"),
    _text('query,document,grade\nq1,d1,"0,5"\nq1,d2,n/a\nq2,d1,1\n'),
)
GROUPED: tuple[File, ...] = (
    _text("q1 1 d1 1\nq1 2 d1 0\nq1 2 d2 2\nq1 1 d3 0\nq2 1 d1 1\n", *QRELS),
    _text("q1 ada d1 1\nq1 ben d1 0\nq1 ada d2 2\nq1 ben d2 2\nq2 ben d1 1\n", *QRELS),
    _text("q1 j1 1 d1 2\nq1 j1 1 d2 1\nq1 j1 2 d2 3\nq1 j2 1 d1 1\nq2 j1 1 d1 1\nq2 j1 1 d3 0\n"),
    _text("q1 0 d1 1 1\nq1 0 d2 -1 2\nq1 0 d3 0 2\nq1 0 d9 1 1\nq2 0 d1 1 1\nq2 0 d4 0 1\n"),
    _text("query,subtopic,document,grade\nq1,s1,d1,1\nq1,s2,d1,0\nq1,s2,d2,2\nq2,s1,d1,1\n"),
    _text("query,judge,subgroup,document,grade\nq1,j,1,d1,2\nq1,j,1,d2,1\nq2,j,1,d1,1\nq2,j,1,d4,3\n"),
    _json({"q1": {"s1": {"d1": 1}, "s2": {"d1": 0, "d2": 2}}, "q2": {"s1": {"d1": 1}}}),
)
_ANSWER = {
    "_id": "d1",
    "id": "d1",
    "score": 0.5,
    "objectID": "d1",
    "uniqueId": "d1",
    "document_id": "d1",
    "file_id": "d1",
}
ANSWERS: tuple[object, ...] = (
    {"took": 1, "timed_out": True, "_shards": {"failed": 1}, "hits": {"total": {"value": 9}, "hits": _HITS}},
    {"responseHeader": {"params": {"q": "x"}, "partialResults": True}, "response": {"numFound": 1, "docs": [_ANSWER]}},
    {"root": {"id": "toplevel", "fields": {"totalCount": 1}, "children": [{"id": "id:a:b::d1", "relevance": 0.5}]}},
    {
        "found": 1,
        "hits": [{"document": {"id": "d1"}, "text_match": 5}],
        "request_params": {"q": "x"},
        "search_time_ms": 1,
    },
    {"hits": [{"product_id": "d1"}], "query": "x", "processingTimeMs": 1, "estimatedTotalHits": 9},
    {"result": {"points": [_ANSWER]}, "status": "ok"},
    {"matches": [_ANSWER], "namespace": ""},
    {"result": {"hits": [{"_id": "d1", "_score": 0.5}]}, "usage": {"read_units": 1}},
    {"hits": [_ANSWER], "nbHits": 1, "processingTimeMS": 1, "query": "x"},
    {"value": [{"@search.score": 1.5, "id": "d1"}]},
    {"results": [_ANSWER], "totalCount": 1},
    {"search_results": [_ANSWER]},
    {"retrievalResults": [{"content": {}, "location": {"s3Location": {"uri": "d1"}}, "score": 0.5}]},
    {"object": "page", "search_query": ["x"], "data": [_ANSWER]},
    {"results": [{"id": "d1", "document": {"id": "d1"}}], "totalSize": 1, "attributionToken": "x"},
    {"data": {"Get": {"Article": [{"_additional": {"id": "d1", "score": "0.5"}}]}}},
    {"code": 0, "data": [{"id": "d1", "distance": 0.5}]},
    {"total_results": 1, "results": [{"id": "d1", "extra_attributes": {}}]},
    {"num_hits": 1, "hits": [{"doc_id": "d1"}]},
    {"ids": [["d1", "d2"]], "distances": [[0.1, 0.2]]},
)
"""Responses of search engines and vector databases, one of each."""
RUNS: tuple[File, ...] = (
    SMALL_RUN,
    _text("q1\td1\t1\nq1\td2\t2\nq1\td3\t3\nq2\td4\t1\n", "qid", "pid", "rank"),
    _text("query_id,doc_id,score\nq1,d1,3.5\nq1,d2,2\nq2,d1,-1\n"),
    _text("qid\tdocno\trank\tscore\nq1\td1\t1\t3.5\nq1\td2\t2\t2\nq2\td1\t1\t0\n"),
    *(_json(_SCORES), _json({"q1": ["d1", "d2"], "q2": ["d4"]})),
    _lines({"qid": "q1", "docno": "d1", "score": 2.5}, {"qid": "q2", "docno": "d1", "score": 0}),
    _text("config,query_id,chunk_id,score\na,q1,d1,3.5\na,q1,d2,2\nb,q1,d3,1\nb,q2,d1,-1\n"),
    _json({"q1": [["d1", 3.5], ["d2", 1]], "q2": [["d4", 0.5]]}),
    _json({"q1": {"took": 1, "timed_out": False, "hits": {"hits": _HITS}}, "q2": {"hits": {"hits": []}}}),
    _json({"q1": {"response": {"docs": [{"id": "d1", "score": 2}]}}, "q2": {"error": {"msg": "x"}, "status": 400}}),
    _lines(
        {"query_id": "q1", "response": {"result": [{"id": "d1", "score": 1}, {"id": 4, "score": 0}], "status": "ok"}}
    ),
    *(_json({"q1": answer, "q2": answer}) for answer in ANSWERS),
    _text("query;document;score\nq1;d1;12,5\nq1;d2;7\nq2;d1;-0,25\n"),
    _on_windows("query;document;Titel;score\nq1;d1;Käse;12,5\nq1;Größe;–;7\nq2;d1;x;-0,25\n"),
    _lines(*({"model": name, "qid": "q1", "pid": f"d{at}", "score": -at} for name in "ab" for at in (1, 2))),
    _lines(
        {"user_input": "q1", "retrieved_context_ids": ["d1", "d2"]},
        {"user_input": "q2", "retrieved_context_ids": ["d4"]},
    ),
)


def judged_runs() -> list[Seed]:
    """Judgments with a run: every layout of either."""
    return [
        *({"qrels.txt": judged, "bm25.run": _fitting(judged)} for judged in JUDGMENTS),
        *({"qrels.txt": SMALL_QRELS, "bm25.run": run} for run in RUNS),
        *({"qrels.txt": DEMO_QRELS, "bm25.run": run} for run in (DEMO_RUN, OTHER_RUN)),
    ]


def _fitting(judged: File) -> File:
    """A small run of the queries that are judged."""
    if judged is DEMO_QRELS:
        return DEMO_RUN
    words = {"red shoes": b"shoes", "1\t0": b"1"}
    return next(
        (File(SMALL_RUN.data.replace(b"q1", new), RUN) for old, new in words.items() if old.encode() in judged.data),
        SMALL_RUN,
    )


def nested() -> list[Seed]:
    """Judgments and runs as JSON has them."""
    judged = (
        _json(_GRADES),
        _json([{"query": "q1", "doc": "d1", "grade": 2}, {"query": "q2", "doc": "d1", "grade": 0.5}]),
    )
    run = (
        *(_json(_SCORES), _json({"q1": ["d1", "d2"], "q2": ["d4"]}), _json([["q1", "d1", 2.5], ["q2", "d1", 1]])),
        _json({"q1": [["d1", 3.5], ["d2", 1]], "q2": [["d4", 0.5]]}),
    )
    return [{"qrels.txt": grades, "bm25.run": scores} for grades in judged for scores in run]


def grouped_runs() -> list[Seed]:
    """Judgments by subtopic, judge, comparison and stratum, with a run."""
    return [{"qrels.txt": judged, "bm25.run": SMALL_RUN} for judged in GROUPED]


def several_runs() -> list[Seed]:
    """Two runs with judgments."""
    small = {"qrels.txt": SMALL_QRELS, "bm25.run": SMALL_RUN}
    demo = {"qrels.txt": DEMO_QRELS, "bm25.run": DEMO_RUN, "dense.run": OTHER_RUN}
    return [demo, *({**small, "dense.run": run} for run in RUNS)]


def converted() -> list[Seed]:
    """Judgments or a run, in a file of its own."""
    return [*({"qrels.txt": file} for file in JUDGMENTS), *({"bm25.run": file} for file in RUNS)]


def responses_in_order() -> list[Seed]:
    """Responses to several queries, which only a file or the request names, in their order."""
    hits = {"took": 1, "timed_out": False, "hits": {"total": {"value": 2}, "hits": _HITS}, "status": 200}
    empty = {"hits": {"hits": []}, "status": 200, "timed_out": True}
    texts = {"found": 1, "hits": [{"document": {"id": "d1"}}], "search_time_ms": 1}
    answers = (
        _json({"took": 7, "responses": [hits, empty]}),
        _json([hits, hits]),
        _json({"results": [{**texts, "request_params": {"q": text}} for text in ("why", "how")]}),
        _lines(hits, empty),
        _json({"ids": [["d1", "d2"], ["d4"]], "distances": [[0.1, 0.2], [0.3]]}),
    )
    asked = (
        _text("query_id\ttext\nq1\twhy\nq2\thow\n"),
        _json(["q1", "q2"]),
        _json({"q1": "why", "q2": "how"}),
        _text("q1\nq2\n", "text"),
        _lines({}, {"query": {"match": {"a": "q1"}}}, {"index": "a"}, {"query": {"multi_match": {"query": "q2"}}}),
    )
    return [
        {"qrels.txt": SMALL_QRELS, "answers.json": answer, "asked.txt": queries}
        for answer in answers
        for queries in asked
    ]


def listed_pools() -> list[Seed]:
    """What is to be judged: pools as they are written, and pairs of query and document."""
    files = (
        _text("query,query_text,document,title,grade,runs\nq1,why,d1,Dogs,2,2\nq1,why,d2,,,1\nq2,how,d1,Cats,n/a,1\n"),
        _text("q1 d1\nq1 d2\nq2 d1\n", "query", "document"),
        _text("q1\t0\td1\nq1\t0\td2\nq2\t0\td1\n", "query", "_", "document"),
        _text("q1 d1 d2\nq1 d2 d3\nq2 d1 d4\n", "query", "document", "other"),
        _text("query;document;other_document;query_text\nq1;d1;d2;why\nq2;d1;d3;how\n"),
        _text('query_id,doc_id,title,text,url\nq1,d1,Dogs,"They\nbark.",https://example.org/1\nq2,d2,,,\n'),
        _json({"q1": ["d1", "d2"], "q2": ["d1"]}),
        _json([{"query": "q1", "document": "d1", "title": "Dogs"}, {"query": "q2", "document": "d2", "text": None}]),
        _text('{"cranfield": "0.1",\n"documents": [{"query": "q1", "document": "d1", "grade": null}]}', table=False),
        _json({"cranfield": "0.1", "verdict": "1 document", "documents": [{"query": "q1", "document": "d1"}]}),
        _lines({"query": "q1", "document": "d1", "query_text": "why"}, {"query": "q1", "document": "d2"}),
    )
    return [{"pool.csv": file} for file in files]


def judging_stores() -> list[Seed]:
    """What people judge and judged, as `cranfield judge` keeps it."""
    return [{"judging.db": File(data, is_table=False)} for data in stores()]


# Labels, queries, documents

_ADA = _text("q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n", *QRELS)
_BEN = _text("q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 3\n", *QRELS)
LABELS = _text("query,document,judge,grade\nq1,d1,ada,2\nq1,d1,ben,1\nq1,d2,ada,0\nq1,d2,ben,0\nq2,d1,ben,3\n")
CROWD = _text("item,worker,label\na,w1,1\na,w2,0\nb,w1,1\nb,w3,1\nc,w2,0\nc,w3,1\n")
SHEET = _text("query,document,disagreement,grade,ada,ben\nq1,d1,1,2,2,1\nq2,d1,0,,,3\n")


def labels() -> list[Seed]:
    """Labels of several judges in one file, or in a file for each."""
    one = (
        File(_demo("labels.csv", ("q01", "q02"), 24)),
        *(LABELS, CROWD),
        _text("q1 ada d1 2\nq1 ben d1 1\nq1 ada d2 0\nq1 ben d2 0\nq2 ben d1 3\n"),
        _text("query,document,ada,ben,cleo\nq1,d1,2,1,2\nq1,d2,0,0,1\nq2,d1,,3,3\n"),
        _text("r.eye,l.eye\n1st grade,2nd grade\n1st grade,1st grade\n3rd grade,1st grade\n"),
        _text("observer,u1,u2,u3\nA,1,2,\nB,1,,3\nC,2,2,3\n"),
        _text("item,rater1,rater2\na,1,1\nb,0,1\nc,1,0\n"),
        _json({f"q{at}": {"d1": {"ada": 2, "ben": 1}, "d2": {"ada": 0, "ben": 0}} for at in (1, 2, 3)}),
        _lines({"query": "q1", "document": "d1", "ada": 2, "ben": 1}, {"query": "q1", "document": "d2", "ada": 0}),
        _text("query;document;ada;ben\nq1;d1;2,5;1\nq1;d2;0;0,5\nq2;d1;;3\n"),
        _text("query;document;judge;grade\nq1;d1;ada;2,5\nq1;d1;ben;1\nq1;d2;ada;0,25\nq1;d2;ben;?\n"),
        _on_windows("query;document;Jörg;Zoë\nq1;d1;2;1\nq1;Käse;0;0\nq2;d1;;3\n"),
    )
    return [*({"labels.csv": file} for file in one), {"ada.txt": _ADA, "ben.txt": _BEN}]


def sheets() -> list[Seed]:
    """Labels with sheets in which somebody decided on the grade of some documents."""
    decided = (SHEET, _text("query\tdocument\tgrade\nq1\td1\t2\nq1\td2\t?\nq2\td1\t0.5\n"), _json({"q1": {"d1": 1}}))
    return [{"labels.csv": LABELS, "sheet.csv": sheet} for sheet in decided]


def queries() -> list[Seed]:
    """What is known of queries."""
    files = (
        File(_demo("queries.tsv", _QUERIES, 1)),
        _text('id,text,intent\n1,"two\nlines",x\n2,"so ""called"" crack",y\n3,,\n'),
        _text('1048585\twhat is "paula deen\n2\tdefine, comma\n', "qid", "query"),
        _text("qid;query;length\n1;why crack;2\n2;tomatoes;1.5\n"),
        _json({"q1": "how often", "q2": "why"}),
        _json([{"number": 7, "words": "tomatoes", "intent": "howto", "text": None}]),
        _lines({"_id": "q1", "text": "how often", "metadata": {"a": 1}}, {"_id": "q2", "text": "why", "metadata": {}}),
        _on_windows("qid;query;Länge\n1;Käse für 5 €;2,5\n2;“Öl”;1\n"),
    )
    return [{"queries.tsv": file} for file in files]


def chunks() -> list[Seed]:
    """Judged and retrieved chunks, with the documents they are of, with alternatives and with a list of queries."""
    judged = _text("q1 0 c1 1\nq1 0 c2 2\nq2 0 c3 1\n", *QRELS)
    run = _text("q1 Q0 c2 1 3 t\nq1 Q0 c1 2 2 t\nq1 Q0 c4 3 1 t\nq2 Q0 c3 1 1 t\n", *RUN)
    mappings = (
        _text("chunk_id\tdoc_id\nc1\td1\nc2\td1\nc3\td2\nc4\td3\n"),
        _text("c1,d1\nc2,d1\nc3,d2\nc4,d3\n", "chunk", "document"),
        _json({"c1": "d1", "c2": "d1", "c3": "d2", "c4": "d3"}),
        _json({"d1": ["c1", "c2"], "d2": ["c3", "c4"]}),
    )
    answers = (
        _text("query,document,grade,answer\nq1,c1,1,A\nq1,c2,2,A\nq2,c3,1,B\n"),
        _text("q1\tc1\t1\nq1\tc2\t1\n", "query", "document", "answer"),
        _json({"q1": {"c1": "A", "c2": "A"}}),
        _json({"q1": [["c1", "c2"], ["c4"]]}),
    )
    lists = (
        _text("q1\nq2\n", "query"),
        _text("qid\ttext\nq1\twhy\n"),
        _json(["q1"]),
        _json({"q1": "why", "q2": "how"}),
    )
    return [
        {"qrels.txt": judged, "bm25.run": run, "chunks.tsv": mapping, "answers.csv": answer, "dev.txt": some}
        for mapping, answer, some in zip(mappings, answers, lists, strict=True)
    ]


def documents() -> list[Seed]:
    """Titles and texts of documents."""
    files = (
        File(_demo("documents.jsonl", ("d0001", "d0002"), 1), is_table=False),
        _text("doc_id\ttitle\ttext\nd1\tDogs\tThey bark.\nd2\t\tThey\n"),
        _text('id,title,contents\nd1,Dogs,"They\nbark."\nd2,"Cats, too",They purr.\n'),
        _text("d1\tDogs\tThey bark.\nd2\tCats\tThey purr.\n", "id", "title", "text"),
        _text("d1\thttps://example.org\tDogs\tThey bark.\n"),
        _json({"d1": {"title": "Dogs", "text": "They bark."}, "d2": {"text": "They purr."}}),
        _json([{"id": "d1", "title": "Dogs", "abstract": "They bark."}]),
        _lines({"docno": "d1", "body": "They bark.", "headline": "Dogs"}, {"docno": "d2", "body": "x"}),
    )
    return [{"documents.jsonl": file} for file in files]


# Clicks and recommendation


def _event(query: str, action: str, document: str, ordinal: int) -> dict[str, object]:
    attributes = {"object": {"object_id": document}, "position": {"ordinal": ordinal}}
    return {"action_name": action, "query_id": query, "client_id": "c1", "event_attributes": attributes}


def clicks() -> list[Seed]:
    """Click logs in every layout, OpenSearch UBI among them."""
    asked = [
        {"query_id": "1", "user_query": "shoes", "client_id": "c1", "query_response_hit_ids": ["a", "b"]},
        {"query_id": "2", "user_query": "shoes", "client_id": "c2", "query_response_hit_ids": ["b", "a"]},
    ]
    events = [_event("1", "click", "b", 2), _event("2", "click", "b", 1), _event("2", "hover", "a", 2)]
    hits = [{"_index": "ubi", "_id": at, "_source": record} for at, record in enumerate([*asked, *events])]
    files = (
        File(_demo("clicks.csv", ("q01", "q53"), 60)),
        _text(
            "session,query,position,document,clicked\ns1,q1,1,d1,0\ns1,q1,2,d2,1\ns2,q1,1,d2,1\ns2,q1,2,d1,0\n"
            "s3,q1,1,d1,1\ns3,q1,2,d3,0\n"
        ),
        _text("session,query,documents,clicks\ns1,q1,d1|d2|d3,0|1|0\ns2,q1,d2|d1,1|0\ns3,q2,d1|d2,0|1\n"),
        _text("session_id\tquery_id\tresults\tclicked_ranks\ns1\tq1\td1 d2\t2\ns2\tq1\td2 d1\t1\n"),
        _text("item_id,position,click,propensity_score\n3,1,0,0.5\n3,2,1,0.25\n4,1,1,0.5\n"),
        _text("impression,query,document,rank,clicked,propensity\n1,q1,a,1,1,0.5\n1,q1,b,2,0,0.5\n2,q1,b,1,1,0.1\n"),
        _lines(*({"session": at, "query": "q1", "documents": ["d1", "d2"], "clicks": [at % 2, 1]} for at in range(4))),
        _lines(*asked, *events),
        _lines(*hits),
        _json({"took": 1, "hits": {"total": 5, "hits": hits}}),
        _text(
            "1\t0\tQ\t8\t0\ta\tb\tc\n1\t3\tC\tb\n1\t9\tQ\t9\t0\tb\td\n1\t12\tC\tc\n2\t0\tQ\t8\t0\tb\ta\n2\t1\tC\tb\n"
        ),
    )
    return [
        *({"clicks.csv": file} for file in files),
        {"queries.ndjson": _lines(*asked), "clicks.csv": _lines(*events)},
    ]


def recommendations() -> list[Seed]:
    """A run of recommendations with what is known of items."""
    run = _text("u1 Q0 a 1 3 t\nu1 Q0 b 2 2 t\nu2 Q0 a 1 1 t\nu2 Q0 c 2 0.5 t\nu3 Q0 d 1 7 t\n", *RUN)
    items = (_text("item_id\na\nb\nc\nd\n"), _text("a\nb\nc\n", "item"), _json(["a", "b", "c", "d"]))
    taken = (
        _text("user_id,item_id,rating\nu1,c,5\nu2,b,3\nu2,c,1\nu4,a,4.5\n"),
        _text("u1\tc\nu2\tb\nu2\tc\nu4\ta\n", "user", "item"),
        _json({"u1": ["c"], "u2": ["b", "c"], "u4": ["a"]}),
    )
    known = (
        _text("item,genre,weight\na,jazz,1\na,live,0.5\nb,jazz,2\nc,pop,1\n"),
        _json({"a": ["jazz", "live"], "b": ["jazz"], "c": {"pop": 2}}),
        _lines({"item": "a", "genres": "jazz"}, {"item": "b", "genres": "live"}),
    )
    return [
        {"lists.run": run, "items.txt": item, "interactions.csv": took, "attributes.csv": what}
        for item, took, what in zip(items, taken, known, strict=True)
    ]


# Results and rules

RULES = """\
baseline = "baseline.json"
confidence = 0.95
interval = "t"
inconclusive = "pass"

[[not_worse]]
measure = "nDCG@10"
margin = 0.02

[[not_worse]]
measure = "AP"
margin = "5%"
confidence = 0.9

[[mean]]
measure = "AP"
at_least = 0.1

[[broken]]
measure = "AP"
drop = 0.5
at_most = "5%"

[[protected]]
measure = "nDCG@10"
queries = ["q1", "q2"]

[coverage]
at_least = 0.98

[[judged]]
at = 10
at_least = 0.2
"""


_OLDER = _json({"q1": {"d2": 2, "d1": 1}, "q2": {"d1": 1}})


@cache
def saved(**runs: File) -> bytes:
    """Results of runs as they are saved."""
    import cranfield as cf
    from cranfield.evaluating.saved_scores import to_dict

    judgments = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 1, "d4": 0}, "q3": {"d1": 1}}
    scores = cf.evaluate(judgments, {name: json.loads(run.data) for name, run in runs.items()}, "nDCG@10 AP Judged@10")
    return json.dumps(to_dict(scores), indent=1).encode()


def results() -> list[Seed]:
    """Saved results, and the rules of a gate for them."""
    new = File(saved(bm25=_json(_SCORES)), is_table=False)
    old = File(saved(bm25=_OLDER), is_table=False)
    project = "".join(f"{line}\n" for line in ("[[tool.cranfield.gate.mean]]", 'measure = "AP"', "at_least = 0.5"))
    rules = (RULES, '[[mean]]\nmeasure = "AP"\nat_least = 0.5\n', project)
    return [{"results.json": new, "baseline.json": old, "gate.toml": _text(text, table=False)} for text in rules]


def request_logs() -> list[Seed]:
    """Judgments, and a run with the log of the requests that it was made from; answers of services."""
    head = {"requests": 1, "cranfield": "0.1.0", "asked": {"source": "http://127.0.0.1/", "at_once": 2, "hash": "a"}}
    first = {
        "query": "q1",
        "request": "a",
        "outcome": "results",
        "tries": 1,
        "milliseconds": 2.5,
        "hits": 3,
        "total": 9,
    }
    second = {"query": "q2", "request": "b", "outcome": "empty", "tries": 2, "milliseconds": 0.5}
    failed = {**second, "outcome": "failed", "kind": "server error", "detail": "500"}
    logs = (
        _lines({**head, "finished": True}, first, second),
        _lines(head, {**first, "documents": ["d1", "d2", "d9"], "scores": [3.5, 3.5, 1]}, failed),
    )
    answers = (
        _json({"timed_out": False, "_shards": {"failed": 0}, "hits": {"total": {"value": 2}, "hits": _HITS}}),
        _json({"responseHeader": {"status": 0}, "response": {"numFound": 1, "docs": [{"id": "d1", "score": 1.5}]}}),
        _json({"root": {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": 0}}}),
        _json({"result": {"points": [{"id": 7, "score": 0.5}]}, "status": "ok"}),
        _json({"results": [{"id": "d1", "score": 2}, {"id": "d2", "score": 1.5}], "total": 2}),
        _json(["d1", "d2"]),
    )
    files = {"qrels.txt": SMALL_QRELS, "bm25.run": SMALL_RUN}
    return [
        {**files, "bm25.run.requests.jsonl": logs[at % len(logs)], "answer.json": answer}
        for at, answer in enumerate(answers)
    ]


# Names and arguments

NAMES = (
    *("nDCG@10", "AP(rel=2)@100", "nDCG(gain=exponential)@5", "ndcg_cut_10", "P.5,10 AP", "map@100-l2", "RBP(p=0.8)"),
    *("set_F.4", "rbp.95", "ndcg_at_10", "nDCG(dcg='exp-log2')@10", "G.1=2,2=3", "utility.1,-1,0,0", "rbp_p=0.8"),
    *("iprec_at_recall_0.50", "ERR(max_grade=3)@20", "alpha_nDCG@10", "INST(T=2)", "NCUgu,p", "Q(beta=10)@5", "bpref"),
    *(
        "nDCG(gains={1: 2, 2: 5})@5",
        "F(beta=0.5)@10",
        "Compat(p=0.9)",
        "infNDCG@10",
        "P@5,RR Success@10",
        "TBG",
        "recall@5-l2",
    ),
)
ARGUMENTS = (
    *(["-q"], ["-m", "all_trec"], ["-q", "-c", "-m", "P.5,10", "-m", "ndcg_cut.3"], ["-l2", "-M", "5", "-J"]),
    *(["-m", "set_F.0.5", "-N1000", "-m", "utility.1,-1,0,0"], ["--like", "9.0.8", "-q", "-m", "official"], ["-n"]),
    *(["-m", "relstring.5", "-m", "runid"], ["-Z", "means.txt", "-q"], ["-h", "-m", "map"], ["-m", "ndcg.1=2,2=3"]),
)


COMMANDS = (
    *("evaluate qrels.txt bm25.run dense.run -m AP -m nDCG@10 --format json", "check qrels.txt bm25.run --format json"),
    *("evaluate qrels.txt bm25.run -q --format tsv", "evaluate qrels.txt bm25.run --ties average -J -M 5 --format csv"),
    "evaluate qrels.txt bm25.run --worst 2 --failure-threshold 0.5 --queries queries.tsv --bounds unjudged",
    "evaluate qrels.txt bm25.run --profile ranx --format markdown",
    "evaluate qrels.txt bm25.run --only-queries queries.tsv --group-by '^(.)' --format json",
    "evaluate qrels.txt bm25.run --format latex --percent --caption 'Two runs' --label tab:x --places AP=3",
    *("compare qrels.txt bm25.run dense.run -m AP", "compare qrels.txt bm25.run dense.run --test randomization"),
    "compare qrels.txt bm25.run dense.run -m AP --format latex --percent --caption Means --label tab:y --order mean",
    "compare qrels.txt bm25.run dense.run -m AP -m RR --worst 1 --movers 2 --agreement --sensitivity --format markdown",
    "compare saved.json --queries queries.tsv --by intent --format jsonl",
    "compare systems qrels.txt bm25.run dense.run dense-2.run --system dense=d* -m AP --all-pairs",
    "compare systems saved.json --system both=first --system both=second --correction none --format latex",
    "compare orders saved.json saved.json -m AP --format json",
    *("explain qrels.txt bm25.run --query q1 -m nDCG@10", "explain '1 0 1|+2' -m AP --relevant 5 --format markdown"),
    *("why qrels.txt bm25.run -m AP", "similarity bm25.run dense.run -k 3", "curve qrels.txt bm25.run"),
    *(
        "curve '1 0 1 1' '0 1 1' --format csv",
        "score '1 0 1 1 0' 'Y N N Y|+8' '[3, 2, 0]' -m AP -m nDCG@5 --format json",
    ),
    *("score 1011110001 0100111011 --relevant 7", "help nDCG@10", "help compare systems", "measures nDCG@10"),
    *("risk qrels.txt bm25.run dense.run --baseline bm25", "plan qrels.txt bm25.run dense.run"),
    *("gate qrels.txt bm25.run --baseline saved.json --rules gate.toml", "report qrels.txt bm25.run dense.run -o -"),
    *("pool bm25.run dense.run --depth 3", "pool bm25.run dense.run --judgments qrels.txt --strategy mtf --budget 5"),
    "pool simulate bm25.run dense.run --judgments qrels.txt",
    "pool reusability bm25.run dense.run --judgments qrels.txt",
    "pool plan bm25.run dense.run --judgments qrels.txt --width 0.1 -m P@5",
    *(
        "agree labels.csv --all -q --disagreements 3 --samples 20",
        "agree labels.csv --against ada --run bm25.run -m AP",
    ),
    *(
        "agree explain labels.csv --judges ada,ben",
        "agree explain --table '70 10; 20 300' --judges ada,ben --scale 0,1",
    ),
    *("merge labels.csv -o -", "merge labels.csv --adjudicated sheet.csv --rule majority --format json"),
    *("clicks clicks.csv --model PBM --labels --min-impressions 1", "clicks models clicks.csv --format csv"),
    *("clicks estimate clicks.csv --run bm25.run", "clicks policy clicks.csv --places 3"),
    "recommendation lists.run --items items.txt --attributes attributes.csv -k 2",
)


def commands() -> list[Seed]:
    """Calls of the command, an argument a line, with the files that they name."""
    results = File(saved(first=_json(_SCORES), second=_OLDER, other=_json({"q1": {"d3": 1}})), is_table=False)
    known = _text("query_id\ttext\tintent\nq1\twhy\tx\nq2\thow\ty\n")
    rules = _text('[[mean]]\nmeasure = "AP"\nat_least = 0.5\n', table=False)
    shared = {"saved.json": results, "dense-2.run": RUNS[0], "queries.tsv": known, "gate.toml": rules}
    labelled = {"labels.csv": LABELS, "sheet.csv": SHEET, "clicks.csv": clicks()[5]["clicks.csv"]}
    demo = {"qrels.txt": DEMO_QRELS, "bm25.run": DEMO_RUN, "dense.run": OTHER_RUN}
    small = {"qrels.txt": SMALL_QRELS, "bm25.run": SMALL_RUN, "dense.run": RUNS[1]}
    calls = {call: shlex.split(call) for call in COMMANDS}
    return [
        {
            **{
                name: file
                for name, file in {**given, **shared, **labelled, **recommendations()[0]}.items()
                if name in call
            },
            "arguments.txt": _text("\n".join(arguments), table=False),
        }
        for given in (small, demo)
        for call, arguments in calls.items()
    ]


RANKINGS = (
    *("1 0 1 1", "1011110001\n0100111011", "Y N N Y|+8", "R N R", "+ - + -", "[3, 2, 0, 1]", "2-1|1", "(12)(0.5)0"),
    *("[1, null, 0.5]|[2, 1]", "yes no yes", "1 ? 0 x|1 1", "|+3", "[12; 0; 3]\n1 0 1|+2\n0 0", "1,0,1|1,1"),
)
KAPPAS = ("70 10; 20 300", "20 5 1; 4 12 3; 0 2 9", "[[20, 5], [10, 15]]", "20 5 10 15", "1 0\n0 1")


def rankings() -> list[Seed]:
    """Rankings as people type them, one a line."""
    return [{"rankings.txt": _text(text, table=False)} for text in RANKINGS]


def kappas() -> list[Seed]:
    """Tables of two judges as people type them."""
    return [{"kappa.txt": _text(text, table=False)} for text in KAPPAS]


def names() -> list[Seed]:
    """Names of measures in several tools' spellings."""
    return [{"measures.txt": _text(name, table=False)} for name in NAMES]


def calls() -> list[Seed]:
    """Arguments of trec_eval, one a line, with the files they are about."""
    means = _text("q1 map 0.5 0.25\nq2 map 0.25 0.5\nq1 P_5 3 0\n", table=False)
    forms = {"qrels_jg": GROUPED[1], "qrels_prefs": SMALL_QRELS, "prefs": GROUPED[2]}
    asked = [(SMALL_QRELS, arguments) for arguments in ARGUMENTS] + [
        (file, ["-R", form, "-m", "qrels_jg" if form == "qrels_jg" else "prefs", "-q"]) for form, file in forms.items()
    ]
    return [
        {
            "qrels.txt": File(file.data, is_table=False),
            "bm25.run": File(SMALL_RUN.data, is_table=False),
            "means.txt": means,
            "arguments.txt": _text("\n".join(arguments), table=False),
        }
        for file, arguments in asked
    ]
