"""A lock on an open file, which ends with its process however that ends."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import msvcrt

    def lock_file(file: int) -> bool:
        """Hold an open file for this process, until it is closed; whether nobody else holds it."""
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def lock_file(file: int) -> bool:
        """Hold an open file for this process, until it is closed; whether nobody else holds it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
