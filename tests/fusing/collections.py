"""Small collections drawn at random."""

import numpy as np


def collection(queries=12, documents=15, runs=3, seed=0):
    rng = np.random.default_rng(seed)
    names = [f"d{at}" for at in range(documents)]
    judged = {
        f"q{q}": {name: int(grade) for name, grade in zip(names, rng.integers(0, 3, documents), strict=True)}
        for q in range(queries)
    }
    unjudged = {f"u{at}": 0.5 for at in range(documents // 2)}
    systems = {
        f"s{at}": {
            query: {
                name: float(grade + rng.normal(0, 1.5))
                for name, grade in {**grades, **unjudged}.items()
                if rng.random() < 0.7
            }
            for query, grades in judged.items()
        }
        for at in range(runs)
    }
    return judged, systems
