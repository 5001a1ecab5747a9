import unicodedata

import pytest

from cranfield.data.judge_names import folded_name, judge_name
from cranfield.errors import UsageError


@pytest.mark.parametrize("name", ["Zoë", unicodedata.normalize("NFD", "Zoë"), " zoë ", "ZOË"])
def test_spellings_that_look_alike_are_one_judge(name):
    assert folded_name(name) == folded_name("zoë")


@pytest.mark.parametrize("name", ["", "   ", "a" * 101, "ada\x1b[31m", "ada\u202e", "a\0b"])
def test_names_that_nobody_could_read_are_refused(name):
    with pytest.raises(UsageError, match="1 to 100 printable characters"):
        judge_name(name)
