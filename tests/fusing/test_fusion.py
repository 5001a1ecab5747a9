"""Laws that hold for every method, and the numbers of ranx."""

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest

from cranfield import kernels
from cranfield.errors import UsageError
from cranfield.fusing.definition import METHODS, NORMALISATIONS
from cranfield.fusing.fusion import fusion_from, score_matrix
from tests.fusing.lists import fused, query_lists, random_lists

METHOD_NAMES = [name for name, rule in METHODS.rules.items() if not rule.is_trained]
SCORE_METHODS = [name for name in METHOD_NAMES if METHODS.rules[name].reads == "scores"]
NORM_NAMES = [*NORMALISATIONS.rules]
PEER = json.loads((Path(__file__).parent / "ranx.json").read_text())
SEEDS = range(6)


def lowest_for(norm, lists):
    return [0.0] * lists if norm == "theoretical" else None


def combinations():
    for method in METHOD_NAMES:
        for norm in NORM_NAMES if method in SCORE_METHODS else [None]:
            yield method, norm


every_combination = pytest.mark.parametrize(("method", "norm"), [*combinations()], ids=str)


def with_every_missing():
    """Every method, normalisation and choice for missing documents."""
    for method, norm in combinations():
        default = fusion_from(method, norm=norm, lowest=lowest_for(norm, 3)).missing
        for missing in METHODS.rules[method].missing:
            yield pytest.param(method, norm, missing, id=f"{method}-{norm}-{missing}{'*' * (missing == default)}")


@pytest.mark.parametrize(("method", "norm", "missing"), [*with_every_missing()])
def test_the_order_of_lists_and_documents_changes_no_bit_whatever_is_missing(method, norm, missing):
    fusion = fusion_from(method, norm=norm, lowest=lowest_for(norm, 3), missing=missing)
    for seed in (0, 1):
        lists = random_lists(seed, 3, tied=seed == 1)
        expected = fused(fusion, *lists)
        assert fused(fusion, *(dict(reversed(scores.items())) for scores in lists[::-1])) == expected
        with kernels.plain_only():
            assert fused(fusion, *lists) == expected


@every_combination
def test_the_order_of_lists_changes_no_bit(method, norm):
    fusion = fusion_from(method, norm=norm, lowest=lowest_for(norm, 4))
    for seed in SEEDS:
        lists = random_lists(seed, 4, tied=seed % 2 == 1)
        expected = fused(fusion, *lists)
        for order in itertools.islice(itertools.permutations(lists), 1, 6):
            assert fused(fusion, *order) == expected


@every_combination
def test_the_order_of_documents_changes_no_bit(method, norm):
    fusion = fusion_from(method, norm=norm, lowest=lowest_for(norm, 3))
    for seed in SEEDS:
        lists = random_lists(seed)
        turned = [dict(reversed(scores.items())) for scores in lists]
        assert fused(fusion, *turned) == fused(fusion, *lists)


@pytest.mark.parametrize(("method", "norm"), [pair for pair in combinations() if pair[1] != "minmax-inverted"], ids=str)
def test_a_list_fused_with_itself_keeps_its_order(method, norm):
    fusion = fusion_from(method, norm=norm, lowest=lowest_for(norm, 2))
    for seed in SEEDS:
        (scores,) = random_lists(seed, 1)
        both = fused(fusion, scores, dict(scores))
        by_score = sorted(scores, key=scores.get, reverse=True)
        values = [both[document] for document in by_score]
        assert values == sorted(values, reverse=True)


@pytest.mark.parametrize(
    "norm", ["minmax", "minmax-inverted", "max", "sum", "zscore", "2sigma", "dbsf", "rank", "borda"]
)
@pytest.mark.parametrize("method", SCORE_METHODS)
def test_scaling_the_scores_of_a_list_changes_nothing_once_they_are_normalised(method, norm):
    fusion = fusion_from(method, norm=norm)
    for seed in SEEDS:
        first, *others = random_lists(seed)
        scaled = {document: 1000 * score for document, score in first.items()}
        assert fused(fusion, scaled, *others) == pytest.approx(fused(fusion, first, *others))


@pytest.mark.parametrize("norm", ["minmax", "minmax-inverted", "sum", "zscore", "2sigma", "dbsf", "rank", "borda"])
def test_shifting_the_scores_of_a_list_changes_nothing_once_they_are_normalised(norm):
    fusion = fusion_from("combsum", norm=norm)
    for seed in SEEDS:
        first, *others = random_lists(seed)
        shifted = {document: score - 100 for document, score in first.items()}
        assert fused(fusion, shifted, *others) == pytest.approx(fused(fusion, first, *others))


@pytest.mark.parametrize("method", [name for name in METHOD_NAMES if METHODS.rules[name].reads == "ranks"])
def test_methods_of_ranks_look_at_nothing_else(method):
    fusion = fusion_from(method)
    for seed in SEEDS:
        lists = random_lists(seed)
        squared = [{document: score**2 for document, score in scores.items()} for scores in lists]
        assert fused(fusion, *squared) == fused(fusion, *lists)


@pytest.mark.parametrize("method", [name for name in METHOD_NAMES if METHODS.rules[name].weighted])
def test_equal_weights_keep_the_order(method):
    plain, weighted = fusion_from(method), fusion_from(method, weights=[1, 1, 1])
    for seed in SEEDS:
        lists = random_lists(seed)
        assert fused(weighted, *lists) == pytest.approx(fused(plain, *lists), abs=1e-9)


@pytest.mark.parametrize("method", [name for name in METHOD_NAMES if METHODS.rules[name].weighted])
def test_weights_go_with_their_lists(method):
    for seed in SEEDS:
        lists = random_lists(seed)
        expected = fused(fusion_from(method, weights=[0.5, 0.2, 0.3]), *lists)
        turned = fused(fusion_from(method, weights=[0.3, 0.2, 0.5]), *reversed(lists))
        assert turned == pytest.approx(expected)


def test_a_copy_of_a_list_changes_nothing_under_combanz_if_all_lists_have_all_documents():
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        lists = [{f"d{at}": float(score) for at, score in enumerate(rng.uniform(0, 1, 5))}] * 2
        assert fused(fusion_from("combanz"), *lists, lists[0]) == pytest.approx(fused(fusion_from("combanz"), *lists))


def test_a_silent_list_has_no_part_in_a_query():
    for method in METHOD_NAMES:
        lists = random_lists(1, 2)
        assert fused(fusion_from(method), *lists, {}) == fused(fusion_from(method), *lists)


def is_counted_alike(case):
    """ranx counts every list for every document, once they are normalised by Borda."""
    return case["norm"] != "borda" or case["method"] not in ("mnz", "gmnz", "wmnz", "mixed")


@pytest.mark.parametrize(
    "case", [*filter(is_counted_alike, PEER["fused"])], ids=lambda case: f"{case['norm']}-{case['method']}"
)
def test_numbers_are_those_of_ranx(case):
    params = dict(case["params"])
    weights = params.pop("weights", None)
    reads_scores = METHODS.find(case["method"]).reads == "scores"
    choices = {"norm": case["norm"] or "none", "missing": "absent"} if reads_scores else {}
    fusion = fusion_from(case["method"], weights=weights, **choices, **params)
    for query, expected in case["scores"].items():
        assert fused(fusion, *(run[query] for run in PEER["runs"])) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_every_method_of_ranx_that_needs_no_training_was_compared():
    compared = {METHODS.find(case["method"]).name for case in PEER["fused"]}
    assert compared | {"condorcet", "mc4"} == set(METHOD_NAMES)


@pytest.mark.parametrize("method", METHOD_NAMES)
def test_many_fusions_at_once_have_the_bits_of_each_alone(method):
    weighted = METHODS.rules[method].weighted
    settings = [fusion_from(method)]
    if weighted:
        settings += [fusion_from(method, weights=[at / 100, 1 - at / 100, 0.3]) for at in range(1, 100)]
    if METHODS.rules[method].reads == "scores":
        settings += [fusion_from(method, norm=norm) for norm in ("zscore", "none", "borda")]
    for seed in SEEDS:
        lists = query_lists(*random_lists(seed))
        matrix = score_matrix(settings, lists)
        for row, fusion in zip(matrix, settings, strict=True):
            assert row.tolist() == fusion.scores(lists).tolist()


def test_a_list_without_some_documents_gives_them_what_was_chosen():
    lists = {"a": 4.0, "b": 2.0, "c": 3.0}, {"a": 1.0, "b": 3.0}
    expected = {"absent": 3.0, "zero": 3.0, "minimum": 4.0}
    for missing, score in expected.items():
        assert fused(fusion_from("combsum", norm="none", missing=missing), *lists)["c"] == score
    assert fused(fusion_from("combanz", norm="none", missing="zero"), *lists)["c"] == 1.5
    assert fused(fusion_from("rrf", missing="last"), *lists)["c"] == pytest.approx(1 / 62 + 1 / 63)


def test_what_is_missing_never_counts_as_the_mean_of_z_scores_unless_asked_to():
    lists = {"a": 3.0, "b": 2.0, "c": 1.0}, {"a": 9.0, "c": 8.0}
    assert fused(fusion_from("combsum", norm="zscore"), *lists)["b"] == pytest.approx(-1)
    assert fused(fusion_from("combsum", norm="zscore", missing="absent"), *lists)["b"] == pytest.approx(0)
    assert fusion_from("combmin", norm="zscore").missing == "minimum"


@pytest.mark.parametrize(("flat", "score"), [("middle", 0.5), ("one", 1.0), ("zero", 0.0), ("raw", 7.0)])
@pytest.mark.parametrize("norm", ["minmax", "minmax-inverted", "dbsf"])
def test_a_flat_list_becomes_what_was_chosen(norm, flat, score):
    fusion = fusion_from("combsum", norm=norm, flat=flat, missing="absent")
    assert fused(fusion, {"a": 7.0, "b": 7.0}, {"c": 7.0}) == {"a": score, "b": score, "c": score}


def test_equal_scores_that_rounding_would_spread_are_flat():
    assert fused(fusion_from("combsum", norm="zscore"), dict.fromkeys("abc", 0.1)) == dict.fromkeys("abc", 0.0)


def test_single_precision_is_that_of_engines_that_score_in_32_bits():
    from dataclasses import replace

    fusion = replace(fusion_from("rrf"), precision="single")
    score = fused(fusion, {"a": 1.0}, {"a": 1.0})["a"]
    assert score == float(np.float32(1) / np.float32(61) + np.float32(1) / np.float32(61))
    assert score != 2 / 61


def test_a_fusion_is_told_in_one_line():
    assert str(fusion_from("RRF")) == "rrf"
    assert str(fusion_from("rbc(phi=0.95)", weights=[2, 1])) == "rbc(phi=0.95), weights 2 1"
    assert str(fusion_from("wsum", norm="z-score", missing="zero")) == "combsum, norm zscore, missing zero"


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"method": "rrff"}, "There is no fusion method 'rrff'"),
        ({"method": "rrf(c=3)"}, "rrf has no parameter 'c'; it has k, first, weighting, scale"),
        ({"method": "rrf(k=-1)"}, "rrf: k must be a number from 0 to a million, not -1"),
        ({"method": "rrf(first=2)"}, "rrf: first must be one of 0, 1, not 2"),
        ({"method": "rbc(phi=one)"}, "rbc: phi must be a number, not 'one'"),
        ({"method": "rbc(phi=nan)"}, "rbc: phi must be a number, not 'nan'"),
        ({"method": "rbc(phi)"}, "write parameters as NAME=VALUE"),
        ({"method": "rbc(("}, "cannot be read"),
        ({"method": "rrf", "norm": "minmax"}, "rrf reads ranks, so norm= changes nothing"),
        ({"method": "combsum", "norm": "minmix"}, "There is no normalisation 'minmix'"),
        ({"method": "combmin", "weights": [1, 2]}, "combmin has no weights"),
        ({"method": "combsum", "weights": [1, -2]}, "weights= must be numbers of at least 0"),
        ({"method": "combsum", "weights": [0, 0]}, "weights= must be numbers of at least 0"),
        ({"method": "combsum", "weights": [1, math.nan]}, "weights must be a number"),
        ({"method": "combsum", "weights": [1, 2, 3], "runs": 2}, "weights= has 3 numbers for 2 runs"),
        ({"method": "rrf", "missing": "zero"}, "rrf: missing= must be one of absent, last, not 'zero'"),
        ({"method": "combsum", "norm": "zscore", "flat": "one"}, "zscore has no choice for lists of equal scores"),
        ({"method": "combsum", "flat": "two"}, "flat must be one of middle, one, zero, raw"),
        ({"method": "combsum", "norm": "theoretical"}, 'theoretical needs the lowest score .* lowest="0,-1"'),
        ({"method": "combsum", "lowest": [0, 0]}, "lowest= is for the normalisation theoretical, not minmax"),
        ({"method": "combsum", "depth": 0}, "depth must be a whole number of at least 1, not 0"),
    ],
)
def test_what_cannot_be_chosen_is_refused_in_words(choices, words):
    with pytest.raises(UsageError, match=words.replace("(", r"\(").replace(")", r"\)")):
        fusion_from(**choices)
