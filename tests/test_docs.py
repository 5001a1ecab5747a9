"""Pages are what the code gives: catalogue and commands, and the output of every console example."""

import importlib.util
import re
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from cranfield import demo
from cranfield.version import VERSION
from tests.cli.server import started

ROOT = Path(__file__).resolve().parent.parent
WRITTEN = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def _generate():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    """A folder with a `cranfield` that need not be loaded for every example."""
    folder = tmp_path_factory.mktemp("commands")
    with started(folder, _generate().environment()):
        yield folder


def test_the_catalogue_page_is_what_the_definitions_give():
    assert (ROOT / "docs" / "measures.md").read_text() == _generate().measures_page(), "run `make docs`"


def test_the_page_of_fusion_methods_is_what_the_definitions_give():
    assert (ROOT / "docs" / "fusion-methods.md").read_text() == _generate().fusion_page(), "run `make docs`"


def test_the_commands_page_is_what_help_prints():
    assert (ROOT / "docs" / "commands.md").read_text() == _generate().commands_page(), "run `make docs`"


def test_the_table_of_formats_is_what_the_code_gives():
    text = (ROOT / "docs" / "formats.md").read_text()
    assert "<!-- formats -->" in text
    assert _generate().with_formats(text) == text, "run `make docs`"


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_console_examples_print_what_the_page_shows(page, commands):
    text, figures = page.read_text(), {}
    assert _generate().with_fresh_output(text, figures, commands) == text, "run `make docs` and read the difference"
    for name, drawn in figures.items():
        _must_show(ROOT / "docs" / "figures" / name, drawn)


def _must_show(path, drawn):
    """Another version of matplotlib puts things a hair's breadth elsewhere, but what it draws is the same."""
    shown = path.read_text(encoding="utf-8")
    if re.search("Matplotlib v[0-9.]+", shown)[0] == re.search("Matplotlib v[0-9.]+", drawn)[0]:
        assert shown == drawn, f"run `make docs` and look at {path.name}"
    else:
        assert _contents(shown) == _contents(drawn), f"run `make docs` and look at {path.name}"


def _contents(svg):
    """What is written in a figure, and how much is drawn."""
    parts = [part.tag.rpartition("}")[2] for part in ET.fromstring(svg).iter()]
    return re.findall("<text[^>]*>([^<]*)", svg), parts.count("path"), parts.count("use")


def test_every_figure_is_on_a_page():
    named = "".join(page.read_text() for page in WRITTEN)
    drawn = list((ROOT / "docs" / "figures").glob("*"))
    assert len(drawn) > 10
    for path in drawn:
        assert f"figures/{path.name})" in named, path.name


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page):
    for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_every_module_that_the_architecture_names_exists():
    named = re.findall(r"`((?:\w+/)*\w+(?:\.py|/))`", (ROOT / "ARCHITECTURE.md").read_text())
    assert len(named) > 20
    for name in named:
        assert (ROOT / "src" / "cranfield" / name).exists() or (ROOT / name).exists(), name


def test_the_architecture_names_every_module():
    text = (ROOT / "ARCHITECTURE.md").read_text()
    for path in (ROOT / "src" / "cranfield").iterdir():
        name = f"{path.name}/" if path.is_dir() else path.name
        if not name.startswith("__") and name != "py.typed":
            assert f"`{name}`" in text, name


def _installed_by(line):
    """The packages that an installation with the extra of this line brings, but for what these need themselves."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = re.search(r'"\.\[(\w+)\]"', line)[1]
    return {
        re.match("[a-z0-9]+", need)[0] for need in project["dependencies"] + project["optional-dependencies"][extra]
    }


def test_the_readme_recommends_what_make_demo_installs():
    (line,) = re.findall(r"^pip install .*$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    (made,) = re.findall(r"pip install --quiet --editable (\S+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert line == f"pip install {made}"


def test_the_readme_says_what_each_extra_adds():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r'`"\.\[(\w+)\]"`', readme)) == set(project["optional-dependencies"])


@pytest.mark.parametrize(
    "line", ["report qrels.txt bm25.run hybrid.run -o report.html", "curve qrels.txt bm25.run -o c.pdf"]
)
def test_what_the_readme_recommends_brings_what_its_lines_need(line, tmp_path):
    brought = _installed_by('pip install ".[plot]"')
    extras = {"jinja2", "matplotlib", "pyarrow", "zstandard", "isal", "pandas", "polars", "duckdb", "sklearn", "yaml"}
    demo.write(tmp_path)
    without = (
        f"import sys; sys.modules |= dict.fromkeys({sorted(extras - brought)}); from cranfield.cli import main; main()"
    )
    command = [sys.executable, "-W", "error", "-c", without, *line.split(), "--quiet"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / line.split()[-1]).stat().st_size > 1000


def test_who_cites_names_the_version_there_is_and_its_year():
    (entry,) = re.findall(r"```bibtex\n(.*?)```", (ROOT / "docs" / "paper.md").read_text(encoding="utf-8"), re.DOTALL)
    assert f"version = {{{VERSION}}}" in entry
    assert re.search(r"year = \{20\d\d\}", entry)


def test_decisions_are_numbered_without_gaps_and_dated():
    paths = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    assert [path.name[:5] for path in paths] == [f"{number:04}-" for number in range(1, len(paths) + 1)]
    for number, path in enumerate(paths, 1):
        _, _, dated, *_ = path.read_text(encoding="utf-8").splitlines()
        assert re.fullmatch(rf"Decision {number}, \d{{1,2}} [A-Z][a-z]+ 20\d\d", dated), f"{path.name}: {dated}"
