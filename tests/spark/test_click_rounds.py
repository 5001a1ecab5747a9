"""Rounds whose documents are divided in whatever way end where they end on one machine."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from cranfield.click_models import MODELS
from cranfield.click_models.model import PYCLICK, Fitting
from cranfield.formats.clicks import read_clicks
from cranfield.spark import click_rounds, click_tallies
from cranfield.spark.click_rounds import RoundReport, attractions_of, maximised_together, stepping
from cranfield.spark.click_tallies import TallyPlan, packing
from tests.spark.click_logs import impressions
from tests.spark.test_click_tallies import LISTS, counted


class Cluster:
    """Tasks one after the other, each a row of cells, on workers that may forget."""

    def __init__(self, model: str, cells: int, fitting: Fitting, *, forgets: int = 0) -> None:
        self.fitting, self.forgets, self.jobs = fitting, forgets, 0
        kind = MODELS[model]
        log = read_clicks(impressions().to_pylist())
        self.shape = kind.place_shape(log.depth)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(click_tallies, "CELLS", cells)
            self.rows = list(
                packing(iter(counted(impressions(), TallyPlan(model, LISTS, ())).to_batches(max_chunksize=5)))
            )
        self.tried = np.zeros(self.shape)
        for chunk in click_tallies.chunks(iter(self.rows)):
            np.add.at(self.tried, (chunk.rank, chunk.before)[: len(self.shape)], chunk.counts[0])
        self.tried = self.tried.ravel()

    def __call__(self, steps, since):
        self.jobs += 1
        if self.forgets and self.jobs % self.forgets == 0:
            click_rounds._REMEMBERED.clear()
        mapper = stepping("this fit", tuple(steps), since, self.shape, self.fitting)
        batches = [batch for row in self.rows for batch in mapper(iter([row.select(["cells", "size"])]))]
        return RoundReport.of(pa.Table.from_batches(batches).to_pylist())

    def learnt(self):
        click_rounds._REMEMBERED.clear()
        return maximised_together(self, self.tried, self.fitting)

    def attractions(self, learnt):
        found = {}
        for batch in self.rows:
            (row,) = batch.to_pylist()
            part = attractions_of("this fit", row, len(learnt.steps), self.shape, self.fitting)
            part.take(learnt.steps, len(learnt.steps))
            found |= dict(zip(zip(row["query"], row["document"], strict=True), part.latest.tolist(), strict=True))
        return found


FITTINGS = {
    "as usual": Fitting(),
    "to the end": Fitting(tolerance=1e-9, iterations=400),
    "few rounds": Fitting(iterations=3),
    "as PyClick": PYCLICK,
    "with a prior": Fitting(prior=(1, 3), anchored=False),
}


@pytest.mark.parametrize("fitting", FITTINGS.values(), ids=FITTINGS)
@pytest.mark.parametrize("model", ["PBM", "UBM"])
def test_rounds_end_where_they_end_on_one_machine(model, fitting):
    cluster = Cluster(model, 50, fitting)
    learnt = cluster.learnt()
    local = MODELS[model].fit(read_clicks(impressions().to_pylist()), fitting)
    assert (learnt.rounds, learnt.converged) == (local.rounds, local.converged)
    examination = local.parameters["examination"].values
    assert learnt.examination.reshape(examination.shape) == pytest.approx(examination, abs=1e-9)
    values = local.parameters["attraction"].values
    pairs = local.pairs
    here = {
        (pairs.queries[query], pairs.documents[document]): value
        for query, document, value in zip(pairs.query.tolist(), pairs.document.tolist(), values.tolist(), strict=False)
    }
    assert cluster.attractions(learnt) == pytest.approx(here, abs=1e-9)
    assert learnt.unseen == pytest.approx(values[-1], abs=1e-9)


@pytest.mark.parametrize("cells", [1, 7, 10**6])
def test_no_bit_depends_on_how_documents_are_divided(cells):
    whole, divided = Cluster("UBM", 10**6, Fitting()), Cluster("UBM", cells, Fitting())
    one, other = whole.learnt(), divided.learnt()
    assert other.examination.tobytes() == one.examination.tobytes()
    assert divided.attractions(other) == whole.attractions(one)


@pytest.mark.parametrize("forgets", [1, 3])
def test_a_worker_that_lost_everything_does_the_steps_again(forgets):
    cluster, forgetful = Cluster("PBM", 20, Fitting()), Cluster("PBM", 20, Fitting(), forgets=forgets)
    one, other = cluster.learnt(), forgetful.learnt()
    assert other.examination.tobytes() == one.examination.tobytes()
    assert forgetful.attractions(other) == cluster.attractions(one)


def test_a_task_that_is_done_twice_reports_the_same():
    cluster = Cluster("PBM", 10**6, Fitting())
    steps = cluster.learnt().steps
    click_rounds._REMEMBERED.clear()
    first, again = (cluster(steps[:4], 1) for _ in range(2))
    assert first == again


def test_workers_remember_no_more_than_they_may(monkeypatch):
    monkeypatch.setattr(click_rounds, "MOST_REMEMBERED", 0)
    learnt = Cluster("PBM", 20, Fitting()).learnt()
    assert click_rounds._REMEMBERED == {}
    monkeypatch.undo()
    assert learnt.examination.tobytes() == Cluster("PBM", 20, Fitting()).learnt().examination.tobytes()
