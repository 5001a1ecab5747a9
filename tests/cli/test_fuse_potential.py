"""`cranfield fuse potential`: what runs could gain together."""


def test_both_limits_are_shown(cranfield, folder):
    (folder / "dense.run").write_text("q1 Q0 d9 1 3.0 dense\nq1 Q0 d1 2 2.0 dense\nq2 Q0 d4 1 1.0 dense\n")
    done = cranfield("fuse", "potential", "qrels.txt", "bm25.run", "dense.run", "-m", "RR", "--format", "table")
    assert done.returncode == 0
    assert "best run per query" in done.stdout
    assert "best order of all" in done.stdout


def test_one_run_is_wrong_usage(cranfield):
    assert cranfield("fuse", "potential", "qrels.txt", "bm25.run").returncode == 2
