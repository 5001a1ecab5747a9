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
Engine = Literal["local", "spark"]
"""Where an evaluation is computed: in this process, or on a cluster."""
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
OutputFormat = Literal["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"]
"""In what form an answer is printed or written."""
Keep = Literal["keep", "drop"]
Undefined = Literal["zero", "skip"]
"""What an undefined score becomes in a mean."""
AlphaMetric = Literal["nominal", "ordinal", "interval", "ratio"]
"""How far apart two grades are, to Krippendorff's alpha."""
NamedWeights = Literal["identity", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"]
"""What near misses count in a weighted kappa, by the names of Gwet's irrCAC."""
BenchmarkScale = Literal["landis-koch", "fleiss", "altman"]
"""Whose words for how good a coefficient of agreement is."""
AgreementInterval = Literal["queries", "items", "analytic"]
"""What intervals of agreement come from: samples of queries or of items, or formulas."""
LabelLayout = Literal["labels", "ratings", "counts", "contingency"]
"""What a table of labels holds: a row per label, a column per judge, counts per category, or two judges."""
MergeRule = Literal[
    "majority", "mean", "median", "maximum", "minimum", "adjudicated", "dawid-skene", "dawid-skene-graded"
]
"""Rule to make one grade of several."""
TiedGrades = Literal["lower", "higher", "mean"]
"""Which grade a rule for merging gives where two are tied."""
PoolOrder = Literal["shuffled", "priority", "rank"]
"""In what order the documents of a query stand in a pool."""
PlanStrategy = Literal["comparison", "sample"]
"""How the documents are chosen whose labels a plan counts."""
GradeMapping = Literal["quantile", "threshold", "calibrated"]
"""How estimates of relevance become grades."""
ClickInterval = Literal["beta", "bootstrap"]
"""What intervals of estimates from clicks come from."""
ModelCriterion = Literal["log-likelihood", "perplexity", "conditional"]
"""What click models are compared by."""
Test = Literal["randomization", "t", "wilcoxon", "sign", "bootstrap", "tukey"]
"""What the p of a difference comes from."""
Correction = Literal[
    "holm",
    "holm-sidak",
    "bonferroni",
    "sidak",
    "hochberg",
    "hommel",
    "benjamini-hochberg",
    "benjamini-yekutieli",
    "none",
]
"""How p-values are corrected for the number of comparisons."""
ScoreOrder = Literal["higher", "lower", "order"]
"""What is best in results of a live system: the highest score, the lowest, or what came first."""
Duplicates = Literal["first"]
"""Which of the places of a document that is listed twice for a query counts."""
PaperOrder = Literal["mean", "given"]
"""The order of runs in a table for a paper."""
IntervalKind = Literal["t", "bca"]
"""What intervals of differences come from."""
MissingDocument = Literal["absent", "zero", "minimum", "last"]
"""What a document that a run did not return gets in a fusion: nothing, 0, the list's lowest score, or the last rank."""
FlatList = Literal["middle", "one", "zero", "raw"]
"""What the documents of a list get that all have the same score, once it is normalised."""
Deviation = Literal["population", "sample"]
"""What a standard deviation divides by: the number of scores, or one less."""
DataKind = Literal["judgments", "run", "labels", "queries", "documents"]
"""What files hold."""
