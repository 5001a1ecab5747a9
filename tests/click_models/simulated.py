"""Logs with known parameters: random rankings, and clicks drawn from a model."""

from __future__ import annotations

from itertools import product

import numpy as np

from cranfield.click_models import MODELS, ClickLog, ClickModel
from cranfield.data.click_log import ImpressionBlock


def shown(impressions, *, queries=20, pool=12, depth=10, seed=0, last=None):
    """Impressions without clicks: of each query's documents some, in a random order.

    Each is a session of its own, or, if that is the probability to be the last, there are several in a session.
    """
    rng = np.random.default_rng(seed)
    session = np.arange(impressions)
    if last is not None:
        session = np.cumsum(np.random.default_rng(seed + 7).random(impressions) < last)
    query = rng.integers(0, queries, impressions).astype(np.int32)
    order = np.argsort(rng.random((impressions, pool)), axis=1)[:, :depth]
    return ClickLog(
        tuple(f"s{number}" for number in range(impressions)),
        tuple(f"q{number}" for number in range(queries)),
        tuple(f"d{number}" for number in range(queries * pool)),
        np.arange(0, impressions * depth + 1, depth),
        session.astype(np.int32),
        query,
        (query[:, None] * pool + order).astype(np.int32).ravel(),
        np.zeros(impressions * depth, dtype=np.bool_),
    )


MATCH, FURTHER = 0.7, 0.5


def shape_of(name):
    """Sessions as the model has them."""
    return {"last": MATCH * (1 - FURTHER)} if MODELS[name].needs_sessions else {}


def known(name: str, log: ClickLog, seed=0) -> ClickModel:
    """A model with parameters that are known."""
    rng = np.random.default_rng(seed)
    pairs, depth = len(log.pairs), log.depth
    ranks = np.arange(depth)
    attraction, satisfaction = rng.beta(1.5, 3, pairs), rng.beta(2, 2, pairs)
    examination = np.ones((depth, depth + 1))
    for rank in range(1, depth):
        for last in range(rank + 1):
            examination[rank, last] = 1 / (1 + 0.15 * rank + (0.3 * (rank - last) if last else 0))
    parameters = {
        "GCTR": {"rate": 0.2},
        "RCTR": {"rate": 0.5 * 0.85**ranks},
        "DCTR": {"rate": attraction},
        "PBM": {"attraction": attraction, "examination": 0.85**ranks},
        "UBM": {"attraction": attraction, "examination": examination},
        "CM": {"attraction": attraction},
        "DCM": {"attraction": attraction, "continuation": 0.9 * 0.93**ranks},
        "SDBN": {"attraction": attraction, "satisfaction": satisfaction},
        "DBN": {"attraction": attraction, "satisfaction": satisfaction, "continuation": 0.9},
        "CCM": {
            "attraction": attraction,
            "continuation after none": 0.9,
            "continuation after other": 0.8,
            "continuation after relevant": 0.4,
        },
        "TCM": {
            "attraction": attraction,
            "examination": 0.85**ranks,
            "match": MATCH,
            "further query": FURTHER,
            "freshness": 0.4,
        },
    }
    return MODELS[name].given(log, **parameters[name])


def drawn(name: str, impressions: int, seed=0, **shape) -> tuple[ClickModel, ClickLog]:
    """A model, and a log of clicks drawn from it."""
    log = shown(impressions, seed=seed, **shape_of(name), **shape)
    model = known(name, log, seed)
    return model, model.simulate(log, np.random.default_rng(seed + 1))


RATES = np.array([0.5, 0.2, 0.1])


LOGGED = np.array([0.2, 0.3, 0.5])


ITEMS = ("a", "b", "c")


def bandit(rows, seed):
    """Rows of a policy that mostly shows what is clicked least."""
    rng = np.random.default_rng(seed)
    item = rng.choice(3, rows, p=LOGGED)
    click = rng.random(rows) < RATES[item]
    return [
        {"item_id": ITEMS[i], "click": int(c), "propensity_score": LOGGED[i]}
        for i, c in zip(item.tolist(), click.tolist(), strict=True)
    ]


def every_pattern(log, depth):
    """One impression under all patterns of clicks."""
    one = log.pairs.block(log.select(np.array([0])))
    patterns = np.array(list(product([False, True], repeat=depth))).T
    count = patterns.shape[1]
    return ImpressionBlock(
        np.repeat(one.pair, count, axis=1), patterns, np.repeat(one.shown, count, axis=1), np.ones(count)
    )
