"""What is significant is the same everywhere: one family of comparisons, one correction, in every form."""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.comparing import corrected, rank_intervals
from cranfield.comparing.comparison import compare
from cranfield.comparing.words import corrected_for, mark, sections, standings, table
from tests.effort import examples

from .strategies import tables

ALPHA = 0.05
TESTS = ["t", "randomization", "sign", "wilcoxon", "tukey"]


def scores_of(values):
    """An evaluation whose P@10 are these, by run and query."""
    judged = {f"q{at}": {f"r{rank}": 1 for rank in range(10)} for at in range(values.shape[1])}
    runs = {
        f"run_{name}": {f"q{at}": [f"r{rank}" for rank in range(round(10 * value))] for at, value in enumerate(row)}
        for name, row in zip("abcdefghij", values, strict=False)
    }
    return cf.evaluate(judged, runs, "P@10")


@st.composite
def comparisons(draw):
    """Some runs, compared with a baseline, with several, or every two of them."""
    values = draw(tables(st.integers(3, 6), st.integers(6, 15)))
    lift = np.array([draw(st.sampled_from([0, 0, 0.2, 0.6])) for _ in values])
    scores = scores_of(np.clip(values + lift[:, None], 0, 1).round(1))
    names = draw(st.lists(st.sampled_from(scores.runs), max_size=3, unique=True))
    return compare(
        scores,
        baseline=names or None,
        all_pairs=not names,
        test=draw(st.sampled_from(TESTS)),
        correction=draw(st.sampled_from(["holm", "bonferroni", "benjamini-hochberg", "none"])),
        resamples=200,
    )


def significant(comparison):
    """Which run is significantly better than which, by p corrected for the pairs that were compared."""
    found = comparison.differences
    p = [one.p for one in found]
    adjusted = p if comparison.choices.test == "tukey" else corrected(p, comparison.choices.correction).tolist()
    assert [one.adjusted for one in found] == adjusted or np.isnan(adjusted).any()
    return {
        (one.run, one.baseline) if one.difference > 0 else (one.baseline, one.run)
        for one, of_family in zip(found, adjusted, strict=True)
        if of_family <= ALPHA and one.difference
    }


def of_rows(rows):
    pairs = {"better": lambda row: (row["run"], row["baseline"]), "worse": lambda row: (row["baseline"], row["run"])}
    return {pairs[row["verdict"]](row) for row in rows if row["verdict"] != "none"}


def of_standings(comparison, board):
    """What a table of standings says, by letters or by words."""
    runs = board["run"]
    if comparison.every_pair:
        apart = {
            (one, two)
            for at, one in enumerate(runs)
            for below, two in enumerate(runs)
            if at < below and not set(board["group"][at]) & set(board["group"][below])
        }
        return apart, True
    words = {"better": lambda run, base: (run, base), "worse": lambda run, base: (base, run)}
    return {
        words[word](run, base)
        for base in comparison.baselines
        for run, word in zip(runs, board[f"vs {base}"], strict=True)
        if word in words
    }, False


def of_latex(comparison, text):
    """What the marks in LaTeX say."""
    rows = [line.removesuffix(r" \\").split(" & ") for line in text.splitlines() if "run\\_" in line and "&" in line]
    names = [row[-2].replace("\\", "") for row in rows]
    marked = {row[0]: name for row, name in zip(rows, names, strict=True) if len(row) > 2}
    found = set()
    for name, row in zip(names, rows, strict=True):
        if r"\textsuperscript{$\dagger$}" in row[-1]:
            found.add((name, comparison.baselines[0]))
        elif r"\textsuperscript{$\ddagger$}" in row[-1]:
            found.add((comparison.baselines[0], name))
        else:
            found |= {(name, marked[of]) for of in _marks(r"\\textsuperscript\{([^}]*)\}", row[-1])}
            found |= {(marked[of], name) for of in _marks(r"\\textsubscript\{([^}]*)\}", row[-1])}
    return found


def _marks(pattern, cell):
    for part in ",".join(re.findall(pattern, cell)).split(","):
        first, _, last = part.partition("--")
        at = [mark(place) for place in range(20)]
        yield from at[at.index(first) : at.index(last or first) + 1] if first else []


def of_sentence(comparison):
    """What the verdict says, where it names every run."""
    found = set()
    for base, said in re.findall(r"Compared with (\w+) on \S+: ([^.]*)\.", comparison.verdict()):
        for part in said.split("; "):
            runs = re.findall(r"run_\w", part)
            if part.endswith(" better"):
                found |= {(run, base) for run in runs}
            elif part.endswith(" worse"):
                found |= {(base, run) for run in runs}
    return found


@examples(60)
@given(comparisons())
def test_every_form_of_a_comparison_agrees_on_what_is_significant(comparison):
    expected = significant(comparison)
    assert all(standing.better == expected for standing in comparison.standings)
    assert of_rows(json.loads(json.dumps(comparison.to_dict()))["differences"]) == expected
    rows = comparison.rows()
    assert of_rows(csv.DictReader(io.StringIO(rows.tsv()), delimiter="\t")) == expected
    assert of_rows(csv.DictReader(io.StringIO(rows.csv()))) == expected
    assert of_rows(map(json.loads, rows.jsonl().splitlines())) == expected
    assert of_latex(comparison, comparison.paper_table().latex()) == expected
    pairs, unordered = of_standings(comparison, standings(comparison).columns)
    assert {frozenset(pair) for pair in pairs} == {frozenset(pair) for pair in expected}
    assert unordered or pairs == expected
    if comparison.baselines and len(comparison.differences) > 1:
        assert of_sentence(comparison) == expected
    assert corrected_for(comparison) in table(comparison).notes[0]


@examples(30)
@given(comparisons())
def test_groups_and_ranks_follow_from_the_differences_or_are_absent(comparison):
    expected = significant(comparison)
    (standing,) = comparison.standings
    told = str(sections(comparison)[2])
    if not comparison.every_pair:
        assert (standing.first, standing.letters, standing.ranks) == ((), (), ())
        assert not {"group", "rank"} & set(told.split("\n")[0].split())
        return
    better = np.array([[(one, two) in expected for two in standing.runs] for one in standing.runs])
    assert list(standing.ranks) == rank_intervals(better)
    assert set(standing.first) == set(standing.runs) - {worse for _, worse in expected}


@examples(15)
@given(comparisons())
def test_every_view_of_a_report_agrees_with_the_comparison_it_is_of(comparison):
    contents = cf.report(comparison, sensitivity=False).contents
    for (_, baseline), view in contents.views.items():
        if comparison.every_pair:
            expected = {pair for pair in significant(comparison) if baseline in pair}
        else:
            chosen = {name: getattr(comparison.choices, name) for name in ("test", "correction", "resamples")}
            expected = significant(compare(comparison.results, baseline=baseline, **chosen))
        found = [(system.run, system.compared.word) for system in view.systems if system.compared]
        assert _of_words(found, baseline) == expected
        copied = list(csv.DictReader(io.StringIO(view.copies["CSV"])))
        assert _of_words([(row["run"], row["verdict"]) for row in copied], baseline) == expected
        of_copy = of_latex(comparison if comparison.every_pair else _Beside(baseline), view.copies["LaTeX"])
        assert {pair for pair in of_copy if baseline in pair} == expected
        assert view.corrected in view.copies["Markdown"]
        assert bool(view.systems[0].rank) == comparison.every_pair == ("rank" in copied[0])


def _of_words(found, baseline):
    pairs = {"better": lambda run: (run, baseline), "worse": lambda run: (baseline, run)}
    return {pairs[word](run) for run, word in found if word in pairs}


class _Beside:
    def __init__(self, baseline):
        self.baselines = (baseline,)


@pytest.fixture(scope="module")
def close():
    """Five runs of which one is worse than the first by p = 0.02 or so, which ten pairs do not stand."""
    rng = np.random.default_rng(3)
    first = rng.integers(3, 8, size=30) / 10
    worse = np.clip(first - (rng.random(30) < 0.3) * 0.1 + (rng.random(30) < 0.02) * 0.1, 0, 1)
    others = [np.clip(first + rng.integers(-2, 3, size=30) / 10, 0, 1) for _ in range(3)]
    return scores_of(np.array([first, worse, *others]).round(1))


def test_no_run_is_worse_than_the_baseline_and_tied_with_it_at_once(close):
    beside, every = compare(close), compare(close, all_pairs=True)
    alone, among_all = (
        next(one for one in found.differences if {one.run, one.baseline} == {"run_a", "run_b"})
        for found in (beside, every)
    )
    assert alone.p == among_all.p
    assert alone.adjusted < among_all.adjusted
    assert (beside.family, every.family) == (4, 10)
    assert "for 4 comparisons with run_a" in str(beside)
    assert "for all 10 pairs" in str(every)
    assert "for all 10 pairs" in cf.report(close, all_pairs=True).html
    assert "for 4 comparisons with run_a" in cf.report(close).html


def test_sensitivity_is_corrected_for_the_family_of_the_comparison(close):

    from cranfield.comparing.baselines import comparisons_by_baseline
    from cranfield.comparing.differences import TestChoices

    choices = TestChoices(test="t")
    every = compare(close, all_pairs=True, test="t").sensitivity()
    shown = comparisons_by_baseline(close, ["run_a"], choices, every_pair=True)["run_a"].sensitivity()
    by_pair = {frozenset((pair.run, pair.baseline)): pair for pair in every.pairs}
    for pair in shown.pairs:
        same = by_pair[frozenset((pair.run, pair.baseline))]
        known = {one.name: one.difference.adjusted for one in same.variations if one.kind in ("", "scale", "test")}
        found = {one.name: one.difference.adjusted for one in pair.variations if one.kind in ("", "scale", "test")}
        assert found == pytest.approx(known)
