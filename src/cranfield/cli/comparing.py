"""What commands that compare share: how differences are tested."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from cranfield.cli.numbers import SEEDS, Real, Whole

Command = TypeVar("Command", bound=Callable[..., object])

RESAMPLES = 100_000_000
"""More would take days."""

_COMPARING = (
    click.option(
        "--test",
        type=click.Choice(["randomization", "t", "wilcoxon", "sign", "bootstrap", "tukey"]),
        default="randomization",
        show_default=True,
        help="What p comes from; tukey allows for all pairs by itself.",
    ),
    click.option(
        "--correction",
        type=click.Choice(["holm", "bonferroni", "benjamini-hochberg", "none"]),
        default="holm",
        show_default=True,
        help="How p allows for the number of comparisons under one measure.",
    ),
    click.option(
        "--interval",
        type=click.Choice(["t", "bca"]),
        default="t",
        show_default=True,
        help="Intervals from Student's t or from the bootstrap.",
    ),
    click.option(
        "--confidence",
        type=Real(0, 1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        help="Of intervals; 1 less this is what p is compared with.",
    ),
    click.option(
        "--tie",
        type=Real(0),
        default=0.0,
        show_default=True,
        metavar="DIFFERENCE",
        help="Scores of a query that differ by no more than this are equal.",
    ),
    click.option(
        "--resamples",
        type=Whole(most=RESAMPLES),
        default=100_000,
        show_default=True,
        help="Random patterns of a test that cannot count all.",
    ),
    click.option(
        "--seed",
        type=Whole(0, SEEDS),
        default=0,
        show_default=True,
        help="Random seed.",
    ),
)


def comparing_options(command: Command) -> Command:
    """How differences are tested, and how sure is sure."""
    for option in reversed(_COMPARING):
        command = option(command)
    return command
