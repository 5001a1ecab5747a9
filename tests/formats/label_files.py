"""Labels of two judges, whichever layout they were read from."""

import numpy as np

GRADES = [[2, 0, np.nan], [1, 0, 3]]
"""Of ada and ben, for q1 d1, q1 d2 and q2 d1."""


def is_same(labels, grades=GRADES):
    assert labels.judges == ("ada", "ben")
    assert np.array_equal(labels.grades, grades, equal_nan=True)
    return True
