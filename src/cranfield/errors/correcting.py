"""What can be wrong or surprising where people's labels correct a model's."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.errors.findings import DataError, Finding, UsageError
from cranfield.phrases import examples


def too_few_queries(both: int, fewest: int, people: int, model: int) -> DataError:
    """Hardly any query was judged by people and by the model."""
    message = (
        f"people judged {people:,} queries and the model {model:,}, but only {both:,} of them are the same; "
        f"a correction needs at least {fewest}"
    )
    advice = "Have people judge some of the model's queries, drawn at random, and write query ids the same way in both."
    return DataError([Finding("error", "too-few-queries", message, advice)])


def people_by_model(path: str | None) -> DataError:
    """Judgments that a model gave, where those of people are wanted."""
    message = "these judgments come from a model; only judgments of people can correct a model"
    advice = "Name people's judgments first, and the model's second."
    return DataError([Finding("error", "people-by-model", message, advice, path)])


def nothing_to_correct(both: int) -> DataError:
    """The model judged no query alone."""
    message = f"people judged all {both:,} queries that the model judged, so there is nothing to correct"
    return DataError(
        [Finding("error", "nothing-to-correct", message, "Use people's judgments alone: cranfield evaluate.")]
    )


def without_model(queries: Sequence[str]) -> Finding:
    """Queries that people judged, and the model did not."""
    message = (
        f"queries judged by people without labels of the model are left out ({len(queries):,}): {examples(queries)}"
    )
    return Finding("warning", "without-model", message)


def few_queries(count: int, enough: int) -> Finding:
    """So few queries that intervals may be off."""
    message = (
        f"only {count} queries were judged by people: below {enough}, intervals of skewed measures may hold the true "
        "value less often than they say"
    )
    return Finding("warning", "few-queries", message)


def not_at_random(path: str, labels: int) -> Finding:
    """Labels of documents that were chosen, so that they are no sample."""
    message = (
        f"{labels:,} labels of people are of documents that a strategy chose by earlier labels or by what they could "
        "change, so they are not a random sample and cannot correct a model"
    )
    advice = "Judge with --strategy depth, decide or sample."
    return Finding("error", "not-at-random", message, advice, path)


def no_complete_query(path: str) -> Finding:
    """People have not finished any query."""
    message = "people have labelled no query completely, so no score by people can be computed"
    advice = "Go on judging: cranfield judge STORE. One query is finished before the next begins."
    return Finding("error", "no-complete-query", message, advice, path)


def nearly_constant(measure: str, runs: Sequence[str]) -> Finding:
    """Scores that hardly vary, though they may elsewhere."""
    message = (
        f"{measure} of {', '.join(runs)} is the same on nearly all queries judged by people: with so little "
        "variation the interval is probably too narrow; judge more queries"
    )
    return Finding("warning", "nearly-constant", message)


def not_a_sum(measure: object) -> UsageError:
    """A measure that no sample of documents estimates without bias."""
    return UsageError(
        f"{measure} is not a sum over documents, so a sample of documents does not correct it without bias.\n"
        "Choose P@k, DCG or RBP, or have people judge whole queries and use `cranfield correct`."
    )


def no_strata(path: str | None) -> DataError:
    """Labels that do not tell which documents were drawn from which stratum."""
    message = "these labels do not show which documents were drawn from each stratum"
    advice = "Draw the documents with `cranfield pool --strategy sample -o sample.txt` and fill in their grades."
    return DataError([Finding("error", "no-strata", message, advice, path)])


def stratum_without_labels(path: str | None, query: str, stratum: str, documents: int) -> DataError:
    """A stratum where nobody labelled anything."""
    message = f"query {query!r}: none of the {documents:,} documents of stratum {stratum} has a label"
    return DataError([Finding("error", "stratum-without-labels", message, "Label what was drawn from it.", path)])


def outside_sample(documents: int) -> Finding:
    """Documents that the model calls relevant, and that could not have been drawn."""
    message = (
        f"{documents:,} documents that the model graded above 0 are in no stratum of the sample; "
        "for them the model's grade counts uncorrected"
    )
    return Finding("warning", "outside-sample", message)
