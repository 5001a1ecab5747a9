"""The manager's pages: what labels do, how far everybody is, decisions, corrections, judges, settings, files."""

import json
import re

import pytest
from starlette.testclient import TestClient

import cranfield as cf
from cranfield.assessing.events import NewEvent
from cranfield.assessing.export import exports_of
from cranfield.assessing.submission import Submission
from cranfield.assessing.web.access import access_at
from cranfield.assessing.web.app import create_app
from tests.assessing.web.site import ORIGIN, JudgeTab, made, running, with_team
from tests.reporting.test_accessibility import violations

READERS = {"labels.csv": cf.read_labels, "labels.qrels": cf.read_labels, "judgments.qrels": cf.read_judgments}


@pytest.fixture
def team(tmp_path):
    """Three judges who labelled the same documents, and differ about every third."""
    team = with_team(tmp_path)
    app = create_app(team.service, access_at(team.service.project.id, "127.0.0.1", 8765), team.effect)
    team.client = TestClient(app, base_url=ORIGIN, follow_redirects=False)
    team.client.get(f"/as/{team.manager_token}")
    yield team
    team.service.close()


def text_of(answer):
    assert answer.status_code == 200
    text = re.sub(r"<(script|svg).*?</\\1>", " ", answer.text, flags=re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


class TestProgress:
    def test_the_sentence_comes_first_and_is_the_librarys(self, team):
        (pair,) = team.effect.summary().pairs
        page = text_of(team.client.get("/progress"))
        assert pair.sentence().partition(". ")[0] in page
        assert page.index("is ahead of") < page.index("median seconds")

    def test_disagreements_that_nobody_decided_on_are_counted_next_to_what_is_certain(self, team):
        assert "10 disagreements not decided yet: a decision can change a grade" in text_of(
            team.client.get("/progress")
        )
        for item in range(3, 33, 3):
            team.client.post("/adjudicate", data={"item": str(item), "grade": "2", "key": f"{item}" * 20})
        assert "not decided yet" not in text_of(team.client.get("/progress"))

    def test_the_range_is_drawn_beside_the_interval_over_queries(self, team):
        page = team.client.get("/progress").text
        assert page.count("<polygon") == 1
        assert "With the labels so far, the difference of" in page

    def test_judges_have_their_numbers_and_agreement_its_interval(self, team):
        page = text_of(team.client.get("/progress"))
        for name in ("Ada", "Ben", "Cleo"):
            assert f"{name} 30 30 4 " in page
        assert "95% interval" in page
        assert "Ada and Ben" in page

    def test_code_asks_whether_anything_happened(self, team):
        seq = team.client.get("/progress.json").json()["seq"]
        assert team.client.get(f"/progress.json?after={seq}").json()["changed"] is False
        item, judge = 40, team.people[0].number
        team.service.record(judge, Submission("new" * 9, item, "label", 1.0))
        answer = team.client.get(f"/progress.json?after={seq}").json()
        assert answer["changed"] is True
        json.dumps(answer, allow_nan=False)


class TestTrust:
    def test_without_a_model_the_page_says_how_to_ask_one(self, team):
        page = text_of(team.client.get("/trust"))
        assert "no model has given any labels here" in page
        assert "cranfield judge model STORE --model NAME" in page

    def test_shows_what_the_command_shows(self, team):
        model, _ = team.service.add_judge("model:tiny@default-0", "model")
        labels = [NewEvent(f"m{item}", model.number, item, "label", float(item % 2)) for item in range(1, 41)]
        for appended in team.service.store.append_many(labels):
            team.service.state.apply(appended.event)
        answer = cf.trust(team.service.store, used_by=["otherrun"])
        page = text_of(team.client.get("/trust?used_by=otherrun&used_by=nobody"))
        shown = page.replace("\u2068", "").replace("\u2069", "")
        for sentence in answer.remarks():
            assert sentence.replace("`", "") in shown.replace(" , ", ", ")  # what is in backticks is code
        assert "otherrun may use the same model" in shown
        for title, tables in answer.parts():
            assert title in shown
            for table in tables:
                assert all(f" {name} " in shown for name in table.columns)

    def test_a_model_that_is_not_there_is_not_asked_for(self, team):
        assert team.client.get("/trust?model=nobody&used_by=%00").status_code == 200


class TestDecisions:
    def test_those_that_change_most_come_first_with_names_hidden(self, team):
        page = team.client.get("/disagreements").text
        assert "10 documents, those first" in page
        told, names = page.split("Show names")
        assert not re.search("Ada|Ben|Cleo", told)
        assert "A is" in text_of(team.client.get("/disagreements"))
        assert "Ben" in names

    def test_what_each_judge_said_is_shown_with_note_and_time(self, team):
        page = text_of(team.client.get("/disagreements?item=3"))
        assert "A: 1 somewhat relevant 4 s" in page
        assert "in passing" in page

    def test_a_decision_counts_and_goes_on_to_the_next(self, team):
        sent = {"item": "3", "grade": "2", "reason": "guidelines", "note": "see 4.2", "key": "d" * 20}
        answer = team.client.post("/adjudicate", data=sent)
        assert (answer.status_code, answer.headers["location"]) == (303, "/disagreements")
        assert team.service.state.merged(3) == 2.0
        assert "9 documents" in team.client.get("/disagreements").text
        assert "Decided: 2" in text_of(team.client.get("/disagreements?decided=1"))
        assert "guidelines 1" in text_of(team.client.get("/progress"))

    def test_a_decision_sent_twice_is_one(self, team):
        sent = {"item": "3", "grade": "2", "reason": "slip", "key": "d" * 20}
        before = team.service.state.seq
        assert [team.client.post("/adjudicate", data=sent).status_code for _ in range(2)] == [303, 303]
        assert team.service.state.seq == before + 1

    def test_nothing_is_decided_before_everybody_has_judged(self, team):
        team.service.record(team.people[0].number, Submission("early" * 5, 50, "label", 1.0))
        answer = team.client.post("/adjudicate", data={"item": "50", "grade": "2", "key": "e" * 20})
        assert answer.status_code == 409
        assert team.service.state.merged(50) == 1.0

    def test_near_grades_are_accepted_at_once(self, team):
        for judge in team.people[2:]:
            now = team.service.state.current(3, judge.number)
            team.service.record(judge.number, Submission("near" * 6, 3, "label", 2.0, now.seq))
        assert "for 1 document whose grades" in text_of(team.client.get("/disagreements"))
        assert team.client.post("/adjudicate", data={"accept": "near", "key": "n" * 20}).status_code == 303
        assert team.service.state.adjudicated == {3: team.manager.number}
        assert team.service.state.merged(3) == 2.0

    @pytest.mark.parametrize(
        "wrong",
        [{"grade": ""}, {"grade": "9"}, {"item": ""}, {"item": "9999"}, {"reason": "mood"}, {"note": "x" * 2001}],
    )
    def test_a_decision_that_makes_no_sense_is_refused(self, team, wrong):
        before = team.service.state.seq
        sent = {"item": "3", "grade": "2", "reason": "slip", "key": "w" * 20, **wrong}
        assert team.client.post("/adjudicate", data=sent).status_code in (404, 413, 422)
        assert team.service.state.seq == before


class TestCorrections:
    def test_labels_are_filtered_by_judge_query_and_grade(self, team):
        number = team.people[1].number
        assert "90 labels" in team.client.get("/labels").text
        assert "30 labels" in team.client.get(f"/labels?judge={number}").text
        assert "30 labels" in team.client.get("/labels?query=q1").text
        assert "0 labels" in team.client.get("/labels?query=nothing").text
        assert "10 labels" in team.client.get(f"/labels?judge={number}&grade=0").text

    def test_many_grades_are_changed_at_once_and_changed_back(self, team):
        number = team.people[1].number
        before = team.service.state.current(2, number)
        sent = {"judge": str(number), "query": "q1", "grade": "", "to": "3", "key": "b" * 20}
        page = text_of(team.client.post("/bulk", data=sent))
        assert "10 labels changed." in page
        assert team.service.state.current(2, number).grade == 3.0
        assert "10 labels restored." in text_of(team.client.post("/bulk", data={"undo": "b" * 20}))
        assert team.service.state.current(2, number).grade == before.grade

    def test_nothing_is_changed_before_somebody_chose_to_what(self, team):
        before = team.service.state.seq
        assert team.client.post("/bulk", data={"to": "", "key": "b" * 20}).status_code == 422
        assert team.service.state.seq == before

    def test_many_grades_are_cleared(self, team):
        number = team.people[1].number
        team.client.post("/bulk", data={"judge": str(number), "query": "q1", "to": "clear", "key": "c" * 20})
        assert team.service.state.current(2, number).kind == "clear"


class TestTeam:
    def test_a_new_judge_gets_a_link_that_is_shown_once(self, team):
        page = team.client.post("/judges", data={"name": "Dora"}).text
        link = re.search(rf'value="({ORIGIN}/as/([^"]+))"', page)
        assert team.service.judge_of(link[2]).name == "Dora"
        assert link[2] not in team.client.get("/team").text

    def test_one_name_is_one_judge(self, team):
        answer = team.client.post("/judges", data={"name": " ADA "})
        assert answer.status_code == 400
        assert len(team.service.judges) == 4

    def test_a_link_is_renewed_and_a_judge_switched_off_and_on(self, team):
        judge, token = team.service.add_judge("Eve")
        page = team.client.post("/links", data={"judge": str(judge.number)}).text
        assert team.service.judge_of(token) is None
        token = re.search(rf"{ORIGIN}/as/([^\"]+)", page)[1]
        team.client.post("/judges", data={"judge": str(judge.number), "off": "1"})
        assert team.service.judge_of(token) is None
        team.client.post("/judges", data={"judge": str(judge.number), "off": "0"})
        assert team.service.judge_of(token).name == "Eve"

    def test_settings_hold_from_now_on(self, team):
        sent = {"title": "New", "labels": "4", "guidelines": "# More", "grades": "0=no,1=perhaps,2=yes,3=very"}
        assert team.client.post("/settings", data=sent).status_code == 303
        project = team.service.project
        assert (project.title, project.labels, project.guidelines) == ("New", 4, "# More")
        assert [grade.word for grade in project.grades] == ["no", "perhaps", "yes", "very"]

    def test_settings_that_are_none_are_refused_in_words(self, team):
        answer = team.client.post("/settings", data={"grades": "0=no,0=yes"})
        assert answer.status_code == 400
        assert "each grade comes once" in answer.text
        assert team.client.post("/settings", data={"labels": "0"}).status_code == 400


class TestExport:
    def test_every_file_of_the_list_is_there_and_no_other(self, team):
        team.client.post("/adjudicate", data={"item": "3", "grade": "2", "key": "x" * 20})
        page = team.client.get("/export").text
        for name in exports_of("grades"):
            assert f'href="/export/{name}"' in page
            answer = team.client.get(f"/export/{name}")
            assert answer.status_code == 200
            assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
            assert len(answer.text.splitlines()) > 1
        assert team.client.get("/export/preferences.qrels").status_code == 404

    def test_files_are_read_by_the_library(self, team, tmp_path):
        for name, read in READERS.items():
            (tmp_path / name).write_text(team.client.get(f"/export/{name}").text)
            assert len(read(tmp_path / name).queries) == 3

    def test_without_labels_it_says_so(self, tmp_path_factory):
        empty = made(tmp_path_factory.mktemp("empty"))
        app = create_app(empty.service, access_at(empty.service.project.id, "127.0.0.1", 8765))
        client = TestClient(app, base_url=ORIGIN, follow_redirects=False)
        client.get(f"/as/{empty.manager_token}")
        assert client.get("/export/labels.qrels").status_code == 422
        assert client.get("/progress").status_code == 200
        empty.service.close()


class TestInABrowser:
    def test_keys_decide_and_the_next_comes(self, team, chromium):
        with running(team.service, effect=team.effect) as address:
            boss = JudgeTab(chromium, team, address, (team.manager, team.manager_token), bypass_csp=True).enter()
            boss.go("/disagreements")
            assert violations(boss.page) == []
            first = boss.page.input_value("input[name=item]")
            boss.page.keyboard.press("g")
            assert boss.page.is_checked("input[value=guidelines]")
            boss.page.keyboard.press("2")
            boss.page.wait_for_selector(f"input[name=item]:not([value='{first}'])", state="attached")
            assert team.service.state.merged(int(first)) == 2.0
            assert boss.wrong == []
            boss.page.wait_for_selector(boss.ready)
            boss.page.focus("input[name=note]")
            boss.page.keyboard.press("3")
            assert boss.page.input_value("input[name=note]") == "3"
            assert len(team.service.state.adjudicated) == 1
            boss.context.close()

    def test_numbers_follow_the_labels(self, team, chromium):
        with running(team.service, effect=team.effect) as address:
            boss = JudgeTab(chromium, team, address, (team.manager, team.manager_token)).enter()
            assert "90 of" in boss.text("#progress")
            team.service.record(team.people[0].number, Submission("live" * 6, 60, "label", 1.0))
            boss.page.click("#by-query summary")
            boss.page.focus("nav a")
            boss.page.wait_for_function("() => document.getElementById('progress').textContent.includes('91 of')")
            assert boss.page.locator("#by-query table").is_visible()
            assert boss.wrong == []
            boss.context.close()
