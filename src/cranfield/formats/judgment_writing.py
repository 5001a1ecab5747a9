"""Judgments and labels as files, in every form that holds them: other tools' forms refuse what they would change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, cast

import numpy as np

from cranfield import errors
from cranfield.data.judgments import Judgments
from cranfield.data.labels import Labels
from cranfield.data.queries import Queries
from cranfield.errors import Finding
from cranfield.file_endings import TableForm
from cranfield.formats.labels import looks_delimited
from cranfield.formats.svmlight import Features, svmlight_lines
from cranfield.formats.table_writing import Cells, Part, json_text, on_one_line, write_table
from cranfield.formats.writing import require_one_word
from cranfield.show.table import unguarded

TABLE = "a .csv, .tsv or .jsonl file"
"""What holds all judgments."""
_LARGEST_WHOLE = 2**53
"""Up to here a number with decimals has every whole number."""


@dataclass(frozen=True)
class ToolChoices:
    """What other tools' forms need to know beyond the judgments."""

    features: Features = ()
    """What SVMlight files have next to grades."""
    index: str | None = None
    """The index of the documents, for `_rank_eval`."""
    queries: Queries | None = None
    """Texts of queries, which Quepid has in place of ids."""


NOTHING_MORE = ToolChoices()


def write_graded(
    stream: IO[bytes], form: str, judgments: Judgments, path: str, choices: ToolChoices = NOTHING_MORE
) -> list[Finding]:
    """Judgments, with all their grades by subtopic or judge; tells what a form leaves out without changing a score."""
    if judgments.extra and form in (*_OTHER_TOOLS, "svmlight"):
        raise errors.conversion.not_held(path, form, f"a column {next(iter(judgments.extra))}", TABLE)
    if form == "json" and not judgments.extra:
        _write(stream, _json(judgments))
    elif form in ("trec", "svmlight"):
        _write(stream, _trec(judgments, path) if form == "trec" else svmlight_lines(judgments, choices.features, path))
    elif form in _OTHER_TOOLS:
        return _OTHER_TOOLS[form](stream, judgments, path, choices)
    else:
        write_table(stream, cast(TableForm, form), [_columns(judgments)], path)
    return []


def _write(stream: IO[bytes], texts: Iterator[str]) -> None:
    for text in texts:
        stream.write(text.encode())


def plain_grade(grade: float) -> int | float:
    """A grade as people write it: a whole one without decimals.

    >>> plain_grade(2.0), plain_grade(0.5)
    (2, 0.5)
    """
    return int(grade) if grade.is_integer() and abs(grade) < _LARGEST_WHOLE else grade


def _by_query(judgments: Judgments) -> Iterator[tuple[str, Sequence[str], list[float], slice]]:
    """Of each query its documents and their grades, and where they stand."""
    starts = judgments.starts.tolist()
    for query, start, end in zip(judgments.queries, starts, starts[1:], strict=False):
        rows = slice(start, end)
        yield query, judgments.documents[rows], judgments.grades[rows].tolist(), rows


def _columns(judgments: Judgments) -> Part:
    counts = np.diff(judgments.starts).tolist()
    queries = [query for query, count in zip(judgments.queries, counts, strict=True) for _ in range(count)]
    return {
        "query": queries,
        "document": list(judgments.documents),
        **{name: list(values) for name, values in judgments.extra.items()},
        "grade": _numbers(judgments.grades.tolist()),
    }


def _numbers(grades: Sequence[float]) -> Cells:
    """A column of grades: whole numbers if all are."""
    plain = [plain_grade(grade) for grade in grades]
    return plain if all(isinstance(grade, int) for grade in plain) else list(grades)


_SECOND_COLUMN = ({"subtopic"}, {"judge"})
_FIVE_COLUMNS: Mapping[frozenset[str], str] = {
    frozenset({"stratum"}): "{query} 0 {document} {stratum} {grade}\n",
    frozenset({"judge", "subgroup"}): "{query} {judge} {subgroup} {document} {grade}\n",
}


def _trec(judgments: Judgments, path: str) -> Iterator[str]:
    """TREC lines; a subtopic or judge is the second column, and strata and preferences have five columns."""
    names = set(judgments.extra)
    if not names:
        line = "{query} 0 {document} {grade}\n"
    elif names in _SECOND_COLUMN:
        line = f"{{query}} {{{next(iter(names))}}} {{document}} {{grade}}\n"
    elif frozenset(names) in _FIVE_COLUMNS:
        line = _FIVE_COLUMNS[frozenset(names)]
    else:
        raise errors.conversion.not_held(path, "a TREC file", f"the columns {' and '.join(judgments.extra)}", TABLE)
    for query, documents, grades, rows in _by_query(judgments):
        require_one_word("query", query)
        extra = {name: values[rows] for name, values in judgments.extra.items()}
        for name, column in (("document", documents), *extra.items()):
            for value in column:
                require_one_word(name, value)
        yield "".join(
            line.format(
                query=query,
                document=document,
                grade=int(grade) if grade.is_integer() else repr(grade),
                **{name: values[at] for name, values in extra.items()},
            )
            for at, (document, grade) in enumerate(zip(documents, grades, strict=True))
        )


def _json(judgments: Judgments) -> Iterator[str]:
    between = "{\n"
    for query, documents, grades, _ in _by_query(judgments):
        graded = {document: plain_grade(grade) for document, grade in zip(documents, grades, strict=True)}
        yield f"{between}{json_text(query)}: {json_text(graded)}"
        between = ",\n"
    yield "\n}\n"


def _whole(judgments: Judgments, form: str, path: str) -> list[int]:
    """Grades for a tool that has whole ones."""
    for grade in judgments.grades.tolist():
        if not grade.is_integer():
            raise errors.conversion.not_held(path, form, f"the grade {grade:g}, which is no whole number", TABLE)
    return [int(grade) for grade in judgments.grades.tolist()]


def _write_beir(stream: IO[bytes], judgments: Judgments, path: str, choices: ToolChoices) -> list[Finding]:
    columns = _columns(judgments)
    named = {"query-id": columns["query"], "corpus-id": columns["document"], "score": _whole(judgments, "BEIR", path)}
    write_table(stream, "tsv", [named], path)
    return []


def _write_quepid(stream: IO[bytes], judgments: Judgments, path: str, choices: ToolChoices) -> list[Finding]:
    rated, left_out = _rated(judgments, "Quepid", path)
    texts = {query: _text(query, choices.queries, path) for query, _, _ in rated}
    if len(set(texts.values())) < len(texts):
        twice = next(text for text in texts.values() if list(texts.values()).count(text) > 1)
        raise errors.conversion.not_held(path, "Quepid", f"two queries with the text {twice!r}", TABLE)
    for query, document, _ in rated:
        for what, name in (("query", texts[query]), ("document", document)):
            if unguarded(name) != name:
                raise errors.conversion.not_an_id(path, "Quepid's CSV", what, name, "a .tsv file")
    part: Part = {
        "query": [texts[query] for query, _, _ in rated],
        "docid": [document for _, document, _ in rated],
        "rating": [rating for _, _, rating in rated],
    }
    write_table(stream, "csv", [part], path, as_formulas=True)
    return left_out


def _text(query: str, queries: Queries | None, path: str) -> str:
    if queries is None:
        return query
    text = queries.text(query)
    if not text:
        raise errors.conversion.without_text(queries.path, query)
    return text


def _rated(judgments: Judgments, form: str, path: str) -> tuple[list[tuple[str, str, int]], list[Finding]]:
    """Ratings, which are never negative: a document that was pooled and not judged has none."""
    queries = _columns(judgments)["query"]
    rows = zip(queries, judgments.documents, _whole(judgments, form, path), strict=True)
    rated = [(str(query), document, grade) for query, document, grade in rows if grade >= 0]
    negative = len(judgments.grades) - len(rated)
    return rated, [errors.conversion.negative_left_out(judgments.path, form, negative)] if negative else []


def _write_rank_eval(stream: IO[bytes], judgments: Judgments, path: str, choices: ToolChoices) -> list[Finding]:
    """The body of a request to `_rank_eval` of Elasticsearch or OpenSearch, which can be sent as it is."""
    if choices.index is None:
        raise errors.conversion.needs("rank_eval", "index", "products")
    rated, left_out = _rated(judgments, "_rank_eval", path)
    ratings: dict[str, list[dict[str, Any]]] = {}
    for query, document, rating in rated:
        ratings.setdefault(query, []).append({"_index": choices.index, "_id": document, "rating": rating})
    requests = [{"id": query, **_asked(query, choices.queries, path), "ratings": of} for query, of in ratings.items()]
    template = {"id": _TEMPLATE, "template": {"inline": {"query": _MATCH}}}
    rest = {
        **({} if choices.queries is None else {"templates": [template]}),
        "metric": {"dcg": {"k": 10, "normalize": True}},
    }
    lines = ",\n".join(f"  {json_text(request)}" for request in requests)  # a line for each query
    stream.write(f'{{"requests": [\n{lines}\n], {json_text(rest)[1:]}\n'.encode())
    return left_out


_TEMPLATE = "search"
_MATCH = {"multi_match": {"query": "{{query_string}}", "fields": ["*"]}}


def _asked(query: str, queries: Queries | None, path: str) -> dict[str, Any]:
    """What a query asks the engine: its text in a template, or where that is not known a request to fill in."""
    if queries is None:
        return {"request": {"query": {"match_all": {}}}}
    return {"template_id": _TEMPLATE, "params": {"query_string": _text(query, queries, path)}}


_OTHER_TOOLS: Mapping[str, Callable[[IO[bytes], Judgments, str, ToolChoices], list[Finding]]] = {
    "beir": _write_beir,
    "quepid": _write_quepid,
    "rank_eval": _write_rank_eval,
}


def write_labels(stream: IO[bytes], form: str, labels: Labels, path: str) -> list[Finding]:
    """A row for each label, with query, document, judge and grade; as TREC, the judge is the second column."""
    if not labels.has_queries or not labels.has_judges:
        what = "documents" if not labels.has_queries else "judges"
        raise errors.conversion.unnamed_labels(labels.path, what)
    left_out = []
    if labels.decided is not None:
        left_out.append(errors.conversion.decisions_left_out(labels.path, int((~np.isnan(labels.decided)).sum())))
    if silent := int((labels.counts == 0).sum()):
        left_out.append(errors.conversion.unlabelled_left_out(labels.path, silent))
    columns = _label_columns(labels)
    if form == "trec":
        if labels.categories:
            raise errors.conversion.not_held(path, "a TREC file", f"the label {labels.categories[0]!r}", TABLE)
        _write(stream, _label_lines(columns, path))
    else:
        parts = map(on_one_line, [columns]) if form == "tsv" else [columns]
        write_table(stream, cast(TableForm, form), parts, path)
    return left_out


def _label_columns(labels: Labels) -> Part:
    items, judges = labels.of_item.tolist(), labels.of_judge.tolist()
    of_query = labels.of_query.tolist()
    grades: Cells = (
        [labels.category(value) for value in labels.values.tolist()]
        if labels.categories
        else _numbers(labels.values.tolist())
    )
    return {
        "query": [labels.queries[of_query[item]] for item in items],
        "document": [labels.documents[item] for item in items],
        "judge": [labels.judges[judge] for judge in judges],
        "grade": grades,
    }


def _label_lines(columns: Part, path: str) -> Iterator[str]:
    for at, (query, document, judge, grade) in enumerate(zip(*columns.values(), strict=True)):
        for what, name in (("query", query), ("document", document), ("judge", judge)):
            require_one_word(what, str(name))
        line = f"{query} {judge} {document} {grade!r}\n"
        if at == 0 and looks_delimited(line):
            raise errors.conversion.not_held(path, "a TREC file of labels", f"the line {line.strip()!r}", TABLE)
        yield line
