"""trec_eval's own tests: every command of its quicktest gives the expected file, byte for byte, in both versions."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from cranfield.compat.trec_eval import trec_eval
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA

pytestmark = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)

FOLDER = SHARED_DATA / "01-trec_eval-tests"
ZSCORES = {"10.0": FOLDER / "inputs" / "zscores_file", "9.0.8": FOLDER / "expected-9.0.8" / "zscores_file.input"}
EXPECTED = {"10.0": FOLDER / "expected-10.0-rc3", "9.0.8": FOLDER / "expected-9.0.8"}
PARAMETERS = (
    "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 -m Rprec_mult.5.0,0.2,0.35 "
    "-mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 -mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20"
)


class Command(NamedTuple):
    expected: str
    arguments: str
    qrels: str
    run: str


COMMANDS = (
    Command("out.test", "", "qrels.test", "results.test"),
    Command("out.test.a", "-m all_trec", "qrels.test", "results.test"),
    Command("out.test.aq", "-m all_trec -q", "qrels.test", "results.test"),
    Command("out.test.aqc", "-m all_trec -q -c", "qrels.test", "results.trunc"),
    Command("out.test.aqcM", "-m all_trec -q -c -M100", "qrels.test", "results.trunc"),
    Command("out.test.aql", "-m all_trec -mrelstring.20 -q -l2", "qrels.rel_level", "results.test"),
    Command("out.test.prefs", "-m all_prefs -q -R prefs", "prefs.test", "prefs.results.test"),
    Command("out.test.qrels_prefs", "-m all_prefs -q -R qrels_prefs", "qrels.test", "results.test"),
    Command("out.test.qrels_jg", "-m qrels_jg -q -R qrels_jg", "qrels.123.gz", "results.test"),
    Command("out.test.meas_params", PARAMETERS, "qrels.test", "results.test"),
    Command("out.test.aqZ", "-q -m all_trec -Z ZSCORES", "qrels.test", "results.test"),
)
WITH_COMMENTS = (
    Command("out.test", "", "qrels.test.with-comments", "results.test"),
    Command("out.test.prefs", "-m all_prefs -q -R prefs", "prefs.comment.test", "prefs.results.test"),
    Command("out.test.qrels_jg", "-m qrels_jg -q -R qrels_jg", "qrels.comments.123.gz", "results.test"),
    Command("out.comment.test", "", "qrels.comment.test.gz", "results.comment.test.gz"),
)


@pytest.mark.parametrize("version", EXPECTED)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.expected)
def test_a_command_gives_the_expected_file(command, version):
    assert_gives_the_expected_file(command, version)


@pytest.mark.parametrize("command", WITH_COMMENTS, ids=lambda command: command.qrels)
def test_version_10_passes_over_comments(command):
    assert_gives_the_expected_file(command, "10.0")


def assert_gives_the_expected_file(command: Command, version: str) -> None:
    arguments = command.arguments.replace("ZSCORES", str(ZSCORES[version])).split()
    files = [str(FOLDER / "inputs" / name) for name in (command.qrels, command.run)]
    outcome = trec_eval(["--like", version, *arguments, *files])
    expected = (EXPECTED[version] / command.expected).read_bytes()
    assert outcome.output.splitlines() == expected.splitlines()  # which shows the first line that differs
    assert outcome.output == expected
    assert (outcome.code, outcome.messages) == (0, ())
    assert expected.count(b"\n") >= 30
