"""`cranfield compare`, as a user calls it."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from cranfield import demo
from tests.cli.score_printing import ScorePrinting


def _read(terminal):
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # Linux says so where nothing follows
        return b""


FORMATS = ("table", "tsv", "csv", "json", "jsonl", "markdown", "latex")
ROWS = ("tsv", "csv", "jsonl")
NEW = "q1 Q0 d3 1 3.0 new\nq2 Q0 d1 1 1.0 new\n"


@pytest.fixture(autouse=True)
def new(folder):
    (folder / "new.run").write_text(NEW)


def test_a_row_for_every_difference(cranfield):
    shown = cranfield("compare", "qrels.txt", "bm25.run", "new.run", "-m", "RR").stdout.splitlines()
    header, row = (line.split("\t") for line in shown)
    assert dict(zip(header, row, strict=True)) | {"p": "", "adjusted": ""} == {
        "measure": "RR",
        "run": "new",
        "baseline": "bm25",
        "mean": "1.0000",
        "baseline_mean": "0.7500",
        "difference": "0.2500",
        "low": "-2.9266",
        "high": "3.4266",
        "p": "",
        "adjusted": "",
        "verdict": "none",
        "queries": "2",
        "wins": "1",
        "ties": "1",
        "losses": "0",
        "d": "0.7071",
        "g": row[header.index("g")],
        "superiority": "0.7500",
        "detectable": row[header.index("detectable")],
        "reason": "",
    }


@pytest.mark.parametrize("form", FORMATS)
def test_equivalence_is_in_every_format(cranfield, form):
    asked = ("compare", "qrels.txt", "bm25.run", "new.run", "-m", "RR", "--equivalence", "0.4", "--format", form)
    done = cranfield(*asked)
    assert done.returncode == 0
    assert "undecided" in done.stdout


@pytest.mark.parametrize("margin", ["0", "-1", "nan", "inf", "much", "1e200"])
def test_a_margin_of_equivalence_is_a_number_above_0(cranfield, margin):
    done = cranfield("compare", "qrels.txt", "bm25.run", "new.run", "--equivalence", margin)
    assert done.returncode == 2
    assert "must be a number above 0" in done.stderr


def test_equivalence_by_a_test_without_sides_is_refused_in_words_of_the_command(cranfield):
    done = cranfield("compare", "qrels.txt", "bm25.run", "new.run", "--equivalence", "0.1", "--test", "sign")
    assert done.returncode == 2
    assert "--test randomization or --test t" in done.stderr


def test_verdict_then_table_then_what_moved(cranfield):
    shown = cranfield("compare", "qrels.txt", "bm25.run", "new.run", "-m", "RR", "--format", "table").stdout
    parts = shown.split("\n\n")
    assert parts[0].startswith("No significant difference between new and bm25 on RR. +0.2500 (")
    assert parts[1].startswith("measure")
    assert parts[2].startswith("query")
    assert "q2" in parts[2]


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
def test_every_format(cranfield, form):
    done = cranfield("compare", "qrels.txt", "bm25.run", "new.run", "--format", form)
    assert done.returncode == 0, done.stderr
    assert "new" in done.stdout
    if form == "json":
        assert json.loads(done.stdout)["differences"][0]["run"] == "new"


def test_differences_are_drawn_beside_what_is_printed(cranfield, folder):
    done = cranfield("compare", "qrels.txt", "bm25.run", "new.run", "-m", "RR", "--plot", "figure.svg")
    assert done.stdout.startswith("measure\trun")
    assert "Differences to bm25" in (folder / "figure.svg").read_text()


def test_a_file_that_is_no_figure_is_refused_before_anything_is_read(cranfield):
    done = cranfield("compare", "missing", "missing", "--plot", "figure.txt")
    assert done.returncode == 2
    assert "Choose one that ends in .svg, .pdf, .png" in done.stderr


def test_saved_results_stand_in_for_runs(cranfield):
    assert cranfield("evaluate", "qrels.txt", "bm25.run", "-m", "RR", "--save", "old.json").returncode == 0
    assert cranfield("compare", "qrels.txt", "new.run", "bm25.run", "-m", "RR", "--save", "both.json").returncode == 0
    direct = cranfield("compare", "qrels.txt", "bm25.run", "new.run", "-m", "RR").stdout
    mixed = cranfield("compare", "old.json", "qrels.txt", "new.run")
    assert mixed.stdout == direct, mixed.stderr
    assert cranfield("compare", "both.json", "--baseline", "bm25").stdout == direct


def test_other_judgments_are_refused_unless_told(cranfield, folder):
    (folder / "other.txt").write_text("q1 0 d1 1\n")
    cranfield("evaluate", "qrels.txt", "bm25.run", "-m", "RR", "--save", "old.json")
    cranfield("evaluate", "other.txt", "new.run", "-m", "RR", "--save", "new.json")
    refused = cranfield("compare", "old.json", "new.json")
    assert refused.returncode == 3
    assert "--allow-different-judgments" in refused.stderr
    assert cranfield("compare", "old.json", "new.json", "--allow-different-judgments").returncode == 0


@pytest.mark.parametrize("option", ["--standardise", "--standardize"])
def test_standardised_scores(cranfield, folder, option):
    (folder / "other.run").write_text("q1 Q0 d2 1 1.0 x\n")
    done = cranfield("compare", "qrels.txt", "bm25.run", "new.run", "other.run", option, "--format", "table")
    assert "Scores are standardised: distances from their query's mean over all 3 runs" in done.stdout, done.stderr
    assert cranfield("compare", "qrels.txt", "bm25.run", "new.run", option).returncode == 2


class TestTerminal:
    @pytest.fixture
    def shown(self, folder, server):
        """What a terminal of some columns shows."""
        pty = pytest.importorskip("pty")
        demo.write(folder / "garden")

        def call(columns, *arguments):
            terminal, end = pty.openpty()
            command = [server.with_name("cranfield"), *arguments]
            environment = os.environ | {"COLUMNS": str(columns), "NO_COLOR": "1"}
            with subprocess.Popen(command, cwd=folder / "garden", stdout=end, stderr=subprocess.PIPE, env=environment):
                os.close(end)
                text = b""
                while block := _read(terminal):
                    text += block
            os.close(terminal)
            return text.decode().replace("\r\n", "\n")

        return call

    @pytest.mark.parametrize("columns", [80, 100, 160])
    @pytest.mark.parametrize(
        "options",
        [
            (),
            ("--sensitivity", "--agreement"),
            ("--queries", "queries.tsv", "--by", "intent"),
            ("title.run", "dense.run", "--all-pairs", "--agreement"),
            ("title.run", "dense.run", "--sensitivity", "--baseline", "hybrid"),
        ],
    )
    def test_lines_fit(self, shown, columns, options):
        text = shown(columns, "compare", "qrels.txt", "bm25.run", "hybrid.run", *options)
        assert max(map(len, text.splitlines())) <= columns
        assert ("Columns hidden to fit the terminal" in text) == (columns < 160)

    def test_plans_fit(self, shown):
        text = shown(80, "plan", "qrels.txt", "bm25.run", "hybrid.run", "--difference", "0.05")
        assert max(map(len, text.splitlines())) <= 80


class TestAgreement:
    FILES = ("compare", "qrels.txt", "bm25.run", "new.run")

    @pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
    def test_every_format(self, cranfield, form):
        done = cranfield(*self.FILES, "--agreement", "--format", form)
        assert done.returncode == 0, done.stderr
        assert "nDCG@10" in done.stdout
        if form == "json":
            assert json.loads(done.stdout)["agreement"]["runs"] == ["bm25", "new"]

    def test_of_two_sets_of_judgments(self, cranfield, folder):
        (folder / "other.txt").write_text("q1 0 d1 1\nq2 0 d2 1\n")
        cranfield("evaluate", "qrels.txt", "bm25.run", "new.run", "-m", "RR", "--save", "one.json")
        cranfield("evaluate", "other.txt", "bm25.run", "new.run", "-m", "RR", "--save", "two.json")
        for form in FORMATS:
            done = cranfield("compare", "orders", "one.json", "two.json", "--format", form)
            assert done.returncode == 0, done.stderr
            verdict = "RR: Kendall's tau of 2 runs ranked by qrels.txt and by other.txt: "
            assert verdict in (done.stderr if form in (*ROWS, "latex") else done.stdout)
        assert json.loads(cranfield("compare", "orders", "one.json", "two.json", "--format", "json").stdout)["orders"]
        usual = cranfield("compare", "orders", "one.json", "two.json").stdout
        assert cranfield("compare", "orders", "one.json", "two.json", "--confidence", "0.5").stdout != usual
        assert cranfield("compare", "orders", "one.json", "two.json", "-m", "RR").stdout == usual
        at_once = ("qrels.txt", "other.txt", "bm25.run", "new.run", "-m", "RR")
        for name in (("tau",), ("compare", "orders")):
            assert cranfield(*name, *at_once).stdout == usual
        assert cranfield("tau", "one.json", *at_once[1:]).stdout == usual

    @pytest.mark.parametrize("form", FORMATS)
    def test_of_two_measures_on_two_sets_of_judgments(self, cranfield, folder, form):
        (folder / "other.txt").write_text("q1 0 d1 1\nq2 0 d2 1\n")
        measures = ("-m", "RR", "--other-measure", "AP")
        done = cranfield("tau", "qrels.txt", "other.txt", "bm25.run", "new.run", *measures, "--format", form)
        assert done.returncode == 0, done.stderr
        assert "RR on qrels.txt and by AP on other.txt" in done.stdout + done.stderr

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("qrels.txt", "qrels.txt"), "name at least two runs"),
            (("qrels.txt", "qrels.txt", "bm25.run"), "name at least two runs"),
            (("qrels.txt", "qrels.txt", "bm25.run", "new.run", "--other-measure", "AP"), "as often as -m"),
            (("one.json", "one.json", "bm25.run", "new.run"), "are saved results"),
            (("one.json", "one.json", "--level", "2"), "--level changes how runs are scored"),
            (("one.json", "-", "-", "bm25.run"), "Standard input can be read only once"),
            (("one.json",), "Missing argument"),
        ],
    )
    def test_wrong_use_of_orders(self, cranfield, arguments, words):
        cranfield("evaluate", "qrels.txt", "bm25.run", "new.run", "-m", "RR", "--save", "one.json")
        done = cranfield("tau", *arguments)
        assert done.returncode == 2
        assert words in done.stderr

    def test_a_file_that_is_not_there_is_told_first(self, cranfield):
        done = cranfield("tau", "qrels.txt", "nothing.json")
        assert done.returncode == 2
        assert "name at least two runs" in done.stderr
        done = cranfield("tau", "nothing.json", "qrels.txt")
        assert done.returncode == 3
        assert "there is no such file" in done.stderr

    def test_help_finds_it_by_the_name_of_the_coefficient(self, cranfield):
        assert cranfield("help", "tau").stdout == cranfield("help", "compare orders").stdout
        assert "Kendall's tau" in cranfield("--help").stdout

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("-m", "RR", "--agreement"), "There is one measure, RR"),
        ],
    )
    def test_wrong_use(self, cranfield, arguments, words):
        done = cranfield(*self.FILES, *arguments)
        assert done.returncode == 2
        assert words in done.stderr


class TestSystems:
    @pytest.fixture(autouse=True)
    def seeds(self, folder):
        (folder / "new-2.run").write_text(NEW.replace("3.0", "2.0"))
        (folder / "new.run").rename(folder / "new-1.run")

    ARGUMENTS = ("compare", "systems", "qrels.txt", "bm25.run", "new-1.run", "new-2.run", "-m", "RR")

    @pytest.mark.parametrize("pattern", ["new-*", "new-*.run", "new-[12]"])
    def test_runs_of_one_system(self, cranfield, pattern):
        done = cranfield(*self.ARGUMENTS, "--system", f"new={pattern}")
        header, row = (line.split("\t") for line in done.stdout.splitlines())
        found = dict(zip(header, row, strict=True))
        assert (found["system"], found["baseline"], found["runs"], found["difference"]) == (
            "new",
            "bm25",
            "2",
            "0.2500",
        )

    @pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
    def test_every_format(self, cranfield, form):
        done = cranfield(*self.ARGUMENTS, "--system", "new=new-*", "--format", form, "--save", "kept.json")
        assert done.returncode == 0, done.stderr
        assert "new" in done.stdout
        if form == "json":
            assert json.loads(done.stdout)["systems"] == {"bm25": ["bm25"], "new": ["new-1", "new-2"]}
        again = cranfield("compare", "systems", "kept.json", "--system", "new=new-*", "--format", form)
        assert again.stdout == done.stdout

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("--system", "new"), "--system takes NAME=RUNS"),
            ((), "Missing option '--system'"),
            (("--system", "new=old-*"), "no run is called 'old-*'"),
            (("--system", "new=new-*", "--test", "sign"), "No such option"),
            (("--system", "new=new-*", "--baseline", "mb25"), "Did you mean bm25"),
        ],
    )
    def test_wrong_use(self, cranfield, arguments, words):
        done = cranfield(*self.ARGUMENTS, *arguments)
        assert done.returncode == 2
        assert words in done.stderr


class TestSensitivity:
    @pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
    def test_every_format(self, cranfield, form):
        done = cranfield("compare", "qrels.txt", "bm25.run", "new.run", "--sensitivity", "--format", form)
        assert done.returncode == 0, done.stderr
        assert "sign test" in done.stdout
        if form == "json":
            assert json.loads(done.stdout)["sensitivity"]["pairs"][0]["run"] == "new"

    def test_a_row_for_every_variation(self, cranfield):
        shown = cranfield("compare", "qrels.txt", "bm25.run", "new.run", "-m", "RR", "--sensitivity").stdout
        header, difference, first, *_ = (line.split("\t") for line in shown.splitlines())
        assert header[:2] == ["kind", "measure"]
        assert difference[:2] == ["difference", "RR"]
        assert (first[0], first[header.index("variation")]) == ("variation", "as compared (RR)")

    def test_the_verdict_stands_before_the_table(self, cranfield):
        done = cranfield("compare", "qrels.txt", "bm25.run", "new.run", "--sensitivity", "--format", "table")
        parts = done.stdout.split("\n\n")
        at = next(at for at, part in enumerate(parts) if part.startswith("varied"))
        assert parts[at - 1].startswith("nDCG@10: no significant difference between new and bm25.")

    def test_saved_results_say_what_they_cannot(self, cranfield):
        cranfield("evaluate", "qrels.txt", "bm25.run", "new.run", "--save", "both.json")
        done = cranfield("compare", "both.json", "--sensitivity", "--format", "table")
        assert "these scores come from a file" in " ".join(done.stdout.split())


class TestSlices:
    @pytest.fixture(autouse=True)
    def queries(self, folder):
        (folder / "queries.tsv").write_text("qid\ttext\tintent\nq1\thow to\thowto\nq2\twhy\tproblem\n")

    def test_rows_of_slices_follow_those_of_all_queries(self, cranfield):
        shown = cranfield(
            "compare", "qrels.txt", "bm25.run", "new.run", "-m", "RR", "--queries", "queries.tsv", "--by", "intent"
        ).stdout.splitlines()
        assert [line.split("\t")[:3] for line in shown] == [
            ["measure", "by", "slice"],
            ["RR", "", "all"],
            ["RR", "intent", "howto"],
            ["RR", "intent", "problem"],
        ]

    @pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
    def test_every_format(self, cranfield, form):
        options = ("--queries", "queries.tsv", "--by", "intent", "--by", "words", "--format", form)
        done = cranfield("compare", "qrels.txt", "bm25.run", "new.run", *options)
        assert done.returncode == 0, done.stderr
        assert "problem" in done.stdout
        if form == "json":
            assert [slicing["by"] for slicing in json.loads(done.stdout)["slices"]] == ["intent", "words"]

    def test_texts_are_shown_beside_what_moved(self, cranfield):
        done = cranfield("compare", "qrels.txt", "bm25.run", "new.run", "--queries", "queries.tsv", "--format", "table")
        assert "why" in next(part for part in done.stdout.split("\n\n") if part.startswith("query"))

    @pytest.mark.parametrize(
        ("arguments", "code", "words"),
        [
            (("--by", "intent"), 2, "--by intent needs --queries FILE"),
            (("--queries", "queries.tsv", "--by", "intnet"), 3, "Did you mean intent"),
            (("--queries", "none.tsv", "--by", "intent"), 3, "no such file"),
        ],
    )
    def test_wrong_use(self, cranfield, arguments, code, words):
        done = cranfield("compare", "qrels.txt", "bm25.run", "new.run", *arguments)
        assert done.returncode == code
        assert words in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("qrels.txt", "bm25.run"), 2, "there is one run, bm25"),
        (("qrels.txt",), 2, "Only judgments were given"),
        (("qrels.txt", "bm25.run", "new.run", "--baseline", "old"), 2, "There is no run 'old'"),
        (("qrels.txt", "bm25.run", "new.run", "--baseline", "new", "--all-pairs"), 2, "choose one"),
        (("qrels.txt", "bm25.run", "new.run", "-m", "nDGC@10"), 2, "Did you mean nDCG"),
        (("qrels.txt", "-", "-"), 2, "Standard input can be read only once"),
        (("qrels.txt", "bm25.run", "none.run"), 3, "there is no such file"),
        (("qrels.txt", "bm25.run", "new.run", "--save", "none/x.json"), 3, "cannot be written"),
    ],
)
def test_wrong_use_is_answered(cranfield, arguments, code, words):
    done = cranfield("compare", *arguments)
    assert done.returncode == code
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def without_doubts(shown, form):
    """An output but for what is known of the runs and not of saved results: what would turn the verdict."""
    if form == "json":
        return {name: value for name, value in json.loads(shown).items() if name != "doubts"}
    unchecked = (
        "Whether unjudged documents, ties or queries without results would change the verdict was not checked: that "
        "needs the runs, and these scores come from a file or from several evaluations."
    )
    return " ".join(" ".join(shown.split()).replace(unchecked, "").split())


class TestEveryOptionInEveryFormat:
    """An option changes what is printed, in every format, or is refused; none vanishes without a word."""

    @pytest.fixture(autouse=True)
    def garden(self, folder, monkeypatch):
        demo.write(folder / "garden")
        monkeypatch.chdir(folder / "garden")

    FILES = ("compare", "qrels.txt", "bm25.run", "hybrid.run", "title.run", "-m", "nDCG@10", "-m", "P@10")

    @pytest.mark.parametrize("form", FORMATS)
    @pytest.mark.parametrize(
        ("options", "words"),
        [
            (("--movers", "2"), "q08"),
            (("--movers", "2", "--queries", "queries.tsv"), "chilli plants not co"),
            (("--queries", "queries.tsv", "--by", "intent"), "navigational"),
            (("--queries", "queries.tsv", "--by", "intent", "--movers", "1"), "navigational"),
            (("--sensitivity",), "sign test"),
            (("--agreement",), "P@10"),
            (("--sensitivity", "--agreement"), "Spearman"),
            (("--sensitivity", "--movers", "3"), "q08"),
            (("--agreement", "--queries", "queries.tsv", "--by", "intent"), "Spearman"),
            (("--baseline", "title"), "title"),
            (("--baseline", "title", "--baseline", "bm25"), "title"),
            (("--all-pairs",), "title"),
            (("--standardise",), "title"),
            (("--test", "t"), "hybrid"),
            (("--correction", "bonferroni"), "hybrid"),
            (("--interval", "bca"), "hybrid"),
            (("--confidence", "0.9"), "hybrid"),
            (("--tie-margin", "0.3"), "hybrid"),
            (("--resamples", "50"), "hybrid"),
            (("--seed", "7", "--resamples", "2000"), "hybrid"),
            (("--level", "2"), "hybrid"),
            (("--depth", "5"), "hybrid"),
            (("--judged-only",), "hybrid"),
            (("--ties", "document-ascending"), "hybrid"),
            (("--without-relevant", "drop", "--level", "3"), "hybrid"),
            (("--average-over", "answered"), "hybrid"),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
    )
    def test_it_changes_what_is_printed(self, cranfield, options, words, form):
        usual = cranfield(*self.FILES, "--format", form)
        done = cranfield(*self.FILES, *options, "--format", form)
        assert done.returncode == 0, done.stderr
        assert words in done.stdout
        # In LaTeX there are means and marks, which only what moves these can change.
        if form != "latex" or options[0] not in ("--tie-margin", "--interval", "--seed", "--resamples"):
            assert done.stdout != usual.stdout

    @pytest.mark.parametrize("form", FORMATS)
    def test_files_are_written_whatever_is_printed(self, cranfield, form):
        done = cranfield(*self.FILES, "--save", "kept.json", "--plot", "figure.svg", "--format", form)
        assert done.returncode == 0, done.stderr
        assert Path("figure.svg").exists()
        again = cranfield("compare", "kept.json", "--format", form)
        assert without_doubts(again.stdout, form) == without_doubts(done.stdout, form)

    def test_saved_results_are_shown_under_the_measures_asked_for(self, cranfield):
        cranfield(*self.FILES, "--save", "kept.json")
        done = cranfield("compare", "kept.json", "-m", "P@10")
        assert done.stdout == cranfield(*self.FILES[:5], "-m", "P@10").stdout
        unknown = cranfield("compare", "kept.json", "-m", "RR")
        assert unknown.returncode == 2
        assert "RR was not evaluated; these were: nDCG@10, P@10" in unknown.stderr
        for option in (("--level", "2"), ("--depth", "5"), ("--judged-only",)):
            refused = cranfield("compare", "kept.json", *option)
            assert refused.returncode == 2
            assert f"{option[0]} changes how runs are scored" in refused.stderr

    @pytest.mark.parametrize("form", ROWS)
    @pytest.mark.parametrize(
        ("options", "words"),
        [
            (("--queries", "queries.tsv"), "--queries needs --by COLUMN, --movers N or --worst N with --format"),
        ],
    )
    def test_what_would_change_nothing_is_refused(self, cranfield, options, words, form):
        done = cranfield(*self.FILES, *options, "--format", form)
        assert done.returncode == 2
        assert done.stdout == ""
        assert words in done.stderr

    @pytest.mark.parametrize("form", FORMATS)
    def test_movers_are_the_same_queries(self, cranfield, form):
        done = cranfield(*self.FILES, "--movers", "2", "--format", form)
        assert [query for query in ("q08", "q47", "q31", "q23") if query in done.stdout] == ["q08", "q47", "q31", "q23"]
        if form == "json":
            movers = json.loads(done.stdout)["movers"]
            assert [mover["query"] for mover in movers] == ["q08", "q47", "q31", "q23"]
            assert movers[0]["difference"] == movers[0]["score"] - movers[0]["baseline_score"]

    @pytest.mark.parametrize("form", FORMATS)
    @pytest.mark.parametrize(
        "command", [("compare",), ("compare", "systems", "--system", "other=[bt]*"), ("evaluate",)], ids=" ".join
    )
    def test_quiet_hides_warnings(self, cranfield, form, command):
        told = "no documents for 2 of 70 judged queries"
        done = cranfield(*command, *self.FILES[1:], "--format", form)
        assert (done.stderr + " ".join(done.stdout.split())).count(told) == (2 if form == "json" else 1)
        quiet = cranfield(*command, *self.FILES[1:], "--format", form, "--quiet")
        assert quiet.stderr == ""
        assert told not in " ".join(quiet.stdout.split())

    @pytest.mark.parametrize("form", FORMATS)
    @pytest.mark.parametrize(
        "options", [(), ("--sensitivity",), ("--agreement",), ("--queries", "queries.tsv", "--by", "intent")]
    )
    def test_the_verdict_is_never_missing(self, cranfield, form, options):
        done = cranfield(*self.FILES, *options, "--format", form)
        verdicts = ["Compared with bm25 on nDCG@10: hybrid is better; title is worse."]
        verdicts += [
            {
                "--sensitivity": "nDCG@10: hybrid is better than bm25.",
                "--agreement": "Kendall's tau of 3 runs",
                "--queries": "By intent",
            }[option]
            for option in options[:1]
        ]
        shown = " ".join((done.stderr if form in (*ROWS, "latex") else done.stdout).split())
        for verdict in verdicts:
            assert verdict in shown


@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl"])
def test_a_tiny_p_is_not_zero(cranfield, folder, form):
    demo.write(folder / "garden")
    files = [folder / "garden" / name for name in ("qrels.txt", "title.run", "hybrid.run")]
    shown = cranfield("compare", *files, "-m", "P@10", "--format", form, "--places", "2").stdout
    assert "e-08" in shown


def test_latex_and_markdown_of_one_command_agree_on_what_is_better(cranfield, folder, monkeypatch):
    demo.write(folder / "garden")
    monkeypatch.chdir(folder / "garden")
    files = ("compare", "qrels.txt", "bm25.run", "dense.run", "hybrid.run", "title.run", "-m", "nDCG@10")
    marked = cranfield(*files, "--baseline", "bm25", "--format", "latex").stdout
    told = cranfield(*files, "--baseline", "bm25", "--format", "markdown").stdout
    assert "hybrid is better; title is worse" in told
    assert r"hybrid & \textbf{0.6294}\textsuperscript{$\dagger$}" in marked
    assert r"title & 0.3367\textsuperscript{$\ddagger$}" in marked
    assert r"dense & \underline{0.5794} \\" in marked
    assert "| hybrid | **0.6294**† |" in told
    assert "| title | 0.3367‡ |" in told
    assert "| dense | <ins>0.5794</ins> |" in told


@pytest.mark.parametrize("form", FORMATS)
def test_the_worst_queries_are_in_every_format(cranfield, folder, form):
    (folder / "queries.tsv").write_text("qid\ttext\nq1\thow deep\nq2\thow often\n")
    shown = cranfield(
        *("compare", "qrels.txt", "bm25.run", "new.run", "-m", "RR", "--worst", "1", "--queries", "queries.tsv"),
        *("--failure-threshold", "1", "--movers", "0", "--format", form),
    )
    assert shown.returncode == 0
    assert "how often" in shown.stdout
    assert "how deep" not in shown.stdout
    if form == "json":
        worst = json.loads(shown.stdout)["worst"]
        assert worst["fail_in_every_run"] == ["q1", "q2"]
        assert worst["queries"][0]["scores"] == {"bm25": 0.5, "new": 1.0}
    else:
        assert "2 of 2 queries fail in every run (RR is 1 or less)." in shown.stdout + shown.stderr


class TestLook(ScorePrinting):
    FILES = ("compare", "qrels.txt", "bm25.run", "new.run", "-m", "RR", "-m", "P@2")
    PAPERS = ("markdown", "latex")

    def test_standardised_scores_are_no_percentages(self, cranfield, folder):
        (folder / "third.run").write_text(NEW.replace(" new", " third"))
        done = cranfield(*self.FILES, "third.run", "--standardise", "--percent", "--format", "table")
        assert done.returncode == 2
        assert "--percent multiplies scores, and --standardise compares deviations; choose one." in done.stderr


def test_latencies_are_refused_where_nobody_measured_any(cranfield):
    done = cranfield("compare", "qrels.txt", "bm25.run", "bm25.run", "--latency")
    assert done.returncode == 2
    assert "--latency needs runs that `cranfield retrieve` made" in done.stderr
