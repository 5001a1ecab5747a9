"""What a measure is: a function from a judged ranking to one number per query, and the facts about it.

`measure` turns a function into an entry of the table of measures. Its docstring is the definition, its
keyword parameters are the named choices on which tools disagree, and help, catalogue, parser and tests
read all of it from there.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeGuard, get_args, get_origin, overload

import numpy as np
import numpy.typing as npt

from cranfield.align import JudgedRanking
from cranfield.choices import Undefined
from cranfield.data.judgments import GroupKind
from cranfield.errors import UsageError, did_you_mean
from cranfield.errors.rows import LARGEST_GRADE
from cranfield.grouped_ranking import GroupedRanking
from cranfield.measures.ranges import COUNT, Range, range_of
from cranfield.phrases import short

PerQuery = npt.NDArray[np.float64]
Value = Any
"""A parameter's value: a number, a word, or a mapping held as sorted pairs."""

Bounds = tuple[float, float]
Mean = Literal["arithmetic", "geometric", "sum"]


@dataclass(frozen=True, eq=False)
class Definition:
    """One row of the table of measures."""

    name: str
    function: Callable[..., PerQuery]
    bounds: Bounds | Callable[[Mapping[str, Value]], Bounds] = (-np.inf, np.inf)
    """The smallest and largest value there can be; `Measure.bounds` knows them for its parameters."""
    cite: str = ""
    at: str | None = "cutoff"
    """The parameter that `@` sets."""
    aliases: tuple[str, ...] = ()
    """Other tools' names for it, in any case of letters."""
    tools: Mapping[str, str] = field(default_factory=dict)
    """What other tools call it, and where theirs differs."""
    mean: Mean = "arithmetic"
    undefined: Undefined = "zero"
    """What an undefined score becomes in the mean by default."""
    normalised: Callable[[Mapping[str, Value]], bool] = lambda params: False
    """Whether the ideal ranking scores 1."""
    monotone: Callable[[Mapping[str, Value]], bool] = lambda params: True
    """Whether moving a better document up never makes the score worse."""
    lower_is_better: bool = False
    additive: bool = False
    """Given the judgments, it is a sum of what each document gives at its rank."""
    divides_by_found: Callable[[Mapping[str, Value]], bool] = lambda params: False
    """Whether it divides by something that depends on which documents a depth lets in."""
    of_retrieved: bool = False
    """It looks at the grades of retrieved documents only, so unjudged ones bound it."""
    of_unjudged: bool = False
    """It tells how much was judged, so that no grade can stand in for a judgment."""
    groups: GroupKind | None = None
    """Why documents have several grades, where it reads several: it then gets a `GroupedRanking`."""
    caution: str = ""
    check: Callable[[Mapping[str, Value]], str] = lambda params: ""
    """What is wrong with a combination of parameters, if anything."""

    @cached_property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """The keyword parameters, in order."""
        try:
            parameters = inspect.signature(self.function, eval_str=True).parameters.values()
        except NameError:  # annotations that only a type checker can read
            parameters = inspect.signature(self.function).parameters.values()
        return {p.name: p for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY}

    @cached_property
    def defaults(self) -> dict[str, Value]:
        """What each parameter is unless given."""
        given = {
            name: None if parameter.default is parameter.empty else parameter.default
            for name, parameter in self.parameters.items()
        }
        return given | {"judged_only": False}

    @property
    def needs_at(self) -> bool:
        """Whether it means nothing without `@`."""
        return self.at is not None and self.parameters[self.at].default is inspect.Parameter.empty

    @property
    def family(self) -> str:
        """The module it lives in."""
        return self.function.__module__.rpartition(".")[2]

    @property
    def summary(self) -> str:
        """The first sentence of the definition."""
        return (inspect.getdoc(self.function) or "").partition("\n\n")[0].replace("\n", " ")


TABLE: dict[str, Definition] = {}
"""Every measure by its name."""

AT = {"recall": ("recall level", "0.1"), "multiple": ("multiple of R", "0.5")}
"""What stands after `@` where it is no cutoff, and an example."""


@dataclass(frozen=True, eq=False)
class Measure:
    """A definition with its parameters chosen: `nDCG`, `nDCG @ 10`, `AP(rel=2)`."""

    definition: Definition
    given: Mapping[str, Value] = field(default_factory=dict)
    asked: str = ""
    """The name it was asked by, where that was one: another tool may mean something else by it."""
    label: str = ""
    """Its name as the user spelt it, such as MRR@10, where that is not our own: what results call it."""
    also: tuple[str, ...] = ()
    """Other spellings by which it was asked for in the same call; the label is the first."""

    @overload
    def __call__(self, judged: object, /, **params: Value) -> PerQuery: ...
    @overload
    def __call__(self, /, **params: Value) -> Measure: ...
    def __call__(self, judged: object = None, /, **params: Value) -> PerQuery | Measure:
        """The score of each query of a judged ranking; or, given parameters alone, the measure with them.

        A ranking may be a text such as "1 0 1 1" or a list of grades; of several, each has its score.
        """
        if judged is None or params:
            chosen = self.replaced(params)
            return chosen if judged is None else chosen(judged)
        self.complete()
        if not isinstance(judged, JudgedRanking | GroupedRanking):
            return self._of_typed(judged)
        if self.definition.groups is not None and not isinstance(judged, GroupedRanking):
            raise UsageError(
                f"{self} reads several grades for each document; write its ranking as a text with a word for each "
                f'document, such as {self.definition.name}("10 -- 01"), or use grouped.'
            )
        arguments = self.params
        judged_only = arguments.pop("judged_only")
        return self.definition.function(judged.condensed() if judged_only else judged, **arguments)

    def _of_typed(self, given: object) -> PerQuery:
        """The score of a ranking that is a text or a list; of several, one score each."""
        from cranfield import notation

        if self.definition.groups is not None and isinstance(given, str):
            return self(notation.grouped(given))
        if isinstance(given, list | tuple) and any(isinstance(one, GroupedRanking) for one in given):
            return np.array([self(one) for one in given])
        read = notation.several(given)
        judged = [notation.judged_ranking(one) for one in read]
        if not notation.is_several(given):
            return self(judged[0])
        # As in an evaluation, all rankings share one scale of grades.
        largest = max((one.max_grade for one in judged), default=0.0)
        return np.array([self(replace(one, max_grade=largest)) for one in judged])

    def __matmul__(self, at: float) -> Measure:
        if self.definition.at is None:
            raise UsageError(f"{self.definition.name} takes no cutoff; write {self} instead of {self}@{at}.")
        return self.replaced({self.definition.at: at})

    def replaced(self, params: Mapping[str, Value]) -> Measure:
        """The measure with some parameters changed."""
        checked = {name: _checked(self.definition, name, value) for name, value in params.items()}
        return Measure(self.definition, {**self.given, **checked}, self.asked)

    def complete(self) -> Measure:
        """The measure, unless it lacks its cutoff, or its parameters do not go together.

        Only when it is to be used: a cutoff may follow the parameters that need one, as in AP(norm="min") @ 10.
        """
        if self.definition.needs_at and self.at is None:
            raise UsageError(needs_cutoff(self.definition))
        if wrong := self.definition.check(self.params):
            raise UsageError(wrong)
        return self

    @property
    def name(self) -> str:
        """The name without parameters."""
        return self.definition.name

    @property
    def params(self) -> dict[str, Value]:
        """All parameters, given or not."""
        return self.definition.defaults | dict(self.given)

    @property
    def at(self) -> float | None:
        """The cutoff, or whatever `@` sets for this measure."""
        at: float | None = self.params[self.definition.at] if self.definition.at else None
        return at

    @property
    def bounds(self) -> Bounds:
        """The smallest and largest value there can be."""
        bounds = self.definition.bounds
        return bounds(self.params) if callable(bounds) else bounds

    @property
    def normalised(self) -> bool:
        """Whether the ideal ranking scores 1."""
        return self.definition.normalised(self.params)

    @property
    def monotone(self) -> bool:
        """Whether moving a better document up never makes this score worse.

        Of two documents with several grades each, neither need be the better one.
        """
        return self.definition.groups is None and self.definition.monotone(self.params)

    def cell(self, score: float) -> float:
        """A score as a table holds it: counts are whole numbers."""
        counted = self.definition.mean == "sum" and math.isfinite(score) and score == int(score)
        return int(score) if counted else score

    def labelled(self, other: Measure) -> Measure:
        """The same under the name by which another was asked for."""
        return replace(self, asked=other.asked, label=other.label, also=other.also)

    def with_spelling_of(self, other: Measure) -> Measure:
        """The same, asked for once more: it is called as it was first, and knows how it was called then."""
        known = (str(self), *self.also)
        more = tuple(name for name in (str(other), *other.also) if name not in known)
        return replace(self, also=(*self.also, *more)) if more else self

    def __str__(self) -> str:
        return self.label or self.canonical

    def __repr__(self) -> str:
        return self.canonical

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Measure):
            return NotImplemented
        return self.definition.name == other.definition.name and self._chosen == other._chosen

    def __hash__(self) -> int:
        return hash((self.definition.name, self._chosen))

    @cached_property
    def canonical(self) -> str:
        """Its name in our own spelling, whatever it was asked by: equal measures have the same."""
        at = self.definition.at
        params = [f"{name}={shown(value)}" for name, value in self._chosen if name != at]
        cutoff = f"@{shown(self.at)}" if self.at is not None else ""
        return self.definition.name + (f"({','.join(params)})" if params else "") + cutoff

    @cached_property
    def _chosen(self) -> tuple[tuple[str, Value], ...]:
        defaults = self.definition.defaults
        return tuple((name, value) for name, value in self.params.items() if value != defaults[name])


@overload
def measure(function: Callable[..., PerQuery], /) -> Measure: ...
@overload
def measure(**facts: Any) -> Callable[[Callable[..., PerQuery]], Measure]: ...
def measure(
    function: Callable[..., PerQuery] | None = None, /, **facts: Any
) -> Measure | Callable[[Callable[..., PerQuery]], Measure]:
    """Enter a function into the table of measures under its own name.

    The function gets a judged ranking and keyword parameters with defaults, works along the last axis, and
    gives one number per query. A parameter named `cutoff` is what `@` sets. Facts are those of `Definition`.

    >>> from cranfield.notation import ranking
    >>> @measure(bounds=(0, 1))
    ... def FirstIsRelevant(judged, *, rel=1):
    ...     "Whether the first document is relevant."
    ...     return (judged.relevant(rel) & (judged.ranks == 1)).any(axis=-1).astype(float)
    >>> FirstIsRelevant(ranking("1-0"))
    np.float64(1.0)
    >>> del TABLE["FirstIsRelevant"]
    """

    def enter(function: Callable[..., PerQuery]) -> Measure:
        named = dict(facts)
        if not _takes(function, "cutoff"):
            named.setdefault("at", None)
        definition = Definition(function.__name__, function, **named)
        before = TABLE.get(definition.name)
        # Running a notebook's cell again replaces what it defined; nothing else is replaced.
        if before is not None and before.function.__module__ != function.__module__:
            raise UsageError(
                f"There is a measure {definition.name} already, in {before.function.__module__}. Choose another name."
            )
        TABLE[definition.name] = definition
        entered = Measure(definition)
        # A measure is documented, and its example run, as the function it was made from.
        object.__setattr__(entered, "__doc__", function.__doc__)
        object.__setattr__(entered, "__wrapped__", function)
        object.__setattr__(entered, "__module__", function.__module__)
        object.__setattr__(entered, "__name__", function.__name__)
        object.__setattr__(entered, "__qualname__", function.__qualname__)
        return entered

    return enter if function is None else enter(function)


def _takes(function: Callable[..., PerQuery], parameter: str) -> bool:
    """Whether a function has a parameter; of plain ones that is known without a signature, which takes its time."""
    code = getattr(function, "__code__", None)
    if code is None or hasattr(function, "__wrapped__"):
        return parameter in inspect.signature(function).parameters
    return parameter in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def ratio(part: npt.ArrayLike, whole: npt.ArrayLike) -> PerQuery:
    """A share of something; undefined, so NaN, where there is nothing to share.

    >>> ratio([1, 0], [2, 0])
    array([0.5, nan])
    """
    part, whole = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    nothing = whole == 0
    share: PerQuery = np.where(nothing, np.nan, part / np.where(nothing, 1, whole))[()]
    return share


def in_turn(numbers: npt.NDArray[np.float64]) -> PerQuery:
    """The sum along the last axis, added one after the other as trec_eval adds.

    >>> float(in_turn(np.array([0.1, 0.2, 0.3, 0.0]))), 0.1 + 0.2 + 0.3
    (0.6000000000000001, 0.6000000000000001)
    """
    total: PerQuery = np.add.accumulate(numbers, axis=-1)[..., -1] if numbers.shape[-1] else numbers.sum(axis=-1)
    return total


def needs_cutoff(definition: Definition) -> str:
    """What to say when a measure that needs `@` comes without it."""
    what, example = AT.get(definition.at or "", ("cutoff", "10"))
    whole = f"; for the whole retrieved set there is Set{definition.name}" if definition.name in ("P", "R", "F") else ""
    return f"{definition.name} needs a {what} after '@': {definition.name}@{example}{whole}."


def _checked(definition: Definition, name: str, given: Value) -> Value:
    value = plain_value(given)
    if name == "judged_only":
        if not isinstance(value, bool):
            raise UsageError(f"{definition.name}: judged_only must be True or False, not {shown(value)!r}.")
        return value
    if name not in definition.parameters:
        known = [*definition.parameters, "judged_only"]
        had = f"{definition.name} has no parameter {short(name, 40)!r}; it has {', '.join(known)}."
        raise UsageError(f"{had} {did_you_mean(name, known)}".strip())
    wrong = _wrong(definition.parameters[name], value)
    if wrong:
        raise UsageError(f"{definition.name}: {name} must be {wrong}, not {shown(value)}.")
    allowed = range_of_parameter(definition.parameters[name])
    if allowed is not None and allowed.whole and value is not None:
        return int(value)
    return tuple(sorted(value)) if isinstance(value, tuple) else value


def plain_value(value: Value) -> Value:
    """A value without NumPy's numbers and words in it; a mapping as pairs."""
    if isinstance(value, Mapping):
        return tuple((plain_value(key), plain_value(of_key)) for key, of_key in value.items())
    if isinstance(value, tuple):
        return tuple(map(plain_value, value))
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return value.item()
    return value


def is_number(value: Value) -> TypeGuard[float]:
    """Whether a value is a number that can be calculated with: no word, and none beyond what grades may be."""
    # Compared as it is: a whole number may have more digits than a float can hold.
    return not isinstance(value, bool) and isinstance(value, int | float) and -LARGEST_GRADE <= value <= LARGEST_GRADE


def _wrong(parameter: inspect.Parameter, value: Value) -> str:
    """What a value should have been, or nothing when it fits the parameter's name and annotation."""
    if value is None:
        optional = parameter.default is None or parameter.default is parameter.empty
        return "" if optional else "given a value"
    if not isinstance(value, str | bool | int | float | tuple):
        return "a number or a word"
    if value == parameter.default:
        return ""
    words = _words(parameter.annotation)
    if _takes_gains(parameter.annotation):
        return "" if value in words or _is_gains(value) else _gains_wanted(words, value)
    if words:
        return "" if value in words else " or ".join(words)
    if isinstance(value, str | bool) and type(value) is type(parameter.default):
        return ""
    if not is_number(value):
        too_large = isinstance(value, int | float) and value == value and not isinstance(value, bool)
        return f"a number between -{LARGEST_GRADE:g} and {LARGEST_GRADE:g}" if too_large else "a number"
    allowed = range_of_parameter(parameter)
    return "" if allowed is None else allowed.wrong(value)


def range_of_parameter(parameter: inspect.Parameter) -> Range | None:
    """What a parameter's numbers may be; a cutoff is a rank in every measure."""
    return COUNT if parameter.name == "cutoff" else range_of(parameter.annotation)


def _words(annotation: Any) -> tuple[str, ...]:
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    return tuple(word for part in get_args(annotation) for word in _words(part))


def _takes_gains(annotation: Any) -> bool:
    """Whether a mapping from grade to gain, held as pairs, is among the values."""
    return any(get_origin(part) is tuple for part in get_args(annotation))


def _is_gains(pairs: Value) -> bool:
    return _are_pairs(pairs) and len({grade for grade, _ in pairs}) == len(pairs) > 0


def _are_pairs(pairs: Value) -> bool:
    return isinstance(pairs, tuple) and all(
        isinstance(pair, tuple) and len(pair) == 2 and all(map(is_number, pair)) and pair[1] >= 0 for pair in pairs
    )


def _gains_wanted(words: tuple[str, ...], value: Value) -> str:
    if _are_pairs(value) and value:
        return "one gain for each grade"
    return f"{' or '.join(words)} or a gain for each grade, from 0 to {LARGEST_GRADE:g}"


def shown(value: Value) -> str:
    """A parameter value as it stands in a name."""
    if isinstance(value, tuple) and value and _are_pairs(value):
        return "{" + ",".join(f"{shown(grade)}:{shown(gain)}" for grade, gain in value) + "}"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, int) and abs(value) > LARGEST_GRADE:
        return "a number with hundreds of digits" if value.bit_length() > 300 else f"{value:.3g}"
    return short(value) if isinstance(value, str) else str(value)
