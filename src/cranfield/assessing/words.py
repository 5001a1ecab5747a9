"""What the command says when judging begins and when it ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cranfield.assessing.items import IMPORTED, Items
from cranfield.assessing.project import Project
from cranfield.phrases import counted


class Link(NamedTuple):
    """A person and the address that is theirs alone."""

    name: str
    url: str
    about: str = ""


class Ended(NamedTuple):
    """What a session of judging left behind."""

    where: str
    by_judge: Mapping[str, int]
    """Labels that each judge gave in this session."""
    labels: int
    """Labels in all."""
    wanted: int
    """Labels that are still to be given."""
    compared: int = 0
    """Runs that labels are collected for."""
    runs: str = "RUN..."
    """Their files, as somebody would type them."""
    measure: str = ""
    """What they are compared by."""
    undecided: int = 0
    """Documents about which judges differ, and nobody has decided."""


def what_is_judged(project: Project, items: Items, where: str, *, is_new: bool) -> str:
    """How much there is to judge, of what, and where labels are kept."""
    asked = int((items.part != IMPORTED).sum())
    pairs = "two documents for a query" if items.other is not None else "query and document"
    of = [counted(len(items.queries), "query")]
    if items.runs:
        of.insert(0, f"first {project.depth} of {counted(len(items.runs), 'run')}")
    given = int((items.part == IMPORTED).sum())
    before = f"; {given:,} were judged before" if given else ""
    verb = "Judging" if is_new else "Going on with"
    noun = "pair" if asked == 1 else "pairs"
    return f"{verb} {asked:,} {noun} of {pairs} ({', '.join(of)}{before}) in {where}."


def link_lines(links: Sequence[Link]) -> Iterator[str]:
    """A line for everybody who has a link."""
    width = max((len(link.name) for link in links), default=0)
    for link in links:
        yield f"  {link.name:<{width}}  {link.url}" + (f"  {link.about}" if link.about else "")


def how_to_stop(where: str) -> str:
    """What to do next, while the server runs."""
    return (
        "Every label is saved as it is given; press Ctrl-C to stop. More judges: the progress page, or "
        f"cranfield judge {where} --judges NAME,NAME"
    )


def closing_lines(ended: Ended) -> Iterator[str]:
    """Who did how much, what is left, and the next command."""
    given = sum(ended.by_judge.values())
    each = ", ".join(f"{name} {count:,}" for name, count in ended.by_judge.items() if count)
    yield f"Stopped. {counted(given, 'label')} in this session{f' ({each})' if each else ''}; {ended.labels:,} in all."
    left = f"{counted(ended.wanted, 'label')} to go" if ended.wanted else "Everything is labelled"
    yield f"{left}. {'Go on' if ended.wanted else 'Add judges'}: cranfield judge {ended.where}"
    if ended.undecided:
        yield (
            f"{counted(ended.undecided, 'disagreement')} not decided yet; the lower median counts until then. "
            "Decide on the progress page."
        )
    yield from (f"  {command}" for command in next_commands(ended))


def next_commands(ended: Ended) -> Iterator[str]:
    """What people do with labels."""
    if ended.labels and len(ended.by_judge) > 1:
        yield f"cranfield agree {ended.where}"
    if ended.labels and ended.compared:
        command = f"{'compare' if ended.compared > 1 else 'evaluate'} {ended.where} {ended.runs}"
        yield f"cranfield {command}" + (f" -m {ended.measure}" if ended.measure else "")


def about_address(url: str, *, is_public: bool) -> Iterator[str]:
    """What others on the network can read."""
    if is_public and url.startswith("http://"):
        yield (
            "Other machines can reach this address, and what is sent can be read on the way. For the internet use a "
            "reverse proxy with --public-url https://…"
        )
