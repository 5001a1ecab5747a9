"""What becomes of a conclusion when choices are made otherwise, in words and as a table."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.comparing.sensitivity import OfPair, Sensitivity, Variation
from cranfield.comparing.words import listed
from cranfield.show.table import Cell, Estimate, PValue, Table

MOST_PAIRS = 3
"""Of more pairs than this, the verdict says only how many hold."""


def verdict(found: Sensitivity) -> str:
    """What there is to say, in a few sentences for each pair."""
    if len(found.pairs) <= MOST_PAIRS:
        return " ".join(sentence for pair in found.pairs for sentence in sentences(pair))
    steady = [f"{pair.run} and {pair.baseline}" for pair in found.pairs if not _unsteady(pair)]
    turned = [f"{pair.run} and {pair.baseline}" for pair in found.pairs if any(v.changes_winner for v in _varied(pair))]
    measure = found.pairs[0].usual.difference.measure
    every = f"Of {len(found.pairs)} conclusions by {measure}, {len(steady)} hold in every variation"
    return f"{every}{f': {listed(steady)}' if steady else ''}. In some variation the other run is ahead: " + (
        f"{len(turned)} pairs ({listed(turned)})." if turned else "none."
    )


def sentences(pair: OfPair) -> Iterator[str]:
    """What there is to say of one run and its baseline."""
    usual, varied, unsteady = pair.usual, _varied(pair), _unsteady(pair)
    measure = usual.difference.measure
    claim = {
        "better": f"That {pair.run} is better than {pair.baseline} by {measure}",
        "worse": f"That {pair.run} is worse than {pair.baseline} by {measure}",
        "none": f"That no difference between {pair.run} and {pair.baseline} can be shown by {measure}",
    }[usual.verdict]
    if not varied:
        yield f"{claim} could not be varied."
        return
    if not unsteady:
        yield f"{claim} holds in all {len(varied)} variations."
    else:
        held = f"{len(varied) - len(unsteady)} of {len(varied)}"
        yield f"{claim} holds in {held} variations; not with {_named(unsteady)}."
    turned = [variation for variation in varied if variation.changes_winner]
    if usual.ahead:
        other = pair.baseline if usual.ahead == pair.run else pair.run
        yield f"{other} is ahead with {_named(turned)}." if turned else f"{usual.ahead} is ahead in all of them."
    yield from _queries(pair)


def _queries(pair: OfPair) -> Iterator[str]:
    influence = pair.influence
    if influence is None or not pair.usual.ahead:
        return
    ahead = pair.usual.ahead
    of = f"{influence.queries:,} queries"
    if influence.to_level is None:
        yield f"Whichever of the {of} are left out, {ahead} does not fall behind."
        return
    doubt = f"; {influence.to_doubt} for the difference to be in doubt" if influence.to_doubt else ""
    yield f"At least {influence.to_level} of {of} would have to go for {ahead} to be ahead no longer{doubt}."


def _varied(pair: OfPair) -> tuple[Variation, ...]:
    """Variations that test the conclusion; queries left out on purpose until it falls do not."""
    return tuple(
        variation
        for variation in pair.variations[1:]
        if variation.kind != "queries" or pair.influence is None or variation.name == f"without {pair.influence.query}"
    )


def _unsteady(pair: OfPair) -> list[Variation]:
    return [variation for variation in _varied(pair) if variation.changes_verdict]


def _named(variations: list[Variation]) -> str:
    return listed([variation.name for variation in variations], 6)


def table(found: Sensitivity) -> Table:
    """A row for every variation."""
    rows = [(pair, variation) for pair in found.pairs for variation in pair.variations]
    several = len(found.pairs) > 1
    columns: dict[str, list[Cell]] = {}
    if several:
        columns = {"run": [pair.run for pair, _ in rows], "baseline": [pair.baseline for pair, _ in rows]}
    columns |= {
        "varied": [variation.kind for _, variation in rows],
        "variation": [variation.name for _, variation in rows],
        "difference": [_estimate(variation) for _, variation in rows],
        "p": [PValue(variation.difference.adjusted) for _, variation in rows],
        "ahead": [variation.ahead for _, variation in rows],
        "changed": [_changed(variation) for _, variation in rows],
    }
    return Table(columns, notes=tuple(_notes(found)), optional=("varied", "ahead"), elastic="variation")


def _estimate(variation: Variation) -> Estimate:
    one = variation.difference
    return Estimate(one.difference, one.low, one.high)


def _changed(variation: Variation) -> str:
    said = [("verdict", variation.changes_verdict), ("winner", variation.changes_winner)]
    return ", ".join(name for name, changes in said if changes)


def long_table(found: Sensitivity) -> Table:
    """The same with everything that is known, for programs."""
    rows = [variation for pair in found.pairs for variation in pair.variations]
    names = ("run", "baseline", "mean", "baseline_mean", "difference", "low", "high")
    return Table(
        {
            "varied": [variation.kind for variation in rows],
            "variation": [variation.name for variation in rows],
            "measure": [str(variation.difference.measure) for variation in rows],
            **{name: [getattr(variation.difference, name) for variation in rows] for name in names},
            "p": [PValue(variation.difference.p) for variation in rows],
            "adjusted": [PValue(variation.difference.adjusted) for variation in rows],
            "queries": [variation.difference.queries for variation in rows],
            "verdict": [variation.verdict for variation in rows],
            "ahead": [variation.ahead for variation in rows],
            "changed": [_changed(variation) for variation in rows],
            "reason": [variation.difference.reason for variation in rows],
        }
    )


def _notes(found: Sensitivity) -> Iterator[str]:
    if len(found.pairs) == 1:
        yield f"{found.pairs[0].run} beside {found.pairs[0].baseline}, each difference by its own measure."
    yield from found.notes
    yield (
        "changed: another verdict (better, worse, or no difference that can be shown) or another winner (which is "
        "ahead) than in the first row."
    )
