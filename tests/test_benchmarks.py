"""The machinery of `make bench`, on collections so small that only its working is tested and not its numbers."""

from __future__ import annotations

import re
import sys
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import cranfield as cf
from benchmarks import clicking, comparing, fusing, in_memory, sizes
from benchmarks.aims import AIMS, Aim
from benchmarks.bench import METHOD, machine, report
from benchmarks.judging import Collected
from benchmarks.labelling import Labelled
from benchmarks.peers import MEASURES, must_agree, tools
from benchmarks.reporting import Reported
from benchmarks.sections import LONG, SECTIONS, Bench, cost_columns
from benchmarks.timing import Command, Cost, best, best_calls, measured
from benchmarks.workloads import ADHOC, DEEP_LEARNING, PASSAGE, RECOMMENDER, Workload

SOME = comparing.Compared(runs=4, queries=30, permutations=500)
SMALL = Workload("small", queries=12, depth=30, judged=7, largest_grade=3)


@pytest.fixture
def bench(tmp_path):
    """Everything, hardly anything of it."""
    return Bench(
        tmp_path,
        passage=PASSAGE.with_queries(12),
        adhoc=ADHOC.with_queries(3),
        deep_learning=DEEP_LEARNING.with_queries(3),
        scattered=(SMALL,),
        recommender=RECOMMENDER.with_queries(30),
        fewer_users=RECOMMENDER.with_queries(20),
        lines=(1000, 2000),
        judgments=(1, 10),
        runs=(1, 3),
        compared=SOME,
        clicked=clicking.Clicked(impressions=300, queries=10, models=("PBM", "UBM", "DBN", "CCM"), few=20),
        labelled=Labelled(judgments=100, labels=500, judges=20, queries=5),
        fused=fusing.Fused(runs=2, queries=3, depth=5, pool=10),
        reported=Reported(runs=2, workload=SMALL),
        large=Reported(runs=2, workload=SMALL),
        collected=Collected(queries=20, per_query=10, texts=50),
        repeats=1,
    )


def test_a_workload_has_the_shape_it_states(tmp_path):
    qrels, run = SMALL.write(tmp_path)
    judged = [line.split(" ") for line in qrels.read_text().splitlines()]
    ranked = [line.split(" ") for line in run.read_text().splitlines()]
    assert len(judged) == 12 * 7
    assert len(ranked) == SMALL.lines == 12 * 30
    assert {len(fields) for fields in judged} == {4}
    assert {len(fields) for fields in ranked} == {6}
    assert {int(grade) for *_, grade in judged} == {0, 1, 2, 3}
    assert len({(query, document) for query, _, document, _ in judged}) == len(judged)
    assert len({(query, document) for query, _, document, *_ in ranked}) == len(ranked)


def test_no_two_scores_of_a_query_are_equal_even_in_32_bits(tmp_path):
    _, run = SMALL.write(tmp_path)
    ranked = [line.split() for line in run.read_text().splitlines()]
    neighbours = [(a, b) for a, b in pairwise(ranked) if a[0] == b[0]]
    assert len(neighbours) == 12 * 29
    assert all(np.float32(above[4]) > np.float32(below[4]) for above, below in neighbours)


def test_a_workload_is_the_same_every_time_and_in_every_form(tmp_path):
    pytest.importorskip("pyarrow")
    forms = [SMALL.write(tmp_path), SMALL.dictionaries(), SMALL.dictionaries(numbered=True), SMALL.write(tmp_path)]
    forms.append(SMALL.write_parquet(tmp_path))
    means = [[cf.evaluate(*form, MEASURES).mean(measure).value for measure in MEASURES] for form in forms]
    assert all(0 < mean < 1 for mean in means[0])
    assert means == [means[0]] * 5


def test_a_table_is_the_same_run_grouped_and_scattered(tmp_path):
    pytest.importorskip("pyarrow")
    grouped, scattered = (
        cf.evaluate(*SMALL.write_tables(tmp_path, scattered=scattered), MEASURES) for scattered in (False, True)
    )
    np.testing.assert_array_equal(grouped.values, scattered.values)
    assert 0 < grouped.mean("RR").value < 1


def test_a_process_is_measured_and_its_output_kept():
    cost = measured(Command((sys.executable, "-c", "print(sum(range(2_000_000)), bytearray(50_000_000)[0])")))
    assert cost.printed == "1999999000000 0\n"
    assert 0.01 < cost.processor < 60
    assert 0.01 < cost.wall < 600
    assert 50 < cost.memory < 90, "MB; the memory of whoever measures does not count"


def test_a_process_that_fails_stops_everything_and_is_quoted():
    with pytest.raises(SystemExit, match=r"(?s)failed:.*it broke"):
        measured(Command((sys.executable, "-c", "raise ValueError('it broke')")))


def test_a_process_that_takes_too_long_is_stopped_and_shown_as_more_than_that():
    endless = measured(Command((sys.executable, "-c", "while True: pass")), longest=0.2)
    assert not endless.finished
    assert endless.wall < 60
    table = cost_columns({"endless": endless, "other": Cost(0.5, 0.5, 20)})
    assert table["wall s"] == [f"> {endless.wall:.0f}", 0.5]


def test_a_process_finds_what_its_environment_was_given():
    command = Command((sys.executable, "-c", "import os; print(os.environ['ANSWER'])"), {"ANSWER": "42"})
    assert measured(command).printed == "42\n"


def test_commands_take_turns_and_the_least_counts(tmp_path):
    log = tmp_path / "log"
    commands = {name: Command(("sh", "-c", f"echo {name} >> {log}")) for name in ("a", "b")}
    costs = best(commands, repeats=3)
    assert log.read_text().split() == ["a", "b"] * 3
    assert [cost.runs for cost in costs.values()] == [3, 3]


def test_what_takes_long_is_run_once():
    called: list[str] = []
    timed = best_calls({name: lambda name=name: called.append(name) for name in "ab"}, repeats=5, patience=0)
    assert called == ["a", "b"]
    assert timed["a"].runs == 1


def test_a_function_is_timed_and_its_result_kept():
    timed = best_calls({"sum": lambda: sum(range(500_000))}, repeats=2)["sum"]
    assert timed.result == 124999750000
    assert timed.runs == 2
    assert 0 < timed.processor < 10
    assert 0 < timed.wall < 100


def test_every_tool_here_gives_the_five_means(tmp_path):
    files = SMALL.write(tmp_path)
    here = tools()
    assert {"cranfield", "pytrec_eval"} <= set(here)
    means = {name: tool.means(measured(tool.command(*files)).printed) for name, tool in here.items()}
    assert all(set(of_tool) == set(MEASURES) for of_tool in means.values())
    assert means["cranfield"]["RR"] == pytest.approx(cf.evaluate(*files, "RR").mean("RR").value, abs=1e-6)
    must_agree(means["cranfield"], means)


def test_a_tool_that_computes_something_else_is_not_timed():
    ours = {"AP": 0.25, "RR": 0.5}
    must_agree(ours, {"other": {"AP": 0.2501, "RR": 0.5}})
    with pytest.raises(SystemExit, match=r"other has RR 0\.6, cranfield 0\.5"):
        must_agree(ours, {"other": {"AP": 0.25, "RR": 0.6}})


def test_dictionaries_are_evaluated_in_every_way():
    timed = in_memory.took(SMALL, repeats=2)
    assert {"cranfield", "pytrec_eval", f"pytrec_eval, {in_memory.BEFORE}"} <= set(timed)
    assert all(call.runs == 2 and call.processor > 0 for call in timed.values())


def test_cranfield_is_evaluated_alone_with_numbers_as_ids():
    timed = in_memory.took(SMALL, repeats=1, alone=True, numbered=True)
    assert set(timed) == {"cranfield", f"cranfield, {in_memory.BEFORE}"}


def test_a_comparison_is_timed_beside_scipys_test_of_one_pair():
    assert SOME.tests == 6 * 5
    timed = comparing.took(SOME, repeats=1, patience=0)
    assert len(timed["cranfield, the whole comparison"].result.differences) == SOME.tests
    assert 0 < timed["scipy, one of them"].result <= 1


def test_made_runs_to_compare_differ_and_are_the_same_every_time():
    scores, again = comparing.scores(SOME), comparing.scores(SOME)
    means = [scores.mean(measure, run).value for measure in MEASURES for run in scores.runs]
    assert means == [again.mean(measure, run).value for measure in MEASURES for run in again.runs]
    assert all(0 < mean < 1 for mean in means)
    assert len(set(means)) == len(means)


def test_the_comparison_multiplies_what_scipy_took(bench):
    text = SECTIONS["comparison"](bench)
    assert "4 runs, 30 queries, 5 measures, 500 permutations: 30 tests." in text
    assert "| scipy, all of them, extrapolated |" in text
    assert bench.found["comparison, scipy"] > 0


def test_every_click_model_is_fitted_to_a_made_log(bench):
    text = SECTIONS["clicks"](bench)
    assert "300 impressions of 10 queries" in text
    named = [*(f"reading {layout}" for layout in clicking.LAYOUTS), "PBM", "UBM", "labels by PBM, 20 bootstrap samples"]
    assert all(f"| {name} |" in text for name in named)
    assert "PyClick, processor s" in text
    assert bench.found["clicks, slowest, seconds"] > 0
    assert bench.found["clicks, MB"] > 10


def test_a_made_log_is_the_same_in_every_layout(tmp_path):
    made = clicking.log(clicking.Clicked(impressions=40, queries=3))
    logs = [cf.read_clicks(clicking.write(made, layout, tmp_path)) for layout in clicking.LAYOUTS.values()]
    assert [list(clicking.rows(log)) for log in logs] == [list(clicking.rows(made))] * len(logs)


def test_an_aim_is_met_or_not_or_was_not_measured():
    at_least, at_most = Aim("speed", "a", least=12), Aim("memory", "b", most=150, unit="MB")
    assert at_least.row({"a": 12.0}) == ("speed", "≥ 12 ×", "12 ×", "met")
    assert at_least.row({"a": 11.9}) == ("speed", "≥ 12 ×", "11.9 ×", "**not met**")
    assert at_most.row({"b": 151.0}) == ("memory", "≤ 150 MB", "151 MB", "**not met**")
    assert at_most.row({}) == ("memory", "≤ 150 MB", "", "not measured")
    assert Aim("both", "a", least=2, beside="b").row({"a": 8.0, "b": 2.0})[2] == "4 ×"


def test_the_report_has_every_section_and_measures_every_aim(bench, capsys):
    pytest.importorskip("pyarrow")
    sections = [name for name in SECTIONS if name != "instructions"]  # valgrind takes half a minute
    text = report(bench, sections)
    assert text.startswith("# Benchmarks\n")
    assert METHOD in text
    assert machine() in text
    assert all(f"\n## {name}\n\n" in text for name in sections)
    assert "## growth" in capsys.readouterr().out
    # What takes long is measured only when it is asked for.
    missing = {aim.found for aim in AIMS if not aim.what.startswith(tuple(LONG))} - set(bench.found)
    elsewhere = ("trec_eval", "ir_measures", "ranx", "PyClick")
    assert all(name.endswith(elsewhere) for name in missing), f"tools that are not here: {missing}"
    assert all(number > 0 for name, number in bench.found.items() if "excluded" not in name)


def test_a_size_the_disk_has_no_room_for_is_left_out(bench, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=80_000))
    text = SECTIONS["growth"](bench)
    assert "| 1,000 | 0." in text
    assert "| 2,000 |  |  | no room on the disk |" in text


def test_the_page_about_speed_shows_what_is_measured():
    page = (Path(__file__).parents[1] / "docs" / "speed.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(.+)` \|", page, re.MULTILINE) == list(sizes.WAITS)
