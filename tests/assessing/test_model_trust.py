"""Can a model judge here?"""

import json
import random

import pytest

from cranfield import demo
from cranfield.assessing.contents import contents_of, judged_from_runs
from cranfield.assessing.events import ModelAnswer, NewEvent
from cranfield.assessing.model_trust import TrustWatch, trust
from cranfield.assessing.project import new_project
from cranfield.assessing.service import Service, Submission
from cranfield.assessing.store import create_store, open_store
from cranfield.assessing.trust_answer import PROBES
from cranfield.demo.stand_in_judge import serving
from cranfield.errors import DataError
from cranfield.formats import read_judgments, read_runs
from cranfield.model_judging.judge import ModelJudge
from cranfield.model_judging.judging import endpoint_of, judge_with_model
from cranfield.model_judging.probes import probes, repeats
from cranfield.model_judging.prompts import default_prompt

RUNS = ("bm25", "hybrid", "dense")


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """The garden, labelled by two people who err a little, and by the stand-in for a model."""
    path = tmp_path_factory.mktemp("trust") / "judging.db"
    from_runs = judged_from_runs(read_runs([str(demo.path(f"{name}.run")) for name in RUNS]), 5)
    texts = {"queries": str(demo.path("queries.tsv")), "documents": str(demo.path("documents.jsonl"))}
    contents, _ = contents_of(from_runs, **texts)
    service = Service(create_store(path, new_project("garden", labels=2), contents))
    truth, rng = read_judgments(str(demo.path("qrels.txt"))), random.Random(1)
    for name in ("ada", "ben"):
        judge, _ = service.add_judge(name)
        for at in range(150):
            (card,) = service.cards(judge.number, "tab", 1)
            grade = truth[card.query_name].get(card.document_name, 0.0)
            if rng.random() < 0.1:
                grade = min(3.0, grade + 1)
            service.record(judge.number, Submission(f"{name}-{at}", card.item, "label", grade))
    service.close()
    with serving() as url:
        judge_with_model(path, "stand-in", base_url=url, key="")
        store = open_store(path)
        model = ModelJudge(store, endpoint_of("stand-in", url, "", 10), default_prompt(store.project()))
        model.ask_again(probes(model, 10))
        model.ask_again(repeats(model, 0.05, [item for item, by, _ in store.current() if by == model.judge().number]))
        store.close()
    return path


@pytest.fixture(scope="module")
def answer(judged):
    return trust(judged, samples=200)


def test_the_model_agrees_less_with_people_than_people_with_each_other(answer):
    assert answer.documents >= 150
    assert answer.kappa.high < answer.between_people.pairs[0].linear.low
    assert "should not be used here" in answer.verdict()


def test_the_stand_in_is_wrong_in_the_ways_it_is_known_for(answer):
    shares = {probe.kind: probe.share for probe in answer.probes}
    assert set(shares) == set(PROBES)
    assert shares["instruction"] == 1
    assert shares["query words"] > 0.9
    assert shares["unrelated"] < 0.3
    assert "unrelated text that says it is relevant" in answer.verdict()


def test_it_says_the_same_when_asked_twice(answer):
    asked, same = answer.repeated
    assert asked == same > 0


def test_probes_and_repeats_are_never_labels(judged):
    store = open_store(judged, read_only=True)
    labels = [current for _, judge, current in store.current() if store.judges()[judge - 1].kind == "model"]
    assert len(labels) == len(store.items())
    assert store.verify() == []
    store.close()


def test_shows_what_it_overrates_by_length_and_by_words_of_the_query(answer):
    assert {row.by for row in answer.overrating} == {"all", "length", "query words"}
    assert sum(row.documents for row in answer.overrating if row.by == "length") == answer.documents


def test_shows_whether_runs_change_places(answer):
    assert answer.with_model.conclusions is not None
    assert "tau" in str(answer)


def test_a_run_that_uses_the_model_is_named(judged):
    assert "hybrid may use the same model" in trust(judged, used_by=["hybrid"], samples=100).verdict()


def test_every_form_has_the_figures(answer):
    assert json.loads(answer.form("json"))["figures"]["weighted kappa with people"]["value"] == answer.kappa.value
    assert answer.form("tsv").startswith("what\tvalue\tlow\thigh\n")
    assert "weighted kappa" in answer.markdown()


def labelled_by_model(service, items, grade=1.0):
    """A model that gives the same grade to everything."""
    judge, _ = service.add_judge("model:tiny@default-0", "model")
    service.store.append_many([NewEvent(f"m{item}", judge.number, item, "label", grade, how="model") for item in items])


def test_without_labels_of_people_there_is_nothing_to_compare(make_service):
    service = make_service()
    labelled_by_model(service, range(1, 31))
    with pytest.raises(DataError, match="people labelled 0 of the documents"):
        trust(service.store)


def test_without_labels_of_a_model_too(make_service):
    with pytest.raises(DataError, match="no model has given any labels here"):
        trust(make_service().store)


def test_a_model_that_always_says_the_same_agrees_by_chance_alone(make_service, sender):
    service = make_service("ada")
    work = sender(service, 2)
    for item in range(1, 31):
        service.record(2, work.label(item, float(item % 3)))
    labelled_by_model(service, range(1, 31))
    answer = trust(service.store, samples=100)
    assert answer.kappa.value == 0
    assert "should not be used here" in answer.verdict()


def test_orders_of_all_runs_and_of_the_best_half_are_compared(answer):
    orders = {(order.orders.measure, order.which): order for order in answer.systems}
    assert set(orders) == {(measure, which) for measure in ("nDCG@10", "AP") for which in ("all", "best half")}
    means = answer.with_model.conclusions.scores["people"]
    best = sorted(RUNS, key=lambda run: -means.mean("AP", run).value)[:2]
    assert set(orders["AP", "best half"].runs) == set(best)
    assert orders["AP", "all"].orders.pairs == 3
    ahead = {(a, b) for a, b in orders["AP", "all"].orders.swapped}
    by_model = answer.with_model.conclusions.scores["model"]
    assert ahead == {
        (a, b)
        for a in RUNS
        for b in RUNS
        if means.mean("AP", a).value > means.mean("AP", b).value
        and by_model.mean("AP", a).value < by_model.mean("AP", b).value
    }


def test_while_no_label_changes_nothing_is_computed_twice(judged):
    service = Service(open_store(judged))
    watch = TrustWatch(service)
    (model,) = watch.models()
    first = watch.trust(model)
    assert watch.trust(model) is first
    assert first.verdict() == trust(service.store).verdict()
    person = service.judge_named("ada").number
    said = service.state.by_judge[person].said
    item = next(iter(said))
    service.record(person, Submission("again" * 5, item, "label", 3.0 - said[item].grade, said[item].seq))
    assert watch.trust(model) is not first
    service.close()


def test_shows_whether_the_model_is_right_where_it_is_sure(make_service, sender):
    service = make_service("ada")
    for item in range(1, 31):
        service.record(2, sender(service, 2).label(item, 1.0 if item <= 20 else 0.0))
    model = service.add_model("model:tiny@default-0")
    for item in range(1, 31):
        label = NewEvent(f"m{item}", model.number, item, "label", 1.0, how="model")
        facts = {"shares": {"1": 0.95, "2": 0.05} if item <= 10 else {"0": 0.4, "1": 0.6}}
        service.record_model(ModelAnswer(f"r{item}", model.number, item, "label", "grade", 1.0, facts), [label])
    answer = trust(service.store, samples=100)
    assert [tuple(row) for row in answer.certainty] == [
        (0.5, 0.7, 20, pytest.approx(0.6), 0.5),
        (0.9, 1.0, 10, pytest.approx(0.95), 1.0),
    ]
    assert "people the same" in answer.markdown()
    assert "people the same, share of its grade 0.9 to 1" in answer.form("tsv")


def test_without_probabilities_nothing_is_said_of_certainty(answer):
    assert answer.certainty == ()
    assert "Certainty" not in dict(answer.parts())
