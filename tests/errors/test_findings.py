import pytest

from cranfield import errors
from cranfield.errors import DataError, Finding, Findings, did_you_mean
from cranfield.errors.findings import nearest


def test_a_finding_says_where_what_and_what_to_do():
    finding = errors.files.wrong_column_count(
        "bm25.run",
        4,
        "q1 Q0 d7 1 12.5\n",
        5,
        "a TREC run has 6 (query Q0 document rank score tag)",
        "Add a run tag.",
    )
    assert finding.in_full() == (
        "bm25.run, line 4: 5 columns where a TREC run has 6 (query Q0 document rank score tag)\n"
        "    q1 Q0 d7 1 12.5\n"
        "Add a run tag."
    )


def test_a_place_is_named_as_far_as_it_is_known():
    assert str(Finding("error", "x", "what", path="a.run")) == "a.run: what"
    assert str(Finding("error", "x", "what", line=3, unit="row")) == "row 3: what"
    assert str(Finding("error", "x", "what")) == "what"


def test_the_nearest_names_are_found_whatever_their_case():
    assert nearest("ndgc", ["nDCG", "AP"]) == ["nDCG"]
    assert did_you_mean("xyz", ["nDCG"]) == ""


def test_findings_stop_the_work_at_their_limit():
    findings = Findings(limit=2)
    findings.add(errors.files.is_directory("a"))
    with pytest.raises(DataError, match="Stopped after 2 problems"):
        findings.add(errors.files.is_directory("b"))


def test_the_same_error_is_told_once():
    findings = Findings(limit=2)
    findings.add(errors.files.is_directory("a"))
    findings.add(errors.files.is_directory("a"))
    assert len(findings.errors) == 1


def test_warnings_of_one_kind_and_file_are_counted_and_told_once():
    findings = Findings()
    findings.extend(errors.rows.judged_twice("a", line, "q", "d", 1, 1) for line in (2, 3, 4))
    (warning,) = findings.warnings
    assert (warning.line, warning.count) == (2, 3)
    findings.stop_if_wrong()


def test_warnings_stand_in_the_order_of_lines_wherever_blocks_of_a_file_end():
    again = errors.rows.judged_twice("a", 4, "q", "d", 1, 1)
    odd = Finding("warning", "odd", "odd", path="a", line=6)
    other = Finding("warning", "odd", "odd", path="b", line=1)
    for order in ((again, odd, other), (odd, again, other)):
        findings = Findings()
        findings.extend(order)
        assert findings.warnings == [again, odd, other]


def test_advice_that_many_findings_share_is_given_once():
    error = DataError([errors.rows.not_a_number("a", line, "score", "x") for line in (1, 2)])
    assert str(error) == (
        "a, line 1: the score is 'x'; expected a number\n"
        "a, line 2: the score is 'x'; expected a number\n"
        "Correct or remove the line."
    )


def test_of_many_findings_of_one_kind_the_first_are_shown_and_the_rest_counted():
    error = DataError([errors.rows.not_utf8("a", line) for line in range(2, 22)], more=True)
    *first, rest, advice, more = str(error).splitlines()
    assert first == [f"a, line {line}: the text is not UTF-8" for line in range(2, 7)]
    assert rest == "… and 15 more like these, lines 7, 8, 9, 10, 11, …"
    assert advice.startswith("It is probably Windows-1252")
    assert more == "Stopped after 20 problems; there may be more."
    assert len(error.findings) == 20


def test_a_finding_becomes_plain_values():
    assert errors.files.is_directory("a").to_dict() == {
        "severity": "error",
        "kind": "is-directory",
        "path": "a",
        "line": None,
        "unit": "line",
        "message": "is a folder, not a file",
        "text": None,
        "advice": "Name the file in it to read.",
        "count": 1,
    }
