"""`cranfield explain`: arguments in, one public call, print."""

import json

import pytest
from click.testing import CliRunner

from cranfield.cli import cranfield as main
from cranfield.cli.explain import explain
from cranfield.errors import UsageError

QRELS = "301 0 a 2\n301 0 b 0\n301 0 c 1\n302 0 a 1\n"
RUN = "301 Q0 b 1 3.0 bm25\n301 Q0 a 2 2.0 bm25\n301 Q0 z 3 1.0 bm25\n"


@pytest.fixture
def cranfield(tmp_path):
    """The command on two small files; gives what it prints."""
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "bm25.run").write_text(RUN)

    def call(*arguments, exit_code=0):
        arguments = arguments if "--format" in arguments else (*arguments, "--format", "table")
        files = [str(tmp_path / "qrels.txt"), str(tmp_path / "bm25.run")]
        result = CliRunner().invoke(explain, [*files, *arguments], catch_exceptions=False, **main.context_settings)
        assert result.exit_code == exit_code, result.output
        return result.output

    return call


def test_explains_average_precision_unless_told_otherwise(cranfield):
    output = cranfield("--query", "301")
    assert output.startswith("AP = 0.2500 for query 301, run bm25\n")
    assert output.endswith("sum = 1/2 = 0.500000\nresult = 0.500000 / 2 = 0.250000\n")


def test_takes_any_measure(cranfield):
    output = cranfield("--query", "301", "-m", "ndcg_cut_10")
    assert output.startswith("ndcg_cut_10 = 0.4796 for query 301, run bm25\nndcg_cut_10 is nDCG@10.\n")


def test_prints_json(cranfield):
    printed = json.loads(cranfield("--query", "301", "--format", "json"))
    assert printed["value"] == 0.25
    assert [place["document"] for place in printed["ranking"]] == ["b", "a", "z"]


def test_programs_get_a_row_per_number(cranfield):
    lines = cranfield("--query", "301", "--format", "tsv").splitlines()
    assert lines[:2] == ["part\trank\tdocument\tname\tvalue", "score\t\t\tAP\t0.2500"]
    assert "ranking\t2\ta\tprecision\t0.5000" in lines
    assert "sum\t\t\tresult\t0.2500" in lines


def test_decimals_can_be_chosen(cranfield):
    output = cranfield("--query", "301", "--places", "2")
    assert output.startswith("AP = 0.25 for query 301")
    assert "1/2 = 0.50" in output
    assert output.endswith("result = 0.5000 / 2 = 0.2500\n")


def test_prints_markdown(cranfield):
    output = cranfield("--query", "301", "--format", "markdown")
    assert output.startswith("### AP = 0.2500 for query 301, run bm25\n")
    assert "| a " in output


def test_the_letters_mean_what_they_mean_in_trec_eval(cranfield):
    arguments = ("-l", "2", "-M", "2", "-J", "--format", "json")
    assert json.loads(cranfield("--query", "301", *arguments))["settings"] == {
        "depth": 2,
        "judged_only": True,
        "ties": "document",
        "rel": 2,
        "max_grade": 2,
    }


def test_shows_all_rows_when_asked(cranfield):
    assert cranfield("--query", "301", "-m", "P@1", "--rows", "all").count(" = 0.3333") == 1


def test_a_judged_query_without_an_answer_is_explained(cranfield):
    assert "The run returned no document for this query" in cranfield("--query", "302")


class TestPlot:
    def test_the_query_is_drawn_beside_what_is_printed(self, cranfield, tmp_path):
        output = cranfield("--query", "301", "--plot", str(tmp_path / "figure.svg"))
        assert output.startswith("AP = 0.2500 for query 301, run bm25\n")
        drawn = (tmp_path / "figure.svg").read_text()
        assert "query 301, bm25" in drawn
        assert "interpolated: the best from here on" in drawn

    def test_a_file_that_is_no_figure_is_refused_before_anything_is_read(self, cranfield):
        with pytest.raises(UsageError, match=r"Choose one that ends in \.svg, \.pdf, \.png"):
            cranfield("--query", "missing", "--plot", "figure.txt")

    def test_without_relevant_documents_there_is_nothing_to_draw(self, cranfield, tmp_path):
        with pytest.raises(UsageError, match="no document of grade 3 or more in the judgments, so it has no curve"):
            cranfield("--query", "301", "-l", "3", "--plot", str(tmp_path / "figure.svg"))


def test_needs_a_query(cranfield):
    assert "Missing option '--query'" in cranfield(exit_code=2)


@pytest.mark.parametrize("rows", ["0", "-3", "many", "1.5"])
def test_rows_is_a_number_or_all(cranfield, rows):
    output = cranfield("--query", "301", "--rows", rows, exit_code=2)
    assert "must be a whole number from 1 to 1,000,000,000" in output


def test_an_unknown_query_is_answered_with_the_nearest(cranfield):
    with pytest.raises(UsageError, match="Did you mean 302 or 301"):
        cranfield("--query", "303")


class TestSeveralGrades:
    @pytest.fixture
    def diversity(self, tmp_path, cranfield):
        (tmp_path / "qrels.txt").write_text("301 1 b 1\n301 2 a 1\n301 2 b 0\n302 1 a 1\n")
        return cranfield

    def test_the_value_is_that_of_the_evaluation(self, diversity):
        # Of two subtopics the first document serves one.
        output = diversity("--query", "301", "-m", "strec@1")
        assert output.startswith("strec@1 = 0.5000 for query 301, run bm25\nstrec@1 is StRecall@1.\n")

    def test_it_says_that_only_the_largest_grade_is_shown(self, diversity):
        output = " ".join(diversity("--query", "301", "-m", "alpha-nDCG@20").split())
        assert (
            "The measure reads a grade for each subtopic; only the largest grade of each document is shown, and "
            "recall and precision are by that."
        ) in output
        assert "alpha-nDCG@20 is not explained term by term" in output

    @pytest.mark.parametrize(
        ("measure", "reads"),
        [("map_avgjg", "a grade by each judge"), ("prefs_simp", "which documents each judge prefers")],
    )
    def test_whatever_the_grades_are_by(self, diversity, measure, reads):
        printed = json.loads(diversity("--query", "301", "-m", measure, "--format", "json"))
        assert printed["notes"][0].startswith(f"The measure reads {reads}")
        assert [place["grade"] for place in printed["ranking"]] == [1, 1, None]

    def test_a_query_without_an_answer_is_explained_too(self, diversity):
        assert "The run returned no document for this query" in diversity("--query", "302", "-m", "alpha-nDCG@20")


def test_standard_input_is_read_once():
    done = CliRunner().invoke(explain, ["-", "-", "--query", "301"], input=QRELS, **main.context_settings)
    assert done.exit_code == 2
    assert "Standard input can be read only once" in done.output


class TestTypedRankings:
    @pytest.fixture
    def typed(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)

        def call(*arguments, exit_code=0):
            result = CliRunner().invoke(main, ["explain", *arguments], catch_exceptions=False)
            assert result.exit_code == exit_code, result.output
            return result.output

        return call

    @pytest.mark.parametrize("ranking", ["1 0 1 1", "1011", "Y,N,Y,Y", "[1, 0, 1, 1]", "+ - + +"])
    def test_a_ranking_may_be_typed_instead_of_files(self, typed, ranking):
        output = typed(ranking, "-m", "AP", "--format", "table")
        assert output.startswith(f"AP = 0.8056 for the ranking {ranking}\n")
        assert output.endswith("sum = 1/1 + 2/3 + 3/4 = 2.416667\nresult = 2.416667 / 3 = 0.805556\n")

    def test_without_quotes_it_is_one_ranking_too(self, typed):
        assert typed("1", "0", "1", "1", "--format", "table").startswith("AP = 0.8056 for the ranking 1 0 1 1\n")

    def test_it_may_begin_with_an_unjudged_document(self, typed):
        assert typed("--1", "-m", "RR", "--format", "table").startswith("RR = 0.3333 for the ranking --1\n")

    def test_relevant_documents_that_were_not_retrieved_count(self, typed):
        assert typed("Y N N Y", "--relevant", "10", "-m", "R@4", "--format", "table").endswith("= 2 / 10 = 0.200000\n")

    def test_json_tells_that_there_is_no_run(self, typed):
        printed = json.loads(typed("10|+2", "--format", "json"))
        assert (printed["query"], printed["run"], printed["counts"]["relevant"]) == ("10|+2", None, 3)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("1 0 z",), "'z' at position 5 is not a grade."),
            (("1011", "0101"), "One ranking is explained at a time"),
            (("1011", "--query", "3"), "--query works with files only, and a ranking was typed."),
            (("1011", "--run-format", "trec"), "--run-format works with files only, and a ranking was typed."),
            (
                ("1011", "--relevant", "2"),
                "'1011' has 3 relevant documents (grade 1 or more), so --relevant 2 is too few.",
            ),
            (("1011", "--relevant", "4", "--relevant", "5"), "--relevant has 2 numbers for 1 ranking"),
            (("qrels.txt",), "Name judgments and a run, QRELS RUN, or type a ranking such as '1 0 1 1'."),
            (("qrels.txt", "bm25.run"), "Missing option '--query'"),
            (
                ("qrels.txt", "bm25.run", "--query", "1", "--relevant", "3"),
                "--relevant is for a ranking that is typed",
            ),
            (("11", "-m", "P_IA@2"), "P_IA@2 reads several grades for each document; a ranking that is typed has one."),
            (("11", "--qury", "3"), "No such option '--qury'"),
        ],
    )
    def test_what_is_wrong_is_told_without_a_traceback(self, typed, arguments, message):
        assert message in typed(*arguments, exit_code=2)
