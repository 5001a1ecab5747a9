"""BM25 over chunks of so many sentences: `python retrieve.py 3 > three.run`."""

import json
import math
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

HERE = Path(__file__).parent
K1, B, DEPTH = 1.2, 0.75, 20


def records(name):
    with (HERE / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def words(text):
    return re.findall(r"[a-z]{3,}", text.lower())


def chunks(size):
    """The words of each chunk, by its id; the title stands before each."""
    for document in records("documents.jsonl"):
        sentences = re.split(r"(?<=[.!?]) ", document["text"])
        for number, start in enumerate(range(0, len(sentences), size), 1):
            text = " ".join([document["title"], *sentences[start : start + size]])
            yield f"{document['doc_id']}#{number}", words(text)


def answers(size):
    """For each question the scores of its best chunks: `{question: {chunk: score}}`."""
    found = dict(chunks(size))
    mean = sum(map(len, found.values())) / len(found)
    postings = defaultdict(dict)
    for chunk, its_words in found.items():
        for word, count in Counter(its_words).items():
            postings[word][chunk] = count
    run = {}
    for question in records("questions.jsonl"):
        scores = defaultdict(float)
        for word in words(question["text"]):
            rarity = math.log(1 + (len(found) - len(postings[word]) + 0.5) / (len(postings[word]) + 0.5))
            for chunk, count in postings[word].items():
                norm = K1 * (1 - B + B * len(found[chunk]) / mean)
                scores[chunk] += rarity * count * (K1 + 1) / (count + norm)
        best = sorted(scores.items(), key=lambda scored: (-scored[1], scored[0]))[:DEPTH]
        run[question["query_id"]] = dict(best)
    return run


if __name__ == "__main__":
    size = int(sys.argv[1])
    for question, scores in answers(size).items():
        for rank, (chunk, score) in enumerate(scores.items(), 1):
            print(question, "Q0", chunk, rank, f"{score:.6f}", f"chunks-of-{size}")
