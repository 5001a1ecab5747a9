"""The packages that are released: what a source distribution and a wheel hold."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile

import pytest

from tests.conftest import ROOT
from tools import wheel_contents

BUILD = "import sys; from setuptools import build_meta; getattr(build_meta, sys.argv[1])(sys.argv[2])"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CLASSIFIED = re.findall(r"Python :: (3\.\d+)'", str(PROJECT["project"]["classifiers"]))


def build(kind, source, target):
    """What a package installer does with a folder of sources, without compiled loops."""
    plain = {**os.environ, "CRANFIELD_KERNELS": "plain"}
    command = [sys.executable, "-c", BUILD, kind, str(target)]
    subprocess.run(command, cwd=source, env=plain, check=True, capture_output=True)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """The source distribution, unpacked: made of a copy of this folder, as a fresh clone is."""
    folder = tmp_path_factory.mktemp("packages")
    copy = folder / "clone"
    copy.mkdir()
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "CHANGELOG.md", "LICENSE"):
        shutil.copy(ROOT / name, copy / name)
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("*.egg-info", "__pycache__", "*.so"))
    (copy / "tests").mkdir()
    (copy / "tests" / "test_of_a_clone.py").write_text("")
    build("build_sdist", copy, folder)
    (packed,) = folder.glob("cranfield-*.tar.gz")
    with tarfile.open(packed) as archive:
        archive.extractall(folder, filter="data")
    (unpacked,) = folder.glob("cranfield-*[0-9]")
    return unpacked


@pytest.fixture(scope="module")
def wheel(source):
    build("build_wheel", source, source.parent)
    (made,) = source.parent.glob("*.whl")
    return made


def test_a_wheel_made_of_the_source_distribution_holds_the_package_and_nothing_else(wheel):
    assert wheel.name.endswith("-py3-none-any.whl")
    assert list(wheel_contents.problems(wheel)) == []


def test_a_wheel_has_less_than_2_mb(wheel):
    # The compiled loops, which are not in this one, take 0.24 MB packed.
    assert wheel.stat().st_size + 245_000 < wheel_contents.LARGEST == 2_000_000


def test_the_source_distribution_has_what_the_loops_are_built_of_and_no_tests(source):
    names = {path.relative_to(source).as_posix() for path in source.rglob("*") if path.is_file()}
    loops = {path.name for path in (ROOT / "src/cranfield/kernels").glob("*.p[yx]*") if path.suffix in (".pyx", ".pxi")}
    assert {f"src/cranfield/kernels/{name}" for name in loops} <= names
    assert {"pyproject.toml", "setup.py", "README.md", "CHANGELOG.md", "LICENSE"} <= names
    assert not {name for name in names if name.startswith(("tests/", "tools/")) or name.endswith((".c", ".so"))}


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (("a", "cranfield/tests/test_x.py"), "should not have cranfield/tests/test_x.py"),
        (("a", "cranfield/kernels/compiled.pyx"), "should not have cranfield/kernels/compiled.pyx"),
        (("a", "cranfield/kernels/compiled.cpython-311-x86_64-linux-gnu.so"), "1 compiled modules for any"),
        (("d", "cranfield/py.typed"), "lacks cranfield/py.typed"),
        (("d", "cranfield/reporting/page.css"), "lacks cranfield/reporting/page.css"),
    ],
)
def test_a_wheel_with_something_else_is_found_out(wheel, tmp_path, change, found):
    what, name = change
    changed = tmp_path / wheel.name
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(changed, "w") as new:
        for entry in old.infolist():
            if what == "a" or entry.filename != name:
                new.writestr(entry, old.read(entry))
        if what == "a":
            new.writestr(name, "")
    assert found in list(wheel_contents.problems(changed))


def test_the_version_has_one_home():
    assert "version" in PROJECT["project"]["dynamic"]
    assert "version" not in PROJECT["project"]
    (attribute,) = PROJECT["tool"]["setuptools"]["dynamic"]["version"].values()
    assert attribute == "cranfield.version.VERSION"
    assert not re.search(r"^version:", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)


def test_the_address_of_the_project_has_one_home():
    address = PROJECT["project"]["urls"]["Repository"].removeprefix("https://github.com/")
    listed = subprocess.run(["git", "grep", "-lIF", address], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode > 1:
        pytest.skip("this is no clone")
    # The list of what comes before the first release asks for it to be confirmed.
    assert set(listed.stdout.split()) == {"pyproject.toml", "docs/releasing.md"}


def test_wheels_are_built_for_every_python_that_the_package_says_it_runs_on():
    built = re.findall(r"cp(3)(\d+)-\*", PROJECT["tool"]["cibuildwheel"]["build"])
    assert [".".join(version) for version in built] == CLASSIFIED
    assert PROJECT["project"]["requires-python"] == f">={CLASSIFIED[0]}"
