from cranfield.errors import Findings
from cranfield.formats import read_run
from cranfield.formats.source import BLOCK
from tests.formats.reading import kinds, rankings, retrieved, wrong_in_run


def run_of(pairs):
    return "".join(f"{query} Q0 {document} 1 {score} t\n" for query, document, score in pairs)


def test_rankings_come_as_their_queries_end(write):
    run = read_run(write(run_of([("b", "d1", 2), ("b", "d2", 1), ("a", "d1", 1)])))
    assert [(ranking.query, list(ranking.documents), list(ranking.lines)) for ranking in run.rankings(Findings())] == [
        ("b", ["d1", "d2"], [1, 2]),
        ("a", ["d1"], [3]),
    ]


def test_a_query_that_comes_back_comes_again_complete(write):
    run = read_run(write(run_of([("a", "d1", 3), ("b", "d1", 2), ("a", "d2", 1), ("a", "d3", 0)])))
    assert [(ranking.query, list(ranking.documents), list(ranking.lines)) for ranking in run.rankings(Findings())] == [
        ("a", ["d1"], [1]),
        ("b", ["d1"], [2]),
        ("a", ["d1", "d2", "d3"], [1, 3, 4]),
    ]


def test_what_is_wrong_is_told_once_though_the_file_is_read_twice(write):
    text = run_of([("a", "d1", 3), ("b", "d1", "x"), ("a", "d1", 1), ("a", "d1", 0), ("b", "d2", 1), ("a", "d9", 1)])
    findings = wrong_in_run(write(text))
    assert [(finding.line, finding.kind) for finding in findings] == [
        (2, "score-not-a-number"),
        (3, "duplicate-document"),
        (4, "duplicate-document"),
    ]


def test_a_query_longer_than_a_block_is_one_ranking(write):
    count = 3 * BLOCK // 20
    run = write("".join(f"q Q0 d{at} {at + 1} {-at} t\n" for at in range(count)))
    (ranking,) = rankings(read_run(run)).values()
    assert len(ranking.documents) == len(set(ranking.documents)) == count
    assert list(ranking.lines) == list(range(1, count + 1))
    assert ranking.ranks is None
    assert ranking.scores[-1] == 1 - count


def test_a_document_twice_in_a_query_is_an_error_with_both_lines(write):
    (finding,) = wrong_in_run(write(run_of([("q", "a", 2), ("q", "b", 1), ("q", "a", 0)]), "x.run"))
    assert finding.kind == "duplicate-document"
    assert "x.run, line 3: query 'q' lists document 'a' again; it is already on line 1" in str(finding)


def test_a_document_may_come_once_in_every_query(write):
    assert list(retrieved(write(run_of([("q", "a", 2), ("p", "a", 1)])))) == ["q", "p"]


def test_only_wrong_rows_is_told_as_such_and_not_as_emptiness(write):
    assert kinds(wrong_in_run(write(run_of([("q", "a", "x")])))) == ["score-not-a-number"]
