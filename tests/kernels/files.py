"""Made-up TREC runs and judgments, sound and otherwise, from a seeded source of chance."""

from __future__ import annotations

from random import Random

QUERIES = ("q1", "q2", "1", "é", "a-very-long-query", "a-very-long-query-2", "exactly8", "q")
DOCUMENTS = (
    *(f"d{number}" for number in range(12)),
    *("D0000001", "D00000012", "中", "😀", "\uffee", "é", "e", "12345678", "x" * 33, "x" * 32 + "y", "#d"),
)
SCORES = (
    *("1", "2", "0.5", "-1", "+3", ".5", "5.", "1e3", "1E-3", "0", "-0", "0.0", "inf", "-Infinity", "1e400", "1e-400"),
    *("0.30000000000000004", "12345678901234567890.5", "2.2250738585072011e-308", "9007199254740993", "1.00000001"),
)
ODD_SCORES = ("nan", "x", "1_0", "0x10", "1e", "--1", "1.2.3", ".", "+", "e5", "１", "1\x00", "NaN", "infinit")
RANKS = ("1", "0", "7", "1.0", "-3", "007", "1e1")
ODD_RANKS = ("x", "nan", "-", "1_0", "")
ENDS = (b"\n", b"\n", b"\n", b"\r\n", b" \n", b"\t\x0b\x0c\n")
ODD_LINES = (b"# a comment", b"#q1 Q0 d1 1 1 t", b"", b"  \t", b"q1 Q0 d1", b"q1 Q0 d1 1 2 t more", b"\x00", b"\xff")


def random_run(rng: Random) -> bytes:
    """A run of a few queries: often sound, sometimes scattered, unsorted or tied, sometimes wrong somewhere."""
    dirt = rng.choice((0, 0, 0, 0.02, 0.2))
    lines = []
    for query in rng.choices(QUERIES, k=rng.randint(0, 6)) if rng.random() < 0.3 else rng.sample(QUERIES, 4):
        lines += _lines(rng, query, dirt)
    if rng.random() < 0.1:
        rng.shuffle(lines)
    text = b"".join(lines)
    if rng.random() < dirt:
        text = rng.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\n\n", b"#")) + text
    if rng.random() < 0.2:
        text = text[: rng.randint(0, len(text))] if rng.random() < dirt else text.removesuffix(b"\n")
    return text


def _lines(rng: Random, query: str, dirt: float) -> list[bytes]:
    again = rng.random() < dirt
    documents = rng.choices(DOCUMENTS, k=6) if again else rng.sample(DOCUMENTS, rng.randint(0, len(DOCUMENTS)))
    scores = [rng.choice(SCORES) if rng.random() < 0.7 else repr(rng.uniform(-9, 9)) for _ in documents]
    scores.sort(key=float, reverse=True)
    first, same = rng.randint(0, 1), rng.random() < 0.3
    ranked = [(document, "1" if same else str(first + at), scores[at]) for at, document in enumerate(documents)]
    if rng.random() < 0.3:
        rng.shuffle(ranked)
    lines = []
    for document, rank, score in ranked:
        if rng.random() < dirt:
            rank = rng.choice(RANKS + ODD_RANKS)
        if rng.random() < dirt:
            score = rng.choice(ODD_SCORES)
        blank = rng.choice((b" ", b" ", b" ", b"\t", b"  ", b" \t "))
        fields = [field.encode() for field in (query, "Q0", document, rank, score, "tag")]
        if rng.random() < dirt:
            fields[rng.randrange(6)] = rng.choice((b"\xe9", b"\xed\xa0\x80", b"\x01", b"\xc0\xaf", b"tag tag", b""))
        lines.append(rng.choice((b"", b"", b"", b" ")) * (rng.random() < 0.1) + blank.join(fields) + rng.choice(ENDS))
        if rng.random() < dirt:
            lines.append(rng.choice(ODD_LINES) + b"\n")
        elif rng.random() < 0.02:
            lines.append(b"\n")
    return lines


GRADES = ("0", "1", "2", "3", "-1", "0.5", "1e2", "+1", "-0", "007", "1e-400", "9007199254740993")
ODD_GRADES = ("x", "nan", "inf", "-inf", "1e101", "1_0", "1.2.3", "", "1\x00")


def random_judgments(rng: Random, columns: int = 4, groups: tuple[str, ...] = ("0",)) -> bytes:
    """Judgments of a few queries: often sound, sometimes scattered, sometimes wrong somewhere or judged twice.

    Of several groups each has judged some documents.
    """
    dirt = rng.choice((0, 0, 0, 0.02, 0.2))
    lines = []
    for query in rng.sample(QUERIES, rng.randint(0, len(QUERIES))):
        documents = rng.sample(DOCUMENTS, rng.randint(0, len(DOCUMENTS)))
        if rng.random() < dirt:
            documents += documents[:2]
        judged = [(group, document) for document in documents for group in rng.sample(groups, 1 + len(groups) // 2)]
        for group, document in judged:
            fields = [query, group, document, rng.choice(ODD_GRADES if rng.random() < dirt else GRADES)]
            encoded = [field.encode() for field in (fields if columns == 4 else [query, *fields[2:]])]
            if rng.random() < dirt:
                encoded[rng.randrange(columns)] = rng.choice((b"\xe9", b"\xed\xa0\x80", b"\x01", b"0 0", b""))
            blank = rng.choice((b" ", b" ", b"\t", b"  "))
            lines.append(b" " * (rng.random() < 0.1) + blank.join(encoded) + rng.choice(ENDS))
            if rng.random() < dirt:
                lines.append(
                    rng.choice((b"# a comment", b"#q1 0 d1 1", b"", b" ", b"q1 0 d1", b"q1 0 d1 1 1", b"\xff")) + b"\n"
                )
    if rng.random() < 0.3:
        rng.shuffle(lines)
    text = b"".join(lines)
    if rng.random() < dirt:
        text = rng.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\n\n", b"#")) + text
    return text.removesuffix(b"\n") if rng.random() < 0.3 else text
