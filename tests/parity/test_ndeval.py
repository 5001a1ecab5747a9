"""Diversity: the same numbers as ndeval and pyndeval, query by query, on real runs."""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA
from tests.parity.collections import run, text

pytestmark = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)

FOLDER = "04-web2012-diversity"
OPTIONS = {
    "default": {"ties": "given"},
    "traditional": {"ties": "document"},
    "c": {"ties": "given", "average_over": "judged"},
    "c-traditional": {"ties": "document", "average_over": "judged"},
    "M5": {"ties": "given", "depth": 5},
    "alpha09-beta08": {"ties": "given"},
}
"""ndeval's command lines as settings; it orders by the rank column, which is the order of these files."""
WITHOUT_ALPHA = ("MAP-IA", "P-IA", "strec")

VALUES = 51 * 21
"""A row for each of 50 topics and one of means, with 21 measures each."""


def references(tool: str, suffix: str) -> list[Path]:
    return sorted((SHARED_DATA / FOLDER / "reference" / tool).glob(f"*{suffix}"))


@cache
def judgments() -> cf.Judgments:
    return cf.read_judgments(SHARED_DATA / FOLDER / "qrels.ndeval.txt.gz", groups="subtopic")


def measure(name: str, variant: str) -> cf.Measure:
    """The measure that ndeval prints under a name."""
    found = cf.parse(name)
    if variant != "alpha09-beta08" or name.startswith(WITHOUT_ALPHA):
        return found
    return found(alpha=0.9, beta=0.8) if "beta" in found.params else found(alpha=0.9)


NDEVAL = [path for path in references("ndeval", ".csv") if path.name.split(".")[1] in OPTIONS]


def test_there_are_six_outputs_for_each_of_four_runs():
    assert len(NDEVAL) == 4 * len(OPTIONS)


@pytest.mark.parametrize("path", NDEVAL, ids=lambda path: path.stem)
def test_ndeval_prints_the_same(path):
    system, variant = path.stem.split(".")
    rows = list(csv.DictReader(text(path).splitlines()))
    named = {name: measure(name, variant) for name in list(rows[0])[2:]}
    scores = cf.evaluate(judgments(), run(FOLDER, system), list(named.values()), **OPTIONS[variant])
    compared = 0
    for row in rows:
        for name, ours in named.items():
            if row["topic"] == "amean":
                value = scores.mean(ours).value
            else:
                value = scores[ours][0, scores.detail.judgments.position[row["topic"]]]
            # A topic without any relevant document is undefined here, and 0 there.
            assert f"{np.nan_to_num(value):.6f}" == row[name], (row["topic"], name)
            compared += 1
    assert compared == VALUES


COMPARED = {
    "indri-ql-cata-filtered": 1006,
    "indri-ql-catb-filtered": 997,
    "indri-rm-cata-filtered": 1032,
    "indri-rm-catb-filtered": 1019,
}
"""Of 50 topics with 21 measures each, how many scores of each run no order of equal scores moves."""


@pytest.mark.parametrize("system", COMPARED)
def test_pyndeval_gives_the_same_to_the_last_digits_where_no_order_of_equal_scores_matters(system):
    """Its order of equal scores is neither that of ndeval nor any that is told."""
    reference = json.loads(text(SHARED_DATA / FOLDER / "reference" / "pyndeval" / f"{system}.json.gz"))
    names = list(next(iter(reference.values())))
    scores = cf.evaluate(judgments(), run(FOLDER, system), names)
    (bounds,) = scores.tie_bounds().values()
    unmoved = (bounds.high - bounds.low < 1e-12) | (np.isnan(scores.values[:, 0]) & ~bounds.unknown)
    for row, at in np.argwhere(unmoved):
        theirs = reference[scores.queries[at]][names[row]]
        ours = np.nan_to_num(scores.values[row, 0, at])
        assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12), (scores.queries[at], names[row])
    assert unmoved.sum() == COMPARED[system]


def test_ndeval_s_profile_has_its_measures_and_choices():
    """What is compared above, without saying anything of measures and settings."""
    system = "indri-ql-cata-filtered"
    scores = cf.evaluate(judgments(), run(FOLDER, system), profile="ndeval")
    (amean,) = [
        row
        for row in csv.DictReader(
            text(SHARED_DATA / FOLDER / "reference" / "ndeval" / f"{system}.default.csv").splitlines()
        )
        if row["topic"] == "amean"
    ]
    assert len(scores.measures) == 21
    assert {f"{scores.mean(cf.parse(name)).value:.6f}" for name in list(amean)[2:]} == set(list(amean.values())[2:])
