"""Whatever ids, texts, tags and file names hold, it appears as text: nothing runs, nothing hides, nothing breaks."""

import csv
import io

import pytest

import cranfield as cf

TELLTALE = "window.__ran = true"
SCRIPT = f"</script><script>{TELLTALE}</script>"
IMAGE = f"<img src=x onerror='{TELLTALE}'>"
ATTRIBUTE = f"\" onmouseover='{TELLTALE}' x=\""
TURNED = "gpj.\u202eexe\u202c"
NUL = "a\x00b"  # no id can have it, but texts can
BELL = "a\x07b"
LONG = "x" * 10_000
FORMULA = '=HYPERLINK("https://example.org","click")'
HALF = "half \ud800"
TEMPLATE = "{{ 7 * 7 }}{% raw %}"
LINES = "one\ntwo\u2028three"

NASTY = [SCRIPT, IMAGE, ATTRIBUTE, TURNED, BELL, LONG, FORMULA, TEMPLATE, LINES, "ordinary"]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A report in which everything that can be named has a nasty name."""
    judged = {
        f"{name} {at}": {f"{d}!{at}": grade for d, grade in zip(NASTY, [3, 2, 1, 0, 1, 2, 0, 1, 0, 1], strict=True)}
        for at, name in enumerate(NASTY)
    }
    runs = {
        SCRIPT: {query: list(graded)[::-1] for query, graded in judged.items()},
        f"{IMAGE}{ATTRIBUTE}": {query: list(graded) for query, graded in judged.items()},
        FORMULA: {query: list(graded)[3:] for query, graded in judged.items()},
    }
    queries = [
        {"qid": query, "text": f"{name} what?", SCRIPT: IMAGE if at % 2 else TURNED}
        for at, (query, name) in enumerate(zip(judged, NASTY, strict=True))
    ]
    documents = [
        {"_id": document, "title": SCRIPT, "text": f"{IMAGE} what {document[:200]} {SCRIPT}{NUL}"}
        for graded in judged.values()
        for document in graded
    ]
    folder = tmp_path_factory.mktemp("<b>hostile<b>")
    path = folder / "report.html"
    cf.report(
        cf.evaluate(judged, runs, ["nDCG@10", "RR"]),
        path,
        queries=queries,
        by=SCRIPT,
        documents=documents,
        title=f"{SCRIPT}{IMAGE}",
        note=f"{SCRIPT}\n{IMAGE}\n\n{TURNED}{NUL}",
        author=ATTRIBUTE,
        date=SCRIPT,
    )
    return path


def test_nothing_runs(explore, hostile):
    seen = explore(hostile)
    for baseline in seen.page.locator("#pick-baseline option").all_text_contents():
        seen.choose(baseline=baseline)
    for _ in range(len(NASTY)):
        seen.page.keyboard.press("j")
        seen.settled()
        seen.page.hover(".list li >> nth=0")
        seen.page.hover("#grid tbody tr:not(.space) >> nth=0")
    for details in seen.page.locator("details").all():
        details.evaluate("one => (one.open = true)")
    seen.choose(baseline=seen.page.locator("#pick-baseline option").all_text_contents()[0])
    seen.page.locator("#view-slices button >> nth=0").click()
    for button in seen.page.locator("#copies button").all():
        button.click()
    assert seen.page.evaluate("window.__ran") is None
    assert seen.page.locator("img").count() == 0
    assert seen.page.evaluate("document.scripts.length") <= 5


def test_markup_is_shown_as_text(explore, hostile):
    seen = explore(hostile)
    assert SCRIPT in seen.text("h1") or "</script>" in seen.text("h1")
    assert "{{ 7 * 7 }}{% raw %} 7" in seen.text("#grid")


def test_what_cannot_be_seen_has_a_sign(explore, hostile):
    seen = explore(hostile, height=1600)
    listed = seen.text("#grid")
    assert "a␇b 4" in listed
    assert "gpj.⟨U+202E⟩exe⟨U+202C⟩ 3" in listed
    assert "one␊two⟨U+2028⟩three 8" in listed


def test_no_direction_mark_is_left_in_the_file(hostile):
    text = hostile.read_text(encoding="utf-8")
    assert not set(text) & set("\u202e\u202c\u2028\x00")


def test_a_very_long_id_takes_no_more_room_than_others(explore, hostile):
    seen = explore(hostile)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 1440
    seen.page.fill("#search", "xxxxxxxxxx")
    seen.page.keyboard.press("Escape")
    seen.page.keyboard.press("j")
    seen.settled()
    assert len(seen.text("#query-title")) < 120
    assert "query=%235" in seen.page.url
    assert len(seen.page.url) < 400


def test_downloads_hold_ids_as_they_are_but_no_formula(explore, hostile):
    seen = explore(hostile)
    with seen.page.expect_download() as waiting:
        seen.page.get_by_role("button", name="All scores").click()
    text = waiting.value.path().read_bytes().decode()
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert len({len(row) for row in rows}) == 1
    names = {row[0] for row in rows[1:]}
    assert f"{SCRIPT} 0" in names
    assert f"{LINES} 8" in names
    assert f"{LONG} 5" in names
    assert f"'{FORMULA} 6" in names
    assert not any(cell.startswith(("=", "+", "@")) for row in rows for cell in row)


def test_half_a_pair_of_surrogates_does_not_stop_the_report(explore, tmp_path):
    path = tmp_path / "half.html"
    scores = cf.evaluate({"q1": {"d1": 1}}, {"run": {"q1": ["d1"]}}, "RR")
    cf.report(scores, path, queries={"q1": HALF}, documents={"d1": HALF})
    seen = explore(path)
    assert "half ⟨U+D800⟩" in seen.text("#grid")


def test_the_policy_lets_nothing_in(explore, hostile):
    """What would run if it got into the page, in spite of everything, is stopped by the browser."""
    seen = explore(hostile)
    seen.page.evaluate(
        """() => {
          const holder = document.createElement("div");
          holder.innerHTML = `<img src="data:image/gif;base64,R0lGOD" onerror="window.__ran = true">`;
          document.body.append(holder);
          const script = document.createElement("script");
          script.textContent = "window.__ran = true";
          document.body.append(script);
        }"""
    )
    seen.page.wait_for_timeout(200)
    assert seen.page.evaluate("window.__ran") is None
    assert any("Content Security Policy" in told for told in seen.told)
    seen.told.clear()
