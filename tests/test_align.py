from __future__ import annotations

import weakref
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.align import align, remembered
from cranfield.data.run import Ranking, Run
from cranfield.errors import DataError
from cranfield.notation import grouped, ranking
from tests.measures.reference import Case
from tests.measures.strategies import cases


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
        assert "The ids match without the prefix 'q' (1 / q1); use one spelling in both files." in str(stopped.value)

    def test_documents_without_one_in_common_stop_the_work(self):
        run = {f"q{number}": [f"{number}.0"] for number in range(3)}
        judgments = {f"q{number}": {str(number): 1} for number in range(3)}
        with pytest.raises(DataError, match="no document in common") as stopped:
            aligned(judgments, run)
        assert "without .0 at the end (0 / 0.0)" in str(stopped.value)

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


class TestTop:
    def test_what_lies_below_the_cutoff_is_gone_and_counts_as_not_retrieved(self):
        top = ranking("1-21|1").top(3)
        assert top.ranks.tolist() == [1, 3, np.inf]
        assert top.grades.tolist() == [1, 2, -np.inf]
        assert top.retrieved == 3

    def test_a_ranking_that_ends_before_the_cutoff_is_its_own_top(self):
        whole = ranking("1-21|1")
        assert whole.top(4) is whole.cut(4) is whole
        assert whole.top(None) is whole

    def test_it_is_no_wider_than_the_next_power_of_two_and_never_narrower_than_eight(self):
        long = ranking("1" * 100)
        widths = {cutoff: long.top(cutoff).ranks.shape[-1] for cutoff in (1, 8, 9, 33, 64, 65)}
        assert widths == {1: 8, 8: 8, 9: 16, 33: 64, 64: 64, 65: 100}

    def test_its_width_does_not_depend_on_the_documents(self):
        assert ranking("1" * 9).top(100).ranks.shape == ranking("1" * 9 + "-" * 100).top(100).ranks.shape == (9,)
        assert Case((1,), (), 1).judged_ranking(64).top(8).ranks.shape == (8,)

    def test_a_document_after_many_that_only_were_pooled_is_in_the_top_of_the_condensed_ranking(self):
        top = ranking("x" * 40 + "1" + "0" * 40).condensed().top(1)
        assert top.grades.max() == 1
        assert np.count_nonzero(top.ranks < np.inf) == 1

    def test_a_document_after_many_that_one_judge_did_not_grade_is_in_the_top_as_that_judge_sees_it(self):
        by_judge = grouped(" ".join(["1-"] * 20 + ["11"] + ["1-"] * 20)).by_group
        assert [by_judge.top(cutoff).num_rel_ret(1).tolist() for cutoff in (20, 21)] == [[20, 0], [21, 1]]
        assert by_judge.condensed().top(1).num_rel_ret(1).tolist() == [1, 1]

    @given(case=cases(max_size=60), cutoff=st.integers(1, 70))
    def test_it_holds_the_same_documents_as_the_ranking_cut_at_its_full_width(self, case, cutoff):
        for judged in (case.judged_ranking(64), case.judged_ranking(64).condensed()):
            top, cut = judged.top(cutoff), judged.cut(cutoff)
            assert (top.retrieved, top.judged.tolist()) == (cut.retrieved, cut.judged.tolist())
            for narrow, wide, filler in ((top.ranks, cut.ranks, np.inf), (top.grades, cut.grades, -np.inf)):
                padded = np.append(narrow, np.full(wide.shape[-1] - narrow.shape[-1], filler))
                assert np.array_equal(padded, wide)

    @pytest.mark.parametrize("width", [8, 16, 32, 64, 128, 256, 512, 1024, 4096, 16384])
    def test_a_sum_over_a_power_of_two_has_the_bits_of_a_sum_over_a_larger_one_with_zeros(self, width):
        rng = np.random.default_rng(width)
        whole = np.zeros((5, 16384))
        whole[:, :width] = rng.random((5, width)) ** 3
        narrow = whole[:, :width]
        assert np.array_equal(whole.sum(axis=-1), narrow.sum(axis=-1))
        assert np.array_equal(whole.sum(axis=-1), narrow.copy().sum(axis=-1))
        assert np.array_equal(whole.sum(axis=-1), [line.sum() for line in narrow])


class TestRemembered:
    def test_an_answer_is_computed_once_for_each_argument(self):
        asked = []

        @remembered
        def doubled(judged, number):
            asked.append(number)
            return judged.retrieved * number

        judged = ranking("1-0")
        assert [doubled(judged, number) for number in (2, 3, 2, 3)] == [6, 9, 6, 9]
        assert asked == [2, 3]

    def test_what_measures_share_is_the_same_object(self):
        judged = ranking("1-0" * 20)
        assert judged.top(5) is judged.top(5)
        assert judged.ideal.top(5) is judged.ideal.top(5)
        assert judged.condensed() is judged.condensed()
        assert judged.relevant(1) is judged.relevant(1)
        assert judged.found(1) is not judged.found(2)
        by_subtopic = grouped("10 01 11")
        assert by_subtopic.top(2).by_group is by_subtopic.top(2).by_group

    def test_another_ranking_does_not_inherit_an_answer(self):
        judged = ranking("1-0")
        assert judged.num_rel_ret(1) == 1
        assert replace(judged, grades=judged.grades + 1).num_rel_ret(1) == 2

    def test_nobody_can_write_into_an_array_that_others_read(self):
        relevant = ranking("1-0").relevant(1)
        with pytest.raises(ValueError, match="read-only"):
            relevant[0] = False

    def test_a_ranking_goes_with_its_answers_as_soon_as_nobody_holds_it(self):
        judged = ranking("1-0" * 20)
        judged.top(None), judged.top(5).relevant(1), judged.ideal.top(3), judged.condensed().top(100)
        gone = weakref.ref(judged)
        del judged
        assert gone() is None


class TestRanks:
    @given(case=cases(max_size=40), filler=st.sampled_from([0, 2]), cutoff=st.sampled_from([1, 3, 10, 30]))
    def test_whatever_made_a_ranking_they_ascend_and_none_is_beyond_the_documents_retrieved(self, case, filler, cutoff):
        documents = {f"d{rank:02}": grade for rank, grade in enumerate(case.ranked) if grade is not None}
        missed = {f"m{number}": grade for number, grade in enumerate(case.missed)}
        found = aligned(
            {"q": documents | missed | {"never": 0}, "r": {"d00": 1}},
            {"q": {f"d{rank:02}": -float(rank // 3) for rank in range(len(case.ranked))}, "r": ["d00"]},
        )
        alignments = (found, found.best_ties(), found.worst_ties(), found.filled(filler))
        given = [case.judged_ranking(), *(judged for one in alignments for _, judged in one.blocks())]
        made = [
            other
            for judged in given
            for other in (judged, judged.regraded(lambda grades: 3 - grades), judged.ideal, judged.ideal_retrieved)
        ]
        seen = [view for one in made for top in (one, one.top(cutoff)) for view in (top, top.condensed())]
        for judged in [*seen, *(one.top(cutoff) for one in seen)]:
            for ranks, retrieved in zip(
                np.atleast_2d(judged.ranks), np.atleast_1d(judged.retrieved).tolist(), strict=True
            ):
                real = np.flatnonzero(ranks < np.inf)
                assert np.all(np.diff(ranks[real]) > 0)
                assert ranks[real].max(initial=0) <= retrieved
                assert judged.gaps or np.all(ranks[real] > real)

    def test_orders_of_ties_ascend_too(self):
        (_, judged), *_ = aligned({"q": {"a": 1, "b": 0, "c": 2}}, {"q": {"a": 1, "b": 1, "c": 1}}).blocks()
        orders = judged.in_orders(np.array([[1, 2, 3], [3, 1, 2], [2, 3, 1]]))
        assert orders.ranks.tolist() == [[1, 2, 3, np.inf]] * 3
        assert {tuple(grades) for grades in orders.grades[:, :3].tolist()} == {(2, 0, 1), (0, 1, 2), (1, 2, 0)}


class TestIdealRanks:
    def test_the_best_grade_comes_first_and_missed_documents_take_their_place(self):
        assert ranking("1-3|2").ideal_ranks.tolist() == [3, 1]

    def test_of_equal_grades_those_retrieved_come_first_as_they_came(self):
        assert ranking("1210|1 2 1").ideal_ranks.tolist() == [3, 1, 4, 7]

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

    def test_queries_of_one_width_keep_their_own_documents_wherever_they_stand(self):
        sizes = [1, 3, 8, 3, 1, 4, 8, 3]
        judgments = {f"q{at}": {f"d{n}": at + n for n in range(size)} for at, size in enumerate(sizes)}
        run = {f"q{at}": [f"d{n}" for n in range(0, size, 2)] for at, size in enumerate(sizes)}
        for queries, judged in aligned(judgments, run).blocks():
            for line, at in enumerate(queries.tolist()):
                size = sizes[at]
                own, width = [float(at + n) for n in range(size)], judged.ranks.shape[-1]
                assert judged.grades[line].tolist() == own[::2] + [-np.inf] * (width - len(own[::2]))
                assert judged.ranks[line].tolist() == [*range(1, len(own[::2]) + 1)] + [np.inf] * (
                    width - len(own[::2])
                )
                assert judged.judged[line].tolist() == own[::-1] + [-np.inf] * (width - size)
                assert judged.retrieved[line] == len(own[::2])

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


class TestReversedTies:
    def test_tied_documents_the_other_way_round(self):
        judgments = {"q": {"a": 1, "b": 0, "c": 2, "z": 1}, "r": {"a": 1}}
        run = {"q": {"z": 2, "a": 1, "b": 1, "c": 1, "x": 1, "d": 0}, "r": {"b": 1, "a": 1}}
        usual, ascending = (aligned(judgments, run, ties=ties) for ties in ("document", "document-ascending"))
        turned = usual.reversed_ties()
        for part in ("ranks", "grades", "rows", "above", "tied"):
            assert getattr(turned, part).tolist() == getattr(ascending, part).tolist()
        assert turned.reversed_ties().ranks.tolist() == usual.ranks.tolist()
