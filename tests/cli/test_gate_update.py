"""`cranfield gate update`: the baseline of a better run."""

import json

import pytest

from tests.cli.gate_files import run_file

pytestmark = pytest.mark.usefixtures("gate_files")


class TestUpdate:
    def test_raises_the_baseline_and_says_so(self, cranfield, begun):
        done = cranfield("gate", "update", "qrels.txt", "good.run")
        assert done.returncode == 0
        assert "Baseline cranfield-baseline.json: updated." in " ".join(done.stdout.split())
        assert "RR        0.7500 → 1.0000   1.0000   better" in done.stdout
        assert list(json.loads((begun / "cranfield-baseline.json").read_text())["runs"]) == ["good"]
        assert cranfield("gate", "qrels.txt", "old.run").returncode == 1

    @pytest.mark.parametrize(("run", "code"), [("bad", 1), ("mixed", 0)])
    def test_leaves_it_alone_where_the_run_does_not_pass(self, cranfield, begun, run, code):
        before = (begun / "cranfield-baseline.json").read_bytes()
        done = cranfield("gate", "update", "qrels.txt", f"{run}.run")
        assert done.returncode == code
        assert "unchanged, because the verdict is" in done.stdout
        assert (begun / "cranfield-baseline.json").read_bytes() == before

    def test_never_lowers_a_measure(self, cranfield, folder):
        (folder / "cranfield-gate.toml").write_text(
            "".join(f"[[not_worse]]\nmeasure = '{measure}'\nmargin = 1\n" for measure in ("RR", "P@1", "P@10"))
        )
        cranfield("gate", "init", "qrels.txt", "old.run")
        done = cranfield("gate", "update", "qrels.txt", "mixed.run", "--format", "json")
        assert done.returncode == 0
        assert [step["fate"] for step in json.loads(done.stdout)["update"]["measures"]] == ["equal"] * 3
        (folder / "tall.run").write_text(run_file([1] * 8 + [9] * 4))
        done = cranfield("gate", "update", "qrels.txt", "tall.run")
        assert "RR        0.7500            0.7037   unchanged: the run is worse" in done.stdout
        assert "P@1       0.5000 → 0.6667   0.6667   better" in done.stdout
        kept = json.loads((folder / "cranfield-baseline.json").read_text())["runs"]["mixed"]
        assert kept["raised"]["P@1"]["run"] == "tall"
        assert cranfield("gate", "qrels.txt", "old.run").returncode == 0  # it is read again

    def test_the_same_run_changes_nothing(self, cranfield, begun):
        before = (begun / "cranfield-baseline.json").read_bytes()
        assert "unchanged." in cranfield("gate", "update", "qrels.txt", "old.run").stdout
        assert (begun / "cranfield-baseline.json").read_bytes() == before
