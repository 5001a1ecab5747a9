"""What results call measures: as the user spelt them. Decimals are in test_measure_digits.py."""

import json

import pytest

import cranfield as cf
from cranfield.comparing.comparison import compare
from cranfield.comparing.planning import plan
from cranfield.errors import DataError
from cranfield.evaluating.score_tables import Evaluation
from cranfield.measures import parse, parse_all
from cranfield.show.measures import legend

JUDGED = {f"q{at}": {"d1": 2, "d2": 1} for at in range(6)}
RUNS = {"old": {query: ["x", "d1"] for query in JUDGED}, "new": {query: ["d1", "x"] for query in JUDGED}}
ASKED = ["hit_rate@5", "MRR@10", "Recall@5"]
LEGEND = "hit_rate@5 is Success@5; MRR@10 is RR@10; Recall@5 is R@5."


def scores(measures=ASKED, **settings):
    return cf.evaluate(JUDGED, RUNS, measures, **settings)


@pytest.mark.parametrize("name", ["MRR@10", "ndcg@10", "ndcg_cut_10", "P_5", "hit_rate@5", "map@100-l2", "rbp.95"])
def test_a_measure_is_called_as_it_was_asked_for(name):
    assert str(parse(name)) == name


@pytest.mark.parametrize("name", ["nDCG@10", "AP(rel=2)", "AP( rel = 2 )", "P(rel=1)@5", "SetF(beta=2)"])
def test_our_own_names_are_printed_in_our_own_way(name):
    assert str(parse(name)) == parse(name).canonical


def test_several_measures_of_one_word_have_a_name_each():
    assert list(map(str, parse_all("recall.5,10 P_5,10"))) == ["recall.5", "recall.10", "P_5", "P_10"]


def test_a_measure_that_is_changed_is_another_one():
    assert str(parse("mrr") @ 10) == "RR@10"


def test_a_name_no_table_has_room_for_is_ours():
    gains = ",".join(f"{grade}={grade}" for grade in range(1, 40))
    assert str(parse(f"ndcg.{gains}")).startswith("nDCG(gain={")


def test_equal_measures_are_equal_whatever_they_are_called():
    assert parse("MRR@10") == parse("RR@10")
    assert hash(parse("MRR@10")) == hash(parse("RR@10"))


def test_a_measure_that_is_asked_for_twice_is_called_as_it_was_first_and_this_is_said():
    both = parse_all("MRR@10 AP RR@10 mrr_10")
    assert list(map(str, both)) == ["MRR@10", "AP"]
    assert list(legend(both)) == ["MRR@10 is RR@10.", "RR@10 and mrr_10 are the same measure as MRR@10."]
    assert list(legend(parse_all("RR mrr"))) == ["mrr is the same measure as RR."]


def test_defaults_have_our_own_names_and_need_no_legend():
    usual = cf.evaluate(JUDGED, RUNS)
    assert list(map(str, usual.measures)) == usual.canonical
    assert list(legend(usual.measures)) == []
    assert "canonical" not in Evaluation(usual).rows().columns


def test_scores_are_found_by_both_names():
    found = scores()
    assert found["hit_rate@5"].tolist() == found["Success@5"].tolist() == found[cf.Success @ 5].tolist()


def test_means_have_the_users_names_and_a_legend():
    table = scores().summary().table()
    assert list(table.columns)[2:] == ASKED
    assert LEGEND in table.notes
    assert list(scores().per_query().columns)[2:] == ASKED


@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_every_form_that_people_read_has_the_names_and_the_legend(form):
    for answer in (Evaluation(scores()), compare(scores())):
        shown = " ".join(answer.form(form).replace("\\_", "_").split())
        assert "hit_rate@5" in shown
        assert LEGEND.rstrip(".") in shown


@pytest.mark.parametrize("form", ["tsv", "csv", "jsonl"])
def test_rows_have_both_names(form):
    for answer in (Evaluation(scores()), compare(scores()), scores().summary(), scores().worst(1)):
        shown = answer.form(form)
        assert "hit_rate@5" in shown
        assert "Success@5" in shown
        assert list(answer.rows().columns)[-1] == "canonical"  # columns that others cut out stay where they are


def test_json_has_both_names():
    plain = json.loads(Evaluation(scores()).form("json"))
    assert plain["runs"][0]["measures"]["hit_rate@5"]["canonical"] == "Success@5"
    compared = json.loads(compare(scores()).form("json"))
    for part in ("differences", "standings"):
        assert [(one["measure"], one["canonical"]) for one in compared[part]][:2] == [
            ("hit_rate@5", "Success@5"),
            ("MRR@10", "RR@10"),
        ]


def test_verdicts_speak_the_users_language():
    assert "MRR@10" in compare(scores("MRR@10")).verdict()
    assert "MRR@10" in plan(scores("MRR@10"), difference=0.1).text()
    assert "MRR@10 is RR@10." in plan(scores("MRR@10"), difference=0.1).text()
    assert "MRR@10 is RR@10." in cf.risk(scores("MRR@10"), "old").text()
    assert "MRR@10 = 0.5" in cf.explain(JUDGED, RUNS["old"], "MRR@10", query="q1").text()


def test_a_notebook_shows_them_too():
    assert "hit_rate@5 is Success@5" in scores()._repr_html_()
    assert "hit_rate@5 is Success@5" in compare(scores())._repr_html_()


def test_under_a_profile_the_legend_tells_what_a_name_means_there():
    (measure,) = scores("iprec_at_recall_0.50", profile="trec_eval-10").measures
    assert str(measure) == "iprec_at_recall_0.50"
    assert list(legend([measure])) == ["iprec_at_recall_0.50 is IPrec(levels=trec_eval-10)@0.5."]


def test_a_level_is_in_the_legend():
    assert list(legend(scores("mrr RR", rel=2).measures)) == [
        "mrr is RR(rel=2).",
        "RR(rel=2) is the same measure as mrr.",
    ]


class TestSavedResults:
    def test_they_keep_the_names(self, tmp_path):
        cf.save(scores(), tmp_path / "saved.json")
        read = cf.load(tmp_path / "saved.json")
        assert list(map(str, read.measures)) == ASKED
        assert read["Success@5"].tolist() == read["hit_rate@5"].tolist()
        assert list(json.loads((tmp_path / "saved.json").read_text())["measures"]) == ["Success@5", "RR@10", "R@5"]

    def test_results_under_other_names_are_joined(self, tmp_path):
        cf.save(cf.evaluate(JUDGED, {"old": RUNS["old"]}, "MRR@10"), tmp_path / "saved.json")
        new = cf.evaluate(JUDGED, {"new": RUNS["new"]}, "RR@10 AP")
        both = compare([cf.load(tmp_path / "saved.json"), new])
        assert list(map(str, both.measures)) == ["MRR@10"]
        assert both.results.runs == ("old", "new")

    def test_they_are_called_as_they_are_asked_for_now(self):
        asked = scores().with_measures(["RR@10", "success_5", "MRR@10"])
        assert list(map(str, asked.measures)) == ["RR@10", "success_5"]
        assert asked.values.shape[0] == 2

    @pytest.mark.parametrize("label", [7, "a\nb", "x" * 100, "AP"])
    def test_a_name_that_cannot_be_is_refused(self, label, tmp_path):
        from cranfield.evaluating.saved_scores import checksum, from_dict, to_dict

        saved = to_dict(scores(["MRR@10", "AP"]))
        saved["measures"]["RR@10"]["label"] = label
        with pytest.raises(DataError, match="label"):
            from_dict({**saved, "checksum": checksum(saved)})
