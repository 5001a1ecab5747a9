"""Coefficients of agreement: by hand, as published, and as other people's libraries compute them."""

from __future__ import annotations

import math
from typing import get_args

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from scipy.special import stdtr
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from cranfield.choices import AlphaMetric
from cranfield.errors import UsageError
from cranfield.judging import coefficients
from cranfield.judging.coding import coded
from cranfield.judging.coefficients import (
    brennan_prediger,
    cohen_kappa,
    cohen_of_table,
    conger_kappa,
    fleiss_kappa,
    from_table,
    gwet_ac,
    krippendorff_alpha,
    mean_kappa,
    percent_agreement,
    scott_pi,
    specific_agreement,
)
from cranfield.judging.distances import weight_table
from cranfield.judging.estimates import NO_CHANCE, NO_ITEM, ONE_CATEGORY

C_DATA = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, math.nan, math.nan, math.nan],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, math.nan, 3],
    [math.nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, math.nan],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, math.nan],
]
"""Krippendorff's reliability data C: four observers, twelve units, labels missing."""

complete = st.integers(2, 5).flatmap(
    lambda judges: st.lists(st.lists(st.integers(0, 3), min_size=judges, max_size=judges), min_size=4, max_size=25)
)
with_gaps = st.integers(2, 5).flatmap(
    lambda judges: st.lists(
        st.lists(st.one_of(st.none(), st.integers(0, 4)), min_size=judges, max_size=judges), min_size=3, max_size=25
    )
)


def table(rows) -> np.ndarray:
    """Rows of items as a matrix with a row per judge."""
    return np.array([[math.nan if label is None else label for label in row] for row in rows], dtype=float).T


class TestWorkedExamples:
    def test_the_textbook_computes_kappa_with_pooled_shares(self):
        # Introduction to Information Retrieval, table 8.2: 300 both yes, 20 and 10 split, 70 both no
        pooled = scott_pi(*from_table([[70, 10], [20, 300]]))
        assert pooled.observed == pytest.approx(0.925)
        assert pooled.expected == pytest.approx(0.2125**2 + 0.7875**2)
        assert round(pooled.value, 4) == 0.7759

    def test_cohen_s_kappa_of_the_textbook_s_table_is_hardly_larger(self):
        kappa = cohen_of_table([[70, 10], [20, 300]])
        assert kappa.observed == pytest.approx(0.925)
        assert kappa.expected == pytest.approx(320 / 400 * 310 / 400 + 80 / 400 * 90 / 400)
        assert round(kappa.value, 4) == 0.7761

    def test_kappa_is_what_the_lecture_notes_say(self):
        # P(A) = (tp + tn) / total, P(E) = P(P1) P(P2) + P(N1) P(N2), kappa = (P(A) - P(E)) / (1 - P(E))
        tp, only_one, only_two, tn = 20, 5, 10, 15
        kappa = cohen_kappa(*from_table([[tn, only_two], [only_one, tp]]))
        p_a = (tp + tn) / 50
        p_e = (tp + only_one) / 50 * (tp + only_two) / 50 + (tn + only_two) / 50 * (tn + only_one) / 50
        assert (kappa.observed, kappa.expected) == (pytest.approx(p_a), pytest.approx(p_e))
        assert kappa.value == pytest.approx((p_a - p_e) / (1 - p_e)) == pytest.approx(0.4)

    def test_krippendorff_s_c_data_have_the_alphas_he_prints(self):
        values = [krippendorff_alpha(C_DATA, metric=metric).value for metric in get_args(AlphaMetric)]
        assert [round(value, 3) for value in values] == [0.743, 0.815, 0.849, 0.797]

    def test_where_one_category_prevails_kappa_falls_and_its_neighbours_do_not(self):
        labels = from_table([[0, 1], [1, 98]])
        assert percent_agreement(labels).value == pytest.approx(0.98)
        assert cohen_kappa(*labels).value < 0
        assert gwet_ac(labels).value > 0.97
        assert brennan_prediger(labels).value == pytest.approx(0.96)
        assert specific_agreement(labels) == {0.0: 0.0, 1.0: pytest.approx(196 / 198)}


IRRCAC = {
    ("identity", "fleiss"): (0.761169275422, 0.153019203469, 0.424376279378),
    ("identity", "gwet"): (0.775444068127, 0.142949950641, 0.460813348132),
    ("identity", "krippendorff"): (0.743421052632, 0.145573886985, 0.419062219209),
    ("identity", "conger"): (0.762066893651, 0.15010879507, 0.431679663304),
    ("identity", "bp"): (0.772727272727, 0.144716619899, 0.454208139911),
    ("linear", "fleiss"): (0.817944767097, 0.148504355499, 0.491088884435),
    ("linear", "gwet"): (0.858739136433, 0.117329021881, 0.600499700425),
    ("linear", "conger"): (0.813137032843, 0.145868196929, 0.492083296074),
    ("linear", "bp"): (0.848484848485, 0.123356124494, 0.576979849068),
    ("quadratic", "fleiss"): (0.864935064935, 0.146033610757, 0.543517254786),
    ("quadratic", "gwet"): (0.914000723552, 0.103962244645, 0.685181365879),
    ("quadratic", "krippendorff"): (0.849107142857, 0.129129965715, 0.561387649295),
    ("quadratic", "conger"): (0.857168224092, 0.144360791358, 0.539432264614),
    ("quadratic", "bp"): (0.901515151515, 0.110894374974, 0.657438277861),
    ("ordinal", "fleiss"): (0.850206189397, 0.147035693874, 0.526582809178),
    ("ordinal", "gwet"): (0.898939769908, 0.106903523815, 0.663646700429),
    ("ordinal", "conger"): (0.843082496792, 0.144822539704, 0.524330236058),
    ("ordinal", "bp"): (0.886363636364, 0.113905903978, 0.635658432063),
    ("radical", "fleiss"): (0.789924094651, 0.15003645829, 0.459696076484),
    ("radical", "gwet"): (0.819811702198, 0.128355524617, 0.537303097301),
    ("radical", "conger"): (0.787646148303, 0.147224348731, 0.463607541542),
    ("radical", "bp"): (0.812627079504, 0.132779374985, 0.520381645597),
    ("ratio", "fleiss"): (0.821338343945, 0.152386040561, 0.485938930067),
    ("ratio", "gwet"): (0.85736755783, 0.122071330135, 0.588690371731),
    ("ratio", "conger"): (0.811009085066, 0.149611665334, 0.48171602989),
    ("ratio", "bp"): (0.840236692761, 0.132208831633, 0.549247016304),
    ("circular", "fleiss"): (0.807199770158, 0.148944059645, 0.479376105196),
    ("circular", "gwet"): (0.830195139461, 0.132651377254, 0.53823142666),
    ("circular", "conger"): (0.804738346481, 0.148136886627, 0.478691257355),
    ("circular", "bp"): (0.823546999489, 0.13695564069, 0.52210966674),
    ("bipolar", "fleiss"): (0.85307255014, 0.144632187641, 0.534739251473),
    ("bipolar", "gwet"): (0.900373015443, 0.105815706008, 0.667474216816),
    ("bipolar", "conger"): (0.844241437881, 0.142931546434, 0.529651225272),
    ("bipolar", "bp"): (0.888149168452, 0.112456166021, 0.64063481588),
}
"""By weights and coefficient: value, standard error and lower limit that irrCAC 0.4.4 computes for the C data."""


IRRCAC_P = {
    ("identity", "fleiss"): 0.00041917303853056254,
    ("identity", "gwet"): 0.0002087209840633264,
    ("identity", "conger"): 0.0003567842782719044,
    ("identity", "bp"): 2 * 0.00011878043481217126,
    ("identity", "krippendorff"): 0.000459425698154714,
    ("linear", "fleiss"): 0.00018403925824594936,
    ("linear", "gwet"): 1.506030853248852e-05,
    ("linear", "conger"): 0.0001665450511003641,
    ("linear", "bp"): 2 * 1.3312785866137489e-05,
}
"""p against 0 that irrCAC computes for the same; that of Brennan-Prediger is there of one side only."""


@pytest.mark.parametrize(("weights", "name"), IRRCAC_P)
def test_p_against_0_is_that_of_irrcac(weights, name):
    functions = {"fleiss": fleiss_kappa, "gwet": gwet_ac, "conger": conger_kappa, "bp": brennan_prediger}
    found = krippendorff_alpha(C_DATA) if name == "krippendorff" else functions[name](C_DATA, weights=weights)
    assert found.p_value() == pytest.approx(IRRCAC_P[weights, name], rel=1e-6)


def test_p_against_another_value_is_that_of_the_distance_to_it():
    found = gwet_ac(C_DATA)
    assert found.p_value(found.value) == 1
    assert found.p_value(0.6) == pytest.approx(2 * stdtr(11, -(found.value - 0.6) / found.error))
    assert found.p_value(0.95) == pytest.approx(2 * stdtr(11, -(0.95 - found.value) / found.error))
    assert math.isnan(mean_kappa(C_DATA).p_value()), "there is no formula for its error"


@pytest.mark.parametrize(("weights", "name"), IRRCAC)
def test_values_errors_and_limits_with_missing_labels_are_those_of_irrcac(weights, name):
    functions = {"fleiss": fleiss_kappa, "gwet": gwet_ac, "conger": conger_kappa, "bp": brennan_prediger}
    if name == "krippendorff":
        found = krippendorff_alpha(C_DATA, metric={"identity": "nominal", "quadratic": "interval"}[weights])
    else:
        found = functions[name](C_DATA, weights=weights)
    value, error, low = IRRCAC[weights, name]
    assert (found.value, found.error, found.low) == pytest.approx((value, error, low), abs=1e-10)
    assert found.high == 1


@given(complete)
def test_cohen_s_kappa_is_scikit_learn_s(rows):
    one, two = table(rows)[:2]
    assume(len({*one, *two}) > 1)
    for weights in (None, "linear", "quadratic"):
        ours = cohen_kappa(one, two, weights=weights, categories=range(4)).value
        assert ours == pytest.approx(cohen_kappa_score(one, two, weights=weights, labels=range(4)), abs=1e-10)


@given(complete)
def test_cohen_s_kappa_and_its_error_are_those_of_statsmodels(rows):
    one, two = table(rows)[:2].astype(int)
    counts = np.zeros((4, 4))
    np.add.at(counts, (one, two), 1)
    assume(0 < cohen_of_table(counts).expected < 1 - 1e-9)
    for weights, theirs in ((None, None), ("linear", "linear"), ("quadratic", "fc")):
        found = cohen_kappa(one, two, weights=weights, categories=range(4))
        with np.errstate(all="ignore"):
            told = inter_rater.cohens_kappa(counts, wt=theirs)
        assert found.value == pytest.approx(told.kappa, abs=1e-10)
        assert found.error**2 == pytest.approx(max(told.var_kappa, 0), abs=1e-10)
        if told.var_kappa > 1e-12:
            limits = max(told.kappa_low, -1), min(told.kappa_upp, 1)
            assert (found.low, found.high) == pytest.approx(limits, abs=1e-10)


@given(complete)
def test_fleiss_and_randolph_s_kappa_are_those_of_statsmodels(rows):
    labels = table(rows)
    assume(len(np.unique(labels)) > 1)
    counts = np.stack([(labels == category).sum(axis=0) for category in range(4)], axis=1)
    assert fleiss_kappa(labels).value == pytest.approx(inter_rater.fleiss_kappa(counts), abs=1e-10)
    randolph = inter_rater.fleiss_kappa(counts, method="randolph")
    assert brennan_prediger(labels, categories=range(4)).value == pytest.approx(randolph, abs=1e-10)


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval", "ratio"])
@given(rows=with_gaps)
def test_alpha_is_that_of_the_package_krippendorff(metric, rows):
    labels = table(rows)
    shared = (~np.isnan(labels)).sum(axis=0) > 1
    assume(len(np.unique(labels[:, shared][~np.isnan(labels[:, shared])])) > 1)
    theirs = krippendorff.alpha(reliability_data=labels, level_of_measurement=metric)
    assert krippendorff_alpha(labels, metric=metric).value == pytest.approx(theirs, abs=1e-10)


@given(complete)
def test_pi_kappa_and_alpha_are_those_of_nltk(rows):
    labels = table(rows)
    assume(len(np.unique(labels[:2])) > 1)
    pair = [(str(judge), str(item), int(label)) for judge in (0, 1) for item, label in enumerate(labels[judge])]
    task = AnnotationTask(data=pair)
    assert scott_pi(*labels[:2]).value == pytest.approx(task.pi(), abs=1e-10)
    assert percent_agreement(labels[:2]).value == pytest.approx(task.avg_Ao(), abs=1e-10)
    assert krippendorff_alpha(labels[:2]).value == pytest.approx(task.alpha(), abs=1e-10)
    everyone = [
        (str(judge), str(item), int(label)) for judge, row in enumerate(labels) for item, label in enumerate(row)
    ]
    if all(len(np.unique(labels[[a, b]])) > 1 for a in range(len(labels)) for b in range(a)):
        assert mean_kappa(labels).value == pytest.approx(AnnotationTask(data=everyone).kappa(), abs=1e-10)


class TestLaws:
    @given(complete)
    def test_judges_who_always_agree_have_a_value_of_one(self, rows):
        labels = np.repeat(table(rows)[:1], 3, axis=0)
        assume(len(np.unique(labels)) > 1)
        for function in (percent_agreement, mean_kappa, fleiss_kappa, conger_kappa, gwet_ac, brennan_prediger):
            assert function(labels).value == pytest.approx(1)
        assert krippendorff_alpha(labels, metric="ordinal").value == 1

    @given(with_gaps)
    def test_the_order_of_judges_and_of_items_does_not_matter(self, rows):
        labels = table(rows)
        turned = labels[::-1, ::-1]
        for function in (percent_agreement, mean_kappa, fleiss_kappa, conger_kappa, gwet_ac, brennan_prediger):
            one, other = function(labels), function(turned)
            assert one.value == pytest.approx(other.value, nan_ok=True)
            assert one.error == pytest.approx(other.error, nan_ok=True)

    @given(complete)
    def test_pooled_kappa_never_exceeds_cohen_s(self, rows):
        one, two = table(rows)[:2]
        kappa, pi = cohen_kappa(one, two).value, scott_pi(one, two).value
        assume(not math.isnan(kappa) and not math.isnan(pi))
        assert pi <= kappa + 1e-12

    @given(complete)
    def test_of_two_categories_weights_change_nothing(self, rows):
        one, two = (table(rows)[:2] > 1).astype(float)
        plain = cohen_kappa(one, two, categories=[0, 1])
        for weights in ("linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"):
            found = cohen_kappa(one, two, weights=weights, categories=[0, 1])
            assert (found.value, found.low) == pytest.approx((plain.value, plain.low), nan_ok=True)

    @given(complete)
    def test_conger_s_kappa_of_two_judges_is_cohen_s(self, rows):
        labels = table(rows)[:2]
        cohen, conger = cohen_kappa(*labels), conger_kappa(labels)
        assert conger.value == pytest.approx(cohen.value, nan_ok=True)

    @given(complete)
    def test_a_table_of_weights_is_as_good_as_its_name(self, rows):
        labels = table(rows)
        linear = [[1 - abs(a - b) / 3 for a in range(4)] for b in range(4)]
        own = gwet_ac(labels, weights=linear, categories=range(4))
        named = gwet_ac(labels, weights="linear", categories=range(4))
        assert own.value == pytest.approx(named.value, nan_ok=True)

    @given(with_gaps)
    def test_an_item_with_one_label_says_nothing_about_alpha(self, rows):
        labels = table(rows)
        lonely = np.full((len(labels), 1), math.nan)
        lonely[0] = 2
        more = krippendorff_alpha(np.hstack([labels, lonely]), metric="ordinal").value
        assert more == pytest.approx(krippendorff_alpha(labels, metric="ordinal").value, nan_ok=True)


class TestNoValue:
    def test_one_category_has_agreement_but_nothing_beyond_chance(self):
        labels = [[1, 1, 1], [1, 1, 1]]
        assert percent_agreement(labels).value == 1
        for found in (cohen_kappa(*labels), krippendorff_alpha(labels)):
            assert math.isnan(found.value)
            assert found.reason == NO_CHANCE
        for found in (fleiss_kappa(labels), gwet_ac(labels), brennan_prediger(labels)):
            assert math.isnan(found.value)
            assert found.reason == ONE_CATEGORY

    def test_a_scale_with_more_categories_gives_these_a_value(self):
        labels = [[1, 1, 1], [1, 1, 1]]
        assert gwet_ac(labels, categories=[0, 1]).value == 1
        assert brennan_prediger(labels, categories=[0, 1]).value == 1

    @pytest.mark.parametrize("labels", [[[1, math.nan], [math.nan, 2]], [[1, 2]]])
    def test_without_an_item_of_two_labels_there_is_no_value(self, labels):
        for function in (percent_agreement, fleiss_kappa, conger_kappa, gwet_ac, krippendorff_alpha, mean_kappa):
            found = function(labels)
            assert math.isnan(found.value)
            assert found.reason == NO_ITEM

    def test_a_single_item_has_a_value_and_no_interval(self):
        found = percent_agreement([[1], [1]])
        assert found.value == 1
        assert math.isnan(found.low)
        assert "single item" in found.reason


class TestWrongCalls:
    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: krippendorff_alpha(C_DATA, metric="ordnal"), "Did you mean ordinal?"),
            (lambda: krippendorff_alpha([[-1, 2], [1, 2]], metric="ratio"), "some are negative"),
            (lambda: fleiss_kappa([1, 2, 3]), "a row per judge and a column per item"),
            (lambda: fleiss_kappa([[1, 2], [1, 2]], weights="square"), "weights must be one of identity"),
            (lambda: fleiss_kappa([[1, 2], [1, 2]], weights=[[1, 0]]), "these are 1 x 2"),
            (lambda: fleiss_kappa([[1, 2], [1, 2]], weights=[[1, 0.5], [0, 1]]), "the same in both orders"),
            (lambda: fleiss_kappa([[1, 2], [1, 2]], weights=[[1, 2], [2, 1]]), "from 0 to 1"),
            (lambda: fleiss_kappa([[1, 2], [1, 2]], categories=[1]), "The label 2 is not one of the categories"),
            (lambda: fleiss_kappa([[1, 2], [1, 2]], categories=[1, 1, 2]), "named twice"),
            (lambda: fleiss_kappa([[1, math.inf], [1, 2]]), "infinite"),
            (lambda: fleiss_kappa([["a", "b"], ["a"]]), "different lengths"),
            (lambda: fleiss_kappa([[1, 2], [1, 2]], confidence=95), "confidence must be between 0 and 1"),
        ],
    )
    def test_what_is_wrong_is_told(self, call, message):
        with pytest.raises(UsageError, match=message.replace("(", r"\(")):
            call()


def test_labels_may_be_texts():
    labels = [["yes", "no", None, "yes"], ["yes", "no", "no", "no"]]
    assert cohen_kappa(*labels).items == 3
    assert fleiss_kappa(labels).value == fleiss_kappa([[1, 0, math.nan, 1], [1, 0, 0, 0]]).value


def test_means_over_pairs_are_the_same_whether_tables_are_counted_once_or_each(monkeypatch):
    rng = np.random.default_rng(6)
    labels = np.where(rng.random((12, 40)) < 0.3, rng.integers(0, 3, (12, 40)), np.nan)
    known = coded(labels, [0, 1, 2])
    kinds = [("kappa", np.eye(3), False), ("weighted", weight_table("linear", 3), False), ("pi", np.eye(3), True)]
    found = coefficients.means_of_pairs(known, kinds)
    monkeypatch.setattr(coefficients, "_different", lambda tables: (tables, np.arange(len(tables))))
    assert coefficients.means_of_pairs(known, kinds) == found
