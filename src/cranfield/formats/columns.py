"""Which column is which: the names people give to queries, documents, grades and scores."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from cranfield import errors
from cranfield.data.judgments import GroupKind
from cranfield.errors import DataError, Finding

if TYPE_CHECKING:
    from cranfield.formats.query_order import QueryOrder

Kind = Literal["judgments", "run"]


def folded(name: str) -> str:
    """A column's name without what people vary: case, `-`, `_` and blanks.

    >>> folded("Query-ID"), folded("ï»¿query")
    ('queryid', 'query')
    """
    return name.casefold().translate(_UNSEEN).removeprefix(_WRONGLY_READ_MARK)


_UNSEEN = str.maketrans("", "", "-_ \t")
_WRONGLY_READ_MARK = "ï»¿"
"""What a program makes of a byte order mark that reads UTF-8 as Windows-1252, and then saves."""


class Roles:
    """What columns of one kind of table are for, each with the names people give them.

    Names in an earlier group win over later ones.

    >>> roles = Roles({"query": ("qid", "query question")})
    >>> roles.candidates("query", ["question", "QID"]), roles.candidates("query", ["question", "query"])
    ([1], [0, 1])
    """

    def __init__(self, names: Mapping[str, Sequence[str]]) -> None:
        self.names = {role: [name for group in groups for name in group.split()] for role, groups in names.items()}
        self.groups = {role: [{folded(name) for name in group.split()} for group in of] for role, of in names.items()}

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def candidates(self, role: str, header: Sequence[object], taken: Container[int] = ()) -> list[int]:
        """Where columns stand that could have a role."""
        names = {at: folded(str(name)) for at, name in enumerate(header) if at not in taken}
        for group in self.groups[role]:
            if found := [at for at, name in names.items() if name in group]:
                return found
        return []

    def known(self, name: object, roles: Iterable[str] | None = None) -> bool:
        """Whether a column has a name that one of some roles has, or any."""
        return any(folded(str(name)) in group for role in roles or self.groups for group in self.groups[role])

    def places(
        self,
        header: Sequence[str],
        roles: Iterable[str],
        path: str | None,
        named: Mapping[str, str] = MappingProxyType({}),
        ambiguous: Callable[[str | None, str, Sequence[str]], Finding] = errors.files.ambiguous_columns,
    ) -> dict[str, int]:
        """Where the columns of some roles stand, of those that there are; columns the user names come first.

        A role's own name wins over longer ones, as `query` does over `query_text`; other names are ambiguous.
        """
        places = {role: place(name, header, path) for role, name in named.items()}
        for role in roles:
            if role not in places:
                candidates = self.candidates(role, header, set(places.values()))
                candidates = _shortest(candidates, header, role)
                if len(candidates) > 1:
                    raise DataError([ambiguous(path, role, [str(header[at]) for at in candidates])])
                places.update((role, at) for at in candidates)
        return places

    def first_places(self, header: Sequence[str], roles: Iterable[str] | None = None) -> dict[str, int]:
        """The same where the first of several columns counts."""
        places: dict[str, int] = {}
        for role in roles or self:
            for at in self.candidates(role, header, set(places.values()))[:1]:
                places[role] = at
        return places


def _shortest(candidates: list[int], header: Sequence[str], role: str) -> list[int]:
    """The column that is called as its role is, where others are called so and more."""
    names = {at: folded(str(header[at])) for at in candidates}
    exact = [at for at, name in names.items() if name == folded(role)]
    longer = all(name.startswith(folded(role)) for name in names.values())
    return exact if len(exact) == 1 and longer else candidates


def place(name: str, header: Sequence[str], path: str | None) -> int:
    """Where a column stands that the user names."""
    exact = [at for at, column in enumerate(header) if column == name]
    alike = exact or [at for at, column in enumerate(header) if folded(str(column)) == folded(name)]
    if not alike:
        raise DataError([errors.files.unknown_column(path, name, header)])
    if len(alike) > 1:
        raise DataError([errors.files.ambiguous_columns(path, name, [header[at] for at in alike])])
    return alike[0]


def require_distinct(header: Sequence[str], path: str | None) -> None:
    """Refuse two columns of one name; one would be lost."""
    if len(set(header)) < len(header):
        raise DataError([errors.queries.column_twice(path, next(name for name in header if header.count(name) > 1))])


DOCUMENT = (
    "docno",
    "doc_id docid document_id corpus_id pid passage_id chunk_id node_id context_id did item_id product_id iid sku asin",
    "document doc item passage chunk node product url",
)
"""Names of documents; PyTerrier's `docno` is the document's id and its `docid` a position in the index."""

# A table with `qid` and `query` holds ids and texts, and next to a query a user is whoever judged.
JUDGED = Roles(
    {
        "query": (
            "query_id qid q_id topic_id topic question_id",
            "query query_text question user_input search_term search_query",
            "user_id user uid session_id session",
        ),
        "document": DOCUMENT,
        "grade": (
            "relevance rel label grade rating judgment judgement gain relevance_label relevant is_relevant",
            "score",
        ),
        "score": ("score sim similarity prediction predicted_score",),
        "rank": ("rank position doc_position",),
        "judge": (
            "judge judge_id rater rater_id annotator annotator_id assessor assessor_id observer observer_id coder "
            "coder_id",
        ),
        "subtopic": ("subtopic subtopic_id iteration",),
        "subgroup": ("subgroup subgroup_id",),
        "stratum": ("stratum stratum_id strata",),
        "weight": ("weight",),
    }
)

# Apart from the others: `model` may also be a judge, or what a product is.
SYSTEMS = Roles(
    {
        "system": (
            "config configuration system system_id run run_id run_name",
            "model model_name retriever method algorithm engine pipeline variant experiment",
        )
    }
)
"""Names of columns that tell several runs in one table apart."""

ROLES: Mapping[Kind, tuple[str, ...]] = {
    "judgments": ("query", "document", "grade", "judge", "subtopic", "subgroup", "stratum", "weight"),
    "run": ("query", "document", "score", "rank", "system"),
}
EXTRA = ("judge", "subtopic", "subgroup", "stratum", "weight")
SKIPPED = ("_", "", "tag")
"""Names in `columns` for a column nobody needs."""


@dataclass(frozen=True)
class Columns:
    """What the user says about columns: their names by role, or their roles by position, or nothing.

    Roles that are not named are found by the names people use; naming only the rank leaves the score out.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    positions: tuple[str, ...] = ()
    groups: GroupKind | None = None
    """What a column of a TREC file besides query, document and grade distinguishes, if it is to be read at all."""
    order: QueryOrder | None = None
    """Which queries responses answer that do not say so themselves."""

    def __bool__(self) -> bool:
        return bool(self.names or self.positions)

    def places(self, header: Sequence[str], kind: Kind, path: str | None) -> dict[str, int]:
        """Where each role's column stands under a header."""
        if self.positions:
            return self._by_position(len(header), kind)
        roles = [role for role in ROLES[kind] if role != "system" and not (role == "score" and "rank" in self.names)]
        places = JUDGED.places(header, roles, path, self.names)
        if not self.names and not places.keys() & {"grade", "score"} and _is_click_log(header):
            raise DataError([errors.files.is_click_log(path, header)])
        other = None if self.names else _taken_for_the_other(places, header, kind)
        if other is not None:
            raise DataError([errors.files.swapped_arguments(path, other)])
        _must_suffice(places, header, kind, path)
        return _of_kind(places, kind)

    def system_place(self, header: Sequence[str]) -> SystemPlace | None:
        """Which column tells several runs of a table apart, if one does.

        >>> Columns().system_place(["query", "document", "score", "config"])
        SystemPlace(at=3, is_sure=True)
        """
        if self.positions:
            return SystemPlace(self.positions.index("system")) if "system" in self.positions else None
        if "system" in self.names:
            return SystemPlace(place(self.names["system"], header, None))
        named = SYSTEMS.candidates("system", header)
        is_sure = any(folded(str(header[at])) in SYSTEMS.groups["system"][0] for at in named)
        return SystemPlace(named[0], is_sure) if len(named) == 1 else None

    def _by_position(self, count: int, kind: Kind) -> dict[str, int]:
        if len(self.positions) != count:
            raise errors.files.wrong_columns(f"{len(self.positions)} are named, but there are {count}")
        places = {role: at for at, role in enumerate(self.positions) if role not in SKIPPED}
        value = "grade" if kind == "judgments" else "score or rank"
        if not {"query", "document"} <= places.keys() or not places.keys() & set(value.split(" or ")):
            raise errors.files.wrong_columns(f"query, document and {value} are needed")
        return _of_kind(places, kind)


class SystemPlace(NamedTuple):
    """Where the column is that tells several runs apart."""

    at: int
    is_sure: bool = True
    """Whether its name means nothing else; `model` could also be that of a product."""


def _of_kind(places: Mapping[str, int], kind: Kind) -> dict[str, int]:
    """Where the columns of judgments, or of one run, stand."""
    return {role: at for role, at in places.items() if role in ROLES[kind] and role != "system"}


def parse_columns(given: str | Mapping[str, str] | Sequence[str] | None) -> Columns:
    """What the `columns` argument means.

    >>> parse_columns("query=qid,document=pid").names
    {'query': 'qid', 'document': 'pid'}
    >>> parse_columns("query, _, document, grade").positions
    ('query', '_', 'document', 'grade')
    """
    if given is None:
        return Columns()
    if isinstance(given, Mapping):
        return _named(dict(given))
    parts = given.split(",") if isinstance(given, str) else list(given)
    pairs = [part.partition("=") for part in parts]
    if all(equals for _, equals, _ in pairs):
        return _named({role.strip(): name.strip() for role, _, name in pairs})
    if any(equals for _, equals, _ in pairs):
        raise errors.files.wrong_columns("some columns are named and some are not")
    return _positional([part.strip() for part in parts])


ColumnsGiven = str | Mapping[str, str] | Sequence[str] | None


def columns_for(kind: Kind, given: ColumnsGiven) -> ColumnsGiven:
    """What is said about columns of judgments, or of a run, where both are read; None where it is about the other.

    >>> columns_for("run", {"query": "qid", "grade": "stars", "score": "bm25"})
    {'query': 'qid', 'score': 'bm25'}
    >>> columns_for("run", {"query": "qid", "grade": "stars"})
    """
    named = parse_columns(given)
    roles = {*named.names, *named.positions}
    own, others = (set(ROLES[one]) - {"query", "document"} for one in _BOTH[kind])
    if not roles & others:
        return given
    if named.positions or not roles & own:
        return None
    return {role: name for role, name in named.names.items() if role not in others}


_BOTH: Mapping[Kind, tuple[Kind, Kind]] = {"judgments": ("judgments", "run"), "run": ("run", "judgments")}


def found_places(columns: Columns, header: Sequence[str], roles: Sequence[str], path: str | None) -> dict[str, int]:
    """Where the columns of some roles stand, of those that there are; columns the user names come first.

    >>> found_places(Columns(), ["rater", "q", "docid"], ["query", "document", "judge"], None)
    {'document': 2, 'judge': 0}
    """
    places = JUDGED.places(header, roles, path, columns.names)
    return {role: at for role, at in places.items() if role in roles}


def has_header(fields: Sequence[str]) -> bool:
    """Whether some fields read as the names of columns: at least a query and a document."""
    return all(JUDGED.candidates(role, fields) for role in ("query", "document"))


def kind_of_header(header: Sequence[str]) -> Kind:
    """Whether columns of these names hold judgments or a run."""
    names = [folded(name) for name in header]
    if names[:3] == ["queryid", "corpusid", "score"]:
        return "judgments"  # as BEIR writes them
    has = {role: any(name in JUDGED.groups[role][0] for name in names) for role in ("score", "rank", "grade")}
    # A grade next to a rank is a judgment that tells where the judge saw the document.
    return "run" if has["score"] or (has["rank"] and not has["grade"]) else "judgments"


def _named(names: dict[str, str]) -> Columns:
    for role in names:
        _must_be_role(role)
    return Columns(names=names)


def _positional(roles: list[str]) -> Columns:
    for role in roles:
        if role not in SKIPPED:
            _must_be_role(role)
            if roles.count(role) > 1:
                raise errors.files.wrong_columns(f"{role} is named twice")
    return Columns(positions=tuple(roles))


def _must_be_role(role: str) -> None:
    if role not in (*JUDGED, *SYSTEMS):
        raise errors.files.unknown_role(role, [*JUDGED, *SYSTEMS])


def _must_suffice(places: Mapping[str, int], header: Sequence[str], kind: Kind, path: str | None) -> None:
    missing = [role for role in ("query", "document") if role not in places]
    if kind == "judgments" and "grade" not in places and not _only_lists_relevant(places, header):
        missing.append("grade")
    if kind == "run" and not places.keys() & {"score", "rank"}:
        missing.append("score")
    if missing:
        raise DataError([errors.files.missing_column(path, missing, header)])


def _only_lists_relevant(places: Mapping[str, int], header: Sequence[str]) -> bool:
    """Whether a table has queries and documents, and nothing else but what describes them: all are relevant then."""
    rest = [name for at, name in enumerate(header) if at not in places.values()]
    return all(folded(str(name)) in _DESCRIBING for name in rest) and not places.keys() & {"score", "rank"}


_DESCRIBING = {
    *(
        "text",
        "querytext",
        "query",
        "question",
        "questiontext",
        "answer",
        "referenceanswer",
        "groundtruth",
        "reference",
    ),
    *("title", "content", "pagecontent", "source", "url", "note", "comment", "intent", "category", "topic", "language"),
}


def _is_click_log(header: Sequence[str]) -> bool:
    """Whether a column says what was clicked, of results, of lists of them, or of UBI's events and queries."""
    return not _OF_CLICKS.isdisjoint(map(folded, header))


_OF_CLICKS = {
    *("clicked", "click", "isclicked", "isclick", "clicks", "clickedids", "clickedranks"),
    *("actionname", "queryresponseid"),
}


def _taken_for_the_other(places: Mapping[str, int], header: Sequence[str], kind: Kind) -> Kind | None:
    """A run has ranks next to its scores; judgments have grades under a name of their own."""
    if kind == "run":
        named = JUDGED.candidates("grade", header) and not places.keys() & {"score", "rank"}
        return "judgments" if named else None
    only_score = "grade" in places and folded(header[places["grade"]]) in JUDGED.groups["score"][0]
    return "run" if only_score and JUDGED.candidates("rank", header) else None
