"""How one number arises: every term is shown, and together they are the score."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import AP, Run, UsageError, evaluate, explain, nDCG, read_judgments, read_run
from cranfield.data.run import Ranking
from cranfield.errors import DataError
from cranfield.explaining.abbreviation import Gap, abbreviated
from cranfield.explaining.terms import WORKINGS
from cranfield.measures import IPrec, RBPResidual, catalogue
from cranfield.show.table import shortened
from tests.effort import examples
from tests.measures.strategies import cases, measures

SLIDES = "1001101000|111111"
"""Ten documents, relevant at ranks 1, 4, 5 and 7; six more relevant ones were never found."""


def collection(notation, max_grade=None):
    """Judgments and a run from a ranking in the project's notation: d1, d2, … and missed e1, e2, …"""
    ranked, _, missed = notation.partition("|")
    return of_grades(map(grade, ranked), map(grade, missed), max_grade)


def grade(letter):
    return {"-": None, "x": -1}[letter] if letter in "-x" else int(letter)


def of_grades(ranked, missed, max_grade=None):
    retrieved = {f"d{rank}": g for rank, g in enumerate(ranked, 1)}
    grades = {document: g for document, g in retrieved.items() if g is not None}
    grades |= {f"e{at}": g for at, g in enumerate(missed, 1)}
    others = {"other": {"x": 0 if max_grade is None else max_grade}}
    answers = {"q1": list(retrieved)} if retrieved else {}
    return read_judgments({"q1": grades} | others), read_run(name="bm25", source=answers | {"other": ["x"]})


def explained(notation, measure, **choices):
    return explain(*collection(notation), measure, "q1", **choices)


def last_line(explanation):
    return str(explanation).splitlines()[-1]


class TestTheSlides:
    def test_recall_at_each_rank(self):
        recall = [place.recall for place in explained(SLIDES, "AP").seen.places]
        assert recall == [0.1, 0.1, 0.1, 0.2, 0.3, 0.3, 0.4, 0.4, 0.4, 0.4]

    def test_precision_at_each_rank(self):
        precision = [place.precision for place in explained(SLIDES, "AP").seen.places]
        assert precision == [1, 1 / 2, 1 / 3, 1 / 2, 3 / 5, 1 / 2, 4 / 7, 1 / 2, 4 / 9, 2 / 5]

    def test_interpolated_precision_at_the_recall_that_was_reached(self):
        places = explained(SLIDES, "AP").seen.places
        reached = {place.recall: place.interpolated for place in places if place.relevant}
        assert reached == {0.1: 1, 0.2: 3 / 5, 0.3: 3 / 5, 0.4: 4 / 7}

    def test_interpolated_precision_at_eleven_levels(self):
        curve = explained(SLIDES, "AP").seen.curve
        assert list(curve.values()) == [1, 1, 0.6, 0.6, 4 / 7, 0, 0, 0, 0, 0, 0]

    def test_average_precision_over_the_relevant_documents_retrieved(self):
        average = explained(SLIDES, AP(norm="retrieved"))
        assert average.value == pytest.approx(0.667857, abs=5e-7)
        assert last_line(average) == "result = 2.671429 / 4 = 0.667857"

    def test_average_precision_over_all_relevant_documents(self):
        average = explained(SLIDES, AP)
        assert average.value == pytest.approx(0.267143, abs=5e-7)
        assert last_line(average) == "result = 2.671429 / 10 = 0.267143"

    def test_the_table_is_printed_as_on_the_slides(self):
        assert table_after("Ranking", explained(SLIDES, AP)) == [
            "rank document grade relevant recall precision",
            "1 d1 1 yes 0.1000 1/1 = 1.0000",
            "2 d2 0 no 0.1000 1/2 = 0.5000",
            "3 d3 0 no 0.1000 1/3 = 0.3333",
            "4 d4 1 yes 0.2000 2/4 = 0.5000",
            "5 d5 1 yes 0.3000 3/5 = 0.6000",
            "6 d6 0 no 0.3000 3/6 = 0.5000",
            "7 d7 1 yes 0.4000 4/7 = 0.5714",
            "8 d8 0 no 0.4000 4/8 = 0.5000",
            "9 d9 0 no 0.4000 4/9 = 0.4444",
            "10 d10 0 no 0.4000 4/10 = 0.4000",
        ]

    def test_the_sum_is_printed_in_fractions(self):
        assert "sum = 1/1 + 2/4 + 3/5 + 4/7 = 2.671429" in str(explained(SLIDES, AP))

    def test_the_whole_text(self):
        assert str(explained("10|1", AP)) == WHOLE.strip()


WHOLE = """
AP = 0.5000 for query q1, run bm25
Average precision: the mean of the precision at each relevant document, zero
where one is not found.
2 documents retrieved, 0 unjudged; 3 judged, 2 of them relevant (grade 1 or
more), of which 1 retrieved.

Ranking

rank   document   grade   relevant   recall      precision
──────────────────────────────────────────────────────────
   1   d1             1   yes        0.5000   1/1 = 1.0000
   2   d2             0   no         0.5000   1/2 = 0.5000

Relevant (grade), but never retrieved: e1 (1).

Interpolated precision: the best at or beyond each recall

recall   at rank   precision   interpolated
────────────────────────────────────────────────────────────────────────────
0.0000                               1.0000   ██████████████████████████████
0.1000                               1.0000   ██████████████████████████████
0.2000                               1.0000   ██████████████████████████████
0.3000                               1.0000   ██████████████████████████████
0.4000                               1.0000   ██████████████████████████████
0.5000         1      1.0000         1.0000   ██████████████████████████████
0.6000                               0.0000
0.7000                               0.0000
0.8000                               0.0000
0.9000                               0.0000
1.0000                               0.0000

Sum: precision at each relevant document, divided by the relevant documents
sum = 1/1 = 1
result = 1 / 2 = 0.500000
"""


def table_after(title, explanation, **choices):
    """The lines of a section's table, blanks closed up, without its rule."""
    lines = iter(explanation.text(**choices).splitlines())
    next(line for line in lines if line.startswith(title))
    next(lines)
    table = []
    for line in lines:
        if not line:
            break
        if not line.startswith("─"):
            table.append(" ".join(line.split()))
    return table


class TestTheTermsMakeTheScore:
    @pytest.mark.parametrize("name", sorted(WORKINGS))
    @given(data=st.data())
    def test_of_every_measure_with_every_parameter(self, name, data):
        case, measure = data.draw(cases()), data.draw(measures(name))
        depth = data.draw(st.sampled_from([None, 1, 3, 8]))
        judged_only = data.draw(st.booleans())
        sources = of_grades(case.ranked, case.missed or [0], data.draw(st.sampled_from([0, 2, 4])))
        choices = {"depth": depth, "judged_only": judged_only}
        explanation = explain(*sources, measure, "q1", **choices)
        score = evaluate(*sources, measure, **choices)[measure][0, 0]
        assert explanation.value == score or math.isnan(score)
        # Of a user model, only the gain per document is such a sum.
        if measure.params.get("expected", "utility") == "utility":
            assert explanation.working.result == pytest.approx(score, rel=1e-12, abs=1e-12, nan_ok=True)
        else:
            assert explanation.working is None

    @pytest.mark.parametrize("name", sorted(catalogue()))
    @examples(8)
    @given(data=st.data())
    def test_and_every_measure_can_be_shown_in_every_form(self, name, data):
        case, measure = data.draw(cases()), data.draw(measures(name))
        rows = data.draw(st.sampled_from([None, 1, 4, "all"]))
        sources = of_grades(case.ranked, case.missed or [0])
        explanation = explain(*sources, measure, "q1", rows=rows)
        assert last_line(explanation).startswith("result = ")
        assert explanation.markdown()
        assert explanation._repr_html_()
        assert json.loads(json.dumps(explanation.to_dict(), allow_nan=False))["measure"] == str(measure)

    @given(case=cases())
    def test_the_curve_is_that_of_the_measure(self, case):
        sources = of_grades(case.ranked, case.missed or [0])
        seen = explain(*sources, "AP", "q1").seen
        levels = [IPrec @ level for level in seen.curve]
        assert not levels or list(seen.curve.values()) == evaluate(*sources, levels).values[:, 0, 0].tolist()

    def test_a_term_that_adds_nothing_is_there_too(self):
        assert [term.value for term in explained("-2", nDCG).working.terms] == [0, pytest.approx(2 / math.log2(3))]


class TestTheSum:
    def test_of_ndcg_shows_the_ideal_ranking_beside_the_real_one(self):
        assert table_after("Sum", explained("2-1|1", nDCG)) == [
            "rank gain discount product ideal document ideal gain ideal product",
            "1 2 1.0000 2.0000 d1 2 2.0000",
            "2 0 0.6309 0.0000 d3 1 0.6309",
            "3 1 0.5000 0.5000 e1 1 0.5000",
            "sum 2.5000 3.1309",
        ]

    def test_of_ndcg_ends_in_the_division(self):
        assert last_line(explained("2-1|1", nDCG)) == "result = DCG / IDCG = 2.500000 / 3.130930 = 0.798485"

    def test_of_precision_counts(self):
        text = str(explained(SLIDES, "P@5"))
        assert "sum = 3, from the relevant documents at ranks 1, 4, 5\nresult = 3 / 5 = 0.600000" in text

    def test_of_recall_counts(self):
        assert last_line(explained(SLIDES, "R@5")) == "result = 3 / 10 = 0.300000"

    def test_of_reciprocal_rank_is_one_fraction(self):
        text = str(explained("-001", "RR"))
        assert "The first relevant document is d4, at rank 4.\nresult = 1/4 = 0.250000" in text

    def test_of_rbp_has_weights_and_a_residual(self):
        explanation = explained("1-1|1", "RBP")
        assert [term.factors["weight"] for term in explanation.working.terms] == pytest.approx([0.2, 0.16, 0.128])
        assert explanation.working.residual == RBPResidual(explanation.seen.judged) == pytest.approx(0.672)
        assert "residual = 0.672000" in str(explanation)

    def test_of_err_follows_a_user_who_stops(self):
        first, _, third = explained("2-1|1", "ERR").working.terms
        assert first.factors == {"reached": 1, "satisfied": 0.75, "stops here": 0.75}
        assert third.factors == {"reached": 0.25, "satisfied": 0.25, "stops here": 0.0625}
        assert third.value == 0.0625 / 3

    def test_of_a_measure_that_is_no_plain_sum_is_its_formula(self):
        text = str(explained("1-01|0", "Bpref"))
        assert "Bpref is not explained term by term\nIts formula is 1/R Σ" in text
        assert text.endswith("result = 0.750000")

    @pytest.mark.parametrize("measure", ["INST", "BPM@2", "cwlAP(expected=depth)", "RBP(expected=depth)"])
    def test_so_it_is_of_a_user_model(self, measure):
        text = str(explained("12-|1", measure))
        assert f"{measure} is not explained term by term\nIts formula is" in text
        assert "\nresult = " in text


class TestTheRanking:
    def test_marks_what_is_unjudged_and_what_was_only_pooled(self):
        rows = table_after("Ranking", explained("1-x", AP))
        assert [row.split()[2] for row in rows[1:]] == ["1", "-", "pooled"]

    def test_counts_what_was_retrieved_judged_and_relevant(self):
        assert explained("2-x01|10", "P@2").counts == {
            "retrieved": 5,
            "retrieved_judged": 3,
            "judged": 5,
            "relevant": 3,
            "retrieved_relevant": 2,
            "unjudged": 1,
        }

    def test_names_relevant_documents_that_were_never_retrieved_best_first(self):
        assert "never retrieved: e2 (3), e1 (1)." in str(explained("1|13", AP))

    def test_abbreviates_where_nothing_happens(self):
        rows = table_after("Ranking", explained("1" + "0" * 997 + "10", AP))
        assert rows[1:] == [
            "1 d1 1 yes 0.5000 1/1 = 1.0000",
            "… … 997 documents none",
            "999 d999 1 yes 1.0000 2/999 = 0.0020",
            "… … 1 document none",
        ]

    def test_of_a_thousand_documents_fits_on_two_screens(self):
        text = str(explained("10010" * 200 + "|" + "1" * 50, nDCG))
        assert len(text.splitlines()) < 110

    def test_shows_as_many_rows_as_asked(self):
        assert len(table_after("Ranking", explained("1" * 50, AP, rows=7))) == 1 + 7

    def test_shows_everything_when_asked(self):
        assert len(table_after("Ranking", explained("0" * 50, AP, rows="all"))) == 1 + 50

    def test_stops_at_the_cutoff_and_says_what_is_below(self):
        assert table_after("Ranking", explained("10011", "P@2"))[-1] == "… … 3 documents 2 yes"

    def test_fits_eighty_columns_however_long_the_ids_are(self):
        judgments = read_judgments({"q1": {"https://example.org/" + "a" * 100: 1}})
        run = read_run(name="bm25", source={"q1": ["https://example.org/" + "a" * 100, "https://example.org/b"]})
        rows = explain(judgments, run, nDCG, "q1").text().splitlines()
        assert max(len(row) for row in rows if row.startswith(" ")) <= 80

    def test_without_unjudged_documents_keeps_their_rank_in_the_run(self):
        explanation = explained("1-x1", AP, judged_only=True)
        assert [(place.rank, place.in_run) for place in explanation.seen.places] == [(1, 1), (2, 4)]
        assert "in run" in table_after("Ranking", explanation)[0]

    def test_is_condensed_when_the_measure_says_so(self):
        assert len(explained("1-x1", AP(judged_only=True)).seen.places) == 2

    def test_is_cut_at_a_depth(self):
        explanation = explained("1011", AP, depth=2)
        assert len(explanation.seen.places) == 2
        assert "not among the first 2: d3 (1), d4 (1)" in str(explanation)

    def test_is_in_the_order_of_the_evaluation_where_scores_are_tied(self):
        judgments = read_judgments({"q1": {"a": 1}})
        run = read_run(name="bm25", source={"q1": {"a": 1.0, "b": 1.0, "c": 2.0}})
        by_id, as_given = (explain(judgments, run, "RR", "q1", ties=ties) for ties in ("document", "given"))
        assert [place.document for place in by_id.seen.places] == ["c", "b", "a"]
        assert [place.document for place in as_given.seen.places] == ["c", "a", "b"]
        assert by_id.notes == (
            "2 documents share their score with another; equal scores are ordered by document id, last first.",
        )

    def test_of_a_query_that_comes_twice_is_the_later_one(self):
        def rankings(findings):
            for line, document in enumerate(["d1", "d2"]):
                yield Ranking("q1", [document], np.ones(1), [line])

        explanation = explain(read_judgments({"q1": {"d2": 1}}), Run("bm25", rankings), AP, "q1")
        assert [place.document for place in explanation.seen.places] == ["d2"]


class TestRelevance:
    def test_begins_at_the_level_of_the_measure(self):
        assert explained("12", AP(rel=2)).seen.relevant == ("d2",)

    def test_begins_at_the_level_given_where_the_measure_does_not_say(self):
        assert str(explained("12", AP, rel=2).measure) == "AP(rel=2)"
        assert explained("12", nDCG, rel=2).seen.relevant == ("d2",)

    def test_of_the_measure_goes_before_the_one_given(self):
        assert explained("123", AP(rel=3), rel=2).seen.relevant == ("d3",)


class TestAScoreThatIsUndefined:
    def test_says_why_and_what_a_mean_makes_of_it(self):
        text = " ".join(str(explained("00", AP)).split())
        assert "AP = undefined for query q1" in text
        assert "because it divides by the relevant documents, and there are none." in text
        assert "In a mean it counts as 0; with undefined=skip the query is left out." in text
        assert text.endswith("result = 0 / 0 = undefined")

    def test_is_left_out_of_the_mean_where_the_measure_says_so(self):
        text = " ".join(str(explained("0", "SL")).split())
        assert "because no relevant document is in the ranking. A mean leaves the query out" in text

    def test_is_null_in_json(self):
        assert explained("00", nDCG).to_dict()["value"] is None

    def test_has_no_curve(self):
        assert explained("00", nDCG).seen.curve == {}


class TestASilentQuery:
    def test_scores_zero(self):
        silent = explained("|1", AP)
        assert silent.value == 0
        assert "The run returned no document for this query" in str(silent)
        assert last_line(silent) == "result = 0 / 1 = 0"

    def test_is_undefined_where_the_measure_needs_a_document(self):
        assert math.isnan(explained("|1", "SetP").value)


class TestWhatIsWrong:
    def test_a_query_nobody_judged_is_answered_with_the_nearest(self):
        judgments, run = collection(SLIDES)
        with pytest.raises(UsageError, match=r"'Q1' has no judgments[^\n]*\nDid you mean q1\?"):
            explain(judgments, run, AP, "Q1")

    def test_or_with_some_that_are_judged(self):
        judgments, run = collection(SLIDES)
        with pytest.raises(UsageError, match=r"Judged queries are q1, other\."):
            explain(judgments, run, AP, "xyz")

    def test_two_measures_are_one_too_many(self):
        with pytest.raises(UsageError, match="names 2 measures; give one"):
            explained(SLIDES, "P.5,10")

    @pytest.mark.parametrize("rows", [0, -1, 2.5, "some"])
    def test_rows_is_a_number_or_all(self, rows):
        with pytest.raises(UsageError, match="rows must be a whole number of at least 1, or 'all'"):
            explained(SLIDES, AP, rows=rows)

    def test_a_document_twice_in_the_ranking_stops_the_work(self):
        with pytest.raises(DataError, match="lists document 'd1' again"):
            explain(read_judgments({"q1": ["d1"]}), read_run(name="bm25", source={"q1": ["d1", "d1"]}), AP, "q1")


class TestJSON:
    def test_holds_every_rank(self):
        ranking = explained(SLIDES, AP).to_dict()["ranking"]
        assert ranking[3] == {
            "rank": 4,
            "in_run": 4,
            "document": "d4",
            "grade": 1,
            "relevant": True,
            "found": 2,
            "recall": 0.2,
            "precision": 0.5,
            "interpolated": 0.6,
        }

    def test_holds_the_terms_the_denominator_and_the_ideal_ranking(self):
        summed = explained("2|1", nDCG @ 1).to_dict()["sum"]
        assert summed["terms"] == [{"rank": 1, "document": "d1", "gain": 2, "discount": 1, "value": 2}]
        assert summed["ideal"] == summed["terms"]
        assert (summed["total"], summed["denominator"], summed["result"]) == (2, 2, 1)

    def test_writes_fractions_as_people_do(self):
        assert explained("-1", AP).to_dict()["sum"]["terms"][0]["fraction"] == "1/2"

    def test_has_no_sum_where_none_is_explained(self):
        assert explained("1", "Bpref").to_dict()["sum"] is None


class TestAbbreviation:
    def test_leaves_short_lists_alone(self):
        assert abbreviated([0, 0, 0], bool, 3) == [0, 0, 0]

    def test_merges_what_is_left_out(self):
        assert abbreviated([1, *[0] * 9, 1, 1, 1, *[0] * 9], bool, 3) == [
            1,
            Gap((*[0] * 9, 1, 1, 1, *[0] * 9)),
        ]

    @given(st.lists(st.booleans()), st.integers(1, 12))
    def test_loses_nothing_and_keeps_to_the_limit(self, items, limit):
        lines = abbreviated(items, bool, limit)
        unfolded = [item for line in lines for item in (line.items if isinstance(line, Gap) else [line])]
        assert unfolded == items
        assert len(lines) <= max(limit, 3)

    def test_keeps_both_ends_of_a_long_id(self):
        assert shortened("abcdefghij", 5) == "ab…ij"


def test_strata_are_not_shown_and_that_is_told():
    explanation = explain({"q": {"s1": {"a": 1}, "s2": {"b": -1, "c": 1}}}, {"q": ["a", "b", "c"]}, "xinfAP", "q")
    assert explanation.value == pytest.approx(23 / 27, abs=1e-4)
    assert explanation.notes == (
        "The measure reads from which stratum of the pool each document was drawn, which is not shown.",
    )
