"""How commands read labels of several judges."""

import pytest

from cranfield.cli.label_inputs import LabelInputs

WIDE = "query,document,ann,ben,note\nq1,d1,1,2,9\nq1,d2,0,0,9\n"


@pytest.fixture
def path(tmp_path):
    (tmp_path / "labels.csv").write_text(WIDE)
    return str(tmp_path / "labels.csv")


def test_the_judges_named_are_read_in_their_order(path):
    assert LabelInputs("ben,ann", None, None, None).labels((path,)).judges == ("ben", "ann")


def test_several_files_are_read_together(tmp_path):
    for judge in ("ann", "ben"):
        (tmp_path / f"{judge}.txt").write_text("q1 0 d1 1\nq1 0 d2 0\n")
    paths = (str(tmp_path / "ann.txt"), str(tmp_path / "ben.txt"))
    assert LabelInputs(None, "trec", None, None).labels(paths).judges == ("ann", "ben")
