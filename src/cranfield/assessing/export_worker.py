"""Exports in a process of their own: judges go on saving while thousands of labels are written."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress

from cranfield.assessing.aside import can_start, started, step_back
from cranfield.assessing.export import EXPORTS
from cranfield.assessing.refusals import StoreBroken, Unsound
from cranfield.assessing.store import Store, open_store
from cranfield.errors import CranfieldError
from cranfield.errors.assessing import export_ended

PART = 1 << 18
"""Bytes that are passed on together."""


def exported(store: Store, name: str) -> Iterable[bytes]:
    """One of `EXPORTS` of a store that this process has, in parts; raises a refusal where it cannot be written."""
    if store.readable is None or not can_start():  # nobody else can read it
        return _written(store, name)
    process = started("export_worker")
    source, target = process.stdout, process.stdin
    assert source is not None
    assert target is not None

    def parts() -> Iterator[bytes]:
        try:
            while part := source.read(PART):
                yield part
            if process.wait():
                raise StoreBroken(export_ended(name))
        finally:
            process.kill()  # whoever wanted it may be gone
            process.wait()
            source.close()

    try:
        with target, suppress(BrokenPipeError):
            pickle.dump((store.readable, name), target)
        refusal = pickle.load(source)
    except (EOFError, pickle.UnpicklingError):
        refusal = export_ended(name)
    if refusal is not None:
        process.kill()
        process.wait()
        source.close()
        raise Unsound(refusal)
    return parts()


def _written(store: Store, name: str) -> Iterator[bytes]:
    try:
        parts = EXPORTS[name](store)
    except CranfieldError as error:
        raise Unsound(str(error)) from None
    return (part.encode() for part in parts)


def main() -> None:
    """Write what the process that started this one wants: first why it cannot be written, or None, then the text."""
    step_back()
    where, name = pickle.load(sys.stdin.buffer)
    target = sys.stdout.buffer
    with suppress(BrokenPipeError):
        try:
            parts = _written(open_store(where, read_only=True), name)
        except CranfieldError as error:
            pickle.dump(str(error), target)
            return
        pickle.dump(None, target)
        for part in parts:
            target.write(part)
        target.flush()


if __name__ == "__main__":
    main()
