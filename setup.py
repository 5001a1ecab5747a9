"""Builds the compiled loops; where that fails, the plain ones serve. Everything else is in pyproject.toml."""

from Cython.Build import cythonize
from setuptools import Extension, setup

(loops,) = cythonize(
    [Extension("cranfield.kernels.compiled", ["src/cranfield/kernels/compiled.pyx"], extra_compile_args=["-O3"])],
    build_dir="build",
)
loops.optional = True  # said to Extension, cythonize would forget it

setup(ext_modules=[loops])
