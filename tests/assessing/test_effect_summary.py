"""What is said of a comparison while labels come in."""

from __future__ import annotations

import json
from dataclasses import replace

from cranfield.assessing.effect import ItemGrade
from cranfield.assessing.effect_summary import EffectSummary, PairEffect
from tests.assessing.collections import garden
from tests.assessing.test_effect import drawn, effect_of, only

OPEN = PairEffect(
    run="hybrid",
    baseline="bm25",
    measure="P@10",
    state="open",
    difference=0.01,
    low=-0.2,
    high=0.3,
    estimate=None,
    estimate_error=None,
    random_labels=0,
    likely_at=None,
    next_look=None,
    labelled=36,
    matter=437,
    more_labels=40,
    interval_low=-0.01,
    interval_high=0.15,
    interval_is_estimated=False,
    queries=70,
    history=(),
)


def test_an_open_comparison_says_how_many_labels_should_decide_it():
    assert OPEN.sentence() == (
        "hybrid is ahead of bm25 by 0.010 P@10 if unlabelled documents are irrelevant. Not yet decided. 36 of 437 "
        "documents on which they differ are labelled; about 40 more labels should decide it."
    )
    assert OPEN.sentence(seconds=21).endswith("should decide it (14 minutes).")
    assert OPEN.sentence(seconds=300).endswith("should decide it (3.3 hours).")


def test_an_estimate_is_named_as_one():
    assert replace(OPEN, estimate=0.07).sentence().startswith("hybrid is ahead of bm25 by about 0.070 P@10. Not yet")
    assert replace(OPEN, estimate=-0.07).sentence().startswith("bm25 is ahead of hybrid by about 0.070 P@10.")


def test_where_nobody_can_tell_how_many_the_next_look_is_named():
    assert (
        replace(OPEN, more_labels=None, next_look=40)
        .sentence()
        .endswith("36 of 437 documents on which they differ are labelled; the next look comes after 40 labels.")
    )
    assert replace(OPEN, more_labels=None).sentence().endswith("on which they differ are labelled.")


def test_certainty_names_what_is_possible():
    certain = replace(OPEN, state="certain", low=-0.2, high=-0.05, difference=-0.1, more_labels=0)
    assert certain.sentence() == (
        "bm25 is ahead of hybrid by 0.100 P@10. That is certain for the labels so far: "
        "whatever grades the unlabelled documents get, the "
        "difference is 0.050 to 0.200. 36 of 437 documents on which they differ are labelled. The 95% interval over "
        "these 70 queries is -0.010 to 0.150: only more queries narrow it, more labels do not."
    )


def test_all_comparisons_are_decided_when_the_last_one_is():
    decided = replace(OPEN, state="likely", more_labels=0)
    assert EffectSummary("P@10", (decided, OPEN)).more_labels == 40
    assert not EffectSummary("P@10", (decided, OPEN)).is_decided
    assert EffectSummary("P@10", (decided, replace(OPEN, more_labels=None))).more_labels is None
    assert EffectSummary("P@10", (decided, decided)).is_decided
    assert EffectSummary("P@10", (OPEN,)).countdown() == "about 40 more labels decide the comparison"
    assert EffectSummary("P@10", ()).countdown() == ""


def test_the_sentence_says_open_likely_and_certain():
    items, truth = garden("bm25", "hybrid")
    effect = effect_of(items, "P@10", seed=1)
    assert only(effect).sentence() == (
        "hybrid and bm25 do not differ in P@10 so far. Not yet decided. 0 of 437 documents on which they differ are "
        "labelled; the next look comes after 20 labels."
    )
    order = drawn(effect)
    effect.replay([ItemGrade(at + 1, truth[at], random=True) for at in order[:20]])
    assert "Not yet decided. 20 of 437 documents on which they differ are labelled; about " in only(effect).sentence()
    assert " hours)" in only(effect).sentence(seconds=10)
    effect.replay([ItemGrade(at + 1, truth[at], random=True) for at in order[:320]])
    likely = only(effect).sentence()
    assert likely.startswith("hybrid is likely ahead of bm25, by about 0.0")
    assert "(97.5% sure, from 320 labels of documents drawn at random)" in likely
    assert "The 95% interval over these 70 queries is 0.0" in likely
    effect.replay([ItemGrade(at + 1, truth[at], random=True) for at in order])
    assert only(effect).sentence() == (
        "hybrid is ahead of bm25 by 0.071 P@10. That is certain for the labels so far: "
        "no label is missing that could change it. 437 of 437 "
        "documents on which they differ are labelled. The 95% interval over these 70 queries is 0.047 to 0.096: only "
        "more queries narrow it, more labels do not."
    )


def test_judges_learn_no_run_and_no_direction():
    items, truth = garden("bm25", "hybrid")
    effect = effect_of(items, "P@10")
    words = []
    for at in drawn(effect)[:160]:
        words.append(effect.summary().countdown())
        effect.set_grade(at + 1, truth[at], random=True)
        effect.update()
    assert not any(name in text for text in words for name in ("hybrid", "bm25", "ahead", "better", "P@10"))
    assert words[0] == ""
    assert words[40].startswith("about ")
    assert words[40].endswith(" more labels decide the comparison")
    assert effect.summary().countdown() == "The comparison is decided; more labels hardly change it."


def test_plain_values_have_no_nan():
    items, truth = garden("bm25", "hybrid")
    summary = effect_of(items, "nDCG@10", [ItemGrade(1, truth[0], random=True)]).summary()
    assert json.loads(json.dumps(summary.to_dict(), allow_nan=False))["pairs"][0]["run"] == "hybrid"
