"""What a package index shows of the README: there it stands without the folder that its links and pictures are in."""

import ast
import importlib.util
import re
import sys

import pytest

from tests.conftest import ROOT


def script():
    spec = importlib.util.spec_from_file_location("setup_script", ROOT / "setup.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def description():
    return script().package_description


PAGE = "# A\n\n![picture](docs/a.png)\n\nSee [how](docs/b.md), [why](https://example.org/c) and [where](#a).\n"


def test_without_an_address_pictures_are_left_out_and_links_become_text(description):
    assert description(PAGE) == "# A\n\nSee how, [why](https://example.org/c) and [where](#a).\n"


def test_with_an_address_pictures_and_links_lead_there(description):
    shown = description(PAGE, "https://example.org/ours")
    assert "![picture](https://example.org/ours/raw/HEAD/docs/a.png)" in shown
    assert "[how](https://example.org/ours/blob/HEAD/docs/b.md), [why](https://example.org/c) and [where](#a)" in shown


def test_the_readme_then_has_no_link_that_leads_nowhere(description):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = description(readme)
    assert re.search(r"\]\((?!https?:|#)", readme)
    assert not re.search(r"\]\((?!https?:|#)", shown)
    examples = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
    assert examples.findall(shown) == examples.findall(readme)


def test_a_python_that_is_too_old_gets_far_enough_for_pip_to_say_so(monkeypatch):
    """pip knows what a package requires when its script has run, which Python 3.9 and 3.10 have to be able to do."""
    source = (ROOT / "setup.py").read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 9))
    assert "from __future__ import annotations" in source
    monkeypatch.setitem(sys.modules, "tomllib", None)  # new in Python 3.11
    assert script()._repository() is None
