"""How the inputs of an evaluation are read, and what was chosen for it."""

import pytest

from cranfield import formats
from cranfield.cli.inputs import EvaluationChoices, Inputs, RankingChoices


def test_columns_say_what_is_what(cranfield, folder):
    (folder / "labels.csv").write_text("user,thing,stars\nq1,d1,1\nq2,d1,1\n")
    (folder / "top.tsv").write_text("q1\td1\t0.5\nq2\td7\t0.5\n")
    done = cranfield(
        "evaluate", "labels.csv", "top.tsv", "-m", "RR",
        "--columns", "query=user,document=thing,grade=stars", "--columns", "query,document,score",
    )  # fmt: skip
    assert "top\tRR\tall\t0.5000" in done.stdout, done.stderr


def test_a_forced_format_wins_over_guessing(cranfield):
    done = cranfield("evaluate", "qrels.txt", "bm25.run", "--judgments-format", "jsonl")
    assert done.returncode == 3
    assert "qrels.txt, line 1" in done.stderr


@pytest.mark.parametrize(
    ("columns", "judgments", "run"),
    [
        ((), None, None),
        (("query=q,grade=stars",), "query=q,grade=stars", None),
        (("query=q,score=s",), None, "query=q,score=s"),
        (("query=q,document=d",), "query=q,document=d", "query=q,document=d"),
        (("query,document,rank", "query, document, subtopic"), "query, document, subtopic", "query,document,rank"),
        (("query=q", "query=r"), "query=r", "query=r"),
    ],
)
def test_columns_are_about_the_file_that_has_such_a_column(tmp_path, monkeypatch, columns, judgments, run):
    read = {}
    monkeypatch.setattr(formats, "read_judgments", lambda path, **facts: read.update(judgments=facts["columns"]))
    monkeypatch.setattr(formats, "read_run", lambda path, **facts: read.update(run=facts["columns"]))
    inputs = Inputs(None, None, columns)
    inputs.judgments("qrels.txt")
    inputs.run("bm25.run")
    assert read == {"judgments": judgments, "run": run}


def test_only_what_was_chosen_is_a_setting():
    assert RankingChoices().chosen() == {}
    assert RankingChoices(rel=2, judged_only=True).chosen() == {"rel": 2, "judged_only": True}
    assert EvaluationChoices(depth=5, ties="given").chosen() == {"depth": 5, "ties": "given"}


def test_measures_are_those_named_else_those_of_the_profile_else_the_default():
    def names(choices, *named):
        return [str(measure) for measure in choices.plan(named, ["nDCG@10"]).measures]

    assert names(EvaluationChoices(), "AP") == ["AP"]
    assert names(EvaluationChoices()) == ["nDCG@10"]
    assert names(EvaluationChoices(rel=2), "P@5") == ["P(rel=2)@5"]
    assert names(EvaluationChoices(profile="msmarco")) == names(EvaluationChoices(profile="msmarco"), "RR@10")


def test_trec_eval_s_letter_for_all_queries_contradicts_an_average_over_fewer(cranfield):
    refused = cranfield("evaluate", "qrels.txt", "bm25.run", "-c", "--average-over", "answered")
    assert refused.returncode == 2
    assert "choose one" in refused.stderr


class TestDocumentsListedTwice:
    COMMANDS = (
        ("evaluate", "qrels.txt", "twice.run"),
        ("compare", "qrels.txt", "twice.run", "bm25.run"),
        ("pool", "twice.run", "bm25.run"),
        ("similarity", "twice.run", "bm25.run"),
        ("explain", "qrels.txt", "twice.run", "--query", "q1", "-m", "RR"),
        ("why", "qrels.txt", "twice.run", "-m", "RR"),
        ("curve", "qrels.txt", "twice.run"),
        ("recommendation", "twice.run"),
        ("agree", "labels.csv", "--run", "twice.run", "--run", "bm25.run"),
    )

    @pytest.fixture(autouse=True)
    def twice(self, folder):
        (folder / "twice.run").write_text("q1 Q0 d9 1 3 x\nq1 Q0 d1 2 2 x\nq1 Q0 d9 3 1 x\nq2 Q0 d1 1 1 x\n")
        (folder / "labels.csv").write_text(
            "query,document,judge,grade\nq1,d1,ada,1\nq1,d2,ada,0\nq1,d1,ben,1\nq1,d2,ben,1\n"
        )

    @pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
    def test_each_command_refuses_them_or_counts_the_best_place_and_says_so(self, cranfield, arguments):
        refused = cranfield(*arguments)
        assert refused.returncode == 3
        assert "--duplicates first" in refused.stderr
        done = cranfield(*arguments, "--duplicates", "first")
        assert done.returncode == 0, done.stderr
        assert "warning: twice.run: 1 document listed again in 1 query (q1)" in done.stderr

    @pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
    def test_the_warning_is_there_in_every_format(self, cranfield, form):
        done = cranfield("evaluate", "qrels.txt", "twice.run", "--duplicates", "first", "--format", form)
        assert "1 document listed again" in " ".join((done.stdout + done.stderr).split())

    def test_the_report_says_so_on_its_page(self, cranfield, folder):
        done = cranfield("report", "qrels.txt", "twice.run", "bm25.run", "-o", "a.html", "--duplicates", "first")
        assert done.returncode == 0, done.stderr
        assert "1 document listed again in 1 query (q1)" in (folder / "a.html").read_text()

    def test_saved_results_have_no_documents(self, cranfield):
        cranfield("evaluate", "qrels.txt", "bm25.run", "--save", "saved.json")
        done = cranfield("compare", "saved.json", "saved.json", "--duplicates", "first")
        assert done.returncode == 2
        assert "--duplicates" in done.stderr


class TestSeveralRunsInOneTable:
    @pytest.fixture(autouse=True)
    def table(self, folder):
        (folder / "all.csv").write_text("config,qid,docid,score\na,q1,d1,1\na,q2,d1,1\nb,q1,d2,1\nb,q2,d1,1\n")

    @pytest.mark.parametrize(
        "arguments",
        [
            ("evaluate", "qrels.txt", "all.csv", "-m", "RR"),
            ("compare", "qrels.txt", "all.csv", "bm25.run", "-m", "RR"),
            ("risk", "qrels.txt", "all.csv", "--baseline", "a"),
            ("similarity", "all.csv"),
            ("recommendation", "all.csv"),
            ("curve", "qrels.txt", "all.csv"),
            ("pool", "all.csv", "--with-runs"),
        ],
        ids=lambda arguments: arguments[0],
    )
    def test_each_is_a_run_by_its_name(self, cranfield, arguments):
        done = cranfield(*arguments, "--format", "json", "--quiet")
        assert done.returncode == 0, done.stderr
        assert '"a"' in done.stdout
        assert '"b"' in done.stdout

    def test_from_standard_input_too(self, cranfield, folder):
        done = cranfield("evaluate", "qrels.txt", "-", "-m", "RR", "--quiet", stdin=(folder / "all.csv").read_text())
        assert [line.split("\t")[0] for line in done.stdout.splitlines()[1:]] == ["a", "b"]

    def test_where_one_run_is_explained_they_are_refused(self, cranfield):
        done = cranfield("explain", "qrels.txt", "all.csv", "--query", "q1", "-m", "RR")
        assert done.returncode == 3
        assert "all.csv: this is a table of 2 runs (a, b), where one run was expected" in done.stderr


class TestChunksAlternativesAndQueries:
    @pytest.fixture
    def chunks(self, folder):
        """Judged chunks of two queries, two runs, a mapping, answers and a list of queries."""
        (folder / "gold.csv").write_text("query,chunk_id,grade\nq1,a#1,1\nq1,a#2,2\nq1,c#9,1\nq2,z#1,1\n")
        rows = ("q1 Q0 x#1 1 9 d\n", "q1 Q0 x#2 2 8 d\n", "q1 Q0 a#2 3 7 d\n", "q1 Q0 c#9 4 6 d\n", "q2 Q0 z#3 1 4 d\n")
        (folder / "dense.run").write_text("".join(rows))
        (folder / "title.run").write_text("q1 Q0 a#1 1 2 t\nq2 Q0 z#1 1 1 t\n")
        ids = ("a#1", "a#2", "c#9", "z#1", "z#3", "x#1", "x#2")
        (folder / "chunks.tsv").write_text("chunk_id\tdoc_id\n" + "".join(f"{name}\t{name[0]}\n" for name in ids))
        (folder / "answers.csv").write_text("query,document,answer\nq1,a#1,A\nq1,c#9,A\n")
        (folder / "dev.txt").write_text("q1\n")
        return folder

    @pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
    def test_every_output_has_the_scores_of_documents(self, chunks, cranfield, form):
        done = cranfield("evaluate", "gold.csv", "dense.run", "-m", "RR", "--group-by", "#", "--format", form)
        assert (done.returncode, done.stderr) == (0, "")
        assert "0.75" in done.stdout
        assert ("5 chunks, 4 documents" in done.stdout) == (form in ("table", "markdown"))

    @pytest.mark.parametrize("group_by", ["#", r"^(\w)#", "chunks.tsv"])
    def test_every_command_that_scores_groups_chunks(self, chunks, cranfield, group_by):
        given = ("--group-by", group_by)
        files = ("gold.csv", "dense.run", "title.run")
        for words in (
            ("compare", *files, "-m", "RR"),
            ("report", *files, "-o", "report.html"),
            ("risk", *files, "--baseline", "dense", "-m", "RR"),
            ("curve", *files),
            ("why", *files[:2], "-m", "RR"),
            ("explain", *files[:2], "--query", "q1", "-m", "RR"),
        ):
            done = cranfield(*words, *given)
            assert done.returncode == 0, (words, done.stderr)
        page = (chunks / "report.html").read_text()
        assert "count as their documents, the best chunk first" in page
        assert f"--group-by {group_by if group_by == 'chunks.tsv' else ''}".rstrip() in page

    def test_a_gate_measures_a_run_as_its_baseline_was_measured(self, chunks, cranfield):
        saved = cranfield(
            "evaluate", "gold.csv", "dense.run", "-m", "RR", "--group-by", "chunks.tsv", "--save", "b.json"
        )
        assert saved.returncode == 0, saved.stderr
        gate = ("gate", "gold.csv", "dense.run", "--baseline", "b.json", "-m", "RR", "--margin", "0.5")
        done = cranfield(*gate)
        assert done.returncode == 0, done.stderr
        (chunks / "chunks.tsv").write_text("chunk_id\tdoc_id\na#1\tb\n")
        changed = cranfield(*gate)
        assert changed.returncode == 2
        assert "--group-by chunks.tsv (sha256 " in changed.stderr
        assert "which is not there, or was changed" in changed.stderr

    def test_alternatives_count_once(self, chunks, cranfield):
        done = cranfield(
            "evaluate", "gold.csv", "dense.run", "-m", "R@10", "--alternatives", "answers.csv", "--format", "table"
        )
        assert "0.5000" in done.stdout, done.stderr
        assert "Alternatives count once (answers.csv)" in done.stdout

    def test_a_hyphen_is_a_separator(self, folder, cranfield):
        (folder / "qrels.txt").write_text("q1 0 d7 1\n")
        (folder / "chunks.run").write_text("q1 Q0 d3-1 1 2 t\nq1 Q0 d7-4 2 1 t\n")
        done = cranfield("evaluate", "qrels.txt", "chunks.run", "-m", "RR", "--group-by", "-", "--format", "tsv")
        assert "0.5000" in done.stdout, done.stderr

    def test_some_of_the_queries_are_evaluated(self, chunks, cranfield):
        done = cranfield(
            "evaluate", "gold.csv", "dense.run", "-m", "RR", "--only-queries", "dev.txt", "--format", "table"
        )
        assert "Only the queries of dev.txt are evaluated." in done.stdout, done.stderr
        assert "1/1" in done.stdout

    @pytest.mark.parametrize(
        ("words", "code", "message"),
        [
            (("--group-by", "@@"), 3, "no document id of judgments and runs contains '@@'"),
            (("--group-by", "^(.+"), 2, "--group-by is no regular expression"),
            (("--group-by", "-"), 3, "no document id of judgments and runs contains '-'"),
            (("--only-queries", "-"), 2, "must be a file; - is for judgments or a run"),
            (("--group-by", "#", "--alternatives", "answers.csv"), 2, "--group-by and --alternatives both say"),
            (("--group-by", "dev.txt"), 3, "cannot recognise the columns of the chunks"),
            (("--only-queries", "missing.txt"), 3, "missing.txt"),
            (("--only-queries", "title.run"), 3, "none of the"),
            (("--alternatives", "chunks.tsv"), 3, "cannot recognise the columns of the alternatives"),
        ],
    )
    def test_what_cannot_be_is_answered_in_words(self, chunks, cranfield, words, code, message):
        done = cranfield("evaluate", "gold.csv", "dense.run", "-m", "RR", *words)
        assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr
        assert message in done.stderr

    @pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
    def test_unjudged_documents_count_with_a_grade_in_every_output(self, chunks, cranfield, form):
        grade = ("--unjudged-grade", "1", "-m", "P@1", "--format", form)
        done = cranfield("evaluate", "gold.csv", "dense.run", "title.run", *grade)
        assert done.returncode == 0, done.stderr
        assert "1.000" in done.stdout or "1.0" in done.stdout
        refused = cranfield("evaluate", "gold.csv", "dense.run", *grade, "-m", "AP")
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "with --unjudged-grade 1 each run would add" in refused.stderr

    def test_saved_results_are_scored_already(self, chunks, cranfield):
        cranfield("evaluate", "gold.csv", "dense.run", "-m", "RR", "--save", "a.json")
        done = cranfield("compare", "a.json", "--only-queries", "dev.txt")
        assert done.returncode == 2
        assert "--only-queries changes how runs are scored" in done.stderr


def test_responses_in_the_order_of_queries_need_the_queries(cranfield, folder):
    hits = '{"took": 1, "timed_out": false, "hits": {"total": {"value": 1}, "hits": [{"_id": "d1", "_score": 1}]}}'
    (folder / "es.json").write_text(f'{{"responses": [{hits}, {hits}]}}')
    (folder / "queries.tsv").write_text("query_id\ttext\nq1\tone\nq2\ttwo\n")
    refused = cranfield("evaluate", "qrels.txt", "es.json")
    assert refused.returncode == 3
    assert "--run-queries FILE" in refused.stderr
    for arguments in (("evaluate", "qrels.txt", "es.json"), ("similarity", "es.json", "bm25.run")):
        done = cranfield(*arguments, "--run-queries", "queries.tsv")
        assert done.returncode == 0, done.stderr
    other = cranfield("evaluate", "qrels.txt", "bm25.run", "--run-queries", "queries.tsv")
    assert (other.returncode, "--run-queries is about saved responses" in other.stderr) == (2, True)
