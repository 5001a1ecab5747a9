"""How alike two runs are: checked by hand, against published numbers, and for what must always hold."""

from __future__ import annotations

import re
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.request_log import RequestLog, RequestRecord
from cranfield.errors import DataError, UsageError

PUBLISHED = """
(i3 i6) (i2 i7) i10 | (i3 i6 i7 i10) (i1 i2) | 0.965413635276732 | w 0.946064537517568 0.343706790399566 \
    0.615064167117501 | a 0.92051534467649 0.319428239558438 0.615064167117501 | b 0.956844651806714 \
    0.348953051936765 0.615064167117501
i3 (i1 i5 i7) i9 | (i1 i9) i7 i3 i4 | 0.930093081332594 | w 0.697096710334179 0.35176094170816 0.484543086103469 \
    | a 0.678580739450433 0.333244970824414 0.484543086103469 | b 0.684614956129899 0.339279187503881 0.484543086103469
i2 i5 i3 (i1 i4) | i5 i8 i2 (i3 i9) | 0.968922741966306 | w 0.580287544332462 0.196704918554571 0.720749884090985 \
    | a 0.580994268838527 0.197411643060636 0.720749884090985 | b 0.583518284931614 0.199935659153723 0.720749884090985
i1 i15 (i2 i3 i4) | i1 (i12 i15) i4 i6 (i2 i3 i13) (i5 i8) | 0.921692836285129 | w 0.778860753171343 \
    0.500428788785594 0.396043243796485 | a 0.777489600166133 0.501439552014923 0.396886098346461 \
    | b 0.800689415509001 0.523765975097572 0.398576396747791
i4 (i2 i14) i7 i5 i3 | (i9 i13) (i6 i8) i1 i5 i10 i15 i11 | 0.986650551181127 | w 0.155835200392091 \
    0.02839705430193 0.86245387017103 | a 0.155835200392091 0.02839705430193 0.86245387017103 \
    | b 0.155835200392091 0.02839705430193 0.86245387017103
(i1 i3 i6 i11 i15) i17 (i5 i8) | (i1 i2 i3 i4 i5 i6 i7 i8 i9 i10 i11 i12) | 0.966485585840186 | w 0.647993254615828 \
    0.307897712904381 0.545987685353668 | a 0.56593642947334 0.250532359019861 0.545051243836172 \
    | b 0.658581961799868 0.315458973083789 0.546037395156739
i21 i20 (i1 i16 i19) (i5 i10) i4 | (i12 i17) (i2 i3 i8 i11) (i15 i18) (i6 i13) (i7 i14) i9 | 0.930074017489188 \
    | w 0 0 0.389142712252727 | a 0 0 0.38977330351866 | b 0 0 0.390116806797613
"""
"""Two rankings with ties in parentheses, p, and by rule of ties RBO, its minimum and its residual: computed by the
authors of the rules, from the tests beside their implementation (github.com/julian-urbano/sigir2024-rbo)."""


def run(text: str) -> dict[str, dict[str, float]]:
    """One query's ranking, written with tied documents in parentheses."""
    groups = re.findall(r"\(([^)]*)\)|(\w+)", text)
    return {"q": {doc: -float(at) for at, (tied, one) in enumerate(groups) for doc in (tied or one).split()}}


def published():
    for line in PUBLISHED.strip().splitlines():
        one, other, p, *rules = line.split("|")
        for rule in rules:
            ties, *values = rule.split()
            yield pytest.param(one, other, float(p), ties, [float(value) for value in values], id=f"{one}-{ties}")


@pytest.mark.parametrize(("one", "other", "p", "ties", "expected"), list(published()))
def test_rbo_is_what_the_authors_of_its_rules_for_ties_computed(one, other, p, ties, expected):
    alike = cf.rbo(run(one), run(other), p=p, ties=ties)
    assert [alike.mean(name) for name in alike.names] == pytest.approx(expected, abs=1e-12)


class TestRBO:
    def test_it_is_the_agreement_at_each_depth_weighted_by_p(self):
        # The paper's example: agreements 0, 0, 2/3, 2/4, 2/5, 2/6 and 2/7, which goes on as far as is known.
        agreements = [0, 0, *(2 / depth for depth in range(3, 8))]
        p = 0.8
        expected = (1 - p) * sum(p**at * agreement for at, agreement in enumerate(agreements)) + p**7 * 2 / 7
        assert cf.rbo(run("a b c d e f g"), run("z c a v w x y"), p=p).mean() == pytest.approx(expected)

    def test_the_minimum_supposes_that_nothing_more_is_shared(self):
        # Two documents are shared at depth 2 and every one below: 2/d.
        p = 0.5
        expected = (1 - p) * sum(p ** (depth - 1) * 2 / depth for depth in range(2, 200))
        assert cf.rbo(run("a b"), run("b a"), p=p).mean("RBO min") == pytest.approx(expected)

    def test_the_residual_is_what_the_ranks_not_seen_could_add(self):
        # Nothing is shared in the first rank; from the second on a and b could be, and from the third all is.
        p = 0.5
        at_most = (1 - p) * (p * 2 / 2 + sum(p**at for at in range(2, 200)))
        assert cf.rbo(run("a"), run("b"), p=p).mean("RBO residual") == pytest.approx(at_most)

    def test_a_shorter_ranking_is_taken_to_agree_as_far_as_it_did(self):
        # a is shared; of the two ranks that the second ranking lacks, both agree as the first did, fully.
        assert cf.rbo(run("a b c"), run("a")).mean() == pytest.approx(1)

    def test_a_small_p_looks_at_the_first_rank(self):
        assert cf.rbo(run("a b"), run("a c"), p=0.001).mean() == pytest.approx(1, abs=1e-3)

    def test_the_mean_over_all_orders_is_that(self):
        orders = [cf.rbo(run(order), run("c a d")).mean() for order in ("a b c", "b a c")]
        assert cf.rbo(run("(a b) c"), run("c a d"), ties="a").mean() == pytest.approx(np.mean(orders))

    def test_a_run_with_ties_is_fully_like_itself_unless_the_mean_over_orders_is_asked_for(self):
        tied = run("(a b) c (d e f)")
        assert cf.rbo(tied, tied).mean() == pytest.approx(1)
        assert cf.rbo(tied, tied, ties="w").mean() == pytest.approx(1)
        assert cf.rbo(tied, tied, ties="a").mean() < 1

    def test_very_long_ties_are_followed_in_parts(self, monkeypatch):
        long = run("(" + " ".join(f"d{n}" for n in range(40)) + ") a b"), run("b d3 (d1 d2) a")
        whole = cf.rbo(*long).mean()
        monkeypatch.setattr(sys.modules["cranfield.run_similarity"], "BLOCK", 64)
        assert cf.rbo(*long).mean() == pytest.approx(whole, rel=1e-14)

    @pytest.mark.parametrize("p", [0, 1, -0.5, "0.9", None, True, float("nan")])
    def test_p_is_a_probability(self, p):
        with pytest.raises(UsageError, match="p is between 0 and 1, not"):
            cf.rbo(run("a"), run("a"), p=p)

    def test_rules_for_ties_are_those_of_the_paper(self):
        with pytest.raises(UsageError, match="ties is b or a or w, not 'c'"):
            cf.rbo(run("a"), run("a"), ties="c")


class TestOverlap:
    def test_it_is_the_share_of_documents_in_common(self):
        alike = cf.overlap(run("a b c d"), run("c x a y"), k=3)
        assert alike.mean() == alike.mean("overlap@3") == pytest.approx(2 / 3)
        assert alike.mean("Jaccard@3") == pytest.approx(2 / 4)

    def test_of_rankings_with_fewer_documents_the_longer_counts(self):
        assert cf.overlap(run("a b"), run("b a")).mean() == 1
        assert cf.overlap(run("a"), run("a b c d")).mean() == pytest.approx(1 / 4)

    def test_tied_documents_come_by_id_last_first(self):
        assert cf.overlap(run("(a b)"), run("b"), k=1).mean() == 1

    @pytest.mark.parametrize("k", [0, -1, 2.5, "3", None, True])
    def test_k_is_a_number_of_ranks(self, k):
        with pytest.raises(UsageError, match="k must be a whole number of at least 1, not"):
            cf.overlap(run("a"), run("a"), k=k)


documents = st.lists(st.sampled_from("abcdefghij"), min_size=1, unique=True)
rankings = documents.flatmap(
    lambda some: st.lists(st.sampled_from([1.0, 2.0, 3.0, 4.0]), min_size=len(some), max_size=len(some)).map(
        lambda scores: {"q": dict(zip(some, scores, strict=True))}
    )
)
persistence = st.sampled_from([0.1, 0.5, 0.8, 0.9, 0.99])
rules = st.sampled_from(["b", "a", "w"])


@given(one=rankings, other=rankings, p=persistence, ties=rules)
def test_rbo_is_between_its_bounds_and_the_same_both_ways(one, other, p, ties):
    alike = cf.rbo(one, other, p=p, ties=ties)
    value, low, residual = (alike.mean(name) for name in alike.names)
    assert -1e-12 <= low <= value + 1e-12
    assert value <= low + residual + 1e-12
    assert low + residual <= 1 + 1e-12
    again = cf.rbo(other, one, p=p, ties=ties)
    assert [again.mean(name) for name in again.names] == pytest.approx([value, low, residual])


@given(one=rankings, p=persistence, ties=st.sampled_from(["b", "w"]), k=st.integers(1, 12))
def test_a_run_is_fully_like_itself(one, p, ties, k):
    assert cf.rbo(one, one, p=p, ties=ties).mean() == pytest.approx(1)
    alike = cf.overlap(one, one, k=k)
    assert [alike.mean(name) for name in alike.names] == [1, 1]


@given(one=rankings, other=rankings, p=persistence, ties=rules, k=st.integers(1, 12))
def test_runs_with_nothing_in_common_are_not_alike(one, other, p, ties, k):
    apart = {"q": {document.upper(): score for document, score in other["q"].items()}}
    alike = cf.similarity([one, apart], p=p, ties=ties, k=k)
    assert [alike.mean(name) for name in alike.names if name != "RBO residual"] == [0, 0, 0, 0]


@given(one=documents, other=documents, p=persistence)
def test_without_ties_all_rules_give_what_a_plain_loop_over_the_formula_gives(one, other, p):
    short, long = sorted((one, other), key=len)
    s, longest = len(short), len(long)
    shared = [len({*short[:depth]} & {*long[:depth]}) for depth in range(1, longest + 1)]
    expected = 0.0
    for depth in range(1, longest + 1):
        supposed = shared[s - 1] / s * max(depth - s, 0)
        expected += (1 - p) * p ** (depth - 1) * (shared[depth - 1] + supposed) / depth
    expected += p**longest * ((shared[-1] - shared[s - 1]) / longest + shared[s - 1] / s)
    for ties in ("b", "a", "w"):
        assert cf.rbo({"q": one}, {"q": other}, p=p, ties=ties).mean() == pytest.approx(expected)


BM25 = {"q1": ["a", "b"], "q2": ["a"], "q3": ["c"]}
DENSE = {"q2": ["a"], "q1": ["b", "x"]}
HYBRID = {"q1": ["a", "b"], "q4": ["c"]}


class TestRuns:
    def test_all_pairs_are_compared(self):
        alike = cf.similarity({"bm25": BM25, "dense": DENSE, "hybrid": HYBRID}, k=2)
        assert [(pair.run, pair.other) for pair in alike.pairs] == [
            ("bm25", "dense"),
            ("bm25", "hybrid"),
            ("dense", "hybrid"),
        ]
        assert alike.names == ("RBO(p=0.9)", "RBO min", "RBO residual", "overlap@2", "Jaccard@2")

    def test_a_query_that_only_one_run_answered_counts_as_zero_and_is_told(self):
        alike = cf.similarity({"bm25": BM25, "dense": DENSE}, k=2)
        (pair,) = alike.pairs
        assert dict(zip(pair.queries, pair.values["overlap@2"], strict=True)) == {"q1": 0.5, "q2": 1, "q3": 0}
        assert (pair.common, pair.only_run, pair.only_other) == (2, ("q3",), ())
        assert alike.mean("overlap@2") == pytest.approx(0.5)
        assert [str(warning) for warning in alike.warnings] == [
            "bm25: no documents in dense for 1 query (q3); it counts as 0"
        ]
        assert alike.table().columns["queries"] == ["2/3"]

    def test_of_a_ranking_that_is_not_there_nothing_is_known(self):
        (pair,) = cf.rbo(BM25, DENSE).pairs
        assert [values[-1] for values in pair.values.values()] == [0, 0, 1]

    def test_queries_are_those_of_the_first_run_and_then_the_others(self):
        (pair,) = cf.overlap(DENSE, HYBRID).pairs
        assert pair.queries == ("q2", "q1", "q4")

    def test_a_query_with_an_empty_answer_has_no_answer(self):
        (pair,) = cf.overlap({"q1": ["a"], "q2": []}, {"q1": ["a"], "q2": []}).pairs
        assert pair.queries == ("q1",)

    def test_files_that_are_not_grouped_are_read_as_if_they_were(self, tmp_path):
        (tmp_path / "mixed.run").write_text("q1 Q0 a 1 3 x\nq2 Q0 c 1 2 x\nq1 Q0 b 2 1 x\n")
        alike = cf.overlap(tmp_path / "mixed.run", {"q1": ["b", "a"], "q2": ["c"]}, k=2)
        assert alike.mean() == 1

    def test_tied_documents_are_told(self):
        alike = cf.rbo(run("(a b) c"), run("a b c"))
        assert [str(warning) for warning in alike.warnings] == [
            "RBO treats tied scores as `ties` says, overlap orders them by document id, descending: "
            "run 2 documents in 1 query"
        ]

    def test_a_query_that_failed_when_a_run_was_made_is_left_out_and_told(self):
        log = RequestLog({"q2": RequestRecord("q2", "why", "failed", 6, kind="server error", detail="500")})
        run = replace(cf.read_run({"q1": ["a", "b"]}, name="run"), find_log=lambda: log)
        alike = cf.overlap(run, {"q1": ["a", "b"], "q2": ["c"]})
        assert alike.mean("overlap@10") == 1
        (warning,) = alike.warnings
        assert (warning.kind, warning.path) == ("unanswered-queries", "run")
        assert "1 query failed when this run was made (q2)" in str(warning)

    def test_one_run_cannot_be_compared(self):
        with pytest.raises(UsageError, match="One run was given \\(bm25\\), and there is none to compare it with"):
            cf.similarity({"bm25": BM25})

    def test_runs_without_a_query_in_common_are_refused(self):
        with pytest.raises(DataError) as refused:
            cf.rbo({"q1": ["a"]}, {"1": ["a"]})
        assert str(refused.value) == (
            "run 2: no query in common with run: its queries are q1; those of this run are 1\n"
            "The ids match without the prefix 'q' (q1 / 1); use one spelling in both files."
        )

    def test_what_would_change_a_number_silently_stops_the_work(self, tmp_path):
        (tmp_path / "twice.run").write_text("q1 Q0 a 1 3 x\nq1 Q0 a 2 2 x\n")
        for runs in ((tmp_path / "twice.run", run("a")), (run("a"), tmp_path / "twice.run")):
            with pytest.raises(DataError, match="lists document 'a' again"):
                cf.rbo(*runs)

    def test_repetitions_are_refused_even_where_only_one_document_is_ranked(self):
        twice = [("q1", "a", 2.0), ("q1", "a", 1.0)]
        for runs in ((twice, {"q1": ["a"]}), ({"q1": ["a"]}, twice)):
            with pytest.raises(DataError, match="lists document 'a' again"):
                cf.rbo(*runs)

    def test_an_empty_run_is_refused(self, tmp_path):
        (tmp_path / "empty.run").write_text("")
        with pytest.raises(DataError, match="no run found"):
            cf.rbo(run("a"), tmp_path / "empty.run")


class TestResult:
    ALIKE = cf.similarity({"a": {"q1": ["x", "y"]}, "b": {"q1": ["y", "x"]}, "c": {"q1": ["x", "z"]}}, k=1)

    def test_a_mean_is_asked_by_what_was_compared_and_by_two_runs(self):
        assert self.ALIKE.mean("overlap@1", "a", "c") == self.ALIKE.mean("overlap@1", "c", "a") == 1
        assert self.ALIKE.mean(run="a", other="b") == pytest.approx(0.9)

    def test_with_several_pairs_two_runs_must_be_named(self):
        with pytest.raises(UsageError, match="more than one pair of a; name two runs that were compared: a and b, a"):
            self.ALIKE.mean(run="a")
        with pytest.raises(UsageError, match="no pair of a and x"):
            self.ALIKE.mean("RBO min", "a", "x")

    def test_what_was_not_compared_is_answered_with_what_was(self):
        with pytest.raises(UsageError, match=r"'overlap@10' was not compared; these were: .* Did you mean overlap@1"):
            self.ALIKE.mean("overlap@10")

    def test_it_shows_itself(self):
        assert repr(self.ALIKE).startswith("Similarity(3 pairs of runs, RBO(p=0.9)")
        assert "either run answered" in str(self.ALIKE)
        assert "<table" in self.ALIKE._repr_html_()

    def test_there_is_a_row_per_query(self):
        assert self.ALIKE.per_query().columns["overlap@1"] == [0, 1, 0]

    def test_plain_values_hold_everything(self):
        plain = replace(self.ALIKE, with_queries=True).to_dict()
        assert plain["settings"] == {"p": 0.9, "ties": "b", "k": 1}
        assert plain["pairs"][1]["queries"] == {"compared": 1, "both": 1, "only_run": [], "only_other": []}
        assert plain["pairs"][1]["measures"]["overlap@1"] == {"mean": 1.0, "per_query": {"q1": 1.0}}
        assert "per_query" not in self.ALIKE.to_dict()["pairs"][0]["measures"]["overlap@1"]
