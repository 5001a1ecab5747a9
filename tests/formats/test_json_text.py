import pytest

from tests.formats.reading import kinds, wrong_in_judgments


@pytest.mark.parametrize("text", ['{"q": {"d": 1, "d": 2}}', '{"q": {"d": 1}, "q": {"e": 1}}'])
def test_a_name_that_comes_twice_is_an_error(write, text):
    assert kinds(wrong_in_judgments(write(text))) == ["duplicate-key"]


def test_broken_json_is_told_with_its_line(write):
    (finding,) = wrong_in_judgments(write('{\n"q": {"d": 1}\n"r": {}}'))
    assert (finding.kind, finding.line) == ("malformed-json", 3)


def test_bytes_that_are_not_utf_8_are_errors(write):
    assert kinds(wrong_in_judgments(write(b'{"q": {"caf\xe9": 1}}'))) == ["not-utf-8"]
    lines = b'{"qid": "q", "docno": "caf\xe9", "label": 1}\n{"qid": "q", "docno": "d", "label": 1}\n'
    (finding,) = wrong_in_judgments(write(lines))
    assert (finding.kind, finding.line) == ("not-utf-8", 1)


def test_nesting_without_end_is_an_error_and_no_crash(write):
    assert kinds(wrong_in_judgments(write("[" * 100_000))) == ["malformed-json"]
