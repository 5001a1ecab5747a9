"""The same numbers as NTCIREVAL, in every digit it prints, on the sample that comes with it."""

from __future__ import annotations

import re

import pytest

import cranfield as cf
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA

pytestmark = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)

SAMPLE = SHARED_DATA / "11-ntcireval-sample"
GAINS = {"1:2:3": {1: 1, 2: 2, 3: 3}, "1:4:9": {1: 1, 2: 4, 3: 9}}
OUTPUTS = {
    "res_test_compute": ("1:2:3", False),
    "res_test_compute_cutoff": ("1:2:3", False),
    "res_test_compute_grade": ("1:4:9", False),
    "res_test_compute_label_j": ("1:2:3", True),
}
"""Each output: the gains of grades 1, 2 and 3, and whether the list was condensed."""

DEFAULTS = {"RBP": {"p": 0.95}, "NCU": {"gamma": 0.95}, "nDCG": {"discount": "jk"}, "AP": {"norm": "min"}}
"""What NTCIREVAL's names mean unless told otherwise."""


@pytest.mark.parametrize("output", OUTPUTS)
def test_every_score_is_the_same(output):
    gains, condensed = OUTPUTS[output]
    printed = dict(re.findall(r"^ ([\w,@-]+)= +(\S+)$", (SAMPLE / f"{output}.txt").read_text(), re.MULTILINE))
    assert len(printed) == 19
    judgments, run = {"q": grades()}, {"q": retrieved()}
    for name, value in printed.items():
        measure = measure_printed_as(name)(judged_only=condensed)
        if "gain" in measure.definition.parameters:
            measure = measure(gain=GAINS[gains])
        scores = cf.evaluate(judgments, run, measure)
        assert f"{scores.mean(measure).value:.4f}" == value, name


@pytest.mark.parametrize("output", OUTPUTS)
def test_every_count_is_the_same(output):
    counted = dict(re.findall(r"(\w+)=(\d+)(?= |$)", (SAMPLE / f"{output}.txt").read_text(), re.MULTILINE))
    judged_only = OUTPUTS[output][1]
    measures = [
        cf.measures.NumRet(judged_only=judged_only),
        cf.measures.NumRel,
        cf.measures.SL(judged_only=judged_only),
    ]
    scores = cf.evaluate({"q": grades()}, {"q": retrieved()}, measures)
    found = [scores.mean(measure).value for measure in measures]
    assert found == [int(counted[name]) for name in ("syslen", "jrel", "r1")]


def test_the_condensed_list_is_the_one_without_unjudged_documents():
    condensed = [line.split()[0] for line in (SAMPLE / "sample-j.lab").read_text().splitlines()]
    assert condensed == [document for document in retrieved() if document in grades()]


def measure_printed_as(name: str) -> cf.Measure:
    measure = cf.parse(name)
    if name == "AP" or name.startswith("MS"):
        return measure
    return measure(**DEFAULTS.get(measure.name, {}))


def grades() -> dict[str, int]:
    rows = (line.split() for line in (SAMPLE / "sample.rel").read_text().splitlines())
    return {document: int(level.removeprefix("L")) for document, level in rows}


def retrieved() -> list[str]:
    return (SAMPLE / "sample.res").read_text().split()
