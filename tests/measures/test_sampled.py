"""Estimates from a stratified sample: checked by hand, against the authors' script, and against a plain loop."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield import UsageError, grouped
from cranfield.errors import DataError
from cranfield.measures import infNDCG, xinfAP

COMPUTED = [
    ("0 0 0 0 - -|1 1 2 0 0 1", 0.000000000000000, 0.000000000000000),
    ("--- --- -x- 0-- --0 --0|--0 x-- --x -x- x--", 0.000000000000000, 0.000000000000000),
    ("-x- -x- -0- -0- -x- --0 -3- 0--|-x- --0 0-- 0--", 0.142862142760716, 0.408764795176972),
    ("--- 3-- 0-- 3-- 0-- 1-- -0- --- 0-- --- --- -3-|--x", 0.458332916667188, 0.637761029496540),
    ("3 x - x x 1 1 x|x x x x 0 x", 0.896818571597615, 0.977685222286973),
    ("-0 -x 1- x- x-|3- -1 x- -2 x- -x", 0.107144999935716, 0.155877384683124),
    ("-x 0- 2- -- -x 0- 1- -x|3- 1- -3", 0.103175019828770, 0.130634554836068),
    ("1-- --- -0- --- -x- -0- --x -x- --x --x --- -x-|--0 -x- 0-- 0-- --3", 0.285714285714286, 0.146553089962962),
    ("- - x x 0 x", 0.000000000000000, 0.000000000000000),
    ("-2 -- -0 -- 0- x- x- -0 -1", 0.611112777727779, 0.874607158378273),
]
"""Rankings, and what NIST's sample_eval.pl gives for them as infAP and infNDCG when it prints all digits."""


@pytest.mark.parametrize(("text", "ap", "ndcg"), COMPUTED)
def test_the_script_of_the_authors_gives_the_same(text, ap, ndcg):
    # The script has 0 where nothing relevant was sampled and so nothing can be estimated.
    found = np.nan_to_num([xinfAP(grouped(text)), infNDCG(grouped(text))])
    assert found == pytest.approx([ap, ndcg], abs=1e-14)


def test_it_gives_the_same_means_from_the_same_files(tmp_path):
    run, qrels = tmp_path / "sampled.run", tmp_path / "sampled.qrels"
    run.write_text("".join(_lines(_run_line)))
    qrels.write_text("".join(_lines(_qrels_line)))
    scores = cf.evaluate(qrels, run, "xinfAP@1000 infNDCG@1000 P@1")
    assert len(scores.queries) == len(COMPUTED)
    assert scores.mean("xinfAP@1000").value == pytest.approx(0.260516071423207, abs=1e-14)
    assert scores.mean("infNDCG@1000").value == pytest.approx(0.333188323482091, abs=1e-14)


class TestXinfAP:
    def test_a_document_stands_for_those_of_its_stratum_that_were_not_drawn(self):
        # One of two was drawn: the second stratum's document counts twice, of three relevant ones in all.
        at_third = (1 + 1 * (1 + 1e-5) / (1 + 3e-5) + 1 * 1e-5 / 3e-5) / 3
        assert xinfAP(grouped("1- -x -1")) == pytest.approx((1 + 2 * at_third) / 3)

    def test_where_everything_was_judged_it_is_average_precision_but_for_its_smoothing(self):
        assert xinfAP(grouped("1- -0 -1 0-|1-")) == pytest.approx(cf.AP(cf.ranking("1010|1")), abs=1e-4)

    def test_documents_outside_the_pool_are_irrelevant(self):
        assert xinfAP(grouped("- 1")) == pytest.approx(1 / 2)

    def test_a_cutoff_ends_the_ranking_but_not_the_pool(self):
        assert (xinfAP @ 1)(grouped("1- -x -1")) == pytest.approx(1 / 3)

    def test_a_higher_level_makes_fewer_documents_relevant(self):
        assert xinfAP(rel=2)(grouped("1- -2")) == xinfAP(grouped("0- -1"))

    def test_a_better_document_further_up_may_lower_it(self):
        # The document it passes stands for two, and loses a little by the smoothing of what is now above it.
        assert not xinfAP.monotone
        assert xinfAP(grouped("-2 1-|x-")) < xinfAP(grouped("1- -2|x-"))

    @pytest.mark.parametrize("text", ["0 x", "x|x", "-|0"])
    def test_where_nothing_relevant_was_drawn_it_is_undefined(self, text):
        assert np.isnan(xinfAP(grouped(text)))


class TestInfNDCG:
    def test_retrieved_documents_stand_for_retrieved_ones_and_the_ideal_for_all(self):
        # Retrieved of the second stratum: two, one of them judged. In all: four, two judged, a 2 and a 0.
        own = 1 + 2 * 2 / math.log2(4)
        ideal = 2 + 2 / math.log2(3) + 1 / math.log2(4)
        assert infNDCG(grouped("1- -x -2|-x -0")) == pytest.approx(own / ideal)

    def test_where_everything_was_judged_it_is_ndcg(self):
        assert infNDCG(grouped("1- -0 -2 0-|1-")) == pytest.approx(cf.nDCG(cf.ranking("1020|1")))

    def test_half_a_document_is_a_whole_one(self):
        # One of two judged documents of five has a gain: that is 2.5 documents, so 3.
        three = 1 + 1 / math.log2(3) + 1 / math.log2(4)
        assert infNDCG(grouped("1|0 x x x")) == pytest.approx(1 / three)

    def test_a_half_that_is_made_of_thirds_is_one_too(self):
        # 3 + 4/3 + 9/2 + 11/3 is 12.5, whatever the order in which it is added.
        strata = {"a": (3, 15, 15), "b": (1, 12, 9), "c": (1, 9, 2), "d": (1, 11, 3)}
        documents = [
            grade.rjust(at + 1, "-").ljust(4, "-")
            for at, (relevant, pooled, judged) in enumerate(strata.values())
            for grade in "1" * relevant + "0" * (judged - relevant) + "x" * (pooled - judged)
        ]
        ideal = sum(1 / math.log2(rank + 1) for rank in range(1, 14))
        assert infNDCG(grouped("1---|" + " ".join(documents[1:]))) == pytest.approx(1 / ideal)

    def test_gains_may_be_given_for_each_grade(self):
        assert infNDCG(gain={1: 3, 2: 1})(grouped("1- -x -2")) == pytest.approx(infNDCG(grouped("3- -x -1")))

    def test_a_document_that_was_not_drawn_gains_nothing_whatever_is_said(self):
        assert infNDCG(gain={-1: 2})(grouped("x 1 1")) == infNDCG(grouped("x 1 1"))

    def test_a_cutoff_cuts_the_ranking_and_the_ideal(self):
        assert (infNDCG @ 1)(grouped("1- -x -1")) == 1

    def test_a_better_document_further_up_may_lower_it(self):
        # The document it passes stands for three.
        assert not infNDCG.monotone
        assert infNDCG(grouped("-2 1- x- x-")) < infNDCG(grouped("1- -2 x- x-"))

    def test_an_estimate_may_exceed_one(self):
        # Of four documents retrieved one was judged, and it seems that all are relevant; the pool says two.
        assert infNDCG(grouped("1 x x x|0 0 0 0 0 0")) > 1

    def test_where_nothing_relevant_was_drawn_it_is_undefined(self):
        assert np.isnan(infNDCG(grouped("0 x|x")))


class TestFiles:
    RUN = "q1 Q0 d1 1 3 x\nq1 Q0 d2 2 2 x\nq1 Q0 d3 3 1 x\n"

    def test_without_strata_all_documents_are_of_one(self, tmp_path):
        qrels, run = _files(tmp_path, "q1 0 d1 1\nq1 0 d2 -1\nq1 7 d3 1\n", self.RUN)
        assert cf.evaluate(qrels, run, "xinfAP")["xinfAP"] == pytest.approx(float(xinfAP(grouped("1 x 1"))))

    def test_columns_may_be_named(self, tmp_path):
        qrels, run = _files(tmp_path, "qid,docno,rel,stratum\nq1,d1,1,a\nq1,d2,-1,b\nq1,d3,1,b\n", self.RUN)
        assert cf.evaluate(qrels, run, "xinfAP")["xinfAP"] == pytest.approx(float(xinfAP(grouped("1- -x -1"))))

    def test_other_measures_read_the_same_file_when_its_columns_are_named(self, tmp_path):
        qrels, run = _files(tmp_path, "q1 0 d1 a 1\nq1 0 d2 b -1\nq1 0 d3 b 1\n", self.RUN)
        read = cf.read_judgments(qrels, columns="query,_,document,stratum,grade")
        assert cf.evaluate(read, run, "Bpref")["Bpref"] == 1
        assert cf.evaluate(read, run, "xinfAP")["xinfAP"] == pytest.approx(float(xinfAP(grouped("1- -x -1"))))

    def test_a_document_is_of_one_stratum(self, tmp_path):
        qrels, run = _files(tmp_path, "q1 0 d1 a 1\nq1 0 d1 b 1\n", self.RUN)
        with pytest.raises(DataError, match="'q1'"):
            cf.evaluate(qrels, run, "xinfAP")

    def test_strata_are_not_subtopics(self):
        with pytest.raises(UsageError, match="reads grades by stratum"):
            cf.evaluate({"q": ["d"]}, {"q": ["d"]}, "xinfAP P_IA@5")


grades = st.sampled_from("xx0012")
documents = st.one_of(st.just("--"), grades.map("{}-".format), grades.map("-{}".format))
pooled = st.one_of(grades.map("{}-".format), grades.map("-{}".format))


@given(st.lists(documents, max_size=12), st.lists(pooled, min_size=1, max_size=8), st.sampled_from([None, 1, 3, 1000]))
def test_both_are_what_a_plain_loop_over_their_formulas_gives(retrieved, missed, cutoff):
    judged = grouped(" ".join(retrieved) + "|" + " ".join(missed))
    expected = plain(retrieved, missed, cutoff)
    found = [float(measure(cutoff=cutoff)(judged)) for measure in (xinfAP, infNDCG)]
    assert found == pytest.approx(expected, nan_ok=True)


def plain(retrieved, missed, cutoff):
    seen = [_drawn(document) for document in retrieved[:cutoff]]
    pool = [_drawn(document) for document in [*retrieved, *missed] if document != "--"]
    rates = {s: _share(pool, s) for s in (0, 1)}
    rates_seen = {s: _share([one for one in seen if one], s) for s in (0, 1)}
    inferred = sum(rates[s] for s, grade in pool if grade > 0)
    precisions = gains = 0.0
    for rank, document in enumerate(seen, 1):
        if document and document[1] > 0:
            stratum, grade = document
            above = [one for one in seen[: rank - 1] if one]
            found = 1.0
            for s in (0, 1):
                of = [g for t, g in above if t == s]
                found += len(of) * (sum(g > 0 for g in of) + 1e-5) / (sum(g >= 0 for g in of) + 3e-5)
            precisions += rates[stratum] * found / rank
            gains += rates_seen[stratum] * grade / math.log2(rank + 1)
    stand_for = {gain: sum(rates[s] for s, grade in pool if grade == gain) for gain in (2, 1)}
    ideal = [gain for gain, count in stand_for.items() for _ in range(math.floor(count + 0.5 + 1e-9))]
    best = sum(g / math.log2(rank + 1) for rank, g in enumerate(ideal[:cutoff], 1))
    return [precisions / inferred, gains / best] if inferred else [math.nan, math.nan]


def _drawn(document):
    """Stratum and grade of a document, if it is in the pool."""
    if document == "--":
        return None
    stratum = 1 if document[0] == "-" else 0
    return stratum, -1 if document[stratum] == "x" else int(document[stratum])


def _share(pool, stratum):
    of = [grade for s, grade in pool if s == stratum]
    judged = sum(grade >= 0 for grade in of)
    return len(of) / judged if judged else 0.0


def _files(folder, qrels, run):
    (folder / "qrels").write_text(qrels)
    (folder / "run").write_text(run)
    return folder / "qrels", folder / "run"


def _lines(line):
    for query, (text, _, _) in enumerate(COMPUTED, 1):
        retrieved, _, missed = text.partition("|")
        named = [(f"d{at}", document) for at, document in enumerate(retrieved.split())]
        named += [(f"m{at}", document) for at, document in enumerate(missed.split())]
        for at, (name, document) in enumerate(named):
            yield line(query, at, name, document)


def _run_line(query, at, name, document):
    return f"{query} Q0 {name} {at + 1} {-at} run\n" if name.startswith("d") else ""


def _qrels_line(query, at, name, document):
    drawn = [(stratum, grade) for stratum, grade in enumerate(document) if grade != "-"]
    return "".join(f"{query} 0 {name} {s} {-1 if grade == 'x' else grade}\n" for s, grade in drawn)
