"""Projects as files that other commands read."""

from __future__ import annotations

import json

import numpy as np
import pytest

import cranfield as cf
from cranfield.assessing import export
from cranfield.assessing.contents import as_preferences, contents_of, judged_from_runs
from cranfield.assessing.events import NewEvent
from cranfield.errors import CranfieldError, UsageError
from cranfield.formats import read_judgments, read_runs
from tests.assessing.conftest import RUNS, Sender, garden


@pytest.fixture
def judged(make_service):
    """Two people with labels, a skip, a note and a decision."""
    service = make_service("ada", "ben", labels=2, strategy="depth")
    rng = np.random.default_rng(8)
    for judge in (2, 3):
        page = Sender(service, judge)
        for item in range(1, 31):
            service.record(judge, page.label(item, float(rng.integers(0, 4)), active_ms=1234))
    service.record(2, page.label(40, 0)._replace(kind="skip", grade=None))
    disputed = next(item for item in range(1, 31) if len({grade for _, grade in service.state.labels(item)}) > 1)
    service.adjudicate(1, disputed, 3.0, "slip", "looked again", key="decision")
    return service


def same_labels(one, other):
    def rows(labels):
        return sorted(
            (labels.queries[labels.of_query[item]], labels.documents[item], labels.judges[judge], grade)
            for item, judge, grade in zip(labels.of_item, labels.of_judge, labels.values, strict=True)
        )

    return rows(one) == rows(other)


def test_labels_of_an_open_store_are_those_read_from_its_file(judged):
    ours, read = export.labels_of(judged.store), cf.read_labels(judged.store.where)
    assert same_labels(ours, read)
    assert np.array_equal(ours.decided, read.decided, equal_nan=True)


@pytest.mark.parametrize("name", ["labels.csv", "labels.tsv", "labels.qrels"])
def test_labels_in_a_file_are_the_labels(judged, tmp_path, name):
    export.write_export(judged.store, tmp_path / name)
    assert same_labels(cf.read_labels(tmp_path / name), export.labels_of(judged.store))


def test_a_row_has_when_how_and_how_long(judged):
    table = export.label_table(judged.store)
    assert list(table.columns) == [
        *("query", "document", "judge", "grade", "kind", "at", "seconds", "how", "note", "chosen", "extra")
    ]
    assert table.columns["seconds"][0] == 1.234
    assert set(table.columns["kind"]) == {"label", "skip"}
    assert table.columns["chosen"][0] == "depth"


def test_judgments_in_a_file_are_what_the_project_reads_as(judged, tmp_path):
    assert export.write_export(judged.store, tmp_path / "all.qrels") == "judgments.qrels"
    written, read = read_judgments(tmp_path / "all.qrels"), read_judgments(judged.store.where)
    assert {query: written[query] for query in written} == {query: read[query] for query in read}
    first = (tmp_path / "all.qrels").read_text().splitlines()[0]
    assert "median grade; ties take the lower grade" in first
    assert "1 document adjudicated" in first


def test_judgments_from_before_are_written_too(make_service):
    service = make_service("ada", contents=garden(judgments={"q1": {"d1": 2}}))
    assert export.judgment_lines(service.store) == "# 1 judgment from before\nq1 0 d1 2\n"


def test_decisions_are_a_sheet_that_merge_reads(judged, tmp_path):
    export.write_export(judged.store, tmp_path / "labels.csv")
    export.write_export(judged.store, tmp_path / "adjudicated.csv")
    merged = cf.merge(tmp_path / "labels.csv", adjudicated=str(tmp_path / "adjudicated.csv")).judgments
    read = read_judgments(judged.store.where)
    assert {query: merged[query] for query in merged} == {query: read[query] for query in read}
    row = export.decision_table(judged.store).columns
    assert (row["decided_by"], row["reason"], row["note"]) == (["boss"], ["slip"], ["looked again"])


def test_every_event_is_a_line(judged):
    lines = [json.loads(line) for line in export.event_lines(judged.store)]
    assert [line["seq"] for line in lines] == [event.seq for event in judged.store.events()]
    last = lines[-1]
    assert (last["kind"], last["judge_name"], last["grade"]) == ("adjudicate", "boss", 3.0)
    assert {"query", "document", "key", "more", "active_ms"} <= last.keys()


def test_no_cell_becomes_a_formula(make_service, tmp_path):
    service = make_service("=ada")
    service.record(2, Sender(service, 2).label(1, 1.0, note='=HYPERLINK("http://example.org")'))
    export.write_export(service.store, tmp_path / "labels.csv")
    text = (tmp_path / "labels.csv").read_text(encoding="utf-8")
    assert ",=" not in text
    assert ',"=' not in text
    assert cf.read_labels(tmp_path / "labels.csv").judges == ("=ada",)


def test_names_with_blanks_do_not_fit_into_trec(make_service):
    service = make_service("Ada Lovelace")
    service.record(2, Sender(service, 2).label(1, 1.0))
    with pytest.raises(CranfieldError, match="Ada Lovelace"):
        export.label_lines(service.store)
    assert "Ada Lovelace" in "".join(export.EXPORTS["labels.csv"](service.store))


def test_preferences_are_five_columns_that_their_measures_read(make_service, tmp_path):
    contents = contents_of(as_preferences(judged_from_runs(read_runs(RUNS), 10)))[0]
    service = make_service("ada", "ben", contents=contents, task="preferences")
    rng = np.random.default_rng(2)
    for judge in (2, 3):
        for item in range(1, 31):
            service.record(judge, Sender(service, judge).label(item, float(rng.integers(-1, 2))))
    assert export.write_export(service.store, tmp_path / "prefs.txt") == "preferences.qrels"
    assert {len(line.split()) for line in (tmp_path / "prefs.txt").read_text().splitlines()} == {5}
    for measure in ("PrefSimp", "PrefPair"):
        written, read = (cf.evaluate(source, RUNS, measure) for source in (tmp_path / "prefs.txt", service.store.where))
        assert np.array_equal(written[measure], read[measure], equal_nan=True)
    with pytest.raises(UsageError, match="the name does not show the format"):
        export.write_export(service.store, tmp_path / "prefs.doc")


def test_a_project_without_labels_has_none_to_write(make_service):
    service = make_service("ada")
    for name in ("labels.qrels", "judgments.qrels"):
        with pytest.raises(CranfieldError, match="nobody has labelled anything yet"):
            list(export.EXPORTS[name](service.store))


def test_both_databases_give_the_same(store):
    for judge, grade in ((2, 1.0), (3, 2.0)):
        store.append(NewEvent(f"key {judge}", judge, 1, "label", grade))
    assert len(export.labels_of(store)) == 2
    assert len(list(export.event_lines(store))) == len(list(store.events()))


@pytest.mark.parametrize("name", ["labels.csv", "labels.tsv", "labels.qrels", "judgments.qrels"])
def test_labels_of_a_model_alone_are_marked_in_every_file(make_service, tmp_path, name):
    service = make_service()
    model = service.add_model("model:tiny@default-0")
    service.record_model(None, [NewEvent(f"m{item}", model.number, item, "label", 1.0) for item in range(1, 9)])
    export.write_export(service.store, tmp_path / name)
    (warning,) = read_judgments(str(tmp_path / name)).warnings
    assert "all judgments come from a model (model:tiny@default-0)" in str(warning)


def test_with_labels_of_people_judgments_are_not_those_of_a_model(make_service, tmp_path, sender):
    service = make_service("ada")
    model = service.add_model("model:tiny@default-0")
    service.record_model(None, [NewEvent("m", model.number, 1, "label", 1.0)])
    service.record(2, sender(service, 2).label(2, 1.0))
    export.write_export(service.store, tmp_path / "judgments.qrels")
    assert "model" not in (tmp_path / "judgments.qrels").read_text()
