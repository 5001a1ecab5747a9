import pytest

from cranfield.compat.trec_eval.outcome import Exit, TrecEvalError
from cranfield.compat.trec_eval.versions import NINE, TEN, version_like


@pytest.mark.parametrize(("number", "version"), [("10.0", TEN), ("10", TEN), ("9.0.8", NINE), ("9.0.4", NINE)])
def test_a_version_is_known_by_its_first_number(number, version):
    assert version_like(number) is version


@pytest.mark.parametrize("number", ["8.1", "", "ten"])
def test_another_version_is_wrong_usage(number):
    with pytest.raises(TrecEvalError, match=r"known are 10\.0 and 9\.0\.8") as error:
        version_like(number)
    assert error.value.code == Exit.USAGE
