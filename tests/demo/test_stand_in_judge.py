"""The stand-in for a model answers as an endpoint does."""

import json
import urllib.request

from cranfield.demo.stand_in_judge import answer, serving


def test_answers_both_prompts():
    fence = "===== 0123456789ab ====="
    document = {"role": "user", "content": f"Query: apple tree\n{fence}\nApple tree care\n{fence}"}
    assert answer([document]) == '{"grade": 3}'
    umbrela = {"role": "user", "content": "Query: apple tree\nPassage: Apple tree care\n\nSplit this problem into"}
    assert answer([umbrela]) == "##final score: 3"


def test_speaks_as_an_endpoint_does():
    body = json.dumps({"model": "any", "messages": [{"role": "user", "content": "Query: x"}]}).encode()
    with serving() as url, urllib.request.urlopen(f"{url}/chat/completions", body) as response:
        reply = json.load(response)
    assert reply["choices"][0]["message"]["content"] == '{"grade": 0}'
    assert reply["usage"]["prompt_tokens"] == 2
