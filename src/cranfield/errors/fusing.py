"""What can be wrong or surprising when runs are fused."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.errors.findings import DataError, Finding, UsageError, did_you_mean
from cranfield.errors.ids import would_meet
from cranfield.phrases import counted, examples, listed, option, sentences


def needs_two_runs(count: int) -> UsageError:
    """One run, with nothing to fuse it with."""
    return UsageError(f"Fusion needs two or more runs, and {counted(count, 'run')} was given.")


def wrong_numbers(name: str, count: int, runs: int) -> UsageError:
    """As many numbers as there are no runs."""
    return UsageError(
        f"{option(name)} has {counted(count, 'number')} for {counted(runs, 'run')}. "
        "Give one for each run, in their order."
    )


def wrong_weights(weights: Sequence[float]) -> UsageError:
    """Weights that would turn a list upside down, or count nothing at all."""
    text = ", ".join(f"{weight:g}" for weight in weights)
    return UsageError(f"{option('weights')} must be numbers of at least 0, one of them above 0, not {text}.")


def not_weighted(method: str) -> UsageError:
    """Weights for a method that has none."""
    return UsageError(f"{method} has no weights. Leave out {option('weights')}, or choose combsum, rrf, rbc or borda.")


def not_normalised(method: str) -> UsageError:
    """A normalisation of scores for a method that reads ranks."""
    return UsageError(f"{method} reads ranks, so {option('norm')} changes nothing. Leave it out, or choose combsum.")


def no_such_missing(method: str, missing: str, known: Sequence[str]) -> UsageError:
    """A choice for missing documents that makes no sense for a method."""
    return UsageError(f"{method}: {option('missing')} must be one of {', '.join(known)}, not {missing!r}.")


def not_about_flat(norm: str) -> UsageError:
    """A choice for flat lists where there is nothing to choose."""
    return UsageError(f"{norm} has no choice for lists of equal scores. Leave out {option('flat')}.")


def needs_lowest(norm: str) -> UsageError:
    """A normalisation that has to know what scores there can be."""
    return UsageError(
        f"{norm} needs the lowest score that each system can give, such as {option('lowest', '0,-1')} for BM25 "
        "and cosine."
    )


def not_about_lowest(norm: str) -> UsageError:
    """The lowest possible score, where the list's own lowest counts."""
    return UsageError(f"{option('lowest')} is for the normalisation theoretical, not {norm}.")


def unknown_dialect(name: str, known: Sequence[str]) -> UsageError:
    """A tool whose choices are not known."""
    near = did_you_mean(name, known)
    return UsageError(sentences(f"{option('like')} must be one of {', '.join(known)}, not {name!r}.", near))


def not_in_dialect(tool: str, method: str, methods: Sequence[str]) -> UsageError:
    """A method that a tool does not have."""
    return UsageError(
        f"{tool} has no {method}; it has {', '.join(methods)}. Leave out {option('like')}, or choose one."
    )


def needs_training(method: str) -> UsageError:
    """A method that learns, without anything to learn from."""
    return UsageError(f"{method} learns from judgments: give them as {option('train')}.")


def not_trained(method: str) -> UsageError:
    """Judgments for a method that does not learn."""
    return UsageError(f"{method} does not learn from judgments. Leave out {option('train')}.")


def too_few_to_train(queries: int, folds: int) -> UsageError:
    """Fewer queries to learn from than parts they are to be cut into."""
    return UsageError(
        f"{counted(queries, 'query')} with judgments and results cannot be cut into {folds} folds. "
        f"Judge more queries, or choose fewer {option('folds')}."
    )


def nothing_to_learn(path: str | None, relevant: Sequence[str], retrieved: Sequence[str]) -> Finding:
    """Judgments by which no document of any run is relevant."""
    message = (
        f"no run returned a relevant document, so nothing can be learnt: relevant are {examples(relevant)}; the runs "
        f"returned {examples(retrieved)}"
    )
    advice = would_meet(relevant, retrieved) or "Check that judgments and runs belong to the same collection."
    return Finding("error", "nothing-to-learn", message, advice, path)


def nothing_to_try() -> UsageError:
    """A search among no configurations."""
    return UsageError(
        f"There is nothing to tune. Name at least one each of {option('methods', command='method')}, "
        f"{option('norms', command='norm')} and {option('k')}, or leave them out."
    )


def too_many_to_try(weightings: int, most: int) -> UsageError:
    """A search that would take too long, and could find anything."""
    return UsageError(
        f"Tuning would try {weightings:,} weightings or more; {most:,} configurations are the most. "
        f"Choose fewer {option('steps')}, normalisations or values of k."
    )


def not_about_k() -> UsageError:
    """Values of k, and no method that has it."""
    return UsageError(
        f"{option('k')} is the constant of rrf, which is not among the methods. Leave it out, or add rrf."
    )


def too_few_folds(method: str) -> UsageError:
    """Two folds, of which one is left out while the other cannot learn from itself."""
    return UsageError(
        f"{method} learns from judgments: of 2 folds none is left to learn from when a fusion is chosen. "
        f"Choose {option('folds', '3')} or more."
    )


def not_tunable(measure: str, reason: str) -> UsageError:
    """A measure by which fusions cannot be chosen."""
    return UsageError(
        f"{measure} {reason}, so a fusion cannot be tuned for it. Choose another measure, such as nDCG@10."
    )


def no_parameter_to_draw(fusion: str) -> UsageError:
    """A plot over a parameter, where the final fusion has none that several values were tried of."""
    return UsageError(
        f"There is no curve to draw: {fusion} was not tried with several weights of two runs, or values of k. "
        f"Leave out {option('plot')}, or tune rrf with several values of k."
    )


def left_out(queries: Sequence[str], judged: int, measure: str) -> Finding:
    """Queries that have no part in a choice."""
    return Finding(
        "warning",
        "undefined-score",
        f"{measure} is undefined for {len(queries):,} of {counted(judged, 'query')} ({examples(queries)}); "
        "they are left out of tuning",
    )


def answers_some(silent: Sequence[str], queries: int) -> Finding:
    """A run without some of the queries that others answer."""
    return Finding(
        "warning",
        "answers-some",
        f"no documents for {len(silent):,} of {counted(queries, 'query')} ({examples(silent)}); "
        "they are fused from the other runs",
    )


def shares_no_document(runs: Sequence[str]) -> Finding:
    """Runs that never return the same document."""
    return Finding(
        "warning",
        "no-shared-document",
        f"{listed(list(runs))} share no document in any query; check that they spell document ids alike",
    )


def flat_lists(queries: Sequence[str], of: int, norm: str, value: str) -> Finding:
    """Lists that a normalisation can say nothing about."""
    return Finding(
        "warning",
        "flat-list",
        f"one document or equal scores in {len(queries):,} of {counted(of, 'query')} ({examples(queries)}); "
        f"{norm} gives them {value} ({option('flat')})",
    )


def ranks_alone(path: str, what: str) -> Finding:
    """A run without scores, where scores are to be added."""
    return Finding(
        "error",
        "no-scores",
        f"it has ranks and no scores, and {what} reads scores",
        "Choose a method that reads ranks, such as rrf, or norm rank.",
        path,
    )


def endless_score(path: str, line: int, score: float, what: str, unit: str) -> Finding:
    """A score that cannot be added to others."""
    return Finding(
        "error",
        "infinite-score",
        f"the score is {score:g}, and {what} reads scores",
        "Write a finite score, or choose a method that reads ranks, such as rrf.",
        path,
        line,
        unit=unit,
    )


def nothing_above_zero(run: str, query: str, highest: float) -> Finding:
    """A list that cannot be divided by its highest score."""
    return Finding(
        "error",
        "nothing-above-zero",
        f"query {query!r}: the highest score is {highest:g}, and the normalisation max divides by it",
        "Choose the normalisation minmax, which takes any scores.",
        run,
    )


def below_lowest(run: str, query: str, score: float, lowest: float) -> Finding:
    """A score that a system cannot give."""
    return Finding(
        "error",
        "below-lowest",
        f"query {query!r}: a score of {score:g} is below {lowest:g}, the lowest that the system can give",
        f"Correct {option('lowest')}, one number for each run in their order.",
        run,
    )


def too_large(query: str, method: str) -> DataError:
    """Scores whose sum is no number."""
    finding = Finding(
        "error",
        "too-large",
        f"query {query!r}: the scores are too large for {method}",
        "Choose a method that reads ranks, such as rrf.",
    )
    return DataError([finding])
