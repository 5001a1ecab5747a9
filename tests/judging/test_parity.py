"""Every figure of the reference file of the judges' collection, from the files as they are."""

import re

import pytest

import cranfield as cf
from cranfield.judging import coefficients as judging


@pytest.fixture(scope="module")
def labels(shared_data):
    folder = shared_data / "07-judges"
    known = {
        "chorus": folder / "chorus-electronics" / "individual_ratings.csv",
        "haystack": folder / "haystack-book" / "judgements.csv",
        **{
            name: folder / "irr-classics" / f"{name}.csv"
            for name in ("diagnoses", "anxiety", "vision", "krippendorff-c-data")
        },
    }
    return {name: cf.read_labels(path) for name, path in known.items()}


@pytest.fixture(scope="module")
def reference(shared_data):
    lines = (shared_data / "07-judges" / "reference.tsv").read_text().splitlines()[1:]
    return [line.split("\t") for line in lines]


def _pair(labels, text):
    names = text.split(",")
    rows = [labels.judges[int(name) - 1] if name.isdigit() else name for name in names]
    return [labels.grades[labels.position(judge)] for judge in rows]


def test_every_value_of_scikit_learn_statsmodels_and_krippendorff_is_met(labels, reference):
    compared = 0
    for dataset, statistic, value, tool in reference:
        of = labels[dataset]
        if kappa := re.fullmatch(r"cohen_kappa\((\w[\w.]*,\w[\w.]*?)(?:,weights=(\w+))?\)", statistic):
            weights = None if kappa[2] in (None, "None") else kappa[2]
            pair = _pair(of, kappa[1])
            scale = sorted({grade for row in pair for grade in row.tolist()})  # scikit-learn's: of these two judges
            found = judging.cohen_kappa(*pair, weights=weights, categories=scale)
        elif alpha := re.fullmatch(r"krippendorff_alpha\((\w+)\)", statistic):
            found = judging.krippendorff_alpha(of.grades, metric=alpha[1])
        elif statistic == "fleiss_kappa":
            found = judging.fleiss_kappa(of.grades)
        elif statistic == "randolph_kappa":
            found = judging.brennan_prediger(of.grades)
        else:
            continue
        assert found.value == pytest.approx(float(value), abs=1e-10), (dataset, statistic, tool)
        compared += 1
    assert compared == 32


def test_values_errors_and_limits_of_irrcac_are_met_to_its_five_decimals(labels, reference):
    functions = {
        "fleiss": judging.fleiss_kappa,
        "gwet": judging.gwet_ac,
        "krippendorff": judging.krippendorff_alpha,
        "conger": judging.conger_kappa,
        "bp": judging.brennan_prediger,
    }
    rows = [row for row in reference if row[3].startswith("irrCAC")]
    assert len(rows) == 5
    for dataset, statistic, text, _ in rows:
        printed = re.fullmatch(r"([\d.]+) \(se ([\d.]+), p ([\d.e-]+), ci \(([\d.]+), ([\d.]+)\)\)", text)
        found = functions[statistic](labels[dataset].grades)
        shown = found.value, found.error, found.low, found.high
        assert [round(value, 5) for value in shown] == [float(printed[at]) for at in (1, 2, 4, 5)], statistic


def test_counts_of_the_readme_are_met(labels):
    chorus, haystack = labels["chorus"], labels["haystack"]
    assert int((~(chorus.grades != chorus.grades)).all(axis=0).sum()) == 3188
    assert len(haystack.judges) == 13
    assert int((haystack.grades == haystack.grades).any(axis=0).sum()) == 1358


def test_the_command_s_numbers_are_these_too(shared_data):
    folder = shared_data / "07-judges"
    found = cf.agree(folder / "irr-classics" / "diagnoses.csv", interval="analytic")
    assert round(found["Fleiss' kappa"].value, 3) == 0.430
    assert found.metric == "nominal"
    found = cf.agree(folder / "irr-classics" / "krippendorff-c-data.csv", interval="analytic")
    alphas = [found[f"Krippendorff's alpha ({m})"].value for m in ("nominal", "ordinal", "interval", "ratio")]
    assert [round(value, 3) for value in alphas] == [0.743, 0.815, 0.849, 0.797]


def test_a_book_of_quepid_is_its_long_form(shared_data):
    folder = shared_data / "07-judges" / "haystack-book"
    book, rows = cf.read_labels(folder / "book.json.gz"), cf.read_labels(folder / "judgements.csv")
    assert repr(book) == repr(rows)
    assert len(book) == 1920
    for labels in (book, rows):
        assert [str(warning).partition(": ")[2] for warning in labels.warnings] == [
            "22 rows say that the document could not be rated, or not yet; no label"
        ]
    assert cf.agree(book).by_default.value == 1


def test_the_median_of_the_agents_is_the_service_s_rating_as_often_as_the_readme_says(shared_data):
    path = shared_data / "07-judges" / "chorus-electronics" / "individual_ratings.csv"
    final = cf.read_labels(path, judges="final_rating")
    merged = cf.merge(cf.read_labels(path), "median")
    assert round(float((merged.grades == final.grades[0]).mean()), 3) == 0.886
