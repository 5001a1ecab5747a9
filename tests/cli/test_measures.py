"""`cranfield measures`: the catalogue in the terminal."""

import json

from cranfield.catalogue import entries as catalogue_entries
from cranfield.measures import catalogue


def test_every_measure_is_listed_under_its_family(cranfield):
    shown = cranfield("measures", "--format", "table").stdout
    assert "Cumulated gain\n" in shown
    for name in catalogue():
        assert name in shown


def test_one_definition_is_given_in_full(cranfield):
    shown = cranfield("measures", "ndcg_cut_10", "--format", "table").stdout
    for part in ("nDCG", "Σ_{i ≤ k}", "Järvelin", "gain=linear", "0 to 1", "scikit-learn", "0.7985"):
        assert part in shown


def test_every_definition_is_whole(cranfield):
    entries = json.loads(cranfield("measures", "--format", "json").stdout)["measures"]
    assert [entry["name"] for entry in entries] == [entry.definition.name for entry in catalogue_entries()]
    for entry in entries:
        for part in ("summary", "formula", "range", "example", "written", "tools"):
            assert entry[part], f"{entry['name']} has no {part}"
        assert entry["cite"] or entry["family"] == "Counts"


def test_an_unknown_name_is_answered_with_near_ones(cranfield):
    done = cranfield("measures", "presicion")
    assert done.returncode == 2
    assert "Did you mean" in done.stderr
