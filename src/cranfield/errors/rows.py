"""What can be wrong with rows, judgments and rankings."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.errors.findings import Finding, UsageError
from cranfield.phrases import NAME, counted, examples, option, short, shown

LARGEST_GRADE = 1e100
"""Beyond this, sums of gains could overflow; no judge means such a number."""

# Rows


def commented_record(path: str | None, line: int, text: str) -> Finding:
    """A comment that is also a complete record: skipping it would drop a row unseen."""
    return Finding(
        "error",
        "commented-record",
        "a line that starts with # is a comment, but this one reads as a complete record",
        "Put a blank after # if it is a comment; if the query id starts with #, use CSV or JSONL.",
        path,
        line,
        short(text),
    )


def not_a_number(
    path: str | None, line: int, what: str, value: object, text: str | None = None, *, unit: str = "line"
) -> Finding:
    """A grade, score or rank that is text, empty, missing or not a number."""
    found = "is missing" if value is None or (isinstance(value, str) and not value) else f"is {shown(value)}"
    with_comma = isinstance(value, str) and value.count(",") == 1 and value.replace(",", "").isdigit()
    return Finding(
        "error",
        f"{what}-not-a-number",
        f"the {what} {found}; expected a number" + (f" of at most {LARGEST_GRADE:g}" if _is_huge(value) else ""),
        "Write a decimal point, as in 1.5." if with_comma else f"Correct or remove the {unit}.",
        path,
        line,
        text and short(text),
        unit=unit,
    )


def decimal_commas(path: str | None, line: int, what: str, value: str, *, unit: str = "line") -> Finding:
    """Numbers with decimal commas, which are read as such."""
    message = f"a {what} has a decimal comma, as all with decimals here: {value} is read as {value.replace(',', '.')}"
    return Finding("warning", "decimal-commas", message, path=path, line=line, unit=unit)


def decimal_point(path: str | None, line: int, what: str, value: str, *, unit: str = "line") -> Finding:
    """A number with a point where others have decimal commas: it may separate thousands."""
    message = (
        f"the {what} is {shown(value)}, and others have decimal commas; the point may be one of decimals or thousands"
    )
    return Finding(
        "error", f"{what}-not-a-number", message, "Write all numbers with decimal points.", path, line, unit=unit
    )


def not_judged_yet(path: str | None, count: int, rows: int) -> Finding:
    """Rows without a grade, as in a sheet that is half filled in."""
    have, their = ("has", "its document counts") if count == 1 else ("have", "their documents count")
    message = f"{count:,} of {rows:,} rows {have} no grade; {their} as not judged"
    return Finding("warning", "not-judged-yet", message, path=path, count=count)


def no_grades_yet(path: str | None, rows: int) -> Finding:
    """A sheet that nobody has filled in."""
    message = f"none of {rows:,} rows has a grade" if rows > 1 else "the only row has no grade"
    return Finding("error", "no-grades-yet", message, "Fill in the column with the grades.", path)


def _is_huge(value: object) -> bool:
    try:
        return abs(float(value)) > LARGEST_GRADE  # type: ignore[arg-type]  # what is no number is caught
    except (TypeError, ValueError, OverflowError):
        return False


def bad_id(path: str | None, line: int, what: str, value: object, *, unit: str = "line") -> Finding:
    """A query or document id that is missing or cannot be an id."""
    if (isinstance(value, str) and "\0" in value) or (isinstance(value, bytes) and b"\0" in value):
        return nul_in_id(path, line, what, value, unit=unit)
    found = "is missing" if value is None or (isinstance(value, str) and not value) else f"is {shown(value)}"
    message = f"the {what} id {found}; expected text or a whole number"
    return Finding("error", f"bad-{what}-id", message, f"Correct or remove the {unit}.", path, line, unit=unit)


def nul_in_id(path: str | None, line: int, what: str, value: object, *, unit: str = "line") -> Finding:
    """An id with a character that many tools take for the end of a text."""
    message = f"the {what} id {shown(value)} contains a NUL character"
    return Finding("error", "nul-in-id", message, f"Correct or remove the {unit}.", path, line, unit=unit)


def float_ids(path: str | None, line: int, what: str, value: float, *, unit: str = "line") -> Finding:
    """Whole numbers stored as floats, as a table with a gap makes of them."""
    message = f"{what} ids are floats; {value} is read as {value:.0f}"
    return Finding("warning", "float-ids", message, "Store ids as text or as whole numbers.", path, line, unit=unit)


def blank_in_id(path: str | None, line: int, text: str) -> Finding:
    """A line of a TREC run whose rank stands where the score belongs, because an id holds a blank."""
    return Finding(
        "error",
        "blank-in-id",
        "the rank stands in the score's column: an id seems to contain a blank, which separates columns here",
        "Write ids without blanks, or write the run as CSV, TSV with a header, or JSONL.",
        path,
        line,
        short(text),
    )


def several_tags(path: str | None, tags: Sequence[tuple[str, int]]) -> Finding:
    """Lines of several systems in one run."""
    named = examples([f"{tag} on {count:,} {'line' if count == 1 else 'lines'}" for tag, count in tags])
    return Finding(
        "warning",
        "several-tags",
        f"the run has {len(tags)} tags: {named}; all lines are read as one run",
        "If these are several systems, write a file for each.",
        path,
    )


def cut_tag(path: str | None, line: int, tag: str, usual: str) -> Finding:
    """The last line stops within its tag: the file may have been cut off."""
    return Finding(
        "warning",
        "cut-tag",
        f"the last line has the tag {tag!r}, all others {usual!r}: the file looks cut off",
        "Compare its size with the original, and copy it again.",
        path,
        line,
    )


def not_utf8(path: str | None, line: int | None = None, text: str | None = None) -> Finding:
    """Bytes that are no UTF-8."""
    advice = (
        "It is probably Windows-1252 (Latin-1). Save it as UTF-8 (in Excel: CSV UTF-8), or convert it: "
        "iconv -f CP1252 -t UTF-8"
    )
    return Finding("error", "not-utf-8", "the text is not UTF-8", advice, path, line, text and short(text))


def unknown_encoding(path: str | None, line: int, text: str) -> Finding:
    """Bytes in a table that are neither UTF-8 nor Windows-1252, or in each in different places."""
    advice = "Save it as UTF-8 (in Excel: CSV UTF-8), or convert it: iconv -f ENCODING -t UTF-8"
    message = "the text is neither UTF-8 nor Windows-1252 throughout"
    return Finding("error", "not-utf-8", message, advice, path, line, short(text))


def windows_text(path: str | None, line: int, text: str) -> Finding:
    """A table in Windows-1252, which is read as such."""
    message = f"the text is not UTF-8 and is read as Windows-1252, as Excel saves CSV on Windows: {short(text, 60)!r}"
    return Finding("warning", "windows-1252", message, "Save it as CSV UTF-8 if letters are wrong.", path, line)


def rank_not_a_number(path: str | None, line: int, value: object, *, unit: str = "line") -> Finding:
    """A rank column next to a score that holds no ranks; it decides nothing and is ignored."""
    message = f"the rank is {shown(value)}, not a number; the rank column is ignored, scores decide"
    return Finding("warning", "rank-not-a-number", message, "", path, line, unit=unit)


def endless_number(path: str | None, line: int | None, text: str | None = None) -> Finding:
    """A whole number that Python does not read."""
    message = "a whole number has more than 4,300 digits"
    advice = "Correct the number, or put it in quotes."
    return Finding("error", "endless-number", message, advice, path, line, text and short(text))


def query_alone(path: str | None, line: int) -> Finding:
    """A row with a query and nothing else, as Quepid writes queries without ratings or results."""
    message = "the row has a query and no document; it is left out"
    return Finding("warning", "query-alone", message, "", path, line)


def object_without_id(name: str, at: int) -> Finding:
    """What a retriever returned, without saying which document it is."""
    message = f"result {at:,} of a query is a {name} without an id"
    advice = "Give documents ids when they are indexed, or in their metadata as doc_id; or return ids."
    return Finding("error", "hit-without-id", message, advice)


def malformed_json(path: str | None, line: int, reason: str, text: str | None = None) -> Finding:
    """Text that is not JSON."""
    advice = "Check brackets, commas and quotes; JSON knows neither comments nor trailing commas."
    return Finding("error", "malformed-json", f"not valid JSON: {reason}", advice, path, line, text and short(text))


def duplicate_key(path: str | None, key: str, line: int | None = None) -> Finding:
    """A name that comes twice in one JSON object; one of the two values would be lost."""
    message = f"the name {key!r} comes twice in one object; one of its values would be lost"
    return Finding("error", "duplicate-key", message, "Merge the two or remove one.", path, line)


def unknown_structure(
    path: str | None, what: str, found: str, line: int | None = None, *, unit: str = "line"
) -> Finding:
    """Nested data in a shape nobody knows."""
    value, listed = ("grade", "relevant documents") if what == "judgments" else ("score", "documents, best first")
    return Finding(
        "error",
        "unknown-structure",
        f"{found}; expected {{query: {{document: {value}}}}} or {{query: [{listed}]}}",
        "Rewrite it in that shape, or as one row per query and document.",
        path,
        line,
        unit=unit,
    )


def foreign_json(path: str | None, what: str, advice: str) -> Finding:
    """JSON of another tool that cannot be read as judgments or as a run."""
    return Finding("error", "unknown-structure", f"this looks like {what}", advice, path)


def nested_grades(path: str | None, query: str) -> Finding:
    """Grades by group, where measures of one grade were asked for."""
    return Finding(
        "error",
        "several-grades",
        f"query {query!r} has documents below another name, where their grades were expected",
        "Write {query: {document: grade}}. Grades by subtopic or judge need a measure that reads several, such as "
        "alpha_nDCG@20 or AP_avgjg; with read_judgments, add groups='subtopic'.",
        path,
    )


def no_group(path: str | None, query: str, role: str, found: str) -> Finding:
    """Something else among groups of documents."""
    return Finding(
        "error",
        "unknown-structure",
        f"query {query!r} has {found}; expected {{query: {{{role}: {{document: grade}}}}}} as for other queries",
        "Rewrite it in that shape, or as one row per grade.",
        path,
    )


# Judgments and rankings


def several_grades(path: str | None, query: str, extra_columns: Sequence[str]) -> Finding:
    """One pair graded by several judges or under several subtopics."""
    by = " and ".join(extra_columns) or "row"
    merging = f" (cranfield merge {path or 'LABELS'} -o qrels.txt)" if "judge" in extra_columns else ""
    return Finding(
        "error",
        "several-grades",
        f"query {query!r} has documents with several grades, one for each {by}",
        f"Merge the grades into one for each document{merging}, or choose a measure that reads several, such as "
        "alpha_nDCG@20 by subtopic or AP_avgjg by judge.",
        path,
    )


def several_grades_in_group(path: str | None, query: str, document: str, kind: str) -> Finding:
    """A document with several grades where even measures of several grades read one."""
    within = {
        "subtopic": "for one subtopic",
        "judge": "by one judge",
        "preference": "by one judge in one subgroup",
        "stratum": "in one stratum",
    }
    return Finding(
        "error",
        "several-grades",
        f"query {query!r} has several grades of document {document!r} {within[kind]}",
        "Merge them into one.",
        path,
    )


def one_group(path: str | None, kind: str) -> Finding:
    """Measures of several subtopics or judges were asked for, and there is one only."""
    return Finding(
        "warning",
        f"one-{kind}",
        f"every query has one {kind} only",
        f"Each {kind} is named in the second column of a TREC file, or in a column {kind!r}; judgments that were read "
        f"before they are evaluated need read_judgments(..., groups={kind!r}).",
        path,
    )


def grouped_otherwise(found: str, wanted: str) -> UsageError:
    """Judgments were read in one way, and a measure reads them in another."""
    return UsageError(
        f"These judgments have grades by {found}, but grades by {wanted} are wanted.\n"
        f"Read them again with groups={wanted!r}."
    )


def contradicting_preferences(path: str | None, query: str, judge: str, first: str, second: str) -> Finding:
    """A judge who prefers one of two documents in one place and the other in another."""
    who = f"judge {judge!r}" if judge else "the judge"
    return Finding(
        "error",
        "contradicting-preferences",
        f"query {query!r}: {who} prefers document {first!r} to {second!r} and, elsewhere, the reverse",
        "Correct one of the two, or give them to different judges.",
        path,
    )


def judged_twice(
    path: str | None,
    line: int,
    query: str,
    document: str,
    grade: float,
    first_line: int,
    *,
    unit: str = "line",
) -> Finding:
    """The same pair with the same grade again."""
    message = f"query {query!r}, document {document!r} is judged again as {grade:g}, as on {unit} {first_line}"
    return Finding("warning", "judged-twice", message, "Remove the repetition; it counts once.", path, line, unit=unit)


def contradiction(
    path: str | None,
    line: int,
    query: str,
    document: str,
    grades: tuple[float, float],
    first_line: int,
    *,
    unit: str = "line",
) -> Finding:
    """The same pair with another grade than before."""
    first, second = grades
    return Finding(
        "error",
        "contradiction",
        f"query {query!r}, document {document!r} is judged {second:g}, but {first:g} on {unit} {first_line}",
        "Keep one grade for each document of a query. If several judges gave them, merge: cranfield merge FILE -o "
        "qrels.txt. If they are for subtopics, choose a measure that reads several grades, such as alpha_nDCG@20, and "
        f"name their column: {option('columns', {'subtopic': NAME})}.",
        path,
        line,
        unit=unit,
    )


def duplicate_document(
    path: str | None, line: int, query: str, document: str, first_line: int, *, unit: str = "line"
) -> Finding:
    """A document twice in one ranking."""
    return Finding(
        "error",
        "duplicate-document",
        f"query {query!r} lists document {document!r} again; it is already on {unit} {first_line}",
        f"Keep each document once for each query, at its best score: {option('duplicates', 'first')} does so.",
        path,
        line,
        unit=unit,
    )


def duplicates_left_out(path: str | None, count: int, queries: Sequence[str]) -> Finding:
    """Documents that were listed again, of which the best place counts."""
    again = f"{counted(count, 'document')} listed again in {counted(len(queries), 'query')} ({examples(queries)})"
    message = f"{again}; each document counts once, at its best place"
    return Finding("warning", "duplicates-left-out", message, path=path)


def ranks_contradict_scores(
    path: str | None, query: str, count: int, line: int | None = None, *, unit: str = "line"
) -> Finding:
    """The rank column orders documents differently from the scores; the scores decide."""
    places = "in 1 place" if count == 1 else f"in {count} places"
    return Finding(
        "warning",
        "ranks-contradict-scores",
        f"query {query!r}: {places} the next rank has a higher score; the scores decide",
        "Where the ranks are right, name only them: "
        f"{option('columns', 'query,_,document,rank,_,_')} or {option('columns', {'rank': NAME})}.",
        path,
        line,
        unit=unit,
    )
