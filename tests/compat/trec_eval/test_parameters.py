import pytest

from cranfield.compat.trec_eval.outcome import Exit, TrecEvalError
from cranfield.compat.trec_eval.parameters import pairs, real_cutoffs, real_values, whole_cutoffs


def test_cutoffs_of_several_requests_are_one_list_smallest_first():
    assert whole_cutoffs(["10,5", "10,20"]) == [5, 10, 20]
    assert real_cutoffs([".5,.1", "1"]) == [0.1, 0.5, 1]


def test_values_stay_in_their_order():
    assert real_values("2,1,2") == [2, 1, 2]


def test_gains_are_named():
    assert pairs("1=3,2=9.5") == {"1": 3, "2": 9.5}


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda: whole_cutoffs(["5,5"]), "duplicate cutoffs detected in '5,5'"),
        (lambda: whole_cutoffs(["0,5"]), "a cutoff of 0 was found"),
        (lambda: real_values("1e200"), "a number must lie between"),
        (lambda: pairs("1=3,2"), "malformed pair parameters in '1=3,2'"),
        (lambda: pairs("1=3,1=4"), "names 1 twice"),
    ],
)
def test_what_cannot_be_a_parameter_exits_2(read, message):
    with pytest.raises(TrecEvalError) as error:
        read()
    assert error.value.code == Exit.INPUT
    assert message in str(error.value)
