"""Evaluation of dictionaries that are in memory already: one process for each workload, in which all tools take turns.

Called with a workload as JSON; prints as JSON what each way of evaluating took.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.peers import MEASURES, RANX_NAMES, TREC_EVAL_NAMES, must_agree
from benchmarks.timing import PATIENCE, REPEATS, Command, Timed, best_calls, measured
from benchmarks.workloads import Dictionary, Workload

BEFORE = "judgments read before"
FEW = 20
"""Queries with which everything is called once before it is timed: ranx compiles itself for them."""


class Way(NamedTuple):
    """A call that evaluates, and how its result gives the five means."""

    call: Callable[[], Any]
    means: Callable[[Any], dict[str, float]]


def took(
    workload: Workload,
    repeats: int = REPEATS,
    patience: float = PATIENCE,
    *,
    alone: bool = False,
    numbered: bool = False,
) -> dict[str, Timed]:
    """What each way of evaluating took, in an own process; or cranfield's ways alone, even with numbers as ids."""
    asked = {
        "workload": asdict(workload),
        "repeats": repeats,
        "patience": patience,
        "alone": alone,
        "numbered": numbered,
    }
    # From wherever it is called, this package is found next to whatever else is.
    path = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])
    words = (sys.executable, "-W", "ignore", "-m", "benchmarks.in_memory", json.dumps(asked))
    command = Command(words, {"PYTHONPATH": path})
    told = json.loads(measured(command).printed)
    return {name: Timed(**of_way) for name, of_way in told.items()}


def main() -> None:
    """The process: make the dictionaries, evaluate them in every way, tell what it took."""
    asked = json.loads(sys.argv[1])
    qrels, run = Workload(**asked["workload"]).dictionaries(numbered=asked["numbered"])
    for way in _ways(_first(qrels), _first(run), alone=asked["alone"]).values():
        way.call()
    ways = _ways(qrels, run, alone=asked["alone"])
    timed = best_calls({name: way.call for name, way in ways.items()}, asked["repeats"], asked["patience"])
    means = {name: way.means(timed[name].result) for name, way in ways.items()}
    must_agree(means["cranfield"], means)
    print(json.dumps({name: cost._replace(result=None)._asdict() for name, cost in timed.items()}))


def _first(given: Dictionary) -> Dictionary:
    return dict(islice(given.items(), FEW))


def _ways(qrels: Dictionary, run: Dictionary, *, alone: bool) -> dict[str, Way]:
    """Each tool twice: with the judgments in its own form already, and from the dictionaries."""
    ways = _with_cranfield(qrels, run)
    if not alone:
        others = {"pytrec_eval": _with_pytrec_eval, "ir_measures": _with_ir_measures, "ranx": _with_ranx}
        for package, ways_with in others.items():
            ways |= ways_with(qrels, run) if find_spec(package) else {}
    return ways


def _with_cranfield(qrels: Dictionary, run: Dictionary) -> dict[str, Way]:
    import cranfield

    judgments = cranfield.read_judgments(qrels)

    def means(scores: cranfield.Scores) -> dict[str, float]:
        return {measure: scores.mean(measure).value for measure in MEASURES}

    return {
        f"cranfield, {BEFORE}": Way(lambda: cranfield.evaluate(judgments, run, MEASURES), means),
        "cranfield": Way(lambda: cranfield.evaluate(qrels, run, MEASURES), means),
    }


def _with_pytrec_eval(qrels: Dictionary, run: Dictionary) -> dict[str, Way]:
    import pytrec_eval

    names = set(TREC_EVAL_NAMES.values())
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, names)

    def means(found: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
        return {
            measure: sum(of_query[name] for of_query in found.values()) / len(found)
            for measure, name in TREC_EVAL_NAMES.items()
        }

    return {
        f"pytrec_eval, {BEFORE}": Way(lambda: evaluator.evaluate(run), means),
        "pytrec_eval": Way(lambda: pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(run), means),
    }


def _with_ir_measures(qrels: Dictionary, run: Dictionary) -> dict[str, Way]:
    import ir_measures

    parsed = {measure: ir_measures.parse_measure(measure) for measure in MEASURES}
    evaluator = ir_measures.evaluator(list(parsed.values()), qrels)

    def means(found: Mapping[Any, float]) -> dict[str, float]:
        return {measure: found[parsed[measure]] for measure in MEASURES}

    return {
        f"ir_measures, {BEFORE}": Way(lambda: evaluator.calc_aggregate(run), means),
        "ir_measures": Way(lambda: ir_measures.calc_aggregate(list(parsed.values()), qrels, run), means),
    }


def _with_ranx(qrels: Dictionary, run: Dictionary) -> dict[str, Way]:
    import ranx

    names = list(RANX_NAMES.values())
    own_qrels, own_run = ranx.Qrels(qrels), ranx.Run(run)

    def means(found: Mapping[str, float]) -> dict[str, float]:
        return {measure: float(found[name]) for measure, name in RANX_NAMES.items()}

    return {
        f"ranx, {BEFORE} and the run too": Way(lambda: ranx.evaluate(own_qrels, own_run, names), means),
        "ranx": Way(lambda: ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), names), means),
    }


if __name__ == "__main__":
    main()
