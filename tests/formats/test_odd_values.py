"""Values that some format can spell and no evaluation can use."""

import io

import pytest

import cranfield as cf
from cranfield.checking import check


@pytest.mark.parametrize(
    "text",
    [
        '{"q": {"d": 1' + "0" * 400 + "}}",
        '{"q": {"d": 1' + "0" * 5000 + "}}",
        '{"q": {"\\ud800": 1}}',
        '{"q": {"d": 1' + "0" * 150 + "}}",
        "[]",
    ],
    ids=["a number of 400 digits", "of 5000 digits", "half a character", "a grade beyond all sense", "nothing"],
)
def test_json_that_holds_them_is_refused_and_never_a_traceback(text, tmp_path):
    with pytest.raises(cf.DataError):
        cf.read_judgments(io.StringIO(text))
    (tmp_path / "odd.json").write_text(text)
    assert not check(tmp_path / "odd.json").ok


def test_a_text_file_in_another_encoding_is_told(tmp_path):
    (tmp_path / "latin1.run").write_bytes("q Q0 caf\xe9 1 1.0 x\n".encode("latin-1"))
    with (tmp_path / "latin1.run").open(encoding="utf-8") as opened, pytest.raises(cf.DataError, match="UTF-8"):
        cf.read_run(opened)


def test_a_closed_file_is_told(tmp_path):
    (tmp_path / "a.run").write_text("q Q0 d 1 1.0 x\n")
    with (tmp_path / "a.run").open() as opened:
        pass
    with pytest.raises(cf.DataError, match="closed"):
        cf.read_run(opened)
