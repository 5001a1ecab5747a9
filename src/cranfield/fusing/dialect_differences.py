"""Why tools disagree about a fusion: one method in every dialect, and the choices that make the difference here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cranfield import formats
from cranfield.data.judgments import Judgments
from cranfield.data.run import Run
from cranfield.errors import Finding
from cranfield.evaluating.evaluation import evaluate
from cranfield.evaluating.profile_differences import Reason, difference_of, differs, sentence_of, signed
from cranfield.fusing.definition import ChosenRule
from cranfield.fusing.dialects import DIALECTS, FusionDialect
from cranfield.fusing.fused_run import fused_run
from cranfield.fusing.fusion import Fusion, fusion_from
from cranfield.measures import Measure, parse
from cranfield.show.answer import Answer
from cranfield.show.measures import legend, name_dict
from cranfield.show.table import Table, finite
from cranfield.version import VERSION

OWN = "cranfield"


@dataclass(frozen=True)
class DialectOpinion:
    """What a tool's way to fuse gives for the measure."""

    tool: str
    of: str
    fusion: Fusion | None
    """The fusion as the tool does it; None where it has no such method."""
    value: float = float("nan")
    difference: float = 0.0
    """How far it is from ours."""
    reasons: tuple[Reason, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether the number is another than ours."""
        return self.fusion is not None and differs(self.difference)

    @property
    def sentence(self) -> str:
        """Why the number is another one, or that it is the same."""
        if self.fusion is None:
            return "no such method"
        return sentence_of(self.difference, self.reasons)


@dataclass(frozen=True, repr=False)
class FusionWhy(Answer):
    """One measure of one fusion in every dialect. Printing it shows which tools differ, and why.

    >>> import cranfield as cf
    >>> runs = {"one": {"q1": {"a": 2.0, "b": 1.0}}, "two": {"q1": {"c": 2.0, "b": 1.0}}}
    >>> cf.why_fusion({"q1": {"a": 1}}, runs, "RR").verdict()
    'All 12 tools that have rrf give the same RR.'
    """

    measure: Measure
    fusion: Fusion
    runs: tuple[str, ...]
    opinions: tuple[DialectOpinion, ...]
    warnings: tuple[Finding, ...] = ()

    def verdict(self) -> str:
        """How many tools give another number."""
        having = [opinion for opinion in self.opinions if opinion.fusion is not None and opinion.tool != OWN]
        differing = [opinion for opinion in having if opinion.differs]
        method = self.fusion.method.rule.name
        if not differing:
            return f"All {len(having)} tools that have {method} give the same {self.measure}."
        give = "gives" if len(differing) == 1 else "give"
        return f"{len(differing)} of {len(having)} tools that have {method} {give} another {self.measure}."

    def table(self) -> Table:
        """A row for each tool that has the method; below it, a sentence on each that differs."""
        having = [opinion for opinion in self.opinions if opinion.fusion is not None]
        return Table(
            {
                "tool": [opinion.tool for opinion in having],
                str(self.measure): [opinion.value for opinion in having],
                "difference": [signed(opinion.difference) if opinion.differs else "" for opinion in having],
                "fusion": [_without_tool(opinion.fusion) for opinion in having],
            },
            notes=(*self._sentences(), *legend([self.measure])),
        )

    def rows(self) -> Table:
        """A row for each tool: the number, how far it is from ours, and why."""
        opinions = self.opinions
        return Table(
            {
                "tool": [opinion.tool for opinion in opinions],
                "measure": [self.measure.canonical for _ in opinions],
                "fusion": ["" if opinion.fusion is None else _without_tool(opinion.fusion) for opinion in opinions],
                "value": [None if opinion.fusion is None else opinion.value for opinion in opinions],
                "difference": [None if opinion.fusion is None else opinion.difference for opinion in opinions],
                "why": [opinion.sentence for opinion in opinions],
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "cranfield": VERSION,
            **name_dict(self.measure),
            "runs": list(self.runs),
            "fusion": self.fusion.choices(),
            "tools": [
                {
                    "name": opinion.tool,
                    "of": opinion.of,
                    "fusion": None if opinion.fusion is None else opinion.fusion.choices(),
                    "value": finite(opinion.value),
                    "difference": finite(opinion.difference) if opinion.fusion is not None else None,
                    "reasons": [reason._asdict() | {"effect": finite(reason.effect)} for reason in opinion.reasons],
                    "sentence": opinion.sentence,
                    "notes": list(opinion.notes),
                }
                for opinion in self.opinions
            ],
            "warnings": [str(warning) for warning in self.warnings],
        }

    def _sentences(self) -> Iterator[str]:
        """Who differs and why, those with the same reason together; then who has no such method."""
        others = [opinion for opinion in self.opinions if opinion.differs or opinion.fusion is None]
        for sentence in dict.fromkeys(opinion.sentence for opinion in sorted(others, key=lambda o: o.fusion is None)):
            names = [opinion.tool for opinion in others if opinion.sentence == sentence]
            yield f"{', '.join(names)}: {sentence}."


def why_fusion(
    judgments: object,
    runs: object,
    measure: str | Measure = "nDCG@10",
    method: str = "rrf",
    *,
    norm: str | None = None,
    weights: Sequence[float] | None = None,
    only_queries: object = None,
) -> FusionWhy:
    """One method of fusion as each tool has it, with the choices that make the difference on this data.

    >>> runs = {"one": {"q1": {"a": 2.0, "b": 1.0}}, "two": {"q1": {"c": 2.0, "b": 1.0}}}
    >>> opinions = why_fusion({"q1": {"a": 1}}, runs, "RR").opinions
    >>> [opinion.tool for opinion in opinions if opinion.fusion is None]
    []
    """
    read = formats.read_runs(runs)
    own = fusion_from(method, norm=norm, weights=weights, runs=len(read))
    data = _FusionData(formats.read_judgments(judgments), read, parse(measure), only_queries)
    ours = data.value(own)
    opinions = [
        DialectOpinion(OWN, OWN, own, ours),
        *(_opinion(dialect, own, method, norm, weights, ours, data) for dialect in DIALECTS.values()),
    ]
    return FusionWhy(data.measure, own, tuple(run.name for run in read), tuple(opinions), data.warnings)


class _FusionData:
    """Judgments and runs; every fusion is evaluated once."""

    def __init__(self, judgments: Judgments, runs: Sequence[Run], measure: Measure, only_queries: object) -> None:
        self.judgments, self.runs, self.measure, self.only_queries = judgments, runs, measure, only_queries
        self.values: dict[str, float] = {}
        self.warnings: tuple[Finding, ...] = ()

    def value(self, fusion: Fusion) -> float:
        """The mean of the measure over queries."""
        key = str({**replace(fusion, dialect="").choices(), "weights": fusion.weights})
        if key not in self.values:
            scores = evaluate(
                self.judgments, fused_run(self.runs, fusion), [self.measure], only_queries=self.only_queries
            )
            self.values[key] = scores.mean(self.measure).value
            self.warnings = self.warnings or scores.warnings
        return self.values[key]


def _opinion(
    dialect: FusionDialect,
    own: Fusion,
    method: str,
    norm: str | None,
    weights: Sequence[float] | None,
    ours: float,
    data: _FusionData,
) -> DialectOpinion:
    if own.method.rule.name not in dialect.methods:
        return DialectOpinion(dialect.name, dialect.of, None)
    theirs = dialect.fusion(method, len(data.runs), norm=norm, weights=weights)
    value = data.value(theirs)
    opinion = DialectOpinion(dialect.name, dialect.of, theirs, value, difference_of(value, ours), (), dialect.notes)
    return replace(opinion, reasons=tuple(_reasons(own, theirs, ours, data))) if opinion.differs else opinion


def _reasons(own: Fusion, theirs: Fusion, ours: float, data: _FusionData) -> Iterator[Reason]:
    """Each choice that we do not make, and what it does alone."""
    for words, alone in _single_choices(own, theirs):
        yield Reason(words, words, difference_of(data.value(alone), ours))


def _single_choices(own: Fusion, theirs: Fusion) -> Iterator[tuple[str, Fusion]]:
    for name, value in theirs.method.params.items():
        if value != own.method.params[name]:
            params = {**own.method.params, name: value}
            shown = f"{value:g}" if isinstance(value, float) else value
            yield f"{name}={shown}", replace(own, method=ChosenRule(own.method.rule, params))
    if str(theirs.norm) != str(own.norm):
        flat = theirs.flat if theirs.has_flat else own.flat
        yield f"norm={theirs.norm}", replace(own, norm=theirs.norm, flat=flat)
    elif own.has_flat and theirs.flat != own.flat:
        yield f"flat={theirs.flat}", replace(own, flat=theirs.flat)
    if theirs.missing != own.missing:
        yield f"missing={theirs.missing}", replace(own, missing=theirs.missing)
    if theirs.precision != own.precision:
        yield f"precision={theirs.precision}", replace(own, precision=theirs.precision)


def _without_tool(fusion: Fusion | None) -> str:
    return "" if fusion is None else str(replace(fusion, dialect=""))
