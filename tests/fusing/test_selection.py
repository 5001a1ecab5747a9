"""Choices in folds are what a plain loop over queries would choose."""

import numpy as np
import pytest

from cranfield.fusing import selection
from cranfield.fusing.selection import LearntScores, choose_in_folds, first_largest, resampled_means
from cranfield.fusing.training import fold_numbers


def _folds(queries, folds, splits):
    names = [f"q{at:03}" for at in range(queries)]
    return np.array([[*map(fold_numbers(names, folds, [0, split]).get, names)] for split in range(splits)])


def _best(scores, rows, queries):
    return max(rows, key=lambda row: (round(sum(scores[row][q] for q in queries), 9), -row))


def _by_hand(scores, families, folds, fold):
    """The row that all folds but one choose, by loops over families, folds and queries."""
    queries = range(scores.shape[1])
    training = [q for q in queries if folds[q] != fold]
    rows = np.split(np.arange(len(scores)), np.cumsum(families)[:-1])
    validated = [
        sum(
            scores[_best(scores, own, [q for q in training if folds[q] != inner])][q]
            for inner in sorted({folds[q] for q in training})
            for q in training
            if folds[q] == inner
        )
        for own in rows
    ]
    return _best(scores, rows[int(np.argmax(np.round(validated, 9)))], training)


@pytest.mark.parametrize(("families", "queries", "folds"), [([6], 11, 3), ([3, 2, 4], 23, 5), ([1, 5], 8, 4)])
def test_choices_are_those_of_a_plain_loop(families, queries, folds):
    scores = np.random.default_rng(1).random((sum(families), queries))
    numbers = _folds(queries, folds, 3)
    choices = choose_in_folds(scores, families, numbers)
    for split in range(3):
        for fold in range(folds):
            expected = (
                _best(scores, range(len(scores)), [q for q in range(queries) if numbers[split][q] != fold])
                if len(families) == 1
                else _by_hand(scores, families, numbers[split], fold)
            )
            assert choices.chosen[split, fold] == expected
        for q in range(queries):
            assert choices.scores[split, q] == scores[choices.chosen[split, numbers[split][q]], q]


def test_the_choice_for_a_query_does_not_depend_on_its_own_scores():
    rng = np.random.default_rng(2)
    scores = rng.random((9, 20))
    numbers = _folds(20, 5, 4)
    before = choose_in_folds(scores, [4, 5], numbers).chosen
    for query in range(20):
        changed = scores.copy()
        changed[:, query] = rng.random(9) * 10
        after = choose_in_folds(changed, [4, 5], numbers).chosen
        for split in range(4):
            assert after[split, numbers[split][query]] == before[split, numbers[split][query]]


def test_rows_that_learn_are_scored_by_what_knew_neither_the_fold_nor_their_own():
    rng = np.random.default_rng(5)
    families, queries, folds = [3, 2, 4], 23, 5
    scores, numbers = rng.random((9, queries)), _folds(queries, folds, 2)
    rows = np.array([3, 4, 7])
    learnt = LearntScores(rows, rng.random((3, 2, folds, queries)))
    choices = choose_in_folds(scores, families, numbers, learnt)
    for split in range(2):
        for fold in range(folds):
            known = scores.copy()
            known[rows] = learnt.scores[:, split, fold]
            expected = _by_hand(known, families, numbers[split], fold)
            assert choices.chosen[split, fold] == expected
            within = numbers[split] == fold
            assert (choices.scores[split, within] == known[expected, within]).all()


@pytest.mark.parametrize("families", [[9], [3, 2, 4]])
@pytest.mark.parametrize("trained", [False, True])
def test_a_sample_chooses_as_if_its_queries_were_all_there_are(families, trained, monkeypatch):
    monkeypatch.setattr(selection, "CELLS", 100)  # in several blocks
    rng = np.random.default_rng(6)
    scores, folds = rng.random((9, 23)), _folds(23, 5, 2)
    learnt = LearntScores(np.array([3, 4, 7]), rng.random((3, 2, 5, 23))) if trained else None
    counts = np.vstack([np.ones(23), rng.multinomial(23, np.full(23, 1 / 23), size=6)])
    means = resampled_means(scores, families, folds, counts, learnt)
    for count, mean in zip(counts.astype(int), means, strict=True):
        copies = np.repeat(np.arange(23), count)
        own = learnt and LearntScores(learnt.rows, learnt.scores[..., copies])
        choices = choose_in_folds(scores[:, copies], families, folds[:, copies], own)
        assert mean == pytest.approx(choices.mean_scores.mean())


def test_of_equal_rows_the_first_is_chosen():
    scores = np.tile(np.random.default_rng(3).random(10), (4, 1))
    choices = choose_in_folds(scores, [2, 2], _folds(10, 5, 2))
    assert not choices.chosen.any()
    assert choices.final == 0


def test_rounding_does_not_choose():
    assert first_largest(np.array([0.3, 0.1 + 0.2]), 1e-9) == 0


def test_many_useless_configurations_do_not_win_by_their_number():
    rng = np.random.default_rng(4)
    good = np.full((1, 40), 0.5) + rng.normal(0, 0.1, 40)
    noise = rng.normal(0.45, 0.3, (500, 40))
    numbers = _folds(40, 5, 5)
    nested = choose_in_folds(np.vstack([good, noise]), [1, 500], numbers)
    flat = choose_in_folds(np.vstack([good, noise]), [501], numbers)
    assert (nested.chosen == 0).mean() > 0.5
    assert (flat.chosen == 0).mean() < 0.1
    assert nested.final == 0
