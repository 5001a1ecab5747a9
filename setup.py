"""Builds the compiled loops; where that fails, the plain ones serve. Everything else is in pyproject.toml."""

from Cython.Build import cythonize
from setuptools import Extension, setup

scan = Extension(
    "cranfield.kernels.scan",
    ["src/cranfield/kernels/scan.pyx"],
    depends=["src/cranfield/kernels/words.pxi", "src/cranfield/kernels/numbers.pxi"],
    extra_compile_args=["-O3"],
    optional=True,
)

setup(ext_modules=cythonize([scan], build_dir="build"))
