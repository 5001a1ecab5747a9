import pytest
from click.testing import CliRunner

import cranfield as cf
from cranfield import errors
from cranfield.cli import cranfield
from cranfield.errors import DataError, Finding, Findings, UsageError, did_you_mean
from cranfield.errors.findings import nearest
from cranfield.errors.interface import command_line


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


def test_a_long_line_is_shown_in_part():
    finding = errors.rows.not_utf8("a.run", 1, "x" * 1000)
    assert finding.text is not None
    assert len(finding.text) == 120


MESSAGES = [
    (
        errors.files.nothing_read("a", "judgments"),
        "a: no judgments found: the file is empty or holds only comments",
    ),
    (errors.files.nothing_read(None, "rankings"), "no rankings found: the input is empty"),
    (
        errors.rows.several_grades("a", "q", ["judge"]),
        "a: query 'q' has documents with several grades, one for each judge",
    ),
    (
        errors.rows.judged_twice("a", 7, "q", "d", 1.0, 2),
        "a, line 7: query 'q', document 'd' is judged again as 1, as on line 2",
    ),
    (
        errors.rows.contradiction("a", 7, "q", "d", 1.5, 0.0, 2, unit="row"),
        "a, row 7: query 'q', document 'd' is judged 1.5, but 0 on row 2",
    ),
    (
        errors.rows.duplicate_document("a", 7, "q", "d", 2),
        "a, line 7: query 'q' lists document 'd' again; it is already on line 2",
    ),
    (
        errors.rows.ranks_contradict_scores("a", "q", 2, 5),
        "a, line 5: query 'q': in 2 places the next rank has a higher score; the scores decide",
    ),
    (errors.files.swapped_arguments("a", "run"), "a: this is a run, where judgments were expected"),
    (errors.files.swapped_arguments("a", "judgments"), "a: these are judgments, where a run was expected"),
    (errors.rows.not_a_number("a", 2, "score", "x"), "a, line 2: the score is 'x'; expected a number"),
    (errors.rows.not_a_number("a", 2, "grade", ""), "a, line 2: the grade is missing; expected a number"),
    (errors.rows.not_a_number("a", 2, "grade", float("nan")), "a, line 2: the grade is NaN; expected a number"),
    (
        errors.rows.bad_id(None, 2, "query", None, unit="row"),
        "row 2: the query id is missing; expected text or a whole number",
    ),
    (errors.files.is_directory("a"), "a: is a folder, not a file"),
    (
        errors.files.missing_package("a", "pyarrow", "arrow", "Parquet files"),
        "a: reading Parquet files needs the package pyarrow",
    ),
    (errors.files.wrong_encoding("a", "UTF-16"), "a: the text is UTF-16; expected UTF-8"),
    (
        errors.files.ambiguous_columns("a", "query", ["qid", "topic"]),
        "a: several columns could give the query: qid, topic",
    ),
]


@pytest.mark.parametrize(("finding", "message"), MESSAGES)
def test_problems_are_worded_for_the_user(finding, message):
    assert str(finding) == message


NEVER_MEETING = [
    (["001", "002"], ["1", "2"], "without leading zeros (001 and 1)"),
    (["Q1", "Q2"], ["q1", "q2"], "whatever their case (Q1 and q1)"),
    (["1", "2"], ["1 ", "2 "], "without blanks around them (1 and 1 )"),
    (["1", "2"], ["1.0", "2.0"], "without .0 at their end (1 and 1.0)"),
    (["1", "2"], ["q1", "q2"], "without the prefix 'q' (1 and q1)"),
    (["msmarco_passage_7", "msmarco_passage_9"], ["9", "7"], "without the prefix 'msmarco_passage_'"),
]


@pytest.mark.parametrize(("judged", "retrieved", "hint"), NEVER_MEETING)
def test_ids_that_would_meet_if_written_alike_come_with_that_advice(judged, retrieved, hint):
    finding = errors.ids.ids_never_meet("query", "qrels.txt", "bm25.run", judged, retrieved)
    assert hint in finding.advice


def test_ids_that_are_alike_already_need_no_other_spelling():
    finding = errors.ids.ids_never_meet("document", None, None, ["d1", "d9"], ["d9", "d7"])  # of different queries
    assert finding.advice == "Check that judgments and run belong to the same collection."


def test_ids_that_never_meet_are_shown_three_of_each():
    finding = errors.ids.ids_never_meet("query", "qrels.txt", "bm25.run", list("abcd"), list("wxyz"))
    assert str(finding) == (
        "bm25.run: no query in common with qrels.txt: judged queries are a, b, c, …; queries of the run are w, x, y, …"
    )
    assert finding.advice == "Check that judgments and run belong to the same collection."


def test_digits_at_the_end_of_other_numbers_are_no_prefix():
    finding = errors.ids.ids_never_meet("query", None, None, ["301", "302"], ["1", "2"])
    assert "prefix" not in finding.advice


def test_an_unknown_format_is_a_usage_error_with_the_nearest_name():
    error = errors.files.unknown_format("parket", ["trec", "parquet"])
    assert isinstance(error, UsageError)
    assert str(error) == "unknown format 'parket'; known are trec, parquet. Did you mean parquet?"


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


class TestOptionsInAdvice:
    """Advice names an option as it is spelt where it is read."""

    def test_python_is_told_arguments_and_the_command_its_options(self):
        def advice() -> str:
            return errors.files.missing_column("a", "document", ["x"]).advice

        assert advice() == 'Say which one does with columns={"document": NAME}.'
        with command_line():
            assert advice() == "Say which one does with --columns document=NAME."
        assert advice() == 'Say which one does with columns={"document": NAME}.'

    def test_names_are_quoted_so_that_python_reads_them(self):
        finding = errors.files.ambiguous_columns("a", "query", ['the "id"', "qid"])
        assert 'columns={"query": "the \\"id\\""}' in finding.advice

    @pytest.mark.parametrize("command", ["evaluate", "check"])
    def test_the_command_does_so_whatever_it_reads(self, tmp_path, command):
        (tmp_path / "j.csv").write_text("query,document,stars\nq,d,1\n")
        (tmp_path / "r.run").write_text("q Q0 d 1 1 x\n")
        told = CliRunner().invoke(
            cranfield, [command, str(tmp_path / "j.csv"), str(tmp_path / "r.run"), "--format", "table"]
        )
        assert "--columns grade=NAME" in told.output
        assert "columns=" not in told.output

    def test_no_message_of_python_names_an_option_of_the_command(self, tmp_path):
        (tmp_path / "run.txt").write_text("q1 Q0 d1 1 2.5\n")
        with pytest.raises(cf.DataError, match=r'say what the columns are: columns="query,_,document,rank,score"'):
            cf.evaluate({"q1": ["d1"]}, str(tmp_path / "run.txt"), "RR")
