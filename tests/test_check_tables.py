"""A check's findings for people."""

from cranfield.check_tables import text, verdict
from cranfield.checking import check


def test_it_says_what_the_files_hold_how_they_fit_and_the_verdict(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq2 0 d1 0\n")
    (tmp_path / "run").write_text("q1 Q0 d1 1 2.0 x\nq1 Q0 d2 2 1.0 x\n")
    shown = text(check([tmp_path / "qrels", tmp_path / "run"]))
    assert "grades 0×1 1×1" in shown
    assert "scores 1 to 2" in shown
    assert "judged@10" in shown
    assert "warning: " in shown
    assert shown.endswith("Nothing is wrong; 2 warnings.")


def test_errors_beyond_the_limit_count_in_the_verdict(tmp_path):
    (tmp_path / "run").write_text("q1 Q0 d1 1 x y\n" * 9)
    report = check([tmp_path / "run"], limit=2)
    assert verdict(report) == "9 errors and 0 warnings: an evaluation would stop."
    assert "7 more errors are not listed." in text(report)
