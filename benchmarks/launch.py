"""Runs a command and writes what it took, as JSON, to the file that is named first.

A process of its own, and a small one: a child's peak memory begins with that of whoever starts it.
"""

import json
import os
import sys
import time


def main(report: str, *words: str) -> int:
    """Run the words, and end as they end."""
    start = time.perf_counter()
    process = os.posix_spawnp(words[0], words, os.environ)
    _, status, usage = os.wait4(process, 0)
    took = {
        "processor": usage.ru_utime + usage.ru_stime,
        "wall": time.perf_counter() - start,
        "memory": usage.ru_maxrss / 1024,
    }
    with open(report, "w") as file:  # noqa: PTH123  # pathlib is not small
        json.dump(took, file)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
