"""Collections people use, where they are at hand."""

import pytest

from cranfield.errors import Findings
from cranfield.formats import kind_of, read_judgments, read_run
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA
from tests.formats.reading import kinds, rankings, wrong_in_judgments, wrong_in_run

pytestmark = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)

QRELS = {
    "02-dl19-passage/qrels.dl19-passage.txt": (43, 9260),
    "03-robust03/qrels.robust03.txt.gz": (100, 128_796),
    "05-beir-scifact/qrels.trec.txt": (300, 339),
    "05-beir-scifact/qrels/test.tsv": (300, 339),
    "05-beir-scifact/qrels/train.tsv": (809, 919),
    "05-beir-scifact/other-qrels/scidocs-test.tsv.gz": (1000, 29_928),
    "05-beir-scifact/other-qrels/nfcorpus-test.trec.txt.gz": (323, 12_334),
    "09-recsys-lastfm/test.qrels.txt.gz": (1858, 10_533),
    "09-recsys-lastfm/test.tsv.gz": (1858, 10_533),
    "10-cacm-smoke/qrels.cacm.txt": (52, 796),
    "01-trec_eval-tests/inputs/qrels.test.with-comments": (3, 3681),
    "04-web2012-diversity/qrels.adhoc.txt.gz": (50, 16_055),
    "13-dirty-inputs/mixed-tabs-and-spaces.qrels": (300, 339),
    "13-dirty-inputs/float-iteration-column.qrels": (4, 1500),
}
RUNS = {
    "02-dl19-passage/runs/ICT-BERT2.run.gz": (200, 4000),
    "02-dl19-passage/runs/ICT-CKNRM_B.run.gz": (200, 4000),
    "02-dl19-passage/runs/ICT-CKNRM_B50.run.gz": (200, 10_000),
    "02-dl19-passage/runs/tilde-bm25.run.gz": (43, 43_000),
    "03-robust03/runs/NLPR03vb10.run.gz": (100, 1004),
    "03-robust03/runs/humR03dc.run.gz": (100, 10_000),
    "03-robust03/runs/pircRBa1.run.gz": (100, 100_000),
    "03-robust03/runs/uic0301.run.gz": (100, 99_969),
    "05-beir-scifact/runs/bm25plus-titles-text.run.gz": (300, 29_712),
    "05-beir-scifact/runs/bm25plus-titles.run.gz": (300, 28_022),
    "09-recsys-lastfm/mostpop.run.gz": (1858, 92_900),
    "10-cacm-smoke/cacm-bm25.run": (64, 1920),
    "01-trec_eval-tests/inputs/results.comment.test.gz": (301, 30_100),
}


@pytest.mark.parametrize("path", QRELS)
def test_judgments_are_recognised_and_read(path):
    judgments = read_judgments(SHARED_DATA / path)
    assert (len(judgments.queries), len(judgments)) == QRELS[path]
    assert judgments.warnings == ()
    assert kind_of(SHARED_DATA / path) == "judgments"


@pytest.mark.parametrize("path", RUNS)
def test_runs_are_recognised_and_read(path):
    findings = Findings()
    read = rankings(read_run(SHARED_DATA / path), findings)
    assert (len(read), sum(len(ranking.documents) for ranking in read.values())) == RUNS[path]
    assert findings.all == []
    assert kind_of(SHARED_DATA / path) == "run"


def test_the_same_judgments_in_two_formats_are_equal():
    beir, trec = (
        read_judgments(SHARED_DATA / "05-beir-scifact" / name) for name in ("qrels/test.tsv", "qrels.trec.txt")
    )
    assert {query: beir[query] for query in beir.queries} == {query: trec[query] for query in trec.queries}


def test_documents_listed_twice_stop_the_work():
    findings = wrong_in_run(SHARED_DATA / "13-dirty-inputs/duplicate-docs.run.gz")
    assert {finding.kind for finding in findings} == {"duplicate-document"}
    assert (findings[0].line, "already on line 103" in findings[0].message) == (140, True)


def test_repeated_judgments_that_differ_stop_the_work():
    path = SHARED_DATA / "13-dirty-inputs/repeated-judgments.codesearchnet.csv.gz"
    assert kinds(wrong_in_judgments(path)) == ["missing-column"]
    findings = wrong_in_judgments(path, columns="document=GitHubUrl")
    assert {finding.kind for finding in findings} == {"contradiction"}


def test_subtopics_contradict_each_other_until_their_column_is_named():
    path = SHARED_DATA / "04-web2012-diversity/qrels.ndeval.txt.gz"
    assert "contradiction" in kinds(wrong_in_judgments(path))
    judgments = read_judgments(path, columns="query,subtopic,document,grade")
    assert list(judgments.extra) == ["subtopic"]


def test_columns_beyond_those_of_a_run_are_ignored_with_a_warning():
    findings = Findings()
    rankings(read_run(SHARED_DATA / "01-trec_eval-tests/inputs/results.trunc"), findings)
    assert [(warning.kind, warning.count) for warning in findings.warnings] == [("extra-columns", 5)]
