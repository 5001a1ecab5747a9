from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

import cranfield
from cranfield.show.table import Estimate, PValue, Table, finite, in_words, number, shortened, shown_p

NAN = math.nan
RESULTS = Table(
    {
        "run": ["bm25", "dense"],
        "AP": [Estimate(0.25, 0.1234567, 0.5), Estimate(0.5, NAN, NAN)],
        "judged": [12, 3],
        "score": [0.123456789, NAN],
    },
    notes=("Means over all 2 judged queries.",),
)
AWKWARD = Table({"a|b_c&d<e>": ["x|y_z&1<2"], "50%": [0.5]})


def without_style(html: str) -> str:
    return re.sub(r' style="[^"]*"', "", html)


class TestText:
    def test_it_is_a_table_with_intervals_below_their_values_and_notes_at_the_end(self):
        assert RESULTS.text() == (
            "run              AP   judged    score\n"
            "─────────────────────────────────────\n"
            "bm25         0.2500       12   0.1235\n"
            "        0.123–0.500\n"
            "dense        0.5000        3\n"
            "Means over all 2 judged queries."
        )

    WIDE = Table(
        {
            "run": ["bm25", "ひらがな"],
            "text": ["how often should I water tomatoes", "short"],
            "AP": [Estimate(0.25, -0.1, 0.5), Estimate(0.5, NAN, NAN)],
            "effect": [0.5, 0.25],
        },
        notes=("A note.",),
        optional=("effect", "text"),
        elastic="text",
    )

    @pytest.mark.parametrize("table", [RESULTS, AWKWARD, WIDE])
    def test_its_width_is_that_of_its_longest_line(self, table):
        rule = table.text().split("\n")[1]
        assert table.width() == len(rule)

    def test_where_there_is_room_nothing_is_left_out(self):
        assert self.WIDE.text(width=self.WIDE.width()) == self.WIDE.text()
        assert RESULTS.text(width=5).split() == RESULTS.text().split()  # only notes are folded

    def test_text_is_cut_before_columns_are_left_out(self):
        narrow = self.WIDE.text(width=60)
        assert "how often should I wa…" in narrow
        assert "effect" in narrow
        assert max(map(len, narrow.split("\n"))) <= 60

    def test_columns_are_left_out_in_their_order_and_named(self):
        narrow = self.WIDE.text(width=45)
        assert "effect" not in narrow.split("\n")[0]
        assert "text" in narrow.split("\n")[0]
        assert "Columns hidden to fit the terminal: effect. Widen it" in " ".join(narrow.split())
        narrowest = self.WIDE.text(width=20)
        assert narrowest.startswith("run                     AP\n")
        assert "Columns hidden to fit the terminal: effect, text. Widen it" in " ".join(narrowest.split())

    def test_a_note_about_a_column_goes_with_it(self):
        table = replace(self.WIDE, notes=("A note.", "effect: Hedges' g."))
        assert "Hedges" in table.text()
        narrow = table.text(width=45)
        assert "A note." in narrow
        assert "Hedges" not in narrow

    def test_what_a_column_always_says_is_said_when_it_is_left_out(self):
        table = Table({"run": ["dense", "hybrid"], "baseline": ["bm25", "bm25"]}, optional=("baseline",))
        shown = " ".join(table.text(width=10).split())
        assert "Columns hidden to fit the terminal: baseline (bm25). Widen it" in shown

    def test_another_shape_stands_in_where_there_is_no_room_and_has_the_notes(self):
        tall = Table({"": ["AP", "RR"], "a": [0.5, 0.25]})
        wide = Table({"run": ["a"], "AP": [0.5], "RR": [0.25]}, notes=("Means.",), narrow=tall)
        assert wide.text(width=wide.width()).startswith("run")
        assert wide.text(width=wide.width() - 1) == f"{tall.text()}\nMeans."
        assert wide.tsv() == "run\tAP\tRR\na\t0.5000\t0.2500\n"

    def test_another_shape_that_is_no_narrower_is_not_taken(self):
        tall = Table({"": ["AP", "RR"], "a": ["a very long name of nothing", ""]})
        wide = Table({"run": ["a"], "AP": [0.5]}, narrow=tall)
        assert wide.text(width=5).startswith("run")

    def test_print_shows_it(self):
        assert str(RESULTS) == RESULTS.text()

    def test_digits_can_be_chosen(self):
        assert "0.12\n" in RESULTS.text(2)
        assert "0.12–0.50" in RESULTS.text(2)

    @pytest.mark.parametrize("name", ["bm25[v2]", "[red]", "a[/]", ":bug:", "x\\"])
    def test_names_are_shown_as_they_are(self, name):
        assert name in Table({name: [1]}).text()
        assert name in Table({"run": [name]}).text()

    def test_long_names_are_not_cut(self):
        name = "x" * 300
        assert name in Table({"run": [name]}).text()

    def test_long_notes_are_folded(self):
        assert max(map(len, Table({"run": ["a"]}, notes=("word " * 60,)).text().splitlines())) <= 100

    def test_without_color_it_has_no_escape_codes(self):
        assert "\x1b" not in RESULTS.text()
        assert "\x1b" in RESULTS.text(color=True)


class TestSeparated:
    def test_tsv_has_the_ends_of_intervals_in_columns_of_their_own(self):
        assert RESULTS.tsv() == (
            "run\tAP\tAP low\tAP high\tjudged\tscore\n"
            "bm25\t0.2500\t0.1235\t0.5000\t12\t0.1235\n"
            "dense\t0.5000\t\t\t3\t\n"
        )

    def test_csv_quotes_what_holds_a_comma(self):
        assert Table({"run": ["a,b"], "AP": [0.5]}).csv() == 'run,AP\n"a,b",0.5000\n'

    def test_no_text_in_csv_is_a_formula_for_a_spreadsheet(self):
        names = ["=1+1", "+x", "-x", "@sum", "-5", "+49", "bm25"]
        shown = Table({"=run": names, "AP": [-0.5] * 7}).csv().splitlines()
        assert shown == [
            "'=run,AP", "'=1+1,-0.5000", "'+x,-0.5000", "'-x,-0.5000", "'@sum,-0.5000", "-5,-0.5000", "+49,-0.5000",
            "bm25,-0.5000",
        ]  # fmt: skip

    def test_tsv_and_json_which_programs_read_have_texts_as_they_are(self):
        table = Table({"run": ["=1+1"]})
        assert table.tsv() == "run\n=1+1\n"
        assert json.loads(table.jsonl()) == {"run": "=1+1"}

    def test_digits_can_be_chosen(self):
        assert RESULTS.csv(8).splitlines()[1] == "bm25,0.25000000,0.12345670,0.50000000,12,0.12345679"


class TestJsonLines:
    def test_each_row_is_an_object_in_full_precision_and_undefined_is_null(self):
        rows = [json.loads(line) for line in RESULTS.jsonl().splitlines()]
        assert rows == [
            {"run": "bm25", "AP": 0.25, "AP low": 0.1234567, "AP high": 0.5, "judged": 12, "score": 0.123456789},
            {"run": "dense", "AP": 0.5, "AP low": None, "AP high": None, "judged": 3, "score": None},
        ]


class TestMarkdown:
    def test_it_is_a_table_with_numbers_to_the_right(self):
        assert RESULTS.markdown() == (
            "| run | AP | judged | score |\n"
            "| --- | ---: | ---: | ---: |\n"
            "| bm25 | 0.2500 (0.123–0.500) | 12 | 0.1235 |\n"
            "| dense | 0.5000 | 3 |  |\n"
            "\n"
            "Means over all 2 judged queries.\n"
        )

    def test_a_bar_in_a_name_does_not_end_its_cell(self):
        header, _, row = AWKWARD.markdown().splitlines()
        assert header == r"| a\|b_c&d&lt;e> | 50% |"
        assert row == r"| x\|y_z&1&lt;2 | 0.5000 |"

    def test_markup_and_emphasis_in_a_name_are_shown_as_they_are(self):
        row = Table({"run": ["<script>*b* [x](y) _c_ d_e `f`"], "AP": [0.5]}).markdown().splitlines()[2]
        assert row == r"| &lt;script>\*b\* \[x\](y) \_c\_ d_e \`f\` | 0.5000 |"

    def test_a_note_stays_one_line_without_markup(self):
        assert Table({"run": ["a"]}, notes=("x\n<script>",)).markdown().endswith("\nx�&lt;script>\n")


class TestLatex:
    def test_it_is_a_booktabs_table(self):
        assert RESULTS.latex() == (
            "\\begin{tabular}{lrrr}\n"
            "\\toprule\n"
            "run & AP & judged & score \\\\\n"
            "\\midrule\n"
            "bm25 & 0.2500 (0.123–0.500) & 12 & 0.1235 \\\\\n"
            "dense & 0.5000 & 3 &  \\\\\n"
            "\\bottomrule\n"
            "\\end{tabular}\n"
            "% Means over all 2 judged queries.\n"
        )

    def test_what_latex_would_read_otherwise_is_escaped(self):
        assert r"a|b\_c\&d\textless{}e\textgreater{} & 50\% \\" in AWKWARD.latex()

    def test_backslashes_and_braces_too(self):
        shown = Table({"\\x{1}#$~^": [1]}).latex()
        assert r"\textbackslash{}x\{1\}\#\$\textasciitilde{}\textasciicircum{} \\" in shown

    def test_signs_that_latex_stops_at_are_spelt_as_it_knows_them(self):
        shown = Table({"limit": ["≥ −0.02"], "bar": ["██"], "letters": ["é – …"]}).latex()
        assert r"$\geq$ $-$0.02 & \rule{.6em}{1.4ex}\rule{.6em}{1.4ex} & é – … \\" in shown

    def test_two_hyphens_do_not_become_a_dash(self):
        assert "a-{}-b" in Table({"run": ["a--b"]}).latex()

    def test_no_note_leaves_its_comment(self):
        assert Table({"run": ["a"]}, notes=("x\n\\input{secret}",)).latex().endswith("\n% x�\\input{secret}\n")


class TestHtml:
    def test_it_is_a_table_with_intervals_in_small_print(self):
        shown = without_style(RESULTS.html())
        assert shown.startswith("<table><thead><tr><th>run</th>")
        assert "<td>0.2500<br><small>0.123–0.500</small></td>" in shown
        assert "Means over all 2 judged queries." in shown.partition("</table>")[2]

    def test_what_html_would_read_otherwise_is_escaped(self):
        assert "<th>a|b_c&amp;d&lt;e&gt;</th>" in without_style(AWKWARD.html())
        assert "<td>x|y_z&amp;1&lt;2</td>" in without_style(AWKWARD.html())

    def test_a_notebook_shows_it(self):
        assert RESULTS._repr_html_() == RESULTS.html()


class TestOtherLibraries:
    def test_pandas(self):
        pandas = pytest.importorskip("pandas")
        frame = RESULTS.to_pandas()
        assert isinstance(frame, pandas.DataFrame)
        assert frame["AP low"].tolist()[0] == 0.1234567

    def test_polars(self):
        polars = pytest.importorskip("polars")
        assert isinstance(RESULTS.to_polars(), polars.DataFrame)
        assert RESULTS.to_polars()["run"].to_list() == ["bm25", "dense"]

    def test_arrow(self):
        pyarrow = pytest.importorskip("pyarrow")
        assert isinstance(RESULTS.to_arrow(), pyarrow.Table)
        assert RESULTS.to_arrow().column_names == ["run", "AP", "AP low", "AP high", "judged", "score"]


class TestNumber:
    def test_counts_have_no_decimals(self):
        assert number(12) == "12"

    def test_other_numbers_have_four(self):
        assert number(0.5) == "0.5000"

    def test_an_undefined_one_is_left_blank(self):
        assert number(NAN) == ""


def test_columns_of_different_length_are_refused():
    with pytest.raises(ValueError, match="shorter"):
        list(Table({"a": [1, 2], "b": [1]}).rows)


def test_an_empty_table_has_its_header():
    assert Table({"run": [], "AP": []}).tsv() == "run\tAP\n"


class TestZeros:
    """A zero has no sign, however small the number was that became one."""

    @pytest.mark.parametrize("value", [-0.0, -1e-9, -0.00004])
    def test_a_number_that_rounds_to_zero_is_zero(self, value):
        table = Table({"name": ["a"], "x": [value], "y": [Estimate(value, value, value)]})
        for text in (table.text(), table.tsv(), table.csv(), table.markdown(), table.latex(), table.html()):
            assert "-0.0000" not in text
            assert "-0.000" not in text

    def test_a_negative_zero_is_one_in_json_too(self):
        assert json.dumps(finite(-0.0)) == "0.0"

    def test_every_number_with_fixed_decimals_loses_the_sign_of_a_zero(self):
        # The z of a format does it; trec_eval prints the sign, and ids and line numbers have none.
        source = Path(cranfield.__file__).parent
        without = re.compile(r"\{[^{}\n]*:[+,]*\.(?:\d+|\{[^{}]*\})f\}")
        for path in source.rglob("*.py"):
            if path.parent.name in ("formats", "trec_eval") or path.name == "rows.py":
                continue
            assert not without.search(path.read_text(encoding="utf-8")), path


def test_an_undefined_number_inside_a_sentence_is_called_so():
    assert in_words(math.nan) == "undefined"
    assert in_words(0.5, 2) == "0.50"


class TestPValues:
    TABLE = Table({"run": ["a", "b", "c", "d"], "p": [PValue(p) for p in (1.007e-8, 0.0123456, 0.0, math.nan)]})

    @pytest.mark.parametrize(
        ("p", "shown"), [(0.0421, "0.042"), (0.0005, "5e-04"), (1.0, "1.000"), (math.nan, "nan"), (0.0, "<1e-300")]
    )
    def test_they_have_the_digits_that_mean_something(self, p, shown):
        assert shown_p(p) == shown

    @pytest.mark.parametrize("places", [0, 2, 4, 17])
    def test_programs_get_significant_digits_whatever_the_decimals(self, places):
        assert self.TABLE.tsv(places) == "run\tp\na\t1.007e-08\nb\t0.01235\nc\t2.225e-308\nd\t\n"
        assert self.TABLE.csv(places) == self.TABLE.tsv(places).replace("\t", ",")

    @pytest.mark.parametrize("places", [0, 4])
    def test_people_read_the_same_in_every_form(self, places):
        for shown in (self.TABLE.text(places), self.TABLE.markdown(places), self.TABLE.latex(places)):
            assert "1e-08" in shown
            assert "0.012" in shown
            assert "0.0000" not in shown

    def test_values_keep_full_precision(self):
        assert self.TABLE.to_dict()["p"][:3] == [1.007e-8, 0.0123456, 0.0]
        assert {type(p) for p in self.TABLE.to_dict()["p"]} == {float}
        assert '"p": 1.007e-08}' in self.TABLE.jsonl()


class TestBelow:
    RULES = Table(
        {"verdict": ["FAIL", "pass"], "value": ["-0.1", "+0.02"]},
        below=("Worse: q1\N{NO-BREAK SPACE}0.5.", ""),
        right=("value",),
        styles={"FAIL": "red"},
    )

    def test_a_sentence_stands_below_its_row_and_text_may_stand_at_the_right(self):
        assert self.RULES.text().split("\n") == [
            "verdict   value",
            "───────────────",
            "FAIL       -0.1",
            "          Worse: q1 0.5.",
            "pass      +0.02",
        ]

    def test_in_other_forms_it_has_a_column(self):
        assert self.RULES.markdown().split("\n")[:3] == [
            "| verdict | value | note |",
            "| --- | ---: | --- |",
            "| FAIL | -0.1 | Worse: q1 0.5. |",
        ]
        assert r"FAIL & -0.1 & Worse: q1 0.5. \\" in self.RULES.latex()
        assert "Worse: q1 0.5." in self.RULES.html()

    def test_a_word_may_have_a_colour(self):
        assert "\x1b[31mFAIL" in self.RULES.text(color=True)
        assert "\x1b" not in self.RULES.text()


def test_cells_may_have_a_colour_where_a_terminal_shows_it():
    table = Table(
        {"run": ["a", "b"], "difference": [0.5, -0.5], "is": ["0.5 better", "not worse off"]},
        tints={"difference": ["green", ""]},
        styles={"better": "green", "worse": "red"},
    )
    shown = table.text(color=True)
    assert "\x1b[32m0.5000\x1b[0m" in shown
    assert "0.5 \x1b[32mbetter\x1b[0m" in shown
    assert "\x1b[31m" not in shown
    assert "\x1b" not in table.text()


@given(some.text(), some.integers(3, 50))
def test_a_name_is_shortened_to_what_was_asked(text, most):
    assert len(shortened(text, most)) <= most
