"""Saved results of made scores, and one rule that compares two of them."""

from __future__ import annotations

import numpy as np

from cranfield.evaluating.scores import JudgmentFacts, Provenance, RunFacts, Scores, constant
from cranfield.evaluating.settings import Settings
from cranfield.gating import gate
from cranfield.measures import parse

NDCG = {"measure": "nDCG@10"}
HOSTILE = [
    *("a|b", "two\nlines", "<script>alert(1)</script>", "]]>", "\x01\x1b[31m", "`rm -rf`", "::error::x", "100%"),
    *(
        "@octocat",
        "**bold**",
        "a,b:c",
        "]]]]><![CDATA[>",
        "&amp;",
        "x" * 500,
        "\ufffe",
        "\u202eevil",
        " ",
        "_a_ [l](u)",
    ),
]


def kept(scores, run="new", measure="nDCG@10", queries=None, judged="same", silent=(), **about):
    """Results of a run with these scores, by measure and query."""
    by_measure = scores if isinstance(scores, dict) else {measure: scores}
    rows = [list(row) for row in by_measure.values()]
    names = tuple(queries or (f"q{at}" for at in range(len(rows[0]))))
    values = np.array(rows, dtype=np.float64)[:, None, :]
    measures = tuple(parse(name) for name in by_measure)
    return Scores(
        queries=names,
        runs=(run,),
        measures=measures,
        values=values,
        counted=np.ones(values.shape, dtype=np.bool_),
        undefined=tuple(one.definition.undefined for one in measures),
        provenance=Provenance(
            JudgmentFacts("qrels.txt", len(names), len(names), 1.0, constant(judged)),
            (Settings(),) * len(measures),
            (RunFacts(**{"path": f"{run}.run", "silent": silent, **about}),),
        ),
    )


def hold(new, old, rule=None, *, kind="not_worse", measure="nDCG@10", settings=None, **options):
    """One rule, and what it says."""
    rules = {kind: {"measure": measure, **(rule or {})}, **(settings or {})}
    return gate(kept(new, "new", measure), kept(old, "old", measure), rules, **options)


def verdict(new, old, rule=None, **options):
    return hold(new, old, rule, **options).decision


def hostile_gate():
    """A run tested by rules, with hostile names of everything."""
    count = len(HOSTILE)
    columns = {query: {"<b>|`": value} for query, value in zip(HOSTILE, reversed(HOSTILE), strict=True)}
    new = kept([0.0] * count, "new|\n<run>", queries=HOSTILE, silent=HOSTILE)
    old = kept([0.9] * count, "::old::`", queries=HOSTILE)
    rules = {
        "not_worse": [{**NDCG, "margin": 0.1}, {**NDCG, "margin": 0.1, "by": "<b>|`"}],
        "broken": [{**NDCG, "drop": 0.1, "at_most": 0, "by": "<b>|`", "only": [value]} for value in HOSTILE],
        "protected": [{**NDCG, "queries": [query]} for query in HOSTILE],
        "coverage": {"at_least": 1},
    }
    return gate(new, old, rules, queries=columns)
