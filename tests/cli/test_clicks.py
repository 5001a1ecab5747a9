"""`cranfield clicks`: judgments from the demo's click log, in every form, and estimates of runs and policies."""

import json

import pytest

from cranfield import demo

LOG, QRELS, RUN = (str(demo.path(name)) for name in ("clicks.csv", "qrels.txt", "bm25.run"))
BANDIT = "item_id,click,propensity_score\n" + "a,1,0.8\nb,0,0.2\na,0,0.8\n" * 100


def test_a_summary_begins_with_the_model_that_predicts_best(cranfield):
    done = cranfield("clicks", LOG, "--judgments", QRELS, "--format", "table")
    assert done.returncode == 0
    assert done.stdout.startswith(
        "PBM predicts held-out clicks best (log-likelihood -0.239 a result, perplexity 1.272)"
    )
    assert "PBM labels 434 documents of 44 queries; 253 were shown less than 10 times" in " ".join(done.stdout.split())
    assert "weighted kappa 0.86" in " ".join(done.stdout.split())
    assert "Grades that people gave, and grades made from clicks." in done.stdout
    assert done.stderr == ""


def test_in_a_pipe_there_is_a_row_per_label(clicks):
    done = clicks(LOG, "--model", "PBM")
    lines = done.stdout.splitlines()
    assert lines[0] == "query\tdocument\tgrade\testimate\testimate low\testimate high\timpressions\tclicks"
    assert len(lines) == 435


FORMS = ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "question", ["LOG --model PBM", "models LOG --model PBM --model DCTR", "estimate LOG --run RUN"]
)
def test_every_format_is_printed(clicks, form, question):
    done = clicks(*({"LOG": LOG, "RUN": RUN}.get(word, word) for word in question.split()), "--format", form)
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
def test_what_an_option_adds_is_in_every_form(clicks, option, form):
    arguments, word = ADDED[option]
    plain, more = (clicks(*arguments, *added, "--format", form) for added in ((), (option,)))
    assert more.exit_code == 0, more.stderr
    if option == "--labels" and form in ("tsv", "csv", "jsonl", "json"):
        assert more.stdout == plain.stdout  # they have every label anyway
    else:
        assert len(more.stdout.splitlines()) > len(plain.stdout.splitlines()) or form == "json"
    assert word is None or word in more.stdout


def test_what_is_left_out_stands_below_the_labels(clicks):
    lines = clicks(LOG, "--model", "PBM", "--left-out", "--parameters").stdout.splitlines()
    assert lines[0].split("\t")[:4] == ["part", "query", "document", "grade"]
    parts = [line.split("\t")[0] for line in lines[1:]]
    assert (parts.count("label"), parts.count("left out"), parts.count("parameter")) == (434, 253, 10)
    told = json.loads(clicks(LOG, "--model", "PBM", "--left-out", "--parameters", "--format", "json").stdout)
    assert len(told["left_out_documents"]) == 253
    assert told["parameters"][0] == {"parameter": "examination", "rank": "1", "value": pytest.approx(1)}


def test_judgments_go_to_standard_output_as_trec(clicks):
    done = clicks(LOG, "--model", "PBM", "-o", "-")
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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        *(
            ((LOG, option), "No such option")
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
def test_options_that_would_do_nothing_are_refused(clicks, arguments, message):
    done = clicks(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr


def test_pyclick_s_choices_can_be_made(clicks):
    done = clicks(LOG, "--model", "PBM", "--pyclick", "--format", "json")
    assert json.loads(done.stdout)["settings"]["prior"] == [1, 1]


def test_warnings_reach_the_person_and_not_the_pipe(clicks, folder):
    (folder / "log.jsonl").write_text(
        "".join(
            json.dumps({"session": n, "query": "q", "documents": ["a", "a"], "clicks": [n % 2, 0]}) + "\n"
            for n in range(40)
        )
    )
    done = clicks("log.jsonl", "--model", "PBM")
    assert "warning: log.jsonl: 40 of 40 impressions show a document twice" in done.stderr
    assert clicks("log.jsonl", "--model", "PBM", "--quiet").stderr == ""
    assert "show a document twice" in clicks("log.jsonl", "--model", "PBM", "--format", "table").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "Missing argument"),
        ((LOG, "--model", "PBN"), 2, "There is no click model 'PBN'. Did you mean PBM"),
        ((LOG, "--model", "GCTR"), 2, "GCTR has one click rate for all documents"),
        ((LOG, "--model", "PBM", "--shares", "nan,1"), 2, "shares are two or more numbers above 0"),
        ((LOG, "--shares", "half"), 2, "--shares takes numbers with commas between them"),
        ((LOG, "--prior", "1"), 2, "--prior takes two numbers above 0"),
        ((LOG, "--prior", "0,1"), 2, "prior must be two numbers above 0"),
        ((LOG, "--columns", "sku"), 2, "name each as in document=sku"),
        ((LOG, "--model", "PBM", "-o", "clicks.docx"), 2, "does not show the format to write judgments in"),
        ((LOG, "--model", "PBM", "--min-impressions", "9999"), 3, "no document was shown 9,999 times"),
        (("-", "-"), 2, "Standard input can be read only once"),
        (("nothing.csv",), 3, "nothing.csv"),
        (("qrels.txt",), 3, "these are not the columns of a click log"),
        (("bm25.run",), 3, "these are not the columns of a click log"),
    ],
)
def test_what_is_wrong_is_told_without_a_traceback(clicks, arguments, code, message):
    done = clicks(*arguments)
    assert done.exit_code == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
