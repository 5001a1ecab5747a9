"""Labels made from clicks: estimates with intervals, grades, agreement, files."""

import json

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.click_models import MODELS, Fitting
from cranfield.click_models.click_labels import beta_interval
from cranfield.errors import DataError, UsageError
from tests.click_models.simulated import drawn, shown

LOG, QRELS = demo.path("clicks.csv"), demo.path("qrels.txt")


@pytest.fixture(scope="module")
def log():
    return cf.read_clicks(LOG)


@pytest.fixture(scope="module")
def labels(log):
    return cf.clicks(log, judgments=QRELS)


@pytest.mark.parametrize("name", [name for name, model in MODELS.items() if model.says_relevance])
def test_intervals_hold_the_truth_about_as_often_as_they_say(name):
    inside, count = 0, 0
    for seed in range(3):
        truth, log = drawn(name, 2_000, seed=seed)
        model = MODELS[name].fit(log, Fitting(stops=False))
        low, high = beta_interval(*model.relevance(), _clicks(log))
        relevance = truth.relevance()[0]
        inside += int(((low <= relevance) & (relevance <= high)).sum())
        count += len(relevance)
    assert 0.91 < inside / count < 0.98


@pytest.mark.parametrize("name", ["DCTR", "PBM"])
@pytest.mark.parametrize("rate", [0.005, 0.02, 0.2])
def test_intervals_hold_the_truth_also_where_clicks_are_rare(name, rate):
    inside, without = [], []
    for seed in range(6):
        log = shown(2_000, seed=seed)
        truth = np.random.default_rng(seed).beta(1, 1 / rate - 1, len(log.pairs))
        given = {"rate": truth} if name == "DCTR" else {"attraction": truth, "examination": 0.85 ** np.arange(10)}
        log = MODELS[name].given(log, **given).simulate(log, np.random.default_rng(seed + 1))
        estimate, worth = MODELS[name].fit(log).relevance()
        low, high = beta_interval(estimate, worth, _clicks(log))
        assert ((low <= estimate) & (estimate <= high)).all()
        assert (low[_clicks(log) == 0] == 0).all()
        inside.append((low <= truth) & (truth <= high))
        without.append(inside[-1][_clicks(log) == 0])
    assert np.concatenate(inside).mean() > 0.93
    assert np.concatenate(without).mean() > 0.89


def test_samples_of_sessions_do_not_tell_how_often_the_never_clicked_might_be():
    rows = [{"session": n, "query": "q", "documents": ["a", "b"], "clicks": [int(n < 20), 0]} for n in range(50)]
    beta, bootstrap = (cf.clicks(rows, "DCTR", interval=how, samples=20) for how in ("beta", "bootstrap"))
    assert (bootstrap.low[1], bootstrap.high[1]) == (beta.low[1], beta.high[1])
    assert bootstrap.high[0] != beta.high[0]
    assert "a Beta posterior (Jeffreys prior) where a document has no clicks" in bootstrap.notes()[0]


def test_a_bootstrap_over_sessions_gives_intervals_of_much_the_same_width():
    _, log = drawn("PBM", 2_000, queries=5)
    widths = [
        (labels.high - labels.low).mean()
        for labels in (cf.clicks(log, "PBM", interval=how, samples=100) for how in ("beta", "bootstrap"))
    ]
    assert widths[0] == pytest.approx(widths[1], rel=0.15)


def test_the_best_model_labels_the_documents(labels):
    assert labels.model.name == labels.comparison.best == "PBM"
    assert "PBM labels 434 documents of 44 queries; 253 were shown less than 10 times" in labels.verdict()


def test_documents_that_were_shown_too_rarely_are_left_out_and_not_judged_0(labels):
    assert (labels.impressions[labels.chosen] >= 10).all()
    assert (labels.impressions[labels.left_out] < 10).all()
    assert len(labels.chosen) + len(labels.left_out) == len(labels.pairs)
    assert len(labels.judgments) == len(labels.chosen)
    assert len(labels.left_out_table().columns["query"]) == len(labels.left_out)


def test_impressions_and_clicks_are_those_of_the_log(log):
    labels = cf.clicks(log, "PBM", min_impressions=1)
    assert labels.impressions.sum() == len(log.document)
    assert labels.clicks.sum() == log.clicked.sum()


def test_calibrated_grades_are_like_those_of_people(labels):
    assert labels.grading.grades == (0, 1, 2, 3)
    assert labels.agreement.cross_validated
    assert labels.agreement.kappa > 0.7
    assert labels.agreement.auc > 0.8
    assert "learnt from the judgments of others" in labels.verdict()


def test_labels_rank_systems_as_the_judgments_do(labels):
    runs = {name: demo.path(f"{name}.run") for name in ("title", "bm25", "hybrid")}
    by_clicks, by_people = (
        cf.evaluate(judgments, runs, "nDCG@10") for judgments in (labels.judgments, cf.read_judgments(QRELS))
    )
    for scores in (by_clicks, by_people):
        assert scores.mean("nDCG@10", "title").value < scores.mean("nDCG@10", "bm25").value


def test_shares_hold_as_nearly_as_equal_estimates_allow(log):
    labels = cf.clicks(log, "PBM", shares=[0.7, 0.3])
    assert labels.grades.mean() == pytest.approx(0.3, abs=0.01)
    assert labels.settings["mapping"] == "quantile"
    assert labels.agreement is None


def test_thresholds_are_what_was_said(log):
    labels = cf.clicks(log, "PBM", thresholds=[0.2, 0.5])
    estimates = labels.estimate[labels.chosen]
    assert (labels.grades == (estimates >= 0.2).astype(int) + (estimates >= 0.5)).all()
    assert labels.grading.words() == "by threshold: 1 from 0.2, 2 from 0.5"


def test_grades_by_share_may_be_compared_with_judgments_too(log):
    labels = cf.clicks(log, "PBM", judgments=QRELS, mapping="quantile")
    assert not labels.agreement.cross_validated
    assert labels.agreement.table().columns["judged"] == ["0", "1", "2", "3"]


def test_documents_that_were_pooled_but_not_judged_are_not_compared(log):
    graded = {
        query: dict(grades) for query, grades in ((q, cf.read_judgments(QRELS)[q]) for q in cf.read_judgments(QRELS))
    }
    graded["q53"] = dict.fromkeys(graded["q53"], -1)
    labels = cf.clicks(log, "PBM", judgments=graded)
    assert labels.agreement.pairs < 413
    assert min(labels.grading.grades) == 0


@pytest.mark.parametrize("name", ["judgments.qrels", "judgments.csv", "judgments.tsv", "judgments.jsonl"])
def test_what_is_written_is_read_as_the_same_judgments(labels, tmp_path, name):
    labels.write(tmp_path / name)
    read = cf.read_judgments(tmp_path / name)
    assert {query: read[query] for query in read} == {query: labels.judgments[query] for query in labels.judgments}


def test_a_file_says_how_it_came_about(labels, tmp_path):
    labels.write(tmp_path / "clicks.qrels")
    comments = [line for line in (tmp_path / "clicks.qrels").read_text().splitlines() if line.startswith("#")]
    assert "1,500 impressions" in comments[0]
    assert comments[1] == "# PBM, attraction, at least 10 impressions"
    assert comments[2].startswith("# grades calibrated on judged documents: 1 from 0.2")
    assert comments[3].startswith("# examination by rank: 1.0000 0.9")
    labels.write(tmp_path / "clicks.jsonl")
    row = json.loads((tmp_path / "clicks.jsonl").read_text().splitlines()[0])
    assert {"query", "document", "grade", "estimate", "low", "high", "impressions", "clicks", "model", "rule"} == set(
        row
    )
    assert row["low"] < row["estimate"] < row["high"]


def test_a_query_in_words_is_written_as_csv_but_not_as_trec(tmp_path):
    rows = [{"session": n, "query": "red shoes", "documents": ["a", "b"], "clicks": [n % 2, 0]} for n in range(30)]
    labels = cf.clicks(rows, "PBM")
    labels.write(tmp_path / "clicks.csv")
    assert cf.read_judgments(tmp_path / "clicks.csv").queries == ("red shoes",)
    with pytest.raises(DataError, match="'red shoes' cannot be written to a TREC file"):
        labels.write(tmp_path / "clicks.qrels")
    with pytest.raises(UsageError, match="does not show the format to write judgments in"):
        labels.write(tmp_path / "clicks.docx")
    with pytest.raises(DataError, match="cannot be written"):
        labels.write(tmp_path / "nowhere" / "clicks.csv")


def test_parameters_can_be_printed(log):
    assert cf.clicks(log, "PBM").parameters().columns["rank"] == [str(rank) for rank in range(1, 11)]
    assert len(cf.clicks(log, "UBM").parameters().columns["last click"]) == 55
    assert cf.clicks(log, "DBN").parameters().columns["parameter"] == ["continuation"]
    assert cf.clicks(log, "DCTR").parameters().columns == {"value": []}


def test_everything_is_in_the_dictionary(labels):
    plain = json.loads(json.dumps(labels.to_dict(), allow_nan=False))
    assert plain["model"]["name"] == "PBM"
    assert len(plain["labels"]) == plain["labelled"] == 434
    assert plain["agreement"]["pairs"] == 413
    assert plain["comparison"]["models"][0]["model"] == "PBM"


def test_it_shows_itself(labels):
    assert str(labels).startswith("PBM predicts held-out clicks best")
    assert "<table" in labels._repr_html_()
    assert repr(labels) == "ClickLabels(PBM; 434 documents of 44 queries, grades 0 to 3; 253 left out)"


def test_where_rank_alone_predicts_best_it_is_told():
    _, log = drawn("RCTR", 2_000)
    labels = cf.clicks(log)
    assert any("RCTR, which treats all documents alike" in str(warning) for warning in labels.warnings)
    assert labels.model.name not in ("GCTR", "RCTR")


def test_of_several_models_the_best_is_taken(log):
    labels = cf.clicks(log, ["DCTR", "CM"])
    assert labels.model.name == "DCTR"
    assert {score.name for score in labels.comparison.models} == {"DCTR", "CM"}


def test_a_model_that_is_named_twice_counts_once(log):
    assert cf.clicks(log, ["PBM", "pbm"]).comparison is None
    assert [score.name for score in cf.compare_click_models(log, ["DCTR", "DCTR"]).models] == ["DCTR"]


@pytest.mark.parametrize("ask", [cf.clicks, cf.compare_click_models, cf.fit_click_model])
def test_of_a_log_without_clicks_nothing_can_be_said(ask):
    rows = [{"session": n, "query": "q", "documents": ["a", "b"], "clicks": []} for n in range(30)]
    with pytest.raises(DataError, match="no result of the log was clicked"):
        ask(rows)


def test_of_ubi_events_that_count_as_no_click_the_names_are_told():
    rows = [{"query_id": "1", "user_query": "q", "query_response_hit_ids": ["a", "b"]}]
    rows += [{"query_id": "1", "action_name": name, "user_query": None} for name in ("product_click", "impression")]
    with pytest.raises(DataError, match=r"events are called product_click, impression[^$]*clicks=NAME"):
        cf.clicks(rows, "PBM")


def test_rounds_that_did_not_suffice_are_told(log):
    labels = cf.clicks(log, "PBM", fitting=Fitting(iterations=3))
    assert "had not converged after 3 iterations" in str(labels.warnings[-1])


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"model": "RCTR"}, UsageError, "RCTR has one click rate for all documents"),
        ({"model": ["RCTR", "GCTR"]}, UsageError, "RCTR has one click rate for all documents"),
        ({"model": None}, UsageError, "There is no click model 'None'"),
        ({"model": "PBM", "shares": "abc"}, UsageError, "shares are two or more numbers"),
        ({"model": "PBM", "thresholds": [float("nan")]}, UsageError, "rising"),
        ({"model": "PBM", "min_impressions": 0}, UsageError, "min_impressions must be"),
        ({"model": "PBM", "min_impressions": 1000}, DataError, "no document was shown 1,000 times"),
        ({"model": "PBM", "mapping": "calibrated"}, UsageError, "--judgments"),
        ({"model": "PBM", "mapping": "threshold"}, UsageError, "--thresholds"),
        ({"model": "PBM", "mapping": "luck"}, UsageError, "mapping must be one of"),
        ({"model": "PBM", "shares": [0.5, 0.6]}, UsageError, "add up to 1"),
        ({"model": "PBM", "thresholds": [0.5, 0.2]}, UsageError, "rising"),
        ({"model": "PBM", "interval": "none"}, UsageError, "interval must be one of"),
        ({"model": "PBM", "interval": "bootstrap", "samples": 3}, UsageError, "samples must be"),
        ({"model": "PBM", "judgments": {"q01": {"d1": 1}}}, DataError, "too few to compare"),
    ],
)
def test_arguments_are_checked(log, wrong, error, message):
    with pytest.raises(error, match=message):
        cf.clicks(log, **wrong)


def test_estimates_agree_with_a_plain_count_where_everything_is_looked_at():
    rows = [{"session": n, "query": "q", "documents": ["a"], "clicks": [int(n < 30)]} for n in range(100)]
    labels = cf.clicks(rows, "DCTR", fitting=Fitting(prior=(1, 1)))
    assert labels.estimate == pytest.approx([31 / 102])
    from scipy.stats import beta

    assert (labels.low[0], labels.high[0]) == pytest.approx(beta(31.5, 71.5).interval(0.95))
    assert np.isfinite(labels.low).all()


def _clicks(log):
    return np.bincount(log.pairs.of(log), log.clicked, len(log.pairs)).astype(int)


def test_a_log_of_one_row_is_told():
    row = {"session": "s", "query": "q", "position": 1, "document": "a", "clicked": 1}
    labels = cf.clicks([row], "DCTR", min_impressions=1)
    assert "the log has 1 impression; with so few, estimates are mostly the prior" in map(str, labels.warnings)
