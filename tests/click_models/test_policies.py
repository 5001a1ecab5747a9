"""Policies given as probabilities, in tables and files."""

import pytest

import cranfield as cf
from cranfield.click_models.counterfactual import policy_value
from cranfield.errors import DataError
from tests.click_models.simulated import bandit


def test_a_policy_may_be_a_table_or_a_run(tmp_path):
    table = tmp_path / "policy.csv"
    table.write_text("document,probability\na,0.8\nb,0.2\n")
    by_table, by_hand = (policy_value(bandit(300, 1), policy) for policy in (table, {"a": 0.8, "b": 0.2}))
    assert by_table.ips == by_hand.ips
    rows = [
        {"query": "q", "document": row["item_id"], "clicked": row["click"], "propensity": row["propensity_score"]}
        for row in bandit(300, 1)
    ]
    for at, row in enumerate(rows):
        row["session"] = at
    by_run = policy_value(rows, {"q": ["a", "b"]})
    assert by_run.ips.value == pytest.approx(policy_value(bandit(300, 1), {"a": 1.0}).ips.value)
    assert by_run.settings["policy"] == "first of run"


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({"a": 0.8, "b": 0.8}, "the policy's probabilities add up to 1.6; expected 1"),
        ({"a": 0.5, "b": 0.2}, "the policy's probabilities add up to 0.7; expected 1"),
        ({"q": {"a": 0.5}}, "the policy's probabilities for query 'q' add up to 0.5; expected 1"),
        ({"a": -0.1, "b": 0.5}, "shows 'a' with a probability of -0.1; expected a number from 0 to 1"),
        ({"a": 10**400}, "shows 'a' with a probability of NaN"),
    ],
)
def test_a_policy_that_is_none_is_refused(policy, message):
    with pytest.raises(DataError, match=message):
        policy_value(bandit(50, 1), policy)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("document,probability\na,0.5\n", r"policy.csv: the policy's probabilities add up to 0.5; expected 1"),
        ("document,probability\na,0.5\na,0.5\n", r"line 3: document 'a' has another probability before"),
        ("document,probability\na,2\n", r"line 2: the policy shows 'a' with a probability of 2.0"),
        ("document,probability\na,0.5,1\n", r"line 2: 3 columns where the first line has 2"),
        ('document,probability\n"a,0.5\nb,0.5\n', r"line 2: a quote opens here and is never closed"),
        ("document,probability\n,1\n", r"line 2: the document id is missing"),
    ],
)
def test_a_file_that_holds_no_policy_is_refused(tmp_path, text, message):
    (tmp_path / "policy.csv").write_text(text)
    with pytest.raises(DataError, match=message):
        policy_value(bandit(50, 1), tmp_path / "policy.csv")


def test_a_file_of_probabilities_says_where_one_is_none(tmp_path):
    (tmp_path / "policy.csv").write_text("document,probability\na,nan\n")
    with pytest.raises(DataError, match=r"policy.csv, line 2: the policy shows 'a' with a probability of NaN"):
        cf.policy_value([{"item_id": "a", "click": 1, "propensity_score": 0.5}], tmp_path / "policy.csv")
