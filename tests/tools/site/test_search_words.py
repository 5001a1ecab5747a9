"""Words by which pages are found that do not use them."""

from tools.site.search_words import WORDS
from tools.site.sources import all_pages


def test_words_of_search_are_of_pages_that_there_are():
    terms = {page.name: page.terms for page in all_pages()}
    for name, words in WORDS.items():
        assert set(words) <= set(terms[name]), name
