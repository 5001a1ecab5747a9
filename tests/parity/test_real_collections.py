"""The same numbers as other tools, query by query, on real runs, in every digit they print."""

from __future__ import annotations

import csv
import json
import math

import numpy as np
import pytest

import cranfield as cf
from cranfield.measures.scoring import score
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA
from tests.parity.collections import (
    Reference,
    family,
    judgments,
    measure_named,
    references,
    run,
    text,
    trec_eval_lines,
)

pytestmark = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)

NOT_HERE_YET = {
    "11pt_avg with levels of one's own",
    "relstring",
    "runid",
}
"""What trec_eval prints and cranfield has no measure for; adding one makes the tests below ask for its removal."""

OTHERWISE_IN_TREC_EVAL_10 = {"rbp", "rbp_resid"}
"""Version 10 normalises rbp's gains with memory nobody set; its rbp_resid is compared by itself below."""

OPTIONS = {
    "default": {},
    "c": {"average_over": "judged"},
    "l2": {"rel": 2},
    "J": {"judged_only": True},
    "M10": {"depth": 10},
    "M100": {"depth": 100},
    "c-l2-M100": {"average_over": "judged", "rel": 2, "depth": 100},
    "c-M1000": {"average_over": "judged", "depth": 1000},
    "params": {},
}
"""trec_eval's command lines as settings; without -c it averages over the queries of the run."""


def each(tool: str, suffix: str, *, skipping: tuple[str, ...] = ()):
    found = [one for one in references(tool, suffix) if not {one.variant, one.folder} & set(skipping)]
    names = [f"{reference.folder[:2]}-{reference.run}-{reference.variant}" for reference in found]
    return pytest.mark.parametrize("reference", found, ids=names)


# preference judgments are another kind of data
trec_eval_9 = each("trec_eval-9.0.8", ".txt.gz", skipping=("qrels_prefs",))
trec_eval_10 = each("trec_eval-10.0-rc3", ".txt.gz")


@trec_eval_9
def test_trec_eval_9_prints_the_same(reference):
    assert_prints_the_same(reference, version=9)


@trec_eval_10
def test_trec_eval_10_prints_the_same(reference):
    assert_prints_the_same(reference, version=10)


def test_the_measures_not_compared_are_exactly_those_not_here_yet():
    printed = {
        (name, version)
        for version, tool in ((9, "trec_eval-9.0.8"), (10, "trec_eval-10.0-rc3"))
        for reference in references(tool, ".txt.gz")
        if reference.variant != "qrels_prefs"
        for name, _, _ in trec_eval_lines(reference.path)
    }
    unread = {not_here(name) for name, version in printed if measure_named(name, version) is None}
    assert unread == NOT_HERE_YET


@each("pytrec_eval", ".json.gz")
def test_pytrec_eval_gives_the_same_to_the_last_digits(reference):
    expected = json.loads(text(reference.path))
    names = sorted({name for of_query in expected.values() for name in of_query})
    measures = {name: measure for name in names if (measure := measure_named(name, 9)) is not None}
    assert {not_here(name) for name in names} - {not_here(name) for name in measures} <= NOT_HERE_YET
    scores = evaluated(reference, list(measures.values()), version=9)
    for name, measure in measures.items():
        values = by_query(measure, scores)
        ours = [as_pytrec_eval(name, values[query]) for query in expected]
        theirs = [of_query[name] for of_query in expected.values()]
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, err_msg=name)
    assert len(measures) > 50


@each("trec_eval-10.0-rc3", ".txt.gz", skipping=("params", "l2"))
def test_trec_eval_10_s_residual_is_ours_wherever_something_is_unjudged(reference):
    residual = cf.parse("rbp_resid")
    scores = evaluated(reference, [residual, cf.measures.SetP, cf.measures.Judged], version=10)
    printed = {query: value for name, query, value in trec_eval_lines(reference.path) if name == "rbp_resid"}
    for at, query in enumerate(scores.queries):
        all_judged = scores["Judged"][0][at] == 1
        assert printed[query] == ("0.0000" if all_judged else f"{scores[residual][0][at]:.4f}")


def test_nist_s_own_summary_of_the_deep_learning_track():
    rows = table("02-dl19-passage", "published/nist-official.tsv")
    for row in rows:
        rel = {"trec_eval": 1, "passages-eval": 2}[row["block"]]
        scores = cf.evaluate(judgments("02-dl19-passage"), run("02-dl19-passage", row["run"]), row["measure"], rel=rel)
        assert f"{scores.mean(scores.measures[0], row['run']).value:.4f}" == row["value"], row
    assert len(rows) == 3 * 2 * 13


def test_nist_s_own_summary_of_the_robust_track():
    rows = table("03-robust03", "published/nist-official.tsv")
    for row in rows:
        # The column that NIST's page calls P_10 holds P_15.
        name = "P_15" if row["measure"] == "P_10" else row["measure"]
        scores = cf.evaluate(judgments("03-robust03"), run("03-robust03", row["run"]), name)
        assert f"{scores.mean(name, row['run']).value:.4f}" == row["value"], row
    assert len(rows) == 4 * 5


@pytest.mark.parametrize(
    ("folder", "name", "measure", "value"),
    [
        ("02-dl19-passage", "tilde-bm25", "map", "0.3766"),
        ("02-dl19-passage", "tilde-bm25", "ndcg_cut_10", "0.4973"),
        ("05-beir-scifact", "bm25plus-titles-text", "map", "0.5485"),
        ("05-beir-scifact", "bm25plus-titles-text", "P_10", "0.0847"),
        ("05-beir-scifact", "bm25plus-titles", "map", "0.2958"),
        ("10-cacm-smoke", "cacm-bm25", "map", "0.2744"),
        ("10-cacm-smoke", "cacm-bm25", "P_30", "0.1942"),
        ("10-cacm-smoke", "cacm-bm25", "ndcg_cut_10", "0.4543"),
    ],
)
def test_what_the_authors_of_a_run_published(folder, name, measure, value):
    scores = cf.evaluate(judgments(folder), run(folder, name), measure)
    assert f"{scores.mean(measure, name).value:.4f}" == value


OF_CWL_EVAL = {"BPM", "INSQ", "INST", "NERR8", "NERR9", "NERR10", "NERR11", "SDCG"}
"""Measures that ir_measures gets from cwl_eval; see test_cwl."""

FIVE_DECIMALS = ("ERR@", "nDCG(dcg=")
"""gdeval's, which prints five decimals, and for ERR takes 4 as the largest grade whatever the judgments."""

OTHER_TIES = ("RR@", "RR(rel=2)@", "Judged@", "RBP(")
"""ir_measures orders ties by ascending id, or as in the file, for these: only what no tie moves can be compared."""


# of the web track it has measures of diversity
@each("ir_measures", ".tsv.gz", skipping=("04-web2012-diversity",))
def test_ir_measures_gives_the_same(reference):
    rows = [line.split("\t") for line in text(reference.path).splitlines()[1:]]
    names = sorted({name for _, name, _ in rows if name.partition("(")[0].partition("@")[0] not in OF_CWL_EVAL})
    measures = {name: as_ours(name) for name in names}
    scores = evaluated(reference, list(measures.values()), version=9)
    worst, best = (
        score(a, scores.measures)
        for a in (scores.detail.alignments[0].worst_ties(), scores.detail.alignments[0].best_ties())
    )
    places = {query: at for at, query in enumerate(scores.queries)}
    rows_of = {name: scores.measures.index(measure) for name, measure in measures.items()}
    compared = 0
    for query, name, value in rows:
        if name not in measures or query == "all":
            continue
        place = rows_of[name], places[query]
        if name.startswith(OTHER_TIES) and worst[place] != best[place]:
            continue
        ours = np.nan_to_num(scores.values[:, 0][place])
        tolerance = 5.000001e-6 if name.startswith(FIVE_DECIMALS) else 1e-9 * float(value)
        assert abs(ours - float(value)) <= tolerance, (query, name, ours, value)
        compared += 1
    assert compared > 0.9 * len(measures) * len(scores.queries)


def assert_prints_the_same(reference: Reference, version: int) -> None:
    lines = list(trec_eval_lines(reference.path))
    measures = {
        name: measure
        for name in dict.fromkeys(name for name, _, _ in lines)
        if name not in OTHERWISE_IN_TREC_EVAL_10 and (measure := measure_named(name, version)) is not None
    }
    scores = evaluated(reference, list(measures.values()), version=version, **OPTIONS[reference.variant])
    values = {name: by_query(measure, scores) for name, measure in measures.items()}
    differing = {}
    for name, query, printed in lines:
        if name not in measures or is_quirk(reference, name, query, printed):
            continue
        ours = as_printed(measures[name], values[name][query])
        if ours != printed:
            differing[name, query] = (printed, ours)
    assert differing == ROUNDED_OTHERWISE.get((reference.run, reference.variant), {})
    assert len(measures) > 10


def by_query(measure: cf.Measure, scores: cf.Scores) -> dict[str, float]:
    """A measure's scores, and its mean as the query `all`."""
    evaluated_as = measure_of(measure, scores)
    values = dict(zip(scores.queries, scores[evaluated_as][0].tolist(), strict=True))
    return values | {"all": scores.mean(evaluated_as, scores.runs[0]).value}


def is_quirk(reference: Reference, name: str, query: str, printed: str) -> bool:
    """Lines in which trec_eval 9 does not say what it means."""
    # Under -c, the summary's num_rel counts grades from 1 on, whatever -l says.
    counts_other_grades = name == "num_rel" and query == "all" and reference.variant == "c-l2-M100"
    # Where -J leaves no document at all, it divides 0 by 0, and the mean is lost with that query.
    divides_by_zero = reference.variant == "J" and family(name) in ("iprec_at_recall", "11pt_avg") and "nan" in printed
    # Rndcg knows no level of relevance, but is not computed where -l leaves no relevant document.
    left_out = name == "Rndcg" and reference.folder[:2] == "04" and reference.variant == "l2"
    left_out = left_out and (printed == "0.0000" or query == "all")
    return counts_other_grades or divides_by_zero or left_out


ROUNDED_OTHERWISE = {
    # 15/32 is exactly 0.46875; trec_eval's order of operations leaves it one bit below.
    ("ICT-BERT2", "params"): {("set_F_0.5", "1115776"): ("0.4687", "0.4688")},
    ("ICT-CKNRM_B", "params"): {("set_F_0.5", "1115776"): ("0.4687", "0.4688")},
    # 1/32 is exactly 0.03125, of which the even digit is kept; trec_eval's value is one bit above.
    ("indri-ql-catb-filtered", "J"): {("set_F", "190"): ("0.0313", "0.0312")},
    # The means are exactly 0.01905 and 0.08215; trec_eval's running sum over 100 queries ends some bits below.
    ("pircRBa1", "M100"): {("P_1000", "all"): ("0.0190", "0.0191")},
    ("uic0301", "M100"): {("P_200", "all"): ("0.0821", "0.0822")},
}
"""Values that lie exactly between two printed ones. Ours are exact; all others agree."""


def evaluated(reference: Reference, measures, *, version: int, average_over: str = "answered", **options) -> cf.Scores:
    if reference.variant == "l2":
        options["rel"] = 2
    return cf.evaluate(
        judgments(reference.folder),
        run(reference.folder, reference.run),
        measures,
        average_over=average_over,
        precision="single" if version == 9 else "double",
        **options,
    )


def measure_of(measure: cf.Measure, scores: cf.Scores) -> cf.Measure:
    """The measure as it was evaluated: with the relevance level of the settings, where it takes one."""
    rel = scores.settings.rel
    return measure(rel=rel) if rel is not None and "rel" in measure.definition.parameters else measure


def as_printed(measure: cf.Measure, value: float) -> str:
    if measure.definition.mean == "sum":
        return f"{value:.0f}"
    return f"{0.0 if math.isnan(value) else value:.4f}"


def as_pytrec_eval(name: str, value: float) -> float:
    """Undefined is 0 there, and the geometric mean's floor and logarithm are in the query's score."""
    defined = 0.0 if math.isnan(value) else value
    return math.log(max(defined, 1e-5)) if name in ("gm_map", "gm_bpref") else defined


def as_ours(name: str) -> cf.Measure:
    if name == "NumRet(rel=1)":
        return cf.measures.NumRelRet
    measure = cf.parse(name)
    if measure.name == "ERR":
        return measure(max_grade=4)
    return measure(levels="trec_eval-9") if measure.name == "IPrec" else measure


def not_here(name: str) -> str:
    own_levels = name.startswith("11pt_avg_")
    return "11pt_avg with levels of one's own" if own_levels else family(name)


def table(folder: str, path: str) -> list[dict[str, str]]:
    return list(csv.DictReader((SHARED_DATA / folder / path).read_text().splitlines(), delimiter="\t"))
