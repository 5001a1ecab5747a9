"""Parts that are held as long as they are small, and in a file from then on."""

from __future__ import annotations

import pytest

from cranfield.formats import spilling
from cranfield.formats.spilling import spill


@pytest.mark.parametrize("held", [0, 3, 100])
def test_a_part_is_all_that_was_appended_in_its_order(monkeypatch, held):
    monkeypatch.setattr(spilling, "HELD", held)
    with spill(3) as parts:
        for number in range(10):
            parts.held[number % 2] += b"%d" % number
            parts.relieve()
        assert [bytes(parts.take(part)) for part in range(3)] == [b"02468", b"13579", b""]


def test_what_is_small_needs_no_file(monkeypatch):
    monkeypatch.setattr("tempfile.TemporaryFile", None)
    with spill(1) as parts:
        parts.held[0] += b"little"
        parts.relieve()
        assert parts.take(0) == b"little"


def test_the_file_is_gone_afterwards(monkeypatch, tmp_path):
    monkeypatch.setattr(spilling, "HELD", 0)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with spill(1) as parts:
        parts.held[0] += b"much"
        parts.relieve()
        assert parts.take(0) == b"much"
    assert list(tmp_path.iterdir()) == []
