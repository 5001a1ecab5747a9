"""Which system is better, and is the difference real? Pure functions over scores of systems for the same queries.

Scores are arrays with a row per system and a column per query, or differences with one value per query. NaN is an
undefined score: tests of a pair leave out the queries that either system has none for, what looks at all systems
together leaves out those that any has none for. Whatever cannot be computed is NaN with a `reason`.
"""

from __future__ import annotations

from cranfield.compare.bootstrap import bootstrap_test, bootstrap_tests
from cranfield.compare.corrections import Correction, corrected
from cranfield.compare.effects import WinsTiesLosses, cohen_d, hedges_g, superiority, wins_ties_losses
from cranfield.compare.groups import better, indistinguishable_groups, letters, tied_for_first
from cranfield.compare.interaction import interaction_tests
from cranfield.compare.intervals import Interval, bca_interval, bca_intervals, t_interval
from cranfield.compare.maxt import max_t_tests
from cranfield.compare.orders import (
    Agreement,
    agreement,
    agreement_across,
    kendall_tau_a,
    kendall_tau_b,
    rank_biased_overlap,
    spearman,
    tau_ap,
    tau_ap_b,
    tau_ap_symmetric,
    weighted_tau,
)
from cranfield.compare.paired import Pairs, all_pairs, as_matrix, pairs_with
from cranfield.compare.pairwise import pairwise
from cranfield.compare.power import (
    detectable_difference,
    fewest_queries,
    queries_needed,
    simulated_power,
    t_test_power,
)
from cranfield.compare.randomization import randomization_test, randomization_tests
from cranfield.compare.ranks import RankInterval, rank_intervals
from cranfield.compare.seeds import SeedsTest, VarianceComponents, seeds_test, variance_components
from cranfield.compare.sign import sign_test
from cranfield.compare.significance import Significance
from cranfield.compare.standardise import standardised, z_scores
from cranfield.compare.student import t_test
from cranfield.compare.tukey import tukey_hsd
from cranfield.compare.wilcoxon import signed_rank_test

__all__ = [
    "Agreement",
    "Correction",
    "Interval",
    "Pairs",
    "RankInterval",
    "SeedsTest",
    "Significance",
    "VarianceComponents",
    "WinsTiesLosses",
    "agreement",
    "agreement_across",
    "all_pairs",
    "as_matrix",
    "bca_interval",
    "bca_intervals",
    "better",
    "bootstrap_test",
    "bootstrap_tests",
    "cohen_d",
    "corrected",
    "detectable_difference",
    "fewest_queries",
    "hedges_g",
    "indistinguishable_groups",
    "interaction_tests",
    "kendall_tau_a",
    "kendall_tau_b",
    "letters",
    "max_t_tests",
    "pairs_with",
    "pairwise",
    "queries_needed",
    "randomization_test",
    "randomization_tests",
    "rank_biased_overlap",
    "rank_intervals",
    "seeds_test",
    "sign_test",
    "signed_rank_test",
    "simulated_power",
    "spearman",
    "standardised",
    "superiority",
    "t_interval",
    "t_test",
    "t_test_power",
    "tau_ap",
    "tau_ap_b",
    "tau_ap_symmetric",
    "tied_for_first",
    "tukey_hsd",
    "variance_components",
    "weighted_tau",
    "wins_ties_losses",
    "z_scores",
]
