"""`cranfield correct`, as a user calls it."""

import json

import pytest

from cranfield import demo
from cranfield.assessing.events import NewEvent
from cranfield.assessing.project import new_project
from cranfield.assessing.service import Service, Submission
from cranfield.assessing.store import create_store
from cranfield.show.answer import FORMS
from tests.assessing.conftest import RUNS as COLLECTION_RUNS
from tests.assessing.conftest import garden as collection

RUNS = ("bm25.run", "hybrid.run")


@pytest.fixture(autouse=True)
def garden(folder):
    """The garden: people judged every third query, and a model that overrates judged all."""
    for name in (*RUNS, "qrels.txt"):
        (folder / name).write_text(demo.path(name).read_text())
    people, model = [], []
    for at, line in enumerate(demo.path("qrels.txt").read_text().splitlines()):
        query, zero, document, grade = line.split()
        if int(query[1:]) % 3 == 0:
            people.append(line)
        model.append(f"{query} {zero} {document} {min(3, int(grade) + (at % 4 == 0))}")
    (folder / "people.txt").write_text("\n".join(people) + "\n")
    (folder / "model.txt").write_text("\n".join(model) + "\n")


def test_says_which_run_is_better_and_what_the_labels_are_worth(cranfield):
    shown = cranfield("correct", "people.txt", "model.txt", *RUNS, "--format", "table")
    assert shown.returncode == 0
    assert "hybrid" in shown.stdout.split("\n")[0]
    assert "judged by people counts as" in " ".join(shown.stdout.split())


def test_the_interval_holds_the_value_of_people_s_judgments(cranfield):
    shown = cranfield("correct", "people.txt", "model.txt", *RUNS, "-m", "P@10", "--format", "json")
    scores = {(score["run"], score["baseline"]): score for score in json.loads(shown.stdout)["scores"]}
    assert scores["bm25", None]["low"] < 0.2786 < scores["bm25", None]["high"]
    assert scores["bm25", None]["model"]["low"] > 0.2786  # as the model's labels alone do not


@pytest.mark.parametrize("form", FORMS)
def test_every_format_has_means_and_differences(cranfield, form):
    shown = cranfield("correct", "people.txt", "model.txt", *RUNS, "--format", form)
    assert shown.returncode == 0
    assert "hybrid" in shown.stdout


def test_people_who_judged_everything_need_no_model(cranfield):
    shown = cranfield("correct", "qrels.txt", "model.txt", *RUNS)
    assert shown.returncode == 3
    assert "nothing to correct" in shown.stderr


def test_an_unknown_baseline_is_refused(cranfield):
    shown = cranfield("correct", "people.txt", "model.txt", *RUNS, "--baseline", "hybrit")
    assert shown.returncode == 2
    assert "Did you mean hybrid?" in shown.stderr


class TestDocuments:
    """`cranfield correct documents`."""

    @pytest.fixture
    def sample(self, cranfield, folder):
        strata = ("--strategy", "sample", "--strata", "5:0.6,10:0.4")
        assert cranfield("pool", *RUNS, *strata, "-o", "sample.txt", "--quiet").returncode == 0
        grades = {}
        for line in (folder / "qrels.txt").read_text().splitlines():
            query, _, document, grade = line.split()
            grades[query, document] = grade
        lines = []
        for line in (folder / "sample.txt").read_text().splitlines():
            fields = line.split()
            grade = grades.get((fields[0], fields[2]), "0")
            lines.append(line if len(fields) == 5 else f"{line} {grade}")
        (folder / "sample.txt").write_text("\n".join(lines) + "\n")

    @pytest.mark.usefixtures("sample")
    def test_labels_of_a_sample_that_pool_drew_correct_the_model(self, cranfield):
        shown = cranfield("correct", "documents", "sample.txt", "model.txt", *RUNS, "--format", "json")
        assert shown.returncode == 0, shown.stderr
        scores = {(score["run"], score["baseline"]): score for score in json.loads(shown.stdout)["scores"]}
        assert scores["bm25", None]["low"] < 0.2786 < scores["bm25", None]["high"]
        assert scores["bm25", None]["model"]["value"] > scores["bm25", None]["high"]

    def test_judgments_without_strata_are_refused(self, cranfield):
        shown = cranfield("correct", "documents", "qrels.txt", "model.txt", *RUNS)
        assert shown.returncode == 3
        assert "cranfield pool --strategy sample" in shown.stderr

    def test_a_measure_that_is_no_sum_is_refused(self, cranfield):
        shown = cranfield("correct", "documents", "qrels.txt", "model.txt", *RUNS, "-m", "AP")
        assert shown.returncode == 2
        assert "not a sum over documents" in shown.stderr


class TestStore:
    """People's labels and a model's, both from a judging project."""

    @pytest.fixture
    def store(self, folder):
        """Six queries of which people judged three completely; a model judged all."""
        return self.judged(folder, queries=4)

    def judged(self, folder, *, queries, strategy="depth", model=True):
        contents = collection()
        service = Service(create_store(folder / "judging.db", new_project("garden", strategy=strategy), contents))
        ada, _ = service.add_judge("ada")
        machine, _ = service.add_judge("model:tiny@default-0", "model")
        seen = set()
        while (cards := service.cards(ada.number, "tab", 1)) and len(seen | {cards[0].query}) <= queries:
            seen.add(cards[0].query)
            grade = float(int(cards[0].document_name[1:]) % 2)
            service.record(ada.number, Submission(f"k{cards[0].item}", cards[0].item, "label", grade))
        for item in range(1, len(service.items) + 1) if model else ():
            service.store.append(NewEvent(f"m{item}", machine.number, item, "label", float(item % 3 > 0), how="model"))
        service.close()
        for name, run in COLLECTION_RUNS.items():
            lines = [f"{query} Q0 {d} 1 {-at} {name}" for query, of in run.items() for at, d in enumerate(of)]
            (folder / f"{name}.run").write_text("\n".join(lines) + "\n")

    @pytest.mark.usefixtures("store")
    def test_queries_that_people_judged_completely_correct_the_model(self, cranfield):
        shown = cranfield("correct", "judging.db", "bm25.run", "dense.run", "-m", "P@10", "--format", "json")
        assert shown.returncode == 0, shown.stderr
        assert json.loads(shown.stdout)["judged"] == {"unit": "query", "people": 4, "model_only": 2}

    def test_labels_that_were_not_drawn_at_random_are_refused(self, cranfield, folder):
        self.judged(folder, queries=6, strategy="comparison")
        shown = cranfield("correct", "judging.db", "bm25.run", "-m", "P@10")
        assert shown.returncode == 3
        assert "not a random sample" in shown.stderr

    def test_without_a_complete_query_there_is_nothing_to_correct_by(self, cranfield, folder):
        self.judged(folder, queries=0)
        shown = cranfield("correct", "judging.db", "bm25.run", "-m", "P@10")
        assert shown.returncode == 3
        assert "no query completely" in shown.stderr

    def test_without_labels_of_a_model_too(self, cranfield, folder):
        self.judged(folder, queries=2, model=False)
        shown = cranfield("correct", "judging.db", "bm25.run", "-m", "P@10")
        assert shown.returncode == 3
        assert "no model has given any labels" in shown.stderr

    def test_judgments_of_a_model_alone_are_evaluated_with_a_warning(self, cranfield, folder):
        self.judged(folder, queries=0)
        shown = cranfield("evaluate", "judging.db", "bm25.run", "-m", "P@10", "--format", "table")
        assert shown.returncode == 0, shown.stderr
        assert "all judgments come from a model (model:tiny@default-0)" in " ".join(shown.stdout.split())
