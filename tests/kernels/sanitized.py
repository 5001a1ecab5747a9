"""A fuzz run of the compiled loops built with sanitizers: any read or write outside a buffer ends the process.

Run in a process of its own by `test_sanitizer.py`, with the path of that build and a number of rounds.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import io
import json
import sys
from array import array
from contextlib import nullcontext
from itertools import accumulate
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
    judged = scan.Judged(QUERIES[:5], DOCUMENTS * 5, array("q", starts))
    regular = sound = 0
    for _ in range(rounds):
        text = changed(rng, random_run(rng) + b"\n")
        # As little behind the chunk as is allowed, so that nothing beyond it goes unnoticed.
        buffer = bytearray(text + bytes(scan.SLACK))
        scan.cut(buffer, len(text))
        scan.cut(buffer, rng.randint(0, len(text)))
        parts, queries = [bytearray() for _ in range(rng.randint(1, 3))], scan.Numbering()
        for add_new in (True, False):
            scan.sort_into(parts, queries, buffer, len(text), add_new=add_new)
        for part in parts:
            scan.side_by_side(part)
        found = scan.scan(judged, buffer, len(text), ties=rng.choice(scan.ORDERS), single=rng.random() < 0.5)
        regular += found is not None
        text = changed(rng, random_judgments(rng, 4, rng.choice((("0",), ("1", "2", "é")))) + b"\n")
        scan.grouped_judgments_in(bytearray(text + bytes(scan.SLACK)), len(text), largest=1e100)
        found = scan.judgments_in(bytearray(text + bytes(scan.SLACK)), len(text), fields=4, largest=1e100)
        if found is not None:
            queries, starts, documents, begins, _ = found
            scan.Judged(queries, documents, memoryview(starts).cast("q"), memoryview(begins).cast("q"))
        for token in rng.choices(SCORES + ODD_SCORES, k=3):
            scan.number_in(changed(rng, token.encode()))
        sound += read_columns(scan, rng, judged)
        read_click_rows(scan, rng)
        read_ubi_records(scan, rng)
    several_threads(Random("threads"), rounds // 20)
    print(f"{rounds} rounds, {regular} regular, {sound} sound")


def read_columns(scan, rng: Random, judged) -> bool:
    """Columns of a table, sometimes of texts that lie nowhere or have no number; whether they were read."""
    from tests.kernels.files import DOCUMENTS, QUERIES

    rows = [
        (query, id_) for query in rng.sample(QUERIES, 4) for id_ in rng.sample(DOCUMENTS, rng.choice((1, 2, 9, 20)))
    ]
    if rng.random() < 0.2:
        rng.shuffle(rows)
    queries, documents = zip(*rows, strict=True)
    values = array("d", [rng.choice((1.0, 2.0, 3.0, -1.0, 0.5)) for _ in queries])
    ranks = array("d", range(len(queries))) if rng.random() < 0.3 else None
    gathering = scan.Gathering(largest=1e100)
    try:
        columns = random_column(scan, rng, queries), random_column(scan, rng, documents)
        columns[0].edges()
        for column in columns:
            for row in range(len(column)):
                column[row]
            scan.Numbering().numbers_of(column, add_new=True)
        numbering, parts = scan.Numbering(), [bytearray() for _ in range(rng.choice((1, 2, 5)))]
        if scan.sort_rows_into(parts, numbering, *columns, values, ranks, add_new=True):
            for at, part in enumerate(parts):
                if rng.random() < 0.2:
                    part = part[: rng.randint(0, len(part))]
                own = scan.rows_side_by_side(part, numbering, at, len(parts), has_ranks=ranks is not None)
                if len(own[0]):
                    scores, own_ranks = (held and memoryview(held).cast("d") for held in own[2:])
                    scan.scan_columns(judged, *own[:2], scores, own_ranks, ties="document", single=False)
        found = scan.scan_columns(judged, *columns, values, ranks, ties=rng.choice(scan.ORDERS), single=False)
        added = [gathering.add(*columns, values) for _ in range(rng.randint(0, 2))]
        together = gathering.together() if all(added) else None
        if together is not None:
            queries, starts, documents, begins, _ = together
            numbered = gathering.queries if rng.random() < 0.5 else None
            starts, begins = (memoryview(part).cast("q") for part in (starts, begins))
            own = scan.Judged(queries, documents, starts, begins, numbered)
            scan.scan_columns(own, *columns, values, None, ties="given", single=True)
    except ValueError:
        return False
    return found is not None


def read_click_rows(scan, rng: Random) -> None:
    """Lines of a click log, some of them damaged, and sums over some impressions."""
    lists, in_json = rng.random() < 0.5, rng.random() < 0.5
    parts = ("session", "query", "documents", "clicks") if lists else ("session", "query", "document", "clicked")
    rows = [
        (rng.choice("st"), f"q{at // 3}é", *shown_and_clicked(rng, lists, in_json)) for at in range(rng.randint(1, 9))
    ]
    if in_json:
        lines = [
            f'{{"session": "{s}", "query": "{q}\\u00e9", "{parts[2]}": {d}, "{parts[3]}": {c}}}' for s, q, d, c in rows
        ]
    else:
        lines = [f'{s},"{q} ""{q}""",{d},{c}' for s, q, d, c in rows]
    text = changed(rng, ("\n".join(lines) + "\n").encode()) + b"\n"
    known = {f"{name}": scan.Numbering() for name in ("sessions", "queries", "impressions", "documents")}
    where = (
        {"names": {part: part.encode() for part in parts}}
        if in_json
        else {"places": {p: at for at, p in enumerate(parts)}}
    )
    read = scan.ClickRows(**known, **where, refused=[b"hits"], width=4, least_propensity=1e-12)
    buffer = bytearray(text + bytes(scan.SLACK))
    read.read(buffer, len(text), 1, delimiter=None if in_json else b",")


def read_ubi_records(scan, rng: Random) -> None:
    """Queries and events of OpenSearch UBI, some of them damaged, and what is made of them."""
    lines = []
    for _ in range(rng.randint(1, 9)):
        record = {"query_id": f"q\n{rng.randint(1, 4)}", "client_id": f"é{rng.randint(1, 3)}"}
        if rng.random() < 0.5:
            attributes = {"object": {"object_id": f"d{rng.randrange(40)}"}, "position": {"ordinal": rng.randint(0, 9)}}
            record |= {"action_name": rng.choice(("click", "é", "impression")), "event_attributes": attributes}
        else:
            record["query_response_hit_ids"] = [f"d{rng.randrange(40)}é" for _ in range(rng.randint(0, 12))]
        lines.append(json.dumps(record))
    text = changed(rng, ("\n".join(lines) + "\n").encode()) + b"\n"
    known = {name: scan.Numbering() for name in ("queries", "texts", "sessions", "documents", "actions")}
    read = scan.UbiRecords(**known, clicks=[b"click"], refused=[b"hits"]).read(
        bytearray(text + bytes(scan.SLACK)), len(text), 1
    )
    if read is not None:
        lengths, documents, objects = (memoryview(read[at]).cast("i") for at in (7, 8, 10))
        scan.renumbered(known["documents"], scan.Numbering(), documents)
        if len(lengths):
            starts = array("q", [0, *accumulate(lengths)])
            lists = array("i", [rng.randrange(len(lengths)) for _ in objects])
            scan.mark_clicked(starts, documents, lists, objects)


def shown_and_clicked(rng: Random, lists: bool, in_json: bool) -> tuple[str, str]:
    """A document and whether it was clicked, or several of them."""
    documents = [f"d{rng.randrange(40)}" for _ in range(rng.randint(1, 12) if lists else 1)]
    clicks = [str(rng.randint(0, 1)) for _ in documents]
    if in_json and lists:
        return f"[{', '.join(map(repr, documents))}]".replace("'", '"'), f"[{', '.join(clicks)}]"
    if in_json:
        return f'"{documents[0]}"', clicks[0]
    return "|".join(documents), "|".join(clicks)


def random_column(scan, rng: Random, ids):
    """Texts, numbers of texts, or whole numbers; now and then something else than is meant."""
    encoded = [id_.encode() for id_ in dict.fromkeys(ids)]
    known = {id_: at for at, id_ in enumerate(dict.fromkeys(ids))}
    kind = rng.choice(("texts", "numbers of texts", "whole numbers"))
    numbers = array("q", [known[id_] for id_ in ids])
    if kind == "whole numbers":
        shift = rng.choice((0, -40, 10**8 - 20, 10**16 - 20, 2**63 - 100, -(2**63)))
        return scan.IdColumn(array("q", [number + shift for number in numbers]))
    if kind == "texts":
        encoded = [id_.encode() for id_ in ids]
    starts = array("q", [rng.randint(0, 3)])
    starts.extend(starts[0] + length for length in accumulate(map(len, encoded)))
    text = b"x" * starts[0] + b"".join(encoded)
    if rng.random() < 0.2:
        hurt = rng.choice((numbers, starts))
        hurt[rng.randrange(len(hurt))] = rng.choice((-1, 0, 1, len(hurt), len(text), 2**62, -(2**62)))
    if rng.random() < 0.1:
        text = text[: rng.randint(0, len(text))] if rng.random() < 0.5 else changed(rng, text)
    # In memory of its own, and with nothing behind it.
    return scan.IdColumn(None if kind == "texts" else numbers, starts, bytearray(text))


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
