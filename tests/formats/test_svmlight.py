"""SVMlight files of learning to rank: grades are judgments, and a feature is a run."""

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError
from tests.formats.reading import judged, kinds, retrieved, wrong_in_judgments, wrong_in_run

RANKLIB = "3 qid:1 1:1 2:0.5 # 1A\n2 qid:1 1:0 2:0.2 # 1B\n1 qid:2 1:0 2:0.1 # 2A\n"
LETOR = (
    "2 qid:10032 1:0.05 2:0.1 #docid = GX029-35-5894638 inc = 0.01 prob = 0.13\n0 qid:10032 1:0.3 #docid = GX030-77\n"
)
MSLR = "2 qid:1 1:3 2:3\n0 qid:1 1:1 2:0\n1 qid:2 1:4 2:1\n"

QUEPID = '\n3 qid:1 # sku1 red shoes\n\n0 qid:1 # sku2 red shoes\n\n1 qid:2 # sku;1 boots; "x"\n'
OLDER_QUEPID = (
    '\n3    qid:1 #    sku1; "red shoes"\n\n0    qid:1 #    sku2; "red shoes"\n\n1    qid:2 #    sku;1; "boots"\n'
)


class TestJudgments:
    def test_are_the_labels_of_ranklib(self, write):
        assert judged(write(RANKLIB)) == {"1": {"1A": 3, "1B": 2}, "2": {"2A": 1}}

    def test_documents_of_letor_are_named_next_to_other_facts(self, write):
        assert judged(write(LETOR)) == {"10032": {"GX029-35-5894638": 2, "GX030-77": 0}}

    def test_documents_without_names_are_counted_and_that_is_told(self, write):
        judgments = cf.read_judgments(write(MSLR))
        assert judgments["1"] == {"1": 2, "2": 0}
        assert judgments["2"] == {"1": 1}
        assert kinds(judgments.warnings) == ["numbered-documents"]

    def test_blank_lines_comments_and_windows_line_ends_do_not_matter(self, write):
        assert judged(write("# made by hand\r\n\r\n" + RANKLIB.replace("\n", "\r\n"))) == judged(write(RANKLIB))

    def test_a_document_may_have_a_sign(self, write):
        assert judged(write("1 qid:q # a#2\n")) == {"q": {"a#2": 1}}

    @pytest.mark.parametrize("text", [QUEPID, OLDER_QUEPID])
    def test_the_first_word_is_the_document_where_the_query_follows_and_that_is_told(self, write, text):
        judgments = cf.read_judgments(write(text))
        assert {query: judgments[query] for query in judgments} == {"1": {"sku1": 3, "sku2": 0}, "2": {"sku;1": 1}}
        (warning,) = judgments.warnings
        assert (warning.kind, warning.line) == ("words-behind-document", 2)
        assert "the first is the document id, as 'sku1' here" in warning.message

    def test_they_meet_the_documents_of_a_run(self, write):
        scores = cf.evaluate(write(QUEPID), {"1": ["sku1", "sku2"], "2": ["sku;1"]}, "AP")
        assert scores.means() == {"AP": 1}

    def test_a_word_that_begins_different_comments_of_a_query_may_not_be_the_document(self, write):
        (finding,) = [
            one for one in wrong_in_judgments(write("1 qid:1 # 1 a\n1 qid:1 # 1 b\n")) if one.severity == "error"
        ]
        assert (finding.kind, finding.line) == ("unclear-document", 2)


class TestRuns:
    def test_a_feature_is_named(self, write):
        assert retrieved(write(RANKLIB), columns={"score": "2"}) == {"1": {"1A": 0.5, "1B": 0.2}, "2": {"2A": 0.1}}

    def test_the_only_feature_needs_no_name(self, write):
        assert retrieved(write("1 qid:q 1:0.5 # a\n0 qid:q # b\n"), format="svmlight") == {"q": {"a": 0.5, "b": 0}}

    def test_of_several_one_has_to_be_chosen(self, write):
        (finding,) = wrong_in_run(write(RANKLIB), format="svmlight")
        assert finding.kind == "several-features"
        assert 'columns={"score": 1}' in finding.advice

    def test_a_run_and_the_judgments_of_one_file_meet(self, write):
        path = write(MSLR)
        scores = cf.evaluate(path, cf.read_run(path, columns={"score": "1"}), "nDCG@10")
        assert np.array_equal(scores["nDCG@10"], [[1, 1]])


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("high qid:1 1:0 # a\n", "grade-not-a-number"),
        ("nan qid:1 1:0 # a\n", "grade-not-a-number"),
        ("1e300 qid:1 1:0 # a\n", "grade-not-a-number"),
        ("1 2 qid:1 # a\n", "not-svmlight"),
        ("1 qid: # a\n", "not-svmlight"),
        ("1\n", "not-svmlight"),
        ("1 qid:1 1:0\n", "no-document"),
        ("3 qid:1 # 1A\n", None),
        ("4 qid:1 # 1A\n", "contradiction"),
    ],
)
def test_a_line_that_is_wrong_is_told_with_its_number(write, line, kind):
    path = write((RANKLIB + line).encode())
    if kind is None:
        assert kinds(cf.read_judgments(path).warnings) == ["judged-twice"]
        return
    (finding,) = wrong_in_judgments(path)
    assert (finding.kind, finding.line) == (kind, 4)


def test_what_is_not_utf8_is_refused(write):
    assert kinds(wrong_in_judgments(write(RANKLIB.encode() + b"1 qid:1 # \xff\n"))) == ["not-utf-8"]


def test_a_score_that_is_no_number_is_refused(write):
    assert kinds(wrong_in_run(write("1 qid:q 1:high # a\n"), columns={"score": "1"})) == ["score-not-a-number"]


def test_other_columns_are_not_there(write):
    with pytest.raises(UsageError, match="an SVMlight file has features and no columns"):
        cf.read_judgments(write(RANKLIB), columns={"grade": "label"})
    with pytest.raises(DataError, match="no judgments found"):
        cf.read_judgments(write("# nothing\n"), format="svmlight")
