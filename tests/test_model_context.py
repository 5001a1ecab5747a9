"""Tools for assistants: what the Model Context Protocol asks, and no file outside the folder."""

from __future__ import annotations

import json

import pytest

import cranfield as cf
from cranfield import demo
from cranfield.model_context import TOOLS, ModelContextServer

FILES = {"judgments": "qrels.txt", "runs": ["bm25.run", "title.run"]}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("folder")
    demo.write(folder)
    return ModelContextServer(folder)


def ask(server, method, **params):
    """The answer to a request."""
    line = json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).encode()
    (answer,) = map(json.loads, server.answers([line]))
    assert (answer["jsonrpc"], answer["id"]) == ("2.0", 7)
    return answer


def call(server, name, /, **arguments):
    return ask(server, "tools/call", name=name, arguments=arguments)["result"]


def refused(server, name, /, **arguments):
    result = call(server, name, **arguments)
    assert result["isError"]
    return result["content"][0]["text"]


class TestProtocol:
    @pytest.mark.parametrize(("asked", "spoken"), [("2024-11-05", "2024-11-05"), ("2099-01-01", "2025-11-25")])
    def test_the_version_is_what_was_asked_if_it_is_known(self, server, asked, spoken):
        result = ask(server, "initialize", protocolVersion=asked)["result"]
        assert result["protocolVersion"] == spoken
        assert result["capabilities"] == {"tools": {}}
        assert result["serverInfo"] == {"name": "cranfield", "version": cf.__version__}

    def test_tools_have_schemas_and_only_read(self, server):
        tools = ask(server, "tools/list")["result"]["tools"]
        assert [tool["name"] for tool in tools] == list(TOOLS)
        assert all(tool["annotations"]["readOnlyHint"] for tool in tools)
        schema = tools[0]["inputSchema"]
        assert schema["required"] == ["judgments", "runs"]
        assert schema["properties"]["runs"]["type"] == "array"
        assert schema["properties"]["measures"]["description"].startswith("Measures such as nDCG@10")

    def test_notifications_and_blank_lines_get_no_answer(self, server):
        lines = [b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n', b"\n", b"  \r\n"]
        assert list(server.answers(lines)) == []
        assert ask(server, "ping")["result"] == {}

    @pytest.mark.parametrize(
        ("line", "code"),
        [
            (b"{", -32700),
            (b"\xff\xfe", -32700),
            (b"[" * 100_000, -32700),
            (b"[]", -32600),
            (b'"text"', -32600),
            (b'{"id": 1}', -32600),
            (b'{"id": 1, "method": 3}', -32600),
            (b'{"id": 1, "method": "tools/list", "params": [1]}', -32602),
            (b'{"id": 1, "method": "resources/list"}', -32601),
            (b'{"id": 1, "method": "tools/call", "params": {"name": "delete"}}', -32602),
            (b'{"id": 1, "method": "tools/call", "params": {"name": ["check"]}}', -32602),
        ],
    )
    def test_what_cannot_be_answered_has_a_code_and_the_next_request_is_answered(self, server, line, code):
        first, second = map(json.loads, server.answers([line, b'{"id": 2, "method": "ping"}']))
        assert first["error"]["code"] == code
        assert second == {"jsonrpc": "2.0", "id": 2, "result": {}}


class TestTools:
    def test_evaluate_gives_what_the_command_prints(self, server):
        result = call(server, "evaluate", **FILES, measures=["nDCG@10"])
        assert not result["isError"]
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        run = result["structuredContent"]["runs"][1]
        ours = cf.evaluate(demo.path("qrels.txt"), demo.path("title.run"), "nDCG@10").mean("nDCG@10").value
        assert (run["name"], run["measures"]["nDCG@10"]["mean"]) == ("title", ours)

    def test_compare_says_which_is_better(self, server):
        found = call(server, "compare", **FILES, measures=["nDCG@10"], baseline="title")["structuredContent"]
        assert found["verdict"].startswith("bm25 is better than title on nDCG@10.")

    def test_explain_check_and_measures(self, server):
        files = {"judgments": "qrels.txt", "run": "bm25.run"}
        found = call(server, "explain", **files, query="q01", measure="P@5")["structuredContent"]
        assert (found["query"], found["value"]) == ("q01", 0.4)
        assert call(server, "check", files=["qrels.txt", "bm25.run"])["structuredContent"]["ok"]
        assert len(call(server, "measures")["structuredContent"]["measures"]) > 30
        (measure,) = call(server, "measures", name="ndcg_cut_10")["structuredContent"]["measures"]
        assert measure["name"] == "nDCG"

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"judgments": "qrels.txt"}, "Missing: runs."),
            (
                {**FILES, "measure": "AP"},
                "There is no argument 'measure'; there are judgments, runs, measures, group_by. Did you",
            ),
            ({**FILES, "judgments": 3}, "judgments must be a text, not 3."),
            ({**FILES, "runs": []}, "runs must be a list of texts, not []."),
            ({**FILES, "runs": [["a"]]}, "runs must be a list of texts, not [['a']]."),
            ({**FILES, "measures": ["nDGC"]}, "Did you mean"),
            ({**FILES, "judgments": "bm25.run"}, "bm25.run"),
        ],
    )
    def test_a_wrong_call_is_answered_with_what_is_wrong(self, server, arguments, message):
        assert message in refused(server, "evaluate", **arguments)

    def test_arguments_are_an_object(self, server):
        result = ask(server, "tools/call", name="check", arguments=["qrels.txt"])["result"]
        assert result["content"][0]["text"] == "Arguments are an object with a value for each name."


class TestFolder:
    @pytest.mark.parametrize("path", ["/etc/passwd", "../secret", "sub/../../secret", "~/.ssh/id", "link"])
    def test_nothing_outside_is_read(self, server, path):
        (server.root.parent / "secret").write_text("q1 0 d1 1\n")
        if path == "link" and not (server.root / "link").is_symlink():
            (server.root / "link").symlink_to(server.root.parent / "secret")
        message = refused(server, "check", files=[path])
        assert "is outside the folder that this server reads" in message or "There is no file" in message
        assert "d1" not in message

    @pytest.mark.parametrize("path", ["-", "postgresql://localhost/db", "", ".", "\0", "x" * 5000])
    def test_standard_input_databases_and_folders_are_no_files(self, server, path):
        message = refused(server, "evaluate", judgments=path, runs=["bm25.run"])
        assert "There is no file" in message or "cannot be a path" in message

    def test_a_path_inside_may_be_written_in_full(self, server):
        assert call(server, "check", files=[str(server.root / "qrels.txt")])["structuredContent"]["ok"]


def test_a_value_that_is_null_is_missing(server):
    assert refused(server, "evaluate", judgments=None, runs=None) == "Missing: judgments, runs."


CHUNKS = {"judgments": "qrels.txt", "runs": ["chunks.run"], "measures": ["RR"]}


class TestChunks:
    """Where ids of chunks and documents never meet, the advice can be followed."""

    @pytest.fixture
    def chunks(self, tmp_path):
        (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d2 1\n")
        (tmp_path / "chunks.run").write_text("q1 Q0 d9#1 1 3 t\nq1 Q0 d1#4 2 2 t\nq2 Q0 d2#1 1 3 t\n")
        return ModelContextServer(tmp_path)

    def test_documents_are_counted_by_a_separator(self, chunks):
        assert 'evaluate with group_by="#"' in refused(chunks, "evaluate", **CHUNKS)
        found = call(chunks, "evaluate", **CHUNKS, group_by="#")["structuredContent"]
        assert found["settings"]["group_by"] == "#"
        assert found["runs"][0]["measures"]["RR"]["mean"] == 0.75
        arguments = {"judgments": "qrels.txt", "run": "chunks.run", "query": "q1", "measure": "RR", "group_by": "#"}
        assert call(chunks, "explain", **arguments)["structuredContent"]["value"] == 0.5

    def test_no_file_is_read_for_them(self, chunks, tmp_path, monkeypatch):
        (tmp_path / "map.csv").write_text("chunk,document\nd1#4,d1\n")
        monkeypatch.chdir(tmp_path)
        for path in ("map.csv", str(tmp_path / "map.csv")):
            found = refused(chunks, "evaluate", **CHUNKS, group_by=path)
            assert "no document id" in found or "no document in common" in found
