"""The ranking, as it is shown."""

import numpy as np

from cranfield import AP, Run, explain, nDCG, read_judgments, read_run
from cranfield.data.run import Ranking
from tests.explaining.collection import explained, table_after


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
            "2 documents share their score with another; ties are broken by document id, descending.",
        )

    def test_of_a_query_that_comes_twice_is_the_later_one(self):
        def rankings(findings):
            for line, document in enumerate(["d1", "d2"]):
                yield Ranking("q1", [document], np.ones(1), [line])

        explanation = explain(read_judgments({"q1": {"d2": 1}}), Run("bm25", rankings), AP, "q1")
        assert [place.document for place in explanation.seen.places] == ["d2"]
