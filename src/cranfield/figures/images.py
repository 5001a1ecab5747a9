"""Figures as files: which formats there are, and that a file is the same whenever it is written."""

from __future__ import annotations

import io
import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from cranfield import errors
from cranfield.file_endings import IMAGES
from cranfield.formats.writing import form_of, written

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOTS = 200
"""Of a PNG to an inch."""


def check(path: str | os.PathLike[str]) -> str:
    """The format that a file's name asks for, if a figure can be written there at all."""
    form = form_of(path, IMAGES, "a figure")
    if find_spec("matplotlib") is None:
        raise errors.packages.missing("A figure", "matplotlib")
    return form


def save(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure; its name's end says whether as SVG, PDF or PNG.

    Text in an SVG stays text, fonts in a PDF are whole, and neither tells the time: the same figure gives the same
    file.
    """
    form = check(path)
    with written(path):
        _write(figure, path, form)


def svg(figure: Figure) -> str:
    """A figure as the text of an SVG."""
    text = io.BytesIO()
    _write(figure, text, "svg")
    return text.getvalue().decode()


def _write(figure: Figure, target: Any, form: str) -> None:
    import warnings

    import matplotlib

    settings: Any = {"svg.fonttype": "none", "svg.hashsalt": "cranfield", "pdf.fonttype": 42}
    undated: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        # A name may be in a script that no font at hand has; it is still right in an SVG.
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        figure.savefig(target, format=form, dpi=DOTS, metadata=undated[form])
