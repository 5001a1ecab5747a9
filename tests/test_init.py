from __future__ import annotations

import json
import subprocess
import sys

import pytest

import cranfield as cf
from cranfield.measures import catalogue


def in_new_process(code: str):
    """What a fresh interpreter prints after running some lines, read as JSON."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_every_public_name_is_there():
    for name in cf.__all__:
        assert getattr(cf, name) is not None


def test_every_measure_of_the_table_has_a_public_name():
    own = {name for name, definition in catalogue().items() if definition.function.__module__.startswith("cranfield.")}
    assert own <= set(cf.__all__)
    assert all(getattr(cf, name).name == name for name in own)


def test_tab_completion_offers_the_public_names():
    assert dir(cf) == sorted(cf.__all__)


@pytest.mark.parametrize(
    "order", ["import cranfield.{0}, cranfield as cf", "import cranfield as cf; import cranfield.{0}"]
)
@pytest.mark.parametrize(
    "name", ["evaluate", "explain", "why", "check", "similarity", "risk", "recommendation", "gate", "clicks"]
)
def test_a_function_stays_a_function_after_its_module_is_imported(name, order):
    code = f"import json; {order.format(name)}; print(json.dumps(type(cf.{name}).__name__))"
    assert in_new_process(code) == "function"


def test_the_module_of_a_function_can_still_be_imported_from():
    code = "import json; from cranfield.evaluate import Settings; print(json.dumps(Settings.__name__))"
    assert in_new_process(code) == "Settings"


def test_a_name_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'cranfield' has no attribute 'nonsense'"):
        _ = cf.nonsense


def test_the_version_is_that_of_the_distribution():
    from importlib.metadata import version

    assert cf.__version__ == version("cranfield")
