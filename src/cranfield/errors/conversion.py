"""What a format cannot hold, and files of which it is not clear what they are to be converted to."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.errors.findings import DataError, Finding, UsageError, did_you_mean
from cranfield.phrases import counted, examples, option, sentences, shown, spoken


def not_in_text(name: str) -> DataError:
    """A text that no text file can hold."""
    message = f"{shown(name)} has a NUL character, which no text file can hold"
    return DataError([Finding("error", "not-in-text", message, "Write a .jsonl or .parquet file instead.")])


def infinite_in_json(value: float) -> DataError:
    """A number that JSON does not have."""
    message = f"the score {value:g} cannot be written as JSON, which has finite numbers only"
    return DataError([Finding("error", "not-in-json", message, "Write a TREC, .csv or .parquet file instead.")])


def too_many_rows(path: str, most: int) -> Finding:
    """A table that is longer than a sheet."""
    message = f"a sheet of a workbook has at most {most:,} rows"
    return Finding("error", "too-many-rows", message, "Write a .csv or .parquet file instead.", path)


def not_in_workbook(path: str, text: str, longest: int) -> Finding:
    """A text that a workbook would change."""
    message = (
        f"{shown(text)} cannot be written to a workbook, which keeps neither blanks at the ends of a text nor control "
        f"characters, nor more than {longest:,} characters"
    )
    return Finding("error", "not-in-workbook", message, "Write a .csv or .jsonl file instead.", path)


def not_held(path: str, form: str, what: str, instead: str) -> DataError:
    """Something that a format has no place for."""
    return DataError([Finding("error", "not-held", f"{form} cannot hold {what}", f"Write {instead} instead.", path)])


def not_an_id(path: str, form: str, what: str, name: str, instead: str) -> DataError:
    """An id that would be read from a file of this format as another one."""
    message = f"the {what} {shown(name)} cannot be written as {form}: it would be read as another id"
    return DataError([Finding("error", "not-held", message, f"Write {instead} instead.", path)])


def gaps_in_ranks(path: str, form: str, query: str, instead: str) -> DataError:
    """Ranks that a format without a column for them cannot give back."""
    message = f"query {query!r} has gaps or ties in its ranks, and no scores, which {form} cannot hold"
    return DataError([Finding("error", "not-held", message, f"Write {instead} instead.", path)])


def ranks_as_scores(path: str | None, form: str) -> Finding:
    """A run without scores in a format that needs them."""
    message = f"the run has ranks and no scores; the scores in the {form} file are the negative ranks"
    return Finding("warning", "ranks-as-scores", message, path=path)


def scores_left_out(path: str | None, ties: int) -> Finding:
    """A run with scores in a format that has ranks alone."""
    tied = f"; ties of {counted(ties, 'document')} are ordered by document id, descending" if ties else ""
    return Finding("warning", "scores-left-out", f"an MS MARCO run has ranks and no scores{tied}", path=path)


def silent_left_out(path: str | None, queries: Sequence[str]) -> Finding:
    """Queries that were answered with nothing, in a format with a row for each document."""
    message = f"{counted(len(queries), 'query')} without results left out ({examples(queries)}); a .json file has them"
    return Finding("warning", "silent-left-out", message, path=path, count=len(queries))


def decisions_left_out(path: str | None, count: int) -> Finding:
    """Grades that were adjudicated, which are no judge's labels."""
    message = f"{counted(count, 'adjudicated grade')} left out: labels are what judges gave"
    advice = spoken(command="`cranfield merge` uses them.", python="`cranfield.merge` uses them.")
    return Finding("warning", "decisions-left-out", f"{message}. {advice}", path=path, count=count)


def unlabelled_left_out(path: str | None, count: int) -> Finding:
    """Documents that were to be labelled and have no label."""
    message = f"{counted(count, 'document')} without a label left out"
    return Finding("warning", "unlabelled-left-out", message, path=path, count=count)


def without_features(path: str | None, run: str, count: int) -> Finding:
    """Judged documents that a run has no score for."""
    message = f"{counted(count, 'judged document')} without a score in {run}: the feature is left out, which means 0"
    return Finding("warning", "without-features", message, path=path, count=count)


def numbered_documents(path: str | None) -> Finding:
    """An SVMlight file whose lines name no document."""
    message = "no line names a document; documents of a query are called 1, 2, 3, … in the order of their lines"
    return Finding("warning", "numbered-documents", message, path=path)


def several_features(path: str | None) -> Finding:
    """An SVMlight file where a run was expected, of which nobody knows which feature is the score."""
    advice = f"Name the number of the feature that is the score: {option('columns', {'score': '1'})}."
    message = "this is an SVMlight file, whose lines have several features"
    return Finding("error", "several-features", message, advice, path)


def not_svmlight(path: str | None, line: int, text: str) -> Finding:
    """A line that is not `grade qid:query feature:value …`."""
    return Finding(
        "error",
        "not-svmlight",
        "the line is not `grade qid:QUERY feature:value …`, as the first line is",
        "Correct or remove the line.",
        path,
        line,
        text,
    )


def no_document(path: str | None, line: int, text: str) -> Finding:
    """A line without the comment that names the document, where others have one."""
    advice = "Name the document on every line, or on none."
    return Finding("error", "no-document", "the line does not name its document behind #", advice, path, line, text)


def words_behind_document(path: str | None, line: int, document: str, text: str) -> Finding:
    """A comment of several words, the first of which is the document."""
    message = f"comments have several words; the first is the document id, as {shown(document)} here"
    return Finding("warning", "words-behind-document", message, path=path, line=line, text=text)


def unclear_document(path: str | None, line: int, document: str, text: str) -> Finding:
    """Comments of one query that begin with the same word and then differ: that word may not be the document."""
    return Finding(
        "error",
        "unclear-document",
        f"another line of this query begins its comment with {shown(document)} too and goes on differently, so it is "
        "not clear which word is the document id",
        "Put the document id first behind #, or write it as docid = ID.",
        path,
        line,
        text,
    )


def second_column(path: str | None, values: Sequence[str]) -> Finding:
    """Judgments as TREC has them, whose second column may say something."""
    return Finding(
        "error",
        "second-column",
        f"the second column is not the same on all lines ({examples(values, 4)}): it may be a subtopic or a judge",
        f"Say which: {option('groups', 'subtopic')} or {option('groups', 'judge')}.",
        path,
    )


def unclear_kind(path: str | None, kinds: Sequence[str]) -> Finding:
    """A file that may be several things."""
    advice = f"Say which: {' or '.join(option('kind', kind) for kind in kinds)}."
    return Finding("error", "unclear-kind", f"it is not clear whether this is {' or '.join(kinds)}", advice, path)


def unknown_target(name: str, form: str, kind: str, known: Sequence[str]) -> UsageError:
    """A format that this kind of data is not written in."""
    return UsageError(
        sentences(
            f"{name}: {kind} cannot be written as {form!r}; known are {', '.join(known)}.", did_you_mean(form, known)
        )
    )


def unnamed_target(name: str, kind: str, endings: Sequence[str]) -> UsageError:
    """A target whose name does not tell its format."""
    return UsageError(
        f"{name}: the name does not show the format to write {kind} in.\n"
        f"Choose one that ends in {', '.join(endings)}, or name the format with {option('to', 'trec')}."
    )


def needs(form: str, name: str, example: str) -> UsageError:
    """A format that needs to know more."""
    return UsageError(f"{form} needs {option(name, example)}.")


def unused(name: str, form: str) -> UsageError:
    """An option that has no effect on a format."""
    return UsageError(f"{option(name, '…')} has no effect on {form}.")


def without_text(path: str | None, query: str) -> DataError:
    """A judged query of which the text is not known."""
    return DataError([Finding("error", "without-text", f"query {query!r} has no text", "Add its text.", path)])


def negative_left_out(path: str | None, form: str, count: int) -> Finding:
    """Documents that were pooled and not judged, which a list of ratings has no place for."""
    message = (
        f"{counted(count, 'document')} with a negative grade left out: {form} lists only documents that are judged"
    )
    return Finding("warning", "negative-left-out", message, path=path, count=count)


def unnamed_labels(path: str | None, what: str) -> DataError:
    """Labels of which it is not known what or whose they are."""
    message = f"the labels name no {what}, so that there are no rows to write"
    advice = "Convert a table with columns for query, document, judge and grade."
    return DataError([Finding("error", "unnamed-labels", message, advice, path)])


def several_lines(text: str) -> DataError:
    """A text that a TSV file of texts cannot hold, in which every line is a row."""
    message = f"{shown(text)} has a tab or several lines, which a .tsv file cannot hold"
    return DataError([Finding("error", "not-in-tsv", message, "Write a .csv or .jsonl file instead.")])
