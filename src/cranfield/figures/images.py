"""Figures as files: which formats there are, and that a file is the same whenever it is written."""

from __future__ import annotations

import io
import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield import errors
from cranfield.errors import DataError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = (".svg", ".pdf", ".png")
DOTS = 200
"""Of a PNG to an inch."""


def check(path: str | os.PathLike[str]) -> str:
    """The format that a file's name asks for, if a figure can be written there at all."""
    suffix = Path(path).suffix.casefold()
    if suffix not in FORMATS:
        raise errors.figures.no_image(os.fspath(path), FORMATS)
    if find_spec("matplotlib") is None:
        raise errors.figures.no_matplotlib()
    return suffix


def save(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure; its name's end says whether as SVG, PDF or PNG.

    Text in an SVG stays text, fonts in a PDF are whole, and neither tells the time: the same figure gives the same
    file.
    """
    try:
        _write(figure, path, check(path))
    except OSError as error:
        raise DataError([errors.results.unwritable(os.fspath(path), error.strerror or str(error))]) from None


def svg(figure: Figure) -> str:
    """A figure as the text of an SVG."""
    written = io.BytesIO()
    _write(figure, written, ".svg")
    return written.getvalue().decode()


def _write(figure: Figure, target: Any, suffix: str) -> None:
    import warnings

    import matplotlib

    settings: Any = {"svg.fonttype": "none", "svg.hashsalt": "cranfield", "pdf.fonttype": 42}
    undated: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        # A name may be in a script that no font at hand has; it is still right in an SVG.
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        figure.savefig(target, format=suffix[1:], dpi=DOTS, metadata=undated[suffix])
