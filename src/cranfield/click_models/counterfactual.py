"""What would have been clicked: estimates from logs of another policy, or of another ranking, by inverse propensity."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield import errors
from cranfield.arguments import require_whole
from cranfield.arrays import Floats, Ints
from cranfield.choices import Duplicates
from cranfield.click_models.examination import PBM
from cranfield.click_models.held_out import Z, clicked_log
from cranfield.click_models.model import Fitting
from cranfield.click_models.policies import probabilities_of
from cranfield.data.click_log import ClickLog, summed
from cranfield.data.run import Run, check_ranking
from cranfield.errors import DataError, Finding, Findings, UsageError
from cranfield.errors.clicks import SMALLEST_PROPENSITY
from cranfield.formats import read_runs
from cranfield.formats.clicks import read_clicks
from cranfield.formats.columns import ColumnsGiven
from cranfield.phrases import counted, listed, percent
from cranfield.show.answer import Answer
from cranfield.show.table import Cell, Estimate, Table, finite
from cranfield.version import VERSION

UNIFORM = "uniform"
SAMPLES = 1_000
MOSTLY = 0.9
"""Below this share of a run's first documents that were ever shown, a verdict says so."""
FEWEST, FEW = 10, 100
"""Rows below which an effective sample is always called small, and where it is less than half of all rows."""


@dataclass(frozen=True, eq=False)
class PolicyValue(Answer):
    """What a policy would have earned, estimated from the log of another. Printing it shows the estimates.

    >>> import cranfield as cf
    >>> rows = [{"item_id": i, "click": c, "propensity_score": p} for i, c, p in [("a", 1, 0.8), ("b", 0, 0.2)]]
    >>> print(round(cf.policy_value(rows, "uniform").ips.value, 4))
    0.3125
    """

    logged: Estimate
    """Clicks per row of the log, whatever the policy that was logged."""
    ips: Estimate
    """Inverse-propensity scored: unbiased."""
    snips: Estimate
    """Self-normalised: divided by the sum of weights; a little biased, and mostly less variable."""
    bootstrap: Mapping[str, tuple[float, float]]
    """Percentile intervals over bootstrap samples of rows, for ips and snips."""
    effective: float
    """How many rows without weights would tell as much: (Σw)² / Σw²."""
    logged_rows: int
    clipped: int
    """How many weights were cut."""
    settings: Mapping[str, Any]
    warnings: tuple[Finding, ...] = ()

    def verdict(self) -> str:
        """What came out, in a sentence."""
        policy, value = self.settings["policy"], self.snips
        interval = f"{value.low:z.6f} to {value.high:z.6f}, " if math.isfinite(value.low) else ""
        return (
            f"The {policy} policy would have earned {value.value:z.6f} clicks per row ({interval}self-normalised), the "
            f"logged one earned {self.logged.value:z.6f}; the effective sample size is {self.effective:z,.0f} of "
            f"{counted(self.logged_rows, 'row')}."
        )

    def table(self) -> Table:
        """A row per estimate."""
        low, high = zip(self.bootstrap["ips"], self.bootstrap["snips"], strict=True)
        return Table(
            {
                "estimate": ["logged", "IPS", "SNIPS"],
                "CTR": [self.logged.value, self.ips.value, self.snips.value],
                "low": [self.logged.low, self.ips.low, self.snips.low],
                "high": [self.logged.high, self.ips.high, self.snips.high],
                "bootstrap low": [None, *low],
                "bootstrap high": [None, *high],
            },
            notes=tuple(self._notes()),
            optional=("bootstrap low", "bootstrap high"),
        )

    def rows(self) -> Table:
        """A row per estimate."""
        return replace(self.table(), notes=())

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield clicks policy --format json` prints."""
        return {
            "cranfield": VERSION,
            "settings": dict(self.settings),
            "verdict": self.verdict(),
            "rows": self.logged_rows,
            "effective_rows": self.effective,
            "clipped": self.clipped,
            "estimates": {
                name: {
                    "value": finite(estimate.value),
                    "low": finite(estimate.low),
                    "high": finite(estimate.high),
                    **({"bootstrap": [finite(end) for end in self.bootstrap[name]]} if name in self.bootstrap else {}),
                }
                for name, estimate in (("logged", self.logged), ("ips", self.ips), ("snips", self.snips))
            },
            "warnings": [str(warning) for warning in self.warnings],
        }

    def _notes(self) -> Iterator[str]:
        yield (
            "IPS weights each row by the policy's probability over the logged one, and is unbiased; SNIPS divides by "
            "the sum of weights (Swaminathan & Joachims, NIPS 2015). Intervals are 95%, normal, and by bootstrap over "
            "rows."
        )
        if self.settings["clip"] is not None:
            yield f"Weights are cut at {self.settings['clip']:g}: {self.clipped:,} were larger; estimates are biased."

    def __repr__(self) -> str:
        return (
            f"PolicyValue(IPS {self.ips.value:.6g}, SNIPS {self.snips.value:.6g}, {counted(self.logged_rows, 'row')})"
        )


def policy_value(
    log: object, policy: object = UNIFORM, *, clip: float | None = None, samples: int = SAMPLES, seed: int = 0
) -> PolicyValue:
    r"""What another policy would have earned, from a log with the probability of everything that was shown.

    .. math:: \frac{1}{n} \sum_i w_i c_i, \quad \frac{\sum_i w_i c_i}{\sum_i w_i}, \quad w_i = \frac{\pi(d_i)}{p_i}

    c is 1 for a click, p the logged propensity and π the probability with which the policy shows the same (Horvitz &
    Thompson 1952; self-normalised: Swaminathan & Joachims, NIPS 2015). The policy is `uniform` over all documents of
    the log, or {document: probability}, or {query: {document: probability}}, or a run, whose best document of each
    query it always shows. `clip` cuts weights, which makes estimates less variable and biased.
    """
    logged = read_clicks(log)
    if logged.propensity is None:
        raise DataError([errors.clicks.no_propensity(logged.path)])
    if clip is not None and not (clip >= SMALLEST_PROPENSITY and math.isfinite(clip)):
        raise UsageError(f"clip must be a number of at least {SMALLEST_PROPENSITY:g}, not {clip!r}.")
    require_whole(samples, "samples")
    require_whole(seed, "seed", 0)
    findings = Findings()
    name, target, unseen = _policy(policy, logged, findings)
    weights = target / logged.propensity
    clipped = 0 if clip is None else int((weights > clip).sum())
    if clip is not None:
        weights = np.minimum(weights, clip)
    clicks = logged.clicked.astype(np.float64)
    count = len(clicks)
    earned = weights * clicks
    ips, total = float(earned.mean()), float(weights.sum())
    if total < SMALLEST_PROPENSITY:
        raise DataError([errors.clicks.never_shown(logged.path, unseen)])
    snips = float(earned.sum() / total)
    effective = total**2 / float((weights**2).sum())
    if _is_small(effective, count):
        findings.add(errors.clicks.small_sample(effective, count))
    return PolicyValue(
        _normal(float(clicks.mean()), clicks - clicks.mean()),
        _normal(ips, earned - ips),
        _normal(snips, (earned - snips * weights) * (count / total)),
        _resampled(earned, weights, samples, seed),
        effective,
        count,
        clipped,
        {"policy": name, "clip": clip, "samples": samples, "seed": seed},
        (*logged.warnings, *findings.warnings),
    )


def _is_small(effective: float, rows: int) -> bool:
    """Whether weights leave so few rows that an interval cannot be trusted; few rows of equal weight show in its width.

    >>> _is_small(19, 20), _is_small(3, 5), _is_small(40, 500), _is_small(900, 100_000)
    (False, True, True, True)
    """
    return effective < FEWEST or effective < rows / 100 or effective < min(FEW, rows / 2)


@dataclass(frozen=True, eq=False)
class UnbiasedScore:
    """What a run would have earned in clicks at the ranks it gives to documents, had position not mattered."""

    run: str
    value: Estimate
    clicks: float
    """Clicks on documents that the run returns."""
    of: float
    """All clicks."""
    shown: float
    """Of the first documents that the run returns, the share that the log ever showed."""
    difference: Estimate | None = None
    """To the first run, with the interval of a paired difference over sessions."""


@dataclass(frozen=True, eq=False)
class UnbiasedScores(Answer):
    """Runs, each by what clicks say of it once position bias is weighted out. Printing it shows them."""

    measure: str
    scores: tuple[UnbiasedScore, ...]
    propensities: Floats
    """By rank, as far as they are of ranks."""
    effective: float
    clipped: int
    sessions: int
    settings: Mapping[str, Any]
    warnings: tuple[Finding, ...] = ()

    def verdict(self) -> str:
        """What came out, in a sentence."""
        return " ".join([self._best(), *self._unseen()])

    def _best(self) -> str:
        best = max(self.scores, key=lambda score: score.value.value)
        value = f"{best.value.value:z.4f}"
        if len(self.scores) == 1:
            return f"With clicks weighted for position bias, {best.run} has a {self.measure} of {value}."
        first = self.scores[0].run
        differs = [s.run for s in self.scores[1:] if s.difference and not s.difference.low <= 0 <= s.difference.high]
        significant = (
            f"significantly different from {first}: {listed(differs, 10)}"
            if differs
            else f"no run differs significantly from {first} in these sessions"
        )
        return (
            f"With clicks weighted for position bias, {best.run} has the best {self.measure} ({value}); {significant}."
        )

    def _unseen(self) -> Iterator[str]:
        unseen = [f"{percent(score.shown)} of {score.run}'s" for score in self.scores if score.shown < MOSTLY]
        if unseen:
            they = "it" if len(unseen) == 1 else "they"
            shown = listed(unseen, 10)
            yield f"But the log shows only {shown} top documents at all, so {they} may be better than this."

    def table(self) -> Table:
        """A row per run."""
        columns: dict[str, list[Any]] = {
            "run": [score.run for score in self.scores],
            self.measure: [score.value for score in self.scores],
        }
        if len(self.scores) > 1:
            columns["difference"] = [score.difference for score in self.scores]
        columns["clicks ranked"] = [f"{score.clicks:z,.0f}/{score.of:z,.0f}" for score in self.scores]
        columns["ever shown"] = [percent(score.shown) for score in self.scores]
        return Table(columns, notes=tuple(self._notes()))

    def rows(self) -> Table:
        """A row per run, with plain numbers."""
        columns: dict[str, list[Cell]] = {
            "run": [score.run for score in self.scores],
            self.measure: [score.value for score in self.scores],
        }
        if len(self.scores) > 1:
            columns["difference"] = [score.difference for score in self.scores]
        columns["clicks ranked"] = [int(score.clicks) for score in self.scores]
        columns["clicks"] = [int(score.of) for score in self.scores]
        columns["ever shown"] = [score.shown for score in self.scores]
        return Table(columns)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield clicks estimate --format json` prints."""

        def plain(estimate: Estimate | None) -> dict[str, float | None] | None:
            if estimate is None:
                return None
            return {"value": finite(estimate.value), "low": finite(estimate.low), "high": finite(estimate.high)}

        return {
            "cranfield": VERSION,
            "settings": dict(self.settings),
            "verdict": self.verdict(),
            "measure": self.measure,
            "propensities": self.propensities.tolist(),
            "effective_clicks": self.effective,
            "clipped": self.clipped,
            "sessions": self.sessions,
            "runs": [
                {
                    "name": score.run,
                    "value": plain(score.value),
                    "difference": plain(score.difference),
                    "clicks_ranked": score.clicks,
                    "clicks": score.of,
                    "ever_shown": score.shown,
                }
                for score in self.scores
            ],
            "warnings": [str(warning) for warning in self.warnings],
        }

    def _notes(self) -> Iterator[str]:
        yield (
            f"{MEASURES[self.measure.partition('@')[0]].words}; each click counts 1/propensity of where it was made "
            "(Joachims, Swaminathan & Schnabel, WSDM 2017, doi:10.1145/3018661.3018699). Intervals are over sessions."
        )
        yield (
            "A document that the log never shows has no clicks, so a run gets no credit for it: 'ever shown' is the "
            "share of a run's top documents that the log shows."
        )
        if len(self.propensities):
            shown = " ".join(f"{value:z.3f}" for value in self.propensities.tolist())
            yield f"Propensities by rank, {self.settings['propensities']}: {shown}."
        if self.clipped:
            cut, clicks = self.settings["clip"], counted(self.clipped, "click")
            yield f"Propensities below {cut:g} count as that, for {clicks}; estimates are biased."

    def __repr__(self) -> str:
        values = ", ".join(f"{score.run} {score.value.value:z.4f}" for score in self.scores)
        return f"UnbiasedScores({self.measure}: {values})"


@dataclass(frozen=True)
class Additive:
    """A measure that is a sum over relevant documents, each by its rank alone."""

    words: str
    gain: Callable[[Floats, float], Floats]
    """What a relevant document adds at a rank; `inf` stands for one that is not returned."""


MEASURES: Mapping[str, Additive] = {
    "DCG": Additive(
        "DCG: the sum over clicked documents of 1 / log2(1 + rank), per impression",
        lambda rank, cutoff: np.where(rank <= cutoff, 1 / np.log2(1 + rank), 0.0),
    ),
    "P": Additive(
        "P: clicked documents among the first k, of k, per impression",
        lambda rank, cutoff: np.where(rank <= cutoff, 1 / cutoff, 0.0),
    ),
    "CTR": Additive(
        "CTR: clicked documents among the first k, per impression",
        lambda rank, cutoff: np.where(rank <= cutoff, 1.0, 0.0),
    ),
}
"""Measures whose estimate from weighted clicks is unbiased, because documents add to them one by one."""


def unbiased_scores(
    log: object,
    runs: object,
    measure: str = "DCG@10",
    *,
    propensities: object = "PBM",
    clip: float | None = None,
    fitting: Fitting | None = None,
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
) -> UnbiasedScores:
    r"""What clicks on logged rankings say of other rankings, once it is weighted out where the clicks were made.

    .. math:: \frac{1}{n} \sum_i \sum_{d : c_{id} = 1} \frac{\lambda(\mathrm{rank}(d))}{p_{id}}

    λ is what a document adds to the measure at the rank it has in a run, p the probability that somebody looked where
    the log showed it (Joachims, Swaminathan & Schnabel, WSDM 2017, doi:10.1145/3018661.3018699). Measures are DCG,
    P and CTR, with a cutoff as in `DCG@10`. Propensities are by rank, learnt by the model `PBM` or given as numbers, or
    `log`, those of the log. Those below `clip` count as that, which makes estimates less variable and biased.

    >>> rows = [{"query": "q", "documents": ["a", "b"], "clicks": [0, 1]}] * 4
    >>> scores = unbiased_scores(rows, {"q": ["b", "a"]}, "DCG", propensities=[1, 0.5])
    >>> scores.scores[0].value.value
    2.0
    """
    logged = read_clicks(log)
    name, cutoff = _measure(measure)
    how, by_rank, each = _propensities(propensities, logged, fitting)
    if clip is not None and not SMALLEST_PROPENSITY <= clip <= 1:
        raise UsageError(f"clip must be a propensity from {SMALLEST_PROPENSITY:g} to 1, not {clip!r}.")
    clicked = np.flatnonzero(logged.clicked)
    weights = 1 / _large_enough(np.maximum(each[clicked], clip or 0.0), logged.path)
    clipped = 0 if clip is None else int((each[clicked] < clip).sum())
    impression = np.searchsorted(logged.starts, clicked, side="right") - 1
    effective = float(weights.sum() ** 2 / (weights**2).sum()) if len(weights) else 0.0
    findings = Findings()
    if _is_small(effective, len(clicked)):
        findings.add(errors.clicks.small_sample(effective, len(clicked)))
    people, member = np.unique(logged.session, return_inverse=True)
    asked = np.bincount(member, minlength=len(people))
    scores: list[UnbiasedScore] = []
    base: Floats | None = None
    for run in read_runs(runs, columns, duplicates):
        ordered = _ordered(run, logged, findings)
        ranks = _ranks(ordered, logged, clicked, impression)
        gains = MEASURES[name].gain(ranks, cutoff) * weights
        per_session = summed(member[impression], gains, len(people))
        value = float(per_session.sum() / len(logged))
        influence = per_session - value * asked
        returned = int(np.isfinite(ranks).sum())
        if returned < len(clicked):
            findings.add(errors.clicks.not_ranked(run.name, len(clicked) - returned, len(clicked)))
        scores.append(
            UnbiasedScore(
                run.name,
                _over_sessions(value, influence, len(logged)),
                returned,
                len(clicked),
                _shown(ordered, logged, cutoff),
                None if base is None else _over_sessions(value - scores[0].value.value, influence - base, len(logged)),
            )
        )
        base = influence if base is None else base
    settings = {"measure": measure, "propensities": how, "clip": clip}
    return UnbiasedScores(
        measure,
        tuple(scores),
        by_rank,
        effective,
        clipped,
        len(people),
        settings,
        (*logged.warnings, *findings.warnings),
    )


def _policy(policy: object, log: ClickLog, findings: Findings) -> tuple[str, Floats, list[str]]:
    """What a policy is called, its probability of everything that the log showed, and what else it shows."""
    query = np.repeat(log.query, log.lengths)
    if isinstance(policy, str) and policy == UNIFORM:
        return UNIFORM, np.full(len(log.document), 1 / len(log.documents)), []
    table = probabilities_of(policy)
    if table is not None:
        never = sorted({document for of_query in table.values() for document in of_query} - set(log.documents))
        if never:
            findings.add(errors.clicks.unsupported_item(never))
        pairs = zip(query.tolist(), log.document.tolist(), strict=True)
        cached: dict[tuple[int, int], float] = {}
        values = np.empty(len(log.document))
        for at, pair in enumerate(pairs):
            if pair not in cached:
                of_query = table.get(log.queries[pair[0]], table.get("", {}))
                cached[pair] = of_query.get(log.documents[pair[1]], 0.0)
            values[at] = cached[pair]
        return "given", values, never
    (run,) = read_runs(policy)
    ordered = _ordered(run, log, findings)
    first = {asked: documents[0] for asked, documents in ordered.items() if documents}
    pairs = zip(query.tolist(), log.document.tolist(), strict=True)
    shown = [first.get(log.queries[q]) == log.documents[d] for q, d in pairs]
    return f"first of {run.name}", np.array(shown, dtype=np.float64), sorted(set(first.values()) - set(log.documents))


def _propensities(given: object, log: ClickLog, fitting: Fitting | None) -> tuple[str, Floats, Floats]:
    """What they are called, by rank where they are of ranks, and for each result of the log."""
    rank = np.arange(len(log.document)) - np.repeat(log.starts[:-1], log.lengths)
    if isinstance(given, str) and given.casefold() == "log":
        if log.propensity is None:
            raise DataError([errors.clicks.no_propensity(log.path)])
        return "of the log", np.zeros(0), log.propensity
    if isinstance(given, str):
        if given.casefold() != "pbm":
            raise UsageError(f"propensities are PBM, log, or a number for each rank, not {given!r}.")
        by_rank = PBM.fit(clicked_log(log), fitting).parameters["examination"].values
        return "learnt by PBM", by_rank, by_rank[rank]
    values = np.asarray(given, dtype=np.float64)
    if values.ndim != 1 or len(values) < log.depth or not ((values >= SMALLEST_PROPENSITY) & (values <= 1)).all():
        raise UsageError(
            f"propensities must be {log.depth} numbers from {SMALLEST_PROPENSITY:g} to 1, one for each rank of the log."
        )
    return "given", values, values[rank]


def _large_enough(propensities: Floats, path: str | None) -> Floats:
    """Propensities by which clicks can be weighted; those that a model learns may come to nothing."""
    least = float(propensities.min(initial=1.0))
    if least < SMALLEST_PROPENSITY:
        raise DataError([errors.clicks.propensity_too_small(path, least)])
    return propensities


def _measure(name: str) -> tuple[str, float]:
    kind, _, cutoff = name.partition("@")
    known = {known.casefold(): known for known in MEASURES}
    whole = cutoff.isdigit() and int(cutoff) > 0
    if kind.casefold() not in known or not (whole or not cutoff) or (kind.casefold() == "p" and not cutoff):
        raise UsageError(
            f"{name!r} cannot be estimated from weighted clicks. There are {', '.join(MEASURES)}, with a cutoff such "
            "as DCG@10: documents add to them one by one, which makes the estimate unbiased."
        )
    return known[kind.casefold()], float(cutoff) if cutoff else math.inf


def _ordered(run: Run, log: ClickLog, findings: Findings) -> dict[str, list[str]]:
    """The documents that a run returns for the queries of a log, best first; equal scores by descending id."""
    wanted = {log.queries[code] for code in np.unique(log.query).tolist()}
    if wanted == {""}:
        raise DataError([errors.clicks.no_queries_in_log(log.path)])
    noticed: dict[str, list[Finding]] = {}
    ordered: dict[str, list[str]] = {}
    for ranking in run.rankings(findings):
        # A query that comes again replaces what came before, and what was to be said about that.
        noticed[ranking.query] = list(check_ranking(ranking, run.called, must_be_whole=True))
        if ranking.query in wanted:
            pairs = sorted(zip(ranking.scores.tolist(), ranking.documents, strict=True), reverse=True)
            ordered[ranking.query] = [document for _, document in pairs]
    for of_query in noticed.values():
        findings.extend(of_query)
    if noticed and not ordered:
        findings.add(errors.clicks.log_never_meets(run.called, sorted(wanted), list(noticed)))
    findings.stop_if_wrong()
    return ordered


def _ranks(ordered: Mapping[str, list[str]], log: ClickLog, clicked: Ints, impression: Ints) -> Floats:
    """The rank that a run gives to each clicked document; inf where it does not return it."""
    ranks = {query: {document: at for at, document in enumerate(documents, 1)} for query, documents in ordered.items()}
    codes = zip(log.query[impression].tolist(), log.document[clicked].tolist(), strict=True)
    return np.array([ranks.get(log.queries[q], {}).get(log.documents[d], math.inf) for q, d in codes], dtype=np.float64)


def _shown(ordered: Mapping[str, list[str]], log: ClickLog, cutoff: float) -> float:
    """Of the first documents that a run returns, the share that the log ever showed for the query."""
    depth = int(min(cutoff, log.depth))
    places = [
        log.pairs.position(query, document) for query, documents in ordered.items() for document in documents[:depth]
    ]
    return float(np.mean(np.array(places) < len(log.pairs))) if places else 0.0


def _normal(value: float, deviations: Floats) -> Estimate:
    """A mean with its normal 95% interval over rows."""
    count = len(deviations)
    error = math.sqrt(float((deviations**2).sum()) / max(count - 1, 1) / count) if count > 1 else math.nan
    return Estimate(value, value - Z * error, value + Z * error)


def _over_sessions(value: float, influence: Floats, impressions: int) -> Estimate:
    count = len(influence)
    error = math.sqrt(float((influence**2).sum()) * count / (count - 1)) / impressions if count > 1 else math.nan
    return Estimate(value, value - Z * error, value + Z * error)


def _resampled(earned: Floats, weights: Floats, samples: int, seed: int) -> dict[str, tuple[float, float]]:
    """Percentile intervals over samples of rows; rows that are alike are drawn together."""
    rng = np.random.default_rng(seed)
    kinds, times = np.unique(np.stack([earned, weights]), axis=1, return_counts=True)
    count = int(times.sum())
    drawn = np.empty((2, samples))
    for number in range(samples):
        again = rng.multinomial(count, times / count)
        total = float(again @ kinds[0])
        whole = float(again @ kinds[1])
        drawn[:, number] = total / count, total / whole if whole else math.nan
    low, high = np.nanquantile(drawn, [0.025, 0.975], axis=1)
    return {name: (float(low[at]), float(high[at])) for at, name in enumerate(("ips", "snips"))}
