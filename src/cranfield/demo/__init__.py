"""The demo collection that ships with the package: queries, documents, judgments, runs and clicks.

>>> "qrels.txt" in names()
True
>>> path("bm25.run").name
'bm25.run'
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from cranfield.errors import UsageError, did_you_mean

__all__ = ["names", "path", "write"]


def names() -> list[str]:
    """The files of the collection."""
    return sorted(file.name for file in _collection().iterdir() if file.is_file())


def path(name: str) -> Path:
    """Where a file of the collection is."""
    known = names()
    if name not in known:
        advice = did_you_mean(name, known) or f"It has {', '.join(known)}."
        raise UsageError(f"The demo collection has no file {name!r}.\n{advice}")
    return _collection() / name


def write(directory: str | Path) -> list[Path]:
    """Copy the collection into a directory, which is made if need be; the paths of the copies.

    Files that are there already and are the same are left alone; others are never written over.
    """
    target = Path(directory)
    if target.exists() and not target.is_dir():
        raise UsageError(f"{target} is a file, and the demo needs a directory.\nName another one.")
    contents = {target / name: path(name).read_bytes() for name in names()}
    _refuse_to_overwrite(target, contents)
    target.mkdir(parents=True, exist_ok=True)
    for copy, content in contents.items():
        if not copy.exists():
            copy.write_bytes(content)
    return list(contents)


def _refuse_to_overwrite(target: Path, contents: dict[Path, bytes]) -> None:
    differing = [
        copy.name
        for copy, content in contents.items()
        if copy.exists() and (not copy.is_file() or copy.read_bytes() != content)
    ]
    if differing:
        what = "a file that differs" if len(differing) == 1 else f"{len(differing)} files that differ"
        raise UsageError(
            f"{target} already has {what} from the demo: {', '.join(differing)}\n"
            "Nothing was written. Choose another directory, or move these away first."
        )


def _collection() -> Path:
    return Path(str(files("cranfield.demo"))) / "collection"
