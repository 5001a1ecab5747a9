"""The demo collection keeps what its README and the first five minutes promise."""

import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from cranfield import demo
from tools.demo_collection.generate import generate
from tools.demo_collection.visits import EXAMINATION

SYSTEMS = ["title", "bm25", "dense", "hybrid"]
JUDGES = ["ada", "ben", "cleo"]
GRADES = 4
LARGEST = 1_000_000
AGREEMENT = (0.5, 0.75)
"""The band of linearly weighted kappa between two judges: moderate to good."""


def lines(name: str) -> list[str]:
    return demo.path(name).read_text(encoding="utf-8").splitlines()


def table(name: str, separator: str = ",") -> list[dict[str, str]]:
    header, *rows = (line.split(separator) for line in lines(name))
    return [dict(zip(header, row, strict=True)) for row in rows]


def run(name: str) -> dict[str, dict[str, float]]:
    rankings: dict[str, dict[str, float]] = {}
    for line in lines(f"{name}.run"):
        query, _, document, _, score, _ = line.split()
        rankings.setdefault(query, {})[document] = float(score)
    return rankings


def qrels() -> dict[str, dict[str, int]]:
    judged: dict[str, dict[str, int]] = {}
    for line in lines("qrels.txt"):
        query, _, document, grade = line.split()
        judged.setdefault(query, {})[document] = int(grade)
    return judged


def documents() -> dict[str, dict[str, str]]:
    return {row["doc_id"]: row for row in map(json.loads, lines("documents.jsonl"))}


def queries() -> list[str]:
    return [row["query_id"] for row in table("queries.tsv", "\t")]


def ndcg(name: str) -> dict[str, float]:
    judged = qrels()
    found = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut_10"}).evaluate(run(name))
    return {query: found[query]["ndcg_cut_10"] if query in found else 0.0 for query in judged}


def mean_ndcg(name: str) -> float:
    return float(np.mean(list(ndcg(name).values())))


def judged_share(name: str) -> float:
    """Judged@10: of the documents shown in the first ten ranks, how many were judged."""
    judged = qrels()
    shown = [(query, document) for query, ranking in run(name).items() for document in list(ranking)[:10]]
    return sum(document in judged[query] for query, document in shown) / len(shown)


def kappa(first: str, second: str) -> float:
    """Cohen's kappa with linear weights, over the pairs that both judged."""
    given: dict[tuple[str, str], dict[str, int]] = {}
    for row in table("labels.csv"):
        given.setdefault((row["query"], row["document"]), {})[row["judge"]] = int(row["grade"])
    seen = np.zeros((GRADES, GRADES))
    for grades in given.values():
        if first in grades and second in grades:
            seen[grades[first], grades[second]] += 1
    by_chance = np.outer(seen.sum(axis=1), seen.sum(axis=0)) / seen.sum()
    distance = np.abs(np.subtract.outer(np.arange(GRADES), np.arange(GRADES)))
    return float(1 - (distance * seen).sum() / (distance * by_chance).sum())


def test_making_it_again_gives_the_same_bytes(tmp_path: Path) -> None:
    made = {path.name: path.read_bytes() for path in generate(tmp_path / "new")}
    assert made == {name: demo.path(name).read_bytes() for name in demo.names()}


def test_it_is_smaller_than_a_megabyte() -> None:
    assert sum(demo.path(name).stat().st_size for name in demo.names()) < LARGEST


def test_there_are_at_least_sixty_queries_each_with_a_text_and_an_intent() -> None:
    rows = table("queries.tsv", "\t")
    assert len({row["query_id"] for row in rows}) == len({row["text"] for row in rows}) == len(rows) >= 60
    assert {row["intent"] for row in rows} == {"howto", "informational", "navigational", "problem"}


def test_there_are_600_to_900_documents_and_no_two_are_alike() -> None:
    rows = documents().values()
    assert 600 <= len(rows) <= 900
    assert len({(row["title"], row["text"]) for row in rows}) == len(rows) == len(lines("documents.jsonl"))


def test_documents_are_one_to_four_whole_sentences() -> None:
    for row in documents().values():
        text = row["text"]
        assert "{" not in row["title"] + text
        assert text[0].isupper()
        assert text.endswith((".", "?", "!"))
        assert 1 <= sum(text.count(mark) for mark in ".?!") <= 4


def test_three_judges_give_grades_from_0_to_3() -> None:
    rows = table("labels.csv")
    assert sorted({row["judge"] for row in rows}) == JUDGES
    assert sorted({row["grade"] for row in rows}) == ["0", "1", "2", "3"]


def test_no_judge_labels_a_document_twice() -> None:
    seen = Counter((row["query"], row["document"], row["judge"]) for row in table("labels.csv"))
    assert max(seen.values()) == 1


def test_most_pairs_have_all_three_judges_and_the_others_two() -> None:
    judges = Counter(Counter((row["query"], row["document"]) for row in table("labels.csv")).values())
    assert set(judges) == {2, 3}
    assert judges[3] > 0.8 * judges.total()


@pytest.mark.parametrize(("first", "second"), list(combinations(JUDGES, 2)))
def test_judges_agree_moderately_to_well(first: str, second: str) -> None:
    assert AGREEMENT[0] < kappa(first, second) < AGREEMENT[1]


def test_ben_is_kinder_than_ada_and_ada_than_cleo() -> None:
    grades = {judge: np.mean([int(r["grade"]) for r in table("labels.csv") if r["judge"] == judge]) for judge in JUDGES}
    assert grades["ben"] > grades["ada"] > grades["cleo"]


def test_the_merged_grade_is_the_median_of_the_judges_and_the_lower_of_two() -> None:
    given: dict[tuple[str, str], list[int]] = {}
    for row in table("labels.csv"):
        given.setdefault((row["query"], row["document"]), []).append(int(row["grade"]))
    merged = {(query, document): g for query, judged in qrels().items() for document, g in judged.items()}
    assert merged == {pair: sorted(grades)[(len(grades) - 1) // 2] for pair, grades in given.items()}


def test_every_query_is_judged_and_has_a_document_of_grade_2_or_more() -> None:
    judged = qrels()
    assert list(judged) == queries()
    assert all(max(grades.values()) >= 2 for grades in judged.values())


def test_every_id_in_every_file_is_a_query_or_a_document_of_the_collection() -> None:
    known_queries, known_documents = set(queries()), set(documents())
    pairs = {(row["query"], row["document"]) for name in ("labels.csv", "clicks.csv") for row in table(name)}
    pairs |= {(query, document) for query, judged in qrels().items() for document in judged}
    pairs |= {(q, document) for name in SYSTEMS for q, ranking in run(name).items() for document in ranking}
    assert {query for query, _ in pairs} == known_queries
    assert {document for _, document in pairs} <= known_documents


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_run_lists_at_most_thirty_documents_a_query_none_twice(name: str) -> None:
    counts = Counter(line.split()[0] for line in lines(f"{name}.run"))
    assert max(counts.values()) == 30
    assert {query: len(ranking) for query, ranking in run(name).items()} == counts


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_run_is_in_trec_format_with_ranks_from_one_and_falling_scores(name: str) -> None:
    previous = ("", 0, 0.0)
    for line in lines(f"{name}.run"):
        query, q0, _, rank, score, tag = line.split()
        assert (q0, tag) == ("Q0", name)
        assert int(rank) == (previous[1] + 1 if query == previous[0] else 1)
        assert query != previous[0] or float(score) <= previous[2]
        previous = (query, int(rank), float(score))


def test_the_title_run_is_silent_for_two_queries_and_the_others_for_none() -> None:
    silent = {name: len(set(queries()) - set(run(name))) for name in SYSTEMS}
    assert silent == {"title": 2, "bm25": 0, "dense": 0, "hybrid": 0}


def test_the_title_run_has_tied_scores_for_most_queries() -> None:
    tied = [len(set(ranking.values())) < len(ranking) for ranking in run("title").values()]
    assert sum(tied) > len(tied) / 2


def test_a_tenth_of_what_the_dense_run_shows_first_is_unjudged_and_less_of_the_others() -> None:
    shares = {name: judged_share(name) for name in SYSTEMS}
    assert shares["dense"] == pytest.approx(0.9, abs=0.03)
    assert shares["dense"] == min(shares.values())
    assert max(shares.values()) < 1


def test_title_is_worst_and_hybrid_best_with_bm25_and_dense_close_together() -> None:
    title, bm25, dense, hybrid = (mean_ndcg(name) for name in SYSTEMS)
    assert title == pytest.approx(0.35, abs=0.05)
    assert title < bm25 - 0.1
    assert abs(dense - bm25) < 0.05
    assert max(bm25, dense) < hybrid
    assert hybrid == pytest.approx(0.65, abs=0.05)


def test_hybrid_beats_title_far_beyond_chance_and_dense_does_not_clearly_beat_bm25() -> None:
    def t(first: str, second: str) -> float:
        per_query = zip(ndcg(first).values(), ndcg(second).values(), strict=True)
        differences = np.array([a - b for a, b in per_query])
        return float(differences.mean() / (differences.std(ddof=1) / np.sqrt(len(differences))))

    assert t("hybrid", "title") > 5
    assert abs(t("dense", "bm25")) < 1.5


def test_clicks_are_about_fifteen_thousand_results_of_numbered_positions() -> None:
    rows = table("clicks.csv")
    assert 14_000 <= len(rows) <= 15_000
    assert {row["clicked"] for row in rows} == {"0", "1"}
    assert {int(row["position"]) for row in rows} == set(range(1, len(EXAMINATION) + 1))


def test_a_session_shows_the_first_bm25_results_of_one_query_each_at_most_one_place_further_up() -> None:
    results = run("bm25")
    sessions: dict[str, list[dict[str, str]]] = {}
    for row in table("clicks.csv"):
        sessions.setdefault(row["session"], []).append(row)
    for rows in sessions.values():
        (query,) = {row["query"] for row in rows}
        ranks = [list(results[query]).index(row["document"]) + 1 for row in rows]
        assert sorted(ranks) == list(range(1, len(rows) + 1))
        assert max(rank - int(r["position"]) for r, rank in zip(rows, ranks, strict=True)) <= 1


def test_results_at_the_top_and_relevant_ones_are_clicked_more() -> None:
    rows, judged = table("clicks.csv"), qrels()

    def rate(chosen: list[dict[str, str]]) -> float:
        return sum(row["clicked"] == "1" for row in chosen) / len(chosen)

    def relevant(row: dict[str, str]) -> bool:
        return judged[row["query"]].get(row["document"], 0) >= 2

    assert rate([r for r in rows if int(r["position"]) <= 2]) > rate([r for r in rows if int(r["position"]) > 5])
    assert rate([r for r in rows if relevant(r)]) > 3 * rate([r for r in rows if not relevant(r)])


def test_the_readme_names_every_file_with_its_number_of_rows() -> None:
    readme = demo.path("README.md").read_text(encoding="utf-8")
    for name in set(demo.names()) - {"README.md"}:
        rows = len(lines(name)) - name.endswith((".csv", ".tsv"))
        assert f"| `{name}` | {rows:,} |" in readme
