"""Values told as deviations from means of other runs."""

from cranfield.compat.trec_eval import Exit
from tests.compat.trec_eval.conftest import printed


def test_a_value_is_told_in_standard_deviations_from_its_mean(evaluated, tmp_path):
    means = tmp_path / "means"
    means.write_text("q1 map 0.5 0.25\nq2 map 0.25 0.5\nq1 num_ret 3 0\nq2 num_ret 9 0\n")
    outcome = evaluated(f"-q -Z {means} -m map -m num_ret -m relstring.3 -m runid -m num_q")
    assert printed(outcome) == {
        "Znum_ret q1": "0.0000",  # as the mean, from which no run deviated
        "Zmap q1": "1.3333",
        "relstring_3 q1": "'2-1'",
        "Znum_ret q2": "-1000000.0000",  # not as it
        "Zmap q2": "0.5000",
        "relstring_3 q2": "'-1'",
        "runid all": "bm25",
        "Znum_q all": "2.0000",
        "Znum_ret all": "-1000000.0000",
        "Zmap all": "0.9167",
    }


def test_a_value_without_a_mean_is_told_as_minus_a_million(evaluated, tmp_path):
    (tmp_path / "means").write_text("q1 map 0.5 0.25\n")
    found = printed(evaluated(f"-q -Z {tmp_path / 'means'} -m map -m P.1"))
    assert found["Zmap q2"] == found["ZP_1 q1"] == "-1000000.0000"


def test_a_mean_that_is_no_number_keeps_its_sign(evaluated, tmp_path):
    (tmp_path / "means").write_text("q1 map nan nan\nq2 map -nan 1\n")
    found = printed(evaluated(f"-q -Z {tmp_path / 'means'} -m map"))
    assert (found["Zmap q1"], found["Zmap q2"]) == ("nan", "-nan")


def test_a_file_of_means_that_cannot_be_read_exits_2(evaluated, tmp_path):
    assert evaluated("-Z nowhere").code == Exit.INPUT
    (tmp_path / "means").write_text("q1 map 0.5\n")
    outcome = evaluated(f"-Z {tmp_path / 'means'}")
    assert outcome.code == Exit.INPUT
    assert "means, line 1: Malformed line: 3 columns where means of runs have 4" in outcome.messages[0]


def test_a_deviation_beyond_all_numbers_is_infinite(evaluated, tmp_path):
    (tmp_path / "means").write_text("q1 map -1e300 1e-300\nq2 map 0 1\n")
    assert printed(evaluated(f"-q -Z {tmp_path / 'means'} -m map"))["Zmap q1"] == "inf"
