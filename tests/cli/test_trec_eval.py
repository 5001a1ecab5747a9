"""trec_eval as a command: standard output, standard error and exit code as a script sees them."""

import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import RUN

TREC_EVAL = f"'{Path(sys.executable).parent / 'cranfield'}' trec-eval"


def test_it_prints_what_trec_eval_prints(cranfield):
    done = cranfield("trec-eval", "-q", "-m", "map", "-mP.1", "qrels.txt", "bm25.run")
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout == (
        "map                   \tq1\t0.8333\n"
        "P_1                   \tq1\t1.0000\n"
        "map                   \tq2\t0.5000\n"
        "P_1                   \tq2\t0.0000\n"
        "map                   \tall\t0.6667\n"
        "P_1                   \tall\t0.5000\n"
    )


def test_h_and_v_are_trec_eval_s_own(cranfield):
    for letter in ("-h", "--help"):
        assert cranfield("trec-eval", letter).stdout.startswith("Usage: cranfield trec-eval [OPTIONS] QRELS RUN\n")
    done = cranfield("trec-eval", "-v")
    assert (done.stdout, done.stderr, done.returncode) == ("", "trec_eval version 10.0-rc3\n", 0)


def test_exit_codes_are_trec_eval_s(cranfield, folder):
    (folder / "other.run").write_text(RUN.replace("q1", "q7").replace("q2", "q8"))
    (folder / "twice.run").write_text(RUN + "q1 Q0 d1 9 0.1 bm25\n")
    assert cranfield("trec-eval").returncode == 1
    assert cranfield("trec-eval", "--no-such-option", "qrels.txt", "bm25.run").returncode == 1
    assert cranfield("trec-eval", "-m", "nothing", "qrels.txt", "bm25.run").returncode == 1
    assert cranfield("trec-eval", "qrels.txt", "nowhere.run").returncode == 2
    assert cranfield("trec-eval", "qrels.txt", "twice.run").returncode == 4
    assert cranfield("trec-eval", "qrels.txt", "other.run").returncode == 7


def test_a_run_comes_from_standard_input_or_a_pipe(cranfield, folder):
    expected = cranfield("trec-eval", "qrels.txt", "bm25.run").stdout
    assert expected.startswith("runid")
    assert cranfield("trec-eval", "qrels.txt", "-", stdin=RUN).stdout == expected
    piped = subprocess.run(
        ["bash", "-c", f"{TREC_EVAL} <(cat qrels.txt) <(cat bm25.run)"], capture_output=True, check=False
    )
    assert piped.stdout.decode() == expected


def test_after_two_dashes_a_name_may_begin_with_a_dash(cranfield, folder):
    (folder / "-q").write_text(RUN)
    done = cranfield("trec-eval", "-m", "num_q", "--", "qrels.txt", "-q")
    assert done.stdout == "num_q                 \tall\t2\n"


def test_a_reader_that_goes_away_is_no_error(folder):
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {TREC_EVAL} -q -m all_trec qrels.txt bm25.run | head -1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("num_ret               \tq1\t3\n", "", 0)
