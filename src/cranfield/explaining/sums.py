"""The sum behind a score, in words and numbers; its last line is the result."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING

from cranfield.catalogue import CatalogueEntry, plain
from cranfield.explaining.abbreviation import Gap, abbreviated
from cranfield.explaining.cells import exact, number, table
from cranfield.explaining.page import Section
from cranfield.explaining.terms import Term, Working
from cranfield.show.table import Table

if TYPE_CHECKING:
    from cranfield.explaining.explanation import Explanation

Terms = Mapping[int, Term]
"""Terms by rank."""
Line = int | Gap[int]
"""A rank, or those that are left out."""

_PRODUCTS = ("gain × discount", "weight × gain", "reached × gain")


def sum_sections(explanation: Explanation, limit: int | None, width: int, places: int) -> Iterator[Section]:
    """How the terms make the score; for a measure that is not explained, its formula."""
    working = explanation.working
    if working is None:
        yield Section(f"{explanation.measure} is not explained term by term", _formula(explanation, places))
        return
    over = f", divided by the {working.over}" if working.over else ""
    title, said = f"Sum: {working.adds}{over}", [working.note] if working.note else []
    end = [*_residual(working, places), _result(explanation, working, places)]
    if not any(term.factors for term in (*working.terms, *working.ideal)):
        yield Section(title, said, None, [*_in_line(working, limit, places), *end])
    elif not working.ideal or limit is None or max(len(working.terms), len(working.ideal)) <= limit:
        yield Section(title, said, _table(working, limit, width, places), end)
    else:
        # Side by side, two long rankings would hide each other's terms.
        real = replace(working, ideal=())
        ideal = replace(working, terms=working.ideal, ideal=())
        yield Section(title, said, _table(real, limit, width, places) if real.terms else None)
        yield Section("The same sum for the ideal ranking", (), _table(ideal, limit // 2, width, places), end)


def _formula(explanation: Explanation, places: int) -> list[str]:
    formula = plain(CatalogueEntry(explanation.measure.definition).formula)
    return [*([f"Its formula is {formula}"] if formula else []), f"result = {_score(explanation.value, places)}"]


def _result(explanation: Explanation, working: Working, places: int) -> str:
    named = "DCG / IDCG = " if working.ideal else ""
    if working.denominator is None:
        fractions = "".join(f"{_term(term, places)} = " for term in working.terms if term.fraction)
        return f"result = {fractions}{_score(explanation.value, places)}"
    division = f"{exact(working.total, places)} / {exact(working.denominator, places)}"
    return f"result = {named}{division} = {_score(explanation.value, places)}"


def _score(value: float, places: int) -> str:
    return "undefined" if math.isnan(value) else exact(value, places)


def _residual(working: Working, places: int) -> Iterator[str]:
    if working.residual is not None:
        yield (
            f"residual = {exact(working.residual, places)}: the weight of unjudged documents and of all below the "
            f"last rank. If these were perfect, the result would be {exact(working.total + working.residual, places)}."
        )


def _in_line(working: Working, limit: int | None, places: int) -> Iterator[str]:
    """`sum = 1/1 + 2/4 = 1.5`, or how many terms there are where each is the same."""
    named = any(term.name for term in working.terms)
    if working.denominator is None and not named:
        return
    terms = abbreviated(working.terms, lambda term: True, limit)
    if named or any(term.fraction or term.value != working.terms[0].value for term in working.terms):
        parts = " + ".join(_term(term, places) for term in terms)
        yield f"{working.name} = {parts} = {exact(working.total, places)}"
    else:
        ranks = ", ".join("…" if isinstance(term, Gap) else str(term.rank) for term in terms)
        at = f", from the {working.whose} at ranks {ranks}" if ranks else ": there is no term"
        yield f"{working.name} = {exact(working.total, places)}{at}"


def _term(term: Term | Gap[Term], places: int) -> str:
    """A term as it stands in a sum: a fraction, a number, or a number with its name."""
    if isinstance(term, Gap):
        return f"… {len(term.items)} terms …"
    if term.fraction is None:
        return number(term.value, places) + (f" ({term.name})" if term.name else "")
    part, whole = term.fraction
    return f"{part:.12g}/{whole:.12g}" if part else "0"


def _table(working: Working, limit: int | None, width: int, places: int) -> Table:
    """A line per rank, the ideal ranking next to the real one, and the sums below."""
    real, ideal = ({term.rank: term for term in terms} for terms in (working.terms, working.ideal))
    ranks = sorted({*real, *ideal})

    def adds(rank: int) -> bool:
        return any(term.value for term in (real.get(rank), ideal.get(rank)) if term)

    # In a long ranking a rank that adds nothing is not worth a line.
    short = limit is None or len(ranks) <= limit
    kept = [rank for rank in ranks if adds(rank) or (short and rank in real)]
    lines = abbreviated(kept, adds, limit)
    columns = {"rank": [*("…" if isinstance(line, Gap) else str(line) for line in lines), "sum"]}
    factors = next(iter(working.terms or working.ideal)).factors
    columns |= {name: _factors(name, real, lines, places) for name in factors if name != "discount"}
    adds_name = "product" if working.adds in _PRODUCTS else "adds" if working.running == "so far" else working.adds
    columns[adds_name] = _values(real, lines, places)
    if working.running:
        columns[working.running] = _running(real, lines, places)
    if ideal:
        columns["ideal"] = [*(_document(ideal, line) for line in lines), ""]
        columns["ideal gain"] = _factors("gain", ideal, lines, places)
        columns["ideal product"] = _values(ideal, lines, places)
    return table(columns, width)


def _factors(name: str, terms: Terms, lines: Sequence[Line], places: int) -> list[str]:
    """A factor at each rank, and an empty place next to the sum."""
    at_ranks = (None if isinstance(line, Gap) else terms.get(line) for line in lines)
    return [*("" if term is None else _factor(name, term.factors[name], places) for term in at_ranks), ""]


def _factor(name: str, value: float, places: int) -> str:
    return number(value, places) if name in ("gain", "grade", "irrelevant above") else f"{value:z.{places}f}"


def _values(terms: Terms, lines: Sequence[Line], places: int) -> list[str]:
    """What each line adds, and what all of them make."""
    added = [_added(terms, line, places) for line in lines]
    return [*added, f"{math.fsum(term.value for term in terms.values()):z.{places}f}"]


def _added(terms: Terms, line: Line, places: int) -> str:
    hidden = line.items if isinstance(line, Gap) else (line,)
    values = [terms[rank].value for rank in hidden if rank in terms]
    if not values:
        return ""
    return _division(terms, line, places) + f"{math.fsum(values):z.{places}f}"


def _division(terms: Terms, line: Line, places: int) -> str:
    """A discounted gain as people write it, `3/1.5850 = `, before its value."""
    if isinstance(line, Gap) or not (discount := terms[line].factors.get("discount")):
        return ""
    # The discount of rank 8 is 1/3, and what it divides by is 3.
    divisor = round(1 / discount, 12)
    return f"{number(terms[line].factors['gain'], places)}/{number(divisor, places)} = "


def _running(terms: Terms, lines: Sequence[Line], places: int) -> list[str]:
    """The sum down to each rank."""
    totals = dict(zip(terms, accumulate(term.value for term in terms.values()), strict=True))
    return [*(f"{totals[line]:z.{places}f}" if line in totals else "" for line in lines), ""]


def _document(terms: Terms, line: Line) -> str:
    return "" if isinstance(line, Gap) or line not in terms else terms[line].document
