from cranfield.formats import read_run
from tests.formats.reading import judged, kinds, rankings, retrieved, wrong_in_judgments, wrong_in_run


def test_an_object_of_objects(write):
    assert judged(write('{"q1": {"d1": 2, "d2": 0}}')) == {"q1": {"d1": 2, "d2": 0}}
    assert retrieved(write('{\n  "q1": {"d1": 2.5}\n}')) == {"q1": {"d1": 2.5}}


def test_an_object_of_lists_holds_relevant_documents_or_the_best_first(write):
    path = write('{"q1": ["d1", "d2"]}')
    assert judged(path) == {"q1": {"d1": 1, "d2": 1}}
    assert list(rankings(read_run(path))["q1"].documents) == ["d1", "d2"]
    assert retrieved(path) == {"q1": {"d1": -1, "d2": -2}}


def test_a_list_of_records(write):
    assert judged(write('[{"qid": 1, "docno": "d1", "label": 3}]')) == {"1": {"d1": 3}}
    assert retrieved(write('[{"qid": 1, "docno": "d1", "rank": 3}]')) == {"1": {"d1": -3}}


def test_other_shapes_are_errors_that_show_the_right_one(write):
    (finding,) = wrong_in_run(write('{"hits": {"total": {"value": 3}}}'))
    assert finding.kind == "unknown-structure"
    assert "an object with hits" in finding.message
    (finding,) = wrong_in_run(write('{\n"took": 3}'))
    assert str(finding).endswith(
        "this is an object with took; expected {query: {document: score}} or {query: [documents, best first]}"
    )
    assert kinds(wrong_in_judgments(write("[1, 2]"))) == ["unknown-structure"]


def test_an_empty_object_holds_nothing(write):
    assert kinds(wrong_in_judgments(write("{}"))) == ["nothing-read"]
    assert kinds(wrong_in_run(write("{}"))) == ["nothing-read"]
    assert kinds(wrong_in_run(write("[]"))) == ["nothing-read"]
