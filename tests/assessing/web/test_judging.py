"""The judge's page in a real browser: one key grades, saves and moves on, and nothing that was judged is lost."""

import json
import re
import sqlite3
from datetime import UTC, datetime, timedelta

import pytest

from cranfield.assessing.submission import Submission
from cranfield.assessing.web import judging
from tests.assessing.web.site import JudgeTab, contents, made, running

PAINTED = """async (keys) => {
  const times = [];
  for (const key of keys) {
    await new Promise((resolve) => setTimeout(resolve, 600));
    const before = document.getElementById("card").dataset.item;
    const start = performance.now();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    const moved = document.getElementById("card").dataset.item !== before;
    const painted = new MessageChannel();
    await new Promise((resolve) => {
      painted.port1.onmessage = resolve;
      requestAnimationFrame(() => painted.port2.postMessage(0));
    });
    times.push(moved ? performance.now() - start : Infinity);
  }
  return times;
}"""
"""How long it takes from a key to the frame in which the next document is there, for each of some keys."""


class TestKeys:
    def test_one_key_grades_saves_and_moves_on(self, tab):
        ada = tab().enter()
        first = ada.item()
        ada.press("2")
        assert ada.item() != first
        ada.saved()
        assert ada.said() == [(first, "label", 2.0)]

    def test_the_next_document_is_there_before_the_server_has_answered(self, tab):
        ada = tab().enter()
        first = ada.item()
        ada.page.route("**/label", lambda route: None)  # never answered
        ada.press("1")
        assert ada.item() != first
        assert ada.text("#saved") == "1 waiting to be saved"
        ada.page.unroute("**/label")

    def test_the_next_document_is_painted_at_once_however_slow_the_network(self, tab):
        """Measured 6 ms at the median and 19 ms at the 95th percentile, on a busy machine with two cores."""
        ada = tab().enter()
        network = ada.context.new_cdp_session(ada.page)
        network.send("Network.enable")
        slow = {"offline": False, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1}
        network.send("Network.emulateNetworkConditions", slow)
        times = sorted(ada.page.evaluate(PAINTED, list("0123012301")))
        print(f"key to next document painted: median {times[5]:.0f} ms, most {times[-1]:.0f} ms")
        assert times[5] < 200  # half of the way to the server; a machine may be busy
        ada.saved()
        assert len(ada.said()) == 10

    def test_a_key_that_bounces_grades_once(self, tab):
        ada = tab().enter()
        ada.page.evaluate(
            "for (let at = 0; at < 3; at += 1)"
            "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '1', bubbles: true, cancelable: true }))"
        )
        ada.saved()
        assert len(ada.said()) == 1

    def test_a_key_that_is_held_grades_once(self, tab):
        ada = tab().enter()
        ada.page.keyboard.down("1")
        for _ in range(3):
            ada.page.wait_for_timeout(170)
            ada.page.keyboard.down("1")
        ada.page.keyboard.up("1")
        ada.saved()
        assert len(ada.said()) == 1

    def test_five_steps_back_and_another_grade(self, tab):
        ada = tab().enter()
        items = []
        for key in "01230":
            items.append(ada.item())
            ada.press(key)
        present = ada.item()
        ada.press(*"zzzzz")
        assert ada.item() == items[0]
        assert ada.text("#given") == "You gave: 0 · not relevant."
        assert ada.page.get_attribute("button[name=grade][value='0']", "aria-pressed") == "true"
        ada.press("3")
        assert ada.item() == present
        ada.saved()
        given = [(item, "label", float(grade)) for item, grade in zip(items, "01230", strict=True)]
        assert ada.said() == [*given, (items[0], "label", 3.0)]

    def test_back_goes_beyond_what_the_page_has_seen(self, tab):
        ada = tab().enter()
        items = []
        for key in "012":
            items.append(ada.item())
            ada.press(key)
        ada.saved()
        ada.reload()
        for item in reversed(items):
            ada.press("z")
            ada.shows(item)
        ada.press("z")
        assert ada.item() == items[0]
        assert ada.text("#status") == "There is nothing before this one."

    def test_a_grade_can_be_changed_before_the_first_one_was_saved(self, tab):
        ada = tab().enter()
        item = ada.item()
        held = []
        ada.page.route("**/label", lambda route: route.continue_() if held else held.append(route))
        ada.press("1", "z", "2")
        assert ada.said() == []
        held[0].continue_()
        ada.saved()
        assert ada.said() == [(item, "label", 1.0), (item, "label", 2.0)]

    def test_a_grade_can_be_taken_away(self, tab):
        ada = tab().enter()
        item = ada.item()
        ada.press("1", "z", "Delete")
        ada.saved()
        assert ada.said() == [(item, "label", 1.0), (item, "clear", None)]

    @pytest.mark.parametrize(("key", "kind"), [("s", "skip"), ("x", "cannot"), ("l", "later")])
    def test_what_is_no_grade_moves_on_too(self, tab, key, kind):
        ada = tab().enter()
        item = ada.item()
        ada.press(key)
        ada.saved()
        assert ada.said() == [(item, kind, None)]
        assert ada.item() != item

    def test_one_can_go_on_without_a_grade(self, tab):
        ada = tab().enter()
        item = ada.item()
        ada.press("ArrowRight")
        assert ada.item() != item
        assert ada.said() == []

    def test_a_note_swallows_keys_and_goes_with_the_grade(self, tab):
        ada = tab().enter()
        item = ada.item()
        ada.press("n")
        ada.page.keyboard.type("0 or 3? see s. 12")
        assert ada.item() == item
        ada.press("Escape", "2")
        ada.saved()
        assert ada.said() == [(item, "label", 2.0)]
        ada.press("z")
        assert ada.page.input_value("#note") == "0 or 3? see s. 12"

    def test_the_draft_of_a_note_survives_a_reload(self, tab):
        ada = tab().enter()
        ada.press("n")
        ada.page.keyboard.type("not done yet")
        ada.reload()
        assert ada.page.input_value("#note") == "not done yet"

    def test_a_note_can_be_kept_alone(self, tab):
        ada = tab().enter()
        item = ada.item()
        ada.press("n")
        ada.page.keyboard.type("odd")
        ada.page.keyboard.press("Control+Enter")
        ada.saved()
        assert ada.said() == [(item, "note", None)]
        assert ada.item() == item

    def test_single_keys_can_be_switched_off_for_good(self, tab):
        ada = tab().enter()
        ada.press("?")
        ada.page.check("#keys-off")
        ada.press("Escape")
        ada.reload()
        ada.press("2", "s", "z")
        assert ada.said() == []
        assert ada.page.get_attribute("button[value='2']", "aria-keyshortcuts") is None
        assert not ada.page.locator("button[value='2'] kbd").is_visible()
        ada.page.click("button[value='2']")
        ada.saved()
        assert len(ada.said()) == 1

    def test_a_key_can_be_changed_for_good_and_does_one_thing_only(self, tab):
        ada = tab().enter()
        ada.press("?")
        ada.page.click("[data-row='grade-3'] button")
        ada.press("s", "Escape")
        ada.reload()
        assert ada.text("button[value='3'] kbd") == "s"
        item = ada.item()
        ada.press("s")
        other = ada.item()
        ada.press("3")  # changed places with what was on s
        ada.saved()
        assert ada.said() == [(item, "label", 3.0), (other, "skip", None)]

    @pytest.mark.parametrize("modifier", ["Control", "Alt", "Meta"])
    def test_keys_of_the_browser_stay_the_browsers(self, tab, modifier):
        ada = tab().enter()
        ada.page.keyboard.press(f"{modifier}+2")
        ada.page.wait_for_timeout(100)
        assert ada.said() == []

    def test_a_button_in_focus_keeps_its_keys(self, tab):
        ada = tab().enter()
        ada.page.focus("button[value='1']")
        item = ada.item()
        ada.press("Enter")
        ada.saved()
        assert ada.said() == [(item, "label", 1.0)]


class TestWhatIsSeen:
    def test_the_excerpt_comes_first_and_the_whole_on_demand(self, tab):
        ada = tab().enter()
        assert ada.page.locator(".excerpt").is_visible()
        ada.press(" ")
        assert not ada.page.locator(".excerpt").is_visible()
        assert ada.page.locator(".whole-text").is_visible()

    def test_whoever_unfolds_a_text_sees_the_next_ones_unfolded(self, tab):
        ada = tab().enter()
        ada.press(" ")
        ada.reload()
        assert ada.page.locator(".whole-text").is_visible()

    def test_words_of_the_query_are_marked_by_more_than_colour(self, tab):
        ada = tab().enter()
        word = ada.text("#query").split()[2]
        marked = [text.casefold() for text in ada.page.locator(".excerpt mark").all_inner_texts()]
        assert marked == [] or set(marked) <= {word, f"{word}s"}
        ada.page.evaluate("document.querySelector('.excerpt').append(document.createElement('mark'))")
        line = ada.page.evaluate("getComputedStyle(document.querySelector('.excerpt mark')).textDecorationLine")
        assert line == "underline"

    def test_guidelines_are_one_key_away(self, tab):
        ada = tab().enter()
        assert not ada.page.locator(".markdown").is_visible()
        ada.press("i")
        assert "answers the question in full" in ada.text(".markdown")
        assert ada.page.get_attribute(".markdown a", "rel") == "noopener noreferrer"

    def test_a_text_can_be_searched(self, tab):
        ada = tab().enter()
        word = ada.text(".excerpt").split()[3]
        ada.press("/")
        ada.page.keyboard.type(word)
        assert ada.page.locator("mark.found").count() > 0
        assert re.fullmatch(r"\d+ places?", ada.text("#find-count"))
        ada.press("Escape")
        assert ada.page.locator("#find-box").is_hidden()

    def test_progress_is_told_in_words(self, tab):
        ada = tab().enter()
        ada.press("1")
        ada.saved()
        ada.page.wait_for_function("() => document.getElementById('progress').textContent.includes('1 today')")
        assert re.search(r"query 1 of 12 · 9 left here · 1 today · \d+ left in all", ada.text("#progress"))

    def test_after_a_batch_its_grades_are_summed_up(self, tab):
        ada = tab().enter()
        ada.press(*"0001120012")
        ada.saved()
        ada.page.wait_for_selector("#batch:not([hidden])")
        assert ada.text("#batch") == "Last 10 judged: 5 × 0, 3 × 1, 2 × 2. Go back to change any."

    def test_no_run_no_rank_and_no_other_judge_is_in_the_page(self, tab):
        ada = tab().enter()
        ada.press("1", "2")
        ada.saved()
        fetched = ada.page.evaluate("fetch('/next?tab=0123456789abcdef').then(answer => answer.text())")
        source = ada.page.content() + fetched
        for secret in ("secretrun", "otherrun", "rank", "score", "Manager", "nDCG"):
            assert secret not in source

    def test_focus_is_on_the_document_and_its_saving_is_announced(self, tab):
        ada = tab().enter()
        ada.press("1")
        ada.saved()
        assert ada.page.evaluate("document.activeElement.classList.contains('title')")
        assert ada.text("#status") == "saved"


class TestNothingIsLost:
    def test_a_reload_holds_the_card(self, tab):
        ada = tab().enter()
        item = ada.item()
        ada.reload()
        assert ada.item() == item

    def test_a_second_tab_gets_other_cards(self, tab):
        ada = tab().enter()
        other = tab(judge=(ada.judge, ada.token), context=ada.context).enter()
        assert other.item() != ada.item()

    def test_ten_labels_without_connection_are_saved_in_order_after_a_reload(self, tab):
        ada = tab().enter()
        ada.list()
        ada.context.set_offline(True)
        items = [int(form.get_attribute("data-item")) for form in ada.page.locator("#documents form").all()]
        for key in "0123012301":
            ada.press(key)
        ada.saved("10 waiting to be saved")
        assert ada.said() == []
        assert "No connection" in ada.text("#trouble")
        ada.page.route("**/label", lambda route: route.abort())
        ada.context.set_offline(False)
        ada.reload()
        ada.saved("10 waiting to be saved")
        assert ada.dialogs == ["beforeunload"]
        ada.page.unroute("**/label")
        ada.reload()
        ada.saved()
        assert ada.said() == [(item, "label", float(grade)) for item, grade in zip(items, "0123012301", strict=True)]
        ada.wrong.clear()  # the browser's own words on connections that failed

    def test_a_label_given_while_the_outbox_comes_to_an_end_is_sent_too(self, tab):
        ada = tab()
        ada.page.add_init_script(
            "const request = navigator.locks.request.bind(navigator.locks);"
            "navigator.locks.request = async (name, run) => {"
            "  await request(name, run);"
            "  await new Promise((resolve) => setTimeout(resolve, 1500));"
            "};"
        )
        ada.enter()
        item = ada.item()
        ada.press("1")
        ada.saved()
        assert ada.said() == [(item, "label", 1.0)]

    def test_a_card_that_waits_is_not_shown_as_new_after_a_reload(self, tab):
        ada = tab().enter()
        ada.page.route("**/label", lambda route: route.abort())
        item = ada.item()
        ada.press("1")
        ada.reload()
        assert ada.item() != item
        ada.press("z")
        assert ada.item() == item
        assert ada.page.get_attribute("button[value='1']", "aria-pressed") == "true"
        ada.page.unroute("**/label")
        ada.page.evaluate("window.dispatchEvent(new Event('online'))")
        ada.saved()
        assert ada.said() == [(item, "label", 1.0)]
        ada.wrong.clear()

    def test_without_a_cookie_labels_wait_until_the_link_is_opened_again(self, tab):
        ada = tab().enter()
        item = ada.item()
        ada.context.clear_cookies()
        ada.press("2")
        ada.troubled("Open your link again")
        assert ada.text("#saved") == "1 waiting to be saved"
        ada.enter()
        ada.saved()
        assert ada.said() == [(item, "label", 2.0)]
        ada.wrong.clear()

    def test_labels_of_one_judge_are_not_sent_as_those_of_another(self, tab):
        ada = tab().enter()
        item = ada.item()
        ada.context.clear_cookies()
        ada.press("2")
        ada.troubled("Open your link again")
        ben = tab(context=ada.context).enter()
        assert "1 label of another judge waits in this browser" in ben.text("#trouble")
        assert ben.said() == []
        ada.enter()
        ada.saved()
        assert ada.said() == [(item, "label", 2.0)]
        ada.wrong.clear()

    def test_two_tabs_that_disagree_ask_the_judge(self, tab):
        ada = tab().enter()
        item = ada.item()
        other = tab(judge=(ada.judge, ada.token), context=ada.context)
        ada.press("1")
        ada.saved()
        ada.press("z")
        other.enter()
        other.press("z")
        other.shows(item)
        ada.press("2")
        ada.saved()
        other.press("3")
        other.page.wait_for_selector(".conflict")
        assert "here you gave 3 · highly relevant, elsewhere 2 · relevant" in other.text(".conflict")
        assert other.text("#saved") == "1 waiting to be saved"
        other.page.get_by_role("button", name="3 · highly relevant (here)").click()
        other.saved()
        assert ada.said() == [(item, "label", 1.0), (item, "label", 2.0), (item, "label", 3.0)]
        assert other.page.locator(".conflict").count() == 0
        other.wrong.clear()

    def test_the_other_label_may_count_instead(self, tab):
        ada = tab().enter()
        item = ada.item()
        ada.press("1")
        ada.saved()
        ada.press("z")
        current = ada.made.service.state.current(item, ada.judge.number)
        ada.made.service.record(ada.judge.number, Submission("k" * 32, item, "label", 0.0, current.seq))
        ada.press("3")
        ada.page.wait_for_selector(".conflict")
        ada.page.get_by_role("button", name="0 · not relevant (elsewhere)").click()
        ada.saved()
        assert ada.said()[-1] == (item, "label", 0.0)
        ada.wrong.clear()

    def test_what_the_server_refuses_stays_until_the_judge_discards_it(self, tab):
        ada = tab().enter()
        ada.page.evaluate("document.querySelector(\"button[value='3']\").value = '7'")
        ada.page.click("button[value='7']")
        ada.page.wait_for_selector("#trouble:not([hidden])")
        assert "Not saved" in ada.text("#trouble")
        ada.reload()
        assert "Not saved" in ada.text("#trouble")
        with ada.page.expect_download() as waiting:
            ada.page.get_by_role("button", name="Download what is waiting").click()
        taken = json.loads(waiting.value.path().read_text())
        assert [label["grade"] for label in taken["labels"]] == [7]
        ada.page.get_by_role("button", name="Discard it").click()
        ada.page.wait_for_selector("#trouble", state="hidden")
        ada.wrong.clear()

    def test_labels_wait_while_the_disk_is_full_and_are_saved_when_there_is_room(self, chromium, tmp_path):
        project = made(tmp_path)
        store = project.service.store
        with running(project.service) as address:
            ada = JudgeTab(chromium, project, address).enter()
            (pages,) = store.rows("PRAGMA page_count")[0]
            store.rows(f"PRAGMA max_page_count = {pages}")
            given = []
            for key in "210321":
                if not ada.page.locator("#judging").is_visible():
                    break
                given.append((ada.item(), "label", float(key)))
                ada.page.evaluate("document.getElementById('note-box').open = true")
                ada.page.fill("#note", "x" * 1990)
                ada.page.keyboard.press("Escape")
                ada.press(key)
            ada.troubled("the disk is full")
            assert "waiting to be saved" in ada.text("#saved")
            assert len(ada.said()) < len(given)
            ada.page.wait_for_function("() => document.body.innerText.includes('The next documents come then')")
            assert "Nothing is left" not in ada.text("main")
            store.rows("PRAGMA max_page_count = 100000")
            ada.page.evaluate("window.dispatchEvent(new Event('online'))")
            ada.saved()
            assert ada.said() == given
            ada.context.close()
        project.service.close()

    def test_labels_wait_while_another_program_holds_the_store(self, chromium, tmp_path):
        project = made(tmp_path)
        project.service.store.rows("PRAGMA busy_timeout = 100")
        other = sqlite3.connect(tmp_path / "judging.db", isolation_level=None)
        with running(project.service) as address:
            ada = JudgeTab(chromium, project, address).enter()
            item = ada.item()
            other.execute("BEGIN EXCLUSIVE")
            ada.press("2")
            ada.troubled("another program")
            assert ada.text("#saved") == "1 waiting to be saved"
            other.execute("ROLLBACK")
            ada.page.evaluate("window.dispatchEvent(new Event('online'))")
            ada.saved()
            assert ada.said() == [(item, "label", 2.0)]
            ada.context.close()
        other.close()
        project.service.close()

    @pytest.mark.parametrize("years", [-30, 30])
    def test_a_judge_whose_clock_is_off_by_years_judges_as_others_do(self, tab, years):
        ada = tab()
        ada.page.clock.install(time=datetime.now(UTC) + timedelta(days=365 * years))
        ada.page.clock.resume()
        ada.enter()
        item = ada.item()
        ada.press("2")
        ada.saved()
        assert ada.said() == [(item, "label", 2.0)]
        event = [one for one in ada.made.service.store.events() if one.judge == ada.judge.number][-1]
        assert abs(datetime.fromisoformat(event.at) - datetime.now(UTC)) < timedelta(minutes=5)
        assert 0 <= event.active_ms < 60_000

    def test_a_browser_without_a_database_keeps_labels_elsewhere(self, tab):
        ada = tab()
        ada.page.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined })")
        ada.enter()
        ada.page.route("**/label", lambda route: route.abort())
        item = ada.item()
        ada.press("2")
        ada.reload()
        assert ada.text("#saved") == "1 waiting to be saved"
        ada.page.unroute("**/label")
        ada.reload()
        ada.saved()
        assert ada.said() == [(item, "label", 2.0)]
        ada.wrong.clear()

    def test_a_browser_that_stores_nothing_says_so(self, tab):
        ada = tab()
        ada.page.add_init_script(
            "Object.defineProperty(window, 'indexedDB', { value: undefined });"
            "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no') } });"
        )
        ada.enter()
        assert "This browser keeps nothing when the page is closed" in ada.text("#trouble")
        ada.press("2")
        ada.saved()
        assert len(ada.said()) == 1


class TestList:
    def test_a_click_saves_and_stays(self, tab):
        ada = tab().enter()
        ada.list()
        rows = ada.page.locator("#documents form")
        assert rows.count() == 10
        items = [int(row.get_attribute("data-item")) for row in rows.all()]
        rows.nth(2).locator("button[value='1']").click()
        rows.nth(0).locator("button[value='3']").click()
        ada.saved()
        assert ada.said() == [(items[2], "label", 1.0), (items[0], "label", 3.0)]
        assert rows.nth(2).locator(".row-saved").inner_text() == "saved"
        ada.reload()
        assert [int(row.get_attribute("data-item")) for row in rows.all()] == items
        assert rows.nth(0).locator("button[value='3']").get_attribute("aria-pressed") == "true"

    def test_keys_grade_and_go_to_the_next(self, tab):
        ada = tab().enter()
        ada.list()
        items = [int(row.get_attribute("data-item")) for row in ada.page.locator("#documents form").all()]
        ada.press("j", "2", "1", "k", "k", "0")
        ada.saved()
        assert ada.said() == [(items[1], "label", 2.0), (items[2], "label", 1.0), (items[1], "label", 0.0)]

    def test_one_key_changes_between_card_and_list(self, tab):
        ada = tab().enter()
        query = ada.text("#query")
        ada.page.keyboard.press("v")
        ada.page.wait_for_selector("body.listing")
        assert ada.text("#query") == query
        ada.page.wait_for_selector(ada.ready)
        ada.page.keyboard.press("v")
        ada.page.wait_for_selector("#card")


class TestWithoutScript:
    def test_a_button_saves_and_shows_the_next(self, tab):
        ada = tab(java_script_enabled=False).enter()
        item = ada.item()
        ada.page.fill("#note", "seen") if ada.page.locator("#note").is_visible() else None
        ada.page.click("button[value='2']")
        assert ada.item() != item
        assert ada.said() == [(item, "label", 2.0)]
        assert not ada.page.locator("kbd").first.is_visible()

    def test_back_and_another_grade(self, tab):
        ada = tab(java_script_enabled=False).enter()
        first = ada.item()
        ada.page.click("button[value='2']")
        second = ada.item()
        ada.page.click("button[value='skip']")
        ada.page.click("#back")
        assert ada.item() == second
        assert "You gave: skipped." in ada.text("#earlier")
        ada.page.click("#back")
        assert ada.item() == first
        ada.page.click("button[value='0']")
        assert ada.said() == [(first, "label", 2.0), (second, "skip", None), (first, "label", 0.0)]

    def test_the_whole_text_and_the_guidelines_open(self, tab):
        ada = tab(java_script_enabled=False).enter()
        ada.page.click("#guidelines summary")
        assert ada.page.locator(".markdown").is_visible()
        ada.page.click(".whole summary")
        assert ada.page.locator(".whole-text").is_visible()
        assert not ada.page.locator(".excerpt").is_visible()

    def test_the_list_saves_too(self, tab):
        ada = tab(java_script_enabled=False).enter()
        ada.go("/list")
        row = ada.page.locator("#documents form").nth(1)
        item = int(row.get_attribute("data-item"))
        row.locator("button[value='1']").click()
        assert "/list" in ada.page.url
        assert ada.said() == [(item, "label", 1.0)]


class TestSizes:
    def test_nothing_is_wider_than_the_screen(self, tab):
        ada = tab().enter()
        for change in (lambda: None, ada.list):
            change()
            for width in (320, 360, 390, 768, 1440):
                ada.page.set_viewport_size({"width": width, "height": 780})
                assert ada.page.evaluate("document.documentElement.scrollWidth") <= width
                assert ada.page.evaluate(
                    "[...document.querySelectorAll('.others')].every((row) => row.scrollWidth <= row.clientWidth)"
                )

    def test_on_a_phone_grades_are_on_the_screen_and_large_enough_for_a_thumb(self, tab):
        ada = tab(viewport={"width": 390, "height": 780}).enter()
        for button in ada.page.locator(".actions button:visible, .actions a:visible").all():
            box = button.bounding_box()
            if button.get_attribute("class") == "small":
                continue
            assert box["height"] >= 44
            assert box["y"] + box["height"] <= 780

    def test_at_four_times_the_size_everything_can_be_reached(self, tab):
        ada = tab(viewport={"width": 320, "height": 256}).enter()
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= 320
        ada.page.locator("button[value='3']").scroll_into_view_if_needed()
        ada.page.click("button[value='3']")
        ada.saved()
        assert len(ada.said()) == 1


def test_a_judge_who_has_judged_everything_is_thanked(chromium, tmp_path):
    small = made(tmp_path, given=contents(queries=1, documents=2), labels=1)
    with running(small.service) as address:
        ada = JudgeTab(chromium, small, address).enter()
        ada.press("1", "0")
        ada.saved()
        ada.page.wait_for_selector("#nothing:not([hidden])")
        assert "You have judged everything that needs a label from you: 2 in all." in ada.text("#nothing")
        ada.press("z")
        assert ada.page.locator("#judging").is_visible()
        assert ada.wrong == []
        ada.context.close()
    small.service.close()


def test_a_tab_that_is_closed_holds_nothing_for_long_but_a_reload_does(chromium, tmp_path, monkeypatch):
    monkeypatch.setattr(judging, "PATIENCE", 0.5)
    small = made(tmp_path, given=contents(queries=1, documents=3), labels=1)
    with running(small.service) as address:
        ada, ben = JudgeTab(chromium, small, address), JudgeTab(chromium, small, address)
        held = ada.enter().item()
        ada.reload()
        ada.page.wait_for_timeout(800)
        assert small.service.cards(ben.judge.number, "0" * 16) == []
        assert ada.item() == held
        ada.page.close()
        ben.page.wait_for_timeout(1500)
        assert len(small.service.cards(ben.judge.number, "0" * 16)) == 3
        for one in (ada, ben):
            one.context.close()
    small.service.close()
