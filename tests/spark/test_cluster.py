"""Processes of a cluster die, and others begin again: scores come once, and are the same."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

import cranfield as cf
from cranfield import spark as on_spark
from tests.spark.collections import collection, write_folders
from tests.spark.test_evaluation import MEASURES, assert_same, frames

COMMAND = "from cranfield.cli import main\nmain()\n"


def processes(words: str, below: Sequence[int] = ()) -> list[int]:
    """The processes below this one, or below some others, whose command has some words."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if words in command and {*below, *([] if below else [os.getpid()])} & set(ancestors(int(entry.name))):
                found.append(int(entry.name))
    return found


def ancestors(process: int) -> list[int]:
    """The processes that a process comes from."""
    found = []
    while process > 1:
        try:
            process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            break
        found.append(process)
    return found


def python_workers(below: Sequence[int] = ()) -> list[int]:
    """The processes that run Python for tasks, each begun by a daemon of the same name."""
    found = processes("pyspark.daemon", below)
    return [process for process in found if set(ancestors(process)) & set(found)]


def killing(find: Callable[[], list[int]]) -> threading.Thread:
    """Kills one of some processes as soon as there are any, while the work goes on."""

    def kill() -> None:
        for _ in range(600):
            if victims := find():
                os.kill(victims[-1], signal.SIGKILL)
                return
            time.sleep(0.05)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


@pytest.mark.parametrize(
    "victim",
    [python_workers, lambda: processes("CoarseGrainedExecutorBackend")],
    ids=["worker", "executor"],
)
def test_a_killed_process_changes_nothing(spark, victim):
    given = collection(300)
    judgments, runs = frames(spark, given)
    # Long enough for the kill to come in the middle.
    slow = {name: run.repartition(40) for name, run in runs.items()}
    killer = killing(victim)
    there = on_spark.evaluate(judgments, slow, MEASURES, partitions=24)
    killer.join()
    assert_same(cf.evaluate(given.judgments, given.runs, MEASURES), there)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


SPECULATING = {
    "spark.speculation": "true",
    "spark.speculation.interval": "50ms",
    "spark.speculation.quantile": "0.1",
    "spark.speculation.multiplier": "1.1",
    "spark.speculation.minTaskRuntime": "50ms",
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
}
"""What takes long is done twice, on the other worker."""


def speculated(folder: Path) -> bool:
    """Whether a task was begun twice, by the events of an application."""
    logs = [file.read_text(errors="replace") for file in folder.rglob("*") if file.is_file()]
    return any('"Speculative":true' in log for log in logs)


def hanging(find: Callable[[], list[int]], until: Callable[[], bool]) -> threading.Thread:
    """Stops one of some processes as soon as there are any, until something happens, or for half a minute."""

    def hang() -> None:
        for _ in range(600):
            if victims := find():
                os.kill(victims[0], signal.SIGSTOP)
                for _ in range(300):
                    if until():
                        break
                    time.sleep(0.1)
                with suppress(ProcessLookupError):
                    os.kill(victims[0], signal.SIGCONT)
                return
            time.sleep(0.05)

    thread = threading.Thread(target=hang)
    thread.start()
    return thread


def test_spark_submit_to_a_master_with_two_workers_prints_what_the_command_prints(java, tmp_path):
    """Also where one of them hangs, so that tasks are done twice."""
    pyspark = Path(__import__("pyspark").__file__).parent
    paths = write_folders(collection(30), tmp_path)
    (tmp_path / "submitted.py").write_text(COMMAND)
    environment = {
        **os.environ,
        "SPARK_HOME": str(pyspark),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }
    port = _free_port()
    master = f"spark://127.0.0.1:{port}"
    begin = [str(pyspark / "bin" / "spark-class")]
    deploy = "org.apache.spark.deploy"
    worker = [*begin, f"{deploy}.worker.Worker", "--webui-port", "0", "-c", "1", "-m", "1g"]
    daemons = [
        [*begin, f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0"],
        # A task is never begun a second time on the same host.
        *([*worker, "--host", f"127.0.0.{at}", "-d", str(tmp_path / f"work{at}"), master] for at in (1, 2)),
    ]
    arguments = ["evaluate", paths["qrels"], paths["run1"], "-m", "AP", "-m", "ERR", "--quiet", "--save"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    hosts = ["127.0.0.1", "127.0.0.1", "127.0.0.2"]
    started = [
        subprocess.Popen(one, env={**environment, "SPARK_LOCAL_IP": host}, **quiet)
        for one, host in zip(daemons, hosts, strict=True)
    ]
    try:
        submit = [str(pyspark / "bin" / "spark-submit"), "--master", master, "--conf", "spark.ui.enabled=false"]
        submit += ["--conf", "spark.sql.shuffle.partitions=2", "--conf", "spark.executor.memory=512m"]
        events = tmp_path / "events"
        events.mkdir()
        for name, value in {**SPECULATING, "spark.eventLog.dir": events.as_uri()}.items():
            submit += ["--conf", f"{name}={value}"]
        waiting = hanging(lambda: python_workers([one.pid for one in started]), lambda: speculated(events))
        whole = [*submit, str(tmp_path / "submitted.py"), *arguments, str(tmp_path / "spark.json"), "--engine", "spark"]
        done = subprocess.run(whole, env=environment, capture_output=True, text=True, timeout=300, check=False)
    finally:
        for daemon in started:
            daemon.kill()
            daemon.wait()
        waiting.join()
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert speculated(events)
    local = [Path(sys.executable).parent / "cranfield", *arguments, tmp_path / "local.json"]
    printed = subprocess.run(local, capture_output=True, text=True, check=True).stdout
    assert (tmp_path / "spark.json").read_text() == (tmp_path / "local.json").read_text()
    # spark-submit puts what a program prints and what it warns of into one stream.
    assert printed in done.stdout


CONNECTED = """
import sys
import warnings

warnings.simplefilter("ignore")
from pyspark.sql import SparkSession

import cranfield as cf
from cranfield import spark as on_spark
from tests.spark.collections import collection
from tests.spark.test_evaluation import MEASURES, assert_same, frames

spark = SparkSession.builder.remote("local[1]").config("spark.sql.shuffle.partitions", "2").getOrCreate()
given = collection(30)
judgments, runs = frames(spark, given)
assert "connect" in type(judgments).__module__
assert_same(cf.evaluate(given.judgments, given.runs, MEASURES), on_spark.evaluate(judgments, runs, MEASURES))
print("the same")
spark.stop()
"""


def test_spark_connect_gives_the_same(java):
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    root = Path(__file__).parent.parent.parent
    done = subprocess.run(
        [sys.executable, "-c", CONNECTED],
        env=environment,
        cwd=root,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "the same" in done.stdout, done.stderr[-3000:]
