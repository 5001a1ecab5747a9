"""Writes the generated pages, and runs every console example anew: `make docs`.

A test fails when a page on disk differs from what this gives.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from cranfield import demo
from cranfield.catalogue import entries
from cranfield.cli import COMMANDS, cranfield

ROOT = Path(__file__).resolve().parent.parent
MEASURES = """\
# Measures

Every measure, from its one definition in the code. The same text is in the terminal: `cranfield measures NAME`.

Rankings are written as grades by rank, `-` unjudged, and after `|` what was never retrieved: `"2-1|1"`. Every
measure also takes `judged_only=True`, which drops unjudged documents and closes up the ranks. What other tools
call a measure, and where theirs differs, stands below each."""
_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pages() -> dict[Path, str]:
    """Every page with its text as it should be."""
    generated = {
        ROOT / "docs" / "measures.md": measures_page(),
        ROOT / "docs" / "commands.md": commands_page(),
    }
    written = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return generated | {
        path: with_fresh_output(path.read_text(encoding="utf-8")) for path in written if path not in generated
    }


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


def commands_page() -> str:
    """The help text of every command."""
    parts = ["# Commands\n\nWhat `cranfield COMMAND --help` prints."]
    context = click.Context(cranfield, info_name="cranfield", terminal_width=100)
    for name in COMMANDS:
        command = cranfield.get_command(context, name)
        assert command is not None
        text = command.get_help(click.Context(command, info_name=name, parent=context, terminal_width=100))
        parts.append(f"## {name}\n\n```text\n{text}\n```")
    return "\n\n".join(parts) + "\n"


def with_fresh_output(text: str) -> str:
    """A page whose console blocks show what their commands print, run beside the demo collection."""
    with tempfile.TemporaryDirectory() as directory:
        demo.write(directory)
        return _CONSOLE.sub(lambda block: f"```console\n{_transcript(block[1], directory)}```", text)


def _transcript(block: str, directory: str) -> str:
    commands = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"$ {command}\n{_output(command, directory)}" for command in commands)


def _output(command: str, directory: str) -> str:
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONIOENCODING": "utf-8",
        "COLUMNS": "100",
    }
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.decode().splitlines())


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
