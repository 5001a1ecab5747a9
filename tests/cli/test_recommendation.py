"""`cranfield recommendation`, as a user calls it."""

import json
from dataclasses import replace

import pytest

import cranfield as cf


@pytest.fixture(autouse=True)
def files(folder):
    (folder / "items.txt").write_text("d1\nd2\nd3\nd9\n")
    (folder / "train.tsv").write_text("q1\td2\t5\nq2\td9\t1\n")
    (folder / "genres.csv").write_text("item,genre\nd1,jazz\nd9,jazz\nd3,pop\nd2,pop\n")


def test_in_a_pipe_it_prints_a_row_per_number(cranfield):
    done = cranfield("recommendation", "bm25.run", "-k", "2", "--items", "items.txt", "--quiet")
    assert done.stdout.splitlines() == [
        "run\tmeasure\tuser\tvalue\tlow\thigh",
        "bm25\tusers\tall\t2\t\t",
        "bm25\titems\tall\t3\t\t",
        "bm25\tcoverage\tall\t0.7500\t\t",
        "bm25\tGini\tall\t0.3750\t\t",
        "bm25\tentropy\tall\t1.5000\t\t",
        "bm25\tpersonalisation\tall\t0.5000\t\t",
    ]


def test_the_table_is_for_people_and_says_what_it_means(cranfield):
    known = ("--interactions", "train.tsv", "--attributes", "genres.csv")
    shown = cranfield("recommendation", "bm25.run", *known, "--format", "table").stdout
    assert shown.splitlines()[0].split() == [
        *("run", "users", "items", "coverage", "Gini", "entropy"),
        *("novelty", "popularity", "diversity", "personalisation"),
    ]
    assert "Diversity: 1 - mean Jaccard similarity" in " ".join(shown.split())
    assert "bm25: 2 of 2 users got fewer than 10 items (q1, q2)" in " ".join(shown.split())
    assert "got fewer" not in cranfield("recommendation", "bm25.run", "--format", "table", "--quiet").stdout


def test_every_list_on_request(cranfield):
    arguments = ("recommendation", "bm25.run", "--interactions", "train.tsv", "-q", "--quiet")
    lines = cranfield(*arguments).stdout.splitlines()
    assert [line for line in lines if "\tall\t" not in line] == [
        "run\tmeasure\tuser\tvalue\tlow\thigh",
        "bm25\tnovelty\tq1\t1.0000\t\t",
        "bm25\tnovelty\tq2\t1.0000\t\t",
        "bm25\tpopularity\tq1\t0.1667\t\t",
        "bm25\tpopularity\tq2\t0.2500\t\t",
    ]
    people = cranfield(*arguments, "--format", "table").stdout
    assert "run    user   novelty   popularity" in people
    assert "users   items" in people


def test_json_is_the_object_that_python_gives(cranfield):
    shown = cranfield("recommendation", "bm25.run", "--interactions", "train.tsv", "--format", "json", "-q")
    expected = replace(cf.recommendation(["bm25.run"], interactions="train.tsv"), with_users=True).to_dict()
    assert json.loads(shown.stdout) == json.loads(json.dumps(expected))


def test_warnings_reach_the_person_and_not_the_pipe(cranfield):
    done = cranfield("recommendation", "bm25.run", "--interactions", "train.tsv")
    assert "warning: bm25: 2 of 4 recommended items have no interactions" in done.stderr
    assert "warning" not in done.stdout


def test_a_missing_file_and_a_wrong_cutoff(cranfield):
    done = cranfield("recommendation", "bm25.run", "--items", "item.txt")
    assert done.returncode == 3
    assert "item.txt: there is no such file\nDid you mean items.txt?" in done.stderr
    assert cranfield("recommendation", "bm25.run", "-k", "0").returncode == 2
    assert cranfield("recommendation", "-", "--items", "-", stdin="").returncode == 2
