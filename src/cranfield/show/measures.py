"""What measures are called in results: as the user spelt them, with our own names where these differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cranfield.measures import Measure


def legend(measures: Iterable[Measure]) -> Iterator[str]:
    """A note on measures that are called as the user spelt them; none where all have our own names.

    >>> from cranfield.measures.names import parse_all
    >>> list(legend(parse_all("hit_rate@5 MRR@10 AP")))
    ['hit_rate@5 is Success@5; MRR@10 is RR@10.']
    >>> list(legend(parse_all("MRR RR recip_rank nDCG")))
    ['MRR is RR.', 'RR and recip_rank are the same measure as MRR.']
    """
    named = list(dict.fromkeys(measures))
    if other_names := [f"{measure} is {measure.canonical}" for measure in named if str(measure) != measure.canonical]:
        yield f"{'; '.join(other_names)}."
    for measure in named:
        if measure.also:
            *first, last = measure.also
            names, verb = (f"{', '.join(first)} and {last}", "are") if first else (last, "is")
            yield f"{names} {verb} the same measure as {measure}."


def name_dict(measure: Measure) -> dict[str, str]:
    """The names of a measure as JSON has them: as the user spelt it, and our own."""
    return {"measure": str(measure), "canonical": measure.canonical}


def canonical_column(labels: Sequence[Any], measures: Iterable[Measure]) -> dict[str, list[Any]]:
    """A last column for rows that have these labels: our own names, where a measure was spelt differently.

    >>> from cranfield.measures.names import parse_all
    >>> canonical_column(["MRR", "AP"], parse_all("MRR AP")), canonical_column(["AP"], parse_all("AP"))
    ({'canonical': ['RR', 'AP']}, {})
    """
    names = {str(measure): measure.canonical for measure in measures}
    return {} if all(label == name for label, name in names.items()) else {"canonical": [names[one] for one in labels]}
