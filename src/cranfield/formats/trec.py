"""TREC files: `query iteration document grade` and `query Q0 document rank score tag`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from cranfield import errors, kernels
from cranfield.data.judgments import GROUPED_BY, MODEL_MARK, GroupKind, JudgmentRows, Judgments, by_models
from cranfield.data.run import AtOnce, Firsts, JudgedPlaces
from cranfield.errors import DataError, Findings
from cranfield.formats import whitespace
from cranfield.formats.columns import Columns, Kind
from cranfield.formats.grouping import RunRows
from cranfield.formats.source import Source
from cranfield.formats.tokens import is_grade, is_score
from cranfield.formats.whitespace import Fields, Layout

QRELS = Layout(
    ("query", "_", "document", "grade"),
    "TREC judgments have 4 (query iteration document grade)",
    named="query,document,grade",
)
RUN = Layout(
    whitespace.TREC_RUN,
    "a TREC run has 6 (query Q0 document rank score tag)",
    "Add a run tag",
    "query,_,document,rank,score",
    more_is_ignored=True,
)
PREFERENCES = Layout(
    ("query", "judge", "subgroup", "document", "grade"),
    "preferences have 5 (query judge subgroup document grade)",
    named="query,judge,document,grade",
)
SAMPLE = Layout(
    ("query", "_", "document", "stratum", "grade"),
    "judgments of a sample have 5 (query iteration document stratum grade)",
    named="query,document,stratum,grade",
)
THREE_COLUMN_QRELS = Layout(
    ("query", "document", "grade"),
    "the first line has 3 (query document grade)",
    "Write all lines in the same way",
)


_FIVE_COLUMNS: Mapping[GroupKind | None, Layout] = {"preference": PREFERENCES, "stratum": SAMPLE}


def judgment_rows(source: Source, columns: Columns, findings: Findings) -> Iterator[JudgmentRows]:
    """Judgments split at blanks; the second column of a TREC file is ignored unless groups are wanted."""
    fields = _first_fields(source)
    if columns.positions:
        return whitespace.judgment_rows(source, named_layout(columns, len(fields), "judgments"), findings)
    if len(fields) >= 6 and is_score(fields[4]):
        raise DataError([errors.files.swapped_arguments(source.path, "run", text=_line(fields))])
    layout = _judgments_layout(columns.groups, len(fields))
    if layout is QRELS and _is_by_model(fields) and (models := by_models(_second_column(source))):
        findings.add(errors.model_judging.by_model_alone(source.path, models))
    return whitespace.judgment_rows(source, layout, findings)


def judgments(source: Source, columns: Columns) -> Judgments | None:
    """The judgments, by compiled loops where there are such; None where there is anything to tell about the file."""
    first = _first_fields(source)
    fields = len(first)
    groups = columns.groups
    if columns or fields not in (3, 4) or _is_by_model(first) or not kernels.are_compiled():
        return None
    if groups is not None and (fields == 3 or groups not in ("subtopic", "judge")):
        return None
    from cranfield.kernels import qrels

    with source.open() as opened:
        if groups is not None:
            return qrels.by_group(opened, source.path, kind=groups)
        return qrels.of_lines(opened, source.path, fields=fields)


def run_rows(source: Source, columns: Columns, findings: Findings) -> Iterator[RunRows]:
    """Rows of a run split at blanks; the score decides and the rank column is only compared."""
    fields = _first_fields(source)
    if columns.positions:
        return whitespace.run_rows(source, named_layout(columns, len(fields), "run"), findings)
    if len(fields) == 4 and is_grade(fields[3]):
        raise DataError([errors.files.swapped_arguments(source.path, "judgments", text=_line(fields))])
    return whitespace.run_rows(source, RUN, findings)


def places(source: Source, columns: Columns) -> AtOnce | None:
    """The compiled pass over a run."""

    def scanned(judgments: Judgments, *, ties: str, single: bool) -> JudgedPlaces | None:
        from cranfield.kernels import streaming

        return streaming.places(source.open, judgments, ties=ties, single=single)

    return None if columns else scanned


def firsts(source: Source, columns: Columns) -> Firsts | None:
    """The compiled pass for the first documents of each query."""

    def scanned(depth: int, *, ties: str, single: bool) -> dict[str, tuple[str, ...]] | None:
        if not kernels.are_compiled():
            return None
        from cranfield.kernels import streaming

        return streaming.firsts(source.open, depth, ties=ties, single=single)

    return None if columns else scanned


def _first_fields(source: Source) -> Fields:
    """The fields of the first line that is neither blank nor a comment."""
    for line in source.head.split(b"\n"):
        if line.strip() and not line.startswith(b"#"):
            return line.split()
    return []


def _is_by_model(fields: Fields) -> bool:
    """Whether the second column, which otherwise says nothing, names a model."""
    return len(fields) == 4 and fields[1].startswith(MODEL_MARK.encode())


def iterations(source: Source) -> set[str]:
    """What stands in the second column of judgments with four columns, which says something where it varies."""
    return set(_second_column(source)) if len(_first_fields(source)) == 4 else set()


def tag(source: Source) -> str | None:
    """What a run calls itself on its first line."""
    fields = _first_fields(source)
    return fields[5].decode(errors="replace") if len(fields) == 6 else None


def _second_column(source: Source) -> Iterator[str]:
    with source.open() as opened:
        for line in opened:
            fields = line.split()
            if len(fields) > 1 and not line.startswith(b"#"):
                yield fields[1].decode(errors="replace")


def _judgments_layout(groups: GroupKind | None, count: int) -> Layout:
    if count == 3:
        return THREE_COLUMN_QRELS
    if count == 5 and groups in _FIVE_COLUMNS:
        return _FIVE_COLUMNS[groups]
    if groups in (None, "stratum"):  # without a column for it, all is one stratum
        return QRELS
    return replace(QRELS, roles=("query", GROUPED_BY[groups][0], "document", "grade"))


def named_layout(columns: Columns, count: int, kind: Kind) -> Layout:
    """The layout the user gives, if it fits what the columns must tell."""
    columns.places([""] * count, kind, None)
    expected = f"columns names {len(columns.positions)} ({' '.join(columns.positions)})"
    return Layout(columns.positions, expected, "Correct the line, or name every column, with _ to skip one")


def _line(fields: list[bytes]) -> str:
    return b" ".join(fields).decode(errors="replace")
