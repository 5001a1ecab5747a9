import pytest

from cranfield import errors
from cranfield.errors import document_texts


def test_a_table_without_ids_shows_its_columns():
    finding = errors.document_texts.no_document_column("docs.csv", ["title", "body"])
    assert str(finding) == "docs.csv: no column gives the ids of documents; the columns are title, body"


def test_long_and_many_column_names_are_shown_in_part():
    finding = errors.document_texts.no_document_column(None, ["x" * 50, *"abcdefghijk"])
    assert f"{'x' * 39}…, a, b" in finding.message
    assert finding.message.endswith("h, i, …")


def test_an_object_that_holds_no_documents_is_named_by_its_type():
    assert str(errors.document_texts.unreadable_documents(3)).startswith("cannot read documents from int.")


def test_a_document_with_two_texts_is_a_warning():
    finding = errors.document_texts.document_twice("docs.csv", "d1")
    assert finding.severity == "warning"
    assert "'d1'" in finding.message


@pytest.mark.parametrize(("missing", "verb"), [(["d1"], "has"), (["d1", "d2"], "have")])
def test_missing_texts_are_counted(missing, verb):
    assert (
        f"of the pool {verb} no text" in document_texts.texts_missing("documents", None, missing, 9, "the pool").message
    )


def test_texts_of_another_collection_stop_the_work():
    error = document_texts.texts_never_meet("queries", "q.tsv", ["1", "2"], "the pool")
    assert isinstance(error, errors.DataError)
    assert str(error).startswith("q.tsv: none of the 2 queries of the pool is in it (1, 2)")
