"""Whether tests and intervals keep their promises: how that is found out, and what docs/validity.md tells of it."""

from __future__ import annotations

import doctest
import re

import numpy as np
import pytest

from benchmarks.validity import corrected, looks, page, populations, shares, simulation, tuned
from benchmarks.validity.page import Simulation, generator, shown, written
from benchmarks.validity.populations import synthetic
from benchmarks.validity.shares import Share, share
from benchmarks.validity.simulation import TESTS, Truth, coverage, one_by_one, rejected, verdicts
from cranfield.assessing.decisive import decisive
from cranfield.comparing import Significance, all_pairs, pairwise, t_interval, t_test
from cranfield.comparing.differences import TestChoices
from tests.assessing.collections import garden
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "validity.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def made():
    return synthetic(systems=12, queries=40, documents=20)


@pytest.mark.parametrize("module", [corrected, looks, page, populations, shares, simulation, tuned])
def test_examples_are_right(module):
    assert doctest.testmod(module).failed == 0


class TestShares:
    def test_chance_is_not_called_a_broken_promise(self):
        rng = np.random.default_rng(0)
        told = [share(rng.random(2000) < 0.05).compared_with(0.05) for _ in range(200)]
        assert told.count("nominal") >= 198

    def test_an_error_is_that_of_so_many_trials(self):
        rng = np.random.default_rng(0)
        found = [share(rng.random(500) < 0.1) for _ in range(2000)]
        assert found[0].error == pytest.approx(np.std([each.value for each in found]), rel=0.2)

    def test_what_never_happened_has_an_error_too(self):
        assert 0 < Share(0, 100).error < 0.01

    def test_a_broken_promise_is_bold_and_one_kept_too_well_in_italics(self):
        assert shown(Share(90, 100), 0.95, bad="below") == "90.0 ± 3.1"
        assert shown(Share(80, 100), 0.95, bad="below").startswith("**80.0")
        assert shown(Share(999, 1000), 0.95, bad="below").startswith("*99.9")


class TestPeopleAndModel:
    def test_corrected_intervals_hold_where_those_published_do_not(self, made):
        held = corrected.covered(made.runs.scores, 8, 400, np.random.default_rng(0))
        assert held["corrected"][0].value > held["PPI++ as published"][0].value
        assert held["corrected"][0].compared_with(0.95) != "below"

    def test_they_are_narrower_than_those_of_people_alone(self, made):
        held = corrected.covered(made.runs.scores, 20, 100, np.random.default_rng(0))
        assert held["corrected"][1] < held["people alone"][1]


class TestDraws:
    def test_exchangeable_systems_have_signs_by_chance(self, made):
        rows = simulation.exchangeable(made.runs.differences, 40, 500, np.random.default_rng(0))
        assert rows.shape == (500, 40)
        assert np.sign(rows).mean() == pytest.approx(0, abs=0.03)

    def test_moved_differences_have_the_mean_0_and_no_ties(self, made):
        rows = simulation.moved(made.runs.differences, 40, 4000, np.random.default_rng(0))
        assert rows.mean() == pytest.approx(0, abs=4 * rows.std() / np.sqrt(rows.size))
        assert not set(np.round(rows, 9).ravel()) & {0.0}, "no tie stays one"

    @pytest.mark.parametrize("measure", ["P@10", "Success@1"])
    def test_reweighted_queries_have_equal_means_and_keep_every_tie(self, made, measure):
        differences = made.measures[measure].differences
        rows = simulation.reweighted(differences, 30, 4000, np.random.default_rng(0))
        assert set(np.round(rows, 9).ravel()) <= set(np.round(differences, 9).ravel())
        assert rows.mean() == pytest.approx(0, abs=4 * rows.std() / np.sqrt(rows.size))

    def test_really_apart_are_so_and_the_better_one_is_first(self, made):
        means = made.runs.apart(0.05, 0.1).mean(axis=1)
        assert len(means) > 3
        assert ((means >= 0.05) & (means < 0.1)).all()

    @pytest.mark.parametrize(
        "draw",
        [
            simulation.all_exchangeable,
            simulation.all_moved,
            simulation.neighbours_exchangeable,
            simulation.neighbours_moved,
            simulation.as_they_are,
        ],
    )
    def test_means_of_several_systems_are_what_is_said_of_them(self, made, draw):
        tables, means = draw(made.runs, 6, 20, 3000, np.random.default_rng(0))
        assert tables.shape == (3000, 6, 20)
        apart = tables.mean(axis=2) - means
        assert np.ptp(apart.mean(axis=0)) < 0.02
        if "neighbours" in draw.__name__:
            assert (means[:, 0] == means[:, 1]).all()
            assert (means[:, 0] > means[:, 2]).mean() > 0.9

    def test_copies_are_left_out(self, made):
        runs = made.runs
        doubled = populations.Population("doubled", "x", "AP", np.vstack([runs.scores, runs.scores[:3]]))
        assert len(doubled.without_copies.scores) == len(runs.without_copies.scores)
        assert len(doubled.copies) == len(runs.copies), "what is the same for every query is no pair at all"

    def test_random_numbers_depend_on_what_they_are_for(self):
        one, again, other = (generator("pair", measure).random() for measure in ("AP", "AP", "RR"))
        assert one == again != other


def too_sure(differences) -> Significance:
    """A t test that looks at one side only."""
    found = t_test(differences)
    return Significance(found.difference, found.statistic, found.p / 2, found.queries)


def too_shy(differences) -> Significance:
    """A t test that counts both sides twice."""
    found = t_test(differences)
    return Significance(found.difference, found.statistic, min(2 * found.p, 1), found.queries)


class TestWhatIsFound:
    def test_a_right_test_is_nominal_and_a_broken_one_is_not(self, made):
        rows = simulation.exchangeable(made.runs.differences, 40, 3000, np.random.default_rng(1))
        tests = {"t": TESTS["t"], "sure": one_by_one(too_sure), "shy": one_by_one(too_shy)}
        found = rejected(rows, tests, (0.05, 0.01))
        assert [found[name][0.05].compared_with(0.05) for name in tests] == ["nominal", "above", "below"]
        assert [found[name][0.01].compared_with(0.01) for name in ("t", "sure")] == ["nominal", "above"]

    def test_every_test_of_two_systems_is_nominal_for_normal_differences_or_spares_something(self):
        rows = np.random.default_rng(2).normal(0, 1, (1000, 100))
        found = rejected(rows, TESTS, (0.05,))
        assert set(found) == {"randomization", "t", "bootstrap", "wilcoxon", "sign"}
        assert "above" not in {of_test[0.05].compared_with(0.05) for of_test in found.values()}

    def test_a_test_of_many_rows_says_of_each_what_it_says_of_it_alone(self):
        from cranfield.comparing import bootstrap_test, randomization_test

        rows = np.random.default_rng(3).normal(0.2, 1, (5, 40))
        for name, alone in (
            ("randomization", lambda row: randomization_test(row, permutations=simulation.PATTERNS, rng=7)),
            ("bootstrap", lambda row: bootstrap_test(row, samples=simulation.PATTERNS, rng=7)),
        ):
            assert TESTS[name](rows, 7).tolist() == [alone(row).p for row in rows]

    def test_no_p_is_no_finding(self):
        assert rejected(np.full((20, 5), 0.5), {"t": TESTS["t"]}, (0.05,))["t"][0.05].count == 0

    def test_intervals_that_are_too_narrow_are_found_out(self, made):
        def narrow(rows, _):
            return np.array([(each.low, each.high) for each in (t_interval(row, confidence=0.8) for row in rows)])

        scores = made.measures["nDCG@10"].scores
        found = coverage(scores, 40, 2000, np.random.default_rng(4), {"t": simulation.INTERVALS["t"], "narrow": narrow})
        assert found["t"].held.value == pytest.approx(0.95, abs=0.02)
        assert found["narrow"].held.compared_with(0.95) == "below"
        assert found["narrow"].width < found["t"].width

    def test_verdicts_are_counted(self):
        # Systems 0 and 1 are equal and 2 is worse; a method that calls the first two different is always wrong.
        tables = np.random.default_rng(5).normal(0, 0.01, (50, 3, 20)) + np.array([1, 1, 0.0])[:, None]
        truth = Truth(tables, np.tile([1, 1, 0.0], (50, 1)))

        def methods(table, _):
            p = np.array([pair.p for pair in pairwise(table, all_pairs(3), t_test)])
            return {"wrong": np.array([0.0, p[1], p[2]]), "blind": np.ones(3), "seeing": np.array([1, p[1], p[2]])}

        found = verdicts(truth, (0.05, 0.01), methods)
        assert [found[name].false[0.05].value for name in found] == [1, 0, 0]
        assert [found[name].found for name in found] == [1, 0, 1]
        assert [found[name].ranks.value for name in found] == [0, 1, 1]
        assert [found[name].length for name in found] == [1, 3, pytest.approx(5 / 3)]
        assert found["wrong"].wrong == pytest.approx(1 / 3)

    def test_holm_keeps_what_it_promises_and_no_correction_does_not(self, made):
        drawn = simulation.all_exchangeable(made.runs, 6, 30, 60, np.random.default_rng(6))
        found = verdicts(drawn, (0.05, 0.01))
        assert {"holm", "bonferroni", "benjamini-hochberg", "none", "tukey", "maxT"} < set(found)
        assert found["none"].false[0.05].compared_with(0.05) == "above"
        assert found["holm"].false[0.05].compared_with(0.05) != "above"
        assert found["holm"].false[0.05].count + found["holm"].ranks.count == 60, "of equal systems these are the same"


class TestPage:
    def test_a_small_one_has_every_section_and_says_that_its_data_are_made(self, made):
        told: list[str] = []
        text = written(Simulation(made, trials=4), tell=told.append)
        sections = [
            "Two systems that do not differ",
            "Two systems that are equivalent",
            "Intervals",
            "People and a model",
            "All pairs of several systems",
            "Ranks",
            "Power",
            "Labels as they come in",
            "Tuned fusions",
        ]
        assert [part.splitlines()[0] for part in told] == [f"## {name}" for name in sections]
        assert "**Drawn from:** synthetic, nDCG@10, 12 runs, 40 queries" in text
        assert headings(text) == headings(PAGE), "run `make validity`"

    def test_its_words_are_those_of_the_code(self):
        words = (page.PAIR, page.PAIR_REASONS, page.INTERVAL, page.INTERVAL_REASONS, page.FAMILY, page.RANKS)
        words = (*words, page.EQUIVALENCE, page.EQUIVALENCE_REASONS)
        looks_words = (page.LOOKS.partition("{few}")[0], page.LOOKS_REASONS)
        for text in (
            *words,
            *looks_words,
            page.POWER,
            page.POWER_REASONS,
            page.HOW,
            page.FAMILY_REASONS.partition("{")[0],
        ):
            assert text in PAGE, "run `make validity`"

    def test_its_default_is_what_a_comparison_does(self):
        (claim,) = re.findall(r"\*\*Default:\*\* test `(.+?)`, correction `(.+?)`, interval `(.+?)`\.", PAGE)
        choices = TestChoices()
        assert claim == (choices.test, choices.correction, choices.interval)

    def test_the_default_test_keeps_its_promise_for_exchangeable_systems(self):
        for table in tables("Two systems that do not differ"):
            rows = [row for row in table if row["two systems"] == "exchangeable"]
            assert len(rows) == 9
            assert not [row for row in rows if row[TestChoices().test].startswith("**")]

    def test_the_default_test_is_about_means_where_wilcoxons_is_not(self):
        at_5, _ = tables("Two systems that do not differ")
        row = next(row for row in at_5 if (row["two systems"], row["queries"]) == ("moved", "200"))
        assert number(row[TestChoices().test]) < 7
        assert number(row["wilcoxon"]) > 15

    def test_the_default_interval_of_a_difference_holds_the_truth_as_often_as_the_other_or_more(self):
        (table,) = tables("Intervals")
        columns = {"t": "Student's t", "bca": "BCa"}
        ours, other = columns.pop(TestChoices().interval), *columns.values()
        rows = [row for row in table if row["of a"].startswith("difference")]
        assert len(rows) == 24
        assert all(number(row[ours]) >= number(row[other]) - 1 for row in rows)
        assert np.mean([number(row[ours]) - number(row[other]) for row in rows]) > 0.5

    def test_the_default_correction_keeps_its_promise_for_exchangeable_systems_and_finds_most(self):
        at_5, at_1, found = tables("All pairs of several systems")
        for table in (at_5, at_1):
            rows = [row for row in table if "exchangeable" in row["systems are"]]
            assert len(rows) == 4
            assert not [row for row in rows if row[TestChoices().correction].startswith("**")]
        for row in found:
            assert int(row[TestChoices().correction]) >= max(int(row["bonferroni"]), int(row["tukey"]))

    def test_likely_is_wrong_no_more_often_than_promised_and_looking_at_will_is(self):
        (table,) = tables("Labels as they come in")
        assert not [row for row in table if row["at looks"].startswith("**")]
        swapped = [row for row in table if row["they are"] == "exchangeable" and row["after every label"]]
        assert len(swapped) == 4
        assert all(row["after every label"].startswith("**") for row in swapped)
        sums = {row["runs"]: row for row in table if (row["measure"], row["they are"]) == ("P@10", "as they are")}
        assert (sums["hybrid, bm25"]["documents"], sums["hybrid, bm25"]["labels"]) == ("437", "80")


class TestLooks:
    def test_documents_that_matter_are_those_of_the_command(self):
        of = looks.judging("hybrid", "bm25", "P@10")
        items, _ = garden("bm25", "hybrid")
        assert of.matter == np.count_nonzero(decisive(items, of.measure)) == 437
        assert of.differences.mean() == pytest.approx(0.0714286)

    def test_what_documents_add_is_the_difference(self):
        of = looks.judging("hybrid", "bm25", "P@10")
        assert looks._alone(of).sum() == pytest.approx(of.differences.sum())

    @pytest.mark.parametrize("measure", ["P@10", "nDCG@10"])
    def test_a_large_difference_is_found_before_all_is_labelled(self, measure):
        of = looks.judging("hybrid", "title", measure)
        trials = 40 if measure == "P@10" else 2
        decisions = looks.planned(of, trials, np.random.default_rng(1), exchangeable=False)
        assert decisions.wrong.count == 0
        assert decisions.labels < of.matter

    def test_looking_after_every_label_errs_where_planned_looks_do_not(self):
        of = looks.judging("hybrid", "dense", "P@10")
        planned = looks.planned(of, 300, np.random.default_rng(1), exchangeable=True)
        at_will = looks.at_will(of, 300, np.random.default_rng(1), exchangeable=True)
        assert planned.wrong.compared_with(looks.ERROR) != "above"
        assert at_will.wrong.compared_with(looks.ERROR) == "above"
        assert at_will.labels < planned.labels


def headings(text: str) -> list[str]:
    return re.findall(r"^#+ .+$", text, re.MULTILINE)


def tables(section: str) -> list[list[dict[str, str]]]:
    """The tables of a section of the page, as rows by the names of their columns."""
    (text,) = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        head, _, *rows = ([cell.strip() for cell in line.strip("|\n").split("|")] for line in block.splitlines())
        found.append([dict(zip(head, row, strict=True)) for row in rows])
    return found


def number(cell: str) -> float:
    value, _ = cell.strip("*").split(" ± ")
    return float(value)


def test_the_best_of_many_fusions_seems_better_by_chance_unless_all_are_counted():
    shares = tuned.rejected(200, np.random.default_rng(0))
    assert shares["corrected"].compared_with(0.05) != "above"
    assert shares["naive"].value > 0.3


def test_intervals_out_of_fold_hold_the_true_gain_as_often_as_they_say_and_those_in_sample_do_not(monkeypatch):
    monkeypatch.setattr(tuned, "SAMPLES", 50)  # quicker, and rougher
    for spread in (0.0, tuned.SPREAD):
        held = tuned.covered(15, np.random.default_rng(1), spread)
        for truth in ("of folds", "of the final"):
            assert held[truth].compared_with(0.95) != "below"
        assert held["in sample"].value < held["of folds"].value
