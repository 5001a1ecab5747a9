"""SVMlight files of learning to rank, as RankLib and LETOR have them: `grade qid:query feature:value … # document`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cranfield import errors
from cranfield.data.judgments import JudgmentRows, Judgments
from cranfield.errors import DataError, Findings
from cranfield.formats.columns import Columns
from cranfield.formats.grouping import RunRows
from cranfield.formats.source import Block, Source
from cranfield.formats.tokens import is_grade, is_score
from cranfield.phrases import short

_QUERY = "qid:"
_LETOR = re.compile(r"\bdocid\s*=\s*(\S+)")
"""How LETOR names a document, next to other facts."""
_FIRST_WORD = re.compile(r'\s*(\S+?)(?:;\s+(?=")|\s+|$)(.*)')
"""A document and what follows it: nothing, or a text such as its query, which older Quepid puts into quotes."""


class _Line(NamedTuple):
    number: int
    grade: float
    query: str
    document: str
    features: Sequence[str]
    """As `1:0.5`."""


def judgment_rows(source: Source, columns: Columns, findings: Findings) -> Iterator[JudgmentRows]:
    """The grades of an SVMlight file; its features are left out."""
    for lines in _blocks(source, columns, findings):
        numbers, grades, queries, documents, _ = zip(*lines, strict=True)
        yield JudgmentRows(numbers, queries, documents, grades)


def run_rows(source: Source, columns: Columns, findings: Findings) -> Iterator[RunRows]:
    """A feature of an SVMlight file as the scores of a run: the only one, or the one that the user names."""
    feature = columns.names.get("score")
    for lines in _blocks(source, columns, findings):
        scores = [_score(line, feature, source.path, findings) for line in lines]
        numbers, _, queries, documents, _ = zip(*lines, strict=True)
        yield RunRows(numbers, queries, documents, np.array(scores, dtype=np.float64))


def _score(line: _Line, feature: str | None, path: str, findings: Findings) -> float:
    """The value of a feature; one that a line does not have is 0, as such files mean it."""
    if feature is None and len(line.features) > 1:
        raise DataError([errors.conversion.several_features(path)])
    for one in line.features:
        number, colon, value = one.partition(":")
        if not colon or not is_score(value):
            findings.add(errors.rows.not_a_number(path, line.number, "score", value or one))
        elif feature is None or number == feature:
            return float(value)
    return 0.0


def _blocks(source: Source, columns: Columns, findings: Findings) -> Iterator[list[_Line]]:
    if columns.positions or columns.names.keys() - {"score"}:
        raise errors.files.wrong_columns(
            "an SVMlight file has features and no columns; name the feature that is the score, as in score=1"
        )
    naming = _Naming(source.path, findings)
    for block in source.blocks():
        lines = list(_lines(block, naming, findings))
        if lines:
            yield lines


def _lines(block: Block, naming: _Naming, findings: Findings) -> Iterator[_Line]:
    for number, data in enumerate(block.lines, block.first_line):
        if not data.strip() or data.startswith(b"#"):
            continue
        try:
            text = data.decode().rstrip("\r")
        except UnicodeDecodeError:
            findings.add(errors.rows.not_utf8(naming.path, number, short(data.decode(errors="replace"))))
            continue
        before, _, comment = text.partition("#")
        fields = before.split()
        if len(fields) < 2 or not fields[1].startswith(_QUERY) or fields[1] == _QUERY:
            findings.add(errors.conversion.not_svmlight(naming.path, number, short(text)))
        elif "\0" in text:
            findings.add(errors.rows.nul_in_id(naming.path, number, "document", text))
        elif not is_grade(fields[0]):
            findings.add(errors.rows.not_a_number(naming.path, number, "grade", fields[0], text))
        else:
            query = fields[1].removeprefix(_QUERY)
            document = naming.document(number, query, comment, text)
            if document:
                yield _Line(number, float(fields[0]), query, document, fields[2:])


class _Naming:
    """What documents are called: as the comments say or, where there are none, by their places in their queries."""

    def __init__(self, path: str, findings: Findings) -> None:
        self.path = path
        self.findings = findings
        self.has_names: bool | None = None
        self.counts: Counter[str] = Counter()
        self.comments: dict[tuple[str, str], str] = {}
        """Those with more than an id, by query and document."""

    def document(self, line: int, query: str, comment: str, text: str) -> str:
        """The document of a line; nothing where it should have a name."""
        name = self._name(line, query, comment, text)
        if self.has_names is None:
            self.has_names = bool(name)
            if not name:
                self.findings.add(errors.conversion.numbered_documents(self.path))
        if not self.has_names:
            self.counts[query] += 1
            return str(self.counts[query])
        if not name:
            self.findings.add(errors.conversion.no_document(self.path, line, short(text)))
        return name

    def _name(self, line: int, query: str, comment: str, text: str) -> str:
        """The id that a comment has, as LETOR has it or as its first word."""
        if letor := _LETOR.search(comment):
            return letor[1]
        words = _FIRST_WORD.match(comment)
        name, rest = words.groups() if words else ("", "")
        if rest.strip():
            if not self.comments:
                self.findings.add(errors.conversion.words_behind_document(self.path, line, name, short(text)))
            if self.comments.setdefault((query, name), rest) != rest:
                self.findings.add(errors.conversion.unclear_document(self.path, line, name, short(text)))
        return name


Features = Sequence[Mapping[str, Mapping[str, float]]]
"""Of each feature the value of a document, by query and document."""


def svmlight_lines(judgments: Judgments, features: Features, path: str) -> Iterator[str]:
    """Judgments as lines of an SVMlight file, query by query; a feature that a document does not have is left out.

    >>> from cranfield import read_judgments
    >>> print(*svmlight_lines(read_judgments({"7": {"d1": 2, "d2": 0}}), [{"7": {"d1": 12.5}}], "train.txt"), end="")
    2 qid:7 1:12.5 # d1
    0 qid:7 # d2
    """
    for at, query in enumerate(judgments.queries):
        if query.split() != [query] or "#" in query:
            raise errors.conversion.not_an_id(path, "SVMlight", "query", query, _INSTEAD)
        start, end = int(judgments.starts[at]), int(judgments.starts[at + 1])
        lines: list[str] = []
        for document, grade in zip(judgments.documents[start:end], judgments.grades[start:end].tolist(), strict=True):
            if not document.isprintable() or document.split() != [document] or _LETOR.search(document):
                raise errors.conversion.not_an_id(path, "SVMlight", "document", document, _INSTEAD)
            values = [(number, of.get(query, {}).get(document)) for number, of in enumerate(features, 1)]
            fields = [f"{number}:{value!r}" for number, value in values if value is not None]
            label = int(grade) if grade.is_integer() else repr(grade)
            lines.append(" ".join([str(label), f"{_QUERY}{query}", *fields, f"# {document}\n"]))
        yield "".join(lines)


_INSTEAD = "a .csv or .jsonl file"
