"""What commands that evaluate share: how their inputs are read, and how much of each ranking counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cranfield.choices import AverageOver, Duplicates, Keep, Precision, TieRule, Undefined
from cranfield.cli.options import Command, Real, Whole, bundle, choice, option, refuse_ranking_option
from cranfield.cli.output import echo_notes, progress, verbose
from cranfield.phrases import counted

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.data.judgments import GroupKind, Judgments
    from cranfield.data.run import Run
    from cranfield.evaluating.evaluation import EvaluationPlan
    from cranfield.evaluating.scores import Scores
    from cranfield.formats.columns import ColumnsGiven, Kind
    from cranfield.measures import Measure

GROUP = "Reading files"
EVALUATION = "Evaluation"


class Inputs(NamedTuple):
    """How inputs are read."""

    judgments_format: str | None
    run_format: str | None
    columns: tuple[str, ...]
    duplicates: Duplicates | None = None
    run_queries: str | None = None

    def judgments(self, path: str, groups: GroupKind | None = None) -> Judgments:
        """The judgments, read; with several grades for a document where the measures want them."""
        from cranfield.formats import read_judgments

        return read_judgments(path, format=self.judgments_format, columns=self.columns_of("judgments"), groups=groups)

    def run(self, path: str | Run) -> Run:
        """A run, ready to be read."""
        from cranfield.formats import read_run

        about: dict[str, Any] = {"columns": self.columns_of("run"), "duplicates": self.duplicates}
        return read_run(path, format=self.run_format, run_queries=self.run_queries, **about)

    def runs(self, paths: Iterable[str | Run]) -> list[Run]:
        """All runs, ready to be read; a table may hold several."""
        from cranfield.formats import read_runs, runs_in
        from cranfield.formats.reading import must_be_used, order_of

        about: dict[str, Any] = {"columns": self.columns_of("run"), "duplicates": self.duplicates}
        about["order"] = order_of(self.run_queries)
        read = read_runs([run for path in paths for run in runs_in(path, format=self.run_format, **about)])
        must_be_used(about["order"])
        return read

    def scores(
        self, plan: EvaluationPlan, judgments: str | Judgments, runs: Iterable[str | Run], *, quiet: bool
    ) -> Scores:
        """The scores of runs against judgments, or a file of them."""
        read = self.judgments(judgments, plan.groups) if isinstance(judgments, str) else judgments
        with progress(quiet=quiet) as watch:
            scores = plan.scores(read, [watch.watched(run) for run in self.runs(runs)])
        echo_notes(scores)
        return scores

    def require_files(self) -> None:
        """Refuse options about files where a ranking was typed."""
        given = {
            "--judgments-format": self.judgments_format,
            "--run-format": self.run_format,
            "--columns": self.columns,
            "--duplicates": self.duplicates,
            "--run-queries": self.run_queries,
        }
        for name, value in given.items():
            if value:
                raise click.UsageError(f"{name} works with files only, and a ranking was typed.")

    def require_parquet(self) -> None:
        """Refuse options about formats that Spark does not read."""
        for name, value in {"--judgments-format": self.judgments_format, "--run-format": self.run_format}.items():
            if value not in (None, "parquet"):
                raise click.UsageError(f"--engine spark reads Parquet; {name} is {value}.")
        if self.run_queries is not None:
            raise click.UsageError("--run-queries is about saved responses; --engine spark reads Parquet.")

    def columns_of(self, kind: Kind) -> ColumnsGiven:
        """The last word on columns that is not about the other kind of file."""
        from cranfield.formats.columns import columns_for

        mine = [own for text in self.columns if (own := columns_for(kind, text)) is not None]
        return mine[-1] if mine else None


_RUN_FORMAT = option(
    "--run-format",
    metavar="NAME",
    group=GROUP,
    help="Format of a RUN, instead of guessing: trec, msmarco, csv, tsv, jsonl, json, parquet, arrow.",
)
duplicates = option(
    "--duplicates",
    type=choice(Duplicates),
    group=GROUP,
    help="Count a document that a RUN lists twice for a query at its best place, with a warning. "
    "[default: stop if there are any]",
)

run_queries = option(
    "--run-queries",
    metavar="FILE",
    group=GROUP,
    help="Queries that a RUN of saved responses answers, in their order, where it does not say so (_msearch): a query "
    "file, or the request that was sent.",
)

reading = bundle(
    "inputs",
    Inputs,
    option(
        "--judgments-format",
        metavar="NAME",
        group=GROUP,
        help="Format of QRELS, instead of guessing: trec, csv, tsv, beir, quepid, jsonl, json, parquet, arrow.",
    ),
    _RUN_FORMAT,
    option(
        "--columns",
        multiple=True,
        metavar="ROLES",
        group=GROUP,
        help="Which column is what: query=qid,document=pid,grade=label; or by position: query,document,score. "
        "The roles grade, subtopic and judge belong to QRELS, score and rank to a RUN.",
    ),
    duplicates,
    run_queries,
)
"""The options of every command that reads judgments and runs."""


def _of_runs(run_format: str | None, columns: tuple[str, ...], **facts: Any) -> Inputs:
    return Inputs(None, run_format, columns, **facts)


run_reading = bundle(
    "inputs",
    _of_runs,
    _RUN_FORMAT,
    option(
        "--columns",
        multiple=True,
        metavar="ROLES",
        group=GROUP,
        help="Which column is what: query=qid,document=pid,score=bm25; or by position: query,document,score.",
    ),
    duplicates,
    run_queries,
)
"""The same for commands that read runs alone."""


@dataclass(frozen=True)
class RankingChoices:
    """How much of each ranking counts; None where nothing was chosen."""

    rel: float | None = None
    depth: int | None = None
    judged_only: bool | None = None
    group_by: str | None = None
    alternatives: str | None = None
    unjudged_grade: float | None = None

    def require_files(self) -> None:
        """Refuse options about ids where a ranking was typed."""
        for name, value in {"--group-by": self.group_by, "--alternatives": self.alternatives}.items():
            if value is not None:
                raise click.UsageError(f"{name} works with files only, and a ranking was typed.")

    def chosen(self) -> dict[str, Any]:
        """The settings that were chosen, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class EvaluationChoices(RankingChoices):
    """The settings of an evaluation; None where nothing was chosen."""

    profile: str | None = None
    average_over: AverageOver | None = None
    without_relevant: Keep | None = None
    ties: TieRule | None = None
    undefined: Undefined | None = None
    precision: Precision | None = None
    identical: Keep | None = None
    only_queries: str | None = None

    def plan(self, names: Sequence[str | Measure], default: Sequence[str] | None = None) -> EvaluationPlan:
        """The evaluation of measures, as the profile defines them; a typo is refused before anything is read."""
        from cranfield.evaluating.evaluation import evaluation_plan
        from cranfield.evaluating.profiles import find

        overrides = self.chosen()
        profile = find(overrides.pop("profile", None))
        return evaluation_plan(profile, names or (None if profile.measures else default), overrides)


def _ranking_choices(judged_only: bool, **choices: Any) -> RankingChoices:
    return RankingChoices(judged_only=judged_only or None, **choices)


def _evaluation_choices(
    complete: bool, average_over: AverageOver | None, judged_only: bool, **choices: Any
) -> EvaluationChoices:
    if complete and average_over == "answered":
        raise click.UsageError("-c averages over all judged queries, --average-over answered over fewer; choose one.")
    over = "judged" if complete else average_over
    return EvaluationChoices(average_over=over, judged_only=judged_only or None, **choices)


def _no_standard_input(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """The name of a file; standard input is for judgments and runs."""
    if value == "-":
        raise click.BadParameter("must be a file; - is for judgments or a run.", context, parameter)
    return value


_RANKING_OPTIONS = (
    option(
        "-l",
        "--level",
        "rel",
        type=Real(),
        metavar="GRADE",
        group=EVALUATION,
        help="Grade from which a document is relevant. [default: 1]",
    ),
    option(
        "-M",
        "--depth",
        type=Whole(),
        metavar="N",
        group=EVALUATION,
        help="Evaluate only the top N documents of each ranking.",
    ),
    option(
        "-J",
        "--judged-only",
        is_flag=True,
        group=EVALUATION,
        help="Remove unjudged documents before scoring (condensed lists).",
    ),
    option(
        "--unjudged-grade",
        type=Real(0),
        metavar="GRADE",
        group=EVALUATION,
        help="Score as if each retrieved document that nobody judged had this grade. [default: none, as irrelevant]",
    ),
)

_GROUPING_OPTIONS = (
    option(
        "--group-by",
        metavar="PATTERN|FILE",
        group=EVALUATION,
        help="Count documents instead of chunks, each at the rank of its best chunk. A separator (# for d7#3), a "
        "regular expression with a group ('^(.+)_[0-9]+$'), or a file with the columns chunk and document.",
    ),
    option(
        "--alternatives",
        metavar="FILE",
        callback=_no_standard_input,
        group=EVALUATION,
        help="Documents that answer a query alike: the first one retrieved counts, the others are removed. A table "
        "with the columns query, document and answer.",
    ),
)

_PROFILE = option(
    "--profile",
    metavar="NAME",
    group=EVALUATION,
    help="Use another tool's defaults: trec_eval-10, trec_eval-9, pytrec_eval, ir_measures, ranx, ndeval, gdeval, "
    "msmarco, beir, sklearn, textbook.",
)
_UNDEFINED = option(
    "--undefined",
    type=choice(Undefined),
    group=EVALUATION,
    help="Count an undefined score as 0, or skip the query. [default: as the measure defines]",
)

only_queries = option(
    "--only-queries",
    metavar="FILE",
    callback=_no_standard_input,
    group=EVALUATION,
    help="Evaluate only some of the judged queries: ids one per line, or a query file.",
)

ranking = bundle("ranking", _ranking_choices, *_RANKING_OPTIONS, *_GROUPING_OPTIONS)
"""What counts in a ranking: trec_eval's letters, and what counts as one document."""

evaluation = bundle(
    "evaluation",
    _evaluation_choices,
    _PROFILE,
    option(
        "--average-over",
        type=choice(AverageOver),
        group=EVALUATION,
        help="Average over all judged queries (one without results counts 0), or over those a run answered. "
        "[default: judged]",
    ),
    option(
        "-c",
        "--complete",
        is_flag=True,
        group=EVALUATION,
        help="Average over all judged queries: the default, spelt as in trec_eval.",
    ),
    option(
        "--without-relevant",
        type=choice(Keep),
        group=EVALUATION,
        help="Keep or drop queries without a relevant document. [default: keep]",
    ),
    *_RANKING_OPTIONS,
    option(
        "--ties",
        type=choice(TieRule),
        group=EVALUATION,
        help="Order of documents with equal scores: by id (descending or ascending), as given, or the average over all "
        "orders. [default: document]",
    ),
    _UNDEFINED,
    option(
        "--precision",
        type=choice(Precision),
        group=EVALUATION,
        help="Precision in which scores of documents are compared; single is that of trec_eval up to version 9. "
        "[default: double]",
    ),
    option(
        "--identical",
        type=choice(Keep),
        group=EVALUATION,
        help="Keep or drop documents whose id equals the query's id. [default: keep]",
    ),
    *_GROUPING_OPTIONS,
    only_queries,
    verbose,
)
"""The settings of an evaluation, for every command that makes one."""


def _typed_choices(judged_only: bool, **choices: Any) -> EvaluationChoices:
    return EvaluationChoices(judged_only=judged_only or None, **choices)


typed_evaluation = bundle("evaluation", _typed_choices, *_RANKING_OPTIONS, _PROFILE, _UNDEFINED)
"""The settings that matter for rankings that are typed: these have no scores, ties or ids."""

relevant = option(
    "--relevant",
    type=Whole(0, 1_000_000),
    multiple=True,
    metavar="N",
    help="How many documents are relevant in all, retrieved or not; for several rankings once, or once for each.",
)
"""For rankings that are typed."""


class RankingCommand(Command):
    """A command whose arguments may be rankings, which may begin with - for an unjudged document."""

    def __init__(self, *arguments: Any, **facts: Any) -> None:
        """Let through what looks like an option that is not there."""
        super().__init__(*arguments, **facts)
        self.context_settings = {**self.context_settings, "ignore_unknown_options": True}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What was typed; a misspelt option is refused as everywhere."""
        from cranfield.notation import is_typed

        rest = super().parse_args(ctx, args)
        known = [name for one in self.params if isinstance(one, click.Option) for name in one.opts]
        for name in ctx.params:
            for text in ctx.params[name] if isinstance(ctx.params[name], tuple) else ():
                if name in self.argument_names and text.startswith("-") and text != "-" and not is_typed(text):
                    from difflib import get_close_matches

                    name_given = text.partition("=")[0]
                    refuse_ranking_option(name_given, ctx.info_name or "score", ctx)
                    near = get_close_matches(name_given, known)
                    raise click.NoSuchOption(name_given, possibilities=near, ctx=ctx)
        return rest

    @property
    def argument_names(self) -> set[str | None]:
        """The names of what is no option."""
        return {one.name for one in self.params if isinstance(one, click.Argument)}


def are_typed(arguments: Sequence[str]) -> bool:
    """Whether arguments are rankings rather than files: the first looks like one, and no file has that name."""
    from pathlib import Path

    from cranfield.notation import is_typed

    first = arguments[0] if arguments else ""
    return first != "-" and is_typed(first) and bool(first.strip()) and not _exists(Path(first))


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a text that is too long for a name, or holds what no name does
        return False


COMPARED_MEASURES = ("nDCG@10", "AP", "RR")


def load_or_evaluate(
    files: Sequence[str],
    measures: Sequence[str],
    inputs: Inputs,
    evaluation: EvaluationChoices,
    *,
    quiet: bool,
    default_measures: Sequence[str] = COMPARED_MEASURES,
    min_runs: int = 2,
) -> list[Scores]:
    """Saved results, and the scores of the runs that judgments are given for, in the order of the files."""
    from cranfield.evaluating.saved_scores import load
    from cranfield.formats.sniff import is_results

    saved = [path for path in files if path != "-" and is_results(path)]
    paths = [path for path in files if path not in saved]
    loaded = [load(path) for path in saved]
    if not paths:
        if settings := list(evaluation.chosen()):
            raise click.UsageError(
                f"{option_name(settings[0])} changes how runs are scored; saved results are scored already."
            )
        for name, value in {"--duplicates": inputs.duplicates, "--run-queries": inputs.run_queries}.items():
            if value:
                raise click.UsageError(f"{name} is about reading runs; saved results are scored already.")
        return [part.with_measures(measures) for part in loaded] if measures else loaded
    judgments, *runs = paths
    if not runs:
        what = "Only judgments were given" if not saved else f"Next to the saved results there is only {judgments}"
        raise click.UsageError(f"{what}; name judgments and at least {counted(1 if saved else min_runs, 'run')}.")
    names = loaded[0].measures if loaded and not measures else measures
    scores = inputs.scores(evaluation.plan(names, default_measures), judgments, runs, quiet=quiet)
    return [scores, *loaded] if files.index(judgments) == 0 else [*loaded, scores]


def option_name(setting: str) -> str:
    """The option of a setting of an evaluation."""
    return "--level" if setting == "rel" else f"--{setting.replace('_', '-')}"
