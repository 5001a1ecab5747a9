import pytest
from click.testing import CliRunner

import cranfield as cf
from cranfield import errors
from cranfield.cli import cranfield
from cranfield.errors.interface import command_line


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
