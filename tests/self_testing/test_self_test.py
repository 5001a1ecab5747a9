"""What the self-test compares, and that it finds what is wrong."""

import json

import pytest

import cranfield as cf
from cranfield import demo, kernels
from cranfield.compat import pytrec_eval
from cranfield.self_testing import self_test


@pytest.fixture(scope="module")
def tested():
    return cf.selftest()


def test_this_installation_gives_the_numbers_of_other_tools(tested):
    assert tested.passed
    assert tested.verdict().startswith("All 20,134 numbers agree" if kernels.are_compiled() else "All 14,534 numbers")
    assert [check.differ for check in tested.checks] == [0] * 7


def test_each_check_names_the_tool_and_its_version(tested):
    tools = {check.name: check.compared_with for check in tested.checks}
    assert tools["trec_eval"].startswith("pytrec_eval-terrier 0.")
    assert tools["compare: p"].startswith("scipy 1.")
    assert tools["agree: alphas"].startswith("krippendorff 0.")


def test_every_number_that_was_stored_is_compared(tested):
    stored = json.loads(self_test.files("cranfield.self_testing").joinpath("numbers.json").read_text(encoding="utf-8"))
    numbers = {check.name: check.numbers for check in tested.checks}
    scores = stored["trec_eval"]["values"].values()
    assert numbers["trec_eval"] == sum(len(values) for of in scores for values in of["measures"].values())
    assert numbers["agree: kappas"] == sum(map(len, stored["scikit-learn"]["values"].values()))
    assert numbers["collection"] == len(demo.names())


def test_without_compiled_loops_there_is_nothing_to_compare_them_with(monkeypatch):
    monkeypatch.setenv(kernels.CHOICE, "plain")
    *_, loops = cf.selftest().checks
    assert (loops.numbers, loops.compared_with) == (0, self_test.NOTHING_BUILT)


@pytest.mark.skipif(not kernels.are_compiled(), reason="there are no compiled loops here")
def test_plain_loops_are_chosen_for_the_comparison_alone():
    cf.selftest()
    assert kernels.are_compiled()


def test_a_score_that_differs_in_the_ninth_digit_is_found_and_named(monkeypatch):
    evaluate = pytrec_eval.RelevanceEvaluator.evaluate

    def wrong(self, run):
        scores = evaluate(self, run)
        scores["q07"]["map"] += 1e-9
        return scores

    monkeypatch.setattr(pytrec_eval.RelevanceEvaluator, "evaluate", wrong)
    tested = cf.selftest()
    assert not tested.passed
    assert (
        tested.verdict().startswith("2 of 20,134 numbers differ (trec_eval): do not trust")
        or not kernels.are_compiled()
    )
    assert "trec_eval: title.run, q07, map is 0." in tested.text()


def test_a_score_that_is_not_a_number_differs():
    found = self_test._compared("x", "y", {"a": float("nan")}, {"a": 0.5}, within=1)
    assert found.differ == 1


def test_a_score_that_one_of_both_lacks_differs():
    found = self_test._compared("x", "y", {"a": 0.5}, {"a": 0.5, "b": 1.0}, within=0)
    assert (found.numbers, found.differ) == (2, 1)
    assert found.examples == ("x: b is in one of the two only",)


def test_a_collection_that_was_changed_is_found(monkeypatch, tmp_path):
    demo.write(tmp_path)
    (tmp_path / "queries.tsv").write_bytes((tmp_path / "queries.tsv").read_bytes().replace(b"\n", b"\r\n"))
    monkeypatch.setattr(demo, "_collection", lambda: tmp_path)
    first, *_ = cf.selftest().checks
    assert (first.differ, first.examples) == (1, ("not as released: queries.tsv",))


def test_it_can_be_read_at_every_width(tested):
    for width in (1, 5, 20, 40, 80):
        assert "trec_eval" in "".join(tested.text(width=width).split())


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "jsonl", "json", "markdown", "latex"])
def test_every_form_has_every_check(tested, form):
    text = tested.form(form)
    for check in tested.checks:
        assert check.name.replace("_", r"\_" if form == "latex" else "_") in text
