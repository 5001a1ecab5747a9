"""The checklists of CONTRIBUTING.md, for everything there is: a measure, a format, a fusion method, a command."""

import re

import pytest

from cranfield.cli import COMMANDS
from cranfield.formats.reading import FORMATS
from cranfield.fusing.catalogue import fusion_catalogue
from tests.cli import test_options
from tests.conftest import ROOT
from tests.measures import grouped_reference, reference

MEASURES = sorted([*reference.REFERENCES, *grouped_reference.REFERENCES])
WITHOUT_A_ROW = {
    "tests/measures/test_average.py": {"ElevenPoint", "YAAP"},
    "tests/measures/test_counts.py": {"NumNonrelRet"},
    "tests/measures/test_first.py": {"SL"},
    "tests/measures/test_gain.py": {"CG", "nDCGrel"},
    "tests/measures/test_incomplete.py": {"GMBpref"},
    "tests/measures/test_judges.py": {"AP_avgjg", "P_avgjg", "RprecMult_avgjg"},
    "tests/measures/test_ntcir.py": {"NCU", "OMeasure", "PMeasure", "PPlus", "Q"},
    "tests/measures/test_precision.py": {"RprecMult"},
    "tests/measures/test_preferences.py": {
        *("NumPrefs", "NumPrefsFulfilled", "PrefAvg", "PrefAvgR", "PrefPair", "PrefSimp"),
    },
    "tests/measures/test_sampled.py": {"infNDCG", "xinfAP"},
    "tests/measures/test_sets.py": {"Fallout", "Utility"},
}
"""Measures that no tool of `make parity` has under a name of its own, and the tests that have their numbers instead."""
SEED = {"trec": "Q0", "svmlight": "qid:", "msmarco": "tsv", "beir": "tsv", "quepid": "csv", "arrow": "parquet"}
"""How the seed of a format is known, if not by its name; some have the seed of the format whose reader they share."""
TESTED_WITH = {"compare systems": "compare", "compare orders": "compare", "judge trust": "judge"}
"""Commands whose tests stand with those of another."""
WITHOUT_NUMBERS = {"trec-eval", "measures", "demo", "selftest", "help", "mcp"}


def page(name):
    return (ROOT / name).read_text(encoding="utf-8")


def names(text, word):
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def test_every_file_that_the_lists_name_exists():
    named = re.findall(r"`((?:src|tests|docs|parity|fuzzing)/[\w/.-]*)`", page("CONTRIBUTING.md"))
    assert len(named) > 20
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("measure", MEASURES)
def test_a_measure_is_in_the_catalogue_and_next_to_somebody_elses_numbers(measure):
    assert names(page("docs/measures.md"), measure)
    tests = [path for path, of in WITHOUT_A_ROW.items() if measure in of]
    assert names(page("docs/parity.md"), measure) != bool(tests)
    assert all(names(page(path), measure) for path in tests)


@pytest.mark.parametrize("format", FORMATS)
def test_a_format_has_a_row_of_the_table_and_a_seed(format):
    assert f"`{format}`" in page("docs/formats.md")
    seeds = page("fuzzing/seeds.py") + page("fuzzing/forms.py") + page("fuzzing/stores.py")
    assert SEED.get(format, format) in seeds


def test_a_fusion_method_is_in_the_catalogue():
    text = page("docs/fusion-methods.md")
    assert [entry.rule.name for entry in fusion_catalogue().entries if not names(text, entry.rule.name)] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_a_page_tests_and_hostile_numbers(command):
    assert f"\n## {command}\n" in page("docs/commands.md")
    words = TESTED_WITH.get(command, command).replace(" ", "_").replace("-", "_")
    assert (ROOT / "tests" / "cli" / f"test_{words}.py").exists()
    assert command in test_options.CALLS or command in WITHOUT_NUMBERS
