"""Whether a conclusion holds when settings are changed, in words and as a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from cranfield.phrases import counted, listed
from cranfield.show.digits import Digits
from cranfield.show.table import Cell, Estimate, PValue, Table

if TYPE_CHECKING:
    from cranfield.comparing.sensitivity import PairSensitivity, Sensitivity, Variation

MOST_PAIRS = 3
"""Of more pairs than this, the verdict says only how many hold."""


def verdict(sensitivity: Sensitivity) -> str:
    """Whether conclusions hold, in a few sentences for each pair."""
    pairs = sensitivity.pairs
    if len(pairs) <= MOST_PAIRS:
        return " ".join(sentence for pair in pairs for sentence in sentences(pair))
    steady = [f"{pair.run} and {pair.baseline}" for pair in pairs if not _unsteady(pair)]
    reversed_ = [
        f"{pair.run} and {pair.baseline}" for pair in pairs if any(one.changes_winner for one in _varied(pair))
    ]
    measure = pairs[0].usual.difference.measure
    holding = f"{measure}: {len(steady)} of {len(pairs)} conclusions hold in every variation"
    return f"{holding}{f' ({listed(steady)})' if steady else ''}. Pairs whose order some variation reverses: " + (
        f"{len(reversed_)} ({listed(reversed_)})." if reversed_ else "none."
    )


def sentences(pair: PairSensitivity) -> Iterator[str]:
    """Whether the conclusion about one run and its baseline holds."""
    usual, varied, unsteady = pair.usual, _varied(pair), _unsteady(pair)
    claim = {
        "better": f"{pair.run} is better than {pair.baseline}",
        "worse": f"{pair.run} is worse than {pair.baseline}",
        "none": f"no significant difference between {pair.run} and {pair.baseline}",
    }[usual.verdict]
    yield f"{usual.difference.measure}: {claim}."
    if not varied:
        yield "No setting could be varied."
        return
    if not unsteady:
        yield f"This holds in all {counted(len(varied), 'variation')}."
    else:
        steady = f"{len(varied) - len(unsteady)} of {len(varied)}"
        yield f"This holds in {steady} variations; exceptions: {_named(unsteady)}."
    reversing = [variation for variation in varied if variation.changes_winner]
    if usual.ahead:
        other = pair.baseline if usual.ahead == pair.run else pair.run
        yield f"{other} is ahead with {_named(reversing)}." if reversing else f"{usual.ahead} is ahead in all of them."
    yield from _queries(pair)


def _queries(pair: PairSensitivity) -> Iterator[str]:
    influence = pair.influence
    if influence is None or not pair.usual.ahead:
        return
    if influence.to_level is None:
        yield f"No removal of queries takes the lead from {pair.usual.ahead}."
        return
    doubt = f"; removing {influence.to_doubt} would make the difference non-significant" if influence.to_doubt else ""
    of = f"{influence.to_level} of {counted(influence.queries, 'query')}"
    yield f"Removing {of} would take the lead from {pair.usual.ahead}{doubt}."


def _varied(pair: PairSensitivity) -> tuple[Variation, ...]:
    """Variations that test the conclusion; queries removed on purpose until it falls do not."""
    return tuple(
        variation
        for variation in pair.variations[1:]
        if variation.kind != "queries" or pair.influence is None or variation.name == f"without {pair.influence.query}"
    )


def _unsteady(pair: PairSensitivity) -> list[Variation]:
    return [variation for variation in _varied(pair) if variation.changes_verdict]


def _named(variations: list[Variation]) -> str:
    return listed([variation.name for variation in variations], 6)


def table(sensitivity: Sensitivity) -> Table:
    """A row for every variation."""
    rows = [(pair, variation) for pair in sensitivity.pairs for variation in pair.variations]
    several = len(sensitivity.pairs) > 1
    columns: dict[str, list[Cell]] = {}
    if several:
        columns = {"run": [pair.run for pair, _ in rows], "baseline": [pair.baseline for pair, _ in rows]}
    columns |= {
        "varied": [variation.kind for _, variation in rows],
        "variation": [variation.name for _, variation in rows],
        "difference": [_estimate(variation, sensitivity.comparison.digits) for _, variation in rows],
        "p": [PValue(variation.difference.adjusted) for _, variation in rows],
        "ahead": [variation.ahead for _, variation in rows],
        "changed": [_changed(variation) for _, variation in rows],
    }
    return Table(columns, notes=tuple(_notes(sensitivity)), optional=("varied", "ahead"), elastic="variation")


def _estimate(variation: Variation, digits: Digits) -> Estimate:
    one = variation.difference
    # Logarithms and standardised scores are no shares.
    shown = digits if variation.kind != "scale" else replace(digits, percent=False)
    return shown.estimate(one.measure, one.difference, one.low, one.high)


def _changed(variation: Variation) -> str:
    changes = [("verdict", variation.changes_verdict), ("winner", variation.changes_winner)]
    return ", ".join(name for name, is_changed in changes if is_changed)


def rows(sensitivity: Sensitivity) -> Table:
    """The same with everything that is known, for programs."""
    variations = [variation for pair in sensitivity.pairs for variation in pair.variations]
    names = ("run", "baseline", "mean", "baseline_mean", "difference", "low", "high")
    return Table(
        {
            "varied": [variation.kind for variation in variations],
            "variation": [variation.name for variation in variations],
            "measure": [str(variation.difference.measure) for variation in variations],
            **{name: [getattr(variation.difference, name) for variation in variations] for name in names},
            "p": [PValue(variation.difference.p) for variation in variations],
            "adjusted": [PValue(variation.difference.adjusted) for variation in variations],
            "queries": [variation.difference.queries for variation in variations],
            "verdict": [variation.verdict for variation in variations],
            "ahead": [variation.ahead for variation in variations],
            "changed": [_changed(variation) for variation in variations],
            "reason": [variation.difference.reason for variation in variations],
        }
    )


def _notes(sensitivity: Sensitivity) -> Iterator[str]:
    if len(sensitivity.pairs) == 1:
        pair = sensitivity.pairs[0]
        yield f"{pair.run} compared with {pair.baseline}, each difference by its own measure."
    yield from sensitivity.notes
    yield (
        "changed: another verdict (better, worse or not significant) or another winner (the run ahead) than in the "
        "first row."
    )
