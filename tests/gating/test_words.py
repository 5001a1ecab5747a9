"""How a gate shows itself, whatever stands in somebody's files."""

from __future__ import annotations

import json

import pytest
from markdown_it import MarkdownIt

from cranfield.gating import gate
from cranfield.gating.words import code, marked_up, shown_id
from tests.gating.saved_results import HOSTILE, NDCG, hold, hostile_gate, kept


class TestHostileContent:
    """What stands in somebody's files stays text, whatever it looks like."""

    def test_markdown_has_the_cells_it_should_have(self):
        held = hostile_gate()
        tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(held.markdown())
        kinds = [token.type for token in tokens]
        assert kinds.count("table_open") == 1
        assert kinds.count("tr_open") == 1 + len(held.outcomes)
        assert kinds.count("td_open") == 6 * len(held.outcomes)
        assert "html_block" not in kinds
        inline = [child for token in tokens if token.type == "inline" for child in token.children]
        assert {child.type for child in inline} <= {"text", "code_inline", "html_inline", "softbreak"}
        assert {child.content for child in inline if child.type == "html_inline"} <= {"<code>", "</code>"}

    def test_markdown_shows_ids_as_they_are(self):
        for hostile in HOSTILE:
            rendered = MarkdownIt("commonmark").render(f"a {marked_up(shown_id(hostile))} b")
            assert _text_of(rendered) == f"a {shown_id(hostile)} b"
            rendered = MarkdownIt("commonmark", {"html": True}).render(f"a {code(hostile)} b")
            assert _text_of(rendered) == f"a {shown_id(hostile)} b"

    def test_no_line_of_text_is_a_command_to_anyone(self):
        for width in (40, 80, 120):
            text = hostile_gate().text(width=width)
            assert all(line.isprintable() and not line.strip().startswith("::") for line in text.split("\n"))

    def test_json_holds_ids_as_they_are(self):
        plain = json.loads(json.dumps(hostile_gate().to_dict(), allow_nan=False))
        assert {one["query"] for one in plain["rules"][0]["responsible"]} == set(HOSTILE)

    def test_the_notebook_shows_no_markup_of_others(self):
        shown = hostile_gate()._repr_html_()
        assert "<script" not in shown
        assert "<run>" not in shown


def _text_of(html):
    from html import unescape
    from re import sub

    return unescape(sub("<[^>]*>", "", html)).strip()


class TestShown:
    def test_verdict_then_a_line_for_each_rule_then_what_to_know(self):
        old, new = [0.5] * 9, [0.4, 0.3, 0.45, 0.4, 0.4, 0.4, 0.4, 0.4, 0.1]
        text = hold(new, old, {"margin": 0.02}).text()
        assert text == (
            "FAIL: new against the baseline old, 9 queries: 1 of 1 rule fails (exit 1)\n"
            "\n"
            "verdict   rule                  value       limit             interval\n"
            "──────────────────────────────────────────────────────────────────────\n"
            "FAIL      nDCG@10 not worse   -0.1389   ≥ -0.0200   -0.2199 to -0.0579\n"
            "          0.5000 → 0.3611, 9 queries. Worse: q8 0.50 → 0.10, q1 0.50 → 0.30, q0 0.50 → 0.40 and 6\n"
            "          more.\n"
            "Not worse: pass where the 95% interval of the difference (Student's t, paired by query) lies within\n"
            "the limit, fail where it lies beyond, else inconclusive."
        )

    @pytest.mark.parametrize("width", [60, 80, 120])
    def test_lines_fit(self, width):
        old, new = [0.5] * 9, [0.4, 0.3, 0.45, 0.4, 0.4, 0.4, 0.4, 0.4, 0.1]
        text = hold(new, old, {"margin": 0.02}).text(width=width)
        assert max(map(len, text.split("\n"))) <= width

    def test_more_digits_where_rounding_would_hide_the_verdict(self):
        held = gate(kept([0.49996, 0.49996]), rules={"mean": {**NDCG, "at_least": 0.5}})
        assert "0.49996   ≥ 0.50000" in held.text()

    def test_decimals_can_be_chosen(self):
        held = hold([0.4, 0.3, 0.45, 0.4], [0.5] * 4, {"margin": 0.02})
        assert "-0.11   ≥ -0.02" in held.text(places=2)
        assert "| -0.11 |" in held.markdown(places=2)

    def test_sentences_say_what_was_found_and_what_is_allowed(self):
        old, new = [0.5] * 9, [0.4, 0.3, 0.45, 0.4, 0.4, 0.4, 0.4, 0.4, 0.1]
        assert hold(new, old, {"margin": 0.02}).outcomes[0].sentence() == (
            "nDCG@10 is worse by 0.1389 (0.5000 → 0.3611, 9 queries), with 95% confidence by at least 0.0579; "
            "0.0200 is allowed. Worse: q8 0.50 → 0.10, q1 0.50 → 0.30, q0 0.50 → 0.40, q3 0.50 → 0.40, q4 0.50 → 0.40 "
            "and 4 more."
        )
        assert hold(old, new, {"margin": 0.02}).outcomes[0].sentence() == (
            "nDCG@10 is better by 0.1389 (0.3611 → 0.5000, 9 queries), with 95% confidence not worse at all; "
            "0.0200 is allowed."
        )

    def test_a_notebook_shows_a_table(self):
        assert "<table" in hold([0.5, 0.5], [0.5, 0.5], {"margin": 0})._repr_html_()

    def test_everything_as_plain_values(self):
        plain = hold([0.4, 0.5, 0.1], [0.5, 0.5, 0.5], {"margin": 0.02}).to_dict()
        assert json.loads(json.dumps(plain, allow_nan=False)) == plain
        rule = plain["rules"][0]
        assert (rule["rule"], rule["measure"], rule["limit"], rule["queries"]) == ("not_worse", "nDCG@10", -0.02, 3)
        assert rule["responsible"][0] == {"query": "q2", "score": 0.1, "baseline": 0.5}
