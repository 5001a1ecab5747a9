"""A project, its server and a browser that tests share; each test has a judge of its own."""

import pytest
from starlette.testclient import TestClient

from cranfield.assessing.web.access import access_at
from cranfield.assessing.web.app import create_app
from tests.assessing.web.site import ORIGIN, JudgeTab, made, running


@pytest.fixture(scope="module")
def garden(tmp_path_factory):
    """A project for tests that each have a judge of their own."""
    garden = made(tmp_path_factory.mktemp("garden"))
    yield garden
    garden.service.close()


@pytest.fixture(scope="module")
def server(garden):
    with running(garden.service) as address:
        yield address


@pytest.fixture
def tab(chromium, garden, server):
    """Opens tabs; at the end nothing must have gone wrong in them, but for what a test took note of."""
    opened: list[JudgeTab] = []

    def open_it(**options) -> JudgeTab:
        opened.append(JudgeTab(chromium, garden, server, **options))
        return opened[-1]

    yield open_it
    for one in opened:
        assert one.wrong == []
        assert one.outside == []
    for context in {one.context for one in opened}:
        context.close()


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    project = made(tmp_path_factory.mktemp("project"))
    yield project
    project.service.close()


@pytest.fixture(scope="module")
def access(project):
    return access_at(project.service.project.id, "127.0.0.1", 8765)


@pytest.fixture(scope="module")
def app(project, access):
    return create_app(project.service, access)


@pytest.fixture
def client(app):
    return TestClient(app, base_url=ORIGIN, follow_redirects=False)


@pytest.fixture
def judge(client, project):
    """A client that has opened a judge's link."""
    judge, token = project.judge()
    assert client.get(f"/as/{token}").status_code == 303
    client.judge, client.token = judge, token
    return client


@pytest.fixture
def manager(app, project):
    client = TestClient(app, base_url=ORIGIN, follow_redirects=False)
    assert client.get(f"/as/{project.manager_token}").status_code == 303
    return client
