"""Logs of Yandex's Relevance Prediction Challenge."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import DataError
from tests.formats.click_logs import LOG, contents, written

ACTIONS = """\
10 0 Q 8 1 201 202 203
10 13 C 202
10 20 Q 9 1 301 202 303
10 24 C 202
10 30 C 203
11 0 Q 8 1 202 201 203
11 5 C 999
12 0 Q 9 3 301 303
12 1 C 303
12 2 C 303
""".replace(" ", "\t")
READ = [
    ("10", "8", ["201", "202", "203"], [0, 1, 1]),
    ("10", "9", ["301", "202", "303"], [0, 1, 0]),
    ("11", "8", ["202", "201", "203"], [0, 0, 0]),
    ("12", "9", ["301", "303"], [0, 1]),
]


def pyclick(text):
    """PyClick's parser, from its description: a click counts if the query just before it, of its session, shows it."""
    found, session, shown = [], None, []
    for line in text.splitlines():
        fields = line.split("\t")
        if fields[2] == "Q":
            session, shown = fields[0], fields[5:]
            found.append((session, fields[3], shown, [0] * len(shown)))
        elif fields[0] == session and fields[3] in shown:
            found[-1][3][shown.index(fields[3])] = 1
    return found


def log(tmp_path, text, name="train.txt"):
    return cf.read_clicks(written(tmp_path, name, text))


class TestLog:
    def test_a_query_is_an_impression_and_a_click_belongs_to_the_latest_that_showed_the_document(self, tmp_path):
        assert contents(log(tmp_path, ACTIONS)) == READ

    def test_clicks_on_what_was_not_shown_are_left_out_and_counted(self, tmp_path):
        (warning,) = log(tmp_path, ACTIONS).warnings
        assert str(warning).endswith(
            "train.txt: 1 of 6 clicks are on documents that no earlier query of the session showed; they are left out"
        )

    def test_sessions_whose_lines_are_mixed_are_put_together(self, tmp_path):
        lines = ACTIONS.splitlines(keepends=True)
        mixed = [lines[at] for at in (0, 5, 7, 1, 2, 8, 3, 6, 4, 9)]
        assert sorted(contents(log(tmp_path, "".join(mixed)))) == sorted(READ)

    def test_several_files_go_on(self, tmp_path):
        cut = ACTIONS.index("10\t30")
        parts = [written(tmp_path, name, text) for name, text in (("a", ACTIONS[:cut]), ("b", ACTIONS[cut:]))]
        assert contents(cf.read_clicks(parts)) == READ

    @pytest.mark.parametrize("change", ["crlf", "mark", "blank", "unended", "gzip"])
    def test_files_as_people_have_them(self, tmp_path, change):
        text = {
            "crlf": ACTIONS.replace("\n", "\r\n"),
            "mark": "\ufeff" + ACTIONS,
            "blank": ACTIONS.replace("\n", "\n\n"),
            "unended": ACTIONS.rstrip("\n"),
        }.get(change, ACTIONS)
        path = tmp_path / "log"
        path.write_bytes(gzip.compress(text.encode()) if change == "gzip" else text.encode())
        assert contents(cf.read_clicks(path)) == READ

    def test_a_document_that_a_list_shows_twice_is_clicked_where_it_is_first(self, tmp_path):
        read = log(tmp_path, "1\t0\tQ\t5\t0\t7\t8\t7\n1\t1\tC\t7\n")
        assert contents(read) == [("1", "5", ["7", "8", "7"], [1, 0, 0])]
        assert "1 of 1 impressions show a document twice" in str(read.warnings[0])

    @given(
        st.lists(
            st.tuples(
                st.integers(1, 3),
                st.lists(st.sampled_from("abcd"), min_size=1, max_size=4, unique=True),
                st.lists(st.integers(0, 3)),
            ),
            min_size=1,
            max_size=8,
        )
    )
    def test_is_read_as_pyclick_reads_it_where_nobody_goes_back(self, tmp_path_factory, queries):
        lines = []
        for at, (session, shown, clicks) in enumerate(sorted(queries, key=lambda query: query[0])):
            documents = [f"{at}{document}" for document in shown]
            lines.append("\t".join([str(session), str(at), "Q", str(at % 3), "0", *documents]))
            lines += [f"{session}\t{at}\tC\t{documents[rank]}" for rank in clicks if rank < len(shown)]
        text = "\n".join(lines)
        path = written(tmp_path_factory.mktemp("log"), "log.tsv", text)
        assert contents(cf.read_clicks(path)) == pyclick(text)


class TestWrongLines:
    @pytest.mark.parametrize(
        "line",
        ["1 2 Q 5 0", "1 2 X 5", "1 2 C", "1 2 C 3 4", "1 x C 7", "1 -2 C 7", "1 2 C 7\0", "1 0 Q 5 0 7  8", "text"],
    )
    def test_are_refused_with_what_a_line_is(self, tmp_path, line):
        with pytest.raises(DataError) as refused:
            log(tmp_path, ACTIONS + line.replace(" ", "\t") + "\n")
        message = str(refused.value)
        assert "train.txt, line 11: neither a query (SessionID TimePassed Q QueryID RegionID URLIDs) nor" in message
        assert "Fields are separated by tabs" in message

    def test_that_are_no_text_are_refused(self, tmp_path):
        path = tmp_path / "log"
        path.write_bytes(ACTIONS.encode() + b"1\t2\tC\t\x81\n")
        with pytest.raises(DataError, match="line 11: the text is neither UTF-8 nor Windows-1252"):
            cf.read_clicks(path)

    def test_clicks_alone_are_no_log(self, tmp_path):
        with pytest.raises(DataError, match="no impressions"):
            log(tmp_path, "1\t2\tC\t7\n")

    def test_next_to_another_log_are_refused(self, tmp_path):
        files = [written(tmp_path, "a.txt", ACTIONS), written(tmp_path, "b.csv", LOG)]
        for order in (files, files[::-1]):
            with pytest.raises(DataError, match="a Yandex log cannot be read together with others"):
                cf.read_clicks(order)


def test_where_judgments_or_a_run_are_expected_it_is_recognised(tmp_path):
    path = written(tmp_path, "train.txt", ACTIONS)
    with pytest.raises(DataError, match=r"this is a click log of Yandex \(lines of queries, Q, and clicks, C\)"):
        cf.evaluate({"8": {"201": 1}}, path)
    assert "click log of Yandex" in str(cf.check(path))


def test_a_document_called_c_or_q_makes_no_log(tmp_path):
    qrels = written(tmp_path, "qrels.txt", "q1\t0\tC\t1\nq1\t0\tQ\t0\n")
    run = written(tmp_path, "a.run", "q1\t0\tQ\t1\t2.5\ta\nq1\t0\tC\t2\t1.5\ta\n")
    assert cf.evaluate(qrels, run, "RR").means() == {"RR": 0.5}
