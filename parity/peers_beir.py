"""In the mean, rounded to five decimals. It calls pytrec_eval, averages over the queries that a run answered, drops a
document whose id is the query's own, and computes some measures itself; `profile=beir` makes these choices.
"""

from __future__ import annotations

from beir.retrieval.evaluation import EvaluateRetrieval

from parity.data import Data, graded, tied
from parity.rows import FIVE_DECIMALS, Row, compared

ABSENT = {"Hole": "a document judged for any other query counts as judged"}

CUTOFFS = [1, 3, 10, 100]
_ITS_OWN = {"mrr": "MRR", "recall_cap": "R_cap", "top_k_accuracy": "Accuracy"}


def compare() -> list[Row]:
    """All its measures, with a document that is the query itself on top of every ranking."""
    return [row for data in (graded(), tied()) for row in _rows(_with_itself(data))]


def _rows(data: Data) -> list[Row]:
    # It changes what it is given.
    results = {query: dict(ranked) for query, ranked in data.run.items()}
    found: dict[str, float] = {}
    for of_measure in EvaluateRetrieval.evaluate(data.qrels, results, CUTOFFS):
        found |= of_measure
    relevant = data.with_relevant()
    own = {query: ranked for query, ranked in results.items() if query in relevant.qrels}
    for metric in _ITS_OWN:
        found |= EvaluateRetrieval.evaluate_custom(relevant.qrels, own, CUTOFFS, metric)
    return [
        compared(
            name,
            name,
            {},
            relevant if name.partition("@")[0] in _ITS_OWN.values() else data,
            mean=mean,
            tolerance=FIVE_DECIMALS,
            profile="beir",
        )
        for name, mean in found.items()
    ]


def _with_itself(data: Data) -> Data:
    run = {query: {query: 1000.0} | ranked for query, ranked in data.run.items()}
    return data._replace(name=f"{data.name}, query itself on top", run=run)
