"""Figures as files."""

import xml.etree.ElementTree as ET

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

from cranfield.errors import DataError, UsageError
from cranfield.figures.images import check, save, svg


@pytest.fixture
def figure():
    drawn = Figure()
    drawn.subplots().set_title("nDCG & AP")
    return drawn


def test_the_end_of_a_name_is_the_format_whatever_its_case():
    assert check("figure.SVG") == "svg"


@pytest.mark.parametrize("name", ["figure", "figure.gif", "figure.svg.gz", ".svg", "-"])
def test_other_names_are_refused(name):
    with pytest.raises(UsageError, match=r"Choose one that ends in \.svg, \.pdf, \.png\."):
        check(name)


def test_a_file_that_cannot_be_written_is_told(figure, tmp_path):
    with pytest.raises(DataError, match="cannot be written: no such file or directory"):
        save(figure, tmp_path / "nowhere" / "figure.svg")


def test_text_in_an_svg_stays_text(figure):
    texts = [text.text for text in ET.fromstring(svg(figure)).iter("{http://www.w3.org/2000/svg}text")]
    assert "nDCG & AP" in texts


def test_fonts_in_a_pdf_are_whole_as_publishers_demand(figure, tmp_path):
    save(figure, tmp_path / "figure.pdf")
    written = (tmp_path / "figure.pdf").read_bytes()
    assert b"/Type3" not in written
    assert b"/TrueType" in written or b"/CIDFontType2" in written


def test_the_same_figure_gives_the_same_file(figure, tmp_path):
    for name in ("one.svg", "two.svg", "one.pdf", "two.pdf"):
        save(figure, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()


def test_settings_of_matplotlib_are_left_as_they_were(figure, tmp_path):
    before = dict(mpl.rcParams)
    save(figure, tmp_path / "figure.svg")
    assert dict(mpl.rcParams) == before


def test_a_script_that_no_font_has_is_no_reason_to_warn(tmp_path):
    drawn = Figure()
    drawn.subplots().set_title("\U00013080 検索")
    save(drawn, tmp_path / "figure.svg")
    assert "検索" in (tmp_path / "figure.svg").read_text(encoding="utf-8")
