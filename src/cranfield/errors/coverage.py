"""What is surprising about a run and its judgments."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from cranfield.errors.findings import Finding, UsageError, did_you_mean
from cranfield.errors.ids import other_spelling, spelt, spelt_differently
from cranfield.phrases import TIE_ORDERS, examples, option, spoken

FATES = {"judged": "count as 0", "answered": "are left out of the mean"}
FATE_OF_ONE = {"judged": "counts as 0", "answered": "is left out of the mean"}
"""What becomes of queries without documents, by the queries that means are over."""


def silent_queries(path: str, silent: Sequence[str], judged: int, queries: Mapping[str, str]) -> Finding:
    """Judged queries that the run returned nothing for; `queries` are what means are over, by measure."""
    fates, they = (FATES, "they") if len(silent) > 1 else (FATE_OF_ONE, "it")
    fate = " and ".join(f"{fates[over]}{_of(measures)}" for over, measures in queries.items())
    return Finding(
        "warning",
        "silent-queries",
        f"no documents for {len(silent)} of {judged} judged queries ({examples(silent)}); {they} {fate}",
        path=path,
        count=len(silent),
    )


def unknown_queries(path: str, unknown: Sequence[str], silent: Sequence[str] = ()) -> Finding:
    """Queries of the run that have no judgments; perhaps these are for `silent` queries, in another spelling."""
    plural = "query has" if len(unknown) == 1 else "queries have"
    return Finding(
        "warning",
        "unknown-queries",
        f"{len(unknown)} {plural} no judgments ({examples(unknown)}) and cannot be evaluated"
        + other_spelling(silent, unknown, "judged queries that have no results"),
        path=path,
        count=len(unknown),
    )


def graded_and_removed() -> UsageError:
    """Unjudged documents cannot be removed and have a grade."""
    return UsageError(
        f"{_setting('judged_only')} removes unjudged documents, {_setting('unjudged_grade')} gives them a grade; "
        "choose one."
    )


def graded_in_groups(measure: str) -> UsageError:
    """A measure that reads several grades of a document."""
    return UsageError(f"{measure} reads several grades for each document; {_setting('unjudged_grade')} is one grade.")


def graded_as_relevant(measure: str, grade: float, level: float) -> UsageError:
    """A measure that divides by the number of relevant documents, which each run would change."""
    return UsageError(
        f"{measure} depends on how many documents are relevant, and with {_setting('unjudged_grade')} {grade:g} each "
        f"run would add those that it retrieved (relevant from grade {level:g}).\n"
        "Choose a lower grade, or a measure of retrieved documents such as P@10, RR, DCG@10 or RBP."
    )


def graded_above_all(grade: float, largest: float) -> UsageError:
    """A grade for unjudged documents that no judge gave."""
    return UsageError(
        f"{_setting('unjudged_grade')} is {grade:g}, above the largest grade of the judgments, {largest:g}."
    )


def _setting(name: str) -> str:
    return spoken(command=f"--{name.replace('_', '-')}", python=name)


FEW_DOCUMENTS = 3
"""So many documents must match in another spelling before it is more than a coincidence."""


def other_document_ids(
    path: str, by_query: Iterable[tuple[Collection[str], Collection[str]]], sample: str = ""
) -> Iterator[Finding]:
    """Documents that match judged ones in another spelling; judged and retrieved ones are given by query."""
    change, pairs = spelt_differently(by_query)
    if len(pairs) >= FEW_DOCUMENTS:
        yield Finding(
            "warning",
            "other-document-ids",
            f"{len(pairs):,} unjudged documents{sample} match judged ones {change} ({spelt(pairs)}): "
            "use one spelling in both files",
            path=path,
            count=len(pairs),
        )


def without_relevant(path: str | None, queries: Sequence[str], judged: int, rel: float) -> Finding:
    """Judged queries that no document is relevant to."""
    have = "has" if len(queries) == 1 else "have"
    return Finding(
        "warning",
        "without-relevant",
        f"{len(queries)} of {judged} judged queries {have} no relevant document (grade {rel:g} or more): "
        f"{examples(queries)}; recall and similar measures are undefined there",
        path=path,
        count=len(queries),
    )


def not_in_tool(profile: str, tool: str, measures: Sequence[str]) -> Finding:
    """Measures that are computed under a profile although its tool has none such."""
    computed = "it is computed as cranfield defines it" if len(measures) == 1 else "they are cranfield's own"
    return Finding(
        "warning",
        "not-in-tool",
        f"{tool} has no {', '.join(measures)}; {computed}, with the profile's ties and queries",
        path=f"profile {profile}",
        count=len(measures),
    )


def another_measure(profile: str, tool: str, name: str, meaning: str) -> Finding:
    """A name that means another measure to the profile's tool than here."""
    return Finding(
        "warning", "another-measure", f"{name} is another measure in {tool}: {meaning}", path=f"profile {profile}"
    )


def note_on_tool(profile: str, text: str) -> Finding:
    """Something particular about a tool's measure that no choice covers."""
    return Finding("warning", "note-on-tool", text.rstrip("."), path=f"profile {profile}")


TIE_RULES = {
    **{order: f"ties are broken {words}" for order, words in TIE_ORDERS.items()},
    "average": "scores are averaged over all orders of tied documents",
}
"""What happens to documents with equal scores, in words."""


def tied_scores(ranges: Mapping[str, str], orders: Mapping[str, str]) -> Finding:
    """Means that another order of tied documents would change: the order is the tool's choice and not the system's.

    `ranges` are what the mean of each run could be, in words; `orders` are the rules, each with the measures it is for.
    """
    means = [f"{could_be} ({run})" for run, could_be in ranges.items()]
    more = len(means) - MOST_RUNS + 1 if len(means) > MOST_RUNS else 0
    others = [f"and other values for {more:,} more runs"] if more else []
    shown = ", ".join([*means[: len(means) - more], *others])
    return Finding(
        "warning",
        "tied-scores",
        f"another order of tied documents could give {shown}; {tie_rules(orders)}",
        f"{spoken(command='--bounds ties', python='tie_bounds()')} shows how far other orders would move the scores.",
        count=len(ranges),
    )


def tie_rules(orders: Mapping[str, str]) -> str:
    """How ties are broken, by the rules and the measures that each is for."""
    return "; ".join(f"{TIE_RULES[order]}{_of(measures)}" for order, measures in orders.items())


def tied_documents(ties: Mapping[str, tuple[int, int]], orders: Mapping[str, str]) -> Finding:
    """How many documents have tied scores, whether or not they move a mean."""
    return Finding(
        "note",
        "tied-scores",
        f"documents with tied scores: {_tied(ties)}; {tie_rules(orders)}",
        count=sum(documents for documents, _ in ties.values()),
    )


def mostly_tied(path: str | None, tied: int, documents: int) -> Finding:
    """A run whose scores leave the order of most documents open."""
    return Finding(
        "warning",
        "tied-scores",
        f"{tied:,} of {documents:,} documents have the same score as another one of the query; {TIE_RULES['document']}",
        "Check that scores were written with all their decimals.",
        path,
        count=tied,
    )


def judgments_read(path: str | None, judgments: int | None, queries: int | None, max_grade: float | None) -> Finding:
    """How many judgments there are."""
    known = [
        f"{judgments:,} judgments" if judgments is not None else "",
        f"{queries:,} queries" if queries is not None else "",
        f"largest grade {max_grade:g}" if max_grade is not None else "",
    ]
    return Finding("note", "judgments-read", ", ".join(filter(None, known)), path=path or "judgments")


def run_read(run: str, unjudged: int | None, retrieved: int | None) -> Finding:
    """How many documents a run has for judged queries."""
    counts = [
        f"{retrieved:,} documents for judged queries" if retrieved is not None else "",
        f"{unjudged:,} of them not judged" if unjudged is not None else "",
    ]
    return Finding("note", "run-read", ", ".join(filter(None, counts)), path=run)


def infinite_scores(path: str, queries: Sequence[str], count: int) -> Finding:
    """Scores that are no finite numbers: they rank, but no system means them."""
    scores = "1 score is" if count == 1 else f"{count:,} scores are"
    return Finding(
        "warning",
        "infinite-scores",
        f"{scores} infinite ({examples(queries)}): ranked above or below all others, and tied with each other",
        "A division by zero or an overflow in the system may be the cause.",
        path,
        count=count,
    )


def tied_in_comparison(ties: Mapping[str, tuple[int, int]]) -> Finding:
    """Documents with equal scores in runs that are compared with each other."""
    of_rbo = option("ties", command="rbo-ties").removesuffix("=")
    return Finding(
        "warning",
        "tied-scores",
        f"RBO treats tied scores as `{of_rbo}` says, overlap orders them by document id, descending: {_tied(ties)}",
        count=sum(documents for documents, _ in ties.values()),
    )


def _of(measures: str) -> str:
    return f" ({measures})" if measures else ""


MOST_RUNS = 4
"""Runs whose ties are counted one by one in a sentence; of more, some are summed up."""


def _tied(ties: Mapping[str, tuple[int, int]]) -> str:
    named = list(ties.items()) if len(ties) <= MOST_RUNS else list(ties.items())[: MOST_RUNS - 1]
    counts = [
        f"{run} {documents:,} documents in {queries:,} {'query' if queries == 1 else 'queries'}"
        for run, (documents, queries) in named
    ]
    if rest := list(ties.values())[len(named) :]:
        counts.append(f"{len(rest):,} more runs {sum(documents for documents, _ in rest):,} documents")
    return ", ".join(counts)


def same_file_twice(path: str, runs: Sequence[str]) -> Finding:
    """One file that was given as several runs."""
    message = f"was given {len(runs)} times, as {' and '.join(runs)}; these are the same run"
    return Finding("warning", "same-file-twice", message, "Check the paths of the runs.", path)


def same_rankings(run: str, other: str) -> Finding:
    """A run with the content of another one."""
    message = f"the same documents and scores as {other} in every query; these are the same run"
    return Finding("warning", "same-rankings", message, "Check the files of the runs.", run)


def queries_of_one_run(run: str, other: str, queries: Sequence[str]) -> Finding:
    """Queries that one of two runs answered and the other did not."""
    plural, they = ("query", "it counts") if len(queries) == 1 else ("queries", "they count")
    return Finding(
        "warning",
        "queries-of-one-run",
        f"no documents in {other} for {len(queries)} {plural} ({examples(queries)}); {they} as 0",
        path=run,
        count=len(queries),
    )


def not_judged(query: str, path: str | None, judged: Sequence[str]) -> UsageError:
    """A query was asked for that has no judgments."""
    return UsageError(
        f"Query {query!r} has no judgments in {path or 'what was given'}, so no measure has a value for it.\n"
        + (did_you_mean(query, judged) or f"Judged queries are {examples(judged)}.")
    )
