"""trec_eval's measures as plain loops over one ranking: every number and every sum in its order of operations.

A ranking is what trec_eval keeps of it: a grade for each rank, `NOT_POOLED` and `NOT_JUDGED` among them. `left` are the
grades of judged documents that were not retrieved.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

NOT_POOLED, NOT_JUDGED = -1, -2
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
LEVELS = tuple(tenth / 10 for tenth in range(11))
MULTIPLES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)
P = 0.9


@dataclass(frozen=True)
class Case:
    """One query."""

    grades: tuple[int, ...]
    left: tuple[int, ...]
    level: int = 1

    @cached_property
    def judged(self) -> list[int]:
        return [grade for grade in (*self.grades, *self.left) if grade >= 0]

    @cached_property
    def num_rel(self) -> int:
        return sum(grade >= self.level for grade in self.judged)

    @cached_property
    def num_rel_ret(self) -> int:
        return sum(grade >= self.level for grade in self.grades)

    @cached_property
    def num_nonrel(self) -> int:
        return sum(0 <= grade < self.level for grade in self.judged)

    @cached_property
    def ideal(self) -> list[int]:
        return sorted((grade for grade in self.judged if grade > 0), reverse=True)


def values(case: Case, *, rounds_levels: bool) -> dict[str, float]:
    """Every printed number by its name; `rounds_levels` is how version 10 turns recall into documents."""
    return {
        "num_ret": len(case.grades),
        "num_rel": case.num_rel,
        "num_rel_ret": case.num_rel_ret,
        "num_nonrel_judged_ret": sum(0 <= grade < case.level for grade in case.grades),
        "map": average_precision(case, math.inf),
        "gm_map": math.log(max(average_precision(case, math.inf), 0.00001)),
        "bpref": bpref(case),
        "gm_bpref": math.log(max(bpref(case), 0.00001)),
        "recip_rank": reciprocal_rank(case),
        "Rprec": share(sum(grade >= case.level for grade in case.grades[: case.num_rel]), case.num_rel),
        "infAP": inferred_ap(case),
        "11pt_avg": eleven_points(case, rounds_levels),
        "binG": binary_g(case),
        "G": g(case),
        "dcg": dcg(case.grades, math.inf),
        "ideal_dcg": dcg(case.ideal, math.inf),
        "ndcg": ndcg(case, math.inf),
        "ndcg_rel": ndcg_at_relevant(case),
        "Rndcg": ndcg_at_falls(case),
        "utility": 1.0 * case.num_rel_ret + -1.0 * (len(case.grades) - case.num_rel_ret),
        "set_P": share(case.num_rel_ret, len(case.grades)),
        "set_recall": share(case.num_rel_ret, case.num_rel),
        "set_relative_P": share(case.num_rel_ret, min(len(case.grades), case.num_rel)),
        "set_map": share(case.num_rel_ret * case.num_rel_ret, len(case.grades) * case.num_rel),
        "set_F": set_f(case),
        "yaap": yaap(case),
        "rbp": rbp(case),
        "rbp_resid": rbp_residual(case),
        **{f"success_{k}": float(relevant(case, k) > 0) for k in (1, 5, 10)},
        **{f"unj_{k}": sum(grade < 0 for grade in case.grades[:k]) / k for k in (5, 10, 20)},
        **at_cutoffs("P", lambda k: relevant(case, k) / k),
        **at_cutoffs("recall", lambda k: share(relevant(case, k), case.num_rel)),
        **at_cutoffs("relative_P", lambda k: share(relevant(case, k), min(k, case.num_rel))),
        **at_cutoffs("map_cut", lambda k: average_precision(case, k)),
        **at_cutoffs("ndcg_cut", lambda k: ndcg(case, k)),
        **{f"iprec_at_recall_{r:.2f}": interpolated(case, wanted(case, r, rounds_levels)) for r in LEVELS},
        **{f"Rprec_mult_{x:.2f}": at_multiple(case, x) for x in MULTIPLES},
    }


def at_cutoffs(name: str, value: Callable[[int], float]) -> dict[str, float]:
    return {f"{name}_{cutoff}": value(cutoff) for cutoff in CUTOFFS}


def share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def relevant(case: Case, cutoff: int) -> int:
    return sum(grade >= case.level for grade in case.grades[:cutoff])


def precisions(case: Case, cutoff: float) -> float:
    found, total = 0, 0.0
    for rank, grade in enumerate(case.grades, 1):
        if rank <= cutoff and grade >= case.level:
            found += 1
            total += found / rank
    return total


def average_precision(case: Case, cutoff: float) -> float:
    return share(precisions(case, cutoff), case.num_rel)


def yaap(case: Case) -> float:
    total = precisions(case, math.inf)
    return math.log((1.0 + total) / (1.0 + case.num_rel - total)) if case.num_rel else 0.0


def bpref(case: Case) -> float:
    above, total = 0, 0.0
    for grade in case.grades:
        if 0 <= grade < case.level:
            above += 1
        elif grade >= case.level:
            total += 1.0 - min(above, case.num_rel) / min(case.num_nonrel, case.num_rel) if above else 1.0
    return share(total, case.num_rel)


def reciprocal_rank(case: Case) -> float:
    return next((1.0 / rank for rank, grade in enumerate(case.grades, 1) if grade >= case.level), 0.0)


def inferred_ap(case: Case) -> float:
    nonrel = rel = unjudged = 0
    total = 0.0
    for j, grade in enumerate(case.grades):
        if grade == NOT_JUDGED:
            unjudged += 1
        elif 0 <= grade < case.level:
            nonrel += 1
        elif grade >= case.level:
            rel += 1
            if j == 0:
                total += 1.0
            else:
                fj = float(j)
                total += 1.0 / (fj + 1.0) + (fj / (fj + 1.0)) * ((rel - 1 + nonrel + unjudged) / fj) * (
                    (rel - 1 + 0.00001) / (rel - 1 + nonrel + 2 * 0.00001)
                )
    return share(total, case.num_rel)


def wanted(case: Case, recall: float, rounds_levels: bool) -> int:
    documents = recall * case.num_rel
    return math.floor(documents + 0.5) if rounds_levels else int(documents + 0.9)


def interpolated(case: Case, documents: int) -> float:
    found, best = 0, 0.0
    for rank, grade in enumerate(case.grades, 1):
        found += grade >= case.level
        if found >= max(documents, 1) and found / rank > best:
            best = found / rank
    return best


def eleven_points(case: Case, rounds_levels: bool) -> float:
    total = 0.0
    for recall in reversed(LEVELS):
        total += interpolated(case, wanted(case, recall, rounds_levels))
    return total / len(LEVELS)


def at_multiple(case: Case, multiple: float) -> float:
    cutoff = int(multiple * case.num_rel + 0.9)
    return share(relevant(case, cutoff), cutoff)


def binary_g(case: Case) -> float:
    found, total = 0, 0.0
    for i, grade in enumerate(case.grades):
        if grade >= case.level:
            found += 1
            total += 1.0 / math.log2(3 + i - found)
    return share(total, case.num_rel)


def g(case: Case) -> float:
    gained = cost = total = 0.0
    for i, grade in enumerate(case.grades):
        ideal = case.ideal[i] if i < len(case.ideal) else 0
        cost += max(ideal, 1.0)
        if grade > 0:
            gained += grade
            total += grade / math.log2(2 + cost - gained)
    return share(total, sum(case.ideal))


def dcg(grades: "tuple[int, ...] | list[int]", cutoff: float) -> float:
    total = 0.0
    for i, grade in enumerate(grades):
        if i < cutoff and grade > 0:
            total += grade / math.log2(i + 2)
    return total


def ndcg(case: Case, cutoff: float) -> float:
    return share(dcg(case.grades, cutoff), dcg(case.ideal, cutoff))


def ndcg_at_relevant(case: Case) -> float:
    total = own = ideal = 0.0
    for i, grade in enumerate(case.grades):
        if i < len(case.ideal):
            ideal += case.ideal[i] / math.log2(i + 2)
        if grade > 0:
            own += grade / math.log2(i + 2)
            total += own / ideal
    missed = float(len(case.ideal) - sum(grade > 0 for grade in case.grades))
    total += share(missed * own, dcg(case.ideal, math.inf))
    return share(total, len(case.ideal))


def ndcg_at_falls(case: Case) -> float:
    ideal = [*case.ideal, 0]
    points = [at for at in range(1, len(ideal)) if ideal[at - 1] != ideal[at]]
    if points and len(case.grades) > len(case.ideal) + 1:
        points.append(len(case.grades))
    total = 0.0
    for point in points:
        total += dcg(case.grades, point) / dcg(case.ideal, point)
    if not case.num_rel:
        return 0.0
    return total / len(points) if points else math.nan


def set_f(case: Case) -> float:
    if not case.num_rel_ret:
        return 0.0
    p, r = case.num_rel_ret / len(case.grades), case.num_rel_ret / case.num_rel
    return (1.0 + 1.0) * p * r / (1.0 * p + r)


def rbp(case: Case) -> float:
    largest = max([1.0, *case.judged])
    total, reached = 0.0, 1.0
    for grade in case.grades:
        if grade > 0:
            total += grade / largest * reached
        reached *= P
    return (1.0 - P) * total


def rbp_residual(case: Case) -> float:
    total, reached = 0.0, 1.0
    for grade in case.grades:
        if grade < 0:
            total += reached
        reached *= P
    return reached + (1 - P) * total if total else 0.0
