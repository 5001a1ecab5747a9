"""`cranfield clicks`: judgments from the demo's click log, in every form, and estimates of runs and policies."""

import json

import pytest
from click.testing import CliRunner

from cranfield import demo
from cranfield.cli import cranfield as command

LOG, QRELS, RUN = (str(demo.path(name)) for name in ("clicks.csv", "qrels.txt", "bm25.run"))
BANDIT = "item_id,click,propensity_score\n" + "a,1,0.8\nb,0,0.2\na,0,0.8\n" * 100


@pytest.fixture
def within(folder):
    """The command in this process, which is quicker."""

    def call(*arguments, stdin=None):
        return CliRunner().invoke(command, ["clicks", *arguments], input=stdin)

    return call


def test_a_summary_begins_with_the_model_that_predicts_best(cranfield):
    done = cranfield("clicks", LOG, "--judgments", QRELS, "--format", "table")
    assert done.returncode == 0
    assert done.stdout.startswith(
        "PBM predicts held-out clicks best (log-likelihood -0.239 a result, perplexity 1.272)"
    )
    assert "PBM labels 434 documents of 44 queries; 253 were shown less than 10 times" in done.stdout
    assert "weighted kappa of 0.86" in done.stdout
    assert "Grades that people gave, and grades made from clicks:" in done.stdout
    assert done.stderr == ""


def test_in_a_pipe_there_is_a_row_per_label(within):
    done = within(LOG, "-m", "PBM")
    lines = done.stdout.splitlines()
    assert lines[0] == "query\tdocument\tgrade\testimate\testimate low\testimate high\timpressions\tclicks"
    assert len(lines) == 435


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
@pytest.mark.parametrize("more", [("-m", "PBM"), ("-m", "PBM", "--show", "parameters"), ("--run", RUN)])
def test_every_format_is_printed(within, form, more):
    done = within(LOG, "--format", form, *more)
    assert (done.exit_code, bool(done.stdout)) == (0, True)
    if form == "json":
        json.loads(done.stdout)
    if form == "jsonl":
        assert all(json.loads(line) for line in done.stdout.splitlines())


@pytest.mark.parametrize(
    ("show", "head"),
    [
        ("labels", "query\tdocument\tgrade"),
        ("left-out", "query\tdocument\timpressions\tclicks"),
        ("models", "model\tlog-likelihood"),
        ("ranks", "model\t1\t2"),
        ("parameters", "parameter\trank\tvalue"),
        ("summary", "grade\tdocuments\testimate from\tto"),
    ],
)
def test_parts_can_be_asked_for(within, show, head):
    done = within(LOG, "-m", "PBM", "-m", "DCTR", "--show", show)
    assert done.stdout.startswith(head)


def test_judgments_are_written_and_evaluated(cranfield, folder):
    done = cranfield("clicks", LOG, "-m", "PBM", "-o", "clicks.qrels", "--format", "tsv")
    assert done.returncode == 0
    assert (folder / "clicks.qrels").read_text().startswith("# cranfield ")
    scored = cranfield("evaluate", "clicks.qrels", RUN, "-m", "nDCG@10", "--quiet")
    assert scored.returncode == 0
    assert "nDCG@10" in scored.stdout


def test_a_policy_is_estimated_from_a_log_with_propensities(within, folder):
    (folder / "bandit.csv").write_text(BANDIT)
    done = within("bandit.csv", "--policy", "uniform", "--format", "json")
    assert json.loads(done.stdout)["estimates"]["ips"]["value"] == pytest.approx(0.625 / 3)
    same = within("-", "--policy", "uniform", "--estimate", "CTR", "--format", "table", stdin=BANDIT)
    assert same.stdout.startswith("The uniform policy would have earned")


@pytest.mark.parametrize("end", ["csv", "tsv", "json", "jsonl", "md", "tex"])
def test_estimates_are_written_in_the_format_of_the_file(within, folder, end):
    form = {"md": "markdown", "tex": "latex"}.get(end, end)
    done = within(LOG, "--run", RUN, "-o", f"scores.{end}", "--format", form, "--quiet")
    assert done.exit_code == 0
    written = (folder / f"scores.{end}").read_text()
    assert written == done.stdout if form not in ("markdown", "latex") else written.splitlines()[0] in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--run", RUN, "-m", "PBM"), "-m goes with labels, not with --run"),
        (("--run", RUN, "--show", "labels"), "--show goes with labels, not with --run"),
        (("--run", RUN, "--judgments", QRELS), "--judgments goes with labels, not with --run"),
        (("--policy", "uniform", "--min-impressions", "10"), "--min-impressions goes with labels, not with --policy"),
        (("--policy", "uniform", "--mapping", "quantile"), "--mapping goes with labels, not with --policy"),
        (("--policy", "uniform", "--shares", "0.5,0.5"), "--shares goes with labels, not with --policy"),
        (("--policy", "uniform", "--thresholds", "0.5"), "--thresholds goes with labels, not with --policy"),
        (("--policy", "uniform", "--by", "perplexity"), "--by goes with labels, not with --policy"),
        (("--policy", "uniform", "--propensities", "log"), "--propensities goes with --run"),
        (("--estimate", "CTR"), "--estimate goes with --run or --policy"),
        (("--clip", "0.1"), "--clip goes with --run or --policy"),
        (("--propensities", "PBM"), "--propensities goes with --run"),
        (("--samples", "100"), "--samples goes with --interval bootstrap"),
        (("--shares", "0.5,0.5", "--thresholds", "0.5"), "--shares goes with grades by share, not with --thresholds"),
        (("--mapping", "quantile", "--thresholds", "0.5"), "--thresholds goes with --mapping threshold"),
        (("--judgments", QRELS, "--shares", "0.5,0.5"), "--shares goes with --mapping quantile"),
        (("--pyclick", "--prior", "1,2"), "--pyclick goes with its own prior and rounds, not with --prior"),
        (("--pyclick", "--iterations", "5"), "--pyclick goes with its own prior and rounds, not with --iterations"),
    ],
)
def test_options_that_would_do_nothing_are_refused(within, arguments, message):
    done = within(LOG, *arguments)
    assert done.exit_code == 2
    assert message in done.stderr


def test_runs_are_estimated_from_clicks(within):
    done = within(LOG, "--run", RUN, "--run", str(demo.path("title.run")), "--format", "table")
    assert "bm25 has the best DCG@10" in done.stdout
    assert "Propensities by rank, learnt by PBM: 1.000" in done.stdout
    given = within(LOG, "--run", RUN, "--propensities", "1,.9,.8,.7,.6,.5,.4,.3,.2,.1", "--format", "table")
    assert "Propensities by rank, given: 1.000 0.900" in given.stdout


def test_pyclick_s_choices_can_be_made(within):
    done = within(LOG, "-m", "PBM", "--pyclick", "--format", "json")
    assert json.loads(done.stdout)["settings"]["prior"] == [1, 1]


def test_warnings_reach_the_person_and_not_the_pipe(within, folder):
    (folder / "log.jsonl").write_text(
        "".join(
            json.dumps({"session": n, "query": "q", "documents": ["a", "a"], "clicks": [n % 2, 0]}) + "\n"
            for n in range(40)
        )
    )
    done = within("log.jsonl", "-m", "PBM")
    assert "warning: log.jsonl: 40 of 40 impressions show a document twice" in done.stderr
    assert within("log.jsonl", "-m", "PBM", "--quiet").stderr == ""
    assert "show a document twice" in within("log.jsonl", "-m", "PBM", "--format", "table").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "Missing argument"),
        ((LOG, "-m", "PBN"), 2, "There is no click model 'PBN'. Did you mean PBM"),
        ((LOG, "-m", "GCTR"), 2, "GCTR has no parameter of documents"),
        ((LOG, "-m", "PBM", "--show", "models"), 2, "Models are compared where several may be chosen"),
        ((LOG, "-m", "PBM", "--shares", "nan,1"), 2, "shares are two or more numbers above 0"),
        ((LOG, "--shares", "half"), 2, "no list of numbers"),
        ((LOG, "--prior", "1"), 2, "prior is two numbers above 0"),
        ((LOG, "--columns", "sku"), 2, "name each as in document=sku"),
        ((LOG, "--run", RUN, "--policy", "uniform"), 2, "Give runs or a policy"),
        ((LOG, "--policy", "uniform", "--estimate", "DCG@10"), 2, "DCG@10 is estimated of a run"),
        ((LOG, "--run", RUN, "-o", "scores.qrels"), 2, "does not tell the format to write estimates in"),
        ((LOG, "--run", RUN, "-o", "nowhere/scores.csv"), 3, "cannot be written"),
        ((LOG, "--policy", "uniform"), 3, "the log has no propensities"),
        ((LOG, "--run", RUN, "--estimate", "AP"), 2, "'AP' cannot be estimated from weighted clicks"),
        ((LOG, "-m", "PBM", "-o", "clicks.xlsx"), 2, "does not tell the format to write judgments in"),
        ((LOG, "-m", "PBM", "--min-impressions", "9999"), 3, "no document was shown 9,999 times"),
        (("-", "-"), 2, "Standard input can be read only once"),
        (("nothing.csv",), 3, "nothing.csv"),
        (("qrels.txt",), 3, "these columns are no click log"),
        (("bm25.run",), 3, "these columns are no click log"),
    ],
)
def test_what_is_wrong_is_told_without_a_traceback(within, arguments, code, message):
    done = within(*arguments)
    assert done.exit_code == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
