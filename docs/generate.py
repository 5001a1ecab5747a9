"""Writes the generated pages, and runs every console example again: `make docs`, or `make docs ONLY=commands,rag`.

A test fails when a page on disk differs from what this gives.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from multiprocessing.pool import ThreadPool
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import example_data

from cranfield import demo
from cranfield.catalogue import entries
from cranfield.cli import COMMANDS, cranfield
from cranfield.conversion import formats_table
from cranfield.evaluating.profiles import PROFILES, WORDS, Profile
from cranfield.evaluating.settings import CHOICES
from cranfield.fusing.catalogue import fusion_catalogue
from cranfield.fusing.dialects import DIALECTS, FusionDialect
from tests.cli.server import started

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs" / "figures"
COMMANDS_OF_THIS = Path(sys.executable).parent
MEASURES = """\
# Measures

Every measure, from its one definition in the code. The same text is in the terminal: `cranfield measures NAME`.

Rankings are written as grades by rank, `-` unjudged, and after `|` what was never retrieved: `"2-1|1"`. Every
measure also takes `judged_only=True`, which drops unjudged documents and closes up the ranks. What other tools
call a measure, and where theirs differs, stands below each."""
FUSION = """\
# Methods of fusion

Every method and normalisation, from its one definition in the code. The same text is in the terminal:
`cranfield fuse --list NAME`. How to fuse is in [Fuse runs](fusion.md), whether to in
[Should I fuse my runs?](should-i-fuse.md)

s is a score, r a rank from 1, w the weight of a list, n the number of lists that have the document. Of the choices
under `missing` the first is the default; a normalisation in which 0 is no low score has its own."""
DIALECT_PAGE = """\
## Dialects

What other tools compute under the same names: `--like TOOL` on the command line, `like="tool"` in Python. The first
method is the one the tool takes unless asked. Equal scores are ordered by document id all the same."""
PROFILE_PAGE = """\
# Why do two tools disagree?

Two tools that print the same name may compute different numbers. `cranfield why` computes one measure as each tool
does, and names the choice that makes the difference on your data:

```console
$ cranfield why qrels.txt bm25.run -m nDCG@10 --format table
```

If you only have the other tool's number, look for it in the column of the measure: the line below the table that names
the tool of that row says which choice it is. If it is in no row, the inputs differ: other judgments, other queries, or
another order of equal scores, for which the warning gives the range.

## Get another tool's numbers

A profile is a named set of choices that gives another tool's numbers: `--profile NAME` on the command line,
`profile="NAME"` in Python. It makes only the choices you leave open; what you say yourself counts.

```console
$ cranfield evaluate qrels.txt bm25.run --profile gdeval --format table
```

Scores are found by the name they were asked by: after `evaluate(..., "nDCG@10", profile="gdeval")` both
`scores["nDCG@10"]` and the printed name, `scores["nDCG(gain=exponential)@10"]`, give them.

A measure that the tool does not have, or not with these parameters, is computed all the same and a warning says so, in
every format; so it is with a name that means another measure there:

```console
$ cranfield evaluate qrels.txt bm25.run --profile msmarco -m nDCG@10 --format table
$ cranfield evaluate qrels.txt bm25.run --profile ir_measures -m Accuracy@3 --format table
```

## trec_eval's names for several measures

Under `trec_eval-10`, `trec_eval-9` and `pytrec_eval`, a name of trec_eval without a cutoff means what it means there:
`ndcg_cut` is nDCG at 5, 10, 15, 20, 30, 100, 200, 500 and 1000, and so are `P`, `recall`, `map_cut` and `relative_P`;
`success` is at 1, 5 and 10; `iprec_at_recall` and `Rprec_mult` are at their levels; `official`, `set` and `all_trec`
are its sets, without `runid` and `relstring`, which are no numbers. `prefs`, `all_prefs` and `qrels_jg` go with
preferences and several judges. Without such a profile these names are refused, with what to write instead: none of them
becomes another measure. `recall` alone is SetR under `ranx` and `textbook`, which mean that by it.

## Who orders equal scores how

- By document id, descending (`--ties document`, the default): trec_eval, pytrec_eval, gdeval; ir_measures and BEIR
  where they ask pytrec_eval.
- By document id, ascending (`--ties document-ascending`): trec_eval's preferences; ir_measures' RR@k, Judged@k and
  Compat; compatibility.py; trectools' nDCG; the judged@k (J@10, J@20) published for TREC-COVID.
- As the file has them (`--ties given`): MS MARCO's script; cwl_eval, also through ir_measures; ranx; ndeval, whose
  order is the rank column; BEIR's own measures.
- The average over all orders (`--ties average`): scikit-learn's dcg_score and ndcg_score; trectools' RBP.

To get the J@k of TREC-COVID, ask for `Judged@10` with `--ties document-ascending`.

## The choices

- **average_over**: the queries of the mean, all `judged` ones (one without results counts as 0) or those the run
  `answered`.
- **without_relevant**: queries without a relevant document, `keep` them in the mean or `drop` them.
- **ties**: the [order of equal scores](#who-orders-equal-scores-how).
- **precision**: scores are compared in `double` or `single` precision; in single precision more of them are equal.
- **identical**: a document whose id is the query's own, `keep` it or `drop` it.
- **of measures**: parameters of single measures. Where the cell is empty, measures are computed as their
  [definitions](measures.md) say."""
_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FORMATS = re.compile(r"(<!-- formats -->)\n.*?(<!-- end of formats -->)", re.DOTALL)
_FILE = re.compile(r"^```\w+ (\w[\w.-]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A file that a page shows: its name stands behind the language."""


WRITTEN = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def pages(only: Collection[str] = ()) -> Iterator[tuple[Path, str]]:
    """Pages with their texts as they should be, and their figures; all of them, or those of these names."""
    with TemporaryDirectory() as folder, started(Path(folder), environment()), ThreadPool() as cores:
        paths = [path for path in WRITTEN if not only or path.stem in only]
        for path, (text, figures) in zip(paths, cores.imap(partial(_page, commands=Path(folder)), paths), strict=True):
            yield path, text
            yield from ((FIGURES / name, drawn) for name, drawn in figures.items())


def _page(path: Path, commands: Path) -> tuple[str, dict[str, str]]:
    figures: dict[str, str] = {}
    text = GENERATED[path.stem]() if path.stem in GENERATED else with_formats(path.read_text(encoding="utf-8"))
    return with_fresh_output(text, figures, commands), figures


def with_formats(text: str) -> str:
    """A page whose table of formats, if it has one, is what the code gives."""
    return _FORMATS.sub(lambda table: f"{table[1]}\n{formats_table().markdown()}\n{table[2]}", text)


def measures_page() -> str:
    """The catalogue of measures."""
    parts = [MEASURES]
    family = ""
    for entry in entries():
        if entry.family != family:
            family = entry.family
            parts.append(f"## {family}")
        parts.append(entry.markdown())
    return "\n\n".join(parts) + "\n"


def fusion_page() -> str:
    """The catalogue of methods and normalisations of fusion."""
    parts = [FUSION]
    family = ""
    for entry in fusion_catalogue().entries:
        if entry.family != family:
            family = entry.family
            parts.append(f"## {family}")
        parts.append(entry.markdown())
    return "\n\n".join([*parts, DIALECT_PAGE, *map(_dialect_section, DIALECTS.values())]) + "\n"


def _dialect_section(dialect: FusionDialect) -> str:
    compared = "Compared by calling it" if dialect.is_run else "Read in its source"
    fusions = [f"- `{replace(dialect.fusion(method), dialect='')}`" for method in dialect.methods]
    notes = [f"- {note[:1].upper()}{note[1:]}" for note in dialect.notes]
    return "\n\n".join([f"### {dialect.name}", f"{compared}: {dialect.of}.", "\n".join([*fusions, *notes])])


def profiles_page() -> str:
    """The profiles: what each decides, in one table, and then in words."""
    settings = [name for name in CHOICES if name != "undefined"]
    head = ["profile", *settings, "of measures"]
    rows = [
        [
            f"[{profile.name}](#{profile.name.replace('.', '')})",
            *(str(profile.settings.get(name, CHOICES[name][0])) for name in settings),
            "; ".join(_of_measure(name, params) for name, params in profile.params.items()),
        ]
        for profile in PROFILES.values()
    ]
    lines = [head, ["---"] * len(head), *rows]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return "\n\n".join([PROFILE_PAGE, table, *map(_profile_section, PROFILES.values())]) + "\n"


def _profile_section(profile: Profile) -> str:
    said = [
        f"- `{name}={value}`: {WORDS[name, value]}"
        for choices in (profile.settings, *profile.params.values())
        for name, value in choices.items()
    ]
    notes = [f"- {note.text[:1].upper()}{note.text[1:]}" for note in profile.notes]
    having = ", ".join(f"`{name}`" for name in sorted(profile.computes, key=str.casefold))
    parts = [
        f"## {profile.name}",
        f"{profile.about} Compared with {profile.of}." if profile.name != "cranfield" else profile.about,
        "\n".join(dict.fromkeys(said)),
        "\n".join(notes),
        f"Reports unless asked: {', '.join(f'`{name}`' for name in profile.measures)}." if profile.measures else "",
        f"Has {having}." if having else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _of_measure(name: str, params: Mapping[str, object]) -> str:
    return f"{name}({', '.join(f'{param}={value}' for param, value in params.items())})"


def commands_page() -> str:
    """The help text of every command."""
    parts = ["# Commands\n\nWhat `cranfield COMMAND --help` prints."]
    context = click.Context(cranfield, info_name="cranfield", terminal_width=100, **cranfield.context_settings)
    for name in COMMANDS:
        command = cranfield.get_command(context, name)
        assert command is not None
        text = command.get_help(click.Context(command, info_name=name, parent=context, terminal_width=100))
        parts.append(f"## {name}\n\n```text\n{text}\n```")
    return "\n\n".join(parts) + "\n"


def with_fresh_output(text: str, figures: dict[str, str] | None = None, commands: Path = COMMANDS_OF_THIS) -> str:
    """A page whose console blocks show what their commands print, run next to the demo collection.

    Files that the page shows under their names are there too, and so is what people bring (docs/example_data.py).

    The figures that they draw, by name, are put into `figures`. `commands` is the folder in which `cranfield` is.
    """
    with TemporaryDirectory() as directory:
        demo.write(directory)
        example_data.write(text, Path(directory))
        for shown in _FILE.finditer(text):
            (Path(directory) / shown[1]).write_text(shown[2], encoding="utf-8")
        fresh = _CONSOLE.sub(lambda block: f"```console\n{_transcript(block[1], directory, commands)}```", text)
        if figures is not None:
            figures |= {path.name: path.read_text(encoding="utf-8") for path in Path(directory).glob("*.svg")}
        return fresh


def environment(commands: Path = COMMANDS_OF_THIS) -> dict[str, str]:
    """The environment in which examples run."""
    return os.environ | {
        "PATH": os.pathsep.join([str(commands), str(COMMANDS_OF_THIS), os.environ["PATH"]]),
        "PYTHONIOENCODING": "utf-8",
        "COLUMNS": "100",
        "MATPLOTLIBRC": os.devnull,  # nobody's own settings
    }


def _transcript(block: str, directory: str, commands: Path) -> str:
    lines = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"$ {line}\n{_output(line, directory, commands)}" for line in lines)


def _output(line: str, directory: str, commands: Path) -> str:
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=directory,
        env=environment(commands),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.decode().splitlines())


GENERATED: Mapping[str, Callable[[], str]] = {
    "measures": measures_page,
    "commands": commands_page,
    "fusion-methods": fusion_page,
    "profiles": profiles_page,
}
"""Pages of which no word is written by hand."""


def _only(names: str) -> list[str]:
    """Names of pages with commas between them."""
    only = [name for name in names.split(",") if name]
    if unknown := set(only) - {path.stem for path in WRITTEN}:
        raise argparse.ArgumentTypeError(f"there is no page {', '.join(sorted(unknown))}")
    return only


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", type=_only, default=[], metavar="PAGES", help="names of pages, such as commands,rag")
    FIGURES.mkdir(exist_ok=True)
    for path, text in pages(parser.parse_args().only):
        path.write_text(text, encoding="utf-8")
