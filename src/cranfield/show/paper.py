"""A table for a paper: a row per run, a column per measure, marks of significance, the best means set off."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import UsageError
from cranfield.phrases import shown
from cranfield.show.digits import Digits, percent_note
from cranfield.show.measures import legend
from cranfield.show.table import literal, tex

if TYPE_CHECKING:
    from cranfield.measures import Measure

_UNSAFE = re.compile(r"[\\{}%#~^$&,\s]")
_SIGNS = {"†": r"$\dagger$", "‡": r"$\ddagger$", "*": r"$\ast$", "α": r"$\alpha$", "×": r"$\times$", "–": "--"}


class PaperCell(NamedTuple):
    """A mean as a paper shows it."""

    number: str
    """Its digits; empty where it is undefined."""
    place: int = 0
    """1 for the best of its column, 2 for the second."""
    above: str = ""
    """Marks that stand above the line."""
    below: str = ""
    """Marks that stand below it."""


@dataclass(frozen=True)
class PaperTable:
    """A table for a paper, as LaTeX with booktabs and as Markdown; both say the same."""

    runs: tuple[str, ...]
    columns: Mapping[str, Sequence[PaperCell]]
    """The means by measure, as many as there are runs."""
    caption: str
    """Plain text; † ‡ α × and * may stand in it."""
    label: str = "tab:results"
    """What LaTeX refers to it by."""
    letters: tuple[str, ...] = ()
    """What each run is marked by in other rows; nothing where no mark names a run."""

    def __post_init__(self) -> None:
        if not self.label or _UNSAFE.search(self.label) or not self.label.isprintable():
            raise UsageError(
                "label must be a name that LaTeX can refer to, such as tab:results, without blanks, commas and signs "
                f"like % or {{, not {shown(self.label)}."
            )

    def latex(self) -> str:
        """As LaTeX; needs the package booktabs."""
        names = [*([""] if self.letters else []), "run", *map(tex, self.columns)]
        lines = [
            " & ".join([*([self.letters[at]] if self.letters else []), tex(run), *cells]) + r" \\"
            for at, (run, cells) in enumerate(zip(self.runs, self._latex_cells(), strict=True))
        ]
        return "\n".join(
            [
                r"\begin{table}[t]",
                r"\centering",
                rf"\caption{{{_tex(self.caption)}}}",
                rf"\label{{{self.label}}}",
                rf"\begin{{tabular}}{{{'l' * len(names)}}}",
                r"\toprule",
                " & ".join(names) + r" \\",
                r"\midrule",
                *lines,
                r"\bottomrule",
                r"\end{tabular}",
                r"\end{table}",
                "",
            ]
        )

    def markdown(self) -> str:
        """As Markdown, the caption above the table."""
        head = [*([""] if self.letters else []), "run", *map(literal, self.columns)]
        rows = [
            [
                *([self.letters[at]] if self.letters else []),
                literal(run),
                *(_markdown(cells[at]) for cells in self.columns.values()),
            ]
            for at, run in enumerate(self.runs)
        ]
        lines = [head, ["---"] * len(head), *rows]
        return f"{literal(self.caption)}\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)

    def __str__(self) -> str:
        return self.markdown()

    def _latex_cells(self) -> list[list[str]]:
        """The cells of every row; numbers of a column have their decimal points below each other."""
        columns = []
        for cells in self.columns.values():
            before = max((len(cell.number.partition(".")[0].lstrip("-")) for cell in cells), default=0)
            is_signed = any(cell.number.startswith("-") for cell in cells)
            columns.append([_latex(cell, before, is_signed) for cell in cells])
        return [list(row) for row in zip(*columns, strict=True)]


def places_by_number(numbers: Sequence[str], *, lower_is_better: bool) -> list[int]:
    """1 for the best of a column and 2 for the second best, as they are shown; of two runs only the best counts.

    >>> places_by_number(["0.50", "0.61", "", "0.61", "0.40"], lower_is_better=False)
    [2, 1, 0, 1, 0]
    """
    values = sorted({float(number) for number in numbers if number}, reverse=not lower_is_better)
    ranked = values[: 2 if len(numbers) > 2 else 1] if len(values) > 1 else []
    return [ranked.index(float(number)) + 1 if number and float(number) in ranked else 0 for number in numbers]


def as_sentence(caption: str) -> str:
    """A caption that others can follow."""
    return caption if caption.endswith((".", "!", "?", ":")) else f"{caption}."


def paper_caption(measures: Sequence[Measure], runs: int, digits: Digits) -> Iterator[str]:
    """What every caption ends with: what is bold, how scores are shown, and what measures are called."""
    if runs > 1:
        yield "The best mean is bold, the second best underlined." if runs > 2 else "The best mean is bold."
    yield from percent_note(digits, measures)
    if lower := [str(measure) for measure in measures if measure.definition.lower_is_better]:
        yield f"{', '.join(lower)}: lower is better."
    yield from legend(measures)


def _latex(cell: PaperCell, before: int, is_signed: bool) -> str:
    sign, digits = ("$-$", cell.number[1:]) if cell.number.startswith("-") else ("", cell.number)
    padding = "0" * (before - len(digits.partition(".")[0])) if digits else ""
    minus = r"\phantom{$-$}" if is_signed and digits and not sign else ""
    number = sign + digits
    styled = {1: rf"\textbf{{{number}}}", 2: rf"\underline{{{number}}}"}.get(cell.place, number)
    above = rf"\textsuperscript{{{_tex(cell.above)}}}" if cell.above else ""
    below = rf"\textsubscript{{{_tex(cell.below)}}}" if cell.below else ""
    return (rf"\phantom{{{padding}}}" if padding else "") + minus + styled + above + below


def _markdown(cell: PaperCell) -> str:
    styled = {1: f"**{cell.number}**", 2: f"<ins>{cell.number}</ins>"}.get(cell.place, cell.number)
    above = cell.above if cell.above in ("†", "‡") else f"<sup>{literal(cell.above)}</sup>" if cell.above else ""
    return styled + above + (f"<sub>{literal(cell.below)}</sub>" if cell.below else "")


def _tex(text: str) -> str:
    """Plain text in LaTeX, with the signs that stand in captions and marks."""
    shown = tex(text)
    for sign, command in _SIGNS.items():
        shown = shown.replace(sign, command)
    return shown
