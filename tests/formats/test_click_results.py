import math

import pytest

import cranfield as cf
from cranfield.errors import DataError
from cranfield.formats.clicks import read_clicks
from tests.formats.click_logs import HEADER, IMPRESSIONS, LOG, contents, result, written


def test_a_row_per_result_becomes_impressions(tmp_path):
    assert contents(cf.read_clicks(written(tmp_path, "log.csv", LOG))) == IMPRESSIONS


def test_results_stand_in_the_order_of_their_positions(tmp_path):
    mixed = HEADER + "s1,q1,2,b,1\ns1,q1,1,a,0\n"
    assert contents(cf.read_clicks(written(tmp_path, "log.csv", mixed))) == IMPRESSIONS[:1]


def test_positions_may_begin_at_0_and_be_left_out():
    rows = [
        {"session": "s1", "query": "q1", "position": p, "document": d, "clicked": c}
        for p, d, c in [(0, "a", 0), (1, "b", 1)]
    ]
    assert contents(cf.read_clicks(rows)) == IMPRESSIONS[:1]
    for row in rows:
        del row["position"]
    assert contents(cf.read_clicks(rows)) == IMPRESSIONS[:1]


def test_an_impression_id_tells_apart_what_session_and_query_do_not(tmp_path):
    text = "impression_id,session,query,position,document,clicked\n" + "".join(
        f"{impression},s1,q1,{position},{document},0\n"
        for position, document in ((1, "a"), (2, "b"))
        for impression in ("i1", "i2")
    )
    log = cf.read_clicks(written(tmp_path, "log.csv", text))
    assert contents(log) == [("s1", "q1", ["a", "b"], [0, 0])] * 2


def test_rows_of_one_session_and_query_that_do_not_follow_each_other_are_two_impressions(tmp_path):
    text = HEADER + "s1,q1,1,a,0\ns1,q2,1,a,0\ns1,q1,1,a,1\n"
    assert len(cf.read_clicks(written(tmp_path, "log.csv", text))) == 3


def test_a_row_without_session_and_query_is_an_impression_of_its_own(tmp_path):
    path = written(tmp_path, "log.csv", "item_id,position,click,propensity_score\n3,1,0,0.5\n3,2,1,0.25\n")
    log = cf.read_clicks(path)
    assert len(log) == 2
    assert log.propensity.tolist() == [0.5, 0.25]


WRONG = [
    (HEADER + "s1,q1,1,a,2\n", "log.csv, line 2: clicked is '2'; expected 0 or 1"),
    (HEADER + "s1,q1,1,a,\n", "line 2: clicked is ''; expected 0 or 1"),
    (
        HEADER + "s1,q1,1,a,0\ns1,q1,1,b,0\n",
        "line 3: query 'q1' has another result at position 1 of the same impression",
    ),
    (HEADER + "s1,q1,first,a,0\n", "line 2: the position is 'first'; expected a whole number"),
    (HEADER + "s1,q1,-1,a,0\n", "line 2: the position is '-1'; expected a whole number"),
    (HEADER + "s1,,1,a,0\n", "line 2: the query id is missing"),
    (HEADER + "s1,q1,1,,0\n", "line 2: the document id is missing"),
    (HEADER + "s1,q1,1,a\n", "line 2: 4 columns where the first line has 5"),
    (HEADER, "no impressions found"),
    ("query,document,grade\nq1,d1,1\n", "these are not the columns of a click log: query, document, grade"),
    (
        "session,query,document,clicked\ns1,q1,a,0\ns1,q1,a,1\n",
        "line 3: query 'q1' shows document 'a' twice in one impression",
    ),
    (
        "impression,session,query,document,clicked\ni1,s1,q1,a,0\ni1,s2,q1,b,1\n",
        "line 3: impression 'i1' has another session here than before",
    ),
    (
        "item_id,click,propensity\na,0,0\n",
        "line 2: the propensity is '0'; expected a probability from 1e-12 to 1",
    ),
    ("item_id,click,propensity\na,0,1.5\n", "the propensity is '1.5'"),
    ("item_id,click,propensity\na,0,much\n", "the propensity is 'much'"),
    ("item_id,click,propensity\na,0,nan\n", "the propensity is 'nan'"),
    ("document,doc,clicked\na,b,0\n", "several columns could give the document: document, doc"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[message[-40:] for _, message in WRONG])
def test_what_is_wrong_in_rows_is_told_with_its_line(tmp_path, text, message):
    with pytest.raises(DataError) as raised:
        cf.read_clicks(written(tmp_path, "log.csv", text))
    assert message in str(raised.value)


def test_gaps_between_positions_are_a_warning(tmp_path):
    log = cf.read_clicks(written(tmp_path, "log.csv", HEADER + "s1,q1,1,a,0\ns1,q1,4,b,1\n"))
    assert "in 1 of 1 impressions positions have gaps" in str(log.warnings[0])


def test_positions_of_rows_that_cannot_be_put_together_are_not_used():
    rows = [{"item_id": "a", "position": n % 3 + 1, "click": 1, "propensity_score": 0.5} for n in range(6)]
    log = cf.read_clicks(rows)
    assert log.depth == 1
    assert [str(warning) for warning in log.warnings] == [
        "without session, query or impression each of 6 rows counts as a separate impression at rank 1; "
        "positions are not used"
    ]


@pytest.mark.parametrize(
    "position",
    ["1_0", "9" * 400, "9" * 5000, 10**400, 10**5000, -1, 1.5, "", True, "²", math.inf],
    ids=lambda value: type(value).__name__,
)
def test_a_position_that_is_no_small_whole_number_is_refused(position):
    with pytest.raises(DataError, match=r"row 1: the position is .*; expected a whole number"):
        read_clicks([result(position=position)])


class TestRowsApart:
    def test_an_impression_that_other_rows_interrupt_is_refused(self):
        rows = [result(), result(session="t"), result(position=2, document="b"), result(session="t", position=2)]
        with pytest.raises(DataError, match="row 3: an impression goes on here that other rows have interrupted"):
            read_clicks(rows)

    def test_a_list_that_is_shown_again_is_another_impression(self):
        rows = [result(), result(query="p"), result(), result(position=2, document="b")]
        assert len(read_clicks(rows)) == 3

    def test_without_positions_it_is_a_warning(self):
        rows = [result(), result(query="p"), result(document="b")]
        log = read_clicks([{name: row[name] for name in row if name != "position"} for row in rows])
        assert "1 of 3 impressions have the session and query of an earlier one" in str(log.warnings[0])

    def test_with_ids_of_impressions_rows_may_stand_anywhere(self):
        rows = [result(impression_id=1), result(impression_id=2), result(impression_id=1, position=2, document="b")]
        assert len(read_clicks(rows)) == 2
