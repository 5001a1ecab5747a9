from cranfield import errors
from cranfield.phrases import command_line


def test_a_query_without_relevant_documents_has_no_curve():
    error = errors.figures.no_curve("q1", None, 2.0)
    assert str(error) == "Query 'q1' has no document of grade 2 or more in the judgments, so it has no curve."


def test_a_characteristic_needs_documents_of_both_sorts():
    needs = "it needs judged documents of grade 1 or more, and of less"
    assert needs in str(errors.figures.no_characteristic(1.0, "q1"))
    assert needs in str(errors.figures.no_characteristics("qrels", 1.0))


def test_another_kind_of_curve_is_advised_as_the_reader_would_ask_for_it():
    assert 'kind="pr11"' in errors.figures.no_characteristics(None, 1.0).advice
    with command_line():
        assert "--kind pr11" in errors.figures.no_characteristics(None, 1.0).advice
