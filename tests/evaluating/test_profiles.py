"""Named sets of choices: what they decide, and what stays with the user."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.compat.trec_eval.arguments import Request
from cranfield.compat.trec_eval.quirks import Setting
from cranfield.compat.trec_eval.requests import lines_of
from cranfield.compat.trec_eval.versions import NINE, TEN
from cranfield.errors import UsageError
from cranfield.evaluating import profiles
from cranfield.evaluating.profiles import PROFILES, WORDS
from cranfield.evaluating.score_tables import Evaluation
from cranfield.evaluating.settings import CHOICES
from cranfield.measures import Measure, catalogue, parse

QRELS = {"q1": {"d1": 2, "d2": 1, "d3": 0}, "q2": {"d1": 1}, "q3": {"d1": 0}}
RUN = {"q1": {"d3": 3.0, "d2": 2.0, "d1": 1.0}, "q3": {"d1": 1.0}}

every_profile = pytest.mark.parametrize("profile", PROFILES.values(), ids=list(PROFILES))


def test_there_is_one_for_every_tool_people_compare_with():
    wanted = "trec_eval-10 trec_eval-9 pytrec_eval ir_measures ranx ndeval gdeval msmarco beir sklearn textbook"
    assert list(PROFILES) == ["cranfield", *wanted.split()]


@every_profile
def test_its_measures_exist_and_it_has_those_it_reports(profile):
    assert set(profile.computes) <= set(catalogue())
    assert all(map(profile.has, profile.parse(profile.measures)))


@every_profile
def test_its_choices_can_be_made_and_are_said_in_words(profile):
    for name, value in profile.settings.items():
        assert value in CHOICES[name]
        assert (name, value) in WORDS
    for name, params in profile.params.items():
        assert catalogue()[name].parameters.keys() >= params.keys()
        assert all(choice in WORDS for choice in params.items())


@every_profile
def test_it_makes_a_difference_to_what_is_left_open_only(profile):
    for name, params in profile.params.items():
        (left_open,) = cf.evaluate(QRELS, RUN, _complete(name), profile=profile).measures
        assert params.items() <= left_open.params.items()


def _complete(name):
    definition = catalogue()[name]
    return f"{name}@{0.5 if definition.at == 'recall' else 10}" if definition.needs_at else name


def test_what_is_said_of_a_measure_counts():
    scores = cf.evaluate(QRELS, RUN, "nDCG(gain=linear)@10 nDCG@20", profile="gdeval")
    assert [str(measure) for measure in scores.measures] == ["nDCG@10", "nDCG(gain=exponential)@20"]


def test_what_is_said_of_the_evaluation_counts():
    assert cf.evaluate(QRELS, RUN, "nDCG", profile="trec_eval-9").settings.average_over == "answered"
    assert (
        cf.evaluate(QRELS, RUN, "nDCG", profile="trec_eval-9", average_over="judged").settings.average_over == "judged"
    )


def test_a_tools_own_spelling_means_what_the_profile_says():
    levels = {
        name: cf.evaluate(QRELS, RUN, "iprec_at_recall_0.5", profile=name).measures[0].params["levels"]
        for name in ("cranfield", "trec_eval-10", "trec_eval-9", "textbook")
    }
    assert levels == {
        "cranfield": "trec_eval-10",
        "trec_eval-10": "trec_eval-10",
        "trec_eval-9": "trec_eval-9",
        "textbook": "exact",
    }


def test_without_measures_it_reports_its_own():
    assert [str(measure) for measure in cf.evaluate(QRELS, RUN, profile="msmarco").measures] == ["RR@10"]


def test_it_is_named_in_the_settings():
    assert cf.evaluate(QRELS, RUN, profile="msmarco").to_dict()["settings"]["profile"] == "msmarco"
    assert cf.evaluate(QRELS, RUN).to_dict()["settings"]["profile"] is None


def test_names_ignore_case_and_a_misspelt_one_is_answered():
    assert profiles.find("GDEVAL") is PROFILES["gdeval"]
    with pytest.raises(UsageError, match=r"There is no profile 'trec-eval'. Did you mean trec_eval"):
        profiles.find("trec-eval")


def test_gdeval_leaves_out_queries_without_a_relevant_document():
    scores = cf.evaluate(QRELS, RUN, "ERR@20", profile="gdeval")
    assert scores.mean("ERR(max_grade=4)@20").queries == 1
    assert "answered that have a relevant document" in str(scores.summary())


def test_beir_drops_a_document_that_is_the_query_itself():
    itself = {"q1": {"q1": 9.0, "d1": 1.0}}
    kept, dropped = (cf.evaluate({"q1": {"d1": 1}}, itself, "P@1", profile=name) for name in (None, "beir"))
    assert (kept.mean("P@1").value, dropped.mean("P@1").value) == (0, 1)


def test_a_tool_does_not_have_another_measure_of_the_same_name():
    # The Accuracy of ir_measures is the share of document pairs in the right order.
    assert not PROFILES["ir_measures"].has(parse("Accuracy"))


def test_a_measure_may_be_an_exception():
    # BEIR hands nDCG to pytrec_eval, and divides its own reciprocal rank by all judged queries.
    scores = cf.evaluate(QRELS, RUN, "nDCG@10 RR@10", profile="beir")
    assert [settings.average_over for settings in scores.provenance.settings] == ["answered", "judged"]
    assert [scores.mean(measure).queries for measure in scores.measures] == [2, 3]


def test_equal_scores_of_an_exception_come_in_its_own_order():
    tied = {"q1": {"a": 1.0, "b": 1.0}}
    scores = cf.evaluate({"q1": {"a": 1}}, tied, "RR RR@10", profile="ir_measures")
    assert scores.values[:, 0, 0].tolist() == [0.5, 1.0]


def test_the_judged_share_of_a_silent_query_is_zero_in_ir_measures():
    silent = {"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ["a"]}
    assert cf.evaluate(*silent, "Judged@10", profile="ir_measures").mean("Judged@10").value == 0.5
    assert cf.evaluate(*silent, "Judged@10").mean("Judged@10").value == 1


@given(
    judged=st.dictionaries(st.sampled_from("abcd"), st.sets(st.sampled_from("uvwxyz"), min_size=1), min_size=1),
    ranked=st.dictionaries(st.sampled_from("abcd"), st.permutations("uvwxyz"), min_size=1),
)
def test_ms_marco_divides_by_all_queries_of_its_reference(judged, ranked):
    assume(judged.keys() & ranked.keys())
    # As its script has it: the first of ten lines that is relevant, over every query that has a relevant document.
    total = sum(
        next((1 / rank for rank, document in enumerate(ranked.get(query, [])[:10], 1) if document in relevant), 0)
        for query, relevant in judged.items()
    )
    scores = cf.evaluate({query: dict.fromkeys(found, 1) for query, found in judged.items()}, ranked, profile="msmarco")
    assert scores.mean("RR@10").value == pytest.approx(total / len(judged))


def test_the_textbook_interpolates_at_exact_recall_levels_and_gains_exponentially():
    # Relevant at ranks 1 and 3 of a ranking, with grades 2 and 1: recall 1/2, then 1.
    judged, ranked = {"q": {"a": 2, "c": 1}}, {"q": ["a", "b", "c"]}
    scores = cf.evaluate(judged, ranked, "IPrec@0.5 IPrec@0.6 nDCG", profile="textbook")
    assert scores.values[:, 0, 0] == pytest.approx([1, 2 / 3, (3 + 1 / 2) / (3 + 1 / math.log2(3))])


class TestMeasuresThatAProfileEvaluatesOtherwise:
    """BEIR averages nDCG over answered queries, its own reciprocal rank over all; q2 was not answered."""

    def test_the_means_are_told_apart(self):
        notes = by_beir().summary().notes
        assert notes == (
            "Means over the judged queries each run answered, each with its 95% interval (nDCG@10).",
            "Means over all 3 judged queries, each with its 95% interval (RR).",
        )

    def test_what_becomes_of_silent_queries_is_told_apart(self):
        (silent,) = (str(told) for told in by_beir().warnings if told.kind == "silent-queries")
        assert silent.endswith("(q2); it is left out of the mean (nDCG@10) and counts as 0 (RR)")

    def test_a_query_is_shown_for_the_measures_it_counts_for(self):
        rows = {query: values for _, query, *values in by_beir().per_query().rows}
        assert rows["q2"] == [None, 0]
        by_measure = by_beir().to_dict(per_query=True)["runs"][0]["measures"]
        assert ["q2" in by_measure[name]["per_query"] for name in ("nDCG@10", "RR")] == [False, True]
        printed = {(row[1], row[2]) for row in Evaluation(by_beir(), with_queries=True).rows().rows}
        assert ("RR", "q2") in printed
        assert ("nDCG@10", "q2") not in printed

    def test_their_settings_are_part_of_the_result(self):
        exceptions = by_beir().to_dict()["settings"]["exceptions"]
        assert exceptions == {"RR": {"average_over": "judged", "ties": "given", "precision": "double"}}
        assert "exceptions" not in cf.evaluate(QRELS, RUN, "nDCG@10 AP", profile="beir").to_dict()["settings"]

    def test_orders_of_equal_scores_are_told_apart(self):
        tied = {"q1": {"a": 1.0, "b": 1.0}}
        (told,) = cf.evaluate({"q1": {"a": 1}}, tied, "RR RR@10", profile="ir_measures").warnings
        assert str(told) == (
            "another order of tied documents could give RR 0.5000 to 1.0000 (run); "
            "ties are broken by document id, descending (RR); ties are broken by document id, ascending (RR@10)"
        )


def by_beir():
    return cf.evaluate(QRELS, RUN, "nDCG@10 RR", profile="beir")


AT = {"cutoff": 10, "multiple": 0.5, "recall": 0.5}


def evaluated_under(profile, definition):
    """A measure of the catalogue, as asked for by its name under a profile."""
    name = f"{definition.name}@{AT[definition.at]}" if definition.at else definition.name
    kind = definition.groups
    columns = {None: ("document",), "preference": ("judge", "document")}.get(kind, (kind, "document"))
    rows = [("q1", *(("g1",) * (len(columns) - 1)), document, grade) for document, grade in (("d1", 2), ("d2", 0))]
    judged = cf.read_judgments(rows, columns=",".join(("query", *columns, "grade")), groups=kind)
    return cf.evaluate(judged, {"q1": ["d2", "d1"]}, name, profile=profile.name)


@every_profile
def test_every_measure_is_known_to_the_tool_or_a_warning_says_that_it_is_not(profile):
    for definition in catalogue().values():
        scores = evaluated_under(profile, definition)
        (measure,) = scores.measures
        said = [str(warning) for warning in scores.warnings if warning.kind == "not-in-tool"]
        assert bool(said) == (not profile.has(measure)), measure
        if said:
            assert f"profile {profile.name}: {profile.of} has no {measure};" in said[0]
            assert said[0] in str(scores.summary()).replace("\n", " ")
            assert said[0] in scores.to_dict()["warnings"]
        # By the name that was given, whatever the profile made of it, and as an object.
        asked = Measure(definition) @ AT[definition.at] if definition.at else Measure(definition)
        assert scores[asked] is not None
        assert scores[str(asked)].tolist() == scores.values[0].tolist() or np.isnan(scores.values[0]).all()


@pytest.mark.parametrize(
    ("profile", "has", "lacks"),
    [
        ("msmarco", "RR@10", "nDCG@10 RR AP"),
        (
            "trec_eval-10",
            "nDCG@10 nDCG(gain={1:3}) RBP Unjudged@5 DCG RR@10",
            "nDCG(gain=exponential) AP(norm=min)@10 ERR",
        ),
        ("trec_eval-9", "AP(rel=2)@10 AP(judged_only=True)", "DCG RBP Unjudged@5 Success"),
        ("pytrec_eval", "RR nDCG@10", "RR@10 YAAP PrefSimp"),
        (
            "ir_measures",
            "nDCG(gain=exponential)@10 Compat Judged@10 RBP(p=0.5) pair_accuracy@5",
            "AUC(pairs=judged) Accuracy F@10 ERR GMAP",
        ),
        ("ranx", "F@10 nDCG(gain=exponential)@10", "Judged@10 nDCG(gain={1:3})"),
        ("gdeval", "nDCG@20 ERR@20", "nDCG nDCG(gain=linear)@20 AP"),
        ("beir", "nDCG@10 Success@5", "nDCG AP Rprec Unjudged@5"),
        ("sklearn", "nDCG@10 DCG AP", "nDCG(ideal=judged)@10 P@10"),
        ("textbook", "F(beta=3)@5 Accuracy(docs=100)", "nDCG(gain=linear) Bpref"),
    ],
)
def test_a_tool_has_a_measure_with_those_parameters_that_it_takes(profile, has, lacks):
    known = PROFILES[profile]
    assert all(map(known.has, known.parse(has)))
    assert not any(map(known.has, known.parse(lacks)))


def test_a_name_that_is_another_measure_in_the_tool_is_warned_of():
    for name in ("Accuracy@3", "Accuracy", ["accuracy@3"]):
        scores = cf.evaluate(QRELS, RUN, name, profile="ir_measures")
        assert "is another measure in ir-measures 0.4.3: the share of pairs" in " ".join(map(str, scores.warnings))


def test_what_is_particular_about_a_tool_s_measure_is_in_the_output():
    scores = cf.evaluate(QRELS, RUN, "RBP", profile="ranx")
    assert "profile ranx: its rbp multiplies by raw grades, and can exceed 1" in str(scores.summary())


@pytest.mark.parametrize(
    ("profile", "name"),
    [
        ("gdeval", "nDCG@10"),
        ("gdeval", "ERR@20"),
        ("trec_eval-10", "RBP"),
        ("trec_eval-9", "IPrec@0.5"),
        ("sklearn", "AP"),
        ("sklearn", "nDCG@10"),
        ("ir_measures", "Judged@10"),
        ("trec_eval-10", "iprec_at_recall_0.50"),
    ],
)
def test_scores_are_found_by_the_name_they_were_asked_by_even_in_a_saved_file(profile, name, tmp_path):
    scores = cf.evaluate(QRELS, RUN, name, profile=profile)
    (measure,) = scores.measures
    assert measure.canonical != name
    for asked in (name, parse(name), measure.canonical, str(measure), measure):
        assert np.array_equal(scores[asked], scores.values[0], equal_nan=True)
        assert scores.mean(asked).value == scores.mean(measure).value
    cf.save(scores, tmp_path / "saved.json")
    saved = cf.load(tmp_path / "saved.json")
    for asked in (name, parse(name), measure.canonical, str(measure), measure):
        assert saved.position(asked) == 0


def test_scores_are_found_by_a_name_to_which_a_level_was_given(tmp_path):
    scores = cf.evaluate(QRELS, RUN, "AP", rel=2)
    cf.save(scores, tmp_path / "saved.json")
    assert scores.position("AP") == scores.position(parse("AP")) == 0
    assert cf.load(tmp_path / "saved.json").position("AP") == 0


@pytest.mark.parametrize(("profile", "version"), [("trec_eval-10", TEN), ("trec_eval-9", NINE)])
@pytest.mark.parametrize("name", ["P", "recall", "ndcg_cut", "map_cut", "success", "relative_P", "iprec_at_recall"])
def test_a_family_of_trec_eval_is_its_measures_at_its_cutoffs(profile, version, name):
    lines = lines_of([Request(name)], Setting(version, 1))
    assert PROFILES[profile].parse(name) == PROFILES[profile].parse([line.name for line in lines])


@pytest.mark.parametrize(("profile", "version"), [("trec_eval-10", TEN), ("trec_eval-9", NINE), ("pytrec_eval", NINE)])
@pytest.mark.parametrize("name", ["official", "set", "all_trec"])
def test_a_set_of_trec_eval_has_every_line_that_is_a_number(profile, version, name):
    lines = [line for line in lines_of([Request(name)], Setting(version, 1)) if not line.entry.is_text]
    known = PROFILES[profile]
    assert set(known.parse(name)) == set(known.parse([line.name for line in lines]))


@pytest.mark.parametrize("name", ["prefs", "all_prefs", "qrels_jg", "P_avgjg", "Rprec_mult_avgjg"])
def test_a_set_of_judges_or_preferences_has_every_line_but_the_number_of_queries(name):
    lines = [line for line in lines_of([Request(name)], Setting(TEN, 1)) if not line.entry.is_text]
    known = PROFILES["trec_eval-10"]
    assert known.parse(name) == known.parse([line.name for line in lines if line.name != "num_q"])


@pytest.mark.parametrize(
    "name",
    ["recall", "Recall", "success", "ndcg_cut", "map_cut", "set", "official", "all_trec", "unj", "iprec_at_recall"],
)
def test_without_its_profile_a_family_of_trec_eval_is_never_another_measure(name):
    with pytest.raises(UsageError, match=f"'{name}' names several measures in trec_eval; write .*"):
        parse(name)


def test_recall_alone_is_that_of_the_whole_set_to_tools_that_mean_it():
    for profile in ("ranx", "textbook"):
        assert PROFILES[profile].parse("recall") == [parse("SetR")]
    assert [str(measure) for measure in cf.evaluate(QRELS, RUN, "success", profile="trec_eval-10").measures] == [
        "Success@1",
        "Success@5",
        "Success@10",
    ]
