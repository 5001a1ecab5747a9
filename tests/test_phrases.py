import pytest
from click.testing import CliRunner

import cranfield as cf
from cranfield import errors
from cranfield.cli import cranfield
from cranfield.phrases import command_line, counted, examples, listed, percent, sentences, short, shown


def test_sentences_that_say_nothing_leave_no_blank():
    assert sentences("One.", "", "Two.") == "One. Two."
    assert sentences("", "") == ""


def test_a_text_is_cut_to_its_width_and_loses_its_line_end():
    assert short("abc\r\n", 3) == "abc"
    assert short("abcd", 3) == "ab…"


def test_a_value_is_shown_as_python_writes_it():
    assert shown("x") == "'x'"
    assert shown(1.5) == "1.5"
    assert shown(float("nan")) == "NaN"


def test_a_long_value_is_cut_and_a_text_still_ends_with_its_quote():
    assert shown("x" * 50) == f"'{'x' * 50}'"
    assert shown("x" * 500) == f"'{'x' * 58}…'"
    assert shown([1] * 500).endswith("1…")


def test_a_number_too_long_to_spell_is_described():
    assert shown(10**61) == "a whole number of more than 60 digits"
    assert shown(-(10**5000)) == "a whole number of more than 60 digits"
    assert shown([10**5000]) == "a list"


def test_a_list_that_holds_itself_is_shown():
    endless: list[object] = []
    endless.append(endless)
    assert shown(endless) == "[[...]]"


def test_examples_are_the_first_few_ids_and_tell_whether_there_are_more():
    assert examples(["a", "b", "c"]) == "a, b, c"
    assert examples(["a", "b", "c", "d"]) == "a, b, c, …"
    assert examples(["a", "b"], 1) == "a, …"
    assert examples([]) == "none"


class TestOptionsInAdvice:
    """Advice names an option as it is spelt where it is read."""

    def test_python_is_told_arguments_and_the_command_its_options(self):
        def advice() -> str:
            return errors.files.missing_column("a", "document", ["x"]).advice

        assert advice() == 'Name it with columns={"document": NAME}.'
        with command_line():
            assert advice() == "Name it with --columns document=NAME."
        assert advice() == 'Name it with columns={"document": NAME}.'

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


@pytest.mark.parametrize(
    ("count", "noun", "phrase"),
    [
        (0, "query", "0 queries"),
        (1, "query", "1 query"),
        (1200, "new stratum", "1,200 new strata"),
        (2, "run", "2 runs"),
    ],
)
def test_a_number_of_things_has_the_plural_it_needs(count, noun, phrase):
    assert counted(count, noun) == phrase


def test_of_many_names_the_first_are_told_and_the_rest_counted():
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a", "b", "c"], 2) == "a, b and 1 more"
    assert listed([]) == ""


def test_a_share_is_a_whole_percent_and_never_minus_zero():
    assert percent(0.95) == "95%"
    assert percent(1) == "100%"
    assert percent(-0.001) == "0%"
