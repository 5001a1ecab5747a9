"""What can be wrong or surprising about recommendations and what is known of users and items."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.errors.coverage import TIE_RULES
from cranfield.errors.findings import Finding, UsageError
from cranfield.errors.ids import would_meet
from cranfield.phrases import examples, option


def unreadable_relation(value: object, what: str, roles: Sequence[str]) -> UsageError:
    """A Python object that holds no such pairs."""
    if len(roles) == 1:
        shapes = f"ids of {what}, or a table with a column {roles[0]}_id"
    else:
        shapes = f"{{{roles[0]}: [{roles[1]}s]}}, rows of ({', '.join(roles)}), or a table"
    return UsageError(f"cannot read {what} from {type(value).__name__}. Give a path, a file object, {shapes}.")


def unknown_relation(path: str | None, what: str, roles: Sequence[str], found: Sequence[object]) -> Finding:
    """Columns that are neither named in a known way nor as many as there should be."""
    fields = ", ".join(map(str, found))
    order = " and ".join(roles)
    number = "" if len(roles) == 1 else ", perhaps a number after them"
    return Finding(
        "error",
        "unknown-columns",
        f"cannot recognise the columns of the {what}: {fields}",
        f"Name them {', '.join(f'{role}_id' for role in roles)}, or write {order} in this order{number}.",
        path,
    )


def interactions_without_count(path: str | None, without: int, rows: int) -> Finding:
    """Interactions that did not happen; all of them, if there are no others."""
    are = "has" if without == 1 else "have"
    told = f"{without:,} of {rows:,} interactions {are} a count of 0 or less"
    if without < rows:
        return Finding("warning", "counts-not-positive", f"{told} and are left out", path=path, count=without)
    advice = "Check which column is the count; without one, every row counts."
    return Finding("error", "counts-not-positive", told, advice, path)


def no_interactions() -> UsageError:
    """Judgments without what they would be combined with."""
    return UsageError(
        f"{option('judgments')} gives serendipity and debiased recall, which need to know how popular items are.\n"
        f"Add {option('interactions')}; relevance alone is evaluated by `cranfield evaluate`."
    )


def users_never_meet(path: str | None, users: Sequence[str], judged: Sequence[str]) -> Finding:
    """Judgments of other users than those with lists."""
    message = f"no user with a list is judged; lists are of {examples(users)}, judgments of {examples(judged)}"
    return Finding("error", "users-never-meet", message, would_meet(judged, users), path)


def items_never_meet(path: str | None, items: Sequence[str], judged: Sequence[str]) -> Finding:
    """Judgments of other items than those that were recommended or had by anybody."""
    message = (
        "no judged item was recommended to anybody, nor is one in the interactions; judged items are "
        f"{examples(judged)}; recommended are {examples(items)}"
    )
    advice = would_meet(judged, items) or "Check that judgments and lists belong to the same collection."
    return Finding("error", "items-never-meet", message, advice, path)


def interactions_again(path: str | None, again: int, rows: int) -> Finding:
    """Pairs that were there before."""
    repeat = "repeats" if again == 1 else "repeat"
    return Finding(
        "warning",
        "interactions-again",
        f"{again:,} of {rows:,} interactions {repeat} an earlier user and item; each pair counts once",
        path=path,
        count=again,
    )


def items_again(path: str | None, again: int, rows: int) -> Finding:
    """Items that were there before."""
    repeat = "repeats" if again == 1 else "repeat"
    message = f"{again:,} of {rows:,} items {repeat} an earlier one; each counts once"
    return Finding("warning", "items-again", message, path=path, count=again)


def two_weights(
    path: str | None, line: int, item: str, attribute: str, weight: float, first: float, *, unit: str = "line"
) -> Finding:
    """One attribute of one item with two weights."""
    message = f"item {item!r} has attribute {attribute!r} with a weight of {weight:g}, and with {first:g} before"
    return Finding("error", "two-weights", message, "Keep one weight for each attribute.", path, line, unit=unit)


def items_outside(run: str, outside: Sequence[str], recommended: int) -> Finding:
    """Recommended items that the list of all items does not have."""
    return Finding(
        "warning",
        "items-outside",
        f"{len(outside):,} of {recommended:,} recommended items are not among the items given "
        f"({examples(outside)}); they do not count for coverage and Gini",
        path=run,
        count=len(outside),
    )


def items_unseen(run: str, unseen: Sequence[str], recommended: int) -> Finding:
    """Recommended items that nobody interacted with."""
    have = "has" if len(unseen) == 1 else "have"
    return Finding(
        "warning",
        "items-unseen",
        f"{len(unseen):,} of {recommended:,} recommended items {have} no interactions ({examples(unseen)}); "
        "for novelty they count as if one user had one",
        path=run,
        count=len(unseen),
    )


def items_without_attributes(run: str, without: Sequence[str], recommended: int) -> Finding:
    """Recommended items without attributes or interactions."""
    have = "has" if len(without) == 1 else "have"
    return Finding(
        "warning",
        "items-without-attributes",
        f"{len(without):,} of {recommended:,} recommended items {have} no attributes ({examples(without)}); "
        "diversity leaves them out",
        path=run,
        count=len(without),
    )


def short_lists(run: str, short: Sequence[str], users: int, cutoff: int) -> Finding:
    """Users who got fewer items than are looked at."""
    return Finding(
        "warning",
        "short-lists",
        f"{len(short):,} of {users:,} users got fewer than {cutoff} items ({examples(short)})",
        path=run,
        count=len(short),
    )


def ties_at_cutoff(run: str, tied: Sequence[str], users: int, cutoff: int, order: str) -> Finding:
    """Users for whom equal scores decide which items are still looked at."""
    return Finding(
        "warning",
        "ties-at-cutoff",
        f"for {len(tied):,} of {users:,} users ({examples(tied)}) tied scores cross rank {cutoff}: "
        f"which items are above it is chance; {TIE_RULES[order]}",
        path=run,
        count=len(tied),
    )
