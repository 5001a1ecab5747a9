"""What an explanation says, in order: the score, the ranking, the curve, the sum."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cranfield.evaluating.settings import source_of
from cranfield.explaining.abbreviation import ROWS, Gap, abbreviated
from cranfield.explaining.cells import fraction, grade, table
from cranfield.explaining.page import Section
from cranfield.explaining.places import Place
from cranfield.explaining.sums import sum_sections
from cranfield.phrases import counted
from cranfield.show.measures import legend
from cranfield.show.table import Table

if TYPE_CHECKING:
    from cranfield.explaining.explanation import Explanation

FIRST = 10
"""Ranks shown where nothing is relevant and no cutoff says how many."""
BAR = 30
"""Characters of a bar for precision 1."""
MISSED = 10
"""Documents named of those that the ranking does not hold."""
POINTS = 12
"""Points of recall that were reached are shown next to the eleven levels up to this number."""


def sections(explanation: Explanation, width: int, places: int) -> Iterator[Section]:
    """All sections; ids are shortened where a row would be wider than this."""
    limit = None if explanation.shown_rows == "all" else explanation.shown_rows or ROWS
    yield _heading(explanation, places)
    if explanation.seen.places:
        yield Section("Ranking", table=_ranking(explanation, limit, width, places), after=_missed(explanation, limit))
    elif explanation.seen.missed:
        yield Section("Ranking", _missed(explanation, limit))
    if any(explanation.seen.curve.values()):
        of = "" if explanation.cutoff is None else ", over the whole ranking"
        title = f"Interpolated precision: the best at or beyond each recall{of}"
        yield Section(title, table=_curve(explanation, width, places))
    yield from sum_sections(explanation, limit, width, places)


def _heading(explanation: Explanation, places: int) -> Section:
    undefined = math.isnan(explanation.value)
    value = "undefined" if undefined else f"{explanation.value:z.{places}f}"
    typed = explanation.run is None
    of = f"the ranking {explanation.query}" if typed else f"query {explanation.query}, run {explanation.run}"
    title = f"{explanation.measure} = {value} for {of}"
    lines = [
        *legend([explanation.measure]),
        explanation.measure.definition.summary,
        _counts(explanation),
        *_reading(explanation),
    ]
    if undefined:
        lines.append(f"It is undefined because {explanation.why_undefined}. {_in_a_mean(explanation)}")
    warnings = [f"warning: {warning}" for warning in explanation.warnings]
    return Section(title, [*lines, *explanation.notes, *warnings])


def _counts(explanation: Explanation) -> str:
    counts, cutoff = explanation.counts, explanation.cutoff
    within = f" in the top {cutoff}" if cutoff is not None else ""
    return (
        f"{counts['retrieved']} documents retrieved, {counts['unjudged']} unjudged{within}; "
        f"{counts['judged']} judged, {counts['relevant']} of them relevant "
        f"(grade {explanation.seen.rel:g} or more); {counts['retrieved_relevant']} of these retrieved."
    )


def _reading(explanation: Explanation) -> Iterator[str]:
    settings = explanation.settings
    if settings.group_by is not None:
        yield (
            f"Chunks count as their documents ({source_of(settings.group_by) or 'mapping'}): each document is where "
            "its best chunk is, and has the best grade of its chunks."
        )
    if settings.alternatives is not None:
        yield (
            f"Alternatives count once ({source_of(settings.alternatives) or 'mapping'}): the first of them counts, "
            "under one id, and the others are removed."
        )
    if settings.unjudged_grade is not None:
        yield f"Unjudged documents that were retrieved count as judged, with grade {settings.unjudged_grade:g}."
    if settings.depth is not None:
        yield f"Only the top {settings.depth} documents are evaluated."
    if explanation.judged_only:
        yield "Unjudged documents are removed before scoring; `in run` is the rank before that."


def _in_a_mean(explanation: Explanation) -> str:
    if explanation.measure.definition.undefined == "skip":
        return "A mean leaves the query out; with undefined=zero it counts as 0."
    return "In a mean it counts as 0; with undefined=skip the query is left out."


def _ranking(explanation: Explanation, limit: int | None, width: int, places: int) -> Table:
    lines = _shown(explanation, limit)
    cells = [_gap(line) if isinstance(line, Gap) else _place(line, places) for line in lines]
    names = ["rank", "in run", "document", "chunk", "grade", "relevant", "recall", "precision"]
    named = dict(zip(names, map(list, zip(*cells, strict=True)), strict=True))
    if not any(named["chunk"]):
        del named["chunk"]
    if not explanation.judged_only:
        del named["in run"]
    return table(named, width)


def _shown(explanation: Explanation, limit: int | None) -> list[Place | Gap[Place]]:
    places = explanation.seen.places
    adding = {term.rank for term in explanation.working.terms if term.value} if explanation.working else set()

    def matters(place: Place) -> bool:
        return place.relevant or place.rank in adding

    if limit is None:
        return list(places)
    if explanation.cutoff is not None:
        end = len(explanation.seen.top(explanation.cutoff))
    elif len(places) <= limit:
        end = len(places)
    else:
        end = max((at for at, place in enumerate(places, 1) if matters(place)), default=FIRST)
    rest = [Gap(places[end:])] if places[end:] else []
    return [*abbreviated(places[:end], matters, limit), *rest]


def _place(place: Place, places: int) -> Sequence[str]:
    return (
        str(place.rank),
        str(place.in_run),
        place.document,
        place.chunk or "",
        grade(place.grade),
        "yes" if place.relevant else "no",
        "-" if place.recall is None else f"{place.recall:z.{places}f}",
        fraction(place.found, place.rank, places),
    )


def _gap(gap: Gap[Place]) -> Sequence[str]:
    relevant = sum(place.relevant for place in gap.items)
    documents = f"… {counted(len(gap.items), 'document')}"
    return ("…", "", documents, "", "", f"{relevant} yes" if relevant else "none", "", "")


def _missed(explanation: Explanation, limit: int | None) -> list[str]:
    missed, grades = explanation.seen.missed, explanation.seen.grades
    if not missed:
        return []
    named = missed if limit is None else missed[:MISSED]
    more = f", and {len(missed) - len(named)} more" if len(missed) > len(named) else ""
    depth = explanation.settings.depth
    where = "never retrieved" if depth is None else f"not among the first {depth}"
    listed = ", ".join(f"{document} ({grade(grades[document])})" for document in named)
    return [f"Relevant (grade), but {where}: {listed}{more}."]


def _curve(explanation: Explanation, width: int, places: int) -> Table:
    """The eleven levels of recall and, where they are not too many, the points that were reached."""
    reached = {place.recall or 0.0: place for place in explanation.seen.places if place.relevant}
    observed = reached if len(reached) <= POINTS else {}
    best = {recall: place.interpolated or 0.0 for recall, place in observed.items()} | explanation.seen.curve
    recalls = sorted(best)
    at = [observed.get(recall) for recall in recalls]
    columns = {
        "recall": [f"{recall:z.{places}f}" for recall in recalls],
        "at rank": ["" if place is None else str(place.rank) for place in at],
        "precision": ["" if place is None else f"{place.precision:z.{places}f}" for place in at],
        "interpolated": [f"{best[recall]:z.{places}f}" for recall in recalls],
        "": ["█" * round(BAR * best[recall]) for recall in recalls],
    }
    # A column that says nothing of any recall is not shown.
    return table({name: cells for name, cells in columns.items() if any(cells)}, width)
