"""Where a model is asked."""

import pytest

from cranfield.errors import UsageError
from cranfield.model_judging.endpoint import Endpoint


@pytest.mark.parametrize(
    "url", ["", "127.0.0.1:8000", "ftp://host/v1", "https://user:pw@host/v1", "https:///v1", "x y"]
)
def test_an_address_is_checked(url):
    with pytest.raises(UsageError, match="not the address of an endpoint"):
        Endpoint(url, "tiny")


def test_a_model_has_a_name():
    with pytest.raises(UsageError, match="Name the model"):
        Endpoint("http://127.0.0.1/v1", " ")


@pytest.mark.parametrize(
    ("url", "is_local"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://[::1]:1/v1", True),
        ("http://localhost:8000/v1", True),
        ("https://api.example.com/v1", False),
        ("http://127.0.0.1.example.com/v1", False),
        ("http://localhost.example.com", False),
    ],
)
def test_whether_text_leaves_the_machine(url, is_local):
    assert Endpoint(url, "tiny").is_local is is_local


def test_the_key_is_not_shown():
    assert "sk-secret" not in repr(Endpoint("http://127.0.0.1/v1", "tiny", "sk-secret"))


@pytest.mark.parametrize("timeout", [0, -1, 1e-17, 1e300, float("nan"), float("inf")])
def test_a_timeout_is_a_number_of_seconds(timeout):
    with pytest.raises(UsageError, match="timeout must be a number of seconds"):
        Endpoint("http://127.0.0.1/v1", "tiny", timeout=timeout)
