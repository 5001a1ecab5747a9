"""Every message that a user can meet is on a page, made by the code that makes it."""

import ast
import re

from tools.site.error_pages import WORDED, error_pages, messages
from tools.site.listing import ROOT

PAGES = {page.name: page.text for page in error_pages()}


def _wordings():
    for path in sorted((ROOT / "src" / "cranfield" / "errors").glob("*.py")):
        if path.stem != "findings":
            for function in ast.parse(path.read_text(encoding="utf-8")).body:
                public = isinstance(function, ast.FunctionDef) and not function.name.startswith("_")
                words = public and ast.unparse(function.returns) in WORDED
                # What is given its message has none of its own.
                if words and "message" not in [argument.arg for argument in function.args.args]:
                    yield path.stem, function.name


def test_every_wording_is_shown_with_a_message_it_makes():
    shown = messages()
    assert {(message.module, message.name) for message in shown} == {*_wordings()}
    assert len(shown) > 400
    for message in shown:
        assert message.text in PAGES[f"errors/{message.module.replace('_', '-')}"]


def test_every_kind_that_the_code_has_is_in_the_list_of_kinds():
    listed = set(re.findall(r"^\| `([\w-]+)` \|", PAGES["errors/index"], re.MULTILINE))
    assert {"unknown-queries", "tied-scores", "score-not-a-number"} <= listed
    assert {message.kind for message in messages()} - {"usage"} == listed


def test_an_error_in_data_ends_with_3_a_wrong_call_with_2_and_a_warning_ends_nothing():
    by_name = {f"{message.module}.{message.name}": message for message in messages()}
    assert by_name["rows.not_a_number"].exit_code == 3
    assert by_name["gate.no_baseline"].exit_code == 2
    assert by_name["rows.decimal_commas"].exit_code is None


def test_a_message_is_the_command_s_not_python_s():
    assert "--columns" in PAGES["errors/clicks"]


def test_what_is_other_in_python_follows():
    text = PAGES["errors/files"]
    _, _, entry = text.partition("5 columns where a TREC run has 6")
    assert "--columns query,_,document,rank,score." in entry.partition("In Python:")[0]
    assert 'columns="query,_,document,rank,score".' in entry.partition("In Python:")[2].partition("## ")[0]
    assert "In Python:" not in text.partition("## Nothing is at this path")[2].partition("## ")[0]


def test_examples_have_values_that_their_message_can_have():
    texts = {f"{message.module}.{message.name}": message.text for message in messages()}
    assert "12,5 is read as 12.5" in texts["rows.decimal_commas"]
    assert "7 columns where a TREC run has 6; those after" in texts["files.extra_columns"]
    assert "bm52.run: there is no such file\nDid you mean bm25.run?" in texts["files.no_such_file"]
    assert "part-0.csv looks like csv, part-1.json looks like json" in texts["files.parts_differ"]


FILLERS = (
    r"\bmany is",
    r"'name'",
    r"\('a', 'b'\)",
    r"\bfour\b",
    r"something is wrong",
    r"\b(\S+) looks like \S+, \1 looks",
    r"(\S+): there is no such file\n.*mean \1",
    r"(?<!not )valid JSON: Permission",
    r"'([\w.-]+)'[^'\n]*\. Did you mean \1\?",
)


def test_no_example_is_made_of_values_that_stand_for_nothing():
    for message in messages():
        for filler in FILLERS:
            assert not re.search(filler, message.text), (message.name, message.text)


def test_arguments_that_are_refused_where_they_are_read_are_listed_too():
    text = PAGES["errors/arguments"]
    assert "- … needs a … after '@'" not in text
    assert "Name judgments and at least one run" in text
    assert len(re.findall("^- ", text, re.MULTILINE)) > 200
