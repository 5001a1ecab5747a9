"""Other processes at low priority, which read what is stored and compute: whoever saves labels has the interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from typing import Any

NICE = 10
"""How much others come first."""


def can_start() -> bool:
    """Whether this program can start another that is like it."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def started(module: str) -> subprocess.Popen[bytes]:
    """A module of this package as a process, asked by one pipe and answering by another; Ctrl-C is not for it."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "OPENBLAS_NUM_THREADS": "1",  # the other processors are for others
    }
    apart: dict[str, Any] = {"process_group": 0}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.BELOW_NORMAL_PRIORITY_CLASS}
    # Modules of this program alone (-P): what lies in the folder that somebody is in must not be imported.
    command = [sys.executable, "-P", "-m", f"cranfield.assessing.{module}"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, **apart)


def step_back() -> None:
    """Let others come first."""
    with suppress(AttributeError, OSError):
        os.nice(NICE)
