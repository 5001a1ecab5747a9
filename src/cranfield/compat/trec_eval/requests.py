"""The measures that a call asks for."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.compat.trec_eval.arguments import JUDGMENTS_FORMATS, Request
from cranfield.compat.trec_eval.entries import PrintedLine, TrecEvalMeasure
from cranfield.compat.trec_eval.outcome import Exit, TrecEvalError, shown
from cranfield.compat.trec_eval.quirks import Setting
from cranfield.compat.trec_eval.table import NICKNAMES, TABLE
from cranfield.compat.trec_eval.versions import Version
from cranfield.errors import did_you_mean


def lines_of(requests: Sequence[Request], setting: Setting) -> list[PrintedLine]:
    """The lines that are asked for, in the order they are printed."""
    marked = _marked(requests, setting.version)
    return [line for entry in TABLE if entry.name in marked for line in _lines(entry, setting, marked[entry.name])]


def must_go_with(judgments_format: str, lines: Sequence[PrintedLine]) -> None:
    """Stop at a measure that other judgments are needed for."""
    for entry in (line.entry for line in lines):
        if judgments_format not in entry.judgments:
            needed = " or ".join(f"-R {name}" for name in JUDGMENTS_FORMATS if name in entry.judgments)
            raise TrecEvalError(Exit.CALCULATION, f"Can't calculate measure '{entry.name}': it goes with {needed}")


def notes_on(requests: Sequence[Request], version: Version) -> list[str]:
    """Parameters that are given and do nothing."""
    return [
        f"{shown(request.name)} takes no parameters; '{shown(request.parameters)}' does nothing" + _cut(request.name)
        for request in requests
        if request.parameters is not None
        and (request.name in NICKNAMES or _entry(request, version).lines.parameters == "none")
    ]


def entries_of(requests: Sequence[Request], version: Version) -> list[TrecEvalMeasure]:
    """The measures that are asked for."""
    marked = _marked(requests, version)
    return [entry for entry in TABLE if entry.name in marked]


def _lines(entry: TrecEvalMeasure, setting: Setting, texts: Sequence[str]) -> list[PrintedLine]:
    try:
        return [PrintedLine(entry, name, score) for name, score in entry.lines.make(entry.name, setting, texts)]
    except TrecEvalError as error:
        begun = "Cannot initialize" if error.code == Exit.INPUT else "Can't calculate"
        hint = _cut(entry.name) if all(map(_is_cutoffs, texts)) else ""
        raise TrecEvalError(error.code, f"{begun} measure '{entry.name}': {error}{hint}") from None


def _marked(requests: Sequence[Request], version: Version) -> dict[str, list[str]]:
    """Each measure that is asked for, with the texts of its parameters."""
    marked: dict[str, list[str]] = {}
    for request in requests:
        if request.name in NICKNAMES:
            for name in NICKNAMES[request.name]:
                if name not in version.lacks:
                    marked.setdefault(name, [])
        else:
            texts = marked.setdefault(_entry(request, version).name, [])
            if request.parameters is not None and request.parameters not in texts:
                texts.append(request.parameters)
    return marked


def _entry(request: Request, version: Version) -> TrecEvalMeasure:
    for entry in TABLE:
        if entry.name == request.name and entry.name not in version.lacks:
            return entry
    raise TrecEvalError(Exit.USAGE, f"illegal measure '{shown(request.name)}'{_advice(request, version)}")


def _advice(request: Request, version: Version) -> str:
    if request.name in version.lacks:
        return f"; trec_eval {version.number} does not have it"
    base, _, number = request.name.rpartition("_")
    if _is_cutoffs(number) and any(entry.name == base for entry in TABLE):
        return f"; write {base}.{number}"
    known = [entry.name for entry in TABLE if entry.name not in version.lacks]
    return f". {did_you_mean(shown(request.name), [*known, *NICKNAMES])}".rstrip(". ")


def _cut(name: str) -> str:
    """Where cutoffs go that a measure does not take."""
    at_ranks = f"{name}_cut"
    return f"; cutoffs go with {at_ranks}" if any(entry.name == at_ranks for entry in TABLE) else ""


def _is_cutoffs(text: str) -> bool:
    return text.replace(",", "").isdigit()
