import json

import pytest

import cranfield as cf
from cranfield.formats import json_object, json_text, read_run
from tests.formats.reading import judged, kinds, rankings, retrieved, wrong_in_judgments, wrong_in_run


def test_an_object_of_objects(write):
    assert judged(write('{"q1": {"d1": 2, "d2": 0}}')) == {"q1": {"d1": 2, "d2": 0}}
    assert retrieved(write('{\n  "q1": {"d1": 2.5}\n}')) == {"q1": {"d1": 2.5}}


def test_an_object_of_lists_holds_relevant_documents_or_the_best_first(write):
    path = write('{"q1": ["d1", "d2"]}')
    assert judged(path) == {"q1": {"d1": 1, "d2": 1}}
    assert list(rankings(read_run(path))["q1"].documents) == ["d1", "d2"]
    assert retrieved(path) == {"q1": {"d1": -1, "d2": -2}}


def test_a_list_of_records(write):
    assert judged(write('[{"qid": 1, "docno": "d1", "label": 3}]')) == {"1": {"d1": 3}}
    assert retrieved(write('[{"qid": 1, "docno": "d1", "rank": 3}]')) == {"1": {"d1": -3}}


def test_other_shapes_are_errors_that_show_the_right_one(write):
    (finding,) = wrong_in_run(write('{"hits": {"total": {"value": 3}}}'))
    assert finding.kind == "unknown-structure"
    assert "an object with hits" in finding.message
    (finding,) = wrong_in_run(write('{\n"took": 3}'))
    assert str(finding).endswith(
        "this is an object with took; expected {query: {document: score}} or {query: [documents, best first]}"
    )
    assert kinds(wrong_in_judgments(write("[1, 2]"))) == ["unknown-structure"]


def test_an_empty_object_holds_nothing(write):
    assert kinds(wrong_in_judgments(write("{}"))) == ["nothing-read"]
    assert kinds(wrong_in_run(write("{}"))) == ["nothing-read"]
    assert kinds(wrong_in_run(write("[]"))) == ["nothing-read"]


class TestLargeRuns:
    """Read piece by piece; here everything is large, and pieces are small."""

    @pytest.fixture(autouse=True)
    def small_pieces(self, monkeypatch):
        monkeypatch.setattr(json_object, "LARGE", 0)
        monkeypatch.setattr(json_text, "PIECE", 7)

    def both(self, path, monkeypatch):
        """What is read piece by piece, and what as a whole: rankings or the words of an error."""
        found = []
        for large in (0, 1 << 60):
            monkeypatch.setattr(json_object, "LARGE", large)
            try:
                rankings = list(cf.read_run(path, format="json").rankings(cf.errors.Findings()))
                found.append(
                    [(one.query, list(one.documents), one.scores.tolist(), list(one.lines)) for one in rankings]
                )
            except cf.DataError as error:
                found.append(str(error))
        return found

    @pytest.mark.parametrize(
        "text",
        [
            '{"q1": {"d1": 1.5, "d2": 12345.25}, "q2": {"é": -1e5}}',
            '\ufeff\n{ "q1" :\n {"d1": 1}\n,\n"q\\u00e9 \\"2":{"d":Infinity, "e": -Infinity}}\n\n',
            '{"q1": ["d1", "d2"], "q2": [["d1", 2], ["d2", 1]]}',
            '{"q1": {}, "q2": {"d1": 1}}',
            '{"q1": {"d1": "x"}, "q2": {"d1": 1}}',
            '{"q1": {"d1": 1}, "q2": 3}',
            '{"q1": {"d1": 1, "d1": 2}}',
            '{"q1": {"d1": 1}, "q1": {"d2": 2}}',
            '{"q1": {"d1": 1}, "": {"d2": 2}}',
            '{"q1": {"d1": 1}\n"q2": {"d1": 1}}',
            '{"q1": {"d1": 1},\n "q2": {"d1": 1},}',
            '{"q1": {"d1": 1},\n "q2": {"d1": 1}',
            '{"q1": {"d1": 1},\n "q2": {"d1": nul}}',
            '{"q1": {"d1": 1},\n q2: {"d1": 1}}',
            '{"q1": {"d1": 1}, "q2',
            "{}",
            "{",
            "",
            '{"hits": {"hits": [{"_id": "d1", "_score": 1}]}}',
            '{"q1": {"hits": {"hits": [{"_id": "d1", "_score": 1}]}}}',
            '{"query": "a", "results": ["d1", "d2"]}',
            '[{"query": "q1", "document": "d1", "score": 2}]',
        ],
    )
    def test_give_what_reading_as_a_whole_gives(self, tmp_path, monkeypatch, text):
        path = tmp_path / "run.json"
        path.write_text(text, encoding="utf-8")
        in_pieces, whole = self.both(path, monkeypatch)
        assert in_pieces == whole

    def test_of_many_queries(self, tmp_path, monkeypatch):
        path = tmp_path / "run.json"
        run = {f"q{query}": {f"d{at}": at / 7 for at in range(30)} for query in range(50)}
        path.write_text(json.dumps(run, indent=1))
        in_pieces, whole = self.both(path, monkeypatch)
        assert in_pieces == whole
        assert len(whole) == 50

    def test_that_are_not_utf_8_are_refused(self, tmp_path, monkeypatch):
        path = tmp_path / "run.json"
        path.write_bytes(b'{"q1": {"d1": 1}, "q2": {"\xff": 1}}')
        in_pieces, whole = self.both(path, monkeypatch)
        assert in_pieces == whole
        assert "UTF-8" in whole
