"""`cranfield pool`, as a user calls it."""

from __future__ import annotations

import csv
import io
import json
import os

import pytest
from click.testing import CliRunner

import cranfield as cf
from cranfield.cli import cranfield as command

ALL = ("title.run", "bm25.run", "dense.run", "hybrid.run")


def test_in_a_pipe_there_is_a_row_per_document(pool, collection):
    done = pool("bm25.run", "dense.run", "--depth", "3")
    lines = done.stdout.splitlines()
    assert lines[0] == "query\tdocument"
    expected = cf.pool([collection / "bm25.run", collection / "dense.run"], depth=3)
    assert [tuple(line.split("\t")) for line in lines[1:]] == [(entry.query, entry.document) for entry in expected]
    assert done.stderr.startswith("280 documents to judge for 70 queries.") or done.stderr.endswith("document.\n")


def test_the_trec_form_takes_a_grade(pool, collection):
    done = pool(*ALL, "--judgments", "qrels.txt", "-o", "-", "--quiet")
    lines = done.stdout.splitlines()
    assert len(lines) == 105
    assert all(len(line.split()) == 3 and line.split()[1] == "0" for line in lines)
    judged = (collection / "qrels.txt").read_text() + done.stdout.replace("\n", " 0\n")
    (collection / "more.txt").write_text(judged)
    scores = cf.evaluate(collection / "more.txt", collection / "hybrid.run", "Judged@10")
    assert scores.mean("Judged@10").value == 1


def test_texts_reach_csv_and_jsonl(pool, collection):
    texts = ("--queries", "queries.tsv", "--documents", "documents.jsonl")
    rows = list(csv.DictReader(io.StringIO(pool("bm25.run", *texts, "--format", "csv").stdout)))
    records = [json.loads(line) for line in pool("bm25.run", *texts, "--format", "jsonl").stdout.splitlines()]
    assert rows == records
    assert list(rows[0]) == ["query", "query_text", "document", "title", "text"]
    assert rows[0]["query_text"] == "how often should I water tomatoes"


def test_a_table_begins_with_a_verdict(pool, collection):
    done = pool(*ALL, "--judgments", "qrels.txt", "--format", "table", "--seconds-per-label", "30")
    assert done.stdout.startswith("105 new documents to judge for 58 queries. The first 10 of 4 runs hold 1,443 pairs")
    assert "that is about 52 minutes" in done.stdout
    assert "judged@10" in done.stdout
    assert "… and 85 more." in done.stdout
    assert done.stderr == ""


def test_names_of_runs_are_nowhere_in_what_judges_read(pool, collection):
    texts = ("--queries", "queries.tsv", "--documents", "documents.jsonl")
    for form in ("tsv", "csv", "jsonl"):
        shown = pool("bm25.run", "dense.run", *texts, "--format", form, "--quiet").stdout
        assert "bm25" not in shown
    assert "bm25" not in pool("bm25.run", "dense.run", "-o", "-", "--quiet").stdout
    told = pool("bm25.run", "dense.run", "--depth", "1", "--with-runs", "--format", "jsonl").stdout
    assert json.loads(told.splitlines()[0])["runs"] == "bm25:1"


@pytest.mark.parametrize("strategy", ["depth", "rrf", "rbp", "move-to-front", "bandit", "thompson", "comparison"])
def test_every_strategy_spends_a_budget(pool, collection, strategy):
    arguments = ("--strategy", strategy, "--budget", "7", "--judgments", "qrels.txt", "-o", "-")
    done = pool("bm25.run", "dense.run", *arguments)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 7


def test_what_could_change_the_comparison_comes_first(pool, collection):
    arguments = ("--strategy", "comparison", "-m", "AP", "--budget", "5", "--judgments", "qrels.txt")
    shown = pool("bm25.run", "dense.run", *arguments, "--format", "jsonl").stdout
    changes = [json.loads(line)["change"] for line in shown.splitlines()]
    assert changes == sorted(changes, reverse=True)
    assert changes[0] > 0


def test_a_number_for_each_query(pool, collection):
    shown = pool("bm25.run", "dense.run", "--labels-per-query", "2", "-o", "-").stdout
    queries = [line.split()[0] for line in shown.splitlines()]
    assert all(queries.count(query) == 2 for query in queries)


def test_a_pool_is_written_to_a_file_in_the_format_of_its_name(pool, collection):
    for name in ("pool.jsonl", "pool.csv", "pool.tsv", "pool.txt", "pool.json", "pool.md", "pool.tex"):
        done = pool("bm25.run", "-o", name, "--depth", "2", "--format", "table")
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("140 documents to judge for 70 queries.")
        assert (collection / name).stat().st_size > 0
    assert len((collection / "pool.txt").read_text().splitlines()) == 140
    assert len(json.loads((collection / "pool.json").read_text())["documents"]) == 140


def test_a_sample_and_its_labels_become_judgments_for_estimates(pool, collection):
    draw = ("--strategy", "sample", "--strata", "5:1,30:0.3")
    lines = pool(*ALL, *draw, "-o", "-", "--quiet").stdout.splitlines()
    labels = [f"{' '.join(line.split()[:3])} 1\n" for line in lines if len(line.split()) == 4]
    (collection / "labels.txt").write_text("".join(labels))
    done = pool(*ALL, *draw, "--judgments", "labels.txt", "--qrels", "sample.qrels", "--quiet")
    assert done.stderr == ""
    scores = cf.evaluate(collection / "sample.qrels", collection / "hybrid.run", ["xinfAP", "infNDCG"])
    assert 0 < scores.mean("xinfAP").value <= 1
    rows = [line.split() for line in (collection / "sample.qrels").read_text().splitlines()]
    assert len(rows) == len(lines)
    assert {row[4] for row in rows} == {"-1", "1"}
    again = pool(*ALL, *draw, "--judgments", "qrels.txt", "--qrels", "part.qrels")
    assert "sampled documents are not judged yet" in again.stderr


FORMS = ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"]


@pytest.mark.parametrize("question", ["simulate", "reusability", "plan --width 0.1 -m P@10"])
@pytest.mark.parametrize("form", FORMS)
def test_every_question_is_answered_in_every_form(pool, collection, question, form):
    done = pool(*question.split(), "bm25.run", "dense.run", "--judgments", "qrels.txt", "--format", form, "--quiet")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    if form == "json":
        assert json.loads(done.stdout)["verdict"]
    else:
        assert "bm25" in done.stdout or "depth" in done.stdout


ADDED = {
    "--with-runs": ("--with-runs", "bm25:1"),
    "--seconds-per-label": ("--seconds-per-label 30", "seconds"),
    "--queries": ("--queries queries.tsv", "how often should I water tomatoes"),
    "--documents": ("--documents documents.jsonl", "tomatoes"),
}
"""What each option adds, and a word that only then is printed."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("option", ADDED)
def test_what_an_option_adds_is_in_every_form(pool, collection, option, form):
    arguments, word = ADDED[option]
    asked = ("bm25.run", "dense.run", "--depth", "2", "--format", form)
    done = pool(*asked, *arguments.split())
    assert done.returncode == 0, done.stderr
    assert word in done.stdout
    assert word not in pool(*asked).stdout


@pytest.mark.parametrize("form", FORMS)
def test_what_each_run_has_in_a_written_pool_is_in_every_form(pool, collection, form):
    done = pool("bm25.run", "dense.run", "--depth", "2", "-o", "pool.txt", "--format", form, "--quiet")
    assert "bm25" in done.stdout
    assert "d0020" not in done.stdout


@pytest.mark.parametrize("form", FORMS)
def test_a_pool_in_every_form(pool, collection, form):
    done = pool("bm25.run", "dense.run", "--format", form)
    assert done.returncode == 0, done.stderr
    assert "d0020" in done.stdout


def test_a_run_is_read_from_standard_input(cranfield, collection):
    done = cranfield("pool", "-", "dense.run", "-o", "-", stdin=(collection / "bm25.run").read_text())
    assert done.stdout == cranfield("pool", "bm25.run", "dense.run", "-o", "-").stdout


def test_warnings_can_be_silenced(pool, collection):
    assert "title: no documents for 2 of 70 queries" in pool(*ALL).stderr
    assert pool(*ALL, "--quiet").stderr == ""


def test_plain_loops_give_the_same_pool(cranfield, collection):
    plain = cranfield("pool", *ALL, environment={**os.environ, "CRANFIELD_KERNELS": "plain"})
    assert plain.stdout == cranfield("pool", *ALL).stdout


TWICE = "q01 Q0 d1 1 2.0 x\nq01 Q0 d1 2 1.0 x\n"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "Missing argument"),
        (("bm25.run", "--depth", "0"), 2, "must be a whole number from 1 to 1,000,000,000, not '0'"),
        (("bm25.run", "--budget", "0"), 2, "must be a whole number from 1 to 1,000,000,000, not '0'"),
        (("bm25.run", "--strategy", "bandits"), 2, "Did you mean bandit?"),
        (("bm25.run", "--strategy", "comparison"), 2, "A comparison is between runs"),
        (("bm25.run", "dense.run", "--strategy", "comparison", "-m", "nDGC@10"), 2, "Did you mean nDCG"),
        (("bm25.run", "other.run"), 3, "no query in common"),
        (("bm25.run", "twice.run"), 3, "lists document 'd1' again"),
        (("bm25.run", "nothing.run"), 3, "there is no such file"),
        (("bm25.run", "qrels.txt"), 3, "these are judgments, where a run was expected"),
        (("bm25.run", "--group", "a=b"), 2, "No such option"),
        (("bm25.run", "--format", "trec"), 2, "'trec' is not one of 'table'"),
        (("bm25.run", "--qrels", "x"), 2, "give the labels with --judgments"),
        (("bm25.run", "--judgments", "qrels.txt", "--qrels", "x"), 2, "Strata belong to a stratified sample"),
        (("bm25.run", "-o", "pool.xyz"), 2, "does not show the format to write a pool in"),
        (("bm25.run", "--documents", "queries.tsv"), 3, "none of the"),
        (("bm25.run", "--judgments", "other.qrels"), 3, "no query in common"),
        (("-", "-"), 2, "Standard input can be read only once"),
    ],
)
def test_what_is_wrong_is_told_without_a_traceback(pool, collection, arguments, code, message):
    (collection / "other.run").write_text("x1 Q0 d1 1 2.0 x\n")
    (collection / "other.qrels").write_text("x1 0 d1 1\n")
    (collection / "twice.run").write_text(TWICE)
    done = pool(*arguments)
    assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr
    assert message in done.stderr


def test_a_budget_beyond_the_pool_is_told(pool, collection):
    done = pool("bm25.run", "dense.run", "--budget", "100000")
    assert done.returncode == 0
    assert (
        "warning: the budget is 100,000 labels, and the pool of depth 100 has 2,927 documents to judge" in done.stderr
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--seconds-per-label", "nan"), "must be a number above 0"),
    ],
)
def test_options_that_would_do_nothing_are_refused(cranfield, options, words):
    done = cranfield("pool", *options, "bm25.run", "bm25.run", "--judgments", "qrels.txt")
    assert done.returncode == 2
    assert words in done.stderr


def test_a_file_that_cannot_be_written_is_named(cranfield):
    done = cranfield("pool", "bm25.run", "-o", "nowhere/pool.csv")
    assert done.returncode == 3
    assert "nowhere/pool.csv: cannot be written" in done.stderr


class TestGivenTwice:
    def test_one_run_is_refused(self, cranfield):
        done = cranfield("pool", "bm25.run", "bm25.run")
        assert (done.returncode, done.stderr) == (2, "cranfield: bm25.run is given twice. Give each run once.\n")

    def test_a_copy_is_told(self, cranfield, folder):
        (folder / "copy.run").write_bytes((folder / "bm25.run").read_bytes())
        done = cranfield("pool", "bm25.run", "copy.run")
        assert "warning: bm25 and copy have the same first 10 documents for every query" in done.stderr

    def test_two_measures_are_refused(self, cranfield):
        done = cranfield("pool", "bm25.run", "-m", "AP", "-m", "RR")
        assert done.returncode == 2
        assert "Runs are compared by one measure, not by AP and RR; give one -m." in done.stderr


@pytest.mark.parametrize("name", ["pool.CSV", "pool.Tsv", "POOL.TXT"])
def test_the_case_of_an_ending_does_not_matter(cranfield, folder, name):
    assert cranfield("pool", "bm25.run", "-o", name).returncode == 0
    assert (folder / name).read_bytes()


class TestGradesWrittenIntoAPool:
    """What was pooled with texts is read back once there are grades in it."""

    @pytest.fixture
    def rows(self, pool, collection):
        texts = "--queries", "queries.tsv", "--documents", "documents.jsonl"
        done = pool("bm25.run", "dense.run", "--depth", "2", *texts, "-o", "pool.csv")
        assert done.returncode == 0
        with (collection / "pool.csv").open(newline="", encoding="utf-8") as opened:
            return list(csv.DictReader(opened))

    def write(self, path, rows):
        with path.open("w", newline="", encoding="utf-8") as opened:
            writer = csv.DictWriter(opened, rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)

    def test_evaluate_reads_it_without_options(self, rows, collection):
        assert list(rows[0]) == ["query", "query_text", "document", "title", "text", "grade"]
        assert {row["grade"] for row in rows} == {""}
        self.write(collection / "judged.csv", [{**row, "grade": at % 3} for at, row in enumerate(rows)])
        judged = cf.read_judgments(collection / "judged.csv")
        assert set(judged) == {row["query"] for row in rows}
        done = CliRunner().invoke(command, ["evaluate", "judged.csv", "bm25.run", "--quiet"])
        assert (done.exit_code, done.stderr) == (0, "")

    def test_half_filled_in_it_is_evaluated_and_pooled_further(self, rows, collection):
        half = [{**row, "grade": "" if at % 2 else 1} for at, row in enumerate(rows)]
        self.write(collection / "half.csv", half)
        done = CliRunner().invoke(command, ["evaluate", "half.csv", "bm25.run"])
        assert done.exit_code == 0
        assert f"half.csv: {len(rows) // 2} of {len(rows)} rows have no grade" in done.stderr
        pool = CliRunner().invoke(
            command, ["pool", "bm25.run", "dense.run", "--depth", "2", "--judgments", "half.csv", "-o", "-"]
        )
        assert len(pool.stdout.splitlines()) == len(rows) // 2

    def test_json_lines_have_a_grade_to_fill_in_too(self, pool, collection):
        pool("bm25.run", "--depth", "2", "-o", "pool.jsonl")
        first = json.loads((collection / "pool.jsonl").read_text().splitlines()[0])
        assert first["grade"] is None

    @pytest.mark.parametrize("wide", [False, True])
    def test_agree_does_so_too(self, rows, collection, wide):
        by_judge = [{**row, "judge": judge, "grade": at % 3} for at, row in enumerate(rows) for judge in ("ann", "ben")]
        beside = [{**row, "ann": at % 3, "ben": at % 2} for at, row in enumerate(rows)]
        self.write(collection / "labels.csv", beside if wide else by_judge)
        assert cf.read_labels(collection / "labels.csv").judges == ("ann", "ben")
        assert CliRunner().invoke(command, ["agree", "labels.csv", "--quiet"]).exit_code == 0


class TestJudges:
    """A sheet for each judge."""

    def test_it_says_who_has_which_file(self, pool, collection):
        done = pool("bm25.run", "dense.run", "--judges", "anna,ben", "--overlap", "10%", "-o", "pool.csv")
        rows = list(csv.DictReader(io.StringIO(done.stdout), delimiter="\t"))
        assert [(row["judge"], row["file"]) for row in rows] == [("anna", "pool-anna.csv"), ("ben", "pool-ben.csv")]
        assert "go to 2 judges" in done.stderr
        anna = list(csv.DictReader((collection / "pool-anna.csv").read_text().splitlines()))
        assert list(anna[0]) == ["query", "document", "grade", "judge"]
        assert len(anna) == int(rows[0]["labels"])

    @pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
    def test_it_does_so_in_every_format(self, pool, form):
        shown = pool("bm25.run", "dense.run", "--judges", "anna,ben", "-o", "pool.xlsx", "--format", form).stdout
        assert "pool-ben.xlsx" in shown

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--judges", "anna,ben"], "add -o FILE"),
            (["--judges", "anna,ben", "-o", "-"], "add -o FILE"),
            (["--judges", "anna,ben", "-o", "pool.txt"], "ends in .csv, .tsv, .jsonl, .xlsx"),
            (["--judges", "anna,ben", "-o", "pool.csv", "--with-runs"], "do not go together"),
            (["--judges", "anna,ben", "-o", "pool.csv", "--overlap", "2.5"], "--overlap must be a share"),
            (["--judges", "anna,ben", "-o", "pool.csv", "--overlap-judges", "3"], "--overlap-judges 3: there are 2"),
            (["--overlap", "20%"], "need --judges"),
        ],
    )
    def test_options_that_do_not_fit_are_refused(self, pool, options, message):
        done = pool("bm25.run", "dense.run", *options)
        assert done.returncode == 2
        assert message in done.stderr
