import pytest

from cranfield.errors import UsageError
from cranfield.formats import read_judgments, read_run
from tests.formats.reading import judged, kinds, rankings, retrieved, wrong_in_judgments, wrong_in_run

LINES = '{"query_id": "q1", "doc_id": "d1", "score": 2.5}\n\n{"query_id": 2, "doc_id": "d1", "score": 1}\n'


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


def test_json_lines(write):
    assert retrieved(write(LINES)) == {"q1": {"d1": 2.5}, "2": {"d1": 1}}
    assert judged(write('{"query": "a b", "doc": "d", "relevance": 1, "note": [1]}')) == {"a b": {"d": 1}}


def test_names_in_json_lines_may_be_given(write):
    assert judged(write('{"x": "q", "y": "d", "z": 1}\n'), columns="query=x,document=y,grade=z") == {"q": {"d": 1}}
    with pytest.raises(UsageError, match="JSON has names"):
        read_judgments(write('{"x": "q", "y": "d", "z": 1}\n'), columns="query,document,grade")


def test_every_wrong_line_of_json_lines_is_told(write):
    good = '{"qid": "q", "docno": "d", "label": 1}\n'
    wrong = [
        '{"qid": "q", "docno": "d2", "label": }',
        '{"qid": "q", "docno": "d3", "label": null}',
        '{"qid": "q", "label": 1}',
        '{"qid": "q", "docno": "d4", "label": NaN}',
        '{"qid": "q", "docno": "d5", "label": true}',
        '{"qid": "q", "docno": "d6", "label": 1, "label": 2}',
        '["q", "d7", 1]',
    ]
    findings = wrong_in_judgments(write(good + "\n".join(wrong)))
    assert sorted((finding.line, finding.kind) for finding in findings) == [
        (2, "malformed-json"),
        (3, "grade-not-a-number"),
        (4, "bad-document-id"),
        (5, "grade-not-a-number"),
        (6, "grade-not-a-number"),
        (7, "duplicate-key"),
        (8, "malformed-json"),
    ]


@pytest.mark.parametrize("text", ['{"q": {"d": 1, "d": 2}}', '{"q": {"d": 1}, "q": {"e": 1}}'])
def test_a_name_that_comes_twice_is_an_error(write, text):
    assert kinds(wrong_in_judgments(write(text))) == ["duplicate-key"]


def test_broken_json_is_told_with_its_line(write):
    (finding,) = wrong_in_judgments(write('{\n"q": {"d": 1}\n"r": {}}'))
    assert (finding.kind, finding.line) == ("malformed-json", 3)


def test_other_shapes_are_errors_that_show_the_right_one(write):
    (finding,) = wrong_in_run(write('{"hits": {"total": {"value": 3}}}'))
    assert finding.kind == "score-not-a-number"
    (finding,) = wrong_in_run(write('{\n"took": 3}'))
    assert str(finding).endswith(
        "query 'took' has int; expected {query: {document: score}} or {query: [documents, best first]}"
    )
    assert kinds(wrong_in_judgments(write("[1, 2]"))) == ["unknown-structure"]


def test_bytes_that_are_not_utf_8_are_errors(write):
    assert kinds(wrong_in_judgments(write(b'{"q": {"caf\xe9": 1}}'))) == ["not-utf-8"]
    lines = b'{"qid": "q", "docno": "caf\xe9", "label": 1}\n{"qid": "q", "docno": "d", "label": 1}\n'
    (finding,) = wrong_in_judgments(write(lines))
    assert (finding.kind, finding.line) == ("not-utf-8", 1)


def test_an_empty_object_holds_nothing(write):
    assert kinds(wrong_in_judgments(write("{}"))) == ["nothing-read"]
    assert kinds(wrong_in_run(write("{}"))) == ["nothing-read"]
    assert kinds(wrong_in_run(write("[]"))) == ["nothing-read"]


def test_nesting_without_end_is_an_error_and_no_crash(write):
    assert kinds(wrong_in_judgments(write("[" * 100_000))) == ["malformed-json"]


def test_records_that_are_only_sound_together_are_errors(write):
    findings = wrong_in_judgments(
        write('{"qid": "q", "docno": "d",\n"label": 1}\n{"qid": "q", "docno": "e", "label": 1}'), format="jsonl"
    )
    assert [(finding.line, finding.kind) for finding in findings] == [(1, "malformed-json"), (2, "malformed-json")]
