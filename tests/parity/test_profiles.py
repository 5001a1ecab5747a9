"""Each profile gives the numbers that its tool printed."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math

import pytest

import cranfield as cf
from cranfield.errors import UsageError
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA
from tests.parity.collections import judgments, references, run, text, trec_eval_lines

pytestmark = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)

UNDEFINED = {"rbp", "rbp_resid"}
"""What trec_eval 10 computes from memory that nobody set, or leaves out."""


def names(lines):
    """The measures printed that are numbers, by their printed name."""
    known = {}
    for name in dict.fromkeys(lines):
        if name not in UNDEFINED:
            try:
                known[name] = cf.parse(name)
            except UsageError:
                assert name in ("runid", "relstring") or "," in name, name
    return list(known)


def ours(scores, at, query):
    """A query's score, or the mean; where it is undefined, tools print 0."""
    if query in ("all", "amean"):
        return scores.mean(scores.measures[at]).value
    value = float(scores.values[at, 0, scores.detail.judgments.position[query]])
    return 0.0 if math.isnan(value) else value


def trec_eval(version, variant):
    return [one for one in references(f"trec_eval-{version}", ".txt.gz") if one.variant == variant]


def test_there_is_something_to_compare_with():
    assert all(trec_eval(version, "default") for version in ("10.0-rc3", "9.0.8"))
    assert references("pytrec_eval", ".json.gz")
    assert references("ir_measures", ".tsv.gz")
    assert GDEVAL


@pytest.mark.parametrize("reference", trec_eval("10.0-rc3", "default"), ids=lambda one: one.run)
def test_trec_eval_10(reference):
    compare_with_trec_eval(reference, "trec_eval-10")


@pytest.mark.parametrize("reference", trec_eval("9.0.8", "default"), ids=lambda one: one.run)
def test_trec_eval_9(reference):
    compare_with_trec_eval(reference, "trec_eval-9")


def compare_with_trec_eval(reference, profile):
    lines = list(trec_eval_lines(reference.path))
    known = names(name for name, _, _ in lines)
    scores = cf.evaluate(judgments(reference.folder), run(reference.folder, reference.run), known, profile=profile)
    compared = 0
    for name, query, printed in lines:
        if name in known:
            value = ours(scores, known.index(name), query)
            # Five printed values lie between two digits; the command `trec-eval` has those to the last bit.
            assert value == pytest.approx(float(printed), abs=0.5001e-4), (name, query)
            compared += 1
    assert compared > 1000


@pytest.mark.parametrize(
    "reference",
    [one for one in references("pytrec_eval", ".json.gz") if one.variant == "default"],
    ids=lambda one: one.run,
)
def test_pytrec_eval(reference):
    theirs = json.loads(gzip.decompress(reference.path.read_bytes()))
    known = [name for name in names(next(iter(theirs.values()))) if not name.startswith("gm_")]
    scores = cf.evaluate(
        judgments(reference.folder), run(reference.folder, reference.run), known, profile="pytrec_eval"
    )
    for query, values in theirs.items():
        at = scores.detail.judgments.position[query]
        zeros = [0.0 if math.isnan(value) else value for value in scores.values[:, 0, at].tolist()]
        assert zeros == pytest.approx([values[name] for name in known], abs=1e-12)
    assert len(theirs) * len(known) > 1000


@pytest.mark.parametrize("reference", references("ir_measures", ".tsv.gz"), ids=lambda one: one.run)
def test_ir_measures(reference):
    rows = list(csv.reader(io.StringIO(text(reference.path)), delimiter="\t"))[1:]
    known = [name for name in dict.fromkeys(row[1] for row in rows) if is_known(name)]
    scores = cf.evaluate(
        judgments(reference.folder), run(reference.folder, reference.run), known, profile="ir_measures"
    )
    compared = 0
    for query, name, value in rows:
        if name in known:
            # gdeval, which it calls for these, prints five decimals.
            digits = 6e-6 if name.startswith("ERR") or "exp" in name else 1e-9
            assert ours(scores, known.index(name), query) == pytest.approx(float(value), abs=digits), name
            compared += 1
    assert compared > 1000


def is_known(name):
    if name == "NumRet(rel=1)":  # what ir_measures calls the number of relevant documents retrieved
        return False
    try:
        cf.parse(name)
    except UsageError:
        return False
    return True


WEB = SHARED_DATA / "04-web2012-diversity"


GDEVAL = [path for path in sorted((WEB / "reference" / "gdeval").glob("*.csv")) if "risk" not in path.stem]


@pytest.mark.parametrize("path", GDEVAL, ids=lambda path: path.stem)
def test_gdeval(path):
    name, _, variant = path.stem.partition(".")
    cutoff = int(variant.rpartition("k")[2])
    scores = cf.evaluate(
        judgments(WEB.name),
        run(WEB.name, name),
        f"nDCG@{cutoff} ERR@{cutoff}",
        profile="gdeval",
        average_over="judged" if variant.startswith("c") else None,
    )
    compared = 0
    for row in csv.reader(path.read_text().splitlines()[1:]):
        for at, printed in enumerate(row[2:]):
            assert ours(scores, at, row[1]) == pytest.approx(float(printed), abs=0.5001e-5)
            compared += 1
    assert compared > 80


@pytest.mark.parametrize(
    "path", sorted((WEB / "reference" / "ndeval").glob("*.default.csv")), ids=lambda path: path.stem
)
def test_ndeval(path):
    header, *rows = csv.reader(path.read_text().splitlines())
    qrels = cf.read_judgments(WEB / "qrels.ndeval.txt.gz", groups="subtopic")
    scores = cf.evaluate(qrels, run(WEB.name, path.name.partition(".")[0]), header[2:], profile="ndeval")
    for row in rows:
        for at, printed in enumerate(row[2:]):
            assert ours(scores, at, row[1]) == pytest.approx(float(printed), abs=0.5001e-6)
    assert len(rows) == 51
