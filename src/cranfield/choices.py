"""What users may choose between, as types: functions take them, and commands offer them without loading NumPy."""

from __future__ import annotations

from typing import Literal

RboTies = Literal["b", "a", "w"]
"""What equal scores mean to rank-biased overlap."""

ItemSimilarity = Literal["jaccard", "cosine"]
"""How alike two items are, by their attributes."""
CurveKind = Literal["pr11", "pr", "at-k", "depth", "roc"]
PairedKind = Literal["differences", "scatter"]
PictureKind = Literal[CurveKind, PairedKind, "distribution", "heatmap", "grades"]
"""What can be drawn."""
BoundsKind = Literal["ties", "unjudged"]
"""What could move a score: other orders of equal scores, other grades of unjudged documents."""
AverageOver = Literal["judged", "answered"]
"""Which queries a mean is over: all judged ones, a silent one counting 0, or those the run answered."""
TieOrder = Literal["document", "document-ascending", "given"]
"""The order of documents with equal scores."""
TieRule = Literal[TieOrder, "average"]
"""In which order equal scores come, or that each score is averaged over all orders."""
Precision = Literal["double", "single"]
"""How exactly scores of documents are compared."""
Keep = Literal["keep", "drop"]
Undefined = Literal["zero", "skip"]
"""What an undefined score becomes in a mean."""
