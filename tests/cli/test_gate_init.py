"""`cranfield gate init`: a baseline and rules to begin with."""

import json

import pytest

pytestmark = pytest.mark.usefixtures("gate_files")


class TestInit:
    def test_writes_a_baseline_and_rules_that_the_run_passes(self, cranfield, folder):
        done = cranfield("gate", "init", "qrels.txt", "old.run")
        assert done.returncode == 0, done.stderr
        assert "Wrote cranfield-baseline.json: old, 12 queries." in done.stdout
        assert "nDCG@10" in done.stdout
        assert "Wrote cranfield-gate.toml: 6 rules with comments." in done.stdout
        again = cranfield("gate", "qrels.txt", "same.run")
        assert again.returncode == 0, again.stdout
        assert again.stdout.startswith("PASS: same against the baseline old, 12 queries: all 6 rules hold (exit 0)\n")

    def test_proposes_recall_only_as_deep_as_the_lists_are(self, cranfield, folder):
        lines = [f"q{query} Q0 d{place} {place} {100 - place} t" for query in range(12) for place in range(1, 25)]
        (folder / "short.run").write_text("\n".join(lines) + "\n")
        cranfield("gate", "init", "qrels.txt", "short.run")
        text = (folder / "cranfield-gate.toml").read_text()
        assert 'measure = "R@20"' in text
        assert "R@100" not in text

    def test_measures_margin_and_more_can_be_chosen(self, cranfield, folder):
        options = ["-m", "AP(rel=2)", "-m", "SL", "--margin", "3%", "--inconclusive", "78"]
        done = cranfield("gate", "init", "qrels.txt", "old.run", *options)
        text = (folder / "cranfield-gate.toml").read_text()
        assert done.returncode == 0, done.stderr
        assert 'measure = "AP(rel=2)"\nmargin = "3%"' in text
        assert "inconclusive = 78" in text

    def test_files_can_stand_elsewhere(self, cranfield, folder):
        (folder / "ci").mkdir()
        where = ["--rules", "ci/gate.toml", "--baseline", "kept.json"]
        assert cranfield("gate", "init", "qrels.txt", "old.run", *where).returncode == 0
        assert 'baseline = "../kept.json"' in (folder / "ci" / "gate.toml").read_text()
        assert cranfield("gate", "qrels.txt", "old.run", "--rules", "ci/gate.toml").returncode == 0

    def test_nothing_is_written_over(self, cranfield, begun):
        before = (begun / "cranfield-baseline.json").read_bytes()
        done = cranfield("gate", "init", "qrels.txt", "bad.run")
        assert done.returncode == 2
        assert "cranfield-baseline.json is there already. Nothing was written." in done.stderr
        assert (begun / "cranfield-baseline.json").read_bytes() == before

    def test_force_replaces_the_baseline_says_what_fell_and_keeps_the_rules(self, cranfield, begun):
        rules = (begun / "cranfield-gate.toml").read_bytes()
        done = cranfield("gate", "init", "--force", "qrels.txt", "bad.run")
        assert done.returncode == 0
        assert "RR          0.1806   0.7500   WORSE" in done.stdout
        assert "The rules in cranfield-gate.toml are unchanged." in done.stdout
        assert (begun / "cranfield-gate.toml").read_bytes() == rules
        assert cranfield("gate", "qrels.txt", "bad.run").returncode == 1  # the floor of its mean

    def test_rules_that_are_there_say_what_is_measured(self, cranfield, folder):
        (folder / "cranfield-gate.toml").write_text("[[not_worse]]\nmeasure = 'P@1'\nmargin = 0.1\n")
        assert cranfield("gate", "init", "qrels.txt", "old.run").returncode == 0
        assert list(json.loads((folder / "cranfield-baseline.json").read_text())["measures"]) == ["P@1"]
        assert cranfield("gate", "init", "--force", "qrels.txt", "old.run", "-m", "RR").returncode == 2

    def test_saved_results_may_be_the_baseline(self, cranfield, folder):
        cranfield("evaluate", "qrels.txt", "old.run", "bad.run", "-m", "RR", "-m", "P@1", "--save", "all.json")
        done = cranfield("gate", "init", "all.json", "--run", "old", "-m", "RR")
        assert done.returncode == 0, done.stderr
        kept = json.loads((folder / "cranfield-baseline.json").read_text())
        assert (list(kept["runs"]), list(kept["measures"])) == (["old"], ["RR"])

    @pytest.mark.parametrize("option", ["--update", "--annotations", "--junit"])
    def test_tests_nothing(self, cranfield, folder, option):
        done = cranfield("gate", "init", "qrels.txt", "old.run", option)
        assert done.returncode == 2
        assert f"No such option: {option}" in done.stderr or f"No such option '{option}'" in done.stderr

    def test_nothing_is_written_where_something_is_wrong(self, cranfield, folder):
        elsewhere = ["old.run", "--rules", "none/gate.toml", "--baseline", "cranfield-baseline.json"]
        for wrong in (["none.run"], ["old.run", "-m", "nDGC"], ["old.run", "--margin", "much"], elsewhere):
            assert cranfield("gate", "init", "qrels.txt", *wrong).returncode in (2, 3)
        assert not (folder / "cranfield-baseline.json").exists()
        assert not (folder / "cranfield-gate.toml").exists()
