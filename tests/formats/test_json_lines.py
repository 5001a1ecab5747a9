import pytest

from cranfield.errors import UsageError
from cranfield.formats import read_judgments
from tests.formats.reading import judged, retrieved, wrong_in_judgments

LINES = '{"query_id": "q1", "doc_id": "d1", "score": 2.5}\n\n{"query_id": 2, "doc_id": "d1", "score": 1}\n'


def test_json_lines(write):
    assert retrieved(write(LINES)) == {"q1": {"d1": 2.5}, "2": {"d1": 1}}
    assert judged(write('{"query": "a b", "doc": "d", "relevance": 1, "note": [1]}')) == {"a b": {"d": 1}}


def test_names_in_json_lines_may_be_given(write):
    assert judged(write('{"x": "q", "y": "d", "z": 1}\n'), columns="query=x,document=y,grade=z") == {"q": {"d": 1}}
    with pytest.raises(UsageError, match="JSON has names"):
        read_judgments(write('{"x": "q", "y": "d", "z": 1}\n'), columns="query,document,grade")


def test_a_line_without_a_grade_is_a_document_not_judged_yet(write):
    lines = ['{"qid": "q", "docno": "d", "label": 1}', '{"qid": "q", "docno": "e", "label": null}']
    judgments = read_judgments(write("\n".join(lines)))
    assert judgments["q"] == {"d": 1}
    assert [warning.kind for warning in judgments.warnings] == ["not-judged-yet"]


def test_every_wrong_line_of_json_lines_is_told(write):
    good = '{"qid": "q", "docno": "d", "label": 1}\n'
    wrong = [
        '{"qid": "q", "docno": "d2", "label": }',
        '{"qid": "q", "docno": "d3", "label": []}',
        '{"qid": "q", "label": 1}',
        '{"qid": "q", "docno": "d4", "label": Infinity}',
        '{"qid": "q", "docno": "d5", "label": "good"}',
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


def test_records_that_are_only_sound_together_are_errors(write):
    findings = wrong_in_judgments(
        write('{"qid": "q", "docno": "d",\n"label": 1}\n{"qid": "q", "docno": "e", "label": 1}'), format="jsonl"
    )
    assert [(finding.line, finding.kind) for finding in findings] == [(1, "malformed-json"), (2, "malformed-json")]
