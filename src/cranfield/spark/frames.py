"""Judgments and runs in data frames → one data frame in which the rows of each query stand together.

Nothing but data frames is used, no context, broadcast or accumulator, so that it also works with Spark Connect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield import errors
from cranfield.errors import DataError, UsageError
from cranfield.formats.columns import Columns, ColumnsGiven, Kind, SystemPlace, columns_for, parse_columns
from cranfield.spark.part import NUMBERS

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

WHOLE = {"tinyint", "smallint", "int", "bigint"}
REAL = {"float", "double"}


@dataclass(frozen=True)
class Side:
    """The rows of the judgments, or of one run, with a column for each role."""

    name: str
    frame: DataFrame

    @property
    def roles(self) -> list[str]:
        """What its columns are."""
        return list(self.frame.columns)


class ColumnsBy(NamedTuple):
    """What is said about columns of judgments, and of runs."""

    judgments: ColumnsGiven = None
    run: ColumnsGiven = None

    @classmethod
    def of(cls, given: ColumnsGiven) -> ColumnsBy:
        """What is said about both in one place."""
        return cls(columns_for("judgments", given), columns_for("run", given))


def is_frame(given: object) -> bool:
    """Whether something is a data frame of Spark, of a session here or far away."""
    return type(given).__module__.startswith("pyspark.") and hasattr(given, "mapInArrow")


def judgment_side(frame: DataFrame, columns: ColumnsGiven = None) -> Side:
    """The judgments, with the columns that have a role."""
    return Side("judgments", _selected(frame, parse_columns(columns), "judgments"))


def run_sides(given: object, columns: ColumnsGiven = None) -> list[Side]:
    """The runs of a data frame, of several by name, or of one with a column that distinguishes them."""
    named = parse_columns(columns)
    frames: Mapping[str | None, Any] = given if isinstance(given, Mapping) else {None: given}
    if not frames:
        raise UsageError("No run was given. Name at least one.")
    sides: list[Side] = []
    for name, frame in frames.items():
        if not is_frame(frame):
            raise errors.spark.not_a_frame(frame, "A run")
        sides += [Side(str(name), _selected(frame, named, "run"))] if name is not None else _runs_in(frame, named)
    return sides


def _runs_in(frame: DataFrame, columns: Columns) -> list[Side]:
    from pyspark.sql import functions as sql

    place = columns.system_place(frame.columns)
    if place is None or not _distinguishes(frame, columns, place):
        return [Side("run", _selected(frame, columns, "run"))]
    system = quoted(frame.columns[place.at])
    names = sorted(row[0] for row in frame.select(system.cast("string")).distinct().collect() if row[0] is not None)
    if frame.filter(system.isNull() | (sql.length(system.cast("string")) == 0)).limit(1).count():
        raise DataError([errors.rows.bad_id(None, 1, "system", None, unit="row")])
    if len(names) < 2:
        return [Side(names[0] if names and place.is_sure else "run", _selected(frame, columns, "run"))]
    of_run = replace(columns, names={role: name for role, name in columns.names.items() if role != "system"})
    return [Side(name, _selected(frame.filter(system.cast("string") == name), of_run, "run")) for name in names]


def _distinguishes(frame: DataFrame, columns: Columns, place: SystemPlace) -> bool:
    """Whether a column surely tells runs apart, or documents are listed once for each of its values."""
    if place.is_sure:
        return True
    roles = _selected(frame, columns, "run")
    return roles.groupBy("query", "document").count().filter("count > 1").limit(1).count() > 0


def _selected(frame: DataFrame, columns: Columns, kind: Kind) -> DataFrame:
    """The columns that have a role, under the role's name: ids as text, and numbers as such."""
    types: dict[str, str] = {field.name: field.dataType.simpleString() for field in frame.schema.fields}
    places = columns.places(frame.columns, kind, None)
    return frame.select(*(_typed(frame.columns[at], types[frame.columns[at]], role) for role, at in places.items()))


def _typed(name: str, type: str, role: str) -> Column:

    column = quoted(name)
    if role in NUMBERS:
        is_truth = role == "grade" and type == "boolean"
        if type not in WHOLE | REAL and not type.startswith("decimal") and not is_truth:
            raise errors.spark.number_column(name, type, role)
        return column.cast("double").alias(role)
    return id_column(name, type, role).alias(role)


def id_column(name: str, type: str, role: str) -> Column:
    """A column of ids as text."""
    from pyspark.sql import functions as sql

    if type.startswith(("string collate", "char", "varchar")):
        # By their own rules, ids that differ in case could count as one.
        return sql.collate(quoted(name).cast("string"), "UTF8_BINARY")
    if type != "string" and type not in WHOLE:
        raise errors.spark.id_column(name, type, role)
    return quoted(name).cast("string")


def quoted(name: str) -> Column:
    """The column of a name, whatever signs it has."""
    from pyspark.sql import functions as sql

    return sql.col("`" + name.replace("`", "``") + "`")


def together(
    judgments: Side | None, runs: Mapping[int, Side], partitions: int | None, *, in_full_order: bool
) -> DataFrame:
    """All rows in partitions of whole queries: of each query the judgments first, then one run after the other.

    Partitions are by number: those that Spark chooses by size it may also split, in the middle of a query.
    """
    from pyspark.sql import functions as sql

    sides = ([] if judgments is None else [(0, judgments)]) + [(at + 1, side) for at, side in runs.items()]
    frames = [side.frame.select("*", sql.lit(at).alias("side")) for at, side in sides]
    union = frames[0]
    for frame in frames[1:]:
        union = union.unionByName(frame, allowMissingColumns=True)
    order = ["query", "side"]
    if in_full_order:  # what comes first decides about equal ranks, and numbers the groups of documents
        order += [name for name in union.columns if name not in order]
    return divided(union, partitions, "query").sortWithinPartitions(*order)


def columns_of(judgments: Side | None, runs: Sequence[Side]) -> dict[int, list[str]]:
    """The columns of each side of the rows together."""
    own = {} if judgments is None else {0: judgments.roles}
    return own | {at: side.roles for at, side in enumerate(runs, 1)}


def divided(frame: DataFrame, partitions: int | None, *columns: str) -> DataFrame:
    """In partitions that share no value of some columns: so many, or what suits the amount of data.

    Without a number Spark begins with `spark.sql.shuffle.partitions` and puts small ones together, whole ones only.
    """
    return frame.repartition(*columns) if partitions is None else frame.repartition(partitions, *columns)
