"""What can be wrong with files that are named by an address, such as s3://bucket/run.parquet."""

from __future__ import annotations

from cranfield.errors.findings import CranfieldError, Finding, UsageError
from cranfield.phrases import beginning_small, short


def not_reached(path: str, reason: str) -> Finding:
    """A store or server that gives no file, in its own words."""
    message = f"cannot be read: {beginning_small(short(reason, 300)) or 'no reason was given'}"
    advice = "Check the address, the credentials and the connection."
    return Finding("error", "not-reached", message, advice, path)


def no_such_bucket(path: str, bucket: str) -> Finding:
    """The part of a store that the file would be in is not there."""
    message = f"there is no bucket or container {bucket!r}, or these credentials may not list it"
    return Finding("error", "no-such-file", message, "Check the address and the credentials.", path)


def not_there(path: str) -> Finding:
    """A store has nothing of this name."""
    return Finding("error", "no-such-file", "there is no such file", "Check the address.", path)


def cut_off(path: str, read: int, size: int) -> Finding:
    """A connection that ended before the file did."""
    message = f"the connection ended after {read:,} of {size:,} bytes"
    return Finding("error", "cut-off", message, "Run it again; nothing of this file was used.", path)


def unknown_scheme(path: str, scheme: str) -> Finding:
    """An address that no package here knows how to read."""
    message = f"{scheme}:// is no kind of address that is known here"
    advice = "Known are s3, gs, abfs, hdfs, http, https, file, and what fsspec knows."
    return Finding("error", "unknown-address", message, advice, path)


def not_listed(path: str) -> Finding:
    """A pattern for files of a web server."""
    message = "a web server does not list its files, so a pattern finds none"
    advice = "Name one file, or copy the files into a folder and name that."
    return Finding("error", "not-listed", message, advice, path)


def not_written(path: str) -> CranfieldError:
    """An address as the name of what is to be written."""
    return UsageError(
        f"{path}: cranfield writes files of this machine only.\nWrite a local file, and copy it to the address."
    )
