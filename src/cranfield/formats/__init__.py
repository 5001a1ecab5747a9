"""Reads judgments and runs, and what is known of queries: files in any common format, and Python objects."""

from __future__ import annotations

from cranfield.formats.columns import Kind
from cranfield.formats.reading import FORMATS, read_inputs, read_judgments, read_run, read_runs, repeated_files, runs_in
from cranfield.formats.sniff import kind_of, must_not_be_swapped

__all__ = [
    "FORMATS",
    "Kind",
    "kind_of",
    "must_not_be_swapped",
    "read_inputs",
    "read_judgments",
    "read_run",
    "read_runs",
    "repeated_files",
    "runs_in",
]
