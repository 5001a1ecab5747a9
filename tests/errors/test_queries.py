from cranfield import errors
from cranfield.phrases import command_line


def test_a_column_that_is_nearly_called_as_ids_are_is_asked_about():
    finding = errors.queries.no_query_column("q.csv", ["querry", "text"], ["query", "qid"])
    assert finding.advice.startswith("Did you mean query by querry?")


def test_only_python_can_say_which_column_holds_the_ids():
    assert 'columns={"query": NAME}' in errors.queries.no_query_column(None, ["x"], ["query"]).advice
    with command_line():
        assert "columns" not in errors.queries.no_query_column(None, ["x"], ["query"]).advice


def test_several_columns_for_one_role_are_listed():
    assert (
        "the ids of queries: qid, topic"
        in errors.queries.several_query_columns(None, "query", ["qid", "topic"]).message
    )
    assert "the texts of queries: a, b" in errors.queries.several_query_columns(None, "text", ["a", "b"]).message


def test_a_repeated_query_names_both_places():
    finding = errors.queries.query_twice("q.csv", 7, "q1", 2, unit="row")
    assert str(finding) == "q.csv, row 7: query 'q1' comes again; it is already on row 2"


def test_queries_that_never_meet_come_with_the_spelling_that_would_match():
    finding = errors.queries.queries_never_meet(None, ["001", "002"], ["1", "2"])
    assert "without leading zeros" in finding.advice
    assert finding.path == "queries"


def test_a_column_with_a_value_for_each_query_makes_no_slices():
    error = errors.queries.too_many_slices("title", ["a", "b", "c", "d"], 4)
    assert str(error).startswith("title has 4 different values for 4 queries (a, b, c, …)")
