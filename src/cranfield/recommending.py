"""What recommendations offer beyond relevance: how much of the catalogue, how new, how varied, how personal.

Most of it looks at the lists alone, at who interacted with what before, and at what is known of the items; with
judgments also at what is relevant although few had it.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from os import PathLike, fsdecode
from typing import Any, NamedTuple, get_args

import numpy as np

from cranfield import errors
from cranfield.arguments import require_not_negative
from cranfield.arrays import Floats
from cranfield.choices import Duplicates, ItemSimilarity, TieOrder
from cranfield.data.run import Run, check_ranking
from cranfield.errors import DataError, Finding, Findings, UsageError
from cranfield.evaluating import aggregate
from cranfield.formats import read_judgments, read_runs
from cranfield.formats.columns import ColumnsGiven
from cranfield.formats.relations import ATTRIBUTES, INTERACTIONS, ITEMS, read_relation
from cranfield.kernels import plain
from cranfield.show.answer import Answer
from cranfield.show.table import Cell, Estimate, Table, finite
from cranfield.version import VERSION

DEBIASED = "debiased recall"
POWER = 0.5
"""What popular items weigh less by; it holds if an item is observed in proportion to its popularity."""
Attributes = Mapping[str, float]
"""What is known of an item, each with its weight."""

ZHOU = "Zhou et al., PNAS 107(10), 2010, doi:10.1073/pnas.1000488107"
TINY = 1e-100
"""Vectors that are shorter are stretched before they are multiplied."""

VARGAS_CASTELLS = "Vargas & Castells, RecSys 2011, doi:10.1145/2043932.2043955"
STECK = "Steck, RecSys 2011, doi:10.1145/2043932.2043957"
ZIEGLER = "Ziegler et al., WWW 2005, doi:10.1145/1060745.1060754"


@dataclass(frozen=True)
class Popularity:
    """How many users interacted with each item, and how many users there are."""

    of_item: Mapping[str, int]
    users: int

    @cached_property
    def ranks(self) -> Mapping[str, int]:
        """1 for the items that most users have, 2 for those that the second most have, and so on."""
        places = {count: place for place, count in enumerate(sorted(set(self.of_item.values()), reverse=True), 1)}
        return {item: places[count] for item, count in self.of_item.items()}


class Known(NamedTuple):
    """What is known besides the runs; nothing where nothing was given."""

    items: Collection[str] | None
    popularity: Popularity | None
    attributes: Mapping[str, Attributes] | None
    relevant: Mapping[str, Collection[str]] | None = None
    """Of each user, what they liked later."""


@dataclass(frozen=True, eq=False)
class RunRecommendation:
    """What one run offers. NaN stands for what could not be computed from what was given."""

    users: tuple[str, ...]
    items: int
    """Different items in all lists."""
    coverage: float
    gini: float
    entropy: float
    personalisation: float
    per_user: Mapping[str, Floats]
    """Novelty, popularity, diversity, serendipity, debiased recall and intersection of each user's list."""

    def estimate(self, name: str) -> Estimate:
        """The mean over users of what `per_user` has under a name, with its 95% interval."""
        values = self.per_user[name]
        known = values[~np.isnan(values)]
        if not len(known):
            return Estimate(math.nan, math.nan, math.nan)
        value, low, high = aggregate.interval(known)
        # A mean cannot lie outside the range of what it is the mean of, so neither does what is said about it. Beyond 1
        # is diversity only where weights are negative.
        largest = math.inf if name == "novelty" else max(1.0, float(known.max()))
        return Estimate(value, *np.clip((low, high), 0, largest).tolist())


@dataclass(frozen=True, eq=False, repr=False)
class Recommendation(Answer):
    """What every run offers; printing it, or ending a notebook cell with it, shows the table."""

    runs: dict[str, RunRecommendation]
    k: int
    similarity: ItemSimilarity
    catalogue: int | None
    """How many items are known, if that is known."""
    popularity_power: float = POWER
    warnings: tuple[Finding, ...] = ()
    with_users: bool = False
    """Whether the list of every user is shown."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers mean, and who proposed them."""
        return tuple(_notes(self))

    def table(self) -> Table:
        """A row per run, or on a narrow screen a column per run; numbers that are not known are left out."""
        columns = self._columns()
        runs, *cells = columns.values()
        of_runs = zip(runs, zip(*cells, strict=True), strict=True)
        narrow = Table({"": list(columns)[1:], **{str(run): of_run for run, of_run in of_runs}})
        return Table(columns, notes=self.notes, narrow=narrow)

    def per_user(self) -> Table:
        """A row per run and user with what is known of the user's list, such as novelty and diversity."""
        columns: dict[str, list[str | float]] = {"run": [], "user": []}
        for name, run in self.runs.items():
            columns["run"] += [name] * len(run.users)
            columns["user"] += run.users
            for what, values in run.per_user.items():
                columns.setdefault(what, []).extend(values.tolist())
        return Table({name: column for name, column in columns.items() if not _unknown(column)})

    def tables(self) -> list[Table]:
        """Every user's list, if asked for, and what each run offers."""
        return [*([self.per_user()] if self.with_users else []), self.table()]

    def rows(self) -> Table:
        """A row per run, number and user, those of a whole run under `all`."""
        rows: list[tuple[Cell, ...]] = []
        columns = self._columns()
        for at, (name, run) in enumerate(self.runs.items()):
            for measure, cells in list(columns.items())[1:]:
                if self.with_users and measure in run.per_user:
                    values = run.per_user[measure].tolist()
                    rows += [
                        (name, measure, user, *_bounds(value)) for user, value in zip(run.users, values, strict=True)
                    ]
                rows.append((name, measure, "all", *_bounds(cells[at])))
        names = ("run", "measure", "user", "value", "low", "high")
        return Table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield recommendation --format json` prints."""
        return {
            "cranfield": VERSION,
            "settings": {
                "k": self.k,
                "similarity": self.similarity,
                "catalogue": self.catalogue,
                "popularity_power": self.popularity_power,
            },
            "notes": list(self.notes),
            "warnings": [str(warning) for warning in self.warnings],
            "runs": [_run_dict(name, run, self.with_users) for name, run in self.runs.items()],
        }

    def _columns(self) -> dict[str, list[Cell]]:
        runs = self.runs.values()
        columns: dict[str, list[Cell]] = {
            "run": [*self.runs],
            "users": [len(run.users) for run in runs],
            "items": [run.items for run in runs],
            "coverage": [run.coverage for run in runs],
            "Gini": [run.gini for run in runs],
            "entropy": [run.entropy for run in runs],
            "novelty": [run.estimate("novelty") for run in runs],
            "popularity": [run.estimate("popularity") for run in runs],
            "diversity": [run.estimate("diversity") for run in runs],
            "personalisation": [run.personalisation for run in runs],
            **{name: [run.estimate(name) for run in runs] for name in ("serendipity", DEBIASED, "intersection")},
        }
        return {name: cells for name, cells in columns.items() if not _unknown(cells)}


def _bounds(cell: Cell) -> tuple[Cell, Cell, Cell]:
    """A value and the ends of its interval, if it has one."""
    return (cell.value, cell.low, cell.high) if isinstance(cell, Estimate) else (cell, None, None)


def recommendation(
    runs: object,
    *,
    k: int = 10,
    items: object = None,
    interactions: object = None,
    attributes: object = None,
    judgments: object = None,
    similarity: ItemSimilarity = "jaccard",
    popularity_power: float = POWER,
    ties: TieOrder = "document",
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
) -> Recommendation:
    """What one or several runs of recommendations offer in the first k items of each user's list.

    A run holds users as queries and items as documents. `items` are all that could be recommended, `interactions` what
    users took before, `attributes` what is known of the items; each may be a path, a dictionary, rows or a table.
    `judgments` are what they liked later, whatever `read_judgments` reads: with interactions they give serendipity, and
    recall in which items weigh the less the more popular they are, by `popularity_power` (0 is plain recall).

    Two users, one of three items each:

    >>> lists = {"u1": ["i1"], "u2": ["i2"]}
    >>> offered = recommendation(lists, items=["i1", "i2", "i3"], interactions={"u1": ["i2"], "u2": ["i1", "i2"]})
    >>> run = offered.runs["run"]
    >>> round(run.coverage, 4), run.personalisation, run.per_user["novelty"].tolist()
    (0.6667, 1.0, [1.0, 0.0])
    """
    _check(k, similarity, ties)
    require_not_negative(popularity_power, "popularity_power")
    if judgments is not None and interactions is None:
        raise errors.recommendation.no_interactions()
    found = Findings()
    popularity = None if interactions is None else _popularity(interactions, found)
    described = None if attributes is None else _attributes(attributes, found)
    given = None if items is None else _items(items, found)
    found.stop_if_wrong()
    lists = {run.name: _lists(run, k, ties, found) for run in read_runs(runs, columns, duplicates)}
    relevant = None if judgments is None else _relevant(judgments, lists, popularity)
    known = Known(_catalogue(given, popularity, described, lists.values()), popularity, described, relevant)
    warnings = [*found.warnings]
    for name, of_run in lists.items():
        warnings += _surprises(name, of_run, k, ties, known, listed=given is not None)
    reference = next(iter(lists.values())).of_user
    return Recommendation(
        {
            name: _offered(
                of_run,
                known,
                similarity,
                popularity_power,
                None if of_run.of_user is reference else reference,
            )
            for name, of_run in lists.items()
        },
        k,
        similarity,
        None if known.items is None else len(known.items),
        float(popularity_power),
        tuple(warnings),
    )


class ItemLists(NamedTuple):
    """The first items of every user's list, and for whom equal scores decide which those are."""

    of_user: dict[str, list[str]]
    tied: list[str]


# Measures of all lists together


def gini(counts: Sequence[int]) -> float:
    r"""How unequally something is shared: 0 if all have the same, towards 1 if one has all.

    .. math:: \frac{\sum_i (2i - n - 1) x_i}{n \sum_i x_i}

    x are the counts, smallest first.

    >>> gini([1, 1, 1, 1]), gini([0, 0, 0, 8])
    (0.0, 0.75)
    """
    shares = sorted(counts)
    n, total = len(shares), sum(shares)
    return sum((2 * i - n - 1) * x for i, x in enumerate(shares, 1)) / (n * total) if total else math.nan


def entropy(counts: Iterable[int]) -> float:
    r"""How many bits it takes to tell which item a recommendation is.

    .. math:: -\sum_i p_i \log_2 p_i

    >>> entropy([1, 1, 1, 1]), entropy([8])
    (2.0, 0.0)
    """
    positive = [count for count in counts if count]
    total = sum(positive)
    return math.fsum(count / total * math.log2(total / count) for count in positive) if total else math.nan


def personalisation(lists: Collection[Sequence[str]]) -> float:
    r"""How much users' lists differ: 1 less the mean share of items that two of them have in common.

    .. math:: 1 - \frac{2}{|U| (|U| - 1)} \sum_{u < v} \frac{|L_u \cap L_v|}{\sqrt{|L_u| |L_v|}}

    >>> personalisation([["a", "b"], ["b", "c"]])
    0.5
    """
    filled = [items for items in lists if items]
    users = len(filled)
    if users < 2:
        return math.nan
    # Not over all pairs of lists, which are many, but over items: one that is in n lists of length l and in m lists of
    # length k is common to n m pairs of them, and to n (n - 1) / 2 pairs among the former.
    in_lists: dict[str, Counter[int]] = {}
    for items in filled:
        for item in items:
            in_lists.setdefault(item, Counter())[len(items)] += 1
    common: Counter[int] = Counter()
    for lengths in in_lists.values():
        for length, count in lengths.items():
            common[length * length] += count * (count - 1) // 2
        for (one, n), (other, m) in combinations(lengths.items(), 2):
            common[one * other] += n * m
    shared = math.fsum(count / math.sqrt(product) for product, count in common.items())
    return 1 - shared / (users * (users - 1) / 2)


# Measures of one list


def novelty(items: Sequence[str], popularity: Popularity) -> float:
    r"""How surprising a list's items are, in bits: the mean of the self-information of each.

    .. math:: \frac{1}{|L|} \sum_{i \in L} \log_2 \frac{|U|}{|U_i|}

    U are the users with interactions, and U_i those who interacted with item i, at least one.

    >>> novelty(["a", "b"], Popularity({"a": 4, "b": 1}, users=4))
    1.0
    """
    return _mean(math.log2(popularity.users / max(popularity.of_item.get(item, 0), 1)) for item in items)


def mean_popularity(items: Sequence[str], popularity: Popularity) -> float:
    """The mean share of users who interacted with an item of the list.

    >>> mean_popularity(["a", "b"], Popularity({"a": 4, "b": 1}, users=4))
    0.625
    """
    return _mean(popularity.of_item.get(item, 0) / popularity.users for item in items)


def diversity(items: Sequence[str], similarity: Callable[[str, str], float]) -> float:
    r"""How unlike a list's items are: 1 less the mean similarity of two of them.

    .. math:: 1 - \frac{2}{|L| (|L| - 1)} \sum_{i < j} sim(i, j)

    >>> diversity(["a", "b", "c"], lambda one, other: 0.25)
    0.75
    """
    return 1 - _mean(similarity(one, other) for one, other in combinations(items, 2))


def serendipity(items: Sequence[str], relevant: Collection[str], popularity: Popularity, catalogue: int) -> float:
    r"""How many items are relevant that popularity would not have found: those ranked higher than there, by how much.

    .. math:: \frac{1}{|L|} \sum_{i \in L} \max\Big(\frac{n + 1 - r_i}{n} - \frac{n + 1 - p_i}{n}, 0\Big) \, rel_i

    r_i is an item's rank in the list, and p_i its rank by popularity: equally popular items share one, and the second
    term is 0 for items that nobody had. n are the items of the catalogue. As in RecTools. The serendipity of
    Microsoft's recommenders is another: unlikeness to what a user had before.

    At rank 1 an item that is only the second most popular of 4:

    >>> serendipity(["b"], {"b"}, Popularity({"a": 3, "b": 2}, users=3), catalogue=4)
    0.25
    """
    gains = []
    for rank, item in enumerate(items, 1):
        place = popularity.ranks.get(item)
        by_popularity = 0.0 if place is None else (catalogue + 1 - place) / catalogue
        gains.append(max((catalogue + 1 - rank) / catalogue - by_popularity, 0.0) if item in relevant else 0.0)
    return _mean(gains)


def debiased_recall(items: Sequence[str], relevant: Collection[str], popularity: Popularity, power: float) -> float:
    r"""Recall in which an item weighs the less the more users had it: people find popular items without any help.

    .. math:: \sum_{i \in L \cap R} N_i^{-\beta} \Big/ \sum_{i \in R} N_i^{-\beta}

    N_i are the users who had item i before, at least one; β is the power. Popularity-stratified recall (Steck, RecSys
    2011): it does not reward a list for what is observed more often because it is popular. β = 0.5 holds if an item
    is observed in proportion to its popularity; 0 is plain recall. Weights are inverse propensities, as in the
    estimator of Yang et al., RecSys 2018, doi:10.1145/3240323.3240355, normalised for each user.

    Found is the popular one of two, which weighs half as much as the other:

    >>> print(round(debiased_recall(["a"], {"a", "b"}, Popularity({"a": 4, "b": 1}, users=4), power=0.5), 4))
    0.3333
    """
    weights = {item: max(popularity.of_item.get(item, 0), 1) ** -power for item in relevant}
    return math.fsum(weights.get(item, 0.0) for item in items) / math.fsum(weights.values()) if weights else math.nan


def intersection(items: Sequence[str], reference: Collection[str]) -> float:
    """The share of a list's items that another list of the same user has as well.

    >>> intersection(["a", "b"], ["b", "c", "d"])
    0.5
    """
    return _mean(float(item in reference) for item in items)


def jaccard(one: Attributes, other: Attributes) -> float:
    """Common attributes as a share of all that either has, whatever their weights.

    >>> jaccard({"jazz": 1, "live": 1}, {"jazz": 1})
    0.5
    """
    common = len(one.keys() & other.keys())
    return common / (len(one) + len(other) - common)


def cosine(one: Attributes, other: Attributes) -> float:
    """The cosine of the angle between two vectors of weights.

    >>> cosine({"jazz": 1, "live": 1}, {"jazz": 2})
    0.7071067811865475
    """
    product = math.fsum(weight * other[name] for name, weight in one.items() if name in other)
    lengths = math.hypot(*one.values()), math.hypot(*other.values())
    if min(lengths) < TINY:  # their products would be 0
        return cosine(_stretched(one, lengths[0]), _stretched(other, lengths[1]))
    return product / (lengths[0] * lengths[1])


def _stretched(attributes: Attributes, length: float) -> Attributes:
    return {name: weight / length for name, weight in attributes.items()}


SIMILARITIES: Mapping[ItemSimilarity, Callable[[Attributes, Attributes], float]] = {
    "jaccard": jaccard,
    "cosine": cosine,
}


def _offered(
    lists: ItemLists,
    known: Known,
    similarity: ItemSimilarity,
    power: float,
    reference: Mapping[str, Collection[str]] | None,
) -> RunRecommendation:
    exposure = Counter(item for items in lists.of_user.values() for item in items)
    counts = [exposure[item] for item in known.items or ()]
    return RunRecommendation(
        users=tuple(lists.of_user),
        items=len(exposure),
        coverage=sum(count > 0 for count in counts) / len(counts) if counts else math.nan,
        gini=gini(counts),
        entropy=entropy(exposure.values()),
        personalisation=personalisation(lists.of_user.values()),
        per_user={
            **_per_user(lists.of_user.values(), known, similarity),
            **_by_relevance(lists.of_user, known, power),
            "intersection": np.array(
                [
                    math.nan if reference is None else intersection(items, reference.get(user, ()))
                    for user, items in lists.of_user.items()
                ]
            ),
        },
    )


def _by_relevance(lists: Mapping[str, Sequence[str]], known: Known, power: float) -> dict[str, Floats]:
    """What needs judgments; nothing for users of whom there are none."""
    relevant, popularity = known.relevant, known.popularity
    values = np.full((2, len(lists)), math.nan)
    if relevant is not None and popularity is not None:
        catalogue = len(known.items or ())
        for at, (user, items) in enumerate(lists.items()):
            if user in relevant:
                values[0, at] = serendipity(items, relevant[user], popularity, catalogue)
                values[1, at] = debiased_recall(items, relevant[user], popularity, power)
    return {"serendipity": values[0], DEBIASED: values[1]}


def _per_user(lists: Collection[Sequence[str]], known: Known, similarity: ItemSimilarity) -> dict[str, Floats]:
    unknown = np.full(len(lists), math.nan)
    seen, attributes = known.popularity, known.attributes
    if attributes is None:
        varied = unknown
    else:

        @lru_cache(maxsize=1 << 20)  # popular items meet in many lists
        def alike(one: str, other: str) -> float:
            return SIMILARITIES[similarity](attributes[one], attributes[other])

        described = ([item for item in items if item in attributes] for items in lists)
        varied = np.array([diversity(items, alike) for items in described])
    return {
        "novelty": unknown if seen is None else np.array([novelty(items, seen) for items in lists]),
        "popularity": unknown if seen is None else np.array([mean_popularity(items, seen) for items in lists]),
        "diversity": varied,
    }


def _lists(run: Run, k: int, ties: TieOrder, findings: Findings) -> ItemLists:
    """The first k items of every user, in one pass; a user who comes again, complete, replaces what was there."""
    of_user: dict[str, list[str]] = {}
    tied: dict[str, None] = {}
    wrong: dict[str, list[Finding]] = {}
    same: dict[str, str] = {}  # one text for an item, however often it is recommended
    for ranking in run.rankings(findings):
        user, scores = ranking.query, ranking.scores
        wrong[user] = list(check_ranking(ranking, run.called))
        best = plain.first(ranking.documents, scores, k, ties, ranked=ranking.ranked)
        of_user[user] = [same.setdefault(item, item) for item in best]
        tied.pop(user, None)
        if len(scores) > k and len(set(np.partition(scores, (-k - 1, -k))[[-k - 1, -k]].tolist())) == 1:
            tied[user] = None
    for of_ranking in wrong.values():
        findings.extend(of_ranking)
    findings.stop_if_wrong()
    return ItemLists(of_user, list(tied))


def _popularity(given: object, findings: Findings) -> Popularity:
    """Users of each item; a pair that comes twice counts once, one with a number of 0 or less not at all."""
    users: dict[str, int] = {}
    items: dict[str, int] = {}
    pairs = array("q")
    rows = 0
    path: str | None = None
    for batch in read_relation(given, INTERACTIONS, findings):
        rows, path = rows + len(batch.lines), batch.path
        for user, item, number in zip(*batch.values, strict=True):
            if number > 0:
                pairs.append(users.setdefault(user, len(users)) << 32 | items.setdefault(item, len(items)))
    findings.stop_if_wrong()
    if not rows:
        findings.add(errors.files.nothing_read(_path(given), INTERACTIONS.name))
    elif len(pairs) < rows:
        findings.add(errors.recommendation.interactions_without_count(path, rows - len(pairs), rows))
    distinct = np.unique(np.frombuffer(pairs, dtype=np.int64)) if pairs else np.empty(0, dtype=np.int64)
    if len(distinct) < len(pairs):
        findings.add(errors.recommendation.interactions_again(path, len(pairs) - len(distinct), rows))
    counts = np.bincount(distinct & 0xFFFFFFFF, minlength=len(items))
    return Popularity(dict(zip(items, counts.tolist(), strict=True)), len(users))


def _relevant(
    given: object, lists: Mapping[str, ItemLists], popularity: Popularity | None
) -> dict[str, frozenset[str]]:
    """Of each judged user, the items with a grade of 1 or more."""
    judgments = read_judgments(given)
    users = {user for of_run in lists.values() for user in of_run.of_user}
    if not any(user in users for user in judgments):
        raise DataError([errors.recommendation.users_never_meet(judgments.path, sorted(users), list(judgments))])
    judged = set(judgments.documents)
    items = {item for of_run in lists.values() for recommended in of_run.of_user.values() for item in recommended}
    if judged.isdisjoint(items) and (popularity is None or judged.isdisjoint(popularity.of_item)):
        raise DataError([errors.recommendation.items_never_meet(judgments.path, sorted(items), sorted(judged))])
    return {user: frozenset(item for item, grade in judgments[user].items() if grade >= 1) for user in judgments}


def _attributes(given: object, findings: Findings) -> dict[str, dict[str, float]]:
    """What is known of each item; several attributes in one field stand apart at |."""
    described: dict[str, dict[str, float]] = {}
    for batch in read_relation(given, ATTRIBUTES, findings):
        for line, item, name, weight in zip(batch.lines, *batch.values, strict=True):
            of_item = described.setdefault(item, {})
            for attribute in filter(None, name.split("|")):
                first = of_item.setdefault(attribute, weight)
                if first != weight:
                    wrong = errors.recommendation.two_weights(
                        batch.path, line, item, attribute, weight, first, unit=batch.unit
                    )
                    findings.add(wrong)
    findings.stop_if_wrong()
    if not described:
        findings.add(errors.files.nothing_read(_path(given), ATTRIBUTES.name))
    return {item: known for item, known in described.items() if any(known.values())}


def _items(given: object, findings: Findings) -> dict[str, None]:
    """All items there are, each once."""
    distinct: dict[str, None] = {}
    rows = 0
    path: str | None = None
    for batch in read_relation(given, ITEMS, findings):
        rows, path = rows + len(batch.lines), batch.path
        distinct.update(dict.fromkeys(batch.columns["item"]))
    findings.stop_if_wrong()
    if not rows:
        findings.add(errors.files.nothing_read(_path(given), ITEMS.name))
    if len(distinct) < rows:
        findings.add(errors.recommendation.items_again(path, rows - len(distinct), rows))
    return distinct


def _path(given: object) -> str | None:
    return fsdecode(given) if isinstance(given, str | PathLike) else None


def _catalogue(
    given: Collection[str] | None,
    popularity: Popularity | None,
    attributes: Mapping[str, Attributes] | None,
    lists: Iterable[ItemLists],
) -> Collection[str] | None:
    """The items given, or all that anything is known of; recommended ones are then known as well."""
    if given is not None:
        return given
    if popularity is None and attributes is None:
        return None
    recommended = (item for of_run in lists for items in of_run.of_user.values() for item in items)
    return dict.fromkeys([*(popularity.of_item if popularity else ()), *(attributes or ()), *recommended])


def _surprises(name: str, lists: ItemLists, k: int, ties: TieOrder, known: Known, *, listed: bool) -> Iterator[Finding]:
    recommended = list(dict.fromkeys(item for items in lists.of_user.values() for item in items))
    if listed and (outside := [item for item in recommended if item not in (known.items or ())]):
        yield errors.recommendation.items_outside(name, outside, len(recommended))
    if known.popularity and (unseen := [item for item in recommended if item not in known.popularity.of_item]):
        yield errors.recommendation.items_unseen(name, unseen, len(recommended))
    if known.attributes is not None and (without := [item for item in recommended if item not in known.attributes]):
        yield errors.recommendation.items_without_attributes(name, without, len(recommended))
    if short := [user for user, items in lists.of_user.items() if len(items) < k]:
        yield errors.recommendation.short_lists(name, short, len(lists.of_user), k)
    if lists.tied:
        yield errors.recommendation.ties_at_cutoff(name, lists.tied, len(lists.of_user), k, ties)


def _notes(recommended: Recommendation) -> Iterator[str]:
    runs = recommended.runs.values()
    yield f"Only the top {recommended.k} items of each list count."
    if recommended.catalogue is not None:
        yield (
            f"Coverage: share of the {recommended.catalogue:,} items known that is in any list; Gini: 0 if all of them "
            "are recommended equally often, towards 1 if few are."
        )
    yield "Entropy: of items among recommendations, in bits."
    if not all(np.isnan(run.per_user["novelty"]).all() for run in runs):
        yield (
            f"Novelty: mean of log2(users / users who had the item before), in bits ({ZHOU}; {VARGAS_CASTELLS}); "
            "popularity: mean share of users who had it."
        )
    if not all(np.isnan(run.per_user["diversity"]).all() for run in runs):
        name = {"jaccard": "Jaccard", "cosine": "cosine"}[recommended.similarity]
        yield f"Diversity: 1 - mean {name} similarity of the attributes of two items of a list ({ZIEGLER})."
    yield f"Personalisation: 1 - mean share of items that the lists of two users have in common ({ZHOU})."
    if not all(np.isnan(run.per_user["serendipity"]).all() for run in runs):
        yield (
            "Serendipity: mean of how far relevant items are ranked above their popularity, as a share of the "
            "catalogue (as in RecTools); debiased recall: items weigh 1 / users who had them ^ "
            f"{recommended.popularity_power:g} ({STECK})."
        )
    if len(runs) > 1:
        first = next(iter(recommended.runs))
        yield f"Intersection: mean share of a list's items that {first} recommends to the same user."


def _run_dict(name: str, run: RunRecommendation, per_user: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "name": name,
        "users": len(run.users),
        "items": run.items,
        **{what: finite(getattr(run, what)) for what in ("coverage", "gini", "entropy", "personalisation")},
    }
    for what, values in run.per_user.items():
        estimate = run.estimate(what)
        interval = None if math.isnan(estimate.low) else [estimate.low, estimate.high]
        shown[what] = {"mean": finite(estimate.value), "interval": interval}
        if per_user:
            shown[what]["per_user"] = dict(zip(run.users, map(finite, values.tolist()), strict=True))
    return shown


def _unknown(cells: Sequence[object]) -> bool:
    values = [cell.value if isinstance(cell, Estimate) else cell for cell in cells]
    return all(isinstance(value, float) and math.isnan(value) for value in values)


def _mean(values: Iterable[float]) -> float:
    counted = list(values)
    return math.fsum(counted) / len(counted) if counted else math.nan


def _check(k: object, similarity: object, ties: object) -> None:
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise UsageError(f"k must be a whole number of at least 1, the items of each list that count, not {k!r}.")
    for name, given, known in (("similarity", similarity, SIMILARITIES), ("ties", ties, get_args(TieOrder))):
        if given not in known:
            raise UsageError(f"{name} is {' or '.join(known)}, not {given!r}.")
