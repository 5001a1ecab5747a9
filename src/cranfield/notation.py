"""A ranking written as a string, for examples and tests.

`"2-1|1"` is one grade per rank, `-` where the document is unjudged, and after `|` the grades of documents
that were judged but not retrieved. `x` is pooled but not judged (a negative grade). Grades of more than one
digit, or with a fraction, are put in parentheses: `"(0.5)(12)0"`.

Where a document has several grades, one for each subtopic or judge, documents are set apart by blanks:
`"10 -- 01|11"` has two subtopics; the first document is relevant to the first of them, the third to the second.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from cranfield.align import JudgedRanking
from cranfield.errors import UsageError
from cranfield.grouped_ranking import GroupedRanking

_PLACE = re.compile(r"\((-?\d+(?:\.\d+)?)\)|(\d)|(x)|(-)")


def ranking(text: str) -> JudgedRanking:
    """The judged ranking that a string stands for.

    >>> ranking("2-1|1").ranks
    array([1., 3.])
    >>> ranking("2-1|1").judged
    array([2., 1., 1.])
    """
    retrieved, _, missed = text.partition("|")
    places = _grades(retrieved, text)
    ranks = [rank for rank, grade in enumerate(places, 1) if grade is not None]
    grades = [grade for grade in places if grade is not None]
    judged = sorted(grades + [grade for grade in _grades(missed, text) if grade is not None], reverse=True)
    return JudgedRanking(
        ranks=np.array(ranks, dtype=np.float64),
        grades=np.array(grades, dtype=np.float64),
        retrieved=np.float64(len(places)),  # type: ignore[arg-type]  # a scalar is an array of no axes
        judged=np.array(judged, dtype=np.float64),
        max_grade=max(judged, default=0.0),
    )


def grouped(text: str, owners: Sequence[int] | None = None) -> GroupedRanking:
    """The judged ranking with several grades for each document that a string stands for.

    `owners` says which judge each column of grades belongs to, if not each to one of its own.

    >>> grouped("10 -- 01|11").grades
    array([[1., 0., 1.],
           [0., 1., 1.]])
    """
    retrieved, _, missed = text.partition("|")
    places = [_grades(document, text) for document in retrieved.split()]
    judged = [(float(rank), grades) for rank, grades in enumerate(places, 1) if set(grades) != {None}]
    judged += [(np.inf, _grades(document, text)) for document in missed.split()]
    groups = len(judged[0][1]) if judged else 0
    if any(len(grades) != groups for _, grades in judged):
        raise UsageError(f"{text!r} is not a ranking: each document has a grade, or '-', for each group.")
    if owners is not None and len(owners) != groups:
        judges = "1 judge" if len(owners) == 1 else f"{len(owners)} judges"
        raise UsageError(f"owners names {judges} for {groups} groups.")
    columns = [[-np.inf if grade is None else grade for grade in grades] for _, grades in judged]
    return GroupedRanking(
        ranks=np.array([rank for rank, _ in judged], dtype=np.float64),
        grades=np.array(columns, dtype=np.float64).reshape(len(judged), groups).T,
        retrieved=np.float64(len(places)),  # type: ignore[arg-type]  # a scalar is an array of no axes
        places=np.arange(len(judged), dtype=np.float64),
        owners=np.array(range(groups) if owners is None else owners, dtype=np.int64),
        max_grade=max((grade for column in columns for grade in column), default=0.0),
    )


def documents(text: str) -> tuple[dict[str, float], list[str]]:
    """Grades by document, and the documents best first, that a string stands for: d1, d2, …, and missed m1, m2, ….

    >>> documents("1-0|2")
    ({'d1': 1.0, 'd3': 0.0, 'm1': 2.0}, ['d1', 'd2', 'd3'])
    """
    retrieved, _, missed = text.partition("|")
    ranked = {f"d{rank}": grade for rank, grade in enumerate(_grades(retrieved, text), 1)}
    others = {f"m{at}": grade for at, grade in enumerate(_grades(missed, text), 1)}
    return {name: grade for name, grade in {**ranked, **others}.items() if grade is not None}, list(ranked)


def _grades(part: str, whole: str) -> list[float | None]:
    end, grades = 0, list[float | None]()
    for place in _PLACE.finditer(part):
        if place.start() != end:
            break
        end = place.end()
        number = place[1] or place[2]
        grades.append(float(number) if number else -1.0 if place[3] else None)
    if end != len(part):
        raise UsageError(
            f"{whole!r} is not a ranking: {part[end:]!r} was found where a digit, -, x or (grade) belongs.\n"
            "Write one grade per rank, '-' for unjudged, and after '|' what was never retrieved: '2-1|1'."
        )
    return grades
