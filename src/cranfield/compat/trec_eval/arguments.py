"""trec_eval's arguments, as the C library's getopt_long reads them."""

from __future__ import annotations

import getopt
import os
from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.compat.trec_eval.c_numbers import atol, is_whole
from cranfield.compat.trec_eval.outcome import Exit, TrecEvalError, shown
from cranfield.compat.trec_eval.versions import TEN, Version, version_like

SHORT = "hvqm:cl:nD:JN:M:R:T:oZ:"
LONG = {
    "help": "-h",
    "version": "-v",
    "query_eval_wanted": "-q",
    "measure=": "-m",
    "complete_rel_info_wanted": "-c",
    "level_for_rel=": "-l",
    "nosummary": "-n",
    "Debug_level=": "-D",
    "Judged_docs_only": "-J",
    "Number_docs_in_coll=": "-N",
    "Max_retrieved_per_topic=": "-M",
    "Rel_info_format=": "-R",
    "Results_format=": "-T",
    "Output_old_results_format=": "-o",
    "Zscore=": "-Z",
}
LIKE = "--like"
DEFAULT_MEASURES = "official"
JUDGMENTS_FORMATS = ("qrels", "qrels_jg", "prefs", "qrels_prefs")
RUN_FORMATS = ("trec_results",)

USAGE = """\
Usage: cranfield trec-eval [-h] [-q] [-c] [-l LEVEL] [-m MEASURE]... QRELS RUN
   -h: all options, and with -m the definitions of measures
   -q: also every query's values
   -m: a measure such as map or P.5,10, or a set of them
       (-m all_trec: everything, -m official: what is printed by default)"""


@dataclass(frozen=True)
class Request:
    """What one -m asks for: a measure or a set of them, perhaps with parameters."""

    name: str
    parameters: str | None = None


@dataclass(frozen=True)
class Options:
    """What a call asks for."""

    version: Version = TEN
    files: tuple[str, ...] = ()
    named: tuple[Request, ...] = ()
    """The measures that are asked for."""
    wants_help: bool = False
    wants_version: bool = False
    per_query: bool = False
    summary: bool = True
    complete: bool = False
    """Whether means are over all judged queries."""
    judged_only: bool = False
    level: int = 1
    """The grade from which a document is relevant."""
    depth: int | None = None
    docs: int = 0
    """The size of the collection."""
    only_query: str | None = None
    judgments_format: str = JUDGMENTS_FORMATS[0]
    run_format: str = RUN_FORMATS[0]
    zscores: str | None = None
    notes: tuple[str, ...] = ()
    """What was asked for and does nothing, or something else than meant."""

    @property
    def requests(self) -> tuple[Request, ...]:
        """The measures to print."""
        return self.named or (Request(DEFAULT_MEASURES),)


def parse(arguments: Sequence[str]) -> Options:
    """The options that arguments mean.

    >>> options = parse(["-q", "-l2", "-m", "P.5,10", "qrels.txt", "bm25.run"])
    >>> options.level, options.requests, options.files
    (2, (Request(name='P', parameters='5,10'),), ('qrels.txt', 'bm25.run'))
    """
    version, others = _without_like(arguments)
    try:
        given, files = getopt.gnu_getopt(others, SHORT, list(LONG))
    except getopt.GetoptError as error:
        raise TrecEvalError(Exit.USAGE, f"{error.msg}\n{USAGE}") from None
    letters = [(_letter(name), value) for name, value in given]
    last = dict(letters)
    levels_and_queries = [value.partition(".") for letter, value in letters if letter == "-D"]
    options = Options(
        version=version,
        files=tuple(files),
        named=tuple(_request(value) for letter, value in letters if letter == "-m"),
        wants_help="-h" in last,
        wants_version="-v" in last,
        per_query="-q" in last,
        summary="-n" not in last,
        complete="-c" in last,
        judged_only="-J" in last,
        level=_whole(last, "-l", default=1),
        depth=_whole(last, "-M", default=0) if "-M" in last else None,
        docs=_whole(last, "-N", default=0),
        only_query=next((_bytes_as_text(query) for _, dot, query in reversed(levels_and_queries) if dot), None),
        judgments_format=last.get("-R", JUDGMENTS_FORMATS[0]),
        run_format=last.get("-T", RUN_FORMATS[0]),
        zscores=last.get("-Z"),
        notes=tuple(_notes(last)),
    )
    if not (options.wants_help or options.wants_version):
        _must_be_complete(options)
    return options


def _must_be_complete(options: Options) -> None:
    if len(options.files) != 2:
        found = f"{len(options.files) or 'no'} file{'s' * (len(options.files) != 1)}"
        raise TrecEvalError(Exit.USAGE, f"{found} where judgments and a run belong\n{USAGE}")
    for what, name, known in (
        ("rel_format", options.judgments_format, JUDGMENTS_FORMATS),
        ("retrieval results format", options.run_format, RUN_FORMATS),
    ):
        if name not in known:
            raise TrecEvalError(Exit.INPUT, f"Illegal {what} '{name}'; known are {', '.join(known)}")


def _without_like(arguments: Sequence[str]) -> tuple[Version, list[str]]:
    """The version asked for, and the arguments that trec_eval itself has."""
    version, others, rest = TEN, [], iter(arguments)
    for argument in rest:
        if argument == LIKE:
            version = version_like(next(rest, ""))
        elif argument.startswith(f"{LIKE}="):
            version = version_like(argument.removeprefix(f"{LIKE}="))
        else:
            others.append(argument)
    return version, others


def _letter(name: str) -> str:
    if not name.startswith("--"):
        return name
    return next(letter for long, letter in LONG.items() if long.removesuffix("=") == name[2:])


def _request(text: str) -> Request:
    name, dot, parameters = _bytes_as_text(text).partition(".")
    if dot and not parameters:
        raise TrecEvalError(
            Exit.USAGE, f"illegal measure '{shown(name)}.': write parameters after the dot, or leave it out"
        )
    return Request(name, parameters if dot else None)


def _whole(last: dict[str, str], letter: str, default: int) -> int:
    if letter not in last:
        return default
    number = atol(last[letter])
    if number < 0:
        raise TrecEvalError(Exit.USAGE, f"{letter} {last[letter]}: expected a number that is not negative")
    return number


def _notes(last: dict[str, str]) -> list[str]:
    notes = [
        f"{letter} {last[letter]} is read as {atol(last[letter])}"
        for letter in ("-l", "-M", "-N")
        if letter in last and not is_whole(last[letter])
    ]
    if atol(last.get("-D", "")) > 0:
        notes.append("-D prints no intermediate values here; `cranfield explain` shows how a score is calculated")
    return notes


def _bytes_as_text(argument: str) -> str:
    try:
        return os.fsencode(argument).decode("latin-1")
    except UnicodeEncodeError:  # half a character, which no command line can hold
        return argument.encode(errors="replace").decode("latin-1")
