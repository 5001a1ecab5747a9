"""Rankings that were typed and cannot be read, with the place in the text."""

from __future__ import annotations

from cranfield.errors.findings import UsageError
from cranfield.phrases import MARKED_WIDTH, marked, option, short, shown

NOTATION = (
    "Write one grade per rank, such as '1 0 1', 'Y N Y', '+ - +' or '[3, 0, 1]'; - or ? for an unjudged document; and "
    "after | what was never retrieved: '1 0 1|1 1', or '1 0 1|+12' for 12 relevant documents."
)


def misread(text: str, start: int, end: int, found: str, advice: str = NOTATION) -> UsageError:
    """A sign that is no grade, or that could mean two things: what it is, and where."""
    return UsageError(f"{_quoted(text)} cannot be read as a ranking: {found}\n{marked(text, start, end)}\n{advice}")


def not_a_grade(text: str, at: int) -> UsageError:
    """A sign in the text that is no grade."""
    return misread(text, at, at + 1, f"{text[at]!r} at position {at + 1} is not a grade.")


def ambiguous_digits(text: str, start: int, end: int) -> UsageError:
    """Several signs between blanks: one grade, or several?"""
    token = text[start:end]
    found = f"{short(repr(token), MARKED_WIDTH)} at position {start + 1} could be one document or {len(token)}."
    advice = (
        f"For one document write ({token}), or the ranking as a list: [12, 0, 3]. For several, put blanks between all."
    )
    return misread(text, start, end, found, advice)


def ambiguous_count(text: str, start: int, end: int) -> UsageError:
    """Digits after the bar: a number of documents, or their grades?"""
    digits, number = text[start:end], short(text[start:end], 10)
    found = f"{short(repr(digits), MARKED_WIDTH)} after | could be a number of documents or their grades."
    advice = (
        f"For {number} relevant documents that were not retrieved write |+{number}; for documents of these grades "
        f"write |{short(' '.join(digits), 20)}. How many are relevant in all is {option('relevant', number)}."
    )
    return misread(text, start, end, found, advice)


def mixed_signs(text: str, start: int, end: int, sign: str, before: str) -> UsageError:
    """Two ways of writing grades in one ranking."""
    found = f"{sign!r} at position {start + 1} and {before!r} before it are two ways of writing grades."
    return misread(text, start, end, found, "Write all grades in one way: '1 0 1', 'Y N Y' or '+ - +'.")


def missing_grade(text: str, start: int, end: int) -> UsageError:
    """Two commas with nothing between them."""
    return misread(text, start, end, "there is nothing between two commas.", "Write - or ? for an unjudged document.")


def too_large(text: str, start: int, end: int, largest: str) -> UsageError:
    """A grade or a number of documents beyond all bounds."""
    found = f"the number at position {start + 1} is too large."
    return misread(text, start, end, found, f"It must be at most {largest}.")


def not_grades(value: object, at: int | None = None) -> UsageError:
    """Something in Python that is no ranking."""
    where = "" if at is None else f" at position {at}"
    return UsageError(
        f"{shown(value)}{where} was found where a ranking belongs.\n"
        'A ranking is a text such as "1 0 1 1", or a list of grades such as [1, 0, 1, 1], with None for an unjudged '
        "document."
    )


def fewer_relevant(text: str, relevant: int, known: int, rel: float) -> UsageError:
    """More relevant documents are typed than there are said to be."""
    return UsageError(
        f"{_quoted(text)} has {known} relevant {'document' if known == 1 else 'documents'} (grade {rel:g} or more), "
        f"so {option('relevant', str(relevant))} is too few.\n"
        "It is the number of all relevant documents, retrieved or not."
    )


def several_counts(counts: int, rankings: int) -> UsageError:
    """Neither one number of relevant documents nor one for each ranking."""
    of = "1 ranking" if rankings == 1 else f"{rankings} rankings"
    return UsageError(f"{option('relevant')} has {counts} numbers for {of}; give one, or one for each.")


def _quoted(text: str) -> str:
    return short(repr(text), MARKED_WIDTH)
