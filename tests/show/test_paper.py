"""A table for a paper."""

from cranfield.show.paper import PaperCell, PaperTable, places_by_number

TABLE = PaperTable(
    ("a_b", "c", "d"),
    {
        "nDCG@10": [PaperCell("63.12", 1, "†"), PaperCell("9.10", 2), PaperCell("5.00", 0, "a–c", "d")],
        "gain": [PaperCell("-0.50"), PaperCell("0.25", 1), PaperCell("")],
    },
    "Means (α = 0.05, × 100) of a_b. † better.",
    "tab:x",
)


def test_latex_is_a_table_with_caption_label_and_booktabs():
    assert TABLE.latex() == (
        "\\begin{table}[t]\n"
        "\\centering\n"
        "\\caption{Means ($\\alpha$ = 0.05, $\\times$ 100) of a\\_b. $\\dagger$ better.}\n"
        "\\label{tab:x}\n"
        "\\begin{tabular}{lll}\n"
        "\\toprule\n"
        "run & nDCG@10 & gain \\\\\n"
        "\\midrule\n"
        "a\\_b & \\textbf{63.12}\\textsuperscript{$\\dagger$} & $-$0.50 \\\\\n"
        "c & \\phantom{0}\\underline{9.10} & \\phantom{$-$}\\textbf{0.25} \\\\\n"
        "d & \\phantom{0}5.00\\textsuperscript{a--c}\\textsubscript{d} &  \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\\end{table}\n"
    )


def test_markdown_says_the_same():
    assert TABLE.markdown() == str(TABLE)
    assert TABLE.markdown() == (
        "Means (α = 0.05, × 100) of a_b. † better.\n"
        "\n"
        "| run | nDCG@10 | gain |\n"
        "| --- | --- | --- |\n"
        "| a_b | **63.12**† | -0.50 |\n"
        "| c | <ins>9.10</ins> | **0.25** |\n"
        "| d | 5.00<sup>a–c</sup><sub>d</sub> |  |\n"
    )


def test_the_best_is_what_is_shown_as_the_best():
    assert places_by_number(["0.61", "0.61", "0.50", "0.40"], lower_is_better=False) == [1, 1, 2, 0]
    assert places_by_number(["3", "1", "2"], lower_is_better=True) == [0, 1, 2]


def test_of_two_runs_there_is_no_second_best():
    assert places_by_number(["0.61", "0.50"], lower_is_better=False) == [1, 0]


def test_of_equal_means_none_is_the_best():
    assert places_by_number(["0.61", "0.61"], lower_is_better=False) == [0, 0]
    assert places_by_number(["0.61"], lower_is_better=False) == [0]
    assert places_by_number(["", ""], lower_is_better=False) == [0, 0]
