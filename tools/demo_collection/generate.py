"""Makes the demo collection: `python -m tools.demo_collection.generate [DIRECTORY]`.

The same seed gives the same files, byte for byte, on every machine.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tools.demo_collection.chance import Chance
from tools.demo_collection.pages import Page, pages
from tools.demo_collection.questions import Query, queries
from tools.demo_collection.rankers import DIGITS, Ranking, runs
from tools.demo_collection.readme import readme
from tools.demo_collection.relevance import labels, merged, pool
from tools.demo_collection.topics import topics
from tools.demo_collection.visits import visits

SEED = 1962
"""The year of the report on the first Cranfield tests."""

COLLECTION = Path(__file__).parents[2] / "src" / "cranfield" / "demo" / "collection"


def main(arguments: Sequence[str]) -> None:
    """Write the collection into the directory given, or to where the package keeps it."""
    directory = Path(arguments[0]) if arguments else COLLECTION
    for path in generate(directory):
        print(f"{path.stat().st_size:>8,} {path}")


def generate(directory: Path) -> list[Path]:
    """Write all files of the collection into a directory; their paths."""
    directory.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in files().items():
        path = directory / name
        path.write_bytes(text.encode())
        written.append(path)
    return written


def files() -> dict[str, str]:
    """Every file of the collection by name."""
    garden = topics()
    asked = queries(garden)
    documents = pages(garden, Chance(SEED, "pages"))
    ranked = runs(asked, documents, garden, Chance(SEED, "dense"))
    given = labels(pool(ranked, Chance(SEED, "pool")), asked, documents, Chance(SEED, "judges"))
    shown = visits(ranked["bm25"], asked, documents, Chance(SEED, "clicks"))
    contents = {
        "queries.tsv": _queries(asked),
        "documents.jsonl": _documents(documents),
        "labels.csv": _table(("query", "document", "judge", "grade"), given, ","),
        "qrels.txt": "".join(f"{query} 0 {document} {grade}\n" for (query, document), grade in merged(given).items()),
        **{f"{name}.run": _run(name, rankings) for name, rankings in ranked.items()},
        "clicks.csv": _table(("session", "query", "position", "document", "clicked"), shown, ","),
    }
    return {"README.md": readme(contents), **contents}


def _queries(asked: Iterable[Query]) -> str:
    return _table(("query_id", "text", "intent"), ((q.query_id, q.text, q.intent) for q in asked), "\t")


def _documents(written: Iterable[Page]) -> str:
    rows = ({"doc_id": page.doc_id, "title": page.title, "text": page.text} for page in written)
    return "".join(json.dumps(row) + "\n" for row in rows)


def _run(name: str, rankings: dict[str, Ranking]) -> str:
    return "".join(
        f"{query} Q0 {document} {rank} {score:z.{DIGITS}f} {name}\n"
        for query, ranking in rankings.items()
        for rank, (document, score) in enumerate(ranking.items(), start=1)
    )


def _table(header: Sequence[str], rows: Iterable[Sequence[object]], separator: str) -> str:
    return "".join(separator.join(map(str, row)) + "\n" for row in (header, *rows))


if __name__ == "__main__":
    main(sys.argv[1:])
