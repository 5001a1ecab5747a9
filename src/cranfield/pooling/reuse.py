"""Would the judgments do justice to a system that had no part in the pool? Leave one out, and see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from cranfield import errors
from cranfield.align import Alignment
from cranfield.arguments import require_whole
from cranfield.arrays import Ints
from cranfield.choices import Duplicates
from cranfield.comparing.orders import kendall_tau_b
from cranfield.data.judgments import Judgments
from cranfield.errors import Finding
from cranfield.evaluating.aggregate import mean
from cranfield.evaluating.evaluation import evaluate
from cranfield.formats import read_inputs
from cranfield.formats.columns import ColumnsGiven
from cranfield.measures import Judged, Measure
from cranfield.measures.scoring import score
from cranfield.pooling.candidates import Candidates, candidates_of
from cranfield.pooling.choosing import DEFAULT_MEASURE, SHALLOW, one_measure
from cranfield.show.answer import Answer
from cranfield.show.measures import canonical_column, legend, name_dict
from cranfield.show.table import Cell, Table, finite
from cranfield.version import VERSION


@dataclass(frozen=True)
class LeftOut:
    """One run, with the judgments that there are, and without those that only it, or its group, brought about."""

    run: str
    group: str
    """Whose contribution is taken away: the run's own name where it stands alone."""
    alone: int
    """Judged documents of the pool that no run outside the group found."""
    relevant: int
    """How many of these are relevant."""
    score: float
    without: float
    rank: int
    rank_without: int
    """Among all runs, 1 is the best."""
    judged: float
    judged_without: float
    """The share of its first k that is judged."""
    tau: float
    """Kendall's tau-b between the two orders of all runs."""

    @property
    def change(self) -> float:
        """What the score loses, below 0, or gains."""
        return self.without - self.score


@dataclass(frozen=True, eq=False)
class Reusability(Answer):
    """What every run would score if it had no part in the pool; shows itself as a verdict and a table."""

    left_out: tuple[LeftOut, ...]
    measure: Measure
    depth: int
    k: int
    queries: int
    settings: Mapping[str, Any]
    warnings: tuple[Finding, ...] = ()

    def verdict(self) -> str:
        """How fair the judgments are to a new system, in words."""
        most = max(self.left_out, key=lambda one: abs(one.change))
        moved = [one for one in self.left_out if one.rank != one.rank_without]
        if not any(one.change for one in self.left_out):
            alone = f"documents that only it brought into the pool of depth {self.depth}"
            return f"No run's {self.measure} depends on {alone}."
        mean_change = sum(abs(one.change) for one in self.left_out) / len(self.left_out)
        ranks = "no run changes its rank"
        if moved:
            change, their = ("changes", "its") if len(moved) == 1 else ("change", "their")
            which = ", ".join(map(_moved, moved[:3]))
            ranks = f"{len(moved)} of {len(self.left_out)} runs {change} {their} rank ({which})"
        share = f", {abs(most.change) / most.score:.1%} of its score," if most.score else ""
        return (
            f"Without its own contribution to the pool a run's {self.measure} changes by {mean_change:z.4f} on "
            f"average, and by {most.change:+z.4f}{share} at most ({most.run}); {ranks}."
        )

    def table(self) -> Table:
        """A row per run."""
        of = self.left_out
        columns: dict[str, list[Cell]] = {"run": [one.run for one in of]}
        if any(one.group != one.run for one in of):
            columns["group"] = [one.group for one in of]
        columns |= {
            "unique": [one.alone for one in of],
            "relevant": [one.relevant for one in of],
            str(self.measure): [one.score for one in of],
            "without": [one.without for one in of],
            "change": [one.change for one in of],
            "rank": [_ranks(one) for one in of],
            f"judged@{self.k}": [one.judged for one in of],
            f"without j@{self.k}": [one.judged_without for one in of],
            "tau": [one.tau for one in of],
        }
        return Table(columns, notes=tuple(self._notes()), optional=("tau", "unique", "relevant"))

    def rows(self) -> Table:
        """The same with plain names, for programs."""
        rows = [{**asdict(one), "change": one.change} for one in self.left_out]
        return Table(
            {
                "measure": (measure := [str(self.measure)] * len(rows)),
                **{key: [row[key] for row in rows] for key in rows[0]},
                **canonical_column(measure, [self.measure]),
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield pool reusability --format json` prints."""
        return {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "settings": dict(self.settings),
            **name_dict(self.measure),
            "depth": self.depth,
            "k": self.k,
            "warnings": list(map(str, self.warnings)),
            "runs": [
                {key: finite(value) for key, value in ({**asdict(one), "change": one.change}).items()}
                for one in self.left_out
            ],
        }

    def _notes(self) -> Iterator[str]:
        whose = "the run's group" if any(one.group != one.run for one in self.left_out) else "the run"
        yield (
            f"unique: judged documents that only {whose} has among its first {self.depth:,}, and relevant ones of "
            "them; without: the score as if these were not judged. tau: Kendall's tau-b between the orders of all runs."
        )
        yield f"Means over all {self.queries:,} judged queries."
        yield from legend([self.measure])

    def __repr__(self) -> str:
        return f"Reusability({len(self.left_out)} runs, {self.measure}, depth {self.depth})"


def reusability(
    runs: object,
    judgments: object,
    measure: str | Measure = DEFAULT_MEASURE,
    *,
    depth: int = SHALLOW,
    groups: Mapping[str, Sequence[str]] | None = None,
    rel: float | None = None,
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
) -> Reusability:
    """The leave-one-out test of a pool: what each run would score if it had not helped to build it.

    Judged documents that only one run has among its first `depth` are taken to be judged because of it. Without these,
    the run is a new system to the pool (Zobel, SIGIR 1998, doi:10.1145/290941.291014). Where a team submitted several
    runs, `groups` leaves all of them out at a time: {"team": ["run 1", "run 2"]}.

    >>> import cranfield as cf
    >>> runs = {"a": {"q1": ["d1", "d2"]}, "b": {"q1": ["d2", "d3"]}}
    >>> result = cf.reusability(runs, {"q1": {"d1": 1, "d2": 1, "d3": 0}}, "P@2", depth=2)
    >>> [(one.run, one.alone, one.score, one.without) for one in result.left_out]
    [('a', 1, 1.0, 0.5), ('b', 1, 0.5, 0.5)]
    """
    require_whole(depth, "depth")
    judged, sources = read_inputs(judgments, runs, columns=columns, duplicates=duplicates)
    if len(sources) < 2:
        raise errors.pooling.needs_runs("Reusability", sources[0].name)
    team_of = _teams([run.name for run in sources], groups or {})
    chosen = one_measure(measure)
    if chosen.definition.groups is not None:
        raise errors.pooling.of_one_grade(chosen, chosen.definition.groups)
    scores = evaluate(judged, sources, chosen, rel=rel)
    (chosen,) = scores.measures
    candidates = candidates_of(sources, depth)
    k = min(depth, SHALLOW)
    level = scores.settings.level
    if not (judged.grades >= level).any():
        raise errors.pooling.nothing_relevant(level)
    alignments = scores.require_detail("Reuse of judgments").alignments
    full = [_means(alignment, (chosen, Judged @ k)) for alignment in alignments]
    rows: list[LeftOut] = []
    for team in dict.fromkeys(team_of.values()):
        members = [at for at, name in enumerate(candidates.runs) if team_of[name] == team]
        own = _own_rows(candidates, judged, members)
        less = [_means(without(alignment, own), (chosen, Judged @ k)) for alignment in alignments]
        ranks, ranks_without = _ranks_of(full, chosen), _ranks_of(less, chosen)
        tau = float(kendall_tau_b([one[0] for one in full], [one[0] for one in less]))
        rows += [
            LeftOut(
                run=candidates.runs[at],
                group=team,
                alone=len(own),
                relevant=int((judged.grades[own] >= level).sum()),
                score=full[at][0],
                without=less[at][0],
                rank=ranks[at],
                rank_without=ranks_without[at],
                judged=full[at][1],
                judged_without=less[at][1],
                tau=tau,
            )
            for at in members
        ]
    order = {name: at for at, name in enumerate(candidates.runs)}
    settings = {
        **name_dict(chosen),
        "depth": depth,
        "groups": {team: list(of) for team, of in (groups or {}).items()},
        "judgments": judged.path,
    }
    return Reusability(
        tuple(sorted(rows, key=lambda one: order[one.run])),
        chosen,
        depth,
        k,
        len(judged.queries),
        settings,
        scores.warnings,
    )


def read_groups(given: Sequence[str]) -> dict[str, list[str]]:
    """Groups of runs as they are written: `team=run1,run2`.

    >>> read_groups(["city=bm25,dense"])
    {'city': ['bm25', 'dense']}
    """
    groups: dict[str, list[str]] = {}
    for text in given:
        team, equals, members = text.partition("=")
        names = [name.strip() for name in members.split(",") if name.strip()]
        if not team.strip() or not equals or not names:
            raise errors.pooling.wrong_group(text, "it cannot be read")
        if team.strip() in groups:
            raise errors.pooling.wrong_group(text, "its name comes twice")
        groups[team.strip()] = names
    return groups


def without(alignment: Alignment, rows: Ints) -> Alignment:
    """The same run with judgments in which some documents are not judged; the queries stay."""
    judgments = alignment.judgments
    grades = judgments.grades.copy()
    grades[rows] = -1.0
    return replace(alignment, judgments=replace(judgments, grades=grades), grades=grades[alignment.rows])


def _means(alignment: Alignment, measures: tuple[Measure, ...]) -> tuple[float, ...]:
    return tuple(mean(measure, of).value for measure, of in zip(measures, score(alignment, measures), strict=True))


def _own_rows(candidates: Candidates, judgments: Judgments, members: Sequence[int]) -> Ints:
    """Rows of the judgments that only some runs brought into the pool."""
    rows: list[int] = []
    for query, rankings in candidates.of.items():
        others = set().union(*(first for at, first in enumerate(rankings) if at not in members))
        own = set().union(*(rankings[at] for at in members)) - others
        known = judgments.rows_of(query)
        rows += [known[document] for document in own if document in known and judgments.grades[known[document]] >= 0]
    return np.array(sorted(rows), dtype=np.int64)


def _ranks_of(means: Sequence[tuple[float, ...]], measure: Measure) -> list[int]:
    """1 for the best; equals share the better rank."""
    values = [-one[0] if measure.definition.lower_is_better else one[0] for one in means]
    return [1 + sum(other > value for other in values) for value in values]


def _teams(names: Sequence[str], groups: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Whose run each is; a run that is in no group stands alone."""
    team_of: dict[str, str] = {}
    for team, members in groups.items():
        text = f"{team}={','.join(members)}"
        for member in members:
            if member not in names:
                raise errors.pooling.wrong_group(
                    text, f"there is no run {member!r}; there are {', '.join(names)}", names, member
                )
            if member in team_of:
                raise errors.pooling.wrong_group(text, f"{member} is in {team_of[member]} already")
            team_of[member] = team
    return {name: team_of.get(name, name) for name in names}


def _ranks(one: LeftOut) -> str:
    return str(one.rank) if one.rank == one.rank_without else f"{one.rank} → {one.rank_without}"


def _moved(one: LeftOut) -> str:
    return f"{one.run} from {one.rank} to {one.rank_without}"
