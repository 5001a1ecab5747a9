"""Compiled loops read click logs as plain ones do, and leave to them whatever there is something to say about."""

from random import Random

import pytest

import cranfield as cf
from cranfield.errors import CranfieldError
from cranfield.formats import click_lines
from cranfield.kernels import CHOICE, are_compiled
from tests.effort import more
from tests.formats.click_logs import LOG, contents

pytestmark = pytest.mark.skipif(not are_compiled(), reason="the compiled loops are not there")

LOGS = {
    "results.csv": LOG,
    "quotes.csv": 'session,query,position,document,clicked\ns1,"q, 1",1,"a ""b""",0\ns1,"q, 1",2,"b",1\ns2,q1,1,é,1\n',
    "windows.csv": LOG.replace("\n", "\r\n"),
    "weighted.csv": "impression_id;query;rank;sku;click;propensity\n1;q;1;a;0;0.5\n1;q;2;b;yes;1e-3\n2;q;2;a;no;1\n",
    "bandit.csv": "item_id,position,click,propensity_score\n1,1,0,0.5\n2,2,1,0.25\n",
    "lists.csv": "session,query,documents,clicks\ns1,q1,d1|d2|d3,0|1|0\n"
    's2,q1,"d1,d2",d2\ns3,q2,"[""d1"", 5]",[1]\ns4,q3,d1 d2,\n',
    "ranks.csv": "query,docs,clicked_ranks,propensity\nq1,a b c,1 3,0.5 0.25 1\nq2,a;b,2,1;1\n",
    "neural.tsv": 's1\tq1\t["d1", "d2"]\t[0, 0]\t[0, 1]\ns2\tq2\t["d1", "d\\u00e4"]\t[0, 0]\t[1, 1]\n',
    "lists.jsonl": '{"session": "s1", "query": "q1", "documents": ["d1", 7], "clicks": [0, 1]}\n'
    '{"session": 12, "query": "q\\u00e9\\ud83d\\ude00", "documents": ["d1"], "clicks": ["d1"]}\n',
    "results.jsonl": '{"session": "s1", "query": "q1", "position": 1, "document": "d1", "clicked": 0, "a": [1.5]}\n'
    '{"query": "q1", "session": "s1", "position": 2, "document": "d2", "clicked": true, "a": null}\n',
}
PIECES = (
    *(
        '"',
        '""',
        "\r\n",
        "\n",
        "\r",
        ",",
        "\t",
        ";",
        "|",
        " ",
        "\0",
        "ä",
        "\xa0",
        "\x0b",
        "\\",
        "\\u00e9",
        "\\ud800",
        "#",
    ),
    *("[", "]", "{", "}", ":", "0", "1", "2", "1.0", "-0", "true", "null", "NaN", "d1", "q1", "s1", "1e5", "0,5", "_"),
    *('"x": 1, ', '"session": "z", ', '"hits": {"hits": []}, ', '"action_name": "click", '),
)


def outcome(path):
    """All that is read, or what is said instead."""
    try:
        log = cf.read_clicks(path)
    except CranfieldError as error:
        return str(error)
    ids = [tuple(names) for names in (log.sessions, log.queries, log.documents)]
    weights = None if log.propensity is None else log.propensity.tolist()
    return contents(log), ids, weights, log.warnings


def both(path, monkeypatch):
    """What is read without compiled loops and with them, and whether these did read the file."""
    monkeypatch.setenv(CHOICE, "plain")
    plain = outcome(path)
    monkeypatch.setenv(CHOICE, "compiled")
    answers, results = [], click_lines.results
    with monkeypatch.context() as watched:
        watched.setattr(click_lines, "results", lambda *given: answers.append(results(*given)) or answers[-1])
        compiled = outcome(path)
    return plain, compiled, answers[0] is not None


@pytest.mark.parametrize("name", LOGS)
def test_every_layout_is_read_by_compiled_loops_as_by_plain_ones(name, tmp_path, monkeypatch):
    path = tmp_path / name
    path.write_bytes(LOGS[name].encode())
    plain, compiled, were_used = both(path, monkeypatch)
    assert compiled == plain
    assert were_used


@pytest.mark.parametrize("name", LOGS)
def test_whatever_is_changed_both_say_the_same(name, tmp_path, monkeypatch):
    rng, path = Random(name), tmp_path / name
    for _ in range(more(60)):
        text = LOGS[name]
        for _ in range(rng.randint(1, 3)):
            at, end = sorted(rng.choices(range(len(text) + 1), k=2))
            piece = rng.choice(PIECES)
            text = rng.choice(
                [
                    text[:at] + piece + text[at:],
                    text[:at] + piece + text[at + 1 :],
                    text[:at] + text[min(end, at + 9) :],
                ]
            )
        path.write_bytes(text.encode(rng.choice(["utf-8", "utf-8", "cp1252"]), errors="replace"))
        plain, compiled, _ = both(path, monkeypatch)
        assert compiled == plain, text


def test_what_only_plain_loops_read_leaves_no_ids_behind(tmp_path, monkeypatch):
    odd, sound = tmp_path / "odd.csv", tmp_path / "sound.csv"
    odd.write_text(LOG.replace("s2,q2,1,c,0", 's3,"q\n2",1,c,0'))
    sound.write_text(LOG)
    plain, compiled, were_used = both([sound, odd, sound], monkeypatch)
    assert compiled == plain
    assert were_used


def test_a_log_of_many_blocks_is_numbered_as_it_comes(tmp_path, monkeypatch):
    rng, path = Random(5), tmp_path / "many.csv"
    rows = [
        f"s{at // 3},q{rng.randrange(50)},{at % 3},d{rng.randrange(9000)},{rng.randrange(2)}" for at in range(120_000)
    ]
    path.write_text("\n".join(["session,query,position,document,clicked", *rows]))
    plain, compiled, were_used = both(path, monkeypatch)
    assert compiled == plain
    assert were_used
