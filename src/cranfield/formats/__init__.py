"""Reads judgments and runs, and what is known of queries: files in any common format, and Python objects."""

from __future__ import annotations

from cranfield.formats.columns import Kind
from cranfield.formats.kind import kind_of, must_not_be_swapped
from cranfield.formats.reading import FORMATS, read_judgments, read_run
from cranfield.formats.several import read_runs

__all__ = ["FORMATS", "Kind", "kind_of", "must_not_be_swapped", "read_judgments", "read_run", "read_runs"]
