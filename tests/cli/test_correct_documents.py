"""`cranfield correct documents`: every format."""

import pytest

from cranfield.show.answer import FORMS

SAMPLE = "".join(
    f"q{query} 0 d{document} {1 + document // 3} {(query + document) % 2 if document % 3 < 2 else -1}\n"
    for query in range(1, 6)
    for document in range(6)
)


@pytest.mark.parametrize("form", FORMS)
def test_every_format_has_the_corrected_mean(cranfield, folder, form):
    (folder / "sample.txt").write_text(SAMPLE)
    (folder / "model.txt").write_text(
        "".join(f"q{query} 0 d{document} 1\n" for query in range(1, 6) for document in range(6))
    )
    (folder / "a.run").write_text(
        "".join(f"q{query} Q0 d{document} 1 {9 - document} a\n" for query in range(1, 6) for document in range(6))
    )
    shown = cranfield("correct", "documents", "sample.txt", "model.txt", "a.run", "-m", "P@3", "--format", form)
    assert shown.returncode == 0, shown.stderr
    assert "P@3" in shown.stdout
