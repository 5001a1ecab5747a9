"""A page for each measure, from its one definition in the code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby

from cranfield.catalogue import CatalogueEntry, entries
from cranfield.errors import UsageError
from cranfield.evaluating.profiles import PROFILES, Profile
from cranfield.measures import Measure
from cranfield.measures.definition import shown
from cranfield.version import VERSION
from tools.site.discount import gains, picture
from tools.site.listing import slug
from tools.site.pages import Child, Page

RANKING = "2-0101|2"
"""The ranking whose score is shown by each tool's choices."""
AT = {"recall": 0.5, "multiple": 1.0}
CUTOFF = 5

_NAMES = re.compile(r"\b[a-zA-Z]+(?:_[a-zA-Z]+)+\b(?!=)")
_SUBSCRIPT = re.compile(r"(?<![\w`=])([A-Za-z]|rel|nonrel)_([a-z])(?![\w`=])")
_SOURCE = re.compile(r"(doi:(10\.[^\s;,]+)|arXiv:(\d+\.\d+))")


def measure_pages() -> Iterator[Page]:
    """The list of measures, and a page for each."""
    known = entries()
    children = tuple(Child(entry.definition.name, address(entry)) for entry in known)
    yield Page("measures", _index(known), children=children)
    for entry in known:
        yield Page(address(entry), measure_page(entry), terms=_terms(entry))


def _terms(entry: CatalogueEntry) -> tuple[str, ...]:
    """Names by which people search for a measure, those of other tools among them."""
    names = [*entry.definition.aliases, *_NAMES.findall(" ".join(entry.definition.tools.values()))]
    formula = f"{entry.definition.name} formula"
    return tuple(dict.fromkeys([*names, *(name.replace("_", " ") for name in names), formula]))


def addresses() -> dict[str, str]:
    """The page of each measure by the anchor it has in docs/measures.md."""
    return {slug(entry.definition.name): address(entry) for entry in entries()}


def address(entry: CatalogueEntry) -> str:
    """The address of a measure's page."""
    return f"measures/{entry.definition.name.lower()}"


def _index(known: list[CatalogueEntry]) -> str:
    parts = [
        "# Measures",
        "Every measure, from its one definition in the code: formula, example, what other tools compute, source. In a "
        "terminal: `cranfield measures nDCG`. Which one to use: [Which measure?](which-measure.md)",
    ]
    for family, members in groupby(known, key=lambda entry: entry.family):
        rows = [
            f"| [{entry.definition.name}]({address(entry)}.md) | {_cell(entry.definition.summary)} | {entry.bounds} |"
            for entry in members
        ]
        parts += [f"## {family}", "\n".join(["| measure | what it is | range |", "| --- | --- | --- |", *rows])]
    return "\n\n".join(parts)


def measure_page(entry: CatalogueEntry) -> str:
    """One measure: formula, example, picture, other tools, source."""
    definition = entry.definition
    prose, lead = _parted(entry.prose)
    found = gains(_asked(definition.name, entry))
    parts = [
        f"# {definition.name}",
        definition.summary,
        f"## Definition\n\n```{{math}}\n{entry.formula}\n```" if entry.formula else "",
        prose,
        f"**Caution.** {definition.caution}" if definition.caution else "",
        f"## Example\n\n{lead}\n\n```pycon\n{entry.example}\n```" if entry.example else "",
        f"## What a relevant document adds\n\n{_about(found.measure)}\n\n{picture(found)}" if found else "",
        "## Facts\n\n" + "\n".join(f"- **{name}**: {value}" for name, value in facts(entry).items()),
        _other_tools(entry),
        f"## Cite as\n\n{_cited(definition.cite)}" if definition.cite else "",
        _in_paper(entry),
    ]
    return "\n\n".join(part for part in parts if part)


def _parted(prose: str) -> tuple[str, str]:
    """What is said of a measure, and the paragraph that leads to its example."""
    before, _, last = _SUBSCRIPT.sub(r"\1<sub>\2</sub>", prose).rpartition("\n\n")
    return (before, last) if last.rstrip().endswith(":") else (f"{before}\n\n{last}".strip(), "")


def _about(measure: Measure) -> str:
    return (
        f"{measure} of rankings of 20 documents. There are two relevant documents; those not shown at a rank were not "
        "retrieved, and all others were judged irrelevant."
    )


def facts(entry: CatalogueEntry) -> dict[str, str]:
    """What can be said of a measure in a line each."""
    definition = entry.definition
    skipped = "left out of the mean" if definition.undefined == "skip" else "counts as 0 in the mean"
    needs = {
        "subtopic": "a grade for each [subtopic](../formats.md)",
        "judge": "a grade by each [judge](../formats.md)",
        "stratum": "the [stratum](../formats.md) from which each document was drawn",
        "preference": "grades by each judge, perhaps in [subgroups](../formats.md)",
    }
    rows = {
        "written": f"`{entry.written}`",
        "parameters": ", ".join(f"`{name}={value}`" for name, value in entry.parameters.items()),
        "reads": needs.get(definition.groups or "", ""),
        "range": entry.bounds,
        "mean": {"sum": "summed over queries", "geometric": "geometric"}.get(definition.mean, "arithmetic"),
        "undefined": f"{skipped} ([why](../trust.md#undefined-scores))",
        "also called": ", ".join(f"`{name}`" for name in definition.aliases),
    }
    return {name: value for name, value in rows.items() if value}


def _table(rows: Mapping[str, str], head: tuple[str, str]) -> str:
    lines = [f"| {' | '.join(head)} |", "| --- | --- |", *(f"| {a} | {_cell(b)} |" for a, b in rows.items())]
    return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("\n", " ")


def _other_tools(entry: CatalogueEntry) -> str:
    parts = [_table(entry.definition.tools, ("tool", "what it calls it, and what it computes"))]
    parts = parts if entry.definition.tools else []
    if compared := _by_choice(entry):
        asked = _asked(entry.definition.name, entry)
        parts.append(
            f"{asked} of the ranking `{RANKING}` (grades by rank, `-` unjudged; after `|` what was not retrieved), "
            f"by each tool's choices:"
        )
        parts.append(compared)
    if not parts:
        return ""
    more = (
        "Tools also differ in the order of equal scores and in the queries they average over: "
        "[Why do two tools disagree?](../profiles.md) Every number next to theirs: "
        "[Compared with other tools](../parity.md)."
    )
    return "\n\n".join(["## What other tools compute", *parts, more])


def _by_choice(entry: CatalogueEntry) -> str:
    """The score of one ranking by the choices of each tool that has the measure."""
    if entry.definition.groups is not None:
        return ""
    name = entry.definition.name
    rows: dict[tuple[str, str], list[str]] = {}
    for profile in PROFILES.values():
        if name in profile.computes or profile.name == "cranfield":
            choices = ", ".join(f"`{key}={shown(value)}`" for key, value in profile.params.get(name, {}).items())
            if (score := _scored(entry, profile)) is not None:
                known = f"{profile.name} (see note)" if _notes(profile, name) else profile.name
                rows.setdefault((choices or "as defined here", score), []).append(known)
    if len(rows) < 2 and sum(map(len, rows.values())) < 2:
        return ""
    lines = [f"| {', '.join(tools)} | {choices} | {score} |" for (choices, score), tools in rows.items()]
    notes = [
        f"- {profile.name}: {note}"
        for profile in PROFILES.values()
        if name in profile.computes
        for note in _notes(profile, name)
    ]
    table = "\n".join(["| tools | choices | score |", "| --- | --- | ---: |", *lines])
    return "\n\n".join([table, "\n".join(["Notes:\n", *notes])] if notes else [table])


def _notes(profile: Profile, name: str) -> list[str]:
    """What a tool does otherwise with a measure that no choice covers."""
    return [note.text for note in profile.notes if name in note.about]


def _scored(entry: CatalogueEntry, profile: Profile) -> str | None:
    try:
        asked = _asked(entry.definition.name, entry)
        measure = asked.replaced({**profile.params.get(entry.definition.name, {}), **asked.given})
        return f"{float(measure(RANKING)):.4f}"
    except (UsageError, ValueError):
        return None


def _asked(name: str, entry: CatalogueEntry) -> Measure:
    """The measure, with a cutoff where it needs one."""
    measure = Measure(entry.definition)
    return measure @ AT.get(entry.definition.at or "", CUTOFF) if entry.definition.needs_at else measure


def _cited(cite: str) -> str:
    """Sources, one a line, with links."""
    return "\n".join(f"- {_SOURCE.sub(_linked, source)}" for source in cite.split("; "))


def _linked(found: re.Match[str]) -> str:
    where = f"https://doi.org/{found[2]}" if found[2] else f"https://arxiv.org/abs/{found[3]}"
    return f"[{found[1]}]({where})"


def _in_paper(entry: CatalogueEntry) -> str:
    return (
        f"In a paper, write the name as results print it: every choice that is not the default stands in it, as in "
        f"`{_asked(entry.definition.name, entry).canonical}`. Name the version that computed it: cranfield {VERSION}. "
        "[Tables and figures for a paper](../paper.md) come with a caption that says all of this."
    )
