"""What is called with an input, and what has to hold of what comes back."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, cast

import numpy as np

import cranfield as cf
from cranfield.data.judgments import Judgments
from cranfield.errors import Findings
from fuzzing import seeds
from fuzzing.calling import called_command
from fuzzing.forms import arrow_table, rows_of
from fuzzing.promises import Refusal, always, by_both, choices_of, finite, outcome, require
from fuzzing.seeds import Case, Seed

SHOWN = 0.05
"""The share of inputs whose results are also printed as tables, which takes longer than all else."""


@dataclass(frozen=True)
class Target:
    """Something to call with the files of a folder, and sound files to begin with."""

    name: str
    call: Callable[[Path], object]
    make_seeds: Callable[[], Sequence[Seed]]

    @cached_property
    def seeds(self) -> Sequence[Seed]:
        """Sound files, which must not be refused."""
        return self.make_seeds()

    def case(self, seed: int, number: int) -> Case:
        """The input of a number; it follows from the seed, and from nothing else."""
        return seeds.case_of(self.seeds, number, Random(f"{seed} {self.name} {number}"))


# Judgments and runs

MEASURES = (
    *("AP", "nDCG@10", "P@5", "RR", "RBP(p=0.8)", "ERR@20", "Bpref", "infAP", "nDCG(gain=exponential)", "GMAP"),
    *("Rprec", "Q", "Judged@10", "INST", "SetF", "R@3", "Compat", "IPrec@0.5", "NCU", "TBG", "NumRet"),
)
OF_GROUPS = {
    "subtopic": "alpha_nDCG@10 ERR_IA@10 NRBP StRecall@10 AP_IA",
    "judge": "AP_avgjg P_avgjg@5",
    "preference": "PrefSimp PrefPair NumPrefs PrefAvg",
    "stratum": "xinfAP infNDCG@10",
}
OPTIONS: dict[str, tuple[object, ...]] = {
    "ties": ("document", "document-ascending", "given", "average"),
    "precision": ("single",),
    "depth": (1, 3),
    "judged_only": (True,),
    "average_over": ("answered",),
    "without_relevant": ("drop",),
    "identical": ("drop",),
    "rel": (2,),
    "undefined": ("zero", "skip"),
}


def judgments(folder: Path) -> Refusal | tuple[object, ...]:
    """Judgments are the same from both kinds of loops, and once they are written and read again."""
    path, choices = folder / "qrels.txt", choices_of(folder)
    kind: Any = choices.choice((None, _kind_of(path, choices)))
    told = by_both(lambda: _rows(cf.read_judgments(path, groups=kind)), choices)
    if not isinstance(told, Refusal):
        _written_and_read(cf.read_judgments(path, groups=kind), folder / "written")
    return told


def _rows(judgments: Judgments) -> tuple[object, ...]:
    grades = [grade.hex() for grade in judgments.grades.tolist()]
    finite([judgments.grades.tolist(), judgments.max_grade])
    groups = None if judgments.groups is None else [str(part) for part in judgments.groups]
    words = [finding.in_full() for finding in judgments.warnings]
    rows = judgments.starts.tolist(), list(judgments.documents), grades
    return judgments.queries, *rows, dict(judgments.extra), groups, words, repr(judgments)


def _written_and_read(judgments: Judgments, path: Path) -> None:
    from cranfield.formats.writing import trec

    if judgments.extra:  # several grades of a document, of which such a file has one
        return
    text = outcome(lambda: trec(judgments))
    if isinstance(text, Refusal):  # ids that TREC cannot have
        return
    path.write_text(text, encoding="utf-8", newline="")
    again = cf.read_judgments(path, format="trec")
    require(
        _grades(again) == _grades(judgments), f"written and read again\n{_grades(again)}\nfrom\n{_grades(judgments)}"
    )


def _grades(judgments: Judgments) -> dict[str, dict[str, float]]:
    return {query: judgments[query] for query in judgments}


def runs(folder: Path) -> Refusal | str:
    """Evaluating a run gives the same from both kinds of loops, and finite numbers."""
    return _evaluated(folder / "qrels.txt", folder / "bm25.run", choices_of(folder))


def _evaluated(
    judged: object, run: object, choices: Random, measures: str | None = None, **given: object
) -> Refusal | str:
    chosen = measures or " ".join(choices.sample(MEASURES, choices.randint(1, 4)))
    options = {
        name: choices.choice(OPTIONS[name]) for name in choices.sample(list(OPTIONS), choices.choice((0, 0, 1, 2)))
    }
    tells, bounds, shows = (choices.random() < share for share in (0.3, 0.3, SHOWN))

    def told() -> str:
        scores = cf.evaluate(judged, run, chosen, **options, **given)  # type: ignore[arg-type]
        require(not any(np.isinf(scores[measure]).any() for measure in scores.measures), "a score is infinite")
        values = finite(scores.to_dict(per_query=True, ties=bounds, unjudged=bounds)) if tells else ""
        exact = [scores[measure].tobytes().hex() for measure in scores.measures]
        words = [found.in_full() for found in scores.warnings]
        return "\n".join([*exact, values, str(scores) if shows else "", *words])

    return by_both(told, choices)


def conversions(folder: Path) -> Refusal | str:
    """Judgments and runs are the same once they are converted, or are refused."""
    choices, is_run = choices_of(folder), (folder / "bm25.run").exists()
    path = folder / ("bm25.run" if is_run else "qrels.txt")
    rows: Callable[[Path], object] = _ranked if is_run else _graded
    before = outcome(lambda: rows(path))
    if isinstance(before, Refusal):
        return before
    lines = ("run",) if is_run else ("qrels", "svmlight")
    has_groups = not is_run and bool(cf.read_judgments(path).extra)  # only who asks for them reads them from lines
    endings = _TABLE_ENDINGS if has_groups else (*lines, *_TABLE_ENDINGS)
    target = folder / f"converted.{choices.choice(endings)}"
    told = always(lambda: finite(cf.convert(path, target, kind="run" if is_run else "judgments").to_dict()), choices)
    if not isinstance(told, Refusal):
        after = rows(target)
        require(after == before, f"{target.name} has\n{after}\nfrom\n{before}")
    return told


_TABLE_ENDINGS = ("csv", "tsv", "jsonl", "json", "csv.gz")


def _graded(path: Path) -> object:
    judgments = cf.read_judgments(path)
    rows = judgments.starts.tolist(), list(judgments.documents), judgments.grades.tolist()  # 0 may have been -0
    return judgments.queries, *rows, dict(judgments.extra)


def _ranked(path: Path) -> object:
    from cranfield.formats.run_writing import best_first

    findings = Findings()
    ranked = list(map(best_first, cf.read_run(path).rankings(findings)))
    findings.stop_if_wrong()
    # A query without results is left out of files with a row for each document, and that is told.
    return {one.query: (list(one.documents), [float(score).hex() for score in one.scores]) for one in ranked if one[1]}


def responses(folder: Path) -> Refusal | str:
    """Responses whose queries a file or the request names are scored, alike from both kinds of loops."""
    return _evaluated(
        folder / "qrels.txt", folder / "answers.json", choices_of(folder), run_queries=folder / "asked.txt"
    )


def groups(folder: Path) -> Refusal | str:
    """Measures of several grades for a document are computed from what was read."""
    choices = choices_of(folder)
    measures = OF_GROUPS[_kind_of(folder / "qrels.txt", choices)]
    return _evaluated(folder / "qrels.txt", folder / "bm25.run", choices, choices.choice(measures.split()))


def _kind_of(path: Path, choices: Random) -> str:
    """What grades are probably by; now and then something else."""
    head = path.read_bytes()[:200].partition(b"\n")[0]
    if choices.random() < 0.1:
        return choices.choice(list(OF_GROUPS))
    if b"j1" in head or b"weight" in head:
        return "preference"
    return "judge" if b"ada" in head else "stratum" if head.endswith(b" 1 1") else "subtopic"


def dictionaries(folder: Path) -> Refusal | str:
    """Dictionaries, lists and numbers of every kind are read alike by both kinds of loops."""
    choices = choices_of(folder)
    try:
        judged, run = (json.loads((folder / name).read_bytes()) for name in ("qrels.txt", "bm25.run"))
    except (ValueError, RecursionError):
        return Refusal("no JSON, and so nothing to try")
    return _evaluated(_as_objects(judged, choices), _as_objects(run, choices), choices)


def _as_objects(value: Any, choices: Random, depth: int = 0) -> Any:
    """Values of JSON, now and then of a type that only Python has."""
    if depth > 50:
        return value
    if isinstance(value, dict):
        whole = choices.random() < 0.1
        return {_as_number(key) if whole else key: _as_objects(value[key], choices, depth + 1) for key in value}
    if isinstance(value, list):
        inner = [_as_objects(each, choices, depth + 1) for each in value]
        return tuple(inner) if choices.random() < 0.2 else inner
    if isinstance(value, float | int) and choices.random() < 0.1:
        with np.errstate(all="ignore"):
            kind = choices.choice((np.float64, np.float32, str, np.int64 if abs(value) < 1e18 else np.float64))
            try:
                return kind(value)
            except (OverflowError, ValueError):
                return value
    return value


def _as_number(key: str) -> str | int:
    number = key[1:]
    return int(number) if number.isdecimal() and len(number) < 8 else key


def tables(folder: Path) -> Refusal | str:
    """Arrow tables in memory, and data frames, are read alike by both kinds of loops."""
    choices = choices_of(folder)
    judged = _table(folder / "qrels.txt", seeds.QRELS, choices)
    return _evaluated(judged, _table(folder / "bm25.run", seeds.RUN, choices), choices)


def _table(path: Path, names: Sequence[str], choices: Random) -> object:
    rows = rows_of(path.read_bytes())
    header = list(names)
    if rows and len(rows[0]) != len(header):
        header, rows = rows[0], rows[1:]
    table = arrow_table(header, rows, choices)
    return table.to_pandas() if choices.random() < 0.1 and len(set(header)) == len(header) else table


def pools(folder: Path) -> Refusal | str:
    """What to judge next, and how alike runs are, is the same from both kinds of loops."""
    choices = choices_of(folder)
    ties: Any = choices.choice("baw")
    several = [folder / "bm25.run", folder / "dense.run"]
    strategy = choices.choice(("depth", "rrf", "rbp", "mtf", "mm-ns", "thompson", "comparison", "sample"))
    judged = folder / "qrels.txt" if strategy in ("mtf", "mm-ns", "thompson", "comparison") else None
    strata = "2:1,5:0.5" if strategy == "sample" else None
    pooled = by_both(
        lambda: cf.pool(several, depth=5, strategy=strategy, judgments=judged, strata=strata).table().jsonl()
    )
    alike = by_both(lambda: finite(cf.similarity(several, k=3, ties=ties).to_dict()))
    return pooled if isinstance(pooled, Refusal) else alike


NORMS = ("none", "minmax", "minmax-inverted", "max", "sum", "zscore", "2sigma", "dbsf", "rank", "borda")
LEARNING = ("bayesfuse", "mapfuse", "posfuse", "probfuse", "segfuse", "slidefuse")


def fusions(folder: Path) -> Refusal | str:
    """A fused run is the same from both kinds of loops and once it is written and read again; so is a tuned one."""
    choices = choices_of(folder)
    several = [folder / "bm25.run", folder / "dense.run"]
    method = choices.choice((*SCORE_METHODS, *RANK_METHODS, *LEARNING))
    reads_scores = method in SCORE_METHODS or method == "segfuse"
    options: dict[str, Any] = {
        "norm": choices.choice(NORMS) if reads_scores else None,
        "missing": choices.choice((None, None, "absent", "zero", "minimum", "last")),
        "weights": choices.choice((None, None, (1, 2), (0, 1e300), (5e-324, 1))) if method not in LEARNING else None,
        "depth": choices.choice((None, 1, 3)),
        "top": choices.choice((None, None, 2)),
        "like": choices.choice((None, None, None, "ranx", "qdrant", "opensearch")),
    }
    if method in LEARNING:
        options |= {"train": folder / "qrels.txt", "folds": 2}

    def fused() -> str:
        with np.errstate(all="ignore"):  # of numbers as large as there are; what comes out has to be finite
            run = cf.fuse(several, method, **options)
            text = run.trec()[0]
        if choices_of(folder).random() < 0.2:
            run.save(folder / "fused.run")
            require((folder / "fused.run").read_text(encoding="utf-8") == text, "another run is written than shown")
        finite([float(line.split(" ")[4]) for line in text.splitlines()])
        return text

    found = by_both(fused, choices)
    if choices.random() < 0.1:
        tuned = by_both(lambda: _tuned(folder / "qrels.txt", several, choices_of(folder)))
        found = tuned if isinstance(tuned, Refusal) else found
    return found


SCORE_METHODS = ("combsum", "combmin", "combmax", "combmed", "combanz", "combmnz", "combgmnz", "mixed")
RANK_METHODS = ("rrf", "isr", "logisr", "lognisr", "rbc", "borda", "condorcet", "mc4")


def _tuned(qrels: Path, several: list[Path], choices: Random) -> str:
    methods = choices.choice((["rrf"], ["combsum"], ["posfuse", "rrf"]))
    tuning = cf.tune_fusion(qrels, several, methods=methods, folds=3, repeats=1, steps=2, permutations=20)
    return finite(tuning.to_dict()) + str(tuning)


def listed(folder: Path) -> Refusal | str:
    """What a list says is to be judged is what a new project is made of, and what is found again in its store."""
    from cranfield.assessing.opening import ProjectInputs, create_project
    from cranfield.formats.pools import is_pool, read_pool

    path, where = folder / "pool.csv", folder / "new.db"
    creates, choices = choices_of(folder).random() < 0.2, choices_of(folder)

    def told() -> str:
        read = read_pool(path)
        finite(list(read.grades.values()))
        return str((is_pool(str(path)), read.pairs, dict(read.grades), dict(read.query_texts), dict(read.documents)))

    words = always(told, choices)
    if creates and not isinstance(words, Refusal) and is_pool(str(path)):
        made = outcome(lambda: create_project(where, [str(path)], ProjectInputs()))
        if not isinstance(made, Refusal):
            problems = made.store.verify()
            made.store.close()
            require(problems == [], f"a new store is not sound: {problems}")
    return words


def stores(folder: Path) -> Refusal | str:
    """A store is refused, or its labels are read, finite and the same each time; served, it hands out cards."""
    path, choices = folder / "judging.db", choices_of(folder)

    def told() -> str:
        read = cf.read_labels(path)
        words = repr(read) + finite(read.scale) + str(read.grades.tolist()) + str(read.warnings)
        require(not np.isinf(read.grades).any(), "a grade is infinite")
        return words + finite(_grades(cf.read_judgments(path)))

    ways = (
        always(told, choices),
        always(lambda: str(_rows(cf.read_judgments(path, groups="preference"))), choices),
        outcome(lambda: _served(path)),
    )
    return next((words for words in ways if not isinstance(words, Refusal)), ways[0])


def _served(path: Path) -> str:
    """Everything that a server reads of a store before somebody judges, and then a card of each judge."""
    from cranfield.assessing.service import Service
    from cranfield.assessing.store import open_store

    store = open_store(path)
    try:
        problems = store.verify()
        service = Service(store)
        people = [judge for judge in service.judges if judge.kind == "person" and not judge.off]
        cards = [service.cards(judge.number, "0123456789abcdef") for judge in people]
        return str((problems, service.project, len(service.items), cards))
    finally:
        store.close()


# Labels, queries, documents


def labels(folder: Path) -> Refusal | str:
    """Agreement of judges is finite or undefined, and so is every grade that labels are merged to."""
    choices = choices_of(folder)
    single = folder / "labels.csv"
    source = single if single.exists() else sorted(folder.glob("*.txt"))
    rule: Any = choices.choice(
        ("majority", "median", "mean", "maximum", "minimum", "dawid-skene", "dawid-skene-graded")
    )

    merges, shows, agrees = choices.random() < 0.3, choices.random() < SHOWN, choices.random() < 0.4

    def told() -> str:
        read = cf.read_labels(source)
        if merges and read.has_queries:
            merged = cf.merge(read, rule)
            return finite(_grades(merged.judgments)) + merged.verdict() + merged.table().tsv()
        if not agrees:
            return repr(read) + str(read.scale) + str(read.grades.tolist()) + str(read.warnings)
        agreement = cf.agree(read, samples=20)
        return finite(replace(agreement, with_queries=True).to_dict()) + (str(agreement) if shows else "")

    return always(told, choices)


def sheets(folder: Path) -> Refusal | str:
    """Grades that were decided on in a sheet count in what labels are merged to."""
    choices = choices_of(folder)
    rule: Any = choices.choice(("majority", "median", "adjudicated", "dawid-skene"))

    def told() -> str:
        merged = cf.merge(folder / "labels.csv", rule, adjudicated=folder / "sheet.csv")
        return finite(_grades(merged.judgments)) + finite(merged.to_dict()) + merged.verdict() + merged.table().tsv()

    return always(told, choices)


def queries(folder: Path) -> Refusal | str:
    """Queries have texts and columns."""
    path = folder / "queries.tsv"

    def told() -> str:
        read = cf.read_queries(path)
        columns = {name: read.column(name) for name in read.names}
        return repr(read) + str([read.text(query) for query in read]) + str(columns)

    return always(told, choices_of(folder))


def chunks(folder: Path) -> Refusal | str:
    """Scores of documents, of alternatives and of some queries are finite."""
    choices = choices_of(folder)
    files = {"group_by": "chunks.tsv", "alternatives": "answers.csv", "only_queries": "dev.txt"}
    name = choices.choice(tuple(files))

    def told() -> str:
        given: Any = {name: str(folder / files[name])}
        scores = cf.evaluate(folder / "qrels.txt", folder / "bm25.run", "AP nDCG@3", **given)
        return finite(scores.to_dict(per_query=True)) + str(scores)

    return always(told, choices)


def documents(folder: Path) -> Refusal | str:
    """Documents have titles and texts."""
    return always(lambda: str(cf.read_documents(folder / "documents.jsonl")), choices_of(folder))


# Clicks and recommendation

MODELS = ("PBM", "UBM", "CM", "DCM", "SDBN", "DBN", "CCM", "RCTR", "best")


def clicks(folder: Path) -> Refusal | str:
    """What clicks say of documents is finite, whatever the model."""
    choices = choices_of(folder)
    files = [path for path in (folder / "queries.ndjson", folder / "clicks.csv") if path.exists()]
    model, shows = choices.choice(MODELS), choices.random() < SHOWN

    def told() -> str:
        log = cf.read_clicks(files)
        if log.propensity is not None and choices.random() < 0.7:
            return finite(cf.policy_value(log, samples=20).to_dict())
        found = cf.clicks(log, model, min_impressions=1, samples=20)
        return repr(log) + finite(found.to_dict()) + (str(found) if shows else "")

    return outcome(told)


def recommendation(folder: Path) -> Refusal | str:
    """What lists of items offer is finite or undefined."""
    choices = choices_of(folder)
    known = {"items": "items.txt", "interactions": "interactions.csv", "attributes": "attributes.csv"}
    given: dict[str, Any] = {name: folder / file for name, file in known.items() if choices.random() < 0.8}
    similarity: Any = choices.choice(("jaccard", "cosine"))
    shows = choices.random() < SHOWN

    def told() -> str:
        offered = cf.recommendation(folder / "lists.run", k=2, similarity=similarity, **given)
        return finite(replace(offered, with_users=True).to_dict()) + (str(offered) if shows else "")

    return always(told, choices)


# Results, gates, checks


def results(folder: Path) -> Refusal | str:
    """Saved results are the same once they are saved again, and a gate gives a verdict about them."""

    def told() -> str:
        loaded = cf.load(folder / "results.json")
        values = finite(loaded.to_dict())
        cf.save(loaded, folder / "again.json")
        require(finite(cf.load(folder / "again.json").to_dict()) == values, "saved results differ once saved again")
        verdict = cf.gate(loaded, folder / "baseline.json", folder / "gate.toml")
        return values + finite(verdict.to_dict()) + str(verdict)

    return always(told, choices_of(folder))


def retrieved(folder: Path) -> Refusal | str:
    """A run with a log is scored and its latencies compared; an answer of a service has results or is a failure."""
    from cranfield.requesting.failures import Failure
    from cranfield.retrieving.service import results_in

    def told() -> str:
        run = folder / "bm25.run"
        scores = cf.evaluate(folder / "qrels.txt", {"a": run, "b": run}, "RR", average_over="answered")
        return finite(cf.compare(scores).to_dict())

    try:
        found = results_in((folder / "answer.json").read_bytes())
        finite({"documents": list(found.documents), "scores": found.scores and list(found.scores)})
    except Failure as failure:
        require(bool(failure.detail), "a failure says nothing")
    return always(told, choices_of(folder))


def check(folder: Path) -> Refusal | str:
    """Whatever is wrong with files is a finding and no error; what is sound for it can be read."""
    paths = [folder / "qrels.txt", folder / "bm25.run"]
    report = cf.check(paths)
    for file in report.files:
        if file.kind == "judgments" and all(found.severity != "error" for found in file.findings):
            cf.read_judgments(file.path)
    return finite(report.to_dict()) + "".join(found.in_full() for found in report.findings)


# Names and arguments

_JUDGED = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 1, "d4": -1}, "q3": {"d5": 0}}
_RUN = {"q1": {"d1": 3.5, "d2": 3.5, "d9": 1.0}, "q2": {"d4": 0.5, "d1": -1000.0}}


def measures(folder: Path) -> Refusal | str:
    """A name that is understood is printed so that it is understood again, and gives finite numbers."""
    name = (folder / "measures.txt").read_bytes().decode("utf-8", "surrogateescape")

    def told() -> str:
        from cranfield.measures.names import parse_all

        chosen = parse_all(name)
        require([cf.parse(str(measure)) for measure in chosen] == chosen, f"{chosen} are printed as something else")
        plain = [measure for measure in chosen if measure.definition.groups is None][:40]
        return str(chosen) + finite(cf.evaluate(_JUDGED, _RUN, plain).to_dict(per_query=True) if plain else None)

    return always(told, choices_of(folder))


def trec_eval(folder: Path) -> Refusal | str:
    """trec_eval's command ends with an exit code of its own, and messages that can be printed."""
    from cranfield.compat.trec_eval import trec_eval as called

    text = (folder / "arguments.txt").read_bytes().decode("utf-8", "surrogateescape")
    arguments = [str(folder / part) if part == "means.txt" else part for part in text.split("\n")]
    files = [str(folder / "qrels.txt"), str(folder / "bm25.run")]
    result = called([*arguments, *files])
    require(all(isinstance(message, str) for message in result.messages), "a message is no text")
    require(result.code == 0 or bool(result.messages), f"exit {result.code} without a message")
    return str(result) if result.code == 0 else Refusal(str(result.messages))


WRITES = ("-o", "--output", "--save", "init", "update", "--summary", "--junit", "--plot")
"""Options that could write files wherever a changed argument says."""


def _could_write(arguments: Sequence[str]) -> bool:
    """Whether a call could write a file; `-o -` is standard output."""
    following = [*arguments[1:], ""]
    return arguments[:1] == ["demo"] or any(
        part.startswith(WRITES) and (part, value) != ("-o", "-")
        for part, value in zip(arguments, following, strict=True)
    )


def command(folder: Path) -> Refusal | str:
    """The command prints text, and exits as it says: 0, 1 where a gate fails, 2 for wrong usage, 3 for bad data."""
    text = (folder / "arguments.txt").read_bytes().decode("utf-8", "surrogateescape")
    arguments = [part.replace("\x00", "") for part in text.split("\n")]
    if _could_write(arguments):
        return Refusal("it could write files")
    code, printed, told = called_command(arguments, folder)
    require(code in (0, 1, 2, 3), f"exit {code}")
    require(code == 0 or bool(told.strip() or printed.strip()), f"exit {code} without a word")
    require("Traceback" not in told, told)
    return printed + told if code in (0, 1) else Refusal(told)


CURVES = ("pr11", "pr", "at-k", "depth", "roc")


def rankings(folder: Path) -> Refusal | str:
    """Rankings that were typed have scores that the measures alone give too, and can be explained and drawn."""
    choices = choices_of(folder)
    lines = (folder / "rankings.txt").read_bytes().decode("utf-8", "surrogateescape").split("\n")
    measures, kind = choices.sample(MEASURES, 2), cast(Any, choices.choice(CURVES))
    relevant, level = choices.choice((None, None, 7)), choices.choice((None, None, 2))
    shows, explains, draws = (choices.random() < share for share in (SHOWN, 0.4, 0.2))

    def told() -> str:
        scores = cf.score(lines, measures, relevant=relevant, rel=level)
        if len(lines) == 1 and relevant is None and level is None:
            for measure in measures:
                alone = float(cf.parse(measure)(cf.ranking(lines[0])))
                require(np.allclose(scores[measure], alone, equal_nan=True), f"{measure} alone is {alone}:\n{scores}")
        words = finite(scores.to_dict()) + (str(scores) if shows else "")
        words += finite(scores.explain(measures[0], len(lines)).to_dict()) if explains else ""
        return words + (str(scores.curve(kind)) if draws else "")

    return outcome(told)


def kappas(folder: Path) -> Refusal | str:
    """The kappa of a table that was typed is finite or undefined."""
    choices = choices_of(folder)
    text, shows = (folder / "kappa.txt").read_bytes().decode("utf-8", "surrogateescape"), choices.random() < SHOWN

    def told() -> str:
        explanation = cf.explain_kappa(text)
        return finite(explanation.to_dict()) + (str(explanation) if shows else "")

    return always(told, choices)


TARGETS = (
    Target("judgments", judgments, lambda: [{"qrels.txt": file} for file in (*seeds.JUDGMENTS, *seeds.GROUPED)]),
    Target("runs", runs, seeds.judged_runs),
    Target("conversions", conversions, seeds.converted),
    Target("responses", responses, seeds.responses_in_order),
    Target("groups", groups, seeds.grouped_runs),
    Target("tables", tables, lambda: [{"qrels.txt": seeds.SMALL_QRELS, "bm25.run": seeds.SMALL_RUN}]),
    Target("dictionaries", dictionaries, seeds.nested),
    Target("pools", pools, seeds.several_runs),
    Target("fusions", fusions, seeds.several_runs),
    Target("listed", listed, seeds.listed_pools),
    Target("stores", stores, seeds.judging_stores),
    Target("labels", labels, seeds.labels),
    Target("sheets", sheets, seeds.sheets),
    Target("queries", queries, seeds.queries),
    Target("chunks", chunks, seeds.chunks),
    Target("documents", documents, seeds.documents),
    Target("clicks", clicks, seeds.clicks),
    Target("recommendation", recommendation, seeds.recommendations),
    Target("results", results, seeds.results),
    Target("retrieved", retrieved, seeds.request_logs),
    Target("check", check, seeds.judged_runs),
    Target("measures", measures, seeds.names),
    Target("trec-eval", trec_eval, seeds.calls),
    Target("rankings", rankings, seeds.rankings),
    Target("kappas", kappas, seeds.kappas),
    Target("command", command, seeds.commands),
)
