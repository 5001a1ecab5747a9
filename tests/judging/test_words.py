"""What is said about agreement."""

import cranfield as cf


def test_the_verdict_says_how_often_and_how_sure(agreement):
    verdict = agreement.verdict()
    assert verdict.startswith("ada, ben and cleo gave the same grade 68% of the time (1,338 documents with")
    assert "Krippendorff's alpha (ordinal) is 0.58 (95% interval 0.5" in verdict
    assert "ben grades 0.17 higher and cleo grades 0.16 lower than the others" in verdict


def test_where_one_grade_prevails_the_verdict_says_so():
    rows = [
        (f"q{at % 20}", f"d{at}", judge, int(at % 50 == shift))
        for at in range(1000)
        for judge, shift in (("ada", 0), ("ben", 1))
    ]
    verdict = cf.agree(rows).verdict()
    assert "98% of the labels are 0, so chance alone would agree 96% of the time" in verdict
    assert "Gwet's AC1 is 0.96" in verdict
    assert "lowest for 1 (0%)" in verdict
