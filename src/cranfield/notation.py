"""A ranking as people type it: `1 0 1 1`, `Y N Y`, `+ - +`, `[3, 2, 0, 1]`, `2-1|1`.

There is one grade per rank. Blanks or commas may stand between grades. `-` and `?` are unjudged documents, but next to
`+` a `-` is an irrelevant one; `x` is pooled but not judged (a negative grade). After `|` stand the grades of documents
that were judged but not retrieved, or how many relevant ones there are: `|+12`. Grades of more than one digit, or
with a fraction, stand in parentheses, `(12)(0.5)0`, or in a list, `[12, 0.5, 0]`.

Where a document has several grades, one for each subtopic or judge, documents are set apart by blanks:
`"10 -- 01|11"` has two subtopics; the first document is relevant to the first of them, the third to the second.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Literal, NamedTuple, TypeGuard

import numpy as np

from cranfield import errors
from cranfield.align import JudgedRanking
from cranfield.arguments import require_whole
from cranfield.errors import UsageError
from cranfield.errors.rows import LARGEST_GRADE
from cranfield.grouped_ranking import GroupedRanking

Grade = float | None
"""None is a document that nobody judged."""
Signs = Literal["digits", "letters", "+ and -"]

MOST = 1_000_000
"""Documents that a number may stand for."""
_RELEVANT = {"y": 1.0, "r": 1.0, "n": 0.0, "yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0}
_UNJUDGED = {"-", "−", "–", "?", "null", "none", "nan"}
_POOLED = "x"
_BETWEEN = re.compile(r"[\s,;]+")
_WORD = re.compile(r"[^\s,;]+")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_SIGN = re.compile(r"\((-?\d+(?:\.\d+)?)\)|[0-9+?−–-]|[yrnx]", re.IGNORECASE)
_COUNT = re.compile(r"\+(\d+)")
_LIST = re.compile(r"\[(.*)\]|\(([^()]*[,;\s][^()]*)\)", re.DOTALL)
_TYPED = re.compile(
    r"[\s\d,;|+−–?.()\[\]yrnx-]*|\s*\[.*|\s*\(?\s*(?:[\dyrnx+−–?-]|yes|no|true|false)[\s,;|].*",
    re.DOTALL | re.IGNORECASE,
)


class Typed(NamedTuple):
    """A ranking as it was typed, or given as a list."""

    text: str
    retrieved: tuple[Grade, ...]
    """The grade at each rank."""
    missed: tuple[float, ...]
    """The grades of judged documents that were not retrieved."""

    def relevant(self, rel: float = 1) -> int:
        """How many documents of some grade there are, retrieved or not."""
        return self.found(rel) + sum(grade >= rel for grade in self.missed)

    def found(self, rel: float = 1) -> int:
        """How many of these were retrieved."""
        return sum(grade is not None and grade >= rel for grade in self.retrieved)


class _Token(NamedTuple):
    """A grade of the text, and where it stands."""

    start: int
    end: int
    grade: Grade
    signs: Signs | None = None
    """The way of writing grades that it belongs to."""
    is_minus: bool = False


def ranking(given: object, *, relevant: int | None = None) -> JudgedRanking:
    """The judged ranking that a text or a list of grades stands for.

    `relevant` is the number of all relevant documents, retrieved or not.

    >>> ranking("2-1|1").ranks
    array([1., 3.])
    >>> ranking("2-1|1").judged
    array([2., 1., 1.])
    >>> ranking([1, 0, None, 1], relevant=4).judged
    array([1., 1., 1., 1., 0.])
    """
    if isinstance(given, JudgedRanking) and relevant is None:
        return given
    return judged_ranking(typed(given, relevant=relevant))


def judged_ranking(read: Typed) -> JudgedRanking:
    """A ranking that was read, as measures take it."""
    graded = [(rank, grade) for rank, grade in enumerate(read.retrieved, 1) if grade is not None]
    judged = sorted([grade for _, grade in graded] + list(read.missed), reverse=True)
    return JudgedRanking(
        ranks=np.array([rank for rank, _ in graded], dtype=np.float64),
        grades=np.array([grade for _, grade in graded], dtype=np.float64),
        retrieved=np.float64(len(read.retrieved)),  # type: ignore[arg-type]  # a scalar is an array of no axes
        judged=np.array(judged, dtype=np.float64),
        max_grade=max(judged, default=0.0),
    )


def typed(given: object, *, relevant: int | None = None, rel: float = 1) -> Typed:
    """The grades of one ranking, given as a text or as a list of grades.

    With `relevant`, as many missed documents of grade `rel` are added as there are relevant ones beyond those given.

    >>> typed("1 0 1|+2").missed
    (1.0, 1.0)
    >>> typed([3, None, 0], relevant=2).missed
    (1.0,)
    """
    read = given if isinstance(given, Typed) else _of_text(given) if isinstance(given, str) else _of_list(given)
    if relevant is None:
        return read
    missing = require_whole(relevant, "relevant", 0) - read.relevant(rel)
    if missing < 0:
        raise errors.typed_rankings.fewer_relevant(read.text, relevant, read.relevant(rel), rel)
    if missing > MOST:
        raise UsageError(f"relevant must be at most {MOST:,}, not {relevant}.")
    return read._replace(missed=(*read.missed, *(missing * [float(rel)])))


def several(given: object, *, relevant: int | Sequence[int | None] | None = None, rel: float = 1) -> tuple[Typed, ...]:
    """One or several rankings: a text, a list of grades, or a list of either.

    `relevant` is one number for all of them, or one for each.

    >>> [read.text for read in several(["1011", [0, 1]])]
    ['1011', '0 1']
    """
    parts = list(given) if _is_list(given) else given
    rankings = parts if isinstance(parts, list) and is_several(parts) else [parts]
    counts = list(relevant) if isinstance(relevant, Sequence) and not isinstance(relevant, str) else [relevant]
    if len(counts) not in (1, len(rankings)):
        raise errors.typed_rankings.several_counts(len(counts), len(rankings))
    counts = counts * len(rankings) if len(counts) == 1 else counts
    return tuple(typed(one, relevant=count, rel=rel) for one, count in zip(rankings, counts, strict=True))


def is_several(given: object) -> bool:
    """Whether a list holds rankings rather than grades; single letters and digits are grades.

    >>> is_several(["1011", "0100"]), is_several(["1", "0"]), is_several([1, 0])
    (True, False, False)
    """
    if not isinstance(given, Sequence | np.ndarray) or isinstance(given, str | Typed):
        return False
    words = [part for part in given if isinstance(part, str)]
    if words and len(words) == len(given):
        return any(_as_sign(word.strip()) is None for word in words)
    return any(isinstance(part, Typed | JudgedRanking) or _is_list(part) for part in given)


def is_typed(text: str) -> bool:
    """Whether a text looks like a ranking rather than the name of a file.

    >>> is_typed("1 0 1"), is_typed("Y N|+3"), is_typed("1 0 z"), is_typed("qrels.txt")
    (True, True, True, False)
    """
    return bool(_TYPED.fullmatch(text))


def grouped(text: str, owners: Sequence[int] | None = None) -> GroupedRanking:
    """The judged ranking with several grades for each document that a string stands for.

    `owners` says which judge each column of grades belongs to, if not each to one of its own.

    >>> grouped("10 -- 01|11").grades
    array([[1., 0., 1.],
           [0., 1., 1.]])
    """
    bar = text.find("|") if "|" in text else len(text)
    places = list(_documents(text, 0, bar))
    judged = [(float(rank), grades) for rank, grades in enumerate(places, 1) if set(grades) != {None}]
    judged += [(np.inf, grades) for grades in _documents(text, bar + 1, len(text))]
    groups = len(judged[0][1]) if judged else 0
    if any(len(grades) != groups for _, grades in judged):
        raise UsageError(f"{text!r} is not a ranking: each document has a grade, or '-', for each group.")
    if owners is not None and len(owners) != groups:
        judges = "1 judge" if len(owners) == 1 else f"{len(owners)} judges"
        raise UsageError(f"owners names {judges} for {groups} groups.")
    columns = [[-np.inf if grade is None else grade for grade in grades] for _, grades in judged]
    return GroupedRanking(
        ranks=np.array([rank for rank, _ in judged], dtype=np.float64),
        grades=np.array(columns, dtype=np.float64).reshape(len(judged), groups).T,
        retrieved=np.float64(len(places)),  # type: ignore[arg-type]  # a scalar is an array of no axes
        places=np.arange(len(judged), dtype=np.float64),
        owners=np.array(range(groups) if owners is None else owners, dtype=np.int64),
        max_grade=max((grade for column in columns for grade in column), default=0.0),
    )


def documents(given: object) -> tuple[dict[str, float], list[str]]:
    """Grades by document, and the documents best first, that a ranking stands for: d1, d2, …, and missed m1, m2, ….

    >>> documents("1-0|2")
    ({'d1': 1.0, 'd3': 0.0, 'm1': 2.0}, ['d1', 'd2', 'd3'])
    """
    read = typed(given)
    ranked = {f"d{rank}": grade for rank, grade in enumerate(read.retrieved, 1)}
    others = {f"m{at}": grade for at, grade in enumerate(read.missed, 1)}
    return {name: grade for name, grade in {**ranked, **others}.items() if grade is not None}, list(ranked)


def _of_text(text: str) -> Typed:
    bar = text.find("|") if "|" in text else len(text)
    if "|" in text[bar + 1 :]:
        again = text.index("|", bar + 1)
        raise errors.typed_rankings.misread(text, again, again + 1, "there is more than one |.")
    retrieved = list(_tokens(text, 0, bar))
    missed = list(_missed(text, bar + 1, len(text)))
    return Typed(text.strip(), *_grades(text, retrieved, missed))


def _grades(text: str, retrieved: list[_Token], missed: list[_Token]) -> tuple[tuple[Grade, ...], tuple[float, ...]]:
    """The grades of tokens that are all written alike; next to +, - is an irrelevant document."""
    first: _Token | None = None
    for token in (*retrieved, *missed):
        if token.signs is None:
            continue
        first = first or token
        if token.signs != first.signs:
            sign, before = text[token.start : token.end], text[first.start : first.end]
            raise errors.typed_rankings.mixed_signs(text, token.start, token.end, sign, before)
    minus = 0.0 if first is not None and first.signs == "+ and -" else None
    at_ranks, others = (
        tuple(minus if token.is_minus else token.grade for token in tokens) for tokens in (retrieved, missed)
    )
    return at_ranks, tuple(grade for grade in others if grade is not None)


def _missed(text: str, start: int, end: int) -> Iterator[_Token]:
    """What stands after the bar: grades, and numbers of relevant documents such as +12."""
    digits = text[start:end].strip()
    if len(set(digits)) > 1 and digits.isdecimal():
        at = text.index(digits, start)
        raise errors.typed_rankings.ambiguous_count(text, at, at + len(digits))
    at = start
    for match in _COUNT.finditer(text, start, end):
        yield from _tokens(text, at, match.start())
        at = match.end()
        if len(match[1]) > len(str(MOST)) or int(match[1]) > MOST:
            raise errors.typed_rankings.too_large(text, match.start(), at, f"{MOST:,}")
        yield from int(match[1]) * [_Token(match.start(), at, 1.0)]
    yield from _tokens(text, at, end)


def _tokens(text: str, start: int, end: int) -> Iterator[_Token]:
    """The grades of one side of the bar."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if in_list := _LIST.fullmatch(text, start, end):
        inside = in_list.span(1 if in_list[1] is not None else 2)
        yield from _words(text, *inside, is_list=True)
    elif text[start : start + 1] == "[":
        raise errors.typed_rankings.misread(text, start, start + 1, "the list that begins here has no end.")
    elif _BETWEEN.search(text, start, end):
        yield from _words(text, start, end, is_list=False)
    else:
        yield from _signs(text, start, end)


def _signs(text: str, start: int, end: int) -> Iterator[_Token]:
    """Grades without anything between them."""
    at = start
    while at < end:
        match = _SIGN.match(text, at, end)
        if match is None:
            raise errors.typed_rankings.not_a_grade(text, at)
        at = match.end()
        yield _sign(match, text)


def _sign(match: re.Match[str], text: str) -> _Token:
    token = _as_sign(match[0]) if match[1] is None else _Token(0, 0, _number(match[1], text, match), "digits")
    assert token is not None  # whatever the pattern matches is a sign
    return token._replace(start=match.start(), end=match.end())


def _as_sign(word: str) -> _Token | None:
    """The grade that one sign or word is; nothing where it is none."""
    folded = word.casefold()
    if folded in _UNJUDGED:
        return _Token(0, 0, None, is_minus=folded in ("-", "−", "–"))
    if folded == _POOLED:
        return _Token(0, 0, -1.0)
    if folded in _RELEVANT:
        return _Token(0, 0, _RELEVANT[folded], "letters")
    if word == "+":
        return _Token(0, 0, 1.0, "+ and -")
    return _Token(0, 0, float(word), "digits") if len(word) == 1 and word in "0123456789" else None


def _words(text: str, start: int, end: int, *, is_list: bool) -> Iterator[_Token]:
    """Grades with blanks or commas between them; in a list they may be any numbers."""
    if gap := re.compile(r"[,;]\s*[,;]").search(text, start, end):
        raise errors.typed_rankings.missing_grade(text, *gap.span())
    for match in _WORD.finditer(text, start, end):
        yield _word(match, text, is_list=is_list)


def _word(match: re.Match[str], text: str, *, is_list: bool) -> _Token:
    start, end = match.span()
    word = match[0].strip("'\"") if is_list else match[0]
    if sign := _as_sign(word):
        return sign._replace(start=start, end=end)
    bracketed = _SIGN.fullmatch(word)
    if bracketed and bracketed[1] is not None:
        return _Token(start, end, _number(bracketed[1], text, match), "digits")
    if _NUMBER.fullmatch(word) and (is_list or re.fullmatch(r"\d*\.\d+", word)):
        return _Token(start, end, _number(word, text, match), "digits")
    at = start
    while at < end and (sign_at := _SIGN.match(text, at, end)):
        at = sign_at.end()
    if at < end:
        raise errors.typed_rankings.not_a_grade(text, at)
    raise errors.typed_rankings.ambiguous_digits(text, start, end)


def _number(digits: str, text: str, match: re.Match[str]) -> float:
    number = float(digits)
    if not abs(number) <= LARGEST_GRADE:
        raise errors.typed_rankings.too_large(text, match.start(), match.end(), f"{LARGEST_GRADE:g}")
    return number


def _documents(text: str, start: int, end: int) -> Iterator[list[Grade]]:
    """The grades of each document, one for each group."""
    for word in re.compile(r"\S+").finditer(text, start, end):
        yield [token.grade for token in _signs(text, *word.span())]


def _of_list(given: object) -> Typed:
    if isinstance(given, JudgedRanking):
        return _of_judged(given)
    if not _is_list(given):
        raise errors.typed_rankings.not_grades(given)
    values = list(given)
    if values and all(isinstance(value, str) and _as_sign(value.strip()) for value in values):
        return _of_text(" ".join(values))
    grades = tuple(_grade_of(value, at) for at, value in enumerate(values, 1))
    return Typed(_written(grades), grades, ())


def _of_judged(judged: JudgedRanking) -> Typed:
    """The grades of a ranking that was read before."""
    if judged.ranks.ndim != 1:
        raise errors.typed_rankings.not_grades(judged)
    at_rank = dict(zip(judged.ranks.tolist(), judged.grades.tolist(), strict=True))
    retrieved = tuple(at_rank.get(float(rank)) for rank in range(1, int(judged.retrieved) + 1))
    missed = Counter(judged.judged.tolist())
    missed.subtract(grade for grade in retrieved if grade is not None)
    lost = tuple(sorted((grade for grade in missed.elements() if math.isfinite(grade)), reverse=True))
    return Typed("|".join(_written(grades) for grades in (retrieved, lost) if grades), retrieved, lost)


def _written(grades: Iterable[Grade]) -> str:
    return " ".join("-" if grade is None else f"{grade:g}" if 0 <= grade < 10 else f"({grade:g})" for grade in grades)


def _is_list(given: object) -> TypeGuard[Iterable[Any]]:
    """Whether something holds the grades of a ranking, rank by rank."""
    if isinstance(given, str | bytes | Mapping | Set | Typed):
        return False
    return isinstance(given, Iterable) and (getattr(given, "ndim", 1) == 1 or isinstance(given, np.ndarray))


def _grade_of(value: Any, at: int) -> Grade:
    if isinstance(value, str) and (sign := _as_sign(value.strip())):
        return sign.grade
    plain = value.item() if isinstance(value, np.generic) else value
    if plain is None or (isinstance(plain, float) and math.isnan(plain)):
        return None
    if isinstance(plain, int | float) and abs(plain) <= LARGEST_GRADE:
        return float(plain)
    raise errors.typed_rankings.not_grades(value, at)
