"""Lines whose fields are split at blanks: the reading that TREC and MS MARCO files share.

A block of lines is split and converted at once. Only where that fails is it walked line by line,
to say what is wrong where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TypeVar

import numpy as np

from cranfield import errors, kernels
from cranfield.data.judgments import JudgmentRows
from cranfield.errors import Finding, Findings
from cranfield.formats.columns import EXTRA, SKIPPED
from cranfield.formats.grouping import RunRows
from cranfield.formats.source import Block, Source
from cranfield.formats.tokens import decoded, decoded_alike, grades, is_grade, is_score, scores
from cranfield.phrases import option

Fields = list[bytes]
TREC_RUN = ("query", "_", "document", "rank", "score", "tag")
"""The columns that compiled loops read."""
Rows = TypeVar("Rows", JudgmentRows, RunRows)


@dataclass(frozen=True)
class Layout:
    """What stands where on a line, and how a line that differs is explained."""

    roles: tuple[str, ...]
    expected: str
    correction: str = "Correct the line"
    named: str = ""
    """What to say of the columns of a file with another layout."""
    more_is_ignored: bool = False

    @property
    def advice(self) -> str:
        """What to do about a line that differs."""
        naming = f", or say what the columns are: {option('columns', self.named)}" if self.named else ""
        return f"{self.correction}{naming}."

    @cached_property
    def places(self) -> dict[str, int]:
        """The position of each role."""
        return {role: at for at, role in enumerate(self.roles) if role not in SKIPPED}


def judgment_rows(source: Source, layout: Layout, findings: Findings) -> Iterator[JudgmentRows]:
    """Judgments in a given layout."""

    def convert(lines: Sequence[int], columns: Sequence[Fields]) -> JudgmentRows:
        at = layout.places
        return JudgmentRows(
            lines,
            decoded_alike(columns[at["query"]]),
            decoded(columns[at["document"]]),
            grades(columns[at["grade"]]).tolist(),
            {role: decoded_alike(columns[at[role]]) for role in EXTRA if role in at},
        )

    return _converted(source, layout, convert, findings)


def run_rows(source: Source, layout: Layout, findings: Findings) -> Iterator[RunRows]:
    """Rows of a run in a given layout; without scores the ranks are the positions."""
    tags = Tags()

    def convert(lines: Sequence[int], columns: Sequence[Fields]) -> RunRows:
        at = layout.places
        if "tag" in layout.roles:
            tags.see(lines, columns[layout.roles.index("tag")])
        return RunRows(
            lines,
            decoded_alike(columns[at["query"]]),
            decoded(columns[at["document"]]),
            scores(columns[at["score"]]) if "score" in at else -grades(columns[at["rank"]]),
            columns[at["rank"]] if "score" in at and "rank" in at else None,
            ranked="score" not in at,
        )

    compiled = partial(_compiled_rows, tags) if layout.roles == TREC_RUN and kernels.are_compiled() else None
    yield from _converted(source, layout, convert, findings, partial(_may_be_shifted, layout), compiled)
    findings.extend(tags.findings(source.path))


def _compiled_rows(tags: Tags, block: Block) -> RunRows | None:
    """The rows of a block by compiled loops; None where there may be anything to tell about them."""
    from cranfield.kernels.compiled import run_columns

    lines = range(block.first_line, block.first_line + block.data.count(b"\n") + (not block.data.endswith(b"\n")))
    columns = run_columns(block.data, len(lines))
    if columns is None:
        return None
    queries, documents, numbers, ranks, tag = columns
    tags.see(lines, [tag], len(lines))
    return RunRows(lines, queries, documents, np.frombuffer(numbers), np.frombuffer(ranks))


@dataclass
class Tags:
    """The tags of a run's lines: a run has one."""

    counts: Counter[bytes] = field(default_factory=Counter)
    last: tuple[int, bytes] = (0, b"")

    def see(self, lines: Sequence[int], tags: Fields, times: int = 1) -> None:
        """Count the tags of some lines, each so many times."""
        if tags and lines[-1] > self.last[0]:  # lines that could not be converted together come again, one by one
            self.counts.update(tags if times == 1 else dict.fromkeys(tags, times))
            self.last = (lines[-1], tags[-1])

    def findings(self, path: str) -> Iterator[Finding]:
        """What is odd about them: there are several, or the last line ends within its tag."""
        if len(self.counts) < 2:
            return
        line, tag = self.last
        common = self.counts.most_common(1)[0][0]
        if self.counts[tag] == 1 and common.startswith(tag):
            yield errors.rows.cut_tag(path, line, _text(tag), _text(common))
            del self.counts[tag]
        if len(self.counts) > 1:
            yield errors.rows.several_tags(path, [(_text(tag), count) for tag, count in self.counts.items()])


def _text(field: bytes) -> str:
    return field.decode(errors="replace")


def _converted(
    source: Source,
    layout: Layout,
    convert: Callable[[Sequence[int], Sequence[Fields]], Rows],
    findings: Findings,
    doubtful: Callable[[Sequence[Fields]], bool] = lambda columns: False,
    compiled: Callable[[Block], Rows | None] | None = None,
) -> Iterator[Rows]:
    for block in source.blocks():
        converted = None if compiled is None else compiled(block)
        if converted is None:
            converted = _at_once(block, len(layout.roles), convert, doubtful)
        if converted is None:
            lines, rows = _line_by_line(block, layout, source.path, findings)
            converted = convert(lines, [list(column) for column in zip(*rows, strict=True)]) if rows else None
        if converted is not None:
            yield converted


def _at_once(
    block: Block,
    count: int,
    convert: Callable[[Sequence[int], Sequence[Fields]], Rows],
    doubtful: Callable[[Sequence[Fields]], bool],
) -> Rows | None:
    data = block.data if block.data.endswith(b"\n") else block.data + b"\n"
    if data.startswith(b"#") or b"\n#" in data or b"\0" in data:
        return None
    # With its end marked, a line of the right length leaves its mark at every (count + 1)th place.
    # This is twice as fast as a list for each line, which also keeps the garbage collector busy.
    tokens = data.replace(b"\n", b" \0 ").split()
    lines, width = data.count(b"\n"), count + 1
    if len(tokens) != lines * width or tokens[count::width].count(b"\0") != lines:
        return None
    columns = [tokens[at::width] for at in range(count)]
    if doubtful(columns):
        return None
    try:
        return convert(range(block.first_line, block.first_line + lines), columns)
    except ValueError:
        return None


def _line_by_line(block: Block, layout: Layout, path: str, findings: Findings) -> tuple[list[int], list[Fields]]:
    """The sound lines; what is wrong with the others becomes a finding."""
    lines: list[int] = []
    rows: list[Fields] = []
    for number, line in enumerate(block.lines, block.first_line):
        fields = line.split()
        if not fields:
            continue
        text = line.decode(errors="replace")
        wrong = _wrong(path, number, text, fields, layout)
        if line.startswith(b"#"):
            if wrong is None and fields[0] != b"#" and len(fields) == len(layout.roles):
                findings.add(errors.rows.commented_record(path, number, text))
        elif wrong is not None:
            findings.add(wrong)
        else:
            if len(fields) > len(layout.roles):
                findings.add(errors.files.extra_columns(path, number, len(fields), text))
            lines.append(number)
            rows.append(fields[: len(layout.roles)])
    return lines, rows


def _wrong(path: str, line: int, text: str, fields: Fields, layout: Layout) -> Finding | None:
    count = len(layout.roles)
    if len(fields) < count or (len(fields) > count and not layout.more_is_ignored):
        return errors.files.wrong_column_count(path, line, text, len(fields), layout.expected, layout.advice)
    if _is_shifted(fields, layout):
        return errors.rows.blank_in_id(path, line, text)
    found = {role: fields[at] for role, at in layout.places.items()}
    for role, value in found.items():
        if role in ("query", "document", *EXTRA) and not _is_utf8(value):
            return errors.rows.not_utf8(path, line, text)
        is_wrong = (
            (role == "grade" and not is_grade(value))
            or (role == "score" and not is_score(value))
            or (role == "rank" and "score" not in found and not is_grade(value))
        )
        if is_wrong:
            return errors.rows.not_a_number(path, line, role, _text(value), text)
    return None


def _may_be_shifted(layout: Layout, columns: Sequence[Fields]) -> bool:
    """Whether some lines of a TREC run must be looked at one by one: tags that are numbers, ranks that are none."""
    if layout.roles[-3:] != ("rank", "score", "tag"):
        return False
    return any(map(is_score, set(columns[-1]))) and not all(map(is_score, columns[-3]))


def _is_shifted(fields: Fields, layout: Layout) -> bool:
    """Whether a blank in an id has moved the columns of a TREC run on by one: rank and score stand too far right."""
    if layout.roles[-3:] != ("rank", "score", "tag"):
        return False
    rank, score, tag = fields[len(layout.roles) - 3 : len(layout.roles)]
    odd = len(fields) > len(layout.roles) or not is_score(rank)
    return odd and score.isdigit() and is_score(tag)


def _is_utf8(field: bytes) -> bool:
    try:
        field.decode()
    except UnicodeDecodeError:
        return False
    return True
