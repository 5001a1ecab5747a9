"""The same where people labelled a random sample of documents rather than whole queries."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cranfield import errors
from cranfield.arguments import require_share
from cranfield.arrays import Floats, Ints
from cranfield.choices import Correction, Duplicates
from cranfield.comparing.intervals import t_interval
from cranfield.comparing.significance_tests.student import two_sided
from cranfield.correcting.correction import CorrectedScore, CorrectedScores, with_corrected_p, without_model_alone
from cranfield.correcting.prediction_powered import CONFIDENCE, CorrectedMean, StratumSample, corrected_score
from cranfield.data.judgments import Judgments
from cranfield.errors import Finding
from cranfield.evaluating.aggregate import t_limit
from cranfield.formats import read_inputs, read_judgments, read_runs
from cranfield.formats.columns import ColumnsGiven, columns_for
from cranfield.measures import Measure, parse_all
from cranfield.pooling.candidates import candidates_of
from cranfield.pooling.influence import UNJUDGED, World, worlds_of
from cranfield.pooling.ranges import is_sum
from cranfield.show.table import Estimate

DEFAULT_SUM = "P@10"


class SampledStratum(NamedTuple):
    """Documents of one query from which some were drawn."""

    documents: tuple[str, ...]
    labels: Mapping[str, float]
    """The grades that people gave to those drawn."""


def correct_by_documents(
    people: object,
    model: object,
    runs: object,
    measures: str | Measure | Sequence[str | Measure] = DEFAULT_SUM,
    *,
    baseline: str | None = None,
    only_these_queries: bool = False,
    confidence: float = CONFIDENCE,
    correction: Correction = "holm",
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
) -> CorrectedScores:
    """Means and differences of runs from a model's labels, corrected by people's of a random sample of documents.

    `people` is a stratified sample with grades, as `cranfield pool --strategy sample` draws it: it lists every document
    of the pool with its stratum, -1 for those that were not drawn. `model` has the model's grades of all documents.
    Every query's score by the model's grades is corrected by what people's labels add or take away, weighted by how
    many documents each stands for. That is unbiased for measures that are sums over documents (P@k, DCG, RBP), however
    wrong the model is. Intervals are over queries, and hold both what other queries and what other draws would give;
    with `only_these_queries`, the draws alone.
    """
    require_share(confidence, "confidence")
    chosen = parse_all(measures)
    for measure in chosen:
        if not is_sum(measure):
            raise errors.correcting.not_a_sum(measure)
    sample = _sample(read_judgments(people, columns=columns_for("judgments", columns), groups="stratum"))
    by_model, sources = read_inputs(model, runs, columns=columns, duplicates=duplicates)
    worlds = list(_worlds(sources, by_model, sample))
    names = tuple(run.name for run in sources)
    base = 0 if baseline is None else _position(names, baseline)
    pairs: list[tuple[int, int | None]] = [(run, base) for run in range(len(names)) if run != base]
    pairs += [(run, None) for run in range(len(names))]
    rows: list[CorrectedScore] = []
    for measure in chosen:
        scores = [_query_scores(world, measure, sample[world.query]) for world in worlds]
        of_measure = [
            _row(measure, names, pair, scores, only_these_queries=only_these_queries, confidence=confidence)
            for pair in pairs
        ]
        rows += with_corrected_p(of_measure, correction)
    labels = sum(len(stratum.labels) for strata in sample.values() for stratum in strata)
    return CorrectedScores(
        tuple(rows),
        labels,
        sum(len(stratum.documents) for strata in sample.values() for stratum in strata) - labels,
        only_these_queries,
        confidence,
        correction,
        unit="document",
        warnings=(*without_model_alone(by_model.warnings), *_outside(by_model, sample)),
    )


def _sample(people: Judgments) -> dict[str, list[SampledStratum]]:
    """By query, its strata with the labels that people gave."""
    groups = people.groups
    if groups is None or ((groups.grades >= 0).all() and all(len(of) == 1 for of in groups.owners)):
        raise errors.correcting.no_strata(people.path)
    sample: dict[str, list[SampledStratum]] = {}
    for at, query in enumerate(people.queries):
        rows = range(int(groups.starts[at]), int(groups.starts[at + 1]))
        strata: dict[int, dict[str, float]] = {}
        for row in rows:
            document = people.documents[int(groups.rows[row])]
            strata.setdefault(int(groups.numbers[row]), {})[document] = float(groups.grades[row])
        sample[query] = [_stratum(people.path, query, number, graded) for number, graded in sorted(strata.items())]
    return sample


def _stratum(path: str | None, query: str, number: int, graded: Mapping[str, float]) -> SampledStratum:
    labels = {document: grade for document, grade in graded.items() if grade >= 0}
    if not labels:
        raise errors.correcting.stratum_without_labels(path, query, str(number + 1), len(graded))
    return SampledStratum(tuple(graded), labels)


def _worlds(
    sources: Sequence[object], model: Judgments, sample: Mapping[str, Sequence[SampledStratum]]
) -> Iterator[World]:
    """Every sampled query with the model's grades, and where the runs have its documents."""
    graded: dict[str, dict[str, float]] = {
        query: {document: UNJUDGED for stratum in strata for document in stratum.documents}
        for query, strata in sample.items()
    }
    for query in graded.keys() & set(model):
        graded[query] |= model[query]
    counts = [len(of) for of in graded.values()]
    together = Judgments(
        queries=tuple(graded),
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        documents=tuple(document for of in graded.values() for document in of),
        grades=np.array([grade for of in graded.values() for grade in of.values()]),
    )
    runs = read_runs(sources)
    for world in worlds_of(runs, candidates_of(runs, 1), together):
        if world.query in sample:
            yield world


@dataclass(frozen=True)
class _QueryScores:
    """One query: by run its score, and what labels of people say about it."""

    model: Floats
    strata: tuple[tuple[int, Floats, Floats], ...]
    """Of each stratum its size; by run and labelled document what it adds by people's grade; and by the model's."""

    def corrected(self, run: int, baseline: int | None) -> tuple[float, float]:
        """The corrected score, or difference, and the variance from the drawing."""
        return corrected_score(
            float(_apart(self.model, run, baseline)),
            [
                StratumSample(size, _apart(people, run, baseline) - _apart(model, run, baseline))
                for size, people, model in self.strata
            ],
        )

    def by_people(self, run: int, baseline: int | None) -> float:
        """What people's labels alone estimate."""
        strata = [StratumSample(size, _apart(people, run, baseline)) for size, people, _ in self.strata]
        return corrected_score(0.0, strata)[0]


def _apart(values: Floats, run: int, baseline: int | None) -> Floats:
    return values[run] if baseline is None else values[run] - values[baseline]


def _query_scores(world: World, measure: Measure, strata: Sequence[SampledStratum]) -> _QueryScores:
    place = {document: at for at, document in enumerate(world.documents)}
    parts = []
    for stratum in strata:
        at = np.array([place[document] for document in stratum.labels], dtype=np.int64)
        grades = np.array(list(stratum.labels.values()))
        parts.append(
            (len(stratum.documents), _added(world, measure, at, grades), _added(world, measure, at, world.grades[at]))
        )
    return _QueryScores(world.scores(measure, world.grades[None])[:, 0], tuple(parts))


def _added(world: World, measure: Measure, at: Ints, grades: Floats) -> Floats:
    """By run and document, what it adds to the score if it has this grade."""
    with_grade = np.tile(world.grades, (len(at), 1))
    with_grade[np.arange(len(at)), at] = grades
    return world.scores(measure, with_grade) - world.scores(measure, world.if_judged(at, UNJUDGED))


def _row(
    measure: Measure,
    names: Sequence[str],
    pair: tuple[int, int | None],
    scores: Sequence[_QueryScores],
    *,
    only_these_queries: bool,
    confidence: float,
) -> CorrectedScore:
    run, other = pair
    corrected = np.array([of.corrected(run, other) for of in scores])
    people = np.array([of.by_people(run, other) for of in scores])
    model = np.array([float(_apart(of.model, run, other)) for of in scores])
    estimate = _estimate(corrected, confidence, only_these_queries=only_these_queries)
    alone, by_model = t_interval(people, confidence=confidence), t_interval(model, confidence=confidence)
    return CorrectedScore(
        measure,
        names[run],
        "" if other is None else names[other],
        estimate,
        Estimate(alone.value, alone.low, alone.high),
        Estimate(by_model.value, by_model.low, by_model.high),
        float(np.mean(model - corrected[:, 0])),
        math.nan,
        _worth(people, corrected[:, 0]),
        math.nan if other is None else two_sided(estimate.t, estimate.freedom),
    )


def _estimate(corrected: Floats, confidence: float, *, only_these_queries: bool) -> CorrectedMean:
    """The mean over queries of scores with their variances from the drawing."""
    queries = len(corrected)
    value = math.fsum(corrected[:, 0]) / queries
    if only_these_queries:
        error = math.sqrt(math.fsum(corrected[:, 1])) / queries
    else:
        error = float(np.std(corrected[:, 0], ddof=1)) / math.sqrt(queries) if queries > 1 else math.nan
    half = t_limit(max(queries - 1, 1), 1 - confidence) * error
    return CorrectedMean(value, value - half, value + half, error, max(queries - 1, 1), 1.0)


def _worth(people: Floats, corrected: Floats) -> float:
    spread = float(np.var(corrected))
    return float(np.var(people)) / spread if spread else math.nan


def _outside(model: Judgments, sample: Mapping[str, Sequence[SampledStratum]]) -> list[Finding]:
    """What to say of documents that the model calls relevant, and that nobody could have drawn."""
    count = 0
    for query, strata in sample.items():
        listed = {document for stratum in strata for document in stratum.documents}
        if query in model:
            count += sum(grade > 0 and document not in listed for document, grade in model[query].items())
    return [errors.correcting.outside_sample(count)] if count else []


def _position(names: Sequence[str], baseline: str) -> int:
    if baseline not in names:
        near = errors.did_you_mean(baseline, names)
        raise errors.UsageError(f"There is no run {baseline!r}; there are: {', '.join(names)}. {near}".strip())
    return list(names).index(baseline)
