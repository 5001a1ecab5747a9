"""Chunks count as their documents, and alternatives count once: the same bits as files rewritten by hand."""

from __future__ import annotations

from itertools import count
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield import DataError, UsageError
from cranfield.data.document_groups import Alternatives, Mapped, Separated
from cranfield.data.run import Ranking
from cranfield.errors import Findings
from tests.effort import examples

MEASURES = (
    "AP AP@3 nDCG nDCG@3 nDCG(gain=exponential)@5 RR RR@2 P@3 R@3 Rprec Bpref infAP ERR@5 RBP RBPResidual Judged@3 "
    "NumRel NumRet NumRelRet F@3 SetF Success@2 Q DCG@4 IPrec@0.5 Unjudged@5 Compat"
)


def document(chunk: str) -> str:
    return chunk.split("#")[0]


def judged_by_hand(judgments):
    """The best grade of each document's chunks."""
    rewritten: dict[str, dict[str, float]] = {}
    for query, grades in judgments.items():
        own = rewritten.setdefault(query, {})
        for chunk, grade in grades.items():
            own[document(chunk)] = max(grade, own.get(document(chunk), grade))
    return rewritten


def ranked_by_hand(run):
    """The best score of each document's chunks, listed where its first best chunk is."""
    rewritten = {}
    for query, scores in run.items():
        best: dict[str, str] = {}
        for chunk, score in scores.items():
            if document(chunk) not in best or score > scores[best[document(chunk)]]:
                best[document(chunk)] = chunk
        rewritten[query] = {document(chunk): scores[chunk] for chunk in scores if best[document(chunk)] == chunk}
    return rewritten


chunks = st.builds("{}#{}".format, st.sampled_from("abcdefgh"), st.integers(1, 3))
judgments_of_chunks = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(chunks, st.sampled_from([-1, 0, 1, 2, 3]), min_size=1),
    min_size=1,
)
runs_of_chunks = st.dictionaries(
    st.sampled_from(["q1", "q2", "q4"]),
    st.dictionaries(chunks, st.sampled_from([0.5, 1.0, 1.25, 2.0, 3.0]), min_size=1),
    min_size=1,
)
settings = st.fixed_dictionaries(
    {
        "ties": st.sampled_from(["document", "document-ascending", "given", "average"]),
        "depth": st.sampled_from([None, 1, 2, 4]),
        "judged_only": st.booleans(),
        "without_relevant": st.sampled_from(["keep", "drop"]),
        "average_over": st.sampled_from(["judged", "answered"]),
    }
)


@examples(60)
@given(judgments_of_chunks, runs_of_chunks, settings)
def test_scores_are_those_of_files_that_were_rewritten_by_hand(judgments, run, choices):
    plain = {"q1": {"z": 1}} | judgments, {"q1": {"z": 9.0}} | run
    grouped = cf.evaluate(*plain, MEASURES, group_by="#", **choices)
    by_hand = cf.evaluate(judged_by_hand(plain[0]), ranked_by_hand(plain[1]), MEASURES, **choices)
    assert np.array_equal(grouped.values, by_hand.values, equal_nan=True)
    assert np.array_equal(grouped.counted, by_hand.counted)
    assert grouped.provenance.judgments.sha256 == by_hand.provenance.judgments.sha256


@examples(20)
@given(judgments_of_chunks, runs_of_chunks)
def test_compiled_loops_over_rewritten_files_give_the_same_bits(tmp_path_factory, judgments, run):
    folder = tmp_path_factory.mktemp("chunks")
    judgments, run = {"q1": {"z": 1}} | judgments, {"q1": {"z": 9.0}} | run

    def write(name, judged, ranked):
        rows = [f"{query} 0 {doc} {grade}\n" for query, grades in judged.items() for doc, grade in grades.items()]
        lines = [f"{q} Q0 {d} 1 {s!r} x\n" for q, scores in ranked.items() for d, s in scores.items()]
        (folder / f"{name}.qrels").write_text("".join(rows))
        (folder / f"{name}.run").write_text("".join(lines))
        return folder / f"{name}.qrels", folder / f"{name}.run"

    chunked = cf.evaluate(*write("chunks", judgments, run), MEASURES, group_by=r"^(.+)#\d+$")
    by_hand = cf.evaluate(*write("hand", judged_by_hand(judgments), ranked_by_hand(run)), MEASURES)
    assert np.array_equal(chunked.values, by_hand.values, equal_nan=True)


def test_a_separator_a_pattern_and_a_mapping_say_the_same():
    judgments, run = {"q1": {"a#1": 1, "b#2": 2, "c#1": 0}}, {"q1": {"x#1": 3.0, "b#1": 2.0, "b#2": 1.0, "a#7": 0.5}}
    ids = {*judgments["q1"], *run["q1"]}
    ways = ["#", r"^(.+)#\d+$", r"(?P<n>)(?P<document>.+)#", {name: name[0] for name in ids}]
    documents = {name[0]: [other for other in ids if other[0] == name[0]] for name in ids}
    scores = [cf.evaluate(judgments, run, "AP nDCG R@2", group_by=way).values.tolist() for way in (*ways, documents)]
    assert all(one == scores[0] for one in scores)


def test_the_last_separator_counts():
    assert Separated("-").documents_of("q", ["wiki-12-3", "wiki", "-3", "a-"]) == ["wiki-12", None, None, "a"]


def test_equal_documents_are_ordered_by_their_own_ids_and_not_by_those_of_chunks():
    judgments, run = {"q1": {"a": 1}}, {"q1": {"a#9": 1.0, "b#1": 1.0}}
    assert cf.evaluate(judgments, run, "RR", group_by="#")["RR"].tolist() == [[0.5]]
    ascending = cf.evaluate(judgments, run, "RR", group_by="#", ties="document-ascending")
    assert ascending["RR"].tolist() == [[1.0]]


def test_documents_may_be_judged_where_chunks_are_retrieved():
    scores = cf.evaluate({"q1": {"a": 1, "b": 0}}, {"q1": {"b#2": 2.0, "a#1": 1.0}}, "RR", group_by="#")
    assert scores["RR"].tolist() == [[0.5]]
    assert scores.warnings == ()
    mapped = cf.evaluate({"q1": {"a": 1}}, {"q1": ["c1", "c2"]}, "RR", group_by={"c1": "b", "c2": "a"})
    assert mapped["RR"].tolist() == [[0.5]]


def test_chunks_may_be_judged_where_documents_are_retrieved():
    scores = cf.evaluate({"q1": {"a#1": 1, "b#1": 0}}, {"q1": {"b": 2.0, "a": 1.0}}, "RR", group_by="#")
    assert scores["RR"].tolist() == [[0.5]]


def test_how_many_chunks_became_how_many_documents_is_told():
    scores = cf.evaluate({"q1": {"a#1": 1, "a#2": 0}}, {"q1": ["b#1", "b#2", "a#1"], "q9": ["a#1"]}, "RR", group_by="#")
    facts = scores.provenance
    assert (facts.judgments.chunks, facts.judgments.judgments) == (2, 1)
    assert (facts.runs[0].chunks, facts.runs[0].unjudged.retrieved) == (3, 2)
    assert "Chunks count as their documents (#): judgments 2 chunks, 1 document; run 3 chunks, 2 documents." in str(
        scores
    )


class TestRanksAlone:
    """Runs without scores: what is left out closes up, and other gaps stay gaps."""

    def ranks(self, rows):
        run = cf.read_run([("q1", name, rank) for name, rank in rows], columns="query,document,rank")
        (ranking,) = Separated("#").run(run).rankings(Findings())
        return dict(zip(ranking.documents, (-ranking.scores).astype(int).tolist(), strict=True))

    def test_ranks_close_up_where_chunks_were_left_out(self):
        assert self.ranks([("a#1", 1), ("a#2", 2), ("b#1", 3), ("a#3", 4), ("c#1", 5)]) == {"a": 1, "b": 2, "c": 3}

    def test_a_gap_stays_a_gap(self):
        assert self.ranks([("a#1", 1), ("a#2", 2), ("b#1", 9)]) == {"a": 1, "b": 8}

    def test_a_repeated_rank_never_lets_what_came_later_catch_up(self):
        assert self.ranks([("a#1", 1), ("a#2", 1), ("b#1", 2)]) == {"a": 1, "b": 2}

    @examples(40)
    @given(st.lists(chunks, unique=True, min_size=1))
    def test_a_list_without_gaps_becomes_one_without_gaps(self, listed):
        ranks = self.ranks(list(zip(listed, count(1))))
        assert list(ranks) == list(dict.fromkeys(map(document, listed)))
        assert list(ranks.values()) == list(range(1, len(ranks) + 1))


class TestWhatIsWrong:
    JUDGED: ClassVar = {"q1": {"a#1": 1}}

    def message(self, error, run=None, **choices):
        with pytest.raises(error) as raised:
            cf.evaluate(self.JUDGED, {"q1": ["a#1", "b#2"]} if run is None else run, "AP", **choices)
        return str(raised.value)

    def test_a_separator_that_no_id_has_is_refused(self):
        assert "no document id of judgments and runs contains '@'" in self.message(DataError, group_by="@")
        assert "no file has that name" in self.message(DataError, group_by="chunks.tsv")

    def test_a_pattern_that_matches_nothing_is_refused(self):
        assert "matches no document id" in self.message(DataError, group_by="^(x+)$")

    def test_a_chunk_that_the_mapping_does_not_have_is_refused(self):
        assert "run, entry 2: 1 id is not in the mapping: b#2" in self.message(DataError, group_by={"a#1": "a"})
        assert "judgments: 1 id is not in the mapping: a#1" in self.message(DataError, group_by={"b#2": "b"})

    def test_a_chunk_listed_twice_is_refused_as_everywhere(self):
        run = [("q1", "a#1", 2.0), ("q1", "a#1", 1.0)]
        assert "lists document 'a#1' again" in self.message(DataError, run, group_by="#")

    def test_a_score_that_is_no_number_is_refused_as_everywhere(self):
        assert "NaN" in self.message(DataError, {"q1": {"a#1": float("nan"), "a#2": 1.0}}, group_by="#")

    def test_some_ids_without_the_separator_are_told(self):
        scores = cf.evaluate(self.JUDGED, {"q1": ["a#1", "b", "c"]}, "AP", group_by="#")
        (warning,) = scores.warnings
        assert str(warning) == ("run, entry 2: 'b' has no '#' and counts as a document of its own (and 1 more like it)")

    def test_preferences_and_strata_are_about_single_documents(self):
        rows = [("q1", "ann", 1, "a#1", 2), ("q1", "ann", 1, "a#2", 1)]
        judged = cf.read_judgments(rows, columns="query,judge,subgroup,document,grade").grouped("preference")
        with pytest.raises(UsageError, match="compare single documents, so documents cannot be grouped"):
            Separated("#").judgments(judged)


def test_a_document_has_the_best_grade_of_its_chunks_for_each_subtopic():
    rows = [("q1", 1, "a#1", 1), ("q1", 2, "a#2", 1), ("q1", 2, "b#1", 1), ("q1", 1, "b#2", 0)]
    hand = [("q1", 1, "a", 1), ("q1", 2, "a", 1), ("q1", 2, "b", 1), ("q1", 1, "b", 0)]
    columns = "query,subtopic,document,grade"
    run = {"q1": {"b#1": 3.0, "a#2": 2.0, "b#2": 1.0}}
    measures = "StRecall@1 alpha_nDCG@5 ERR_IA@5 P_IA@2"
    grouped = cf.evaluate(rows, run, measures, group_by="#", columns=columns)
    by_hand = cf.evaluate(hand, {"q1": {"b": 3.0, "a": 2.0}}, measures, columns=columns)
    assert np.array_equal(grouped.values, by_hand.values)


class TestAlternatives:
    JUDGED: ClassVar = {"q1": {"c1": 1, "c2": 1, "c3": 1, "c4": 0}, "q2": {"c1": 1, "c2": 1}}
    ANSWERS: ClassVar = {"q1": [["c1", "c2"], ["c3"]]}

    def scores(self, run, measures="R@10 AP P@2"):
        return cf.evaluate(self.JUDGED, run, measures, alternatives=self.ANSWERS)

    def test_an_answer_counts_once_whichever_of_them_was_retrieved(self):
        for chunk in ("c1", "c2"):
            scores = self.scores({"q1": [chunk], "q2": ["c1"]}, "R@10")
            assert scores["R@10"].tolist() == [[0.5, 0.5]]

    def test_further_alternatives_neither_help_nor_hurt(self):
        alone, both = ({"q1": ["c4", *some, "c3"], "q2": ["c1"]} for some in (["c2"], ["c2", "c1"]))
        assert np.array_equal(self.scores(alone).values, self.scores(both).values)

    def test_they_are_those_of_one_query_only(self):
        assert self.scores({"q1": ["c1"], "q2": ["c1", "c2"]}, "R@10")["R@10"].tolist() == [[0.5, 1.0]]

    def test_scores_are_those_of_files_rewritten_by_hand(self):
        run = {"q1": {"c2": 4.0, "c4": 3.0, "c1": 2.0, "c3": 1.0}, "q2": {"c2": 1.0}}
        by_hand = {"q1": {"c1": 4.0, "c4": 3.0, "c3": 1.0}, "q2": {"c2": 1.0}}
        judged = {"q1": {"c1": 1, "c3": 1, "c4": 0}, "q2": {"c1": 1, "c2": 1}}
        expected = cf.evaluate(judged, by_hand, MEASURES).values
        got = cf.evaluate(self.JUDGED, run, MEASURES, alternatives=self.ANSWERS).values
        assert np.array_equal(got, expected, equal_nan=True)

    def test_the_chunk_that_was_retrieved_is_known(self):
        ranking = Ranking("q1", ["c2", "c1"], np.array([2.0, 1.0]), [1, 2])
        grouped = Alternatives("x", {"q1": {"c1": "c1", "c2": "c1"}}).ranking(ranking)
        assert (grouped.documents, grouped.chunks.best) == (["c1"], ["c2"])

    def test_documents_are_grouped_in_one_way_only(self):
        with pytest.raises(UsageError, match="group_by and alternatives both say what counts once; give one"):
            cf.evaluate(self.JUDGED, {"q1": ["c1"]}, "AP", alternatives=self.ANSWERS, group_by="#")


def test_a_document_that_equals_the_query_is_dropped_after_chunks_are_put_together():
    scores = cf.evaluate({"q1": {"a": 1}}, {"q1": ["q1#1", "q1#2", "a#1"]}, "RR", group_by="#", identical="drop")
    assert scores["RR"].tolist() == [[1.0]]


def test_a_mapping_may_list_a_document_as_its_own():
    assert Mapped("m", {"c": "d", "e": "e"}).documents_of("q", ["c", "d", "e", "f"]) == ["d", "d", "e", None]
