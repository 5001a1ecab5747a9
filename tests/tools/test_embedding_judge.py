"""A small real model as a judge: the model itself is in an environment of its own."""

import json
import urllib.request

import pytest

from cranfield.demo.stand_in_judge import serving
from tools.embedding_judge import LIMITS, grade_of


@pytest.mark.parametrize(("cosine", "grade"), [(-1, 0), (0.349, 0), (0.35, 1), (0.5, 2), (0.65, 3), (1, 3)])
def test_the_more_similar_the_higher_the_grade(cosine, grade):
    assert grade_of(cosine) == grade
    assert list(LIMITS) == sorted(LIMITS)


def test_another_judge_may_give_the_grades_of_the_endpoint():
    message = {"role": "user", "content": "Query: beans"}
    body = json.dumps({"messages": [message]}).encode()
    with serving(grade=lambda query, document: len(query), model="letters") as url:
        answer = json.load(urllib.request.urlopen(f"{url}/chat/completions", body))
    assert answer["model"] == "letters"
    assert json.loads(answer["choices"][0]["message"]["content"]) == {"grade": 5}
