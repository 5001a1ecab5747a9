"""Names of judges: two spellings that look alike are one person."""

from __future__ import annotations

import unicodedata

from cranfield import errors

LONGEST = 100


def judge_name(name: str) -> str:
    """A name as it is kept: blanks at its ends do not count, and none is twice.

    >>> judge_name(" Ada  Lovelace ")
    'Ada Lovelace'
    """
    clean = " ".join(unicodedata.normalize("NFC", name).split())
    if not clean or len(clean) > LONGEST or not all(sign.isprintable() for sign in clean):
        raise errors.assessing.wrong_name(name, LONGEST)
    return clean


def folded_name(name: str) -> str:
    """What is compared to tell whether two names are one judge's.

    >>> folded_name("ADA ") == folded_name("Ada")
    True
    """
    return unicodedata.normalize("NFC", " ".join(name.split())).casefold()
