import numpy as np
import pytest

import cranfield as cf
from cranfield.click_models import DCTR, GCTR, RCTR, Fitting

LOG = [
    {"query": "q", "documents": ["a", "b"], "clicks": [1, 0]},
    {"query": "q", "documents": ["a", "b"], "clicks": [1, 1]},
    {"query": "q", "documents": ["b", "a"], "clicks": [0, 0]},
]
NEARLY_NONE = Fitting(prior=(1e-9, 1e-9))


@pytest.fixture
def log():
    return cf.read_clicks(LOG)


def test_one_rate_is_clicks_out_of_results(log):
    assert GCTR.fit(log, NEARLY_NONE).parameters["rate"].values == pytest.approx([3 / 6])


def test_a_rank_s_rate_is_its_clicks_whatever_document_stands_there(log):
    assert RCTR.fit(log, NEARLY_NONE).parameters["rate"].values == pytest.approx([2 / 3, 1 / 3])


def test_a_document_s_rate_is_its_clicks_wherever_it_stands(log):
    model = DCTR.fit(log, NEARLY_NONE)
    rates = dict(zip((log.documents[at] for at in model.pairs.document), model.relevance()[0], strict=True))
    assert rates == pytest.approx({"a": 2 / 3, "b": 1 / 3})


def test_a_prior_counts_as_clicks_and_skips_before_the_log(log):
    assert GCTR.fit(log, Fitting(prior=(1, 3))).parameters["rate"].values == pytest.approx([(3 + 1) / (6 + 4)])


@pytest.mark.parametrize("model", [GCTR, RCTR, DCTR])
def test_what_was_clicked_above_does_not_matter(log, model):
    fitted = model.fit(log)
    block = log.pairs.block(log)
    assert np.array_equal(fitted.conditional(block), fitted.expected(block))


def test_only_a_rate_of_documents_says_something_about_relevance():
    assert (GCTR.says_relevance, RCTR.says_relevance, DCTR.says_relevance) == (False, False, True)
