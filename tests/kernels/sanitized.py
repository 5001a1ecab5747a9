"""A fuzz run of the compiled loops built with sanitizers: any read or write outside a buffer ends the process.

Run in a process of its own by `test_sanitizer.py`, with the path of that build and a number of rounds.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import io
import sys
from contextlib import nullcontext
from random import Random


def main(path: str, rounds: int) -> None:
    name = "cranfield.kernels.compiled"
    loader = importlib.machinery.ExtensionFileLoader(name, path)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    scan = sys.modules[name] = importlib.util.module_from_spec(spec)
    loader.exec_module(scan)

    from tests.kernels.files import DOCUMENTS, ODD_SCORES, QUERIES, SCORES, random_judgments, random_run

    rng = Random("sanitized")
    counts = [len(DOCUMENTS)] * len(QUERIES[:5])
    starts = [sum(counts[:at]) for at in range(len(counts) + 1)]
    judged = scan.Judged(QUERIES[:5], DOCUMENTS * 5, starts)
    regular = 0
    for _ in range(rounds):
        text = changed(rng, random_run(rng) + b"\n")
        # As little behind the chunk as is allowed, so that nothing beyond it goes unnoticed.
        buffer = bytearray(text + bytes(scan.SLACK))
        scan.cut(buffer, len(text))
        scan.cut(buffer, rng.randint(0, len(text)))
        gathered = {query.encode(): bytearray() for query in rng.sample(QUERIES, 3)}
        scan.gather(buffer, len(text), gathered)
        found = scan.scan(judged, buffer, len(text), ties=rng.choice(scan.ORDERS), single=rng.random() < 0.5)
        regular += found is not None
        text = changed(rng, random_judgments(rng) + b"\n")
        found = scan.judgments_in(bytearray(text + bytes(scan.SLACK)), len(text), fields=4, largest=1e100)
        if found is not None:
            queries, starts, documents, begins, _ = found
            scan.Judged(queries, documents, list(memoryview(starts).cast("q")), memoryview(begins).cast("q"))
        for token in rng.choices(SCORES + ODD_SCORES, k=3):
            scan.number_in(changed(rng, token.encode()))
    several_threads(Random("threads"), rounds // 20)
    print(f"{rounds} rounds, {regular} regular")


def several_threads(rng: Random, rounds: int) -> None:
    """The whole way, chunks small and threads many."""
    import cranfield as cf
    from cranfield.kernels import streaming
    from tests.kernels.files import DOCUMENTS, QUERIES, random_run

    judgments = cf.read_judgments({query: dict.fromkeys(DOCUMENTS, 1) for query in QUERIES[:5]})
    for _ in range(rounds):
        text = b"".join(random_run(rng) for _ in range(3))
        streaming.places(
            lambda text=text: nullcontext(io.BytesIO(text)),
            judgments,
            ties="document",
            single=False,
            threads=4,
            size=rng.choice((1, 30, 300)),
        )


def changed(rng: Random, text: bytes) -> bytes:
    """Sometimes with some bytes replaced, taken out or put in; a text that ends with a line end still does."""
    changing = bytearray(text)
    for _ in range(rng.choice((0, 0, 0, 1, 2, 9))):
        at = rng.randint(0, len(changing))
        changing[at : at + rng.randint(0, 3)] = rng.choice((rng.randbytes(2), b"\n", b" ", b"#", b"1" * 30, b""))
    return bytes(changing) + (b"\n" if text.endswith(b"\n") else b"")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
