"""The tables of a store, for both databases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cranfield.formats.judging_store import APPLICATION, VERSION

MIGRATIONS: Mapping[int, Sequence[str]] = {}
"""By version, the statements that make it the next one."""

TABLES = ("meta", "query", "document", "item", "run", "judge", "event", "current", "prompt", "answer")

_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE query (query INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL, description TEXT NOT NULL);
CREATE TABLE document (document INTEGER PRIMARY KEY, name TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL,
    url TEXT NOT NULL);
CREATE TABLE item (item INTEGER PRIMARY KEY, query INTEGER NOT NULL REFERENCES query(query),
    document INTEGER NOT NULL REFERENCES document(document), other INTEGER REFERENCES document(document),
    part TEXT NOT NULL, known {real});
CREATE TABLE run (run INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, starts {bytes} NOT NULL, items {bytes} NOT NULL,
    ranks {bytes} NOT NULL, retrieved {bytes} NOT NULL);
CREATE TABLE judge (judge INTEGER PRIMARY KEY, name TEXT NOT NULL, folded TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    link TEXT UNIQUE, off INTEGER NOT NULL);
CREATE TABLE event (seq {serial}, key TEXT NOT NULL UNIQUE, at TEXT NOT NULL, judge INTEGER NOT NULL,
    item INTEGER REFERENCES item(item), kind TEXT NOT NULL, grade {real}, before BIGINT, active_ms BIGINT NOT NULL,
    away_ms BIGINT NOT NULL, how TEXT NOT NULL, note TEXT NOT NULL, more TEXT NOT NULL);
CREATE TABLE current (item INTEGER NOT NULL REFERENCES item(item), judge INTEGER NOT NULL REFERENCES judge(judge),
    seq BIGINT NOT NULL REFERENCES event(seq), kind TEXT NOT NULL, grade {real}, PRIMARY KEY (item, judge)){compact};
CREATE TABLE prompt (hash TEXT PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE answer (number {serial}, request TEXT NOT NULL, judge INTEGER NOT NULL REFERENCES judge(judge),
    item INTEGER NOT NULL REFERENCES item(item), purpose TEXT NOT NULL, outcome TEXT NOT NULL, grade {real},
    at TEXT NOT NULL, facts TEXT NOT NULL)
"""
_INDEXES = """
CREATE UNIQUE INDEX query_name ON query(name);
CREATE UNIQUE INDEX document_name ON document(name);
CREATE UNIQUE INDEX item_pair ON item(query, document, COALESCE(other, -1))
"""
"""Made after the rows are in, which is quicker."""

SQLITE = {"real": "REAL", "bytes": "BLOB", "serial": "INTEGER PRIMARY KEY", "compact": " WITHOUT ROWID"}
POSTGRES = {
    "real": "DOUBLE PRECISION",
    "bytes": "BYTEA",
    "serial": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    "compact": "",
}


def tables(dialect: Mapping[str, str]) -> list[str]:
    """The statements that make the tables."""
    return _SCHEMA.format_map(dialect).strip().split(";\n")


def indexes() -> list[str]:
    """The statements that make the indexes."""
    return _INDEXES.strip().split(";\n")


__all__ = ["APPLICATION", "MIGRATIONS", "POSTGRES", "SQLITE", "TABLES", "VERSION", "indexes", "tables"]
