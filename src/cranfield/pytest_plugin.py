"""The pytest plugin: a baseline for each test, compared with or, with `--cranfield-update`, written.

pytest loads this module in every project whose environment has cranfield, so it imports nothing of cranfield until a
test asks for the fixture.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import pytest

if TYPE_CHECKING:
    from cranfield.evaluating.scores import Scores
    from cranfield.gating import RuleOutcome
    from cranfield.testing import NotWorseChoices, ScoresOrPath

FOLDER = "cranfield-baselines"
LONGEST = 120
"""Characters of a file's name, before its ending."""
_MARKER = "cranfield(baseline=NAME, measure=…, margin=…): the baseline of a test, and how it is compared"
_KEY = pytest.StashKey["BaselineUpdates"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Two options and a setting."""
    group = parser.getgroup("cranfield", "search quality (cranfield)")
    group.addoption(
        "--cranfield-update",
        action="store_true",
        help="Write the baselines of the tests that run, instead of comparing with them.",
    )
    group.addoption(
        "--cranfield-baseline",
        metavar="PATH",
        help="Folder with a baseline for each test, or one .json file for all tests.",
    )
    parser.addini("cranfield_baseline", f"The same, from the root folder of the tests. [default: {FOLDER}]")


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known, and remember what is written."""
    config.addinivalue_line("markers", _MARKER)
    config.stash[_KEY] = BaselineUpdates()


@pytest.fixture
def cranfield_baseline(request: pytest.FixtureRequest) -> StoredBaseline:
    """The baseline of a test: `assert_not_worse(scores, measure=…, margin=…)` compares with it."""
    marked = _marked(request.node)
    return StoredBaseline(
        _path(request.config, request.node, marked.pop("baseline", None)),
        marked,
        request.config.stash[_KEY] if request.config.getoption("cranfield_update") else None,
    )


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Pass on what was written to the process that ends the session, where tests run in several."""
    updates = session.config.stash[_KEY]
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["cranfield_updates"] = list(updates.written.items())
    elif updates.conflicts:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a process of pytest-xdist has written."""
    for path, (checksum, sentence) in getattr(node, "workeroutput", {}).get("cranfield_updates", ()):
        node.config.stash[_KEY].add(path, checksum, sentence)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Every baseline that was written, with the means that changed."""
    updates = config.stash[_KEY]
    if updates.written:
        terminalreporter.section("cranfield")
        for path, (_, sentence) in sorted(updates.written.items()):
            shown = Path(path).relative_to(config.rootpath) if Path(path).is_relative_to(config.rootpath) else path
            terminalreporter.line(f"Wrote {shown}: {sentence}")
        for path in updates.conflicts:
            terminalreporter.line(f"ERROR: {_conflict(path)}", red=True)


@dataclass
class BaselineUpdates:
    """The baselines that a session has written."""

    written: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Of each path the checksum of its content, and a sentence about it."""
    conflicts: list[str] = field(default_factory=list)
    """Paths that two processes wrote different scores to."""

    def differs(self, path: str, checksum: str) -> bool:
        """Whether something else was written there before."""
        return self.written.get(path, (checksum, ""))[0] != checksum

    def add(self, path: str, checksum: str, sentence: str) -> None:
        """Note what was written, here or by another process."""
        if self.differs(path, checksum):
            self.conflicts.append(path)
        self.written[path] = (checksum, sentence)


@dataclass(frozen=True)
class StoredBaseline:
    """The baseline of one test, as the fixture `cranfield_baseline` gives it."""

    path: Path
    """Its file: scores as `cranfield.save` writes them."""
    defaults: Mapping[str, Any]
    """What the marker says of comparing."""
    updates: BaselineUpdates | None = field(default=None, repr=False)
    """Where new baselines are noted; None without `--cranfield-update`."""

    def assert_not_worse(self, new: ScoresOrPath, **choices: Unpack[NotWorseChoices]) -> RuleOutcome:
        """Fail where scores are surely worse than the baseline; the choices are those of `testing.assert_not_worse`.

        With `--cranfield-update` they are compared with themselves, and become the baseline.
        """
        __tracebackhide__ = True
        from cranfield import errors
        from cranfield.gating.verdict import as_scores, one_run
        from cranfield.testing import assert_not_worse

        together = {**self.defaults, **choices}
        if missing := [name for name in ("measure", "margin") if name not in together]:
            raise errors.gate.marker_incomplete(missing)
        if self.updates is None:
            if not self.path.is_file():
                raise errors.DataError([errors.gate.test_baseline_missing(str(self.path))])
            return assert_not_worse(new, self.path, **together)
        scores = one_run(as_scores(new), together.pop("run", None), "the results", "run=NAME")
        outcome = assert_not_worse(scores, scores, **{**together, "baseline_run": None, "inconclusive": "pass"})
        self._write(scores)
        return outcome

    def _write(self, scores: Scores) -> None:
        from cranfield.errors import CranfieldError, UsageError
        from cranfield.evaluating.saved_scores import load, save, to_dict
        from cranfield.formats.writing import written
        from cranfield.gating.starting import baseline_sentence

        assert self.updates is not None
        path, checksum = str(self.path), to_dict(scores)["checksum"]
        if self.updates.differs(path, checksum):
            raise UsageError(_conflict(path))
        if path in self.updates.written:
            return
        try:
            before = load(self.path) if self.path.is_file() else None
        except CranfieldError:  # damaged, or of another version: nothing to compare with, and replaced
            before = None
        with written(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        save(scores, self.path)
        self.updates.add(path, checksum, baseline_sentence(scores, before))


def _conflict(path: str) -> str:
    return (
        f"{path}: two different results for one baseline. "
        "Give each test its own: @pytest.mark.cranfield(baseline=NAME), or a folder as --cranfield-baseline."
    )


def _marked(item: pytest.Item) -> dict[str, Any]:
    """What the markers of a test say, the nearest first."""
    marks = list(item.iter_markers("cranfield"))
    if not marks:
        return {}
    from cranfield import errors
    from cranfield.testing import NotWorseChoices

    names = ("baseline", *NotWorseChoices.__annotations__)
    for mark in marks:
        if mark.args:
            raise errors.gate.marker_positional(mark.args[0], names)
        for name in mark.kwargs:
            if name not in names:
                raise errors.gate.marker_unknown(name, names)
    return {name: value for mark in reversed(marks) for name, value in mark.kwargs.items()}


def _path(config: pytest.Config, item: pytest.Item, name: str | None) -> Path:
    option, setting = config.getoption("cranfield_baseline"), config.getini("cranfield_baseline")
    place = Path(config.invocation_params.dir, option) if option else Path(config.rootpath, setting or FOLDER)
    if place.suffix == ".json":
        return place
    if name is not None:
        return place / f"{_file_name(name)}.json"
    module, _, test = item.nodeid.partition("::")
    return place / Path(module).with_suffix("") / f"{_file_name(test.replace('::', '.'))}.json"


def _file_name(name: str) -> str:
    """A name that every file system takes; one that had to be changed has a hash, so that no two become the same.

    >>> _file_name("test_search[bm25]"), _file_name("test_search[a/b]")
    ('test_search[bm25]', 'test_search[a-b]-5c6db415')
    """
    kept = re.sub(r"[^\w.\-\[\]]", "-", name, flags=re.ASCII)[:LONGEST]
    return kept if kept == name else f"{kept}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
