"""Agreement of tables of counts, compared with irrCAC 0.4.4."""

import math

import pytest

import cranfield as cf

FOUR_RATERS = "Group,{}\n" + "".join(
    f"{'A' if at < 9 else 'B'},{row}\n"
    for at, row in enumerate(
        [
            "3,0,1",
            "2,1,1",
            "2,1,1",
            "2,0,2",
            "3,1,0",
            "3,1,0",
            "0,4,0",
            "0,3,1",
            "0,0,4",
            "3,1,0",
            "0,4,0",
            "0,3,1",
            "0,2,2",
            "0,0,4",
            "3,1,0",
        ]
    )
)
UNEQUAL = "Group,Units,{}\n" + "".join(
    f"G{1 + at % 2},{at},{row}\n"
    for at, row in enumerate(
        [
            "3,0,0,0,0",
            "0,3,1,0,0",
            "0,0,4,0,0",
            "0,0,4,0,0",
            "0,4,0,0,0",
            "1,1,1,1,0",
            "0,0,0,4,0",
            "3,1,0,0,0",
            "0,4,0,0,0",
            "0,0,0,0,3",
            "2,0,0,0,0",
            "0,0,1,0,0",
            "0,3,1,0,0",
            "1,2,1,0,0",
        ]
    )
)
ABSTRACTORS = ",Ectopic,AIU,NIU\nEctopic,13,0,0\nAIU,0,20,7\nNIU,0,4,56\n"

VALUES = {
    "four raters": {
        "Fleiss' kappa": (0.3461860855, 0.1176733385, 0.0938018755, 0.5985702955),
        "Gwet's AC1": (0.3518903199, 0.1125982191, 0.1103911584, 0.5933894814),
        "Krippendorff's alpha (nominal)": (0.3570829841, 0.1176733385, 0.1046987741, 0.6094671941),
        "Brennan-Prediger": (0.35, 0.113913083, 0.105680736, 0.594319264),
    },
    "unequal": {
        "Fleiss' kappa": (0.6572452838, 0.149918557, 0.3333659322, 0.9811246355),
        "Gwet's AC1": (0.6846038187, 0.1335331735, 0.3961229362, 0.9730847013),
        "Krippendorff's alpha (nominal)": (0.6318057188, 0.1496985099, 0.3056406848, 0.9579707528),
        "Brennan-Prediger": (0.6794871795, 0.1362375261, 0.3851638982, 0.9738104608),
    },
    "weighted": {
        "Fleiss' kappa (linear)": (0.3548387097, 0.1301381135, 0.0757202162, 0.6339572032),
        "Gwet's AC2 (linear)": (0.379524302, 0.1298771319, 0.1009655584, 0.6580830455),
        "Brennan-Prediger (linear)": (0.375, 0.1302470181, 0.0956479295, 0.6543520705),
    },
    "weighted unequal": {
        "Fleiss' kappa (linear)": (0.744242187, 0.1464759404, 0.4278001565, 1),
        "Gwet's AC2 (linear)": (0.8174485643, 0.1009781226, 0.5992985933, 1),
        "Brennan-Prediger (linear)": (0.7996794872, 0.1083060856, 0.5656984146, 1),
    },
}
"""Value, standard error and limits."""


@pytest.fixture
def analytic(tmp_path):
    def found(text):
        path = tmp_path / "counts.csv"
        path.write_text(text)
        return cf.agree(path, interval="analytic")

    return found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("four raters", FOUR_RATERS.format("a,b,c")),
        ("unequal", UNEQUAL.format("a,b,c,d,e")),
        ("weighted", FOUR_RATERS.format("1,2,3")),
        ("weighted unequal", UNEQUAL.format("1,2,3,4,5")),
    ],
)
def test_values_errors_and_limits_of_distributions_are_those_of_irrcac(analytic, name, text):
    found = analytic(text)
    for coefficient, expected in VALUES[name].items():
        one = found[coefficient]
        assert (one.value, one.error, one.low, one.high) == pytest.approx(expected, abs=1e-9), coefficient


def test_values_of_a_table_of_two_judges_are_those_of_irrcac_and_errors_those_of_its_labels_one_by_one(analytic):
    found = analytic(ABSTRACTORS)
    expected = {
        "Cohen's kappa": (0.7964094022, 0.0589107183),
        "Scott's pi": (0.7962396962, 0.0590547333),
        "Gwet's AC1": (0.8493305482, 0.0432174675),
        "Krippendorff's alpha (nominal)": (0.7972584977, 0.0590547333),
        "Brennan-Prediger": (0.835, 0.0469334635),
        "agreement": (0.89, 0.0312889757),
    }
    for name, (value, error) in expected.items():
        one = found[name]
        # irrCAC divides variances of tables by n, and those of the same labels one by one by n - 1, as is done here.
        correction = 1 if name == "Cohen's kappa" else math.sqrt(100 / 99)
        assert (one.value, one.error) == pytest.approx((value, error * correction), abs=1e-9), name


def test_what_needs_to_know_the_judges_is_left_out_of_counts_with_a_word(analytic):
    found = analytic(FOUR_RATERS.format("1,2,3"))
    names = [one.name for one in found.coefficients]
    assert not any("Cohen" in name or "Conger" in name or "ICC" in name or "pairwise" in name for name in names)
    assert (found.pairs, found.judges) == ((), ())
    assert "The table does not show who gave which label" in " ".join(found.notes)
    assert found.verdict().startswith("The judges gave the same grade")
    assert found.to_dict()["labels"]["judges"] is None
    assert "labels" in found.disagreements(3).columns
    with pytest.raises(cf.UsageError, match="A reference needs to know who gave which label"):
        cf.agree(found.labels, reference="1")


def test_a_category_that_nobody_gave_counts_where_the_table_names_it(analytic):
    rows = ["3,0,0", "2,1,0", "0,3,0", "1,2,0", "3,0,0", "0,3,0"]
    three = analytic("a,b,c\n" + "".join(f"{row}\n" for row in rows))
    two = [[int(cell) for cell in row.split(",")[:2]] for row in rows]
    labels = [[0] * row[0] + [1] * row[1] for row in two]
    from cranfield.judging.coefficients import brennan_prediger

    expected = brennan_prediger([list(column) for column in zip(*labels, strict=True)], categories=[0, 1, 2])
    assert three["Brennan-Prediger"].value == pytest.approx(expected.value)
