"""A model judges where three people rated 3,188 products: chorus-electronics, in `shared/data` next to the checkout."""

import csv
import random
import re

import pytest

import cranfield as cf
from cranfield.assessing.importing import import_file
from cranfield.assessing.opening import ProjectInputs, create_project
from cranfield.assessing.service import Service
from cranfield.assessing.store import open_store
from cranfield.demo.stand_in_judge import serving
from cranfield.model_judging.judge import ModelJudge
from cranfield.model_judging.judging import endpoint_of
from cranfield.model_judging.probes import probes
from cranfield.model_judging.prompts import default_prompt

PEOPLE = ("agent_1", "agent_2", "agent_3")
MEASURES = "nDCG@10 P@5"


@pytest.fixture(scope="module")
def rated(shared_data):
    """All ratings, with ids in place of the texts of queries."""
    with (shared_data / "07-judges" / "chorus-electronics" / "individual_ratings.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    ids = {query: f"q{at}" for at, query in enumerate(dict.fromkeys(row["query"] for row in rows))}
    return [{**row, "id": ids[row["query"]]} for row in rows]


@pytest.fixture(scope="module")
def runs(rated):
    """A run that finds words of the query in names, and one in the order of the file."""
    found = {"words": {}, "file": {}}
    for at, row in enumerate(rated):
        words = set(re.findall(r"\w+", row["query"].casefold()))
        shared = len(words & set(re.findall(r"\w+", row["name"].casefold())))
        found["words"].setdefault(row["id"], {})[row["docid"]] = shared - at / 1e6
        found["file"].setdefault(row["id"], {})[row["docid"]] = -float(at)
    return found


@pytest.fixture(scope="module")
def store(rated, runs, tmp_path_factory):
    """Everything labelled by all three people, and by the stand-in for a model."""
    folder = tmp_path_factory.mktemp("chorus")
    with (folder / "labels.csv").open("w", newline="") as file:
        labels = csv.writer(file)
        labels.writerow(["query", "document", "judge", "grade"])
        labels.writerows([row["id"], row["docid"], who, row[f"{who}_rating"]] for row in rated for who in PEOPLE)
    inputs = ProjectInputs(
        queries={row["id"]: row["query"] for row in rated},
        documents={row["docid"]: {"title": row["name"], "text": row["description"]} for row in rated},
        depth=1000,
        settings={"strategy": "depth"},
    )
    service = Service(create_project(folder / "judging.db", [runs], inputs).store)
    import_file(service, folder / "labels.csv")
    service.close()
    with serving() as url:
        store = open_store(folder / "judging.db")
        model = ModelJudge(store, endpoint_of("stand-in", url, "", 30), default_prompt(store.project()))
        model.run(model.to_ask())
        model.ask_again(probes(model, 10))
        store.close()
    return folder / "judging.db"


def test_the_trust_page_shows_what_is_known_about_these_people(store, shared_data):
    answer = cf.trust(store, samples=100)
    lines = (shared_data / "07-judges" / "reference.tsv").read_text().splitlines()
    known = {name: float(value) for _, name, value, _ in (line.split("\t") for line in lines if "cohen" in line)}
    assert answer.documents == 3188
    for pair in answer.between_people.pairs:
        numbers = ",".join(name[-1] for name in (pair.one, pair.other))
        assert pair.kappa.value == pytest.approx(known[f"cohen_kappa({numbers},weights=None)"], abs=1e-12)
        assert pair.linear.value == pytest.approx(known[f"cohen_kappa({numbers},weights=linear)"], abs=1e-12)


def test_the_trust_page_shows_that_the_stand_in_counts_words(store):
    answer = cf.trust(store, samples=100)
    assert answer.kappa.high < min(pair.linear.low for pair in answer.between_people.pairs)
    assert {probe.kind: probe.share for probe in answer.probes}["query words"] > 0.9
    slopes = {slope.by: slope for slope in answer.slopes}
    assert slopes["query words"].low > 0
    assert "should not be used here" in answer.verdict()


@pytest.mark.parametrize("only_these_queries", [False, True])
def test_the_corrected_interval_holds_the_value_of_people(store, runs, only_these_queries):
    """Of 30 draws of 30 queries, at least 9 in 10 intervals hold what people's judgments of all queries give."""
    judgments = cf.merge(store, judges=PEOPLE).judgments
    all_queries = cf.evaluate(judgments, runs, MEASURES)
    by_model = [name for name in cf.read_labels(store).judges if name.startswith("model:")]
    model = cf.evaluate(cf.merge(store, judges=by_model).judgments, runs, MEASURES)
    held, held_by_model = [], []
    for seed in range(30):
        drawn = random.Random(seed).sample(sorted(judgments), 30)
        people = cf.evaluate({query: judgments[query] for query in drawn}, runs, MEASURES)
        for score in cf.correct(people, model, only_these_queries=only_these_queries).scores:
            means = [all_queries.mean(score.measure, run).value for run in (score.run, score.baseline or score.run)]
            value = means[0] - means[1] if score.baseline else means[0]
            held.append(score.corrected.low <= value <= score.corrected.high)
            held_by_model.append(score.model.low <= value <= score.model.high)
    assert sum(held) / len(held) >= 0.9
    assert sum(held_by_model) / len(held_by_model) < 0.7
