"""How far judges agree: the result as a whole, its intervals, and what it says."""

import itertools
import json
import math
import tracemalloc

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.errors import DataError, UsageError
from cranfield.judging import coefficients as judging

RUNS = [demo.path(f"{name}.run") for name in ("title", "bm25", "dense", "hybrid")]


@pytest.fixture(scope="module")
def measured():
    rng = np.random.default_rng(4)
    truth = rng.random(200)
    grades = [np.clip(truth + rng.normal(0, 0.1, 200), 0, 1) for _ in range(3)]
    grades[2][:20] = math.nan
    return np.array(grades)


def _noisy(items, seed, queries=None, judges=3):
    """Labels of judges who see the truth through noise; a whole query may be harder than others."""
    rng = np.random.default_rng(seed)
    of_query = np.arange(items) // max(items // (queries or items), 1)
    hard = rng.random(of_query.max() + 1)[of_query] < 0.5
    truth = rng.integers(0, 3, items)
    seen = [
        np.where(rng.random(items) < np.where(hard, 0.4, 0.95), truth, rng.integers(0, 3, items)) for _ in range(judges)
    ]
    return [
        (f"q{query}", f"d{item}", f"judge{judge}", int(row[item]))
        for judge, row in enumerate(seen)
        for item, query in enumerate(of_query.tolist())
    ]


class TestValues:
    def test_they_are_those_of_the_functions(self, agreement, labels):
        grades = labels.grades
        expected = {
            "agreement": judging.percent_agreement(grades),
            "mean pairwise kappa": judging.mean_kappa(grades),
            "mean pairwise kappa (quadratic)": judging.mean_kappa(grades, weights="quadratic"),
            "Fleiss' kappa (linear)": judging.fleiss_kappa(grades, weights="linear"),
            "Conger's kappa": judging.conger_kappa(grades),
            "Gwet's AC2 (quadratic)": judging.gwet_ac(grades, weights="quadratic"),
            "Brennan-Prediger": judging.brennan_prediger(grades),
            "ICC(3,k)": judging.intraclass(grades)["ICC(3,k)"],
        }
        for name, one in expected.items():
            assert agreement[name].value == pytest.approx(one.value), name
            assert agreement[name].observed == pytest.approx(one.observed, nan_ok=True)
        for metric in ("nominal", "ordinal", "interval", "ratio"):
            value = judging.krippendorff_alpha(grades, metric=metric).value
            assert agreement[f"Krippendorff's alpha ({metric})"].value == pytest.approx(value)

    def test_a_level_makes_labels_binary_first(self, labels):
        binary = cf.agree(labels, level=2)
        assert binary.metric == "nominal"
        expected = judging.krippendorff_alpha((labels.grades >= 2) + np.where(np.isnan(labels.grades), np.nan, 0))
        assert binary.by_default.value == pytest.approx(expected.value)
        assert [grade.name for grade in binary.grades] == ["0", "1"]

    def test_a_scale_counts_grades_that_nobody_gave(self, labels):
        wider = cf.agree(labels, scale=[0, 1, 2, 3, 4], interval="analytic")
        assert wider["Brennan-Prediger"].expected == pytest.approx(0.2)

    def test_weights_of_one_s_own_are_added(self, labels):
        near = [[1, 0.5, 0, 0], [0.5, 1, 0.5, 0], [0, 0.5, 1, 0.5], [0, 0, 0.5, 1]]
        own = cf.agree(labels, weights=near, interval="analytic")
        expected = judging.mean_kappa(labels.grades, weights=near)
        assert own["mean pairwise kappa (own weights)"].value == pytest.approx(expected.value)

    def test_two_judges_have_cohen_s_kappa_and_scott_s_pi(self, labels):
        two = cf.agree(labels, judges="cleo,ada")
        assert two.labels.judges == ("cleo", "ada")
        assert two["Cohen's kappa"].value == pytest.approx(two.pairs[0].kappa.value)
        assert two["Scott's pi"].value == pytest.approx(two.pairs[0].pooled.value)


class TestIntervals:
    def test_they_come_from_queries_unless_these_are_not_known(self, agreement):
        assert agreement.by_default.method == "bootstrap of queries"
        rows = cf.agree(cf.Labels.from_matrix([[0, 1, 1, 0, 2], [0, 1, 0, 0, 2]]))
        assert rows.by_default.method == "bootstrap of items"

    def test_the_same_seed_gives_the_same_limits_and_another_others(self, labels):
        one, same, other = (cf.agree(labels, seed=seed).by_default for seed in (1, 1, 2))
        assert one == same
        assert one.low != other.low

    def test_formulas_and_samples_of_independent_items_agree(self):
        rows = _noisy(1500, 5)
        formula, sampled = (cf.agree(rows, interval=kind, samples=2000) for kind in ("analytic", "items"))
        for one in formula.coefficients:
            other = sampled[one.name]
            if not math.isnan(one.error):
                assert other.error == pytest.approx(one.error, rel=0.1), one.name
            if not math.isnan(one.low):
                assert (other.low, other.high) == pytest.approx((one.low, one.high), abs=0.02), one.name

    def test_the_jackknife_of_ordinal_alpha_is_near_the_samples_of_its_items(self, labels):
        formula, sampled = (cf.agree(labels, interval=kind).by_default for kind in ("analytic", "items"))
        assert formula.error == pytest.approx(sampled.error, rel=0.07)

    def test_queries_that_differ_make_intervals_wider(self):
        rows = _noisy(1200, 6, queries=20)
        by_query, by_item = (cf.agree(rows, interval=kind)["Fleiss' kappa"] for kind in ("queries", "items"))
        assert by_query.error > 1.5 * by_item.error

    def test_limits_enclose_the_value(self, agreement):
        for one in (*agreement.coefficients, *(pair.kappa for pair in agreement.pairs)):
            assert one.low <= one.value <= one.high, one.name

    def test_they_hold_the_true_value_about_as_often_as_they_say(self):
        truth = judging.fleiss_kappa(_matrix(_noisy(100_000, 0))).value
        held = sum(
            one.low <= truth <= one.high
            for seed in range(1, 41)
            for one in [cf.agree(_noisy(80, seed), samples=150, interval="items")["Fleiss' kappa"]]
        )
        assert 34 <= held <= 40

    def test_few_queries_are_rough_and_one_is_none(self):
        few = cf.agree(_noisy(60, 3, queries=4))
        assert any("rough" in note for note in few.notes)
        one = [("q", document, judge, grade) for _, document, judge, grade in _noisy(60, 3)]
        assert cf.agree(one).by_default.method == "bootstrap of items"
        with pytest.raises(UsageError, match="two queries or more"):
            cf.agree(one, interval="queries")


def _matrix(rows):
    judges = sorted({judge for _, _, judge, _ in rows})
    return np.array([[grade for _, _, who, grade in rows if who == judge] for judge in judges], dtype=float)


class TestFractionalGrades:
    def test_alpha_and_intraclass_correlation_are_shown_and_kappa_is_not(self, measured):
        agreement = cf.agree(cf.Labels.from_matrix(measured))
        assert agreement.metric == "interval"
        assert agreement.pairs == ()
        expected = judging.krippendorff_alpha(measured, metric="interval").value
        assert agreement.by_default.value == pytest.approx(expected)
        ordinal = judging.krippendorff_alpha(measured, metric="ordinal").value
        assert agreement["Krippendorff's alpha (ordinal)"].value == pytest.approx(ordinal)
        assert agreement["ICC(2,1)"].value == pytest.approx(judging.intraclass(measured)["ICC(2,1)"].value)
        assert agreement.by_default.low < expected < agreement.by_default.high
        assert "kappa and its kin" in str(agreement)
        with pytest.raises(UsageError, match="too many different grades"):
            agreement.pair("judge 1", "judge 2")

    def test_formulas_serve_too(self, measured):
        agreement = cf.agree(cf.Labels.from_matrix(measured), interval="analytic")
        assert agreement["ICC(2,1)"].method == "analytic"

    def test_a_judge_is_held_against_another_in_bins(self, measured):
        agreement = cf.agree(cf.Labels.from_matrix(measured), reference="judge 1")
        (second, _) = agreement.against.judges
        assert len(second.calibration) == 10
        means = [row.reference for row in second.calibration]
        assert means == sorted(means)


class TestWhatIsWrong:
    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            ([("q", "d1", "ada", 1), ("q", "d2", "ada", 0)], "all labels are by one judge, ada"),
            ([("q", "d1", "ada", 1), ("q", "d2", "ben", 0)], "no document was labelled by two of the 2 judges"),
            ([("q1", "1", "ada", 1), ("q1", "01", "ben", 0)], "They would meet without leading zeros"),
        ],
    )
    def test_labels_that_say_nothing_about_agreement_are_refused(self, rows, message):
        with pytest.raises(DataError, match=message):
            cf.agree(rows)

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"metric": "nomnial"}, "Did you mean nominal?"),
            ({"interval": "query"}, "Did you mean queries"),
            ({"reference": "adda"}, "there is no judge 'adda'"),
            ({"judges": "ada,bne"}, "there is no judge 'bne'"),
            ({"confidence": 1}, "confidence must be between 0 and 1"),
            ({"samples": 1}, "samples must be a whole number of at least"),
            ({"scale": [0, 1]}, "is none of the categories"),
            ({"weights": [[1, 0], [0, 1]]}, "each of 4 categories"),
        ],
    )
    def test_a_wrong_call_is_told(self, labels, given, message):
        with pytest.raises(UsageError, match=message):
            cf.agree(labels, **given)

    def test_one_grade_only_has_an_answer_with_its_reason(self):
        agreement = cf.agree([("q1", f"d{at}", judge, 1) for at in range(5) for judge in ("ada", "ben")])
        assert agreement["agreement"].value == 1
        assert "not defined: every label is of one category" in agreement.verdict()
        assert "one category" in str(agreement)
        json.dumps(agreement.to_dict(), allow_nan=False)

    def test_a_single_item_has_no_interval_and_samples_that_are_all_alike_one_without_width(self):
        single = cf.agree(cf.Labels.from_matrix([[0], [1]]))["agreement"]
        assert (single.value, single.reason) == (0, "a single item shows no variance")
        assert math.isnan(single.low)
        alike = cf.agree(cf.Labels.from_matrix([[0, 1, 2], [0, 1, 2]]))["agreement"]
        assert (alike.low, alike.high) == (1, 1)
        assert "no width" in alike.reason

    def test_of_two_judges_one_grades_higher_than_the_other(self):
        agreement = cf.agree(cf.Labels.from_matrix([[0, 1, 2, 1], [1, 1, 2, 2]], ["ada", "ben"]))
        assert "On the same items, ben grades 0.50 higher than ada." in agreement.verdict()

    def test_a_pair_without_common_documents_has_a_reason(self):
        rows = [("q1", "d1", "ada", 1), ("q1", "d1", "ben", 1), ("q1", "d2", "ben", 0), ("q1", "d2", "cleo", 0)]
        agreement = cf.agree(rows)
        assert agreement.pair("ada", "cleo").kappa.reason == "no item has labels by two judges"
        assert "ada and cleo: no item has labels by two judges." in str(agreement)

    def test_orders_of_texts_are_refused(self):
        rows = [("q1", f"d{at}", judge, "good") for at in range(3) for judge in "ab"]
        for given in ({"metric": "ordinal"}, {"level": 1}, {"scale": [1]}, {"runs": RUNS}):
            with pytest.raises(UsageError, match="these labels are texts"):
                cf.agree(rows, **given)


@pytest.mark.parametrize("level", [float("nan"), float("inf"), "x", True, None])
def test_a_level_is_a_finite_number(level):
    labels = [("q1", "d1", "ada", 2), ("q1", "d1", "ben", 1), ("q1", "d2", "ada", 0), ("q1", "d2", "ben", 0)]
    if level is None:
        assert cf.agree(labels, level=np.float64(2)).settings["level"] == 2
        return
    for call in (cf.agree, cf.merge):
        with pytest.raises(cf.UsageError, match="finite number"):
            call(labels, level=level)


def test_texts_are_never_taken_for_measurements():
    rows = [("q1", f"d{at}", judge, f"topic {at % 30}") for at in range(90) for judge in ("ada", "ben")]
    agreement = cf.agree([*rows, ("q1", "d90", "ada", "topic 1"), ("q1", "d90", "ben", "topic 2")])
    assert agreement.metric == "nominal"
    assert agreement["agreement"].value == pytest.approx(90 / 91)
    assert "30 different labels" in str(agreement)
    assert not any(one.name.startswith("ICC") or "interval" in one.name for one in agreement.coefficients)


def test_dawid_and_skene_are_not_asked_about_measurements():
    rows = [("q1", f"d{at}", judge, at / 7) for at in range(30) for judge in ("ada", "ben", "cleo")]
    with pytest.raises(UsageError, match="30 different grades; it is for up to 25"):
        cf.merge(rows, "dawid-skene")


def test_hundreds_of_texts_are_no_categories():
    rows = [("q1", f"d{at}", judge, f"topic {at % 101}") for at in range(202) for judge in ("ada", "ben")]
    with pytest.raises(DataError, match="101 different texts among the labels; up to 100"):
        cf.agree(rows)


@pytest.mark.parametrize(("samples", "confidence", "least"), [(2, 0.95, 20), (19, 0.9, 20), (99, 0.99, 100)])
def test_samples_too_few_for_an_interval_are_refused(samples, confidence, least):
    with pytest.raises(UsageError, match=rf"samples .*{least}"):
        cf.agree(demo.path("labels.csv"), samples=samples, confidence=confidence)


@pytest.mark.parametrize("seed", range(6))
def test_an_interval_contains_its_estimate(seed):
    rng = np.random.default_rng(seed)
    grades = rng.integers(0, 3, (4, 12)).astype(float)
    grades[rng.random(grades.shape) < 0.3] = np.nan
    for agreement in cf.agree(cf.Labels.from_matrix(grades), samples=20, seed=seed).coefficients:
        assert math.isnan(agreement.low) or agreement.low <= agreement.value <= agreement.high, agreement


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
