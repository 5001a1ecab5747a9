"""What can go wrong where the labels of a judging project are read."""

from __future__ import annotations

from cranfield.errors.findings import Finding, UsageError
from cranfield.phrases import counted, option


def no_labels_yet(path: str) -> Finding:
    """A project in which nobody has judged."""
    return Finding(
        "error", "no-labels-yet", "nobody has labelled anything yet", f"Judge with: cranfield judge {path}", path
    )


def preferences_for_grades(path: str) -> Finding:
    """Comparisons of two documents where a grade for each is wanted."""
    return Finding(
        "error",
        "preferences-for-grades",
        "holds preferences between documents, and grades are needed here",
        "Choose a measure of preferences, such as PrefSimp, or judge again with grades.",
        path,
    )


def store_for_run(path: str) -> Finding:
    """A project where a run is wanted."""
    return Finding(
        "error",
        "store-for-run",
        "is a judging project, and a run is needed here",
        "Name judgments first, then runs.",
        path,
    )


def columns_of_store(path: str) -> UsageError:
    """Columns of something that has known ones."""
    return UsageError(f"{path}: a judging project needs no {option('columns')}.")


def merged_labels(path: str, documents: int, decided: int) -> Finding:
    """Several labels became one grade."""
    by_hand = f"; {counted(decided, 'document')} adjudicated" if decided else ""
    return Finding(
        "warning",
        "merged-labels",
        f"{counted(documents, 'document')} with several labels merged: median grade, ties take the lower one{by_hand}",
        f"cranfield merge {path} -o qrels.txt has other rules.",
        path,
    )


def without_models(path: str, labels: int) -> Finding:
    """Labels that no person gave."""
    return Finding(
        "warning",
        "without-models",
        f"{counted(labels, 'label')} of models left out: judgments are people's",
        "cranfield merge --judges NAMES takes the labels of any judge.",
        path,
    )
