"""How one score is calculated: every term is shown, and together they are the score."""

import math

import pytest

from cranfield import AP, UsageError, explain, nDCG, read_judgments, read_run
from cranfield.errors import DataError
from tests.explaining.collection import SLIDES, collection, explained, last_line, table_after


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
more); 1 of these retrieved.

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
        assert explained("1", "YAAP").to_dict()["sum"] is None


def test_strata_are_not_shown_and_that_is_told():
    explanation = explain({"q": {"s1": {"a": 1}, "s2": {"b": -1, "c": 1}}}, {"q": ["a", "b", "c"]}, "xinfAP", "q")
    assert explanation.value == pytest.approx(23 / 27, abs=1e-4)
    assert explanation.notes == (
        "The measure reads from which stratum of the pool each document was drawn, which is not shown.",
    )
