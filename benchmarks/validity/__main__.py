"""Simulates everything, prints it, and writes docs/validity.md: `make validity`."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.validity.page import TRIALS, Simulation, written
from benchmarks.validity.populations import SHARED, populations

PAGE = Path(__file__).parents[2] / "docs" / "validity.md"


def main() -> None:
    """Simulate, print, write."""
    given = _arguments()
    text = written(Simulation(populations(given.data), given.trials), tell=lambda part: print(f"{part}\n", flush=True))
    given.page.write_text(text, encoding="utf-8")
    print(f"Written to {given.page}.")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--trials", type=int, default=TRIALS, help="trials with several systems; four times as many else"
    )
    parser.add_argument("--data", type=Path, default=SHARED, help="the folder of real collections")
    parser.add_argument("--page", type=Path, default=PAGE, help="where to write")
    return parser.parse_args()


if __name__ == "__main__":
    main()
