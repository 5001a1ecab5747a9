"""Scores in MLflow and Weights & Biases: by stand-ins everywhere, and for real where they are installed."""

from __future__ import annotations

import json
import sys
from types import ModuleType, SimpleNamespace

import pytest

import cranfield as cf
from cranfield.errors import UsageError
from cranfield.evaluating.tracking import LONGEST_NAME, LONGEST_TAG, plain_name

JUDGED = {f"q{at}": {"d1": 2, "d2": 1} for at in range(5)}
BEST, SECOND = (dict.fromkeys(JUDGED, documents) for documents in (["d1", "d2"], ["x", "d1"]))


@pytest.fixture
def scores():
    return cf.evaluate(JUDGED, SECOND, "nDCG@10 P(rel=2)@5")


class Mlflow(ModuleType):
    """What is used of MLflow, which keeps what it gets."""

    def __init__(self):
        super().__init__("mlflow")
        self.started, self.metrics, self.tags, self.files = [], {}, {}, {}

    def active_run(self):
        return self.started[-1] if self.started else None

    def start_run(self):
        self.started.append(SimpleNamespace(info=SimpleNamespace(run_id="new")))
        return self.started[-1]

    def log_metrics(self, metrics, step=None, run_id=None):
        assert len(metrics) <= 1000
        self.metrics |= {(run_id, step, name): value for name, value in metrics.items()}

    def MlflowClient(self):
        return self

    def set_tag(self, run_id, name, value):
        self.tags[name] = value

    def log_dict(self, run_id, content, path):
        self.files[path] = json.dumps(content, allow_nan=False)

    def log_text(self, run_id, text, path):
        self.files[path] = text


class Wandb(ModuleType):
    """Likewise of Weights & Biases."""

    def __init__(self, active=True):
        super().__init__("wandb")
        self.logged, self.facts = [], {}
        run = SimpleNamespace(summary={}, config=self, log=lambda content, step: self.logged.append((step, content)))
        self.init, self.run = object(), run if active else None

    def update(self, facts, allow_val_change):
        assert allow_val_change
        self.facts |= facts

    def Table(self, columns, data):
        return columns, data

    def Html(self, text, inject, data_is_not_path):
        assert (inject, data_is_not_path) == (False, True)
        return text


class TestMetrics:
    def test_are_means_with_the_ends_of_their_intervals_and_the_number_of_queries(self, scores):
        logged = scores.log_to(Mlflow())
        mean = scores.mean("nDCG@10")
        assert list(logged) == [
            *("nDCG_at_10", "nDCG_at_10_low", "nDCG_at_10_high"),
            *("P_rel2_at_5", "P_rel2_at_5_low", "P_rel2_at_5_high", "queries"),
        ]
        assert [logged[name] for name in list(logged)[:3]] == [mean.value, mean.low, mean.high]
        assert logged["queries"] == 5

    def test_of_several_runs_begin_with_the_name_of_the_run(self):
        logged = cf.evaluate(JUDGED, {"BM 25": BEST, "new@2": SECOND}, "RR").log_to(Mlflow())
        assert {"BM_25/RR": 1, "new_at_2/RR": 0.5, "BM_25/queries": 5}.items() <= logged.items()

    def test_of_two_runs_with_one_name_are_refused(self):
        with pytest.raises(UsageError, match=r"RR of a b and RR of a\+b would both be 'a_b/RR' in the tracker; rename"):
            cf.evaluate(JUDGED, {"a b": BEST, "a+b": SECOND}, "RR").log_to(Mlflow())

    def test_that_are_undefined_are_left_out_and_named(self):
        mlflow = Mlflow()
        scores = cf.evaluate({"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": ["x"], "q2": ["d1"]}, "SL RR")
        assert set(scores.log_to(mlflow)) == {"RR", "RR_low", "RR_high", "queries"}
        assert mlflow.tags["cranfield.undefined"] == "SL"

    def test_more_than_one_request_may_have_are_sent_in_parts(self):
        runs = {f"run{at}": BEST for at in range(300)}
        mlflow = Mlflow()
        assert len(cf.evaluate(JUDGED, runs, "RR").log_to(mlflow)) == len(mlflow.metrics) == 1200

    @pytest.mark.parametrize(
        ("name", "plain"),
        [
            ("AP(rel=2, cutoff=5)", "AP_rel2_cutoff5"),
            ("RBP(p=0.8)", "RBP_p0.8"),
            ("../../etc", ".._.._etc"),
            ("检索", "run"),
            ("", "run"),
            ("x" * 9000, "x" * LONGEST_NAME),
        ],
    )
    def test_names_are_such_as_every_tracker_takes(self, name, plain):
        assert plain_name(name) == plain


class TestMlflow:
    def test_the_active_run_is_used_and_one_is_started_where_there_is_none(self, scores, monkeypatch):
        mlflow = Mlflow()
        monkeypatch.setitem(sys.modules, "mlflow", mlflow)
        scores.log_to("mlflow", step=3)
        scores.log_to(mlflow, step=4)
        assert len(mlflow.started) == 1
        assert {key[:2] for key in mlflow.metrics} == {("new", 3), ("new", 4)}

    def test_a_run_can_be_named(self, scores, monkeypatch):
        monkeypatch.setitem(sys.modules, "mlflow", mlflow := Mlflow())
        scores.log_to(SimpleNamespace(info=SimpleNamespace(run_id="mine")))
        assert {key[0] for key in mlflow.metrics} == {"mine"}

    def test_settings_hashes_and_warnings_are_tags(self, scores, tmp_path):
        mlflow = Mlflow()
        scores.log_to(mlflow)
        assert mlflow.tags["cranfield.settings.ties"] == "document"
        assert mlflow.tags["cranfield.judgments.sha256"] == scores.provenance.judgments.sha256
        assert mlflow.tags["cranfield.measures"] == "nDCG_at_10: nDCG@10, P_rel2_at_5: P(rel=2)@5"
        (tmp_path / "a.run").write_text("q0 Q0 d1 1 2 a\nnobody Q0 d1 1 2 a\n")
        cf.evaluate(JUDGED, tmp_path / "a.run", "RR").log_to(mlflow)
        assert len(mlflow.tags["cranfield.runs.a.sha256"]) == 64
        assert "nobody" in mlflow.tags["cranfield.warnings"]

    def test_no_tag_is_longer_than_mlflow_keeps(self):
        mlflow = Mlflow()
        cf.evaluate(JUDGED, {"r" * 9000: BEST}, "RR").log_to(mlflow)
        assert max(map(len, mlflow.tags.values())) == LONGEST_TAG

    def test_queries_and_report_are_files_where_asked_for(self, scores):
        mlflow = Mlflow()
        scores.log_to(mlflow)
        assert mlflow.files == {}
        scores.log_to(mlflow, per_query=True, report=cf.report(scores))
        table = json.loads(mlflow.files["cranfield/per_query.json"])
        assert table["columns"] == ["run", "query", "nDCG@10", "P(rel=2)@5"]
        assert table["data"][0] == ["run", "q0", scores["nDCG@10"][0, 0], 0.2]
        assert mlflow.files["cranfield/report.html"].startswith("<!doctype html>")


class TestWandb:
    def test_everything_is_one_step(self, scores, monkeypatch):
        monkeypatch.setitem(sys.modules, "wandb", wandb := Wandb())
        for tracker in ("wandb", wandb, wandb.run):
            metrics = scores.log_to(tracker, step=2, per_query=True, report=cf.report(scores))
        assert len(wandb.logged) == 3
        for step, logged in wandb.logged:
            assert step == 2
            assert logged.items() >= metrics.items()
            assert logged["cranfield/per_query"][0] == ["run", "query", "nDCG@10", "P(rel=2)@5"]
            assert logged["cranfield/report"].startswith("<!doctype html>")
        assert wandb.facts["cranfield"]["judgments"]["sha256"] == scores.provenance.judgments.sha256

    def test_without_an_active_run_it_says_what_to_call(self, scores):
        with pytest.raises(UsageError, match=r"no active run. Call wandb.init\(\) first"):
            scores.log_to(Wandb(active=False))


class TestWrongUsage:
    def test_an_unknown_tracker_is_answered_with_the_nearest(self, scores):
        with pytest.raises(UsageError, match=r"no tracker 'mlfow'; there are: mlflow, wandb. Did you mean mlflow"):
            scores.log_to("mlfow")

    @pytest.mark.parametrize("tracker", [None, 3, {}, object()])
    def test_whatever_is_no_tracker_is_refused(self, scores, tracker):
        with pytest.raises(
            UsageError, match="log_to takes 'mlflow', 'wandb', one of these modules, or a run of theirs"
        ):
            scores.log_to(tracker)

    def test_a_package_that_is_not_installed_is_named(self, scores, monkeypatch):
        monkeypatch.setitem(sys.modules, "wandb", None)
        with pytest.raises(UsageError, match=r"needs the package wandb, which is not installed.\nInstall it: pip"):
            scores.log_to("wandb")

    def test_a_report_that_is_none_is_refused_before_anything_is_logged(self, scores):
        mlflow = Mlflow()
        with pytest.raises(UsageError, match=r"report= takes what cranfield.report gives, not 'page.html'"):
            scores.log_to(mlflow, report="page.html")
        assert (mlflow.metrics, mlflow.started) == ({}, [])


class TestForReal:
    """`make tracking` installs both; their packages are too large for every test environment."""

    def test_mlflow_keeps_everything(self, scores, tmp_path, monkeypatch):
        mlflow = pytest.importorskip("mlflow")
        monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
        mlflow.set_tracking_uri((tmp_path / "mlruns").as_uri())
        with mlflow.start_run() as run:
            logged = scores.log_to("mlflow", per_query=True, report=cf.report(scores))
        scores.log_to(run, step=7)
        again = mlflow.get_run(run.info.run_id)
        assert again.data.metrics == logged
        assert again.data.tags["cranfield.judgments.sha256"] == scores.provenance.judgments.sha256
        files = mlflow.MlflowClient().list_artifacts(run.info.run_id, "cranfield")
        assert [file.path for file in files] == ["cranfield/per_query.json", "cranfield/report.html"]
        history = mlflow.MlflowClient().get_metric_history(run.info.run_id, "nDCG_at_10")
        assert [metric.step for metric in history] == [0, 7]

    def test_weights_and_biases_keeps_everything(self, scores, tmp_path, monkeypatch):
        wandb = pytest.importorskip("wandb")
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("WANDB_SILENT", "true")
        with wandb.init(project="tests", mode="offline", dir=tmp_path) as run:
            logged = scores.log_to("wandb", per_query=True, report=cf.report(scores))
            scores.log_to(run)
            assert {name: run.summary[name] for name in logged} == logged
            assert run.summary["cranfield/per_query"]["nrows"] == 5
            assert run.summary["cranfield/report"]["_type"] == "html-file"
            assert run.config["cranfield"]["judgments"]["sha256"] == scores.provenance.judgments.sha256
