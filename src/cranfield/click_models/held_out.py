"""Which click model predicts best: clicks of sessions that it has not seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield import errors
from cranfield.arguments import require_choice
from cranfield.arrays import Bools, Floats
from cranfield.choices import ModelCriterion
from cranfield.click_models import MODELS
from cranfield.click_models.model import ClickModel, Fitting
from cranfield.data.click_log import ClickLog, ImpressionBlock, summed
from cranfield.errors import DataError, Finding, UsageError
from cranfield.formats.clicks import read_clicks
from cranfield.phrases import counted, listed
from cranfield.show.answer import Answer
from cranfield.show.table import Cell, Estimate, Table, finite
from cranfield.version import VERSION

FLOOR = 1e-6
"""What an impossible click counts as: to the cascade model, a second one is."""
BY = {"log-likelihood": "log-likelihood", "perplexity": "perplexity", "conditional": "conditional perplexity"}
"""What models can be chosen by."""
PARTS = 5
MANY = 100_000
"""Impressions from which on one of the parts is held out, and not each in turn."""
Z = 1.959963984540054
"""How many standard errors a 95% interval reaches to either side."""


@dataclass(frozen=True, eq=False)
class ModelScore:
    """How well a model predicts clicks of sessions that it has not seen."""

    name: str
    log_likelihood: Estimate
    """The mean, over impressions and then ranks, of the logarithm of the probability of what happened, given the
    clicks above."""
    perplexity: Estimate
    """The mean over ranks of 2 to the mean of -log2 of the probability of what happened, whatever happens above; 1 is
    perfect, 2 is a coin."""
    conditional: Estimate
    """The same given the clicks above."""
    at_rank: Floats
    conditional_at_rank: Floats
    difference: Estimate
    """How much worse than the best it is in what the models are chosen by, with the interval of a paired difference."""
    impossible: int
    """Clicks to which the model gives probability 0; each counts as one in a million."""
    converged: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "model": self.name,
            "log_likelihood": _plain(self.log_likelihood),
            "perplexity": _plain(self.perplexity),
            "conditional_perplexity": _plain(self.conditional),
            "perplexity_at_rank": self.at_rank.tolist(),
            "conditional_perplexity_at_rank": self.conditional_at_rank.tolist(),
            "difference": _plain(self.difference),
            "impossible_clicks": self.impossible,
            "converged": self.converged,
        }


@dataclass(frozen=True, eq=False)
class ModelComparison(Answer):
    """Click models by how well they predict clicks of sessions that they have not seen, the best first.

    >>> import cranfield as cf
    >>> from cranfield import demo
    >>> compared = cf.compare_click_models(demo.path("clicks.csv"), ["GCTR", "PBM"])
    >>> [score.name for score in compared.models], compared.as_good
    (['PBM', 'GCTR'], ())
    """

    models: tuple[ModelScore, ...]
    settings: Mapping[str, Any]
    sessions: int
    """How many sessions were predicted."""
    impressions: int
    warnings: tuple[Finding, ...] = ()
    with_ranks: bool = False
    """Whether the perplexity at each rank is shown."""

    @property
    def best(self) -> str:
        """The model that predicts best."""
        return self.models[0].name

    @property
    def as_good(self) -> tuple[str, ...]:
        """Models that do not differ significantly from the best in these sessions."""
        return tuple(score.name for score in self.models[1:] if score.difference.low <= 0)

    def verdict(self) -> str:
        """What came out, in a sentence."""
        best = self.models[0]
        first = (
            f"{best.name} predicts held-out clicks best (log-likelihood {best.log_likelihood.value:z.3f} a result, "
            f"perplexity {best.perplexity.value:z.3f})"
        )
        if len(self.models) == 1:
            return f"{first}; no other model was compared."
        if self.as_good:
            return f"{first}; no significant difference to {listed(self.as_good, 10)}."
        near = self.models[1]
        low, high = near.difference.low, near.difference.high
        by = BY[self.settings["by"]]
        worse = f"{near.difference.value:z.4f} in {by} ({low:z.4f} to {high:z.4f})"
        return f"{first}; {near.name}, the next, is worse by {worse}."

    def table(self) -> Table:
        """A row per model, the best first."""
        columns: dict[str, list[Any]] = {
            "model": [score.name for score in self.models],
            "log-likelihood": [score.log_likelihood for score in self.models],
            "perplexity": [score.perplexity for score in self.models],
            "conditional": [score.conditional for score in self.models],
            "worse by": [score.difference if at else None for at, score in enumerate(self.models)],
        }
        return Table(columns, notes=tuple(self._notes()), optional=("conditional",))

    def tables(self) -> list[Table]:
        """Every model, and its perplexity at each rank, if asked for."""
        return [self.table(), *([self.ranks()] if self.with_ranks else [])]

    def rows(self) -> Table:
        """A row per model and statistic, over all ranks and, if asked for, at each."""
        rows: list[tuple[Cell, ...]] = []
        for score in self.models:
            rows += [
                (score.name, "log-likelihood", "all", *score.log_likelihood),
                (score.name, "perplexity", "all", *score.perplexity),
                (score.name, "conditional perplexity", "all", *score.conditional),
                (score.name, f"difference in {BY[self.settings['by']]}", "all", *score.difference),
            ]
            if self.with_ranks:
                for rank, value in enumerate(score.at_rank.tolist(), 1):
                    rows.append((score.name, "perplexity", str(rank), value, None, None))
        names = ("model", "statistic", "rank", "value", "low", "high")
        return Table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))

    def ranks(self) -> Table:
        """The perplexity of each model at each rank."""
        depth = len(self.models[0].at_rank)
        return Table(
            {
                "model": [score.name for score in self.models],
                **{str(rank + 1): [float(score.at_rank[rank]) for score in self.models] for rank in range(depth)},
            },
            notes=("Perplexity at each rank.",),
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "cranfield": VERSION,
            "settings": dict(self.settings),
            "verdict": self.verdict(),
            "sessions": self.sessions,
            "impressions": self.impressions,
            "warnings": [str(warning) for warning in self.warnings],
            "models": [score.to_dict() for score in self.models],
        }

    def _notes(self) -> Iterator[str]:
        parts = self.settings["parts"]
        how = f"each of {parts} parts in turn" if self.settings["all_parts"] else f"one part in {parts}"
        yield (
            f"Predicted: {counted(self.impressions, 'impression')} of {counted(self.sessions, 'session')}, {how}, by "
            "models fitted to the other sessions; intervals are over sessions."
        )
        yield (
            "Log-likelihood (per result) and conditional perplexity use the clicks above each result; perplexity does "
            f"not: 1 is perfect, 2 is a coin toss. Models are ordered by {BY[self.settings['by']]}, "
            "and 'worse by' is its difference to the best."
        )
        for score in self.models:
            if score.impossible:
                yield (
                    f"{score.name} gives {score.impossible:,} of the clicks probability 0; where clicks above are "
                    "used, each counts as one in a million."
                )

    def __repr__(self) -> str:
        return f"ModelComparison({', '.join(score.name for score in self.models)}; {counted(self.sessions, 'session')})"


def fit_click_model(log: object, model: str = "PBM", fitting: Fitting | None = None) -> ClickModel:
    """A click model of a given name, fitted to a log.

    >>> from cranfield import demo
    >>> fit_click_model(demo.path("clicks.csv"), "DCM").parameters["continuation"].values.shape
    (10,)
    """
    clicks, kind = clicked_log(log), model_of(model)
    require_sessions([kind], clicks)
    return kind.fit(clicks, fitting)


def clicked_log(log: object) -> ClickLog:
    """A log from which something can be learnt: one with clicks."""
    clicks = read_clicks(log)
    if not clicks.clicked.any():
        raise DataError([errors.clicks.nothing_clicked(clicks.path, clicks.actions)])
    return clicks


def model_of(name: str) -> type[ClickModel]:
    """The click model of a name, whatever its case."""
    known = {known.casefold(): model for known, model in MODELS.items()}
    if not isinstance(name, str) or name.casefold() not in known:
        raise errors.clicks.unknown_click_model(str(name), list(MODELS))
    return known[name.casefold()]


def models_for(log: ClickLog) -> list[str]:
    """The models that a log can be fitted with: some take sessions of several queries."""
    return [name for name, model in MODELS.items() if log.has_further_queries or not model.needs_sessions]


def require_sessions(models: Sequence[type[ClickModel]], log: ClickLog) -> None:
    """Refuse models that take sessions of several queries where there are none."""
    for model in models:
        if model.needs_sessions and not log.has_further_queries:
            raise DataError([errors.clicks.no_further_queries(log.path, model.name)])


def compare_click_models(
    log: object,
    models: Sequence[str] | None = None,
    *,
    fitting: Fitting | None = None,
    held_out: float | None = None,
    by: ModelCriterion = "log-likelihood",
    seen_only: bool = False,
    seed: int = 0,
) -> ModelComparison:
    """How well click models predict clicks of sessions that they have not seen.

    Sessions are divided at random into five parts, and each is predicted by models fitted to the others; of a log with
    more than 100,000 impressions, only the first part is. `held_out` is the share to predict instead, once. The best is
    chosen `by` log-likelihood, which judges all clicks of an impression together. Documents
    that were not seen with a query are taken for average ones; `seen_only` leaves out impressions of queries that were
    never asked in the sessions the models know.
    """
    clicks = clicked_log(log)
    chosen = list(dict.fromkeys(map(model_of, models_for(clicks) if models is None else models)))
    if not chosen:
        raise UsageError("Name at least one click model.")
    require_choice(by, "by", list(BY))
    require_sessions(chosen, clicks)
    how = fitting or Fitting()
    parts = PARTS if held_out is None else _parts(held_out)
    every = held_out is None and len(clicks) <= MANY
    sessions = len(np.unique(clicks.session))
    if sessions < 2:
        raise DataError([errors.clicks.few_sessions(clicks.path)])
    if held_out is None and sessions < parts:
        parts = sessions
    folds = clicks.folds(parts, seed)
    predicted: dict[str, list[_Predicted]] = {model.name: [] for model in chosen}
    converged = dict.fromkeys(predicted, True)
    for part in range(parts if every else 1):
        train, test = clicks.select(folds != part), clicks.select(folds == part)
        if seen_only:
            test = test.select(train.pairs.asked(test))
        if not len(test):
            continue
        block = train.pairs.block(test, in_sessions=any(model.needs_sessions for model in chosen))
        for model in chosen:
            fitted = model.fit(train, how)
            converged[model.name] &= fitted.converged
            predicted[model.name].append(_predicted(fitted, block, test.session, clicks.depth))
    if not predicted[chosen[0].name]:
        raise UsageError("No held-out impression has a query of the training part; leave out seen_only.")
    together = {name: _joined(parts_of) for name, parts_of in predicted.items()}
    scores = _scores(together, converged, by)
    settings = {
        "models": [model.name for model in chosen],
        "parts": parts,
        "all_parts": every,
        "by": by,
        "seen_only": seen_only,
        "seed": seed,
        **describe(how),
    }
    first = together[chosen[0].name]
    return ModelComparison(scores, settings, int(first.present.sum()), first.impressions, clicks.warnings)


def describe(fitting: Fitting) -> dict[str, Any]:
    """The choices of a fit as plain values."""
    return {
        "prior": "average" if fitting.prior is None else list(fitting.prior),
        "iterations": fitting.iterations,
        "tolerance": fitting.tolerance,
        "anchored": fitting.anchored,
        "stops": fitting.stops,
    }


def log_likelihood(model: ClickModel, log: ClickLog, *, floor: float = FLOOR) -> float:
    """The mean over impressions of the mean over ranks of the logarithm of what happened, given the clicks above."""
    block = model.block(log)
    logs = np.where(block.shown, np.log(_of_what_happened(model.conditional(block), block).clip(floor)), 0.0)
    return float((logs.sum(axis=0) / block.shown.sum(axis=0)).mean())


def perplexity(
    model: ClickModel, log: ClickLog, *, conditional: bool = False, floor: float = FLOOR
) -> tuple[float, Floats]:
    r"""The mean over ranks of the perplexity, and that of each rank.

    .. math:: p_r = 2^{-\frac{1}{N_r} \sum_i \log_2 P(C_{ir} = c_{ir})}

    Dupret & Piwowarski, SIGIR 2008, doi:10.1145/1390334.1390392. N_r are the impressions that have a rank r.
    """
    block = model.block(log)
    probability = model.conditional(block) if conditional else model.expected(block)
    logs = np.where(block.shown, np.log2(_of_what_happened(probability, block).clip(floor)), 0.0)
    at_rank = 2 ** (-logs.sum(axis=1) / block.shown.sum(axis=1))
    return float(at_rank.mean()), at_rank


def _of_what_happened(probability: Floats, block: ImpressionBlock) -> Floats:
    return np.where(block.click, probability, 1 - probability)


@dataclass(frozen=True, eq=False)
class _Predicted:
    """Sums over the impressions of each session, by rank: logarithms, and how many there are."""

    expected: Floats
    conditional: Floats
    count: Floats
    likelihood: Floats
    """By session alone: the sum of the impressions' mean logarithms."""
    asked: Floats
    """By session alone: impressions."""
    impossible: int

    @property
    def present(self) -> Bools:
        """Which sessions there are."""
        return self.asked > 0

    @property
    def impressions(self) -> int:
        """How many there are."""
        return int(self.asked.sum())


def _predicted(model: ClickModel, block: ImpressionBlock, session: np.ndarray, depth: int) -> _Predicted:
    sessions, member = np.unique(session, return_inverse=True)
    given = _of_what_happened(model.conditional(block), block)
    impossible = int((block.shown & (given < FLOOR)).sum())
    logs = [
        np.where(block.shown, np.log2(probability.clip(FLOOR)), 0.0)
        for probability in (_of_what_happened(model.expected(block), block), given)
    ]
    per_impression = np.log(2) * logs[1].sum(axis=0) / block.shown.sum(axis=0)

    def by_session(values: np.ndarray) -> Floats:
        sums = np.zeros((depth, len(sessions)))
        for rank in range(block.depth):
            sums[rank] = summed(member, values[rank], len(sessions))
        return sums

    return _Predicted(
        by_session(logs[0]),
        by_session(logs[1]),
        by_session(block.shown),
        summed(member, per_impression, len(sessions)),
        np.bincount(member, minlength=len(sessions)).astype(np.float64),
        impossible,
    )


def _joined(parts: Sequence[_Predicted]) -> _Predicted:
    """Parts side by side; no session is in two of them."""
    if len(parts) == 1:
        return parts[0]
    names = ("expected", "conditional", "count", "likelihood", "asked")
    columns = {name: np.concatenate([getattr(part, name) for part in parts], axis=-1) for name in names}
    return replace(parts[0], **columns, impossible=sum(part.impossible for part in parts))


def _scores(
    predicted: Mapping[str, _Predicted], converged: Mapping[str, bool], by: ModelCriterion
) -> tuple[ModelScore, ...]:
    made = {}
    influence: dict[str, Floats] = {}
    for name, of_model in predicted.items():
        value, at_rank, of_value = _perplexity(of_model.expected, of_model.count)
        given, given_at_rank, of_given = _perplexity(of_model.conditional, of_model.count)
        mean = float(of_model.likelihood.sum() / of_model.asked.sum())
        of_mean = (of_model.likelihood - mean * of_model.asked) / of_model.asked.sum()
        # Of perplexity less is better, of likelihood more.
        loss, influence[name] = {
            "log-likelihood": (-mean, -of_mean),
            "perplexity": (value, of_value),
            "conditional": (given, of_given),
        }[by]
        made[name] = ModelScore(
            name,
            _estimate(mean, of_mean),
            _estimate(value, of_value),
            _estimate(given, of_given),
            at_rank,
            given_at_rank,
            Estimate(loss, loss, loss),
            of_model.impossible,
            converged[name],
        )
    ordered = sorted(made.values(), key=lambda score: score.difference.value)
    best = ordered[0]
    return tuple(
        replace(
            score,
            difference=_estimate(
                score.difference.value - best.difference.value, influence[score.name] - influence[best.name]
            ),
        )
        for score in ordered
    )


def _perplexity(logs: Floats, count: Floats) -> tuple[float, Floats, Floats]:
    """Perplexity over ranks and at each, and by how much each session moves it (the delta method)."""
    shown = count.sum(axis=1, keepdims=True)
    ranks = shown[:, 0] > 0
    logs, count, shown = logs[ranks], count[ranks], shown[ranks]
    mean = logs.sum(axis=1, keepdims=True) / shown
    at_rank = 2**-mean
    influence = (-np.log(2) * at_rank * (logs - mean * count) / shown).mean(axis=0)
    return float(at_rank.mean()), at_rank[:, 0], influence


def _estimate(value: float, influence: Floats) -> Estimate:
    """A value with a 95% interval from what each session adds to it."""
    count = len(influence)
    if count < 2:
        return Estimate(float(value), float("nan"), float("nan"))
    error = float(np.sqrt((influence**2).sum() * count / (count - 1)))
    return Estimate(float(value), float(value) - Z * error, float(value) + Z * error)


def _parts(held_out: float) -> int:
    if not 0 < held_out <= 0.5:
        raise UsageError(f"held_out is a share of the sessions above 0 and at most 0.5, not {held_out!r}.")
    return round(1 / held_out)


def _plain(estimate: Estimate) -> dict[str, float | None]:
    return {"value": finite(estimate.value), "low": finite(estimate.low), "high": finite(estimate.high)}
