import cranfield as cf
from cranfield.risk_tables import long_table

RUNS = {"a": {"q1": ["d2", "d1"], "q2": ["d1"]}, "b": {"q1": ["d1"], "q2": ["d1"]}}


def test_a_program_gets_a_row_per_number_and_the_whole_under_all():
    risk = cf.risk(cf.evaluate({"q1": ["d1"], "q2": ["d1"]}, RUNS, "RR"), "a")
    table = long_table(risk, per_query=True)
    assert [row[:4] for row in table.rows] == [
        ("a", "RR", "q1", 0.0),
        ("a", "RR", "q2", 0.0),
        ("a", "RR", "all", 0.0),
        ("b", "RR", "q1", 0.5),
        ("b", "RR", "q2", 0.0),
        ("b", "RR", "all", 0.25),
    ]
    assert [row[:3] for row in long_table(risk).rows] == [("a", "RR", "all"), ("b", "RR", "all")]
