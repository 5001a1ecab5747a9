"""PyClick's own numbers for the same sessions (markovi/PyClick, commit 98e7e460231b), model by model."""

import json

import numpy as np
import pytest

import cranfield as cf
from cranfield.click_models import MODELS, PYCLICK
from cranfield.click_models.held_out import log_likelihood, perplexity

EXACT = 1e-12


@pytest.fixture(scope="module")
def sessions(shared_data):
    """Training impressions, and those test impressions whose query is among them."""
    folder = shared_data / "08-clicks" / "ncm-demo-sessions"
    train, test = (
        cf.read_clicks(folder / f"{name}_per_query_quid.txt{end}") for name, end in (("train", ".gz"), ("test", ""))
    )
    return train, test.select(train.pairs.asked(test))


@pytest.fixture(scope="module")
def reference(shared_data):
    lines = (shared_data / "08-clicks" / "reference-pyclick.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith(("#", "model"))]
    return {name: (float(likelihood), float(whole), json.loads(ranks)) for name, likelihood, whole, ranks in rows}


@pytest.mark.parametrize("name", ["GCTR", "RCTR", "DCTR", "PBM", "CM", "DCM", "SDBN", "UBM"])
def test_perplexity_is_pyclicks(name, sessions, reference):
    train, test = sessions
    assert (len(train), len(test)) == (2872, 95)
    whole, ranks = perplexity(MODELS[name].fit(train, PYCLICK), test)
    assert whole == pytest.approx(reference[name][1], abs=EXACT)
    assert ranks == pytest.approx(reference[name][2], abs=EXACT)


@pytest.mark.parametrize("name", ["GCTR", "RCTR", "DCTR", "PBM", "DCM", "SDBN", "UBM"])
def test_log_likelihood_is_pyclicks(name, sessions, reference):
    train, test = sessions
    found = log_likelihood(MODELS[name].fit(train, PYCLICK), test)
    assert found == pytest.approx(reference[name][0], abs=EXACT)


def test_of_the_cascade_model_pyclick_takes_another_likelihood(sessions, reference):
    """It takes probabilities that are not given the clicks above, and 1e-6 for every rank below the first click."""
    train, test = sessions
    model = MODELS["CM"].fit(train, PYCLICK)
    block = model.pairs.block(test)
    expected = model.expected(block)
    theirs = np.where(block.ranks <= block.first, np.where(block.click, expected, 1 - expected), 1e-6)
    assert np.log(theirs).mean(axis=0).mean() == pytest.approx(reference["CM"][0], abs=EXACT)
    assert log_likelihood(model, test) > reference["CM"][0] + 2


def test_the_order_of_models_by_perplexity_is_pyclicks(sessions, reference):
    train, test = sessions
    found = {name: perplexity(MODELS[name].fit(train, PYCLICK), test)[0] for name in reference}
    assert sorted(found, key=found.get) == sorted(reference, key=lambda name: reference[name][1])
    assert min(found, key=found.get) == "UBM"


def test_estimates_rank_documents_as_people_graded_them(shared_data):
    """Ten human grades per impression: whatever is attractive is graded higher more often than not."""
    path = shared_data / "08-clicks" / "ncm-demo-sessions" / "human_label_for_NCM_per_query_quid.txt"
    log = cf.read_clicks(path)
    graded: dict[str, dict[str, float]] = {}
    for line in path.read_text().splitlines():
        _, query, documents, _, _, grades = line.split("\t")
        pairs = zip(json.loads(documents), json.loads(grades), strict=True)
        graded.setdefault(query, {}).update({str(document): max(grade, 0) for document, grade in pairs})
    labels = cf.clicks(log, "UBM", judgments=graded, min_impressions=3)
    assert labels.agreement.pairs > 500
    assert labels.agreement.auc > 0.5


@pytest.mark.parametrize(("name", "clicks"), [("random", 0.0046), ("bts", 0.0069)])
def test_open_bandit_logs_earn_what_they_earned(shared_data, name, clicks):
    log = cf.read_clicks(shared_data / "08-clicks" / "open-bandit-men" / f"{name}.csv.gz")
    assert log.clicked.mean() == pytest.approx(clicks)


def test_the_uniform_policy_from_the_log_of_thompson_sampling(shared_data):
    value = cf.policy_value(shared_data / "08-clicks" / "open-bandit-men" / "bts.csv.gz", "uniform")
    assert value.ips.value == pytest.approx(0.003008626, abs=5e-10)
    assert value.snips.value == pytest.approx(0.003189423, abs=5e-10)
    assert value.logged_rows == 10_000
