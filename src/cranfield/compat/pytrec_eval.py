"""pytrec_eval's own interface: replace the import, and nothing else.

>>> from cranfield.compat import pytrec_eval
>>> evaluator = pytrec_eval.RelevanceEvaluator({"q1": {"d1": 0, "d2": 1}}, {"map", "P_5"})
>>> evaluator.evaluate({"q1": {"d1": 1.0, "d2": 0.5}})
{'q1': {'map': 0.5, 'P_5': 0.2}}

Numbers are those of trec_eval 9, on which pytrec_eval is built: scores are compared in single precision, `gm_map` of a
query is a logarithm, and interpolated precision takes its levels of recall.
"""

from __future__ import annotations

import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from cranfield.align import align
from cranfield.compat.trec_eval.arguments import Request
from cranfield.compat.trec_eval.computing import columns_of
from cranfield.compat.trec_eval.entries import PrintedLine, TrecEvalMeasure
from cranfield.compat.trec_eval.judgments import as_judgments
from cranfield.compat.trec_eval.outcome import TrecEvalError
from cranfield.compat.trec_eval.quirks import Setting
from cranfield.compat.trec_eval.requests import lines_of
from cranfield.compat.trec_eval.table import NICKNAMES, TABLE
from cranfield.compat.trec_eval.versions import NINE
from cranfield.data.judgments import Judgments
from cranfield.data.run import Ranking, Run
from cranfield.measures.scoring import View

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

Grades = dict[str, dict[str, int]]
WHOLE = int | np.integer
"""A whole number of Python or NumPy."""
Scores = dict[str, dict[str, float]]

supported_nicknames: dict[str, set[str]] = {name: set(names) - NINE.lacks for name, names in NICKNAMES.items()}
"""Names that stand for several measures."""
supported_measures: set[str] = supported_nicknames["all_trec"]
"""Names of measures, without parameters."""

_ENTRIES = {entry.name: entry for entry in TABLE if entry.name in supported_measures}
_PARAMETERS = r"[._](-?[0-9]+(?:\.[0-9]+)?(?:,-?[0-9]+(?:\.[0-9]+)?)*)"


class RelevanceEvaluator:
    """Evaluates runs against judgments, as often as one likes."""

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        """Take grades by query and document, and names of measures such as `ndcg_cut_10`, `P.5,10` or `official`."""
        setting = Setting(NINE, _level(relevance_level, judged_docs_only_flag))
        self._lines = _lines(measures, setting)
        self._view = View(judged_only=bool(judged_docs_only_flag))
        self._grades = _checked_grades(query_relevance)
        self._judged: tuple[frozenset[str], Judgments] | None = None

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """Values by query and measure, for the queries that are both in the run and judged."""
        if not scores:
            return {}
        run = {query: ranking for query, ranking in _rankings(scores) if query in self._grades}
        if not run:
            return {}
        judgments = self._judgments(frozenset(run))
        alignment = align(
            Run("run", lambda findings: iter(run.values())), judgments, precision=NINE.precision, must_meet=False
        )
        columns = columns_of(alignment, self._lines, self._view)
        values = {
            _key(line): [0.0] * len(column) if isinstance(column, list) else column.tolist()
            for line, column in zip(self._lines, columns, strict=True)
        }
        return {query: {key: values[key][judgments.position[query]] for key in values} for query in run}

    def _judgments(self, queries: frozenset[str]) -> Judgments:
        """The judgments of some queries; those of the last call are kept, since the next is often like it."""
        if self._judged is None or self._judged[0] != queries:
            self._judged = queries, as_judgments({query: self._grades[query] for query in queries})
        return self._judged[1]


def parse_run(f_run: Iterable[str]) -> Scores:
    """Scores by query and document from the lines of a run."""
    run: Scores = defaultdict(dict)
    for line in f_run:
        query, _, document, _, score, _ = line.split()
        _must_be_new(run[query], query, document)
        run[query][document] = float(score)
    return run


def parse_qrel(f_qrel: Iterable[str]) -> Grades:
    """Grades by query and document from the lines of judgments."""
    qrel: Grades = defaultdict(dict)
    for line in f_qrel:
        query, _, document, grade = line.split()
        _must_be_new(qrel[query], query, document)
        qrel[query][document] = int(grade)
    return qrel


def compute_aggregated_measure(measure: str, values: list[float]) -> float:
    """The sum over queries of a count, the geometric mean of a logarithm, the mean of anything else.

    >>> compute_aggregated_measure("num_ret", [10.0, 20.0]), compute_aggregated_measure("map", [0.5, 1.0])
    (30.0, 0.75)
    """
    if measure.startswith("num_"):
        return float(np.sum(values))
    if measure.startswith("gm_"):
        return float(np.exp(np.sum(values) / len(values)))
    return float(np.mean(values))


def _lines(measures: Iterable[str], setting: Setting) -> list[PrintedLine]:
    asked: dict[str, list[str]] = {}
    for measure in measures:
        for name in sorted(supported_nicknames.get(measure, {measure})):
            entry, parameters = _parsed(name)
            asked.setdefault(entry.name, []).extend(parameters)
    requests = [Request(name, text) for name, given in asked.items() for text in _texts(_ENTRIES[name], given)]
    try:
        return lines_of(requests, setting)
    except TrecEvalError as error:
        raise ValueError(str(error)) from None


def _parsed(name: str) -> tuple[TrecEvalMeasure, list[str]]:
    """The measure that a name means, and its parameters: P, P.5,10 or P_5."""
    if name in _ENTRIES:
        return _ENTRIES[name], []
    for entry in _ENTRIES.values():
        if match := re.match(re.escape(entry.name) + _PARAMETERS, name):
            if entry.lines.parameters == "none":
                warnings.warn(f"{name!r} is {entry.name}, which takes no parameters", stacklevel=4)
                return entry, []
            return entry, match[1].split(",")
    raise ValueError(f"unsupported measure {name}")


def _texts(entry: TrecEvalMeasure, parameters: list[str]) -> list[str | None]:
    if not parameters:
        return [None]
    if entry.lines.parameters == "cutoffs":
        return [*parameters]
    # One value has one list of parameters; only of utility does their order mean anything.
    return [",".join(parameters if entry.name == "utility" else sorted(set(parameters)))]


def _key(line: PrintedLine) -> str:
    """The name of a value; parameters show in it only where each has a value of its own."""
    return line.name if line.entry.lines.parameters == "cutoffs" else line.entry.name


def _level(relevance_level: int, judged_docs_only_flag: bool) -> int:
    if not isinstance(relevance_level, WHOLE) or not isinstance(judged_docs_only_flag, WHOLE | np.bool_):
        raise TypeError("Expected object_relevance_per_qid dictionary and measures set.")
    if relevance_level < 1:
        raise TypeError("Argument relevance_level should be positive.")
    return int(relevance_level)


def _checked_grades(given: Mapping[str, Mapping[str, int]]) -> Grades:
    """Grades of queries that have any."""
    if not isinstance(given, Mapping):
        raise TypeError("Argument query_relevance should be of type dictionary.")
    for query, grades in given.items():
        _must_be_ids(query, grades)
        if not _are_all(grades.values(), int):
            raise TypeError("Expected relevance to be integer.")
    return {query: dict(grades) for query, grades in given.items() if grades}


def _rankings(scores: Mapping[str, Mapping[str, float]]) -> Iterator[tuple[str, Ranking]]:
    if not isinstance(scores, dict):
        raise TypeError("Argument object scores should be of type dictionary.")
    for query, of_query in scores.items():
        try:
            _must_be_ids(query, of_query)
        except TypeError as error:
            raise TypeError(f"Unable to extract query/object scores. {error}") from None
        if not _are_all(of_query.values(), float, int):
            raise TypeError("Unable to extract query/object scores. Expected matching score to be int or float.")
        documents = [*of_query]
        values = np.array([*of_query.values()], dtype=np.float64)
        yield query, Ranking(query, documents, values, range(1, len(documents) + 1), unit="entry")


def _must_be_ids(query: object, of_query: object) -> None:
    if not isinstance(query, str):
        raise TypeError("Expected string as key.")
    if not isinstance(of_query, dict):
        raise TypeError("Expected dictionary as value.")
    if not _are_all(of_query, str):
        raise TypeError("Expected mapping of document id to query relevance or matching score.")


def _are_all(values: Iterable[object], *kinds: type) -> bool:
    return all(issubclass(kind, kinds) for kind in set(map(type, values)))


def _must_be_new(of_query: Mapping[str, float], query: str, document: str) -> None:
    if document in of_query:
        raise AssertionError(f"query {query!r} has document {document!r} twice")
