"""The site, built once for all tests and kept for the next run."""

import subprocess
import sys

import pytest

from tools.site.listing import ROOT


@pytest.fixture(scope="session")
def site():
    """The folder of the HTML."""
    # In a process of its own: Sphinx sets up docutils for a whole process, and may warn of what Python deprecates.
    done = subprocess.run(
        [sys.executable, "-m", "tools.site"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=500
    )
    assert done.returncode == 0, done.stderr
    return ROOT / "build" / "site" / "html"
