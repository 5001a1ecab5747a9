"""Which system is better, and is the difference real? Pure functions over scores of systems for the same queries.

Scores are arrays with a row per system and a column per query, or differences with one value per query. NaN is an
undefined score: tests of a pair leave out the queries that either system has none for, what looks at all systems
together leaves out those that any has none for. Whatever cannot be computed is NaN with a `reason`.
"""

from __future__ import annotations

from cranfield.choices import Correction
from cranfield.comparing.corrections import corrected
from cranfield.comparing.effects import WinsTiesLosses, cohen_d, hedges_g, superiority, wins_ties_losses
from cranfield.comparing.groups import better, indistinguishable_groups, letters, tied_for_first
from cranfield.comparing.interaction import interaction_tests
from cranfield.comparing.intervals import Interval, bca_interval, bca_intervals, t_interval
from cranfield.comparing.orders import (
    OrderCorrelation,
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
from cranfield.comparing.paired import SystemPairs, all_pairs, as_matrix, pairs_with
from cranfield.comparing.power import (
    detectable_difference,
    fewest_queries,
    queries_needed,
    simulated_power,
    t_test_power,
)
from cranfield.comparing.ranks import RankInterval, rank_intervals
from cranfield.comparing.seeds import SeedsTest, VarianceComponents, seeds_test, variance_components
from cranfield.comparing.significance_tests.bootstrap import bootstrap_test, bootstrap_tests
from cranfield.comparing.significance_tests.equivalence import equivalence_test, equivalence_tests
from cranfield.comparing.significance_tests.maxt import max_t_tests
from cranfield.comparing.significance_tests.pairwise import pairwise
from cranfield.comparing.significance_tests.randomization import randomization_test, randomization_tests
from cranfield.comparing.significance_tests.sign import sign_test
from cranfield.comparing.significance_tests.significance import Significance
from cranfield.comparing.significance_tests.student import t_test
from cranfield.comparing.significance_tests.tukey import tukey_hsd
from cranfield.comparing.significance_tests.wilcoxon import signed_rank_test
from cranfield.comparing.standardise import standardised, z_scores

__all__ = [
    "Correction",
    "Interval",
    "OrderCorrelation",
    "RankInterval",
    "SeedsTest",
    "Significance",
    "SystemPairs",
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
    "equivalence_test",
    "equivalence_tests",
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
