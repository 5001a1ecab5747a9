"""What is asked of the server, of every route there is: by its own names, from its own pages, for its own files."""

import json
import urllib.request

import pytest

from cranfield.assessing.web.access import WrongLinks, access_at, public_origin
from cranfield.assessing.web.app import create_app
from tests.assessing.web.site import HOST, ORIGIN, asked, routes, running, unsafe

FOREIGN_HOSTS = [
    [],
    ["127.0.0.1:8765", "127.0.0.1:8765"],
    ["evil.example"],
    ["evil.example:8765"],
    ["127.0.0.1:8766"],
    ["127.0.0.1"],
    ["user@127.0.0.1:8765"],
    ["localhost.:8765"],
    ["[::2]:8765"],
    ["127.0.0.1:8765/x"],
    ["127.0.0.1:8765 "],
    ["a" * 10_000_000],
]
OWN_HOSTS = ["127.0.0.1:8765", "localhost:8765", "LOCALHOST:8765", "[::1]:8765"]


class TestHost:
    @pytest.mark.parametrize("hosts", FOREIGN_HOSTS, ids=lambda hosts: " and ".join(hosts)[:30] or "none")
    def test_no_route_answers_to_a_foreign_name(self, app, project, hosts):
        for method, path in [*routes(app), ("GET", "/nowhere")]:
            status, headers, body = asked(app, method, path, [("host", host) for host in hosts])
            assert status == 421, (method, path)
            assert b"Garden" not in body
            assert headers[b"x-content-type-options"] == b"nosniff"

    @pytest.mark.parametrize("host", OWN_HOSTS)
    def test_its_own_names_are_answered_to(self, app, host):
        assert asked(app, "GET", "/alive", [("host", host)])[0] == 200

    def test_behind_a_proxy_the_public_name_is_answered_to(self, project):
        access = access_at(project.service.project.id, "127.0.0.1", 8765, "https://Judging.example.org/")
        app = create_app(project.service, access)
        for host in ("judging.example.org", "judging.example.org:443", HOST):
            assert asked(app, "GET", "/alive", [("host", host)])[0] == 200
        assert asked(app, "GET", "/alive", [("host", "judging.example.org:80")])[0] == 421
        assert access.secure
        assert access.link("T") == "https://judging.example.org/as/T"

    @pytest.mark.parametrize(
        "url", ["judging.example.org", "ftp://a.b", "https://a.b/path", "https://u@a.b", "https://"]
    )
    def test_a_public_address_has_a_scheme_and_a_name_and_nothing_else(self, url):
        with pytest.raises(ValueError, match=url):
            public_origin(url)


SITES = ["cross-site", "same-site", "same-origin", "none", None]
ORIGINS = [ORIGIN, "http://127.0.0.1:8766", "http://localhost:9999", "null", "https://evil.example", None]
TYPES = ["application/x-www-form-urlencoded", "text/plain", "application/json"]


def is_own(site, origin):
    if site not in ("same-origin", "none", None):
        return False
    return origin in (ORIGIN, None) or (origin == "null" and site == "same-origin")


class TestOtherSites:
    @pytest.mark.parametrize("site", SITES)
    @pytest.mark.parametrize("origin", ORIGINS)
    def test_only_its_own_pages_write(self, app, judge, manager, project, site, origin):
        """A form of a page without referrer has the origin null: there the browser's word on the site decides."""
        headers = {name: value for name, value in (("sec-fetch-site", site), ("origin", origin)) if value is not None}
        before = project.service.state.seq
        for path in unsafe(app):
            for kind in TYPES:
                for client in (judge, manager):
                    status = client.post(path, content=b"{}", headers={**headers, "content-type": kind}).status_code
                    assert (status == 403) or is_own(site, origin), (path, kind)
        assert project.service.state.seq == before
        sent = {"key": f"{site}-{origin}"[:60], "item": 1, "kind": "label", "grade": 1}
        status = judge.post("/label", json=sent, headers=headers).status_code
        assert status == (200 if is_own(site, origin) else 403)
        assert len(project.said(judge.judge)) == (1 if is_own(site, origin) else 0)

    def test_what_is_neither_json_nor_a_form_is_refused(self, judge, project):
        sent = json.dumps({"key": "k", "item": 1, "kind": "label", "grade": 1})
        assert judge.post("/label", content=sent, headers={"content-type": "text/plain"}).status_code == 415
        assert judge.post("/label", content=sent).status_code == 415
        assert project.said(judge.judge) == []


class TestHeaders:
    def test_every_answer_has_them(self, app, judge):
        for method, path in routes(app):
            answer = judge.request(method, path, headers={"content-type": "application/json"})
            policy = answer.headers["content-security-policy"]
            for part in ("default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'"):
                assert part in policy
            assert "unsafe" not in policy
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["referrer-policy"] == "no-referrer"
            assert answer.headers["cross-origin-opener-policy"] == "same-origin"
            assert answer.headers["cross-origin-resource-policy"] == "same-origin"
            assert answer.headers["cache-control"] == "no-store"

    def test_files_whose_names_change_with_them_may_be_kept(self, judge):
        page = judge.get(judge.get("/").headers["location"]).text
        name = page.partition("/static/judge-")[2].partition('"')[0]
        answer = judge.get(f"/static/judge-{name}")
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["content-type"] == "text/javascript; charset=utf-8"

    def test_the_server_does_not_say_what_it_is(self, project):
        with running(project.service) as address:
            answer = urllib.request.urlopen(f"{address.url}/alive")
            assert answer.read() == b"alive"
            assert "server" not in answer.headers


TRAVERSALS = [
    "../pages.py",
    "..%2fpages.py",
    "%2e%2e/pages.py",
    "%2e%2e%2fpages.py",
    "%252e%252e%252fpages.py",
    "..\\pages.py",
    "..%5cpages.py",
    "....//pages.py",
    "/etc/passwd",
    "//etc/passwd",
    "%2fetc%2fpasswd",
    "c:\\windows\\win.ini",
    "c:%5cwindows%5cwin.ini",
    "\\\\host\\share",
    "judge.js",
    "judge.js%00.css",
    "%00",
    ".",
    "..",
    "~root",
    "pages.css",
    "static/pages.css",
    "templates/judge.html",
    "judge-.js",
    "judge-000000000000.js",
    "%2e%2e%5c%2e%2e%5cpages.py",
    "..%c0%afpages.py",
    "..%u2215pages.py",
    "%2e%2e%2f%2e%2e%2f%2e%2e%2fjudging.db",
    "..;/pages.py",
    "./pages.py",
    "pages.py%20",
    "pages.py::$DATA",
    "CON",
    "%5c%5c%3f%5cc:%5cboot.ini",
    "file:///etc/passwd",
    "%2e%2e%2fjudging.db-wal",
    "/proc/self/environ",
    "..%00/pages.py",
    "labels.csv/../../pages.py",
    "labels.csv%0d%0aset-cookie:x=1",
]


@pytest.mark.parametrize("name", TRAVERSALS)
@pytest.mark.parametrize("folder", ["/static/", "/export/"])
def test_no_name_from_outside_reaches_the_disk(app, judge, manager, folder, name):
    for client in (judge, manager):
        path = f"{folder}{name}"
        cookies = "; ".join(f"{key}={value}" for key, value in client.cookies.items())
        status, _, body = asked(app, "GET", path, [("host", HOST), ("cookie", cookies)])
        assert status in (303, 403, 404)
        assert b"import" not in body
        assert b"root:" not in body
        assert b"SQLite" not in body


class TestWrongLinks:
    def test_after_a_minute_links_are_tried_again(self):
        now = [0.0]
        links = WrongLinks(clock=lambda: now[0])
        for _ in range(10):
            links.add("10.0.0.1")
        assert links.blocked("10.0.0.1")
        assert not links.blocked("10.0.0.2")
        now[0] = 61.0
        assert not links.blocked("10.0.0.1")

    def test_the_memory_of_wrong_links_is_bounded(self):
        links = WrongLinks(addresses=100)
        for at in range(1000):
            links.add(f"10.0.{at // 256}.{at % 256}")
        assert len(links._tries) == 100
