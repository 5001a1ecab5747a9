"""Values that some format can spell and no evaluation can use."""

import io
import json
from collections import defaultdict

import pandas as pd
import pyarrow as pa
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
        '{"q": {"d\\u0000": 1}}',
        "[]",
    ],
    ids=["a number of 400 digits", "of 5000 digits", "half a character", "a grade beyond all sense", "NUL", "nothing"],
)
def test_json_that_holds_them_is_refused_and_never_a_traceback(text, tmp_path):
    with pytest.raises(cf.DataError):
        cf.read_judgments(io.StringIO(text))
    (tmp_path / "odd.json").write_text(text)
    assert not check(tmp_path / "odd.json").ok


NUL_IDS = {
    "dictionary": lambda query, document: {query: {document: 1.5}, "q2": {"d2": 0.5}},
    "default dictionary": lambda query, document: defaultdict(dict, {query: {document: 1.5}}),
    "rows": lambda query, document: [(query, document, 1.5), ("q2", "d2", 0.5)],
    "data frame": lambda query, document: pd.DataFrame({"qid": [query], "docno": [document], "score": [1.5]}),
    "Arrow table": lambda query, document: pa.table({"qid": [query], "docno": [document], "score": [1.5]}),
    "JSON": lambda query, document: io.StringIO(json.dumps({query: {document: 1.5}})),
    "JSON lines": lambda query, document: io.StringIO(
        json.dumps({"qid": query, "docno": document, "score": 1.5}) + "\n" + '{"qid": "q2", "docno": "d", "score": 1}'
    ),
}


@pytest.mark.parametrize("kernels", ["plain", "compiled"])
@pytest.mark.parametrize("form", NUL_IDS)
@pytest.mark.parametrize(
    ("query", "document", "what"),
    [("q1", "d1\0", "document id 'd1\\\\x00'"), ("q\0001", "d1", "query id 'q\\\\x001'")],
    ids=["document", "query"],
)
def test_an_id_with_nul_is_refused_wherever_it_comes_from(query, document, what, form, kernels, monkeypatch):
    monkeypatch.setenv("CRANFIELD_KERNELS", kernels)
    if kernels == "compiled":
        pytest.importorskip("cranfield.kernels.compiled", reason="the compiled loops are not built")
    words = f"the {what} contains a NUL character"
    with pytest.raises(cf.DataError, match=words):
        cf.evaluate({"q1": {"d1": 1}}, cf.read_run(NUL_IDS[form](query, document)), "AP")
    with pytest.raises(cf.DataError, match=words):
        cf.read_judgments(_graded(NUL_IDS[form](query, document)))


def _graded(given):
    """The same as judgments."""
    if isinstance(given, io.StringIO):
        return io.StringIO(given.getvalue().replace("score", "grade"))
    if isinstance(given, pd.DataFrame):
        return given.rename(columns={"score": "grade"})
    return given.rename_columns(["qid", "docno", "grade"]) if isinstance(given, pa.Table) else given


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
