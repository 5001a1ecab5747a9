"""A report from a copy of the package as it is installed: its templates, style and code come with it."""

import os
import subprocess
import sys

from tests.conftest import ROOT

CODE = """
import cranfield as cf
assert cf.__file__.startswith({folder!r}), cf.__file__
judged = {{f"q{{at}}": {{"d1": 1}} for at in range(3)}}
runs = {{"a": {{q: ["d1"] for q in judged}}, "b": {{q: ["x", "d1"] for q in judged}}}}
made = cf.report(cf.evaluate(judged, runs, "RR"))
print(len(made.html), "<style>" in made.html, len(made._repr_html_()) > 1000)
"""


def test_everything_that_a_page_is_made_of_is_installed(tmp_path):
    folder = str(tmp_path / "lib")
    subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_py", "--build-lib", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(folder=folder)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": folder, "CRANFIELD_KERNELS": "plain"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    size, *others = done.stdout.split()
    assert int(size) > 50_000
    assert others == ["True", "True"]
