"""How commands read a click log, and how click models are fitted."""

import click
import pytest
from click.testing import CliRunner

from cranfield.cli.click_inputs import ClickInputs, click_reading, fitting
from cranfield.click_models.model import PYCLICK, Fitting


@click.command()
@fitting
def fitted(fitting):
    click.echo(repr(fitting))


@click.command()
@click_reading
def read(inputs):
    click.echo(repr(inputs))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", Fitting()),
        ("--pyclick", PYCLICK),
        ("--prior 1,2", Fitting(prior=(1.0, 2.0))),
        ("--iterations 7", Fitting(iterations=7)),
    ],
)
def test_models_are_fitted_as_the_options_say(options, expected):
    assert CliRunner().invoke(fitted, options.split()).stdout == f"{expected!r}\n"


@pytest.mark.parametrize(
    "options", ["--pyclick --prior 1,1", "--pyclick --iterations 50", "--prior 1", "--prior 1,2,3"]
)
def test_options_that_contradict_each_other_are_refused(options):
    assert CliRunner().invoke(fitted, options.split()).exit_code == 2


def test_several_actions_may_count_as_a_click():
    done = CliRunner().invoke(read, ["--click-action", "click", "--click-action", "buy"])
    assert done.stdout == f"{ClickInputs(None, ('click', 'buy'))!r}\n"


def test_columns_of_a_log_are_named(tmp_path):
    (tmp_path / "log.csv").write_text("session,query,position,sku,hit\ns1,q1,1,d1,1\ns1,q1,2,d2,0\n")
    log = ClickInputs("document=sku, clicked=hit", ()).log((str(tmp_path / "log.csv"),))
    assert list(log.documents) == ["d1", "d2"]
    with pytest.raises(click.UsageError, match="name each as in document=sku"):
        ClickInputs("sku", ()).log((str(tmp_path / "log.csv"),))
