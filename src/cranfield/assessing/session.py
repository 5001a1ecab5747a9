"""`cf.judge`: a project from runs or from a store, served in the browser until somebody stops it."""

from __future__ import annotations

import getpass
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield import errors
from cranfield.assessing import words
from cranfield.assessing.events import Judge
from cranfield.assessing.opening import Opened, ProjectInputs, changes_of, open_project
from cranfield.assessing.store.owner import ProgramAccess
from cranfield.assessing.words import Ended, Link
from cranfield.choices import Duplicates
from cranfield.data.judge_names import folded_name, judge_name
from cranfield.formats.columns import ColumnsGiven

if TYPE_CHECKING:
    from cranfield.assessing.service import Service
    from cranfield.assessing.web.serving import Address
    from cranfield.data.labels import Labels
    from cranfield.errors import Finding

MANAGER = "manager"
"""The name of whoever started the server, on the page that shows progress."""


def judge(
    sources: object,
    *,
    store: str | os.PathLike[str] | None = None,
    queries: object = None,
    documents: object = None,
    judgments: object = None,
    gold: object = None,
    depth: int | None = None,
    preferences: bool = False,
    judges: str | Sequence[str] = (),
    labels: int | None = None,
    shared: float | None = None,
    repeats: float | None = None,
    grades: str | Mapping[float, str] | Sequence[float] | None = None,
    guidelines: str | os.PathLike[str] | None = None,
    strategy: str | None = None,
    measure: str | None = None,
    seed: int | None = None,
    link: str | None = None,
    mark_passages: bool | None = None,
    title: str | None = None,
    new_link: str | Sequence[str] = (),
    host: str = "127.0.0.1",
    port: int | None = None,
    public_url: str | None = None,
    open_browser: bool = True,
    until_done: bool = False,
    background: bool = False,
    announce: Callable[[str], None] = print,
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
) -> Judging:
    """Collect judgments in the browser: from runs, a pool or pairs in a new store, or in a store that is there already.

    It serves until it is stopped (Ctrl-C), or with `until_done` until everything is labelled; with `background` it
    returns at once and serves until `stop`. Links of judges go to `announce`, and are in `links`. Labels can be read
    from what it returns at any time, and from the store: `cf.read_labels("judging.db")`.
    """
    from cranfield.assessing.web.serving import require_packages

    require_packages()
    settings = {
        "labels": labels,
        "shared": shared,
        "repeats": repeats,
        "grades": grades,
        "guidelines": guidelines,
        "strategy": strategy,
        "measure": measure,
        "seed": seed,
        "link": link,
        "mark_passages": mark_passages,
    }
    chosen = {name: value for name, value in settings.items() if value is not None}
    inputs = ProjectInputs(queries, documents, judgments, gold, depth, preferences, title, chosen, columns, duplicates)
    judging = begin(sources, inputs, store=store, judges=judges, new_link=new_link)
    judging.serve(
        host=host,
        port=port,
        public_url=public_url,
        open_browser=open_browser,
        until_done=until_done,
        background=background,
        announce=announce,
    )
    return judging


def begin(
    sources: object,
    inputs: ProjectInputs,
    *,
    store: str | os.PathLike[str] | None = None,
    judges: str | Sequence[str] = (),
    new_link: str | Sequence[str] = (),
) -> Judging:
    """A project with its judges, ready to be served."""
    people, renewed = names_of(judges), names_of(new_link)
    judging = Judging(open_project(sources, store, inputs))
    try:
        judging.prepare(changes_of(inputs), people, renewed)
    except BaseException:
        judging.close()
        raise
    return judging


class Judging:
    """A judging project that is being served, or was; its labels can be read at any time."""

    def __init__(self, opened: Opened) -> None:
        from cranfield.assessing.effect_process import effect_process
        from cranfield.assessing.service import Service

        self.where: str = opened.store.where
        self.warnings: tuple[Finding, ...] = opened.warnings
        self.links: dict[str, str] = {}
        """Of everybody who got a link in this session, their address."""
        self.address: str
        self.address = ""
        self._is_new = opened.is_new
        self._store = opened.store
        self.service: Service = Service(opened.store)
        self._effect = effect_process(opened.store, self.service.project, self.service.items)
        self.service.effect = self._effect
        self._before = _labels_by_judge(self.service)
        self._tokens: list[tuple[Judge, str]] = []
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._error: BaseException | None = None
        self._is_closed = False

    @property
    def labels(self) -> Labels:
        """Every label so far, with its judge."""
        from cranfield.formats.labels import read_labels

        return read_labels(self.where)

    def prepare(self, changes: Mapping[str, Any], judges: Sequence[str], new_links: Sequence[str]) -> None:
        """Other settings, more judges, and links for those who have none that is known here."""
        manager, token = self._manager()
        self._tokens.append((manager, token))
        if changes and not self._is_new:
            self.service.change_settings(manager.number, **changes)
        people = [judge for judge in self.service.judges if judge.kind == "person"]
        known = {folded_name(judge.name): judge for judge in self.service.judges}
        named = [*judges, *new_links] or ([] if people else [_login_name()])
        renewed = {folded_name(name) for name in new_links}
        for name in new_links:
            if folded_name(name) not in known:
                raise errors.judging_projects.no_such_judge(name, [judge.name for judge in people])
        if not judges and not new_links and people:
            renewed |= {folded_name(_login_name())} & known.keys()
            named = [known[name].name for name in renewed]
        for name in dict.fromkeys(named):
            self._tokens += self._links_of(name, known.get(folded_name(name)), renew=folded_name(name) in renewed)

    def _links_of(self, name: str, known: Judge | None, *, renew: bool) -> Iterator[tuple[Judge, str]]:
        if known is None:
            yield self.service.add_judge(judge_name(name))
        elif renew:
            yield known, self.service.renew_link(known.number)

    def _manager(self) -> tuple[Judge, str]:
        for judge in self.service.judges:
            if judge.kind == "manager":
                return judge, self.service.renew_link(judge.number)
        return self.service.add_judge(MANAGER, "manager")

    def serve(
        self,
        *,
        host: str = "127.0.0.1",
        port: int | None = None,
        public_url: str | None = None,
        open_browser: bool = True,
        until_done: bool = False,
        background: bool = False,
        announce: Callable[[str], None] = print,
    ) -> None:
        """Serve until it is stopped, or until everything is labelled."""
        ready = threading.Event()

        def begun(address: Address) -> None:
            self._begin(address, announce, open_browser=open_browser)
            ready.set()

        def run() -> None:
            from cranfield.assessing.web.serving import serve

            with self._watched_effect():
                serve(
                    self.service,
                    effect=self._effect,
                    host=host,
                    port=port,
                    public_url=public_url,
                    ready=begun,
                    until=lambda: self._stopped.is_set() or (until_done and is_done(self.service)),
                )

        if background:
            self._thread = threading.Thread(target=self._run_aside, args=(run, ready), name="judging", daemon=True)
            self._thread.start()
            ready.wait()
            if self._error is not None:
                raise self._error
            return
        try:
            run()
        finally:
            self.close()

    def _run_aside(self, run: Callable[[], None], ready: threading.Event) -> None:
        try:
            run()
        except BaseException as error:  # raised by whoever waits
            self._error = error
        finally:
            self.close()
            ready.set()

    @contextmanager
    def _watched_effect(self) -> Iterator[None]:
        """What labels do is computed aside once the server answers, so that nobody waits for it."""
        try:
            yield
        finally:
            if self._effect is not None:
                self._effect.stop()

    def _begin(self, address: Address, announce: Callable[[str], None], *, open_browser: bool) -> None:
        self.address = address.url
        self._store.announce(address.url, ProgramAccess(address.local_url, self.service.program_token))
        self.links = {judge.name: address.link(token) for judge, token in self._tokens}
        links = list(self._named_links())
        lines = [
            words.what_is_judged(self.service.project, self.service.items, self.where, is_new=self._is_new),
            *words.link_lines(links),
            *words.about_address(address.url, is_public=address.is_public),
            words.how_to_stop(self.where),
        ]
        for line in lines:
            announce(line)
        if self._effect is not None:
            self._effect.start()
        if open_browser:
            from cranfield.assessing.web.serving import open_in_browser

            open_in_browser(links[0].url)

    def _named_links(self) -> Iterator[Link]:
        managers = {judge.name for judge in self.service.judges if judge.kind == "manager"}
        yield from (Link(name, url) for name, url in self.links.items() if name not in managers)
        yield from (
            Link("progress", url, "for you: what the labels do, judges, export")
            for name, url in self.links.items()
            if name in managers
        )

    @property
    def wanted(self) -> int:
        """How many labels are still to be given."""
        return wanted_labels(self.service)

    def ended(self, runs: str = "RUN...") -> Ended:
        """What this session left behind."""
        from cranfield.assessing.disagreements import disputes

        now = _labels_by_judge(self.service)
        people = {judge.number: judge.name for judge in self.service.judges if judge.kind != "manager"}
        return Ended(
            self.where,
            {name: now.get(number, 0) - self._before.get(number, 0) for number, name in people.items()},
            sum(now.get(number, 0) for number in people),
            self.wanted,
            len(self.service.items.runs),
            runs,
            self.service.project.measure if self.service.project.task == "grades" else "",
            len(disputes(self.service)),
        )

    def stop(self) -> None:
        """Finish what is being saved, and serve no longer."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
        self.close()

    def wait(self) -> None:
        """Wait until it ends by itself."""
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """Give up the store."""
        if not self._is_closed:
            self._is_closed = True
            self.service.close()

    def __enter__(self) -> Judging:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"Judging({self.where!r}, {self.wanted:,} labels to go)"


def names_of(given: str | Sequence[str]) -> list[str]:
    """Names with commas between them, or a list of them.

    >>> names_of("ada, ben"), names_of(["Ada Lovelace"])
    (['ada', 'ben'], ['Ada Lovelace'])
    """
    listed = given.split(",") if isinstance(given, str) else list(given)
    return [judge_name(name) for name in listed if name.strip()]


def wanted_labels(service: Service) -> int:
    """How many labels are still to be given."""
    with service.lock:
        return int(np.maximum(service.assignment.wanted - service.state.counts, 0).sum())


def is_done(service: Service) -> bool:
    """Whether no judge has anything left to do; what somebody cannot judge, they have dealt with."""
    people = [judge.number for judge in service.judges if judge.kind == "person" and not judge.off]
    with service.lock:
        is_held = bool(service.assignment.leases.judges())
        nothing_left = not is_held and all(service.tally(judge).left == 0 for judge in people)
        return nothing_left or wanted_labels(service) == 0


def _labels_by_judge(service: Service) -> dict[int, int]:
    return {judge.number: service.tally(judge.number).labels for judge in service.judges if judge.kind != "manager"}


def _login_name() -> str:
    try:
        return judge_name(getpass.getuser())
    except (OSError, KeyError, errors.UsageError):  # a system that has no names for its users
        return "me"
