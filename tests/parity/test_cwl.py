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
"""EU, ETU, EC, ETC and ED as the README of cwl_eval prints them, every document costing 1."""


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
