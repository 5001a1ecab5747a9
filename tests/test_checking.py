import json

import pytest

from cranfield.checking import check
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA

QRELS = "# by hand\nq1 0 a 2\nq1 0 b 0\nq1 0 c -1\n\nq2 0 a 0\nq3 0 a 1\n"
RUN = "q1 Q0 a 1 3.0 t\nq1 Q0 x 2 2.0 t\nq1 Q0 b 3 2.0 t\nq2 Q0 a 1 1.5 t\nq9 Q0 a 1 -1 t\n"


@pytest.fixture
def files(tmp_path):
    def write(**texts):
        paths = []
        for name, text in texts.items():
            paths.append(tmp_path / name)
            paths[-1].write_text(text)
        return paths

    return write


def test_judgments_are_counted(files):
    report = check(files(qrels=QRELS))
    (file,) = report.to_dict()["files"]
    del file["path"]
    assert [finding["kind"] for finding in file["findings"]] == ["without-relevant"]
    assert file == {
        "kind": "judgments",
        "format": "trec",
        "lines": 7,
        "comments": 1,
        "rows": 5,
        "queries": 3,
        "documents": 3,
        "per_query": {"min": 1, "median": 1, "max": 3},
        "grades": {"-1": 1, "0": 2, "1": 1, "2": 1},
        "negative": 1,
        "without_relevant": ["q2"],
        "only_relevant": False,
        "findings": file["findings"],
        "unlisted": 0,
    }
    assert report.ok


def test_runs_are_counted(files):
    (file,) = check(files(run=RUN)).to_dict()["files"]
    assert (file["kind"], file["rows"], file["queries"], file["documents"]) == ("run", 5, 3, 3)
    assert file["per_query"] == {"min": 1, "median": 1, "max": 3}
    assert file["ties"] == {"documents": 2, "queries": 1}
    assert file["scores"] == [-1, 3]


def test_judgments_and_runs_are_compared_in_whatever_order_they_come(files):
    (pair,) = check(files(run=RUN, qrels=QRELS)).pairs
    assert pair.not_retrieved == ("q3",)
    assert pair.not_judged == ("q9",)
    assert pair.judged_at_top == (2 / 3 + 1) / 2
    assert [finding.kind for finding in pair.findings] == ["silent-queries", "unknown-queries"]


def test_queries_that_would_match_in_another_spelling_are_told_so(files):
    (pair,) = check(files(run=RUN.replace("q9", "Q3"), qrels=QRELS)).pairs
    told = "ignoring case, 1 matches judged queries that have no results (q3 / Q3)"
    assert told in pair.findings[-1].message


def test_every_run_is_compared_with_every_file_of_judgments(files):
    report = check(files(qrels=QRELS, first=RUN, second=RUN))
    assert [pair.run.rpartition("/")[2] for pair in report.pairs] == ["first", "second"]


def test_only_the_first_ten_documents_should_be_judged(files):
    run = "".join(f"q Q0 d{at:02} {at} {-at} t\n" for at in range(1, 13))
    qrels = "".join(f"q 0 d{at:02} 1\n" for at in range(6, 13))
    (pair,) = check(files(qrels=qrels, run=run)).pairs
    assert pair.judged_at_top == 5 / 10


def test_ids_that_never_meet_are_an_error(files):
    report = check(files(qrels="001 0 a 1\n", run="1 Q0 a 1 1 t\n"))
    assert not report.ok
    assert [finding.kind for finding in report.findings] == ["query-ids-never-meet"]
    report = check(files(qrels="1 0 a 1\n", run="1 Q0 A 1 1 t\n"))
    assert [finding.kind for finding in report.findings] == ["document-ids-never-meet"]


def test_bad_data_are_findings_and_the_rest_is_counted(files):
    report = check(files(qrels="q 0 a 1\nq 0 b x\nq 0 a 2\nq 0 c 1\n"))
    (file,) = report.files
    assert not report.ok
    assert [(finding.line, finding.kind) for finding in file.findings] == [
        (2, "grade-not-a-number"),
        (3, "contradiction"),
    ]
    assert (file.rows, file.queries) == (3, 1)


def test_findings_beyond_the_limit_are_counted(files):
    report = check(files(run="q Q0 a 1 1 t\n" * 31), limit=10)
    (file,) = report.files
    errors = [finding for finding in file.findings if finding.severity == "error"]
    assert (len(errors), file.unlisted, file.rows) == (10, 20, 31)


def test_warnings_leave_a_file_in_order(files):
    report = check(files(run="q Q0 a 1 1 t\nq Q0 b 2 2 t\n", qrels="q 0 a 1\nq 0 a 1\n"))
    assert {finding.kind for finding in report.findings} == {"ranks-contradict-scores", "judged-twice"}
    assert report.ok


def test_a_query_that_is_not_grouped_is_counted_once(files):
    (file,) = check(files(run="q Q0 a 1 3 t\np Q0 a 1 1 t\nq Q0 b 2 2 t\n")).files
    assert (file.rows, file.queries, file.findings) == (3, 2, ())


def test_files_that_cannot_be_read_are_findings(files, tmp_path):
    (binary,) = files(binary="\0\1")
    (tmp_path / "empty").mkdir()
    report = check([tmp_path / "missing", tmp_path / "empty", binary])
    assert [finding.kind for finding in report.findings] == ["no-such-file", "no-such-file", "not-text"]
    assert [file.kind for file in report.files] == [None, None, None]


def test_columns_tell_what_a_file_is(files):
    paths = files(run="q1,a,3\n")
    assert check(paths, columns="query,document,score").files[0].kind == "run"
    assert check(paths, columns="query,document,grade").files[0].kind == "judgments"


def test_a_report_becomes_json(files):
    report = check(files(qrels=QRELS, run=RUN.replace("-1", "-inf")))
    plain = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert (plain["ok"], len(plain["files"]), plain["pairs"][0]["judged@10"]) == (True, 2, (2 / 3 + 1) / 2)


@pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)
def test_a_real_collection(files):
    folder = SHARED_DATA / "02-dl19-passage"
    report = check([folder / "qrels.dl19-passage.txt", folder / "runs" / "ICT-BERT2.run.gz"])
    (pair,) = report.pairs
    assert report.ok
    assert (len(pair.not_retrieved), len(pair.not_judged), pair.judged_at_top) == (0, 157, 1.0)


def test_labels_of_several_judges_are_fine_alone_and_stop_an_evaluation(files):
    labels = "query,document,judge,grade\nq1,d1,ada,1\nq1,d1,ben,0\n"
    assert check(files(labels=labels)).ok
    report = check(files(labels=labels, run="q1 Q0 d1 1 2.0 x\n"))
    assert not report.ok
    assert [finding.kind for finding in report.pairs[0].findings] == ["several-grades"]


def test_document_ids_that_match_in_another_spelling_are_told(files):
    judgments = "".join(f"q 0 d{at} 1\n" for at in range(8))
    run = "".join(f"q Q0 {'d' if at % 2 else 'd0'}{at} {at + 1} {-at} t\n" for at in range(8))
    (pair,) = check(files(qrels=judgments, run=run)).pairs
    assert [finding.kind for finding in pair.findings] == ["other-document-ids"]
    assert "4 unjudged documents match judged ones without leading zeros (d0 / d00)" in pair.findings[0].message


def test_ties_of_most_documents_are_told_as_a_warning(files):
    (file,) = check(files(run="q Q0 a 1 1 t\nq Q0 b 2 1 t\nq Q0 c 3 0 t\n")).files
    assert [(finding.kind, finding.count) for finding in file.findings] == [("tied-scores", 2)]
    assert file.findings[0].message.startswith("2 of 3 documents have the same score as another one of the query")


def test_ties_of_some_documents_are_counted_and_no_warning(files):
    (file,) = check(files(run="q Q0 a 1 2 t\nq Q0 b 2 1 t\nq Q0 c 3 1 t\nq Q0 d 4 0 t\n")).files
    assert (file.summary.tied, file.findings) == (2, ())


@pytest.mark.parametrize(
    "run",
    ["q1 Q0 a 1 inf t\nq1 Q0 b 2 1 t\nq2 Q0 a 1 -inf t\n", '{"q1": {"a": Infinity, "b": 1.5}, "q2": {"a": -1e400}}'],
)
def test_infinite_scores_are_told_as_a_warning(files, run):
    (file,) = check(files(run=run)).files
    assert [(finding.kind, finding.count) for finding in file.findings] == [("infinite-scores", 2)]
    assert str(file.findings[0]).endswith(
        "2 scores are infinite (q1, q2): ranked above or below all others, and tied with each other"
    )


def test_a_grade_far_from_all_others_is_told(files):
    lines = [f"q{query} 0 d{at} {(query + at) % 4}\n" for query in range(5) for at in range(20)]
    report = check(files(qrels="".join(lines) + "q9 0 d1 2000000000\n"))
    assert "outlying-grades" in [finding.kind for finding in report.findings]


@pytest.mark.parametrize(
    "text",
    [
        "session,query,position,document,clicked\ns,q,1,a,0\n",
        '{"session": "s", "query": "q", "documents": ["a"], "clicks": [1]}\n',
        '{"query_id": "1", "action_name": "click"}\n',
    ],
)
def test_a_click_log_is_recognised(tmp_path, text):
    (tmp_path / "log.csv").write_text(text)
    (file,) = check(tmp_path / "log.csv").files
    assert [finding.kind for finding in file.findings] == ["is-click-log"]
    assert "cranfield.clicks(log)" in file.findings[0].advice


# How it shows


def test_it_says_what_the_files_hold_how_they_fit_and_the_verdict(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq2 0 d1 0\n")
    (tmp_path / "run").write_text("q1 Q0 d1 1 2.0 x\nq1 Q0 d2 2 1.0 x\n")
    shown = str(check([tmp_path / "qrels", tmp_path / "run"]))
    assert "grades 0×1 1×1" in shown
    assert "scores 1 to 2" in shown
    assert "judged@10" in shown
    assert "warning: " in shown
    assert shown.startswith("No errors; 2 warnings.")


def test_errors_beyond_the_limit_count_in_the_verdict(tmp_path):
    (tmp_path / "run").write_text("q1 Q0 d1 1 x y\n" * 9)
    checks = check([tmp_path / "run"], limit=2)
    assert checks.verdict() == "9 errors and 0 warnings: an evaluation would stop."
    assert "7 more errors, not listed." in " ".join(str(checks).split())


def test_the_line_stands_below_the_error(tmp_path):
    (tmp_path / "run").write_text("q1 Q0 d1 1 x y\n")
    lines = str(check([tmp_path / "run"])).split("\n")
    at = next(at for at, line in enumerate(lines) if line.startswith("error: "))
    assert lines[at + 1] == "    q1 Q0 d1 1 x y"


def test_judgments_that_list_only_relevant_documents_are_noted_once(files):
    report = check(files(qrels="q1 0 d1 1\nq2 0 d2 1\n"))
    assert report.to_dict()["files"][0]["only_relevant"]
    assert report.findings == ()
    assert (
        " ".join(str(report).split()).count(
            "only relevant documents are listed; unjudged documents count as not relevant"
        )
        == 1
    )


def test_lists_without_scores_have_ranks(files):
    (file,) = check(files(**{"lists.json": '{"q1": ["d1", "d2", "d3"], "q2": []}'})).to_dict()["files"]
    assert file["ranks"] == [1, 3]
    assert "scores" not in file
