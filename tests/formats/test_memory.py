import math
from collections import namedtuple
from dataclasses import dataclass
from uuid import UUID

import numpy as np
import pytest

from cranfield.errors import Findings, UsageError
from cranfield.formats import read_judgments, read_run
from tests.formats.reading import judged, kinds, rankings, retrieved, wrong_in_judgments, wrong_in_run

Qrel = namedtuple("Qrel", ["query_id", "doc_id", "relevance", "iteration"])
ScoredDoc = namedtuple("ScoredDoc", ["query_id", "doc_id", "score"])


@dataclass
class Rated:
    user: str
    item: int
    rating: float


def test_dictionaries_of_dictionaries():
    assert judged({"q1": {"d1": 2, "d2": 0}}) == {"q1": {"d1": 2, "d2": 0}}
    assert retrieved({"q1": {"d1": 2.5}, 2: {"d1": 1}}) == {"q1": {"d1": 2.5}, "2": {"d1": 1}}


def test_lists_hold_relevant_documents_or_the_best_first():
    assert judged({"q": ["d1", "d2"]}) == judged({"q": {"d1", "d2"}}) == {"q": {"d1": 1, "d2": 1}}
    assert retrieved({"q": ["d2", "d1"]}) == retrieved({"q": np.array(["d2", "d1"])}) == {"q": {"d2": -1, "d1": -2}}


def test_a_set_is_no_ranking():
    assert kinds(wrong_in_run({"q": {"d1", "d2"}})) == ["unknown-structure"]


def test_a_query_without_documents_is_a_ranking_without_documents():
    assert {query: len(r.documents) for query, r in rankings(read_run({"q": {}, "p": {"d": 1}})).items()} == {
        "q": 0,
        "p": 1,
    }


@pytest.mark.parametrize(
    "rows",
    [
        [("q", "d", 2)],
        [["q", "d", 2]],
        iter([("q", "d", 2)]),
        [Qrel("q", "d", 2, "0")],
        [{"query_id": "q", "doc_id": "d", "relevance": 2}],
        [{"score": 2, "corpus-id": "d", "query-id": "q"}],
    ],
)
def test_rows_of_judgments(rows):
    assert judged(rows) == {"q": {"d": 2}}


def test_rows_of_runs():
    assert retrieved([("q", "a", 2), ("p", "a", 1), ("q", "b", 1)]) == {"q": {"a": 2, "b": 1}, "p": {"a": 1}}
    assert retrieved([ScoredDoc("q", "d", 0.5)]) == {"q": {"d": 0.5}}
    assert judged([Rated("u", 7, 4.5)]) == {"u": {"7": 4.5}}


def test_a_generator_gives_a_run_that_can_be_read_twice():
    run = read_run(("q", f"d{at}", -at) for at in range(3))
    assert retrieved(run) == retrieved(run) == {"q": {"d0": 0, "d1": -1, "d2": -2}}


def test_tuples_of_other_lengths_need_names():
    rows = [("q", "0", "d", 1)]
    assert kinds(wrong_in_judgments(rows)) == ["missing-column"]
    assert judged(rows, columns="query,_,document,grade") == {"q": {"d": 1}}


def test_judgments_and_runs_are_returned_as_they_are():
    judgments, run = read_judgments({"q": {"d": 1}}), read_run(name="x", source={"q": {"d": 1}})
    assert read_judgments(judgments) is judgments
    assert read_run(run) is run


def test_a_run_in_memory_is_called_run_unless_it_is_named():
    assert read_run({"q": {"d": 1}}).name == "run"
    assert read_run([("q", "d", 1)], name="bm25").name == "bm25"


def test_numbers_are_ids_as_they_are_written():
    uuid = UUID(int=5)
    assert judged([(1, np.int64(2), 1), (1, b"three", 1), (1, uuid, 1)]) == {"1": {"2": 1, "three": 1, str(uuid): 1}}


def test_whole_floats_are_ids_with_a_warning():
    judgments = read_judgments([(1.0, "d", 1), (2.0, "d", 1)])
    (warning,) = judgments.warnings
    assert (list(judgments.queries), warning.kind, warning.count) == (["1", "2"], "float-ids", 2)
    assert str(warning) == "row 1: query ids are floats; 1.0 is read as 1 (and 1 more like it)"


@pytest.mark.parametrize("document", [None, math.nan, 1.5, True, "", ("d", 1), {"d": 1}])
def test_other_ids_are_errors(document):
    (finding,) = wrong_in_judgments([("q", "d", 1), ("q", document, 1)])
    assert (finding.kind, finding.line, finding.unit) == ("bad-document-id", 2, "row")


@pytest.mark.parametrize("grade", [math.inf, "x", "1,5.0", [1], {}])
def test_grades_that_are_no_numbers_are_errors(grade):
    (finding,) = wrong_in_judgments([("q", "d", 1), ("q", "e", grade)])
    assert (finding.kind, finding.line) == ("grade-not-a-number", 2)


@pytest.mark.parametrize("grade", [None, math.nan, "", "n/a"])
@pytest.mark.parametrize(
    "form", [lambda grade: [("q", "d", 1), ("q", "e", grade)], lambda grade: {"q": {"d": 1, "e": grade}}]
)
def test_a_document_without_a_grade_is_not_judged_and_a_warning_says_how_many(form, grade):
    judgments = read_judgments(form(grade))
    assert judgments["q"] == {"d": 1}
    assert [(warning.kind, warning.count) for warning in judgments.warnings] == [("not-judged-yet", 1)]


@pytest.mark.parametrize("score", [None, math.nan, True, "x"])
def test_scores_that_are_no_numbers_are_errors(score):
    (finding,) = wrong_in_run({"q": {"d": 1.0, "e": score}})
    assert (finding.kind, finding.line, finding.unit) == ("score-not-a-number", 2, "entry")


def test_numbers_written_as_text_are_numbers():
    assert judged([("q", "d", "2")]) == {"q": {"d": 2}}


def test_ids_that_become_alike_are_errors():
    assert kinds(wrong_in_run({1: {"d": 1}, "1": {"d": 2}})) == ["duplicate-key"]
    assert kinds(wrong_in_run({"q": {1: 1, "1": 2}})) == ["duplicate-document"]
    assert kinds(wrong_in_judgments({"q": {1: 1, "1": 2}})) == ["contradiction"]


def test_nothing_is_an_error():
    assert kinds(wrong_in_judgments({})) == kinds(wrong_in_judgments([])) == ["nothing-read"]
    assert kinds(wrong_in_run({})) == kinds(wrong_in_run([])) == ["nothing-read"]


def test_a_list_of_other_things_is_refused():
    with pytest.raises(UsageError, match="cannot read judgments from int"):
        read_judgments([1, 2])


def test_what_is_given_is_not_changed():
    given = {"q": {"d": 1}}
    rankings(read_run(given), Findings())
    assert given == {"q": {"d": 1}}
