"""One grade from several, by a rule that is written down: judgments, or grades of items that belong to no query."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePath
from typing import Any, get_args

import numpy as np

from cranfield import errors
from cranfield.arguments import require_choice
from cranfield.arrays import Bools, Floats, Ints
from cranfield.choices import LabelLayout, MergeRule, TiedGrades
from cranfield.data.judgments import MODEL_MARK, Judgments, by_models
from cranfield.data.labels import Labels
from cranfield.errors import Finding, UsageError
from cranfield.formats import read_judgments
from cranfield.formats.labels import read_labels
from cranfield.judging.coding import made_binary
from cranfield.judging.dawid_skene import DawidSkene, dawid_skene
from cranfield.judging.overall import MOST_CATEGORIES
from cranfield.phrases import counted, listed, option
from cranfield.show.answer import Answer
from cranfield.show.table import Cell, Table, finite
from cranfield.version import VERSION

WITHOUT_TIES: tuple[MergeRule, ...] = ("mean", "maximum", "minimum", "adjudicated")
"""Rules under which no two grades are ever tied."""
SHARPEST = 1e-9


@dataclass(frozen=True, eq=False)
class Adjudication:
    """Grades that were decided on, of documents about which judges differ."""

    path: str | None
    grades: Floats
    """One for each document of the labels; NaN where none was decided on."""
    open: int
    """Rows of the sheet without a grade."""
    warnings: tuple[Finding, ...] = ()

    @property
    def is_decided(self) -> Bools:
        """Of each document, whether its grade was decided on."""
        return ~np.isnan(self.grades)

    @property
    def decided(self) -> int:
        """How many documents have such a grade."""
        return int(self.is_decided.sum())


@dataclass(frozen=True, eq=False)
class Merged(Answer):
    """Judgments with one grade for each document, and the rule they come from; without queries, a grade per item."""

    labels: Labels
    grades: Floats
    """One for each document of the labels; NaN where the rule gives none."""
    rule: MergeRule
    tied_grades: TiedGrades
    tied: int
    """How many documents the rule for ties decided."""
    adjudicator: str | None = None
    model: DawidSkene | None = None
    warnings: tuple[Finding, ...] = ()
    level: float | None = None
    """The grade from which on labels count as 1, where they were made binary first."""
    adjudication: Adjudication | None = None
    """Grades that were decided on, where a sheet of them was given."""
    with_judgments: bool = False
    """Whether every judgment is shown."""

    @cached_property
    def judgments(self) -> Judgments:
        """The judgments, as `evaluate` takes them; labels without queries give none."""
        judgments = self.labels.judgments(self.grades, self.labels.path)
        if not self.by_model:
            return judgments
        alone = errors.model_judging.by_model_alone(self.labels.path, self.labels.judges)
        return replace(judgments, warnings=(*judgments.warnings, alone))

    @property
    def unit(self) -> str:
        """What has a grade: a document, or where there are no queries an item."""
        return "document" if self.labels.has_queries else "item"

    @property
    def graded(self) -> Ints:
        """Places of the documents or items that the rule gives a grade."""
        return np.flatnonzero(~np.isnan(self.grades))

    @property
    def probability(self) -> Floats | None:
        """How likely the grade of each document is, where the rule says."""
        return None if self.model is None else self.model.posterior.max(axis=1)

    @property
    def by_model(self) -> str:
        """The model that all labels come from; empty where a person gave or decided any."""
        models = by_models(self.labels.judges) if self.adjudication is None else []
        return models[0] if len(models) == 1 else f"{MODEL_MARK}several" if models else ""

    def words(self) -> str:
        """The rule, as it is written into files."""
        binary = "" if self.level is None else f", of labels made binary: 1 from grade {self.level:g} on"
        return _WORDS[self.rule](self) + binary + self._adjudicated_words()

    def _adjudicated_words(self) -> str:
        if self.adjudication is None or self.rule == "adjudicated":
            return ""
        words = f"; {counted(self.adjudication.decided, self.unit)} adjudicated in {_sheet(self)}"
        left = self.adjudication.open
        return (
            f"{words}, where {counted(left, 'row')} left open {'follows' if left == 1 else 'follow'} the rule"
            if left
            else words
        )

    def comments(self) -> list[str]:
        """What a file of these judgments says of itself."""
        judges = listed(self.labels.judges, 12)
        return [
            f"merged by cranfield {VERSION}: {self.words()}",
            f"from {counted(len(self.labels), 'label')} of {counted(len(self.graded), self.unit)} "
            f"by {counted(len(self.labels.judges), 'judge')}: {judges}",
        ]

    def verdict(self) -> str:
        """What was done, in words."""
        what = f"Grades of {counted(len(self.graded), 'item')}"
        if self.labels.has_queries:
            queries = counted(len(self.judgments.queries), "query")
            what = f"{counted(len(self.judgments), 'judgment')} of {queries}"
        return f"{what} from {counted(len(self.labels), 'label')}: {self.words()}."

    def table(self) -> Table:
        """A row for every judgment, with the rule; and where the rule says, how likely each grade is."""
        decided = self.graded.tolist()
        columns: dict[str, list[Cell]] = {
            **(
                {"query": [self.labels.queries[self.labels.of_query[at]] for at in decided]}
                if self.labels.has_queries
                else {}
            ),
            self.unit: [self.labels.documents[at] for at in decided],
            "grade": [plain(self.grades[at]) for at in decided],
            "labels": [int(count) for count in self.labels.counts[decided]],
        }
        if self.model is not None:
            columns["probability"] = self.model.posterior.max(axis=1)[decided].tolist()
            for at, category in enumerate(self.model.categories):
                columns[f"p{category:g}"] = self.model.posterior[decided, at].tolist()
        by_sheet = [False] * len(decided)
        if self.adjudication is not None:
            by_sheet = self.adjudication.is_decided[decided].tolist()
        if self.model is not None:
            likely = zip(by_sheet, columns["probability"], strict=True)
            columns["probability"] = [None if is_by_sheet else share for is_by_sheet, share in likely]
        if self.by_model:
            columns["judge"] = [self.by_model] * len(decided)
        columns["rule"] = ["adjudicated" if is_by_sheet else self.rule for is_by_sheet in by_sheet]
        return Table(columns, exact=tuple(columns))

    def summary(self) -> Table:
        """What was done, in one row."""
        return Table(
            {
                "rule": [self.rule],
                **self._size(),
                "labels": [len(self.labels)],
                "judges": [len(self.labels.judges)],
                "tied": [self.tied],
                **({} if (of := self.adjudication) is None else {"adjudicated": [of.decided], "open": [of.open]}),
            }
        )

    def _size(self) -> dict[str, list[Cell]]:
        if not self.labels.has_queries:
            return {"items": [len(self.graded)]}
        return {"judgments": [len(self.judgments)], "queries": [len(self.judgments.queries)]}

    def tables(self) -> list[Table]:
        """Every judgment, if asked for, and what the model found of each judge."""
        errors_of_judges = self.judges_table()
        tables = [
            *([self.table()] if self.with_judgments else []),
            *([errors_of_judges] if errors_of_judges is not None else []),
        ]
        return tables or [self.summary()]

    def rows(self) -> Table:
        """A row for every judgment, if asked for; else what the model found of each judge, or what was done."""
        return self.table() if self.with_judgments else self.judges_table() or self.summary()

    def judges_table(self) -> Table | None:
        """Of Dawid and Skene's model, what each judge is likely to say where a grade is true."""
        if self.model is None:
            return None
        names = [f"{category:g}" for category in self.model.categories]
        rows = [(judge, at) for judge in range(len(self.labels.judges)) for at in range(len(names))]
        return Table(
            {
                "judge": [self.labels.judges[judge] for judge, _ in rows],
                "true": [names[at] for _, at in rows],
                **{
                    f"says {name}": [float(self.model.errors[judge, at, label]) for judge, at in rows]
                    for label, name in enumerate(names)
                },
            },
            notes=(self._model_note(),),
        )

    def write(self, target: str) -> None:
        """Write the grades to a file, with the rule: TREC, or CSV, TSV, JSONL or Parquet by its ending.

        Only a table can hold grades of items that belong to no query.
        """
        from cranfield.file_endings import JUDGMENTS
        from cranfield.formats.writing import form_of, write_judgments

        form = form_of(target, JUDGMENTS, "judgments")
        judgments = self.judgments if self.labels.has_queries or form == "trec" else None
        write_judgments(target, judgments, self.comments(), self.table(), form, self.by_model or "0")

    def to_dict(self) -> dict[str, Any]:
        """What was done, as plain values."""
        values: dict[str, Any] = {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "rule": self.rule,
            "words": self.words(),
            "level": self.level,
            "tied_grades": self.tied_grades,
            "tied": self.tied,
            "adjudicator": self.adjudicator,
            "judges": list(self.labels.judges),
            "labels": len(self.labels),
            "judgments": len(self.graded),
            "undecided": int(np.isnan(self.grades).sum()),
            "warnings": [str(warning) for warning in self.warnings],
        }
        if self.adjudication is not None:
            of = self.adjudication
            values["adjudicated"] = {"path": of.path, "decided": of.decided, "open": of.open}
        if self.model is not None:
            values["model"] = {
                "categories": list(self.model.categories),
                "shares": self.model.shares.tolist(),
                "errors": dict(zip(self.labels.judges, self.model.errors.tolist(), strict=True)),
                "iterations": self.model.iterations,
                "converged": self.model.converged,
                "log_likelihood": self.model.likelihoods[-1],
            }
        if self.with_judgments:
            table = self.table()
            values["rows"] = [dict(zip(table.columns, map(finite, row), strict=True)) for row in table.rows]
        return values

    def _model_note(self) -> str:
        assert self.model is not None
        ended = "converged" if self.model.converged else "had not converged"
        steps = f"{self.model.iterations:,} iterations"
        return (
            f"Probability of a label where a grade is true, as estimated; the estimation {ended} after {steps}, with a "
            f"log-likelihood of {self.model.likelihoods[-1]:z.2f}."
        )

    def __repr__(self) -> str:
        return f"Merged({counted(len(self.graded), 'judgment' if self.labels.has_queries else 'item')} by {self.rule})"


def merge(
    labels: object,
    rule: MergeRule = "median",
    *,
    level: float | None = None,
    tied_grades: TiedGrades = "lower",
    adjudicator: str | None = None,
    adjudicated: object = None,
    judges: str | Sequence[str] | None = None,
    format: str | None = None,
    layout: LabelLayout | None = None,
    columns: str | Mapping[str, str] | Sequence[str] | None = None,
) -> Merged:
    """One grade for each document, or each item that belongs to no query, from the grades of several judges.

    `majority` is the grade given most often, `median` the middle one, `mean`, `maximum` and `minimum` what they say;
    `adjudicated` is what judges agree on, and where they differ what the adjudicator says; `dawid-skene` is the most
    likely grade when every judge has errors of their own, and `dawid-skene-graded` when errors go to neighbouring
    grades. Where two grades are given equally often, or there are two middle ones, `tied_grades` takes the lower, the
    higher or their mean. `level` makes labels binary first: 1 from this grade on, 0 below.

    `adjudicated` are grades that were decided on afterwards, such as a sheet that `Agreement.write_adjudication_sheet`
    wrote and somebody filled in: they count, whatever the judges said, and all other documents follow the rule.

    >>> import cranfield as cf
    >>> rows = [("q1", "d1", "ada", 2), ("q1", "d1", "ben", 1), ("q1", "d2", "ada", 0), ("q1", "d2", "ben", 0)]
    >>> cf.merge(rows, "median").judgments["q1"]
    {'d1': 1.0, 'd2': 0.0}
    """
    require_choice(rule, "rule", get_args(MergeRule))
    require_choice(tied_grades, "tied_grades", get_args(TiedGrades))
    read = read_labels(labels, format=format, columns=columns, judges=judges, layout=layout)
    if not read.has_judges and (adjudicator is not None or rule.startswith(("adjudicated", "dawid-skene"))):
        raise errors.labels.judges_needed(f"The rule {rule}")
    if read.categories:
        raise errors.labels.texts_without_order("Merging")
    if adjudicated is not None and not read.has_queries:
        raise errors.labels.without_documents("A sheet of grades that were decided on")
    if level is not None:
        read = made_binary(read, level)
    sheet = _stored(read) if adjudicated is None and adjudicator is None else None
    require_adjudication(rule, adjudicator, sheet if adjudicated is None else adjudicated)
    if adjudicated is not None:
        sheet = _adjudication(read, adjudicated, level)
    merged = replace(_merged(read, rule, tied_grades, adjudicator, sheet), level=level)
    if sheet is None:
        return merged
    grades = np.where(sheet.is_decided, sheet.grades, merged.grades)
    return replace(merged, grades=grades, adjudication=sheet, warnings=(*merged.warnings, *sheet.warnings))


def require_adjudication(rule: MergeRule, adjudicator: str | None, adjudicated: object) -> None:
    """Stop where it is not clear who decides."""
    if adjudicator is not None and adjudicated is not None:
        raise UsageError(f"Give {option('adjudicator')} or {option('adjudicated')}, not both: one of them decides.")
    if adjudicator is not None and rule != "adjudicated":
        raise UsageError(f"{option('adjudicator')} belongs to the rule adjudicated, not to {rule}.")
    if rule == "adjudicated" and adjudicator is None and adjudicated is None:
        raise UsageError(
            f"The rule adjudicated needs {option('adjudicator')} with one of the judges, or {option('adjudicated')} "
            "with a sheet of grades."
        )


def _merged(
    labels: Labels, rule: MergeRule, tied_grades: TiedGrades, adjudicator: str | None, sheet: Adjudication | None
) -> Merged:
    """By the rule alone; documents that a sheet decides count as no ties."""
    if adjudicator is not None:
        return _adjudicated(labels, adjudicator)
    if rule == "adjudicated":
        assert sheet is not None
        return _agreed(labels, sheet)
    if rule.startswith("dawid-skene"):
        if len(labels.scale) > MOST_CATEGORIES:
            raise errors.labels.grades_beyond_model(rule, len(labels.scale))
        return _modelled(labels, rule, tied_grades, sheet)
    grades, tied = _RULES[rule](_left(labels, sheet), tied_grades)
    return Merged(labels, grades, rule, tied_grades, tied, warnings=labels.warnings)


def _left(labels: Labels, sheet: Adjudication | None) -> Labels:
    """The labels of documents that a sheet does not decide."""
    if sheet is None:
        return labels
    left = ~sheet.is_decided[labels.of_item]
    return replace(labels, of_judge=labels.of_judge[left], of_item=labels.of_item[left], values=labels.values[left])


def _stored(labels: Labels) -> Adjudication | None:
    """The grades that were decided on where the labels were given."""
    return None if labels.decided is None else Adjudication(labels.path, labels.decided, 0)


def _adjudication(labels: Labels, given: object, level: float | None) -> Adjudication:
    """The grades of a sheet, for the documents of the labels."""
    sheet = read_judgments(given)
    pairs = zip(labels.of_query.tolist(), labels.documents, strict=True)
    items = {(labels.queries[query], document): at for at, (query, document) in enumerate(pairs)}
    grades = np.full(labels.items, np.nan)
    beyond: list[str] = []
    for query in sheet:
        for document, grade in sheet[query].items():
            if (query, document) in items:
                grades[items[query, document]] = grade if level is None else float(grade >= level)
            else:
                beyond.append(f"{query} {document}")
    if len(beyond) == len(sheet):
        raise errors.labels.adjudicated_without_labels(sheet.path, beyond, [" ".join(pair) for pair in items])
    open_rows = sum(finding.count for finding in sheet.warnings if finding.kind == "not-judged-yet")
    warnings = [finding for finding in sheet.warnings if finding.kind != "not-judged-yet"]
    if beyond:
        warnings.append(errors.labels.adjudicated_beyond_labels(sheet.path, beyond))
    return Adjudication(sheet.path, grades, open_rows, tuple(warnings))


def majority(labels: Labels, tied_grades: TiedGrades = "lower") -> tuple[Floats, int]:
    """The grade given most often to each document, and how many documents have several such.

    >>> majority(Labels.from_matrix([[2, 0], [2, 1], [0, np.nan]]), "higher")
    (array([2., 1.]), 1)
    """
    # Places of each different grade of a document, from its lowest on.
    order = np.lexsort((labels.values, labels.of_item))
    item, value = labels.of_item[order], labels.values[order]
    begins = np.flatnonzero((np.diff(item, prepend=-1) != 0) | (np.diff(value, prepend=np.nan) != 0))
    item, value, times = item[begins], value[begins], np.diff(begins, append=len(order))
    highest = np.zeros(labels.items, dtype=np.int64)
    np.maximum.at(highest, item, times)
    most = times == highest[item]
    return _chosen(item[most], value[most], labels.items, tied_grades)


def median(labels: Labels, tied_grades: TiedGrades = "lower") -> tuple[Floats, int]:
    """The middle grade of each document, and how many documents have two different middle ones.

    >>> median(Labels.from_matrix([[2, 0], [2, 1], [0, np.nan]]))
    (array([2., 0.]), 1)
    """
    ordered = labels.values[np.lexsort((labels.values, labels.of_item))]
    count = labels.counts
    given = np.flatnonzero(count)
    begins = np.cumsum(count)[given] - count[given]
    lower, higher = ordered[begins + (count[given] - 1) // 2], ordered[begins + count[given] // 2]
    differ = lower != higher
    item = np.concatenate([given, given[differ]])
    return _chosen(item, np.concatenate([lower, higher[differ]]), labels.items, tied_grades)


def _chosen(item: Ints, value: Floats, items: int, tied_grades: TiedGrades) -> tuple[Floats, int]:
    """The grade of each document among one or several that are as good, and how many have several."""
    count = np.bincount(item, minlength=items)
    if tied_grades == "mean":
        total = np.bincount(item, weights=value, minlength=items)
        chosen = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    else:
        chosen = np.full(items, math.inf if tied_grades == "lower" else -math.inf)
        (np.minimum if tied_grades == "lower" else np.maximum).at(chosen, item, value)
        chosen = np.where(count > 0, chosen, np.nan)
    return chosen, int((count > 1).sum())


def _mean(labels: Labels, tied_grades: TiedGrades) -> tuple[Floats, int]:
    count = labels.counts
    total = np.bincount(labels.of_item, weights=labels.values, minlength=labels.items)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan), 0


def _extreme(tied_grades: TiedGrades) -> Callable[[Labels, TiedGrades], tuple[Floats, int]]:
    return lambda labels, _: (_chosen(labels.of_item, labels.values, labels.items, tied_grades)[0], 0)


_RULES: dict[str, Callable[[Labels, TiedGrades], tuple[Floats, int]]] = {
    "majority": majority,
    "median": median,
    "mean": _mean,
    "maximum": _extreme("higher"),
    "minimum": _extreme("lower"),
}


def _adjudicated(labels: Labels, adjudicator: str) -> Merged:
    last = labels.of(adjudicator)
    others = labels.only(judge for judge in labels.judges if judge != adjudicator)
    if not others.judges:
        raise UsageError(f"{adjudicator} is the only judge; there is nothing to adjudicate.")
    agreed = _grades_agreed_on(others)
    grades = np.where(np.isnan(agreed), last, agreed)
    undecided = int((np.isnan(grades) & (others.counts > 0)).sum())
    warnings = [errors.labels.undecided(labels.path, undecided, adjudicator)] if undecided else []
    decided = int((np.isnan(agreed) & ~np.isnan(last)).sum())
    return Merged(labels, grades, "adjudicated", "lower", decided, adjudicator, warnings=(*labels.warnings, *warnings))


def _agreed(labels: Labels, sheet: Adjudication) -> Merged:
    """What judges agree on; where they differ, a sheet decides."""
    grades = _grades_agreed_on(labels)
    undecided = int((np.isnan(grades) & (labels.counts > 0) & ~sheet.is_decided).sum())
    warnings = [errors.labels.undecided(labels.path, undecided, None)] if undecided else []
    return Merged(labels, grades, "adjudicated", "lower", sheet.decided, warnings=(*labels.warnings, *warnings))


def _grades_agreed_on(labels: Labels) -> Floats:
    """The grade that all judges of a document gave; NaN where they differ."""
    lowest, highest = _RULES["minimum"](labels, "lower")[0], _RULES["maximum"](labels, "lower")[0]
    return np.where(lowest == highest, lowest, np.nan)


def _modelled(labels: Labels, rule: MergeRule, tied_grades: TiedGrades, sheet: Adjudication | None) -> Merged:
    model = dawid_skene(labels, graded=rule == "dawid-skene-graded")
    values = np.array(model.categories, dtype=np.float64)
    most = model.posterior >= model.posterior.max(axis=1, keepdims=True) - SHARPEST
    several = most.sum(axis=1) > 1
    lower, higher = values[most.argmax(axis=1)], values[len(values) - 1 - most[:, ::-1].argmax(axis=1)]
    chosen = {"lower": lower, "higher": higher, "mean": (most @ values) / most.sum(axis=1)}[tied_grades]
    labelled = labels.counts > 0
    warnings = list(labels.warnings)
    if not model.converged:
        warnings.append(errors.labels.not_converged(labels.path, model.iterations))
    if len(labels.judges) < 3:
        warnings.append(errors.labels.too_few_judges(labels.path, len(labels.judges)))
    grades = np.where(labelled, chosen, np.nan)
    left = labelled if sheet is None else labelled & ~sheet.is_decided
    tied = int((several & left).sum())
    return Merged(labels, grades, rule, tied_grades, tied, model=model, warnings=tuple(warnings))


def plain(grade: float) -> Cell:
    """A grade as files have it: whole where it is whole."""
    return int(grade) if float(grade).is_integer() else float(grade)


def _sheet(merged: Merged) -> str:
    """What the grades that were decided on are in."""
    path = merged.adjudication and merged.adjudication.path
    return PurePath(path).name if path else "the sheet"


def _decided(adjudication: Adjudication) -> str:
    left = f"; {counted(adjudication.open, 'row')} left open" if adjudication.open else ""
    return counted(adjudication.decided, "document") + left


def _tied(merged: Merged) -> str:
    which = {"lower": "the lower grade", "higher": "the higher grade", "mean": "the mean of the tied grades"}
    return f"ties take {which[merged.tied_grades]} ({counted(merged.tied, merged.unit)})"


def _model_words(merged: Merged) -> str:
    assert merged.model is not None
    kind = "graded Dawid-Skene" if merged.rule == "dawid-skene-graded" else "Dawid-Skene"
    ended = "converged" if merged.model.converged else "stopped"
    return f"the most likely grade by {kind}, {ended} after {merged.model.iterations} iterations"


_WORDS: dict[str, Callable[[Merged], str]] = {
    "majority": lambda m: f"majority, the grade given most often; {_tied(m)}",
    "median": lambda m: f"median grade; {_tied(m)}",
    "mean": lambda m: "mean of the grades",
    "maximum": lambda m: "maximum, the highest grade",
    "minimum": lambda m: "minimum, the lowest grade",
    "adjudicated": lambda m: (
        f"adjudicated: the grade that the others agree on, else {m.adjudicator}'s ({counted(m.tied, m.unit)})"
        if m.adjudication is None
        else f"adjudicated: the grade that judges agree on, else the one in {_sheet(m)} ({_decided(m.adjudication)})"
    ),
    "dawid-skene": _model_words,
    "dawid-skene-graded": _model_words,
}
