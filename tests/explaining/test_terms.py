"""The terms of a sum make the score."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import evaluate, explain, nDCG
from cranfield.explaining.terms import BY_RANK, LOOKING_AHEAD, WORKINGS
from cranfield.measures import IPrec, catalogue
from tests.effort import examples
from tests.explaining.collection import explained, last_line, of_grades
from tests.measures.strategies import cases, measures


class TestTheTermsMakeTheScore:
    @pytest.mark.parametrize("name", sorted([*WORKINGS, *BY_RANK]))
    @given(data=st.data())
    def test_of_every_measure_with_every_parameter(self, name, data):
        case, measure = data.draw(cases()), data.draw(measures(name))
        depth = data.draw(st.sampled_from([None, 1, 3, 8]))
        judged_only = data.draw(st.booleans())
        sources = of_grades(case.ranked, case.missed or [0], data.draw(st.sampled_from([0, 2, 4])))
        choices = {"depth": depth, "judged_only": judged_only}
        explanation = explain(*sources, measure, "q1", **choices)
        score = evaluate(*sources, measure, **choices)[measure][0, 0]
        assert explanation.value == score or math.isnan(score)
        # Of a user model, only the gain per document is such a sum.
        if measure.params.get("expected", "utility") == "utility":
            assert explanation.working.result == pytest.approx(score, rel=1e-12, abs=1e-12, nan_ok=True)
        else:
            assert explanation.working is None

    @pytest.mark.parametrize(
        "name", [name for name, one in catalogue().items() if one.family == "cwl" and name not in LOOKING_AHEAD]
    )
    @given(data=st.data())
    def test_of_every_user_model_that_looks_at_one_document_after_the_other(self, name, data):
        case = data.draw(cases())
        measure = data.draw(measures(name)).replaced({"expected": "utility"})
        sources = of_grades(case.ranked, case.missed or [0], data.draw(st.sampled_from([0, 2, 4])))
        explanation = explain(*sources, measure, "q1")
        assert explanation.working.result == pytest.approx(explanation.value, rel=1e-9, abs=1e-9, nan_ok=True)

    @pytest.mark.parametrize("name", sorted(catalogue()))
    @examples(8)
    @given(data=st.data())
    def test_and_every_measure_can_be_shown_in_every_form(self, name, data):
        case, measure = data.draw(cases()), data.draw(measures(name))
        rows = data.draw(st.sampled_from([None, 1, 4, "all"]))
        sources = of_grades(case.ranked, case.missed or [0])
        explanation = explain(*sources, measure, "q1", rows=rows)
        assert last_line(explanation).startswith("result = ")
        assert explanation.markdown()
        assert explanation._repr_html_()
        assert json.loads(json.dumps(explanation.to_dict(), allow_nan=False))["measure"] == str(measure)

    @given(case=cases())
    def test_the_curve_is_that_of_the_measure(self, case):
        sources = of_grades(case.ranked, case.missed or [0])
        seen = explain(*sources, "AP", "q1").seen
        levels = [IPrec @ level for level in seen.curve]
        assert not levels or list(seen.curve.values()) == evaluate(*sources, levels).values[:, 0, 0].tolist()

    def test_a_term_that_adds_nothing_is_there_too(self):
        assert [term.value for term in explained("-2", nDCG).working.terms] == [0, pytest.approx(2 / math.log2(3))]
