"""A comparison as a table for a paper."""

import re

import pytest

import cranfield as cf
from cranfield.comparing.comparison import compare
from cranfield.comparing.paper import LONGEST_GROUP
from cranfield.comparing.words import corrected_for
from cranfield.errors import UsageError

from .test_comparison import JUDGMENTS, RUNS, run


@pytest.fixture(scope="module")
def scores():
    return cf.evaluate(JUDGMENTS, RUNS, ["nDCG@10", "AP", "RR"])


@pytest.fixture(scope="module")
def with_baseline(scores):
    return compare(scores, baseline="good", resamples=5000)


@pytest.fixture(scope="module")
def every_pair(scores):
    return compare(scores, all_pairs=True, resamples=5000)


def rows(text):
    """The cells of every run, by its name."""
    lines = [line.removesuffix(r" \\").split(" & ") for line in text.splitlines() if " & " in line][1:]
    return {line[-4]: line for line in lines}


def test_the_caption_says_what_marks_mean_and_how_p_is_corrected(with_baseline):
    assert with_baseline.paper_table().caption == (
        "Means over 40 queries. † significantly better, ‡ significantly worse than good (paired randomization test, "
        "Holm's correction for 3 comparisons with good, per measure, α = 0.05). The best mean is bold, the second best "
        "underlined."
    )
    assert (
        r"$\dagger$ significantly better, $\ddagger$ significantly worse than good (paired randomization test, Holm's "
        r"correction for 3 comparisons with good, per measure, $\alpha$ = 0.05)."
    ) in with_baseline.latex()


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "benjamini-hochberg", "none"])
def test_the_correction_is_that_of_all_other_outputs(scores, correction):
    found = compare(scores, baseline="good", resamples=500, correction=correction)
    assert corrected_for(found) in found.paper_table().caption
    assert any(corrected_for(found) in note for note in found.table().notes)


def test_daggers_mark_what_differs_from_the_baseline(with_baseline):
    by_run = rows(with_baseline.latex())
    assert all(cell.endswith(r"}\textsuperscript{$\dagger$}") for cell in by_run["best"][1:])
    assert all(cell.endswith(r"\textsuperscript{$\ddagger$}") for cell in by_run["bm25"][1:])
    assert not any("textsuperscript" in cell for cell in by_run["good"])


def test_markdown_has_the_same_marks(with_baseline):
    table = with_baseline.paper_table()
    shown = {line.split(" | ")[0].strip("| "): line for line in table.markdown().splitlines() if line.startswith("|")}
    for at, name in enumerate(table.runs):
        marks = [cells[at].above for cells in table.columns.values()]
        assert re.findall("[†‡]", shown[name]) == [mark for mark in marks if mark]
    assert "†" in shown["best"]
    assert "‡" in shown["bm25"]
    assert shown["best"].count("**") == 6
    assert shown["good"].count("<ins>") == 3
    assert table.markdown() in with_baseline.markdown()


def test_marks_say_what_the_differences_say(with_baseline):
    table = with_baseline.paper_table()
    for measure, cells in table.columns.items():
        marks = {name: cell.above for name, cell in zip(table.runs, cells, strict=True)}
        for one in with_baseline.of(measure):
            assert marks[one.run] == {"better": "†", "worse": "‡", "none": ""}[one.verdict(0.05)]


def test_several_baselines_have_letters(scores):
    by_run = rows(compare(scores, baseline=["good", "bm25"], resamples=5000).latex())
    assert [by_run[name][0] for name in ("good", "bm25", "same", "best")] == ["a", "b", "", ""]
    assert all(cell.endswith(r"\textsuperscript{a,b}") for cell in by_run["best"][2:])
    assert all(cell.endswith(r"\textsubscript{a}") for cell in by_run["same"][2:])
    assert all(cell.endswith(r"\textsuperscript{b}") for cell in by_run["good"][2:])


def test_of_every_pair_letters_name_the_runs_that_one_is_better_than(every_pair):
    by_run = rows(every_pair.latex())
    assert by_run["best"][0] == "a"
    assert all(cell.endswith(r"\textsuperscript{b--d}") for cell in by_run["best"][2:])
    assert "Holm's correction for all 6 pairs, per measure" in every_pair.paper_table().caption


class TestManyRuns:
    def test_letters_name_groups_where_these_can_be_read(self):
        runs = {f"run_{at}": run(at) for at in range(30)} | {f"better{at}": run(at, 9) for at in range(2)}
        table = compare(cf.evaluate(JUDGMENTS, runs, "AP"), all_pairs=True, test="t").paper_table()
        assert table.letters == ()
        assert "Runs that share a letter do not differ significantly" in table.caption
        assert [cell.above for cell in table.columns["AP"]] == ["a"] * 2 + ["b"] * 30

    def test_else_runs_are_marked_that_do_not_differ_from_the_best(self, monkeypatch):
        monkeypatch.setattr("cranfield.comparing.paper.LONGEST_GROUP", 1)
        runs = {f"run{at:02}": run(at, at / 8) for at in range(30)}
        found = compare(cf.evaluate(JUDGMENTS, runs, "AP"), all_pairs=True, test="t")
        table = found.paper_table()
        assert "* not significantly different from the best mean" in table.caption
        best, *others = table.runs
        better = found.standings[0].better
        marks = dict(zip(table.runs, (cell.above for cell in table.columns["AP"]), strict=True))
        assert marks == {best: ""} | {name: "" if (best, name) in better else "*" for name in others}
        assert {"", "*"} <= set(marks.values())
        assert r"\textsuperscript{$\ast$}" in table.latex()

    def test_no_mark_is_longer_than_can_be_read(self):
        for step in (0, 0.05, 0.1, 0.3):
            runs = {f"run{at:02}": run(at, at * step) for at in range(30)}
            table = compare(cf.evaluate(JUDGMENTS, runs, "AP"), all_pairs=True, test="t").paper_table()
            assert max(len(cell.above) for cell in table.columns["AP"]) <= LONGEST_GROUP


class TestLook:
    def test_runs_are_ordered_by_the_first_measure(self, with_baseline):
        assert with_baseline.paper_table().runs == with_baseline.standings[0].runs

    def test_or_as_they_were_given(self, with_baseline):
        assert with_baseline.paper_table(order="given").runs == ("bm25", "same", "good", "best")

    def test_a_caption_comes_before_what_marks_mean(self, with_baseline):
        caption = with_baseline.paper_table(caption="Results on 50% of Robust_04").caption
        assert caption.startswith("Results on 50% of Robust_04. † significantly better")
        text = with_baseline.paper_table(caption="50% of Robust_04").latex()
        assert r"\caption{50\% of Robust\_04. $\dagger$" in text

    def test_a_label_follows_the_caption(self, with_baseline):
        lines = with_baseline.paper_table(label="tab:main").latex().splitlines()
        assert lines[2].startswith(r"\caption{")
        assert lines[3] == r"\label{tab:main}"
        assert r"\label{tab:comparison}" in with_baseline.latex()

    def test_in_percent(self, with_baseline):
        table = with_baseline.paper_table(percent=True)
        best = with_baseline.standings[1].means[0].value
        assert table.columns["AP"][0].number == f"{100 * best:.2f}"
        assert "Scores are multiplied by 100." in table.caption
        assert with_baseline.paper_table(3, percent=True).columns["AP"][0].number == f"{100 * best:.3f}"

    def test_means_of_standardised_scores_are_said_to_be_such(self, scores):
        found = compare(scores, standardise=True, resamples=100)
        assert "Means of scores standardised by query, over 40 queries." in found.latex()

    def test_names_are_escaped(self):
        runs = {"a_b&c": RUNS["bm25"], "best": RUNS["best"], "50%": RUNS["same"]}
        text = compare(cf.evaluate(JUDGMENTS, runs, "AP"), resamples=1000).latex()
        assert r"worse than a\_b\&c (" in text
        assert r"comparisons with a\_b\&c, per" in text
        assert r"50\% &" in text

    @pytest.mark.parametrize("label", ["", "a b", "a,b", "50%", r"\x", "a{b", "a\nb"])
    def test_a_label_that_latex_cannot_read_is_refused(self, with_baseline, label):
        with pytest.raises(UsageError, match="label must be a name that LaTeX can refer to"):
            cf.Comparison.paper_table(with_baseline, label=label or " ")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"depth": 5}, "of the first 5 documents"),
        ({"unjudged_grade": 1}, "unjudged documents with grade 1"),
        ({"judged_only": True}, "without unjudged documents"),
        ({"only_queries": ["q1", "q2"]}, "Only the queries of the list are evaluated."),
        ({"group_by": "#"}, "Chunks count as their documents"),
        ({"alternatives": {"q1": [["a#1", "b#1"]]}}, "Alternatives count once"),
    ],
    ids=str,
)
def test_captions_and_notes_name_what_changes_the_scores(settings, words):
    judgments = {f"q{at}": {"a#1": 1, "b#1": 0} for at in range(1, 5)}
    rankings = {"x": ["b#1", "c#1", "a#1"], "y": ["a#1"], "z": ["c#1", "a#1"], "w": ["b#1"]}
    runs = {name: dict.fromkeys(judgments, ranking) for name, ranking in rankings.items()}
    scores = cf.evaluate(judgments, runs, "P@2 RR", **settings)
    comparison = cf.compare(scores)
    systems = cf.compare_systems(scores, {"one": ["x", "y"], "other": ["z", "w"]})
    for shown in (scores.latex(), comparison.latex(), *map(str, (scores, comparison, systems)), comparison.markdown()):
        assert words in " ".join(shown.split())
