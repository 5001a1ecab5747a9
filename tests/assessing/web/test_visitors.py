"""Who judges and who manages: by links, which no log and no answer ever shows."""

import logging
import socket
import urllib.error
import urllib.request

import pytest
from starlette.testclient import TestClient

from cranfield.assessing.web.access import access_at
from cranfield.assessing.web.app import create_app
from tests.assessing.web.site import ORIGIN, running, unsafe

JUDGES_ROUTES = ["/", "/list", "/next?tab=0123456789abcdef", "/mine", "/text?item=1", "/guidelines"]
MANAGERS_ROUTES = [
    "/progress",
    "/progress.json",
    "/disagreements",
    "/labels",
    "/trust",
    "/team",
    "/export",
    "/export/events.jsonl",
]


class TestLinks:
    def test_a_link_sets_a_cookie_and_leaves_its_address(self, client, project, access):
        _, token = project.judge()
        answer = client.get(f"/as/{token}")
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith(f"cranfield-{project.service.project.id}=")
        for part in ("HttpOnly", "SameSite=lax", "Path=/"):
            assert part in cookie
        assert "Secure" not in cookie
        assert int(cookie.partition("Max-Age=")[2].partition(";")[0]) >= 30 * 86_400

    def test_behind_https_the_cookie_is_sent_over_https_alone(self, project):
        access = access_at(project.service.project.id, "127.0.0.1", 8765, "https://judging.example.org")
        client = TestClient(create_app(project.service, access), "https://judging.example.org", follow_redirects=False)
        assert "Secure" in client.get(f"/as/{project.judge()[1]}").headers["set-cookie"]

    @pytest.mark.parametrize("path", [*JUDGES_ROUTES, *MANAGERS_ROUTES])
    def test_without_a_link_there_is_no_answer(self, client, path):
        answer = client.get(path)
        assert answer.status_code == 401
        assert "Open the link that you were given" in answer.text
        assert "How much" not in answer.text

    def test_without_a_link_nothing_is_stored(self, app, client, project):
        before = project.service.state.seq
        for path in unsafe(app):
            status = client.post(path, json={"key": "k", "item": 1, "kind": "label", "grade": 1}).status_code
            assert status == (403 if path == "/model" else 401)  # which programs ask that have no link
        assert project.service.state.seq == before

    @pytest.mark.parametrize("path", MANAGERS_ROUTES)
    def test_a_judge_gets_no_page_of_a_manager(self, judge, path):
        assert judge.get(path).status_code == 403

    @pytest.mark.parametrize("path", ["/adjudicate", "/bulk", "/judges", "/links", "/settings"])
    def test_a_judge_does_nothing_that_is_a_managers(self, judge, project, path):
        before = project.service.state.seq
        assert judge.post(path, json={"name": "eve", "judge": 1, "to": "3", "title": "x"}).status_code == 403
        assert project.service.state.seq == before

    def test_a_manager_in_the_same_browser_is_a_judge_too(self, judge, project):
        assert judge.get(f"/as/{project.manager_token}").headers["location"] == "/progress"
        assert judge.get("/team").status_code == 200
        assert judge.get("/").status_code == 303

    def test_a_manager_who_is_no_judge_sees_the_progress(self, manager):
        assert manager.get("/").headers["location"] == "/progress"

    def test_a_renewed_link_ends_the_old_one_at_once(self, judge, project):
        project.service.renew_link(judge.judge.number)
        assert judge.get("/next?tab=0123456789abcdef").status_code == 401
        assert judge.get(f"/as/{judge.token}").status_code == 404

    def test_a_judge_who_is_switched_off_stores_nothing(self, judge, project):
        project.service.set_off(judge.judge.number, off=True)
        sent = {"key": "off", "item": 1, "kind": "label", "grade": 1}
        assert judge.post("/label", json=sent).status_code in (401, 403)
        assert project.said(judge.judge) == []

    def test_nobody_reads_a_document_that_was_not_handed_to_them(self, judge):
        assert judge.get("/text?item=119").status_code == 404

    def test_nobody_labels_in_the_name_of_another(self, judge, project):
        other, _ = project.judge()
        sent = {"key": "own", "item": 1, "kind": "label", "grade": 1, "judge": other.number}
        assert judge.post("/label", json=sent).status_code == 200
        assert project.said(other) == []
        assert len(project.said(judge.judge)) == 1

    def test_ten_wrong_links_a_minute_and_no_more(self, app, access, project):
        client = TestClient(app, base_url=ORIGIN, follow_redirects=False)
        access.wrong_links._tries.clear()
        assert [client.get(f"/as/wrong{at}").status_code for at in range(10)] == [404] * 10
        assert client.get(f"/as/{project.judge()[1]}").status_code == 429
        access.wrong_links._tries.clear()


def test_no_link_is_in_any_log_or_answer(project, caplog, capfd):
    _, token = project.judge()
    with caplog.at_level(logging.DEBUG), running(project.service) as address:
        for path in (f"/as/{token}", f"/as/{token}x", f"/as/{token}/../x", "/"):
            request = urllib.request.Request(address.url + path, headers={"Cookie": f"x={token}"})
            try:
                body = urllib.request.urlopen(request).read()
            except urllib.error.HTTPError as error:
                body = error.read()
            assert token.encode() not in body
        with socket.create_connection((address.host, address.port)) as broken:
            broken.sendall(f"GET /as/{token} nonsense\r\n\r\n".encode())
            broken.recv(1000)
    assert token not in caplog.text
    assert token not in "".join(capfd.readouterr())


def test_an_error_of_the_server_is_told_in_words_and_logged_without_the_address(project, access, caplog, monkeypatch):
    _, token = project.judge()
    app = create_app(project.service, access)
    client = TestClient(app, base_url=ORIGIN, follow_redirects=False)
    monkeypatch.setattr(type(project.service), "judge_of", lambda self, token: 1 / 0)
    answer = client.get(f"/as/{token}")
    assert answer.status_code == 500
    assert "What was saved stays saved" in answer.text
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert "ZeroDivisionError" in caplog.text
    assert token not in caplog.text
