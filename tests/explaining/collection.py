"""Judgments and a run from a ranking in the project's notation, and their explanation."""

from cranfield import explain, read_judgments, read_run

SLIDES = "1001101000|111111"
"""Ten documents, relevant at ranks 1, 4, 5 and 7; six more relevant ones were never found."""


def collection(notation, max_grade=None):
    """Judgments and a run from a ranking in the project's notation: d1, d2, … and missed e1, e2, …"""
    ranked, _, missed = notation.partition("|")
    return of_grades(map(grade, ranked), map(grade, missed), max_grade)


def grade(letter):
    return {"-": None, "x": -1}[letter] if letter in "-x" else int(letter)


def of_grades(ranked, missed, max_grade=None):
    retrieved = {f"d{rank}": g for rank, g in enumerate(ranked, 1)}
    grades = {document: g for document, g in retrieved.items() if g is not None}
    grades |= {f"e{at}": g for at, g in enumerate(missed, 1)}
    others = {"other": {"x": 0 if max_grade is None else max_grade}}
    answers = {"q1": list(retrieved)} if retrieved else {}
    return read_judgments({"q1": grades} | others), read_run(name="bm25", source=answers | {"other": ["x"]})


def explained(notation, measure, **choices):
    return explain(*collection(notation), measure, "q1", **choices)


def last_line(explanation):
    return str(explanation).splitlines()[-1]


def table_after(title, explanation, **choices):
    """The lines of a section's table, blanks closed up, without its rule."""
    lines = iter(explanation.text(**choices).splitlines())
    next(line for line in lines if line.startswith(title))
    next(lines)
    table = []
    for line in lines:
        if not line:
            break
        if not line.startswith("─"):
            table.append(" ".join(line.split()))
    return table
