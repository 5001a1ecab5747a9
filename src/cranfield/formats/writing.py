"""Everything that is written to files: which format a name asks for, texts, and judgments."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import IO, TypeVar, cast

from cranfield import errors
from cranfield.data.judgments import Judgments
from cranfield.errors import CranfieldError, DataError, UsageError
from cranfield.file_endings import ENDINGS, IMAGES, JUDGMENTS, TableForm, endings_of
from cranfield.formats.compression import compressed, without_compression
from cranfield.formats.remote import is_remote, visible
from cranfield.formats.table_writing import write_table
from cranfield.show.table import Table

Form = TypeVar("Form", bound=str)

COMPRESSED_ALREADY = (*IMAGES, "xlsx")
"""What is not compressed once more."""


def form_of(path: str | os.PathLike[str], forms: Collection[Form], what: str) -> Form:
    """What to write to a file whose name ends in whatever case; a name that does not tell it is wrong usage.

    >>> form_of("Judged.CSV", JUDGMENTS, "judgments"), form_of("judged.csv.gz", JUDGMENTS, "judgments")
    ('csv', 'csv')
    """
    name = os.fspath(path)
    require_local(name)
    plain = without_compression(name)
    ending = ENDINGS.get(PurePath(plain).suffix.lower())
    for form in forms:
        if form == ending and (plain == name or form not in COMPRESSED_ALREADY):
            return form
    raise UsageError(
        f"{name}: the name does not show the format to write {what} in.\n"
        f"Choose one that ends in {', '.join(endings_of(forms))}."
    )


def path_for(path: str | os.PathLike[str], name: str) -> str:
    """The file of one of several people, whose name can lead nowhere else.

    >>> path_for("sheets/pool.csv", "Ada / Lovelace")
    'sheets/pool-Ada_Lovelace.csv'
    """
    plain = without_compression(os.fspath(path))
    file, compression = PurePath(plain), os.fspath(path)[len(plain) :]
    safe = re.sub(r"[^\w.-]+", "_", name).strip(".") or "judge"
    return str(file.with_name(f"{file.stem}-{safe}{file.suffix}{compression}"))


def require_local(target: object) -> None:
    """Refuse an address as the name of what is to be written."""
    if isinstance(target, str) and is_remote(target):
        raise errors.remote.not_written(visible(target))


@contextmanager
def written(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn what writing a file may raise into a finding."""
    require_local(path)
    try:
        yield
    except CranfieldError:
        raise
    except (OSError, ValueError) as error:  # a name may hold what no name can
        reason = getattr(error, "strerror", None) or str(error)
        raise DataError([errors.results.unwritable(os.fspath(path), reason)]) from None


@contextmanager
def written_file(path: str | os.PathLike[str], *, in_new_folder: bool = False) -> Iterator[IO[bytes]]:
    """A file to write to, compressed as the end of its name says; perhaps in a folder that is not there yet.

    It has its name only once all is written. Until then a file that is there keeps its content: a full disk, or data
    that cannot be written, lose nothing.
    """
    with written(path):
        target = Path(path).resolve()
        if in_new_folder:
            target.parent.mkdir(parents=True, exist_ok=True)
        beside = _name_beside(target)
        try:
            with (beside or target).open("wb") as raw, compressed(raw, target.name) as stream:
                yield stream
            if beside is not None:
                if target.is_file():
                    beside.chmod(target.stat().st_mode & 0o7777)
                beside.replace(target)
        finally:
            if beside is not None:
                beside.unlink(missing_ok=True)


@contextmanager
def written_stream(stream: IO[bytes]) -> Iterator[IO[bytes]]:
    """What goes to an open file, which gets it once all is written."""
    import shutil
    import tempfile

    with tempfile.TemporaryFile() as content:
        yield content
        content.seek(0)
        shutil.copyfileobj(content, stream)


def _name_beside(path: Path) -> Path | None:
    """Another name in the same folder; None where no other file can be made there, or none may take its place."""
    if path.exists() and not (path.is_file() and os.access(path, os.W_OK)):
        return None
    return path.with_name(f".{path.name[:100]}.{os.getpid()}.new") if os.access(path.parent, os.W_OK) else None


def write_text(path: str | os.PathLike[str], text: str, *, append: bool = False) -> None:
    """Write a text as UTF-8, whose lines end with LF on every system, as `written_file` does."""
    if not append:
        write_bytes(path, text.encode())
        return
    with written(path), Path(path).open("a", encoding="utf-8", newline="") as opened:
        opened.write(text)


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file that is no text, as `write_text` does."""
    with written_file(path) as opened:
        opened.write(content)


def write_judgments(
    target: str | os.PathLike[str],
    judgments: Judgments | None,
    comments: Sequence[str],
    table: Table,
    form: str | None = None,
    judge: str = "0",
) -> None:
    """Judgments as TREC has them, with comments; or, by the ending of the path, a table with all its columns.

    Only a table can be written where there are no judgments. `judge` is for the second column of TREC.
    """
    form = form or form_of(target, JUDGMENTS, "judgments")
    if form == "trec":
        assert judgments is not None  # whoever has none says so
        write_text(target, trec(judgments, comments, judge))
        return
    with written_file(target) as stream:
        write_table(stream, cast(TableForm, form), [table.to_dict()], os.fspath(target))


def trec(judgments: Judgments, comments: Sequence[str] = (), judge: str = "0") -> str:
    """Judgments as lines of a TREC file, below comments; the second column names the judge where that is a model.

    >>> from cranfield import read_judgments
    >>> print(trec(read_judgments({"q1": {"d1": 2, "d2": 0.5}}), ["by hand"]), end="")
    # by hand
    q1 0 d1 2
    q1 0 d2 0.5
    """
    lines = [f"# {' '.join(comment.split())}" for comment in comments]
    second = "_".join(judge.split())
    for at, query in enumerate(judgments.queries):
        require_one_word("query", query)
        for row in range(int(judgments.starts[at]), int(judgments.starts[at + 1])):
            document, grade = judgments.documents[row], float(judgments.grades[row])
            require_one_word("document", document)
            lines.append(f"{query} {second} {document} {int(grade) if grade.is_integer() else repr(grade)}")
    return "\n".join(lines) + "\n"


def require_one_word(what: str, name: str) -> None:
    """Refuse an id that would be read from a TREC file as another one."""
    # At the start of a file a reader takes them for a comment and for a byte order mark.
    begins_otherwise = what == "query" and name.startswith(("#", "\ufeff"))
    if begins_otherwise or len(name.encode().split()) != 1 or name.strip() != name:
        raise errors.labels.not_in_trec(None, what, name)
