"""`cranfield clicks estimate`: what runs would have earned."""

import pytest

from cranfield import demo

LOG, RUN = (str(demo.path(name)) for name in ("clicks.csv", "bm25.run"))


def test_runs_are_estimated_from_clicks(clicks):
    done = clicks("estimate", LOG, "--run", RUN, "--run", str(demo.path("title.run")), "--format", "table")
    assert "bm25 has the best DCG@10" in done.stdout
    assert "Propensities by rank, learnt by PBM: 1.000" in done.stdout
    numbers = "1,.9,.8,.7,.6,.5,.4,.3,.2,.1"
    given = clicks("estimate", LOG, "--run", RUN, "--propensities", numbers, "--format", "table")
    assert "Propensities by rank, given: 1.000 0.900" in given.stdout


@pytest.mark.parametrize("end", ["csv", "tsv", "json", "jsonl", "md", "tex", "CSV"])
def test_estimates_are_written_in_the_format_of_the_file(clicks, folder, end):
    form = {"md": "markdown", "tex": "latex"}.get(end, end.lower())
    done = clicks("estimate", LOG, "--run", RUN, "-o", f"scores.{end}", "--format", form)
    assert done.exit_code == 0
    assert (folder / f"scores.{end}").read_text() == done.stdout


@pytest.mark.parametrize("option", ["--model", "--labels", "--judgments", "--mapping", "--by", "--seed", "--policy"])
def test_options_that_would_do_nothing_are_refused(clicks, option):
    done = clicks("estimate", LOG, "--run", RUN, option)
    assert done.exit_code == 2
    assert "No such option" in done.stderr
    assert option in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("estimate", LOG), 2, "Missing option '--run'"),
        (("estimate", LOG, "--run", RUN, "-o", "scores.qrels"), 2, "does not show the format to write results in"),
        (("estimate", LOG, "--run", RUN, "-o", "nowhere/scores.csv"), 3, "cannot be written"),
        (("estimate", LOG, "--run", RUN, "-m", "AP"), 2, "'AP' cannot be estimated from weighted clicks"),
        (("estimate", "-", "--run", "-"), 2, "Standard input can be read only once"),
    ],
)
def test_what_is_wrong_is_told_without_a_traceback(clicks, arguments, code, message):
    done = clicks(*arguments)
    assert done.exit_code == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
