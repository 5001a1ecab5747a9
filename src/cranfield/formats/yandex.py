"""Click logs of Yandex's Relevance Prediction Challenge: a line per query, and one per click, by session.

.. code-block:: text

    SessionID  TimePassed  Q  QueryID  RegionID  URLID  URLID …
    SessionID  TimePassed  C  URLID

A session is everything one person did for one need; its queries are in the order of the lines. A click belongs to the
latest query of its session that showed the document, which is not always the last one: people go back.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

import numpy as np

from cranfield import errors
from cranfield.data.click_log import ClickLog
from cranfield.errors import DataError, Findings
from cranfield.formats.click_results import IdCodes
from cranfield.formats.delimited_text import first_line, line_batches
from cranfield.formats.source import Source
from cranfield.formats.values import NUL

NONE = -1


def is_yandex_log(source: Source) -> bool:
    """Whether the first line of a file is one of such a log."""
    return _is_action(first_line(source).rstrip("\r").split("\t"))


def _is_action(fields: list[str]) -> bool:
    is_query = len(fields) > 5 and fields[2] == "Q"
    is_click = len(fields) == 4 and fields[2] == "C"
    return (is_query or is_click) and fields[1].isascii() and fields[1].isdigit()


@dataclass
class YandexLog:
    """Logs that are being read; only codes are kept of what was read."""

    findings: Findings
    sessions: IdCodes = field(default_factory=IdCodes)
    queries: IdCodes = field(default_factory=IdCodes)
    documents: IdCodes = field(default_factory=IdCodes)
    starts: array[int] = field(default_factory=lambda: array("q", [0]))
    session: array[int] = field(default_factory=lambda: array("i"))
    query: array[int] = field(default_factory=lambda: array("i"))
    before: array[int] = field(default_factory=lambda: array("i"))
    """Of each impression, the one before it in its session."""
    latest: array[int] = field(default_factory=lambda: array("i"))
    """Of each session, its latest impression."""
    document: array[int] = field(default_factory=lambda: array("i"))
    clicked: bytearray = field(default_factory=bytearray)
    path: str | None = None

    def read(self, source: Source) -> None:
        """Add the lines of a file."""
        self.path = source.path if self.path is None else f"{self.path}, {source.path}"
        twice = astray = actions = 0
        for numbers, texts in line_batches(source, self.findings):
            for number, text in zip(numbers, texts, strict=True):
                fields = text.split("\t")
                if not _is_action(fields) or "" in fields or NUL in text:
                    self.findings.add(errors.clicks.no_yandex_line(source.path, number, text))
                elif fields[2] == "Q":
                    twice += self._show(fields)
                else:
                    actions += 1
                    astray += not self._click(fields[0], fields[3])
        if twice:
            self.findings.add(errors.clicks.documents_again(source.path, twice, len(self.query)))
        if astray:
            self.findings.add(errors.clicks.clicks_astray(source.path, astray, actions))

    def _show(self, fields: list[str]) -> bool:
        """A list that was shown; whether it has a document twice."""
        session, shown = self.sessions[fields[0]], fields[5:]
        if session == len(self.latest):
            self.latest.append(NONE)
        self.before.append(self.latest[session])
        self.latest[session] = len(self.query)
        self.session.append(session)
        self.query.append(self.queries[fields[3]])
        self.document.extend(map(self.documents.__getitem__, shown))
        self.clicked.extend(bytes(len(shown)))
        self.starts.append(len(self.document))
        return len(set(shown)) < len(shown)

    def _click(self, person: str, url: str) -> bool:
        """A click on what the session's queries showed, the latest first; whether there is such."""
        session, document = self.sessions.get(person, NONE), self.documents.get(url, NONE)
        impression = NONE if session == NONE or document == NONE else self.latest[session]
        while impression != NONE:
            start, end = self.starts[impression], self.starts[impression + 1]
            if document in self.document[start:end]:
                self.clicked[self.document.index(document, start, end)] = 1
                return True
            impression = self.before[impression]
        return False

    def finished(self) -> ClickLog:
        """All of it as a log."""
        self.findings.stop_if_wrong()
        if not self.query:
            raise DataError([errors.files.nothing_read(self.path, "impressions")])
        return ClickLog(
            tuple(self.sessions),
            tuple(self.queries),
            tuple(self.documents),
            np.array(self.starts, dtype=np.int64),
            np.array(self.session, dtype=np.int32),
            np.array(self.query, dtype=np.int32),
            np.array(self.document, dtype=np.int32),
            np.frombuffer(self.clicked, dtype=np.bool_),
            path=self.path,
            warnings=tuple(self.findings.warnings),
        )
