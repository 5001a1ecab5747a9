"""What every command promises that prints scores: decimals, percent, and tables for papers."""

from __future__ import annotations

import re
from typing import ClassVar

import pytest

from cranfield.show.answer import FORMS


class ScorePrinting:
    """The tests of a command; a subclass says which it is, and in which formats it gives tables for papers."""

    FILES: ClassVar[tuple[str, ...]]
    PAPERS: ClassVar[tuple[str, ...]]

    @pytest.mark.parametrize("form", ["table", "tsv", "csv", "markdown", "latex"])
    def test_measures_may_have_decimals_of_their_own(self, cranfield, form):
        shown = cranfield(*self.FILES, "--places", "3,P@2=1", "--format", form).stdout
        assert "0.750" in shown
        assert "0.7500" not in shown
        assert re.search(r"0\.5(?!\d)", shown)

    @pytest.mark.parametrize("form", ["table", "markdown", "latex"])
    def test_scores_in_percent(self, cranfield, form):
        shown = cranfield(*self.FILES, "--percent", "--format", form).stdout
        assert "75.00" in shown
        assert "0.75" not in shown
        assert "Scores are multiplied by 100." in " ".join(shown.split())
        assert "75.0000" in cranfield(*self.FILES, "--percent", "--places", "4", "--format", form).stdout

    @pytest.mark.parametrize("form", ["tsv", "csv", "json", "jsonl"])
    def test_programs_get_scores_as_they_are(self, cranfield, form):
        done = cranfield(*self.FILES, "--percent", "--format", form)
        assert done.returncode == 2
        assert f"--percent is for --format table, markdown or latex, not {form}." in done.stderr

    @pytest.mark.parametrize("form", FORMS)
    @pytest.mark.parametrize(
        ("option", "expected"),
        [(("--caption", "Five runs"), "Five runs."), (("--order", "given"), "bm25"), (("--label", "tab:x"), "tab:x")],
    )
    def test_what_only_a_paper_has_is_in_a_table_for_a_paper_or_refused(self, cranfield, form, option, expected):
        done = cranfield(*self.FILES, *option, "--format", form)
        forms = ("latex",) if option[0] == "--label" else self.PAPERS
        if form in forms:
            assert expected in done.stdout
        else:
            assert done.returncode == 2
            assert f"{option[0]} is for --format {' or '.join(forms)}, not {form}." in done.stderr

    @pytest.mark.parametrize("places", ["x", "18", "-1", "P@2=", "P@2=1.5", "3,4", "P@2=1,P@2=2", ""])
    def test_decimals_are_whole_numbers(self, cranfield, places):
        done = cranfield(*self.FILES, "--places", places)
        assert done.returncode == 2
        assert "must be a whole number from 0 to 17, or one for each of some measures" in done.stderr

    def test_decimals_of_a_measure_that_was_not_asked_for_are_refused(self, cranfield):
        done = cranfield(*self.FILES, "--places", "AP=3")
        assert done.returncode == 2
        assert "AP was not evaluated; these were: RR, P@2." in done.stderr

    def test_decimals_are_found_by_any_name_of_a_measure(self, cranfield):
        files = self.FILES[:-4]
        assert "0.750" in cranfield(*files, "-m", "MRR", "--places", "RR=3", "--format", "markdown").stdout
        assert "0.750" in cranfield(*files, "-m", "MRR", "--places", "MRR=3", "--format", "markdown").stdout

    def test_a_label_that_latex_cannot_read_is_refused(self, cranfield):
        done = cranfield(*self.FILES, "--label", "my table", "--format", "latex")
        assert done.returncode == 2
        assert "label must be a name that LaTeX can refer to" in done.stderr
