"""What a method of fusion and a normalisation are: a pure function over arrays, and the facts about it.

Its docstring is the definition, its keyword parameters are the choices; help, catalogue and tests read all of it
from there, as they do for measures.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin

from cranfield.arrays import Floats
from cranfield.choices import MissingDocument
from cranfield.errors import UsageError, did_you_mean
from cranfield.measures.ranges import range_of
from cranfield.phrases import shown

Reads = Literal["scores", "ranks"]
"""What a method looks at."""


@dataclass(frozen=True, eq=False)
class FusionRule:
    """A named function with its definition: one row of a table."""

    name: str
    function: Callable[..., Floats]
    cite: str = ""
    aliases: tuple[str, ...] = ()
    """Other names for it, whatever their capitals, blanks and hyphens."""
    tools: Mapping[str, str] = field(default_factory=dict)
    """What other tools call it, and where theirs differs."""
    missing: tuple[MissingDocument, ...] = ()
    """What may count for a document that a list does not have; the first by default."""
    reads: Reads = "scores"

    @cached_property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """The parameters that can be chosen; `weights` is everybody's."""
        parameters = inspect.signature(self.function, eval_str=True).parameters.values()
        return {p.name: p for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY and p.name not in _GIVEN}

    @property
    def summary(self) -> str:
        """The first sentence of the definition."""
        return (inspect.getdoc(self.function) or "").partition("\n\n")[0].replace("\n", " ")

    def checked(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Every parameter with its value; one that there is not, or that cannot be, is refused."""
        for name in params:
            if name not in self.parameters:
                known = ", ".join(self.parameters) or "none"
                near = did_you_mean(name, self.parameters)
                raise UsageError(f"{self.name} has no parameter {name!r}; it has {known}. {near}".strip())
        return {
            name: self._value(parameter, params[name]) if name in params else parameter.default
            for name, parameter in self.parameters.items()
        }

    def _value(self, parameter: inspect.Parameter, value: Any) -> Any:
        annotation = parameter.annotation
        if get_origin(annotation) is Literal:
            if value not in get_args(annotation):
                words = ", ".join(map(str, get_args(annotation)))
                raise UsageError(f"{self.name}: {parameter.name} must be one of {words}, not {shown(value)}.")
            return value
        limits = range_of(annotation)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise UsageError(f"{self.name}: {parameter.name} must be a number, not {shown(value)}.")
        if limits is not None and (expected := limits.wrong(value)):
            raise UsageError(f"{self.name}: {parameter.name} must be {expected}, not {shown(value)}.")
        return int(value) if limits is not None and limits.whole else float(value)


_GIVEN = {"weights", "candidates", "flat", "lowest", "model"}
"""Keyword parameters that the fusion itself gives."""


@dataclass(frozen=True, eq=False)
class FusionMethod(FusionRule):
    """How lists become one: a score for each document."""

    weighted: bool = True
    """Whether lists can have weights."""
    is_pairwise: bool = False
    """Whether it compares every document with every other: one row of weights at a time."""
    train: Callable[..., Floats] | None = None
    """How it learns about a run from the relevance of its documents by rank, if it does: it then reads a model too."""

    @property
    def is_trained(self) -> bool:
        """Whether it learns from judgments."""
        return self.train is not None


@dataclass(frozen=True, eq=False)
class Normalisation(FusionRule):
    """How the scores of one list become comparable with those of others."""

    needs_lowest: bool = False
    """Whether it has to be told the lowest score that each system can give."""
    unlisted: Callable[[int, int], float] | None = None
    """What an unlisted document gets, by the length of the list and the number of candidates; None: as `missing`."""


Rule = TypeVar("Rule", FusionMethod, Normalisation)


class RuleTable(Generic[Rule]):
    """All rules of one kind by their names."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.rules: dict[str, Rule] = {}
        self._names: dict[str, str] = {}

    def add(self, rule: Rule) -> None:
        """Make a rule known by its name and its aliases."""
        self.rules[rule.name] = rule
        self._names |= {_folded(name): rule.name for name in (rule.name, *rule.aliases)}

    def has(self, name: object) -> bool:
        """Whether there is a rule of that name."""
        return _folded(str(name)) in self._names

    def find(self, name: object) -> Rule:
        """The rule of a name in anyone's spelling; a misspelt one is answered with the nearest."""
        known = self._names.get(_folded(str(name)))
        if known is not None:
            return self.rules[known]
        near = did_you_mean(str(name), self.rules)
        message = f"There is no {self.what} {shown(name)}; there are {', '.join(self.rules)}. {near}"
        raise UsageError(message.strip())

    def parse(self, text: object, **params: Any) -> ChosenRule[Rule]:
        """A rule with its parameters, as in `rrf` or `rrf(k=10)`; those given besides count."""
        rule, stated = self.stated(text)
        return ChosenRule(rule, rule.checked({**stated, **params}))

    def stated(self, text: object) -> tuple[Rule, dict[str, Any]]:
        """A rule, and the parameters that stand in parentheses after its name."""
        matched = re.fullmatch(r"\s*([^()]+?)\s*(?:\((.*)\))?\s*", str(text))
        if matched is None:
            raise UsageError(f"{self.what} {shown(text)} cannot be read. Write a name, as in rrf or rrf(k=10).")
        rule = self.find(matched[1])
        return rule, _read_parameters(matched[2] or "", rule.name)


@dataclass(frozen=True)
class ChosenRule(Generic[Rule]):
    """A rule with its parameters chosen."""

    rule: Rule
    params: Mapping[str, Any]

    def __str__(self) -> str:
        """As one would write it: only what differs from the default."""
        usual = {name: parameter.default for name, parameter in self.rule.parameters.items()}
        chosen = [f"{name}={_spelt(value)}" for name, value in self.params.items() if value != usual[name]]
        return f"{self.rule.name}({','.join(chosen)})" if chosen else self.rule.name


def _read_parameters(text: str, name: str) -> dict[str, Any]:
    """The parameters in parentheses after a name."""
    params: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not value:
            raise UsageError(f"{name}({text}): write parameters as NAME=VALUE, with commas between them.")
        params[key] = _number_or_word(value)
    return params


def _number_or_word(value: str) -> float | str:
    if re.fullmatch(r"[+-]?[0-9]{1,15}", value):
        return int(value)
    if re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?", value):
        return float(value)
    return value


def _spelt(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)


def _folded(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).lower()


METHODS: RuleTable[FusionMethod] = RuleTable("fusion method")
NORMALISATIONS: RuleTable[Normalisation] = RuleTable("normalisation")

Function = TypeVar("Function", bound=Callable[..., Floats])


def method(name: str, **facts: Any) -> Callable[[Function], Function]:
    """Turn a function over `FusionArrays` into a method of fusion."""

    def decorate(function: Function) -> Function:
        METHODS.add(FusionMethod(name, function, **facts))
        return function

    return decorate


def normalisation(name: str, **facts: Any) -> Callable[[Function], Function]:
    """Turn a function of one list's scores into a normalisation."""

    def decorate(function: Function) -> Function:
        NORMALISATIONS.add(Normalisation(name, function, **facts))
        return function

    return decorate
