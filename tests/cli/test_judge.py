"""`cranfield judge`: from runs to labels in a browser, by real processes and real requests."""

import json
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from threading import Timer
from uuid import uuid4

import pytest
from click.testing import CliRunner

import cranfield as cf
from cranfield.cli import cranfield as command

GARDEN = ("--queries", "queries.tsv", "--documents", "documents.jsonl")
LINK = re.compile(r"^  (\S+) +(http://127\.0\.0\.1:(\d+)/as/(\S+))", re.MULTILINE)
PATIENCE = 30


@pytest.fixture
def judge(collection):
    """`cranfield judge` in this process, for what ends at once."""

    def call(*arguments):
        return CliRunner().invoke(command, ["judge", *map(str, arguments)], catch_exceptions=False)

    return call


class Page:
    """What a judge's page does, over HTTP."""

    def __init__(self, port, token):
        self.port, self.tab = port, uuid4().hex[:16]
        answer = self._ask("GET", f"/as/{token}")
        assert answer.status == 303
        self.cookie = answer.getheader("Set-Cookie").partition(";")[0]

    def _ask(self, method, path, body=None, **headers):
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        if hasattr(self, "cookie"):
            headers["Cookie"] = self.cookie
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        self.text = answer.read().decode()
        connection.close()
        return answer

    def next(self):
        assert self._ask("GET", f"/next?tab={self.tab}").status == 200
        return json.loads(self.text)["cards"]

    def label(self, card, grade=1):
        seq = card["current"]["seq"] if card["current"] else None
        sent = {"key": uuid4().hex, "item": card["item"], "kind": "label", "grade": grade, "before": seq}
        sent |= {"active_ms": 1200, "away_ms": 0, "how": "key", "note": "", "more": {}, "tab": self.tab}
        answer = self._ask("POST", "/label", json.dumps(sent), **{"Content-Type": "application/json"})
        assert answer.status == 200, self.text
        return json.loads(self.text)


class Served:
    """A server in a process of its own."""

    def __init__(self, *arguments):
        words = [Path(sys.executable).parent / "cranfield", "judge", *map(str, arguments), "--no-open"]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines = []
        self.watchdog = Timer(PATIENCE, self.process.kill)  # nothing waits for ever
        self.watchdog.start()

    def until(self, words):
        """What it prints until a line with these words."""
        for line in self.process.stdout:
            self.lines.append(line)
            if words in line:
                return "".join(self.lines)
        raise AssertionError("".join(self.lines) + self.process.stderr.read())

    def links(self):
        """By name, port and token."""
        found = LINK.findall(self.until("press Ctrl-C"))
        return {name: (int(port), token) for name, _, port, token in found}

    def end(self, how=signal.SIGINT):
        """Stop it; what it printed from then on, on both streams, and its exit code."""
        self.process.send_signal(how)
        return self.wait()

    def wait(self):
        printed, warned = self.process.communicate(timeout=PATIENCE)
        self.watchdog.cancel()
        return printed, warned, self.process.returncode


@pytest.fixture
def served(collection):
    """Starts servers, and ends those that a test leaves."""
    begun = []

    def start(*arguments):
        begun.append(Served(*arguments))
        return begun[-1]

    yield start
    for server in begun:
        server.watchdog.cancel()
        server.process.kill()
        server.process.communicate()


class TestServing:
    def test_runs_become_a_store_and_links(self, served):
        server = served("bm25.run", "hybrid.run", *GARDEN, "--judges", "ada,ben")
        assert server.links().keys() == {"ada", "ben", "progress"}
        assert server.lines[0] == (
            "Judging 912 pairs of query and document (first 10 of 2 runs, 70 queries) in judging.db.\n"
        )
        assert Path("judging.db").exists()

    def test_a_label_over_http_is_in_the_store_at_once(self, served):
        server = served("bm25.run", "hybrid.run", *GARDEN, "--judges", "ada")
        page = Page(*server.links()["ada"])
        page.label(page.next()[0], 3)
        labels = cf.read_labels("judging.db")
        assert labels.judges == ("ada",)
        assert labels.grades.tolist() == [[3.0]]

    @pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
    def test_stopping_it_drains_and_tells_what_was_done_and_what_comes_next(self, served, how):
        server = served("bm25.run", "hybrid.run", *GARDEN, "--judges", "ada,ben")
        page = Page(*server.links()["ada"])
        for _ in range(3):
            page.label(page.next()[0])
        printed, warned, code = server.end(how)
        assert (code, warned) == (0, "")
        assert "Stopped. 3 labels in this session (ada 3); 3 in all.\n909 labels to go." in printed
        assert "cranfield compare judging.db bm25.run hybrid.run -m nDCG@10" in printed
        assert not Path("judging.db-wal").exists()

    def test_it_goes_on_where_it_stopped(self, served):
        first = served("bm25.run", "hybrid.run", *GARDEN, "--judges", "ada")
        port, token = first.links()["ada"]
        page = Page(port, token)
        page.label(page.next()[0])
        first.end()
        second = served("judging.db", "--port", port)
        assert second.links().keys() == {"progress"}
        assert second.lines[0].startswith("Going on with 912 pairs")
        page = Page(port, token)  # the link still holds
        page.label(page.next()[0])
        printed, _, _ = second.end()
        assert "1 label in this session (ada 1); 2 in all." in printed

    def test_the_same_runs_again_are_the_same_project_and_others_are_refused(self, served, judge):
        first = served("bm25.run", "hybrid.run", *GARDEN, "--judges", "ada")
        first.links()
        first.end()
        again = served("bm25.run", "hybrid.run", *GARDEN)
        assert again.until("Going on with 912 pairs")
        again.end()
        other = judge("bm25.run", "title.run", *GARDEN, "--page", "page.html")
        assert other.exit_code == 3
        assert "judging.db: is there already, and is about other pairs" in other.stderr

    def test_a_second_server_is_refused_with_the_address_of_the_first(self, served):
        first = served("bm25.run", "hybrid.run", *GARDEN, "--judges", "ada")
        port, _ = first.links()["ada"]
        _, warned, code = served("judging.db").wait()
        assert code == 3
        assert f"judging.db: is in use by http://127.0.0.1:{port}" in warned

    def test_until_done_it_ends_by_itself(self, served):
        Path("pairs.csv").write_text("query,document\nq01,d0001\nq01,d0002\n")
        server = served("pairs.csv", *GARDEN, "--judges", "ada", "--until-done")
        page = Page(*server.links()["ada"])
        for card in page.next():
            page.label(card)
        printed, _, code = server.wait()
        assert code == 0
        assert "2 labels in this session (ada 2); 2 in all.\nEverything is labelled." in printed

    def test_a_new_link_makes_the_one_before_worthless(self, served):
        first = served("bm25.run", "hybrid.run", *GARDEN, "--judges", "ada")
        port, before = first.links()["ada"]
        first.end()
        second = served("judging.db", "--new-link", "Ada", "--port", port)
        _, after = second.links()["ada"]
        assert after != before
        with pytest.raises(AssertionError):
            Page(port, before)
        Page(port, after)

    def test_a_port_that_is_taken_is_wrong_usage(self, served):
        with _listener() as port:
            _, warned, code = served("bm25.run", "hybrid.run", *GARDEN, "--port", port).wait()
        assert code == 2
        assert str(port) in warned

    def test_no_link_is_in_the_store(self, served):
        server = served("bm25.run", "hybrid.run", *GARDEN, "--judges", "ada")
        tokens = [token for _, token in server.links().values()]
        server.end()
        stored = b"".join(path.read_bytes() for path in Path().glob("judging.db*"))
        assert all(token.encode() not in stored for token in tokens)


@contextmanager
def _listener():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


class TestWithoutServer:
    def test_a_page_for_each_judge(self, judge):
        done = judge("bm25.run", "hybrid.run", *GARDEN, "--judges", "ada,ben", "--page", "page.html")
        assert done.exit_code == 0
        counts = dict(re.findall(r"page-(\w+)\.html: (\d+) pairs", done.stdout))
        assert counts.keys() == {"ada", "ben"}
        assert sum(map(int, counts.values())) == 912
        assert Path("page-ada.html").stat().st_size > 100_000

    def test_labels_of_a_page_are_read_once(self, judge):
        judge("bm25.run", "hybrid.run", *GARDEN, "--judges", "ada", "--page", "page.html")
        settings = json.loads(re.search(r'id="settings">(.*?)</script>', Path("page.html").read_text())[1])
        label = {"key": uuid4().hex, "item": 1, "kind": "label", "grade": 2, "before": None, "active_ms": 900}
        saved = {"cranfield": "labels", "project": settings["project"], "judge": settings["judge"], "labels": [label]}
        Path("labels.json").write_text(json.dumps(saved))
        assert judge("judging.db", "--import", "labels.json").stdout == "labels.json: 1 new label of ada\n"
        again = judge("judging.db", "--import", "labels.json")
        assert again.stdout == "labels.json: 0 new labels of ada, 1 known already\n"

    @pytest.mark.parametrize(
        ("name", "begins"), [("labels.qrels", "q"), ("labels.csv", "query,document,judge,grade"), ("all.jsonl", "{")]
    )
    def test_labels_are_exported_by_the_ending_of_the_file(self, judge, served, name, begins):
        server = served("bm25.run", "hybrid.run", *GARDEN, "--judges", "ada")
        page = Page(*server.links()["ada"])
        page.label(page.next()[0], 2)
        assert judge("judging.db", "--export", name).exit_code == 0  # while it is served
        assert Path(name).read_text().lstrip("\ufeff").startswith(begins)
        assert "ada" in Path(name).read_text()

    def test_verify_tells_whether_a_store_is_sound(self, judge):
        judge("bm25.run", "hybrid.run", *GARDEN, "--page", "page.html")
        assert judge("judging.db", "--verify").stdout == "judging.db: the store is sound.\n"
        _spoil("judging.db")
        done = judge("judging.db", "--verify")
        assert done.exit_code == 1
        assert "does not" in done.stdout or "not" in done.stdout

    def test_only_what_judgments_lack_is_judged(self, judge):
        done = judge("bm25.run", "hybrid.run", *GARDEN, "--judgments", "qrels.txt", "--page", "page.html")
        holes = cf.pool(["bm25.run", "hybrid.run"], judgments="qrels.txt")
        assert re.search(r"page\.html: (\d+) pairs", done.stdout)[1] == str(len(holes)) == "36"

    @pytest.mark.parametrize(
        ("depth", "measure", "is_told"), [(5, "nDCG@10", True), (5, "P@5", False), (10, "AP", True)]
    )
    def test_documents_that_a_measure_looks_at_and_nobody_judges_are_told(self, judge, depth, measure, is_told):
        options = ("--depth", depth, "-m", measure, "--page", "page.html")
        done = judge("bm25.run", "hybrid.run", *GARDEN, *options)
        assert (f"warning: {measure} looks at" in done.stderr) == is_told

    def test_a_pool_is_judged_as_it_is(self, judge, pool):
        assert pool("bm25.run", "--depth", "1", "-o", "pool.csv", *GARDEN).returncode == 0
        done = judge("pool.csv", "--page", "page.html")
        assert "70 pairs" in done.stdout
        assert "how often should I water tomatoes" in Path("page.html").read_text()

    def test_preferences_show_two_documents(self, judge):
        done = judge("bm25.run", "hybrid.run", *GARDEN, "--preferences", "--page", "page.html")
        assert done.exit_code == 0
        assert "first is better" in Path("page.html").read_text()


def _spoil(path):
    import sqlite3

    with sqlite3.connect(path) as opened:
        opened.execute("UPDATE judge SET name = 'somebody else' WHERE judge = 1")
    opened.close()


class TestMistakes:
    @pytest.mark.parametrize(
        ("arguments", "code", "words"),
        [
            ((), 2, "Missing argument"),
            (("bm25.run", "--strategy", "decide"), 2, "at least two runs"),
            (("bm25.run", "hybrid.run", "--strategy", "best"), 2, "strategy"),
            (("bm25.run", "hybrid.run", "--grades", "0=no,0=yes"), 2, "each grade comes once"),
            (("bm25.run", "hybrid.run", "--guidelines", "missing.md"), 3, "missing.md"),
            (("bm25.run", "hybrid.run", "--documents", "missing.jsonl"), 3, "missing.jsonl"),
            (("bm25.run", "hybrid.run", "--documents", "queries.tsv"), 3, "none of the"),
            (("missing.db",), 3, "missing.db"),
            (("missing.run",), 3, "missing.run"),
            (("qrels.txt",), 3, "does not list pairs"),
            (("a.db", "b.db"), 2, "each name a store"),
            (("bm25.run", "--link", "https://example.org"), 2, "{document}"),
            (("bm25.run", "--judges", "ada,Ada"), 2, "already"),
            (("missing.db", "--depth", "3"), 2, "--depth is for a new project"),
            (("bm25.run", "--export", "labels.csv"), 2, "--export takes a store"),
            (("missing.db", "--export", "labels.csv", "--verify"), 2, "give one"),
            (("missing.db", "--verify", "--port", "8000"), 2, "--port is about the server"),
            (("bm25.run", "hybrid.run", "--judgments", "labels.csv", "--grades", "0,1"), 3, "grades"),
        ],
    )
    def test_are_told_in_words(self, judge, arguments, code, words):
        done = judge(*arguments, *([] if {"--verify", "--export"} & {*arguments} else ["--page", "page.html"]))
        assert words in done.stderr
        assert done.exit_code == code
        assert "Traceback" not in done.stderr

    def test_texts_of_another_collection_leave_no_store_behind(self, judge):
        judge("bm25.run", "hybrid.run", "--documents", "queries.tsv", "--page", "page.html")
        assert not list(Path().glob("judging.db*"))

    def test_an_unknown_judge_gets_no_new_link(self, judge):
        judge("bm25.run", "hybrid.run", *GARDEN, "--judges", "ada", "--page", "page.html")
        done = judge("judging.db", "--new-link", "eve", "--page", "page.html")
        assert done.exit_code == 2
        assert "no judge 'eve'" in done.stderr
        assert "ada" in done.stderr

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "[]",
            "{}",
            "null",
            '{"cranfield": "labels", "project": "x", "judge": 2, "labels": []}',
            '{"cranfield": "labels", "project": "PROJECT", "judge": 1, "labels": []}',
            '{"cranfield": "labels", "project": "PROJECT", "judge": true, "labels": []}',
            '{"cranfield": "labels", "project": "PROJECT", "judge": 2, "labels": [1]}',
            '{"cranfield": "labels", "project": "PROJECT", "judge": 2, "labels": [{"key": "x"}]}',
            '{"cranfield": "labels", "project": "PROJECT", "judge": 2, "labels": [LABEL]}'.replace(
                "LABEL", '{"key": "0123456789abcdef0123456789abcdef", "item": 10e9, "kind": "label", "grade": 1}'
            ),
            '{"cranfield": "labels", "project": "PROJECT", "judge": 2, "labels": [LABEL]}'.replace(
                "LABEL", '{"key": "0123456789abcdef0123456789abcdef", "item": 1, "kind": "adjudicate", "grade": 1}'
            ),
            '{"cranfield": "labels", "project": "PROJECT", "judge": 2, "labels": [LABEL]}'.replace(
                "LABEL", '{"key": "0123456789abcdef0123456789abcdef", "item": 1, "kind": "label", "grade": 17}'
            ),
            '{"cranfield": "labels", "project": "PROJECT", "judge": 2, "labels": [LABEL]}'.replace(
                "LABEL", '{"key": "0123456789abcdef0123456789abcdef", "item": [1], "kind": "label", "grade": {}}'
            ),
        ],
    )
    def test_a_hostile_file_of_labels_is_refused_in_words(self, judge, text):
        judge("bm25.run", "hybrid.run", *GARDEN, "--judges", "ada", "--page", "page.html")
        project = json.loads(re.search(r'id="settings">(.*?)</script>', Path("page.html").read_text())[1])["project"]
        Path("labels.json").write_text(text.replace("PROJECT", project))
        done = judge("judging.db", "--import", "labels.json")
        assert done.exit_code == 3
        assert "labels.json" in done.stderr
        assert judge("judging.db", "--verify").exit_code == 0


def test_every_option_is_in_the_help(cranfield):
    text = cranfield("judge", "--help").stdout
    for name in (
        *(
            "--store",
            "--queries",
            "--documents",
            "--judgments",
            "--gold",
            "--depth",
            "--preferences",
            "--title",
            "--seed",
        ),
        *(
            "--judges",
            "--labels",
            "--shared",
            "--repeats",
            "--grades",
            "--guidelines",
            "--strategy",
            "--measure",
            "--link",
        ),
        *("--mark-passages", "--new-link", "--host", "--port", "--public-url", "--no-open", "--until-done"),
        *("--export", "--page", "--import", "--verify"),
    ):
        assert name in text


def test_help_loads_no_server(cranfield):
    code = "import sys; from cranfield.cli import cranfield; cranfield(['judge', '--help'], standalone_mode=False); "
    code += "print([name for name in ('starlette', 'uvicorn', 'numpy', 'sqlite3') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_started_in_good_time(served):
    began = time.monotonic()
    served("bm25.run", "hybrid.run", *GARDEN).links()
    assert time.monotonic() - began < 10


def test_without_the_packages_of_the_server_it_names_them_and_makes_no_project(judge, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = judge("bm25.run", *GARDEN)
    assert done.exit_code == 2
    assert "Judging in the browser needs the package uvicorn, which is not installed.\n" in done.stderr
    assert not Path("judging.db").exists()
    with pytest.raises(cf.UsageError, match="pip install uvicorn"):
        cf.judge("bm25.run")
    assert not Path("judging.db").exists()
    page = judge("bm25.run", *GARDEN, "--page", "page.html")
    assert page.exit_code == 0, page.output
