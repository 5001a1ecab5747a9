"""Whatever ids, texts, names, notes, words, guidelines, files and models say, it appears as text in every page.

Every change tries a spread of the payloads in each field, `make thorough` every payload in every field.
"""

import csv
import itertools

import pytest
from playwright.sync_api import Error

from cranfield.assessing.contents import as_preferences, contents_of, judged_from_runs
from cranfield.assessing.effect import Effect
from cranfield.assessing.events import ModelAnswer, NewEvent
from cranfield.assessing.importing import import_file
from cranfield.assessing.offline import write_pages
from cranfield.assessing.opening import ProjectInputs, create_project
from cranfield.assessing.project import GradeWord
from cranfield.assessing.service import Service
from cranfield.assessing.submission import NOTE_LENGTH, Submission
from cranfield.formats import read_runs
from tests.assessing.web.payloads import PAYLOADS, as_id
from tests.assessing.web.site import JudgeTab, Made, made, running
from tests.effort import few_or

STEP = few_or(10, 1)
"""Every so many payloads are tried in a field."""
CONTEXT = {"viewport": {"width": 1200, "height": 900}}
WATCH = """window.__reports = []; document.addEventListener("securitypolicyviolation",
  (event) => window.__reports.push(event.blockedURI + " " + event.violatedDirective));"""
KEYS = map("key-{:020}".format, itertools.count())


def spread(field: int) -> list[str]:
    """The payloads that are tried in a field, others in each, in all fields all of them."""
    return list(PAYLOADS[field % STEP :: STEP])


def as_name(text: str) -> str:
    """The same as the name of a judge, in which there is nothing that cannot be seen."""
    return " ".join("".join(sign for sign in text if sign.isprintable())[:90].split()) or "nothing to be seen"


def as_text(text: str) -> str:
    """The same as people can type it."""
    return text.encode("utf-8", "replace").decode()


def hostile_contents(task: str = "grades"):
    """Queries and documents of which every field is a payload, for all payloads."""
    queries = {as_id(text, at): text for at, text in enumerate(PAYLOADS)}
    ranked = {query: [f"{query} {place}" for place in range(2 if task == "preferences" else 1)] for query in queries}
    documents = [
        {"doc_id": name, "title": text, "text": f"{text} {text}", "url": text}
        for (query, text) in queries.items()
        for name in ranked[query]
    ]
    asked = [{"query_id": query, "text": text, "description": text} for query, text in queries.items()]
    judged = judged_from_runs(read_runs({"one": ranked, "other": ranked}), 10)
    given = as_preferences(judged) if task == "preferences" else judged
    return contents_of(given, queries=asked, documents=documents)[0]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A project of which every query and document is hostile; judges see two documents at a time."""
    project = made(tmp_path_factory.mktemp("hostile"), given=hostile_contents(), batch=2, mark_passages=True)
    yield project
    project.service.close()


@pytest.fixture(scope="module")
def disputed(tmp_path_factory):
    """The same, where two labels are enough for a manager to decide."""
    project = made(tmp_path_factory.mktemp("disputed"), given=hostile_contents(), labels=2)
    with running(project.service) as address:
        yield project, address
    project.service.close()


@pytest.fixture(scope="module")
def site(hostile):
    with running(hostile.service) as address:
        yield address


@pytest.fixture(scope="module")
def watched(chromium):
    """A window for all tests, in which everything that a policy stops is taken down."""
    context = chromium.new_context(**CONTEXT)
    context.add_init_script(WATCH)
    yield context
    context.close()


@pytest.fixture
def enter(watched, hostile, site):
    """Opens the link of a judge, or of the manager; at the end nothing must have happened in any tab."""
    opened: list[JudgeTab] = []

    def open_it(judge=None, project: Made = hostile, address=site) -> JudgeTab:
        opened.append(JudgeTab(None, project, address, judge, context=watched))
        return opened[-1].enter()

    yield open_it
    for tab in opened:
        if not tab.page.is_closed():
            harmless(tab)
            tab.page.close()


def boss(project: Made):
    return project.manager, project.manager_token


def harmless(tab):
    assert tab.page.evaluate("window.__ran") is None
    assert tab.page.evaluate("window.__reports") == []
    assert tab.page.locator("iframe, object, embed, img, base, main style").count() == 0
    assert tab.page.locator("meta[http-equiv]:not([http-equiv=Content-Security-Policy])").count() == 0
    assert tab.wrong == []
    assert tab.outside == []
    assert tab.dialogs == []


def test_queries_documents_notes_and_passages_of_a_judge(hostile, enter):
    ada = enter()
    ada.press("i")
    shown = set()
    while ada.page.locator("#judging").is_visible() and len(shown) < few_or(12, len(PAYLOADS)):
        text = ada.text("#query")
        shown.add(text)
        ada.page.evaluate(
            """() => {
              for (const box of document.querySelectorAll("details:not([hidden])")) box.open = true;
              const text = document.querySelector(".whole-text:not(:empty)") ?? document.querySelector(".excerpt");
              getSelection().selectAllChildren(text);
            }"""
        )
        ada.press("p")
        ada.page.fill("#note", as_text(PAYLOADS[len(shown) % len(PAYLOADS)])[:NOTE_LENGTH])
        ada.page.keyboard.press("Escape")
        ada.press("s" if len(shown) % 3 == 0 else "1")
    assert len(shown) >= few_or(12, len(PAYLOADS) - 1)  # two look the same
    ada.press("z", "z")
    ada.page.wait_for_function("() => !document.getElementById('saved').textContent.includes('waiting')")
    assert {"label", "skip", "passage"} <= {kind for _, kind, _ in ada.said()}


def test_queries_and_documents_in_the_list(hostile, enter):
    ada = enter()
    for _ in range(few_or(4, len(PAYLOADS))):
        ada.list()
        harmless(ada)
        for form in ada.page.locator("#documents form").all():
            form.locator("button[value='1']").click()
        ada.saved()
        ada.go("/")


def test_words_of_grades(disputed, enter):
    hostile, site = disputed
    manager, ada = enter(boss(hostile), hostile, site), enter(None, hostile, site)
    label_differently(hostile, 1)
    words = spread(2)
    for start in range(0, len(words), 10):
        grades = tuple(GradeWord(float(at), text[:400]) for at, text in enumerate(words[start : start + 10]))
        hostile.service.change_settings(hostile.manager.number, grades=grades)
        ada.go("/")
        assert ada.page.locator("button[name=grade]").count() == len(grades)
        ada.list()
        harmless(ada)
        for path in ("/labels", "/team", "/disagreements"):
            manager.go(path)
            harmless(manager)


def label_differently(project: Made, item: int, note: str = "") -> None:
    """Two judges who see all documents differ about one."""
    for grade in range(2):
        judge, _ = project.judge(f"judge {grade} of {next(KEYS)}")
        project.service.record(judge.number, Submission(next(KEYS), item, "label", float(grade), note=note))


def test_titles_guidelines_and_names_of_judges(hostile, enter):
    manager = enter(boss(hostile))
    for at, (title, guidelines, name) in enumerate(zip(spread(3), spread(4), spread(5), strict=True)):
        settings = {"title": title[:200], "guidelines": as_text(guidelines).replace("\0", "")}
        hostile.service.change_settings(hostile.manager.number, **settings)
        judge = hostile.judge(f"{as_name(name)} {at}")
        ada = enter(judge)
        ada.press("i")
        ada.page.goto(f"{ada.address.url}/guidelines")
        manager.go("/team")
        harmless(manager)
        manager.page.click(f"form[action='/links']:has(input[value='{judge[0].number}']) button")
        manager.page.locator("#new-link").wait_for()
    manager.go("/progress")


def test_notes_and_documents_that_judges_differ_about(disputed, enter):
    hostile, site = disputed
    manager = enter(boss(hostile), hostile, site)
    for at, text in enumerate(spread(0)):
        item = 1 + (at + 2) % len(PAYLOADS)
        label_differently(hostile, item, as_text(text)[:NOTE_LENGTH])
        manager.go(f"/disagreements?item={item}")
        manager.page.click(".names summary")
        harmless(manager)
    hostile.service.adjudicate(hostile.manager.number, 3, 1.0, note=as_text(PAYLOADS[3]), key=next(KEYS))
    manager.go("/disagreements?decided=1")


def test_imported_labels(hostile, enter, tmp_path):
    manager = enter(boss(hostile))
    items = hostile.service.items
    with (tmp_path / "labels.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["query", "document", "judge", "grade"])
        for item, text in enumerate(PAYLOADS, 1):
            query, document = items.queries[items.query_of(item)], items.documents[int(items.of_document[item - 1])]
            rows.writerow([query, document, f"{item} imported {as_name(text)}"[:90], item % 2])
    taken = import_file(hostile.service, tmp_path / "labels.csv")
    assert sum(one.new for one in taken) == len(PAYLOADS)
    for path in ("/labels", "/progress", "/team", f"/labels?judge={hostile.service.judges[-1].number}"):
        manager.go(path)
        harmless(manager)
    assert manager.page.evaluate("document.documentElement.scrollWidth") <= 1200


def compared_project(folder, names: list[str]) -> Made:
    """Runs of some names, every document labelled."""
    ranked = {f"q{at}": [f"d{at}-{place}" for place in range(3)] for at in range(10)}
    turned = {query: found[::-1] for query, found in ranked.items()}
    runs = {name: turned if at % 2 else ranked for at, name in enumerate(names)}
    given, _ = contents_of(judged_from_runs(read_runs(runs), 3))
    project = made(folder, given=given, labels=1, measure="P@2")
    project.service.set_effect(effect := Effect(project.service.project, project.service.items))
    project.effect = effect
    ada, _ = project.judge()
    for item in range(1, len(given.items) + 1):
        project.service.record(ada.number, Submission(next(KEYS), item, "label", float(item % 3)))
    effect.update()
    return project


def test_names_of_runs(enter, tmp_path):
    named = [as_id(text, at) for at, text in enumerate(spread(1))]
    project = compared_project(tmp_path, named)
    add_model(project, "model", "2", len(project.service.items))
    with running(project.service, effect=project.effect) as address:
        manager = enter(boss(project), project, address)
        assert manager.page.locator(".strip").count() == len(named) - 1
        harmless(manager)
        manager.go("/trust")
        assert manager.page.locator("input[name=used_by]").count() == len(named)
    project.service.close()


def test_names_and_answers_of_models(enter, tmp_path):
    project = compared_project(tmp_path, ["bm25", "dense"])
    with running(project.service, effect=project.effect) as address:
        manager = enter(boss(project), project, address)
        for at, text in enumerate(spread(1)[:: few_or(2, 1)]):
            add_model(project, f"{as_name(text)} {at}", text, len(project.service.items))
            manager.go("/trust")
            manager.page.select_option("select[name=model]", index=at)
            manager.page.click("main form button")
            manager.page.wait_for_selector("h2")
            harmless(manager)
        for path in ("/progress", "/labels", "/team"):
            manager.go(path)
            harmless(manager)
    project.service.close()


def add_model(project: Made, name: str, answer: str, items: int) -> None:
    """A model that gave each document a grade, and a text that is no grade."""
    model, _ = project.service.add_judge(name, "model")
    facts = {"text": as_text(answer), "model": as_text(answer), "reason": as_text(answer)}
    for item in range(1, items + 1):
        stored = ModelAnswer(next(KEYS), model.number, item, "label", "grade", float(item % 3), facts)
        label = NewEvent(
            next(KEYS), model.number, item, "label", float(item % 3), how="model", note=facts["reason"][:90]
        )
        for one in project.service.store.add_answer(stored, [label]):
            project.service.state.apply(one.event)
    failed = ModelAnswer(next(KEYS), model.number, 1, "probe", as_text(answer)[:60], None, facts)
    project.service.store.add_answer(failed)


def test_names_of_files(enter, tmp_path):
    """A store that is named so, with a judge's page, a manager's, and what is said when the file is gone."""
    for text in spread(3)[:: few_or(2, 1)]:
        name = as_text(text).replace("/", "∕").replace("\0", "")[:60].strip() or "blank"
        store = create_project(tmp_path / f"{name}.db", [[("q1", "d1"), ("q1", "d2"), ("q2", "d1")]], ProjectInputs())
        service = Service(store.store)
        project = Made(service, *service.add_judge("boss", "manager"))
        with running(service) as address:
            manager, ada = enter(boss(project), project, address), enter(None, project, address)
            (tmp_path / f"{name}.db").unlink()
            ada.press("1")
            ada.troubled("moved or deleted")
            ada.wrong.clear()  # the browser's own words on an answer of 5xx
            for tab in (manager, ada):  # before the server is gone
                harmless(tab)
                tab.page.close()
        service.close()


def test_pages_without_a_server(chromium, watched, hostile, tmp_path):
    for at, name in enumerate(spread(4)[:: few_or(3, 1)]):
        judge, _ = hostile.judge(f"{as_name(name)[:80]} offline {at}")
        (written,) = write_pages(hostile.service, tmp_path / "page.html", [judge.name])
        page = watched.new_page()
        wrong, elsewhere = [], []
        page.on("console", lambda message, wrong=wrong: wrong.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error, wrong=wrong: wrong.append(str(error)))
        page.on("request", lambda request, elsewhere=elsewhere: elsewhere.append(request.url))
        page.goto(f"file://{written.path}")
        page.wait_for_selector("html[data-ready]")
        for _ in range(few_or(3, 5)):
            page.keyboard.press("1")
            page.wait_for_timeout(170)
        assert page.evaluate("[window.__ran ?? null, window.__reports]") == [None, []]
        assert page.locator("iframe, object, embed, img, base").count() == 0
        assert wrong == []
        assert [url for url in elsewhere if not url.startswith(("file:", "data:", "blob:"))] == []
        page.close()


def test_two_documents_side_by_side(enter, tmp_path):
    project = made(tmp_path, given=hostile_contents("preferences"), task="preferences", batch=2)
    with running(project.service) as address:
        ada = enter(None, project, address)
        for _ in range(few_or(4, len(PAYLOADS))):
            ada.page.evaluate("for (const box of document.querySelectorAll('details')) box.open = true")
            ada.press("1")
        ada.saved()
    project.service.close()


def test_text_is_shown_as_text(hostile, enter):
    grades = tuple(GradeWord(float(at), text) for at, text in enumerate(PAYLOADS[:4]))
    guidelines = as_text("\n\n".join(PAYLOADS)[:50_000]).replace("\0", "")
    changes = {"grades": grades, "guidelines": guidelines, "title": PAYLOADS[1]}
    hostile.service.change_settings(hostile.manager.number, **changes)
    ada = enter()
    assert PAYLOADS[0] in ada.text("button[value='0']")
    assert "</script>" in ada.text(".of")
    ada.press("i")
    guidelines = ada.text(".markdown")
    assert PAYLOADS[3] in guidelines
    assert "{{ 7 * 7 }}{% raw %}" in guidelines
    links = ada.page.eval_on_selector_all("a[href]", "links => links.map((link) => link.protocol)")
    assert set(links) <= {"http:", "https:"}


def test_the_policy_stops_what_would_run_in_spite_of_everything(chromium, hostile, site):
    ada = JudgeTab(chromium, hostile, site).enter()
    blocked = ada.page.evaluate(
        """() => {
          const holder = document.createElement("div");
          try { holder.innerHTML = "<img src=x onerror='window.__ran = 1'>"; return false; } catch { return true; }
        }"""
    )
    assert blocked
    with pytest.raises(Error, match="TrustedScriptURL"):
        ada.page.evaluate("document.createElement('script').src = 'http://192.0.2.1/x.js'")
    with pytest.raises(Error, match="TrustedScript"):
        ada.page.evaluate("document.createElement('button').setAttribute('onclick', 'window.__ran = 1')")
    assert ada.page.evaluate("window.__ran") is None
    ada.context.close()
