"""Everyone's spelling is read, one is printed, and what cannot be read is answered with help."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield import AP, DCG, ERR, RBP, RR, P, R, UsageError, nDCG, parse
from cranfield.measures import CG, IPrec, Measure, SetF, catalogue, names, parse_all
from cranfield.measures.definition import TABLE
from cranfield.notation import ranking
from tests.effort import examples

SPELLINGS = {
    "trec_eval": {
        "map": "AP",
        "map_cut_100": "AP@100",
        "map_cut.100": "AP@100",
        "gm_map": "GMAP",
        "Rprec": "Rprec",
        "bpref": "Bpref",
        "recip_rank": "RR",
        "P_5": "P@5",
        "P.5": "P@5",
        "recall_1000": "R@1000",
        "recall.1000": "R@1000",
        "ndcg": "nDCG",
        "ndcg_cut_10": "nDCG@10",
        "ndcg_cut.10": "nDCG@10",
        "ndcg.1=3,2=9": "nDCG(gain={1:3,2:9})",
        "ndcg_1=3,2=9": "nDCG(gain={1:3,2:9})",
        "dcg": "DCG",
        "success_5": "Success@5",
        "success.1": "Success@1",
        "iprec_at_recall_0.10": "IPrec(levels=trec_eval-10)@0.1",
        "iprec_at_recall.0.25": "IPrec(levels=trec_eval-10)@0.25",
        "iprec_at_recall_0.00": "IPrec(levels=trec_eval-10)@0",
        "iprec_at_recall_1.00": "IPrec(levels=trec_eval-10)@1",
        "11pt_avg": "ElevenPoint(levels=trec_eval-10)",
        "set_P": "SetP",
        "set_recall": "SetR",
        "set_F": "SetF",
        "set_F.4": "SetF(beta=2)",
        "set_F_4": "SetF(beta=2)",
        "infAP": "infAP",
        "num_q": "NumQ",
        "num_ret": "NumRet",
        "num_rel": "NumRel",
        "num_rel_ret": "NumRelRet",
        "num_nonrel_judged_ret": "NumNonrelRet",
        "relative_P_5": "RelP@5",
        "relative_P.5": "RelP@5",
        "Rprec_mult_0.20": "RprecMult@0.2",
        "Rprec_mult.5.0": "RprecMult@5",
        "set_relative_P": "SetRelP",
        "set_map": "SetAP",
        "utility": "Utility",
        "utility.2,-1,0,0": "Utility(a=2)",
        "utility_1,-2,0,0.5": "Utility(b=-2,d=0.5)",
        "gm_bpref": "GMBpref",
        "binG": "binG",
        "G": "G",
        "G.1=3,2=9": "G(gain={1:3,2:9})",
        "ndcg_rel": "nDCGrel",
        "ndcg_rel_1=3,2=9": "nDCGrel(gain={1:3,2:9})",
        "Rndcg": "Rndcg",
        "Rndcg.1=3,2=9": "Rndcg(gain={1:3,2:9})",
        "dcg.1=3,2=9": "DCG(gain={1:3,2:9})",
        "yaap": "YAAP",
        "rbp_resid": "RBPResidual(p=0.9)",
        "rbp_resid_p=0.8": "RBPResidual",
        "rbp_resid.p=0.5": "RBPResidual(p=0.5)",
        "unj_5": "Unjudged@5",
        "unj.20": "Unjudged@20",
        "rbp.p=0.9": "RBP(p=0.9)",
        "rbp_p=0.9": "RBP(p=0.9)",
    },
    "ir_measures": {
        "SetP(relative=True)": "SetRelP",
        "SetP(relative=True,rel=2)": "SetRelP(rel=2)",
        "SetP(relative=False)": "SetP",
        "NumRet(rel=1)": "NumRelRet",
        "NumRet(rel=2)": "NumRelRet(rel=2)",
        "AP": "AP",
        "AP@100": "AP@100",
        "AP(rel=2)": "AP(rel=2)",
        "AP(judged_only=True)": "AP(judged_only=True)",
        "nDCG": "nDCG",
        "nDCG@10": "nDCG@10",
        "nDCG(dcg='log2')@10": "nDCG@10",
        "nDCG(dcg='exp-log2')@10": "nDCG(gain=exponential)@10",
        'nDCG(dcg="exp-log2")': "nDCG(gain=exponential)",
        "nDCG(gains={0:0,1:3})@10": "nDCG(gain={0:0,1:3})@10",
        "nDCG(gains={0: 0, 1: 3})@10": "nDCG(gain={0:0,1:3})@10",
        "P(rel=2,judged_only=True)@10": "P(rel=2,judged_only=True)@10",
        "P(rel=2, judged_only=True)@10": "P(rel=2,judged_only=True)@10",
        "R@1000": "R@1000",
        "RR": "RR",
        "RR(rel=2)@10": "RR(rel=2)@10",
        "Rprec": "Rprec",
        "Bpref(rel=2)": "Bpref(rel=2)",
        "ERR@20": "ERR@20",
        "RBP(p=0.95,rel=1)": "RBP(p=0.95)",
        "RBP(rel=2)@100": "RBP(rel=2)@100",
        "INST(max_rel=3)": "INST(max_grade=3)",
        "INST(T=2,min_rel=1,max_rel=3)": "INST(T=2,min_grade=1,max_grade=3)",
        "INSQ(max_rel=3)": "INSQ(max_grade=3)",
        "SDCG(max_rel=3)@10": "SDCG(max_grade=3)@10",
        "BPM(T=1,max_rel=3)@10": "BPM(max_grade=3)@10",
        "NERR8(max_rel=3)@20": "NERR8(max_grade=3)@20",
        "NERR10(p=0.9,max_rel=3)": "NERR10(max_grade=3)",
        "IPrec@0.1": "IPrec@0.1",
        "Judged@10": "Judged@10",
        "Success(rel=2)@5": "Success(rel=2)@5",
        "SetP": "SetP",
        "SetR(rel=2)": "SetR(rel=2)",
        "SetF": "SetF",
        "NumQ": "NumQ",
        "NumRet": "NumRet",
        "NumRel": "NumRel",
        "NumRelRet": "NumRelRet",
    },
    "NTCIREVAL": {
        "RR": "RR",
        "O-measure": "OMeasure",
        "P-measure": "PMeasure",
        "P-plus": "PPlus",
        "P+": "PPlus",
        "p+@10": "PPlus@10",
        "AP": "AP",
        "Q-measure": "Q",
        "QMeasure": "Q",
        "q": "Q",
        "NCUgu,P": "NCU(utility=precision)",
        "NCUgu,BR": "NCU",
        "NCUrb,P": "NCU(stop=rank-biased,utility=precision)",
        "NCUrb,BR": "NCU(stop=rank-biased)",
        "NCUrbBR": "NCU(stop=rank-biased)",
        "Q@1000": "Q@1000",
        "Q@0002": "Q@2",
        "MSnDCG@0010": "nDCG@10",
        "nERR@1000": "nERR@1000",
        "Hit@1000": "Success@1000",
        "P@0005": "P@5",
    },
    "ranx": {
        "precision": "SetP",
        "precision@5": "P@5",
        "recall@100": "R@100",
        "recall@100-l2": "R(rel=2)@100",
        "f1": "SetF",
        "f1@10": "F@10",
        "r-precision": "Rprec",
        "bpref": "Bpref",
        "rbp.95": "RBP(p=0.95)",
        "rbp.8": "RBP",
        "mrr": "RR",
        "mrr@10": "RR@10",
        "map": "AP",
        "map@100": "AP@100",
        "map@100-l2": "AP(rel=2)@100",
        "hit_rate": "Success",
        "hit_rate@5": "Success@5",
        "dcg@10": "DCG@10",
        "dcg_burges@10": "DCG(gain=exponential)@10",
        "ndcg@10": "nDCG@10",
        "ndcg_burges": "nDCG(gain=exponential)",
        "ndcg_burges@10": "nDCG(gain=exponential)@10",
    },
    "cwl_eval": {
        "INST(expected=EU)": "INST",
        "INST(expected=ETU)": "INST(expected=total_utility)",
        "INST(expected=EC)": "INST(expected=cost)",
        "INST(expected=ETC)": "INST(expected=total_cost)",
        "INST(expected=ED)": "INST(expected=depth)",
    },
    "BEIR": {
        "NDCG@10": "nDCG@10",
        "MAP@100": "AP@100",
        "Recall@100": "R@100",
        "P@10": "P@10",
        "MRR@10": "RR@10",
        "R_cap@10": "RelP@10",
        "Hole@10": "Unjudged@10",
        "Accuracy@5": "Success@5",
    },
    "Elasticsearch and OpenSearch": {
        "mean_reciprocal_rank@10": "RR@10",
        "expected_reciprocal_rank@10": "ERR@10",
        "Coverage@8": "Judged@8",
        "Precision(norm=retrieved)@8": "P(norm=retrieved)@8",
        "mean_average_precision": "AP",
    },
    "MTEB": {
        "ndcg_at_10": "nDCG@10",
        "map_at_100": "AP@100",
        "recall_at_100": "R@100",
        "precision_at_1": "P@1",
        "mrr_at_10": "RR@10",
        "hit_rate_at_5": "Success@5",
        "hole_at_10": "Unjudged@10",
        "r_cap_at_10": "RelP@10",
    },
    "ours": {
        "nDCG(gain=exponential)@10": "nDCG(gain=exponential)@10",
        "nDCG(discount=jk,base=3)": "nDCG(discount=jk,base=3)",
        "AP(norm=min)@10": "AP(norm=min)@10",
        "IPrec(levels=trec_eval-9)@0.1": "IPrec(levels=trec_eval-9)@0.1",
        "Accuracy(docs=1000)": "Accuracy(docs=1000)",
        "search_length": "SL",
        "fall-out": "Fallout",
        "ERR(max_grade=4)@10": "ERR(max_grade=4)@10",
        "AP()": "AP",
        "ap": "AP",
        "ndcg_burges_10": "nDCG(gain=exponential)@10",
        "IPrec@1e-05": "IPrec@1e-05",
    },
}


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [pair for of_tool in SPELLINGS.values() for pair in of_tool.items()],
    ids=[f"{tool}-{name}" for tool, of_tool in SPELLINGS.items() for name in of_tool],
)
def test_a_spelling_is_read_and_the_canonical_one_known(spelling, canonical):
    assert repr(parse(spelling)) == canonical
    assert parse(spelling).canonical == canonical
    assert parse(canonical) == parse(spelling)


def test_what_tools_are_said_to_call_a_measure_is_read_as_it():
    for name, definition in catalogue().items():
        for alias in set(definition.aliases) - set(names._SEVERAL):
            another = alias == names.COVERAGE or any(
                alias.casefold() == other.casefold() != name.casefold() for other in catalogue()
            )
            at = f"@{0.5 if definition.at == 'recall' else 5}"
            spelling = alias + at if definition.needs_at or (definition.at and another) else alias
            assert parse(spelling).name == name, alias


PRINTED_BY_IR_MEASURES = (
    "AP AP(judged_only=True) AP(judged_only=True)@10 AP(rel=2) AP(rel=2)@10 AP@10 AP_IA "
    "AP_IA(judged_only=True) AP_IA(rel=2) Accuracy Accuracy(rel=2) Accuracy(rel=2)@10 Accuracy@10 "
    "BPM(T=2.0)@10 BPM(T=2.0,max_rel=3)@10 BPM(max_rel=3)@10 BPM(min_rel=1)@10 BPM@10 Bpref Bpref(rel=2) "
    "Compat Compat(normalize=False) Compat(p=0.5) ERR ERR@10 ERR_IA(judged_only=True)@10 ERR_IA(rel=2)@10 "
    "ERR_IA@10 INSQ INSQ(T=2.0) INSQ(T=2.0,max_rel=3) INSQ(max_rel=3) INSQ(min_rel=1) INST INST(T=2.0) "
    "INST(T=2.0,max_rel=3) INST(max_rel=3) INST(min_rel=1) IPrec(judged_only=True)@0.1 IPrec(rel=2)@0.1 "
    "IPrec@0.1 Judged Judged@10 NERR10 NERR10(max_rel=3) NERR10(min_rel=1) NERR10(p=0.5) "
    "NERR10(p=0.5,max_rel=3) NERR11 NERR11(T=2.0) NERR11(T=2.0,max_rel=3) NERR11(max_rel=3) NERR11(min_rel=1) "
    "NERR8(max_rel=3)@10 NERR8(min_rel=1)@10 NERR8@10 NERR9(max_rel=3)@10 NERR9(min_rel=1)@10 NERR9@10 NRBP "
    "NRBP(alpha=0.3) NRBP(alpha=0.3,beta=0.7) NRBP(beta=0.7) NRBP(rel=2) NumQ NumRel NumRel(rel=2) NumRet "
    "NumRet(rel=1) NumRet(rel=2) P(judged_only=True)@10 P(rel=2)@10 P@10 P_IA(judged_only=True)@10 "
    "P_IA(rel=2)@10 P_IA@10 R(judged_only=True)@10 R(rel=2)@10 R@10 RBP RBP(p=0.5) RBP(p=0.5)@10 "
    "RBP(p=0.5,rel=1) RBP(p=0.5,rel=1)@10 RBP(rel=1) RBP(rel=1)@10 RBP(rel=2) RBP(rel=2)@10 RBP@10 RR "
    "RR(judged_only=True) RR(judged_only=True)@10 RR(rel=2) RR(rel=2)@10 RR@10 Rprec Rprec(judged_only=True) "
    "Rprec(rel=2) SDCG(max_rel=3)@10 SDCG(min_rel=1)@10 SDCG@10 SetAP SetAP(judged_only=True) SetAP(rel=2) "
    "SetF SetF(beta=0.7) SetF(beta=0.7,judged_only=True) SetF(judged_only=True) SetF(rel=2) SetP "
    "SetP(judged_only=True) SetP(rel=2) SetP(relative=True) SetP(relative=True,judged_only=True) "
    "SetP(relative=True,rel=2) SetR SetR(rel=2) StRecall StRecall(rel=2) StRecall(rel=2)@10 StRecall@10 "
    "Success Success(judged_only=True) Success(judged_only=True)@10 Success(rel=2) Success(rel=2)@10 "
    "Success@10 alpha_DCG(alpha=0.3)@10 alpha_DCG(alpha=0.3,judged_only=True)@10 "
    "alpha_DCG(judged_only=True)@10 alpha_DCG(rel=2)@10 alpha_DCG@10 alpha_nDCG(alpha=0.3)@10 "
    "alpha_nDCG(alpha=0.3,judged_only=True)@10 alpha_nDCG(judged_only=True)@10 alpha_nDCG(rel=2)@10 "
    "alpha_nDCG@10 infAP infAP(rel=2) nDCG nDCG(dcg='exp-log2') nDCG(dcg='exp-log2')@10 nDCG(gains={1:2}) "
    "nDCG(gains={1:2})@10 nDCG(gains={1:5}) nDCG(gains={1:5})@10 nDCG(gains={1:5},judged_only=True) "
    "nDCG(gains={1:5},judged_only=True)@10 nDCG(judged_only=True) nDCG(judged_only=True)@10 nDCG@10 "
    "nERR_IA(judged_only=True)@10 nERR_IA(rel=2)@10 nERR_IA@10 nNRBP nNRBP(alpha=0.3) "
    "nNRBP(alpha=0.3,beta=0.7) nNRBP(beta=0.7) nNRBP(rel=2) "
)
"""Every measure of ir_measures 0.4.3 as it prints it, alone and with each of its parameters."""


def test_every_name_that_ir_measures_prints_is_read():
    for name in PRINTED_BY_IR_MEASURES.split():
        assert parse(str(parse(name))) == parse(name)


def test_set_f_of_trec_eval_takes_beta_squared():
    # Precision 1/2 and recall 2/3: (4 + 1) · 1/3 / (4 · 1/2 + 2/3).
    assert parse("set_F.4")(ranking("1-01|1")) == pytest.approx((5 / 3) / (2 + 2 / 3))
    assert parse("set_F.4") == SetF(beta=2)


def test_one_name_may_stand_for_several_measures():
    assert parse_all("P.5,10") == [P @ 5, P @ 10]
    assert parse_all(["P_5,10", "AP"]) == [P @ 5, P @ 10, AP]


def test_names_are_apart_at_blanks_but_not_inside_parentheses():
    assert parse_all("AP  nDCG( gain = exponential )@10\nRR") == [AP, nDCG(gain="exponential") @ 10, RR]


def test_a_measure_named_twice_comes_once():
    assert parse_all("map AP AP(rel=1)") == [AP]


def test_a_level_for_measures_that_do_not_say_is_given_before_equals_are_dropped():
    assert parse_all([AP, AP(rel=1), "ERR"], rel=2) == [AP(rel=2), AP, ERR]


class TestMeasuresInPython:
    def test_parameters_and_cutoff_may_come_in_any_order(self):
        assert nDCG(gain="exponential") @ 10 == (nDCG @ 10)(gain="exponential") == nDCG(gain="exponential", cutoff=10)

    def test_a_cutoff_may_follow_the_parameter_that_needs_one(self):
        assert str(AP(norm="min") @ 10) == "AP(norm=min)@10"

    def test_a_parameter_at_its_default_is_as_good_as_none(self):
        assert AP(rel=1) == AP
        assert hash(AP(rel=1)) == hash(AP)
        assert str(nDCG(gain="linear")) == "nDCG"

    def test_whole_numbers_are_the_same_with_and_without_a_point(self):
        assert AP(rel=2.0) == AP(rel=2)
        assert str(P @ 5.0) == "P@5"
        assert hash(P @ 5.0) == hash(P @ 5)

    def test_numbers_of_numpy_are_numbers(self):
        assert P @ np.int64(5) == P @ 5
        assert RBP(p=np.float32(0.5)) == RBP(p=0.5)

    def test_gains_may_be_given_in_any_order(self):
        assert nDCG(gain={2: 3, 1: 1}) == nDCG(gain={1: 1, 2: 3})

    def test_different_measures_differ(self):
        assert AP != RR
        assert AP @ 5 != AP @ 10
        assert AP != "AP"

    def test_a_measure_parses_to_itself(self):
        assert parse(AP @ 5) == AP @ 5


class TestWhatCannotBeRead:
    @pytest.mark.parametrize("name", ["kappa", "Kappa", "krippendorff", "alpha", "icc"])
    def test_agreement_of_judges_is_found_elsewhere(self, name):
        with pytest.raises(
            UsageError, match=f"'{name}' measures agreement between judges, not rankings; `cranfield.agree`"
        ):
            parse(name)

    @pytest.mark.parametrize("name", ["coverage", "Coverage"])
    def test_coverage_without_a_cutoff_is_most_likely_that_of_recommendations(self, name):
        with pytest.raises(UsageError, match=f"'{name}' may mean two things: .* Judged@10; .* `cranfield.recommend"):
            parse(name)

    def test_a_measure_is_suggested_once(self):
        with pytest.raises(UsageError) as told:
            parse("kapa")
        near = str(told.value).partition("Did you mean ")[2].partition("?")[0].split(" or ")
        assert near != [""]
        assert len({names.find(name, has_at=False).name for name in near}) == len(near)

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("nDCG10", "There is no measure 'nDCG10'. Did you mean nDCG@10?"),
            ("ndgc@10", "There is no measure 'ndgc@10'. Did you mean nDCG@10?"),
            ("ndgc_cut_5", "There is no measure 'ndgc_cut_5'. Did you mean nDCG@5?"),
            ("NDCG-20", "There is no measure 'NDCG-20'. Did you mean nDCG@20?"),
            (
                "nDGC(gain=exponential)@5",
                "There is no measure 'nDGC(gain=exponential)@5'. Did you mean nDCG(gain=exponential)@5?",
            ),
            ("nDGC(gian=exponential)@5", "There is no measure 'nDGC(gian=exponential)@5'. Did you mean nDCG@5?"),
            ("MRR10", "There is no measure 'MRR10'. Did you mean MRR@10?"),
            ("P10", "There is no measure 'P10'. Did you mean P@10?"),
            ("iprce@0.1", "There is no measure 'iprce@0.1'. Did you mean IPrec@0.1?"),
            ("mapp", "There is no measure 'mapp'. Did you mean map?"),
            ("recal_100", "There is no measure 'recal_100'. Did you mean recall@100?"),
            ("GMBpre", "There is no measure 'GMBpre'. Did you mean Bpref or GMBpref?"),
            ("xyzzy", "There is no measure 'xyzzy'."),
        ],
    )
    def test_an_unknown_name_is_answered_with_near_ones(self, name, message):
        with pytest.raises(UsageError) as refused:
            parse(name)
        first, second = str(refused.value).split("\n")
        assert first == message
        assert second == "`cranfield measures` lists all of them."

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("nDCG@ten", "'nDCG@ten' cannot be read as a measure; nDCG is written like nDCG@10"),
            ("AP(rel=2", "'AP(rel=2' cannot be read as a measure; AP is written like AP@10"),
            ("AP@10@5", "'AP@10@5' cannot be read as a measure; AP is written like AP@10"),
            ("P@-1", "'P@-1' cannot be read as a measure; P is written like P@10"),
            ("IPrec@x", "'IPrec@x' cannot be read as a measure; IPrec is written like IPrec@0.1"),
        ],
    )
    def test_a_known_name_that_goes_on_strangely_is_answered_with_how_it_is_written(self, name, message):
        with pytest.raises(UsageError) as refused:
            parse(name)
        first, second = str(refused.value).split("\n")
        assert first.startswith(message)
        assert second.endswith("lists its parameters.")

    @pytest.mark.parametrize("name", [None, 5, [5], [len]])
    def test_what_is_no_name_at_all_is_refused(self, name):
        with pytest.raises(UsageError, match="where a measure belongs"):
            parse_all(name)

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("P", "P needs a cutoff after '@': P@10; for the whole retrieved set there is SetP."),
            ("IPrec", "IPrec needs a recall level after '@': IPrec@0.1."),
            ("RprecMult", "RprecMult needs a multiple of R after '@': RprecMult@0.5."),
            ("Rprec_mult@0", "RprecMult: multiple must be a number above 0, not 0."),
            ("bpref@10", "Bpref takes no cutoff; leave out '@10'."),
            ("P@0", "P: cutoff must be a whole number of at least 1, not 0."),
            ("P@2.5", "P: cutoff must be a whole number of at least 1, not 2.5."),
            ("IPrec@1.5", "IPrec: recall must be between 0 and 1, not 1.5."),
            ("RBP(p=1)", "RBP: p must be between 0 and 1, not 1."),
            (
                "nDCG(gain=foo)",
                "nDCG: gain must be linear or exponential or a gain for each grade, from 0 to 1e+100, not foo.",
            ),
            (
                "nDCG(gain={1:-1})",
                "nDCG: gain must be linear or exponential or a gain for each grade, from 0 to 1e+100, not ((1, -1),).",
            ),
            ("AP(norm=none)", "AP: norm must be relevant or retrieved or min or k, not none."),
            ("AP(rel=high)", "AP: rel must be a number, not high."),
            ("AP(judged_only=maybe)", "AP: judged_only must be True or False, not 'maybe'."),
            ("AP(rell=2)", "AP has no parameter 'rell'; it has rel, norm, cutoff, judged_only. Did you mean rel?"),
            ("SL(foo=1)", "SL has no parameter 'foo'; it has rel, cutoff, judged_only."),
            ("AP(norm=min)", "AP(norm=min) divides by a cutoff and needs one: AP(norm=min)@10."),
            ("AP(norm=k)", "AP(norm=k) divides by a cutoff and needs one: AP(norm=k)@10."),
            ("AP(rel=1,rel=2)", "'AP(rel=1,rel=2)' gives rel twice."),
            ("DCG(base=1)", "DCG: base must be a number above 1, not 1."),
            ("F(beta=0)@5", "F: beta must be a number above 0, not 0."),
            ("Accuracy(docs=0)", "Accuracy: docs must be a whole number of at least 1, not 0."),
            ("ERR(max_grade=0)", "ERR: max_grade must be a number above 0, not 0."),
            ("INST(T=0)", "INST: T must be a number from 0.001 to a million, not 0."),
            ("INST(T=0.4)", "INST: T must be a number of at least 0.5, not 0.4."),
            ("INST(max_depth=0)", "INST: max_depth must be a whole number from 1 to a million, not 0."),
            ("INST(min_grade=-1)", "INST: min_grade must be a number of at least 0, not -1."),
            ("INSQ(min_grade=2,max_grade=2)", "max_grade must be above min_grade; they are 2 and 2."),
            ("SDCG@1000001", "The cutoff of a user model must be a whole number from 1 to a million, not 1000001."),
            ("BPM", "BPM needs a cutoff after '@': BPM@10."),
            ("BPM(median=2)@10", "BPM: median must be a number from 0 to 1, not 2."),
            ("BPM(hb=-1)@10", "BPM: hb must be a number from 0 to a million, not -1."),
            ("U(L=0)", "U: L must be a number from 0.001 to a million, not 0."),
            ("IFT(R1=-1)", "IFT: R1 must be a number from 0 to a million, not -1."),
            ("IFT(rule=none)", "IFT: rule must be both or goal or rate, not none."),
            ("SET(beta=2)@10", "SET: beta must be a number of at most 1, not 2."),
            ("INST@10", "INST takes no cutoff; leave out '@10'."),
            (
                "INST(expected=gain)",
                "INST: expected must be utility or total_utility or cost or total_cost or depth, not gain.",
            ),
            (
                "ndcg@10-l2",
                "nDCG reads grades, not a relevance level; leave out '-l2', "
                "or map lower grades to 0 with gain={1:0,...}.",
            ),
            (
                "AP(2)",
                "'AP(2)': '2' was found where a parameter such as rel=2 belongs.\n"
                "Write parameters as name=value, with commas between: AP(rel=2,norm=min)@10.",
            ),
            ("P@1.2.3", "'1.2.3' was found where a number belongs."),
            ("P.5,10", "'P.5,10' names 2 measures; give one."),
            ("", "'' names 0 measures; give one."),
        ],
    )
    def test_a_wrong_parameter_is_answered_with_what_it_should_be(self, name, message):
        with pytest.raises(UsageError) as refused:
            parse(name)
        assert str(refused.value) == message

    @pytest.mark.parametrize(
        "choose",
        [
            lambda: P @ float("inf"),
            lambda: P @ float("nan"),
            lambda: P @ True,
            lambda: P @ "5",
            lambda: AP(rel=float("inf")),
            lambda: AP(rel=[1]),
            lambda: AP(rel={1: 2}),
            lambda: nDCG(gain={"1": 3}),
            lambda: nDCG(gain={1: 3, "a": 2}),
            lambda: nDCG(gain={1: float("nan")}),
            lambda: nDCG(gain=[1, 2]),
            lambda: CG(gain=(1, 2)),
            lambda: cf.Bpref @ 10,
            lambda: P(ranking("1")),
            lambda: AP(norm="k")(ranking("1")),
        ],
    )
    def test_the_same_goes_for_measures_made_in_python(self, choose):
        with pytest.raises(UsageError):
            choose()

    def test_a_cutoff_where_there_is_none_is_told_with_the_right_way(self):
        with pytest.raises(UsageError, match="Bpref takes no cutoff; write Bpref instead of Bpref@10"):
            cf.Bpref @ 10


class TestOwnMeasures:
    @pytest.fixture(autouse=True)
    def _leave_the_table_as_it_was(self):
        before = dict(TABLE)
        yield
        TABLE.clear()
        TABLE.update(before)

    def test_a_function_becomes_a_measure(self):
        @cf.measure
        def Second(judged):
            """Whether the second document is relevant."""
            return ((judged.ranks == 2) & judged.relevant(1)).any(axis=-1).astype(float)

        assert Second(ranking("01")) == 1
        assert parse("Second") == Second
        assert parse("second") == Second
        assert cf.evaluate({"q": {"d": 1}}, {"q": ["x", "d"]}, ["Second"])["Second"].tolist() == [[1]]

    def test_defined_again_it_is_the_new_one_that_a_name_stands_for(self):
        for found in (1.0, 2.0):

            @cf.measure
            def Again(judged, *, found=found):
                """A number."""
                return np.full(judged.retrieved.shape, found)

            assert cf.evaluate({"q": {"d": 1}}, {"q": ["d"]}, "Again")["Again"].tolist() == [[found]]

    def test_one_of_its_own_name_comes_before_an_alias_that_was_read_so_far(self):
        assert parse("mrr").name == "RR"

        @cf.measure
        def mrr(judged):
            """Another one."""
            return judged.retrieved

        assert parse("mrr") == mrr

    def test_its_docstring_is_its_definition(self):
        @cf.measure
        def Documented(judged):
            """A sentence
            over two lines.

            And more.
            """
            return judged.retrieved

        assert Documented.definition.summary == "A sentence over two lines."
        assert Documented.__doc__.startswith("A sentence")

    def test_facts_and_parameters_may_be_given(self):
        @cf.measure(bounds=(0, 1), aliases=("TopShare",), undefined="skip", cite="nobody, 2026")
        def Top(judged, *, rel=1, mode="plain", strict=False, cutoff=None):
            """The share of relevant documents."""
            share = judged.top(cutoff).relevant(rel).sum(axis=-1) / judged.top(cutoff).retrieved
            return share if mode == "plain" else share / 2

        assert str(Top(rel=2) @ 5) == "Top(rel=2)@5"
        assert parse("topshare@5") == parse("TopShare@5") == Top @ 5
        assert parse("Top(mode=half,strict=True)@2")(ranking("10")) == 0.25
        assert Top.definition.bounds == (0, 1)
        with pytest.raises(UsageError, match="Top: mode must be a number"):
            Top(mode=[])

    def test_a_parameter_of_words_takes_only_those(self):
        from typing import Literal

        @cf.measure
        def Worded(judged, *, way: Literal["up", "down"] = "up"):
            """Words."""
            return judged.retrieved

        # Annotations are text in this file, and Literal is known only in this function.
        Worded.definition.function.__annotations__["way"] = Literal["up", "down"]
        assert str(Worded(way="down")) == "Worded(way=down)"
        with pytest.raises(UsageError, match="way must be up or down, not left"):
            Worded(way="left")

    def test_an_installed_package_may_bring_measures(self, tmp_path, monkeypatch):
        (tmp_path / "their_measures.py").write_text(
            "import cranfield as cf\n\n"
            "@cf.measure(bounds=(0, 1))\n"
            "def Theirs(judged, *, cutoff=None):\n"
            '    """Always a half."""\n'
            "    return judged.retrieved * 0 + 0.5\n"
        )
        metadata = tmp_path / "their_measures-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: their-measures\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text("[cranfield.measures]\ntheirs = their_measures:Theirs\n")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "their_measures", raising=False)

        assert "Theirs" not in TABLE
        assert parse("Theirs@5")(ranking("1")) == 0.5
        assert "Theirs" in catalogue()
        assert parse("theirs").canonical == "Theirs"
        monkeypatch.delitem(sys.modules, "their_measures", raising=False)


def test_a_measure_can_be_stored_as_its_name():
    for measure in (AP, nDCG(gain={1: 3}) @ 10, IPrec @ 0.25, R(rel=2) @ 5, DCG(discount="jk")):
        assert parse(str(measure)) == measure


def test_names_may_be_separated_by_blanks_or_commas():
    assert parse_all("nDCG@10,P@5 AP(rel=2,norm=min)@5") == [cf.nDCG @ 10, cf.P @ 5, cf.AP(rel=2, norm="min") @ 5]


class TestHostileNames:
    """Whatever stands where a name belongs, the answer is a measure or what is accepted."""

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("P@" + "9" * 400, "is too large; a number must lie between -1e+100 and 1e+100."),
            ("nDCG@" + "9" * 5000, "is too large"),
            ("map@10-l" + "9" * 5000, "is too large"),
            ("P." + "9" * 5000, "is too large"),
            ("P@1e30", "P: cutoff must be a whole number of at least 1 and below 2^63, not 1"),
            ("RBP(p=1e400)", "'1e400' is too large"),
            ("RBP(p=" + "9" * 5000 + ")", "is too large"),
            ("AP(rel=-1e101)", "'-1e101' is too large"),
            ("nDCG(gain={1:1,1:2})", "'nDCG(gain={1:1,1:2})' names the gain of grade 1 twice; name it once."),
            ("nDCG(gain={1:1,1.0:2})", "names the gain of grade 1 twice"),
            ("ndcg.1=3,1=9", "'ndcg.1=3,1=9' names the gain of grade 1 twice; name it once."),
            ("nDCG(gain={1:1e300})", "'1e300' is too large"),
            ("nDCG(gain={" + "9" * 5000 + ":1})", "is too large"),
            ("nDCG(gain={one:1})", "'one' was found where a number belongs."),
            ("AP(rel=" + "(" * 3000, "cannot be read as a measure"),
            ("AP" * 6000, "has 12,000 characters; a measure's name has at most 10,000."),
        ],
    )
    def test_huge_and_doubled_numbers_are_answered_with_what_is_accepted(self, name, message):
        with pytest.raises(UsageError) as raised:
            parse(name)
        assert message in str(raised.value)
        assert len(str(raised.value)) < 500

    @pytest.mark.parametrize(
        "value",
        [10**400, 10**5000, float("inf"), float("nan"), -(10**400), [], {}, 1j, object()],
        ids=["large", "digits", "inf", "nan", "below", "list", "mapping", "complex", "object"],
    )
    def test_no_value_in_python_is_too_odd_to_be_refused(self, value):
        for measure, name in (
            (AP, "cutoff"),
            (AP, "rel"),
            (RBP, "p"),
            (nDCG, "gain"),
            (AP, "norm"),
            (AP, "judged_only"),
        ):
            with pytest.raises(UsageError) as raised:
                measure(**{name: value})
            assert len(str(raised.value)) < 500

    def test_gains_in_python_are_named_once(self):
        with pytest.raises(UsageError, match="gain must be one gain for each grade"):
            nDCG(gain=((1, 1), (1, 2)))

    @examples(300)
    @given(
        st.sampled_from([*catalogue(), "nDCG(gain={1:2})@10", "P.5,10", "rbp.95", "set_F.4", "ndcg_cut_10", "R@5-l2"]),
        st.lists(
            st.tuples(
                st.integers(0, 30), st.integers(0, 3), st.sampled_from([*"@(){}=,._-l'\" 09e\0é²", "9" * 400, "1e400"])
            ),
            max_size=5,
        ),
    )
    def test_any_mutation_of_a_name_is_a_measure_or_a_usage_error(self, name, changes):
        for at, length, text in changes:
            name = name[:at] + text + name[at + length :]
        try:
            measures = parse_all(name)
        except UsageError:
            return
        assert parse_all(" ".join(map(str, measures))) == measures


class TestNumPyNumbers:
    """NumPy's numbers are taken wherever Python's are."""

    @pytest.mark.parametrize("name", catalogue())
    def test_every_parameter_takes_them(self, name):
        measure = Measure(catalogue()[name])
        for parameter in catalogue()[name].parameters:
            for number, kind in ((1, np.int64), (2, np.uint8), (0.5, np.float32), (0.25, np.float64), (True, np.bool_)):
                try:
                    plain = measure(**{parameter: number})
                except UsageError:
                    continue
                assert measure(**{parameter: kind(number)}) == plain
                assert str(measure(**{parameter: kind(number)})) == str(plain)
                assert measure(**{parameter: np.array(number)}) == plain

    def test_gains_and_cutoffs_and_words_and_flags(self):
        assert nDCG(gain={np.int64(1): np.float32(0.5)}) @ np.int32(10) == parse("nDCG(gain={1:0.5})@10")
        assert AP(judged_only=np.bool_(1)) == AP(judged_only=True)
        assert AP(norm=np.str_("min")) @ np.float64(10) == parse("AP(norm=min)@10")
        assert hash(AP(rel=np.int64(2))) == hash(AP(rel=2))


def test_measures_of_ir_measures_are_taken_as_they_are():
    import ir_measures

    theirs = [ir_measures.nDCG @ 10, ir_measures.P(rel=2) @ 5, ir_measures.RBP(p=0.5, rel=2), ir_measures.SetF]
    assert [str(measure) for measure in parse_all(theirs)] == [str(measure) for measure in theirs]
