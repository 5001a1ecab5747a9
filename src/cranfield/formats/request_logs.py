"""The log of requests for a run: a line for each query as soon as it is answered, so that nothing is asked twice."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from cranfield import errors
from cranfield.data.request_log import OUTCOMES, RequestLog, RequestRecord
from cranfield.data.run import LOG_ENDING
from cranfield.errors import DataError
from cranfield.formats.file_locks import lock_file
from cranfield.formats.writing import write_text, written
from cranfield.version import VERSION

FORMAT = 1
_KEPT = ("query", "request", "outcome", "tries", "milliseconds", "hits", "total", "kind", "detail")


def log_path(run: str | os.PathLike[str]) -> str:
    """Where the log of a run is."""
    return f"{os.fspath(run)}{LOG_ENDING}"


def read_log(path: str) -> RequestLog:
    """What came of every query; of several lines about one, the last counts."""
    return _parsed(path)[0]


def finish_log(log: RequestLog) -> None:
    """Leave of a log what is not in the run: everything but the documents."""
    assert log.path is not None
    head = {**_head(log.asked), "finished": True}
    lines = [head, *(_plain(record, with_documents=False) for record in log.records.values())]
    write_text(log.path, "".join(json.dumps(line) + "\n" for line in lines))


class RequestJournal:
    """A log that is being written: what was added is on the disk."""

    def __init__(self, path: str, asked: Mapping[str, Any]) -> None:
        self.path = path
        with written(path):
            # Held before it is read: whoever wrote it last has ended.
            self._file: BinaryIO = Path(path).open("a+b")  # noqa: SIM115  # `close` closes it
            if not lock_file(self._file.fileno()):
                self._file.close()
                raise DataError([errors.retrieving.log_in_use(path)])
            try:
                self.log, end = _parsed(path)
            except DataError:
                self._file.close()
                raise
            self._file.truncate(end)  # whoever was killed while writing left a part of a line
            if not end:
                self.log = RequestLog({}, asked, path)
                self._append(_head(asked))

    def add(self, record: RequestRecord) -> None:
        """Add a line."""
        with written(self.path):
            self._append(_plain(record, with_documents=True))

    def close(self) -> None:
        """Write no more."""
        self._file.close()

    def _append(self, line: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def remove_file(path: str) -> None:
    """Remove a log, or a run that is made again."""
    with written(path), suppress(FileNotFoundError):
        Path(path).unlink()


def _head(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {"requests": FORMAT, "cranfield": VERSION, "asked": dict(asked)}


def _plain(record: RequestRecord, *, with_documents: bool) -> dict[str, Any]:
    values = record._asdict()
    names = record._fields if with_documents else _KEPT
    empty = (None, "", ())
    return {name: values[name] for name in names if name == "query" or values[name] not in empty}


def _parsed(path: str) -> tuple[RequestLog, int]:
    """A log, and where its last whole line ends."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise DataError([errors.files.unreadable(path, error.strerror or str(error))]) from None
    end = content.rfind(b"\n") + 1
    if not end and not content:
        return RequestLog({}, {}, path), 0
    records: dict[str, RequestRecord] = {}
    head: Mapping[str, Any] = {}
    for at, line in enumerate(content[:end].split(b"\n")[:-1], 1):
        try:
            value = json.loads(line)
            if at == 1:
                head = _read_head(value)
            else:
                record = _record(value)
                records.pop(record.query, None)
                records[record.query] = record
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise DataError([errors.retrieving.damaged_log(path, at)]) from None
    if not head:
        raise DataError([errors.retrieving.damaged_log(path, 1)])
    return RequestLog(records, head["asked"], path, bool(head.get("finished"))), end


def _read_head(value: Mapping[str, Any]) -> Mapping[str, Any]:
    if value["requests"] != FORMAT or not isinstance(value["asked"], dict):
        raise ValueError
    return value


def _record(value: Mapping[str, Any]) -> RequestRecord:
    documents, scores = value.get("documents", ()), value.get("scores")
    record = RequestRecord(
        **{**value, "documents": tuple(documents), "scores": None if scores is None else tuple(map(float, scores))}
    )
    time = record.milliseconds
    is_sound = (
        all(isinstance(text, str) for text in (record.query, record.request, record.kind, record.detail, *documents))
        and record.outcome in OUTCOMES
        and (time is None or (isinstance(time, int | float) and 0 <= time < float("inf")))
        and isinstance(record.tries, int)
        and isinstance(record.hits, int)
        and (record.scores is None or len(record.scores) == len(documents))
    )
    if not is_sound:
        raise ValueError
    return record
