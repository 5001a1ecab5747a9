"""On what kind of file system a path is: on network file systems SQLite must keep its journal in another way."""

from __future__ import annotations

import re
from pathlib import Path

SHARED = ("nfs", "cifs", "smb", "9p", "virtiofs", "vboxsf", "fuse", "afs", "ceph", "glusterfs", "lustre")
"""How the names of file systems begin on which several machines, or a machine and its guest, may write."""
MOUNTS = Path("/proc/self/mountinfo")


def is_shared(path: Path, mounts: str | None = None) -> bool:
    """Whether a path is on a file system where memory cannot be shared between those who write.

    >>> mounts = "21 1 8:1 / / rw - ext4 /dev/sda rw\\n22 21 0:40 / /home rw - nfs4 server:/home rw"
    >>> is_shared(Path("/home/ada/judging.db"), mounts), is_shared(Path("/srv/judging.db"), mounts)
    (True, False)
    """
    if mounts is None:
        try:
            mounts = MOUNTS.read_text(encoding="utf-8", errors="replace")
        except OSError:  # other systems do not tell
            return False
    kind = ""
    longest = -1
    absolute = Path(path).absolute()
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) < 5 or not after:
            continue
        place = Path(_unescaped(fields[4]))
        # Of several at one place, the last one covers the others.
        if absolute.is_relative_to(place) and len(place.parts) >= longest:
            kind, longest = after.split(" ")[0], len(place.parts)
    return kind.startswith(SHARED)


def _unescaped(field: str) -> str:
    """A field of the list of mounts, in which blanks are written as octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), field)
