"""A pool divided among judges, filled in, and read back."""

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import pytest

import cranfield as cf
from cranfield import demo
from cranfield.errors import UsageError
from cranfield.formats.sheets import write_sheet

RUNS = {"a": {f"q{query}": [f"d{query}-{at}" for at in range(10)] for query in range(30)}}
JUDGES = ["anna", "ben", "cleo"]


@pytest.fixture(scope="module")
def pool():
    return cf.pool(RUNS)


def pairs(pool):
    return [(entry.query, entry.document) for entry in pool]


def judges_of(sheets):
    return Counter(pair for own in sheets.pools.values() for pair in pairs(own))


@pytest.mark.parametrize(("overlap", "shared"), [("20%", 60), (0.2, 60), (60, 60), (None, 60), (0, 0), (1.0, 300)])
def test_an_overlap_is_a_share_or_a_number(pool, overlap, shared):
    sheets = pool.for_judges(JUDGES, overlap=overlap)
    counts = judges_of(sheets)
    assert counts.keys() == set(pairs(pool))
    assert Counter(counts.values()) == {count: n for count, n in ((3, shared), (1, 300 - shared)) if n}
    assert {len(own) for own in sheets.pools.values()} == {(3 * shared + 300 - shared) // 3}


def test_shared_documents_are_of_all_queries(pool):
    of_query = Counter(query for query, _ in pool.for_judges(JUDGES, overlap="20%").shared)
    assert len(of_query) == 30
    assert set(of_query.values()) <= {1, 2, 3}


def test_the_other_documents_of_a_query_stay_with_one_judge(pool):
    sheets = pool.for_judges(JUDGES, overlap=0)
    judges = Counter(query for own in sheets.pools.values() for query in {entry.query for entry in own})
    assert sum(judges.values()) <= 30 + len(JUDGES) - 1


@pytest.mark.parametrize(("judges", "several"), [(4, 2), (5, 2), (5, 3), (7, 4)])
def test_judges_take_turns_and_every_two_meet(pool, judges, several):
    names = [f"judge {at}" for at in range(judges)]
    sheets = pool.for_judges(names, overlap=100, overlap_judges=several)
    assert Counter(judges_of(sheets).values()) == {several: 100, 1: 200}
    labels = [len(own) for own in sheets.pools.values()]
    assert max(labels) - min(labels) <= 1
    own = {name: set(pairs(of)) for name, of in sheets.pools.items()}
    assert all(own[one] & own[other] for one, other in combinations(names, 2))


def test_every_judge_has_an_order_of_their_own_and_a_seed_gives_it_again(pool):
    sheets = pool.for_judges(JUDGES, overlap=1.0)
    orders = [tuple(pairs(own)) for own in sheets.pools.values()]
    assert len(set(orders)) == 3
    assert len(set(map(frozenset, orders))) == 1
    again, other = pool.for_judges(JUDGES, overlap=1.0), pool.for_judges(JUDGES, overlap=1.0, seed=1)
    assert [tuple(pairs(own)) for own in again.pools.values()] == orders
    assert [tuple(pairs(own)) for own in other.pools.values()] != orders
    queries = [entry.query for entry in sheets.pools["anna"]]
    assert sum(one != other for one, other in pairwise(queries)) == 29  # a query in one piece


@pytest.mark.parametrize("seed", range(3))
def test_every_document_is_as_likely_to_be_shared(seed):
    pool = cf.pool({"a": {"q1": ["d1", "d2", "d3"], "q2": ["d4", "d5"]}})
    drawn = Counter(
        pair for at in range(400) for pair in pool.for_judges("a,b", overlap=2, seed=1000 * seed + at).shared
    )
    assert len(drawn) == 5
    assert all(100 < count < 220 for count in drawn.values())  # 160 of each are expected


@pytest.mark.parametrize(
    ("judges", "choices", "message"),
    [
        ([], {}, "at least one judge"),
        (["anna", "ANNA "], {}, "counts as the same name"),
        (["anna", ""], {}, "printable"),
        (["anna", "ben"], {"overlap": "120%"}, "a share such as 20%"),
        (["anna", "ben"], {"overlap": -1}, "a share such as 20%"),
        (["anna", "ben"], {"overlap": "many"}, "a share such as 20%"),
        (["anna", "ben"], {"overlap": 301}, "the pool has only 300 documents"),
        (["anna"], {"overlap": 5}, "two or more judges"),
        (["anna", "ben"], {"overlap_judges": 3}, "there are 2 judges"),
        (["anna", "ben"], {"overlap_judges": 1}, "at least 2"),
    ],
)
def test_what_cannot_be_divided_is_refused(pool, judges, choices, message):
    with pytest.raises(UsageError, match=message):
        pool.for_judges(judges, **choices)


def test_an_overlap_that_says_little_is_a_warning(pool):
    assert [finding.kind for finding in pool.for_judges(JUDGES, overlap=5).warnings] == ["small-overlap"]
    assert not pool.for_judges(JUDGES, overlap=30).warnings


def test_a_single_judge_has_everything(pool):
    sheets = pool.for_judges("anna")
    assert sorted(pairs(sheets.pools["anna"])) == sorted(pairs(pool))
    assert not sheets.shared


def test_it_says_how_much_each_has_and_how_long_it_takes(pool):
    sheets = replace(pool, seconds_per_label=30).for_judges(JUDGES)
    assert sheets.verdict() == (
        "300 documents to judge for 30 queries, divided among 3 judges. 60 documents (20%) go to all 3 judges, the "
        "other 240 to one each. Each has 140 labels to give. At 30 seconds each, that is about 1.2 hours per judge."
    )
    assert sheets.rows().to_dict()["time"] == [4200.0] * 3
    assert json.loads(json.dumps(sheets.to_dict()))["shared"] == 60
    assert repr(sheets) == "JudgeSheets(3 judges, 420 labels, 60 shared)"


def test_nothing_to_judge_is_no_error(tmp_path):
    done = cf.pool({"a": {"q1": ["d1"]}}, judgments={"q1": {"d1": 1}}).for_judges(JUDGES)
    assert done.verdict().startswith("Nothing is left to judge.")
    assert done.write(tmp_path / "pool.csv")


def test_names_lead_nowhere_else_and_to_a_file_each(pool, tmp_path):
    (file, _) = pool.for_judges(["../Zoë", "ben"]).write(tmp_path / "pool.csv.gz")
    assert file == str(tmp_path / "pool-_Zoë.csv.gz")
    with pytest.raises(UsageError, match="would both be"):
        pool.for_judges(["a/b", "a?b"]).write(tmp_path / "pool.csv")


def fill(sheets, path, grade):
    """What judges send back: a grade of every document but some."""
    for judge, own in sheets.pools.items():
        grades = [grade(entry) if at % 5 else None for at, entry in enumerate(own)]
        sheet = sheets.sheet(judge)
        write_sheet(
            path.with_name(f"{judge} (2){path.suffix}"), replace(sheet, columns={**sheet.columns, "grade": grades})
        )
    return [path.with_name(f"{judge} (2){path.suffix}") for judge in sheets.pools]


@pytest.mark.parametrize("ending", ["csv", "tsv", "xlsx", "jsonl"])
def test_sheets_come_back_half_filled_in(tmp_path, ending):
    runs = [demo.path("bm25.run"), demo.path("dense.run")]
    pool = cf.pool(
        runs, depth=3, labels_per_query=3, queries=demo.path("queries.tsv"), documents=demo.path("documents.jsonl")
    )
    sheets = pool.for_judges(JUDGES, overlap=40)
    files = fill(sheets, tmp_path / f"pool.{ending}", lambda entry: len(entry.document + entry.query) % 2)
    labels = cf.read_labels(files)
    assert sorted(labels.judges) == JUDGES  # by the column, whatever a file is called
    assert labels.counts.sum() == sum(len(own) - (len(own) + 4) // 5 for own in sheets.pools.values())
    assert cf.agree(files).verdict().startswith("anna, ben and cleo gave the same grade")
    merged = cf.merge(files)
    assert float(cf.evaluate(merged.judgments, runs[0], "P@3")) >= 0
    anna = cf.read_judgments(files[0])
    assert len(anna.documents) == len(sheets.pools["anna"]) - (len(sheets.pools["anna"]) + 4) // 5
    assert cf.evaluate(anna, runs[0], "P@3")
    left = cf.pool(runs, depth=3, judgments=files[0])
    assert len(left) == left.candidates.size - len(anna.documents)


def test_labels_that_somebody_gave_are_not_overwritten(pool, tmp_path):
    sheets = pool.for_judges("anna,ben")
    files = [Path(file) for file in sheets.write(tmp_path / "pool.csv")]
    sheets.write(tmp_path / "pool.csv")  # nothing is lost
    files[1].write_text(files[1].read_text().replace(",,ben", ",2,ben", 1))
    before = [file.read_bytes() for file in files]
    with pytest.raises(UsageError, match="has 1 grade already, which would be lost"):
        pool.for_judges("anna,ben", seed=1).write(tmp_path / "pool.csv")
    assert [file.read_bytes() for file in files] == before
