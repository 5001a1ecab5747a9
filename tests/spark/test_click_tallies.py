from __future__ import annotations

import json
from itertools import pairwise

import pyarrow as pa
import pytest

import cranfield as cf
from cranfield.click_models.click_labels import clicks
from cranfield.spark import click_tallies
from cranfield.spark.click_tallies import TallyPlan, chunks, packing, tally, tallying, whole_impressions
from tests.spark.click_logs import impressions, results

LISTS = {name: name for name in ("session", "query", "documents", "clicks")}
ROWS = {name: name for name in ("session", "query", "position", "document", "clicked")}


def counted(log: pa.Table, plan: TallyPlan, size: int = 10**6) -> pa.Table:
    """The counts of a log that was divided after so many rows, added up and sorted as a cluster does."""
    batches = [batch for part in parts_of(log, plan, size) for batch in tallying(plan)(iter(part.to_batches()))]
    rows = pa.Table.from_batches(batches)
    rows = rows.filter(rows["query"].is_valid()).select(rows.column_names[:-2])
    names = ["query", "document", "rank", "before"]
    summed = rows.group_by(names).aggregate([(name, "sum") for name in plan.columns_of_counts])
    summed = summed.rename_columns([name.removesuffix("_sum") for name in summed.column_names])
    return summed.select(rows.column_names).sort_by([(name, "ascending") for name in names])


def parts_of(log: pa.Table, plan: TallyPlan, size: int) -> list[pa.Table]:
    """Whole impressions in each."""
    if not plan.key:
        return [log.slice(at, size) for at in range(0, len(log), size)]
    sessions = sorted(set(log["session"].to_pylist()))
    few = [pa.array(sessions[at : at + size]) for at in range(0, len(sessions), size)]
    return [log.filter(pa.compute.is_in(log["session"], own)) for own in few]


@pytest.mark.parametrize("model", ["DCTR", "CM", "DCM", "SDBN"])
@pytest.mark.parametrize("size", [7, 1000])
def test_counts_of_parts_have_the_bits_of_the_whole_log(model, size):
    log = impressions()
    plan = TallyPlan(model, LISTS, ())
    local = clicks(log.to_pylist(), model)
    rows = pa.Table.from_batches(packing(iter(counted(log, plan, size).to_batches())))
    (chunk,) = chunks(iter(rows.select(["cells", "size"]).to_batches()))
    for name, parameter in local.model.parameters.items():
        if parameter.by == "document":
            assert tally(chunk, plan, name).parameter("document", local.model.fitting).values.shape == (chunk.size + 1,)
    pairs = [
        (local.pairs.queries[query], local.pairs.documents[document])
        for query, document in zip(local.pairs.query.tolist(), local.pairs.document.tolist(), strict=True)
    ]
    ids = list(zip(rows["query"][0].as_py(), rows["document"][0].as_py(), strict=True))
    shown = dict(zip(ids, chunk.by_document(0).tolist(), strict=False))
    assert shown == dict(zip(pairs, local.impressions.tolist(), strict=True))


def test_rows_of_results_give_the_counts_of_their_impressions():
    log = impressions()
    of_lists = counted(log, TallyPlan("UBM", LISTS, ()))
    rows = results(log).sort_by([("session", "ascending"), ("position", "ascending")])
    assert counted(rows, TallyPlan("UBM", ROWS, ("session", "query")), 13).equals(of_lists)


def test_parts_end_where_an_impression_does(monkeypatch):
    monkeypatch.setattr(click_tallies, "ROWS", 10)
    rows = results(impressions(50)).sort_by([("session", "ascending"), ("position", "ascending")])
    tables = list(whole_impressions(iter(rows.to_batches(max_chunksize=4)), ("session", "query")))
    assert len(tables) > 5
    assert pa.concat_tables(tables).equals(rows)
    ends = [(table["session"][0].as_py(), table["session"][-1].as_py()) for table in tables]
    assert all(one[1] != other[0] for one, other in pairwise(ends))


def test_what_is_packed_together_is_whole_documents(monkeypatch):
    plan = TallyPlan("UBM", LISTS, ())
    table = counted(impressions(), plan)
    (whole,) = packing(iter(table.to_batches()))
    monkeypatch.setattr(click_tallies, "CELLS", 20)
    parts = list(packing(iter(table.to_batches(max_chunksize=9))))
    assert len(parts) > 5
    assert [name for part in parts for name in part["document"][0].as_py()] == whole["document"][0].as_py()
    assert sum(chunk.size for chunk in chunks(iter(parts))) == whole["size"][0].as_py()


def findings_of(rows, plan):
    batches = list(tallying(plan)(iter(pa.Table.from_pylist(rows).to_batches())))
    told = [row for batch in batches for row in batch.to_pylist()]
    return [json.loads(row["finding"]) for row in told if row["finding"]], [
        row for row in told if row["query"] and not row["finding"]
    ]


def test_what_is_wrong_is_a_row_and_nothing_is_counted():
    rows = [
        {"session": "s", "query": "q", "position": 1, "document": "a", "clicked": 2},
        {"session": "s", "query": "q", "position": 1, "document": "b", "clicked": 0},
    ]
    found, counts = findings_of(rows, TallyPlan("PBM", ROWS, ("session", "query")))
    assert [(one["kind"], one["message"]) for one in found] == [
        ("clicked-neither-0-nor-1", "query 'q', document 'a': clicked is 2; expected 0 or 1")
    ]
    assert counts == []
    found, counts = findings_of([{**row, "clicked": 0} for row in rows], TallyPlan("PBM", ROWS, ("session", "query")))
    assert [one["kind"] for one in found] == ["position-twice"]


def test_what_is_surprising_is_counted_in_impressions():
    rows = [{"session": "s", "query": "q", "position": at, "document": "a", "clicked": 0} for at in (1, 2)]
    found, counts = findings_of(rows, TallyPlan("PBM", ROWS, ("session", "query")))
    assert [(one["severity"], one["kind"], one["count"]) for one in found] == [("warning", "shown-twice", 1)]
    assert [row["count0"] for row in counts] == [1, 1]


def test_a_log_without_queries_has_one():
    rows = [{"session": "s", "documents": ["a", "b"], "clicks": [0, 1]}]
    plan = TallyPlan("PBM", {name: name for name in ("session", "documents", "clicks")}, ())
    batches = list(tallying(plan)(iter(pa.Table.from_pylist(rows).to_batches())))
    assert batches[0]["query"].to_pylist() == ["", ""]
    assert cf.clicks(rows, "PBM", min_impressions=1).pairs.queries == ("",)
