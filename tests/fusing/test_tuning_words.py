"""What a tuning says."""

import re

import cranfield as cf
from cranfield import demo

QRELS, BM25, DENSE = (demo.path(name) for name in ("qrels.txt", "bm25.run", "dense.run"))


def test_weights_that_are_as_good_are_named():
    tuning = cf.tune_fusion(QRELS, [BM25, DENSE], methods=["combsum"], norms=["minmax"], steps=20)
    assert [point.value for point in tuning.curve] == [at / 20 for at in range(1, 20)]
    assert re.search(r"Any weight of bm25 from 0\.\d+ to 0\.\d+ is within the noise", " ".join(str(tuning).split()))
    constants = cf.tune_fusion(QRELS, [BM25, DENSE], methods=["rrf"], steps=1)
    assert constants.parameter == "k"
    assert [point.value for point in constants.curve] == [1, 5, 10, 20, 40, 60, 100]


def test_the_verdict_names_the_gain_its_interval_p_and_what_choosing_adds():
    norms = ["minmax", "zscore", "sum"]
    verdict = cf.tune_fusion(QRELS, [BM25, DENSE], norms=norms, repeats=2).verdict()
    assert re.fullmatch(
        r"Fusing helps: nDCG@10 [\d.]+ out of fold, \+[\d.]+ compared with dense, the best single run \(95% "
        r"interval [\d.]+ to [\d.]+\); p = [\d.]+, corrected for 117 configurations\. On the queries that chose "
        r"it, the best configuration shows \+0\.0985 \(uncorrected p = [\de.-]+\); [\d.]+ of that is from "
        r"choosing among 117\.",
        verdict,
    )


def test_how_often_each_method_was_chosen_is_said_before_its_parameters():
    tuning = cf.tune_fusion(QRELS, [BM25, DENSE], repeats=2)
    said = " ".join(str(tuning).split())
    own = r"The method is chosen first, by cross-validation \((\w+) in (\d+)% of folds[^)]*\), then its parameters\."
    method, share = re.search(own, said).groups()
    assert method == tuning.final.method.rule.name
    assert int(share) >= 100 * tuning.choices.shares(len(tuning.scores.fusions))[tuning.choices.final]
    alone = cf.tune_fusion(QRELS, [BM25, DENSE], methods=["rrf"], repeats=2)
    assert "The method is chosen first" not in str(alone)


def test_a_fusion_that_loses_is_called_worse():
    assert cf.tune_fusion(QRELS, [BM25, DENSE], top=1, repeats=2).verdict().startswith("Fusing is worse: nDCG@10 0.3")
