"""Delimited text as records: the same for every reader of it."""

from __future__ import annotations

import csv
import gzip
import io
import time
import tracemalloc
from functools import cache

import pytest

import cranfield as cf
from cranfield.errors import DataError, Findings
from cranfield.errors.delimited_text import LARGEST_JSON, LONGEST_LINE
from cranfield.formats.clicks import read_clicks
from cranfield.formats.delimited_text import column_batches, line_batches, split_at_blanks
from cranfield.formats.relations import INTERACTIONS, read_relation
from cranfield.formats.source import BLOCK, as_source


def records(source, delimiter, findings, **options):
    """Records one by one."""
    for lines, columns in column_batches(source, delimiter, findings, **options):
        yield from ((line, list(row)) for line, *row in zip(lines, *columns, strict=True))


def text_records(source, delimiter, findings):
    """The same of texts."""
    return records(source, delimiter, findings, of_texts=True)


def read(text, delimiter=",", how=records):
    """What a text holds, whole or not at all."""
    source = as_source(io.BytesIO(text if isinstance(text, bytes) else text.encode()))
    findings = Findings()
    found = list(how(source, delimiter, findings))
    findings.stop_if_wrong()
    return found


def wrong(text, delimiter=",", how=records):
    with pytest.raises(DataError) as stopped:
        read(text, delimiter, how)
    return [(finding.kind, finding.line) for finding in stopped.value.findings]


class TestLines:
    def test_a_record_has_the_number_of_the_line_it_begins_on(self):
        assert read('a,b\n\n"c\nd",e\n  \nf,g') == [(1, ["a", "b"]), (3, ["c\nd", "e"]), (6, ["f", "g"])]

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r\r\n"])
    @pytest.mark.parametrize("quote", ["", '"'])
    def test_lines_end_with_lf_or_cr_lf(self, end, quote):
        lines = (f"{quote}a{quote},b", "c,d")
        expected = [(1, ["a", "b"]), (2, ["c", "d"])]
        assert read(end.join(lines)) == read(end.join(lines) + end) == expected
        tabs = end.join(lines).replace(",", "\t")
        assert read(tabs, "\t", text_records) == expected

    @pytest.mark.parametrize("how", [records, text_records])
    @pytest.mark.parametrize("before", ["x,y\n", '"x",y\n'])
    def test_a_cr_within_a_line_is_refused(self, how, before):
        assert wrong(f"{before}a\rb,c\nd,e\n", how=how) == [("wrong-line-ends", 2)]

    def test_a_cr_in_quotes_is_part_of_the_text(self):
        assert read('"a\rb","c\r\nd"\ne,f\n') == [(1, ["a\rb", "c\r\nd"]), (3, ["e", "f"])]

    @pytest.mark.parametrize(
        "sign", ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\xa0", "\u2028", "\u2029"]
    )
    @pytest.mark.parametrize("quote", ["", '"'])
    def test_no_other_sign_ends_a_line_or_a_field(self, sign, quote):
        row = (1, [f"a{sign}b", f"c{sign}"])
        assert read(f"{quote}a{sign}b{quote},c{sign}\n") == [row]
        assert read(f"a{sign}b\tc{sign}\n", "\t", text_records) == [row]
        (batch,) = line_batches(as_source(io.StringIO(f"a{sign}b\n")), Findings())
        assert batch.texts == [f"a{sign}b"]

    def test_fields_without_a_delimiter_are_split_at_the_blanks_of_ascii(self):
        assert split_at_blanks(" u1 \t a\u2028b\x85c\xa0d\r") == ["u1", "a\u2028b\x85c\xa0d"]

    def test_a_byte_order_mark_is_no_part_of_the_first_field(self):
        assert read(b"\xef\xbb\xbfa,b\n") == read(b'\xef\xbb\xbf"a",b\n') == [(1, ["a", "b"])]

    @pytest.mark.parametrize("text", ["x,y\na\0,b\n", '"x",y\na\0,b\n'])
    def test_nul_is_refused(self, text):
        assert wrong(text) == [("nul-in-text", 2)]

    @pytest.mark.parametrize("text", [b"x,y\ncaf\x81,b\n", b'"x",y\ncaf\x81,b\n'])
    def test_what_is_not_utf_8_is_refused(self, text):
        assert wrong(text) == [("not-utf-8", 2)]


class TestQuotes:
    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ('a,b\n"c,d\ne,f\n', 2),
            ('a,b\nc,d\n"x\ny","z\n', 4),
            ('a,b\nc,"d ""e""\nf,g', 2),
            ('a,b\n"5"" pipe",c\n"', 3),
        ],
    )
    def test_one_that_is_never_closed_is_an_error_on_the_line_on_which_it_opens(self, text, line):
        assert wrong(text) == wrong(text, how=column_batches) == [("malformed-csv", line)]

    @pytest.mark.parametrize(
        ("text", "line", "words"),
        [
            ('a,b\n"c"d,e\n', 2, "closes in the middle of a field"),
            ('a,b\nc,"d\ne,f\ng,"h"\ni,j\n', 2, "closes on line 4, in the middle of a field"),
        ],
    )
    def test_text_after_a_closing_quote_is_an_error(self, text, line, words):
        assert wrong(text) == [("malformed-csv", line)]
        with pytest.raises(DataError, match=words):
            read(text)

    def test_one_within_a_field_is_part_of_it(self):
        assert read('a,5" pipe\nb,""\n') == [(1, ["a", '5" pipe']), (2, ["b", ""])]

    def test_between_tabs_texts_keep_the_quotes_they_have(self):
        text = 'a\tsay "no"\nb\t"never\nc\t"twice ""over"""\n'
        expected = [(1, ["a", 'say "no"']), (2, ["b", '"never']), (3, ["c", 'twice "over"'])]
        assert read(text, "\t", text_records) == expected

    def test_records_may_reach_over_blocks(self):
        long = "x\n" * BLOCK
        rows = read(f'a,b\n"{long}",c\nd,e\n"f",g\n')
        assert rows == [(1, ["a", "b"]), (2, [long, "c"]), (3 + BLOCK, ["d", "e"]), (4 + BLOCK, ["f", "g"])]

    def test_blocks_with_and_without_quotes_give_what_csv_gives(self):
        lines = [f'"{at}",x' if at % 5000 == 0 else f"{at},y" for at in range(200_000)]
        text = "\n".join(lines)
        expected = list(enumerate(csv.reader(io.StringIO(text)), 1))
        assert read(text) == expected
        columns = read(text, how=column_batches)
        assert [line for batch in columns for line in batch.lines] == [line for line, _ in expected]
        assert [one for batch in columns for one in batch.columns[1]] == [row[1] for _, row in expected]


class TestWidth:
    def test_a_record_of_another_width_than_the_first_is_told(self):
        for text in ("a,b\nc\nd,e,f\ng,h\n", '"a",b\nc\nd,e,f\ng,h\n'):
            assert wrong(text, how=column_batches) == [("wrong-column-count", 2), ("wrong-column-count", 3)]


class TestLength:
    def test_a_field_may_be_longer_than_csv_allows_by_itself(self):
        before = csv.field_size_limit()
        long = "x" * (before + 1)
        assert read(f"a,{long}\n") == [(1, ["a", long])]
        assert read(f'a,"{long}"\n') == [(1, ["a", long])]
        assert csv.field_size_limit() == before

    @pytest.mark.parametrize("start", [b"", b"a,b\n", b'{"a": 1}\n', b"q1 0 d1 1\n", b"q1 Q0 d1 1 2 t\n"])
    @pytest.mark.parametrize("way", ["judgments", "run", "queries", "documents", "clicks", "interactions"])
    def test_a_line_that_does_not_end_is_refused_at_once(self, tmp_path, start, way):
        packed = tmp_path / "bomb.gz"
        packed.write_bytes(gzip.compress(start) + endless() * 16)
        tracemalloc.start()
        begun = time.process_time()
        with pytest.raises(DataError):
            WAYS[way](packed)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 8 * LONGEST_LINE
        assert time.process_time() - begun < 5

    def test_the_limit_is_told_with_the_line(self):
        with pytest.raises(DataError, match="line 2: the line is longer than 16 MiB, the most"):
            read(b"a,b\n" + b"c" * (LONGEST_LINE + 1))

    def test_json_is_read_whole_up_to_a_limit(self, monkeypatch):
        monkeypatch.setattr("cranfield.formats.source.LARGEST_JSON", 10)
        assert LARGEST_JSON > 10
        with pytest.raises(DataError, match="larger than 512 MiB, the most that is read as one value"):
            cf.read_judgments(io.StringIO('{"q1": {"d1": 1}}'))


@cache
def endless():
    """A line without an end, in a piece that can be repeated."""
    return gzip.compress(bytes([97]) * (1 << 24))


def _interactions(path):
    findings = Findings()
    list(read_relation(path, INTERACTIONS, findings))
    findings.stop_if_wrong()


WAYS = {
    "judgments": cf.read_judgments,
    "run": lambda path: cf.read_run(path)["q1"],
    "queries": cf.read_queries,
    "documents": cf.read_documents,
    "clicks": read_clicks,
    "interactions": _interactions,
}


class TestWindows1252:
    """As Excel saves CSV on Windows; it is read, and a warning says so."""

    def read(self, folder, data):
        (folder / "ratings.csv").write_bytes(b"query,docid,rating\n" + data)
        return cf.read_judgments(folder / "ratings.csv")

    def wrong(self, folder, data):
        with pytest.raises(cf.DataError) as error:
            self.read(folder, data)
        return [(finding.kind, finding.line) for finding in error.value.findings]

    @pytest.mark.parametrize("text", ["Käse", "“Spaß” für 5 €", "naïve façade", "NÃO", "smörgås – ½"])
    @pytest.mark.parametrize("quoted", [False, True])
    def test_it_is_read_with_a_warning_that_shows_how(self, tmp_path, text, quoted):
        field = f'"{text}, ja"' if quoted else text
        judgments = self.read(tmp_path, f"{field},d1,1\n".encode("cp1252"))
        assert judgments.queries == (f"{text}, ja" if quoted else text,)
        (warning,) = [one for one in judgments.warnings if one.kind == "windows-1252"]
        assert warning.line == 2
        assert "Windows-1252" in warning.message
        assert text in warning.message

    def test_it_may_begin_anywhere(self, tmp_path):
        lines = [f"q{at},d1,1\n".encode() for at in range(40_000)]
        judgments = self.read(tmp_path, b"".join([*lines, "Käse,d1,1\n".encode("cp1252")]))
        assert judgments.queries[-1] == "Käse"
        assert [one.line for one in judgments.warnings if one.kind == "windows-1252"] == [40_002]

    @pytest.mark.parametrize(
        "data",
        [
            "Käse,d1,1\n".encode("cp1252") + "Müsli,d1,1\n".encode(),
            "Müsli,d1,1\n".encode() + b"".join(b"q%d,d1,1\n" % at for at in range(40_000)) + b"K\xe4se,d1,1\n",
            b"K\xe4se,d1,1\n" + b"".join(b"q%d,d1,1\n" % at for at in range(40_000)) + "Müsli,d1,1\n".encode(),
        ],
        ids=["in one block", "UTF-8 first", "Windows-1252 first"],
    )
    def test_both_encodings_in_one_file_are_refused(self, tmp_path, data):
        assert {kind for kind, _ in self.wrong(tmp_path, data)} == {"not-utf-8"}

    @pytest.mark.parametrize(
        "data",
        [
            "сырная,d1,1\n".encode("cp1251"),
            "チーズの日,d1,1\n".encode("shift-jis"),
            "τυρί φέτα,d1,1\n".encode("cp1253"),
            b"K\x81se,d1,1\n",
            b"cut \xe2\x82,d1,1\n",
        ],
        ids=["Russian", "Japanese", "Greek", "a byte without a letter", "a character cut off"],
    )
    def test_bytes_that_are_neither_are_refused(self, tmp_path, data):
        if data.startswith(b"cut"):
            data = "Käse,d1,1\n".encode() + data
        assert self.wrong(tmp_path, data) == [("not-utf-8", 3 if b"cut" in data else 2)]

    def test_the_warning_is_in_the_output_of_runs_queries_and_labels_too(self, tmp_path):
        table = "query,docid,score\nKäse,d1,1\n".encode("cp1252")
        (tmp_path / "run.csv").write_bytes(table)
        scores = cf.evaluate({"Käse": ["d1"]}, tmp_path / "run.csv", "RR")
        assert float(scores) == 1
        assert any(one.kind == "windows-1252" for one in scores.warnings)
        (tmp_path / "labels.csv").write_bytes("query,docid,ada,ben\nKäse,d1,1,1\nKäse,d2,0,1\n".encode("cp1252"))
        assert any(one.kind == "windows-1252" for one in cf.read_labels(tmp_path / "labels.csv").warnings)
        (tmp_path / "queries.tsv").write_bytes("query_id\ttext\nq1\tKäse\n".encode("cp1252"))
        queries = cf.read_queries(tmp_path / "queries.tsv")
        assert queries.text("q1") == "Käse"
        assert any(one.kind == "windows-1252" for one in queries.warnings)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_read_with_and_without_its_mark(tmp_path, encoding):
    (tmp_path / "ratings.tsv").write_bytes("query\tdocid\trating\nKäse\td1\t2\n".encode(encoding))
    assert cf.read_judgments(tmp_path / "ratings.tsv")["Käse"] == {"d1": 2}
