"""A model labels what is to be judged: nothing is asked twice, nothing is lost, and no failure becomes a grade."""

from __future__ import annotations

import hashlib
import json
import random
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from cranfield import errors
from cranfield.assessing.events import Judge, ModelAnswer, NewEvent, Purpose
from cranfield.assessing.items import IMPORTED
from cranfield.assessing.plan import plan_of
from cranfield.assessing.project import Project
from cranfield.assessing.service import Card, token_hash
from cranfield.assessing.state import State, draws
from cranfield.assessing.store import Store
from cranfield.data.judgments import MODEL_MARK
from cranfield.model_judging.endpoint import Endpoint, Reply
from cranfield.model_judging.grades import grade_of, shares_of
from cranfield.model_judging.prompts import ONLY_THE_GRADE, WORDS, Message, ModelRequest, Prompt
from cranfield.phrases import counted
from cranfield.requesting.asking import IN_A_ROW, TRIES, Sleep, answers, may_pass, pause
from cranfield.requesting.failures import FINAL, Failure, FailureKind
from cranfield.show.answer import Answer
from cranfield.show.table import Table
from cranfield.version import VERSION

CHARACTERS_PER_TOKEN = 4
LOGPROBS: Mapping[str, Any] = {"logprobs": True, "top_logprobs": 20}
"""What asks a server for the words that were likely in place of each of an answer."""
ASKED_DIFFERENTLY: frozenset[FailureKind] = frozenset({"unreadable", "out of range", "empty"})
"""What is asked once more for the grade alone."""


class Answered(NamedTuple):
    """What came of one question."""

    request: str
    outcome: str
    grade: float | None
    facts: Mapping[str, Any]
    is_final: bool = False


class Question(NamedTuple):
    """A document that a model is asked about, and why."""

    item: int
    purpose: Purpose
    request: ModelRequest
    facts: Mapping[str, Any] = {}


@dataclass(frozen=True, eq=False, repr=False)
class ModelRun(Answer):
    """What a model did in one go; shows itself as a sentence and a table of failures."""

    judge: str
    asked: int
    labels: int
    """Labels that this run added."""
    from_cache: int
    """Of these, answers that were stored before, so nothing was sent."""
    left: int
    """Documents that still have no label of this model."""
    failures: Mapping[str, int]
    examples: Mapping[str, str]
    """Of each kind of failure, one in words."""
    tokens_in: int
    tokens_out: int
    seconds: float
    cut: int
    """Documents whose beginning alone was sent."""
    stopped: str = ""
    """Why the run ended before everything was asked."""
    price: tuple[float, float] | None = None
    """Of a million tokens sent, and received."""
    trust: Answer | None = None
    """How far its labels can be trusted, where people labelled enough of the same documents."""

    @property
    def cost(self) -> float | None:
        """What the tokens cost, where the price is known."""
        return None if self.price is None else (self.tokens_in * self.price[0] + self.tokens_out * self.price[1]) / 1e6

    def verdict(self) -> str:
        """What was done and what is left, in words."""
        return " ".join(_sentences(self))

    def sentences(self) -> list[str]:
        """The verdict, and how far to trust the labels."""
        return [self.verdict(), *(self.trust.sentences() if self.trust else [])]

    def tables(self) -> list[Table]:
        """The failures by kind, and how far to trust the labels."""
        return [*self._failures(), *(self.trust.tables() if self.trust else [])]

    def _failures(self) -> list[Table]:
        if not self.failures:
            return []
        kinds = sorted(self.failures, key=lambda kind: -self.failures[kind])
        return [
            Table(
                {
                    "failure": kinds,
                    "documents": [self.failures[kind] for kind in kinds],
                    "for example": [self.examples[kind] for kind in kinds],
                },
                notes=(
                    "A failure is not a label. The same command asks for these documents again, and for no others.",
                ),
                elastic="for example",
            )
        ]

    def rows(self) -> Table:
        """A row per outcome."""
        return Table(
            {"outcome": ["label", *self.failures], "documents": [self.labels, *self.failures.values()]},
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "judge": self.judge,
            "asked": self.asked,
            "labels": self.labels,
            "from_cache": self.from_cache,
            "left": self.left,
            "failures": dict(self.failures),
            "tokens": {"sent": self.tokens_in, "received": self.tokens_out},
            "cost": self.cost,
            "seconds": self.seconds,
            "cut": self.cut,
            "stopped": self.stopped or None,
            "trust": None if self.trust is None else self.trust.to_dict(),
        }


class Outgoing(NamedTuple):
    """What would be sent."""

    documents: int
    tokens: int

    def cost(self, price: tuple[float, float]) -> float:
        """What it costs to send."""
        return self.tokens * price[0] / 1e6

    def sentence(self, endpoint: Endpoint, price: tuple[float, float] | None = None) -> str:
        """Where text goes, how much of it, and what it costs, in words."""
        cost = f", about {self.cost(price):z.2f} for what is sent" if price else ""
        where = "stays on this machine" if endpoint.is_local else "leaves this machine"
        return (
            f"{counted(self.documents, 'document')} (about {self.tokens:,} tokens{cost}) "
            f"{'goes' if self.documents == 1 else 'go'} to {endpoint.model} at {endpoint.host}; the text {where}."
        )


@dataclass
class ModelJudge:
    """A model as a judge of one project."""

    store: Store
    endpoint: Endpoint
    prompt: Prompt
    words: int = WORDS
    at_once: int = 8
    logprobs: bool = False
    """Whether to ask how likely each grade was."""
    sleep: Sleep = time.sleep
    rng: random.Random = field(default_factory=random.Random)

    def __post_init__(self) -> None:
        self.project: Project = self.store.project()
        if self.project.task != "grades":
            raise errors.model_judging.preferences_by_model(self.store.where)
        self.items = self.store.items()
        self.dropped: set[str] = set()

    @property
    def name(self) -> str:
        """What the judge is called in every export: nobody takes it for a person."""
        return f"{MODEL_MARK}{self.endpoint.model}@{self.prompt.name.split(' ')[0]}-{self.prompt.version}"

    def judge(self) -> Judge | None:
        """The judge in the store, if this model was asked before with this prompt."""
        return next((judge for judge in self.store.judges() if judge.name == self.name), None)

    def to_ask(self) -> list[int]:
        """Items without a label of this model: first what people label too, then the rest in an order by chance."""
        judge = self.judge()
        said = set() if judge is None else {item for item, by, _ in self.store.current() if by == judge.number}
        state = State(self.project, self.items).apply_all(self.store.events())
        by_people = set(state.graded())
        shared = plan_of(self.project, self.items).shared
        order = draws(self.project.seed, "model", len(self.items))
        items = [item for item in range(1, len(self.items) + 1) if self.items.part[item - 1] != IMPORTED]
        return sorted(
            (item for item in items if item not in said),
            key=lambda item: (item not in by_people, not shared[item], order[item - 1]),
        )

    def estimate(self, items: Sequence[int]) -> Outgoing:
        """How many documents and tokens would be sent."""
        some = items[:: max(len(items) // 200, 1)]
        sizes = [sum(len(message["content"]) for message in self._request(item).messages) for item in some]
        mean = sum(sizes) / len(sizes) if sizes else 0.0
        return Outgoing(len(items), round(mean * len(items) / CHARACTERS_PER_TOKEN))

    def run(
        self,
        items: Sequence[int],
        *,
        price: tuple[float, float] | None = None,
        watch: Callable[[int, int], None] = lambda done, of: None,
    ) -> ModelRun:
        """Ask about some items; every answer is stored as soon as it is there."""
        judge = self._added()
        self.store.add_prompt(self.prompt.version, self.prompt.text)
        cached = {answer.request: answer for answer in self.store.answers(judge.number) if answer.outcome == "grade"}
        count = _Outcomes()
        questions = [Question(item, "label", self._request(item)) for item in items]
        for done, (question, answered) in enumerate(self._answers(questions, cached, count), 1):
            self._store(judge, question, answered, cached)
            count.add(answered, question, in_cache=answered.request in cached)
            watch(done, len(items))
        return ModelRun(
            self.name,
            count.asked,
            count.labels,
            count.from_cache,
            len(self.to_ask()),
            dict(count.failures),
            count.examples,
            count.tokens_in,
            count.tokens_out,
            time.monotonic() - count.began,
            count.cut,
            count.stopped,
            price,
        )

    def ask_again(self, questions: Sequence[Question]) -> list[tuple[Question, Answered]]:
        """Repeats and probes: asked whatever was answered before, stored apart, never labels."""
        judge, count = self._added(), _Outcomes()
        answers = []
        for question, answered in self._answers(questions, {}, count):
            self._store(judge, question, answered, {})
            answers.append((question, answered))
        return answers

    def card(self, item: int) -> Card:
        """What the model sees of an item: the same as a person."""
        query = self.store.query_text(self.items.query_of(item))
        document = self.store.document_text(int(self.items.of_document[item - 1]))
        return Card(item, self.items.query_of(item), *query, *document)

    def _request(self, item: int) -> ModelRequest:
        return self.prompt.request(self.card(item), self.words)

    def _added(self) -> Judge:
        known = self.judge()
        if known is not None:
            return known
        added = NewEvent(secrets.token_hex(16), 0, None, "judge-added", how="model", more={"by": 0})
        return self.store.add_judge(self.name, "model", token_hash(secrets.token_urlsafe(24)), added)

    def _answers(
        self, questions: Sequence[Question], cached: Mapping[str, ModelAnswer], count: _Outcomes
    ) -> Iterator[tuple[Question, Answered]]:
        """Answers as they come, several at once; none after too many failures in a row."""
        in_a_row = 0
        asked = answers(
            questions, partial(self._answered, cached=cached), self.at_once, stop=lambda: bool(count.stopped)
        )
        for question, answered in asked:
            in_a_row = 0 if answered.grade is not None else in_a_row + 1
            if answered.is_final or in_a_row >= IN_A_ROW:
                count.stopped = count.stopped or str(answered.facts.get("detail", answered.outcome))
            yield question, answered

    def _answered(self, question: Question, cached: Mapping[str, ModelAnswer]) -> Answered:
        """The answer to one question; an answer that cannot be read is asked for once more, as a number alone."""
        messages = question.request.messages
        answered = self._asked(messages, cached)
        if answered.outcome in ASKED_DIFFERENTLY:
            said = str(answered.facts.get("text", ""))
            more: tuple[Message, ...] = (
                {"role": "assistant", "content": said},
                {"role": "user", "content": ONLY_THE_GRADE},
            )
            second = self._asked((*messages, *more), cached, dropped={"response_format"})
            facts = {**second.facts, "first_answer": said}
            return second._replace(request=answered.request, facts=_added_up(facts, answered.facts))
        return answered

    def _asked(
        self, messages: tuple[Message, ...], cached: Mapping[str, ModelAnswer], dropped: set[str] | None = None
    ) -> Answered:
        """One request, tried again while that may help."""
        detail, kind, spent, is_final = "", "", {}, False
        request = ""
        for attempt in range(1, TRIES + 1):
            parameters = self._parameters(dropped or set())
            request = request_hash(self.endpoint, parameters, messages)
            if (known := cached.get(request)) is not None:
                return Answered(request, "grade", known.grade, known.facts)
            try:
                reply = self.endpoint.ask(messages, parameters)
            except Failure as failure:
                kind, detail, is_final = failure.kind, failure.detail, failure.kind in FINAL
                if failure.kind == "rejected" and self._drop(parameters, detail):
                    continue
                if not may_pass(failure, attempt, TRIES):
                    break
                self.sleep(pause(attempt, failure, self.rng))
                continue
            spent = {**reply.facts(), "endpoint": self.endpoint.base_url, "parameters": parameters}
            try:
                grade = grade_of(reply.text, self.prompt.form, self.project.scale)
                return Answered(request, "grade", grade, {**spent, **self._shares(reply, grade)})
            except Failure as failure:
                kind, detail = failure.kind, failure.detail
                break
        return Answered(request, kind, None, {**spent, "detail": detail}, is_final)

    def _parameters(self, dropped: set[str]) -> dict[str, Any]:
        left_out = self.dropped | dropped
        wanted = {**self.prompt.parameters, **(LOGPROBS if self.logprobs else {})}
        return {name: value for name, value in wanted.items() if name not in left_out}

    def _shares(self, reply: Reply, grade: float) -> dict[str, Any]:
        """How likely each grade was, and the grade that is to be expected, where the server tells."""
        shares = shares_of(reply.tokens, grade, self.project.scale) if self.logprobs else {}
        if not shares:
            return {}
        return {"shares": shares, "expected": round(sum(float(one) * share for one, share in shares.items()), 6)}

    def _drop(self, parameters: Mapping[str, Any], detail: str) -> bool:
        """Whether the server named a parameter that it does not know; it is left out from then on."""
        unknown = {name for name in parameters if name in detail}
        if unknown & LOGPROBS.keys():
            unknown |= LOGPROBS.keys() & parameters.keys()
        self.dropped |= unknown
        return bool(unknown)

    def _store(self, judge: Judge, question: Question, answered: Answered, cached: Mapping[str, ModelAnswer]) -> None:
        facts = {
            **question.facts,
            **answered.facts,
            "prompt": self.prompt.version,
            "words": self.words,
            "cut": question.request.cut,
        }
        answer = ModelAnswer(
            answered.request, judge.number, question.item, question.purpose, answered.outcome, answered.grade, facts
        )
        label = NewEvent(
            f"model-{judge.number}-{question.item}-{answered.request[:32]}",
            judge.number,
            question.item,
            "label",
            answered.grade,
            how="model",
            more={
                "model": answered.facts.get("model", ""),
                "prompt": self.prompt.version,
                "settings": self.project.hash,
            },
        )
        labels = [label] if question.purpose == "label" and answered.grade is not None else []
        if answered.request in cached and question.purpose == "label":
            self.store.append_many(labels)
        else:
            self.store.add_answer(answer, labels)


class _Outcomes:
    """What happened so far."""

    def __init__(self) -> None:
        self.asked = self.labels = self.from_cache = self.tokens_in = self.tokens_out = self.cut = 0
        self.failures: Counter[str] = Counter()
        self.examples: dict[str, str] = {}
        self.stopped = ""
        self.began = time.monotonic()

    def add(self, answered: Answered, question: Question, *, in_cache: bool) -> None:
        """One more answer."""
        self.asked += not in_cache
        self.from_cache += in_cache
        self.cut += question.request.cut
        if not in_cache:
            self.tokens_in += int(answered.facts.get("tokens_in", 0))
            self.tokens_out += int(answered.facts.get("tokens_out", 0))
        if answered.grade is not None:
            self.labels += 1
        else:
            self.failures[answered.outcome] += 1
            self.examples.setdefault(answered.outcome, str(answered.facts.get("detail", "")))


def request_hash(endpoint: Endpoint, parameters: Mapping[str, Any], messages: Sequence[Message]) -> str:
    """A hash of everything that decides about an answer: where it goes, which model, how, and every word."""
    content = json.dumps(
        [endpoint.base_url.rstrip("/"), endpoint.model, dict(parameters), list(messages)], sort_keys=True
    )
    return hashlib.sha256(content.encode()).hexdigest()


def _added_up(facts: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a second answer, with the tokens of the first."""
    sums = {
        name: int(facts.get(name, 0)) + int(before.get(name, 0)) for name in ("tokens_in", "tokens_out", "milliseconds")
    }
    return {**facts, **sums}


def _sentences(run: ModelRun) -> Iterator[str]:
    cached = f", {run.from_cache:,} of them stored before" if run.from_cache else ""
    yield f"{run.judge} gave {counted(run.labels, 'label')}{cached}."
    if failed := sum(run.failures.values()):
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in run.failures.items())
        yield f"{counted(failed, 'document')} got none: {kinds}."
    if run.stopped:
        yield f"Stopped early: {run.stopped}."
    if run.left:
        yield f"{counted(run.left, 'document')} {'is' if run.left == 1 else 'are'} left; the same command goes on."
    cost = f", cost {run.cost:z.2f}" if run.cost is not None else ""
    yield f"Tokens: {run.tokens_in:,} sent, {run.tokens_out:,} received{cost}."


__all__ = ["ModelJudge", "ModelRun", "Question", "request_hash"]
