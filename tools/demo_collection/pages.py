"""The documents of the demo collection, and what each of them really answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from tools.demo_collection.chance import Chance
from tools.demo_collection.topics import Topic
from tools.demo_collection.vocabulary import (
    ASIDES,
    ASPECTS,
    GROUP_LEADS,
    GROUP_TITLES,
    LETTERS,
    PROFILE_LEADS,
    PROFILE_TITLES,
    SPOKEN,
)

LETTER_SHARE = 0.45
"""The share of facts about which a reader has written."""
OTHER_NAME_SHARE = 0.3
"""How often a page gives the other name of its plant, where there is one."""
PAIRS_PER_PLANT = 3
ASIDES_PER_PLANT = 3
PROFILE_FACTS = 2


class Answer(NamedTuple):
    """A fact: the first or second that is known about an aspect of a topic."""

    aspect: str
    number: int


@dataclass(frozen=True)
class Page:
    """A document, with what its author had in mind."""

    doc_id: str
    title: str
    text: str
    group: str
    topic: str = ""
    """Empty for a page about a whole group."""
    aspect: str = ""
    """What a page about a whole group is about."""
    answers: dict[Answer, float] = field(default_factory=dict)
    """How well the page gives each of its facts, from 0 to 1."""
    is_profile: bool = False


def pages(topics: Sequence[Topic], chance: Chance) -> list[Page]:
    """All documents, in an order that says nothing about what they are."""
    written = [page for topic in topics for page in _about(topic, chance)]
    plants = [topic for topic in topics if not topic.is_service]
    written += _about_groups(plants, chance)
    return [replace(page, doc_id=f"d{number:04}") for number, page in enumerate(chance.shuffled(written), start=1)]


def _about(topic: Topic, chance: Chance) -> Iterator[Page]:
    yield from _guides(topic, chance)
    if topic.is_service:
        return
    yield from _letters(topic, chance)
    yield from _pairs(topic, chance)
    yield _profile(topic, chance)
    for title in chance.shuffled(list(ASIDES))[:ASIDES_PER_PLANT]:
        yield _page(topic, title, [ASIDES[title]], {})


def _guides(topic: Topic, chance: Chance) -> Iterator[Page]:
    """One page for each fact."""
    for name, facts in topic.facts.items():
        aspect = ASPECTS[name]
        titles, leads = chance.shuffled(aspect.titles), chance.shuffled(aspect.leads)
        for number, fact in enumerate(facts, start=1):
            text = [leads[number - 1], fact, chance.pick(aspect.tips)]
            if topic.other_name and chance.happens(OTHER_NAME_SHARE):
                text[-1] = _other_name(topic)
            yield _page(topic, titles[number - 1], text, {Answer(name, number): 1.0})


def _letters(topic: Topic, chance: Chance) -> Iterator[Page]:
    """Readers' letters: the answer is there, but the title does not say so."""
    for name, facts in topic.facts.items():
        for number, fact in enumerate(facts, start=1):
            if chance.happens(LETTER_SHARE):
                text = [chance.pick(LETTERS), fact]
                yield _page(topic, chance.pick(ASPECTS[name].hints), text, {Answer(name, number): 0.95})


def _pairs(topic: Topic, chance: Chance) -> Iterator[Page]:
    """Pages that speak of two aspects and give a fact for each."""
    names = chance.shuffled(list(topic.facts))
    for first, second in pairwise(names[: PAIRS_PER_PLANT + 1]):
        numbers = {name: chance.pick(range(1, len(topic.facts[name]) + 1)) for name in (first, second)}
        text = [topic.facts[name][number - 1] for name, number in numbers.items()]
        title = f"{{plants}}: {_spoken(first)} and {_spoken(second)}"
        yield _page(topic, title, text, {Answer(name, number): 0.8 for name, number in numbers.items()})


def _profile(topic: Topic, chance: Chance) -> Page:
    names = chance.shuffled(list(topic.facts))[:PROFILE_FACTS]
    text = [chance.pick(PROFILE_LEADS), *(topic.facts[name][0] for name in names)]
    if topic.other_name:
        text.append(_other_name(topic))
    answers = {Answer(name, 1): 0.7 for name in names}
    return replace(_page(topic, chance.pick(PROFILE_TITLES), text, answers), is_profile=True)


def _about_groups(plants: Sequence[Topic], chance: Chance) -> list[Page]:
    subjects = dict.fromkeys((plant.group, aspect) for plant in plants for aspect in plant.facts)
    return [_about_group(group, aspect, chance) for group, aspect in subjects]


def _about_group(group: str, aspect: str, chance: Chance) -> Page:
    slots = {"group": group, "aspect": _spoken(aspect)}
    text = [chance.pick(GROUP_LEADS), *chance.shuffled(ASPECTS[aspect].tips)[:2]]
    return Page(
        "",
        _capital(chance.pick(GROUP_TITLES).format(**slots)),
        " ".join(sentence.format(**slots) for sentence in text),
        group,
        aspect=aspect,
    )


def _page(topic: Topic, title: str, text: Sequence[str], answers: dict[Answer, float]) -> Page:
    slots = {"plant": topic.name, "plants": topic.plural}
    sentences = (_capital(sentence.format(**slots)) for sentence in text)
    return Page("", _capital(title.format(**slots)), " ".join(sentences), topic.group, topic.name, answers=answers)


def _other_name(topic: Topic) -> str:
    if topic.is_service:
        return f"Were you looking for {topic.other_name}? This is the place."
    return f"In some shops you will find {{plants}} under the name {topic.other_name}."


def _spoken(aspect: str) -> str:
    return SPOKEN.get(aspect, aspect)


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
