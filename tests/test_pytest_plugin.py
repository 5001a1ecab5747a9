"""Search quality in somebody's tests: pytest itself runs them here."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points

import pytest

import cranfield as cf
import cranfield.compat  # loaded once: pytester forgets what a session inside this one has imported
import cranfield.pytest_plugin
import cranfield.testing
from cranfield.formats import memory

pytest_plugins = ["pytester"]
LOADED = (cranfield.compat, cranfield.pytest_plugin, cranfield.testing, memory)

SEARCH = """
import cranfield as cf
import pytest

JUDGED = {f"q{at}": {"d1": 1} for at in range(9)}

def scores(rank, measures="RR"):
    return cf.evaluate(JUDGED, {"new": {query: [*"xyz"[:rank - 1], "d1"] for query in JUDGED}}, measures)
"""
ONE_TEST = """
def test_search(cranfield_baseline):
    cranfield_baseline.assert_not_worse(scores(RANK), measure="RR", margin=0.1)
"""
BASELINE = "cranfield-baselines/test_shop/test_search.json"


@pytest.fixture
def shop(pytester):
    """Runs tests of a shop in which the document that is wanted stands at a rank."""

    def run(*arguments, rank=1, tests=ONE_TEST, process=False):
        pytester.makepyfile(test_shop=SEARCH + tests.replace("RANK", str(rank)))
        call = pytester.runpytest_subprocess if process else pytester.runpytest_inprocess
        return call("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov", *arguments)

    return run


def test_pytest_finds_the_plugin_by_its_entry_point():
    (found,) = [point for point in entry_points(group="pytest11") if point.name == "cranfield"]
    assert found.value == "cranfield.pytest_plugin"


class TestBaselines:
    def test_without_a_baseline_a_test_fails_and_says_how_to_write_one(self, shop):
        result = shop()
        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines(["*there is no such file; it is the baseline of this test*"])
        result.stdout.fnmatch_lines(["*pytest --cranfield-update*"])

    def test_update_writes_it_and_later_runs_are_compared_with_it(self, shop, pytester):
        result = shop("--cranfield-update")
        result.assert_outcomes(passed=1)
        result.stdout.fnmatch_lines(["*== cranfield ==*", f"Wrote *{BASELINE}: new, 9 queries; RR 1.0000."])
        assert cf.load(pytester.path / BASELINE).mean("RR").value == 1
        shop(rank=1).assert_outcomes(passed=1)
        worse = shop(rank=2)
        worse.assert_outcomes(failed=1)
        worse.stdout.fnmatch_lines(["*RR is worse by 0.5000 (1.0000 → 0.5000, 9 queries)*"])
        worse.stdout.no_fnmatch_line("*== cranfield ==*")

    def test_update_shows_what_got_worse(self, shop):
        shop("--cranfield-update")
        shop("--cranfield-update", rank=2).stdout.fnmatch_lines(["*RR 1.0000 → 0.5000 WORSE."])

    def test_update_replaces_a_damaged_baseline(self, shop, pytester):
        shop("--cranfield-update")
        (pytester.path / BASELINE).write_text("{")
        shop().assert_outcomes(failed=1)
        shop("--cranfield-update").assert_outcomes(passed=1)
        shop().assert_outcomes(passed=1)

    def test_every_test_and_every_parameter_has_a_file_of_its_own(self, shop, pytester):
        tests = """
class TestShop:
    @pytest.mark.parametrize("kind", ["a", "b/c", "ü" * 200])
    def test_kind(self, kind, cranfield_baseline):
        cranfield_baseline.assert_not_worse(scores(len(kind) % 3 + 1), measure="RR", margin=0.1)
"""
        shop("--cranfield-update", tests=tests).assert_outcomes(passed=3)
        names = sorted(path.name for path in (pytester.path / "cranfield-baselines" / "test_shop").iterdir())
        assert names[:2] == ["TestShop.test_kind[a].json", "TestShop.test_kind[b-c]-6ae2dc36.json"]
        assert len(names) == 3
        assert len(names[2]) < 150
        shop(tests=tests).assert_outcomes(passed=3)

    def test_two_tests_may_share_a_baseline_if_they_have_the_same_scores(self, shop):
        tests = """
@pytest.mark.parametrize("measure", ["RR", "P@1"])
@pytest.mark.cranfield(baseline="search", margin=0.1)
def test_search(measure, cranfield_baseline):
    cranfield_baseline.assert_not_worse(scores(RANK, "RR P@1"), measure=measure)
"""
        written = shop("--cranfield-update", tests=tests)
        written.assert_outcomes(passed=2)
        written.stdout.fnmatch_lines(["Wrote */search.json: new, 9 queries; RR 1.0000, P@1 1.0000."])
        shop(tests=tests, rank=2).assert_outcomes(failed=2)

    def test_different_scores_for_one_baseline_are_refused(self, shop):
        tests = """
@pytest.mark.parametrize("rank", [1, 2])
@pytest.mark.cranfield(baseline="search", measure="RR", margin=0.1)
def test_search(rank, cranfield_baseline):
    cranfield_baseline.assert_not_worse(scores(rank))
"""
        result = shop("--cranfield-update", tests=tests)
        result.assert_outcomes(passed=1, failed=1)
        result.stdout.fnmatch_lines(["*search.json: two different results for one baseline.*"])
        result.stdout.no_fnmatch_line("*ERROR: *")

    def test_of_several_runs_one_is_named(self, shop, pytester):
        tests = """
def test_search(cranfield_baseline):
    both = cf.evaluate(JUDGED, {"a": {query: ["d1"] for query in JUDGED}, "b": {"q1": ["x"]}}, "RR")
    cranfield_baseline.assert_not_worse(both, measure="RR", margin=0.1CHOICE)
"""
        unnamed = shop("--cranfield-update", tests=tests.replace("CHOICE", ""))
        unnamed.assert_outcomes(failed=1)
        unnamed.stdout.fnmatch_lines(["*There are 2 runs in the results: a, b.*"])
        named = tests.replace("CHOICE", ", run='a'")
        shop("--cranfield-update", tests=named).assert_outcomes(passed=1)
        assert cf.load(pytester.path / BASELINE).runs == ("a",)
        shop(tests=named).assert_outcomes(passed=1)


class TestWhereBaselinesAre:
    def test_the_option_names_a_folder_from_where_pytest_was_called(self, shop, pytester):
        shop("--cranfield-update", "--cranfield-baseline", "main")
        assert (pytester.path / "main" / "test_shop" / "test_search.json").is_file()

    def test_or_one_file_for_all(self, shop, pytester):
        cf.save(cf.evaluate({f"q{at}": {"d1": 1} for at in range(9)}, {f"q{at}": ["d1"] for at in range(9)}, "RR"),
                pytester.path / "main.json")  # fmt: skip
        shop("--cranfield-baseline", "main.json").assert_outcomes(passed=1)
        shop("--cranfield-baseline", "main.json", rank=2).assert_outcomes(failed=1)

    def test_the_setting_is_the_default_for_a_project(self, shop, pytester):
        pytester.makeini("[pytest]\ncranfield_baseline = quality")
        shop("--cranfield-update")
        assert (pytester.path / "quality" / "test_shop" / "test_search.json").is_file()

    def test_a_folder_that_cannot_be_made_is_an_error(self, shop, pytester):
        (pytester.path / "main").write_text("a file")
        result = shop("--cranfield-update", "--cranfield-baseline", "main")
        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines(["*main*cannot be written*"])


class TestMarker:
    def test_is_known_to_strict_projects_and_listed(self, shop):
        tests = "@pytest.mark.cranfield(measure='RR', margin='1%')\n" + ONE_TEST.strip()
        shop("--strict-markers", "--cranfield-update", tests=tests).assert_outcomes(passed=1)
        shop("--markers").stdout.fnmatch_lines(["@pytest.mark.cranfield(*"])

    def test_the_nearest_one_wins_and_the_call_over_both(self, shop):
        tests = """
pytestmark = pytest.mark.cranfield(measure="RR", margin=0.6)

@pytest.mark.cranfield(baseline="search")
def test_wide(cranfield_baseline):
    cranfield_baseline.assert_not_worse(scores(RANK))

@pytest.mark.cranfield(baseline="search", margin=0.1)
def test_narrow(cranfield_baseline):
    cranfield_baseline.assert_not_worse(scores(RANK))

@pytest.mark.cranfield(baseline="search", margin=0.1)
def test_called(cranfield_baseline):
    cranfield_baseline.assert_not_worse(scores(RANK), margin=0.6)
"""
        shop("--cranfield-update", tests=tests).assert_outcomes(passed=3)
        shop(tests=tests, rank=2).assert_outcomes(passed=2, failed=1)

    @pytest.mark.parametrize(
        ("marker", "message"),
        [
            ("marging=0.1", "*has no 'marging'; it has baseline, measure, margin*Did you mean margin?*"),
            ("0.1", "*takes names with values: baseline, measure*; not 0.1 alone*"),
            ("measure='RR'", "*assert_not_worse needs margin=; say it there or in @pytest.mark.cranfield*"),
        ],
    )
    def test_what_is_not_understood_is_an_error(self, shop, marker, message):
        tests = f"""
@pytest.mark.cranfield({marker})
def test_search(cranfield_baseline):
    cranfield_baseline.assert_not_worse(scores(1))
"""
        result = shop(tests=tests)
        assert result.ret == 1
        result.stdout.fnmatch_lines([message])


class TestInCompany:
    def test_a_project_that_does_not_use_it_loads_nothing_of_it(self, pytester):
        pytester.makepyfile(
            "import sys\n"
            "def test_nothing():\n"
            "    ours = {name for name in sys.modules if name.partition('.')[0] == 'cranfield'}\n"
            "    assert ours == {'cranfield', 'cranfield.pytest_plugin'}\n"
            "    assert 'numpy' not in sys.modules\n"
        )
        arguments = ["-p", "no:hypothesispytest", "-p", "no:cov", "-p", "no:xdist"]
        pytester.runpytest_subprocess(*arguments).assert_outcomes(passed=1)

    def test_it_can_be_switched_off(self, pytester):
        pytester.makepyfile("def test_nothing(): pass")
        pytester.runpytest_inprocess("-p", "no:cranfield").assert_outcomes(passed=1)

    def test_xdist_writes_and_reports_every_baseline_once(self, pytester):
        tests = """
@pytest.mark.parametrize("rank", [1, 2])
def test_search(rank, cranfield_baseline):
    cranfield_baseline.assert_not_worse(scores(rank), measure="RR", margin=0.1)

@pytest.mark.parametrize("rank", [1, 2])
@pytest.mark.cranfield(baseline="one")
def test_conflict(rank, cranfield_baseline):
    if rank == SECOND:
        cranfield_baseline.assert_not_worse(scores(rank), measure="RR", margin=0.1)
"""
        pytester.makepyfile(test_shop=SEARCH + tests.replace("SECOND", "2"))
        written = pytester.runpytest_subprocess("-p", "no:cov", "-n", "2", "--cranfield-update")
        written.assert_outcomes(passed=4)
        assert sum(line.startswith("Wrote ") for line in written.outlines) == 3
        pytester.runpytest_subprocess("-p", "no:cov", "-n", "2").assert_outcomes(passed=4)

    def test_xdist_finds_one_baseline_with_two_results(self, pytester):
        tests = """
import os

@pytest.mark.parametrize("turn", range(2))
@pytest.mark.cranfield(baseline="one", measure="RR", margin=0.1)
def test_search(turn, cranfield_baseline):
    cranfield_baseline.assert_not_worse(scores(1 if os.environ["PYTEST_XDIST_WORKER"] == "gw0" else 2))
"""
        pytester.makepyfile(test_shop=SEARCH + tests)
        result = pytester.runpytest_subprocess("-p", "no:cov", "-n", "2", "--dist", "each", "--cranfield-update")
        assert result.ret == 1
        result.stdout.fnmatch_lines(["ERROR: *one.json: two different results for one baseline.*"])


def test_importing_the_plugin_takes_no_time_to_speak_of():
    code = (
        "import time, pytest; begin = time.perf_counter(); import cranfield.pytest_plugin; "
        "print(time.perf_counter() - begin)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 0.1
