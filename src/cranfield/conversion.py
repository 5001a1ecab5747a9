"""From one format to another: what a file holds stays as it is, or it is said what the other format cannot hold."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import IO, Any, get_args

import numpy as np

from cranfield import errors
from cranfield.arguments import require_choice
from cranfield.choices import DataKind, Duplicates
from cranfield.data.judgments import MODEL_MARK, GroupKind, Judgments
from cranfield.data.run import Ranking, Run, check_ranking
from cranfield.errors import DataError, Finding, Findings, UsageError
from cranfield.file_endings import ENDINGS, TABLES, endings_of
from cranfield.formats import read_run, read_runs, trec
from cranfield.formats.columns import ColumnsGiven, parse_columns
from cranfield.formats.compression import without_compression
from cranfield.formats.data_kinds import data_kind
from cranfield.formats.documents import stream_documents
from cranfield.formats.judgment_writing import ToolChoices, write_graded, write_labels
from cranfield.formats.labels import read_labels
from cranfield.formats.queries import read_queries
from cranfield.formats.reading import format_of, read_graded
from cranfield.formats.run_writing import RankedDocuments, best_first, write_rankings
from cranfield.formats.sniff import container
from cranfield.formats.source import Source, as_source, is_collection, is_folder, is_pattern
from cranfield.formats.svmlight import Features
from cranfield.formats.text_writing import LaterFieldError, write_documents, write_queries
from cranfield.formats.writing import require_local, written_file, written_stream
from cranfield.phrases import counted
from cranfield.show.answer import Answer
from cranfield.show.table import Table

KINDS: tuple[DataKind, ...] = get_args(DataKind)
WRITTEN: Mapping[DataKind, tuple[str, ...]] = {
    "judgments": ("trec", *TABLES, "beir", "quepid", "svmlight", "rank_eval"),
    "run": ("trec", "msmarco", *TABLES),
    "labels": ("trec", *TABLES),
    "queries": (*TABLES, "beir"),
    "documents": (*TABLES, "beir"),
}
"""The formats that each kind of data is written in."""
READ: Mapping[DataKind, tuple[str, ...]] = {
    **WRITTEN,
    "judgments": (*WRITTEN["judgments"], "store"),
    "run": (*WRITTEN["run"], "svmlight", "rank_eval"),
    "labels": (*WRITTEN["labels"], "quepid", "store"),
}
"""The formats that each kind of data is read from."""
_OF_FOLDER: Mapping[DataKind, str] = {
    "judgments": "qrels/test.tsv",
    "queries": "queries.jsonl",
    "documents": "corpus.jsonl",
}
"""The files of a folder as BEIR has it."""
_NOUNS: Mapping[DataKind, str] = {
    "judgments": "judgment",
    "run": "document",
    "labels": "label",
    "queries": "query",
    "documents": "document",
}
_FORM_NAMES: Mapping[str, str] = {
    "trec": "TREC",
    "msmarco": "MS MARCO",
    **{name: name.upper() for name in ("csv", "tsv", "jsonl", "json")},
    "parquet": "Parquet",
    "arrow": "Arrow",
    "xlsx": "workbook",
    "beir": "BEIR",
    "quepid": "Quepid",
    "svmlight": "SVMlight",
    "rank_eval": "_rank_eval",
    "store": "judging project",
}


@dataclass(frozen=True)
class Conversion(Answer):
    """What was written, and what the new format cannot hold of it."""

    source: str
    target: str
    kind: DataKind
    written_as: str
    """The format that was written."""
    count: int
    """How many judgments, labels, retrieved documents, queries or documents were written."""
    queries: int | None = None
    """How many queries there are; nothing for documents."""
    warnings: tuple[Finding, ...] = ()

    def verdict(self) -> str:
        """What was written, in a sentence."""
        of = f" of {counted(self.queries, 'query')}" if self.queries is not None and self.kind != "queries" else ""
        what = "A run with " if self.kind == "run" else ""
        form = _FORM_NAMES[self.written_as]
        return f"{what}{counted(self.count, _NOUNS[self.kind])}{of} written to {self.target} as {form}."

    def table(self) -> Table:
        """One row: what was read, and what was written."""
        return Table(
            {
                "from": [self.source],
                "to": [self.target],
                "kind": [self.kind],
                "format": [self.written_as],
                "rows": [self.count],
                "queries": [self.queries],
            }
        )

    def rows(self) -> Table:
        """The same, for programs."""
        return self.table()

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "from": self.source,
            "to": self.target,
            "kind": self.kind,
            "format": self.written_as,
            "rows": self.count,
            "queries": self.queries,
            "warnings": list(map(str, self.warnings)),
        }


def formats_table() -> Table:
    """Which formats hold what: a row for each, with what is read from it and what is written."""
    cells = {(False, False): "", (True, False): "read", (True, True): "read, write"}
    return Table(
        {
            "format": list(_FORM_NAMES),
            "name": list(_FORM_NAMES.values()),
            "names of files": [_endings(form) for form in _FORM_NAMES],
            **{kind: [cells[form in READ[kind], form in WRITTEN[kind]] for form in _FORM_NAMES] for kind in KINDS},
        }
    )


def _endings(form: str) -> str:
    own = [ending for ending, known in ENDINGS.items() if known == form or (form == "trec" and known == "run")]
    return " ".join(own) or ("a folder" if form == "beir" else "")


Target = str | os.PathLike[str] | IO[bytes]


def convert(
    source: object,
    target: Target,
    *,
    kind: DataKind | None = None,
    to: str | None = None,
    format: str | None = None,
    columns: ColumnsGiven = None,
    groups: GroupKind | None = None,
    name: str | None = None,
    duplicates: Duplicates | None = None,
    run_queries: object = None,
    features: object = (),
    queries: object = None,
    index: str | None = None,
) -> Conversion:
    """Write judgments, a run, labels, queries or documents in another format.

    `kind` says what they are where that is not clear, `to` the format where the end of the target's name does not, and
    `format` and `columns` how to read the source. `groups` names what the second column of TREC judgments is. `name` is
    the tag of a TREC run; `duplicates` and `run_queries` say how to read a run, as for `read_run`. Runs become the
    `features` of an SVMlight file; `queries` gives texts to Quepid and `_rank_eval`, which also needs the `index` of
    the documents.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/qrels.csv.gz"
    >>> convert({"q1": {"d1": 2, "d2": 0}}, path).count
    2
    >>> from cranfield import read_judgments
    >>> read_judgments(path)["q1"]
    {'d1': 2.0, 'd2': 0.0}
    """
    if kind is not None:
        require_choice(kind, "kind", KINDS)
    if not is_folder(source) and not is_pattern(source) and not is_collection(source):
        source = as_source(source) or source  # a stream can be read only once
    known = kind or ("judgments" if groups else data_kind(source, parse_columns(columns)))
    form, path = _form_and_path(target, known, to)
    reading = {"format": format, "columns": columns}
    of_run = {"duplicates": duplicates, "run_queries": run_queries}
    request = _Request(source, target, path, known, form, reading, of_run, groups, name, features, queries, index)
    request.require_use()
    return _CONVERTERS[known](request)


def _form_and_path(target: Target, kind: DataKind, to: str | None) -> tuple[str, str]:
    """The format to write, and what messages call the file."""
    is_path = isinstance(target, str | os.PathLike)
    require_local(target)
    path = os.fspath(target) if isinstance(target, str | os.PathLike) else "the output"
    is_place = is_path and (is_folder(path) or path.endswith(("/", os.sep)))
    form = to or ("beir" if is_place else _form_by_name(path, kind))
    if form not in WRITTEN[kind]:
        raise errors.conversion.unknown_target(path, form, kind, WRITTEN[kind])
    if form == "beir" and is_path and (is_place or not PurePath(path).suffix):
        path = str(Path(path) / _OF_FOLDER[kind])
    return form, path


def _form_by_name(path: str, kind: DataKind) -> str:
    forms = {"run": "trec"} if kind == "run" else {}
    for known in (*WRITTEN[kind], *forms):
        forms.setdefault(known, known)
    ending = ENDINGS.get(PurePath(without_compression(path)).suffix.lower())
    if ending not in forms:
        endings = endings_of(forms)
        raise errors.conversion.unnamed_target(path, kind, endings)
    return forms[ending]


@dataclass(frozen=True)
class _Request:
    """What is to be converted, and how."""

    source: object
    target: Target
    path: str
    """What messages call the target."""
    kind: DataKind
    form: str
    reading: Mapping[str, Any]
    """How to read the source."""
    of_run: Mapping[str, Any]
    """How to read it where it is a run."""
    groups: GroupKind | None
    name: str | None
    features: object
    queries: object
    index: str | None

    def require_use(self) -> None:
        """Refuse what would have no effect."""
        uses = {
            "groups": self.kind == "judgments",
            "name": self.kind == "run" and self.form == "trec",
            "features": self.form == "svmlight",
            "queries": self.form in ("quepid", "rank_eval"),
            "index": self.form == "rank_eval",
            "format": self.kind not in ("queries", "documents"),
            "columns": self.kind != "documents",
            "duplicates": self.kind == "run" or self.form == "svmlight",
            "run_queries": self.kind == "run",
        }
        values = {"groups": self.groups, "name": self.name, "queries": self.queries, "index": self.index}
        for name, value in {**values, **self.reading, **self.of_run, "features": self.features or None}.items():
            if value is not None and not uses[name]:
                raise errors.conversion.unused(name, f"{self.kind} as {self.form}")

    def opened(self) -> AbstractContextManager[IO[bytes]]:
        """Where to write: a stream gets all of it once it is complete, as a file does."""
        if isinstance(self.target, str | os.PathLike):
            return written_file(self.path, in_new_folder=self.form == "beir")
        return written_stream(self.target)

    def conversion(self, count: int, queries: int | None, warnings: Iterable[Finding]) -> Conversion:
        """What was done."""
        if isinstance(self.source, str | os.PathLike):
            source = os.fspath(self.source)
        else:
            source = str(getattr(self.source, "path", None) or type(self.source).__name__)
        return Conversion(source, self.path, self.kind, self.form, count, queries, tuple(dict.fromkeys(warnings)))


def _judgments(request: _Request) -> Conversion:
    judgments = _graded(request)
    texts = None if request.queries is None else read_queries(request.queries)
    features, missing = _features(request, judgments)
    choices = ToolChoices(features, request.index, texts)
    with request.opened() as stream:
        left_out = write_graded(stream, request.form, judgments, request.path, choices)
    warnings = [*judgments.warnings, *missing, *left_out]
    return request.conversion(len(judgments.grades), len(judgments.queries), warnings)


def _graded(request: _Request) -> Judgments:
    if isinstance(request.source, Judgments):
        if request.source.groups is not None:
            raise UsageError("These judgments have one row for several grades; convert them as they were read.")
        return request.source
    source, groups = request.source, request.groups
    if isinstance(source, Source) and groups is None:
        columns = parse_columns(request.reading["columns"])
        if not columns and format_of(source, request.reading["format"], columns, "judgments") == "trec":
            second = trec.iterations(source)
            if any(value.startswith(MODEL_MARK) for value in second):
                groups = "judge"
            elif len(second) > 1:
                raise DataError([errors.conversion.second_column(source.path, sorted(second))])
    return read_graded(source, **request.reading, groups=groups)


def _features(request: _Request, judgments: Judgments) -> tuple[Features, list[Finding]]:
    """Scores of judged documents in runs, each a feature; and which runs do not have all of them."""
    if not request.features:
        return (), []
    features: list[dict[str, dict[str, float]]] = []
    missing: list[Finding] = []
    judged = {query: judgments.rows_of(query) for query in judgments.queries}
    for run in read_runs(request.features, duplicates=request.of_run["duplicates"]):
        findings = Findings()
        scores: dict[str, dict[str, float]] = {}
        for ranking in run.rankings(findings):
            findings.extend(check_ranking(ranking, run.called))
            pairs = zip(ranking.documents, ranking.scores.tolist(), strict=True)
            wanted = judged.get(ranking.query, {})
            scores[ranking.query] = {document: score for document, score in pairs if document in wanted}
        findings.stop_if_wrong()
        features.append(scores)
        count = len(judgments.grades) - sum(map(len, scores.values()))
        missing += [*findings.warnings, *([errors.conversion.without_features(None, run.name, count)] if count else [])]
    return features, missing


class _NotGroupedError(Exception):
    """Queries that come back later in a run, and are complete only then."""

    def __init__(self, queries: frozenset[str]) -> None:
        self.queries = queries


def _run(request: _Request) -> Conversion:
    run = read_run(request.source, **request.reading, **request.of_run)
    try:
        return _written_run(request, run, frozenset())
    except _NotGroupedError as error:
        return _written_run(request, run, error.queries)


def _written_run(request: _Request, run: Run, scattered: frozenset[str]) -> Conversion:
    passing = _Passing(run, scattered, request.form)
    with request.opened() as stream:
        form = "run" if request.form == "trec" else request.form
        write_rankings(stream, form, passing.rankings(), request.name or _tag(request, run), request.path)
        passing.findings.stop_if_wrong()
    failed = [errors.retrieving.unanswered_in_copy(run.called, run.unanswered)] if run.unanswered else []
    return request.conversion(
        passing.documents, len(passing.seen) - len(passing.silent), [*failed, *passing.findings.warnings]
    )


def _tag(request: _Request, run: Run) -> str:
    """What the run calls itself if it is a TREC file, or else its name."""
    file = request.source
    is_text = isinstance(file, Source) and request.form == "trec" and container(file) == "text"
    return (trec.tag(file) if is_text and isinstance(file, Source) else None) or run.name


@dataclass
class _Passing:
    """A run on its way from one file to another, query by query."""

    run: Run
    scattered: frozenset[str]
    """Queries that come again, complete."""
    form: str
    findings: Findings = field(default_factory=Findings)
    seen: set[str] = field(default_factory=set)
    documents: int = 0
    tied: int = 0
    silent: list[str] = field(default_factory=list)
    """Queries that were answered with no document, which only JSON holds."""

    def rankings(self) -> Iterator[RankedDocuments]:
        """Each complete ranking once, as it is written."""
        waiting = set(self.scattered)
        rest = self.run.rankings(self.findings)
        for ranking in rest:
            if ranking.query in waiting:
                waiting.remove(ranking.query)
            elif ranking.query in self.seen:
                raise _NotGroupedError(frozenset({ranking.query, *(later.query for later in rest)}))
            else:
                yield self._passed(ranking)
        self.findings.extend(self._left_out())

    def _passed(self, ranking: Ranking) -> RankedDocuments:
        self.findings.extend(check_ranking(ranking, self.run.called))
        self.findings.stop_if_wrong()
        self.seen.add(ranking.query)
        self.documents += len(ranking.documents)
        if not len(ranking.documents) and self.form != "json":
            self.silent.append(ranking.query)
        if self.form == "trec" and ranking.ranked:
            self.findings.add(errors.conversion.ranks_as_scores(self.run.path, "TREC"))
        if self.form == "msmarco" and not ranking.ranked:
            self.tied += len(ranking.scores) - len(np.unique(ranking.scores))
        return best_first(ranking)

    def _left_out(self) -> Iterator[Finding]:
        if self.silent:
            if not self.documents:
                raise errors.conversion.not_held(self.run.called, self.form, "a run without documents", "a .json file")
            yield errors.conversion.silent_left_out(self.run.path, self.silent)
        if self.form == "msmarco":
            yield errors.conversion.scores_left_out(self.run.path, self.tied)


def _labels(request: _Request) -> Conversion:
    labels = read_labels(request.source, **request.reading)
    with request.opened() as stream:
        left_out = write_labels(stream, request.form, labels, request.path)
    return request.conversion(len(labels), len(labels.queries), [*labels.warnings, *left_out])


def _queries(request: _Request) -> Conversion:
    columns = request.reading["columns"]
    queries = read_queries(request.source, columns=_named(columns))
    with request.opened() as stream:
        write_queries(stream, request.form, queries, request.path)
    return request.conversion(len(queries), len(queries), queries.warnings)


def _named(columns: ColumnsGiven) -> Mapping[str, str] | None:
    """Columns of queries by role, as `query=nr,text=words`."""
    if columns is None or isinstance(columns, Mapping):
        return columns
    parts = columns.split(",") if isinstance(columns, str) else columns
    pairs = [part.partition("=") for part in parts]
    if not all(name for _, _, name in pairs):
        raise errors.files.wrong_columns("columns of queries are named by their header")
    return {role.strip(): name.strip() for role, _, name in pairs}


def _documents(request: _Request) -> Conversion:
    source = request.source if is_collection(request.source) else as_source(request.source, "documents")

    def written(*, all_fields: bool) -> Conversion:
        findings = Findings()
        with request.opened() as stream:
            documents = stream_documents(request.source if source is None else source)
            count = write_documents(stream, request.form, documents, request.path, findings, all_fields=all_fields)
        return request.conversion(count, None, findings.warnings)

    try:
        return written(all_fields=False)
    except LaterFieldError:
        return written(all_fields=True)


_CONVERTERS: Mapping[DataKind, Callable[[_Request], Conversion]] = {
    "judgments": _judgments,
    "run": _run,
    "labels": _labels,
    "queries": _queries,
    "documents": _documents,
}
