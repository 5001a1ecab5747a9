import numpy as np
import pytest

from cranfield.assessing.decisive import best_ranks, decisive
from cranfield.assessing.items import Items
from cranfield.assessing.plan import FIRST_LOOK, NEVER, plan_of
from cranfield.assessing.project import new_project
from cranfield.measures import parse_all
from tests.assessing.conftest import garden


def plan(contents=None, **settings):
    items = (contents or garden()).items
    return plan_of(new_project("garden", **settings), items)


def test_decide_draws_documents_on_which_runs_differ_in_waves_and_then_the_rest():
    made = plan(measure="P@10")
    matter = decisive(made.items, *parse_all("P@10"))
    waves = made.phase[1:]
    assert np.bincount(waves[matter]).tolist() == [20, 20, 8]
    assert set(waves[~matter].tolist()) == {3}
    assert made.hows == ("random", "random", "random", "depth")
    assert {made.chosen(item).probability for item in np.flatnonzero(made.phase == 0)} == {20 / 48}
    assert made.chosen(int(np.flatnonzero(made.phase == 3)[0])) == ("depth", None)


def test_every_wave_has_its_share_of_ranks():
    made = plan(measure="nDCG@10")
    strata = np.searchsorted((3, 10), best_ranks(made.items))
    share = np.bincount(strata) / len(strata)
    first = np.bincount(strata[made.phase[1:] == 0], minlength=2) / FIRST_LOOK
    assert np.abs(first - share).max() <= 1.5 / FIRST_LOOK


def test_each_document_is_as_likely_in_the_first_wave():
    chosen = sum((plan(measure="P@10", seed=seed).phase == 0).astype(int) for seed in range(300))
    matter = decisive(garden().items, *parse_all("P@10"))
    shares = chosen[1:][matter] / 300
    assert shares.mean() == pytest.approx(20 / 48)
    assert np.abs(shares - 20 / 48).max() < 0.13  # 4.5 standard errors


@pytest.mark.parametrize(("strategy", "depth"), [("comparison", 3), ("mtf", 5), ("mm-ns", 5), ("thompson", 5)])
def test_a_strategy_that_learns_begins_with_what_runs_put_first(strategy, depth):
    made = plan(strategy=strategy)
    assert ((made.phase[1:] == 0) == (best_ranks(made.items) <= depth)).all()
    assert made.learns
    assert made.hows == ("warm-up", "influence" if strategy == "comparison" else "bandit")


def test_a_sample_asks_only_about_what_was_drawn():
    made = plan(strategy="sample", depth=10)
    assert (made.phase[1:] == 0).all()  # the first ten ranks are judged completely
    deep = plan(strategy="sample", depth=8)
    assert (deep.phase == NEVER).sum() > 1
    assert {made.chosen(item).how for item in range(1, 85)} == {"sample"}


def test_without_two_runs_there_is_one_phase():
    items = garden().items
    alone = Items(**{**{name: value for name, value in vars(items).items() if name != "starts"}, "places": ()})
    for strategy in ("decide", "comparison", "mtf", "sample"):
        made = plan_of(new_project("garden", strategy=strategy), alone)
        assert made.hows == ("depth",)
        assert set(made.phase[1:].tolist()) == {0}


def test_shared_items_are_wanted_from_everybody_and_at_least_thirty():
    made = plan(shared=0.1)
    assert made.shared.sum() == 30
    assert np.bincount(made.wanted(5)).tolist() == [1, 54, 0, 0, 0, 30]
    assert plan(shared=0.5).shared.sum() == 42
    assert plan(shared=0.0).shared.sum() == 0


def test_gold_is_wanted_from_everybody_and_imported_from_nobody():
    made = plan(garden(judgments={"q1": {"d1": 2}}, gold={"q1": {"d2": 3}}), labels=2)
    assert np.bincount(made.wanted(4)).tolist() == [2, 0, 82, 0, 1]


def test_the_same_seed_gives_the_same_plan():
    one, other = plan(seed=3), plan(seed=3)
    assert (one.phase == other.phase).all()
    assert (one.query_order == other.query_order).all()
    assert (one.order == other.order).all()
    assert (plan(seed=4).phase != one.phase).any()
