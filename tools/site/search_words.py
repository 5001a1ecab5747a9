"""Words by which people search for a page, and which it does not use, or no more than others do."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, ...]] = {
    "ci": ("regression test",),
    "clicks": ("click model", "click models", "click log"),
    "collect-judgments": ("annotation tool", "annotator"),
    "commands/plan": ("power analysis", "sample size", "statistical power"),
    "compare": ("power analysis", "sample size"),
    "formats": ("csv", "csv file", "duplicate document", "duplicate documents", "file format", "run file format"),
    "fusion": ("hybrid search", "hybrid weights"),
    "install": ("license", "licence", "pypi"),
    "judging-for-a-team": ("annotator", "annotators", "several people judge"),
    "labels": ("agreement", "annotator", "annotators", "inter-annotator agreement", "inter-rater agreement"),
    "profiles": ("different numbers", "different results", "different scores"),
    "should-i-fuse": ("hybrid search", "hybrid weights"),
    "stability": ("public api",),
    "when-one-machine-is-not-enough": ("databricks", "dataproc", "emr", "microsoft fabric"),
}
"""By the address of the page."""
