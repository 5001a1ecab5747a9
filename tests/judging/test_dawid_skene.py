"""Dawid and Skene's model: their own example, laws, and what was put in comes out again."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import UsageError
from cranfield.judging.dawid_skene import dawid_skene

ANAESTHETISTS = """
1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 2223343 1111111 2223212 1211111
1112111 1111111 1111111 2222221 2221322 2222222 2222221 2223222 2212222 1111111 1111111 2322222 1111111 1111111 1121121
1111111 3333233 1111111 2222222 2223232 4334343 2212232 2323233 3333432 1111111 1111111 1212111 2322222 1211111 2222222
"""
"""Table 1 of Dawid & Skene (Applied Statistics 28(1), 1979): of each of 45 patients, the first observer's three
assessments and those of four others, from 1 to 4."""

labels = st.integers(3, 5).flatmap(
    lambda judges: st.lists(
        st.lists(st.one_of(st.none(), st.integers(0, 3)), min_size=judges, max_size=judges), min_size=5, max_size=30
    ).filter(lambda rows: any(label is not None for row in rows for label in row))
)


def _table(rows):
    return np.array([[math.nan if label is None else label for label in row] for row in rows], dtype=float).T


@pytest.fixture(scope="module")
def patients():
    return np.array([[int(digit) for digit in patient] for patient in ANAESTHETISTS.split()]).T


def test_the_anaesthetists_have_the_published_shares_and_error_rates(patients):
    found = dawid_skene(patients, judge_of=[0, 0, 0, 1, 2, 3, 4])
    assert found.converged
    assert found.shares.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]
    first = [[0.89, 0.11, 0, 0], [0.07, 0.88, 0.05, 0], [0, 0.34, 0.66, 0], [0, 0, 0.56, 0.44]]
    assert found.errors[0].round(2).tolist() == first
    assert np.abs(found.errors.sum(axis=-1) - 1).max() < 1e-12


def test_patients_about_whom_all_agree_are_certain(patients):
    found = dawid_skene(patients, judge_of=[0, 0, 0, 1, 2, 3, 4])
    assert found.posterior[0, 0] == pytest.approx(1, abs=1e-4)
    assert found.posterior[10, 3] == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("graded", [False, True])
@given(rows=labels)
def test_the_likelihood_never_falls(graded, rows):
    found = dawid_skene(_table(rows), graded=graded, iterations=25)
    steps = np.diff(found.likelihoods)
    assert (steps >= -1e-8).all()


@pytest.mark.parametrize("graded", [False, True])
@given(rows=labels)
def test_probabilities_are_probabilities(graded, rows):
    found = dawid_skene(_table(rows), graded=graded, iterations=25)
    for some in (found.posterior, found.errors, found.shares):
        assert (some >= 0).all()
        assert some.sum(axis=-1) == pytest.approx(np.ones(some.shape[:-1]))


def _simulated(errors, shares, items, seed):
    rng = np.random.default_rng(seed)
    truth = rng.choice(len(shares), items, p=shares)
    given = [[rng.choice(len(shares), p=judge[category]) for category in truth] for judge in errors]
    return truth, np.array(given, dtype=float)


def test_errors_that_were_put_in_come_out_again():
    errors = [
        [[0.9, 0.1, 0.0], [0.1, 0.8, 0.1], [0.0, 0.2, 0.8]],
        [[0.8, 0.2, 0.0], [0.2, 0.7, 0.1], [0.1, 0.1, 0.8]],
        [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.1, 0.2, 0.7]],
        [[0.9, 0.0, 0.1], [0.2, 0.6, 0.2], [0.0, 0.1, 0.9]],
    ]
    truth, given = _simulated(errors, [0.5, 0.3, 0.2], 6000, 1)
    given[0, ::7] = math.nan
    found = dawid_skene(given)
    assert np.abs(found.errors - np.array(errors)).max() < 0.04
    assert np.abs(found.shares - [0.5, 0.3, 0.2]).max() < 0.02
    best = found.posterior.argmax(axis=1)
    majority = np.array([np.bincount(column[~np.isnan(column)].astype(int)).argmax() for column in given.T])
    assert (best == truth).mean() > (majority == truth).mean()


def test_graded_errors_that_were_put_in_come_out_again():
    apart = np.subtract.outer(np.arange(4), np.arange(4)).T
    errors = []
    for stray, lean in ((-2.0, 0.0), (-1.5, 0.4), (-1.2, -0.3)):
        raw = np.exp(stray * np.abs(apart) + lean * apart)
        errors.append(raw / raw.sum(axis=1, keepdims=True))
    _, given = _simulated(errors, [0.6, 0.2, 0.1, 0.1], 6000, 2)
    found = dawid_skene(given, graded=True)
    assert found.converged
    assert np.abs(found.errors - np.array(errors)).max() < 0.04


def test_with_few_labels_the_graded_form_is_nearer_to_the_truth():
    apart = np.abs(np.subtract.outer(np.arange(4), np.arange(4)))
    raw = np.exp(-1.3 * apart)
    errors = [raw / raw.sum(axis=1, keepdims=True)] * 3
    right = {False: 0.0, True: 0.0}
    for seed in range(8):
        truth, given = _simulated(errors, [0.55, 0.2, 0.15, 0.1], 150, seed)
        for graded in right:
            right[graded] += float((dawid_skene(given, graded=graded).posterior.argmax(axis=1) == truth).mean())
    assert right[True] > right[False]


def test_an_item_without_labels_is_as_likely_as_any():
    found = dawid_skene([[0, 1, math.nan], [0, 1, math.nan]])
    assert found.posterior[2] == pytest.approx(found.shares)


def test_a_judge_who_never_errs_is_no_problem():
    found = dawid_skene([[0, 1, 2, 0], [0, 1, 2, 0], [0, 1, 2, 0]], graded=True)
    assert found.posterior.argmax(axis=1).tolist() == [0, 1, 2, 0]
    assert found.accuracy == pytest.approx([1, 1, 1], abs=1e-6)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"labels": [[0, 1], [0, 1]], "judge_of": [0]}, "judge_of names the judge of each of 2 rows"),
        ({"labels": [[math.nan], [math.nan]]}, "There are no labels"),
        ({"labels": [[0, 1], [0, 1]], "iterations": 0}, "iterations must be a whole number of at least 1"),
    ],
)
def test_what_is_wrong_is_told(given, message):
    with pytest.raises(UsageError, match=message):
        dawid_skene(given.pop("labels"), **given)
