"""The real server: where it listens, how it stops, and what becomes of labels when it is killed."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.request

import pytest

from cranfield.assessing.store import open_store
from cranfield.assessing.web import serving
from cranfield.errors import UsageError
from tests.assessing.web.site import JudgeTab, made

SERVER = """
import sys
from cranfield.assessing.service import Service
from cranfield.assessing.store import open_store
from cranfield.assessing.web import serving

service = Service(open_store(sys.argv[1]))
serving.serve(service, port=int(sys.argv[2]), ready=lambda address: print(address.url, flush=True))
service.close()
print("drained", flush=True)
"""


class Process:
    """A server in a process of its own, which can be killed."""

    def __init__(self, path, port=0):
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(path), str(port)], stdout=subprocess.PIPE, text=True
        )
        self.url = self.process.stdout.readline().strip()
        self.port = int(self.url.rpartition(":")[2])

    def stop(self, number):
        os.kill(self.process.pid, number)
        rest = self.process.communicate(timeout=30)[0]
        return self.process.returncode, rest


@pytest.fixture
def project(tmp_path):
    """A project whose store is free for another process, and what is needed to judge."""
    project = made(tmp_path)
    project.judge_of_test = project.judge("ada")
    project.service.close()
    return project


def label(url, token, key, item, grade):
    body = json.dumps({"key": key * 20, "item": item, "kind": "label", "grade": grade}).encode()
    headers = {"Content-Type": "application/json", "Cookie": f"{cookie(url, token)}"}
    return json.load(urllib.request.urlopen(urllib.request.Request(f"{url}/label", body, headers)))


def cookie(url, token):
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *args):
            return None

    try:
        urllib.request.build_opener(Stay).open(f"{url}/as/{token}")
    except urllib.error.HTTPError as error:
        return error.headers["set-cookie"].partition(";")[0]
    raise AssertionError("no redirect")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_what_follows_still_happens(project, tmp_path, number):
    server = Process(tmp_path / "judging.db")
    label(server.url, project.judge_of_test[1], "a", 1, 2)
    code, rest = server.stop(number)
    assert (code, rest) == (0, "drained\n")
    store = open_store(tmp_path / "judging.db", read_only=True)
    assert [event.grade for event in store.events() if event.kind == "label"] == [2.0]
    assert store.verify() == []
    store.close()


def test_a_page_outlives_a_server_that_is_killed(project, tmp_path, chromium):
    server = Process(tmp_path / "judging.db")
    judge, token = project.judge_of_test
    address = serving.Address(server.url, "127.0.0.1", server.port, is_public=False)
    ada = JudgeTab(chromium, project, address, (judge, token)).enter()
    first = ada.item()
    ada.press("1")
    ada.saved()
    server.stop(signal.SIGKILL)
    second = ada.item()
    ada.press("2")
    ada.saved("1 waiting to be saved")
    ada.troubled("No connection")
    server = Process(tmp_path / "judging.db", server.port)
    ada.page.evaluate("window.dispatchEvent(new Event('online'))")
    ada.saved()
    ada.context.close()
    assert server.stop(signal.SIGTERM)[0] == 0
    store = open_store(tmp_path / "judging.db", read_only=True)
    assert [(event.item, event.grade) for event in store.events() if event.kind == "label"] == [
        (first, 1.0),
        (second, 2.0),
    ]
    store.close()


def test_a_port_that_is_taken_is_passed_over():
    with serving.listening("127.0.0.1", None) as first, serving.listening("127.0.0.1", None) as second:
        assert first.getsockname()[1] != second.getsockname()[1]


def test_a_port_that_was_asked_for_and_is_taken_is_refused():
    with serving.listening("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"{port}.*another program"), serving.listening("127.0.0.1", port):
            pass


@pytest.mark.parametrize("host", ["no.such.host.invalid", "192.0.2.7"])
def test_an_address_that_is_not_here_is_refused(host):
    with pytest.raises(UsageError), serving.listening(host, None):
        pass


def test_all_addresses_are_found_by_the_one_others_use():
    with serving.listening("0.0.0.0", 0) as listener:
        address = serving.address_of("0.0.0.0", listener)
    assert address.is_public
    assert "0.0.0.0" not in address.url
    assert address.link("T") == f"{address.url}/as/T"


def test_a_wrong_public_address_is_refused():
    with serving.listening("127.0.0.1", 0) as listener, pytest.raises(UsageError, match="without a path"):
        serving.address_of("127.0.0.1", listener, "https://example.org/judging")


def test_it_can_end_by_itself(tmp_path):
    project = made(tmp_path)
    served = []
    options = {"port": 0, "ready": served.append, "until": lambda: bool(served)}
    thread = threading.Thread(target=serving.serve, args=(project.service,), kwargs=options, daemon=True)
    thread.start()
    thread.join(20)
    assert not thread.is_alive()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", served[0].port), timeout=1)
    project.service.close()
