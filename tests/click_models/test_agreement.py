"""Labels from clicks compared with labels from people."""

import math

import numpy as np

from cranfield.click_models.agreement import agreement


def test_what_is_undefined_is_said_in_words_and_is_nothing_in_json():
    # People call every document relevant: nothing to put below them.
    same = agreement(np.array([1.0, 1.0]), np.array([1.0, 1.0]), np.array([0.5, 0.7]), cross_validated=False)
    assert math.isnan(same.auc)
    assert "AUC undefined" in same.verdict()
    assert "AUC is undefined: it needs documents that people call relevant" in same.verdict()
    assert "nan" not in same.verdict()
    assert same.to_dict()["auc"] is None
