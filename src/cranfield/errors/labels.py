"""What can be wrong with labels by several judges, and with questions about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cranfield.errors.findings import DataError, Finding, UsageError, did_you_mean
from cranfield.errors.ids import would_meet
from cranfield.phrases import examples, marked, option, sentences, shown

NAMED = "judge, rater, annotator or assessor"


def labelled_twice(path: str | None, line: int, query: str, document: str, judge: str, *, unit: str) -> Finding:
    """A judge who gave one document the same grade again."""
    message = f"{judge} labels {_item(query, document)} again with the same grade; it counts once"
    return Finding("warning", "labelled-twice", message, "Remove the repetition.", path, line, unit=unit)


def contradicting_labels(
    path: str | None,
    line: int,
    item: tuple[str, str],
    judge: str,
    grades: tuple[str, str],
    first_line: int,
    *,
    unit: str,
) -> Finding:
    """A judge who gave one document two grades."""
    first, second = grades
    return Finding(
        "error",
        "contradicting-labels",
        f"{judge} gives {_item(*item)} the grade {second}, but {first} on {unit} {first_line}",
        "Keep the judge's last word, or name two rounds as two judges to see how far they agree.",
        path,
        line,
        unit=unit,
    )


def _item(query: str, document: str) -> str:
    return f"query {query!r}, document {document!r}" if query else f"item {document!r}"


def mixed_grades(path: str | None, line: int, number: object, text: object, *, unit: str) -> Finding:
    """Some grades are numbers and some are texts: neither way to read them is right."""
    return Finding(
        "error",
        "mixed-grades",
        f"the grade is {shown(text)}, where others are numbers such as {shown(number)}",
        "Write all grades as numbers, or all as texts; a label that was not given is an empty field.",
        path,
        line,
        unit=unit,
    )


def empty_grades(path: str | None, count: int, rows: int) -> Finding:
    """Rows without a grade are labels that were not given."""
    if count == 1:
        message = f"1 of {rows:,} rows has no grade; it is a label that was not given"
    else:
        message = f"{count:,} of {rows:,} rows have no grade; they are labels that were not given"
    return Finding("warning", "empty-grades", message, path=path, count=count)


def unrateable(path: str | None, count: int) -> Finding:
    """Rows that say that nobody could tell."""
    message = f"{count:,} {'row says' if count == 1 else 'rows say'} that the document could not be rated, or not yet"
    return Finding("warning", "unrateable", f"{message}; no label", path=path, count=count)


def negative_labels(path: str | None, count: int) -> Finding:
    """Grades below 0 are grades to judges, and no judgment to an evaluation."""
    message = (
        f"{count:,} {'label is' if count == 1 else 'labels are'} negative; here negative labels count as grades, "
        "but `evaluate` treats them as not judged"
    )
    return Finding("warning", "negative-labels", message, path=path, count=count)


def outlying_grades(
    path: str | None, values: Sequence[float], count: int, others: tuple[float, float], what: str = "label"
) -> Finding:
    """Grades far from all others, which hardly are meant: what they are, and the range of the others."""
    which = " or ".join(f"{value:.15g}" for value in values[:3]) + (", …" if len(values) > 3 else "")
    low, high = (f"{value:.15g}" for value in others)
    rest = f"are all {low}" if low == high else f"go from {low} to {high}"
    are, it = ("is", "it counts") if count == 1 else ("are", "they count")
    message = f"{count:,} {what if count == 1 else f'{what}s'} {are} {which}, far from the others, which {rest}"
    return Finding(
        "warning", "outlying-grades", f"{message}; {it} as written", "Correct it if it is a typo.", path, count=count
    )


def too_few_labels(path: str | None, items: int, queries: int | None) -> Finding:
    """A handful of documents or queries, from which hardly anything can be concluded."""
    what = ("document" if queries else "item") + ("" if items == 1 else "s")
    of = f" of {queries:,} {'query' if queries == 1 else 'queries'}" if queries else ""
    return Finding(
        "warning",
        "too-few-labels",
        f"only {items:,} {what}{of} with two labels or more; coefficients and intervals from so few mean little",
        path=path,
        count=items,
    )


def adjudicated_without_labels(path: str | None, wanted: Sequence[str], known: Sequence[str]) -> DataError:
    """A sheet whose documents have no labels."""
    message = f"no document of it has labels: it has {examples(wanted)}; the labels have {examples(known)}"
    advice = would_meet(wanted, known) or "Check that the sheet and the labels are about the same documents."
    return DataError([Finding("error", "adjudicated-without-labels", message, advice, path)])


def adjudicated_beyond_labels(path: str | None, documents: Sequence[str]) -> Finding:
    """Documents of a sheet that nobody labelled."""
    have = " has no labels and is" if len(documents) == 1 else "s have no labels and are"
    message = f"{len(documents):,} adjudicated document{have} left out ({examples(documents)})"
    return Finding("warning", "adjudicated-beyond-labels", message, path=path, count=len(documents))


def one_judge(path: str | None, judge: str) -> DataError:
    """Nobody to agree with."""
    advice = (
        f"A column called {NAMED} names the judges, or the second column of a TREC file; or give one file for each "
        f"judge, or name the columns: {option('judges', 'rater1,rater2')}."
    )
    return DataError([Finding("error", "one-judge", f"all labels are by one judge, {judge}", advice, path)])


def judges_never_meet(path: str | None, judges: Sequence[str], some: Sequence[str], others: Sequence[str]) -> DataError:
    """No document has two labels."""
    message = (
        f"no document was labelled by two of the {len(judges)} judges: {judges[0]} labelled {examples(some)}; "
        f"{judges[1]} {examples(others)}"
    )
    advice = would_meet(some, others, "for both judges") or "Agreement needs documents that two judges labelled."
    return DataError([Finding("error", "judges-never-meet", message, advice, path)])


def single_labels(path: str | None) -> DataError:
    """A table of counts in which no item has two labels."""
    message = "no item has two labels, so there is nothing to agree about"
    return DataError([Finding("error", "judges-never-meet", message, "Agreement needs items with two labels.", path)])


def unknown_judge(judge: str, judges: Iterable[str], *, said: str = "") -> UsageError:
    """A name that no judge has."""
    known = list(judges)
    have = f"The judges are {examples(known, 10)}."
    return UsageError(sentences(f"{said}there is no judge {judge!r}.", have, did_you_mean(judge, known)))


def judges_not_told(path: str | None, names: Sequence[str], named: Sequence[str] | None = None) -> Finding:
    """Columns that do not show whose labels they are; some may be called as judges are."""
    likely = list(names if named is None or len(named) > 1 else ["ada", "ben"])[-2:]
    clicks = {"click", "clicks", "clicked"} & {name.casefold() for name in names}
    return Finding(
        "error",
        "judges-not-told",
        f"cannot recognise the columns with the judges' labels: {examples(list(names), 12)}",
        "Judgments are made from a log of clicks by cranfield clicks LOG."
        if clicks
        else f"Name them: {option('judges', ','.join(likely))}; or call one column {NAMED} and one grade.",
        path,
    )


def columns_read(judges: Sequence[str], unread: Sequence[str]) -> str:
    """Which columns of a table hold labels, and which were taken for something else."""
    return (
        f"Judges, by column: {examples(list(judges), 8)}. Not read as labels: {examples(list(unread), 8)}; "
        f"{option('judges')} names the columns of the judges."
    )


def read_as_counts(categories: Sequence[str]) -> str:
    """A table that was taken for numbers of labels."""
    return (
        f"Read as numbers of labels, with a column for each category: {examples(list(categories), 8)}. "
        f"{option('layout', 'ratings')} reads the columns as judges."
    )


def read_as_contingency() -> str:
    """A table that was taken for what two judges said."""
    return "Read as a table of two judges: its rows are the labels of one, its columns those of the other."


def judges_needed(what: str) -> UsageError:
    """Something about judges, where only numbers of labels are known."""
    return UsageError(f"{what} needs to know who gave which label, which a table of counts does not show.")


def layout_not_told(path: str | None, names: Sequence[str], most: int) -> Finding:
    """A table that may hold grades of judges or numbers of labels."""
    return Finding(
        "error",
        "layout-not-told",
        f"cannot tell whether {examples(list(names), 8)} are judges with their grades, or categories with numbers of "
        f"labels: every row adds up to {most}",
        f"Say which: {option('layout', 'ratings')} or {option('layout', 'counts')}.",
        path,
    )


def square_not_told(path: str | None, names: Sequence[str]) -> Finding:
    """A square table that may hold grades of judges or what two of them said."""
    return Finding(
        "error",
        "layout-not-told",
        f"cannot tell whether {examples(list(names), 8)} are judges with their grades, or categories of a table of two "
        "judges: there are as many rows as columns, and most of the sum is on the diagonal",
        f"Say which: {option('layout', 'ratings')} or {option('layout', 'contingency')}.",
        path,
    )


def no_contingency(path: str | None, names: Sequence[str], rows: int) -> Finding:
    """A table that should hold what two judges said, and does not."""
    return Finding(
        "error",
        "no-contingency",
        "expected a table of two judges, with the same categories as rows and as columns and whole numbers as cells; "
        f"found the columns {examples(list(names), 8)} and {rows:,} {'row' if rows == 1 else 'rows'}",
        "Write the categories of the rows into the first column.",
        path,
    )


def no_counts(path: str | None, names: Sequence[str]) -> Finding:
    """A table that should hold numbers of labels, and does not."""
    return Finding(
        "error",
        "no-counts",
        f"expected a row for each item and a column for each category, with whole numbers of labels, 0 or more; found "
        f"the columns {examples(list(names), 8)}",
        "Leave only ids and counts in the table.",
        path,
    )


def too_many_counted(path: str | None, total: int, most: int) -> Finding:
    """So many labels in a table of counts that they would not fit into memory."""
    message = f"the table counts {total:,} labels; up to {most:,} can be read"
    return Finding("error", "too-many-counted", message, "Correct the counts, or draw a sample of the items.", path)


def unknown_label_layout(layout: str, layouts: Sequence[str]) -> UsageError:
    """A layout that labels do not have."""
    near = did_you_mean(layout, layouts)
    return UsageError(sentences(f"layout is {', '.join(layouts)}, not {layout!r}.", near))


def layout_of_no_table(path: str | None, layout: str) -> UsageError:
    """A layout of tables, where there is none."""
    where = f"{path}: " if path else ""
    return UsageError(f"{where}the layout {layout} is of a table with named columns, such as CSV; this is none.")


def number_otherwise(path: str | None, line: int, value: object, *, unit: str) -> Finding:
    """A number with a decimal comma or a percent sign, which would be taken for a text."""
    message = f"the grade is {shown(value)}; expected a number such as 1.5"
    advice = "Write a decimal point, and no percent sign."
    return Finding("error", "number-otherwise", message, advice, path, line, unit=unit)


def alike_labels(path: str | None, several: Sequence[Sequence[str]]) -> Finding:
    """Texts that are the same but for case and blanks."""
    named = "; ".join(" and ".join(map(repr, texts)) for texts in several[:3])
    message = f"labels that differ in case or blanks only count as different: {named}"
    return Finding("warning", "alike-labels", message, "Use one spelling if they mean the same.", path)


def nesting_not_told(path: str | None, counts: Sequence[int]) -> Finding:
    """Three levels of names, none of them clearly that of the judges."""
    have = ", ".join(map(str, counts))
    return Finding(
        "error",
        "nesting-not-told",
        f"cannot tell which of the three levels names the judges: they have {have} different names",
        f"Name the levels, outermost first: {option('columns', 'query,document,judge')} (or judge,query,document).",
        path,
    )


def unknown_labels(path: str | None, found: str) -> Finding:
    """Data in a shape that labels do not have."""
    return Finding(
        "error",
        "unknown-structure",
        f"{found}; expected a row for each label (query, document, judge, grade), a column for each judge, "
        "or {query: {document: {judge: grade}}}",
        "Rewrite it in one of these shapes.",
        path,
    )


def free_text(path: str | None, judges: Sequence[str], texts: int, labels: int) -> Finding:
    """Titles, comments or answers, which nobody chose from a scale."""
    holds = "holds" if len(judges) == 1 else "hold"
    message = (
        f"{examples(list(judges), 4)} {holds} free text rather than labels: {texts:,} "
        f"different texts among {labels:,}; more than 25 texts that rarely repeat are not categories"
    )
    advice = f"Name the columns that hold the judges' labels: {option('judges', 'rater1,rater2')}."
    return Finding("error", "free-text", message, advice, path)


def too_many_texts(path: str | None, texts: int, most: int) -> DataError:
    """More texts than judges choose among."""
    message = f"there are {texts:,} different texts among the labels; up to {most} are taken for categories"
    columns = option("judges", "rater1,rater2")
    advice = f"Join labels that mean the same, or name the columns that hold labels: {columns}."
    return DataError([Finding("error", "too-many-texts", message, advice, path)])


def no_labels(error: DataError) -> DataError:
    """A run where labels are expected."""
    advice = "cranfield agree takes labels of judges: cranfield agree LABELS --run RUN evaluates a run by each of them."
    told = [
        replace(finding, message="this is a run, where labels were expected", advice=advice)
        if finding.kind == "swapped-arguments"
        else finding
        for finding in error.findings
    ]
    return DataError(told, more=error.more)


def grades_beyond_model(rule: str, grades: int) -> UsageError:
    """Error rates of each judge for every two of so many grades."""
    return UsageError(
        f"{rule} estimates how often each judge takes one grade for another, and there are {grades:,} different "
        "grades; it is for up to 25. Choose median or mean, or make grades binary with a level."
    )


def too_large_a_table(judges: int, items: int) -> UsageError:
    """A table of all judges and documents that would not fit into memory."""
    return UsageError(
        f"A table of {judges:,} judges and {items:,} documents would not fit into memory; use of_judge, of_item and "
        "values, which hold what was labelled only."
    )


def without_documents(what: str, *, or_a_table: bool = False) -> UsageError:
    """Rows without ids, where documents have to be found again."""
    table = " Or write the grades of items as a table: .csv, .tsv, .jsonl or .parquet." if or_a_table else ""
    return UsageError(
        f"{what} needs labels of documents for queries; these have no queries. Add a column called query, with the "
        f"same id in every row if there is one query only.{table}"
    )


def texts_without_order(what: str) -> UsageError:
    """Categories that are texts, where grades are needed."""
    return UsageError(f"{what} needs grades that are numbers; these labels are texts.")


def no_level(level: object) -> UsageError:
    """What no grade can be compared with."""
    return UsageError(f"A level must be a number, the lowest grade that is relevant, not {level!r}.")


def one_side_of_level(path: str | None, level: float, scale: Sequence[float], *, reaches: bool) -> Finding:
    """A level that leaves one grade, so that everybody agrees, having no choice."""
    which = "every label reaches" if reaches else "no label reaches"
    given = f"grades go from {scale[0]:g} to {scale[-1]:g}"
    message = f"{which} the level {level:g}: {given}, so all labels are the same once made binary"
    return Finding("warning", "one-side-of-level", message, "Choose a level between these grades.", path)


def undecided(path: str | None, count: int, adjudicator: str | None) -> Finding:
    """Documents about which judges differ and the adjudicator, or a sheet, says nothing."""
    nobody = "no grade was decided on" if adjudicator is None else f"{adjudicator} gave no grade"
    message = f"{count:,} {'document is' if count == 1 else 'documents are'} left out: judges differ, and {nobody}"
    return Finding("warning", "undecided", message, path=path, count=count)


def not_converged(path: str | None, iterations: int) -> Finding:
    """Expectation maximisation that was stopped."""
    return Finding(
        "warning", "not-converged", f"the estimation had not converged after {iterations:,} iterations", path=path
    )


def too_few_judges(path: str | None, judges: int) -> Finding:
    """Dawid and Skene's model of one or two judges."""
    message = f"with {judges} {'judge' if judges == 1 else 'judges'} the model cannot show whose labels are wrong"
    return Finding("warning", "too-few-judges", message, path=path)


def not_in_trec(path: str | None, what: str, name: str) -> DataError:
    """An id that a TREC file cannot hold."""
    message = f"the {what} {name!r} cannot be written to a TREC file, where blanks separate columns"
    return DataError([Finding("error", "not-in-trec", message, "Write a .csv, .tsv or .jsonl file instead.", path)])


def runs_without_common(judges: Sequence[str]) -> DataError:
    """No document that every judge labelled, so differences would be of documents and not of judges."""
    message = f"no document was labelled by all of {examples(list(judges), 10)}"
    advice = f"Choose judges who labelled the same documents: {option('judges', 'ada,ben')}."
    return DataError([Finding("error", "judges-never-meet", message, advice)])


def misread_table(text: str, start: int, end: int, found: str) -> UsageError:
    """A table of two judges that was typed and cannot be read: what is wrong, and where."""
    return UsageError(f"The table cannot be read: {found}\n{marked(text, start, end)}\n{TABLE_NOTATION}")


def not_a_table(found: str) -> UsageError:
    """Numbers that are no table of two judges."""
    return UsageError(f"This is not a table of two judges: {found}\n{TABLE_NOTATION}")


TABLE_NOTATION = (
    "Write a row for each grade of the first judge and a column for each of the second, such as '70 10; 20 300': both "
    "gave the first grade 70 times; 10 times the first judge gave the first grade and the second judge the second."
)
