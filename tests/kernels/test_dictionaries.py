"""Dictionaries read by compiled loops give what the plain ones give: the same arrays, the same words."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.align import align
from cranfield.errors import CranfieldError
from cranfield.kernels import CHOICE
from tests.effort import examples
from tests.kernels.files import DOCUMENTS, QUERIES

pytest.importorskip("cranfield.kernels.compiled", reason="the compiled loops are not built")
dictionaries = pytest.importorskip("cranfield.kernels.dictionaries")
qrels = pytest.importorskip("cranfield.kernels.qrels")

JUDGED = {query: {d: at % 3 for at, d in enumerate(DOCUMENTS[at::2])} for at, query in enumerate(QUERIES[:6])}
JUDGED |= {str(query): {str(d): abs(d) % 3 for d in range(-4, 9)} for query in range(-2, 9)}
COLUMNS = ("starts", "rows", "ranks", "grades", "above", "tied", "retrieved", "ties")

usual_numbers = st.sampled_from([1.0, 0.5, 2, 3, -1.5, 0.0, -0.0, 1e300, 1 + 1e-9, 1 + 2e-9]) | st.floats(-5, 5)
other_numbers = st.sampled_from(
    [np.float64(0.5), np.float32(0.1), np.int64(2), np.uint8(3), float("inf"), float("-inf"), 2**70, 1e101]
)
odd_numbers = st.sampled_from(
    [float("nan"), np.float32("nan"), True, None, "1.5", "x", 10**400, Decimal("1.5"), np.bool_(1), 1j, [], {"a": 1}]
)
whole = st.sampled_from([0, 7, -3, 12345678901, 2**63 - 1, -(2**63)]) | st.integers(-20, 20)
odd_ids = st.sampled_from(
    ["", "\ud800", 7, "7", 2**63, -(2**70), 1.5, None, b"d1", ("a",), np.int64(3), True, np.str_("d1")]
)


def dictionaries_of(queries, documents, numbers):
    by_document = st.dictionaries(documents, numbers, max_size=8)
    kept = st.sampled_from([dict, dict, dict, OrderedDict, lambda of: defaultdict(float, of)])
    inner = st.builds(lambda kind, of: kind(of), kept, by_document)
    return st.dictionaries(queries, inner, max_size=5)


usual = dictionaries_of(st.sampled_from(QUERIES), st.sampled_from(DOCUMENTS), usual_numbers)
mixed = dictionaries_of(st.sampled_from(QUERIES), st.sampled_from(DOCUMENTS), usual_numbers | other_numbers)
numbered = dictionaries_of(whole, whole, usual_numbers)
odd = st.one_of(
    dictionaries_of(whole | st.integers(0, 3).map(str), whole | st.integers(0, 3).map(str), usual_numbers),
    dictionaries_of(st.sampled_from(QUERIES) | odd_ids, st.sampled_from(DOCUMENTS), usual_numbers),
    dictionaries_of(st.sampled_from(QUERIES), st.sampled_from(DOCUMENTS) | odd_ids, usual_numbers),
    dictionaries_of(st.sampled_from(QUERIES), st.sampled_from(DOCUMENTS), usual_numbers | odd_numbers),
    st.dictionaries(st.sampled_from(QUERIES), st.lists(st.sampled_from(DOCUMENTS), max_size=4) | st.none(), max_size=3),
)


def both(told):
    """What plain and compiled loops tell, or the words they end with."""
    found = []
    for kernels in ("plain", "compiled"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(CHOICE, kernels)
            try:
                found.append(told())
            except CranfieldError as error:
                found.append((type(error), str(error)))
    return found


def told_of_run(run, **options):
    alignment = align(cf.read_run(run), cf.read_judgments(JUDGED), **options)
    columns = {name: (array.dtype, array.tolist()) for name in COLUMNS for array in [getattr(alignment, name)]}
    return columns, alignment.unknown, alignment.warnings


def told_of_judgments(given):
    judgments = cf.read_judgments(given)
    grades = [grade.hex() for grade in judgments.grades.tolist()]
    return judgments.queries, judgments.starts.tolist(), list(judgments.documents), grades, judgments.warnings


class TestSameAsPlain:
    @examples(400)
    @given(
        run=usual | mixed | numbered | odd,
        ties=st.sampled_from(["document", "document-ascending", "given"]),
        precision=st.sampled_from(["double", "single"]),
        must_meet=st.booleans(),
    )
    def test_for_any_run(self, run, ties, precision, must_meet):
        plain, compiled = both(lambda: told_of_run(run, ties=ties, precision=precision, must_meet=must_meet))
        assert compiled == plain

    @examples(300)
    @given(usual | mixed | numbered | odd)
    def test_for_any_judgments(self, given):
        plain, compiled = both(lambda: told_of_judgments(given))
        assert compiled == plain

    def test_for_long_rankings_in_any_order(self):
        rng = np.random.default_rng(5)
        for count in (1, 15, 16, 17, 1000, 1025, 3000):
            scores = rng.integers(0, count, count) / 7
            run = {"q1": {f"d{at}": float(score) for at, score in enumerate(scores)}}
            plain, compiled = both(lambda run=run: told_of_run(run, must_meet=False))
            assert compiled == plain
            assert plain[0]["retrieved"][1][0] == count


def read_here(run):
    return dictionaries.places(run, cf.read_judgments(JUDGED), ties="document", single=False)


class TestReadHere:
    @pytest.mark.parametrize(
        "run",
        [
            {"q1": {"d0": 1.0, "é": 2.0, "never": 3}},
            defaultdict(dict, {"q1": {"d0": np.float32(0.5)}, "nobody": {"x": 1.0}}),
            {"q1": {}, "q2": {"😀": float("inf")}},
            {1: {2: 1.0, -3: 0.5, 2**63 - 1: 0.1}, 10**18: {7: 1}},
            {"q1": {1: 1.0, "x": 2.0}, "q2": {at: 1.0 / at for at in range(1, 3000)}},
        ],
    )
    def test_dictionaries_about_which_there_is_nothing_to_tell(self, run):
        assert read_here(run) is not None

    def test_no_attribute_of_a_default_dictionary_is_made(self):
        run = defaultdict(dict, {"q1": defaultdict(float, {"d0": 1.0})})
        read_here(run)
        assert run == {"q1": {"d0": 1.0}}

    def test_judgments_too(self):
        assert qrels.of_dictionary({"q1": {"d1": 1, "d2": np.float64(0)}})["q1"] == {"d1": 1, "d2": 0}
        assert qrels.of_dictionary({7: {-3: 1, 2**62: 2}})["7"] == {"-3": 1, str(2**62): 2}


class TestLeftToThePlainLoops:
    @pytest.mark.parametrize(
        "run",
        [
            {"q1": ["d1", "d2"]},
            {"q1": {"d1": float("nan")}},
            {"q1": {"": 1.0}},
            {"": {"d1": 1.0}},
            {1: {"d1": 1.0}, "q1": {"d1": 1.0}},
            {"q1": {1: 1.0, "1": 2.0}},
            {"q1": {2**63: 1.0}},
            {2**63: {"d1": 1.0}},
            {"q1": {1.0: 1.0}},
            {"q1": {True: 1.0}},
            {"q1": {"d1": True}},
            {"q1": {"d1": 10**400}},
            {"q1": {"\ud800": 1.0}},
            {"q1": {"d\0": 1.0}},
            {"q1": {"\0" + 7 * "d": 1.0}},
            {"q1": {"document\0number": 1.0}},
            {"q1": {"é\0": 1.0}},
            {"q\0": {"d1": 1.0}},
            OrderedDict(q1={"d1": 1.0}),
            {"q1": OrderedDict(d1=1.0)},
        ],
    )
    def test_whatever_there_is_to_tell(self, run):
        assert read_here(run) is None
        assert qrels.of_dictionary(run) is None

    def test_judgments_without_a_document_and_huge_grades(self):
        assert qrels.of_dictionary({}) is None
        assert qrels.of_dictionary({"q1": {}}) is None
        assert qrels.of_dictionary({"q1": {"d1": 1e101}}) is None
