"""The numbers of other tools that `cranfield selftest` compares with: `python -m tools.reference_numbers` writes them.

They are about the collection that comes with the package. Nothing here calls cranfield's measures, tests or
coefficients.
"""

from __future__ import annotations

import csv
import hashlib
import itertools
import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cranfield import demo

HOME = Path(__file__).resolve().parent.parent / "src" / "cranfield" / "self_testing" / "numbers.json"
RUNS = ("title.run", "hybrid.run")
"""One with tied scores and silent queries, and one with neither."""
TESTED = "ndcg_cut_10"
"""By this the two runs are compared."""


def main() -> None:
    """Write the file."""
    HOME.write_text(json.dumps(numbers(), separators=(",", ":")) + "\n", encoding="utf-8", newline="\n")


def numbers() -> dict[str, Any]:
    """Everything: from which tool and version, and what it gave."""
    import pytrec_eval

    with demo.path("qrels.txt").open() as qrels:
        judged = pytrec_eval.parse_qrel(qrels)
    runs = {name: _read(name) for name in RUNS}
    scored = {name: _trec_eval(judged, run) for name, run in runs.items()}
    tested = [dict(zip(of["queries"], of["measures"][TESTED], strict=True)) for of in reversed(scored.values())]
    return {
        "collection": {name: hashlib.sha256(demo.path(name).read_bytes()).hexdigest() for name in demo.names()},
        "trec_eval": _by("pytrec_eval-terrier", scored),
        "scipy": _by("scipy", _tests(*tested)),
        "scikit-learn": _by("scikit-learn", _kappas()),
        "krippendorff": _by("krippendorff", _alphas()),
    }


def _by(package: str, values: Any) -> dict[str, Any]:
    return {"by": f"{package} {version(package)}", "values": values}


def _read(name: str) -> dict[str, dict[str, float]]:
    import pytrec_eval

    with demo.path(name).open() as run:
        return pytrec_eval.parse_run(run)


def _trec_eval(judged: Any, run: Any) -> dict[str, Any]:
    """Queries, and the scores of each measure in their order."""
    import pytrec_eval

    found = pytrec_eval.RelevanceEvaluator(judged, pytrec_eval.supported_measures).evaluate(run)
    names, queries = sorted(next(iter(found.values()))), sorted(found)
    return {"queries": queries, "measures": {name: [found[query][name] for query in queries] for name in names}}


def _tests(first: dict[str, float], second: dict[str, float]) -> dict[str, float]:
    from scipy import stats

    queries = sorted(set(first) | set(second))
    a, b = ([of.get(query, 0.0) for query in queries] for of in (first, second))
    pairs = list(zip(a, b, strict=True))
    better, worse = sum(x > y for x, y in pairs), sum(x < y for x, y in pairs)
    return {
        "t": float(stats.ttest_rel(a, b).pvalue),
        "sign": float(stats.binomtest(better, better + worse).pvalue),
    }


def _grades() -> dict[str, dict[tuple[str, str], int]]:
    """For each judge, the grades by query and document."""
    found: dict[str, dict[tuple[str, str], int]] = {}
    with demo.path("labels.csv").open(encoding="utf-8", newline="") as labels:
        for row in csv.DictReader(labels):
            found.setdefault(row["judge"], {})[row["query"], row["document"]] = int(row["grade"])
    return found


def _kappas() -> dict[str, dict[str, float]]:
    """Cohen's kappa of each two judges, and with linear and quadratic weights."""
    from sklearn.metrics import cohen_kappa_score

    grades = _grades()
    found: dict[str, dict[str, float]] = {}
    for one, other in itertools.combinations(sorted(grades), 2):
        both = sorted(grades[one].keys() & grades[other].keys())
        given = [[grades[judge][item] for item in both] for judge in (one, other)]
        kinds = {"kappa": None, "linear kappa": "linear", "quadratic kappa": "quadratic"}
        found[f"{one} {other}"] = {
            kind: float(cohen_kappa_score(*given, weights=weights)) for kind, weights in kinds.items()
        }
    return found


def _alphas() -> dict[str, float]:
    import krippendorff

    grades = _grades()
    items = sorted(set().union(*grades.values()))
    table = [[grades[judge].get(item, float("nan")) for item in items] for judge in sorted(grades)]
    return {
        level: float(krippendorff.alpha(reliability_data=table, level_of_measurement=level, value_domain=[0, 1, 2, 3]))
        for level in ("nominal", "ordinal", "interval")
    }


if __name__ == "__main__":
    main()
