"""Notebooks give what they are stored with, and are pages."""

import json
import os
import subprocess
import sys

import pytest

from tools.site.listing import ROOT
from tools.site.notebook_pages import NOTEBOOKS, notebook_page, read

RUN = """
import json, sys
from pathlib import Path
from tools.site.notebook_pages import read, run, texts
stored = read(Path(sys.argv[1]))
print(json.dumps([texts(stored), texts(run(stored))]))
"""


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_every_cell_gives_what_the_notebook_shows(path):
    # In a process of its own, as a kernel sets up a loop and says so.
    command = [sys.executable, "-c", RUN, str(path)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ | {"MATPLOTLIBRC": os.devnull}
    )
    assert done.returncode == 0, done.stderr
    stored, fresh = json.loads(done.stdout)
    assert fresh == stored, "run `make docs` and read the difference"


def test_a_notebook_is_a_page_with_its_results():
    text = notebook_page(read(NOTEBOOKS / "first-hour.ipynb"))
    assert text.startswith("# The first hour in Python")
    assert "scores = cf.evaluate(" in text
    assert '<div class="cell-output"' in text
    assert 'src="data:image/png;base64,' in text


def test_titles_of_results_are_no_headings_of_the_page():
    shown = {"data": {"text/html": ["<h4>Title</h4>\n\n<p>x</p>"]}, "output_type": "execute_result"}
    cell = {"cell_type": "code", "source": ["x"], "outputs": [shown]}
    page = notebook_page({"cells": [cell]})
    assert "<p>Title</p>\n<p>x</p>" in page
