"""What a package index shows of the README: there it stands without the folder that its links and pictures are in."""

import importlib.util
import re

import pytest

from tests.conftest import ROOT


@pytest.fixture(scope="module")
def description():
    spec = importlib.util.spec_from_file_location("setup_script", ROOT / "setup.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.package_description


PAGE = "# A\n\n![picture](docs/a.png)\n\nSee [how](docs/b.md), [why](https://example.org/c) and [where](#a).\n"


def test_without_an_address_pictures_are_left_out_and_links_become_text(description):
    assert description(PAGE) == "# A\n\nSee how, [why](https://example.org/c) and [where](#a).\n"


def test_with_an_address_pictures_and_links_lead_there(description):
    shown = description(PAGE, "https://example.org/files/")
    assert "![picture](https://example.org/files/docs/a.png)" in shown
    assert "[how](https://example.org/files/docs/b.md), [why](https://example.org/c) and [where](#a)" in shown


def test_the_readme_then_has_no_link_that_leads_nowhere(description):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = description(readme)
    assert re.search(r"\]\((?!https?:|#)", readme)
    assert not re.search(r"\]\((?!https?:|#)", shown)
    examples = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
    assert examples.findall(shown) == examples.findall(readme)
