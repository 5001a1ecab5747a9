"""The stored outputs of both versions on real runs, byte for byte: every line of every file."""

from __future__ import annotations

import pytest

from cranfield.compat.trec_eval import trec_eval
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA
from tests.parity.collections import COLLECTIONS, Reference, references, text

pytestmark = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)

ARGUMENTS = {
    "default": "-m all_trec",
    "c": "-m all_trec -c",
    "l2": "-m all_trec -l 2",
    "J": "-m all_trec -J",
    "M10": "-m all_trec -M 10",
    "M100": "-m all_trec -M 100",
    "c-l2-M100": "-m all_trec -c -l 2 -M 100",
    "params": "-m P.1,3,7 -m recall.3,50 -m ndcg_cut.1,3,7 -m ndcg.1=1,2=3,3=7 -m iprec_at_recall.0.25,0.75 "
    "-m Rprec_mult.0.5,1.5 -m utility.2,-1,0,0 -m 11pt_avg.0.25,0.5,0.75 -m success.2,4 -m set_F.0.5 "
    "-m map_cut.7,50 -m relative_P.5,10 -m binG -m G -m Rndcg -m ndcg_rel -m yaap -m relstring.20 "
    "-m num_nonrel_judged_ret",
    "qrels_prefs": "-R qrels_prefs -m all_prefs",
}
WITHOUT_QUERIES = {"09-recsys-lastfm"}
"""Of this collection only the summary is stored."""


def each(version: str):
    found = [one for one in references(f"trec_eval-{version}", ".txt.gz") if one.variant in ARGUMENTS]
    names = [f"{one.folder[:2]}-{one.run}-{one.variant}" for one in found]
    return pytest.mark.parametrize("reference", found, ids=names)


@each("10.0-rc3")
def test_version_10_prints_the_same_bytes(reference):
    assert_prints_the_same_bytes(reference, "10.0")


@each("9.0.8")
def test_version_9_prints_the_same_bytes(reference):
    assert_prints_the_same_bytes(reference, "9.0.8")


def test_every_stored_file_is_compared():
    stored = [one for version in ("9.0.8", "10.0-rc3") for one in references(f"trec_eval-{version}", ".txt.gz")]
    assert {one.variant for one in stored} == {*ARGUMENTS}
    assert len(stored) > 100


def assert_prints_the_same_bytes(reference: Reference, version: str) -> None:
    collection = next(one for one in COLLECTIONS if one.folder == reference.folder)
    paths = [collection.qrels, collection.runs.replace("*", reference.run)]
    outcome = trec_eval(
        [
            *("--like", version),
            *ARGUMENTS[reference.variant].split(),
            *([] if reference.folder in WITHOUT_QUERIES else ["-q"]),
            *(str(SHARED_DATA / reference.folder / path) for path in paths),
        ]
    )
    expected = text(reference.path)
    # Which shows the lines that differ, and not the whole.
    differing = [
        (ours, theirs)
        for ours, theirs in zip(outcome.output.decode().splitlines(), expected.splitlines(), strict=True)
        if ours != theirs
    ]
    assert differing == []
    assert outcome.output == expected.encode()
    assert outcome.code == 0
    assert len(expected) > 2000
