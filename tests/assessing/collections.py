"""Small collections and the garden as items to judge."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import cranfield
from cranfield.assessing.contents import contents_of, judged_from_runs
from cranfield.assessing.items import Items
from cranfield.data.judgments import Judgments
from cranfield.formats import read_judgments, read_runs

GARDEN = Path(cranfield.__file__).parent / "demo" / "collection"


def items_of(runs: object, depth: int = 10, known: Judgments | None = None) -> Items:
    """The pool of some runs; documents that are graded already are nobody's to judge."""
    return contents_of(judged_from_runs(read_runs(runs), depth, judgments=known))[0].items


def name_of(items: Items, item: int) -> tuple[str, str]:
    """The query and the document of an item."""
    return items.queries[items.query_of(item)], items.documents[int(items.of_document[item - 1])]


def grades_of(items: Items, judgments: Mapping[str, Mapping[str, float]]) -> list[float]:
    """What a judge who knows the judgments would say of each item; 0 where these have none."""
    names = (name_of(items, item) for item in range(1, len(items) + 1))
    return [judgments[query].get(document, 0.0) if query in judgments else 0.0 for query, document in names]


@cache
def garden(*names: str, depth: int = 10) -> tuple[Items, list[float]]:
    """Runs of the collection that comes with the package, the first being the baseline, and their true grades."""
    items = items_of([str(GARDEN / f"{name}.run") for name in names], depth)
    return items, grades_of(items, read_judgments(str(GARDEN / "qrels.txt")))
