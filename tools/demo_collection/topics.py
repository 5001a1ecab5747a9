"""Topics: the plants and services of the demo collection, each with its facts."""

from __future__ import annotations

from dataclasses import dataclass

from tools.demo_collection.fruit_and_flowers import FLOWERS, FRUIT_AND_HERBS, SERVICES
from tools.demo_collection.vegetables import VEGETABLES


@dataclass(frozen=True)
class Topic:
    """A plant, or something the garden offers."""

    name: str
    plural: str
    group: str
    other_name: str
    facts: dict[str, tuple[str, ...]]
    """By aspect."""
    is_service: bool = False


def topics() -> tuple[Topic, ...]:
    """Every topic, in the order of the tables."""
    plants = [VEGETABLES, FRUIT_AND_HERBS, FLOWERS]
    return (
        *(_topic(block, is_service=False) for table in plants for block in _blocks(table)),
        *(_topic(block, is_service=True) for block in _blocks(SERVICES)),
    )


def _blocks(table: str) -> list[str]:
    return table.strip().split("\n\n")


def _topic(block: str, *, is_service: bool) -> Topic:
    head, *lines = block.split("\n")
    name, plural, group, other_name = (field.strip() for field in head.split("|"))
    facts: dict[str, tuple[str, ...]] = {}
    for line in lines:
        aspect, fact = line.split(maxsplit=1)
        facts[aspect] = (*facts.get(aspect, ()), fact)
    return Topic(name, plural, group, other_name, facts, is_service)
