"""The task-centric model: sessions of several queries."""

from itertools import product

import numpy as np
import pytest

import cranfield as cf
from cranfield.click_models import MODELS, PBM, PYCLICK, TCM, Fitting
from cranfield.click_models.held_out import compare_click_models
from cranfield.click_models.task_centric import _expected
from cranfield.errors import DataError
from tests.click_models.simulated import drawn, known, shown


def session(name, *queries):
    """Impressions of a session: each query has a text of documents, and the clicks on them."""
    return [
        {"session": name, "query": documents, "documents": list(documents), "clicks": [int(c) for c in clicks]}
        for documents, clicks in queries
    ]


def values(model):
    return tuple(parameter.values for parameter in model.parameters.values())


class TestSessions:
    def test_the_last_query_of_a_session_and_what_was_shown_before_are_known(self):
        log = cf.read_clicks([*session("s", ("ab", "00"), ("cb", "00")), *session("t", ("ab", "10"))])
        assert log.final.tolist() == [False, True, True]
        assert log.repeated.tolist() == [False, False, False, True, False, False]

    def test_sessions_may_be_mixed(self):
        one, two = session("s", ("ab", "00"), ("cb", "00")), session("t", ("bd", "10"), ("db", "00"))
        log = cf.read_clicks([one[0], two[0], one[1], two[1]])
        assert log.final.tolist() == [False, False, True, True]
        assert log.repeated.tolist() == [False, False, False, False, False, True, True, True]

    def test_a_document_twice_in_one_list_was_not_shown_before(self):
        log = cf.read_clicks(session("s", ("aa", "00"), ("ab", "00")))
        assert log.repeated.tolist() == [False, False, True, False]


class TestModel:
    def test_what_is_inferred_of_a_query_is_what_summing_over_all_possibilities_gives(self):
        """Clicks, match, examination, freshness and attraction of every result, one combination after the other."""
        log = cf.read_clicks([*session("s", ("ab", "00"), ("bc", "01")), *session("t", ("ab", "00"))])
        model = TCM.given(
            log,
            attraction=np.linspace(0.3, 0.7, len(log.pairs)),
            examination=[0.9, 0.6],
            match=0.7,
            **{"further query": 0.5, "freshness": 0.4},
        )
        block = model.block(log)
        expected = _expected(block, values(model))
        attraction = model.value("attraction", block)
        for at in range(block.count):
            weight, looked = np.zeros(2), np.zeros(2)
            for matches, *states in product([0, 1], repeat=1 + 2 * 2):
                chance = 0.7 if matches else 0.3
                follows = 0.5 if matches else 1.0
                chance *= (1 - follows) if block.final[at] else follows
                for rank in range(2):
                    gate, attracts = states[2 * rank : 2 * rank + 2]
                    open_ = [0.9, 0.6][rank] * (0.4 if block.repeated[rank, at] else 1)
                    chance *= open_ if gate else 1 - open_
                    chance *= attraction[rank, at] if attracts else 1 - attraction[rank, at]
                    chance *= bool(matches and gate and attracts) == block.click[rank, at]
                weight[matches] += chance
                looked += [chance * (matches and states[0]), chance * (matches and states[2])]
            assert expected.matched[at] == pytest.approx(weight[1] / weight.sum())
            assert (block.click + expected.looked)[:, at] == pytest.approx(looked / weight.sum())

    def test_rounds_never_make_sessions_less_likely(self):
        _, log = drawn("TCM", 400, depth=4)

        def likelihood(rounds):
            plain = Fitting(prior=(1e-9, 1e-9), tolerance=0, anchored=False, iterations=rounds)
            model = TCM.fit(log, plain)
            block = model.block(log)
            matching = model._matching(block)
            of_clicks = np.where(block.click, matching, 1 - matching).prod(axis=0, where=block.shown)
            match, further = (model.parameters[name].values[0] for name in ("match", "further query"))
            matched = match * of_clicks * np.where(block.final, 1 - further, further)
            missed = (1 - match) * ~block.final * ~block.click.any(axis=0)
            return np.log(matched + missed).sum()

        assert np.diff([likelihood(rounds) for rounds in (1, 2, 3, 5, 10, 20)]).min() > -1e-9

    def test_where_every_session_has_one_query_it_is_the_position_based_model(self):
        _, log = drawn("PBM", 2_000, depth=5)
        tcm, pbm = (model.fit(log, Fitting(tolerance=1e-9)) for model in (TCM, PBM))
        assert tcm.relevance()[0] == pytest.approx(pbm.relevance()[0], abs=1e-4)
        assert tcm.relevance()[1] == pytest.approx(pbm.relevance()[1], rel=1e-3)
        assert tcm.parameters["match"].values[0] == pytest.approx(2001 / 2002)

    def test_what_was_shown_before_is_expected_to_be_clicked_less(self):
        log = cf.read_clicks(session("s", ("a", "0"), ("a", "0")))
        expected = known("TCM", log).expected(log.pairs.block(log, in_sessions=True))
        assert expected[0, 1] == pytest.approx(0.4 * expected[0, 0])


class TestPyClick:
    """markovi/PyClick, commit 98e7e460231b, after 50 rounds on the same sessions."""

    def test_parameters_are_nearly_the_same(self):
        """PyClick takes each result's match for independent of the others, and counts sessions by results."""
        _, log = drawn("TCM", 4_000, queries=5, pool=8, depth=6)
        found = TCM.fit(log, PYCLICK).parameters
        theirs = {"match": 0.684753712882, "further query": 0.483769576043, "freshness": 0.467118032910}
        assert {name: found[name].values[0] for name in theirs} == pytest.approx(theirs, abs=0.01)
        assert found["examination"].values == pytest.approx([0.7159, 0.6045, 0.4996, 0.4866, 0.3622, 0.3218], abs=0.005)

    def test_where_every_query_matches_they_are_the_same(self):
        _, log = drawn("PBM", 2_000, queries=5, pool=8, depth=6)
        found = TCM.fit(log, PYCLICK).parameters
        assert found["examination"].values == pytest.approx([0.7235, 0.6570, 0.5402, 0.4338, 0.3850, 0.3077], abs=5e-4)


class TestChoosingIt:
    def test_predicts_sessions_that_were_drawn_from_it_best(self):
        _, log = drawn("TCM", 6_000)
        compared = compare_click_models(log, ["PBM", "DCTR", "TCM"], held_out=0.3)
        assert (compared.best, compared.as_good) == ("TCM", ())

    def test_takes_part_where_sessions_have_several_queries(self):
        _, log = drawn("TCM", 300, queries=3, depth=3)
        assert compare_click_models(log, held_out=0.5).settings["models"] == list(MODELS)
        _, single = drawn("PBM", 300, queries=3, depth=3)
        assert "TCM" not in compare_click_models(single, held_out=0.5).settings["models"]

    @pytest.mark.parametrize(
        "ask",
        [
            lambda log: cf.fit_click_model(log, "TCM"),
            lambda log: cf.clicks(log, "tcm"),
            lambda log: compare_click_models(log, ["PBM", "TCM"]),
        ],
    )
    def test_is_refused_where_every_session_has_one(self, ask):
        _, log = drawn("PBM", 30)
        with pytest.raises(DataError, match="TCM takes sessions of several queries, and every session of this log has"):
            ask(log)

    def test_labels_have_intervals_of_both_kinds(self):
        _, log = drawn("TCM", 1_000, queries=2, depth=3)
        beta = cf.clicks(log, "TCM")
        bootstrap = cf.clicks(log, "TCM", interval="bootstrap", samples=20)
        assert len(beta.judgments) == len(bootstrap.judgments) == 24

    def test_impressions_that_are_alike_in_their_session_are_counted_once(self):
        _, log = drawn("TCM", 500, queries=1, pool=2, depth=2)
        assert log.session_block.count < 40
        plain = TCM.fit_block(log.pairs, log.pairs.block(log, in_sessions=True), Fitting())
        for name, parameter in TCM.fit(log).parameters.items():
            assert parameter.values == pytest.approx(plain.parameters[name].values, abs=1e-6)

    def test_unclicked_sessions_without_end_are_no_division_by_zero(self):
        rows = [row for name in range(20) for row in session(name, ("ab", "00"), ("ab", "00"), ("ab", "01"))]
        model = TCM.fit(cf.read_clicks(rows), Fitting(prior=(1e-9, 1e-9)))
        assert all(np.isfinite(parameter.values).all() for parameter in model.parameters.values())


def test_a_log_of_no_further_queries_shows_nothing_again():
    log = shown(20)
    assert log.final.all()
    assert not log.repeated.any()
    assert not log.has_further_queries
