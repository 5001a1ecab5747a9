"""The page in a browser: everything that can be chosen, by mouse and by keyboard, and its numbers."""

import csv
import io
import math

import pytest

import cranfield as cf
from cranfield.show.table import number
from cranfield.show.web_text import shown, signed


def moved(garden, run="hybrid", baseline="bm25", measure="nDCG@10"):
    """Every query's difference, by the library."""
    scores = garden[measure]
    apart = scores[garden.run_position(run)] - scores[garden.run_position(baseline)]
    return dict(zip(garden.queries, apart.tolist(), strict=True))


class TestChoosing:
    def test_another_measure_changes_verdict_and_table(self, explore, garden):
        seen = explore()
        seen.choose(measure="RR")
        by_rank = cf.evaluate(garden.detail.judgments, garden.detail.sources, "RR")
        assert seen.verdict() == cf.compare(by_rank).verdict()
        cells = seen.page.eval_on_selector_all("#view-systems tbody tr", "rows => rows.map(r => r.innerText)")
        assert cells[0].split()[0] == "hybrid"
        assert number(garden.mean("RR", "hybrid").value) in cells[0]

    @pytest.mark.parametrize("baseline", ["dense", "hybrid", "title"])
    def test_another_baseline_has_the_differences_of_the_library(self, explore, garden, baseline):
        seen = explore()
        seen.choose(baseline=baseline)
        compared = cf.compare(garden, baseline=baseline)
        assert seen.verdict().startswith(compared.verdict())
        rows = dict(
            seen.page.eval_on_selector_all(
                "#view-systems tbody tr", "rows => rows.map(r => [r.querySelector('th').innerText, r.innerText])"
            )
        )
        for one in compared.of("nDCG@10"):
            assert signed(one.difference) in rows[one.run]
            assert f"{one.wins} · {one.ties} · {one.losses}" in rows[one.run]

    def test_a_baseline_that_was_compared_changes_places(self, explore):
        seen = explore()
        seen.choose(baseline="hybrid")
        assert seen.page.input_value("#pick-run") == "0"  # bm25, the baseline before

    def test_the_pair_is_told_in_words(self, explore, garden):
        seen = explore()
        seen.choose(run="title")
        assert seen.text("#pair").startswith("title is worse than bm25 on nDCG@10. -0.2193 (")


class TestTheTableOfSystems:
    def test_is_sorted_by_a_click_on_a_heading(self, explore, garden):
        seen = explore()
        button = seen.page.get_by_role("button", name="mean 95% interval")
        names = "rows => rows.map(r => r.querySelector('th').innerText)"
        button.click()
        means = {run: garden.mean("nDCG@10", run).value for run in garden.runs}
        rising = sorted(means, key=means.get)
        assert seen.page.eval_on_selector_all("#view-systems tbody tr", names) == rising
        button.press("Enter")
        assert seen.page.eval_on_selector_all("#view-systems tbody tr", names) == rising[::-1]
        assert seen.page.get_attribute("#view-systems th[data-by=mean]", "aria-sort") == "descending"

    @pytest.mark.parametrize("form", ["CSV", "Markdown", "LaTeX"])
    def test_is_copied(self, explore, garden_report, form):
        seen = explore(permissions=["clipboard-read", "clipboard-write"])
        seen.page.get_by_role("button", name=f"Copy as {form}").click()
        seen.page.wait_for_selector('#status:has-text("copied")', state="attached")
        copied = seen.page.evaluate("navigator.clipboard.readText()")
        assert copied == garden_report.contents.first.copies[form]


class TestTheListOfQueries:
    def test_begins_with_what_lost_most(self, explore, garden):
        seen = explore()
        apart = moved(garden)
        worst = sorted(apart, key=apart.get)[:5]
        rows = seen.rows()[:5]
        assert [row[0].split()[0] for row in rows] == worst
        assert [row[1] for row in rows] == [signed(apart[query]) for query in worst]

    @pytest.mark.parametrize("measure", ["nDCG@10", "AP", "RR", "R@100"])
    def test_has_the_scores_of_the_library(self, explore, garden, measure):
        seen = explore(height=2000)
        seen.choose(measure=measure)
        for row in seen.rows():
            query = garden.queries.index(row[0].split()[0])
            assert row[2:] == [shown(value) for value in garden[measure][:, query].tolist()]

    def test_makes_only_the_rows_that_are_seen_and_the_others_on_scrolling(self, explore, garden):
        seen = explore()
        assert len(seen.shown_queries()) < 40
        met = set()
        for place in range(0, 2400, 300):
            seen.page.eval_on_selector(".scroller", f"(list) => (list.scrollTop = {place})")
            seen.page.wait_for_timeout(50)
            met |= set(seen.shown_queries())
        assert met == set(garden.queries)

    def test_is_sorted_by_a_system_and_back(self, explore, garden):
        seen = explore()
        scores = dict(zip(garden.queries, garden["nDCG@10"][0].tolist(), strict=True))
        seen.page.click("#grid thead th:nth-child(3) button")
        first = seen.shown_queries()[:3]
        assert [scores[query] for query in first] == sorted(scores.values())[:3]
        seen.page.click("#grid thead th:nth-child(3) button")
        assert [scores[query] for query in seen.shown_queries()[:3]] == sorted(scores.values(), reverse=True)[:3]
        assert "down=1" in seen.page.url

    def test_search_finds_ids_and_texts(self, explore):
        seen = explore()
        seen.page.keyboard.press("/")
        seen.page.keyboard.type("tomato leaves")
        assert seen.count() == "1 of 70 queries"
        assert seen.shown_queries() == ["q03"]
        seen.page.keyboard.press("Escape")
        seen.page.keyboard.press("a")
        assert seen.count() == "70 queries"

    def test_only_those_that_got_worse(self, explore, garden):
        seen = explore()
        seen.page.keyboard.press("w")
        worse = sum(value < 0 for value in moved(garden).values())
        assert seen.count() == f"{worse} of 70 queries"
        assert seen.page.get_attribute("#filters .choices button:nth-child(2)", "aria-pressed") == "true"


class TestTheLowestScores:
    def test_open_their_query(self, explore):
        seen = explore()
        seen.page.locator("#view-failing").get_by_role("button", name="q36").click()
        assert seen.text("#query-title") == "Query q36"

    def test_follow_the_measure(self, explore, garden):
        seen = explore()
        seen.choose(measure="RR")
        worst = garden.worst(measure="RR").worst[0].query
        assert seen.page.locator("#view-failing tbody button").first.inner_text() == worst


class TestBrushing:
    def test_a_part_of_the_scatter_filters_everything_else(self, explore, garden):
        seen = explore(height=1400)
        drawing = seen.page.locator(".scatter")
        drawing.scroll_into_view_if_needed()
        box = drawing.bounding_box()
        # The upper left quarter: low under the baseline, high under the run.
        plot = {"left": 46, "right": 12, "top": 12, "bottom": 42}
        wide, high = box["width"] - plot["left"] - plot["right"], box["height"] - plot["top"] - plot["bottom"]
        seen.page.mouse.move(box["x"] + plot["left"], box["y"] + plot["top"])
        seen.page.mouse.down()
        seen.page.mouse.move(box["x"] + plot["left"] + wide / 4, box["y"] + plot["top"] + high / 4, steps=4)
        seen.page.mouse.move(box["x"] + plot["left"] + wide / 2, box["y"] + plot["top"] + high / 2, steps=4)
        seen.page.mouse.up()
        scores = garden["nDCG@10"]
        within = [
            query
            for query, base, run in zip(garden.queries, scores[0].tolist(), scores[2].tolist(), strict=True)
            if base <= 0.5 and run >= 0.5
        ]
        assert 0 < len(within) < 70
        assert seen.count() == f"{len(within)} of 70 queries"
        assert set(seen.shown_queries()) == set(within)
        bars = seen.page.get_attribute(".bar.up.kept", "d").count("M")
        assert bars == len([query for query in within if moved(garden)[query] >= 0])
        seen.page.get_by_role("button", name="Show all").click()
        assert seen.count() == "70 queries"

    def test_a_part_of_the_differences_filters_the_scatter(self, explore, garden):
        seen = explore(height=1400)
        drawing = seen.page.locator(".differences")
        drawing.scroll_into_view_if_needed()
        box = drawing.bounding_box()
        left, right = box["x"] + 46, box["x"] + box["width"] - 8
        each = (right - left) / 70
        seen.page.mouse.move(left + each * 0.5, box["y"] + 40)
        seen.page.mouse.down()
        seen.page.mouse.move(left + each * 3, box["y"] + 60, steps=3)
        seen.page.mouse.move(left + each * 9.5, box["y"] + 60, steps=3)
        seen.page.mouse.up()
        best = sorted(moved(garden).values(), reverse=True)[:10]
        assert seen.count() == "10 of 70 queries"
        assert "d=" in seen.page.url
        assert seen.page.get_attribute(".scatter .kept", "data-queries") == "10"
        shown_rows = sorted((row[1] for row in seen.rows()), reverse=True)
        assert set(shown_rows) == {signed(value) for value in best}

    def test_a_click_on_a_point_looks_into_its_query(self, explore, garden):
        seen = explore(height=1400)
        drawing = seen.page.locator(".differences")
        drawing.scroll_into_view_if_needed()
        box = drawing.bounding_box()
        apart = moved(garden)
        best = max(apart, key=apart.get)
        seen.page.mouse.click(box["x"] + 46 + 2, box["y"] + 60)
        assert seen.text("#query-title") == f"Query {best}"

    def test_the_pointer_names_the_query(self, explore, garden):
        seen = explore(height=1400)
        drawing = seen.page.locator(".differences")
        drawing.scroll_into_view_if_needed()
        box = drawing.bounding_box()
        seen.page.mouse.move(box["x"] + 46 + 2, box["y"] + 60)
        apart = moved(garden)
        assert seen.text(".tip").startswith(max(apart, key=apart.get))


class TestSlices:
    def test_a_slice_filters_the_queries(self, explore, garden):
        seen = explore()
        seen.page.get_by_role("button", name="navigational").click()
        assert seen.count() == "6 of 70 queries"
        seen.page.get_by_role("button", name="intent: navigational").click()
        assert seen.count() == "70 queries"

    def test_have_the_numbers_of_the_library(self, explore, garden):
        from cranfield import demo

        compared = cf.compare(garden, baseline="bm25", queries=demo.path("queries.tsv"), by="intent")
        seen = explore()
        seen.choose(measure="AP", run="title")
        text = seen.text("#view-slices")
        for part in compared.slicings[0].slices:
            one = next(d for d in part.differences if str(d.measure) == "AP" and d.run == "title")
            assert part.name in text
            assert signed(one.difference) in text


class TestAQuery:
    def test_keys_lead_from_one_to_the_next(self, explore, garden):
        seen = explore()
        apart = moved(garden)
        order = sorted(apart, key=apart.get)
        seen.page.keyboard.press("j")
        assert seen.text("#query-title") == f"Query {order[0]}"
        seen.page.keyboard.press("j")
        seen.page.keyboard.press("j")
        assert seen.text("#query-title") == f"Query {order[2]}"
        seen.page.keyboard.press("k")
        assert seen.text("#query-title") == f"Query {order[1]}"
        assert seen.text("#query-place") == "2 of 70"
        seen.page.keyboard.press("Escape")
        assert seen.page.is_hidden("#query")

    def test_a_row_is_opened_by_a_click_and_by_enter(self, explore):
        seen = explore()
        seen.page.click("#grid tbody tr:nth-child(3)")
        first = seen.text("#query-title")
        seen.page.focus("#grid tbody tr:nth-child(4) a")
        seen.page.keyboard.press("Enter")
        assert seen.text("#query-title") != first
        seen.page.get_by_role("button", name="previous").click()
        assert seen.text("#query-title") == first

    def test_lists_have_the_documents_in_the_order_of_the_evaluation(self, explore, garden):
        seen = explore(address="#query=q08")
        lists = seen.page.eval_on_selector_all(
            ".list", "lists => lists.map(list => [...list.querySelectorAll('.id')].map(id => id.innerText))"
        )
        for shown_list, run in zip(lists, ("bm25", "hybrid"), strict=True):
            retrieved = cf.read_run(garden.detail.sources[garden.run_position(run)])["q08"]
            best = sorted(sorted(retrieved, reverse=True), key=lambda document: -retrieved[document])
            assert shown_list == best[:20]

    def test_lists_have_the_grades_and_what_nobody_judged(self, explore, garden):
        seen = explore(address="#query=q08")
        judged = garden.detail.judgments["q08"]
        rows = seen.page.eval_on_selector_all(
            ".list li",
            "rows => rows.map(row => [row.querySelector('.id').innerText, row.querySelector('.grade').textContent])",
        )
        for document, grade in rows:
            assert grade == (f"grade {judged[document]:g}" if document in judged else "?unjudged")

    def test_lines_join_what_both_lists_hold(self, explore):
        seen = explore(address="#query=q08")
        left, right = seen.page.eval_on_selector_all(
            ".list", "lists => lists.map(list => [...list.querySelectorAll('li')].map(item => item.dataset.document))"
        )
        joined = seen.page.eval_on_selector_all(".lines path", "paths => paths.map(path => path.dataset.document)")
        assert set(joined) == set(left) & set(right)

    def test_what_a_short_list_does_not_hold_is_new(self, explore):
        seen = explore(address="#query=q16")  # bm25 returned three documents
        changes = seen.page.locator(".list:last-child .change").all_inner_texts()
        assert changes.count("new") == 17
        assert not any("below" in change for change in changes)

    def test_words_of_the_query_are_lit(self, explore):
        seen = explore(address="#query=q08")  # chilli plants not coming up
        lit = {word.lower() for word in seen.page.locator("#query-lists mark").all_inner_texts()}
        assert {"chillies", "plants", "plant"} <= lit
        assert "the" not in lit

    def test_what_moved_is_said(self, explore):
        seen = explore(address="#query=q08")
        assert seen.text("#query-moved").startswith(
            "“When to plant chillies” (grade 2) rose from rank 23 to 1 and “How much water for chillies?” (grade 1) is "
        )

    @pytest.mark.parametrize("measure", ["nDCG@10", "AP", "RR", "R@100"])
    def test_the_sum_ends_in_the_score_of_the_library(self, explore, garden, measure):
        seen = explore(address=f"#measure={measure}&query=q08")
        seen.page.click("#query summary")
        results = seen.page.locator("#query-working .working p b").all_inner_texts()
        at = garden.queries.index("q08")
        assert results == [number(float(garden[measure][row, at])) for row in (0, 2)]

    def test_every_query_is_explained_under_every_measure(self, explore, garden):
        """The page shows a sum only where it is the library's score: here that is everywhere."""
        seen = explore()
        for measure in ("nDCG@10", "AP"):
            seen.choose(measure=measure)
            assert seen.stepped(70, "#query-working .working p b") == [[2]] * 70
            assert seen.text("#query-place") == "70 of 70"
            seen.page.keyboard.press("Escape")

    def test_the_command_explains_the_score(self, explore):
        seen = explore(address="#query=q08")
        seen.page.click("#query summary")
        assert "--query q08 -m nDCG@10" in seen.text("#query-working pre")

    def test_another_system_is_compared_by_its_button(self, explore):
        seen = explore(address="#query=q08")
        seen.page.locator("#query-systems").get_by_role("button", name="dense").click()
        seen.settled()
        assert seen.page.input_value("#pick-run") == "1"
        assert "dense" in seen.text(".list:last-child h3")

    def test_relevant_documents_below_the_lists_are_named_with_their_ranks(self, explore, garden):
        seen = explore(address="#query=q08&run=title")
        missed = seen.page.eval_on_selector_all(
            ".missed tbody tr", "rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim()))"
        )
        judged = garden.detail.judgments["q08"]
        for document, _, *ranks in missed:
            name = document.split()[-1]
            assert judged[name] >= 1
            for rank, run in zip(ranks, ("bm25", "title"), strict=True):
                retrieved = cf.read_run(garden.detail.sources[garden.run_position(run)])["q08"]
                assert (rank == "never") == (name not in retrieved)


class TestTheAddress:
    def test_leads_back_to_what_was_chosen(self, explore):
        seen = explore()
        seen.choose(measure="AP", baseline="dense", run="title")
        seen.page.fill("#search", "tomato")
        seen.page.keyboard.press("Escape")
        seen.page.keyboard.press("j")
        before = [seen.text("#query-title"), seen.count(), seen.shown_queries()]
        again = explore(address="#" + seen.page.url.partition("#")[2])
        assert [again.text("#query-title"), again.count(), again.shown_queries()] == before
        assert again.page.input_value("#pick-measure") == "1"

    def test_of_something_that_is_not_there_is_ignored(self, explore):
        seen = explore(address="#measure=nonsense&query=q999&x=a..b&slice=%7Bbroken&sort=s99&only=odd")
        assert seen.page.input_value("#pick-measure") == "0"
        assert seen.page.is_hidden("#query")
        assert seen.count().endswith("queries")

    def test_the_menu_keeps_what_is_chosen(self, explore):
        seen = explore(address="#query=q08")
        seen.page.get_by_role("link", name="Method").click()
        assert "query=q08" in seen.page.url


class TestDownloads:
    def test_hold_every_score_in_full_precision(self, explore, garden):
        seen = explore()
        with seen.page.expect_download() as waiting:
            seen.page.get_by_role("button", name="All scores").click()
        rows = list(csv.DictReader(io.StringIO(waiting.value.path().read_text(encoding="utf-8"))))
        assert len(rows) == 70 * 4
        for row in rows:
            at = garden.queries.index(row["query"])
            for run in garden.runs:
                value = float(garden[row["measure"]][garden.run_position(run), at])
                assert float(row[run]) == value or (row[run] == "" and math.isnan(value))

    def test_of_what_is_listed_hold_that(self, explore):
        seen = explore(address="#only=equal")
        with seen.page.expect_download() as waiting:
            seen.page.get_by_role("button", name="Scores of the listed queries").click()
        rows = list(csv.DictReader(io.StringIO(waiting.value.path().read_text(encoding="utf-8"))))
        assert [float(row["difference"]) for row in rows] == [0.0] * 3


class TestHelp:
    def test_is_a_key_away(self, explore):
        seen = explore()
        seen.page.keyboard.press("?")
        assert "next query" in seen.text("#help")
        seen.page.keyboard.press("Escape")
        assert seen.page.is_hidden("#help")

    def test_no_key_does_anything_while_somebody_types(self, explore):
        seen = explore()
        seen.page.focus("#search")
        seen.page.keyboard.type("jkw")
        assert seen.page.input_value("#search") == "jkw"
        assert seen.page.is_hidden("#query")


def test_without_code_everything_but_the_explorer_is_there(explore, garden):
    seen = explore(java_script_enabled=False)
    text = seen.text("body")
    assert seen.verdict() == cf.compare(garden, baseline="bm25").verdict()
    assert "The queries with the largest changes of nDCG@10 from bm25 to hybrid" in text
    assert seen.page.is_hidden("#explorer")
    assert seen.page.is_hidden("#controls")


def test_of_one_system_there_is_a_list_of_queries_too(explore, garden, tmp_path):
    from cranfield import demo

    path = tmp_path / "one.html"
    cf.report(cf.evaluate(demo.path("qrels.txt"), demo.path("bm25.run"), ["nDCG@10"]), path)
    seen = explore(path, address="#query=q08")
    assert seen.page.is_hidden("#scatter")
    assert seen.text("#query-score") == "nDCG@10: 0.0961"
    assert seen.page.locator(".list").count() == 1


def test_saved_results_say_why_there_are_no_lists(explore, garden, tmp_path):
    cf.save(garden, tmp_path / "kept.json")
    path = tmp_path / "kept.html"
    cf.report(cf.load(tmp_path / "kept.json"), path)
    seen = explore(path, address="#query=q08")
    assert "Ranked lists and curves are not included" in seen.text("#query-lists")
