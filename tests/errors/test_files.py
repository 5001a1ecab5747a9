import pytest

from cranfield import errors
from cranfield.errors import UsageError

MESSAGES = [
    (
        errors.files.nothing_read("a", "judgments"),
        "a: no judgments found: the file is empty or holds only comments",
    ),
    (errors.files.nothing_read(None, "rankings"), "no rankings found: the input is empty"),
    (errors.files.swapped_arguments("a", "run"), "a: this is a run, where judgments were expected"),
    (errors.files.swapped_arguments("a", "judgments"), "a: these are judgments, where a run was expected"),
    (errors.files.is_directory("a"), "a: is a folder, not a file"),
    (errors.files.wrong_encoding("a", "UTF-16"), "a: the text is UTF-16; expected UTF-8"),
    (
        errors.files.ambiguous_columns("a", "query", ["qid", "topic"]),
        "a: several columns could give the query: qid, topic",
    ),
]


@pytest.mark.parametrize(("finding", "message"), MESSAGES)
def test_problems_are_worded_for_the_user(finding, message):
    assert str(finding) == message


def test_an_unknown_format_is_a_usage_error_with_the_nearest_name():
    error = errors.files.unknown_format("parket", ["trec", "parquet"])
    assert isinstance(error, UsageError)
    assert str(error) == "unknown format 'parket'; known are trec, parquet. Did you mean parquet?"
