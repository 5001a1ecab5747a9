"""`cf.judge_with_model`: a model labels what is to be judged in a store."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import PathLike

from cranfield.arguments import require_whole
from cranfield.assessing.store import Store, open_store
from cranfield.model_judging.endpoint import OPENAI, Endpoint
from cranfield.model_judging.judge import ModelJudge, ModelRun
from cranfield.model_judging.prompts import WORDS, prompt_named


def judge_with_model(
    store: str | PathLike[str] | Store,
    model: str,
    *,
    base_url: str | None = None,
    key: str | None = None,
    prompt: str = "default",
    most: int | None = None,
    at_once: int = 8,
    words: int = WORDS,
    timeout: float = 60.0,
    price: tuple[float, float] | None = None,
    watch: Callable[[int, int], None] = lambda done, of: None,
) -> ModelRun:
    """Labels by a language model for everything in a judging store that it has not labelled yet.

    The model is asked at an endpoint that speaks as OpenAI's does (`base_url`, or the environment variable
    OPENAI_BASE_URL; the key is in OPENAI_API_KEY), one document a request, with temperature 0. `prompt` is `default`
    (from the project's grades and guidelines), `umbrela`, or the path of a prompt of one's own; each version is a judge
    of its own, marked as a model in every export. Every answer is stored as it comes, with all it takes to repeat it. A
    failure is never a grade: calling again asks for what is missing, and for nothing else. `most` limits how many
    documents are asked about.
    """
    if most is not None:
        require_whole(most, "most")
    require_whole(at_once, "at_once")
    require_whole(words, "words")
    endpoint = endpoint_of(model, base_url, key, timeout)
    with opened(store) as owned:
        judge = ModelJudge(owned, endpoint, prompt_named(prompt, owned.project()), words, at_once)
        return judge.run(judge.to_ask()[:most], price=price, watch=watch)


def endpoint_of(model: str, base_url: str | None, key: str | None, timeout: float) -> Endpoint:
    """Where a model is asked, from what is named or else from the environment."""
    address = base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI
    return Endpoint(address, model, key if key is not None else os.environ.get("OPENAI_API_KEY", ""), timeout)


@contextmanager
def opened(store: str | PathLike[str] | Store) -> Iterator[Store]:
    """A store for writing; one that was opened here is closed again."""
    if not isinstance(store, str | PathLike):
        yield store
        return
    owned = open_store(store, through_server=True)
    try:
        yield owned
    finally:
        owned.close()
