import pytest

import cranfield as cf
from cranfield import errors

NEVER_MEETING = [
    (["001", "002"], ["1", "2"], "without leading zeros (001 / 1)"),
    (["q01", "q02"], ["q1", "q2"], "without leading zeros (q01 / q1)"),
    (["0ab", "0cd"], ["ab", "cd"], "without leading zeros (0ab / ab)"),
    (["Q1", "Q2"], ["q1", "q2"], "ignoring case (Q1 / q1)"),
    (["1", "2"], ["1 ", "2 "], "without blanks around them (1 / '1 ')"),
    (["1", "2"], ["1.0", "2.0"], "without .0 at the end (1 / 1.0)"),
    (["1", "2"], ["q1", "q2"], "without the prefix 'q' (1 / q1)"),
    (["00123", "00456"], ["123.0", "456.0"], "without leading zeros and .0 at the end (00123 / 123.0)"),
    (["d0020", "d0056"], ["20", "56"], "without the prefix 'd' and leading zeros (d0020 / 20)"),
    (["red shoes", '5" pipe, café'], ["5-pipe-café", "red_shoes"], "ignoring case and punctuation"),
    (["msmarco_passage_7", "msmarco_passage_9"], ["9", "7"], "without the prefix 'msmarco_passage_'"),
]


@pytest.mark.parametrize(("judged", "retrieved", "hint"), NEVER_MEETING)
def test_ids_that_would_meet_if_written_alike_come_with_that_advice(judged, retrieved, hint):
    finding = errors.ids.ids_never_meet("query", "qrels.txt", "bm25.run", judged, retrieved)
    assert hint in finding.advice


@pytest.mark.parametrize(
    ("judged", "retrieved", "separator", "pair"),
    [
        (["d1", "d2"], ["d2#c4", "d9#c1"], "#", "d2#c4 / d2"),
        (["d1_0", "d2_1"], ["d3", "d2"], "_", "d2_1 / d2"),
        (["a-b", "c-d"], ["a-b::0", "a-b::1"], "::", "a-b::0 / a-b"),
    ],
)
def test_chunks_of_judged_documents_come_with_the_advice_to_count_documents(judged, retrieved, separator, pair):
    finding = errors.ids.ids_never_meet("document", "qrels.txt", "bm25.run", judged, retrieved)
    assert finding.advice.startswith(f"These look like chunks and documents ({pair})")
    assert f'group_by="{separator}"' in finding.advice
    assert (
        cf.evaluate({"q": dict.fromkeys(judged, 1)}, {"q": retrieved}, "R@10", group_by=separator).means()["R@10"] > 0
    )


@pytest.mark.parametrize("what", ["query", "document"])
def test_ids_that_only_begin_alike_are_no_chunks(what):
    finding = errors.ids.ids_never_meet(what, None, None, ["MARCO_12", "MARCO_14"], ["MARCO_17", "MARCO_12_3"])
    assert finding.advice == "Check that judgments and run belong to the same collection."


def test_ids_that_are_alike_already_need_no_other_spelling():
    finding = errors.ids.ids_never_meet("document", None, None, ["d1", "d9"], ["d9", "d7"])  # of different queries
    assert finding.advice == "Check that judgments and run belong to the same collection."


def test_ids_that_never_meet_are_shown_three_of_each():
    finding = errors.ids.ids_never_meet("query", "qrels.txt", "bm25.run", list("abcd"), list("wxyz"))
    assert str(finding) == (
        "bm25.run: no query in common with qrels.txt: judged queries are a, b, c, …; queries of the run are w, x, y, …"
    )
    assert finding.advice == "Check that judgments and run belong to the same collection."


def test_digits_at_the_end_of_other_numbers_are_no_prefix():
    finding = errors.ids.ids_never_meet("query", None, None, ["301", "302"], ["1", "2"])
    assert "prefix" not in finding.advice


def test_zeros_behind_a_decimal_point_do_not_lead():
    assert errors.ids.would_meet(["1.05"], ["1.5"]) == ""


class TestOtherSpelling:
    def test_ids_without_a_partner_are_counted_and_one_pair_is_shown(self):
        words = errors.ids.other_spelling(["007", "008", "050"], ["7", "8", "99"], "judged queries")
        assert words == "; without leading zeros, 2 match judged queries (007 / 7): use one spelling in both files"

    def test_one_is_singular(self):
        words = errors.ids.other_spelling(["Q1"], ["q1"], "judged queries")
        assert words.startswith("; ignoring case, 1 matches judged queries")

    @pytest.mark.parametrize(("judged", "retrieved"), [([], ["1"]), (["1"], []), (["a"], ["b"])])
    def test_nothing_to_bring_together_is_told_with_nothing(self, judged, retrieved):
        assert errors.ids.other_spelling(judged, retrieved, "judged queries") == ""

    def test_one_id_that_ends_like_another_is_chance(self):
        judged = ["blue car", *(f"judged {number}" for number in range(9))]
        retrieved = ["car", *(f"retrieved {number}" for number in range(9))]
        assert errors.ids.other_spelling(judged, retrieved, "judged queries") == ""

    def test_a_prefix_is_found_wherever_the_ids_stand(self):
        judged = [f"topic-{number}" for number in range(1000)]
        retrieved = [str(number) for number in range(1999, -1, -1)]
        assert "'topic-', 1,000 match" in errors.ids.other_spelling(judged, retrieved, "judged queries")
