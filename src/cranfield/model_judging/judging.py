"""`cf.judge_with_model`: a model labels what is to be judged in a store."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import PathLike

from cranfield.arguments import require_whole
from cranfield.assessing.importing import holds_labels, open_labelled
from cranfield.assessing.opening import Opened, ProjectInputs, open_project
from cranfield.assessing.store import Store
from cranfield.choices import Duplicates
from cranfield.formats.columns import ColumnsGiven
from cranfield.model_judging.endpoint import OPENAI, Endpoint
from cranfield.model_judging.judge import ModelJudge, ModelRun
from cranfield.model_judging.prompts import WORDS, prompt_named


def judge_with_model(
    sources: object,
    model: str,
    *,
    store: str | PathLike[str] | None = None,
    queries: object = None,
    documents: object = None,
    depth: int | None = None,
    base_url: str | None = None,
    key: str | None = None,
    prompt: str = "default",
    most: int | None = None,
    at_once: int = 8,
    words: int = WORDS,
    timeout: float = 60.0,
    logprobs: bool = False,
    price: tuple[float, float] | None = None,
    watch: Callable[[int, int], None] = lambda done, of: None,
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
) -> ModelRun:
    """Labels by a language model for everything in a judging store that it has not labelled yet.

    `sources` is a store, or runs, a pool or pairs as `judge` takes them, or a table of people's labels, with the texts
    of `queries` and `documents`: then a new store is made of them, at `store`.

    The model is asked at an endpoint that speaks as OpenAI's does (`base_url`, or the environment variable
    OPENAI_BASE_URL; the key is in OPENAI_API_KEY), one document a request, with temperature 0. `prompt` is `default`
    (from the project's grades and guidelines), `umbrela`, or the path of a prompt of one's own; each version is a judge
    of its own, marked as a model in every export. Every answer is stored as it comes, with all it takes to repeat it. A
    failure is never a grade: calling again asks for what is missing, and for nothing else. `most` limits how many
    documents are asked about. With `logprobs` it is stored how likely each grade was, where the server tells.
    """
    if most is not None:
        require_whole(most, "most")
    require_whole(at_once, "at_once")
    require_whole(words, "words")
    endpoint = endpoint_of(model, base_url, key, timeout)
    inputs = ProjectInputs(queries=queries, documents=documents, depth=depth, columns=columns, duplicates=duplicates)
    with opened(sources, store, inputs) as owned:
        judge = ModelJudge(owned, endpoint, prompt_named(prompt, owned.project()), words, at_once, logprobs)
        return judge.run(judge.to_ask()[:most], price=price, watch=watch)


def endpoint_of(model: str, base_url: str | None, key: str | None, timeout: float) -> Endpoint:
    """Where a model is asked, from what is named or else from the environment."""
    address = base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI
    return Endpoint(address, model, key if key is not None else os.environ.get("OPENAI_API_KEY", ""), timeout)


@contextmanager
def opened(sources: object, store: str | PathLike[str] | None, inputs: ProjectInputs) -> Iterator[Store]:
    """A store for writing, there already or made of runs, a pool or pairs; one that was opened here is closed again."""
    if isinstance(sources, Store):
        yield sources
        return
    owned = open_judged(sources, store, inputs).store
    try:
        yield owned
    finally:
        owned.close()


def open_judged(sources: object, store: str | PathLike[str] | None, inputs: ProjectInputs) -> Opened:
    """The store that is named, or one of what runs, a pool, pairs or a table of labels are about."""
    only = sources[0] if isinstance(sources, list | tuple) and len(sources) == 1 else sources
    if holds_labels(only):
        return open_labelled(only, store, inputs, through_server=True)
    return open_project(sources, store, inputs, through_server=True)
