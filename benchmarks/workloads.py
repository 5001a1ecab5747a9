"""Made-up collections of stated shapes, from a fixed seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Workload:
    """So many queries, documents and judgments per query, grades from 0 to the largest."""

    name: str
    queries: int
    depth: int
    judged: int
    largest_grade: int

    def write(self, directory: Path) -> tuple[Path, Path]:
        """Judgments and a run as TREC files; half of the judged documents are retrieved."""
        rng = random.Random(f"cranfield {self.name}")
        qrels, run = directory / f"{self.name}.qrels", directory / f"{self.name}.run"
        with qrels.open("w") as judgments, run.open("w") as ranking:
            for query in range(1, self.queries + 1):
                documents = rng.sample(range(8_000_000), self.depth + self.judged // 2)
                retrieved, missed = documents[: self.depth], documents[self.depth :]
                for document in rng.sample(retrieved, (self.judged + 1) // 2) + missed:
                    grade = rng.randint(1 if self.judged == 1 else 0, self.largest_grade)
                    judgments.write(f"{query} 0 D{document:07d} {grade}\n")
                score = 40.0
                for rank, document in enumerate(retrieved, 1):
                    score -= rng.random() / 50
                    ranking.write(f"{query} Q0 D{document:07d} {rank} {score:.6f} made\n")
        return qrels, run


WORKLOADS = (
    Workload("deep-learning", queries=50, depth=1000, judged=200, largest_grade=3),
    Workload("adhoc", queries=250, depth=1000, judged=1000, largest_grade=2),
    Workload("passage", queries=6980, depth=1000, judged=1, largest_grade=1),
)
