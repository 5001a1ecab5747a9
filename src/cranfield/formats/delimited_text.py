"""Delimited text as records: fields between tabs, commas or semicolons, with the line that each record begins on.

Every reader of CSV and TSV takes its records from here, so that all of them agree on what a record is. Lines end with
LF or CR LF; a CR elsewhere is refused, and no other sign ends a line. Blank lines are skipped. Quotes are those of CSV,
and one that is not closed is an error on the line on which it opens.
"""

from __future__ import annotations

import csv
import io
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from operator import methodcaller
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cranfield import errors
from cranfield.errors import Finding, Findings
from cranfield.errors.delimited_text import LONGEST_LINE
from cranfield.formats.source import Block, Source

if TYPE_CHECKING:
    from _csv import Reader as CsvReader

DELIMITERS = ("\t", ",", ";")
BLANKS = " \t\r\n\x0b\x0c"
"""What separates fields in files without a delimiter: the blanks of ASCII, and no others."""

ROWS = 1 << 13
"""Records that are handed on together, at most."""

BLOCKS = 4
"""Blocks that compiled loops read together: enough to make Python's part small."""

Fields: TypeAlias = list[str]


class Batch(NamedTuple):
    """Some records and the line each begins on."""

    lines: Sequence[int]
    rows: Sequence[Fields]


class ColumnBatch(NamedTuple):
    """Some records of one width as columns, and the line each record begins on."""

    lines: Sequence[int]
    columns: Sequence[Sequence[str]]


def delimiter_of(line: str, delimiters: Sequence[str] = DELIMITERS) -> str | None:
    """What separates the fields of a line: the delimiter that comes most often."""
    best = max(delimiters, key=line.count)
    return best if best in line else None


def first_line(source: Source) -> str:
    """The first line that is not blank."""
    lines = source.head.decode(errors="replace").split("\n")
    return next((line for line in lines if line.strip(BLANKS)), "")


def delimiter_in(source: Source) -> str | None:
    """What separates the fields of a file: tabs if its first line has any, else commas or semicolons."""
    line = first_line(source)
    return "\t" if "\t" in line else delimiter_of(line, (",", ";"))


def fields_of(line: str, delimiter: str) -> Fields:
    """The fields of a single line, such as a header, as far as it alone shows them."""
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return line.split(delimiter)


def column_batches(
    source: Source,
    delimiter: str,
    findings: Findings,
    *,
    of_texts: bool = False,
    is_open_ended: Callable[[Fields], bool] | None = None,
) -> Iterator[ColumnBatch]:
    """The records of a file as columns; those that are not as wide as the first become findings.

    Records `of_texts` have quotes of their own: between tabs a line is then a record, whatever quotes it has. The first
    record may say that the last field of each takes all that is left of its line.
    """
    literal = of_texts and delimiter == "\t"
    width = 0
    last: int | None = None
    for piece in _lines_at_tabs(source, findings) if literal else _pieces(source, delimiter, findings):
        if not width and (first := _first_of(piece, delimiter)):
            width = len(first)
            last = width - 1 if is_open_ended is not None and is_open_ended(first) else None
        if isinstance(piece, LineBatch):
            lines, texts = piece
            if set(map(methodcaller("count", delimiter), texts)) == {width - 1}:
                # All fields at once, which is much faster than a list for each line: column j is fields[j::width].
                fields = delimiter.join(texts).split(delimiter)
                yield ColumnBatch(lines, [fields[at::width] for at in range(width)])
                continue
            piece = Batch(lines, [line.split(delimiter) for line in texts])
        if last is not None:
            rows = [row if len(row) <= width else [*row[:last], delimiter.join(row[last:])] for row in piece.rows]
            piece = Batch(piece.lines, rows)
        piece = of_width(piece, width, source.path, delimiter, findings)
        if piece.rows:
            yield ColumnBatch(piece.lines, list(zip(*piece.rows, strict=True)))


def _first_of(piece: LineBatch | Batch, delimiter: str) -> Fields:
    """The first record of some, if there is one."""
    if isinstance(piece, Batch):
        return next(iter(piece.rows), [])
    return next((line.split(delimiter) for line in piece.texts), [])


def _lines_at_tabs(source: Source, findings: Findings) -> Iterator[LineBatch | Batch]:
    for lines, texts in line_batches(source, findings):
        if any('"' in line for line in texts):
            yield Batch(lines, [[_unquoted(field) for field in line.split("\t")] for line in texts])
        else:
            yield LineBatch(lines, texts)


class LineBatch(NamedTuple):
    """Some lines without their ends, and their numbers."""

    lines: Sequence[int]
    texts: Sequence[str]


def line_batches(source: Source, findings: Findings) -> Iterator[LineBatch]:
    """The lines of a file that are not blank, some at a time."""
    decoder = _Decoder(source.path, findings)
    for block in source.blocks():
        batch = _lines(block, decoder)
        if batch.texts:
            yield batch


def whole_line(line: str, number: int, path: str | None, findings: Findings) -> str:
    """The only field of a line, blanks included, without the quotes around it."""
    field = line.strip(BLANKS)
    if field.startswith('"') and not _QUOTED.fullmatch(field):
        quoted = _QUOTED.match(field)
        wrong = (
            errors.delimited_text.text_after_quote(path, number, number, line)
            if quoted
            else errors.delimited_text.open_quote(path, number, line)
        )
        findings.add(wrong)
    return _unquoted(field)


def split_at_blanks(line: str) -> Fields:
    """The fields of a line without a delimiter. As in TREC files, blanks are those of ASCII: an id may have others."""
    return [field.decode() for field in line.encode().split()]


def of_width(batch: Batch, width: int, path: str | None, delimiter: str | None, findings: Findings) -> Batch:
    """The records of one width; others become findings."""
    if not set(map(len, batch.rows)) - {width}:
        return batch
    sound = [at for at, row in enumerate(batch.rows) if len(row) == width]
    for line, row in zip(batch.lines, batch.rows, strict=True):
        if len(row) != width:
            findings.add(wrong_width(path, line, row, width, delimiter))
    return Batch([batch.lines[at] for at in sound], [batch.rows[at] for at in sound])


def wrong_width(path: str | None, line: int, row: Fields, width: int, delimiter: str | None) -> Finding:
    """A record that has more fields than the first, or fewer; without a delimiter, fields stand between blanks."""
    quotes = 'Correct the line; a field that contains a delimiter is written in "quotes".'
    advice = quotes if delimiter else "Correct the line; for fields that contain blanks, write CSV."
    text = (delimiter or " ").join(row)
    return errors.files.wrong_column_count(path, line, text, len(row), f"the first line has {width}", advice)


# A text as bytes, for the compiled loops


def blocks_below(source: Source, *, header: bool) -> Iterator[Block]:
    """The text below its first line that is not blank, if that is a header; several blocks as one."""
    blocks = source.blocks()
    while some := [block for _, block in zip(range(BLOCKS), blocks, strict=False)]:
        data, line = b"".join(block.data for block in some), some[0].first_line
        if header:
            passed, data, line = _without_header(data, line)
            header = not passed
        if data.strip(BLANKS.encode()):
            yield Block(line, data)


def _without_header(data: bytes, line: int) -> tuple[bool, bytes, int]:
    """The text behind the first line that is not blank, if there is one, and the number of the line it begins with."""
    while data:
        first, _, data = data.partition(b"\n")
        line += 1
        if first.strip(BLANKS.encode()):
            return True, data, line
    return False, b"", line


# Pieces of a file: text in which no quote is, and records around quotes


def _pieces(source: Source, delimiter: str, findings: Findings) -> Iterator[LineBatch | Batch]:
    feed = _Feed(source, findings)
    reader = csv.reader(chain.from_iterable(feed.texts()), delimiter=delimiter, strict=True)
    for block in feed.blocks:
        if b'"' in block.data:
            feed.begin(block, reader.line_num)
            while reader.line_num < feed.end:
                yield _quoted(reader, feed, source, delimiter, findings)
        else:
            yield _lines(block, feed.decoder)


class _Feed:
    """Blocks for `csv.reader`, which takes line after line; a record that goes on takes lines of the next block."""

    def __init__(self, source: Source, findings: Findings) -> None:
        self.blocks = source.blocks()
        self.decoder = _Decoder(source.path, findings)
        self._begun: Block | None = None
        self.before = 0
        """Lines of the file that the reader has not counted, because it did not get them."""
        self.end = 0
        """What the reader will have counted at the end of the block."""

    def begin(self, block: Block, counted: int) -> None:
        """Let the reader go on with a block."""
        self._begun = block
        self.before = block.first_line - 1 - counted
        self.end = counted + _height(block)

    def texts(self) -> Iterator[Iterator[str]]:
        """The lines of one block after the other."""
        while (block := self._begun or next(self.blocks, None)) is not None:
            if block is not self._begun:
                self.end += _height(block)
            self._begun = None
            yield io.StringIO(self.decoder.text(block), newline="\n")


def _height(block: Block) -> int:
    """How many lines a block has."""
    return block.data.count(b"\n") + (not block.data.endswith(b"\n"))


def _quoted(reader: CsvReader, feed: _Feed, source: Source, delimiter: str, findings: Findings) -> Batch:
    """Some records from where the reader stands."""
    tabs = delimiter == "\t"
    lines: list[int] = []
    rows: list[Fields] = []
    with _long_fields():
        while reader.line_num < feed.end and len(rows) < ROWS:
            begin = feed.before + reader.line_num + 1
            try:
                row = next(reader)
            except csv.Error:
                findings.add(_wrong_quote(source, begin, feed.before + reader.line_num, delimiter))
                continue
            if (len(row) > 1 and not tabs) or not _is_blank(row, delimiter):
                lines.append(begin)
                rows.append(row)
    return Batch(lines, rows)


_reading = threading.Lock()


@contextmanager
def _long_fields() -> Iterator[None]:
    """Let fields be as long as lines may be. The limit is one for all of Python, so it is put back."""
    with _reading:
        before = csv.field_size_limit(LONGEST_LINE)
        try:
            yield
        finally:
            csv.field_size_limit(before)


def _is_blank(row: Fields, delimiter: str) -> bool:
    alone = len(row) == 1 or delimiter == "\t"
    return not row or (alone and row != [""] and not "".join(row).strip(BLANKS))


def _wrong_quote(source: Source, begin: int, last: int, delimiter: str) -> Finding:
    """What is wrong with a record that begins on one line and was given up on another."""
    text = _text_of(source, begin, last)
    field, at = _field(delimiter), 0
    while at < len(text) and (sound := field.match(text, at)):
        at = sound.end()
    line = begin + text.count("\n", 0, at)
    shown = text[text.rfind("\n", 0, at) + 1 :].partition("\n")[0]
    if text[at : at + 1] not in ('"', ""):
        return errors.delimited_text.stray_return(source.path, line, shown)
    quoted = _QUOTED.match(text, at)
    if quoted is None:
        return errors.delimited_text.open_quote(source.path, line, shown)
    return errors.delimited_text.text_after_quote(source.path, line, begin + text.count("\n", 0, quoted.end()), shown)


_QUOTED = re.compile(r'"(?:[^"]++|"")*+"')


def _field(delimiter: str) -> re.Pattern[str]:
    """A field as CSV has it, with the delimiter or line end after it."""
    plain = rf'[^"{delimiter}\r\n][^{delimiter}\r\n]*+'
    return re.compile(rf"(?:{_QUOTED.pattern}|{plain}|)(?:{delimiter}|\r*+\n|\r*+\Z)")


def _text_of(source: Source, begin: int, last: int) -> str:
    """Some lines of a file."""
    parts: list[bytes] = []
    for block in source.blocks():
        if block.first_line > last:
            break
        own = slice(max(begin - block.first_line, 0), last - block.first_line + 1)
        parts += block.lines[own] if begin < block.first_line + block.data.count(b"\n") + 1 else []
    return b"\n".join(parts).decode(errors="replace")


# Lines


def _lines(block: Block, decoder: _Decoder) -> LineBatch:
    """The lines of a block that are not blank, without their ends, and their numbers."""
    text = decoder.text(block)
    lines = text.removesuffix("\n").split("\n")
    numbers: Sequence[int] = range(block.first_line, block.first_line + len(lines))
    if "\r" in text:
        lines = [line.rstrip("\r") for line in lines]
        for number, line in zip(numbers, lines, strict=True):
            if "\r" in line:
                decoder.findings.add(errors.delimited_text.stray_return(decoder.path, number, line))
    if not all(map(str.strip, lines)):
        kept = [at for at, line in enumerate(lines) if line.strip(BLANKS)]
        numbers, lines = [numbers[at] for at in kept], [lines[at] for at in kept]
    return LineBatch(numbers, lines)


class _Decoder:
    """The text of one block after the other: UTF-8, or else Windows-1252; what is neither becomes a finding."""

    def __init__(self, path: str, findings: Findings) -> None:
        self.path, self.findings = path, findings
        self.encoding: str | None = None
        """What the blocks so far are in, if they have more than ASCII."""

    def text(self, block: Block) -> str:
        """The text of a block."""
        text, encoding = _decoded(block.data)
        if encoding is None or (self.encoding is not None and encoding not in ("ascii", self.encoding)):
            text = self._replaced(block)
        elif encoding != "ascii" and self.encoding is None:
            self.encoding = encoding
            if encoding == WINDOWS:
                number, line = next(self._others(block))
                self.findings.add(errors.rows.windows_text(self.path, number, line.decode(WINDOWS)))
        if "\0" in text:
            for number, line in enumerate(block.lines, block.first_line):
                if b"\0" in line:
                    shown = line.decode(errors="replace")
                    self.findings.add(errors.delimited_text.nul_in_text(self.path, number, shown))
        return text

    def _replaced(self, block: Block) -> str:
        for number, line in self._others(block):
            self.findings.add(errors.rows.unknown_encoding(self.path, number, line.decode(errors="replace")))
        return block.data.decode(errors="replace")

    def _others(self, block: Block) -> Iterator[tuple[int, bytes]]:
        """The lines that are not in UTF-8; or, after blocks in Windows-1252, those that have more than ASCII."""
        for number, line in enumerate(block.lines, block.first_line):
            if not line.isascii() and (self.encoding == WINDOWS or line.decode(errors="replace").encode() != line):
                yield number, line


WINDOWS = "cp1252"


def _decoded(data: bytes) -> tuple[str, str | None]:
    """A text, and its encoding: `ascii`, `utf-8` or Windows-1252; None where it seems to be neither.

    >>> _decoded("Käse".encode("cp1252")), _decoded("сыр".encode("cp1251"))
    (('Käse', 'cp1252'), ('', None))
    """
    try:
        text = data.decode()
        return text, "ascii" if text.isascii() else "utf-8"
    except UnicodeDecodeError:
        pass
    if _UTF8.search(data) or _NO_WESTERN_WORD.search(data):
        return "", None
    try:
        return data.decode(WINDOWS), WINDOWS
    except UnicodeDecodeError:
        return "", None


_UTF8 = re.compile(rb"[\xc2\xc3][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
"""Letters and signs of Western texts in UTF-8, which in Windows-1252 would be `Ã¼` or `â€œ`."""
_NO_WESTERN_WORD = re.compile(rb"[\xc0-\xff]{3}|[\x80-\xff]{6}")
"""Letters beyond ASCII in a row, as Greek, Russian or Japanese words have them in other encodings."""


def _unquoted(field: str) -> str:
    """A field without the quotes around all of it, if those within are doubled."""
    inner = field[1:-1]
    quoted = len(field) > 1 and field[0] == field[-1] == '"' and '"' not in inner.replace('""', "")
    return inner.replace('""', '"') if quoted else field
