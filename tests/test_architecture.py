"""What ARCHITECTURE.md calls deliberately absent is absent."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import cranfield

SOURCE = Path(cranfield.__file__).parent
FAMILIES = set((SOURCE / "measures").glob("*.py")) - {
    SOURCE / "measures" / name for name in ("__init__.py", "definition.py", "names.py", "scoring.py")
}
"""The files that define measures, without what reads their names and runs them."""
STAGES_BEFORE_SHOWING = (
    *("align.py", "grouped_ranking.py", "preferences.py"),
    *("evaluating/aggregate.py", "evaluating/bounds.py", "evaluating/evaluation.py", "evaluating/scores.py"),
    *("data", "kernels", "measures", "comparing"),
)
ROUNDED_FOR_A_REASON = {
    "measures/average.py",  # recall levels of 0.1, 0.2, … times a count are whole numbers but for the last bits
    "measures/sampled.py",  # so are estimated counts
    "comparing/differences.py",  # 1 - 0.95 is 0.05
    "comparing/significance_tests/signed_sums.py",  # a sum of equal steps is a whole number of them
}


class ModuleFacts(NamedTuple):
    """What a module calls, imports and defines."""

    calls: frozenset[str]
    imports: tuple[str, ...]
    imports_at_start: tuple[str, ...]
    classes: tuple[str, ...]


@cache
def facts_of(path: Path) -> ModuleFacts:
    """The same for all tests: every module is parsed once."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = tuple(node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    return ModuleFacts(frozenset(calls(tree)), tuple(imports(tree)), tuple(imports_at_start(tree)), classes)


def paths(*parts: str) -> Iterator[Path]:
    """Every module of the package, or of some parts of it."""
    for part in parts or (".",):
        place = SOURCE / part
        yield from [place] if place.is_file() else sorted(place.rglob("*.py"))


def modules(*parts: str) -> Iterator[tuple[str, ModuleFacts]]:
    """The same with the path inside the package, and what is in it."""
    yield from ((path.relative_to(SOURCE).as_posix(), facts_of(path)) for path in paths(*parts))


def calls(tree: ast.AST) -> Iterator[str]:
    """The names of the functions and methods that are called, such as `print` or `np.sort`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)


def imports(tree: ast.AST) -> Iterator[str]:
    """The modules that are imported, wherever that stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imports_at_start(tree: ast.Module) -> Iterator[str]:
    """The modules that are imported as soon as this one is."""
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from imports(ast.Module(body=[node], type_ignores=[]))


@pytest.mark.parametrize("path", sorted(FAMILIES), ids=lambda path: path.name)
def test_measures_open_no_files_know_no_ids_and_loop_over_no_queries(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    known = {
        name for name in imports(tree) if name.startswith(("cranfield.formats", "cranfield.data", "pathlib", "io"))
    }
    assert known == set()
    assert {
        name for name in calls(tree) if name.split(".")[-1] in ("open", "read_text", "argpartition", "lexsort")
    } == set()
    loops = [ast.unparse(node.iter) for node in ast.walk(tree) if isinstance(node, ast.For | ast.comprehension)]
    assert [over for over in loops if "queries" in over] == []


def test_nothing_is_rounded_before_it_is_shown():
    rounding = {
        name
        for name, module in modules(*STAGES_BEFORE_SHOWING)
        if any(call.split(".")[-1] == "round" for call in module.calls)
    }
    assert rounding == ROUNDED_FOR_A_REASON


def test_only_the_command_prints():
    printing = {name for name, module in modules() if "print" in module.calls or "click" in module.imports}
    assert {name for name in printing if not name.startswith("cli/")} == set()


def test_undefined_scores_stay_undefined_until_a_mean_is_taken():
    # A geometric mean adds up logarithms of a sum whose empty terms are 0 by definition.
    turning = {
        name
        for name, module in modules("measures", "align.py", "evaluating/evaluation.py")
        if "np.nan_to_num" in module.calls
    }
    assert turning == {"measures/average.py"}


def test_scipy_is_imported_where_it_is_used_and_never_its_stats():
    for name, module in modules():
        assert not [known for known in module.imports_at_start if known.startswith("scipy")], name
        assert not [known for known in module.imports if known.startswith("scipy.stats")], name


def test_figures_change_no_setting_of_matplotlib():
    for name, module in modules():
        drawn = [known for known in module.imports if known.startswith("matplotlib")]
        assert not [known for known in drawn if "pyplot" in known or "rcParams" in known], name
        assert not [known for known in module.imports_at_start if known.startswith("matplotlib")], name


def test_a_class_has_its_name_for_itself():
    """So that a message, a traceback or a search leads to one place."""
    homes: dict[str, list[str]] = {}
    for name, module in modules():
        for known in module.classes:
            homes.setdefault(known, []).append(name)
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_no_module_is_called_after_nothing():
    vague = {"utils", "util", "common", "helpers", "base", "misc"}
    assert [path for path in paths() if path.stem in vague] == []


def test_most_modules_have_a_test_file_of_their_name():
    """`a/b.py` is tested in `tests/a/test_b.py`; what only serves one other module may be tested with that."""
    tests = Path(__file__).parent
    named = [path.relative_to(SOURCE) for path in paths() if not path.name.startswith("__")]
    without = [path for path in named if not (tests / path.parent / f"test_{path.name}").exists()]
    assert len(without) <= 0.14 * len(named), sorted(map(str, without))
