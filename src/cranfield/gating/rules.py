"""What a run has to keep: rules, as a TOML file or a mapping says them."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar, Literal

from cranfield import errors
from cranfield.choices import IntervalKind
from cranfield.comparing.differences import INTERVALS
from cranfield.errors import DataError
from cranfield.formats.remote import next_to, visible
from cranfield.formats.source import text_of

RULE_FILE = "cranfield-gate.toml"
PROJECT_FILE = "pyproject.toml"
IN_PROJECT = ("tool", "cranfield", "gate")
BASELINE_FILE = "cranfield-baseline.json"
CONFIDENCE = 0.95
MOST = 1_000_000_000
"""The largest count or cutoff."""
TAKEN = {2: "wrong usage", 3: "bad data"}
"""Exit codes that mean something else already."""

Inconclusive = Literal["pass", "fail"] | int
"""What an inconclusive verdict counts as: a pass, a fail, or an exit code of its own."""


@dataclass(frozen=True)
class Share:
    """A part of something else, as "2%" says it."""

    of_one: float

    def __str__(self) -> str:
        return f"{round(100 * self.of_one, 10):g}%"


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What all rules can say: for which queries they are."""

    kind: ClassVar[str]
    needs_baseline: ClassVar[bool] = False

    by: str | None = None
    """A column of the queries file: the rule holds for the queries of each of its values apart."""
    only: tuple[str, ...] = ()
    """Values of the column, where it is not to hold for all."""
    min_queries: int = 1
    """Slices with fewer queries are not tested."""
    line: int | None = field(default=None, compare=False)
    """Where the rule stands in its file."""


@dataclass(frozen=True, kw_only=True)
class NotWorse(Rule):
    """A mean must not be worse than the baseline's by more than a margin."""

    kind: ClassVar[str] = "not_worse"
    needs_baseline: ClassVar[bool] = True

    measure: str
    margin: float | Share
    """In units of the measure, or as a share of the baseline's mean."""
    confidence: float | None = None
    """Of the interval; by default that of all rules."""


@dataclass(frozen=True, kw_only=True)
class MeanLimit(Rule):
    """A mean must not be below a number, or above it where less is better."""

    kind: ClassVar[str] = "mean"

    measure: str
    at_least: float | None = None
    at_most: float | None = None


@dataclass(frozen=True, kw_only=True)
class Broken(Rule):
    """Only so many queries may get worse by more than a drop."""

    kind: ClassVar[str] = "broken"
    needs_baseline: ClassVar[bool] = True

    measure: str
    drop: float
    at_most: int | Share
    """Queries, or a share of those that are compared."""


@dataclass(frozen=True, kw_only=True)
class Protected(Rule):
    """Certain queries must not get worse by more than a drop."""

    kind: ClassVar[str] = "protected"
    needs_baseline: ClassVar[bool] = True

    measure: str
    queries: tuple[str, ...]
    drop: float = 0.0


@dataclass(frozen=True, kw_only=True)
class CoverageRule(Rule):
    """So large a share of the judged queries must be answered."""

    kind: ClassVar[str] = "coverage"

    at_least: float


@dataclass(frozen=True, kw_only=True)
class JudgedShare(Rule):
    """So large a share of the first documents must be judged."""

    kind: ClassVar[str] = "judged"

    at: int = 10
    at_least: float


KINDS: dict[str, type[Rule]] = {
    kind.kind: kind for kind in (NotWorse, MeanLimit, Broken, Protected, CoverageRule, JudgedShare)
}


@dataclass(frozen=True)
class Rules:
    """All rules, and how they are applied."""

    rules: tuple[Rule, ...]
    baseline: str | None = None
    """Saved results to compare a run with; unless a file names another, `cranfield-baseline.json` next to it."""
    baseline_run: str | None = None
    """Which of its runs, if there are several."""
    queries: str | None = None
    """A file with a row per query, whose columns rules may go by."""
    confidence: float = CONFIDENCE
    interval: IntervalKind = "t"
    inconclusive: Inconclusive = "pass"
    path: str | None = field(default=None, compare=False)

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that a run has to be evaluated by, as the rules spell them."""
        named = (
            f"Judged@{rule.at}" if isinstance(rule, JudgedShare) else getattr(rule, "measure", None)
            for rule in self.rules
        )
        return tuple(dict.fromkeys(name for name in named if name is not None))

    @property
    def compared(self) -> tuple[str, ...]:
        """The measures that are compared with the baseline, as the rules spell them."""
        named = (getattr(rule, "measure", None) for rule in self.rules if rule.needs_baseline)
        return tuple(dict.fromkeys(name for name in named if name is not None))

    @property
    def needs_baseline(self) -> bool:
        """Whether any rule looks at a baseline."""
        return any(rule.needs_baseline for rule in self.rules)


def read_rules(path: str | os.PathLike[str]) -> Rules:
    """The rules of a TOML file; of one that has `[tool.cranfield.gate]`, what stands there.

    Paths in it begin at its folder.
    """
    name = os.fspath(path)
    text = text_of(name)
    try:
        given = _toml(text)
    except ValueError as error:
        at = re.search(r" \(at line (\d+), column \d+\)", str(error))
        line = int(at[1]) if at else None
        message = str(error).replace(at[0], "") if at else str(error)
        raise errors.gate.wrong_rule(visible(name), line, f"this is not valid TOML: {message}") from None
    rules = _in_project(given)
    if rules is given and Path(name).name == PROJECT_FILE:
        raise errors.gate.wrong_rule(visible(name), None, "there is no [tool.cranfield.gate] in it")
    return rules_of(rules, name, TomlLines(text))


def _toml(text: str) -> dict[str, Any]:
    """What a TOML text says; a `ValueError` says why it is none."""
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # from Python's own reading of numbers and dates
        raise ValueError("a number has too many digits, or a date does not exist") from None


def find_rules(folder: str | os.PathLike[str] = ".") -> str | None:
    """The rule file of a folder: `cranfield-gate.toml`, or a `pyproject.toml` that has `[tool.cranfield.gate]`."""
    own, project = Path(folder, RULE_FILE), Path(folder, PROJECT_FILE)
    in_project = project.is_file() and _has_rules(project)
    if own.exists() and in_project:
        raise errors.gate.two_rule_files(str(own))
    return str(own) if own.exists() else str(project) if in_project else None


def rules_of(given: Mapping[str, Any], path: str | None = None, places: TomlLines | None = None) -> Rules:
    """The rules that a mapping of the same layout as the file says.

    >>> rules_of({"not_worse": {"measure": "nDCG@10", "margin": 0.02}}).rules
    (NotWorse(by=None, only=(), min_queries=1, line=None, measure='nDCG@10', margin=0.02, confidence=None),)
    """
    own = path and visible(path)
    reader = _RulesReader(own, places or TomlLines(""))
    settings: dict[str, Any] = {}
    rules: list[Rule] = []
    known = [*KINDS, *SETTINGS]
    for key, value in given.items():
        name = _name(key)
        if name in KINDS:
            rules += reader.rules(name, value)
        elif name in SETTINGS:
            settings[name] = reader.checked("", 0, name, value, SETTINGS[name])
        else:
            raise errors.gate.unknown_rule_key(own, reader.line_of_table(name), "", key, known)
    if not rules:
        raise errors.gate.no_rules_in(own)
    if path is not None:
        settings.setdefault("baseline", BASELINE_FILE)
        for name in ("baseline", "queries"):
            if name in settings:
                settings[name] = next_to(path, settings[name])
    rules.sort(key=lambda rule: rule.line or 0)
    return Rules(tuple(rules), **settings, path=own)


def _in_project(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """What stands under `[tool.cranfield.gate]`; where nothing does, everything."""
    inner: Any = given
    for name in IN_PROJECT:
        if not isinstance(inner, Mapping) or name not in inner:
            return given
        inner = inner[name]
    return inner if isinstance(inner, Mapping) else given


def _has_rules(project: Path) -> bool:
    try:
        text = text_of(str(project))
    except DataError:
        return False  # it is somebody else's to complain about
    try:
        given = _toml(text)
    except ValueError:
        return ".".join(IN_PROJECT) in text
    return _in_project(given) is not given


def _name(key: str) -> str:
    """`not-worse` is `not_worse`."""
    return key.replace("-", "_")


class TomlLines:
    """On which lines of a TOML text tables and keys stand, as far as that is possible without reading TOML."""

    _TABLE = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?")
    _KEY = re.compile(r"\s*([\w-]+)\s*=")

    def __init__(self, text: str) -> None:
        self._lines: dict[tuple[str, int, str], int] = {}
        table, number = "", 0
        counts: dict[str, int] = {}
        for at, line in enumerate(text.splitlines(), start=1):
            if match := self._TABLE.fullmatch(line):
                table = _name(match[1]).removeprefix(".".join(IN_PROJECT)).removeprefix(".")
                number = counts.get(table, 0)
                counts[table] = number + 1
                self._lines.setdefault((table, number, ""), at)
            elif match := self._KEY.match(line):
                self._lines.setdefault((table, number, _name(match[1])), at)

    def of(self, table: str, number: int, key: str = "") -> int | None:
        """The line of a key in the n-th table of a name; of the table, where the key is not found."""
        return self._lines.get((table, number, key)) or self._lines.get((table, number, ""))


class _WrongValueError(Exception):
    """A value that is not what it should be."""

    def __init__(self, expected: str, advice: str = "") -> None:
        super().__init__(expected)
        self.expected, self.advice = expected, advice


@dataclass(frozen=True)
class _RulesReader:
    """Reads rules and says where something is wrong."""

    path: str | None
    places: TomlLines

    def rules(self, kind: str, given: object) -> Iterator[Rule]:
        tables = given if isinstance(given, list | tuple) else [given]
        for number, table in enumerate(tables):
            if not isinstance(table, Mapping):
                example = f"[[{kind}]]"
                line = self.line_of_table(kind)
                raise errors.gate.wrong_rule_value(
                    self.path, line, "", kind, f"a table that begins with {example}", table
                )
            yield self.rule(kind, number, table)

    def rule(self, kind: str, number: int, given: Mapping[str, Any]) -> Rule:
        known = {
            one.name: one
            for one in fields(KINDS[kind])
            if one.name != "line" and not (kind == "protected" and one.name in ("by", "only", "min_queries"))
        }
        first = ("measure", "at", "drop", "margin", "at_least", "at_most")
        order = [name for name in first if name in known] + [name for name in known if name not in first]
        values: dict[str, Any] = {}
        for key, value in given.items():
            name = _name(key)
            if name in SETTINGS and name not in known:
                raise errors.gate.misplaced_setting(self.path, self.places.of(kind, number, name), kind, key)
            if name not in known:
                raise errors.gate.unknown_rule_key(self.path, self.places.of(kind, number, name), kind, key, order)
            check = CHECKS.get((kind, name)) or CHECKS["", name]
            values[name] = self.checked(kind, number, name, value, check)
        line = self.places.of(kind, number) or self.places.of("", 0, kind)
        for name in order:
            if name not in values and known[name].default is MISSING:
                raise errors.gate.missing_rule_key(self.path, line, kind, [name])
        self._must_fit(kind, line, values)
        return KINDS[kind](**values, line=line)

    def _must_fit(self, kind: str, line: int | None, values: Mapping[str, Any]) -> None:
        limits = [name for name in ("at_least", "at_most") if name in values]
        if kind == "mean" and not limits:
            raise errors.gate.missing_rule_key(self.path, line, kind, ["at_least", "at_most"])
        if kind == "mean" and len(limits) > 1:
            raise errors.gate.contradicting_rule_keys(self.path, line, kind, limits)
        for name in ("only", "min_queries"):
            if name in values and "by" not in values:
                raise errors.gate.wrong_rule(self.path, line, f'{kind}: `{name}` needs `by = "COLUMN"`')

    def checked(self, kind: str, number: int, name: str, value: object, check: Callable[[object], Any]) -> Any:
        try:
            return check(value)
        except _WrongValueError as wrong:
            line = self.places.of(kind, number, name)
            raise errors.gate.wrong_rule_value(
                self.path, line, kind, name, wrong.expected, value, wrong.advice
            ) from None

    def line_of_table(self, name: str) -> int | None:
        return self.places.of(name, 0) or self.places.of("", 0, name)


# Values


def _is_number(value: object) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) < 1e300  # TOML's whole numbers have no end
    return isinstance(value, float) and math.isfinite(value)


def _percent(value: object) -> Share | None:
    match = re.fullmatch(r"\s*([0-9]{1,9}(?:\.[0-9]+)?)\s*%\s*", value) if isinstance(value, str) else None
    return Share(float(match[1]) / 100) if match else None


def _word(value: object) -> str:
    if isinstance(value, str) and value.strip():
        return value
    raise _WrongValueError('a text, such as "nDCG@10"')


def _path(value: object) -> str:
    if isinstance(value, str) and value.strip() and "\0" not in value:
        return value
    raise _WrongValueError("the path of a file")


def _column(value: object) -> str:
    if isinstance(value, str) and value.strip():
        return value
    raise _WrongValueError("the name of a column")


def _number(value: object) -> float:
    if _is_number(value):
        return float(value)  # type: ignore[arg-type]  # a number, as just found
    raise _WrongValueError("a number")


def _not_negative(value: object) -> float:
    if _is_number(value) and value >= 0:  # type: ignore[operator]
        return float(value)  # type: ignore[arg-type]
    raise _WrongValueError("a number of at least 0")


def _margin(value: object) -> float | Share:
    share = _percent(value)
    if share is not None:
        return share
    try:
        return _not_negative(value)
    except _WrongValueError:
        raise _WrongValueError('a number of at least 0, or a share of the baseline\'s mean such as "2%"') from None


def _count(value: object) -> int | Share:
    share = _percent(value)
    if share is not None and share.of_one <= 1:
        return share
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST:
        return value
    raise _WrongValueError('a number of queries, or a share of them such as "5%"')


def _from_one(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST:
        return value
    raise _WrongValueError(f"a whole number from 1 to {MOST:,}")


def _share(value: object) -> float:
    share = _percent(value)
    number = share.of_one if share is not None else value
    if _is_number(number) and 0 <= number <= 1:  # type: ignore[operator]
        return float(number)  # type: ignore[arg-type]
    raise _WrongValueError('a share from 0 to 1, such as 0.95 or "95%"')


def _confidence(value: object) -> float:
    if _is_number(value) and 0 < value < 1:  # type: ignore[operator]
        return float(value)  # type: ignore[arg-type]
    percent = _percent(value)
    near = value / 100 if _is_number(value) and 1 < value < 100 else percent.of_one if percent else None  # type: ignore[operator]
    raise _WrongValueError("between 0 and 1", f"Write {near:g}." if near is not None else "")


def _ids(value: object) -> tuple[str, ...]:
    found = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    if found and all(isinstance(one, str) or (isinstance(one, int) and not isinstance(one, bool)) for one in found):
        return tuple(dict.fromkeys(map(str, found)))
    raise _WrongValueError('a list of texts, such as ["a", "b"]')


def _interval(value: object) -> IntervalKind:
    if value in ("t", "bca"):
        return value
    raise _WrongValueError(" or ".join(f'"{name}" ({words})' for name, words in INTERVALS.items()))


def inconclusive_as(value: object) -> Inconclusive:
    """What an inconclusive verdict counts as, from what a user writes.

    >>> inconclusive_as("pass"), inconclusive_as("78")
    ('pass', 78)
    """
    try:
        return _inconclusive(value)
    except _WrongValueError as wrong:
        raise errors.gate.wrong_rule_value(
            None, None, "", "inconclusive", wrong.expected, value, wrong.advice
        ) from None


def _inconclusive(value: object) -> Inconclusive:
    number = int(value) if isinstance(value, str) and re.fullmatch(r"\d{1,3}", value) else value
    expected = '"pass", "fail" or an exit code from 0 to 255'
    if number == "pass" or number == "fail":
        return number
    if isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= 255:
        if number in TAKEN:
            raise _WrongValueError(expected, f"Exit code {number} already means {TAKEN[number]}; choose another.")
        return number
    raise _WrongValueError(expected)


SETTINGS: dict[str, Callable[[object], Any]] = {
    "baseline": _path,
    "baseline_run": _word,
    "queries": _path,
    "confidence": _confidence,
    "interval": _interval,
    "inconclusive": _inconclusive,
}
CHECKS: dict[tuple[str, str], Callable[[object], Any]] = {
    ("", "measure"): _word,
    ("", "by"): _column,
    ("", "only"): _ids,
    ("", "min_queries"): _from_one,
    ("", "confidence"): _confidence,
    ("", "margin"): _margin,
    ("", "drop"): _not_negative,
    ("", "queries"): _ids,
    ("", "at"): _from_one,
    ("", "at_least"): _share,
    ("mean", "at_least"): _number,
    ("mean", "at_most"): _number,
    ("broken", "at_most"): _count,
}
