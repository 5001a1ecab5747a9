import pytest

from cranfield import errors
from cranfield.errors import clicks
from cranfield.phrases import command_line


def test_a_table_that_is_no_click_log_shows_its_columns():
    assert "these are not the columns of a click log: a, b" in clicks.no_click_columns("a.csv", ["a", "b"]).message
    assert "these are not the columns of a click log: (none)" in clicks.no_click_columns("a.csv", []).message


def test_a_wrong_value_is_shown_with_its_place_and_what_was_expected():
    assert str(clicks.not_clicked_or_not("a.csv", 3, "yes")) == "a.csv, line 3: clicked is 'yes'; expected 0 or 1"
    bad = clicks.bad_position("a.csv", 3, 1.5, unit="row")
    assert str(bad) == "a.csv, row 3: the position is 1.5; expected a whole number"
    assert bad.advice == "Correct or remove the row."


def test_the_smallest_propensity_is_named_where_one_is_smaller():
    assert "from 1e-12 to 1" in clicks.bad_propensity(None, 3, 0.0).message
    assert "at least 1e-12" in clicks.propensity_too_small(None, 1e-15).message


@pytest.mark.parametrize(("events", "words"), [(1, "1 event of"), (1200, "1,200 events of")])
def test_events_are_counted(events, words):
    assert clicks.events_of_no_query(None, ["q1"], events).message.startswith(words)
    assert clicks.no_ubi_queries(None, events).message.startswith(words)


def test_a_log_without_clicks_shows_how_its_events_are_called():
    finding = clicks.nothing_clicked("a.ndjson", ["view", "buy"])
    assert finding.message == "no result of the log was clicked; its events are called view, buy"
    assert "clicks=NAME" in finding.advice
    with command_line():
        assert "--click-action NAME" in clicks.nothing_clicked(None, ["view"]).advice
    assert "NAME" not in clicks.nothing_clicked(None, []).advice


def test_an_unknown_model_is_answered_with_the_nearest():
    error = clicks.unknown_click_model("PMB", ["PBM", "CM"])
    assert isinstance(error, errors.UsageError)
    assert str(error) == "There is no click model 'PMB'. Did you mean PBM?\nThere are PBM, CM."
    assert str(clicks.unknown_click_model("xyzzy", ["PBM"])) == "There is no click model 'xyzzy'.\nThere are PBM."


def test_probabilities_that_do_not_add_up_to_one_name_their_query_if_there_are_queries():
    assert "for query 'q1' add up to 0.9;" in clicks.bad_policy(None, "q1", 0.9).message
    assert "probabilities add up to 1.25;" in clicks.bad_policy(None, "", 1.25).message


def test_an_effective_sample_is_shown_without_decimals_or_a_negative_zero():
    assert "is 3 of 12 rows" in clicks.small_sample(3.4, 12).message
    assert "is 0 of 1 row;" in clicks.small_sample(-0.1, 1).message


def test_a_run_that_answers_no_query_of_the_log_comes_with_the_spelling_that_would_match():
    finding = clicks.log_never_meets("a.run", ["Q1"], ["q1"])
    assert str(finding) == "a.run: answers no query of the log: those are Q1; here they are q1"
    assert "ignoring case (Q1 / q1)" in finding.advice
