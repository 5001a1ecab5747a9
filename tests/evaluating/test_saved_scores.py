"""Saved results are believed only as they were written: whatever does not fit is refused, with where it stands."""

from __future__ import annotations

import json
import math
import os
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.errors import DataError
from cranfield.evaluating import saved_scores
from cranfield.evaluating.saved_scores import checksum, from_dict, load, save, to_dict
from cranfield.evaluating.settings import Settings
from cranfield.formats.sniff import is_results
from cranfield.measures.definition import TABLE

EARLIER = Path(__file__).parent / "saved"
JUDGMENTS = {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}, "q3": {"d9": 0}}
RUNS = {
    "dense": {"q1": ["d2", "d1"], "q2": ["d1"]},
    "bm25": {"q1": {"d1": 3.0, "d2": 2.0}, "q2": {"d5": 2.0, "d1": 1.0}},
}


def results(measures=("nDCG@10", "AP", "Judged@5"), **settings):
    return cf.evaluate(JUDGMENTS, RUNS, measures, **settings)


@pytest.fixture
def kept(tmp_path):
    path = tmp_path / "results.json"
    save(results(), path)
    return path


def changed(kept, change, *, sealed=True):
    """The file with something changed in it, and by default with the checksum of what it then holds."""
    given = json.loads(kept.read_text())
    change(given)
    if sealed:
        given["checksum"] = checksum(given)
    kept.write_text(json.dumps(given))
    return kept


def score(value):
    def change(given):
        given["runs"]["bm25"]["scores"]["AP"]["q1"] = value

    return change


class TestWritten:
    def test_the_same_evaluation_gives_the_same_bytes(self, kept, tmp_path):
        save(results(), tmp_path / "again.json")
        assert (tmp_path / "again.json").read_bytes() == kept.read_bytes()

    def test_a_line_for_each_score_so_that_a_diff_shows_what_changed(self, kept):
        lines = kept.read_text().splitlines()
        assert sum(line.strip().startswith('"q1": ') for line in lines) == 2 * 3

    def test_definitions_settings_counts_and_hashes(self, tmp_path):
        (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d1 1\n")
        (tmp_path / "bm25.run").write_text("q1 Q0 d1 1 3.0 t\n")
        kept = to_dict(cf.evaluate(tmp_path / "qrels.txt", tmp_path / "bm25.run", "AP(rel=2)", depth=5))
        assert kept["measures"]["AP(rel=2)"]["definition"].startswith("Average precision: the mean")
        assert kept["measures"]["AP(rel=2)"]["parameters"]["rel"] == 2
        assert kept["settings"]["depth"] == 5
        assert kept["judgments"]["queries"] == 2
        assert len(kept["judgments"]["sha256"]) == len(kept["runs"]["bm25"]["sha256"]) == 64
        assert kept["runs"]["bm25"]["queries"]["silent"] == ["q2"]

    def test_a_measure_of_ones_own_is_read_where_it_is_not_defined(self, tmp_path):
        @cf.measure(bounds=(0, 1), lower_is_better=True)
        def Mine(judged, *, rel=1, cutoff=None):
            return judged.num_rel_ret(rel) * 0

        try:
            save(results([Mine @ 3]), tmp_path / "mine.json")
        finally:
            del TABLE["Mine"]
        read = load(tmp_path / "mine.json")
        assert [str(measure) for measure in read.measures] == ["Mine@3"]
        assert read.measures[0].definition.lower_is_better
        assert read.mean("Mine@3", "bm25").value == 0

    def test_queries_that_do_not_count_have_no_score(self):
        assert list(to_dict(results(average_over="answered"))["runs"]["bm25"]["scores"]["AP"]) == ["q1", "q2"]


class TestEarlierFiles:
    """As the program wrote them before scores from an evaluation and from a file were of one type."""

    def test_the_same_evaluation_still_gives_the_same_bytes(self, tmp_path, monkeypatch):
        monkeypatch.chdir(demo.path("qrels.txt").parent)
        monkeypatch.setattr(saved_scores, "VERSION", json.loads((EARLIER / "demo.json").read_text())["cranfield"])
        save(cf.evaluate("qrels.txt", ["bm25.run", "hybrid.run"], ["nDCG@10", "AP"]), tmp_path / "demo.json")
        assert (tmp_path / "demo.json").read_bytes() == (EARLIER / "demo.json").read_bytes()

    def test_so_does_a_profile_with_exceptions(self, tmp_path, monkeypatch):
        monkeypatch.chdir(demo.path("qrels.txt").parent)
        monkeypatch.setattr(saved_scores, "VERSION", json.loads((EARLIER / "demo.json").read_text())["cranfield"])
        save(cf.evaluate("qrels.txt", "bm25.run", ["nDCG@10", "RR@10"], profile="beir"), tmp_path / "a.json")
        assert (tmp_path / "a.json").read_bytes() == (EARLIER / "exceptions.json").read_bytes()

    @pytest.mark.parametrize("name", ["demo.json", "exceptions.json", "raised.json"])
    def test_are_read_and_written_again_as_they_were(self, tmp_path, monkeypatch, name):
        given = json.loads((EARLIER / name).read_text())
        monkeypatch.setattr("cranfield.evaluating.saved_scores.VERSION", given["cranfield"])
        save(load(EARLIER / name), tmp_path / name)
        assert (tmp_path / name).read_bytes() == (EARLIER / name).read_bytes()

    def test_say_how_each_measure_was_evaluated_and_where_raised_scores_come_from(self):
        scores = load(EARLIER / "exceptions.json")
        assert [settings.ties for settings in scores.provenance.settings] == ["document", "given"]
        assert {settings.profile for settings in scores.provenance.settings} == {"beir"}
        raised = load(EARLIER / "raised.json").provenance.runs[0].raised
        assert [(measure, source.run, source.path) for measure, source in raised.items()] == [
            ("nDCG@10", "dense", "dense.run")
        ]


class TestRoundTrips:
    @pytest.mark.parametrize("settings", [{}, {"average_over": "answered"}, {"undefined": "skip"}, {"depth": 1}])
    def test_every_value_comes_back(self, tmp_path, settings):
        before = results(["nDCG@10", "AP(rel=2)@3", "NumRet", "GMAP", "DCG(gain={1:5,2:0.5})", "Bpref"], **settings)
        save(before, tmp_path / "a.json")
        after = load(tmp_path / "a.json")
        assert to_dict(after) == to_dict(before)
        assert np.array_equal(before.counted, after.counted)
        assert np.array_equal(before.values[before.counted], after.values[before.counted], equal_nan=True)

    @pytest.mark.parametrize("name", sorted(name for name, known in TABLE.items() if known.groups is None))
    def test_every_measure_can_be_saved_and_read(self, tmp_path, name):
        definition = TABLE[name]
        at = {"recall": "@0.5", "multiple": "@0.5"}.get(definition.at, "@3") if definition.needs_at else ""
        before = results([f"{name}{at}"])
        save(before, tmp_path / "a.json")
        assert np.array_equal(load(tmp_path / "a.json").values, before.values, equal_nan=True)

    def test_an_undefined_score_is_null_and_stays_undefined(self, kept):
        assert json.loads(kept.read_text())["runs"]["bm25"]["scores"]["nDCG@10"]["q3"] is None
        assert math.isnan(load(kept).values[0, 0, 2])

    def test_an_infinite_score_is_no_result_and_not_saved_as_an_undefined_one(self):
        before = results("DCG")
        for huge in (math.inf, -math.inf, 1e308, 1e101):
            values = before.values.copy()
            values[0, 1, 0] = huge
            with pytest.raises(DataError, match=r"DCG gave a score of .*; expected a number of at most"):
                replace(before, values=values)

    def test_a_run_whose_name_is_no_text(self, tmp_path):
        # As that of a file whose name is not UTF-8.
        save(cf.evaluate({"q1": {"d1": 1}}, {"run\udcff": {"q1": ["d1"]}}, "AP"), tmp_path / "a.json")
        assert load(tmp_path / "a.json").runs == ("run\udcff",)


class TestReformatted:
    @pytest.mark.parametrize(
        "layout",
        [
            {"separators": (",", ":")},
            {"indent": 4},
            {"indent": 2, "sort_keys": True},
            {"ensure_ascii": True},
            {"separators": (",", ":"), "sort_keys": True},
        ],
    )
    def test_json_of_another_layout_is_the_same_content(self, kept, layout):
        before = load(kept)
        kept.write_text(json.dumps(json.loads(kept.read_text()), **layout))
        assert is_results(kept)
        after = load(kept)
        assert to_dict(after) == to_dict(before)

    def test_the_first_run_stays_the_first(self, kept):
        # Otherwise a sorted file would silently have another baseline.
        kept.write_text(json.dumps(json.loads(kept.read_text()), sort_keys=True))
        assert load(kept).runs == ("dense", "bm25")

    def test_names_in_another_order_with_the_scores_first(self, kept):
        given = json.loads(kept.read_text())
        kept.write_text(json.dumps({name: given[name] for name in reversed(given)}))
        assert is_results(kept)
        assert load(kept).runs == ("dense", "bm25")

    def test_whole_numbers_in_another_spelling(self, kept):
        # As jq writes them.
        kept.write_text(kept.read_text().replace(": 1.0", ": 1").replace(": 0.0", ": 0"))
        load(kept)
        kept.write_text(kept.read_text().replace(": 1,", ": 1.000,").replace(": 0.5", ": 5e-1"))
        load(kept)

    def test_other_line_ends_and_a_byte_order_mark(self, kept):
        kept.write_bytes(b"\xef\xbb\xbf" + kept.read_bytes().replace(b"\n", b"\r\n"))
        assert is_results(kept)
        load(kept)

    def test_compressed(self, kept, tmp_path):
        import gzip

        (tmp_path / "a.json.gz").write_bytes(gzip.compress(kept.read_bytes()))
        assert load(tmp_path / "a.json.gz").runs == ("dense", "bm25")


class TestChanged:
    @pytest.mark.parametrize("value", [0.25, 0, 0.999, None])
    def test_a_score_that_could_be_is_told_by_the_checksum(self, kept, value):
        with pytest.raises(DataError, match="the content was changed after it was saved") as error:
            load(changed(kept, score(value), sealed=False))
        assert str(kept) in str(error.value)
        assert "cranfield evaluate QRELS RUN... --save FILE" in str(error.value)

    def test_without_a_checksum_nothing_is_believed(self, kept):
        with pytest.raises(DataError, match="has no checksum"):
            load(changed(kept, lambda given: given.pop("checksum"), sealed=False))

    @pytest.mark.parametrize("value", [7.5, -0.1, 1.001, math.nan, math.inf, -math.inf, 10**400, -(10**400)])
    def test_a_score_outside_the_range_of_its_measure(self, kept, value):
        with pytest.raises(DataError, match=r"runs > bm25 > scores > AP > q1 is .*; expected a number from 0 to 1"):
            load(changed(kept, score(value)))

    def test_a_number_beyond_all_numbers(self, kept):
        kept.write_text(kept.read_text().replace('"q1": 1.0', '"q1": 1e400', 1))
        with pytest.raises(DataError, match="q1 is inf; expected a number from 0 to 1"):
            load(kept)

    def test_a_number_of_thousands_of_digits(self, kept):
        kept.write_text(kept.read_text().replace('"q1": 1.0', f'"q1": {"9" * 5000}', 1))
        with pytest.raises(DataError, match="a whole number has more than 4,300 digits"):
            load(kept)

    @pytest.mark.parametrize("value", ["1", True, [], {}])
    def test_scores_that_are_no_numbers(self, kept, value):
        with pytest.raises(DataError, match=r"runs > bm25 > scores > AP > q1 is .*; expected a number"):
            load(changed(kept, score(value)))

    def test_a_score_for_what_is_no_query(self, kept):
        def change(given):
            given["runs"]["bm25"]["scores"]["AP"]["q7"] = 1.0

        with pytest.raises(DataError, match=r"AP > q7 is 1.0; expected no score: `queries` has no such query"):
            load(changed(kept, change))

    def test_a_query_twice(self, kept):
        with pytest.raises(DataError, match="queries is 'q1'; expected every name once"):
            load(changed(kept, lambda given: given["queries"].append("q1")))

    def test_a_name_twice_in_one_object(self, kept):
        kept.write_text(kept.read_text().replace('"q1": 1.0,', '"q1": 1.0,\n"q1": 0.5,', 1))
        with pytest.raises(DataError, match="the name 'q1' comes twice"):
            load(kept)

    def test_parameters_that_contradict_the_name(self, kept):
        def change(given):
            given["measures"]["nDCG@10"]["parameters"]["cutoff"] = 20

        with pytest.raises(DataError, match=r"parameters > cutoff is 20; expected 10, as the name nDCG@10 says"):
            load(changed(kept, change))

    @pytest.mark.parametrize(
        ("fact", "value"),
        [("mean", "geometric"), ("mean", "most"), ("lower_is_better", True), ("lower_is_better", 0), ("undefined", 1)],
    )
    def test_facts_that_contradict_the_measure(self, kept, fact, value):
        def change(given):
            given["measures"]["AP"][fact] = value

        with pytest.raises(DataError, match=f"measures > AP > {fact} is "):
            load(changed(kept, change))

    def test_a_measure_in_another_spelling(self, kept):
        kept.write_text(kept.read_text().replace("nDCG@10", "ndcg_cut_10"))
        with pytest.raises(DataError, match="expected the name nDCG@10"):
            load(kept)

    @pytest.mark.parametrize(
        "name", ["judgments", "settings", "queries", "measures", "warnings", "runs", "order", "checksum"]
    )
    @pytest.mark.parametrize("value", ["missing", None, 3, [], [3], {}, "x"])
    def test_parts_of_another_kind(self, kept, name, value):
        def change(given):
            given.pop(name)
            if value != "missing":
                given[name] = value

        with pytest.raises(DataError):
            load(changed(kept, change, sealed=False))

    @pytest.mark.parametrize(
        ("where", "value"),
        [
            (("settings", "ties"), "chance"),
            (("settings", "profile"), 3),
            (("settings", "depth"), 0),
            (("settings", "max_grade"), "3"),
            (("settings", "exceptions"), []),
            (("judgments", "path"), 1),
            (("judgments", "queries"), -1),
            (("judgments", "sha256"), None),
            (("runs", "bm25", "path"), []),
            (("runs", "bm25", "ties"), []),
            (("runs", "bm25", "ties", "documents"), "many"),
            (("runs", "bm25", "unjudged", "retrieved"), 1.5),
            (("runs", "bm25", "unjudged", "judged_at_10"), "1"),
            (("runs", "bm25", "queries", "silent"), "q1"),
            (("runs", "bm25", "queries", "unknown"), [1]),
            (("runs", "bm25", "raised"), {"AP": 1}),
        ],
    )
    def test_what_a_file_says_of_judgments_settings_and_runs(self, kept, where, value):
        def change(given):
            for name in where[:-1]:
                given = given[name]
            given[where[-1]] = value

        with pytest.raises(DataError, match=" > ".join(where[:1])):
            load(changed(kept, change))

    def test_what_a_file_need_not_say(self, kept):
        def change(given):
            given["runs"]["bm25"] = {"scores": given["runs"]["bm25"]["scores"]}
            given["settings"] = {}

        scores = load(changed(kept, change))
        facts = scores.provenance.runs[1]
        assert (facts.path, facts.sha256, facts.silent, facts.ties, facts.judged_at_10) == (None,) * 5
        assert scores.settings == Settings()
        assert "–" in str(scores)

    def test_an_order_that_lacks_a_run(self, kept):
        with pytest.raises(DataError, match="order > runs is 'bm25'; expected the names of `runs`, each once"):
            load(changed(kept, lambda given: given["order"]["runs"].remove("bm25")))

    @pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
    def test_a_file_that_ends_early(self, kept, share):
        kept.write_bytes(kept.read_bytes()[: int(share * kept.stat().st_size)])
        with pytest.raises(DataError, match="not valid JSON"):
            load(kept)

    def test_a_file_that_is_nested_without_end(self, kept):
        kept.write_text('{"cranfield": "0.1.0", "format": 1, "checksum": ' + "[" * 20_000)
        with pytest.raises(DataError, match="nested too deeply"):
            load(kept)


class TestOtherFiles:
    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("{", "line 1"),
            ("[]", "was not written by cranfield --save"),
            ('{"a": 1}', "was not written by cranfield --save"),
            ('{"cranfield": "9.0", "format": 7}', "was saved by cranfield 9.0 in a layout"),
            ('{"cranfield": "0.1.0", "format": 1}', "queries is missing; expected a list of texts"),
        ],
    )
    def test_are_told(self, tmp_path, text, words):
        (tmp_path / "a.json").write_text(text)
        with pytest.raises(DataError, match=words):
            load(tmp_path / "a.json")

    def test_a_file_that_is_not_there_or_no_text(self, tmp_path):
        with pytest.raises(DataError, match="there is no such file"):
            load(tmp_path / "none.json")
        with pytest.raises(DataError, match="is a folder"):
            load(tmp_path)
        (tmp_path / "bytes.json").write_bytes(b'{"\xff": 1}')
        with pytest.raises(DataError, match="UTF-8"):
            load(tmp_path / "bytes.json")

    def test_a_folder_that_is_not_there(self, tmp_path):
        with pytest.raises(DataError, match="cannot be written"):
            save(results(), tmp_path / "none" / "a.json")
        with pytest.raises(DataError, match="cannot be written"):
            save(results(), tmp_path)
        with pytest.raises(DataError, match="cannot be written"):
            save(results(), "a\0b")

    def test_results_are_known_by_what_they_say_at_the_top(self, kept, tmp_path):
        others = {
            "run.json": '{"q1": {"d1": 1}}',
            "ids.json": '{"q1": {"cranfield": "x", "format": 1}}',
            "lines.jsonl": '{"cranfield": "x", "format": 1}\n{"cranfield": "y", "format": 1}\n',
            "list.json": '[{"cranfield": "x", "format": 1}]',
            "empty.json": "",
        }
        assert is_results(kept)
        for name, text in others.items():
            (tmp_path / name).write_text(text)
            assert not is_results(tmp_path / name)
        assert not is_results(tmp_path / "none.json")
        assert not is_results("a\0b")

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
    def test_wondering_what_a_pipe_holds_takes_nothing_from_it(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=("q1 Q0 d1 1 2 x\n",))
        writer.start()
        assert not is_results(tmp_path / "pipe")
        assert (tmp_path / "pipe").read_text() == "q1 Q0 d1 1 2 x\n"
        writer.join()


def test_what_a_dictionary_holds_is_checked_as_well():
    given = to_dict(results())
    assert to_dict(from_dict(given)) == given
    given["runs"]["bm25"]["scores"]["AP"]["q1"] = 0.5
    with pytest.raises(DataError, match="the content was changed"):
        from_dict(given)


def test_a_setting_that_this_version_does_not_know_is_refused():
    saved = to_dict(cf.evaluate(JUDGMENTS, RUNS, "RR"))
    saved["settings"]["queries"] = "answered"
    saved["checksum"] = checksum(saved)
    with pytest.raises(DataError, match="no such setting in this version"):
        from_dict(saved)
