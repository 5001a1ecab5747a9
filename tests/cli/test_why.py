"""`cranfield why`, as a user calls it."""

import json


def test_one_measure_is_explained_at_a_time(cranfield):
    done = cranfield("why", "qrels.txt", "bm25.run", "-m", "AP", "-m", "RR")
    assert done.returncode == 2
    assert "give -m once" in done.stderr


def test_unless_asked_it_is_about_ndcg(cranfield):
    assert json.loads(cranfield("why", "qrels.txt", "bm25.run", "--format", "json").stdout)["measure"] == "nDCG@10"


def test_standard_input_is_read_once(cranfield):
    done = cranfield("why", "-", "-", stdin="q1 0 d1 1\n")
    assert done.returncode == 2
    assert "Standard input can be read only once" in done.stderr
