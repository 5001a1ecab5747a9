"""What compilers other than gcc and clang are given: the same words and products, in standard C."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import cranfield.kernels

WORDS = Path(cranfield.kernels.__file__).with_name("words.pxi")
PROGRAM = """
#include <stdio.h>
int main(void) {
    uint64_t word = 0x9e3779b97f4a7c15ULL, other = 1, high;
    for (int at = 0; at < 20000; at++) {
        word = word * 6364136223846793005ULL + 1442695040888963407ULL;
        other = (word >> (at % 64)) | 1;
        if (at % 7 == 0)
            word |= 0xffffffff00000000ULL;
        uint64_t low = multiply(word, other, &high);
        printf("%llx %llx %d %d\\n", (unsigned long long)high, (unsigned long long)low,
               trailing_zeros(word | ((uint64_t)1 << 63)), leading_zeros(other >> (at % 5) | 1));
    }
    for (int place = 0; place < 64; place++)
        printf("%d %d\\n", trailing_zeros((uint64_t)1 << place), leading_zeros((uint64_t)1 << place));
    prefetch(&word);
    return 0;
}
"""


@pytest.fixture
def printed(tmp_path):
    """What a program prints that is made of the words of the loops, with some options of the compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    (code,) = re.findall(r'extern from \*:\n    """\n(.*?)"""', WORDS.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "words.c").write_text(code + PROGRAM, encoding="utf-8")

    def run(*options: str) -> list[str]:
        program = tmp_path / "words"
        subprocess.run([compiler, "-O2", *options, tmp_path / "words.c", "-o", program], check=True)
        return subprocess.check_output([program], text=True).splitlines()

    return run


def test_words_and_products_are_the_same_without_names_of_gcc(printed):
    lines = printed(
        "-DCRANFIELD_STANDARD_C", "-std=c11", "-pedantic-errors", "-Wall", "-Werror", "-Wno-unused-function"
    )
    assert len(lines) == 20_064
    assert lines == printed()


def test_a_product_of_two_words_is_pythons(printed):
    word, other = 0x9E3779B97F4A7C15, 1
    for at, line in enumerate(printed("-DCRANFIELD_STANDARD_C")[:20_000]):
        word = (word * 6364136223846793005 + 1442695040888963407) % 2**64
        other = word >> (at % 64) | 1
        if at % 7 == 0:
            word |= 0xFFFFFFFF00000000
        high, low, *_ = line.split()
        assert int(high, 16) << 64 | int(low, 16) == word * other
