"""ranx's functions of fusion and normalisation, computed by cranfield: ranx's own tests then try ours.

A plugin of pytest: `pytest -p parity.ranx_adapter`. Its tests of `get_candidates` and `get_results` try inner parts of
ranx that have no counterpart here, and run as they are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import ranx.fusion
import ranx.normalization
from ranx import Qrels, Run

import cranfield as cf
from cranfield.arrays import Floats
from cranfield.errors import Findings
from cranfield.fusing import trained
from cranfield.fusing.fused_run import fused_run
from cranfield.fusing.fusion import fusion_from
from cranfield.fusing.joining import Joining
from cranfield.fusing.training import training_data

Dictionary = dict[str, dict[str, float]]

_SCORES = {"norm": "none", "missing": "absent"}
"""ranx normalises first, and counts only lists that have a document."""
_METHODS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    **{f"comb_{name}": (f"comb{name}", _SCORES) for name in ("anz", "gmnz", "max", "med", "min", "mnz", "sum")},
    **{name: (name, _SCORES) for name in ("mixed", "segfuse", "wmnz", "wsum")},
    **{name: (name, {}) for name in ("bayesfuse", "bordafuse", "condorcet", "isr", "log_isr", "logn_isr", "mapfuse")},
    **{name: (name, {}) for name in ("posfuse", "probfuse", "rbc", "rrf", "slidefuse")},
    **{name: (name, {}) for name in ("weighted_bordafuse", "weighted_condorcet")},
}
"""Each of its functions, what the method is called here, and the choices that ranx makes."""
_ARGUMENTS = {
    **dict.fromkeys(("mixed", "wmnz", "wsum", "weighted_bordafuse", "weighted_condorcet"), "weights"),
    **dict.fromkeys(("bayesfuse", "mapfuse", "posfuse", "probfuse", "segfuse", "slidefuse"), "model"),
    "comb_gmnz": "gamma",
}
"""What the second argument of a function is."""
_NAMES = {"w": "window", "wsum": "weighted_sum"}
_SEGMENT_ENDS = [10 * 2 ** (k - 1) - 5 for k in range(1, 11)]


def _fusing(theirs: str) -> Callable[..., Run]:
    ours, choices = _METHODS[theirs]

    def function(runs: Sequence[Run], *arguments: Any, **named: Any) -> Run:
        given = {**dict(zip([_ARGUMENTS.get(theirs, "")], arguments, strict=False)), **named}
        for name in ("probs", "log_odds", "map_scores"):
            if name in given:
                given["model"] = given.pop(name)
        model = given.pop("model", ())
        if theirs == "probfuse":
            given["segments"] = len(model[0])
        if theirs == "segfuse":
            given["growth"] = "ends"
            model = [np.repeat(own, np.diff([0, *_SEGMENT_ENDS])) for own in model]
        params = {_NAMES.get(name, name): value for name, value in given.items()}
        fusion = fusion_from(ours, **choices, **params)
        fused = _fused([_dictionary(run) for run in runs], replace(fusion, model=tuple(map(np.atleast_1d, model))))
        if theirs.endswith("condorcet"):
            # Its scores are the places from the last one on.
            fused = {query: {name: len(own) - at for at, name in enumerate(own)} for query, own in fused.items()}
        return Run(fused, name=_NAMES.get(theirs, theirs))

    return function


def _fused(runs: Sequence[Dictionary], fusion: Any) -> Dictionary:
    """The fused scores by query, best first; a query to which no run has an answer stays empty, as in ranx."""
    answered = [{query: own for query, own in run.items() if own} for run in runs]
    ours = fused_run([cf.read_run(run) for run in answered], fusion)
    found = {
        ranking.query: dict(zip(ranking.documents, ranking.scores.tolist(), strict=True))
        for ranking in ours.rankings(Findings())
    }
    return {query: found.get(query, {}) for query in runs[0]}


def _normalised(norm: str, runs: Sequence[Run]) -> list[Run]:
    fusion = fusion_from("combsum", norm=norm, missing="absent")
    found: list[Dictionary] = [{} for _ in runs]
    for lists in Joining([cf.read_run(_dictionary(run)) for run in runs], Findings()):
        values = fusion.arrays(lists).values
        for own, row in zip(found, values, strict=True):
            own[lists.query] = {
                name: float(value) for name, value in zip(lists.documents, row, strict=True) if not np.isnan(value)
            }
    return [Run(own, name=run.name) for own, run in zip(found, runs, strict=True)]


def _training(theirs: str) -> Callable[..., list[Any]]:
    train = getattr(trained, f"{theirs.removesuffix('fuse')}_training")

    def function(qrels: Qrels, runs: Sequence[Run], *segments: int) -> list[Any]:
        judgments = cf.read_judgments(_dictionary(qrels))
        data = training_data([cf.read_run(_dictionary(run)) for run in runs], judgments, None)
        params = {"segments": segments[0]} if segments else {"growth": "ends"} if theirs == "segfuse" else {}
        counts = [*data.relevant.values()]
        models = [train([own[at] for own in data.hits.values()], counts, **params) for at in range(len(runs))]
        if theirs == "segfuse":
            return [own[[0, *_SEGMENT_ENDS[:-1]]] for own in models]
        return [float(own[0]) for own in models] if theirs == "mapfuse" else models

    return function


def _log_odds(hits: Sequence[Floats], cut_offs: object) -> Floats:
    return trained.bayes_training([np.asarray(own) > 0 for own in hits], [])


def _dictionary(run: Run | Qrels) -> Dictionary:
    return run.to_dict()


for _name in _METHODS:
    setattr(ranx.fusion, _name, _fusing(_name))
for _name in ("bayesfuse", "mapfuse", "posfuse", "probfuse", "segfuse"):
    setattr(ranx.fusion, f"{_name}_train", _training(_name))
ranx.fusion.slidefuse_train = ranx.fusion.posfuse_train
_INNER = sys.modules["ranx.fusion.bayesfuse"]  # the attribute of that name is the function
_INNER.bayesfuse_train, _INNER._estimate_log_odds = ranx.fusion.bayesfuse_train, _log_odds
for _name in ("max", "rank", "sum", "zmuv"):
    setattr(ranx.normalization, f"{_name}_norm", lambda run, norm=_name: _normalised(norm, [run])[0])
ranx.normalization.borda_norm = lambda runs: _normalised("borda", runs)
ranx.normalization.min_max_norm = lambda run, invert=False: _normalised(
    "minmax-inverted" if invert else "minmax", [run]
)[0]
