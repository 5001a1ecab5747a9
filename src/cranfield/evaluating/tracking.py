"""Scores in experiment trackers, MLflow and Weights & Biases: means, intervals, and what they were measured on."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cranfield import errors
from cranfield.errors import UsageError, did_you_mean
from cranfield.evaluating.score_json import judgments_dict, settings_dict
from cranfield.phrases import short, shown
from cranfield.show.table import finite
from cranfield.version import VERSION

if TYPE_CHECKING:
    from cranfield.evaluating.scores import Scores

TRACKERS = {"mlflow": "MLflow", "wandb": "Weights & Biases"}
"""Their packages, and what they are called."""
LONGEST_NAME = 200
LONGEST_TAG = 5000
"""What every version of MLflow takes."""
METRICS_AT_ONCE = 1000
"""What MLflow takes in one request."""


class Page(Protocol):
    """What has the text of a page, as `cranfield.report` gives it."""

    @property
    def html(self) -> str:
        """The page."""


class TrackedScores(NamedTuple):
    """What a tracker gets."""

    metrics: dict[str, float]
    facts: dict[str, Any]
    """What the scores were measured on, and how."""
    table: Mapping[str, list[Any]] | None
    """The scores of every query, by column."""
    page: str | None
    """The report."""
    step: int | None


def log_scores(
    scores: Scores,
    tracker: Any,
    *,
    step: int | None = None,
    per_query: bool = False,
    report: Page | None = None,
) -> dict[str, float]:
    """Log scores to a tracker, and give back the metrics by their names there."""
    named = metric_names(scores)
    metrics = dict(_metrics(scores, named))
    table = scores.per_query().to_dict() if per_query else None
    page = None if report is None else _html(report)
    tracked = TrackedScores(metrics, _facts(scores, named, metrics), table, page, step)
    _logging(tracker)(tracked)
    return metrics


def metric_names(scores: Scores) -> dict[tuple[str, str], str]:
    """What each run and measure is called in a tracker; of several runs, names begin with that of the run."""
    names: dict[tuple[str, str], str] = {}
    for run in scores.runs:
        for measure in scores.measures:
            names[run, str(measure)] = _prefix(scores, run) + plain_name(str(measure))
    if len(set(names.values())) < len(names):
        twice = next(name for at, name in enumerate(names.values()) if name in list(names.values())[:at])
        pairs = [f"{measure} of {run}" for (run, measure), name in names.items() if name == twice]
        raise UsageError(f"{' and '.join(pairs)} would both be {twice!r} in the tracker; rename one of the runs.")
    return names


def _prefix(scores: Scores, run: str) -> str:
    return f"{plain_name(run)}/" if len(scores.runs) > 1 else ""


def plain_name(name: str) -> str:
    """A name of letters, digits, underscores, points and dashes, which every tracker takes and sorts by.

    >>> [plain_name(name) for name in ("nDCG@10", "P(rel=2)@5", "nDCG(gain=exponential)@10", "my run")]
    ['nDCG_at_10', 'P_rel2_at_5', 'nDCG_gain_exponential_at_10', 'my_run']
    """
    spelt = re.sub(r"=(?=\d)|\)", "", name.replace("@", "_at_"))
    return re.sub(r"[^\w.-]+", "_", spelt, flags=re.ASCII)[:LONGEST_NAME].strip("_") or "run"


def _metrics(scores: Scores, named: Mapping[tuple[str, str], str]) -> Iterator[tuple[str, float]]:
    """Every mean with the ends of its interval, and the number of queries; what is undefined is left out."""
    for (run, measure), name in named.items():
        mean = scores.mean(measure, run)
        for suffix, value in (("", mean.value), ("_low", mean.low), ("_high", mean.high)):
            if math.isfinite(value):
                yield name + suffix, float(value)
    for at, run in enumerate(scores.runs):
        yield _prefix(scores, run) + "queries", float(scores.counted[0, at].sum())


def _facts(scores: Scores, named: Mapping[tuple[str, str], str], metrics: Mapping[str, float]) -> dict[str, Any]:
    undefined = [name for name in named.values() if name not in metrics]
    runs = zip(scores.runs, scores.provenance.runs, strict=True)
    return {
        "version": VERSION,
        "settings": settings_dict(scores),
        "judgments": judgments_dict(scores),
        "runs": {plain_name(run): {"name": run, "path": facts.path, "sha256": facts.sha256} for run, facts in runs},
        "measures": ", ".join(f"{plain_name(str(measure))}: {measure.canonical}" for measure in scores.measures),
        "undefined": ", ".join(undefined) or None,
        "warnings": "\n".join(map(str, scores.warnings)) or None,
    }


def _html(report: Page) -> str:
    page = getattr(report, "html", None)
    if not isinstance(page, str):
        raise UsageError(f"report= takes what cranfield.report gives, not {shown(report)}.")
    return page


def _logging(tracker: Any) -> Callable[[TrackedScores], None]:
    """How scores are logged to a tracker: its name, its module, or one of its runs."""
    if isinstance(tracker, str):
        if tracker not in TRACKERS:
            near = did_you_mean(tracker, TRACKERS)
            raise UsageError(f"There is no tracker {tracker!r}; there are: {', '.join(TRACKERS)}. {near}".strip())
        tracker = _package(tracker)
    if hasattr(tracker, "MlflowClient"):
        run = tracker.active_run() or tracker.start_run()
        return _MlflowLog(tracker, run.info.run_id)
    if hasattr(getattr(tracker, "info", None), "run_id"):
        return _MlflowLog(_package("mlflow"), tracker.info.run_id)
    if hasattr(tracker, "Table") and hasattr(tracker, "init"):
        if tracker.run is None:
            raise UsageError("Weights & Biases has no active run. Call wandb.init() first, or pass the run.")
        return _WandbLog(tracker, tracker.run)
    if hasattr(tracker, "summary") and hasattr(tracker, "config") and hasattr(tracker, "log"):
        return _WandbLog(_package("wandb"), tracker)
    raise UsageError(f"log_to takes 'mlflow', 'wandb', one of these modules, or a run of theirs, not {shown(tracker)}.")


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise errors.packages.missing(f"log_to({name!r})", name) from None


@dataclass(frozen=True)
class _MlflowLog:
    """Logs to a run of MLflow."""

    mlflow: Any
    run_id: str

    def __call__(self, tracked: TrackedScores) -> None:
        """Metrics, tags, and files in the folder `cranfield` of the artifacts."""
        client = self.mlflow.MlflowClient()
        for part in _parts(tracked.metrics, METRICS_AT_ONCE):
            self.mlflow.log_metrics(part, step=tracked.step, run_id=self.run_id)
        for name, value in _tags(tracked.facts, "cranfield"):
            client.set_tag(self.run_id, name, value)
        if tracked.table is not None:
            client.log_dict(self.run_id, _split(tracked.table), "cranfield/per_query.json")
        if tracked.page is not None:
            client.log_text(self.run_id, tracked.page, "cranfield/report.html")


@dataclass(frozen=True)
class _WandbLog:
    """Logs to a run of Weights & Biases."""

    wandb: Any
    run: Any

    def __call__(self, tracked: TrackedScores) -> None:
        """Metrics, tables and pages in one step, and what they were measured on in the configuration."""
        logged: dict[str, Any] = dict(tracked.metrics)
        if tracked.table is not None:
            logged["cranfield/per_query"] = self.wandb.Table(**_split(tracked.table))
        if tracked.page is not None:
            logged["cranfield/report"] = self.wandb.Html(tracked.page, inject=False, data_is_not_path=True)
        self.run.config.update({"cranfield": tracked.facts}, allow_val_change=True)
        self.run.log(logged, step=tracked.step)


def _parts(metrics: Mapping[str, float], size: int) -> Iterator[dict[str, float]]:
    names = list(metrics)
    for begin in range(0, len(names), size):
        yield {name: metrics[name] for name in names[begin : begin + size]}


def _tags(facts: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    """Facts as MLflow takes them: a text for each name, no longer than it keeps."""
    for name, value in facts.items():
        key = f"{prefix}.{plain_name(name)}"
        if isinstance(value, Mapping):
            yield from _tags(value, key)
        elif value is not None:
            yield key, short(str(value), LONGEST_TAG)


def _split(table: Mapping[str, list[Any]]) -> dict[str, Any]:
    """A table as both trackers read it."""
    rows = zip(*table.values(), strict=True)
    return {"columns": list(table), "data": [[_cell(value) for value in row] for row in rows]}


def _cell(value: Any) -> Any:
    return finite(value) if isinstance(value, float) else value
