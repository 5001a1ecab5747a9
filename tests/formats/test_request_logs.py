"""The log of requests next to a run."""

import json
import os

import pytest

from cranfield.data.request_log import RequestRecord
from cranfield.errors import DataError
from cranfield.formats import read_run
from cranfield.formats.request_logs import RequestJournal, finish_log, log_path, read_log, remove_file

RECORDS = [
    RequestRecord("q1", "a", "results", 1, 12.5, 2, 40, documents=("d1", "d é"), scores=(2.0, -1.5)),
    RequestRecord("q2", "b", "failed", 6, kind="server error", detail="it's down"),
    RequestRecord("q3", "c", "empty", 2, 0.5),
    RequestRecord("q4", "d", "results", 1, 1.0, 1, documents=("d1",)),
]


def journal(path, records=RECORDS, **asked):
    made = RequestJournal(str(path), {"source": "http://127.0.0.1", **asked})
    for record in records:
        made.add(record)
    made.close()
    return made


def test_what_was_added_is_read_back(tmp_path):
    journal(tmp_path / "log", at_once=4)
    log = read_log(str(tmp_path / "log"))
    assert list(log.records.values()) == RECORDS
    assert log.asked == {"source": "http://127.0.0.1", "at_once": 4}
    assert not log.is_finished


def test_of_several_lines_about_a_query_the_last_counts(tmp_path):
    journal(tmp_path / "log")
    again = RECORDS[1]._replace(outcome="results", kind="", detail="", documents=("d9",), hits=1)
    journal(tmp_path / "log", [again])
    log = read_log(str(tmp_path / "log"))
    assert log.records["q2"] == again
    assert len(log.records) == 4


@pytest.mark.parametrize("left", range(1, 60, 7))
def test_a_line_that_was_cut_off_is_written_again(tmp_path, left):
    path = tmp_path / "log"
    journal(path, RECORDS[:2])
    whole = path.read_bytes()
    journal(path, RECORDS[2:3])
    path.write_bytes(path.read_bytes()[: len(whole) + left])
    assert list(read_log(str(path)).records) == ["q1", "q2"]
    journal(path, RECORDS[2:])
    assert list(read_log(str(path)).records.values()) == RECORDS


def test_a_log_whose_first_line_was_cut_off_begins_again(tmp_path):
    (tmp_path / "log").write_bytes(b'{"requ')
    with pytest.raises(DataError, match="line 1: is not a line of a log of requests"):
        read_log(str(tmp_path / "log"))
    (tmp_path / "log").write_bytes(b"")
    journal(tmp_path / "log")
    assert len(read_log(str(tmp_path / "log")).records) == 4


def test_every_line_is_on_the_disk_before_the_next_is_asked(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", synced.append)
    journal(tmp_path / "log")
    assert len(synced) == 5


def test_a_finished_log_has_no_documents(tmp_path):
    journal(tmp_path / "log")
    finish_log(read_log(str(tmp_path / "log")))
    log = read_log(str(tmp_path / "log"))
    assert log.is_finished
    assert log.latencies == {"q1": 12.5, "q3": 0.5, "q4": 1.0}
    assert log.records["q2"].detail == "it's down"
    assert "d1" not in (tmp_path / "log").read_text()


@pytest.mark.parametrize(
    "line",
    [
        "{}",
        "[]",
        "nonsense",
        '{"query": 7, "request": "", "outcome": "empty"}',
        '{"query": "q", "request": "", "outcome": "fine"}',
        '{"query": "q", "request": "", "outcome": "empty", "milliseconds": -1}',
        '{"query": "q", "request": "", "outcome": "empty", "milliseconds": "fast"}',
        '{"query": "q", "request": "", "outcome": "empty", "milliseconds": Infinity}',
        '{"query": "q", "request": "", "outcome": "results", "documents": ["d"], "scores": []}',
        '{"query": "q", "request": "", "outcome": "results", "documents": [1]}',
        '{"query": "q", "request": "", "outcome": "empty", "colour": "red"}',
    ],
)
def test_a_damaged_line_is_named(tmp_path, line):
    journal(tmp_path / "log")
    with (tmp_path / "log").open("a") as opened:
        opened.write(line + "\n")
    with pytest.raises(DataError, match="log, line 6: is not a line of a log of requests"):
        read_log(str(tmp_path / "log"))


def test_a_log_of_a_later_version_is_not_misread(tmp_path):
    (tmp_path / "log").write_text(json.dumps({"requests": 2, "asked": {}}) + "\n")
    with pytest.raises(DataError, match="line 1"):
        read_log(str(tmp_path / "log"))


def test_a_log_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(DataError, match="cannot be written"):
        RequestJournal(str(tmp_path / "none" / "log"), {})


def test_two_processes_do_not_write_one_log(tmp_path):
    first = RequestJournal(str(tmp_path / "log"), {})
    first.add(RECORDS[0])
    with pytest.raises(DataError, match="another process is making this run"):
        RequestJournal(str(tmp_path / "log"), {})
    first.close()
    journal(tmp_path / "log", RECORDS[1:])
    assert list(read_log(str(tmp_path / "log")).records.values()) == RECORDS


def test_a_run_has_the_log_beside_it(tmp_path):
    (tmp_path / "bm25.run").write_text("q1 Q0 d1 1 2.0 bm25\n")
    assert read_run(tmp_path / "bm25.run").log is None
    journal(log_path(tmp_path / "bm25.run"))
    assert read_run(tmp_path / "bm25.run").log.unanswered == ("q2",)
    remove_file(log_path(tmp_path / "bm25.run"))
    assert read_run(tmp_path / "bm25.run").log is None
