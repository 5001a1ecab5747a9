"""What commands that compare share: which runs are compared, and how differences are tested."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.choices import Correction, IntervalKind, Test
from cranfield.cli.options import Real, Whole, bundle, choice, option, seed

if TYPE_CHECKING:
    from cranfield.comparing.differences import TestChoices

GROUP = "Significance"
RESAMPLES = 100_000_000
"""More would take days."""

correction = option(
    "--correction",
    type=choice(Correction),
    default="holm",
    show_default=True,
    group=GROUP,
    help="Correction for multiple comparisons, per measure.",
)
confidence = option(
    "--confidence",
    type=Real(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    group=GROUP,
    help="Confidence level; the significance level is 1 minus this.",
)
equivalence = option(
    "--equivalence",
    type=Real(0, 1e100, min_open=True),
    metavar="MARGIN",
    group=GROUP,
    help="Also test equivalence (TOST, two one-sided tests): is the difference within ±MARGIN?",
)


def _test_choices(
    test: Test,
    correction: Correction,
    interval: IntervalKind,
    confidence: float,
    tie_margin: float,
    resamples: int,
    seed: int,
) -> TestChoices:
    from cranfield.comparing.differences import TestChoices

    return TestChoices(
        test=test,
        correction=correction,
        interval=interval,
        confidence=confidence,
        tie_margin=tie_margin,
        resamples=resamples,
        seed=seed,
    )


testing = bundle(
    "testing",
    _test_choices,
    option(
        "--test",
        type=choice(Test),
        default="randomization",
        show_default=True,
        group=GROUP,
        help="Significance test; tukey already corrects for all pairs.",
    ),
    correction,
    option(
        "--interval",
        type=choice(IntervalKind),
        default="t",
        show_default=True,
        group=GROUP,
        help="Interval method: Student's t or BCa bootstrap.",
    ),
    confidence,
    option(
        "--tie-margin",
        type=Real(0),
        default=0.0,
        show_default=True,
        metavar="DIFFERENCE",
        group=GROUP,
        help="Scores of a query that differ by no more than this are equal.",
    ),
    option(
        "--resamples",
        type=Whole(most=RESAMPLES),
        default=100_000,
        show_default=True,
        group=GROUP,
        help="Number of random resamples when exact enumeration is too large.",
    ),
    seed,
)
"""How runs are tested."""

measures = option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure; may be repeated. The verdict is about the first. [default: nDCG@10 AP RR]",
)
baselines = option(
    "--baseline",
    "baselines",
    multiple=True,
    metavar="RUN",
    help="The run to compare with, by name; may be repeated. [default: the first run]",
)
save = option("--save", metavar="FILE", help="Save every query's scores to a file, to compare with later.")
different_judgments = option(
    "--allow-different-judgments",
    is_flag=True,
    help="Compare saved results of different judgments on the queries they share.",
)
