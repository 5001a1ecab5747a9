"""Runs ranx's own tests of fusion and normalisation with our functions in place of its own (`ranx_adapter`).

They are in its repository and not in its package: the first argument is the repository, or a folder with a copy of it.
Where it cannot be reached they are not run, and in CI that is a failure.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = ("tests/unit/ranx/fusion", "tests/unit/ranx/normalization")


def main(source: str) -> int:
    """Run the tests; 1 if one fails."""
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(source) if Path(source).is_dir() else Path(folder)
        if checkout == Path(folder):
            cloned = subprocess.run(["git", "clone", "--quiet", "--depth", "1", source, folder], check=False)
            if cloned.returncode:
                print(f"ranx's own tests were not run: {source} cannot be reached.")
                return 1 if os.environ.get("CI") else 0
        words = [sys.executable, "-m", "pytest", "-q", "-p", "parity.ranx_adapter", "-p", "no:cacheprovider"]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
        own = [*words, "-W", "ignore", "--rootdir", str(checkout), *TESTS]
        return subprocess.run(own, cwd=checkout, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
