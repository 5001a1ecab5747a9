"""`cranfield curve`: numbers, sketches and figures."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner

from cranfield.cli import cranfield as main
from cranfield.cli.curve import KINDS

NOTES = "0101010000|111111111111"
SLIDES = "1001101000|111111"


@pytest.fixture
def cranfield(folder):
    """The command in this process: starting one for each of so many figures would take minutes."""

    def call(*arguments, stdin=None):
        done = CliRunner().invoke(main, arguments, input=stdin, catch_exceptions=False)
        done.returncode = done.exit_code
        return done

    return call


@pytest.fixture
def two(folder):
    """Judgments and two runs."""
    (folder / "dense.run").write_text("q1 Q0 d2 1 3.0 dense\nq1 Q0 d1 2 2.0 dense\nq2 Q0 d1 1 1.0 dense\n")
    return "qrels.txt", "bm25.run", "dense.run"


def rows(text):
    head, *lines = (line.split("\t") for line in text.splitlines())
    return [dict(zip(head, line, strict=True)) for line in lines]


class TestNumbers:
    def test_in_a_pipe_there_is_a_row_for_each_point(self, cranfield, two):
        done = cranfield("curve", *two)
        assert done.returncode == 0
        assert done.stdout.splitlines()[0] == "run\tquery\trecall\tprecision\tlow\thigh"
        assert [row["precision"] for row in rows(done.stdout)][:11] == ["0.7500"] * 6 + ["0.5833"] * 5

    def test_a_measure_at_every_cutoff(self, cranfield, two):
        found = rows(cranfield("curve", *two, "--kind", "at-k", "-m", "P", "-k", "3").stdout)
        of_bm25 = [(row["measure"], row["k"], row["value"]) for row in found if row["run"] == "bm25"]
        assert of_bm25 == [("P@k", "1", "0.5000"), ("P@k", "2", "0.5000"), ("P@k", "3", "0.5000")]

    def test_json_holds_the_same_in_full(self, cranfield, two):
        held = json.loads(cranfield("curve", *two, "--format", "json").stdout)
        assert held["kind"] == "pr11"
        assert held["rows"][6]["precision"] == pytest.approx(7 / 12)

    @pytest.mark.parametrize("form", ["csv", "jsonl", "markdown", "latex"])
    def test_other_formats_are_those_of_every_table(self, cranfield, two, form):
        done = cranfield("curve", *two, "--format", form)
        assert done.returncode == 0
        assert "precision" in done.stdout

    @pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("roc", "grades")])
    def test_every_kind_has_numbers_and_a_sketch(self, cranfield, two, kind):
        for form in ("tsv", "table"):
            done = cranfield("curve", *two, "--kind", kind, "--format", form)
            assert done.returncode == 0, done.stderr
            assert len(done.stdout.splitlines()) > 2

    def test_grades_need_judgments_only(self, cranfield):
        assert rows(cranfield("curve", "qrels.txt", "--kind", "grades").stdout)[0] == {
            "grade": "0",
            "judgments": "1",
            "share": "0.2500",
            "queries": "1",
        }

    def test_one_query(self, cranfield, two):
        found = rows(cranfield("curve", *two, "--kind", "pr", "--query", "q1").stdout)
        assert [row["k"] for row in found if row["run"] == "bm25"] == ["1", "2", "3"]

    def test_every_query_comes_before_the_mean(self, cranfield, two):
        assert [row["query"] for row in rows(cranfield("curve", *two, "-q").stdout)][::11] == ["q1", "q2", "all"] * 2

    def test_the_letters_mean_what_they_mean_in_trec_eval(self, cranfield, two):
        arguments = ("--kind", "at-k", "-m", "P", "-k", "1", "-l", "2", "-M", "1", "-J")
        assert [row["value"] for row in rows(cranfield("curve", *two, *arguments).stdout)] == ["0.5000", "0.0000"]

    def test_a_run_may_come_from_standard_input(self, cranfield, folder):
        done = cranfield("curve", "qrels.txt", "-", stdin=(folder / "bm25.run").read_text())
        assert rows(done.stdout)[0]["precision"] == "0.7500"


class TestTheSeedsFigures:
    """The figures of lecture notes, one command each."""

    def test_the_saw_tooth_of_the_notes(self, cranfield):
        found = rows(cranfield("curve", NOTES, "--kind", "pr", "--places", "2").stdout)
        assert [row["precision"] for row in found] == [
            *("0.00", "0.50", "0.33", "0.50", "0.40", "0.50", "0.43", "0.38", "0.33", "0.30")
        ]
        assert [row["recall"] for row in found] == ["0.00", "0.07", "0.07", "0.13", "0.13", *["0.20"] * 5]

    def test_the_eleven_points_of_the_notes(self, cranfield):
        found = rows(cranfield("curve", NOTES, "--places", "1").stdout)
        assert [row["precision"] for row in found] == ["0.5"] * 3 + ["0.0"] * 8

    def test_the_slides(self, cranfield):
        found = rows(cranfield("curve", SLIDES, "--places", "2").stdout)
        assert [row["precision"] for row in found][:6] == ["1.00", "1.00", "0.60", "0.60", "0.57", "0.00"]

    @pytest.mark.parametrize("kind", ["pr", "pr11"])
    def test_each_is_drawn_by_one_command(self, cranfield, folder, kind):
        done = cranfield("curve", SLIDES, "--kind", kind, "-o", "figure.svg")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        texts = [text.text for text in ET.parse(folder / "figure.svg").iter("{http://www.w3.org/2000/svg}text")]
        assert "recall" in texts
        assert " ".join(texts).count("ranking") == 1
        assert f"ranking {SLIDES}" in " ".join(texts)

    def test_several_rankings_are_queries_of_one_run(self, cranfield):
        found = rows(cranfield("curve", "10", "01").stdout)
        assert {(row["run"], row["query"], row["precision"]) for row in found} == {("ranking", "all", "0.7500")}

    def test_means_of_typed_rankings_have_no_intervals(self, cranfield):
        found = rows(cranfield("curve", "10", "01", "--kind", "at-k", "-m", "AP").stdout)
        assert list(found[-1]) == ["run", "query", "measure", "k", "value"]
        assert found[-1]["value"] == "0.7500"

    def test_the_number_of_relevant_documents_may_be_told(self, cranfield):
        written = cranfield("curve", NOTES, "--kind", "pr").stdout
        assert cranfield("curve", "0 1 0 1 0 1 0 0 0 0", "--relevant", "15", "--kind", "pr").stdout == written
        assert cranfield("curve", "0101010000|+12", "--kind", "pr").stdout == written

    def test_a_ranking_may_begin_with_an_unjudged_document(self, cranfield):
        found = rows(cranfield("curve", "- 1", "--kind", "pr").stdout)
        assert [row["precision"] for row in found] == ["0.0000", "0.5000"]

    def test_a_file_is_read_whatever_its_name_looks_like(self, cranfield, folder):
        (folder / "10").write_text((folder / "qrels.txt").read_text())
        assert rows(cranfield("curve", "10", "bm25.run").stdout)[0]["run"] == "bm25"


class TestFigures:
    @pytest.mark.parametrize("kind", KINDS)
    def test_every_kind_is_drawn(self, cranfield, two, folder, kind):
        (folder / "qrels.txt").write_text("q1 0 d1 2\nq1 0 d2 0\nq1 0 d3 1\nq2 0 d1 1\nq2 0 d2 0\n")
        files = two[:1] if kind == "grades" else two
        done = cranfield("curve", *files, "--kind", kind, "-o", "figure.svg", "--quiet")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert ET.parse(folder / "figure.svg").getroot().tag.endswith("svg")

    @pytest.mark.parametrize(("suffix", "begins"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")])
    def test_the_end_of_its_name_says_the_format(self, cranfield, two, folder, suffix, begins):
        assert cranfield("curve", *two, "-o", f"figure.{suffix}").returncode == 0
        assert (folder / f"figure.{suffix}").read_bytes().startswith(begins)

    def test_numbers_are_printed_too_when_a_format_is_named(self, cranfield, two):
        assert cranfield("curve", *two, "-o", "figure.svg", "--format", "tsv").stdout.startswith("run\tquery")

    def test_size_is_in_inches(self, cranfield, two, folder):
        cranfield("curve", *two, "-o", "figure.svg", "--size", "3.3x2.5")
        assert ET.parse(folder / "figure.svg").getroot().attrib["width"] == "237.6pt"

    def test_a_title_of_one_s_own(self, cranfield, two, folder):
        cranfield("curve", *two, "-o", "figure.svg", "--title", "Mine <&$x_1$>")
        assert "Mine &lt;&amp;$x_1$&gt;" in (folder / "figure.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "Name judgments and at least one run, or type a ranking such as '1 0 1 1'."),
        (("qrels.txt",), 2, "Only judgments were given, qrels.txt; name at least one run, or type a ranking."),
        (("qrels.txt", "bm25.run", "--kind", "grades"), 2, "leave out the runs"),
        (("qrels.txt", "bm25.run", "-o", "figure.gif"), 2, "Choose one that ends in .svg, .pdf, .png"),
        (("qrels.txt", "bm25.run", "-o", "figure"), 2, "Choose one that ends in .svg, .pdf, .png"),
        (("qrels.txt", "bm25.run", "-o", "nowhere/figure.svg"), 3, "nowhere/figure.svg: cannot be written"),
        (("qrels.txt", "bm25.run", "--size", "6"), 2, "not a width and height in inches, such as 6x4"),
        (("qrels.txt", "bm25.run", "--size", "0x4"), 2, "not a width and height in inches"),
        (("qrels.txt", "bm25.run", "--size", "nanxnan"), 2, "not a width and height in inches"),
        (("qrels.txt", "bm25.run", "--kind", "differences"), 2, "no run to compare bm25 with"),
        (("qrels.txt", "bm25.run", "--kind", "heatmap", "-k", "3"), 2, "-k is for --kind pr, at-k or depth"),
        (("qrels.txt", "bm25.run", "--baseline", "bm25"), 2, "--baseline is for --kind differences or scatter"),
        (("qrels.txt", "bm25.run", "--kind", "scatter", "--query", "q1"), 2, "--query is for --kind pr11"),
        (("qrels.txt", "bm25.run", "-q", "--query", "q1"), 2, "choose one of them"),
        (("qrels.txt", "bm25.run", "--query", "q3"), 2, "Judged queries are q1, q2."),
        (("qrels.txt", "bm25.run", "--highlight", "dense"), 2, "There is no run 'dense' to highlight"),
        (("qrels.txt", "bm25.run", "-m", "nDCG"), 2, "kind at-k draws any measure"),
        (("qrels.txt", "bm25.run", "--kind", "at-k", "-m", "nDGC"), 2, "Did you mean nDCG"),
        (("qrels.txt", "bm25.run", "--kind", "heatmap", "-m", "AP", "-m", "RR"), 2, "give -m once"),
        (("qrels.txt", "nothing.run"), 3, "nothing.run"),
        (("-", "-"), 2, "Standard input can be read only once"),
        (("10", "qrels.txt"), 2, "'q' at position 1 is not a grade"),
        (("1 a 0",), 2, "'a' at position 3 is not a grade"),
        (("00",), 2, "No document is relevant (grade 1 or more) in '00', so there is no curve."),
        (("0101010000|15",), 2, "'15' after | could be a number of documents or their grades."),
        (("10", "--relevant", "0"), 2, "so --relevant 0 is too few"),
        (("10", "--columns", "query"), 2, "--columns works with files only, and a ranking was typed."),
        (("qrels.txt", "bm25.run", "--relevant", "3"), 2, "--relevant is for rankings that are typed"),
        (("10", "--rankng"), 2, "No such option '--rankng'"),
    ],
)
def test_what_is_wrong_is_told_without_a_traceback(cranfield, arguments, code, message):
    done = cranfield("curve", *arguments)
    assert done.returncode == code
    assert message in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr


class TestAProcessOfItsOwn:
    @pytest.fixture
    def process(self, folder):
        def call(*arguments, **environment):
            command = [Path(sys.executable).parent / "cranfield", "curve", *arguments]
            return subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)

        return call

    def test_without_matplotlib_it_says_how_to_get_it_before_reading_anything(self, process, folder):
        # As if it were not installed.
        (folder / "sitecustomize.py").write_text("import sys; sys.modules['matplotlib'] = None\n")
        done = process("missing.txt", "missing.run", "-o", "figure.svg", PYTHONPATH=str(folder))
        assert done.returncode == 2
        assert done.stderr == (
            "cranfield: A figure needs the package matplotlib, which is not installed.\n"
            "Install it: pip install matplotlib\n"
        )
        sketched = process("qrels.txt", "bm25.run", "--format", "table", PYTHONPATH=str(folder))
        assert (sketched.returncode, sketched.stderr) == (0, "")

    def test_a_figure_is_the_same_file_in_another_process(self, process, folder):
        for name in ("one.svg", "two.svg", "one.pdf", "two.pdf"):
            assert (
                process("qrels.txt", "bm25.run", "-o", name, PYTHONHASHSEED="1" if "one" in name else "2").returncode
                == 0
            )
        assert (folder / "one.svg").read_bytes() == (folder / "two.svg").read_bytes()
        assert (folder / "one.pdf").read_bytes() == (folder / "two.pdf").read_bytes()


def test_a_typo_in_a_measure_is_told_before_files_are_read(cranfield):
    done = cranfield("curve", "missing", "missing", "--kind", "at-k", "-m", "nDGC")
    assert done.returncode == 2
    assert "Did you mean nDCG" in done.stderr
