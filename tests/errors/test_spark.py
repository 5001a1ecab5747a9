from __future__ import annotations

import inspect
import re

import pytest

from cranfield import errors
from cranfield.errors import rows
from cranfield.errors.spark import failed, other_versions, without_row

TELL_ROWS = [
    rows.duplicate_document("run", 4, "q1", "d1", 3, unit="row"),
    rows.judged_twice(None, 4, "q1", "d1", 2.0, 3, unit="row"),
    rows.contradiction(None, 4, "q1", "d1", (2.0, 1.0), 3, unit="row"),
]


@pytest.mark.parametrize("finding", TELL_ROWS, ids=lambda finding: finding.kind)
def test_a_finding_without_row_names_none(finding):
    told = str(without_row(finding, "q1", "d1"))
    assert not re.search(r"row|\b[34]\b", told)
    assert "query 'q1'" in told


def test_every_finding_that_names_another_row_is_tried_here():
    naming = {
        name
        for name, one in inspect.getmembers(rows, inspect.isfunction)
        if "first_line" in inspect.signature(one).parameters
    }
    assert len(naming) == len(TELL_ROWS)


def test_a_contradiction_still_tells_both_grades():
    assert str(without_row(TELL_ROWS[2], "q1", "d1")) == "query 'q1', document 'd1' is judged 1, but 2"


def test_what_is_about_no_row_stays_as_it_is():
    finding = errors.ranks.ranks_from_zero("run")
    assert without_row(finding, None, None) is finding


def test_versions_are_told_only_where_they_differ():
    assert other_versions({"Python": "3.11"}, [{"Python": "3.11"}]) is None
    told = other_versions(
        {"Python": "3.11", "NumPy": "2"}, [{"Python": "3.11", "NumPy": "1"}, {"Python": "3.11", "NumPy": "2"}]
    )
    assert told is not None
    assert told.message == "workers and driver differ: NumPy 1 (driver 2)"


ON_A_WORKER = """An exception was thrown from the Python worker:
Traceback (most recent call last):
  File "part.py", line 1, in read
    raise error
cranfield.errors.findings.DataError: part-0.parquet: the table is damaged: Corrupt data.
Write or copy the file again.

JVM stacktrace:
java.lang.RuntimeException
"""


def test_what_was_raised_on_a_worker_is_told_as_it_would_be_here():
    told = str(failed(ValueError(ON_A_WORKER)))
    assert told == "part-0.parquet: the table is damaged: Corrupt data.\nWrite or copy the file again."


def test_what_spark_raises_is_told_in_its_first_words():
    told = str(failed(ValueError("\n[FAILED_READ_FILE] Encountered error while reading a.parquet.\nat org.apache\n")))
    assert told.startswith("Spark stopped: [FAILED_READ_FILE] Encountered error while reading a.parquet.\n")
    assert "at org.apache" not in told
