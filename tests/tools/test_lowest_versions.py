"""The lowest versions are those that pyproject.toml declares."""

import pytest

from tools import lowest_versions


def project(folder, needs, extra):
    (folder / "pyproject.toml").write_text(
        f"[project]\nname = 'ours'\ndependencies = {needs}\n[project.optional-dependencies]\nall = {extra}\n"
    )
    return folder


def test_they_are_what_is_declared_of_extras_too(tmp_path):
    needs, extra = ["numpy>=1.26"], ["psycopg[binary]>=3.2.1", "zstandard>=0.22; python_version < '3.14'", "ours[x]"]
    found = lowest_versions.constraints(project(tmp_path, needs, extra))
    assert found == ["numpy==1.26", "psycopg==3.2.1", "zstandard==0.22"]


def test_a_dependency_without_one_is_refused(tmp_path):
    with pytest.raises(ValueError, match="rich has no lowest version"):
        lowest_versions.constraints(project(tmp_path, ["rich"], []))


def test_every_dependency_of_this_project_has_one():
    assert "numpy==1.26" in lowest_versions.constraints()
