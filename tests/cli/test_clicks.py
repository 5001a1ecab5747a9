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
    assert "PBM labels 434 documents of 44 queries; 253 were shown less than 10 times" in " ".join(done.stdout.split())
    assert "weighted kappa of 0.86" in " ".join(done.stdout.split())
    assert "Grades that people gave, and grades made from clicks." in done.stdout
    assert done.stderr == ""


def test_in_a_pipe_there_is_a_row_per_label(within):
    done = within(LOG, "--model", "PBM")
    lines = done.stdout.splitlines()
    assert lines[0] == "query\tdocument\tgrade\testimate\testimate low\testimate high\timpressions\tclicks"
    assert len(lines) == 435


FORMS = ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "question", ["LOG --model PBM", "models LOG --model PBM --model DCTR", "estimate LOG --run RUN"]
)
def test_every_format_is_printed(within, form, question):
    done = within(*({"LOG": LOG, "RUN": RUN}.get(word, word) for word in question.split()), "--format", form)
    assert (done.exit_code, bool(done.stdout)) == (0, True)
    if form == "json":
        json.loads(done.stdout)
    if form == "jsonl":
        assert all(json.loads(line) for line in done.stdout.splitlines())


ADDED = {
    "--labels": ((LOG, "--model", "PBM"), "d0020"),
    "--left-out": ((LOG, "--model", "PBM"), "d0299"),
    "--parameters": ((LOG, "--model", "PBM"), "examination"),
    "--ranks": (("models", LOG, "--model", "PBM", "--model", "DCTR"), None),
}
"""What each option is about, and a word that it adds."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("option", ADDED)
def test_what_an_option_adds_is_in_every_form(within, option, form):
    arguments, word = ADDED[option]
    plain, more = (within(*arguments, *added, "--format", form) for added in ((), (option,)))
    assert more.exit_code == 0, more.stderr
    if option == "--labels" and form in ("tsv", "csv", "jsonl", "json"):
        assert more.stdout == plain.stdout  # they have every label anyway
    else:
        assert len(more.stdout.splitlines()) > len(plain.stdout.splitlines()) or form == "json"
    assert word is None or word in more.stdout


def test_what_is_left_out_stands_below_the_labels(within):
    lines = within(LOG, "--model", "PBM", "--left-out", "--parameters").stdout.splitlines()
    assert lines[0].split("\t")[:4] == ["part", "query", "document", "grade"]
    parts = [line.split("\t")[0] for line in lines[1:]]
    assert (parts.count("label"), parts.count("left out"), parts.count("parameter")) == (434, 253, 10)
    told = json.loads(within(LOG, "--model", "PBM", "--left-out", "--parameters", "--format", "json").stdout)
    assert len(told["left_out_documents"]) == 253
    assert told["parameters"][0] == {"parameter": "examination", "rank": "1", "value": pytest.approx(1)}


def test_models_are_compared_at_each_rank(within):
    lines = within("models", LOG, "--model", "PBM", "--model", "DCTR", "--ranks").stdout.splitlines()
    assert lines[0] == "model\tstatistic\trank\tvalue\tlow\thigh"
    assert len([line for line in lines if line.startswith("DCTR\tperplexity\t")]) == 11
    table = within("models", LOG, "--model", "PBM", "--model", "DCTR", "--format", "table").stdout
    assert table.startswith("PBM predicts held-out clicks best")


def test_judgments_go_to_standard_output_as_trec(within):
    done = within(LOG, "--model", "PBM", "-o", "-")
    assert done.stdout.startswith("# cranfield ")
    assert len([line for line in done.stdout.splitlines() if not line.startswith("#")]) == 434
    assert done.stderr.startswith("PBM labels 434 documents")


def test_judgments_are_written_and_evaluated(cranfield, folder):
    done = cranfield("clicks", LOG, "--model", "PBM", "-o", "clicks.qrels", "--format", "tsv")
    assert done.returncode == 0
    assert (folder / "clicks.qrels").read_text().startswith("# cranfield ")
    scored = cranfield("evaluate", "clicks.qrels", RUN, "-m", "nDCG@10", "--quiet")
    assert scored.returncode == 0
    assert "nDCG@10" in scored.stdout


def test_a_policy_is_estimated_from_a_log_with_propensities(within, folder):
    (folder / "bandit.csv").write_text(BANDIT)
    done = within("policy", "bandit.csv", "--format", "json")
    assert json.loads(done.stdout)["estimates"]["ips"]["value"] == pytest.approx(0.625 / 3)
    same = within("policy", "-", "--policy", "uniform", "--format", "table", stdin=BANDIT)
    assert same.stdout.startswith("The uniform policy would have earned")
    for form in FORMS:
        assert within("policy", "bandit.csv", "--format", form).stdout


@pytest.mark.parametrize("end", ["csv", "tsv", "json", "jsonl", "md", "tex", "CSV"])
def test_estimates_are_written_in_the_format_of_the_file(within, folder, end):
    form = {"md": "markdown", "tex": "latex"}.get(end, end.lower())
    done = within("estimate", LOG, "--run", RUN, "-o", f"scores.{end}", "--format", form)
    assert done.exit_code == 0
    assert (folder / f"scores.{end}").read_text() == done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        *(
            (("estimate", LOG, "--run", RUN, option), f"No such option '{option}'")
            for option in ("--model", "--labels", "--judgments", "--mapping", "--by", "--seed", "--policy")
        ),
        *(
            (("policy", LOG, option), f"No such option '{option}'")
            for option in ("--min-impressions", "--mapping", "--shares", "--thresholds", "--by", "--propensities")
        ),
        *(
            ((LOG, option), f"No such option '{option}'")
            for option in ("--estimate", "--clip", "--propensities", "--run", "--policy", "--show", "-m")
        ),
        ((LOG, "--samples", "100"), "--samples has an effect only with --interval bootstrap"),
        ((LOG, "--shares", "0.5,0.5", "--thresholds", "0.5"), "--shares has no effect with the mapping threshold"),
        ((LOG, "--mapping", "quantile", "--thresholds", "0.5"), "--thresholds has no effect with --mapping quantile"),
        ((LOG, "--judgments", QRELS, "--shares", "0.5,0.5"), "--shares has no effect with the mapping calibrated"),
        ((LOG, "--model", "PBM", "--by", "perplexity"), "--held-out and --by choose between models"),
        ((LOG, "--pyclick", "--prior", "1,2"), "--pyclick sets prior and iterations itself"),
        ((LOG, "--pyclick", "--iterations", "5"), "--pyclick sets prior and iterations itself"),
    ],
)
def test_options_that_would_do_nothing_are_refused(within, arguments, message):
    done = within(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr


def test_runs_are_estimated_from_clicks(within):
    done = within("estimate", LOG, "--run", RUN, "--run", str(demo.path("title.run")), "--format", "table")
    assert "bm25 has the best DCG@10" in done.stdout
    assert "Propensities by rank, learnt by PBM: 1.000" in done.stdout
    numbers = "1,.9,.8,.7,.6,.5,.4,.3,.2,.1"
    given = within("estimate", LOG, "--run", RUN, "--propensities", numbers, "--format", "table")
    assert "Propensities by rank, given: 1.000 0.900" in given.stdout


def test_pyclick_s_choices_can_be_made(within):
    done = within(LOG, "--model", "PBM", "--pyclick", "--format", "json")
    assert json.loads(done.stdout)["settings"]["prior"] == [1, 1]


def test_warnings_reach_the_person_and_not_the_pipe(within, folder):
    (folder / "log.jsonl").write_text(
        "".join(
            json.dumps({"session": n, "query": "q", "documents": ["a", "a"], "clicks": [n % 2, 0]}) + "\n"
            for n in range(40)
        )
    )
    done = within("log.jsonl", "--model", "PBM")
    assert "warning: log.jsonl: 40 of 40 impressions show a document twice" in done.stderr
    assert within("log.jsonl", "--model", "PBM", "--quiet").stderr == ""
    assert "show a document twice" in within("log.jsonl", "--model", "PBM", "--format", "table").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "Missing argument"),
        ((LOG, "--model", "PBN"), 2, "There is no click model 'PBN'. Did you mean PBM"),
        ((LOG, "--model", "GCTR"), 2, "GCTR has no parameter of documents"),
        ((LOG, "--model", "PBM", "--shares", "nan,1"), 2, "shares are two or more numbers above 0"),
        ((LOG, "--shares", "half"), 2, "--shares takes numbers with commas between them"),
        ((LOG, "--prior", "1"), 2, "--prior takes two numbers above 0"),
        ((LOG, "--prior", "0,1"), 2, "prior must be two numbers above 0"),
        ((LOG, "--columns", "sku"), 2, "name each as in document=sku"),
        (("estimate", LOG), 2, "Missing option '--run'"),
        (("estimate", LOG, "--run", RUN, "-o", "scores.qrels"), 2, "does not tell the format to write results in"),
        (("estimate", LOG, "--run", RUN, "-o", "nowhere/scores.csv"), 3, "cannot be written"),
        (("policy", LOG), 3, "the log has no propensities"),
        (("estimate", LOG, "--run", RUN, "-m", "AP"), 2, "'AP' cannot be estimated from weighted clicks"),
        (("models", LOG, "--model", "PBN"), 2, "There is no click model 'PBN'. Did you mean PBM"),
        (("estimate", "-", "--run", "-"), 2, "Standard input can be read only once"),
        ((LOG, "--model", "PBM", "-o", "clicks.xlsx"), 2, "does not tell the format to write judgments in"),
        ((LOG, "--model", "PBM", "--min-impressions", "9999"), 3, "no document was shown 9,999 times"),
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
