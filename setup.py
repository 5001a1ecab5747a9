"""Builds the compiled loops; where that fails, the plain ones serve. Everything else is in pyproject.toml."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent
_PICTURE = re.compile(r"^!\[[^]]*\]\((?!https?:)[^)]*\)\n+", re.MULTILINE)
_LINK = re.compile(r"\[([^]]*)\]\((?!https?:|#)([^)]*)\)")


def package_description(readme: str, address: str | None = None) -> str:
    """The README for a package index, which shows it without the folder it is in.

    Links lead to the repository, if its address is known; else they become text, and pictures are left out.
    """
    if address is not None:
        return re.sub(r"\]\((?!https?:|#)", f"]({address.rstrip('/')}/", readme)
    return _LINK.sub(r"\1", _PICTURE.sub("", readme))


def _address() -> str | None:
    try:
        import tomllib
    except ModuleNotFoundError:  # a Python that is too old: pip says so, once it knows what this package requires
        return None
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"].get("urls", {})
    return urls.get("Files")


if __name__ == "__main__":
    from Cython.Build import cythonize
    from setuptools import Extension, setup

    (loops,) = cythonize(
        [Extension("cranfield.kernels.compiled", ["src/cranfield/kernels/compiled.pyx"], extra_compile_args=["-O3"])],
        build_dir="build",
    )
    loops.optional = True  # said to Extension, cythonize would forget it

    setup(
        ext_modules=[loops],
        long_description=package_description((ROOT / "README.md").read_text(encoding="utf-8"), _address()),
        long_description_content_type="text/markdown",
    )
