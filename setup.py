"""Builds the compiled loops; where that fails, the plain ones serve. Everything else is in pyproject.toml.

`CRANFIELD_KERNELS=plain`, which runs anything without the compiled loops, also builds without them, for every platform;
with `compiled` they have to be built.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
# A twentieth slower than with -O3, and a sixth smaller; a wheel has less than 2 MB.
SMALL = [
    "-O2",
    "-ftree-vectorize",
    "-fvect-cost-model=dynamic",
    "-fno-asynchronous-unwind-tables",
    "-fno-unwind-tables",
]
_PICTURE = re.compile(r"^!\[[^]]*\]\((?!https?:)[^)]*\)\n+", re.MULTILINE)
_LINK = re.compile(r"\[([^]]*)\]\((?!https?:|#)([^)]*)\)")


def package_description(readme: str, repository: str | None = None) -> str:
    """The README for a package index, which shows it without the folder it is in.

    Links and pictures lead to the repository, if its address is known; else links become text, without pictures.
    """
    if repository is None:
        return _LINK.sub(r"\1", _PICTURE.sub("", readme))
    shown = re.sub(r"(!\[[^]]*\])\((?!https?:)", rf"\1({repository}/raw/HEAD/", readme)
    return re.sub(r"\]\((?!https?:|#)", f"]({repository}/blob/HEAD/", shown)


def _repository() -> str | None:
    try:
        import tomllib
    except ModuleNotFoundError:  # a Python that is too old: pip says so, once it knows what this package requires
        return None
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"].get("urls", {})
    return urls.get("Repository")


def _compiled_loops() -> list:
    if os.environ.get("CRANFIELD_KERNELS") == "plain":
        return []
    from Cython.Build import cythonize
    from setuptools import Extension

    # Symbols for debuggers would be six sevenths of the file, and tables for unwinding, which C does not need, a
    # twentieth of what is left. Visual C++ has other options, and its defaults serve.
    fast = SMALL if sys.platform == "linux" else ["-O3"]
    loops = Extension(
        "cranfield.kernels.compiled",
        ["src/cranfield/kernels/compiled.pyx"],
        extra_compile_args=[] if sys.platform == "win32" else ["-g0", "-ffp-contract=off", *fast],
        extra_link_args=["-Wl,-s"] if sys.platform == "linux" else [],
    )
    extensions = cythonize([loops], build_dir="build")
    for extension in extensions:
        # Said to Extension, cythonize would forget it.
        extension.optional = os.environ.get("CRANFIELD_KERNELS") != "compiled"
    return extensions


if __name__ == "__main__":
    from setuptools import setup

    setup(
        ext_modules=_compiled_loops(),
        long_description=package_description((ROOT / "README.md").read_text(encoding="utf-8"), _repository()),
        long_description_content_type="text/markdown",
    )
