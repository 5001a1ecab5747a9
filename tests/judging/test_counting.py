import itertools
import math
import tracemalloc

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import UsageError
from cranfield.judging import coefficients as judging
from cranfield.judging.coding import coded
from cranfield.judging.coefficients import fleiss_kappa
from cranfield.judging.counting import confusion, confusions, in_order, patterns_of


def test_many_judges_take_no_table_of_judges_and_items():
    rng = np.random.default_rng(0)
    items, each, judges = 4_000, 5, 3_000
    who = np.stack([rng.choice(judges, each, replace=False) for _ in range(items)])
    truth = rng.integers(0, 3, items)
    given = np.where(rng.random(who.shape) < 0.7, truth[:, None], rng.integers(0, 3, who.shape))
    rows = {
        "query": [f"q{at % 40}" for at in range(items) for _ in range(each)],
        "document": [f"d{at}" for at in range(items) for _ in range(each)],
        "judge": [f"w{judge}" for judge in who.ravel()],
        "grade": given.ravel().tolist(),
    }
    tracemalloc.start()
    agreement = cf.agree(rows)
    merged = cf.merge(rows, "dawid-skene")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 150e6  # a table of judges, items and grades would take 288 MB, one of judges and judges more
    assert agreement["Fleiss' kappa"].low < agreement["Fleiss' kappa"].value < agreement["Fleiss' kappa"].high
    assert agreement["Conger's kappa"].low < agreement["Conger's kappa"].value < agreement["Conger's kappa"].high
    assert not math.isnan(agreement["mean pairwise kappa"].value)
    assert agreement.pairs == ()
    assert any(
        "pairs, and each judge's kappa with the others, are left out beyond 300" in note for note in agreement.notes
    )
    assert len(agreement.judges_table().columns["judge"]) == 100
    assert set(agreement.disagreements(3).columns) == {"query", "document", "labels"}
    right = [grade == truth[int(name[1:])] for name, grade in zip(merged.labels.documents, merged.grades, strict=True)]
    assert np.mean(right) > 0.85


def test_labels_without_a_table_give_the_numbers_of_the_functions_for_tables():
    rng = np.random.default_rng(3)
    grades = rng.integers(0, 4, (45, 60)).astype(float)
    grades[rng.random(grades.shape) < 0.8] = np.nan
    agreement = cf.agree(cf.Labels.from_matrix(grades), interval="analytic")
    for name, function in {
        "agreement": judging.percent_agreement,
        "mean pairwise kappa": judging.mean_kappa,
        "Fleiss' kappa": judging.fleiss_kappa,
        "Conger's kappa": judging.conger_kappa,
        "Gwet's AC1": judging.gwet_ac,
        "Brennan-Prediger": judging.brennan_prediger,
    }.items():
        expected = function(grades)
        assert agreement[name].value == pytest.approx(expected.value, abs=1e-12)
        assert agreement[name].error == pytest.approx(expected.error, abs=1e-12, nan_ok=True)
    kappas = [
        judging.cohen_kappa(grades[a], grades[b], categories=[0, 1, 2, 3]).value
        for a, b in itertools.combinations(range(45), 2)
    ]
    assert agreement["mean pairwise kappa"].value == pytest.approx(np.nanmean(kappas), abs=1e-12)


def test_counting_equal_ones_among_too_many_is_refused_before_memory_is_full():
    labels = np.random.default_rng(2).random((2, 20_000))
    with pytest.raises(UsageError, match="40,000 different labels: too many for what counts equal ones"):
        fleiss_kappa(labels)
    found = cf.agree(cf.Labels.from_matrix(labels), samples=20)
    assert abs(found.by_default.value) < 0.05
    assert math.isnan(found.judges[0].agreement)


def test_items_that_are_labelled_alike_are_one_pattern():
    patterns = patterns_of(coded([[0, 1, 0, 0], [0, 1, 0, 1]]))
    assert sorted(patterns.times.tolist()) == [1, 1, 2]
    assert patterns.of_item[0] == patterns.of_item[2]


def test_sums_count_items_labels_and_meetings():
    sums = patterns_of(coded([[0, 0, 1, 1], [0, 1, 1, np.nan]])).sums
    assert (sums.items, sums.shared) == (4, 3)
    assert sums.coincidences.tolist() == [[2, 1], [1, 2]]
    assert sums.agreeing.tolist() == [[1, 0.5], [0.5, 1]]
    assert sums.by_judge.tolist() == [[2, 2], [1, 2]]


def test_every_two_judges_have_a_table():
    known = coded([[0, 1, 1], [0, 1, 0], [np.nan, 1, 0]])
    tables = confusions(patterns_of(known))
    assert [table.tolist() for table in tables] == [[[1, 0], [1, 1]], [[0, 0], [1, 1]], [[1, 0], [0, 1]]]
    for table, (one, two) in zip(tables, [(0, 1), (0, 2), (1, 2)], strict=True):
        assert np.array_equal(confusion(known, one, two), table)


@pytest.mark.parametrize("count", [3, 1 << 16, (1 << 16) + 1])
def test_numbers_are_ordered_as_they_come_however_many_there_are(count):
    numbers = np.random.default_rng(count).integers(0, count, 1000) // (count // 3) * (count // 3)
    assert in_order(numbers, count).tolist() == sorted(range(1000), key=numbers.tolist().__getitem__)


def test_what_agrees_is_counted_once_for_the_same_weights():
    patterns = patterns_of(coded([[0, 0, 1, np.nan], [0, 1, 1, 1]]))
    assert sorted(patterns.all.agreeing(np.eye(2)).tolist()) == [0, 0, 2, 2]
    assert sorted(patterns.shared.agreeing(np.eye(2)).tolist()) == [0, 2, 2]
    assert sorted(patterns.all.agreeing(np.ones((2, 2))).tolist()) == [0, 2, 2, 2]
    assert patterns.all.agreeing(np.eye(2)) is patterns.all.agreeing(np.eye(2))


def test_patterns_that_are_all_shared_are_not_copied():
    patterns = patterns_of(coded([[0, 0, 1], [0, 1, 1]]))
    assert patterns.shared is patterns.all
