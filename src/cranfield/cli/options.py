"""How commands declare their options: in groups that every command shares, one meaning to a name."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any, get_args

import click

from cranfield.phrases import shown

MOST = 1_000_000_000
"""The largest count or cutoff: more than any ranking has, and a number that every loop can hold."""
LARGEST = 1e300
"""The largest number with decimals: sums and squares of a few of them still are numbers."""
SEEDS = (1 << 63) - 1
MOST_PLACES = 17
"""More decimals than a score has."""

_WHOLE = re.compile(r"[+-]?[0-9]{1,30}")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


class Whole(click.IntRange):
    """A whole number within limits."""

    name = "n"  # what help shows in capitals

    def __init__(self, least: int = 1, most: int = MOST) -> None:
        super().__init__(min=least, max=None if most in (MOST, SEEDS) else most)
        self.least, self.most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number, if it is one that the option takes."""
        text = str(value).strip()
        number = value if isinstance(value, int) else int(text) if _WHOLE.fullmatch(text) else None
        if number is None or not self.least <= number <= self.most:
            self.fail(f"must be a whole number from {self.least:,} to {self.most:,}, not {shown(value)}.", param, ctx)
        return number


class Real(click.FloatRange):
    """A number within limits; by default any that can be calculated with."""

    name = "number"

    def __init__(
        self, low: float = -LARGEST, high: float = LARGEST, *, min_open: bool = False, max_open: bool = False
    ) -> None:
        limits = (None if low == -LARGEST else low), (None if high == LARGEST else high)
        super().__init__(*limits, min_open=min_open, max_open=max_open)
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, if it is one that the option takes."""
        number = decimal(str(value))
        at_a_limit = (self.min_open and number == self.low) or (self.max_open and number == self.high)
        if at_a_limit or not self.low <= number <= self.high:
            self.fail(f"must be {self._expected()}, not {shown(value)}.", param, ctx)
        return number

    def _describe_range(self) -> str:
        # click would print `x<=None` of a number without limits.
        return "" if self.min is None and self.max is None else super()._describe_range()

    def _expected(self) -> str:
        if self.low == -LARGEST:
            return "a number"
        low = f"a number {'above' if self.min_open else 'of at least'} {self.low:g}"
        return f"{low} and {'below' if self.max_open else 'at most'} {self.high:g}"


def places(context: click.Context, option: click.Parameter, value: str | None) -> tuple[int | None, dict[str, int]]:
    """Decimals: a number for all measures, if there is one, and those of single measures (`3,AP=4,nDCG@10=2`)."""
    usual: int | None = None
    by_measure: dict[str, int] = {}
    # A comma inside parentheses is part of a measure's name.
    for part in [] if value is None else re.split(r",(?![^({]*[)}])", value):
        measure, _, number = part.strip().rpartition("=")
        is_known = measure in by_measure if measure else usual is not None
        if is_known or not _WHOLE.fullmatch(number) or not 0 <= int(number) <= MOST_PLACES:
            raise click.BadParameter(
                f"must be a whole number from 0 to {MOST_PLACES}, or one for each of some measures, as in "
                f"AP=4,nDCG@10=3, not {shown(value)}.",
                context,
                option,
            )
        if measure:
            by_measure[measure] = int(number)
        else:
            usual = int(number)
    return usual, by_measure


def decimal(text: str) -> float:
    """The number that a text spells; NaN where it is none, or too large for one.

    >>> decimal("1e-3"), decimal("1e400"), decimal("1_000")
    (0.001, nan, nan)
    """
    number = float(text) if _DECIMAL.fullmatch(text.strip()) else math.nan
    return number if math.isfinite(number) else math.nan


Decorator = Callable[[Any], Any]
"""click's decorators add to a function's parameters and give it back."""

OTHERS = "Options"


class Grouped(click.Option):
    """An option that stands in a group of its command's help."""

    group = OTHERS


class Command(click.Command):
    """A command whose help lists options in groups: its own first, then those that commands share."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What was given; a measure among the files is answered with where it belongs."""
        try:
            rest = super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            refuse_ranking_option(error.option_name, "score", ctx)
            _refuse_tune_option(error.option_name, ctx)
            raise
        _refuse_measures_among_files(self.params, ctx)
        return rest

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Each group under its name."""
        groups: dict[str, list[tuple[str, str]]] = {OTHERS: []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                groups.setdefault(getattr(parameter, "group", OTHERS), []).append(record)
        for name, records in groups.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)


def refuse_ranking_option(name: str, command: str, ctx: click.Context) -> None:
    """Answer --ranking, which many try first, with how a ranking is typed."""
    if name == "--ranking":
        raise click.UsageError(f'A ranking is typed without an option: cranfield {command} "1 0 1 1" -m AP', ctx)


def _refuse_tune_option(name: str, ctx: click.Context) -> None:
    """Answer `fuse --tune`, and options that go with it, with the command that tunes."""
    if ctx.info_name == "fuse" and name in ("--tune", "--judgments", "--qrels", "--measure"):
        raise click.UsageError(
            "Fusions are tuned by a command of its own: cranfield fuse tune QRELS RUN RUN... -m nDCG@10 -o FILE", ctx
        )


def _refuse_measures_among_files(params: Iterable[click.Parameter], ctx: click.Context) -> None:
    """Refuse `-m nDCG@10 AP`, where AP would be read as a file, unless there is such a file."""
    option = next((one for one in params if isinstance(one, click.Option) and "-m" in one.opts), None)
    if option is None:
        return
    strays: list[str] = []
    for one in params:
        if isinstance(one, click.Argument):
            given = ctx.params.get(one.name or "") or ()
            texts = given if isinstance(given, tuple) else (given,)
            strays += [text for text in texts if _is_measure(text, or_ranking="RANKING" in (one.metavar or ""))]
    if not strays:
        return
    asked = ctx.params.get(option.name or "") if ctx.get_parameter_source(option.name or "") == _TYPED else ()
    together = " ".join([*(asked if isinstance(asked, tuple) else ()), *strays])
    what = f"{strays[0]} is a measure" if len(strays) == 1 else f"{' and '.join(strays)} are measures"
    each = " ".join(f"-m {_shell(name)}" for name in strays)
    several = f", or -m '{together}'" if option.multiple and together != strays[0] else ""
    raise click.UsageError(f"{what}: write {each}{several}.", ctx)


_TYPED = click.core.ParameterSource.COMMANDLINE


def _shell(name: str) -> str:
    """A measure as a shell takes it for one word."""
    return f"'{name}'" if "(" in name else name


def _is_measure(text: str, *, or_ranking: bool) -> bool:
    """Whether an argument names a measure and no file, nor a ranking where one may be typed."""
    from cranfield.formats.source import is_there

    if text == "-" or is_there(text):
        return False
    from cranfield.errors import UsageError
    from cranfield.measures import parse
    from cranfield.notation import is_typed

    try:
        return not (or_ranking and is_typed(text)) and bool(parse(text))
    except UsageError:
        return False


def choice(literal: Any) -> click.Choice[str]:
    """The choices of an option, from the type of the argument it becomes."""
    return click.Choice(get_args(literal))


def option(*names: str, group: str = OTHERS, **facts: Any) -> Decorator:
    """An option of a command, in a group of its help."""
    return click.option(*names, cls=type("Grouped", (Grouped,), {"group": group}), **facts)


seed = option("--seed", type=Whole(0, SEEDS), default=0, show_default=True, help="Random seed.")
"""Of every command that draws at random."""


def bundle(name: str, made: Callable[..., object], *options: Decorator) -> Decorator:
    """Options that belong together: the command is given one value, made of what they were set to."""

    def decorate(function: Callable[..., object]) -> Callable[..., object]:
        mine = list(_names(options))

        @wraps(function)
        def with_bundle(*arguments: Any, **given: Any) -> object:
            facts = {key: given.pop(key) for key in mine}
            return function(*arguments, **given, **{name: made(**facts)})

        for decorator in reversed(options):
            decorator(with_bundle)
        return with_bundle

    return decorate


def _names(options: Iterable[Decorator]) -> Iterator[str]:
    """The names of the values that options give."""

    def command() -> None: ...

    for decorator in options:
        decorator(command)
    for parameter in getattr(command, "__click_params__", []):
        if parameter.expose_value:
            yield parameter.name


def require_one_standard_input(*paths: str | None) -> None:
    """Refuse to read standard input twice."""
    if paths.count("-") > 1:
        raise click.UsageError("Standard input can be read only once; give one file as -.")


def numbers(text: str, name: str) -> list[float]:
    """Numbers with commas between them."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise click.UsageError(f"{name} takes numbers with commas between them, not {text!r}.") from None
