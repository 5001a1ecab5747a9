"""How far judges agree, as an answer: coefficients, pairs, judges, grades and queries in every form."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any

from cranfield import errors
from cranfield.arguments import require_whole
from cranfield.choices import AlphaMetric
from cranfield.data.labels import Labels
from cranfield.errors import Finding, UsageError, did_you_mean
from cranfield.formats.sheets import NO_TEXTS, Texts, write_sheet
from cranfield.judging import words
from cranfield.judging.against import Against
from cranfield.judging.benchmarks import NO_ERROR, Benchmark, benchmark, benchmark_table
from cranfield.judging.conclusions import Conclusions
from cranfield.judging.disagreements import (
    adjudication_sheet,
    disagreement_rows,
    disagreement_values,
    disagreements_table,
)
from cranfield.judging.each import Grade, JudgeSummary, Query
from cranfield.judging.estimates import Coefficient, Row, rows_table
from cranfield.judging.explaining import KappaExplanation
from cranfield.judging.overall import MOST_CATEGORIES
from cranfield.judging.pairs import JudgePair
from cranfield.show.answer import Answer
from cranfield.show.table import Cell, PValue, Table, finite, shortened
from cranfield.version import VERSION

MOST_PAIRS = 45
MOST_JUDGES, FEWEST_SHARED = 100, 5
WIDEST = 12
"""Names of labels that are texts are cut to this, at the top of a column."""


@dataclass(frozen=True, eq=False)
class Agreement(Answer):
    """How far judges agree; shows itself as a verdict and tables.

    >>> import cranfield as cf
    >>> labels = {"q1": {"d1": {"ada": 2, "ben": 2}, "d2": {"ada": 0, "ben": 1}, "d3": {"ada": 0, "ben": 0}}}
    >>> agreement = cf.agree(labels, columns="query,document,judge")
    >>> print(round(agreement["Cohen's kappa"].value, 4))
    0.5
    """

    labels: Labels
    """As they were compared: of the chosen judges, and binary where a level was given."""
    coefficients: tuple[Coefficient, ...]
    """Of all judges together."""
    pairs: tuple[JudgePair, ...]
    judges: tuple[JudgeSummary, ...]
    grades: tuple[Grade, ...]
    queries: tuple[Query, ...]
    metric: AlphaMetric
    """How far apart grades are, where that counts by default."""
    settings: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    against: Against | None = None
    """Every judge compared with one, where one was named."""
    conclusions: Conclusions | None = None
    """What the labels of each judge say of runs, where runs were given."""
    warnings: tuple[Finding, ...] = ()
    texts: Texts = NO_TEXTS
    """What queries and documents say, where that was given: shown with disagreements."""
    with_all: bool = False
    """Whether tables show every coefficient, and not only those to look at first; rows always have all."""
    with_queries: bool = False
    """Whether every query is shown."""
    with_disagreements: int = 0
    """How many of the documents that judges differ about most are shown."""

    def __getitem__(self, name: str) -> Coefficient:
        for coefficient in self.coefficients:
            if coefficient.name == name:
                return coefficient
        known = [coefficient.name for coefficient in self.coefficients]
        raise KeyError(
            f"{name!r} was not computed; these were: {', '.join(known)}. {did_you_mean(name, known)}".strip()
        )

    @cached_property
    def by_default(self) -> Coefficient:
        """The coefficient to look at first: Krippendorff's alpha, by the metric that fits the labels."""
        return self[f"Krippendorff's alpha ({self.metric})"]

    @property
    def item(self) -> str:
        """What was labelled, in a word."""
        return "document" if self.labels.has_queries else "item"

    def pair(self, one: str, other: str) -> JudgePair:
        """How far two judges agree."""
        for judge in (one, other):
            self.labels.position(judge)
        if one == other:
            raise UsageError(f"Name two different judges, not {one} twice.")
        for pair in self.pairs:
            if {pair.one, pair.other} == {one, other}:
                return pair
        raise UsageError(f"{one} and {other} were not compared: there are too many different grades, or judges.")

    def explain(self, one: str, other: str) -> KappaExplanation:
        """How the kappa of two judges is computed: their table, P(A), P(E) with its terms."""
        pair = self.pair(one, other)
        counts = pair.table if pair.one == one else pair.table.T
        return KappaExplanation(one, other, pair.categories, counts, self.warnings)

    def verdict(self) -> str:
        """How far judges agree; and whether conclusions depend on them, where runs were given."""
        conclusions = [] if self.conclusions is None else [self.conclusions.verdict()]
        return " ".join([*words.sentences(self), *conclusions])

    def table(self) -> Table:
        """The coefficients of all judges together: those to look at first, or every one."""
        shown = [one for one in self.coefficients if self.with_all or words.is_first(self, one)]
        columns: dict[str, list[Cell]] = {
            "coefficient": [one.name for one in shown],
            "value": [one.estimate() for one in shown],
            "P(A)": [one.observed for one in shown],
            "P(E)": [one.expected for one in shown],
            f"{self.item}s": [one.items for one in shown],
        }
        if self.null is not None:
            columns["p"] = [self.p_values.get(one.name) for one in shown]
        return Table(columns, notes=tuple(words.notes(self, shown)), optional=("documents", "P(E)", "P(A)"))

    @property
    def null(self) -> float | None:
        """The value that p of coefficients is against, if that was asked for."""
        value: float | None = self.settings.get("null")
        return value

    @cached_property
    def p_values(self) -> dict[str, PValue]:
        """p of every coefficient that takes out chance against `null`, by name; none where that was not asked for."""
        if self.null is None:
            return {}
        return {one.name: PValue(one.p_value(self.null)) for one in self.coefficients if one.name != "agreement"}

    @cached_property
    def benchmarks(self) -> tuple[Benchmark, ...]:
        """Every coefficient that takes out chance, on the scale that was asked for."""
        scale, confidence = self.settings.get("benchmark"), self.settings["confidence"]
        if scale is None:
            return ()
        return tuple(benchmark(one, scale, confidence) for one in self.coefficients if one.name != "agreement")

    def benchmark_table(self) -> Table:
        """Coefficients on a scale: the level to report, and how likely each is reached."""
        shown = [one for one in self.benchmarks if self.with_all or words.is_first(self, one.coefficient)]
        return benchmark_table(shown, self.settings["benchmark"], self.settings["confidence"])

    def pairs_table(self) -> Table:
        """A row for every two judges; of very many, for those who agree least."""
        shown = _least_agreeing_pairs(self.pairs)
        columns: dict[str, list[Cell]] = {
            "judges": [f"{pair.one} and {pair.other}" for pair in shown],
            f"{self.item}s": [pair.items for pair in shown],
            "agreement": [pair.agreement for pair in shown],
            "kappa": [pair.kappa.estimate() for pair in shown],
        }
        ordered = not self.labels.categories
        if ordered and len(shown[0].categories) > 2:
            columns["linear kappa"] = [pair.linear.estimate() for pair in shown]
            columns["quadratic kappa"] = [pair.quadratic.estimate() for pair in shown]
        columns["pooled kappa"] = [pair.pooled.value for pair in shown]
        if ordered:
            columns["overlap"] = [pair.overlap for pair in shown]
            columns["positive"] = [pair.positive for pair in shown]
            columns["negative"] = [pair.negative for pair in shown]
        return Table(
            columns,
            notes=tuple(words.pair_notes(self, shown)),
            optional=("pooled kappa", "quadratic kappa", "negative", "positive", "documents", "overlap"),
        )

    def judges_table(self) -> Table:
        """A row for every judge; of very many, for those who agree least with others."""
        shown = _least_agreeing(self.judges)
        columns: dict[str, list[Cell]] = {"judge": [judge.name for judge in shown], "labels": [j.labels for j in shown]}
        if not self.labels.categories:
            columns["mean grade"] = [judge.mean for judge in shown]
            columns["spread"] = [judge.spread for judge in shown]
            columns["bias"] = [judge.bias for judge in shown]
            columns["relevant"] = [judge.relevant for judge in shown]
        if self.grades:
            columns["agreement"] = [judge.agreement for judge in shown]
        if self.pairs:
            columns["kappa"] = [judge.kappa for judge in shown]
        return Table(columns, notes=tuple(words.judge_notes(self, shown)), optional=("spread", "labels"))

    def grades_table(self) -> Table:
        """A row for every grade: how often it is given, and what others say where one judge gives it."""
        label = "label" if self.labels.categories else "grade"
        columns: dict[str, list[Cell]] = {
            label: [grade.name for grade in self.grades],
            "labels": [grade.labels for grade in self.grades],
            "share": [grade.share for grade in self.grades],
        }
        for at, name in enumerate(shortened(grade.name, WIDEST) for grade in self.grades):
            columns[f"another says {name}" if at == 0 else name] = [grade.others[at] for grade in self.grades]
        note = (
            f"Where one judge gives a {label}, how often another gives each to the same {self.item}; where both are "
            f"the same, that is the agreement about this {label}."
        )
        return Table(columns, notes=(note,))

    def per_query(self) -> Table:
        """A row for every query."""
        return Table(
            {
                "query": [query.name for query in self.queries],
                "documents": [query.items for query in self.queries],
                "agreement": [query.agreement for query in self.queries],
                f"alpha ({self.metric})": [query.alpha for query in self.queries],
            },
            notes=("alpha of a query's own labels; empty where all are the same.",),
            elastic="query",
        )

    def disagreements(self, most: int = 10) -> Table:
        """The documents about which judges differ most, each with all its labels."""
        return disagreements_table(self.labels, require_whole(most, "most"), self.texts)

    def adjudication_sheet(self, most: int | None = None) -> Table:
        """The documents that judges differ about, or the most disputed of them, with an empty column for the grade."""
        if not self.labels.has_queries:
            raise errors.labels.without_documents("A sheet to adjudicate")
        if self.settings["level"] is not None:
            raise UsageError("A sheet to adjudicate has the grades that were given: leave out the level.")
        return adjudication_sheet(self.labels, self.labels.items if most is None else most, self.texts)

    def write_adjudication_sheet(self, path: str | PathLike[str], most: int | None = None) -> None:
        """Write this sheet for a spreadsheet, as CSV, TSV or workbook; `merge` takes the grades that are filled in."""
        write_sheet(path, self.adjudication_sheet(most))

    def tables(self) -> list[Table]:
        """Coefficients, pairs, judges, grades; and whatever else was asked for."""
        return [
            self.table(),
            *([self.benchmark_table()] if self.benchmarks else []),
            *([self.pairs_table()] if self.pairs else []),
            *([self.judges_table()] if self.judges else []),
            *([self.grades_table()] if self.grades else []),
            *(self.against.tables() if self.against is not None else []),
            *(self.conclusions.tables() if self.conclusions is not None else []),
            *([self.per_query()] if self.with_queries and self.queries else []),
            *([self.disagreements(self.with_disagreements)] if self.with_disagreements else []),
        ]

    def rows(self) -> Table:
        """A row for every number."""
        return rows_table(self._rows())

    def _rows(self) -> Iterator[Row]:
        yield from (one.row("all") for one in self.coefficients)
        for name, p in self.p_values.items():
            reason = NO_ERROR if math.isnan(p) else ""
            yield Row("test", name, f"{self.null:g}", "p", p, items=self[name].items, reason=reason)
        for on_scale in self.benchmarks:
            yield from on_scale.rows()
        for pair in self.pairs:
            yield from pair.rows()
        for judge in self.judges:
            yield from judge.rows()
        for grade in self.grades:
            yield from grade.rows()
        if self.against is not None:
            yield from self.against.numbers()
        if self.conclusions is not None:
            yield from self.conclusions.numbers()
        yield from (Row("note", "", "", "", math.nan, reason=note) for note in self.notes)
        for warning in self.warnings:
            yield Row("warning", "", "", warning.kind, math.nan, items=warning.count, reason=str(warning))
        if self.with_queries:
            for query in self.queries:
                yield from query.rows(self.metric)
        yield from disagreement_rows(self.labels, self.with_disagreements, self.texts)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield agree --format json` prints."""
        values: dict[str, Any] = {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "settings": dict(self.settings),
            "labels": {
                "judges": list(self.labels.judges) if self.labels.has_judges else None,
                "queries": len(self.labels.queries) if self.labels.has_queries else None,
                "items": self.labels.items,
                "labels": len(self.labels),
                "grades": [self.labels.category(grade) for grade in self.labels.scale[: MOST_CATEGORIES * 4]],
            },
            "notes": list(self.notes),
            "warnings": [str(warning) for warning in self.warnings],
            "coefficients": [
                one.to_dict() | ({"p": finite(self.p_values[one.name])} if one.name in self.p_values else {})
                for one in self.coefficients
            ],
            **({"benchmark": [one.to_dict() for one in self.benchmarks]} if self.benchmarks else {}),
            "pairs": [pair.to_dict() for pair in self.pairs],
            "judges": [judge.to_dict() for judge in self.judges],
            "grades": [grade.to_dict() for grade in self.grades],
        }
        if self.with_queries:
            values["queries"] = [query.to_dict() for query in self.queries]
        if self.with_disagreements:
            values["disagreements"] = disagreement_values(self.labels, self.with_disagreements, self.texts)
        if self.against is not None:
            values["against"] = self.against.to_dict()
        if self.conclusions is not None:
            values["conclusions"] = self.conclusions.to_dict()
        return values

    def __repr__(self) -> str:
        judges = f"{len(self.labels.judges)} judges" if self.labels.has_judges else f"{len(self.labels)} labels"
        return f"Agreement({judges}, {self.by_default.name} {self.by_default.value:z.4f})"


def _least_agreeing_pairs(pairs: Sequence[JudgePair]) -> Sequence[JudgePair]:
    if len(pairs) <= MOST_PAIRS:
        return pairs
    known = [pair for pair in pairs if not math.isnan(pair.kappa.value)]
    return sorted(known, key=lambda pair: pair.kappa.value)[:MOST_PAIRS]


def _least_agreeing(judges: Sequence[JudgeSummary]) -> Sequence[JudgeSummary]:
    """Every judge; of very many, those who agree least with others about several documents."""
    if len(judges) <= MOST_JUDGES:
        return judges
    known = [judge for judge in judges if judge.shared >= FEWEST_SHARED and not math.isnan(judge.agreement)]
    return sorted(known or judges, key=lambda judge: judge.agreement)[:MOST_JUDGES]
