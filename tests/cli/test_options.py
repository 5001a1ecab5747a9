"""How commands declare their options."""

import warnings
from typing import Literal

import click
import pytest
from click.testing import CliRunner

from cranfield.assessing.contents import contents_of, judged_from_runs
from cranfield.assessing.project import new_project
from cranfield.assessing.store import create_store
from cranfield.cli import COMMANDS
from cranfield.cli import cranfield as command
from cranfield.cli.options import Command, Real, Whole, bundle, choice, numbers, option, require_one_standard_input
from cranfield.formats import read_runs

HOSTILE = ["9" * 5000, "9" * 400, "1e400", "-1e400", "1e300", "-1", "0", "nan", "inf", "1e-17", "", "1_0", "٣", "0x10"]
CALLS = {
    "fuse": "a.run b.run",
    "fuse potential": "qrels.txt a.run b.run",
    "fuse tune": "qrels.txt a.run b.run",
    "convert": "a.run converted.csv",
    "evaluate": "qrels.txt a.run",
    "compare": "qrels.txt a.run b.run",
    "report": "qrels.txt a.run b.run -o page.html",
    "plan": "qrels.txt a.run b.run --difference 0.1",
    "gate": "qrels.txt b.run --baseline saved.json -m nDCG@10 --margin 0.1",
    "gate init": "qrels.txt b.run --force --rules new.toml --baseline new.json",
    "gate update": "qrels.txt b.run --baseline saved.json -m nDCG@10 --margin 0.1",
    "compare systems": "qrels.txt a.run b.run c.run --system others=[bc]",
    "compare orders": "both.json both.json",
    "score": "1011 0101",
    "explain": "qrels.txt a.run --query q1",
    "curve": "qrels.txt a.run",
    "why": "qrels.txt a.run",
    "similarity": "a.run b.run",
    "risk": "qrels.txt a.run b.run --baseline a",
    "recommendation": "a.run",
    "agree": "labels.csv",
    "agree explain": "labels.csv",
    "merge": "labels.csv",
    "correct": "some.txt qrels.txt a.run b.run",
    "correct plan": "some.txt qrels.txt a.run b.run --width 0.1",
    "correct documents": "sample.txt qrels.txt a.run",
    "judge": "judging.db --verify",
    "judge model": "judging.db --model demo",
    "judge trust": "judging.db",
    "pool": "a.run b.run",
    "pool simulate": "a.run b.run --judgments qrels.txt",
    "pool reusability": "a.run b.run --judgments qrels.txt",
    "pool plan": "a.run b.run --judgments qrels.txt --width 0.1",
    "clicks": "clicks.csv",
    "clicks models": "clicks.csv",
    "clicks estimate": "clicks.csv --run a.run",
    "clicks policy": "clicks.csv",
    "check": "qrels.txt a.run",
    "retrieve": "--queries queries.tsv -o new.run --restart --database judging.db --sql SELECT({query})LIMIT({size})",
}
SPELT = {
    "--margin",
    "--inconclusive",
    "--rows",
    "--size",
    "--shares",
    "--thresholds",
    "--prior",
    "--strata",
    "--scale",
    "--weights",
    "--propensities",
    "--queries",
    "--baseline",
    "--rules",
}
"""Options that take a text in which numbers may stand, or the path of a file."""


def options(name):
    known = command.get_command(None, name)
    return [
        option.opts[-1]
        for option in known.params
        if isinstance(option, click.Option)
        and (isinstance(option.type, click.types.IntParamType | click.types.FloatParamType) or option.opts[-1] in SPELT)
    ]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("numbers")
    queries, documents = range(6), range(7)
    texts = {
        "qrels.txt": "".join(f"q{q} 0 d{d} {d % 3}\n" for q in queries for d in range(4)),
        "labels.csv": "query,document,judge,grade\n"
        + "".join(
            f"q{q},d{d},{judge},{(q + d * at) % 3}\n"
            for q in queries
            for d in range(4)
            for at, judge in enumerate("xy")
        ),
        "clicks.csv": "session,query,rank,document,click\n"
        + "".join(f"s{s},q{s % 3},{k},d{k},{int((s * k) % 4 == 1)}\n" for s in range(40) for k in range(1, 5)),
        **{
            f"{run}.run": "".join(
                f"q{q} Q0 d{(d * step + q) % 7} {d} {9 - d} {run}\n" for q in queries for d in documents
            )
            for run, step in (("a", 1), ("b", 3), ("c", 5))
        },
    }
    texts["some.txt"] = "".join(line for line in texts["qrels.txt"].splitlines(keepends=True) if line[1] in "024")
    texts["queries.tsv"] = "q1\tfrost\nq2\tsnow\n"
    texts["sample.txt"] = "".join(f"q{q} 0 d{d} {1 + d % 2} {d % 3 - 1}\n" for q in queries for d in documents)
    for name, text in texts.items():
        (folder / name).write_text(text)
    judged = judged_from_runs(read_runs([str(folder / "a.run")]), 2)
    create_store(folder / "judging.db", new_project("numbers"), contents_of(judged)[0]).close()
    return folder


@pytest.fixture
def call(files, monkeypatch):
    monkeypatch.chdir(files)

    def invoke(*arguments):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return CliRunner().invoke(command, [str(word) for word in arguments])

    assert invoke("evaluate", "qrels.txt", "a.run", "--save", "saved.json").exit_code == 0
    assert invoke("evaluate", "qrels.txt", "a.run", "b.run", "--save", "both.json").exit_code == 0
    return invoke


def test_every_command_is_tried():
    assert set(CALLS) == set(COMMANDS) - {"trec-eval", "measures", "demo", "selftest", "help", "mcp"}


@pytest.mark.parametrize(("name", "option"), [(name, option) for name in CALLS for option in options(name)])
def test_every_number_of_every_command(call, name, option):
    for value in HOSTILE:
        done = call(*name.split(), *CALLS[name].split(), option, value)
        assert done.exception is None or isinstance(done.exception, SystemExit), (option, value[:20], done.exc_info)
        assert done.exit_code in {0, 2, 3}, (option, value[:20])
        assert len(done.output) < 20_000 or not done.exit_code


@pytest.mark.parametrize("name", CALLS)
def test_every_number_says_what_it_may_be(name):
    # A plain `int` or `float` takes nan, 1_0 and numbers that nothing can be calculated with.
    for parameter in command.get_command(None, name).params:
        if isinstance(parameter.type, click.types.IntParamType | click.types.FloatParamType):
            assert isinstance(parameter.type, Whole | Real), parameter.opts


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("evaluate qrels.txt a.run --depth 0", "must be a whole number from 1 to 1,000,000,000, not '0'."),
        ("evaluate qrels.txt a.run -l nan", "must be a number, not 'nan'."),
        ("compare qrels.txt a.run b.run --confidence 1", "must be a number above 0 and below 1, not '1'."),
        ("compare qrels.txt a.run b.run --seed -1", "must be a whole number from 0 to 9,223,372,036,854,775,807"),
        ("plan --difference 0.1 --deviation 0.1 --alpha 1e-31", "alpha, divided by the number of comparisons, must be"),
        (
            "explain qrels.txt a.run --query q1 --rows 0",
            "must be a whole number from 1 to 1,000,000,000, not '0'; or all.",
        ),
    ],
)
def test_what_is_accepted_is_told(call, arguments, words):
    done = call(*arguments.split())
    assert done.exit_code == 2
    assert words in " ".join(done.output.split())


def test_blanks_of_any_kind_around_a_number_do_not_count(call):
    assert call("plan", "--difference", "0.1", "--deviation", "0.1", "--seed", "\x1c3").exit_code == 0


def test_a_tiny_alpha_needs_more_queries(call):
    needed = []
    for alpha in ("0.05", "1e-10", "1e-17", "1e-29"):
        done = call("plan", "--difference", "0.1", "--deviation", "0.1", "--alpha", alpha, "--format", "tsv", "--quiet")
        needed.append(int(dict(zip(*(line.split("\t") for line in done.output.splitlines()), strict=True))["needed"]))
    assert needed == sorted(set(needed))


@pytest.mark.parametrize("name", COMMANDS)
def test_help_shows_no_range_where_any_number_is_taken(name):
    assert "<=None" not in CliRunner().invoke(command, [*name.split(), "--help"]).output


@pytest.mark.parametrize("digits", [40, 400, 5000])
def test_numbers_of_many_digits_in_files(call, files, digits):
    number = "9" * digits
    texts = {
        "three.tsv": f"q1\td1\t{number}\n",
        "impressions.csv": f'query,results,clicks\nq1,"d1 d2 d3","{number}"\nq1,"d1 d2","1"\n',
        "queries.jsonl": "".join(f'{{"id": "q{q}", "text": "x", "length": {number}}}\n' for q in range(6)),
    }
    for name, text in texts.items():
        (files / name).write_text(text)
    for arguments in (
        "evaluate qrels.txt three.tsv",
        "evaluate three.tsv a.run",
        "check three.tsv",
        "agree three.tsv",
        "clicks impressions.csv",
        "compare qrels.txt a.run b.run --resamples 9 --queries queries.jsonl --by length",
    ):
        done = call(*arguments.split())
        assert done.exception is None or isinstance(done.exception, SystemExit), (arguments, done.exc_info)


@pytest.mark.parametrize("form", ["table", "json", "tsv"])
def test_one_file_given_twice_is_told(call, form):
    for arguments in ("evaluate qrels.txt a.run ./a.run", "compare qrels.txt a.run a.run", "similarity a.run a.run"):
        done = call(*arguments.split(), "--format", form)
        assert done.exit_code == 0, done.output
        assert "a.run: was given 2 times, as a and " in " ".join(done.output.split())


def test_standard_input_can_be_read_once(cranfield):
    assert cranfield("evaluate", "-", "-").returncode == 2


@click.command(cls=Command)
@bundle("pair", lambda left, right: (left, right), option("--left"), option("--right", group="Shared"))
@option("--side", type=choice(Literal["up", "down"]))
def example(pair, side):
    click.echo(f"{pair} {side}")


def test_a_bundle_reaches_the_command_as_one_value():
    assert CliRunner().invoke(example, ["--left", "1", "--right", "2"]).stdout == "('1', '2') None\n"


def test_help_lists_the_options_of_a_command_before_those_it_shares():
    lines = [line.split() for line in CliRunner().invoke(example, ["--help"]).stdout.splitlines()]
    assert [line[0] for line in lines if line and line[0].startswith(("-", "Options", "Shared"))] == [
        "Options:",
        "--left",
        "--side",
        "--help",
        "Shared:",
        "--right",
    ]


def test_the_choices_of_an_option_are_those_of_its_type():
    assert CliRunner().invoke(example, ["--side", "up"]).stdout == "(None, None) up\n"
    refused = CliRunner().invoke(example, ["--side", "left"])
    assert refused.exit_code == 2
    assert "'up', 'down'" in refused.stderr


def test_numbers_have_commas_between_them():
    assert numbers("1,.5, 2", "--shares") == [1, 0.5, 2]
    with pytest.raises(click.UsageError, match="--shares takes numbers with commas between them, not '1;2'"):
        numbers("1;2", "--shares")


def test_one_file_may_be_standard_input():
    require_one_standard_input("-", "a.run", None)
    with pytest.raises(click.UsageError, match="can be read only once"):
        require_one_standard_input("-", "a.run", "-")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("evaluate qrels.txt a.run -m nDCG@10 AP", "AP is a measure: write -m AP, or -m 'nDCG@10 AP'."),
        (
            "evaluate qrels.txt a.run -m nDCG@10 AP RR",
            "AP and RR are measures: write -m AP -m RR, or -m 'nDCG@10 AP RR'.",
        ),
        ("evaluate qrels.txt a.run AP", "AP is a measure: write -m AP."),
        ("compare qrels.txt a.run b.run -m AP P@5", "P@5 is a measure: write -m P@5, or -m 'AP P@5'."),
        ("evaluate qrels.txt a.run AP(rel=2)", "AP(rel=2) is a measure: write -m 'AP(rel=2)'."),
        ("score 1011 -m AP nDCG@5", "nDCG@5 is a measure: write -m nDCG@5, or -m 'AP nDCG@5'."),
    ],
)
def test_a_measure_where_a_file_belongs_is_answered_with_how_to_write_it(call, arguments, words):
    done = call(*arguments.split())
    assert done.exit_code == 2
    assert words in done.output


def test_a_file_may_have_the_name_of_a_measure(call, files):
    (files / "AP").write_bytes((files / "a.run").read_bytes())
    assert call("evaluate", "qrels.txt", "AP").exit_code == 0


def test_what_is_neither_file_nor_measure_is_a_missing_file(call):
    done = call("evaluate", "qrels.txt", "nowhere.run")
    assert done.exit_code == 3
    assert "nowhere.run: there is no such file" in done.output


def test_a_ranking_may_look_like_a_measure(call):
    assert call("score", "R", "-m", "RR").exit_code == 0


@pytest.mark.parametrize(("command", "way"), [("evaluate", "score"), ("explain", "explain"), ("curve", "curve")])
def test_a_ranking_as_an_option_is_answered_with_how_it_is_typed(call, command, way):
    done = call(command, "--ranking", "1 0 1 1", "-m", "P@3")
    assert done.exit_code == 2
    assert f'A ranking is typed without an option: cranfield {way} "1 0 1 1" -m AP' in done.output


def test_help_calls_a_number_by_a_short_name():
    commands = [command.get_command(None, name) for name in COMMANDS]
    helps = [one.get_help(click.Context(one)) for one in commands]
    assert not any("RANGE" in text for text in helps)
    assert any("--seed N " in text for text in helps)
