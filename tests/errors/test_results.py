from cranfield import errors


def test_what_is_wrong_in_saved_results_is_named_from_the_outside_in():
    finding = errors.results.wrong_in_results("a.json", ["runs", "bm25", "scores"], "x", "numbers")
    assert str(finding).startswith("a.json: runs > bm25 > scores is 'x'; expected numbers.")


def test_what_is_missing_in_saved_results_is_called_missing():
    assert "runs is missing; expected a list" in errors.results.wrong_in_results(None, ["runs"], None, "a list").message


def test_queries_of_only_one_result_are_counted_for_each():
    finding = errors.results.different_judgments("a.json", "b.json", ["q1", "q2"], ["q9"])
    assert "queries only in a.json: 2 (q1, q2); queries only in b.json: 1 (q9)" in finding.message
    assert finding.path == "b.json"


def test_the_same_queries_with_other_grades_are_different_judgments_too():
    finding = errors.results.different_judgments(None, None, [], [])
    assert "the same queries have other grades or documents" in finding.message


def test_different_settings_are_listed():
    finding = errors.results.different_settings("a.json", "b.json", ["ties: a, b", "rel: 1, 2"])
    assert finding.message.endswith("ties: a, b; rel: 1, 2")


def test_results_without_a_common_measure_show_what_each_has():
    finding = errors.results.no_common_measure("a.json", "b.json", ["AP"], ["RR", "P@5"])
    assert str(finding) == "b.json: shares no measure with a.json, which has AP; this has RR, P@5"


def test_a_score_too_large_to_calculate_with_is_shown():
    assert str(errors.results.huge_score("DCG", 1e200, 1e100)).startswith("DCG gave a score of 1e+200")


def test_a_system_that_refuses_to_write_is_quoted():
    assert str(errors.results.unwritable("a.json", "No space left")) == "a.json: cannot be written: no space left"
