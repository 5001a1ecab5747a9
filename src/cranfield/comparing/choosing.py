"""Which runs are compared with which."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cranfield.errors import UsageError
from cranfield.scores import Scores, joined


def join_results(results: Scores | Iterable[Scores], *, allow_different_judgments: bool = False) -> Scores:
    """All runs that were given, as one; they are at least two."""
    parts = [results] if isinstance(results, Scores) else list(results)
    if not parts:
        raise UsageError("Nothing to compare. Give the scores of two runs or more.")
    joint = joined(parts, allow_different_judgments=allow_different_judgments)
    if len(joint.runs) < 2:
        raise UsageError(f"Nothing to compare: there is one run, {joint.runs[0]}. Give two or more.")
    return joint


def chosen_baselines(results: Scores, baseline: str | Sequence[str] | None, every_pair: bool) -> tuple[str, ...]:
    """The runs to compare with, by default the first; none where every pair is compared."""
    if every_pair:
        if baseline is not None:
            raise UsageError("Every pair is compared, or runs with a baseline; choose one.")
        return ()
    wanted = [results.runs[0]] if baseline is None else [baseline] if isinstance(baseline, str) else list(baseline)
    if not wanted:
        raise UsageError("No baseline is named. Name at least one, or compare every pair.")
    return tuple(results.runs[results.run_position(name)] for name in dict.fromkeys(wanted))


def chosen_pairs(results: Scores, baselines: tuple[str, ...]) -> list[tuple[int, int]]:
    """Rows of a run and of what it is compared with; every two once where there is no baseline."""
    systems = range(len(results.runs))
    if not baselines:
        return [(two, one) for one in systems for two in systems if one < two]
    rows = [results.run_position(name) for name in baselines]
    # Two baselines make one comparison, whichever way round.
    return [(run, row) for at, row in enumerate(rows) for run in systems if run != row and run not in rows[:at]]
