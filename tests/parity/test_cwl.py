"""The same numbers as cwl_eval: those its README shows, and those ir_measures got from it on real runs."""

from __future__ import annotations

import re

import numpy as np
import pytest

import cranfield as cf
from cranfield.notation import ranking
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA
from tests.parity.collections import judgments, references, run, text

COLUMNS = ("utility", "total_utility", "cost", "total_cost", "depth")

README = ranking("(1)0(0.2)(0.6)00(0.2)-(1)0")
"""The ranking of the sample output, topic T1."""

SAMPLE = {
    "cwlP@20": (0.150, 3.000, 1.000, 20.000, 20.000),
    "cwlP@10": (0.300, 3.000, 1.000, 10.000, 10.000),
    "cwlP@5": (0.360, 1.800, 1.000, 5.000, 5.000),
    "cwlP@1": (1.000, 1.000, 1.000, 1.000, 1.000),
    "RBP(p=0.5,gain=graded)": (0.566, 1.132, 1.000, 2.000, 2.000),
    "RBP(p=0.9,gain=graded)": (0.214, 2.136, 1.000, 10.000, 10.000),
    "cwlRR": (1.000, 1.000, 1.000, 1.000, 1.000),
    "U(L=50)": (0.109, 2.772, 1.000, 25.500, 25.500),
    "U(L=10)": (0.338, 1.860, 1.000, 5.500, 5.500),
    "TBG(halflife=22)": (0.083, 2.676, 1.000, 32.242, 32.242),
    "IFT(rule=goal,T=2,R1=1)": (0.456, 1.323, 1.000, 2.903, 2.903),
    "IFT(rule=goal,T=2,R1=10)": (0.308, 2.078, 1.000, 6.738, 6.738),
    "IFT(rule=goal,T=2,R1=100)": (0.289, 2.224, 1.000, 7.698, 7.698),
    "IFT(rule=rate,A=0.2,R2=1)": (0.463, 1.255, 1.000, 2.711, 2.711),
    "IFT(rule=rate,A=0.2,R2=10)": (0.293, 2.040, 1.000, 6.965, 6.965),
    "IFT(rule=rate,A=0.2,R2=100)": (0.197, 2.994, 1.000, 15.208, 15.208),
    "IFT(T=2,R1=10,A=0.2,R2=10)": (0.329, 1.804, 1.000, 5.487, 5.487),
    "IFT(T=2,R1=100,A=0.2,R2=100)": (0.289, 2.223, 1.000, 7.697, 7.697),
    "SDCG@10": (0.380, 1.726, 1.000, 4.544, 4.544),
    "SDCG@5": (0.461, 1.358, 1.000, 2.948, 2.948),
    "INST(T=2)": (0.401, 1.303, 1.000, 3.242, 3.247),
    "INST(T=1)": (0.680, 1.071, 1.000, 1.574, 1.575),
    "INSQ(T=2)": (0.316, 1.428, 1.000, 4.509, 4.525),
    "INSQ(T=1)": (0.465, 1.198, 1.000, 2.572, 2.576),
    "BPM(T=1)@1000": (1.000, 1.000, 1.000, 1.000, 1.000),
    "BPM(T=1000)@10": (0.300, 3.000, 1.000, 10.000, 10.000),
    "BPM(T=1.2)@10": (0.400, 1.200, 1.000, 3.000, 3.000),
    "BPM(T=1,hb=1)@1000": (1.000, 1.000, 1.000, 1.000, 1.000),
    "BPM(T=1000,hb=1)@10": (0.300, 3.000, 1.000, 10.000, 10.000),
    "BPM(T=1.2,hb=1)@10": (0.400, 1.200, 1.000, 3.000, 3.000),
}
"""EU, ETU, EC, ETC and ED as the README of cwl_eval prints them, every document costing 1.

Only its AP is left out: those numbers are of an AP before the one that cwl_eval has now."""


@pytest.mark.parametrize("name", SAMPLE)
def test_cwl_eval_s_own_sample_output(name):
    measure = cf.parse(name)
    assert [f"{measure(expected=column)(README):.3f}" for column in COLUMNS] == [f"{x:.3f}" for x in SAMPLE[name]]


FROM_CWL_EVAL = re.compile(r"(RBP|INST|INSQ|SDCG|BPM|NERR\d+)[(@].*")
"""Measures for which ir_measures asks cwl_eval."""

FOUND = references("ir_measures", ".tsv.gz")


@pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)
@pytest.mark.parametrize("reference", FOUND, ids=[f"{one.folder[:2]}-{one.run}" for one in FOUND])
def test_ir_measures_got_the_same_from_cwl_eval(reference):
    rows = [line.split("\t") for line in text(reference.path).splitlines()[1:]]
    rows = [row for row in rows if FROM_CWL_EVAL.fullmatch(row[1])]
    measures = {name: cf.parse(name) for name in dict.fromkeys(name for _, name, _ in rows)}
    assert len(measures) >= 11
    # It keeps documents with equal scores in the order of the file.
    scores = cf.evaluate(
        judgments(reference.folder), run(reference.folder, reference.run), list(measures.values()), ties="given"
    )
    ours = {
        (name, query): value
        for name, measure in measures.items()
        for query, value in [*zip(scores.queries, scores[measure][0], strict=True), ("all", scores.mean(measure).value)]
    }
    theirs = {(name, query): float(value) for query, name, value in rows}
    assert len(theirs) == len(rows) == len(measures) * (len(scores.queries) + 1)
    np.testing.assert_allclose([ours[place] for place in theirs], list(theirs.values()), rtol=1e-10, atol=1e-15)
