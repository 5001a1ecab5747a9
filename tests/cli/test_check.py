"""`cranfield check`: exit 1 when something is wrong."""

import json


def test_good_files_are_described_and_exit_0(cranfield):
    done = cranfield("check", "qrels.txt", "bm25.run", "--format", "table")
    assert done.returncode == 0
    assert "judgments, trec" in done.stdout
    assert "run, trec" in done.stdout
    assert done.stdout.startswith("No errors.\n")


def test_everything_wrong_is_listed_and_exits_1(cranfield, folder):
    (folder / "bad.run").write_text("q1 Q0 d1 1 3.0 x\nq1 Q0 d1 2 2.0 x\nq1 Q0 d2 3 nan x\nq1 Q0 d3\n")
    done = cranfield("check", "bad.run", "--format", "table")
    assert done.returncode == 1
    for line in (2, 3, 4):
        assert f"bad.run, line {line}" in done.stdout
    assert "3 errors and 0 warnings: an evaluation would stop." in done.stdout


def test_json_holds_the_same(cranfield, folder):
    (folder / "bad.run").write_text("q1 Q0 d1 1 abc x\n")
    done = cranfield("check", "qrels.txt", "bad.run", "--format", "json")
    report = json.loads(done.stdout)
    assert done.returncode == 1
    assert report["ok"] is False
    assert report["files"][1]["findings"][0]["line"] == 1


def test_a_program_gets_rows_and_the_verdict_goes_to_standard_error(cranfield, folder):
    (folder / "bad.run").write_text("q1 Q0 d1 1 abc x\n")
    done = cranfield("check", "bad.run")
    assert done.stdout.splitlines()[0] == "what\tfile\trun\tline\tname\tvalue\ttext"
    assert "error\tbad.run\t\t1\t" in done.stdout
    assert done.stderr == "1 error and 0 warnings: an evaluation would stop.\n"
    assert done.returncode == 1


def test_quiet_lists_no_warnings_in_any_format(cranfield, folder):
    (folder / "half.run").write_text("q1 Q0 d1 1 1 x\n")
    for form in ("table", "tsv", "json", "markdown", "latex"):
        arguments = ("check", "qrels.txt", "half.run", "--format", form)
        assert "no documents for 1 of 2" in cranfield(*arguments).stdout
        assert "no documents for 1 of 2" not in cranfield(*arguments, "--quiet").stdout
