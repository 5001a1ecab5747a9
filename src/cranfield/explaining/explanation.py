"""How one score is calculated: the evaluation of one query, with everything that led to its score."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from cranfield import errors, formats
from cranfield.choices import Duplicates, TieOrder
from cranfield.data.judgments import GroupKind, Judgments
from cranfield.data.run import Ranking, Run, check_ranking
from cranfield.errors import Finding, Findings, UsageError
from cranfield.evaluating.evaluation import evaluation_plan
from cranfield.evaluating.scores import Scores
from cranfield.evaluating.settings import ABOUT_IDS, Settings
from cranfield.evaluating.typed_rankings import RUN, judgments_and_run, require_one_grade
from cranfield.explaining import page
from cranfield.explaining.places import Place, Seen, see
from cranfield.explaining.sections import sections
from cranfield.explaining.terms import Term, Working, work
from cranfield.formats.columns import ColumnsGiven, columns_for
from cranfield.kernels import plain
from cranfield.measures import Measure, parse
from cranfield.notation import Typed, typed
from cranfield.show.answer import Answer
from cranfield.show.measures import name_dict
from cranfield.show.table import PLACES, Cell, Table, finite
from cranfield.version import VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Rows = int | Literal["all"]

WIDTH = 80
UNSHORTENED = 10_000
"""Where a line may be as long as it likes, ids are shown whole."""


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Answer):
    """The score of one query, and how it is calculated. Printing it shows everything."""

    measure: Measure
    query: str
    """The query; of a ranking that was typed, its text."""
    run: str | None
    """The run; None where the ranking was typed."""
    value: float
    """The measure's own value; NaN where it is undefined."""
    seen: Seen
    """The ranking as the measure saw it, with recall and precision at every rank, and the curve."""
    working: Working | None
    """The sum, term by term; None for measures that are no plain sum."""
    settings: Settings
    notes: tuple[str, ...] = ()
    """What the tables do not show of this ranking."""
    shown_rows: Rows | None = None
    """How many lines of a table are shown."""
    warnings: tuple[Finding, ...] = ()
    """What is surprising about this ranking."""

    @property
    def cutoff(self) -> int | None:
        """The rank at which the measure stops reading."""
        cutoff = self.measure.params.get("cutoff")
        return None if cutoff is None else int(cutoff)

    @property
    def judged_only(self) -> bool:
        """Whether unjudged documents were left out."""
        return self.settings.judged_only or bool(self.measure.params["judged_only"])

    @property
    def counts(self) -> dict[str, int]:
        """Documents retrieved, judged and relevant; `unjudged` is among those down to the cutoff."""
        places, cutoff = self.seen.places, self.cutoff
        return {
            "retrieved": self.seen.retrieved,
            "retrieved_judged": sum(place.judged for place in places),
            "judged": sum(grade >= 0 for grade in self.seen.grades.values()),
            "relevant": len(self.seen.relevant),
            "retrieved_relevant": sum(place.relevant for place in places),
            "unjudged": min(self.seen.retrieved, cutoff or self.seen.retrieved)
            - sum(place.judged for place in self.seen.top(cutoff)),
        }

    @property
    def why_undefined(self) -> str:
        """Why there is no score; nothing where there is one."""
        if not math.isnan(self.value):
            return ""
        return self.working.why_undefined if self.working else "its definition has no value for this ranking"

    def text(self, places: int = PLACES, *, color: bool = False, width: int | None = None) -> str:
        """Everything for a terminal of some width."""
        room = WIDTH if width is None else width
        return page.text(sections(self, room, places), room)

    def markdown(self, places: int = PLACES) -> str:
        """Everything for a README or a pull request."""
        return page.markdown(sections(self, UNSHORTENED, places))

    def latex(self, places: int = PLACES) -> str:
        """The tables, for a paper; needs the package booktabs."""
        return "\n".join(table.latex() for table in self.tables(places))

    def _repr_html_(self) -> str:
        return page.html(sections(self, UNSHORTENED, PLACES))

    def tables(self, places: int = PLACES) -> list[Table]:
        """The ranking, the curve and the sum, as far as there are such."""
        return [section.table for section in sections(self, UNSHORTENED, places) if section.table]

    def rows(self) -> Table:
        """A row per number: of the score, each rank, the curve, and each term of the sum."""
        rows: list[tuple[Cell, ...]] = [("score", None, None, str(self.measure), self.value)]
        rows += [("count", None, None, name, count) for name, count in self.counts.items()]
        for place in self.seen.places:
            numbers = {name: value for name, value in _facts(place).items() if name not in ("rank", "document")}
            rows += [("ranking", place.rank, place.document, name, _number(value)) for name, value in numbers.items()]
        rows += [("missed", None, document, "grade", self.seen.grades[document]) for document in self.seen.missed]
        rows += [
            ("curve", None, None, f"interpolated precision at {level:g}", best)
            for level, best in self.seen.curve.items()
        ]
        if self.working is not None:
            for part, terms in (("term", self.working.terms), ("ideal", self.working.ideal)):
                for term in terms:
                    factors: dict[str, Cell] = {**term.factors, "value": term.value}
                    rows += [(part, term.rank, term.document, name, value) for name, value in factors.items()]
            sums = ("total", "denominator", "residual", "result")
            rows += [("sum", None, None, name, getattr(self.working, name)) for name in sums]
        names = ("part", "rank", "document", "name", "value")
        return Table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))

    def plot(self, *, size: tuple[float, float] | None = None, title: str | None = None) -> Figure:
        """The query's precision over recall, rank by rank and interpolated. It needs matplotlib."""
        from cranfield.figures.plots import explanation

        return explanation(self, size=size, title=title)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield explain --format json` prints."""
        return {
            "cranfield": VERSION,
            **name_dict(self.measure),
            "meaning": self.measure.definition.summary,
            "query": self.query,
            "run": self.run,
            "value": finite(self.value),
            "undefined": self.why_undefined or None,
            "settings": {
                "depth": self.settings.depth,
                "judged_only": self.judged_only,
                "ties": self.settings.ties,
                "rel": self.seen.rel,
                "max_grade": self.seen.max_grade,
                **{
                    name: value
                    for name in (*ABOUT_IDS, "unjudged_grade")
                    if (value := getattr(self.settings, name)) is not None
                },
            },
            "counts": self.counts,
            "ranking": [_facts(place) for place in self.seen.places],
            "missed": [{"document": d, "grade": self.seen.grades[d]} for d in self.seen.missed],
            "curve": [{"recall": level, "precision": best} for level, best in self.seen.curve.items()],
            "sum": None if self.working is None else _sum(self.working),
            "notes": list(self.notes),
            "warnings": [str(warning) for warning in self.warnings],
        }


def explain(
    judgments: object,
    run: object,
    measure: str | Measure,
    query: str,
    *,
    depth: int | None = None,
    judged_only: bool = False,
    ties: TieOrder = "document",
    rel: float | None = None,
    group_by: object = None,
    alternatives: object = None,
    unjudged_grade: float | None = None,
    rows: Rows | None = None,
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
) -> Explanation:
    """How one score is calculated: the ranking, recall and precision at each rank, and the sum term by term.

    The score is that of `evaluate`; judgments, run and choices are given as there. `rows` is how many lines
    of a table are shown, or `"all"`; long stretches without relevant documents are abbreviated.

    Relevant documents at ranks 1, 4, 5 and 7 of ten, where ten are relevant in all:

    >>> relevant = ["d1", "d4", "d5", "d7", "e1", "e2", "e3", "e4", "e5", "e6"]
    >>> from cranfield import read_run
    >>> slides = read_run({"q1": [f"d{rank}" for rank in range(1, 11)]}, name="slides")
    >>> average = explain({"q1": relevant}, slides, "AP", query="q1")
    >>> print(average)  # doctest: +ELLIPSIS
    AP = 0.2671 for query q1, run slides
    ...
    sum = 1/1 + 2/4 + 3/5 + 4/7 = 2.671429
    result = 2.671429 / 10 = 0.267143
    >>> [place.recall for place in average.seen.places]
    [0.1, 0.1, 0.1, 0.2, 0.3, 0.3, 0.4, 0.4, 0.4, 0.4]
    """
    _check_rows(rows)
    if ties not in get_args(TieOrder):
        orders = get_args(TieOrder)
        raise UsageError(
            f"An explanation has one order: ties is {', '.join(orders[:-1])} or {orders[-1]}, not {ties!r}."
        )
    chosen, query = parse(measure), str(query)
    choices = {
        "depth": depth,
        "judged_only": judged_only,
        "ties": ties,
        "rel": rel,
        "group_by": group_by,
        "alternatives": alternatives,
        "unjudged_grade": unjudged_grade,
    }
    plan = evaluation_plan(None, chosen, choices)
    judged = formats.read_judgments(judgments, columns=columns_for("judgments", columns), groups=plan.groups)
    source = formats.read_run(run, columns=columns_for("run", columns), duplicates=duplicates)
    if query not in judged.position:
        raise errors.coverage.not_judged(query, judged.path, judged.queries)
    watched = _Watched(plan.preparation.run(source), query)
    if judged.path is not None or not isinstance(judgments, Judgments):
        formats.must_not_be_swapped(judged, (source,))
    scores = plan.prepared_scores(plan.preparation.judgments(judged), (watched.run,))
    return _explanation(scores, query, watched.ranking, ties, rows)


def explain_ranking(
    given: object,
    measure: str | Measure = "AP",
    *,
    relevant: int | None = None,
    depth: int | None = None,
    judged_only: bool = False,
    rel: float | None = None,
    rows: Rows | None = None,
) -> Explanation:
    """How the score of a ranking is calculated that was typed, or given as a list of grades.

    >>> print(explain_ranking("1 0 1 1"))  # doctest: +ELLIPSIS
    AP = 0.8056 for the ranking 1 0 1 1
    ...
    sum = 1/1 + 2/3 + 3/4 = 2.416667
    result = 2.416667 / 3 = 0.805556
    """
    read = typed(given, relevant=relevant, rel=1 if rel is None else rel)
    return explain_typed([read], 1, measure, depth=depth, judged_only=judged_only, rel=rel, rows=rows)


def explain_typed(
    rankings: Sequence[Typed], number: int, measure: str | Measure, *, rows: Rows | None = None, **choices: Any
) -> Explanation:
    """The same for one of several rankings, which share one scale of grades."""
    chosen = parse(measure)
    require_one_grade([chosen])
    judgments, runs = judgments_and_run(rankings)
    explanation = explain(judgments, runs[RUN], chosen, str(number), ties="given", rows=rows, **choices)
    return replace(explanation, query=rankings[number - 1].text, run=None, warnings=())


class _Watched:
    """A run that passes by as it is evaluated; one query's ranking is kept."""

    def __init__(self, run: Run, query: str) -> None:
        self.query = query
        self.source = run
        self.ranking: Ranking | None = None
        self.run = Run(run.name, self._rankings, run.path)

    def _rankings(self, findings: Findings) -> Iterator[Ranking]:
        for ranking in self.source.rankings(findings):
            if ranking.query == self.query:
                # A query that comes again replaces what came before, here as in the evaluation.
                self.ranking = ranking
            yield ranking


def _explanation(scores: Scores, query: str, ranking: Ranking | None, ties: TieOrder, rows: Rows | None) -> Explanation:
    measure, settings = scores.measures[0], scores.settings
    judgments = scores.require_detail("An explanation").judgments
    level = measure.params.get("rel", 1 if settings.rel is None else settings.rel)
    seen = see(
        _best_first(ranking, ties) if ranking else [],
        _grades(judgments[query], ranking, settings),
        rel=level,
        max_grade=judgments.max_grade,
        depth=settings.depth,
        judged_only=settings.judged_only or measure.params["judged_only"],
        chunks=_best_chunks(ranking),
    )
    return Explanation(
        measure,
        query,
        scores.runs[0],
        float(scores.values[0, 0, judgments.position[query]]),
        seen,
        work(measure, seen),
        settings,
        tuple(_notes(scores, query, ranking)),
        rows,
        () if ranking is None else tuple(_surprises(scores, ranking)),
    )


def _surprises(scores: Scores, ranking: Ranking) -> Iterator[Finding]:
    """What is surprising in the ranking, and in all of the run."""
    (alignment,) = scores.require_detail("An explanation").alignments
    yield from check_ranking(ranking, scores.provenance.runs[0].path)
    yield from (finding for finding in alignment.warnings if finding.line is None)


def _grades(judged: dict[str, float], ranking: Ranking | None, settings: Settings) -> dict[str, float]:
    """The grades of documents, and the grade that unjudged ones count as."""
    if settings.unjudged_grade is None or ranking is None:
        return judged
    known = {document: grade for document, grade in judged.items() if grade >= 0}
    return {**judged, **dict.fromkeys(ranking.documents, settings.unjudged_grade), **known}


def _best_chunks(ranking: Ranking | None) -> dict[str, str]:
    """The chunk that stands for each document; nothing where documents were retrieved as they are."""
    if ranking is None or ranking.chunks is None:
        return {}
    return dict(zip(ranking.documents, ranking.chunks.best, strict=True))


def _best_first(ranking: Ranking, ties: TieOrder) -> list[tuple[int, str]]:
    ranks = plain.all_ranks(ranking.documents, ranking.scores, ties, ranked=ranking.ranked)
    return sorted(zip(ranks.tolist(), ranking.documents, strict=True))


_LARGEST = "only the largest grade of each document is shown, and recall and precision are by that"
_READS: Mapping[GroupKind, str] = {
    "subtopic": f"a grade for each subtopic; {_LARGEST}",
    "judge": f"a grade by each judge; {_LARGEST}",
    "preference": f"which documents each judge prefers to which; {_LARGEST}",
    "stratum": "from which stratum of the pool each document was drawn, which is not shown",
}
"""What the tables do not show where documents are in groups."""


def _notes(scores: Scores, query: str, ranking: Ranking | None) -> Iterator[str]:
    (alignment,) = scores.require_detail("An explanation").alignments
    if kind := scores.measures[0].definition.groups:
        yield f"The measure reads {_READS[kind]}."
    if ranking is None:
        yield "The run returned no document for this query; in a mean over all judged queries it counts."
        return
    if tied := int(alignment.ties[alignment.judgments.position[query]]):
        yield f"{tied} documents share their score with another; {errors.coverage.TIE_RULES[scores.settings.ties]}."


def _check_rows(rows: Rows | None) -> None:
    if rows is not None and rows != "all" and (not isinstance(rows, int) or rows < 1):
        raise UsageError(f"rows must be a whole number of at least 1, or 'all', not {rows!r}.")


def _facts(place: Place) -> dict[str, Any]:
    """What is known of a place; a chunk only where there are such."""
    facts = asdict(place)
    if place.chunk is None:
        del facts["chunk"]
    return facts


def _number(value: float | bool | None) -> Cell:
    return int(value) if isinstance(value, bool) else value


def _sum(working: Working) -> dict[str, Any]:
    return {
        "name": working.name,
        "adds": working.adds,
        "terms": [_term(term) for term in working.terms],
        "total": finite(working.total),
        "denominator": working.denominator,
        "over": working.over or None,
        "ideal": [_term(term) for term in working.ideal],
        "residual": working.residual,
        "result": finite(working.result),
    }


def _term(term: Term) -> Mapping[str, Any]:
    fraction = None if term.fraction is None else "/".join(f"{part:.12g}" for part in term.fraction)
    named = {"rank": term.rank, "document": term.document, **term.factors, "fraction": fraction}
    return {name: value for name, value in named.items() if value is not None} | {"value": term.value}
