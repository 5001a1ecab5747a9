"""Results that cannot be saved, read or compared."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.errors.findings import Finding, UsageError
from cranfield.phrases import beginning_small, examples, shown, spoken

AGAIN = (
    "Save the results again: cranfield evaluate QRELS RUN... --save FILE\n"
    "A gate's baseline: cranfield gate init --force QRELS RUN"
)


def unwritable(path: str, reason: str) -> Finding:
    """The system refuses to write the file, in its own words."""
    message = f"cannot be written: {beginning_small(reason)}"
    return Finding("error", "unwritable", message, "Check the folder and its permissions.", path)


def no_runs(what: str) -> UsageError:
    """Something was asked of scores alone that only their runs can tell."""
    return UsageError(
        f"{what} needs the runs; these scores come from a file, or from several evaluations, without them.\n"
        "Evaluate the judgments and runs together."
    )


def no_results(path: str | None, why: str) -> Finding:
    """A JSON file that holds something else."""
    return Finding("error", "no-results", f"{why}, so it holds no saved results", AGAIN, path)


def wrong_in_results(path: str | None, where: Sequence[str], found: object, expected: str) -> Finding:
    """Something in saved results that this program would not have written; `where` names it from the outside in."""
    place = " > ".join(where)
    message = f"{place} is missing" if found is None else f"{place} is {shown(found)}"
    message = f"{message}; expected {expected}. The file was damaged, or changed after it was saved"
    return Finding("error", "wrong-results", message, AGAIN, path)


def wrong_checksum(path: str | None, found: object, expected: str) -> Finding:
    """Saved results that were changed."""
    message = f"the content was changed after it was saved: the checksum is {shown(found)}, and that of the content"
    return Finding("error", "wrong-checksum", f"{message} {expected[:20]}…", AGAIN, path)


def no_checksum(path: str | None) -> Finding:
    """Saved results without a checksum: written by a program that had none, or changed."""
    message = "has no checksum, so changes after saving cannot be detected"
    return Finding("error", "no-checksum", message, AGAIN, path)


def huge_score(measure: str, score: float, largest: float) -> Finding:
    """A score that nothing can be calculated with."""
    message = f"{measure} gave a score of {score:g}; expected a number of at most {largest:g}"
    advice = "Check the grades, and the gain they are given: an exponential one doubles with every grade."
    return Finding("error", "huge-score", message, advice)


def other_results(path: str | None, found: str, version: str) -> Finding:
    """Results whose layout another version of the program wrote."""
    message = f"was saved by cranfield {found} in a layout that version {version} does not read"
    return Finding("error", "other-results", message, "Save it again with this version.", path)


def different_judgments(path: str | None, other: str | None, only: Sequence[str], only_other: Sequence[str]) -> Finding:
    """Results that were measured against different judgments."""
    differ = [
        f"queries only in {name or 'the first'}: {len(queries):,} ({examples(queries)})"
        for name, queries in ((path, only), (other, only_other))
        if queries
    ]
    what = "; ".join(differ) if differ else "the same queries have other grades or documents"
    sharing = spoken(command="--allow-different-judgments", python="allow_different_judgments=True")
    advice = f"Evaluate both again with the same judgments, or compare what they share: {sharing}."
    return Finding(
        "error",
        "different-judgments",
        f"its judgments differ from those of {path or 'the first'}: {what}",
        advice,
        other,
    )


def different_settings(path: str | None, other: str | None, differing: Sequence[str]) -> Finding:
    """Results that were measured differently."""
    advice = "Evaluate both again with the same options."
    message = f"its settings differ from those of {path or 'the first'}: {'; '.join(differing)}"
    return Finding("error", "different-settings", message, advice, other)


def no_common_measure(path: str | None, other: str | None, has: Sequence[str], other_has: Sequence[str]) -> Finding:
    """Results without a measure in common."""
    message = (
        f"shares no measure with {path or 'the first'}, which has {examples(has, 5)}; this has {examples(other_has, 5)}"
    )
    return Finding("error", "no-common-measure", message, "Evaluate both again with the same measures.", other)


def no_common_query(path: str | None, other: str | None) -> Finding:
    """Results without a query in common."""
    return Finding(
        "error",
        "no-common-query",
        f"shares no judged query with {path or 'the first'}",
        "Check that both are of the same collection.",
        other,
    )
