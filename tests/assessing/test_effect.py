"""What labels do to the comparison they are collected for."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

import cranfield as cf
from cranfield.assessing.contents import contents_of, judged_from_runs
from cranfield.assessing.effect import Effect, ItemGrade, default_pairs
from cranfield.assessing.effect import effect_of as effect_of_store
from cranfield.assessing.effect_summary import PairEffect
from cranfield.assessing.items import IMPORTED, Items
from cranfield.assessing.project import Project, new_project, parse_grades
from cranfield.formats import read_judgments, read_runs
from tests.assessing.collections import GARDEN, garden, items_of, name_of
from tests.effort import more

approx = pytest.approx

RUNS = {
    "a": {"q1": ["d1", "d2", "d3"], "q2": ["d1", "d4"], "q3": ["d2"]},
    "b": {"q1": ["d2", "d1", "d4"], "q2": ["d5", "d4"], "q3": ["d2"]},
}


def project(measure: str, **settings: object) -> Project:
    return new_project("test", measure=measure, **settings)


def effect_of(items: Items, measure: str, grades: Iterable[ItemGrade] = (), **settings: object) -> Effect:
    effect = Effect(project(measure, **settings), items)
    for grade in grades:
        effect.set_grade(*grade)
    effect.update()
    return effect


def only(effect: Effect) -> PairEffect:
    (pair,) = effect.summary().pairs
    return pair


def drawn(effect: Effect) -> list[int]:
    """Positions of the documents that matter to the first pair, wave by wave."""
    matter = np.flatnonzero(effect._matter[0])
    return matter[np.argsort(effect._waves[matter], kind="stable")].tolist()


def judged(items: Items, grades: dict[int, float]) -> dict[str, dict[str, float]]:
    """Judgments as they would be exported."""
    judgments: dict[str, dict[str, float]] = {}
    for item, grade in sorted(grades.items()):
        query, document = name_of(items, item)
        judgments.setdefault(query, {})[document] = grade
    return judgments


def test_without_labels_everything_is_open():
    pair = only(effect_of(items_of(RUNS), "P@2"))
    # d1, d2 are in both top twos for q1; for q2 d1 and d5 differ: one half each over three queries.
    assert (pair.run, pair.baseline, pair.state) == ("b", "a", "open")
    assert (pair.low, pair.high) == (approx(-1 / 6), approx(1 / 6))
    assert (pair.matter, pair.labelled, pair.difference) == (2, 0, 0)


def test_one_relevant_label_can_make_it_certain():
    items = items_of(RUNS)
    at = {name_of(items, item): item for item in range(1, len(items) + 1)}
    effect = effect_of(items, "P@2", [ItemGrade(at["q2", "d5"], 1, random=False)])
    assert only(effect).state == "open"  # d1 of q2 could be relevant too, and the runs equal
    effect.set_grade(at["q2", "d1"], 0, random=False)
    effect.update()
    pair = only(effect)
    assert (pair.state, pair.ahead, pair.low, pair.high) == ("certain", "b", approx(1 / 6), approx(1 / 6))


def test_equal_runs_are_certainly_equal():
    runs = {"a": RUNS["a"], "b": {**RUNS["a"]}}
    pair = only(effect_of(items_of(runs), "P@2"))
    assert (pair.state, pair.ahead, pair.matter) == ("certain", None, 0)
    assert pair.sentence() == (
        "b and a have the same P@2 for these queries. 0 of 0 documents on which they differ are labelled."
    )


def test_a_label_that_is_taken_back_leaves_nothing_behind():
    items = items_of(RUNS)
    effect = effect_of(items, "nDCG@3", [ItemGrade(2, 3, random=True), ItemGrade(4, 1, random=True)])
    for item in (2, 4):
        effect.set_grade(item, None, random=False)
    effect.update()
    fresh = effect_of(items, "nDCG@3")
    assert without_history(only(effect)) == without_history(only(fresh))


def without_history(pair: PairEffect) -> dict[str, object]:
    return {**pair.to_dict(), "history": None}


@pytest.mark.parametrize("measure", ["P@10", "nDCG@10", "AP", "RBP", "RR@10"])
def test_what_is_computed_step_by_step_is_what_is_computed_from_scratch(measure):
    runs = [str(GARDEN / f"{name}.run") for name in ("bm25", "hybrid", "dense")]
    items = items_of({run: _few(run, 12) for run in runs}, depth=8)
    rng = np.random.default_rng(3)
    effect = effect_of(items, measure)
    now: dict[int, ItemGrade] = {}
    for step in range(more(60)):
        item = int(rng.integers(1, len(items) + 1))
        grade = None if rng.random() < 0.2 else float(rng.integers(0, 4))
        now[item] = ItemGrade(item, grade, bool(rng.random() < 0.7))
        effect.set_grade(*now[item])
        effect.update()
        if step % 10 == 0:
            fresh = effect_of(items, measure, now.values())
            fresh_pairs, pairs = fresh.summary().pairs, effect.summary().pairs
            assert [without_history(pair) for pair in pairs] == [without_history(pair) for pair in fresh_pairs]


def _few(run: str, queries: int) -> dict[str, list[str]]:
    rankings = cf.read_run(run).rankings(cf.formats.reading.Findings())
    return {ranking.query: list(ranking.documents)[:20] for _, ranking in zip(range(queries), rankings, strict=False)}


@pytest.mark.parametrize("measure", ["P@10", "nDCG@10", "AP", "RBP"])
def test_numbers_are_those_of_the_library_on_the_exported_judgments(measure):
    names = ("bm25", "hybrid", "dense")
    items, truth = garden(*names)
    rng = np.random.default_rng(5)
    # Every query has a label, and every grade is there: the library knows only what is in the file.
    chosen = sorted({*(items.starts[:-1] + 1).tolist(), *rng.choice(len(items), 500, replace=False) + 1})
    grades = {int(item): truth[item - 1] for item in chosen}
    effect = effect_of(items, measure, [ItemGrade(item, grade, random=False) for item, grade in grades.items()])
    runs = [str(GARDEN / f"{name}.run") for name in names]
    plan = cf.labels_needed(runs, judged(items, grades), 0.01, measure, depth=10)
    for pair, need in zip(effect.summary().pairs, plan.needs, strict=True):
        assert (pair.run, pair.baseline, pair.queries) == (need.run, need.baseline, need.queries)
        assert (pair.difference, pair.low, pair.high) == (need.difference, need.low, need.high)
        assert (pair.interval_low, pair.interval_high) == (need.interval_low, need.interval_high)


def test_existing_judgments_are_a_start():
    runs = [str(GARDEN / f"{name}.run") for name in ("bm25", "hybrid")]
    every = read_judgments(str(GARDEN / "qrels.txt"))
    items = items_of(runs, known=every)
    assert (items.part == IMPORTED).sum() > 400
    pair = only(effect_of(items, "P@10"))
    plan = cf.labels_needed(runs, every, 0.01, "P@10", depth=10)
    assert (pair.low, pair.high, pair.difference) == (plan.needs[0].low, plan.needs[0].high, plan.needs[0].difference)


# The garden, from nothing


def labels_until(state: str, effect: Effect, order: Iterable[int], truth: list[float], *, random: bool) -> int:
    for count, at in enumerate(order, 1):
        effect.set_grade(at + 1, truth[at], random)
        effect.update()
        if only(effect).state == state:
            return count
    raise AssertionError("never")


def by_influence(effect: Effect) -> Iterable[int]:
    """Positions of items, always the one whose label could change the comparison most."""
    while True:
        best = max(
            (float(values.max()), -query, int(np.argmax(values)))
            for query, values in enumerate(effect._influence[0])
            if len(values)
        )
        query = effect._queries[-best[1]]  # type: ignore[index]
        yield int(query.at[effect._world(-best[1]).holes[best[2]]])


def test_the_comparison_of_hybrid_and_bm25_is_certain_after_340_of_912_labels():
    items, truth = garden("bm25", "hybrid")
    effect = effect_of(items, "P@10", strategy="comparison")
    assert len(items) == 912
    assert labels_until("certain", effect, by_influence(effect), truth, random=False) == 340


def test_labels_in_any_order_take_twice_as_many():
    items, truth = garden("bm25", "hybrid")
    order = np.random.default_rng(0).permutation(len(items)).tolist()
    effect = effect_of(items, "P@10", strategy="depth")
    assert labels_until("certain", effect, order, truth, random=False) > 650


def test_a_random_sample_makes_it_likely_at_a_look_long_before():
    items, truth = garden("bm25", "hybrid")
    at = []
    for seed in range(5):
        effect = effect_of(items, "P@10", seed=seed)
        order = drawn(effect)
        assert len(order) == 437
        looks = (20, 40, 80, 160, 320)
        for labels in looks:
            for position in order[:labels]:
                effect.set_grade(position + 1, truth[position], random=True)
            effect.update()
            if only(effect).state == "likely":
                assert only(effect).ahead == "hybrid"
                at.append(labels)
                break
    assert np.median(at) in (40, 80, 160)


def test_between_looks_nothing_becomes_likely():
    items, truth = garden("bm25", "hybrid")
    effect = effect_of(items, "P@10", seed=2)
    became = None
    for labels, at in enumerate(drawn(effect), 1):
        effect.set_grade(at + 1, truth[at], random=True)
        effect.update()
        if only(effect).state == "likely":
            became = labels
            break
    assert became in (20, 40, 80, 160, 320)
    assert only(effect).likely_at == became


@pytest.mark.parametrize(("measure", "labels"), [("P@10", 320), ("nDCG@10", 640)])
def test_only_labels_of_documents_drawn_at_random_make_anything_likely(measure, labels, monkeypatch):
    monkeypatch.setattr("cranfield.assessing.effect.DRAWS", 60)
    items, truth = garden("bm25", "hybrid")
    sample = drawn(effect_of(items, measure))[:labels]
    chosen = effect_of(items, measure, [ItemGrade(at + 1, truth[at], random=False) for at in sample])
    assert (only(chosen).estimate, only(chosen).likely_at, only(chosen).random_labels) == (None, None, 0)
    assert only(chosen).state == "open"
    by_chance = effect_of(items, measure, [ItemGrade(at + 1, truth[at], random=True) for at in sample])
    assert (only(by_chance).state, only(by_chance).ahead) == ("likely", "hybrid")
    assert only(by_chance).random_labels == labels


def test_random_labels_of_later_waves_are_no_look():
    items, truth = garden("bm25", "hybrid")
    order = drawn(effect_of(items, "P@10"))
    effect = effect_of(items, "P@10", [ItemGrade(at + 1, truth[at], random=True) for at in order[100:]])
    assert (only(effect).likely_at, only(effect).random_labels) == (None, 337)


def test_documents_labelled_for_another_reason_are_known_and_not_drawn():
    items, truth = garden("bm25", "hybrid")
    order = drawn(effect_of(items, "P@10"))
    others, sample = order[:30], order[30:80]
    grades = [
        *(ItemGrade(at + 1, truth[at], random=False) for at in others),
        *(ItemGrade(at + 1, truth[at], random=True) for at in sample),
    ]
    pair = only(effect_of(items, "P@10", grades))
    added = effect_of(items, "P@10", grades)._added[0]
    expected = (added[others].sum() + (437 - 30) * added[sample].mean()) / 70
    assert pair.estimate == approx(expected)
    assert pair.random_labels == 50


def test_each_pair_is_looked_at_when_a_wave_of_all_runs_is_labelled():
    items, truth = garden("bm25", "hybrid", "dense")
    effect = effect_of(items, "P@10")
    waves, matter = effect._waves, effect._matter
    assert ((waves >= 0) == np.any(matter, axis=0)).all()
    for at in np.flatnonzero((waves >= 0) & (waves <= 2)).tolist():
        effect.set_grade(at + 1, truth[at], random=True)
    effect.update()
    for place, pair in enumerate(effect.summary().pairs):
        assert pair.random_labels == np.count_nonzero(matter[place] & (waves >= 0) & (waves <= 2))
        assert pair.next_look == np.count_nonzero(matter[place] & (waves >= 0) & (waves <= 3))


def test_a_few_documents_that_nobody_could_judge_do_not_hold_up_a_look():
    items, truth = garden("bm25", "hybrid")
    effect = effect_of(items, "P@10")
    order = drawn(effect)
    for at in order[3:320]:
        effect.set_grade(at + 1, truth[at], random=True)
    effect.update()
    assert only(effect).next_look == 20  # of 20 documents 17 are labelled
    assert only(effect).likely_at in (77, 157)  # of 80 documents 77 are


def test_the_forecast_says_all_when_everything_has_to_be_labelled():
    items, truth = garden("dense", "hybrid")
    order = drawn(effect_of(items, "P@10"))
    pair = only(effect_of(items, "P@10", [ItemGrade(at + 1, truth[at], random=True) for at in order[:40]]))
    assert pair.state == "open"
    assert 0 < pair.more_labels <= 364 - 40


def test_the_range_narrows_with_every_label_and_holds_the_truth():
    items, truth = garden("bm25", "hybrid")
    effect = effect_of(items, "nDCG@10", strategy="depth")
    effect.replay([ItemGrade(at + 1, truth[at], random=False) for at in range(len(items))])
    history = only(effect).history
    assert history[0][0] == 0
    assert history[-1] == (912, approx(only(effect).difference), approx(only(effect).difference))
    widths = [high - low for _, low, high in history]
    assert all(low - 1e-9 <= only(effect).difference <= high + 1e-9 for _, low, high in history)
    assert widths == sorted(widths, reverse=True)


def test_many_points_of_the_picture_are_thinned_and_the_ends_stay():
    items, truth = garden("bm25", "hybrid")
    effect = effect_of(items, "P@10", strategy="depth")
    for at in range(450):
        effect.set_grade(at + 1, truth[at], random=False)
        effect.update()
    history = only(effect).history
    assert len(history) <= 200
    assert (history[0][0], history[-1][0]) == (0, 450)
    assert [labels for labels, _, _ in history] == sorted({labels for labels, _, _ in history})


# Of several runs and odd ones


def test_many_runs_are_compared_with_the_first():
    assert default_pairs(5)[0] == (1, 0)
    assert len(default_pairs(5)) == 10
    assert default_pairs(6) == [(1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]
    assert default_pairs(1) == []


def test_one_run_has_no_comparison():
    effect = effect_of(items_of({"a": RUNS["a"]}), "P@2", [ItemGrade(1, 2, random=False)])
    summary = effect.summary()
    assert (summary.pairs, summary.sentence(), summary.countdown(), summary.labels) == ((), "", "", 1)
    assert effect.moves({1: (0, 2)}) == {1: 0}


def test_a_measure_without_a_range_has_no_certainty_but_an_estimate():
    items, truth = garden("bm25", "hybrid")
    pair = only(effect_of(items, "nDCG", [ItemGrade(at + 1, truth[at], random=False) for at in range(50)]))
    assert (pair.low, pair.high, pair.state) == (None, None, "open")
    assert "hybrid" in pair.sentence()


def test_one_query_has_no_interval_over_queries():
    pair = only(effect_of(items_of({"a": {"q1": ["d1"]}, "b": {"q1": ["d2"]}}), "P@1"))
    assert (pair.interval_low, pair.interval_high) == (None, None)


def test_a_grade_below_zero_is_no_judgment():
    items = items_of(RUNS)
    scale = parse_grades("-1=spam,0=no,1=yes")
    one = Effect(new_project("t", measure="P@2", grades=scale), items)
    one.set_grade(1, -1, random=False)
    one.update()
    fresh = effect_of(items, "P@2")
    assert (only(one).low, only(one).high) == (only(fresh).low, only(fresh).high)


def test_how_far_a_disputed_grade_moves_the_comparison():
    items = items_of(RUNS)
    at = {name_of(items, item): item for item in range(1, len(items) + 1)}
    effect = effect_of(items, "P@2", [ItemGrade(at["q2", "d5"], 1, random=False)])
    moves = effect.moves({at["q2", "d5"]: (0, 1), at["q1", "d1"]: (0, 1), at["q2", "d1"]: (1, 2)})
    assert moves == {at["q2", "d5"]: approx(1 / 6), at["q1", "d1"]: 0, at["q2", "d1"]: 0}


def test_a_grade_that_was_added_to_the_scale_widens_what_is_possible():
    items, truth = garden("bm25", "hybrid")
    grades = [ItemGrade(at + 1, truth[at], random=False) for at in range(60)]
    added = ItemGrade(100, 5.0, random=False)
    effect = effect_of(items, "nDCG@10", grades)
    effect.set_grade(*added)
    effect.update()
    wide = Effect(new_project("t", measure="nDCG@10", grades=parse_grades("0,1,2,3,5")), items)
    for grade in (*grades, added):
        wide.set_grade(*grade)
    wide.update()
    assert without_history(only(effect)) == without_history(only(wide))


def test_grades_from_before_are_possible_grades():
    known = read_judgments({"q1": {"d1": 7}})
    assert Effect(project("P@2"), items_of(RUNS, known=known)).levels == (0, 1, 2, 3, 7)


def test_documents_as_they_are_handed_out_are_looks(make_service, sender):
    _, truth = garden("bm25", "hybrid")
    runs = [str(GARDEN / f"{name}.run") for name in ("bm25", "hybrid")]
    service = make_service("ada", contents=contents_of(judged_from_runs(read_runs(runs), 10))[0], measure="P@10")
    effect = Effect(service.project, service.items)
    service.set_effect(effect)
    page = sender(service, 2)
    for labels in range(1, 81):
        item = page.next()
        service.record(2, page.label(item, truth[item - 1]))
        if labels in (19, 20, 40, 80):
            effect.update()
            pair = only(effect)
            assert pair.labelled == pair.random_labels == labels
            assert pair.next_look == {19: 20, 20: 40, 40: 80, 80: 160}[labels]
            assert (pair.estimate is not None) == (labels >= 10)
    assert pair.interval_is_estimated


def test_preferences_and_single_runs_have_no_effect(make_service):
    alone = contents_of(judged_from_runs(read_runs({"a": RUNS["a"]}), 10))[0]
    assert effect_of_store(make_service("ada", contents=alone).store) is None
