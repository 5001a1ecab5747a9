import pytest

import cranfield as cf
from cranfield.errors import DataError
from cranfield.kernels import CHOICE
from tests.formats.reading import judged, retrieved, wrong_in_judgments, wrong_in_run

RUN = "q1 Q0 d1 1 2.5 tag\nq1 Q0 d2 2 1 tag\nq2 Q0 d1 1 0.5 tag\n"


def test_any_blanks_separate_and_lines_may_end_as_on_windows(write):
    assert judged(write("q1\t 0  d1\t2\r\n  q1 0 d2 0\r\n")) == {"q1": {"d1": 2, "d2": 0}}


def test_only_ascii_blanks_separate(write):
    assert judged(write("q1 0 a\u00a0b\u2003c 1\n")) == {"q1": {"a\u00a0b\u2003c": 1}}


def test_the_last_line_needs_no_end_and_blank_lines_are_skipped(write):
    assert judged(write("\nq 0 a 1\n\n  \nq 0 b 2")) == {"q": {"a": 1, "b": 2}}


def test_comments_are_skipped_wherever_they_stand(write):
    assert judged(write("# a\n# b\nq 0 a 1\n# c\nq 0 b 1\n#d")) == {"q": {"a": 1, "b": 1}}
    assert list(retrieved(write("# made by hand\n" + RUN + "# end"))) == ["q1", "q2"]


def test_a_number_sign_inside_an_id_is_no_comment(write):
    assert judged(write("q 0 doc#4 1\n")) == {"q": {"doc#4": 1}}


@pytest.mark.parametrize("text", ["#q1 0 d1 1\nq1 0 d2 1\n", "q1 0 d2 1\n#q1 0 d1 1\n"])
def test_a_comment_that_reads_as_a_record_is_an_error(write, text):
    (finding,) = wrong_in_judgments(write(text))
    assert (finding.kind, finding.text) == ("commented-record", "#q1 0 d1 1")


def test_a_record_commented_out_with_a_blank_is_a_comment(write):
    assert judged(write("# q1 0 d1 1\nq1 0 d2 1\n")) == {"q1": {"d2": 1}}
    assert list(retrieved(write("# q1 Q0 d1 1 2.5 tag\n" + RUN))) == ["q1", "q2"]


def test_every_wrong_line_is_told_with_its_number(write):
    findings = wrong_in_judgments(write("q 0 a 1\nq 0 b\n\nq 0 c x\nq 0 d nan\nq 0 e 1 2\nq 0 f inf\nq 0 g 1_0\n"))
    assert [(finding.line, finding.kind) for finding in findings] == [
        (2, "wrong-column-count"),
        (4, "grade-not-a-number"),
        (5, "grade-not-a-number"),
        (6, "wrong-column-count"),
        (7, "grade-not-a-number"),
        (8, "grade-not-a-number"),
    ]


def test_line_numbers_are_right_deep_in_a_large_file(write):
    lines = [f"q{at // 100} Q0 d{at} {at % 100 + 1} {1000 - at % 100} t" for at in range(60_000)]
    lines[45_678] = "q456 Q0 d45678 79 none t"
    (finding,) = wrong_in_run(write("\r\n".join(lines)))
    assert finding.line == 45_679


def test_bytes_that_are_no_text_in_utf_8_are_an_error(write):
    (finding,) = wrong_in_judgments(write(b"q 0 a 1\nq 0 caf\xe9 1\n"))
    assert (finding.kind, finding.line) == ("not-utf-8", 2)


class TestColumnsThatAreNotWhatTheySeem:
    """A blank in an id moves the columns on: the rank would be read as the score."""

    @pytest.mark.parametrize(
        "line",
        [
            "q1 Q0 my doc 2 11.5 bm25",
            "q1 Q0 doc 7 2 11.5 bm25",
            "my query Q0 doc 2 11.5 bm25",
            "q1 Q0 my doc 2 11.5",
        ],
    )
    @pytest.mark.parametrize("kernels", ["plain", "compiled"])
    def test_a_blank_in_an_id_is_an_error(self, write, monkeypatch, line, kernels):
        monkeypatch.setenv(CHOICE, kernels)
        run = write(f"q1 Q0 d1 1 12.5 bm25\n{line}\nq1 Q0 d3 3 10.5 bm25\n")
        (finding,) = wrong_in_run(run)
        assert (finding.kind, finding.line, finding.text) == ("blank-in-id", 2, line)
        with pytest.raises(DataError, match="the rank stands in the score's column"):
            cf.evaluate({"q1": {"d1": 1}}, run, "RR")

    def test_tags_may_hold_blanks_or_be_numbers(self, write):
        assert retrieved(write("q1 Q0 d1 1 12.5 two words\nq1 Q0 d2 2 11.5 two words\n"))["q1"]["d2"] == 11.5
        assert retrieved(write("q1 Q0 d1 1 12 7\nq1 Q0 d2 2 11 7\n"))["q1"]["d2"] == 11
        assert retrieved(write("q1 Q0 d1 1 12.5 2 stages\n"))["q1"]["d1"] == 12.5


class TestTags:
    def warnings(self, write, text):
        return [str(warning) for warning in cf.evaluate({"q1": {"d1": 1}}, write(text), "RR").warnings]

    @pytest.mark.parametrize("kernels", ["plain", "compiled"])
    def test_several_tags_in_one_run_are_told(self, write, monkeypatch, kernels):
        monkeypatch.setenv(CHOICE, kernels)
        (warning,) = self.warnings(write, "q1 Q0 d1 1 3 bm25\nq1 Q0 d2 2 2 bm25\nq2 Q0 d1 1 3 dense\n")[:1]
        assert "the run has 2 tags: bm25 on 2 lines, dense on 1 line; all lines are read as one run" in warning

    @pytest.mark.parametrize("kernels", ["plain", "compiled"])
    def test_a_last_line_that_ends_within_its_tag_is_told(self, write, monkeypatch, kernels):
        monkeypatch.setenv(CHOICE, kernels)
        (warning,) = self.warnings(write, "q1 Q0 d1 1 3 my-long-tag\nq1 Q0 d2 2 2 my-long-tag\nq1 Q0 d3 3 1 my-lo")
        assert "line 3: the last line has the tag 'my-lo', all others 'my-long-tag': the file looks cut off" in warning

    @pytest.mark.parametrize("tag", ["t", "bm25", "12345678", "123456789", "a-longer-tag-of-a-system"])
    def test_one_tag_is_nothing_to_tell(self, write, tag):
        text = "".join(f"q{query} Q0 d{at} {at} {-at} {tag}\n" for query in range(1, 9) for at in range(1, 9))
        assert self.warnings(write, text)[1:] == []
        assert "tag" not in self.warnings(write, text)[0]
