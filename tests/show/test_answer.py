"""Every result shows itself in every form."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest

import cranfield
from cranfield.errors import Finding
from cranfield.show.answer import FORMS, Answer, Verbatim
from cranfield.show.table import Table


@dataclass(frozen=True)
class Count(Answer):
    value: int
    warnings: tuple[Finding, ...] = ()

    def verdict(self) -> str:
        return f"There are {self.value}."

    def tables(self) -> list[Table]:
        return [Table({"what": ["queries"], "count": [self.value]}, notes=("Counted once.",))]

    def rows(self) -> Table:
        return Table({"count": [self.value]})

    def to_dict(self) -> dict[str, Any]:
        return {"count": self.value}


ODD = Finding("warning", "odd", "an odd number")
THREE = Count(3, (ODD,))


def test_a_person_reads_the_verdict_then_tables_then_warnings():
    assert str(THREE).splitlines()[0] == "There are 3."
    assert str(THREE).splitlines()[-1].startswith("warning: ")
    assert str(THREE).index("Counted once.") < str(THREE).index("an odd number")


def test_programs_get_rows_without_sentences():
    assert THREE.form("tsv") == "count\n3\n"
    assert THREE.form("csv") == "count\n3\n"
    assert json.loads(THREE.form("jsonl")) == {"count": 3}


def test_json_is_the_dictionary():
    assert json.loads(THREE.form("json")) == {"count": 3}


def test_each_form_has_a_method_of_its_name():
    for form in FORMS[1:]:
        assert getattr(THREE, form)() == THREE.form(form)
    assert str(THREE) + "\n" == THREE.form("table")


def test_scores_have_the_forms_of_answers_as_the_command_prints_them():
    import cranfield as cf
    from cranfield.evaluating.score_tables import Evaluation

    scores = cf.evaluate({"q1": {"d1": 1}}, {"a": {"q1": ["d2", "d1"]}, "b": {"q1": ["d1"]}}, "RR nDCG@10")
    for form in FORMS[1:]:
        assert getattr(scores, form)() == Evaluation(scores).form(form)
    assert r"\textbf{1.00}" in scores.latex(2)
    assert scores.csv(2).splitlines()[1].startswith("a,RR,all,0.50,")


@pytest.mark.parametrize("form", FORMS)
def test_every_form_ends_its_last_line(form):
    assert THREE.form(form).endswith("\n")
    assert not THREE.form(form).endswith("\n\n")


def test_markdown_shows_what_the_table_shows():
    shown = THREE.markdown()
    assert shown.startswith("There are 3.\n\n| what | count |")
    assert "warning: " in shown


def test_latex_has_the_tables_only():
    assert THREE.latex().startswith(r"\begin{tabular}")


def test_a_notebook_escapes_sentences():
    @dataclass(frozen=True)
    class Sharp(Count):
        def verdict(self) -> str:
            return "a < b"

    assert "<p>a &lt; b</p>" in Sharp(1)._repr_html_()


def test_a_quiet_answer_has_no_warnings():
    assert THREE.quiet() == replace(THREE, warnings=())
    assert "warning" not in str(THREE.quiet())


def test_lines_that_are_shown_as_they_are_are_neither_folded_nor_marked_up():
    class Sketched(Count):
        def sections(self):
            return [Verbatim("  * *\n" + "─" * 200 + "\n<\x1b")]

    answer = Sketched(1)
    assert answer.text() == "  * *\n" + "─" * 200 + "\n<�"
    assert answer.markdown() == "      * *\n    " + "─" * 200 + "\n    <�\n"
    assert answer._repr_html_().startswith("<pre>  * *\n")
    assert "&lt;" in answer._repr_html_()


def test_in_a_repl_results_are_one_short_line():
    import cranfield as cf

    judged = {f"q{at}": {"d1": 1} for at in range(60)}
    runs = {"old": {query: ["x", "d1"] for query in judged}, "new": {query: ["d1"] for query in judged}}
    scores = cf.evaluate(judged, runs, "RR AP")
    results = [
        *(scores, scores.summary(), scores.worst(), cf.compare(scores), cf.risk(scores, "old")),
        *(cf.plan(scores, difference=0.1), cf.why(judged, runs["old"], "RR")),
        cf.explain(judged, runs["old"], "RR", query="q1"),
    ]
    for result in results:
        assert repr(result).startswith(f"{type(result).__name__}(")
        assert len(repr(result)) < 150
        assert "\n" not in repr(result)
    assert repr(cf.compare(scores)) == "Comparison('old and new by RR and AP')"


def test_every_answer_has_a_table():
    for module in walk_packages(cranfield.__path__, "cranfield."):
        import_module(module.name)
    answers = [answer for answer in subclasses(Answer) if answer.__module__.startswith("cranfield.")]
    assert len(answers) > 20
    assert [answer for answer in answers if answer.table is Answer.table and answer.tables is Answer.tables] == []


def subclasses(base):
    return [one for child in base.__subclasses__() for one in (child, *subclasses(child))]
