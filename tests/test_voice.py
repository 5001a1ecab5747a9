"""Words that readers have to look up, or read twice, do not come back: in messages, help, pages and the docs."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "cranfield"
WORDS = {
    r"\bbeside\b": "next to, compared with",
    r"\banew\b": "again",
    r"\barises?\b": "is calculated",
    r"\btold\b": "reported; distinguished",
    r"\bto be told\b": "significant",
    r"\bheld against\b": "compared with",
    r"\bfor want of\b": "because there is no",
    r"(?<!each )\bof which\b": "of them, whose",
    r"\bfrom -?\d+ on\b": "of at least",
    r"(\d|\}) %": "95%, without a blank",
    r"\bp = 0\.0+\b": "p with digits that mean something",
    r"the same gives the same": "say what is the same",
    r"(^|[.:;] )(Had|Were) [a-z]+ ": "If …",
    r"(^|[.] )Of (several|others|\{\}|[A-Z]\w+),? ": "For several …",
}
"""What is not written, and what is written instead."""
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def retired(text):
    """The retired words in a text, with what to write instead."""
    return {match[0].strip(): better for words, better in WORDS.items() if (match := re.search(words, text))}


@pytest.mark.parametrize(
    "text",
    [
        "hybrid beside bm25",
        "cannot be told apart",
        "a whole number from 1 on",
        "95 % of the time",
        "p = 0.0000",
        "Had nothing changed, it would pass.",
        "Of {}, less is better.",
    ],
)
def test_the_list_finds_what_it_is_for(text):
    assert retired(text)


@pytest.mark.parametrize("text", ["95% of the time", "p = 0.012", "from 1 to 10", "Of all documents, 3 are new"])
def test_the_list_lets_other_words_be(text):
    assert not retired(text)


def literals(tree):
    """The texts in code that a reader may meet, with their lines: no docstrings, and {} for what is filled in."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            node.value = None  # a docstring
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(p.value if isinstance(p, ast.Constant) else "{}" for p in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield node.lineno, node.value


def test_messages_and_help():
    found = [
        f"{path.relative_to(SOURCE)}:{line}: {words}: {text!r}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line, text in literals(ast.parse(path.read_text(encoding="utf-8")))
        if (words := retired(text)) and " " in text.strip()
    ]
    assert not found, "\n".join(found)


def remarks(path):
    """The docstrings and comments of a module."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    yield from (token.string for token in tokens if token.type == tokenize.COMMENT)


@pytest.mark.parametrize("folder", ["src", "docs", "tools", "benchmarks", "fuzzing", "parity"])
def test_docstrings_and_comments(folder):
    words = re.compile(r"\b(beside|anew|arises?|held against)\b", re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}: {text}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        if words.search(path.read_text(encoding="utf-8"))  # few modules have to be parsed
        for text in remarks(path)
        if words.search(text)
    ]
    assert not found, "\n".join(found)


def helped(command):
    """What the help of a command says, and that of its options."""
    yield command.help or ""
    yield from (getattr(option, "help", None) or "" for option in command.params)


def test_help_texts():
    import click

    from cranfield.cli import COMMANDS, cranfield

    context = click.Context(cranfield)
    found = {
        name: words
        for name in COMMANDS
        for text in helped(cranfield.get_command(context, name))
        if (words := retired(text))
    }
    assert not found


@pytest.mark.parametrize("suffix", ["html", "js"])
def test_the_report_and_other_pages(suffix):
    quoted = r"`[^`]*`|\"[^\"\n]*\"" if suffix == "js" else r"(?<=>)[^<>{}]+(?=<)"
    found = [
        f"{path.name}: {words}: {text!r}"
        for path in sorted(SOURCE.rglob(f"*.{suffix}"))
        for text in re.findall(quoted, path.read_text(encoding="utf-8"))
        if (words := retired(text))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_documentation(page):
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    found = [f"{words}: {line}" for line in prose.splitlines() if (words := retired(re.sub(r"`[^`]*`", "", line)))]
    assert not found, "\n".join(found)
