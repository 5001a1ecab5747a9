"""Several judges and preferences: the same numbers as trec_eval prints with -R qrels_jg, prefs and qrels_prefs."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import cranfield as cf
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA
from tests.parity.collections import references, run, trec_eval_lines

pytestmark = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)

TESTS = SHARED_DATA / "01-trec_eval-tests"
SKIPPED = ("runid", "num_q")
"""What is printed beside measures of several grades."""


def assert_prints_the_same(expected: Path, judgments: Path, results: object, version: str) -> int:
    """Compare every line; gives how many there were."""
    lines = [line for line in trec_eval_lines(expected) if line[0] not in SKIPPED]
    measures = {name: cf.parse(name) for name, _, _ in lines}
    profile = f"trec_eval-{version}"
    scores = cf.evaluate(judgments, results, list(measures.values()), profile=profile, average_over="answered")
    for name, query, printed in lines:
        measure = measures[name]
        if query == "all":
            value = scores.mean(measure).value
        else:
            value = float(scores[measure][0, scores.detail.judgments.position[query]])
        value = 0.0 if math.isnan(value) else value
        assert (f"{value:.4f}" if "." in printed else f"{value:.0f}") == printed, (name, query)
    return len(lines)


@pytest.mark.parametrize("version", ["9", "10"])
@pytest.mark.parametrize(
    ("expected", "judgments", "results", "values"),
    [
        ("out.test.prefs", "prefs.test", "prefs.results.test", 350),
        ("out.test.qrels_prefs", "qrels.test", "results.test", 56),
        ("out.test.qrels_jg", "qrels.123.gz", "results.test", 80),
    ],
)
def test_trec_eval_s_own_tests(version, expected, judgments, results, values):
    folder = {"9": "expected-9.0.8", "10": "expected-10.0-rc3"}[version]
    inputs = TESTS / "inputs"
    compared = assert_prints_the_same(TESTS / folder / expected, inputs / judgments, inputs / results, version)
    assert compared == values


@pytest.mark.parametrize(
    ("expected", "judgments", "results"),
    [
        ("out.test.prefs", "prefs.comment.test", "prefs.results.test"),
        ("out.test.qrels_jg", "qrels.comments.123.gz", "results.test"),
    ],
)
def test_comments_change_nothing(expected, judgments, results):
    inputs = TESTS / "inputs"
    assert assert_prints_the_same(TESTS / "expected-10.0-rc3" / expected, inputs / judgments, inputs / results, "10")


DL19 = [reference for reference in references("trec_eval-9.0.8", ".txt.gz") if reference.variant == "qrels_prefs"]


def test_there_are_preferences_of_three_runs():
    assert len(DL19) == 3


@pytest.mark.parametrize("reference", DL19, ids=lambda reference: reference.run)
def test_grades_as_preferences_on_a_real_collection(reference):
    judgments = SHARED_DATA / reference.folder / "qrels.dl19-passage.txt"
    compared = assert_prints_the_same(reference.path, judgments, run(reference.folder, reference.run), "9")
    assert compared == 44 * 14  # 43 queries and all of them
