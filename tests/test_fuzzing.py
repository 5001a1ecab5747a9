"""Damaged and odd inputs for everything that reads: a short round, and that a longer one would notice trouble."""

from __future__ import annotations

import faulthandler
import os
import signal
import time
import warnings
from itertools import count
from pathlib import Path

import pytest

from fuzzing.__main__ import main, summary
from fuzzing.attempt import attempt
from fuzzing.promises import BrokenPromiseError, Refusal, by_both, finite, outcome
from fuzzing.rounds import tried, write
from fuzzing.seeds import SMALL_QRELS, SMALL_RUN
from fuzzing.targets import TARGETS, Target
from tests.effort import more

BY_NAME = {target.name: target for target in TARGETS}
INPUTS = 100
"""Of each target; slow ones try fewer."""
SLOW = {"labels": 50, "pools": 50, "clicks": 50, "tables": 60}


@pytest.mark.parametrize("name", BY_NAME)
def test_inputs_are_refused_in_words_or_give_finite_numbers(name, tmp_path):
    pytest.importorskip("cranfield.kernels.compiled", reason="the compiled loops are not built")
    target = BY_NAME[name]
    for number in range(len(target.seeds), len(target.seeds) + more(SLOW.get(name, INPUTS))):
        write(target.case(0, number), tmp_path)
        problem = attempt(name, target.call, tmp_path)
        assert problem is None, f"input {number} of {problem}"


@pytest.mark.parametrize("name", BY_NAME)
def test_most_seeds_are_sound_so_that_what_is_made_of_them_gets_deep(name, tmp_path):
    target = BY_NAME[name]
    refused = []
    for number in range(len(target.seeds)):
        write(target.case(0, number), tmp_path)
        told = target.call(tmp_path)
        refused += [told.words] if isinstance(told, Refusal) else []
    # Most pairs of a fusion's choices do not go together.
    assert len(refused) <= len(target.seeds) * (0.7 if name == "fusions" else 0.25), refused


def test_an_input_follows_from_its_seed_and_number():
    target = BY_NAME["runs"]
    assert target.case(1, 77) == target.case(1, 77)
    assert len({tuple(target.case(seed, 77).values()) for seed in range(20)}) > 15


SEEDS = [{"qrels.txt": SMALL_QRELS, "bm25.run": SMALL_RUN}]


def round_of(call, **options):
    """What a round of one target finds."""
    return tried([Target("own", call, lambda: SEEDS)], seed=1, seconds=0.3, processes=1, **options)["own"]


class TestFindings:
    def test_are_other_exceptions_than_the_packages_own(self):
        tally = round_of(lambda folder: {}["missing"])
        (kind,) = tally.problems
        assert kind.startswith("KeyError at test_fuzzing.py:")
        assert tally.times[kind] == tally.inputs > 1

    def test_are_warnings(self):
        tally = round_of(lambda folder: warnings.warn("odd", RuntimeWarning, stacklevel=1))
        assert [kind.split()[0] for kind in tally.problems] == ["RuntimeWarning"]

    def test_are_crashes_of_the_process_with_the_input_that_led_to_them(self):
        def crash(folder: Path) -> None:
            if (folder / "qrels.txt").read_bytes() != SMALL_QRELS.data:
                faulthandler.disable()  # pytest's, which would print what is meant to happen
                os.kill(os.getpid(), signal.SIGSEGV)

        tally = round_of(crash)
        (problem, case) = tally.problems["crash SIGSEGV"]
        assert case["qrels.txt"] != SMALL_QRELS.data
        assert "SIGSEGV" in problem.words

    @pytest.mark.parametrize("hang", [lambda folder: time.sleep(30), lambda folder: [len(str(n)) for n in count()]])
    def test_are_hangs(self, hang, monkeypatch):
        monkeypatch.setattr("fuzzing.attempt.LIMIT", 0.05)
        assert [kind.split()[0] for kind in round_of(hang).problems] == ["HangError"]

    def test_are_none_where_other_processes_keep_it_from_working(self, monkeypatch):
        monkeypatch.setattr("fuzzing.attempt.LIMIT", 0.1)
        assert not round_of(lambda folder: time.sleep(0.2)).problems

    def test_are_floods_of_memory(self, monkeypatch):
        monkeypatch.setattr("fuzzing.rounds.MEMORY", 1 << 28)
        assert [kind.split()[0] for kind in round_of(lambda folder: bytearray(1 << 40)).problems] == ["MemoryError"]

    def test_are_numbers_that_are_not_finite(self):
        with pytest.raises(BrokenPromiseError, match="not finite"):
            finite({"AP": float("nan")})

    def test_are_differences_between_compiled_and_plain_loops(self):
        with pytest.raises(BrokenPromiseError, match="plain loops give"):
            by_both(lambda: os.environ["CRANFIELD_KERNELS"])

    def test_are_none_where_an_input_is_refused_in_words(self):
        import cranfield as cf

        def refuse(folder: Path) -> None:
            outcome(lambda: cf.parse("no such measure"))

        tally = round_of(refuse)
        assert not tally.problems
        assert summary({"own": tally}) == f"{tally.inputs:,} inputs (own {tally.inputs:,}); 0 findings."


def test_the_command_ends_with_what_was_tried(tmp_path, capsys):
    code = main(["--seconds=0.3", "--seed=1", "--only=documents", f"--findings={tmp_path}"])
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first == "Trying documents for 0.3 seconds with SEED=1."
    assert last.endswith("; 0 findings.")
    assert code == 0


def test_the_command_writes_what_it_found_and_tries_it_again(tmp_path, capsys, monkeypatch):
    def fail(folder: Path) -> None:
        raise KeyError((folder / "qrels.txt").name)

    broken = Target("runs", fail, lambda: SEEDS)
    monkeypatch.setattr("fuzzing.__main__.TARGETS", (broken,))
    assert main(["--seconds", "0.3", "--findings", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert "runs: KeyError at test_fuzzing.py" in printed
    assert printed.splitlines()[-1].endswith("; 1 finding.")
    assert (tmp_path / "runs-1" / "qrels.txt").is_file()
    assert f"(in {tmp_path / 'runs-1'})" in printed.splitlines()[1], "a finding is named when it is met, not at the end"
    assert main(["--replay", str(tmp_path / "runs-1")]) == 1
    monkeypatch.undo()
    assert main(["--replay", str(tmp_path / "runs-1")]) == 0


def test_a_target_that_does_not_exist_is_refused_by_name():
    with pytest.raises(SystemExit, match=r"There is no target 'run'\. Choose from judgments, runs"):
        main(["--only", "run"])
