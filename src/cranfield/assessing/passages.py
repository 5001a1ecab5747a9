"""Passages that judges mark: pages send the words, projects keep their place in the text."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate

from cranfield import errors
from cranfield.assessing.refusals import UnknownItem, Unsound
from cranfield.assessing.service import Service
from cranfield.assessing.submission import Submission
from cranfield.show.web_text import visible


def placed(service: Service, submission: Submission) -> Submission:
    """The same, where a passage is named by its place in the text of its document instead of by its words."""
    if submission.kind != "passage" or "text" not in submission.more:
        return submission
    items, item = service.items, submission.item
    if not items.has(item):
        raise UnknownItem(errors.assessing.unknown_item(item))
    is_second = submission.more.get("document") == 1 and items.other is not None
    of_document = items.other if is_second and items.other is not None else items.of_document
    text = service.store.document_text(int(of_document[item - 1])).text
    start, end = passage_in(str(submission.more["text"]), text)
    return submission._replace(more={"start": start, "end": end, **({"document": 1} if is_second else {})})


def passage_in(quote: str, text: str) -> tuple[int, int]:
    """Where a passage that somebody saw in a page begins and ends in its text, which may have other blanks.

    >>> passage_in("deeply every second day …", "Water deeply\\n every second day.")
    (6, 30)
    """
    words = quote.strip(" …\n\t").split()
    wanted = r"\s+".join(map(re.escape, words))
    place = re.search(wanted, text) if words else None
    if place is not None:
        return place.start(), place.end()
    # What cannot be seen has a sign in the page, of one character or several.
    signs = [sign if sign in "\t\r\n" else visible(sign) for sign in text]
    place = re.search(wanted, "".join(signs)) if words else None
    if place is None:
        raise Unsound(errors.assessing.no_such_passage())
    ends = list(accumulate(map(len, signs), initial=0))
    return bisect_right(ends, place.start()) - 1, bisect_left(ends, place.end())
