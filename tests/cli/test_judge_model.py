"""`cranfield judge model` and `cranfield judge trust`, as a user calls them."""

import json
import re

import pytest

from cranfield.assessing.contents import contents_of, judged_from_runs
from cranfield.assessing.project import new_project
from cranfield.assessing.store import create_store
from cranfield.formats import read_runs
from cranfield.show.answer import FORMS
from tests.model_judging.endpoint_server import serving


@pytest.fixture
def endpoint():
    with serving() as server:
        yield server


@pytest.fixture
def store(folder):
    names = [f"d{at}" for at in range(6)]
    documents = {name: {"title": "", "text": f"plot {at}"} for at, name in enumerate(names)}
    judged = judged_from_runs(read_runs({"run": {"q1": names}}), 6)
    contents, _ = contents_of(judged, queries={"q1": "beans"}, documents=documents)
    create_store(folder / "judging.db", new_project("garden"), contents).close()


@pytest.mark.usefixtures("store")
class TestJudgeModel:
    def test_labels_everything_and_says_where_text_goes_first(self, cranfield, endpoint):
        call = ("judge", "model", "judging.db", "--model", "tiny", "--base-url", endpoint.url, "--price", "1,2")
        shown = cranfield(*call, "--format", "json")
        assert shown.returncode == 0, shown.stderr
        assert shown.stderr.startswith("6 documents (about ")
        assert "stays on this machine" in shown.stderr.splitlines()[0]
        answer = json.loads(shown.stdout)
        assert (answer["labels"], answer["left"]) == (6, 0)
        assert answer["cost"] == pytest.approx((600 + 2 * 30) / 1e6)

    def test_documents_leave_the_machine_only_if_asked_to(self, cranfield):
        shown = cranfield("judge", "model", "judging.db", "--model", "tiny", "--base-url", "https://api.example.com/v1")
        assert shown.returncode == 2
        assert "--yes" in shown.stderr

    def test_an_endpoint_that_refuses_stops_it_with_exit_1(self, cranfield, endpoint, folder):
        (folder / "prompt.txt").write_text("[forbidden] {query} {passage}")
        call = ("judge", "model", "judging.db", "--model", "tiny", "--base-url", endpoint.url)
        shown = cranfield(*call, "--prompt", "prompt.txt", "--format", "table")
        assert shown.returncode == 1
        assert "Stopped early" in shown.stdout

    @pytest.mark.parametrize("price", ["1", "a,b", "-1,2", "1,2,3", "inf,0"])
    def test_prices_are_two_numbers(self, cranfield, endpoint, price):
        call = ("judge", "model", "judging.db", "--model", "tiny", "--base-url", endpoint.url)
        assert cranfield(*call, "--price", price).returncode == 2

    def test_trust_needs_labels_of_people(self, cranfield, endpoint):
        cranfield("judge", "model", "judging.db", "--model", "tiny", "--base-url", endpoint.url)
        shown = cranfield("judge", "trust", "judging.db")
        assert shown.returncode == 3
        assert "drawn at random" in shown.stderr

    def test_a_store_that_is_none_is_refused(self, cranfield):
        assert cranfield("judge", "model", "qrels.txt", "--model", "tiny").returncode == 3


def test_a_pool_becomes_a_store(cranfield, endpoint, folder):
    (folder / "pool.csv").write_text("query,query_text,document,text\nq1,beans,d1,plot 1\nq1,beans,d2,plot 2\n")
    call = ("judge", "model", "pool.csv", "--model", "tiny", "--base-url", endpoint.url, "--store", "labels.db")
    shown = cranfield(*call, "--format", "json")
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout)["labels"] == 2
    assert (folder / "labels.db").exists()


@pytest.mark.usefixtures("store")
def test_the_stand_in_needs_no_endpoint(cranfield):
    shown = cranfield("judge", "model", "judging.db", "--model", "demo", "--probes", "2", "--format", "json")
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout)["judge"].startswith("model:demo@default-")


class TestJudgmentsOfAModelAlone:
    """Whoever reads a score is told that no person judged, whatever the form."""

    @pytest.fixture(autouse=True)
    def files(self, folder):
        (folder / "model.txt").write_text("q1 model:tiny@default-0 d1 1\nq1 model:tiny@default-0 d2 0\n")
        (folder / "people.txt").write_text("q1 0 d1 1\nq1 0 d2 0\n")
        for name in ("a", "b"):
            (folder / f"{name}.run").write_text(f"q1 Q0 d1 1 2 {name}\nq1 Q0 d2 2 1 {name}\n")

    @pytest.mark.parametrize("form", FORMS)
    @pytest.mark.parametrize("command", ["evaluate", "compare"])
    def test_every_format_says_so(self, cranfield, command, form):
        shown = cranfield(command, "model.txt", "a.run", "b.run", "--format", form)
        assert "all judgments come from a model" in " ".join((shown.stdout + shown.stderr).split())
        shown = cranfield(command, "people.txt", "a.run", "b.run", "--format", form)
        assert "come from a model" not in " ".join((shown.stdout + shown.stderr).split())

    def test_a_report_says_so(self, cranfield, folder):
        cranfield("report", "model.txt", "a.run", "b.run", "-o", "report.html")
        assert "all judgments come from a model" in (folder / "report.html").read_text()

    def test_they_correct_nothing(self, cranfield):
        shown = cranfield("correct", "model.txt", "people.txt", "a.run")
        assert shown.returncode == 3
        assert "only judgments of people can correct a model" in shown.stderr


def test_after_the_first_answers_it_is_told_how_long_the_rest_takes_and_what_it_costs(cranfield, endpoint, folder):
    (folder / "pool.csv").write_text("query,document,text\n" + "".join(f"q1,d{at},plot {at}\n" for at in range(30)))
    call = ("judge", "model", "pool.csv", "--model", "tiny", "--base-url", endpoint.url, "--price", "1000,2")
    shown = cranfield(*call, "--store", "a.db").stderr.splitlines()
    assert re.search(r"about ([0-9,]+) tokens, about [0-9.]+ for what is sent", shown[0])
    assert re.search(r"^20 of 30, about .* left, about [0-9.]+ to send$", shown[1])
    assert len(cranfield(*call, "--store", "b.db", "--quiet").stderr.splitlines()) < len(shown)
