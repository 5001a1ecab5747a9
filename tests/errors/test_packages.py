"""Packages that are not installed: what needs them, and the command that installs them."""

import pytest

from cranfield import errors


def test_one_package():
    assert str(errors.packages.missing("A figure", "matplotlib")) == (
        "A figure needs the package matplotlib, which is not installed.\nInstall it: pip install matplotlib"
    )


def test_several_packages():
    assert str(errors.packages.missing("Judging in the browser", "starlette", "uvicorn")) == (
        "Judging in the browser needs the packages starlette and uvicorn, which are not installed.\n"
        "Install them: pip install starlette uvicorn"
    )


@pytest.mark.parametrize(
    ("package", "named", "install"),
    [
        ("pyarrow", "pyarrow", "pip install pyarrow"),
        ("psycopg[binary]", "psycopg", "pip install 'psycopg[binary]'"),
    ],
)
def test_a_file_that_cannot_be_read_without_one(package, named, install):
    finding = errors.packages.missing_reader("a", "this file", package)
    assert str(finding) == f"a: reading this file needs the package {named}"
    assert finding.advice == f"Install it: {install}"
