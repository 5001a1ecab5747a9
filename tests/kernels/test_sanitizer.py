"""No read outside a buffer, whatever the bytes: the compiled loops under the sanitizers for addresses and behaviour."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import cranfield.kernels
from tests.conftest import ROOT
from tests.effort import more

SOURCE = Path(cranfield.kernels.__file__).parent / "compiled.pyx"
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g", "-O0"]
"""Built without optimising, which takes a quarter of the time, and no access is optimised away."""
ROUNDS = more(3000)


@pytest.fixture(scope="module")
def libraries() -> str:
    """What must be loaded before Python so that it can load a module with sanitizers."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc to build with sanitizers")
    pytest.importorskip("Cython", reason="no Cython to build with")
    found = []
    for name in ("libasan.so", "libubsan.so"):
        path = subprocess.check_output(["gcc", f"-print-file-name={name}"], text=True).strip()
        if path == name:
            pytest.skip(f"this gcc comes without {name}")
        found.append(path)
    return " ".join(found)


@pytest.fixture(scope="module")
def built(libraries, tmp_path_factory) -> Path:
    directory = tmp_path_factory.mktemp("sanitized")
    code, module = directory / "compiled.c", directory / "compiled.so"
    subprocess.run([sys.executable, "-m", "cython", "-3", SOURCE, "-o", code], check=True)
    include = f"-I{sysconfig.get_path('include')}"
    subprocess.run(["gcc", "-shared", "-fPIC", "-w", *SANITIZERS, include, code, "-o", module], check=True)
    return module


def run(module: Path, libraries: str, *command: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "LD_PRELOAD": libraries,
        "ASAN_OPTIONS": "detect_leaks=0",  # Python itself keeps some memory to its end
        "PYTHONMALLOC": "malloc",  # its own allocator would hide a buffer's borders
        "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}",
    }
    return subprocess.run(
        [sys.executable, *command], env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_nothing_is_read_outside_a_buffer_whatever_the_bytes(built, libraries):
    done = run(built, libraries, "-m", "tests.kernels.sanitized", str(built), str(ROUNDS))
    assert done.returncode == 0, done.stderr[-3000:]
    rounds, regular, sound = (int(word) for word in done.stdout.split() if word.isdigit())
    assert rounds == ROUNDS
    assert rounds // 10 < regular < rounds
    assert rounds // 10 < sound < rounds


def test_the_sanitizer_would_notice(built, libraries):
    too_far = (
        "import ctypes; buffer = ctypes.CDLL(None).malloc; buffer.restype = ctypes.c_void_p; at = buffer(16);"
        "ctypes.CDLL(None).memcpy(ctypes.c_void_p(at), ctypes.c_void_p(at + 8), ctypes.c_size_t(16))"
    )
    done = run(built, libraries, "-c", too_far)
    assert done.returncode != 0
    assert "AddressSanitizer" in done.stderr
