"""Files as trec_eval reads them, and where it would go wrong, as they should be read."""

import gzip

import pytest

from cranfield.compat.trec_eval import Exit, trec_eval
from tests.compat.trec_eval.conftest import QRELS, RUN, printed
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA


def test_any_white_space_separates_and_any_second_column_goes(lines):
    expected = lines("-q")
    assert lines("-q", qrels=QRELS.replace(" 0 ", "\t1.5 \t")) == expected
    assert lines("-q", qrels="  " + QRELS.replace("\n", "\t\r\n"), run=RUN.replace("\n", "\r\n")) == expected


def test_columns_after_the_tag_and_blank_lines_of_a_run_go(lines):
    expected = lines("-q")
    assert lines("-q", run="\n" + RUN.replace("bm25\n", "bm25 more junk\n\n  \n")) == expected


def test_a_last_line_need_not_end(lines):
    assert lines("-q", qrels=QRELS.rstrip(), run=RUN.rstrip()) == lines("-q")


def test_the_rank_column_decides_nothing(lines):
    assert lines("-q", run=RUN.replace(" 1 ", " x ").replace(" 2 ", " 1 ")) == lines("-q")


def test_the_run_s_name_is_the_tag_of_its_last_line(lines):
    assert lines("-m runid", run=RUN + "q9 Q0 a 1 1 dense\n") == {"runid all": "dense"}


def test_lines_of_a_query_may_be_scattered(lines):
    first, *others = RUN.splitlines(keepends=True)
    assert lines("-q", run="".join([*others, first])) == lines("-q", run=RUN)


def test_queries_nobody_judged_are_passed_over(lines):
    assert lines("-q", run="q0 Q0 a 1 1 bm25\n" + RUN + "q9 Q0 a 1 1 bm25\n") == lines("-q")


def test_ids_are_bytes(evaluated):
    outcome = evaluated(
        "-q -m map", qrels=b"q\xe9 0 \xff 1\nq\xc3\xa9 0 d 1\n", run=b"q\xe9 Q0 \xff 1 1 t\xe4g\nq\xc3\xa9 Q0 d 1 1 x\n"
    )
    assert b"map                   \tq\xc3\xa9\t1.0000\nmap                   \tq\xe9\t1.0000\n" in outcome.output


def test_equal_scores_come_by_the_bytes_of_the_document_id_last_first(lines):
    run = "q1 Q0 a 1 1 x\nq1 Q0 b 2 1 x\nq1 Q0 é 3 1 x\nq1 Q0 c 4 1 x\n"
    qrels = "q1 0 é 3\nq1 0 c 2\nq1 0 b 1\nq1 0 a 0\n"
    assert lines("-q -m relstring", qrels=qrels, run=run) == {"relstring q1": "'3210'"}


def test_version_9_compares_scores_in_single_precision(lines):
    run = "q1 Q0 a 1 1.00000001 x\nq1 Q0 b 2 1.0 x\n"
    qrels = "q1 0 a 1\n"
    assert lines("-m recip_rank", qrels=qrels, run=run) == {"recip_rank all": "1.0000"}
    assert lines("-m recip_rank --like 9.0.8", qrels=qrels, run=run) == {"recip_rank all": "0.5000"}


def test_files_may_be_compressed_or_a_pipe(tmp_path, lines):
    expected = lines()
    (tmp_path / "qrels.gz").write_bytes(gzip.compress(QRELS.encode()))
    (tmp_path / "run.gz").write_bytes(gzip.compress(RUN.encode()))
    assert printed(trec_eval([str(tmp_path / "qrels.gz"), str(tmp_path / "run.gz")])) == expected


# Comments


def test_version_10_passes_over_lines_that_start_with_a_hash(lines):
    expected = lines("-q")
    assert (
        lines("-q", qrels="# judged by\n# three people\n" + QRELS + "# the end\n", run="# x\n" + RUN + "  # y")
        == expected
    )


def test_a_hash_inside_an_id_is_a_letter(lines):
    assert lines("-q -m map", qrels="q#1 0 d#1 1\n", run="q#1 Q0 d#1 1 1 x\n") == {
        "map q#1": "1.0000",
        "map all": "1.0000",
    }


def test_version_9_knows_no_comments(evaluated):
    outcome = evaluated("--like 9.0.8", qrels="# judged by three\npeople\n" + QRELS)
    assert outcome.code == Exit.INPUT
    assert "qrels.txt, line 2: Malformed line: 1 column where judgments have 4" in outcome.messages[0]


# What is wrong


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"qrels": "q1 0 a\n"}, "qrels.txt, line 1: Malformed line: 3 columns where judgments have 4 (query iteration"),
        ({"qrels": QRELS + "q1 0 a 1 extra\n"}, "line 5: Malformed line: 5 columns where judgments have 4"),
        ({"qrels": QRELS + "\n"}, "line 5: Malformed line: a blank line where judgments have 4"),
        ({"qrels": "# only a comment\n\n" + QRELS}, "line 2: Malformed line: a blank line"),
        ({"run": RUN + "q1 Q0 a 1 3.0\n"}, "bm25.run, line 6: Malformed line: 5 columns where a run has 6"),
        ({"qrels": ""}, "qrels.txt: the file is empty"),
        ({"run": ""}, "bm25.run: the file is empty"),
        ({"run": "\n\n"}, "bm25.run: no results found"),
        ({"qrels": "# nothing\n"}, "qrels.txt: no judgments found"),
        (
            {"run": RUN + "q1 Q0 z 9 nan bm25\n"},
            "bm25.run, line 6: the score is 'nan', which cannot be ranked",
        ),
        ({"run": b"\x1f\x8b damaged"}, "the compressed data are damaged"),
    ],
)
def test_a_file_that_cannot_be_read_exits_2_and_says_where(evaluated, files, said):
    outcome = evaluated("-q", **files)
    assert outcome.code == Exit.INPUT
    assert said in outcome.messages[0]
    assert outcome.output == b""


def test_a_missing_file_exits_2_and_near_names_are_told(tmp_path):
    (tmp_path / "qrels.txt").write_text(QRELS)
    outcome = trec_eval([str(tmp_path / "qrel.txt"), "run"])
    assert outcome.code == Exit.INPUT
    assert "there is no such file" in outcome.messages[0]
    assert "qrels.txt" in outcome.messages[0]


# What trec_eval takes for a number


@pytest.mark.parametrize(("grade", "counts_as"), [("0.7", 0), ("1.9", 1), ("relevant", 0), ("1e1", 1)])
def test_a_grade_that_is_no_whole_number_is_cut_and_told(evaluated, grade, counts_as):
    outcome = evaluated("-q -m relstring", qrels=f"q1 0 a {grade}\nq2 0 a 1\n")
    assert printed(outcome)["relstring q1"] == f"'{counts_as}--'"
    assert outcome.code == 0
    assert f"line 1: the grade '{grade}' is no whole number and counts as {counts_as}" in outcome.messages[0]


def test_of_several_such_grades_the_first_is_told(evaluated):
    outcome = evaluated("-m map", qrels="".join(f"q1 0 d{number} 0.{number}\n" for number in range(1, 30)))
    assert "line 1: the grade '0.1' is no whole number" in outcome.messages[0]


@pytest.mark.parametrize(("score", "counts_as"), [("best", "0"), ("2.5x", "2.5"), ("1_000", "1")])
def test_a_score_that_is_no_number_counts_as_far_as_it_goes_and_is_told(evaluated, score, counts_as):
    read_as = evaluated("-q -m relstring", run=RUN.replace("3.0", counts_as))
    outcome = evaluated("-q -m relstring", run=RUN.replace("3.0", score))
    assert outcome.output == read_as.output
    assert f"bm25.run, line 1: the score '{score}' is no number and counts as {counts_as}" in outcome.messages[0]


@pytest.mark.parametrize("score", ["inf", "-inf", "1e400", "0x1p3", "+5", "-.5e-3"])
def test_a_score_may_be_written_in_any_way_c_reads(evaluated, score):
    outcome = evaluated("-q -m relstring", run=RUN.replace("3.0", score))
    assert (outcome.code, outcome.messages) == (0, ())


def test_warnings_are_told_once_for_each_file(evaluated):
    outcome = evaluated(qrels=QRELS.replace(" 2\n", " 2.5\n").replace(" 1\n", " 1.5\n"), run=RUN.replace("0\n", "0x\n"))
    assert len(outcome.messages) == 1


# Documents listed twice


def test_a_document_twice_in_a_ranking_exits_4(evaluated):
    outcome = evaluated(run=RUN + "q1 Q0 a 9 0.1 bm25\n")
    assert outcome.code == Exit.CALCULATION
    assert "duplicate docs a: query 'q1' has it twice in the run" in outcome.messages[0]


def test_a_document_twice_below_the_depth_or_in_an_unjudged_query_does_no_harm(lines):
    assert lines("-M 3 -q", run=RUN + "q1 Q0 a 9 0.1 bm25\n") == lines("-M 3 -q")
    assert lines("-q", run="q9 Q0 a 1 1 x\nq9 Q0 a 2 1 x\n" + RUN) == lines("-q")


@pytest.mark.parametrize("grade", [2, 0])
def test_a_document_judged_twice_exits_4_if_its_query_is_evaluated(evaluated, lines, grade):
    outcome = evaluated(qrels=QRELS + f"q1 0 a {grade}\n")
    assert outcome.code == Exit.CALCULATION
    assert "duplicate docs a: query 'q1' has it twice in the judgments" in outcome.messages[0]
    not_evaluated = QRELS + f"q3 0 a 1\nq3 0 a {grade}\n"
    assert lines("--like 9.0.8 -q", qrels=not_evaluated) == lines("--like 9.0.8 -q")


@pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)
@pytest.mark.parametrize("version", ["10.0", "9.0.8"])
def test_a_real_run_with_repeated_documents_is_refused_as_by_trec_eval(version):
    qrels = SHARED_DATA / "05-beir-scifact" / "qrels.trec.txt"
    run = SHARED_DATA / "13-dirty-inputs" / "duplicate-docs.run.gz"
    outcome = trec_eval(["--like", version, str(qrels), str(run)])
    assert outcome.code == Exit.CALCULATION
    assert "duplicate docs " in outcome.messages[0]


@pytest.mark.parametrize("arguments", [["", "bm25.run"], ["-Z", "", "qrels.txt", "bm25.run"]])
def test_an_empty_path_exits_2(evaluated, tmp_path, monkeypatch, arguments):
    evaluated()  # writes the files
    monkeypatch.chdir(tmp_path)
    outcome = trec_eval(arguments)
    assert (outcome.code, outcome.output) == (Exit.INPUT, b"")
    assert "The path is empty" in outcome.messages[0]
