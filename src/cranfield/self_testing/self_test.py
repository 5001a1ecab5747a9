"""Whether cranfield, as installed here, gives the numbers of other tools, on the collection that comes with it."""

from __future__ import annotations

import hashlib
import json
import math
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from cranfield import demo, kernels
from cranfield.comparing.comparison import compare
from cranfield.compat import pytrec_eval
from cranfield.evaluating.evaluation import evaluate
from cranfield.evaluating.scores import Scores
from cranfield.formats import read_judgments
from cranfield.judging.agree import agree
from cranfield.phrases import counted
from cranfield.show.answer import Answer
from cranfield.show.table import Table
from cranfield.version import VERSION

AS_TREC_EVAL = {
    "AP": "map",
    "nDCG": "ndcg",
    "nDCG@10": "ndcg_cut_10",
    "RR": "recip_rank",
    "P@10": "P_10",
    "R@100": "recall_100",
    "Rprec": "Rprec",
    "bpref": "bpref",
    "infAP": "infAP",
    "Success@5": "success_5",
}
"""Measures of `cranfield evaluate`, which computes them without following trec_eval step by step."""
ROUNDING = 1e-12
"""How far numbers may differ: sums in another order, and logarithms of another system's library, differ that much."""
NOTHING_BUILT = "not compared: this installation has only the plain loops"

Numbers = Mapping[str, float]


@dataclass(frozen=True)
class Check:
    """Numbers of one kind, and how many of them differ from what they should be."""

    name: str
    compared_with: str
    numbers: int
    differ: int
    largest: float
    """The largest difference, which may be within what rounding explains."""
    examples: tuple[str, ...] = ()
    """Where they differ, a few of them."""


@dataclass(frozen=True, eq=False)
class SelfTest(Answer):
    """What was compared, and what differs. Printing it shows a row for each check.

    >>> import cranfield as cf
    >>> cf.selftest().passed
    True
    """

    checks: tuple[Check, ...]
    environment: Mapping[str, str]

    @property
    def passed(self) -> bool:
        """Whether no number differs."""
        return not any(check.differ for check in self.checks)

    def verdict(self) -> str:
        """Whether this installation can be trusted."""
        failed = [check for check in self.checks if check.differ]
        total = sum(check.numbers for check in self.checks)
        if not failed:
            return f"All {counted(total, 'number')} agree: this installation computes what it should."
        names = ", ".join(check.name for check in failed)
        differ = sum(check.differ for check in failed)
        return (
            f"{differ:,} of {counted(total, 'number')} differ ({names}): do not trust this installation. Please report "
            "what this command prints."
        )

    def table(self) -> Table:
        """A row for each check."""
        lines = [f"{name} {value}" for name, value in self.environment.items()]
        examples = [example for check in self.checks for example in check.examples]
        return Table(
            {
                "check": [check.name for check in self.checks],
                "compared with": [check.compared_with for check in self.checks],
                "numbers": [check.numbers for check in self.checks],
                "differ": [check.differ for check in self.checks],
                "largest difference": [_power(check.largest) for check in self.checks],
            },
            notes=(", ".join(lines), *examples),
        )

    def rows(self) -> Table:
        """A row for each check."""
        return Table(
            {
                "check": [check.name for check in self.checks],
                "compared_with": [check.compared_with for check in self.checks],
                "numbers": [check.numbers for check in self.checks],
                "differ": [check.differ for check in self.checks],
                "largest_difference": [_power(check.largest) for check in self.checks],
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "passed": self.passed,
            "environment": dict(self.environment),
            "checks": [
                {
                    "check": check.name,
                    "compared_with": check.compared_with,
                    "numbers": check.numbers,
                    "differ": check.differ,
                    "largest_difference": check.largest if math.isfinite(check.largest) else None,
                    "examples": list(check.examples),
                }
                for check in self.checks
            ],
        }


def selftest() -> SelfTest:
    """Compare this installation with the numbers that other tools gave for the collection that comes with it.

    No network, no files but its own, a few seconds. The numbers were stored when this version was made; each row names
    the tool and its version.
    """
    stored = json.loads(files(__package__).joinpath("numbers.json").read_text(encoding="utf-8"))
    return SelfTest(tuple(_checks(stored)), _environment())


def _checks(stored: Mapping[str, Any]) -> Iterator[Check]:
    yield _collection(stored["collection"])
    trec_eval = stored["trec_eval"]
    yield _trec_eval_scores(trec_eval)
    runs = list(trec_eval["values"])
    scores = _evaluated(runs)
    yield _own_scores(trec_eval, scores)
    yield _tests(stored["scipy"], scores)
    yield _kappas(stored["scikit-learn"])
    yield _alphas(stored["krippendorff"])
    yield _loops()


def _collection(stored: Mapping[str, str]) -> Check:
    found = {
        name: hashlib.sha256(demo.path(name).read_bytes()).hexdigest() if name in demo.names() else "missing"
        for name in stored
    }
    changed = [name for name in stored if found[name] != stored[name]]
    examples = (f"not as released: {', '.join(changed)}",) if changed else ()
    return Check("collection", "checksums of its files", len(stored), len(changed), float(bool(changed)), examples)


def _trec_eval_scores(stored: Mapping[str, Any]) -> Check:
    """trec_eval's interface, all its measures."""
    judged = _dictionary("qrels.txt", 3, int)
    found: dict[str, float] = {}
    expected: dict[str, float] = {}
    for name, measures in _by_query(stored).items():
        by_query = pytrec_eval.RelevanceEvaluator(judged, pytrec_eval.supported_measures).evaluate(
            _dictionary(name, 4, float)
        )
        found |= {f"{name}, {query}, {m}": value for query, of in by_query.items() for m, value in of.items()}
        expected |= {f"{name}, {query}, {m}": value for m, of in measures.items() for query, value in of.items()}
    return _compared("trec_eval", stored["by"], found, expected, within=ROUNDING)


def _by_query(stored: Mapping[str, Any]) -> dict[str, dict[str, dict[str, float]]]:
    """For each run and measure, the score of each query that has one."""
    return {
        run: {name: dict(zip(of["queries"], values, strict=True)) for name, values in of["measures"].items()}
        for run, of in stored["values"].items()
    }


def _own_scores(stored: Mapping[str, Any], scores: Scores) -> Check:
    """The measures of `cranfield evaluate`, of files."""
    found: dict[str, float] = {}
    expected: dict[str, float] = {}
    for run, measures in _by_query(stored).items():
        for measure, its_name in AS_TREC_EVAL.items():
            values = scores.settled(measure)[scores.run_position(run.removesuffix(".run"))]
            for query, value in zip(scores.queries, values.tolist(), strict=True):
                found[f"{run}, {query}, {measure}"] = value
                expected[f"{run}, {query}, {measure}"] = measures[its_name].get(query, 0.0)
    return _compared("evaluate", stored["by"], found, expected, within=ROUNDING)


def _tests(stored: Mapping[str, Any], scores: Scores) -> Check:
    """The p of the difference between the two runs."""
    compared = scores.with_measures(["nDCG@10"])
    found = {
        "t": compare(compared, test="t").differences[0].p,
        "sign": compare(compared, test="sign").differences[0].p,
    }
    return _compared("compare: p", stored["by"], found, stored["values"], within=ROUNDING)


def _kappas(stored: Mapping[str, Any]) -> Check:
    found: dict[str, float] = {}
    expected: dict[str, float] = {}
    for pair in agree(demo.path("labels.csv"), interval="analytic").pairs:
        for kind, given in {
            "kappa": pair.kappa,
            "linear kappa": pair.linear,
            "quadratic kappa": pair.quadratic,
        }.items():
            found[f"{pair.one} {pair.other}, {kind}"] = given.value
    for judges, of in stored["values"].items():
        expected |= {f"{judges}, {kind}": value for kind, value in of.items()}
    return _compared("agree: kappas", stored["by"], found, expected, within=ROUNDING)


def _alphas(stored: Mapping[str, Any]) -> Check:
    coefficients = agree(demo.path("labels.csv"), interval="analytic").coefficients
    start = "Krippendorff's alpha ("
    found = {one.name.removeprefix(start)[:-1]: one.value for one in coefficients if one.name.startswith(start)}
    expected = stored["values"]
    return _compared("agree: alphas", stored["by"], {n: found[n] for n in expected}, expected, within=ROUNDING)


def _loops() -> Check:
    """Compiled and plain loops: files and dictionaries, the same to the last bit."""
    name, tool = "compiled loops", "plain loops"
    if not kernels.are_compiled():
        return Check(name, NOTHING_BUILT, 0, 0, 0.0)
    runs = [file for file in demo.names() if file.endswith(".run")]
    compiled = _of_both_sources(runs)
    with kernels.plain_only():
        plain = _of_both_sources(runs)
    return _compared(name, tool, compiled, plain, within=0)


def _of_both_sources(runs: list[str]) -> dict[str, float]:
    read = _evaluated(runs)
    judged = _dictionary("qrels.txt", 3, int)
    given = evaluate(judged, {run: _dictionary(run, 4, float) for run in runs}, list(AS_TREC_EVAL))
    found: dict[str, float] = {}
    for source, scores in {"file": read, "dictionary": given}.items():
        for measure in AS_TREC_EVAL:
            for run, values in zip(runs, scores.settled(measure).tolist(), strict=True):
                of_queries = zip(scores.queries, values, strict=True)
                found |= {f"{source}, {run}, {query}, {measure}": value for query, value in of_queries}
    return found


def _evaluated(runs: list[str]) -> Scores:
    return evaluate(read_judgments(demo.path("qrels.txt")), [demo.path(run) for run in runs], list(AS_TREC_EVAL))


def _dictionary(name: str, column: int, number: type[int] | type[float]) -> dict[str, dict[str, Any]]:
    """A file in TREC format as other tools read it: what is compared here should not depend on our readers alone."""
    found: dict[str, dict[str, Any]] = {}
    for line in demo.path(name).read_text(encoding="utf-8").splitlines():
        words = line.split()
        found.setdefault(words[0], {})[words[2]] = number(words[column])
    return found


def _compared(name: str, tool: str, found: Numbers, expected: Numbers, *, within: float) -> Check:
    missing = sorted(found.keys() ^ expected.keys())
    shared = sorted(found.keys() & expected.keys())
    apart = np.abs([found[key] - expected[key] for key in shared])
    wrong = [key for key, distance in zip(shared, apart.tolist(), strict=True) if not distance <= within]
    examples = [f"{name}: {key} is {found[key]!r}, not {expected[key]!r}" for key in wrong[:3]]
    examples += [f"{name}: {key} is in one of the two only" for key in missing[:3]]
    return Check(
        name,
        tool,
        len(shared) + len(missing),
        len(wrong) + len(missing),
        math.inf if missing else float(apart.max()),
        tuple(examples),
    )


def _power(largest: float) -> str:
    return "0" if largest == 0 else f"{largest:.0e}"


def _environment() -> dict[str, str]:
    import scipy

    loops = "compiled loops" if kernels.are_compiled() else "plain loops"
    return {
        "cranfield": f"{VERSION} ({loops})",
        "Python": platform.python_version(),
        "NumPy": np.__version__,
        "SciPy": scipy.__version__,
        platform.system(): platform.machine(),
    }
