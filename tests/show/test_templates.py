"""What all pages share: names and texts appear as text."""

from cranfield.show.templates import environment


def prose(text: str) -> str:
    return str(environment("").filters["prose"](text))


def test_commands_in_a_sentence_are_code():
    assert prose("Use `cranfield correct` or `--probes 20`.") == (
        "Use <code>cranfield correct</code> or <code>--probes 20</code>."
    )


def test_names_stay_as_they_are_written():
    assert prose("a`b and c`d") == "a`b and c`d"
    assert prose("`<script>`, `cranfield <b>`") == "`&lt;script&gt;`, <code>cranfield &lt;b&gt;</code>"
    assert prose("bm25 and שלום") == "bm25 and <bdi>שלום</bdi>"
