"""Runs, read as trec_eval reads them."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from cranfield.arrays import Floats
from cranfield.compat.trec_eval.c_numbers import atof, is_real
from cranfield.compat.trec_eval.files import FileRows, Shape, opened, rows_of, texts, texts_alike
from cranfield.compat.trec_eval.outcome import Exit, TrecEvalError, shown
from cranfield.compat.trec_eval.versions import Version
from cranfield.formats.source import Source
from cranfield.formats.tokens import scores as plain_scores

RUN = Shape(("query", "Q0", "document", "rank", "score", "tag"), "a run has", is_lenient=True)


@dataclass
class ReadRun:
    """The rankings of judged queries, and what reading them met."""

    name: str = ""
    documents: dict[str, list[str]] = field(default_factory=dict)
    scores: dict[str, list[Floats]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def read_run(path: str, judged: Container[str], version: Version) -> ReadRun:
    """The rankings of judged queries; a score counts as far as it is a number."""
    source = opened(path)
    read = ReadRun()
    for rows in rows_of(source, RUN, version):
        queries, _, documents, _, tokens, tags = rows.columns
        read.name = tags[-1].decode("latin-1")
        scores = _scores(source, rows, tokens, read.notes)
        names, start = texts(documents), 0
        for query, same in groupby(texts_alike(queries)):
            end = start + len(list(same))
            if query in judged:
                read.documents.setdefault(query, []).extend(names[start:end])
                read.scores.setdefault(query, []).append(scores[start:end])
            start = end
    if not read.name:
        raise TrecEvalError(Exit.INPUT, f"{source.path}: no results found: the file holds only blank lines or comments")
    return read


def _scores(source: Source, rows: FileRows, tokens: list[bytes], notes: list[str]) -> Floats:
    try:
        return plain_scores(tokens)
    except ValueError:
        found = [token.decode("latin-1") for token in tokens]
    scores = np.array([atof(text) for text in found])
    for at in np.flatnonzero(np.isnan(scores)).tolist():
        raise TrecEvalError(
            Exit.INPUT,
            f"{source.path}, line {rows.numbers[at]}: the score is '{shown(found[at])}', which cannot be ranked; "
            "correct or remove the line",
        )
    odd = [at for at, text in enumerate(found) if not is_real(text)]
    if odd and not notes:
        notes.append(
            f"{source.path}, line {rows.numbers[odd[0]]}: the score '{shown(found[odd[0]])}' is no number and counts "
            f"as {scores[odd[0]]:g}, as in trec_eval"
        )
    return scores
