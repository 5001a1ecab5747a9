from __future__ import annotations

import numpy as np

from cranfield.align import JudgedRanking
from cranfield.measures.scoring import View
from cranfield.notation import grouped, ranking


class TestView:
    def test_it_shows_a_ranking_down_to_a_depth_and_then_without_unjudged_documents(self):
        seen = View(3, judged_only=True)(ranking("1-21"))
        assert seen.ranks.tolist() == [1, 2, np.inf]
        assert seen.retrieved == 2

    def test_without_a_depth_all_is_seen(self):
        whole = ranking("1-21")
        assert View()(whole) is whole

    def test_documents_with_several_grades_below_the_depth_count_as_not_retrieved(self):
        seen = View(1)(grouped("10 01"))
        assert seen.ranks.tolist() == [1, np.inf]
        assert seen.retrieved == 1

    def test_a_depth_does_not_narrow_the_arrays_over_which_measures_sum(self):
        long = ranking("1" * 100)
        seen = View(10)(long)
        assert isinstance(seen, JudgedRanking)
        assert seen.ranks.shape == long.ranks.shape
        assert seen.retrieved == 10
