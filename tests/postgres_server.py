"""PostgreSQL, as the tests have it: a server of their own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

WITHOUT_POSTGRES = "PostgreSQL is not installed; its tests need Debian's package postgresql"


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that only these tests have, on loopback, in a temporary folder."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not programs:
        if os.environ.get("CI"):
            pytest.fail(WITHOUT_POSTGRES)
        pytest.skip(WITHOUT_POSTGRES)
    folder = Path(f"/tmp/cranfield-postgres-{uuid4().hex[:8]}")
    folder.mkdir(mode=0o700)
    shown = _Cluster(programs[-1].parent, folder, _free_port())
    try:
        shown.start()
        yield f"postgresql://judge@127.0.0.1:{shown.port}/postgres"
    finally:
        shown.stop()
        shutil.rmtree(folder, ignore_errors=True)


class _Cluster:
    """PostgreSQL refuses to run as root, so it then runs as whoever its package is for."""

    def __init__(self, programs: Path, folder: Path, port: int) -> None:
        self.programs, self.folder, self.port = programs, folder, port
        self.as_other = (
            ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
        )
        if self.as_other:
            shutil.chown(folder, "postgres", "postgres")

    def start(self) -> None:
        data = str(self.folder / "data")
        self._run("initdb", "-D", data, "-U", "judge", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C")
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
        self._run("pg_ctl", "-D", data, "-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self) -> None:
        with_data = (self.folder / "data").exists()
        if with_data:
            self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "stop", check=False)

    def _run(self, program: str, *arguments: str, check: bool = True) -> None:
        command = [*self.as_other, str(self.programs / program), *arguments]
        subprocess.run(command, check=check, stdout=subprocess.DEVNULL, cwd=self.folder)


def _free_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])
