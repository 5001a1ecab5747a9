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
from cranfield.judging import agreement as judging

RUNS = [demo.path(f"{name}.run") for name in ("title", "bm25", "dense", "hybrid")]


@pytest.fixture(scope="module")
def found():
    return cf.agree(demo.path("labels.csv"))


@pytest.fixture(scope="module")
def labels():
    return cf.read_labels(demo.path("labels.csv"))


@pytest.fixture(scope="module")
def measured():
    rng = np.random.default_rng(4)
    truth = rng.random(200)
    grades = [np.clip(truth + rng.normal(0, 0.1, 200), 0, 1) for _ in range(3)]
    grades[2][:20] = math.nan
    return np.array(grades)


@pytest.fixture(scope="module")
def told():
    return cf.agree(demo.path("labels.csv"), runs=RUNS, measures=["nDCG@10", "AP"], samples=50)


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
    def test_they_are_those_of_the_functions(self, found, labels):
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
            assert found[name].value == pytest.approx(one.value), name
            assert found[name].observed == pytest.approx(one.observed, nan_ok=True)
        for metric in ("nominal", "ordinal", "interval", "ratio"):
            value = judging.krippendorff_alpha(grades, metric=metric).value
            assert found[f"Krippendorff's alpha ({metric})"].value == pytest.approx(value)

    def test_pairs_are_those_of_the_functions(self, found, labels):
        ada, ben, _ = labels.grades
        pair = found.pair("ben", "ada")
        assert pair.kappa.value == pytest.approx(judging.cohen_kappa(ada, ben).value)
        assert pair.pooled.value == pytest.approx(judging.scott_pi(ada, ben).value)
        assert pair.linear.value == pytest.approx(judging.cohen_kappa(ada, ben, weights="linear").value)
        both = ~np.isnan(ada) & ~np.isnan(ben)
        assert pair.items == both.sum()
        relevant = (ada[both] >= 1) & (ben[both] >= 1)
        either = (ada[both] >= 1) | (ben[both] >= 1)
        assert pair.overlap == pytest.approx(relevant.sum() / either.sum())
        assert pair.positive == pytest.approx(2 * pair.overlap / (1 + pair.overlap))

    def test_each_judge_is_held_against_the_others_on_the_same_documents(self, found, labels):
        ben = next(judge for judge in found.judges if judge.name == "ben")
        ada_row, ben_row, cleo_row = labels.grades
        with np.errstate(invalid="ignore"):
            rest = np.where(
                np.isnan(ada_row), cleo_row, np.where(np.isnan(cleo_row), ada_row, (ada_row + cleo_row) / 2)
            )
        assert ben.bias == pytest.approx(np.nanmean(ben_row - rest))
        assert ben.bias == max(judge.bias for judge in found.judges)  # the demo's readme: Ben is kind
        assert ben.mean == pytest.approx(np.nanmean(ben_row))
        assert ben.spread == pytest.approx(np.nanstd(ben_row, ddof=1))
        assert ben.relevant == pytest.approx(np.nanmean(np.where(np.isnan(ben_row), np.nan, ben_row >= 1)))

    def test_each_grade_tells_what_others_say(self, found, labels):
        by_grade = judging.specific_agreement(labels.grades)
        assert [grade.agreement for grade in found.grades] == pytest.approx(list(by_grade.values()))
        for grade in found.grades:
            assert math.fsum(grade.others) == pytest.approx(1)
        assert sum(grade.labels for grade in found.grades) == len(labels)

    def test_each_query_has_the_alpha_of_its_own_labels(self, found, labels):
        query = found.queries[3]
        own = labels.grades[:, labels.of_query == 3]
        assert query.alpha == pytest.approx(judging.krippendorff_alpha(own, metric="ordinal").value)
        assert query.agreement == pytest.approx(judging.percent_agreement(own).value)

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
    def test_they_come_from_queries_unless_these_are_not_known(self, found):
        assert found.by_default.method == "bootstrap of queries"
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

    def test_limits_enclose_the_value(self, found):
        for one in (*found.coefficients, *(pair.kappa for pair in found.pairs)):
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
        found = cf.agree(cf.Labels.from_matrix(measured))
        assert found.metric == "interval"
        assert found.pairs == ()
        expected = judging.krippendorff_alpha(measured, metric="interval").value
        assert found.by_default.value == pytest.approx(expected)
        ordinal = judging.krippendorff_alpha(measured, metric="ordinal").value
        assert found["Krippendorff's alpha (ordinal)"].value == pytest.approx(ordinal)
        assert found["ICC(2,1)"].value == pytest.approx(judging.intraclass(measured)["ICC(2,1)"].value)
        assert found.by_default.low < expected < found.by_default.high
        assert "kappa and its kin" in str(found)
        with pytest.raises(UsageError, match="too many different grades"):
            found.pair("judge 1", "judge 2")

    def test_formulas_serve_too(self, measured):
        found = cf.agree(cf.Labels.from_matrix(measured), interval="analytic")
        assert found["ICC(2,1)"].method == "analytic"

    def test_a_judge_is_held_against_another_in_bins(self, measured):
        found = cf.agree(cf.Labels.from_matrix(measured), reference="judge 1")
        (second, _) = found.against.judges
        assert len(second.calibration) == 10
        means = [row.reference for row in second.calibration]
        assert means == sorted(means)


class TestWords:
    def test_the_verdict_says_how_often_and_how_sure(self, found):
        verdict = found.verdict()
        assert verdict.startswith("ada, ben and cleo gave the same grade 68% of the time to documents that two of them")
        assert "Krippendorff's alpha (ordinal) is 0.58 (95% interval 0.5" in verdict
        assert "ben grades 0.17 higher and cleo grades 0.16 lower than the others" in verdict

    def test_where_one_grade_prevails_the_verdict_says_so(self):
        rows = [
            (f"q{at % 20}", f"d{at}", judge, int(at % 50 == shift))
            for at in range(1000)
            for judge, shift in (("ada", 0), ("ben", 1))
        ]
        verdict = cf.agree(rows).verdict()
        assert "98% of the labels are 0, so chance alone would agree 96% of the time" in verdict
        assert "Gwet's AC1 is 0.96" in verdict
        assert "least about 1 (0%)" in verdict

    def test_everything_has_a_table(self, found):
        assert "documents" in found.table().columns
        assert len(found.table(every=True).columns["value"]) == len(found.coefficients)
        assert len(found.pairs_table().columns["kappa"]) == 3
        assert len(found.judges_table().columns["bias"]) == 3
        assert len(found.grades_table().columns["share"]) == 4
        assert len(found.per_query().columns["agreement"]) == 70
        assert len(found.disagreements(5).columns["ada"]) == 5
        parts = set(found.long_table(per_query=True).columns["part"])
        assert parts == {"all", "pair", "table", "judge", "grade", "query"}

    def test_it_shows_itself(self, found):
        assert repr(found) == "Agreement(3 judges, Krippendorff's alpha (ordinal) 0.5773)"
        assert "Landis and Koch" in str(found)
        assert "<table" in found._repr_html_()
        json.dumps(found.to_dict(per_query=True), allow_nan=False)

    def test_texts_are_compared_as_they_are(self):
        rows = [
            ("q1", f"d{at}", judge, "good" if (at + who) % 3 else "bad")
            for at in range(9)
            for who, judge in enumerate("ab")
        ]
        found = cf.agree(rows)
        assert found.metric == "nominal"
        assert "gave the same label" in found.verdict()
        assert "ICC(2,1)" not in [one.name for one in found.coefficients]
        assert [grade.name for grade in found.grades] == ["bad", "good"]
        assert found.disagreements().columns["a"]

    def test_an_unknown_coefficient_is_answered_with_the_nearest(self, found):
        with pytest.raises(KeyError, match="Did you mean Fleiss' kappa"):
            found["Fleis kappa"]


class TestExplain:
    def test_the_textbook_s_kappa_arises_step_by_step(self):
        one, two = judging.from_table([[70, 10], [20, 300]])
        explained = cf.agree(cf.Labels.from_matrix([one, two], ["ada", "ben"])).explain("ada", "ben")
        assert (explained.observed, explained.expected) == (pytest.approx(0.925), pytest.approx(0.665))
        assert round(explained.kappa, 4) == 0.7761
        assert round(explained.pooled_kappa, 4) == 0.7759
        text = str(explained)
        assert "P(A) = (70 + 300) / 400 = 0.9250" in text
        assert "P(E) = 0.2000 · 0.2250 + 0.8000 · 0.7750 = 0.6650" in text
        assert "kappa (Cohen) = (0.9250 - 0.6650) / (1 - 0.6650) = 0.7761." in text
        assert "P(E) = 0.2125² + 0.7875² = 0.6653" in text
        assert "= 0.7759." in text
        assert "<table" in explained._repr_html_()
        assert math.fsum(explained.terms().columns["by chance"]) == pytest.approx(0.665)

    def test_without_a_value_the_reason_is_told(self):
        labels = cf.Labels.from_matrix([[1, 1, 0], [1, 1, math.nan], [math.nan, math.nan, 1]], ["ada", "ben", "cleo"])
        found = cf.agree(labels)
        assert "has no value: P(E) is 1" in str(found.explain("ada", "ben"))
        assert "nothing to agree about" in found.explain("ben", "cleo").steps()[0]


class TestAgainst:
    def test_a_judge_is_held_against_a_reference(self, labels):
        held = cf.agree(labels, reference="ada").against
        assert [judge.judge for judge in held.judges] == ["ben", "cleo"]
        ben = held.judges[0]
        ada_row, ben_row, _ = labels.grades
        both = ~np.isnan(ada_row) & ~np.isnan(ben_row)
        hits = ((ada_row >= 1) & (ben_row >= 1) & both).sum()
        assert ben.precision == pytest.approx(hits / ((ben_row >= 1) & both).sum())
        assert ben.recall == pytest.approx(hits / ((ada_row >= 1) & both).sum())
        assert ben.rates["relevant"] == pytest.approx(((ben_row[both] >= 1).mean(), (ada_row[both] >= 1).mean()))
        third = ben.calibration[2]
        chosen = both & (ben_row == 2)
        assert (third.labels, third.reference) == (chosen.sum(), pytest.approx(ada_row[chosen].mean()))
        assert math.fsum(third.shares) == pytest.approx(1)
        assert "ada says 0" in held.calibration_table("ben").columns
        with pytest.raises(UsageError, match="was not held against ada"):
            held.calibration_table("ada")


class TestConclusions:
    def test_means_are_those_of_an_evaluation_by_one_judge_s_labels(self, told, labels):
        shared = ~np.isnan(labels.grades).any(axis=0)
        own = labels.judgments(np.where(shared, labels.grades[1], np.nan))
        expected = cf.evaluate(own, RUNS, ["AP"]).mean("AP", "dense").value
        assert told.conclusions.scores["ben"].mean("AP", "dense").value == expected
        assert told.conclusions.documents == shared.sum()

    def test_orders_and_flips_are_told(self, told):
        conclusions = told.conclusions
        assert conclusions.verdict().startswith("By nDCG@10, whoever judges, the 4 runs stand in the same order.")
        assert "1 of 6 comparisons depend on whose labels count: bm25 and dense" in conclusions.verdict()
        (flip,) = conclusions.flips
        assert flip.differences["median"] > 0 > flip.differences["ada"]
        assert len(conclusions.orders) == 6
        assert conclusions.orders[0].coefficients["tau_AP"].value == 1
        assert "flips" in conclusions.orders_table().columns
        assert "order" in told.long_table().columns["part"]
        json.dumps(told.to_dict(), allow_nan=False)

    def test_one_run_has_no_order(self, labels):
        alone = cf.agree(labels, runs=RUNS[:1], measures="AP", samples=50)
        assert "one run" in alone.conclusions.verdict()
        assert "AP" in str(alone)

    def test_judges_without_common_documents_cannot_be_compared_so(self):
        rows = [
            ("q01", f"d{at}", judge, at % 2) for at in range(9) for judge in ("ada", "ben") if at < 5 or judge == "ada"
        ]
        rows += [("q01", "d99", "cleo", 1), ("q01", "d99", "ada", 1)]
        with pytest.raises(DataError, match="no document was labelled by all of ada, ben, cleo"):
            cf.agree(rows, runs=RUNS)


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
            ({"confidence": 1}, "confidence is between 0 and 1"),
            ({"samples": 1}, "samples is a whole number from 2"),
            ({"scale": [0, 1]}, "is none of the categories"),
            ({"weights": [[1, 0], [0, 1]]}, "each of 4 categories"),
        ],
    )
    def test_a_wrong_call_is_told(self, labels, given, message):
        with pytest.raises(UsageError, match=message):
            cf.agree(labels, **given)

    def test_one_grade_only_has_an_answer_with_its_reason(self):
        found = cf.agree([("q1", f"d{at}", judge, 1) for at in range(5) for judge in ("ada", "ben")])
        assert found["agreement"].value == 1
        assert "not defined: every label is of one category" in found.verdict()
        assert "one category" in str(found)
        json.dumps(found.to_dict(), allow_nan=False)

    def test_a_single_item_has_no_interval_and_samples_that_are_all_alike_one_without_width(self):
        single = cf.agree(cf.Labels.from_matrix([[0], [1]]))["agreement"]
        assert (single.value, single.reason) == (0, "a single item shows no variance")
        assert math.isnan(single.low)
        alike = cf.agree(cf.Labels.from_matrix([[0, 1, 2], [0, 1, 2]]))["agreement"]
        assert (alike.low, alike.high) == (1, 1)
        assert "no width" in alike.reason

    def test_of_two_judges_one_grades_higher_than_the_other(self):
        found = cf.agree(cf.Labels.from_matrix([[0, 1, 2, 1], [1, 1, 2, 2]], ["ada", "ben"]))
        assert "On the same items, ben grades 0.50 higher than ada." in found.verdict()

    def test_a_pair_without_common_documents_has_a_reason(self):
        rows = [("q1", "d1", "ada", 1), ("q1", "d1", "ben", 1), ("q1", "d2", "ben", 0), ("q1", "d2", "cleo", 0)]
        found = cf.agree(rows)
        assert found.pair("ada", "cleo").kappa.reason == "no item has labels by two judges"
        assert "ada and cleo: no item has labels by two judges." in str(found)

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
    found = cf.agree([*rows, ("q1", "d90", "ada", "topic 1"), ("q1", "d90", "ben", "topic 2")])
    assert found.metric == "nominal"
    assert found["agreement"].value == pytest.approx(90 / 91)
    assert "30 different labels" in str(found)
    assert not any(one.name.startswith("ICC") or "interval" in one.name for one in found.coefficients)


def test_dawid_and_skene_are_not_asked_about_measurements():
    rows = [("q1", f"d{at}", judge, at / 7) for at in range(30) for judge in ("ada", "ben", "cleo")]
    with pytest.raises(UsageError, match="30 different grades; it is for up to 25"):
        cf.merge(rows, "dawid-skene")


def test_hundreds_of_texts_are_no_categories():
    rows = [("q1", f"d{at}", judge, f"topic {at % 101}") for at in range(202) for judge in ("ada", "ben")]
    with pytest.raises(DataError, match="101 different texts among the labels; up to 100"):
        cf.agree(rows)


OUTLIER = [("q1", f"d{at}", judge, at % 4) for at in range(20) for judge in ("ada", "ben")] + [("q1", "x", "ada", 2e9)]


def test_a_grade_far_from_all_others_is_told_in_every_form():
    found = cf.agree(OUTLIER)
    told = "1 label is 2000000000, far from the others, which go from 0 to 3; it counts as written"
    assert found.to_dict()["warnings"] == [told]
    assert told in found.long_table().columns["reason"]
    assert told in " ".join(str(found).split())
    assert told in found._repr_html_()


@pytest.mark.parametrize(("samples", "confidence", "least"), [(2, 0.95, 20), (19, 0.9, 20), (99, 0.99, 100)])
def test_samples_too_few_for_an_interval_are_refused(samples, confidence, least):
    with pytest.raises(UsageError, match=rf"samples .*{least}"):
        cf.agree(OUTLIER, samples=samples, confidence=confidence)


@pytest.mark.parametrize("seed", range(6))
def test_an_interval_contains_its_estimate(seed):
    rng = np.random.default_rng(seed)
    grades = rng.integers(0, 3, (4, 12)).astype(float)
    grades[rng.random(grades.shape) < 0.3] = np.nan
    for found in cf.agree(cf.Labels.from_matrix(grades), samples=20, seed=seed).coefficients:
        assert math.isnan(found.low) or found.low <= found.value <= found.high, found


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
    found = cf.agree(rows)
    merged = cf.merge(rows, "dawid-skene")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 150e6  # a table of judges, items and grades would take 288 MB, one of judges and judges more
    assert found["Fleiss' kappa"].low < found["Fleiss' kappa"].value < found["Fleiss' kappa"].high
    assert found["Conger's kappa"].low < found["Conger's kappa"].value < found["Conger's kappa"].high
    assert not math.isnan(found["mean pairwise kappa"].value)
    assert found.pairs == ()
    assert any("pairs, and each judge's kappa with the others, are left out beyond 300" in note for note in found.notes)
    assert len(found.judges_table().columns["judge"]) == 100
    assert set(found.disagreements(3).columns) == {"query", "document", "labels"}
    right = [grade == truth[int(name[1:])] for name, grade in zip(merged.labels.documents, merged.grades, strict=True)]
    assert np.mean(right) > 0.85


def test_labels_without_a_table_give_the_numbers_of_the_functions_for_tables():
    rng = np.random.default_rng(3)
    grades = rng.integers(0, 4, (45, 60)).astype(float)
    grades[rng.random(grades.shape) < 0.8] = np.nan
    found = cf.agree(cf.Labels.from_matrix(grades), interval="analytic")
    for name, function in {
        "agreement": judging.percent_agreement,
        "mean pairwise kappa": judging.mean_kappa,
        "Fleiss' kappa": judging.fleiss_kappa,
        "Conger's kappa": judging.conger_kappa,
        "Gwet's AC1": judging.gwet_ac,
        "Brennan-Prediger": judging.brennan_prediger,
    }.items():
        expected = function(grades)
        assert found[name].value == pytest.approx(expected.value, abs=1e-12)
        assert found[name].error == pytest.approx(expected.error, abs=1e-12, nan_ok=True)
    kappas = [
        judging.cohen_kappa(grades[a], grades[b], categories=[0, 1, 2, 3]).value
        for a, b in itertools.combinations(range(45), 2)
    ]
    assert found["mean pairwise kappa"].value == pytest.approx(np.nanmean(kappas), abs=1e-12)
