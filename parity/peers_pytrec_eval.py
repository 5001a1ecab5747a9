"""trec_eval 9's code, called from Python. It orders ties as we do, so there are ties in the data.

Each measure it supports, at its own cutoffs, with documents relevant from grade 1 and from grade 2.
"""

from __future__ import annotations

import math
import re
from itertools import groupby

import pytrec_eval

import cranfield as cf
from parity.data import Data, graded, sampled, tied
from parity.rows import Row, compared, merged

ABSENT = {"relstring": "a picture of the ranking", "runid": "the name of the run"}

_LOGARITHMS = ("gm_map", "gm_bpref")


def compare() -> list[Row]:
    """A row for each measure, whatever its cutoff."""
    rows = [row for data in (graded(), tied(), sampled()) for rel in (1, 2) for row in _rows(data, rel)]
    order = list(dict.fromkeys(row.theirs for row in rows))
    rows.sort(key=lambda row: order.index(row.theirs))
    return [merged(list(same)) for _, same in groupby(rows, key=lambda row: re.sub(r"_[\d.]+$", "", row.theirs))]


def _rows(data: Data, rel: int) -> list[Row]:
    evaluator = pytrec_eval.RelevanceEvaluator(data.qrels, pytrec_eval.supported_measures, relevance_level=rel)
    found = evaluator.evaluate(data.run)
    rows = []
    for name in next(iter(found.values())):
        if name not in ABSENT:
            (ours,) = cf.evaluate(data.qrels, data.run, name, profile="pytrec_eval").measures
            values = {
                query: _value(name, of_query) for query, of_query in found.items() if _is_computed(name, of_query)
            }
            row = compared(name, name, values, data, rel=rel, profile="pytrec_eval")
            rows.append(row._replace(ours=str(ours)))  # without the level, which is the same on both sides
    return rows


def _value(name: str, values: dict[str, float]) -> float:
    """The geometric means hold a floor of 0.00001, and logarithms, in the query's score."""
    if name not in _LOGARITHMS:
        return values[name]
    return 0.0 if values[name] == math.log(1e-5) else math.exp(values[name])


def _is_computed(name: str, values: dict[str, float]) -> bool:
    """Rndcg knows no level of relevance, but is not computed where no document reaches one."""
    return name != "Rndcg" or values["num_rel"] > 0
