from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from cranfield.align import align
from cranfield.errors import DataError
from cranfield.notation import ranking
from cranfield.run import Ranking, Run


def aligned(judgments, run, **options):
    return align(cf.read_run(name="run", source=run), cf.read_judgments(judgments), **options)


def ranks(alignment, query=0):
    """Rank by document for one query."""
    own = slice(alignment.starts[query], alignment.starts[query + 1])
    documents = [alignment.judgments.documents[row] for row in alignment.rows[own]]
    return dict(zip(documents, alignment.ranks[own].tolist(), strict=True))


def as_given(*rankings):
    """A run that gives its rankings as they are."""
    lines = [
        Ranking(query, list(scores), np.array(list(scores.values()), dtype=float), range(len(scores)))
        for query, scores in rankings
    ]
    return Run("run", lambda findings: iter(lines))


class TestOrder:
    def test_documents_come_by_score_whatever_the_order_of_the_rows(self):
        assert ranks(aligned({"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 2.0}})) == {"b": 1, "a": 2}

    def test_tied_documents_come_by_id_last_first(self):
        assert ranks(aligned({"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}})) == {"b": 1, "a": 2}

    def test_numbers_are_ids_and_9_comes_before_10(self):
        assert ranks(aligned({"q": {"10": 1, "9": 0}}, {"q": {"10": 1.0, "9": 1.0}})) == {"9": 1, "10": 2}

    def test_ids_beyond_ascii_come_in_byte_order(self):
        names = ["Z", "a", "ä", "中", "😀"]
        found = ranks(aligned({"q": dict.fromkeys(names, 1)}, {"q": dict.fromkeys(names, 0.5)}))
        assert list(found) == sorted(names, key=str.encode, reverse=True)

    def test_tied_documents_may_come_as_given(self):
        found = aligned({"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}}, ties="given")
        assert ranks(found) == {"a": 1, "b": 2}

    def test_a_list_of_documents_is_in_its_own_order_and_has_no_ties(self):
        found = aligned({"q": {"a": 1, "b": 0}}, {"q": ["a", "b"]})
        assert ranks(found) == {"a": 1, "b": 2}
        assert found.ties.tolist() == [0]

    def test_in_single_precision_scores_that_differ_too_little_are_tied(self):
        judgments, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.00000001, "b": 1.0}}
        assert ranks(aligned(judgments, run)) == {"a": 1, "b": 2}
        assert ranks(aligned(judgments, run, precision="single")) == {"b": 1, "a": 2}

    def test_a_score_too_large_for_single_precision_is_infinite_and_still_first(self):
        found = aligned({"q": {"a": 1, "b": 0}}, {"q": {"a": 1e300, "b": 1.0}}, precision="single")
        assert ranks(found) == {"a": 1, "b": 2}


class TestQueries:
    def test_a_judged_query_without_an_answer_is_silent(self):
        found = aligned({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ["a"]})
        assert found.retrieved.tolist() == [1, 0]

    def test_a_query_with_an_empty_answer_is_silent_too(self):
        found = aligned({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ["a"], "q2": []})
        assert found.retrieved.tolist() == [1, 0]

    def test_a_query_nobody_judged_is_unknown_and_told_once(self):
        found = align(
            as_given(("q", {"a": 1}), ("new", {"a": 1}), ("new", {"a": 1})), cf.read_judgments({"q": {"a": 1}})
        )
        assert found.unknown == ("new",)

    def test_queries_keep_the_order_of_the_judgments_whatever_that_of_the_run(self):
        found = aligned({"q1": {"a": 1}, "q2": {"b": 1}}, {"q2": ["x", "b"], "q1": ["a"]})
        assert found.judgments.queries == ("q1", "q2")
        assert (ranks(found, 0), ranks(found, 1)) == ({"a": 1}, {"b": 2})

    def test_a_query_that_comes_twice_counts_as_it_came_last(self):
        judgments = cf.read_judgments({"q": {"a": 1, "b": 1}})
        found = align(as_given(("q", {"a": 1}), ("q", {"a": 1, "b": 2})), judgments)
        assert ranks(found) == {"b": 1, "a": 2}
        assert found.retrieved.tolist() == [2]

    def test_what_was_wrong_with_the_first_of_two_is_forgotten(self):
        judgments = cf.read_judgments({"q": {"a": 1}})
        broken = Ranking("q", ["a", "a"], np.array([2.0, 1.0]), [1, 2])
        whole = Ranking("q", ["a"], np.array([2.0]), [1])
        assert ranks(align(Run("run", lambda findings: iter([broken, whole])), judgments)) == {"a": 1}
        with pytest.raises(DataError):
            align(Run("run", lambda findings: iter([whole, broken])), judgments)

    def test_a_file_whose_queries_are_not_grouped_is_read_as_if_they_were(self, tmp_path):
        lines = ["q1 Q0 a 1 3 t", "q2 Q0 a 1 9 t", "q1 Q0 b 2 2 t", "q2 Q0 b 2 10 t", "q1 Q0 c 3 4 t"]
        (tmp_path / "scattered.run").write_text("\n".join(lines) + "\n")
        (tmp_path / "grouped.run").write_text("\n".join(sorted(lines)) + "\n")
        judgments = cf.read_judgments({"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1, "b": 0}})
        scattered = align(cf.read_run(tmp_path / "scattered.run"), judgments)
        grouped = align(cf.read_run(tmp_path / "grouped.run"), judgments)
        assert ranks(scattered, 0) == ranks(grouped, 0) == {"c": 1, "a": 2, "b": 3}
        assert ranks(scattered, 1) == ranks(grouped, 1) == {"b": 1, "a": 2}


class TestIdsThatNeverMeet:
    def test_queries_without_one_in_common_stop_the_work(self):
        with pytest.raises(
            DataError, match="no query in common with the judgments: judged queries are 1, 2"
        ) as stopped:
            aligned({"1": {"a": 1}, "2": {"a": 1}}, {"q1": ["a"], "q2": ["a"]})
        assert "They would meet without the prefix 'q' (1 and q1)" in str(stopped.value)

    def test_documents_without_one_in_common_stop_the_work(self):
        run = {f"q{number}": [f"{number}.0"] for number in range(3)}
        judgments = {f"q{number}": {str(number): 1} for number in range(3)}
        with pytest.raises(DataError, match="no document in common") as stopped:
            aligned(judgments, run)
        assert "without .0 at their end (0 and 0.0)" in str(stopped.value)

    def test_with_few_queries_it_may_be_the_truth_and_is_only_told(self):
        found = aligned({"q": {"apple": 1}}, {"q": ["pear"]})
        assert [warning.kind for warning in found.warnings] == ["document-ids-never-meet"]
        assert found.ranks.size == 0

    def test_ids_that_never_meet_are_no_mistake_where_that_is_said(self):
        judged, returned = ({query: [document] for query in "abc"} for document in "xy")
        unmet = aligned(judged, returned, must_meet=False)
        assert unmet.retrieved.tolist() == [1, 1, 1]
        assert aligned({"a": {"x": 1}}, {"b": ["x"]}, must_meet=False).retrieved.tolist() == [0]

    def test_one_document_met_is_enough(self):
        judgments = {f"q{number}": {"a": 1} for number in range(4)}
        assert aligned(judgments, {"q0": ["a"], "q1": ["b"], "q2": ["b"], "q3": ["b"]}).warnings == ()

    def test_a_run_without_any_ranking_is_refused(self):
        with pytest.raises(DataError, match="no rankings found"):
            aligned({"q": {"a": 1}}, {})


class TestWhatStopsTheWork:
    def test_a_document_listed_twice(self):
        twice = Ranking("q", ["a", "b", "a"], np.array([3.0, 2.0, 1.0]), [1, 2, 3])
        with pytest.raises(DataError, match="query 'q' lists document 'a' again; it is already on line 1"):
            align(Run("run", lambda findings: iter([twice])), cf.read_judgments({"q": {"a": 1}}))

    def test_a_score_that_is_not_a_number(self):
        with pytest.raises(DataError, match="NaN"):
            aligned({"q": {"a": 1}}, {"q": {"a": float("nan")}})


class TestTies:
    alignment = aligned({"q": {"a": 2, "b": 0, "c": 1}}, {"q": {"a": 1, "b": 1, "u": 1, "c": 3, "z": 0}})

    def test_documents_that_share_their_score_are_counted(self):
        assert self.alignment.ties.tolist() == [3]

    def test_the_best_order_puts_the_best_grade_first_and_unjudged_documents_last(self):
        assert ranks(self.alignment.best_ties()) == {"c": 1, "a": 2, "b": 3}

    def test_the_worst_order_puts_unjudged_documents_first_and_the_best_grade_last(self):
        assert ranks(self.alignment.worst_ties()) == {"c": 1, "b": 3, "a": 4}


class TestFilled:
    def test_every_document_gets_a_grade_and_judged_ones_keep_theirs(self):
        filled = aligned({"q": {"a": 2, "p": -1}}, {"q": ["u", "a", "p"]}).filled(7)
        assert filled.grades.tolist() == [7, 2, 7]
        assert filled.ranks.tolist() == [1, 2, 3]
        assert filled.rows.tolist() == [-1, 0, -1]


class TestIdealRanks:
    def test_the_best_grade_comes_first_and_missed_documents_take_their_place(self):
        assert ranking("1-3|2").ideal_ranks.tolist() == [3, 1]

    def test_of_equal_grades_those_retrieved_come_first_as_they_came(self):
        assert ranking("1210|121").ideal_ranks.tolist() == [3, 1, 4, 7]

    def test_what_a_cutoff_hides_is_judged_but_not_retrieved(self):
        assert ranking("121").top(2).ideal_ranks.tolist()[:2] == [2, 1]


class TestBlocks:
    def test_widths_are_powers_of_two_and_depend_on_the_query_alone(self):
        sizes = (1, 2, 3, 5, 8, 9)
        judgments = {f"q{size}": {f"d{n}": 1 for n in range(size)} for size in sizes}
        run = {f"q{size}": ["d0"] for size in sizes}
        widths = {
            sizes[at]: judged.ranks.shape[-1]
            for queries, judged in aligned(judgments, run).blocks()
            for at in queries.tolist()
        }
        assert widths == {1: 1, 2: 2, 3: 4, 5: 8, 8: 8, 9: 16}

    def test_padding_is_never_reached_and_never_relevant(self):
        (_, judged), *_ = aligned({"q": {"a": 1, "b": 0, "c": 2}}, {"q": ["a"]}).blocks()
        assert judged.ranks.tolist() == [[1, np.inf, np.inf, np.inf]]
        assert judged.grades.tolist() == [[1, -np.inf, -np.inf, -np.inf]]
        assert judged.judged.tolist() == [[2, 1, 0, -np.inf]]

    def test_every_query_is_in_one_block(self):
        judgments = {f"q{n}": {f"d{k}": 1 for k in range(n % 7 + 1)} for n in range(50)}
        found = aligned(judgments, {"q0": ["d0"]})
        assert sorted(at for queries, _ in found.blocks() for at in queries.tolist()) == list(range(50))


class TestByRank:
    def test_grades_stand_at_their_ranks_and_nothing_where_nobody_judged(self):
        ((_, grades),) = ranking("2-0x1").by_rank(4)
        assert grades.tolist() == [[2, -np.inf, 0, -1]]

    def test_below_the_last_document_there_is_nothing(self):
        ((_, grades),) = ranking("2").by_rank(3)
        assert grades.tolist() == [[2, -np.inf, -np.inf]]

    def test_a_query_that_got_nothing_has_its_row(self):
        ((_, grades),) = ranking("|1").by_rank(2)
        assert grades.tolist() == [[-np.inf, -np.inf]]

    def test_queries_come_a_few_at_a_time_and_each_once(self, monkeypatch):
        monkeypatch.setattr("cranfield.align.BLOCK", 8)
        judgments = {f"q{n}": {f"d{n}": n} for n in range(5)}
        ((_, judged),) = aligned(judgments, {f"q{n}": [f"d{n}"] for n in range(5)}).blocks()
        parts = list(judged.by_rank(4))
        assert [(some.start, some.stop) for some, _ in parts] == [(0, 2), (2, 4), (4, 5)]
        assert [grades[:, 0].tolist() for _, grades in parts] == [[0, 1], [2, 3], [4]]

    def test_a_depth_beyond_what_is_read_at_once_is_read_query_by_query(self, monkeypatch):
        monkeypatch.setattr("cranfield.align.BLOCK", 2)
        ((_, grades),) = ranking("1-1").by_rank(3)
        assert grades.shape == (1, 3)
