import pytest

import cranfield as cf
from cranfield.errors import UsageError
from cranfield.formats import read_judgments
from cranfield.show.table import Table
from tests.formats.reading import judged, kinds, retrieved, wrong_in_judgments, wrong_in_run


def test_beir_judgments(write):
    assert judged(write("query-id\tcorpus-id\tscore\n1\t31715818\t1\n")) == {"1": {"31715818": 1}}


def test_quepid_judgments_whose_queries_are_words(write):
    text = 'query,docid,rating\n"milk, fresh",1,3\nstar wars,2,good\n'
    (finding,) = wrong_in_judgments(write(text))
    assert (finding.kind, finding.line) == ("grade-not-a-number", 3)
    assert judged(write(text.replace("2,good", "2,0"))) == {"milk, fresh": {"1": 3}, "star wars": {"2": 0}}


@pytest.mark.parametrize("blank", ["", "n/a", "N/A", "?", "-", "–", " ", "NaN"])
def test_a_sheet_that_is_half_filled_in_judges_what_is_filled_in(write, blank):
    judgments = read_judgments(write(f"query,document,grade\nq,d1,2\nq,d2,{blank}\nr,d1,{blank}\n"))
    assert {query: judgments[query] for query in judgments} == {"q": {"d1": 2}}
    (warning,) = judgments.warnings
    assert str(warning).endswith("2 of 3 rows have no grade; their documents count as not judged")


def test_a_sheet_that_nobody_has_filled_in_is_an_error(write):
    (finding,) = wrong_in_judgments(write("query,document,grade\nq,d1,\nq,d2,?\n"))
    assert finding.kind == "no-grades-yet"
    assert "none of 2 rows has a grade" in str(finding)


def test_a_document_may_stand_again_below_with_the_grade_that_was_missing(write):
    assert judged(write("query,document,grade\nq,d1,\nq,d1,2\n")) == {"q": {"d1": 2}}


def test_a_run_with_a_header(write):
    text = "qid,docno,rank,score\nq1,d1,1,2.5\nq1,d2,2,0.5\n"
    assert retrieved(write(text)) == {"q1": {"d1": 2.5, "d2": 0.5}}


def test_a_run_with_ranks_and_no_scores_is_ordered_by_rank(write):
    assert retrieved(write("query_id;doc_id;position\nq;a;1\nq;b;2\n")) == {"q": {"a": -1, "b": -2}}


def test_naming_only_the_rank_leaves_the_score_out(write):
    run = write("qid,docno,rank,score\nq,a,1,0\nq,b,2,9\n")
    assert retrieved(run, columns="rank=rank") == {"q": {"a": -1, "b": -2}}


def test_names_of_columns_may_be_given(write):
    text = "Language,Query,GitHubUrl,Relevance\nGo,sort,u1,2\n"
    assert kinds(wrong_in_judgments(write(text))) == ["missing-column"]
    assert judged(write(text), columns="document=GitHubUrl") == {"sort": {"u1": 2}}
    assert judged(write(text), columns={"document": "githuburl"}) == {"sort": {"u1": 2}}


def test_a_misspelt_name_is_answered_with_the_nearest(write):
    (finding,) = wrong_in_judgments(write("a_query,b,c\n1,2,3\n"), columns="query=aquerry,document=b,grade=c")
    assert (finding.kind, finding.advice) == ("unknown-column", "Did you mean a_query?")


def test_columns_without_a_header_are_named_in_order(write):
    assert judged(write("2,d1,q1\n"), columns="grade,document,query") == {"q1": {"d1": 2}}
    assert judged(write("2,x,d1,q1\n"), columns=["grade", "_", "document", "query"]) == {"q1": {"d1": 2}}


def test_a_header_under_columns_named_in_order_is_skipped(write):
    assert judged(write("how_good,what,asked\n2,d1,q1\n"), columns="grade,document,query") == {"q1": {"d1": 2}}


def test_words_before_tabs_are_one_query(write):
    assert judged(write("star wars\td1\t1\nmilk\td2\t0\n")) == {"star wars": {"d1": 1}, "milk": {"d2": 0}}


def test_columns_that_cannot_be_guessed_must_be_named(write):
    assert kinds(wrong_in_run(write("q1,d1,0.5\n"))) == ["unknown-layout"]
    assert retrieved(write("q1,d1,0.5\n"), columns="query,document,score") == {"q1": {"d1": 0.5}}


def test_quoted_fields_may_span_lines_and_line_numbers_stay_right(write):
    text = 'query,docid,rating\n"two\nlines",d1,1\n"x",d2,good\n'
    (finding,) = wrong_in_judgments(write(text))
    assert finding.line == 4
    assert judged(write(text.replace("d2,good", "d2,2"))) == {"two\nlines": {"d1": 1}, "x": {"d2": 2}}


def test_a_quote_that_never_closes_is_an_error_on_the_line_it_opens(write):
    (finding,) = wrong_in_judgments(write('query,docid,rating\na,d1,1\n"b,d2,1\nc,d3,1\n'))
    assert (finding.kind, finding.line) == ("malformed-csv", 3)


def test_a_missing_field_a_missing_id_and_a_bad_grade_are_errors(write):
    findings = wrong_in_judgments(write("qid,docno,label\nq,d1\nq,,1\n,d2,1\nq,d3,x\nq,d4,1\n\n"))
    assert [(finding.line, finding.kind) for finding in findings] == [
        (2, "wrong-column-count"),
        (3, "bad-document-id"),
        (4, "bad-query-id"),
        (5, "grade-not-a-number"),
    ]


def test_bytes_that_are_not_utf_8_are_errors(write):
    findings = wrong_in_judgments(write(b"qid,docno,label\nq,d1,1\nq,caf\x81,1\n"))
    assert [(finding.line, finding.kind) for finding in findings] == [(3, "not-utf-8")]


def test_judges_are_kept(write):
    judgments = read_judgments(write("query,doc,grade,rater\nq,d,1,ann\nq,d,2,bob\n"))
    assert dict(judgments.extra) == {"judge": ("ann", "bob")}


def test_a_run_given_as_judgments_is_recognised_by_its_ranks(write):
    assert kinds(wrong_in_judgments(write("qid,docno,rank,score\nq,d,1,2.5\n"))) == ["swapped-arguments"]


def test_judgments_given_as_a_run_are_recognised_by_their_grades(write):
    assert kinds(wrong_in_run(write("qid,docno,label\nq,d,1\n"))) == ["swapped-arguments"]


def test_a_byte_order_mark_and_windows_line_ends_are_no_part_of_a_name(write):
    assert judged(write(b"\xef\xbb\xbfqid,docno,label\r\nq,d,1\r\n")) == {"q": {"d": 1}}


@pytest.mark.parametrize(
    "columns",
    ["query,document", "query=a,grade", "query,document,grad", "query,query,grade", {"qid": "query"}],
)
def test_columns_that_make_no_sense_are_a_usage_error(write, columns):
    with pytest.raises(UsageError, match="columns"):
        read_judgments(write("a,b,c\n1,2,3\n"), columns=columns)


def test_reading_goes_on_after_a_wrong_quote(write):
    findings = wrong_in_judgments(write('query,docid,rating\n\n"a"x,d1,1\n"b\nb",d2,1\nc,d3,high\n'))
    assert [(finding.line, finding.kind) for finding in findings] == [(3, "malformed-csv"), (6, "grade-not-a-number")]


def test_many_rows_keep_their_line_numbers(write):
    rows = ["query,docid,rating", *(f'"q\n{at}",d,1' if at % 7 == 0 else f"q{at},d,1" for at in range(30_000))]
    rows[25_001] = "q25000,d,x"
    (finding,) = wrong_in_judgments(write("\n".join(rows)))
    assert finding.line == 25_002 + len(range(0, 25_000, 7))


def test_ids_that_our_csv_guards_from_spreadsheets_come_back_as_they_were(tmp_path):
    ids = ["=x", "-abc", "@user", "'=y", "'tis", "-5"]
    table = Table({"query": ["q1"] * 6, "document": ids, "grade": [1] * 6})
    (tmp_path / "judged.csv").write_text(table.csv())
    (tmp_path / "judged.tsv").write_text(table.tsv())
    assert "'=x" in table.csv()
    for name in ("judged.csv", "judged.tsv"):
        assert list(read_judgments(tmp_path / name)["q1"]) == ids


def test_a_query_without_ratings_or_results_as_quepid_writes_it_is_left_out_with_a_warning(tmp_path):
    case, snapshot = tmp_path / "case.csv", tmp_path / "snapshot.csv"
    case.write_text("query,docid,rating\nred shoes,d1,3\nred shoes,d2,0\nhats,,\ncaps,,\n")
    snapshot.write_text(
        "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position,title\n"
        "S,now,1,red shoes,d2,1,x\nS,now,1,red shoes,d1,2,y\n"
    )
    scores = cf.evaluate(str(case), str(snapshot), "RR")
    assert scores["RR"].tolist() == [[0.5]]
    assert [str(one) for one in scores.warnings] == [
        f"{case}, line 4: the row has a query and no document; it is left out (and 1 more like it)"
    ]


@pytest.mark.parametrize("empty", ["", "n/a", "N/A", "?", "-", "none", "None", "NULL", " "])
def test_a_grade_that_was_not_given_is_still_to_do(write, empty):
    judgments = cf.read_judgments(write(f"query,docid,rating\nq1,a,1\nq1,b,{empty}\n", "a.csv"))
    assert judgments["q1"] == {"a": 1.0}
    assert [one.kind for one in judgments.warnings] == ["not-judged-yet"]
