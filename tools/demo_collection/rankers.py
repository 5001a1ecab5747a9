"""Four small search engines, which make the runs of the demo collection.

Scores are rounded before documents are put in order: the last bits of a logarithm differ between machines,
and the rankings must not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import fsum, log, sqrt

from tools.demo_collection.chance import Chance
from tools.demo_collection.pages import Page
from tools.demo_collection.questions import Query
from tools.demo_collection.topics import Topic
from tools.demo_collection.vocabulary import ASPECTS, SYNONYMS

Ranking = dict[str, float]
"""Documents and their scores, best first."""
Runs = dict[str, dict[str, Ranking]]
"""By name of the run, then by query."""
Scorer = Callable[[Query], Mapping[str, float]]

DEPTH = 30
"""How many documents a run gives for a query, where so many were found."""
FUSED_DEPTH = 100
"""How far down the two rankings are read that the hybrid run is made of."""
DIGITS = 4

K1, B = 0.6, 0.3
"""BM25: how soon repeated words stop counting, and how much a long text is held back."""
RRF_K = 6
"""Reciprocal rank fusion: how little the first ranks stand out."""
ENCODING_NOISE = 0.07
"""How far an embedded document strays from its true place, in each direction."""
GROUP_WEIGHT = 0.3
"""How much the name of a plant also stands for its group: this is why onions are found for garlic."""
ASPECT_WEIGHT = 0.6
SENSE_WEIGHT = 1.2
"""How much a word stands for an aspect, and for words that mean the same."""

_STOPWORDS = """
a about after all an and are as at be but by can do does for from how i if in is it its my no not of
off on or our out should so some than that the them then there these they this to too up was we what
when where which who why will with you your
"""
STOPWORDS = frozenset(_STOPWORDS.split())


def runs(queries: Sequence[Query], pages: Sequence[Page], topics: Sequence[Topic], chance: Chance) -> Runs:
    """The four runs by name."""
    title = bm25({page.doc_id: words(page.title) for page in pages})
    full_text = bm25({page.doc_id: words(f"{page.title} {page.text}") for page in pages})
    encoded = dense(pages, topics, chance)
    scorers: dict[str, Scorer] = {
        "title": title,
        "bm25": full_text,
        "dense": encoded,
        "hybrid": fused(full_text, encoded),
    }
    return {
        name: {query.query_id: found for query in queries if (found := best(scorer(query), DEPTH))}
        for name, scorer in scorers.items()
    }


def best(scores: Mapping[str, float], depth: int) -> Ranking:
    """The documents with the highest scores, tied ones by descending id as trec_eval has them."""
    rounded = {doc_id: round(score, DIGITS) for doc_id, score in scores.items()}
    order = sorted(rounded, key=lambda doc_id: (rounded[doc_id], doc_id), reverse=True)
    return {doc_id: rounded[doc_id] for doc_id in order[:depth] if rounded[doc_id] > 0}


def bm25(texts: Mapping[str, Sequence[str]]) -> Scorer:
    """BM25 over texts that are already split into words (Robertson and Zaragoza, 2009)."""
    counts = {doc_id: Counter(text) for doc_id, text in texts.items()}
    frequency = Counter(word for count in counts.values() for word in count)
    mean_length = sum(len(text) for text in texts.values()) / len(texts)

    def weight(word: str, doc_id: str) -> float:
        rarity = log(1 + (len(texts) - frequency[word] + 0.5) / (frequency[word] + 0.5))
        count = counts[doc_id][word]
        return rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * len(texts[doc_id]) / mean_length))

    def score(query: Query) -> dict[str, float]:
        asked = words(query.text)
        return {
            doc_id: fsum(weight(word, doc_id) for word in asked if word in count) for doc_id, count in counts.items()
        }

    return score


def dense(pages: Sequence[Page], topics: Sequence[Topic], chance: Chance) -> Scorer:
    """The cosine of query and document, in a space whose axes are topics, groups and aspects."""
    lexicon = _lexicon(topics)
    axes = sorted({axis for near in lexicon.values() for axis in near})

    def encode(text: str, noise: float) -> list[float]:
        place = dict.fromkeys(axes, 0.0)
        for word in words(text):
            for axis, weight in lexicon.get(word, {}).items():
                place[axis] += weight
        return _unit([shift + chance.normal(noise) for shift in _unit([sqrt(x) for x in place.values()])])

    encoded = {page.doc_id: encode(f"{page.title} {page.text}", ENCODING_NOISE) for page in pages}

    def score(query: Query) -> dict[str, float]:
        asked = encode(query.text, 0)
        return {doc_id: fsum(a * b for a, b in zip(asked, place, strict=True)) for doc_id, place in encoded.items()}

    return score


def fused(*scorers: Scorer) -> Scorer:
    """Reciprocal rank fusion of several rankings (Cormack, Clarke and Büttcher, 2009)."""

    def score(query: Query) -> dict[str, float]:
        scores: dict[str, float] = {}
        for scorer in scorers:
            for rank, doc_id in enumerate(best(scorer(query), FUSED_DEPTH), start=1):
                scores[doc_id] = scores.get(doc_id, 0.0) + 1 / (RRF_K + rank)
        return scores

    return score


def words(text: str) -> list[str]:
    """The words of a text that carry meaning, without a plural ending."""
    return [_singular(word) for word in re.findall(r"[a-z]+", text.lower()) if word not in STOPWORDS]


def _singular(word: str) -> str:
    for ending, singular in (("ies", "y"), ("oes", "o"), ("ss", "ss"), ("s", "")):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word.removesuffix(ending) + singular
    return word


def _lexicon(topics: Sequence[Topic]) -> dict[str, dict[str, float]]:
    """For each word the axes it points along, and how far."""
    lexicon: dict[str, dict[str, float]] = {}
    for topic in topics:
        for word in words(f"{topic.name} {topic.plural} {topic.other_name}"):
            lexicon.setdefault(word, {}).update({topic.name: 1.0, topic.group: GROUP_WEIGHT})
    for aspect in ASPECTS.values():
        for word in words(aspect.words):
            lexicon.setdefault(word, {})[f"aspect {aspect.name}"] = ASPECT_WEIGHT
    for alike in SYNONYMS:
        for word in words(alike):
            lexicon.setdefault(word, {})[f"sense {alike}"] = SENSE_WEIGHT
    return lexicon


def _unit(place: Sequence[float]) -> list[float]:
    length = sqrt(fsum(x * x for x in place)) or 1.0
    return [x / length for x in place]
