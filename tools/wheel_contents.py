"""What a wheel should hold, and nothing else: `python -m tools.wheel_contents dist/*.whl`."""

from __future__ import annotations

import re
import sys
import zipfile
from collections.abc import Iterator
from email.parser import HeaderParser
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
LARGEST = 2_000_000
"""Bytes that a wheel may have."""
NOT_INSTALLED = {".pyx", ".pxi", ".c", ".pyc", ".so", ".pyd"}
COMPILED = re.compile(r"cranfield/kernels/compiled\.[\w.-]+\.(so|pyd)")
ABOUT = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", "top_level.txt"}


def main(wheels: list[str]) -> int:
    """Print what is wrong with each; the exit code is 1 if anything is."""
    wrong = {wheel: list(problems(Path(wheel))) for wheel in wheels}
    for wheel, found in wrong.items():
        print(f"{Path(wheel).name}: {Path(wheel).stat().st_size:,} bytes, {'; '.join(found) or 'holds what it should'}")
    return int(any(wrong.values()) or not wheels)


def problems(wheel: Path) -> Iterator[str]:
    """What is wrong with the contents of a wheel."""
    _, _, _, _, platform = wheel.stem.split("-")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
        about = {name for name in names if PurePosixPath(name).parts[0].endswith(".dist-info")}
        (metadata,) = (archive.read(name).decode() for name in about if name.endswith("/METADATA"))
    described = {name.partition("/")[2] for name in about}
    # auditwheel may add a list of the libraries that it looked at.
    if missing := ABOUT - described:
        yield f"says nothing of {', '.join(sorted(missing))}"
    if more := {name for name in described - ABOUT if not name.startswith("sboms/")}:
        yield f"has {', '.join(sorted(more))} in addition"
    compiled = {name for name in names if COMPILED.fullmatch(name)}
    if len(compiled) != (platform != "any"):
        yield f"{len(compiled)} compiled modules for {platform}"
    wanted = installed()
    if missing := wanted - names:
        yield f"lacks {', '.join(sorted(missing))}"
    if more := names - wanted - about - compiled:
        yield f"should not have {', '.join(sorted(more))}"
    if (size := wheel.stat().st_size) > LARGEST:
        yield f"{size:,} bytes are more than {LARGEST:,}"
    yield from _wrong_metadata(metadata)


def installed() -> set[str]:
    """The files of the package that are installed, as a wheel names them."""
    return {
        path.relative_to(SOURCE).as_posix()
        for path in (SOURCE / "cranfield").rglob("*")
        if path.is_file() and path.suffix not in NOT_INSTALLED
    }


def _wrong_metadata(metadata: str) -> Iterator[str]:
    fields = HeaderParser().parsestr(metadata)
    (version,) = re.findall(r'^VERSION = "(.*)"$', (SOURCE / "cranfield" / "version.py").read_text(), re.MULTILINE)
    if fields["Version"] != version:
        yield f"is version {fields['Version']}, not {version}"
    if "](docs/" in metadata:
        yield "its description has links that lead nowhere"
    addresses = {label for label, _ in (url.split(", ", 1) for url in fields.get_all("Project-URL", []))}
    if not addresses >= {"Repository", "Documentation", "Changelog", "Issues"}:
        yield "lacks addresses of the project"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
