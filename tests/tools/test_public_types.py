"""Which names are public, and when one has a type. `make types` asks pyright."""

import pytest

from tools import public_types


@pytest.mark.parametrize(
    "name",
    ["cranfield.evaluate", "cranfield.Judging", "cranfield.measures.AP", "cranfield.compat.pytrec_eval.parse_run"],
)
def test_public(name):
    assert public_types.is_public(name)


@pytest.mark.parametrize("name", ["cranfield.align.align", "cranfield.cli.evaluate.evaluate", "cranfield", "numpy.sum"])
def test_not_public(name):
    assert not public_types.is_public(name)


def test_a_type_that_has_to_be_inferred_is_none():
    assert public_types.has_type({"isTypeKnown": True, "isTypeAmbiguous": False})
    assert not public_types.has_type({"isTypeKnown": True, "isTypeAmbiguous": True})
    assert not public_types.has_type({"isTypeKnown": False})


def test_the_reason_is_said_once_where_it_is():
    missing = {
        "message": "Type is missing type annotation\n  Inferred",
        "file": "a.py",
        "range": {"start": {"line": 4}},
    }
    follows = {**missing, "message": 'Return type is partially unknown\n  Return type is "X"'}
    symbols = [
        {"name": "cranfield.x.X.a", "isExported": True, "isTypeKnown": False, "diagnostics": [missing]},
        {"name": "cranfield.f", "isExported": True, "isTypeKnown": False, "diagnostics": [follows]},
    ]
    assert list(public_types.reasons(symbols)) == ["a.py:5: cranfield.x.X.a: Type is missing type annotation"]
