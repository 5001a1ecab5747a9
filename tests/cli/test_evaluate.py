"""`cranfield evaluate`, as a user calls it."""

import gzip
import json

import pytest

import cranfield as cf
from tests.cli.score_printing import ScorePrinting


def test_in_a_pipe_it_prints_a_row_per_number(cranfield):
    assert cranfield("evaluate", "qrels.txt", "bm25.run", "-m", "RR", "-m", "P@2", "--quiet").stdout == (
        "run\tmeasure\tquery\tvalue\tlow\thigh\tqueries\n"
        "bm25\tRR\tall\t0.7500\t0.0000\t1.0000\t2/2\n"
        "bm25\tP@2\tall\t0.5000\t0.5000\t0.5000\t2/2\n"
    )


def test_per_query_rows_come_before_the_mean(cranfield):
    shown = cranfield("evaluate", "qrels.txt", "bm25.run", "-m", "RR", "-q", "--quiet").stdout
    assert shown.splitlines()[1:] == [
        "bm25\tRR\tq1\t1.0000\t\t\t",
        "bm25\tRR\tq2\t0.5000\t\t\t",
        "bm25\tRR\tall\t0.7500\t0.0000\t1.0000\t2/2",
    ]


def test_the_table_is_for_people(cranfield):
    assert cranfield("evaluate", "qrels.txt", "bm25.run", "-m", "RR", "--format", "table").stdout == (
        "run    queries            RR\n"
        "────────────────────────────\n"
        "bm25   2/2            0.7500\n"
        "                 0.000–1.000\n"
        "Means over all 2 judged queries, each with its 95% interval.\n"
    )


def test_json_is_one_object_with_everything(cranfield):
    shown = json.loads(cranfield("evaluate", "qrels.txt", "bm25.run", "--format", "json").stdout)
    assert shown == json.loads(json.dumps(cf.evaluate("qrels.txt", "bm25.run").to_dict()))
    assert list(shown) == ["cranfield", "settings", "queries", "only_relevant", "warnings", "runs"]


@pytest.mark.parametrize("form", ["csv", "jsonl", "markdown", "latex"])
def test_every_format_shows_the_value(cranfield, form):
    done = cranfield("evaluate", "qrels.txt", "bm25.run", "-m", "RR", "--format", form)
    assert done.returncode == 0
    assert "0.75" in done.stdout


def test_places_sets_the_decimals(cranfield):
    shown = cranfield("evaluate", "qrels.txt", "bm25.run", "-m", "nDCG", "--places", "7").stdout
    assert "\t0.7905821\t" in shown


def test_several_runs_are_rows_of_one_table(cranfield, folder):
    (folder / "other.run.gz").write_bytes(gzip.compress(b"q1 Q0 d3 1 1 x\nq2 Q0 d1 1 1 x\n"))
    shown = cranfield("evaluate", "qrels.txt", "bm25.run", "other.run.gz", "-m", "RR", "--quiet").stdout
    assert [line.split("\t")[0] for line in shown.splitlines()[1:]] == ["bm25", "other"]


def test_a_silent_query_counts_as_zero_and_is_named(cranfield, folder):
    (folder / "half.run").write_text("q1 Q0 d1 1 1 x\n")
    done = cranfield("evaluate", "qrels.txt", "half.run", "-m", "RR")
    assert "half\tRR\tall\t0.5000" in done.stdout
    assert "warning: half: no documents for 1 of 2 judged queries (q2); it counts as 0" in done.stderr


def test_answered_queries_only_if_asked(cranfield, folder):
    (folder / "half.run").write_text("q1 Q0 d1 1 1 x\n")
    done = cranfield("evaluate", "qrels.txt", "half.run", "-m", "RR", "--average-over", "answered")
    assert "half\tRR\tall\t1.0000" in done.stdout
    assert "it is left out of the mean" in done.stderr
    assert cranfield("evaluate", "qrels.txt", "half.run", "-c", "--average-over", "answered").returncode == 2


def test_the_letters_of_trec_eval_mean_what_they_mean_there(cranfield):
    def value(*options):
        shown = cranfield("evaluate", "qrels.txt", "bm25.run", "--quiet", *options).stdout
        return shown.splitlines()[1].split("\t")[:4:3]

    assert value("-m", "P@2") == ["bm25", "0.5000"]
    assert value("-m", "P@2", "-l", "2") == ["bm25", "0.2500"]
    assert value("-m", "P@2", "-J") == ["bm25", "0.7500"]
    assert value("-m", "SetR", "-M", "1") == ["bm25", "0.2500"]
    assert value("-m", "P@2", "-c") == ["bm25", "0.5000"]


def test_the_relevance_level_shows_in_the_measures_name(cranfield):
    shown = cranfield("evaluate", "qrels.txt", "bm25.run", "-m", "P@2", "-m", "nDCG", "-l", "2").stdout
    assert "P(rel=2)@2" in shown
    assert "\tnDCG\t" in shown


def test_a_run_may_come_from_standard_input(cranfield, folder):
    run = (folder / "bm25.run").read_text()
    assert "stdin\tRR\tall\t0.7500" in cranfield("evaluate", "qrels.txt", "-", "-m", "RR", stdin=run).stdout


def test_bounds_are_columns_for_programs_and_tables_for_people(cranfield, folder):
    (folder / "tied.run").write_text("q1 Q0 d1 1 1 x\nq1 Q0 d2 2 1 x\nq2 Q0 d9 1 1 x\n")
    arguments = (
        "evaluate",
        "qrels.txt",
        "tied.run",
        "-m",
        "RR",
        "-m",
        "AP",
        "--bounds",
        "ties",
        "--bounds",
        "unjudged",
    )
    header, first, second = cranfield(*arguments, "--quiet").stdout.splitlines()
    assert header.split("\t")[7:] == [
        "ties low",
        "ties expected",
        "ties high",
        "unjudged low",
        "unjudged high",
    ]
    assert first.split("\t")[7:] == ["0.2500", "0.3750", "0.5000", "0.2500", "0.7500"]
    assert second.split("\t")[10:] == ["", ""]
    people = cranfield(*arguments, "--format", "table").stdout
    assert "Smallest and largest over all orders of tied documents" in people
    assert "Smallest and largest if every unjudged document is irrelevant" in people


def test_a_measure_that_leaves_queries_out_says_so(cranfield, folder):
    (folder / "half.run").write_text("q1 Q0 d1 1 1 x\nq2 Q0 d9 1 1 x\n")
    shown = cranfield("evaluate", "qrels.txt", "half.run", "-m", "SL", "--format", "table").stdout
    assert "SL leaves out queries for which it is undefined: half 1." in shown


DIVERSITY = "q1 1 d1 1\nq1 2 d1 0\nq1 2 d3 1\nq1 1 d3 0\nq2 1 d1 1\n"


class TestSeveralGrades:
    @pytest.fixture(autouse=True)
    def qrels(self, folder):
        (folder / "diversity.txt").write_text(DIVERSITY)

    def test_subtopics_are_read_when_a_measure_asks_for_them(self, cranfield):
        # d1 and d3 at ranks 1 and 3 serve a subtopic each; the ideal has them at 1 and 2. In q2 d1 comes second.
        shown = cranfield("evaluate", "diversity.txt", "bm25.run", "-m", "alpha-nDCG@20", "-q", "--quiet").stdout
        assert [line.split("\t")[1:4] for line in shown.splitlines()[1:]] == [
            ["alpha-nDCG@20", "q1", "0.9197"],
            ["alpha-nDCG@20", "q2", "0.6309"],
            ["alpha-nDCG@20", "all", "0.7753"],
        ]

    def test_so_are_judges(self, cranfield):
        shown = cranfield("evaluate", "diversity.txt", "bm25.run", "-m", "map_avgjg", "--quiet").stdout
        assert shown.splitlines()[1].split("\t")[1:4] == ["map_avgjg", "all", "0.5833"]

    def test_and_preferences_in_five_columns(self, cranfield, folder):
        (folder / "prefs.txt").write_text("q1 ada 1 d3 2\nq1 ada 1 d1 1\nq1 ben 1 d1 1\nq1 ben 1 d3 0\n")
        shown = cranfield("evaluate", "prefs.txt", "bm25.run", "-m", "prefs_simp", "-m", "NumPrefs", "--quiet").stdout
        assert [line.split("\t")[1:4] for line in shown.splitlines()[1:]] == [
            ["prefs_simp", "all", "0.5000"],
            ["NumPrefs", "all", "2"],
        ]

    def test_a_measure_of_one_grade_stops_and_says_what_to_do(self, cranfield):
        done = cranfield("evaluate", "diversity.txt", "bm25.run", "-m", "AP")
        assert done.returncode == 3
        assert done.stderr == (
            "cranfield: diversity.txt, line 2: query 'q1', document 'd1' is judged 0, but 1 on line 1\n"
            "diversity.txt, line 4: query 'q1', document 'd3' is judged 0, but 1 on line 3\n"
            "Keep one grade for each document of a query. If several judges gave them, merge: cranfield merge FILE -o "
            "qrels.txt. If they are for subtopics, choose a measure that reads several grades, such as alpha_nDCG@20, "
            "and name their column: --columns subtopic=NAME.\n"
        )

    def test_measures_that_do_not_go_together_are_wrong_usage(self, cranfield):
        done = cranfield("evaluate", "diversity.txt", "bm25.run", "-m", "AP", "-m", "alpha-nDCG@20")
        assert done.returncode == 2
        assert "AP reads one grade for each document, but these judgments have several." in done.stderr

    def test_a_column_of_any_name_may_hold_them(self, cranfield, folder):
        (folder / "labels.csv").write_text("query,aspect,document,grade\nq1,x,d1,1\nq1,y,d3,1\nq2,x,d1,1\n")
        arguments = ("evaluate", "labels.csv", "bm25.run", "-m", "strec@1", "--quiet", "--columns", "subtopic=aspect")
        assert cranfield(*arguments).stdout.splitlines()[1].split("\t")[1:4] == ["strec@1", "all", "0.2500"]

    def test_bounds_over_ties_are_shown_for_them(self, cranfield, folder):
        (folder / "tied.run").write_text("q1 Q0 d1 1 1 x\nq1 Q0 d9 2 1 x\nq2 Q0 d1 1 1 x\n")
        arguments = ("evaluate", "diversity.txt", "tied.run", "-m", "strec@1", "--bounds", "ties", "--quiet")
        assert cranfield(*arguments).stdout.splitlines()[1].split("\t")[7:10] == ["0.5000", "0.6250", "0.7500"]


class TestTiesAveraged:
    @pytest.fixture(autouse=True)
    def run(self, folder):
        (folder / "tied.run").write_text("q1 Q0 d1 1 1 x\nq1 Q0 d2 2 1 x\nq2 Q0 d1 1 1 x\n")

    def test_scores_are_means_over_all_orders(self, cranfield):
        done = cranfield("evaluate", "qrels.txt", "tied.run", "-m", "RR", "--ties", "average")
        assert "tied\tRR\tall\t0.8750" in done.stdout
        assert done.stderr == ""

    def test_ties_that_move_nothing_are_told_when_everything_is_asked_for(self, cranfield):
        done = cranfield("evaluate", "qrels.txt", "tied.run", "-m", "RR", "--ties", "average", "--verbose")
        counts = "documents with tied scores: tied 2 documents in 1 query"
        assert f"note: {counts}; scores are averaged over all orders of tied documents\n" in done.stderr
        assert "note: tied: 3 documents for judged queries, " in done.stderr

    def test_the_table_says_so_even_when_quiet(self, cranfield):
        arguments = (
            "evaluate",
            "qrels.txt",
            "tied.run",
            "-m",
            "RR",
            "--ties",
            "average",
            "--format",
            "table",
            "--quiet",
        )
        assert (
            "Means over all 2 judged queries, over all orders of equal scores, each with"
            in cranfield(*arguments).stdout
        )

    def test_so_does_json(self, cranfield):
        shown = cranfield(
            "evaluate", "qrels.txt", "tied.run", "-m", "RR", "--ties", "average", "--format", "json"
        ).stdout
        assert json.loads(shown)["settings"]["ties"] == "average"


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
def test_a_name_that_is_another_measure_in_the_profile_s_tool_is_warned_of(cranfield, form):
    done = cranfield(
        "evaluate", "qrels.txt", "bm25.run", "--profile", "ir_measures", "-m", "Accuracy@3", "--format", form
    )
    assert "Accuracy@3 is another measure in ir" in " ".join((done.stdout + done.stderr).split())


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
def test_the_worst_queries_are_in_every_format(cranfield, folder, form):
    (folder / "queries.tsv").write_text("qid\ttext\nq1\thow deep\nq2\thow often\n")
    shown = cranfield(
        *("evaluate", "qrels.txt", "bm25.run", "-m", "RR", "--worst", "1", "--queries", "queries.tsv"),
        *("--failure-threshold", "0.5", "--format", form),
    )
    assert shown.returncode == 0
    assert "how often" in shown.stdout
    assert "how deep" not in shown.stdout
    sentence = "1 of 2 queries fails in bm25 (RR is 0.5 or less)."
    assert sentence in shown.stdout + shown.stderr or json.loads(shown.stdout)["worst"]["fail_in_every_run"] == ["q2"]


@pytest.mark.parametrize("option", [("--failure-threshold", "0.5"), ("--queries", "queries.tsv")])
def test_what_only_the_worst_queries_use_needs_them(cranfield, option):
    shown = cranfield("evaluate", "qrels.txt", "bm25.run", *option)
    assert shown.returncode == 2
    assert f"{option[0]} needs --worst N." in shown.stderr


class TestLook(ScorePrinting):
    FILES = ("evaluate", "qrels.txt", "bm25.run", "-m", "RR", "-m", "P@2")
    PAPERS = ("latex",)
