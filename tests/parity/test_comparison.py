"""Comparing systems: SciPy's numbers, computed by others, on the scores of 37 runs for 43 queries."""

from __future__ import annotations

import csv
import gzip
import re
from pathlib import Path

import numpy as np
import pytest

from cranfield.comparing import kendall_tau_b, signed_rank_test, spearman, t_test

FOLDER = "12-system-topic-matrix-dl19"


@pytest.fixture(scope="module")
def folder(shared_data: Path) -> Path:
    return shared_data / FOLDER


@pytest.fixture(scope="module")
def reference(folder: Path) -> dict[str, str]:
    with (folder / "reference.tsv").open() as file:
        return {row["what"]: row["value"] for row in csv.DictReader(file, delimiter="\t")}


@pytest.fixture(scope="module")
def ndcg(folder: Path) -> dict[str, dict[str, float]]:
    with (folder / "dl19.ndcg_cut_10.csv").open() as file:
        return _by_run(csv.reader(file))


@pytest.fixture(scope="module")
def compatibility(folder: Path) -> dict[str, dict[str, float]]:
    with gzip.open(folder / "dl19.compatibility.csv.gz", "rt") as file:
        return _by_run(csv.reader(file))


def _by_run(rows) -> dict[str, dict[str, float]]:
    scores: dict[str, dict[str, float]] = {}
    for run, topic, value in list(rows)[1:]:
        scores.setdefault(run, {})[topic] = float(value)
    return scores


def _differences(ndcg, name: str) -> np.ndarray:
    one, two = re.search(r"(\S+) vs (\S+)", name).groups()
    topics = sorted(_topics(ndcg[one]))
    assert len(topics) == 43
    return np.array([ndcg[one][topic] - ndcg[two][topic] for topic in topics])


def test_paired_t_tests(reference, ndcg):
    names = [name for name in reference if name.startswith("paired t-test")]
    assert len(names) == 4
    for name in names:
        result = t_test(_differences(ndcg, name))
        assert (result.statistic, result.p) == pytest.approx(_two(reference[name]), rel=1e-9)


def test_wilcoxon_tests(reference, ndcg):
    names = [name for name in reference if name.startswith("wilcoxon")]
    same = [name for name in names if "idst_bert_pr2" not in name]
    assert (len(names), len(same)) == (4, 3)
    for name in same:
        result = signed_rank_test(_differences(ndcg, name), method="normal approximation")
        assert (_smaller(result, ndcg, name), result.p) == pytest.approx(_two(reference[name]), rel=1e-9)


def test_a_wilcoxon_test_in_which_scipy_breaks_a_tie_by_rounding(reference, ndcg):
    from scipy.stats import wilcoxon

    (name,) = [name for name in reference if name.startswith("wilcoxon") and "idst_bert_pr2" in name]
    differences = _differences(ndcg, name)
    assert wilcoxon(differences).pvalue == pytest.approx(_two(reference[name])[1], rel=1e-9)
    in_whole_numbers = wilcoxon(np.rint(10_000 * differences))
    result = signed_rank_test(differences, method="normal approximation")
    assert (_smaller(result, ndcg, name), result.p) == pytest.approx(tuple(in_whole_numbers), rel=1e-9)
    assert result.p != pytest.approx(_two(reference[name])[1], rel=1e-3)


def _smaller(result, ndcg, name: str) -> float:
    """SciPy's statistic: the smaller of the two sums of ranks."""
    ranked = int((np.abs(_differences(ndcg, name)) > 1e-9).sum())
    return min(result.statistic, ranked * (ranked + 1) / 2 - result.statistic)


def test_rank_correlations(reference, ndcg, compatibility):
    runs = sorted(ndcg)
    assert runs == sorted(compatibility)
    assert len(runs) == 37
    means = [[np.mean(list(_topics(scores[run]).values())) for run in runs] for scores in (ndcg, compatibility)]
    averages = [[scores[run]["average"] for run in runs] for scores in (ndcg, compatibility)]
    tau, tau_of_averages, rho = (
        float(value) for what, value in reference.items() if re.match("kendall|spearman", what)
    )
    assert kendall_tau_b(*means) == pytest.approx(tau, rel=1e-9)
    assert kendall_tau_b(*averages) == pytest.approx(tau_of_averages, rel=1e-9)
    assert spearman(*means) == pytest.approx(rho, rel=1e-9)


def _topics(scores: dict[str, float]) -> dict[str, float]:
    return {topic: value for topic, value in scores.items() if topic != "average"}


def _two(text: str) -> tuple[float, float]:
    one, two = text.split(";")
    return float(one), float(two)
