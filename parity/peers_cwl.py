"""Per query, and all five numbers that it reports for a user model, from EU to ED, next to what `expected` chooses.
Each document costs 1, and grades are given to it as gains between 0 and 1. It takes documents in the order of the
file, so there are no ties in the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from cwl.cwl_eval import RankingMaker, TrecQrelHandler
from cwl.ruler import cwl_ruler
from cwl.ruler.measures.cwl_npv import NPVCWLMetric
from cwl.ruler.measures.cwl_set import SETCWLMetric

import cranfield as cf
from parity.data import Data, binary, graded
from parity.rows import Row, compared, merged

ABSENT = {
    "TrAP: ETU, EC, ETC, ED": "its weights do not add up to 1",
    "-r": "residuals are also of documents that were never retrieved",
}

_COLUMNS = {"EU": "utility", "ETU": "total_utility", "EC": "cost", "ETC": "total_cost", "ED": "depth"}
_MODELS: dict[str, tuple[str, tuple[float, ...]]] = {
    "cwlP@1": ("Precision", (1,)),
    "cwlP@10": ("Precision", (10,)),
    "cwlRR": ("RR", ()),
    "cwlAP": ("AP", ()),
    "RBP(gain=graded)": ("RBP", (0.8,)),
    "RBP(p=0.95,gain=graded)": ("RBP", (0.95,)),
    "SDCG@5": ("NDCG", (5,)),
    "SDCG@100": ("NDCG", (100,)),
    "INST": ("INST", (1.0,)),
    "INST(T=3.5)": ("INST", (3.5,)),
    "INSQ": ("INSQ", (1.0,)),
    "INSQ(T=3.5)": ("INSQ", (3.5,)),
    "BPM@10": ("BPM", (1.0, 10)),
    "BPM(T=2.5)@100": ("BPM", (2.5, 100)),
    "BPM(hb=1)@10": ("BPMD", (1.0, 10, 1.0, 1.0, 0.5)),
    "BPM(T=4,hb=0.5,median=0.25)@100": ("BPMD", (4.0, 100, 0.5, 1.0, 0.25)),
    "NERR8@20": ("NERReq8", (20,)),
    "NERR9@20": ("NERReq9", (20,)),
    "NERR10": ("NERReq10", (0.9,)),
    "NERR11": ("NERReq11", (1.0,)),
    "NERR11(T=3)": ("NERReq11", (3.0,)),
    "TBG": ("TBG", (224,)),
    "TBG(halflife=3)": ("TBG", (3,)),
    "U(L=50)": ("UMeasure", (50,)),
    "U(max_depth=999)": ("UMeasure", (1000,)),
    "IFT(rule=goal)": ("IFTGoal", (2.0, 0.9, 10)),
    "IFT(rule=rate)": ("IFTRate", (0.2, 0.9, 10)),
    "IFT": ("IFTGoalRate", (2.0, 0.9, 10, 0.2, 0.9, 10)),
    "IFT(T=1,R1=1,A=0.5,R2=100)": ("IFTGoalRate", (1.0, 0.9, 1, 0.5, 0.9, 100)),
    "RBP(p=0.8,gain=graded)": ("NPV", (0.25,)),
    "SET(offset=1)@10": ("SET", (0.5, 10)),
}
"""Models by their name here, with all five numbers of each."""
_OTHERWISE: dict[str, tuple[str, tuple[float, ...], str]] = {
    "BPM(T=4,hb=1,hc=1)@10": ("BPMD", (4.0, 10, 1.0, 1.0, 0.5), "its patience never changes, whatever hc is"),
    "U": ("UMeasure", (1000,), "the last of 1000 ranks weighs nothing"),
    "SET@10": ("SET", (0.5, 10), "its ranks count from 2"),
}
_UTILITY_ONLY = {"P@10": ("Precision", (10,)), "RR": ("RR", ()), "AP(norm=retrieved)": ("AP", ()), "AP": ("TrAP", ())}
"""What is the same for gains of 0 and 1."""


def compare() -> list[Row]:
    """All models on graded judgments; those that are older measures as well, on binary ones."""
    on_graded, on_binary = graded().answered(), binary().answered()
    return [
        *(_row(ours, model, given, on_graded) for ours, (model, given) in _MODELS.items()),
        *(_row(ours, model, given, on_graded, reason) for ours, (model, given, reason) in _OTHERWISE.items()),
        *(_row(ours, model, given, on_binary, columns=("EU",)) for ours, (model, given) in _UTILITY_ONLY.items()),
    ]


def _row(
    ours: str,
    model: str,
    given: tuple[float, ...],
    data: Data,
    reason: str = "",
    columns: tuple[str, ...] = tuple(_COLUMNS),
) -> Row:
    measure = cf.parse(ours)
    metric = _metric(model)(*given)
    found = {query: dict(zip(_COLUMNS, of_query, strict=True)) for query, of_query in _scores(metric, data)}
    rows = [
        compared(
            column,
            measure(expected=_COLUMNS[column]) if "expected" in measure.params else measure,
            {query: of_query[column] for query, of_query in found.items()},
            data,
            reason=reason,
        )
        for column in columns
    ]
    row = merged(rows)
    return row._replace(theirs=f"{metric.name().strip()} {row.theirs}", ours=str(measure))


def _scores(metric: Any, data: Data) -> Iterator[tuple[str, list[float]]]:
    metric.residuals = False  # which TrAP forgets to say
    largest = max(grade for of_query in data.qrels.values() for grade in of_query.values())
    gains = TrecQrelHandler()
    for query, judged in data.qrels.items():
        for document, grade in judged.items():
            gains.put_value(query, document, grade / largest)
    for query, scores in data.run.items():
        ranking = RankingMaker(query, gains)
        for document in sorted(scores, key=lambda document: -scores[document]):
            ranking.add(document, "")
        metric.measure(ranking.get_ranking())
        yield query, metric.get_scores()


def _metric(model: str) -> Callable[..., Any]:
    apart = {"NPV": NPVCWLMetric, "SET": SETCWLMetric}
    return apart[model] if model in apart else getattr(cwl_ruler, f"{model}CWLMetric")


if __name__ == "__main__":
    for row in compare():
        print(f"{row.theirs:66} {row.ours:32} {row.values:4} {row.difference:.1e} {row.reason}")
