"""What can be wrong or surprising about click logs, and what is made of them."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.errors.findings import Finding, UsageError, did_you_mean
from cranfield.errors.ids import would_meet
from cranfield.phrases import NAME, counted, examples, option, short, shown, spoken

SMALLEST_PROPENSITY = 1e-12
"""Below this, a single click would outweigh all others; no log shows what is so improbable."""

AN_IMPRESSION = "Rows of one impression must follow each other, or have the same id in a column impression_id."


def no_click_columns(path: str | None, header: Sequence[str]) -> Finding:
    """Columns that no click log has."""
    return Finding(
        "error",
        "no-click-log",
        f"these are not the columns of a click log: {short(', '.join(map(str, header))) or '(none)'}",
        "A click log has a row per result (session, query, position, document, clicked) or per impression (session, "
        "query, documents, clicks), holds OpenSearch UBI queries and events, or is one of Yandex (Q and C lines). "
        "Where names differ, say which is what: "
        f"{option('columns', {'document': NAME, 'clicked': NAME})}.",
        path,
    )


def unreadable_clicks(value: object) -> UsageError:
    """A Python object that holds no click log."""
    return UsageError(
        f"cannot read clicks from {type(value).__name__}. Give a path, a file object, rows (dictionaries) or a table."
    )


def unknown_click_role(role: str, known: Sequence[str]) -> UsageError:
    """A column that no click log has."""
    return UsageError(f"columns: {role!r} is not a role of a click log; known are {', '.join(known)}.")


def not_clicked_or_not(path: str | None, line: int, value: object, *, unit: str = "line") -> Finding:
    """A click that is neither 0 nor 1."""
    return Finding(
        "error",
        "clicked-neither-0-nor-1",
        f"clicked is {shown(value)}; expected 0 or 1",
        "Write 1 for a result that was clicked at least once, and 0 for one that was not.",
        path,
        line,
        unit=unit,
    )


def bad_position(path: str | None, line: int, value: object, *, unit: str = "line") -> Finding:
    """A position that is no whole number from 0 on."""
    message = f"the position is {shown(value)}; expected a whole number"
    return Finding("error", "bad-position", message, f"Correct or remove the {unit}.", path, line, unit=unit)


def bad_propensity(path: str | None, line: int, value: object, *, unit: str = "line") -> Finding:
    """A probability by which nothing can be weighted."""
    return Finding(
        "error",
        "bad-propensity",
        f"the propensity is {shown(value)}; expected a probability from {SMALLEST_PROPENSITY:g} to 1",
        "A result that was shown must have a propensity above 0; correct it, or leave such rows out.",
        path,
        line,
        unit=unit,
    )


def position_twice(path: str | None, line: int, query: str, position: int, *, unit: str = "line") -> Finding:
    """Two results at one position of an impression."""
    message = f"query {query!r} has another result at position {position} of the same impression"
    return Finding("error", "position-twice", message, AN_IMPRESSION, path, line, unit=unit)


def shown_twice(path: str | None, line: int, query: str, document: str, *, unit: str = "line") -> Finding:
    """A document twice in one impression."""
    message = f"query {query!r} shows document {document!r} twice in one impression"
    return Finding("error", "shown-twice", message, AN_IMPRESSION, path, line, unit=unit)


def rows_apart(path: str | None, line: int, *, unit: str = "line") -> Finding:
    """Rows of one list with others between them: each part would count as a list of its own."""
    message = "an impression goes on here that other rows have interrupted"
    advice = f"Sort the log by session and query. {AN_IMPRESSION}"
    return Finding("error", "rows-apart", message, advice, path, line, unit=unit)


def impressions_again(path: str | None, again: int, impressions: int) -> Finding:
    """The same session and query once more, without positions that would tell whether the list goes on."""
    return Finding(
        "warning",
        "impressions-again",
        f"{again:,} of {impressions:,} impressions have the session and query of an earlier one; each counts as "
        "a separate impression",
        AN_IMPRESSION,
        path=path,
        count=again,
    )


def documents_again(path: str | None, impressions: int, of: int) -> Finding:
    """Lists that do show a document twice."""
    return Finding(
        "warning",
        "shown-twice",
        f"{impressions:,} of {of:,} impressions show a document twice; each position counts as a separate view",
        path=path,
        count=impressions,
    )


def mixed_impression(path: str | None, line: int, impression: str, what: str, *, unit: str = "line") -> Finding:
    """An impression of two sessions or queries."""
    message = f"impression {impression!r} has another {what} here than before"
    advice = "An impression is one list shown to one person for one query; give each an id of its own."
    return Finding("error", "mixed-impression", message, advice, path, line, unit=unit)


def empty_impression(path: str | None, line: int, *, unit: str = "line") -> Finding:
    """An impression that shows nothing."""
    advice = "Leave out impressions without results; there was nothing to click."
    return Finding("error", "empty-impression", "the impression has no documents", advice, path, line, unit=unit)


def clicked_not_shown(path: str | None, line: int, clicked: object, count: int, *, unit: str = "line") -> Finding:
    """A click on something that the impression does not show."""
    return Finding(
        "error",
        "clicked-not-shown",
        f"a click on {shown(clicked)}, which is not among the {count} documents shown",
        "Clicks are 0 or 1 for each document, or ids of documents shown, or their ranks, beginning with 1.",
        path,
        line,
        unit=unit,
    )


def unequal_lists(path: str | None, line: int, clicks: int, documents: int, *, unit: str = "line") -> Finding:
    """As many clicks as documents were expected."""
    message = f"{clicks} clicks of 0 or 1 for {documents} documents"
    return Finding("error", "unequal-lists", message, "Write one for each document.", path, line, unit=unit)


def unequal_propensities(path: str | None, line: int, found: int, documents: int, *, unit: str = "line") -> Finding:
    """As many propensities as documents were expected."""
    message = f"{found} propensities for {documents} documents"
    return Finding("error", "unequal-lists", message, "Write one for each document.", path, line, unit=unit)


def in_some_files(path: str | None, what: str) -> Finding:
    """Parts of a log that have different columns."""
    return Finding(
        "error",
        "different-columns",
        f"some files of the log have a column {what} and others do not",
        "Read files with the same columns together.",
        path,
    )


def no_list(path: str | None, line: int, what: str, value: object, *, unit: str = "line") -> Finding:
    """Something else where a list should be."""
    message = f"{what} is {shown(value)}; expected a list"
    return Finding("error", "no-list", message, 'Write ["d1", "d2"] in JSON, or d1|d2 in CSV.', path, line, unit=unit)


def positions_with_gaps(path: str | None, impressions: int, of: int) -> Finding:
    """Results between those shown are missing; ranks close up."""
    return Finding(
        "warning",
        "positions-with-gaps",
        f"in {impressions:,} of {of:,} impressions positions have gaps; results are ranked 1, 2, 3 in their order",
        path=path,
        count=impressions,
    )


def events_of_no_query(path: str | None, queries: Sequence[str], events: int) -> Finding:
    """UBI events whose query is not there."""
    return Finding(
        "warning",
        "events-of-no-query",
        f"{counted(events, 'event')} of queries that are not there ({examples(queries)}) left out",
        path=path,
        count=events,
    )


def events_not_listed(path: str | None, documents: Sequence[str], events: int) -> Finding:
    """UBI clicks on objects that the query's response does not list, as on a second page."""
    return Finding(
        "warning",
        "clicks-not-listed",
        f"{counted(events, 'click')} on objects that their query's response does not list ({examples(documents)}) "
        "left out",
        path=path,
        count=events,
    )


def queries_without_results(path: str | None, queries: Sequence[str], of: int) -> Finding:
    """UBI queries without what they showed."""
    return Finding(
        "warning",
        "queries-without-results",
        f"{len(queries):,} of {of:,} queries that list no results ({examples(queries)}) left out",
        path=path,
        count=len(queries),
    )


def ubi_query_twice(path: str | None, line: int, query: str, first_line: int, *, unit: str = "line") -> Finding:
    """Two queries of one id that are not the same."""
    message = (
        f"query_id {query!r} comes again with another text, session or list of results than on {unit} {first_line}"
    )
    return Finding("error", "query-twice", message, "Give each query an id of its own.", path, line, unit=unit)


def record_of_no_query(path: str | None, line: int, *, unit: str = "line") -> Finding:
    """A UBI record that belongs to no query."""
    message = "a record without query_id is left out"
    return Finding("warning", "no-query-id", message, "", path, line, unit=unit)


def no_yandex_line(path: str | None, line: int, text: str) -> Finding:
    """A line of a log of Yandex that is neither a query nor a click."""
    return Finding(
        "error",
        "no-yandex-line",
        "neither a query (SessionID TimePassed Q QueryID RegionID URLIDs) nor a click (SessionID TimePassed C URLID) "
        "of a Yandex log",
        "Fields are separated by tabs, and none is empty; TimePassed is a whole number.",
        path,
        line,
        short(text),
    )


def clicks_astray(path: str | None, clicks: int, of: int) -> Finding:
    """Clicks on documents that no query of their session showed before."""
    return Finding(
        "warning",
        "clicks-astray",
        f"{clicks:,} of {of:,} clicks are on documents that no earlier query of the session showed; they are left out",
        path=path,
        count=clicks,
    )


def yandex_with_others(path: str | None) -> Finding:
    """A log of Yandex next to one with columns."""
    advice = "Read them apart, or write both as a row per impression: session, query, documents, clicks."
    return Finding("error", "yandex-with-others", "a Yandex log cannot be read together with others", advice, path)


def few_impressions(path: str | None, impressions: int) -> Finding:
    """So few people that estimates are what was assumed before."""
    return Finding(
        "warning",
        "few-impressions",
        f"the log has {counted(impressions, 'impression')}; with so few, estimates are mostly the prior",
        path=path,
    )


def nothing_clicked(path: str | None, actions: Sequence[str]) -> Finding:
    """A log from which nothing can be learnt."""
    seen = f"; its events are called {examples(actions)}" if actions else ""
    advice = (
        f"Say which of them count as a click: {option('clicks', NAME, command='click-action')}."
        if actions
        else "Check the column with the clicks, or collect more impressions."
    )
    return Finding("error", "no-clicks", f"no result of the log was clicked{seen}", advice, path)


def unknown_click_model(name: str, known: Sequence[str]) -> UsageError:
    """A click model that is not there."""
    return UsageError(
        f"There is no click model {name!r}. {did_you_mean(name, known)}".strip() + f"\nThere are {', '.join(known)}."
    )


def no_relevance(name: str, known: Sequence[str]) -> UsageError:
    """A model that does not tell documents apart."""
    return UsageError(
        f"{name} has one click rate for all documents, so it gives no labels.\nChoose another one: {', '.join(known)}."
    )


def nothing_left(path: str | None, least: int, most: int) -> Finding:
    """No pair was shown often enough."""
    return Finding(
        "error",
        "too-little-evidence",
        f"no document was shown {least:,} times for a query; the most frequent was shown {most:,} times",
        f"Collect more impressions, or ask for fewer: {option('min_impressions')}.",
        path,
    )


def no_further_queries(path: str | None, model: str) -> Finding:
    """A model of sessions, and a log without any."""
    return Finding(
        "error",
        "no-further-queries",
        f"{model} takes sessions of several queries, and every session of this log has one",
        "Name the column with the session of each query (a session id stays the same from query to query), or choose "
        "another model.",
        path,
    )


def few_sessions(path: str | None) -> Finding:
    """Nothing to hold out."""
    return Finding(
        "error",
        "one-session",
        "the log has one session, which is too few to compare models by sessions they have not seen",
        "Name one model, such as --model PBM; or add a column session with an id for each visit.",
        path,
    )


def no_queries_in_log(path: str | None) -> Finding:
    """A log that is no search's, and a run to meet it."""
    estimate = spoken(command="cranfield clicks policy LOG --policy TABLE", python="cranfield.policy_value(log, table)")
    return Finding(
        "error",
        "log-without-queries",
        "the log has no queries, and a run ranks documents for queries",
        f"Say which column is the query: {option('columns', {'query': NAME})}. For a log without any, estimate a "
        f"policy: {estimate}.",
        path,
    )


def no_ubi_queries(path: str | None, events: int) -> Finding:
    """UBI events without the results they are clicks on."""
    return Finding(
        "error",
        "no-ubi-queries",
        f"{counted(events, 'event')} of OpenSearch UBI, but no queries: ubi_queries is missing",
        "Give both files: cranfield clicks ubi_queries.ndjson ubi_events.ndjson",
        path,
    )


def positions_not_used(path: str | None, rows: int) -> Finding:
    """A bandit's log, whose rows cannot be put together."""
    return Finding(
        "warning",
        "positions-not-used",
        "without session, query or impression "
        + ("the row counts" if rows == 1 else f"each of {rows:,} rows counts")
        + " as a separate impression at rank 1; positions are not used",
        path=path,
        count=rows,
    )


def rank_alone(best: str, chosen: str) -> Finding:
    """Nothing that is known of documents helps to predict clicks."""
    return Finding(
        "warning",
        "rank-alone",
        f"{best}, which treats all documents alike, predicts held-out clicks best: this log says little about "
        f"relevance; labels are those of {chosen}",
    )


def model_not_converged(name: str, rounds: int) -> Finding:
    """Parameters still changed when rounds ended."""
    return Finding(
        "warning",
        "not-converged",
        f"the parameters of {name} had not converged after {rounds} iterations; allow more: {option('iterations')}",
    )


def few_judged(judged: int) -> Finding:
    """Too few judged pairs to compare labels with."""
    return Finding(
        "error",
        "few-judged-pairs",
        f"{judged} of the labelled pairs are judged, which is too few to compare with or to calibrate by",
        f"Judge more of the documents that people see, or lower {option('min_impressions')}.",
    )


def no_propensity(path: str | None) -> Finding:
    """Nothing to weight by."""
    return Finding(
        "error",
        "no-propensity",
        "the log has no propensities",
        "Add a column propensity: the probability with which each result was shown. For position bias alone, weights "
        f"can be learnt: {option('propensities', 'PBM')}.",
        path,
    )


def unsupported_item(target: Sequence[str]) -> Finding:
    """A policy that shows what the log never did."""
    return Finding(
        "warning",
        "never-logged",
        f"the policy shows {counted(len(target), 'item')} that the log never does ({examples(target)}); what that "
        "would earn is missing from the estimate",
        count=len(target),
    )


def never_shown(path: str | None, target: Sequence[str]) -> Finding:
    """A policy that shows nothing of what the log does."""
    return Finding(
        "error",
        "never-shown",
        "the log never showed what the policy shows" + (f" ({examples(target)})" if target else ""),
        "Check that log and policy have the same ids; clicks say nothing about documents that were never shown.",
        path,
    )


def bad_probability(path: str | None, document: str, value: object, line: int | None = None) -> Finding:
    """A probability of a policy that is none."""
    return Finding(
        "error",
        "bad-probability",
        f"the policy shows {document!r} with a probability of {shown(value)}; expected a number from 0 to 1",
        "Correct it; probabilities of one query add up to 1.",
        path,
        line,
    )


def bad_policy(path: str | None, query: str, total: float) -> Finding:
    """Probabilities that leave it open what else is shown, or show more than there is."""
    where = f" for query {query!r}" if query else ""
    return Finding(
        "error",
        "bad-policy",
        f"the policy's probabilities{where} add up to {total:.7g}; expected 1",
        "Give a probability for everything that the policy shows, also for what the log never showed.",
        path,
    )


def propensity_too_small(path: str | None, least: float) -> Finding:
    """Clicks where hardly anybody looks, by the propensities of a model."""
    return Finding(
        "error",
        "propensity-too-small",
        f"a click has a propensity of {least:g}, so its weight would outweigh all others; expected at least "
        f"{SMALLEST_PROPENSITY:g}",
        f"Set a smallest propensity, such as {option('clip', '0.01')}; estimates are then biased.",
        path,
    )


def probability_twice(path: str | None, document: str, query: str, line: int) -> Finding:
    """Two probabilities for one document."""
    where = f" for query {query!r}" if query else ""
    message = f"document {document!r} has another probability{where} before"
    return Finding("error", "probability-twice", message, "Keep one for each document of a query.", path, line)


def small_sample(effective: float, rows: int) -> Finding:
    """Weights so unequal that few rows decide."""
    return Finding(
        "warning",
        "small-effective-sample",
        f"the effective sample size is {effective:z,.0f} of {counted(rows, 'row')}; do not trust the interval",
        "Log more, clip large weights, or compare a policy that is nearer to the logged one.",
    )


def log_never_meets(path: str, asked: Sequence[str], answered: Sequence[str]) -> Finding:
    """A run that answers no query of a log."""
    return Finding(
        "error",
        "query-ids-never-meet",
        f"answers no query of the log: those are {examples(asked)}; here they are {examples(answered)}",
        would_meet(asked, answered) or "Check that log and run have the same ids.",
        path,
    )


def not_ranked(run: str, clicks: float, of: float) -> Finding:
    """Clicked documents that a run does not return."""
    return Finding(
        "warning",
        "clicked-not-ranked",
        f"{clicks:z,.0f} of {of:z,.0f} clicks are on documents that the run does not return; they earn nothing",
        path=run,
    )
