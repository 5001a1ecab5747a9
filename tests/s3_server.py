"""An S3 server on this machine, for as long as tests need it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def s3_server() -> Iterator[tuple[object, str]]:
    """A file system of pyarrow with an empty `bucket`, and the options by which an address leads there."""
    fs = pytest.importorskip("pyarrow.fs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        moto = pytest.importorskip("moto.server")
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        server.start()
        try:
            host, port = server.get_host_and_port()
            system = fs.S3FileSystem(
                access_key="AKIA-of-ada",
                secret_key="s3cret-of-ada",
                region="us-east-1",
                endpoint_override=f"http://{host}:{port}",
                allow_bucket_creation=True,
            )
            system.create_dir("bucket")
            yield system, f"region=us-east-1&endpoint_override=http%3A%2F%2F{host}%3A{port}"
        finally:
            server.stop()
