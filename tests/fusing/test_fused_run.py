"""A fused run goes wherever a run goes."""

import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError

BM25 = {"q1": {"a": 3.0, "b": 1.0}, "q2": {"c": 2.0, "a": 1.0}}
DENSE = {"q1": {"b": 0.9, "c": 0.8}, "q2": {"a": 0.7, "c": 0.2}}
JUDGED = {"q1": {"b": 1}, "q2": {"a": 1}}


@pytest.fixture
def run():
    return cf.fuse({"bm25": BM25, "dense": DENSE})


def test_it_is_evaluated_compared_pooled_and_reported_without_a_file(run):
    scores = cf.evaluate(JUDGED, [cf.read_run(BM25, name="bm25"), run], "RR")
    assert scores.mean("RR", run=run.name).value == 0.75
    assert run.name in str(cf.compare(scores))
    assert sorted(cf.pool([run, cf.read_run(BM25)], depth=1).of("q1")) == ["a", "b"]
    assert cf.overlap(run, BM25, k=1).mean() == 0.5
    assert run.name in cf.report(scores).html


def test_it_can_be_fused_again(run):
    again = cf.fuse([run, cf.read_run(BM25, name="bm25")], "combsum")
    assert again["q1"]["b"] == pytest.approx(1.0)


def test_it_says_how_it_was_made(run):
    assert run.name == "rrf(bm25,dense)"
    assert run.runs == ("bm25", "dense")
    assert run.fusion.choices() == {"method": "rrf", "missing": "absent"}
    many = cf.fuse({f"a-system-with-a-long-name-{at}": BM25 for at in range(5)})
    assert many.name == "rrf of 5 runs"


def test_equal_scores_are_ordered_by_id_last_first():
    fused = cf.fuse([{"q1": {"a": 1.0}}, {"q1": {"b": 1.0}}])
    assert [*fused["q1"]] == ["b", "a"]


def test_only_the_top_is_kept_where_asked():
    assert [*cf.fuse([BM25, DENSE], top=1)["q1"]] == ["b"]


@pytest.mark.parametrize(
    "name", ["fused.run", "fused.csv", "fused.tsv", "fused.jsonl", "fused.parquet", "fused.run.gz"]
)
def test_what_is_written_is_read_as_it_was(run, tmp_path, name):
    summary = run.save(tmp_path / name)
    assert (summary.queries, summary.documents) == (2, 5)
    back = cf.read_run(tmp_path / name)
    for query in ("q1", "q2"):
        assert back[query] == run[query]


def test_a_query_that_comes_back_is_written_once_and_whole(tmp_path):
    scattered = tmp_path / "a.run"
    scattered.write_text("q1 Q0 a 1 3 x\nq2 Q0 b 1 3 x\nq1 Q0 c 2 2 x\n")
    cf.fuse([scattered, BM25]).save(tmp_path / "fused.run")
    lines = (tmp_path / "fused.run").read_text().splitlines()
    assert sorted(line.split()[2] for line in lines if line.startswith("q1 ")) == ["a", "b", "c"]
    assert cf.read_run(tmp_path / "fused.run")["q1"].keys() == {"a", "b", "c"}
    assert cf.fuse([scattered, BM25]).trec()[0] == (tmp_path / "fused.run").read_text()


def test_a_mistake_in_the_last_line_leaves_the_file_that_was_there(tmp_path):
    (tmp_path / "bad.run").write_text("q1 Q0 a 1 3 x\nq2 Q0 b 1 3 x\nq2 Q0 b 2 2 x\n")
    (tmp_path / "fused.run").write_text("as it was")
    with pytest.raises(DataError, match="lists document 'b' again"):
        cf.fuse([tmp_path / "bad.run", BM25]).save(tmp_path / "fused.run")
    assert (tmp_path / "fused.run").read_text() == "as it was"


def test_what_is_surprising_is_a_warning_of_the_evaluation():
    lone = {"q1": {"b": 5.0}, "q2": {"a": 0.3, "c": 0.3}}
    scores = cf.evaluate(JUDGED, cf.fuse({"bm25": BM25, "lone": lone}, "combsum"), "RR")
    assert "one document or equal scores in 2 of 2 queries (q1, q2); minmax gives them 0.5 (flat=)" in str(
        scores.warnings
    )


def test_one_run_is_refused():
    with pytest.raises(UsageError, match="Fusion needs two or more runs, and 1 run was given"):
        cf.fuse([BM25])


def test_the_normalisation_max_refuses_lists_without_a_score_above_zero():
    with pytest.raises(DataError, match="query 'q1': the highest score is -1, and the normalisation max divides by it"):
        cf.fuse([{"q1": {"a": -1.0}}, {"q1": {"a": 1.0}}], "combsum", norm="max")["q1"]


def test_a_score_below_the_lowest_possible_one_is_refused():
    with pytest.raises(DataError, match="a score of -2 is below -1, the lowest that the system can give"):
        cf.fuse([{"q1": {"a": -2.0, "b": 1.0}}, {"q1": {"a": 1.0}}], "combsum", norm="theoretical", lowest=[-1, 0])[
            "q1"
        ]


def test_scores_too_large_to_be_added_are_refused():
    large = {"q1": {"a": 1e308, "b": -1e308}}
    with pytest.raises(DataError, match="query 'q1': the scores are too large for combsum"):
        cf.fuse([large, large], "combsum", norm="none")["q1"]
    with pytest.raises(DataError, match="too large"):
        cf.fuse([large, large], "combsum")["q1"]


def test_the_same_file_twice_is_reported(tmp_path):
    path = tmp_path / "a.run"
    path.write_text("q1 Q0 a 1 3 x\n")
    findings = cf.evaluate(JUDGED, cf.fuse([path, path]), "RR").warnings
    assert any("twice" in str(finding) or "more than once" in str(finding) for finding in findings)
