"""What rules may be, and what is wrong with those that cannot."""

from __future__ import annotations

import pytest

from cranfield.errors import DataError, UsageError
from cranfield.gating import find_rules, read_rules, rules_of
from cranfield.gating.rules import NotWorse, Share, inconclusive_as

RULE_ERRORS = [
    (
        "[[not_worse]]\nmeasure = 'AP'\nmargn = 0.1\n",
        "line 3: not_worse has no key 'margn'; it has measure, margin",
        "margin",
    ),
    ("[[not_wrose]]\nmeasure = 'AP'\n", "line 1: there is no rule or setting 'not_wrose'", "not_worse"),
    ("confidense = 0.9\n[coverage]\nat_least = 1\n", "line 1: there is no rule or setting 'confidense'", "confidence"),
    ("[coverage]\nat_least = 1\n[[broken]]\nmeasure='AP'\ndrop=1\n", "line 3: broken needs at_most", ""),
    ("[[not_worse]]\nmargin = 0.1\n", "line 1: not_worse needs measure", ""),
    ("[[mean]]\nmeasure = 'AP'\n", "line 1: mean needs at_least or at_most", ""),
    ("[[mean]]\nmeasure='AP'\nat_least=0\nat_most=1\n", "line 1: mean has both at_least and at_most", ""),
    ("[[not_worse]]\nmeasure='AP'\nmargin=-1\n", "line 3: not_worse: margin must be a number of at least 0", ""),
    ("[[not_worse]]\nmeasure='AP'\nmargin=true\n", "line 3: not_worse: margin must be a number of at least 0", ""),
    ("[[not_worse]]\nmeasure='AP'\nmargin=nan\n", "line 3: not_worse: margin must be a number of at least 0", ""),
    ("[[not_worse]]\nmeasure='AP'\nmargin='5'\n", "line 3: not_worse: margin must be a number of at least 0", ""),
    ("[[not_worse]]\nmeasure=3\nmargin=0\n", "line 2: not_worse: measure must be a text", ""),
    ("confidence = 95\n[coverage]\nat_least=1\n", "line 1: confidence must be between 0 and 1, not 95", "Write 0.95."),
    (
        "[[not_worse]]\nmeasure='AP'\nmargin=" + "9" * 5000 + "\n",
        "this is not valid TOML: a number has too many digits",
        "",
    ),
    (
        "[[not_worse]]\nmeasure='AP'\nmargin=" + "9" * 400 + "\n",
        "line 3: not_worse: margin must be a number",
        "60 digits",
    ),
    ("[[not_worse]]\nmeasure='AP'\nmargin=0x" + "f" * 5000 + "\n", "line 3: not_worse: margin must be", "60 digits"),
    ("[[not_worse]]\nmeasure='AP'\nmargin='" + "9" * 400 + "%'\n", "line 3: not_worse: margin must be", ""),
    ("[[judged]]\nat=" + "9" * 40 + "\nat_least=0.5\n", "line 2: judged: at must be a whole number from 1 to", ""),
    ("a = " + "[" * 20_000, "this is not valid TOML: it is nested too deeply", ""),
    ("interval = 'z'\n[coverage]\nat_least=1\n", 'line 1: interval must be "t" (Student', ""),
    (
        "inconclusive = 3\n[coverage]\nat_least=1\n",
        "line 1: inconclusive must be",
        "Exit code 3 already means bad data",
    ),
    (
        "inconclusive = 'maybe'\n[coverage]\nat_least=1\n",
        'line 1: inconclusive must be "pass", "fail" or an exit code',
        "",
    ),
    ("inconclusive = [1]\n[coverage]\nat_least=1\n", 'line 1: inconclusive must be "pass", "fail" or an exit code', ""),
    ("[coverage]\nat_least=1.1\n", "line 2: coverage: at_least must be a share from 0 to 1", ""),
    ("[[broken]]\nmeasure='AP'\ndrop=1\nat_most=1.5\n", "line 4: broken: at_most must be a number of queries", ""),
    ("[[judged]]\nat=0\nat_least=0.5\n", "line 2: judged: at must be a whole number from 1 to 1,000,000,000", ""),
    ("[[protected]]\nmeasure='AP'\nqueries=[]\n", "line 3: protected: queries must be a list of texts", ""),
    ("[[protected]]\nmeasure='AP'\nqueries=['a']\nby='x'\n", "line 4: protected has no key 'by'", ""),
    ("[[coverage]]\nat_least=1\nonly=['a']\n", 'line 1: coverage: `only` needs `by = "COLUMN"`', ""),
    ("[coverage]\nat_least=1\nconfidence=0.9\n", "line 3: coverage has no key 'confidence'", "at the top of the file"),
    ("mean = [{measure='AP', at_least=0}, {measure='AP'}]\n", "line 1: mean needs at_least or at_most", ""),
    ("coverage = 3\n", "line 1: coverage must be a table that begins with [[coverage]], not 3", ""),
    ("[[coverage]]\nat_least=" + "9" * 400 + "\n", "line 2: coverage: at_least must be a share", ""),
    ("baseline = 'b.json'\n", "there is no rule in it", ""),
    ("", "there is no rule in it", ""),
    ("a = \n", "line 1: this is not valid TOML: Invalid value", ""),
]


class TestRules:
    @pytest.mark.parametrize(("text", "words", "advice"), RULE_ERRORS, ids=[words for _, words, _ in RULE_ERRORS])
    def test_what_cannot_be_meant_is_told_with_its_line(self, tmp_path, text, words, advice):
        (tmp_path / "gate.toml").write_text(text)
        with pytest.raises(UsageError) as wrong:
            read_rules(tmp_path / "gate.toml")
        assert f"gate.toml, {words}" in str(wrong.value) or f"gate.toml: {words}" in str(wrong.value)
        assert advice in str(wrong.value)

    def test_everything_that_can_be_said(self, tmp_path):
        (tmp_path / "gate.toml").write_text("""
            baseline = "kept/b.json"
            baseline-run = "bm25"
            queries = "queries.tsv"
            confidence = 0.9
            interval = "bca"
            inconclusive = 78
            [[not-worse]]
            measure = "AP(rel=2)"
            margin = "2.5%"
            confidence = 0.8
            by = "intent"
            only = ["a", 7]
            min-queries = 3
            [mean]
            measure = "AP"
            at_least = 0.2
        """)
        rules = read_rules(tmp_path / "gate.toml")
        assert rules.baseline == str(tmp_path / "kept" / "b.json")
        assert rules.queries == str(tmp_path / "queries.tsv")
        assert (rules.baseline_run, rules.confidence, rules.interval, rules.inconclusive) == ("bm25", 0.9, "bca", 78)
        assert rules.rules[0] == NotWorse(
            measure="AP(rel=2)", margin=Share(0.025), confidence=0.8, by="intent", only=("a", "7"), min_queries=3
        )
        assert rules.measures == ("AP(rel=2)", "AP")
        assert rules.compared == ("AP(rel=2)",)

    def test_rules_keep_the_order_of_their_lines(self, tmp_path):
        (tmp_path / "g.toml").write_text(
            "[coverage]\nat_least=1\n[[mean]]\nmeasure='AP'\nat_least=0\n[[judged]]\nat_least=1\n"
            "[[mean]]\nmeasure='RR'\nat_least=0\n"
        )
        assert [rule.kind for rule in read_rules(tmp_path / "g.toml").rules] == ["coverage", "mean", "judged", "mean"]

    def test_a_project_file_holds_them_too(self, tmp_path):
        text = "[project]\nname = 'x'\n[[tool.cranfield.gate.not_worse]]\nmeasure = 'AP'\nmargn = 0\n"
        (tmp_path / "pyproject.toml").write_text(text)
        assert find_rules(tmp_path) == str(tmp_path / "pyproject.toml")
        with pytest.raises(UsageError, match=r"pyproject\.toml, line 5: not_worse has no key 'margn'"):
            read_rules(tmp_path / "pyproject.toml")
        (tmp_path / "pyproject.toml").write_text(text.replace("margn", "margin"))
        assert len(read_rules(tmp_path / "pyproject.toml").rules) == 1

    def test_a_project_file_without_them_is_none(self, tmp_path):
        (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
        assert find_rules(tmp_path) is None
        with pytest.raises(UsageError, match=r"there is no \[tool.cranfield.gate\] in it"):
            read_rules(tmp_path / "pyproject.toml")
        (tmp_path / "pyproject.toml").write_text("[project\n")
        assert find_rules(tmp_path) is None

    def test_rules_in_two_places_are_told(self, tmp_path):
        (tmp_path / "pyproject.toml").write_text("[tool.cranfield.gate.coverage]\nat_least = 1\n")
        (tmp_path / "cranfield-gate.toml").write_text("[coverage]\nat_least = 1\n")
        with pytest.raises(UsageError, match="Keep them in one of both"):
            find_rules(tmp_path)

    def test_a_file_that_is_not_there_or_no_text(self, tmp_path):
        with pytest.raises(DataError, match="there is no such file"):
            read_rules(tmp_path / "none.toml")
        (tmp_path / "bytes.toml").write_bytes(b"\xff")
        with pytest.raises(DataError, match="UTF-8"):
            read_rules(tmp_path / "bytes.toml")

    @pytest.mark.parametrize("value", ["2", "3", "256", "-1", "maybe", "", True, 2.5, None])
    def test_what_inconclusive_cannot_count_as(self, value):
        with pytest.raises(UsageError, match="inconclusive must be"):
            inconclusive_as(value)

    def test_a_mapping_says_the_same(self):
        assert rules_of({"coverage": {"at_least": 1}}) == rules_of({"coverage": [{"at_least": 1.0}]})
