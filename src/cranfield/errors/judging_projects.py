"""What can go wrong when a judging project is made or opened, and when labels come back from a page."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.errors.findings import DataError, Finding, UsageError
from cranfield.phrases import examples, option


def nothing_to_judge() -> UsageError:
    """Neither runs nor a store."""
    return UsageError("Name what is to be judged: runs, a pool, a list of pairs, or a store such as judging.db.")


def only_for_new_projects(name: str) -> UsageError:
    """A choice that cannot be made later."""
    return UsageError(f"{option(name)} is for a new project; what is judged there is fixed when it begins.")


def several_pools(names: Sequence[str]) -> UsageError:
    """Two lists of what is judged."""
    return UsageError(f"{' and '.join(names)} each list what is to be judged; give one list.")


def several_stores(names: Sequence[str]) -> UsageError:
    """Two places for labels."""
    return UsageError(f"{' and '.join(names)} each name a store; give one.")


def depth_of_pool() -> UsageError:
    """A depth next to a list that is complete."""
    return UsageError(f"{option('depth')} is about runs; a pool is judged as it is.")


def strategy_needs_runs(strategy: str) -> UsageError:
    """A strategy that compares runs, without runs."""
    return UsageError(
        f"{option('strategy', strategy)} chooses by what at least two runs found; give them, or take "
        f"{option('strategy', 'depth')}."
    )


def grades_of_preferences() -> UsageError:
    """Grades where two documents are compared."""
    return UsageError(f"{option('grades')} has no effect on {option('preferences')}: first, equal or second is better.")


def judgments_off_scale(strange: Sequence[float], scale: Sequence[float], typed: str) -> DataError:
    """Judgments on another scale than the one judges will use."""
    grades = ", ".join(f"{grade:g}" for grade in strange[:5]) + (", …" if len(strange) > 5 else "")
    known = ", ".join(f"{grade:g}" for grade in scale)
    advice = f"Name the grades of these judgments: {option('grades', typed)}." if typed else ""
    message = f"judgments have the grades {grades}, which are not among those of this project ({known})"
    return DataError([Finding("error", "off-scale", message, advice)])


def other_pool(path: str) -> Finding:
    """A store about something else."""
    return Finding(
        "error",
        "other-pool",
        "is there already, and is about other pairs of query and document",
        f"To go on with it: cranfield judge {path}. For a new project name another file: {option('store', 'FILE')}.",
        path,
    )


def beyond_pool(measure: str, missing: int) -> Finding:
    """Documents that a measure looks at and nobody will judge."""
    return Finding(
        "warning",
        "beyond-pool",
        f"{measure} looks at {missing:,} documents of the runs that are not judged here; the comparison counts them as "
        f"not relevant. Pool deeper with {option('depth')}, or compare by a measure with a smaller cutoff",
        count=missing,
    )


def no_texts() -> Finding:
    """Judges would see ids only."""
    return Finding(
        "warning",
        "no-texts",
        f"judges will see ids of documents only; give texts with {option('documents', 'FILE')}, or where they can "
        f"be seen with {option('link', 'https://example.org/{document}')}",
    )


def no_saved_labels(path: str) -> Finding:
    """A file that no page of ours wrote."""
    advice = "Give the file that a judge saved with the button “Save my labels” of a page."
    return Finding("error", "no-saved-labels", "does not hold labels that a judge's page saved", advice, path)


def labels_of_other_project(path: str, where: str) -> Finding:
    """Labels that belong elsewhere."""
    return Finding("error", "other-project", f"its labels belong to another project than {where}", "", path)


def labels_of_unknown_judge(path: str) -> Finding:
    """Labels of nobody."""
    return Finding("error", "unknown-judge", "its judge is not one of this project", "", path)


def wrong_saved_label(path: str, number: int, reason: str) -> Finding:
    """A label that cannot be taken in."""
    advice = "Labels before it were taken in. The file may have been changed by hand; ask the judge for it once more."
    return Finding("error", "wrong-label", f"cannot be taken in: {reason}", advice, path, number, unit="label")


def no_such_judge(name: str, known: Sequence[str]) -> UsageError:
    """A judge that the project does not have."""
    return UsageError(f"There is no judge {name!r} here; known: {examples(list(known), 10)}.")


def no_label_table(path: str) -> Finding:
    """A table that does not say who gave which grade to what."""
    message = "these are no labels with query, document, judge and grade"
    return Finding("error", "no-label-table", message, "Name the columns query, document, judge and grade.", path)


def labels_of_no_person(path: str, name: str) -> Finding:
    """Labels under the name of a model or a manager."""
    return Finding("error", "labels-of-no-person", f"{name!r} is no person who judges in this project", path=path)


def wrong_table_label(path: str, where: str, why: str) -> Finding:
    """A label of a table that a project cannot take."""
    return Finding(
        "error", "wrong-table-label", f"{where}: {why}", "Correct the table, or the grades of the project.", path
    )


def table_for_preferences(where: str) -> Finding:
    """Grades for a project that asks for preferences."""
    return Finding("error", "table-for-preferences", "this project asks which of two documents is better", path=where)
