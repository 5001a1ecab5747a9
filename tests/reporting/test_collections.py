"""Reports of real collections and of very large ones."""

import numpy as np
import pytest

import cranfield as cf
from cranfield.evaluating.scores import JudgmentFacts, Provenance, RunFacts, Scores, constant
from cranfield.evaluating.settings import Settings
from cranfield.show.web_text import shown, signed

RUNS = ("ICT-BERT2", "ICT-CKNRM_B", "ICT-CKNRM_B50", "tilde-bm25")


@pytest.fixture(scope="session")
def dl19(shared_data):
    folder = shared_data / "02-dl19-passage"
    runs = {name: folder / "runs" / f"{name}.run.gz" for name in RUNS}
    return cf.evaluate(folder / "qrels.dl19-passage.txt", runs, ["nDCG@10", "AP(rel=2)", "RR(rel=2)"])


@pytest.fixture(scope="session")
def dl19_page(dl19, tmp_path_factory):
    path = tmp_path_factory.mktemp("dl19") / "report.html"
    cf.report(dl19, path, baseline="tilde-bm25", resamples=2000)
    return path


class TestDeepLearning2019:
    def test_opens_with_the_verdict_of_the_library(self, explore, dl19_page, dl19):
        verdict = cf.compare(dl19, baseline="tilde-bm25", resamples=2000).verdict()
        assert explore(dl19_page).verdict() == verdict

    @pytest.mark.parametrize("measure", ["nDCG@10", "AP(rel=2)", "RR(rel=2)"])
    def test_lists_every_query_with_its_scores(self, explore, dl19_page, dl19, measure):
        seen = explore(dl19_page)
        seen.choose(measure=measure, run="ICT-BERT2")
        apart = dl19[measure][0] - dl19[measure][3]
        for query, difference, *values in seen.rows():
            at = dl19.queries.index(query)
            assert difference == signed(float(apart[at]))
            assert values == [shown(value) for value in dl19[measure][:, at].tolist()]

    def test_looks_into_every_query(self, explore, dl19_page, dl19):
        seen = explore(dl19_page)
        assert seen.stepped(43, ".list li", "#query-working .working p b") == [[40, 2]] * len(dl19.queries)
        assert seen.text("#query-place") == "43 of 43"

    def test_shows_unjudged_documents(self, explore, dl19_page, dl19):
        seen = explore(dl19_page, address="#run=ICT-CKNRM_B50&query=19335")
        unjudged = seen.page.locator(".list").nth(1).locator(".grade.unjudged").count()
        judged = dl19.detail.judgments["19335"]
        retrieved = cf.read_run(dl19.detail.sources[2])["19335"]
        first = sorted(sorted(retrieved, reverse=True), key=lambda document: -retrieved[document])[:20]
        assert unjudged == sum(document not in judged for document in first)


@pytest.fixture(scope="session")
def large(tmp_path_factory):
    rng = np.random.default_rng(0)
    hard = rng.normal(0.4, 0.2, 7000)
    values = np.clip(hard + rng.normal(0, 0.15, (1, 64, 7000)) + np.linspace(0, 0.1, 64)[None, :, None], 0, 1)
    results = Scores(
        queries=tuple(f"q{at}" for at in range(7000)),
        runs=tuple(f"system{at:02}" for at in range(64)),
        measures=(cf.parse("nDCG@10"),),
        values=values,
        counted=np.ones((1, 64, 7000), dtype=bool),
        undefined=("zero",),
        provenance=Provenance(
            JudgmentFacts(None, 7000, 7000, 1.0, constant("0")), (Settings(),), tuple(RunFacts() for _ in range(64))
        ),
    )
    path = tmp_path_factory.mktemp("large") / "report.html"
    cf.report(results, path, test="t")
    return path


class TestSixtyFourSystemsAndSevenThousandQueries:
    def test_keep_the_page_small(self, large):
        assert large.stat().st_size < 1_500_000
        assert "stored with four decimals" in large.read_text(encoding="utf-8")

    def test_make_only_what_is_seen(self, explore, large):
        seen = explore(large)
        assert seen.count() == "7,000 queries"
        assert len(seen.shown_queries()) < 50
        assert seen.page.evaluate("document.querySelectorAll('*').length") < 12_000

    def test_can_be_scrolled_to_the_end(self, explore, large):
        seen = explore(large)
        seen.page.eval_on_selector(".scroller", "list => (list.scrollTop = list.scrollHeight)")
        seen.page.wait_for_selector("#grid tr[aria-rowindex='7001']")
        assert len(seen.shown_queries()) < 50

    def test_can_be_searched_sorted_and_stepped_through(self, explore, large):
        seen = explore(large)
        seen.page.fill("#search", "q699")
        assert seen.count() == "11 of 7,000 queries"
        seen.page.keyboard.press("Escape")
        seen.page.keyboard.press("j")
        assert seen.text("#query-place") == "1 of 11"
        seen.page.click("#grid thead th:nth-child(10) button")
        assert seen.page.get_attribute("#grid thead th:nth-child(10)", "aria-sort") == "ascending"

    def test_say_which_baselines_there_are(self, explore, large):
        seen = explore(large)
        assert seen.page.locator("#pick-baseline option").count() == 1
        assert "the baseline is fixed" in seen.text("#systems")
