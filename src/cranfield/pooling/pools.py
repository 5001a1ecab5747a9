"""A pool: documents to judge, and the forms in which they reach whoever judges them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from cranfield import errors
from cranfield.errors import Finding, UsageError
from cranfield.formats import read_judgments
from cranfield.formats.pools import require_no_grades
from cranfield.formats.sheets import NO_TEXTS, Texts, with_grade, write_sheet
from cranfield.formats.writing import form_of, require_one_word, write_text
from cranfield.pooling import words
from cranfield.pooling.candidates import Candidates, judged_pairs
from cranfield.pooling.coverage import PoolCoverage, coverage_of
from cranfield.pooling.strata import SampledDocument, stratum_sizes
from cranfield.show.answer import Answer, json_text
from cranfield.show.table import Cell, Table, finite
from cranfield.version import VERSION

if TYPE_CHECKING:
    from cranfield.pooling.judge_sheets import JudgeSheets

Form = Literal["trec", "csv", "tsv", "xlsx", "json", "jsonl", "markdown", "latex"]
FORMS: tuple[Form, ...] = get_args(Form)
"""How a pool is written."""
SHOWN = 20
"""Documents of a pool that a person is shown."""


class PoolEntry(NamedTuple):
    """A document to judge for a query."""

    query: str
    document: str
    priority: float | None = None
    """What made the strategy choose it; the larger, the sooner. Nothing where documents were drawn."""
    sampled: SampledDocument | None = None


@dataclass(frozen=True, eq=False)
class Pool(Answer):
    """Documents to judge, query by query; shows itself as a verdict and tables.

    >>> import cranfield as cf
    >>> pool = cf.pool({"a": {"q1": ["d1", "d2"]}, "b": {"q1": ["d2", "d3"]}}, depth=2, order="rank")
    >>> print(pool.trec(), end="")
    q1 0 d1
    q1 0 d2
    q1 0 d3
    """

    entries: tuple[PoolEntry, ...]
    candidates: Candidates
    known: Mapping[str, Mapping[str, float]]
    """By query and document, the grades that somebody has given already."""
    k: int
    """How many ranks of each run `coverage` looks at."""
    settings: Mapping[str, Any]
    texts: Texts = NO_TEXTS
    """What queries and documents say, where that was given."""
    sample: tuple[SampledDocument, ...] = ()
    """Of a stratified sample, every document of the pool, drawn or not."""
    warnings: tuple[Finding, ...] = ()
    with_documents: bool = True
    """Whether the documents are shown, and not only what each run has among them."""
    with_runs: bool = False
    """Whether it is shown which run found a document at which rank, and with what priority; not for judges' eyes."""
    seconds_per_label: float | None = None
    """How long one label takes, where the time for all is to be shown."""

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the runs."""
        return self.candidates.runs

    @cached_property
    def judged(self) -> int:
        """Pairs of query and document of the whole pool that are judged already."""
        documents = self.candidates.documents.items()
        return sum(document in self.known.get(query, {}) for query, of in documents for document in of)

    @cached_property
    def coverage(self) -> Mapping[str, PoolCoverage]:
        """What every run has in the pool, and how much of its first k is judged."""
        return coverage_of(
            self.candidates, self.known, ((entry.query, entry.document) for entry in self.entries), self.k
        )

    def of(self, query: str) -> tuple[str, ...]:
        """The documents to judge for a query, in order."""
        return self._by_query.get(query, ())

    def verdict(self) -> str:
        """How much there is to judge, in words."""
        return " ".join(words.sentences(self))

    def table(self, *, most: int | None = None) -> Table:
        """A row per document to judge, with texts where they were given.

        Which run found it at which rank, and with what priority, is left out unless asked for: whoever judges should
        not see it. Only how much a document could change the comparison is shown anyway, as it tells of no rank.
        """
        shown = self.entries[:most]
        columns = self.texts.columns([(entry.query, entry.document) for entry in shown])
        columns |= {name: list(cells) for name, cells in self._numbers(shown).items()}
        left = len(self.entries) - len(shown)
        notes = (f"… and {left:,} more.",) if left else ()
        return Table(columns, notes=notes, elastic="text", optional=("text", "title"))

    def sheet(self) -> Table:
        """The same with an empty column for the grade, to be filled in by whoever judges."""
        return with_grade(self.table(), "document" if self.texts.documents is None else "text")

    def runs_table(self) -> Table:
        """A row per run: what it has in the pool, and how much of its first k is judged."""
        of = self.coverage
        columns: dict[str, list[Cell]] = {
            "run": list(of),
            "in the pool": [one.pooled for one in of.values()],
            "unique": [one.alone for one in of.values()],
        }
        if self.judged:
            columns[f"judged@{self.k}"] = [one.judged for one in of.values()]
            columns["after judging"] = [one.then for one in of.values()]
        return Table(columns, notes=tuple(words.notes(self)))

    def tables(self) -> list[Table]:
        """The runs, and the first documents."""
        documents = [self.table(most=SHOWN)] if self.entries and self.with_documents else []
        return [self.runs_table(), *documents]

    def rows(self) -> Table:
        """A row per document to judge; without documents, a row per run."""
        return self.table() if self.with_documents else replace(self.runs_table(), notes=())

    def write(self, path: str | PathLike[str]) -> None:
        """Write all documents to a file: TREC lines, CSV, TSV, a workbook, JSON, JSONL, Markdown or LaTeX.

        CSV, TSV, workbooks and JSONL have an empty column for the grade, and are judgments once it is filled in. A file
        that has grades already is not overwritten.
        """
        table = self.table()
        texts: dict[Form, Callable[[], str]] = {
            "trec": self.trec,
            "json": lambda: json_text(replace(self, with_documents=True).to_dict()),
            "markdown": table.markdown,
            "latex": table.latex,
        }
        form = form_of(path, FORMS, "a pool")
        require_no_grades(path)
        if form in texts:
            write_text(path, texts[form]())
        else:
            write_sheet(path, self.sheet())

    def for_judges(
        self,
        judges: Sequence[str] | str,
        *,
        overlap: float | str | None = None,
        overlap_judges: int | None = None,
        seed: int = 0,
    ) -> JudgeSheets:
        """Divide the documents among judges: a sheet for each, with as many labels, in an order of its own.

        `overlap` is how many documents several judges label, so that agreement can be measured: a share (`"20%"`,
        0.2) or a whole number; 20% unless given. All judges label each of these, or `overlap_judges` of them, in
        turns. They are drawn at random, evenly over the queries. The other documents of a query stay with one judge,
        unless equal shares divide it.

        >>> import cranfield as cf
        >>> pool = cf.pool({"a": {"q1": ["d1", "d2", "d3"]}, "b": {"q1": ["d4", "d5"]}})
        >>> print(pool.for_judges("anna,ben", overlap=1).verdict())  # doctest: +NORMALIZE_WHITESPACE
        5 documents to judge for 1 query, divided among 2 judges.
        1 document (20%) goes to 2 judges, the other 4 to one each. Each has 3 labels to give.
        """
        from cranfield.pooling.judge_sheets import divided

        return divided(self, judges, overlap, overlap_judges, seed)

    def trec(self) -> str:
        """A line per document, `query 0 document`; a grade after it makes the line a judgment.

        Of a stratified sample it is `query 0 document stratum`, and documents that were not drawn, or are judged
        already, follow complete, with the grade -1 or their own: with grades the file is what `xinfAP` and `infNDCG`
        read.
        """
        if not self.sample:
            return "".join(_line(entry.query, "0", entry.document) for entry in self.entries)
        waiting = {(entry.query, entry.document): entry.sampled for entry in self.entries}
        return "".join(
            [_line(*_of_stratum(one)) for one in waiting.values() if one]
            + [self._graded(one) for one in self.sample if (one.query, one.document) not in waiting]
        )

    def qrels(self, judgments: object = None) -> str:
        """Judgments of a stratified sample, `query 0 document stratum grade`, as `xinfAP` and `infNDCG` read them.

        Grades come from judgments that were made for it, or those it was drawn with; documents that were not drawn, or
        are not judged yet, have -1.
        """
        if not self.sample:
            raise UsageError("Strata belong to a stratified sample; make the pool with the strategy sample.")
        if judgments is not None:
            return replace(self, known=judged_pairs(read_judgments(judgments))).qrels()
        return "".join(map(self._graded, self.sample))

    def write_qrels(self, path: str | PathLike[str]) -> list[Finding]:
        """Write judgments of a stratified sample; what of it is not judged yet is reported."""
        write_text(path, self.qrels())
        drawn = sum(one.drawn for one in self.sample)
        return [errors.pooling.unlabelled(len(self.entries), drawn)] if self.entries else []

    @cached_property
    def _by_query(self) -> Mapping[str, tuple[str, ...]]:
        by_query: dict[str, list[str]] = {}
        for entry in self.entries:
            by_query.setdefault(entry.query, []).append(entry.document)
        return {query: tuple(documents) for query, documents in by_query.items()}

    def _graded(self, one: SampledDocument) -> str:
        grade = self.known.get(one.query, {}).get(one.document, -1.0) if one.drawn else -1.0
        return _line(*_of_stratum(one), f"{grade:g}")

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield pool --format json` prints."""
        return {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "settings": dict(self.settings),
            "queries": len(self.candidates.of),
            "pairs": {"to_judge": len(self.entries), "judged": self.judged, "pool": self.candidates.size},
            "runs": [
                {"name": name, **{key: finite(value) for key, value in one._asdict().items()}, "k": self.k}
                for name, one in self.coverage.items()
            ],
            "warnings": list(map(str, self.warnings)),
            **({"seconds_per_label": self.seconds_per_label} if self.seconds_per_label else {}),
            **({"documents": self._documents()} if self.with_documents else {}),
        }

    def _documents(self) -> list[dict[str, Any]]:
        plain = self.table().to_dict()
        return [
            {name: finite(value) for name, value in zip(plain, row, strict=True)}
            for row in zip(*plain.values(), strict=True)
        ]

    def _numbers(self, shown: Sequence[PoolEntry]) -> dict[str, Iterable[Cell]]:
        """What a strategy has to say of each document, and how long its label takes."""
        seconds = self.seconds_per_label
        return {**self._chosen_by(shown), **({"seconds": [seconds] * len(shown)} if seconds else {})}

    def _chosen_by(self, shown: Sequence[PoolEntry]) -> dict[str, Iterable[Cell]]:
        if self.sample:
            drawn = [entry.sampled for entry in shown]
            sizes = stratum_sizes(self.sample)
            return {
                "stratum": [one.stratum if one else None for one in drawn],
                "drawn": [sizes[one.query, one.stratum][0] if one else None for one in drawn],
                "of": [sizes[one.query, one.stratum][1] if one else None for one in drawn],
                "probability": [one.probability if one else None for one in drawn],
                **(self._found_by(shown) if self.with_runs else {}),
            }
        has_priority = self.settings["strategy"] == "comparison" or self.with_runs
        name = "change" if self.settings["strategy"] == "comparison" else "priority"
        return {
            **({name: [entry.priority for entry in shown]} if has_priority else {}),
            **(self._found_by(shown) if self.with_runs else {}),
        }

    def _found_by(self, shown: Sequence[PoolEntry]) -> dict[str, Iterable[Cell]]:
        ranks: dict[str, dict[str, tuple[int | None, ...]]] = {}
        runs: list[Cell] = []
        for entry in shown:
            if entry.query not in ranks:
                ranks[entry.query] = self.candidates.ranks(entry.query)
            places = zip(self.runs, ranks[entry.query][entry.document], strict=True)
            runs.append(" ".join(f"{run}:{rank}" for run, rank in places if rank is not None))
        return {"runs": runs}

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[PoolEntry]:
        return iter(self.entries)

    def __repr__(self) -> str:
        queries, runs = len(self.candidates.of), len(self.runs)
        return f"Pool({len(self.entries):,} documents to judge, {queries:,} queries, {runs} runs)"


def _line(query: str, *fields: str) -> str:
    require_one_word("query", query)
    require_one_word("document", fields[1])
    return " ".join([query, *fields]) + "\n"


def _of_stratum(one: SampledDocument) -> tuple[str, ...]:
    return one.query, "0", one.document, str(one.stratum)
