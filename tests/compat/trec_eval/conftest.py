from collections.abc import Callable

import pytest

from cranfield.compat.trec_eval import CommandOutcome, trec_eval

QRELS = """\
q1 0 a 2
q1 0 b 0
q1 0 c 1
q2 0 a 1
"""
RUN = """\
q1 Q0 a 1 3.0 bm25
q1 Q0 x 2 2.0 bm25
q1 Q0 c 3 1.0 bm25
q2 Q0 b 1 1.0 bm25
q2 Q0 a 2 0.5 bm25
"""


@pytest.fixture
def evaluated(tmp_path) -> Callable[..., CommandOutcome]:
    """trec_eval called with arguments, on judgments and a run given as text."""

    def call(arguments: str = "", qrels: str | bytes = QRELS, run: str | bytes = RUN) -> CommandOutcome:
        paths = {tmp_path / "qrels.txt": qrels, tmp_path / "bm25.run": run}
        for path, text in paths.items():
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return trec_eval([*arguments.split(), *map(str, paths)])

    return call


@pytest.fixture
def lines(evaluated) -> Callable[..., dict[str, str]]:
    """What is printed, by `name query`; everything must have gone well."""

    def call(*arguments, **files) -> dict[str, str]:
        outcome = evaluated(*arguments, **files)
        assert outcome.code == 0, outcome.messages
        return printed(outcome)

    return call


def printed(outcome: CommandOutcome) -> dict[str, str]:
    fields = [line.split("\t") for line in outcome.output.decode().splitlines()]
    return {f"{name.strip()} {query}": value.strip() for name, query, value in fields}
