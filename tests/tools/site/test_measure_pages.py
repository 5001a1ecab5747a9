"""A page for each measure, whose numbers are those that are computed."""

import math
import re

import pytest

import cranfield as cf
from cranfield.catalogue import entries
from cranfield.measures import AP, ERR, RR, Bpref, P, nDCG
from tools.site.discount import gains, picture
from tools.site.measure_pages import RANKING, addresses, measure_page, measure_pages

PAGES = {page.name: page.text for page in measure_pages()}


def test_every_measure_has_a_page_with_formula_example_and_source():
    for entry in entries():
        text = PAGES[f"measures/{entry.definition.name.lower()}"]
        assert ("```{math}" in text) == bool(entry.formula)
        assert ("```pycon" in text) == bool(entry.example)
        assert ("## Cite as" in text) == bool(entry.definition.cite)


def test_no_two_measures_share_a_page_where_case_does_not_count():
    assert len({name.lower() for name in PAGES}) == len(entries()) + 1


def test_links_into_the_page_of_all_measures_find_the_page_of_each():
    assert addresses()["ndcg"] == "measures/ndcg"
    assert addresses()["alpha_ndcg"] == "measures/alpha_ndcg"


@pytest.mark.parametrize("measure", ["nDCG", "AP", "RBP", "ERR", "P"])
def test_the_score_by_each_tool_s_choices_is_what_an_evaluation_under_its_profile_gives(measure):
    judged = {"q": {"a": 2, "c": 0, "d": 1, "e": 0, "f": 1, "lost": 2}}
    run = {"q": list("abcdef")}
    asked = f"{measure}@5" if measure == "P" else measure
    rows = re.findall(r"^\| ([\w., ()-]+) \| [^|]+ \| (\d\.\d{4}) \|$", PAGES[f"measures/{measure.lower()}"], re.M)
    assert rows
    assert RANKING == "2-0101|2"
    for tools, score in rows:
        for tool in tools.replace(" (see note)", "").split(", "):
            evaluated = cf.evaluate(judged, run, asked, profile=tool)
            assert f"{evaluated.values[0, 0, 0]:.4f}" == score, tool


def test_what_no_choice_covers_is_said_below():
    assert re.search(
        r"ranx \(see note\).*\n\nNotes:\n\n(- .*\n)*- ranx: its rbp multiplies", PAGES["measures/rbp"], re.S
    )


def test_ndcg_discounts_by_the_logarithm_whatever_stands_above():
    found = gains(nDCG)
    assert found.same
    assert found.first[0] / found.first[2] == pytest.approx(math.log2(4))


def test_only_the_first_relevant_document_adds_to_the_reciprocal_rank():
    found = gains(RR)
    assert found.first == tuple(1 / rank for rank in range(1, 21))
    assert set(found.second) == {0.0}


def test_a_second_document_adds_more_to_average_precision_than_the_first_at_its_rank():
    found = gains(AP)
    assert found.first[3] == pytest.approx(1 / 4 / 2)
    assert found.second[2] == pytest.approx(2 / 4 / 2)


def test_a_user_who_is_satisfied_sees_less_of_a_second_document():
    found = gains(ERR)
    assert all(second < first for first, second in zip(found.first[1:], found.second, strict=True))


def test_beyond_the_cutoff_nothing_is_added():
    assert gains(P @ 5).first == (0.2,) * 5 + (0.0,) * 15


def test_there_is_no_picture_of_what_a_document_adds_to_a_count():
    assert gains(cf.parse("NumRet")) is None
    assert "## What a relevant document adds" not in PAGES["measures/numret"]


def test_the_picture_says_in_words_what_it_shows():
    drawn = picture(gains(Bpref))
    assert 'role="img" aria-label="A relevant document adds to Bpref: 0.5 at rank 1' in drawn
    assert "\n\n" not in drawn


def test_sources_are_links():
    (ndcg,) = [entry for entry in entries() if entry.definition.name == "nDCG"]
    assert "[doi:10.1145/582415.582418](https://doi.org/10.1145/582415.582418)" in measure_page(ndcg)
