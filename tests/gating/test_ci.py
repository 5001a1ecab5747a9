from __future__ import annotations

from xml.etree import ElementTree

from cranfield.gating import gate
from tests.gating.saved_results import NDCG, hostile_gate, kept


class TestHostileContent:
    """What stands in somebody's files stays text, whatever it looks like."""

    def test_junit_is_xml_with_a_case_for_each_rule(self):
        held = hostile_gate()
        cases = list(ElementTree.fromstring(held.junit().encode()).iter("testcase"))
        assert [case.get("name") for case in cases] == [one.label for one in held.outcomes]
        assert all(
            case.find("failure").text == one.sentence()
            for case, one in zip(cases, held.outcomes, strict=True)
            if one.verdict == "fail"
        )

    def test_annotations_are_a_line_each_and_no_more_than_are_shown(self):
        lines = hostile_gate().annotations()
        assert all(len(line.splitlines()) == 1 for line in lines)
        for line in lines:
            command, title, message = line.split("::", 2)[1].split(" ", 1)[0], line.split("::", 2)[1], line
            assert command in ("error", "warning")
            assert title.startswith(f"{command} title=cranfield gate%3A ")
            assert "," not in title
            assert message.isprintable()
        assert 1 < len(lines) <= 20


class TestShown:
    def test_many_failing_rules_become_ten_annotations(self):
        rules = {"mean": [{**NDCG, "at_least": 0.6 + at / 100} for at in range(25)]}
        lines = gate(kept([0.5, 0.5]), rules=rules).annotations()
        assert len(lines) == 10
        assert lines[-1].startswith("::error title=cranfield gate%3A 16 more rules did not pass::")
