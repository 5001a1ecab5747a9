"""One Spark session for all tests: a cluster of two workers on this machine, each with JVMs of its own."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

WITHOUT_JAVA = "Java is not installed; tests of Spark need Debian's package default-jre-headless"
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.executor.memory": "1g",
    "spark.driver.maxResultSize": "10m",  # what comes to the driver is small
    "spark.sql.shuffle.partitions": "4",
    "spark.sql.session.timeZone": "UTC",
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": "false",
}


@pytest.fixture(scope="session")
def java() -> str:
    """Where Java is."""
    found = shutil.which("java")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail(WITHOUT_JAVA)
        pytest.skip(WITHOUT_JAVA)
    return found


@pytest.fixture(scope="session")
def spark(java: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session on a cluster of two workers with a core and a gigabyte each."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # Spark looks at the version of pandas
        import pyspark
        from pyspark.sql import SparkSession

        building = SparkSession.builder.master("local-cluster[2,1,1024]").appName("tests of cranfield")
        for name, value in SETTINGS.items():
            building = building.config(name, value)
        session = building.config("spark.local.dir", str(tmp_path_factory.mktemp("spark"))).getOrCreate()
    application = session.sparkContext.applicationId
    yield session
    session.stop()
    # Workers of such a cluster keep their files where Spark is installed.
    shutil.rmtree(Path(pyspark.__file__).parent / "work" / application, ignore_errors=True)
