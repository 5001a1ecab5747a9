"""Everything a user can meet: what was found, where, what was expected, what to do.

Each kind of problem has one function that words it, in the module of what it is about: `errors.clicks`, `errors.rows`.
Readers, `align` and `check` call these functions and collect the findings; whatever would silently change a score is an
error and stops the work, whatever is only surprising is a warning and is repeated in the output.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from cranfield.errors.findings import (
    SHOWN,
    CranfieldError,
    DataError,
    Finding,
    Findings,
    Severity,
    UsageError,
    did_you_mean,
)

if TYPE_CHECKING:
    from cranfield.errors import (
        assessing,
        chunks,
        clicks,
        collections,
        conversion,
        correcting,
        coverage,
        delimited_text,
        document_texts,
        figures,
        files,
        fusing,
        gate,
        ids,
        judging_projects,
        judging_store,
        kernels,
        labels,
        model_judging,
        packages,
        pooling,
        queries,
        query_records,
        ranks,
        recommendation,
        remote,
        results,
        retrieving,
        rows,
        search_responses,
        spark,
        typed_rankings,
    )

__all__ = [
    "SHOWN",
    "CranfieldError",
    "DataError",
    "Finding",
    "Findings",
    "Severity",
    "UsageError",
    "assessing",
    "chunks",
    "clicks",
    "collections",
    "conversion",
    "correcting",
    "coverage",
    "delimited_text",
    "did_you_mean",
    "document_texts",
    "figures",
    "files",
    "fusing",
    "gate",
    "ids",
    "judging_projects",
    "judging_store",
    "kernels",
    "labels",
    "model_judging",
    "packages",
    "pooling",
    "queries",
    "query_records",
    "ranks",
    "recommendation",
    "remote",
    "results",
    "retrieving",
    "rows",
    "search_responses",
    "spark",
    "typed_rankings",
]


def __getattr__(name: str) -> ModuleType:
    """A module of wordings, loaded when something has to be said about what it is about."""
    if name not in __all__:
        raise AttributeError(f"module 'cranfield.errors' has no attribute {name!r}")
    return import_module(f"cranfield.errors.{name}")
