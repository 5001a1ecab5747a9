"""A log of a policy with known propensities."""

import numpy as np

RATES = np.array([0.5, 0.2, 0.1])
LOGGED = np.array([0.2, 0.3, 0.5])
ITEMS = ("a", "b", "c")


def bandit(rows, seed):
    """Rows of a policy that mostly shows what is clicked least."""
    rng = np.random.default_rng(seed)
    item = rng.choice(3, rows, p=LOGGED)
    click = rng.random(rows) < RATES[item]
    return [
        {"item_id": ITEMS[i], "click": int(c), "propensity_score": LOGGED[i]}
        for i, c in zip(item.tolist(), click.tolist(), strict=True)
    ]
