"""Whatever stands in a file, commands answer in words, and never with a number that is none."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from cranfield.cli import cranfield

FORMATS = ("table", "tsv", "csv", "json", "jsonl", "markdown", "latex")
ODD = [
    *("", "\0", "\r", "\n", "\u2028", "\x85", " ", '"', '"a', '"a"b', "=1+1", "NaN", "1e309", "1e-400", "9" * 400),
    *("9" * 5000, "-1", "1_0", "²", "[[[[", "{", "a" * 200_000, "\ufeff", "#x", "\ud800"),
]
LOG = "session,query,position,document,clicked\n"
REST = "".join(f"s{s},q{s % 2 + 1},{p},d{p},{int(s * p % 3 == 0)}\n" for s in range(9) for p in (1, 2, 3))


def record(**fields):
    return json.dumps(fields) + "\n"


def texts(odd):
    """Files of every kind with an odd value in it, and a command that reads each."""
    clicks = ("clicks", "FILE", "-m", "DCTR", "--min-impressions", "1")
    shown = {"session": "s", "query": "q1"}
    yield f"{LOG}s,q1,1,{odd},1\n{REST}", clicks
    yield f"{LOG}x,q1,{odd},d1,1\n{REST}", (*clicks, "-o", "out.csv")
    yield f"{LOG}x,q1,1,d1,{odd}\n{REST}", ("clicks", "FILE", "--run", "bm25.run", "--propensities", "1,1,1,1,1")
    yield record(**shown, documents=[odd, "d2"], clicks=[1, 0]), (*clicks, "-o", "out.qrels")
    yield record(**shown, documents=["d1", "d2"], clicks=[odd]), clicks
    yield f"query,document,clicked,propensity\nq1,d1,1,{odd}\nq1,d2,0,0.5\n", ("clicks", "policy", "FILE")
    yield f"document,probability\nd1,{odd}\nd2,0.5\n", ("clicks", "policy", "log.csv", "--policy", "FILE")
    yield f"user,item,count\nq1,{odd},1\nq2,d2,1\n", ("recommendation", "bm25.run", "--interactions", "FILE")
    yield (
        f"q1\td1\t{odd}\nq2\td2\t1\n",
        ("recommendation", "bm25.run", "--attributes", "FILE", "--similarity", "cosine"),
    )
    yield f"d1\n{odd}\n", ("recommendation", "bm25.run", "--items", "FILE", "-q")
    yield f"qid,text,by\nq1,x,{odd}\nq2,{odd},b\n", ("pool", "bm25.run", "--queries", "FILE")
    yield record(id="d1", title=odd, text=[odd]), ("pool", "bm25.run", "--documents", "FILE")
    yield f"qid,docno,score\nq1,{odd},1\nq1,d2,0\n", ("pool", "FILE", "-o", "pool.TXT")


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_no_value_gives_a_traceback_or_a_number_that_is_none(folder, odd):
    (folder / "log.csv").write_text("query,document,clicked,propensity\nq1,d1,1,0.5\nq1,d2,0,0.5\n")
    for at, (text, arguments) in enumerate(texts(odd)):
        (folder / "FILE").write_bytes(text.encode("utf-8", "surrogatepass"))
        done = CliRunner().invoke(cranfield, [*arguments, "--format", FORMATS[(at + len(odd)) % len(FORMATS)]])
        assert done.exception is None or isinstance(done.exception, SystemExit), (arguments, done.exception)
        assert done.exit_code in (0, 2, 3), (arguments, done.output)
        if done.exit_code == 0 and odd != "NaN":
            assert "nan" not in done.stdout.lower(), (arguments, done.stdout)
