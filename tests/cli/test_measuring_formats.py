"""Commands that score: what an option adds appears in every format, and every format, --places and --quiet exist."""

import json

import pytest

from cranfield.show.answer import FORMS

NEW = "q1 Q0 d3 1 3.0 new\nq2 Q0 d2 1 1.0 new\nq2 Q0 d1 2 1.0 new\n"

CALLS = {
    "gate": "gate qrels.txt new.run --baseline saved.json -m RR --margin 0.9",
    "gate init": "gate init --force qrels.txt new.run -m RR --rules no.toml --baseline new.json",
    "gate update": "gate update qrels.txt new.run --baseline saved.json -m RR --margin 0.9",
    "curve": "curve qrels.txt bm25.run new.run",
    "explain": "explain qrels.txt bm25.run --query q1",
    "score": "score 1011 0-1|+3 -m RR -m P@2",
    "curve of rankings": "curve 1011 0-1|+3",
    "explain a ranking": "explain 10-1|+3 -m nDCG",
    "evaluate": "evaluate qrels.txt bm25.run new.run -m RR",
    "risk": "risk qrels.txt bm25.run new.run --baseline bm25 -m RR",
    "check": "check qrels.txt new.run",
    "why": "why qrels.txt new.run -m RR",
    "plan": "plan qrels.txt bm25.run new.run -m RR",
    "measures": "measures",
    "measures NAME": "measures nDCG",
    "recommendation": "recommendation bm25.run new.run --interactions qrels.txt",
}
ADDED = [
    ("curve", "-q", "q1"),
    ("curve", "--query q1", "q1"),
    ("evaluate", "-q", "q1"),
    ("evaluate", "--bounds ties", "expected"),
    ("evaluate", "--bounds unjudged", "unjudged high|bounds|best grade"),
    ("risk", "-q", "q1"),
    ("recommendation", "-q", "q1"),
]
"""A command, an option, and the words of which one stands in every format only because of it."""


@pytest.fixture(autouse=True)
def files(folder, cranfield):
    (folder / "new.run").write_text(NEW)
    assert cranfield("evaluate", "qrels.txt", "bm25.run", "-m", "RR", "--save", "saved.json").returncode == 0


def plain(text):
    """Without what only LaTeX and Markdown need."""
    return text.replace("\\", "")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("name", "option", "added"), ADDED)
def test_what_an_option_adds_is_in_every_format(cranfield, name, option, added, form):
    arguments = (*CALLS[name].split(), "--format", form, "--quiet")
    without, shown = cranfield(*arguments), cranfield(*arguments, *option.split())
    assert (without.returncode, shown.returncode) == (0, 0)
    words = added.split("|")
    assert any(word in plain(shown.stdout) for word in words)
    assert not any(word in plain(without.stdout) for word in words)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CALLS)
def test_every_format_is_there(cranfield, name, form):
    done = cranfield(*CALLS[name].split(), "--format", form, "--places", "2", "--quiet")
    assert done.returncode == 0
    assert done.stdout.strip()
    assert "warning" not in done.stderr
    if form == "json":
        json.loads(done.stdout)
    if form == "jsonl":
        assert all(isinstance(json.loads(line), dict) for line in done.stdout.splitlines())
    if form in ("tsv", "csv"):
        import csv

        separator = "\t" if form == "tsv" else ","
        assert len({len(row) for row in csv.reader(done.stdout.splitlines(), delimiter=separator)}) == 1
    if form == "latex":
        assert r"\begin{tabular}" in done.stdout


@pytest.mark.parametrize("name", ["evaluate", "risk", "curve", "gate init"])
def test_the_settings_of_an_evaluation_are_the_same_options(cranfield, folder, name):
    settings = "--profile trec_eval-9 --average-over judged --without-relevant drop --ties given --undefined skip "
    settings += "--precision double --identical drop -l 1 -M 5 -J"
    done = cranfield(*CALLS[name].split(), *settings.split(), "--quiet")
    assert done.returncode == 0, done.stderr
    assert cranfield(*CALLS[name].split(), "-c", "--average-over", "answered").returncode == 2


def test_an_average_over_orders_is_no_ranking_to_draw(cranfield):
    done = cranfield("curve", "qrels.txt", "bm25.run", "--kind", "roc", "--ties", "average")
    assert done.returncode in (2, 3)
    one = cranfield("curve", "qrels.txt", "new.run", "--kind", "pr", "--query", "q1", "--ties", "average")
    assert one.returncode == 2
    assert "--ties average has none" in one.stderr
    assert cranfield("curve", "qrels.txt", "new.run", "--ties", "average").returncode == 0


def test_a_setting_counts_wherever_it_is_given(cranfield, folder):
    (folder / "half.run").write_text("q1 Q0 d1 1 1 half\n")
    for name in ("evaluate qrels.txt half.run -m RR", "risk qrels.txt half.run --baseline half -m RR"):
        means = [
            json.loads(cranfield(*name.split(), "--format", "json", "--average-over", over).stdout)["runs"][0]
            for over in ("judged", "answered")
        ]
        assert [run["measures"]["RR"]["mean"] for run in means] == [0.5, 1.0]
