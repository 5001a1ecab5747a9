"""Judgments are known again by what they say."""

from __future__ import annotations

import cranfield as cf
from cranfield.data.fingerprints import fingerprint
from cranfield.formats.source import file_hash

JUDGMENTS = {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}, "q3": {"d9": 0}}


def test_judgments_are_known_by_what_they_say():
    one = fingerprint(cf.read_judgments(JUDGMENTS))
    assert one == fingerprint(
        cf.read_judgments([(q, d, g) for q, of in reversed(JUDGMENTS.items()) for d, g in of.items()])
    )
    assert one != fingerprint(cf.read_judgments({**JUDGMENTS, "q3": {"d9": 0.5}}))
    assert one != fingerprint(cf.read_judgments({**JUDGMENTS, "q4": {"d9": 0}}))
    rows = [("q1", 1, "d1", 1), ("q1", 2, "d1", 0)]
    grouped = [
        cf.read_judgments(given, columns="query,subtopic,document,grade", groups="subtopic")
        for given in (rows, rows[:1])
    ]
    assert fingerprint(grouped[0]) != fingerprint(grouped[1])


def test_what_is_no_file_has_no_hash(tmp_path):
    assert file_hash(None) is None
    assert file_hash("-") is None
    assert file_hash(str(tmp_path)) is None
