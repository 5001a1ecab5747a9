import gzip
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a small file and gives its path."""

    def write(text: str | bytes, name: str = "file.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.fixture
def write_labels(tmp_path):
    """Writes a file of labels, compressed if its name says so, and gives its path."""

    def written(name, text):
        path = tmp_path / name
        path.write_bytes(gzip.compress(text.encode())) if name.endswith(".gz") else path.write_text(text)
        return path

    return written


@pytest.fixture
def without_pyarrow(monkeypatch):
    """As if pyarrow were not installed."""
    for module in ("pyarrow", "pyarrow.ipc", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, module, None)
