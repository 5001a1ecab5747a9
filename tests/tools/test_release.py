"""What has to fit before a tag is published."""

import pytest

from tools import release

HERE = "https://github.com/someone/cranfield"


@pytest.fixture
def project(tmp_path):
    (tmp_path / "src" / "cranfield").mkdir(parents=True)
    (tmp_path / "src" / "cranfield" / "version.py").write_text('"""Which."""\n\nVERSION = "1.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.0 (2027-01-31)\n\n- New.\n")
    (tmp_path / "pyproject.toml").write_text(
        f'[project.urls]\nRepository = "{HERE}"\nChangelog = "{HERE}/c"\nIssues = "{HERE}/issues"\n'
    )
    return tmp_path


def test_a_release_whose_tag_version_changelog_and_address_fit(project):
    assert list(release.obstacles("v1.2.0", HERE, project)) == []


def test_another_tag_than_the_version(project):
    (found,) = release.obstacles("v1.3.0", HERE, project)
    assert found == "The tag is v1.3.0, and src/cranfield/version.py says 1.2.0."


def test_a_changelog_without_the_date(project):
    (project / "CHANGELOG.md").write_text("## 1.2.0 (unreleased)\n")
    (found,) = release.obstacles("v1.2.0", HERE, project)
    assert "'## 1.2.0 (YYYY-MM-DD)'" in found


def test_another_repository_than_the_addresses_name(project):
    (found,) = release.obstacles("v1.2.0", "https://github.com/fork/cranfield", project)
    assert "This repository is https://github.com/fork/cranfield" in found


def test_the_command_exits_with_1_and_says_why(capsys):
    assert release.main(["--tag", "v0.0.0", "--repository", "https://github.com/fork/cranfield"]) == 1
    assert "The tag is v0.0.0" in capsys.readouterr().out
