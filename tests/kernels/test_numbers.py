"""Numbers are read as Python's `float` reads them, to the last bit."""

from __future__ import annotations

import math
import struct
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.formats.tokens import is_score
from tests.effort import examples

scan = pytest.importorskip("cranfield.kernels.compiled", reason="the compiled loops are not built")


def expected(text: str) -> float | None:
    return float(text) if is_score(text.encode()) else None


def must_agree(text: str) -> None:
    found, wanted = scan.number_in(text.encode()), expected(text)
    same = found == wanted and (wanted is None or math.copysign(1, found) == math.copysign(1, wanted))
    assert same, f"{text}: {found!r} instead of {wanted!r}"


def any_double(rng: Random) -> float:
    """Every pattern of bits alike, so that subnormal numbers and the largest ones come too."""
    return struct.unpack("<d", rng.randbytes(8))[0]


def decimal(value: Fraction, digits: int) -> str:
    """A positive number with so many digits, cut off rather than rounded."""
    exponent = math.floor(math.log10(value.numerator) - math.log10(value.denominator)) - digits + 1
    return f"{math.floor(value / Fraction(10) ** exponent)}e{exponent}"


@pytest.mark.parametrize(
    "text",
    [
        *("0", "-0", "+1", "1.", ".5", "-.5", "00012", "1e5", "1E+5", "1e-5", "12.5e2", "0e999", "0.000"),
        *("inf", "-INF", "Infinity", "1e309", "1e-400", "1e99999999999999999999", "-1e-99999999999999999999"),
        *("9007199254740993", "9007199254740992.5", "1.7976931348623157e308", "1.7976931348623159e308"),
        *("5e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072014e-308"),
        *("2.2250738585072011e-308", "1234567890123456789", "12345678901234567890", "0.1234567890123456789012"),
        *("1" * 400, "0." + "0" * 400 + "1", "1" + "0" * 308, "1" + "0" * 400 + "e-400", "0" * 50 + "1." + "0" * 50),
        *("8.5", "18446744073709551615", "18446744073709551616", "1e22", "1e23", "123456789012345678e-22"),
    ],
    ids=lambda text: text[:30],
)
def test_numbers_in_every_form(text):
    assert expected(text) is not None
    must_agree(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "+", "-", ".", "-.", "e", "e5", "1e", "1e+", "1e-", "--1", "+-1", "1-", "1..2", "1.2.3", "1e5.", "1e5e5"),
        *(
            "nan",
            "NaN",
            "-nan",
            "inff",
            "infinit",
            "1_000",
            "1_0.0",
            "0x10",
            "1,5",
            "1f",
            "１",
            "½",
            "1 ",
            " 1",
            "1\x00",
        ),
        *("1" * 30 + "x", "1" * 30 + "e", "1" * 30 + ".5.", "1" * 30 + "_0"),
    ],
)
def test_what_is_no_number(text):
    if text.strip() == text:
        assert expected(text) is None
    assert scan.number_in(text.encode()) is None


def test_a_hundred_thousand_random_numbers():
    rng = Random("numbers")
    for _ in range(20_000):
        value = any_double(rng)
        if math.isfinite(value):
            must_agree(repr(value))
            must_agree(f"{value:.{rng.randint(0, 25)}e}")
        digits = str(rng.getrandbits(rng.randint(1, 64)))
        must_agree(f"{digits}e{rng.randint(-350, 320)}")
        point = rng.randint(0, len(digits))
        must_agree(f"{'-' * rng.randint(0, 1)}{digits[:point]}.{digits[point:]}")
        must_agree(f"{rng.uniform(-100, 100):.{rng.randint(0, 20)}f}")


def test_numbers_just_beside_the_middle_of_two_doubles():
    rng = Random("middles")
    for _ in range(2_000):
        value = abs(any_double(rng))
        above = math.nextafter(value, math.inf)
        if not math.isfinite(above) or value == 0:
            continue
        middle = (Fraction(value) + Fraction(above)) / 2
        for digits in (17, 18, 19, 20, 30, 800):
            must_agree(decimal(middle, digits))
        integer, exponent = decimal(middle, 19).split("e")
        must_agree(f"{int(integer) + 1}e{exponent}")


def test_the_exact_middle_of_two_doubles_goes_to_the_even_one():
    rng = Random("ties")
    for _ in range(2_000):
        odd = 2 * rng.getrandbits(53) + 1 + (1 << 54)
        must_agree(str(odd))
        must_agree(f"{Fraction(odd, 1 << 12).numerator * 5**12}e-12"[:40])
        must_agree(f"{odd / 4:.30f}")


@examples(500)
@given(st.text("0123456789.eE+-_infatyINx ", max_size=30))
def test_any_text_of_such_characters(text):
    if not text.split() or text.split() != [text]:
        return
    must_agree(text)
