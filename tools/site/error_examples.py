"""What wordings of errors are called with, so that each can be shown: by the names of their parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from cranfield.errors import DataError, Finding, UsageError

LINE = "q1 Q0 d7 1 12.5"

USUAL: Mapping[str, Any] = {
    "actions": ("click", "view"),
    "address": "localhost:8765",
    "adjudicator": "cleo",
    "advice": "Name the columns with --columns.",
    "answers": ("a1", "a2"),
    "bucket": "runs",
    "asked": ("q1", "q2", "q3"),
    "answered": ("q1", "q2"),
    "attribute": "genre",
    "best": "DBN",
    "by": "intent",
    "candidates": ("query", "query_text"),
    "categories": ("0", "1", "2"),
    "changeable": ("guidelines", "overlap"),
    "choice": "later",
    "chosen": 2,
    "chunk": "d7#3",
    "chunks": ("d7#3", "d7#4"),
    "clicked": "yes",
    "clicks": 12,
    "column": "grade",
    "command": "compare",
    "count": 3,
    "counts": (3, 2),
    "cutoff": 10,
    "depth": 10,
    "document": "d7",
    "documents": ("d7", "d9"),
    "encoding": "UTF-16",
    "end": 7,
    "endings": (".svg", ".pdf", ".png"),
    "example": "1011",
    "examples": ("q1", "q2"),
    "expected": "a number from 0 to 1",
    "extra_columns": ("title",),
    "fields": ("query", "document"),
    "file": "labels.csv",
    "first": "bm25",
    "folder": "runs",
    "fusion": "RRF(k=60)",
    "form": "csv",
    "found": "four",
    "given": "bm25",
    "grade": 2.0,
    "grades": (0.0, 1.0, 2.0),
    "has": ("nDCG@10", "AP"),
    "header": ("query", "document", "stars"),
    "host": "localhost",
    "how": "by their scores",
    "impression": "s1",
    "instead": "nDCG@10",
    "item": "d7",
    "items": ("d7", "d9"),
    "judge": "ada",
    "judged": ("q1", "q2", "q3"),
    "judges": ("ada", "ben"),
    "judgments_path": "qrels.txt",
    "key": "margin",
    "keys": ("margin", "at_least"),
    "kind": "run",
    "kinds": ("judgments", "run"),
    "judged_examples": ("q1", "q2"),
    "known": ("bm25", "hybrid"),
    "label": "1",
    "largest": "1e100",
    "link": "https://example.org/",
    "layout": "long",
    "layouts": ("long", "wide"),
    "level": 2.0,
    "line": 4,
    "log": "bm25.log.jsonl",
    "mapping": "chunks.csv",
    "meaning": "RR@10",
    "measure": "nDCG@10",
    "measures": ("nDCG@10", "AP"),
    "method": "RRF",
    "methods": ("RRF", "CombSUM"),
    "missing": ("q3",),
    "model": "DBN",
    "name": "bm25",
    "names": ("bm25", "hybrid"),
    "near": ("bm25.run",),
    "norm": "min-max",
    "of": 70,
    "option": "--baseline",
    "options": ("--baseline",),
    "order": "given",
    "other": "hybrid.run",
    "other_has": ("RR", "R@100"),
    "other_path": "hybrid.run",
    "other_queries": ("1", "2"),
    "one": "bm25.run",
    "only": ("q1", "q2"),
    "only_other": ("q71", "q72"),
    "packages": "matplotlib",
    "others": ("dense", "hybrid"),
    "outside": ("d90",),
    "path": "bm25.run",
    "profile": "ranx",
    "queries": ("q1", "q2", "q3"),
    "query": "q1",
    "reason": "Permission denied",
    "rel": 1.0,
    "relevant": ("d1", "d4"),
    "retrieved": ("d1", "d2"),
    "role": "document",
    "roles": ("query", "document"),
    "row": 4,
    "rule": "majority",
    "run": "bm25",
    "run_examples": ("71", "72"),
    "run_path": "bm25.run",
    "runs": ("bm25", "hybrid"),
    "sample": "sample.csv",
    "scheme": "gopher",
    "second": "hybrid",
    "short": ("u1", "u2"),
    "some": ("q1 d7", "q1 d9"),
    "separator": "#",
    "sign": "-",
    "silent": ("q3",),
    "source": "results.json",
    "strategy": "rrf",
    "stratum": "2",
    "suffix": ".xls",
    "table": "labels",
    "tag": "bm25",
    "target": ("query", "document", "grade"),
    "text": LINE,
    "tied": ("u1", "u2"),
    "texts": ("how to prune a tree",),
    "tool": "ranx",
    "total": 70,
    "typed": "1 0 1 2x",
    "unit": "line",
    "unknown": ("d90",),
    "unseen": ("d7", "d9"),
    "url": "http://localhost:9200",
    "users": ("u1", "u2"),
    "usual": "bm25-v2",
    "value": "many",
    "values": ("0", "1", "2"),
    "variable": "MODEL_KEY",
    "version": "0.1.0",
    "weight": 0.5,
    "what": "score",
    "where": "[[not_worse]] 1",
    "why": "it is not JSON",
    "wanted": ("d7", "d9"),
    "without": ("d7", "d9"),
    "word": "linaer",
    "zero": "q1",
}
"""By the name of a parameter; a value that does not fit its type is not taken."""

OF_MODULE: Mapping[str, Mapping[str, Any]] = {
    "assessing": {"path": "judging.db", "name": "ada", "known": "Ada", "where": "localhost/judging"},
    "chunks": {"path": "chunks.csv"},
    "clicks": {"path": "clicks.csv", "name": "DBN", "known": ("PBM", "SDBN")},
    "collections": {"path": "ir_datasets:cranfield", "what": "runs"},
    "conversion": {"path": "labels.csv", "instead": "a .jsonl file"},
    "coverage": {"name": "q1"},
    "document_texts": {"path": "documents.jsonl", "what": "documents", "of": "the runs"},
    "figures": {"path": "figure.doc"},
    "gate": {"path": "cranfield-gate.toml", "name": "cranfield-gate.toml", "where": "not_worse"},
    "judging_projects": {"path": "judging.db"},
    "judging_store": {"path": "judging.db"},
    "labels": {"path": "labels.csv"},
    "model_judging": {"path": "labels.jsonl"},
    "pooling": {"path": "pool.csv"},
    "packages": {"what": "A figure"},
    "queries": {"path": "queries.tsv"},
    "recommendation": {"path": "recommended.csv"},
    "results": {"path": "monday.json"},
    "remote": {"path": "s3://runs/bm25.run"},
    "retrieving": {"path": "queries.tsv", "header": "Authorization", "url": "localhost:9200/{query}"},
    "search_responses": {"path": "responses.json"},
    "typed_rankings": {"text": "1 0 1 2x", "start": 6, "end": 8, "before": "x"},
}
"""What parameters of a module's wordings are, where that differs from what is usual."""

SPECIAL: Mapping[str, Mapping[str, Any]] = {
    "assessing.wrong_grades": {"text": "0,1", "reason": "a grade needs a name"},
    "coverage.silent_queries": {"queries": {"judged": ""}},
    "coverage.tied_documents": {"orders": {"document": ""}, "ties": {"bm25": (12, 700)}},
    "coverage.tied_scores": {"orders": {"document": ""}, "ranges": {"bm25": "nDCG@10 0.5483 to 0.5598"}},
    "clicks.rank_alone": {"chosen": "SDBN"},
    "conversion.unnamed_labels": {"what": "documents"},
    "conversion.unnamed_target": {"endings": (".run", ".csv", ".parquet")},
    "files.unsupported_format": {"found": "PDF files", "advice": "Save the table as CSV."},
    "files.wrong_column_count": {
        "expected": "a TREC run has 6 (query Q0 document rank score tag)",
        "found": 5,
        "advice": 'Add a run tag, or read the file with format="tsv".',
    },
    "fusing.no_such_missing": {"missing": "mean", "known": ("zero", "minimum", "skip")},
    "gate.unknown_rule_key": {"key": "margn", "known": ("measure", "margin", "by")},
    "gate.misplaced_setting": {"key": "baseline"},
    "gate.wrong_rule_value": {"found": "many", "advice": ""},
    "ids.ids_never_meet": {"what": "query"},
    "labels.contradicting_labels": {"item": ("q1", "d7"), "grades": ("2", "0")},
    "packages.missing_reader": {"what": "Parquet files"},
    "pooling.not_together": {"what": "--budget", "other": "--per-query", "advice": "Give one of them."},
    "ranks.ranks_from_zero_and_one": {"other": "q2"},
    "chunks.no_judged_query": {"judged": ("q01", "q02", "q03")},
    "conversion.unused": {"name": "features"},
    "files.is_markup": {"name": "HTML"},
    "files.missing_column": {"names": ("kunde", "artikel", "punkte")},
    "judging_projects.labels_of_other_project": {"where": "other.db"},
    "judging_projects.table_for_preferences": {"where": "judging.db"},
    "queries.column_twice": {"name": "intent"},
    "queries.too_many_slices": {"column": "intent"},
    "results.no_runs": {"what": "A curve over depth"},
    "rows.one_group": {"kind": "judge"},
    "search_responses.failed": {"reason": "all shards failed"},
    "search_responses.other_answer": {"found": "an error"},
    "clicks.in_some_files": {"what": "propensity"},
    "clicks.log_never_meets": {"path": "bm25.run", "asked": ("q71", "q72")},
    "coverage.note_on_tool": {"text": "its rbp multiplies by raw grades, and can exceed 1"},
    "retrieving.body_is_not_json": {
        "where": "template.json",
        "what": "template.json",
        "reason": "Expecting ',' at line 3",
    },
    "retrieving.quoted_placeholder": {"name": "query"},
    "rows.foreign_json": {"what": "a report of another tool", "advice": "Give the run it was made of."},
    "rows.grouped_otherwise": {"found": "judge", "wanted": "subtopic"},
    "rows.several_grades_in_group": {"kind": "judge"},
}
"""By the name of a wording, `gate.wrong_rule`: what it needs otherwise."""

_BY_TYPE: Mapping[str, Any] = {
    "int": 3,
    "float": 12.5,
    "str": "name",
    "bool": False,
    "object": "many",
    "Severity": "warning",
    "Finding": Finding("error", "example", "something is wrong", "Correct it.", "bm25.run", 4),
    "DataError": DataError([Finding("error", "example", "something is wrong", "Correct it.", "bm25.run", 4)]),
    "CranfieldError": UsageError("Something is wrong."),
    "tuple[str, str]": ("q1", "d7"),
    "tuple[int, int]": (3, 70),
    "tuple[float, float]": (0.0, 2.0),
    "Mapping[str, str]": {"bm25": "by document id", "hybrid": "as given"},
    "Mapping[str, tuple[int, int]]": {"bm25": (12, 700), "hybrid": (0, 700)},
}


def example_of(name: str, function: Callable[..., Any]) -> Any:
    """What a wording says, called with values as they could be."""
    special = {**OF_MODULE.get(name.partition(".")[0], {}), **SPECIAL.get(name, {})}
    parameters = inspect.signature(function).parameters.values()
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for parameter in parameters:
        value = _value(parameter, special)
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            positional += [value]
        elif parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            named[parameter.name] = value
        elif parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            positional.append(value)
    return function(*positional, **named)


def _value(parameter: inspect.Parameter, special: Mapping[str, Any]) -> Any:
    wanted = str(parameter.annotation)
    usual = special.get(parameter.name, USUAL.get(parameter.name))
    if usual is not None and (isinstance(usual, Mapping) or _fits(usual, wanted)):
        return usual
    for one in wanted.split(" | "):
        if one in _BY_TYPE:
            return _BY_TYPE[one]
    return _several(wanted, usual)


def _fits(value: Any, wanted: str) -> bool:
    """Whether a value is of a type, as far as the outermost names tell."""
    kinds = wanted.replace(" ", "").split("|")
    match value:
        case bool():
            return "bool" in kinds
        case str():
            return bool({"str", "object"} & {*kinds})
        case int():
            return bool({"int", "float"} & {*kinds})
        case float():
            return bool({"float", "object"} & {*kinds})
        case tuple():
            inner = "float" if value and isinstance(value[0], float) else "int" if isinstance(value[0], int) else "str"
            return any(kind.endswith(f"[{inner}]") or kind.endswith("[object]") for kind in kinds)
    return False


def _several(wanted: str, usual: Any) -> Any:
    """Several of what a type says."""
    inside = wanted.partition("[")[2].removesuffix("]")
    if inside in _BY_TYPE and inside not in ("str", "object"):
        return (_BY_TYPE[inside], _BY_TYPE[inside])
    if inside.startswith("tuple[str, int]"):
        return (("bm25", 700), ("hybrid", 20))
    if "Collection[str]" in inside:
        return ((("q1", "q2"), ("q3",)),)
    if inside.startswith("Sequence[str]"):
        return (("query", "document"), ("query", "grade"))
    if "Severity" in wanted or "Literal" in wanted:
        return "warning"
    return usual if isinstance(usual, tuple) else ("a", "b")
