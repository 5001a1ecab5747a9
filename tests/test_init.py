from __future__ import annotations

import json
import subprocess
import sys
from pkgutil import walk_packages
from types import ModuleType

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


def test_every_measure_of_the_table_is_a_name_of_the_measures():
    own = {name for name, definition in catalogue().items() if definition.function.__module__.startswith("cranfield.")}
    assert all(getattr(cf.measures, name).name == name for name in own)


def test_the_measures_that_everyone_uses_are_public_names_too():
    usual = ["AP", "nDCG", "DCG", "P", "R", "F", "RR", "Success", "Rprec", "ERR", "RBP", "Bpref"]
    assert [name for name in usual if getattr(cf, name) is getattr(cf.measures, name)] == usual
    assert [name for name in catalogue() if name in cf.__all__] == [name for name in catalogue() if name in usual]


def test_tab_completion_offers_the_public_names():
    assert dir(cf) == sorted(cf.__all__)


MODULES = sorted(module.name for module in walk_packages(cf.__path__, "cranfield."))


def test_every_module_can_be_imported_in_every_form():
    """No function has the name of a module beside it, so `import a.b.c as x` gives the module and not a function."""
    code = f"""
import importlib, json, sys
wrong = []
for name in {MODULES}:
    module, space = importlib.import_module(name), {{}}
    package, _, last = name.rpartition(".")
    exec(f"import {{name}} as first; from {{package}} import {{last}} as second; import {{name}}", space)
    if not (space["first"] is space["second"] is eval(name, space) is module):
        wrong.append(name)
print(json.dumps(wrong))
"""
    assert len(MODULES) > 200
    assert in_new_process(code) == []


def test_no_module_has_the_name_of_a_public_function():
    public = {name for name in cf.__all__ if not isinstance(getattr(cf, name), ModuleType)}
    assert public & {name.removeprefix("cranfield.") for name in MODULES} == set()


def test_a_name_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'cranfield' has no attribute 'nonsense'"):
        _ = cf.nonsense


def test_the_version_is_that_of_the_distribution():
    from importlib.metadata import version

    assert cf.__version__ == version("cranfield")
