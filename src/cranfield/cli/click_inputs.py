"""What commands about click logs share: how a log is read, and how click models are fitted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from cranfield.cli.inputs import GROUP
from cranfield.cli.options import Real, Whole, bundle, numbers, option

if TYPE_CHECKING:
    from cranfield.click_models.model import Fitting
    from cranfield.data.click_log import ClickLog

logs = click.argument("logs", metavar="LOG...", nargs=-1, required=True)


@dataclass(frozen=True)
class ClickInputs:
    """How a click log is read."""

    columns: str | None
    actions: tuple[str, ...]

    def log(self, paths: tuple[str, ...]) -> ClickLog:
        """The log of one or several files."""
        from cranfield.formats.clicks import read_clicks

        return read_clicks(list(paths), columns=self.named_columns, clicks=self.actions or ("click",))

    @property
    def named_columns(self) -> dict[str, str] | None:
        """Which column is what, as far as it was said."""
        return _columns(self.columns)


click_reading = bundle(
    "inputs",
    ClickInputs,
    option("--columns", metavar="ROLES", group=GROUP, help="Which column is what: document=sku,clicked=hit."),
    option(
        "--click-action",
        "actions",
        multiple=True,
        metavar="NAME",
        group=GROUP,
        help="UBI: an action_name that counts as a click. [default: click]",
    ),
)
"""The options of every command that reads a click log."""


def _fitting(prior: str | None, iterations: int | None, pyclick: bool) -> Fitting:
    from dataclasses import replace

    from cranfield.click_models.model import PYCLICK, Fitting

    if pyclick and (prior is not None or iterations is not None):
        raise click.UsageError("--pyclick sets prior and iterations itself: leave out --prior and --iterations.")
    fitting = PYCLICK if pyclick else Fitting()
    if prior is not None:
        successes, *failures = numbers(prior, "--prior")
        if len(failures) != 1:
            raise click.UsageError(f"--prior takes two numbers above 0, successes and failures, not {prior!r}.")
        fitting = replace(fitting, prior=(successes, failures[0]))
    return fitting if iterations is None else replace(fitting, iterations=iterations)


fitting = bundle(
    "fitting",
    _fitting,
    option(
        "--prior",
        metavar="N,N",
        group="Fitting",
        help="Prior pseudo-counts (successes, failures) per parameter. [default: 0.5 examinations at the mean rate]",
    ),
    option(
        "--iterations",
        type=Whole(1, 1_000_000),
        metavar="N",
        group="Fitting",
        help="Maximum iterations of expectation-maximization. [default: 300]",
    ),
    option("--pyclick", is_flag=True, group="Fitting", help="Fit as PyClick does: prior 1,1 and 50 iterations."),
)
"""How click models are fitted."""

models = option(
    "--model",
    "models",
    multiple=True,
    metavar="NAME",
    help="A click model: GCTR, RCTR, DCTR, PBM, CM, DCM, SDBN, DBN, CCM, UBM, or TCM for sessions of several queries; "
    "may be repeated. [default: all]",
)
held_out = option(
    "--held-out",
    type=Real(0, 0.5, min_open=True),
    metavar="SHARE",
    help="Test on this share of sessions, once. [default: 5-fold cross-validation]",
)


def _columns(text: str | None) -> dict[str, str] | None:
    if text is None:
        return None
    pairs = [part.partition("=") for part in text.split(",")]
    if not all(equals for _, equals, _ in pairs):
        raise click.UsageError(f"--columns {text!r}: name each as in document=sku,clicked=hit.")
    return {role.strip(): name.strip() for role, _, name in pairs}
