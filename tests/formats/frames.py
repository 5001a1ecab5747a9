"""A small table of judgments, and what it says."""

import pyarrow as pa

QUERIES, DOCUMENTS, LABELS = ["q1", "q1", "q2"], ["d1", "d2", "d1"], [2, 0, 1]
TABLE = pa.table({"qid": QUERIES, "docno": DOCUMENTS, "label": LABELS})
GRADES = {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}}
