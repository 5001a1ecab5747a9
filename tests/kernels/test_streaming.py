"""Chunks of whole queries, taken by several threads, put together in the order of the file."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
from contextlib import nullcontext
from random import Random

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import UsageError
from cranfield.formats import spilling
from cranfield.formats.source import as_source
from cranfield.kernels import CHOICE, are_compiled

scan = pytest.importorskip("cranfield.kernels.compiled", reason="the compiled loops are not built")
chunks = pytest.importorskip("cranfield.kernels.chunks")
streaming = pytest.importorskip("cranfield.kernels.streaming")

JUDGMENTS = cf.read_judgments({f"q{query}": {f"d{at}": at % 2 for at in range(0, 60, 3)} for query in range(1, 40)})


def lines(query, documents=50, score=0.5):
    return [f"q{query} Q0 d{at} {at + 1} {score - at // 3} t\n" for at in range(documents)]


def places(text, **options):
    given = {"ties": "document", "single": False, "threads": 2, "size": 1000}
    return streaming.places(lambda: nullcontext(io.BytesIO(text.encode())), JUDGMENTS, **given | options)


def as_lists(found):
    return [column.tolist() if isinstance(column, np.ndarray) else column for column in found]


GROUPED = "".join(line for query in (7, 3, 50, 1, 22, 39) for line in lines(query))


class TestResults:
    def test_come_by_query_as_the_judgments_have_them(self):
        found = places(GROUPED)
        assert [JUDGMENTS.queries[query] for query in found.queries] == ["q1", "q3", "q7", "q22", "q39"]
        assert found.retrieved.tolist() == [50] * 5
        assert found.found.tolist() == [17] * 5
        assert found.unknown == ("q50",)

    @pytest.mark.parametrize("threads", [1, 2, 4, 7])
    @pytest.mark.parametrize("size", [1, 64, 1000, 5000, 1 << 20])
    def test_depend_neither_on_threads_nor_on_chunks(self, threads, size):
        everything = as_lists(places(GROUPED, threads=1, size=1 << 20))
        assert as_lists(places(GROUPED, threads=threads, size=size)) == everything
        assert sum(everything[3]) == 5 * 17

    def test_of_a_query_that_comes_back_are_those_of_all_its_lines(self):
        rows = [line for query in (1, 50, 2) for line in lines(query)]
        Random(5).shuffle(rows)
        shuffled, grouped = places("".join(rows), ties="document"), places("".join(sorted(rows)))
        assert shuffled.unknown == ("q50",)
        assert as_lists(shuffled) == as_lists(grouped)

    @pytest.mark.parametrize("held", [0, 5000, 1 << 27])
    @pytest.mark.parametrize("threads", [1, 4])
    def test_are_the_same_if_all_queries_come_back_again_and_again(self, monkeypatch, held, threads):
        monkeypatch.setattr(chunks, "MOST_RETURNS", 20)
        monkeypatch.setattr(spilling, "HELD", held)
        rows = [line for query in (1, 50, 2, 60, 30) for line in lines(query)]
        Random(5).shuffle(rows)
        grouped = places("".join(sorted(rows)))
        unknown = tuple(dict.fromkeys(query for row in rows if (query := row.split()[0]) in ("q50", "q60")))
        assert as_lists(places("".join(rows), threads=threads)) == as_lists(grouped._replace(unknown=unknown))

    def test_are_the_same_from_a_stream_that_gives_little_at_a_time(self):
        class Slow(io.BytesIO):
            def readinto(self, buffer):
                return super().readinto(memoryview(buffer)[:7])

        slow = streaming.places(lambda: nullcontext(Slow(GROUPED.encode())), JUDGMENTS, ties="document", single=False)
        assert as_lists(slow) == as_lists(places(GROUPED))


class TestTrouble:
    def test_in_another_thread_is_met_here(self, tmp_path):
        damaged = gzip.compress(GROUPED.encode() * 50)[:-400]
        path = tmp_path / "a.run.gz"
        path.write_bytes(damaged)
        opening = as_source(path).open
        assert streaming.places(opening, JUDGMENTS, ties="document", single=False, threads=4, size=500) is None
        with pytest.raises(cf.DataError, match="damaged"):
            cf.evaluate(JUDGMENTS, path)

    def test_that_nobody_expects_is_raised(self):
        class Broken(io.BytesIO):
            def readinto(self, buffer):
                raise RuntimeError("no more")

        with pytest.raises(RuntimeError, match="no more"):
            streaming.places(lambda: nullcontext(Broken()), JUDGMENTS, ties="document", single=False)

    def test_late_in_the_file_is_trouble_too(self):
        assert places(GROUPED + "q9 Q0 d1 1 x t\n", threads=4) is None

    @pytest.mark.parametrize("line", ["q1 Q0 d1 1 x t", "q1 Q0 d2 1 1 t", "# a comment", "\x01 Q0 d1 1 1 t"])
    def test_among_scattered_queries_is_trouble_too(self, monkeypatch, line):
        monkeypatch.setattr(chunks, "MOST_RETURNS", 20)
        rows = [line for query in (1, 50, 2) for line in lines(query)]
        Random(5).shuffle(rows)
        assert places("".join(rows)) is not None
        assert places("".join([*rows, f"{line}\n"])) is None


class TestChoice:
    @pytest.mark.parametrize(("choice", "compiled"), [("plain", False), ("compiled", True), ("", True)])
    def test_is_made_by_the_environment(self, monkeypatch, choice, compiled):
        monkeypatch.setenv(CHOICE, choice)
        assert are_compiled() is compiled

    def test_of_something_else_is_refused(self, monkeypatch):
        monkeypatch.setenv(CHOICE, "fast")
        with pytest.raises(UsageError, match="'plain' or 'compiled'"):
            are_compiled()

    def test_of_what_was_not_built_is_refused_and_plain_serves_otherwise(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "cranfield.kernels.compiled", None)
        monkeypatch.setenv(CHOICE, "")
        assert are_compiled() is False
        monkeypatch.setenv(CHOICE, "compiled")
        with pytest.raises(UsageError, match="C compiler"):
            are_compiled()


MEASURED = """
import gzip, resource, sys
import cranfield as cf
judgments = cf.read_judgments({"q1": {"d1": 1}})
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = cf.evaluate(judgments, sys.argv[1], "AP")
print(int(found.detail.alignments[0].retrieved.sum()), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_memory_does_not_grow_with_the_file(tmp_path):
    def grown(queries):
        path = tmp_path / f"{queries}.run.gz"
        text = "".join(f"q{query} Q0 d{at} {at} {-at} t\n" for query in range(1, queries) for at in range(1, 401))
        path.write_bytes(gzip.compress(text.encode(), 1))
        retrieved, kilobytes = map(int, subprocess.check_output([sys.executable, "-c", MEASURED, path]).split())
        assert retrieved == 400
        return kilobytes, len(text) // 1024

    (small, _), (large, size) = grown(100), grown(2000)
    assert size > 15_000
    assert large - small < size // 5


MIXED_UP = """
import resource, sys
import cranfield as cf
judgments = cf.read_judgments({f"q{query}": {"d1": 1} for query in range(2000)})
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
from cranfield.formats import spilling
spilling.HELD = 1 << 20
found = cf.evaluate(judgments, sys.argv[1], "AP")
print(int(found.detail.alignments[0].retrieved.sum()), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_memory_does_not_grow_with_the_file_where_queries_are_scattered(tmp_path):
    def grown(times):
        path = tmp_path / f"{times}.run.gz"
        text = "".join(f"q{query} Q0 d{at} {at} {-at} tag\n" for at in range(times) for query in range(2000))
        path.write_bytes(gzip.compress(text.encode(), 1))
        retrieved, kilobytes = map(int, subprocess.check_output([sys.executable, "-c", MIXED_UP, path]).split())
        assert retrieved == 2000 * times
        return kilobytes, len(text) // 1024

    (small, _), (large, size) = grown(20), grown(320)
    assert size > 12_000
    assert large - small < size // 3


def test_no_room_to_sort_scattered_queries_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr(chunks, "MOST_RETURNS", 20)
    monkeypatch.setattr(spilling, "HELD", 100)

    def full(**_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    rows = [line for query in (1, 50, 2) for line in lines(query)]
    Random(5).shuffle(rows)
    path = tmp_path / "shuffled.run"
    path.write_text("".join(rows))
    with pytest.raises(cf.errors.CranfieldError, match=r"no space left on device.*\n.*TMPDIR"):
        cf.evaluate(JUDGMENTS, path)
