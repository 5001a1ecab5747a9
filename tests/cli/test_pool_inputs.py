"""What commands about pools share."""

import click
import pytest
from click.testing import CliRunner

from cranfield.cli.inputs import Inputs
from cranfield.cli.pool_inputs import measure, measure_at, pooled


@click.command()
@measure
def measured(measure):
    click.echo(measure)


def test_runs_are_compared_by_one_measure():
    assert CliRunner().invoke(measured, ["-m", "AP"]).stdout == "AP\n"
    refused = CliRunner().invoke(measured, ["-m", "AP", "-m", "RR"])
    assert refused.exit_code == 2
    assert "not by AP and RR" in refused.stderr


def test_a_measure_has_the_level_that_was_asked_for():
    assert str(measure_at(None, None)) == "nDCG@10"
    assert str(measure_at("P@5", 2)) == "P(rel=2)@5"


def test_a_name_for_several_measures_is_left_as_it_is():
    assert measure_at("AP,RR", None) == "AP,RR"


def test_standard_input_is_one_of_runs_and_judgments(folder):
    inputs = Inputs(None, None, ())
    with pooled(("bm25.run",), "qrels.txt", inputs, quiet=True) as (runs, judgments):
        assert ([run.name for run in runs], sorted(judgments)) == (["bm25"], ["q1", "q2"])
    with pytest.raises(click.UsageError), pooled(("-",), "-", inputs, quiet=True):
        pass
