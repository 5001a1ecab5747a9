"""What can be wrong or surprising about a pool."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.errors.findings import DataError, Finding, UsageError, did_you_mean
from cranfield.phrases import counted, examples, option, sentences, shown


def unknown_strategy(name: object, known: Sequence[str], others: Sequence[str] = ()) -> UsageError:
    """A way to choose documents that there is not."""
    near = did_you_mean(str(name), [*known, *others])
    return UsageError(sentences(f"There is no strategy {name!r}; there are {', '.join(known)}.", near))


def needs_runs(what: str, name: str) -> UsageError:
    """Something between runs was asked of one."""
    return UsageError(f"{what} is between runs, and one was given ({name}). Name two or more.")


def not_together(what: str, other: str, advice: str) -> UsageError:
    """Two things were asked that exclude each other."""
    return UsageError(f"{what} and {other} do not go together. {advice}")


def wrong_strata(text: object, why: str) -> UsageError:
    """Strata that cannot be read."""
    return UsageError(
        f"strata {text!r}: {why}.\n"
        "Write the last rank of each and the share to judge, such as 10:1,50:0.2,100:0.05: all of the first ten ranks, "
        "a fifth down to 50, a twentieth down to 100."
    )


def wrong_group(text: str, why: str, known: Sequence[str] = (), name: str = "") -> UsageError:
    """A group of runs that cannot be."""
    near = did_you_mean(name, known) if name else ""
    return UsageError(sentences(f"group {text!r}: {why}.", near, "Write it as team=run1,run2."))


def no_bound(measure: object) -> UsageError:
    """A measure that unjudged documents could move nobody knows how far."""
    return UsageError(
        f"How far unjudged documents could move {measure} is not known.\n"
        "It is for measures that add up what each document gives (P@k, RBP, DCG), for nDCG with a cutoff up to 20, and "
        "for AP, RR, R@k, Rprec and Success."
    )


def too_many_grades(measure: object, grades: int) -> UsageError:
    """Judgments with so many grades that not all of them can be tried."""
    return UsageError(
        f"How far unjudged documents could move {measure} takes too long to find with {grades} grades.\n"
        "Give a smaller cutoff, or P@k, RBP or DCG, which are quick."
    )


def of_one_grade(measure: object, kind: str) -> UsageError:
    """A measure that reads several grades for each document."""
    return UsageError(f"{measure} reads grades by {kind}; pools are made for measures that read one grade.")


def not_in_pool(run: str, silent: Sequence[str], queries: int) -> Finding:
    """Queries for which a run adds nothing."""
    return Finding(
        "warning",
        "silent-in-pool",
        f"no documents for {len(silent):,} of {queries:,} queries ({examples(silent)}); "
        "there the pool has only what other runs found",
        path=run,
        count=len(silent),
    )


def budget_beyond_pool(budget: int, left: int, depth: int, judged: int) -> Finding:
    """More labels are offered than there are documents to label."""
    but = f", {judged:,} more are judged already" if judged else ""
    return Finding(
        "warning",
        "budget-beyond-pool",
        f"the budget is {budget:,} labels, and the pool of depth {depth:,} has {left:,} documents to judge{but}: "
        "all of them are listed; a larger depth has more",
    )


def per_query_beyond_pool(per_query: int, short: Sequence[str], queries: int, depth: int) -> Finding:
    """Queries that have fewer documents than may be judged for each."""
    have = "has" if len(short) == 1 else "have"
    return Finding(
        "warning",
        "budget-beyond-pool",
        f"{len(short):,} of {queries:,} queries {have} fewer than {per_query:,} documents to judge "
        f"at depth {depth:,} ({examples(short)}): all of them are listed",
        count=len(short),
    )


def nothing_to_judge(depth: int) -> Finding:
    """Every document of the pool is judged."""
    return Finding(
        "warning",
        "nothing-to-judge",
        f"every document of the pool of depth {depth:,} is judged; a larger depth has more",
    )


def nothing_to_learn(strategy: str) -> Finding:
    """A strategy that learns from judgments, where there are none."""
    return Finding(
        "warning",
        "nothing-to-learn",
        f"nothing of the pool is judged yet, so {strategy} has nothing to learn from: runs take turns; "
        "judge some of these, and ask again with the judgments",
    )


def same_lists(one: str, other: str, depth: int) -> Finding:
    """Two runs that are probably one."""
    message = (
        f"{one} and {other} have the same first {depth} documents for every query: they may be one run given twice"
    )
    return Finding("warning", "same-lists", message)


def unlabelled(count: int, of: int) -> Finding:
    """Documents of a sample that are waiting for a grade."""
    are = "is" if count == 1 else "are"
    return Finding(
        "warning",
        "unlabelled",
        f"{count:,} of {of:,} sampled documents {are} not judged yet and are written as not sampled",
        count=count,
    )


def unjudged_in_simulation(count: int, of: int) -> Finding:
    """Documents of a pool about which a simulation cannot know anything."""
    have = "has" if count == 1 else "have"
    return Finding(
        "warning",
        "unjudged-in-simulation",
        f"{count:,} of {of:,} documents of the pool {have} no judgment and are left out of the simulation",
        count=count,
    )


def nothing_relevant(rel: float) -> DataError:
    """Judgments by which there is nothing to find."""
    finding = Finding(
        "error",
        "nothing-relevant",
        f"no judged document has a grade of {rel:g} or more, so there is nothing to find",
        "Check the judgments, lower the level, or read runs more deeply.",
    )
    return DataError([finding])


def wrong_overlap(overlap: object) -> UsageError:
    """An overlap that is neither a number of documents nor a share of them."""
    return UsageError(
        f"{option('overlap')} must be a share such as 20% or a whole number of documents, not {shown(overlap)}."
    )


def more_overlap_than_documents(overlap: int, documents: int) -> UsageError:
    """More documents for several judges than there are."""
    return UsageError(f"{option('overlap', str(overlap))}: the pool has only {counted(documents, 'document')}.")


def small_overlap(count: int, least: int) -> Finding:
    """Too few documents with labels of several judges."""
    return Finding(
        "warning",
        "small-overlap",
        f"only {counted(count, 'document')} will have labels of several judges; agreement measured on fewer than "
        f"{least} says little",
    )


def one_file(judge: str, other: str, file: str) -> UsageError:
    """Two judges whose sheets would be one file."""
    return UsageError(f"The sheets of {judge} and {other} would both be {file}. Change one of the names.")


def sheet_with_grades(file: str, grades: int) -> UsageError:
    """A sheet that somebody has filled in already, where a new one was to be written."""
    return UsageError(
        f"{file} has {counted(grades, 'grade')} already, which would be lost. Write to another name, or move the file."
    )
