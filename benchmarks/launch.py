"""Runs a command and writes what it took, as JSON, to the file that is named first; it is stopped after some seconds.

A process of its own, and a small one: a child's peak memory begins with that of whoever starts it.
"""

import json
import os
import signal
import sys
import time


def main(report: str, longest: str, *words: str) -> int:
    """Run the words, and end as they end; 0 where they were stopped."""
    start = time.perf_counter()
    process = os.posix_spawnp(words[0], words, os.environ)
    stopped = []

    def stop(*_: object) -> None:
        stopped.append(True)
        os.kill(process, signal.SIGKILL)

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, float(longest))
    _, status, usage = os.wait4(process, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    took = {
        "processor": usage.ru_utime + usage.ru_stime,
        "wall": time.perf_counter() - start,
        "memory": usage.ru_maxrss / 1024,
        "finished": not stopped,
    }
    with open(report, "w") as file:  # noqa: PTH123  # pathlib is not small
        json.dump(took, file)
    return 0 if stopped else os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
