from __future__ import annotations

from types import SimpleNamespace

import pytest

import cranfield as cf
from cranfield.evaluating import aggregate
from cranfield.evaluating.evaluation import evaluation_plan
from cranfield.spark import sums
from cranfield.spark.part import PartPlan, part_of
from cranfield.spark.sums import Column, SummedSample
from tests.spark.collections import collection

MEASURES = ["nDCG@10", "GMAP", "num_ret", "Rprec", "RBP"]


class Row(SimpleNamespace):
    def __getitem__(self, name):
        return getattr(self, name)


def rows_of(batches):
    return [Row(**row) for batch in batches for row in batch.to_pylist()]


@pytest.mark.parametrize("size", [1, 7, 100])
@pytest.mark.parametrize(
    "settings", [{}, {"average_over": "answered", "without_relevant": "drop", "undefined": "skip"}]
)
def test_means_of_parts_have_the_bits_of_the_mean_of_all(size, settings):
    given = collection()
    local = cf.evaluate(given.judgments, given.run, MEASURES, **settings)
    plan = PartPlan(evaluation_plan(None, MEASURES, settings), ("run",), 4.0)
    parts = [
        [batch for batch in part_of(part.judgments, {0: part.run}, plan) if batch["scores"][0].is_valid]
        for part in given.parts(size)
    ]
    found = sums.gathered(rows_of(batch for part in parts for batch in sums.summing(plan)(iter(part))))
    around = sums.centres(found)
    squares = sums.gathered_squares(
        rows_of(batch for part in parts for batch in sums.squaring(plan, around)(iter(part)))
    )
    for at, measure in enumerate(local.measures):
        column = Column(0, at)
        sample = SummedSample(found[column], squares.get(column, 0.0))
        assert aggregate.mean_of(measure, sample, found[column].undefined) == local.mean(measure)
    judged_at_10 = found[Column(0, sums.JUDGED_AT_10)]
    assert SummedSample(judged_at_10).total() / judged_at_10.count == local.provenance.runs[0].judged_at_10


def test_ties_that_move_scores_are_counted():
    given = collection()
    plan = PartPlan(evaluation_plan(None, ["nDCG@10", "num_ret"], {}), ("run",), 4.0)
    batches = [one for one in part_of(given.judgments, {0: given.run}, plan) if one["scores"][0].is_valid]
    found = sums.gathered(rows_of(sums.summing(plan)(iter(batches))))
    assert found[Column(0, 0, "low")].moved > 0
    assert found[Column(0, 0, "low")].total < found[Column(0, 0, "high")].total
    assert found[Column(0, 1, "low")].moved == 0
