import math

import pytest

from cranfield.errors import DataError, Findings
from cranfield.formats import read_judgments, read_run
from tests.formats.reading import judged, kinds, rankings, retrieved, wrong_in_judgments, wrong_in_run

RUN = "q1 Q0 d1 1 2.5 tag\nq1 Q0 d2 2 1 tag\nq2 Q0 d1 1 0.5 tag\n"


def test_judgments_are_query_iteration_document_grade(write):
    assert judged(write("q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n")) == {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}}


def test_a_run_is_query_q0_document_rank_score_tag(write):
    assert retrieved(write(RUN)) == {"q1": {"d1": 2.5, "d2": 1}, "q2": {"d1": 0.5}}


def test_the_second_column_may_be_anything(write):
    assert judged(write("1 1.5 a 0\n1 Q0 b 1\n")) == {"1": {"a": 0, "b": 1}}


def test_grades_may_be_negative_and_fractional(write):
    assert judged(write("q 0 a -2\nq 0 b 0.5\nq 0 c 1e1\n")) == {"q": {"a": -2, "b": 0.5, "c": 10}}


def test_a_run_without_a_tag_is_explained(write):
    (finding,) = wrong_in_run(write("q1 Q0 d7 1 12.5\n", "bm25.run"))
    assert finding.in_full().partition("bm25.run")[2] == (
        ", line 1: 5 columns where a TREC run has 6 (query Q0 document rank score tag)\n"
        "    q1 Q0 d7 1 12.5\n"
        'Add a run tag, or say what the columns are: columns="query,_,document,rank,score".'
    )


def test_that_run_is_read_when_its_columns_are_named(write):
    run = write("q1 Q0 d7 1 12.5\n")
    assert retrieved(run, columns="query,_,document,rank,score") == {"q1": {"d7": 12.5}}


def test_subtopics_are_read_when_their_column_is_named(write):
    qrels = write("q 1 d 1\nq 2 d 0\n")
    assert kinds(wrong_in_judgments(qrels)) == ["contradiction"]
    assert dict(read_judgments(qrels, columns="query,subtopic,document,grade").extra) == {"subtopic": ("1", "2")}


def test_scores_are_numbers_or_infinite(write):
    text = "q Q0 a 1 inf t\nq Q0 b 2 1e3 t\nq Q0 c 3 -Infinity t\n"
    assert retrieved(write(text)) == {"q": {"a": math.inf, "b": 1000, "c": -math.inf}}


@pytest.mark.parametrize("score", ["nan", "abc", "1_000", "1,5"])
def test_a_score_that_is_no_number_is_an_error(write, score):
    (finding,) = wrong_in_run(write(f"q Q0 a 1 2 t\nq Q0 b 2 {score} t\n"))
    assert (finding.kind, finding.line) == ("score-not-a-number", 2)


def test_columns_after_the_sixth_of_a_run_are_ignored_with_one_warning(write):
    findings = Findings()
    assert list(rankings(read_run(write("q Q0 a 1 2 t x y\nq Q0 b 2 1 t z\n")), findings)) == ["q"]
    (warning,) = findings.warnings
    assert (warning.kind, warning.count) == ("extra-columns", 2)


def test_three_columns_of_judgments_are_query_document_grade(write):
    assert judged(write("q1\td1\t57\nq2\td1\t0\n")) == {"q1": {"d1": 57}, "q2": {"d1": 0}}


def test_ranks_that_only_count_are_not_kept(write):
    assert rankings(read_run(write(RUN)))["q1"].ranks is None
    assert rankings(read_run(write("q Q0 a 0 3 t\nq Q0 b 1 2 t\n")))["q"].ranks is None


def test_ranks_that_say_something_else_are_kept(write):
    ranking = rankings(read_run(write("q Q0 a 3 1 t\nq Q0 b 7 0.5 t\n")))["q"]
    assert ranking.ranks is not None
    assert ranking.ranks.tolist() == [3, 7]


def test_ranks_against_the_scores_are_a_warning(write):
    findings = Findings()
    rankings(read_run(write("q Q0 a 1 1.0 t\nq Q0 b 2 2.0 t\nq Q0 c 3 2.0 t\n")), findings)
    (warning,) = findings.warnings
    assert (warning.kind, warning.line) == ("ranks-contradict-scores", 2)


def test_ranks_that_are_no_numbers_are_ignored_with_one_warning(write):
    findings = Findings()
    run = read_run(write("q Q0 a x 1.0 t\nq Q0 b y 2.0 t\np Q0 b - 2.0 t\n"))
    assert rankings(run, findings)["q"].ranks is None
    (warning,) = findings.warnings
    assert (warning.kind, warning.line, warning.count) == ("rank-not-a-number", 1, 2)


def test_an_empty_file_is_an_error(write):
    assert kinds(wrong_in_judgments(write(""))) == ["nothing-read"]
    assert kinds(wrong_in_run(write("# nothing\n\n"))) == ["nothing-read"]
    assert kinds(wrong_in_run(write("# nothing\n\n"), format="trec")) == ["nothing-read"]


def test_work_stops_after_so_many_problems(write):
    with pytest.raises(DataError, match="Stopped after 20 problems") as caught:
        read_judgments(write("q 0 a 1\n" + "q 0\n" * 1000))
    assert len(caught.value.findings) == 20


DIVERSITY = "q 1 a 1\nq 2 a 0\nq 2 b 1\n"


@pytest.mark.parametrize("kind", ["subtopic", "judge", "preference"])
def test_the_second_column_tells_groups_apart_where_they_are_wanted(write, kind):
    judgments = read_judgments(write(DIVERSITY), groups=kind)
    assert repr(judgments) == f"Judgments(1 query, 3 judgments by {kind}, grades 0 to 1)"
    assert judgments.groups.owners == ((0, 1),)


def test_otherwise_such_grades_contradict_each_other_and_what_to_do_is_told(write):
    (finding,) = wrong_in_judgments(write(DIVERSITY, "qrels.txt"))
    assert finding.in_full().partition("qrels.txt")[2] == (
        ", line 2: query 'q', document 'a' is judged 0, but 1 on line 1\n"
        "Keep one grade for each document of a query. If several judges gave them, merge: cranfield merge FILE -o "
        "qrels.txt. If they are for subtopics, choose a measure that reads several grades, such as alpha_nDCG@20, and "
        'name their column: columns={"subtopic": NAME}.'
    )


def test_preferences_have_five_columns(write):
    path = write("q ada 1 a 2\nq ada 1 b 0\nq ada 2 b 1\nq ben 1 a 1\n")
    groups = read_judgments(path, groups="preference").groups
    assert groups.owners == ((0, 0, 1),)
    assert groups.numbers.tolist() == [0, 0, 1, 2]


def test_a_line_of_preferences_that_differs_is_explained(write):
    (finding,) = wrong_in_judgments(write("q ada 1 a 2\nq ada a 2\n"), groups="preference")
    assert finding.message == "4 columns where preferences have 5 (query judge subgroup document grade)"
    assert finding.line == 2


def test_five_columns_are_no_judgments_of_another_kind(write):
    (finding,) = wrong_in_judgments(write("q ada 1 a 2\n"), groups="subtopic")
    assert finding.message == "5 columns where TREC judgments have 4 (query iteration document grade)"


def test_a_pair_judged_twice_for_one_subtopic_is_noticed(write):
    assert kinds(wrong_in_judgments(write("q 1 a 1\nq 1 a 0\n"), groups="subtopic")) == ["contradiction"]
    (warning, *_) = read_judgments(write("q 1 a 1\nq 1 a 1\nq 2 a 1\n"), groups="subtopic").warnings
    assert warning.kind == "judged-twice"


def test_named_columns_tell_groups_apart_as_well(write):
    path = write("a q 1 s1\na q 0 s2\n")
    judgments = read_judgments(path, columns="document,query,grade,subtopic", groups="subtopic")
    assert judgments.groups.owners == ((0, 1),)


def test_three_columns_have_no_groups(write):
    (warning,) = read_judgments(write("q a 1\nq b 0\n"), groups="subtopic").warnings
    assert warning.kind == "one-subtopic"


class TestModels:
    """The second column of what `cranfield judge` exports names the judge, and models begin with `model:`."""

    def test_judgments_of_a_model_alone_are_said_to_be(self, write):
        path = write("# made\nq1 model:tiny@default-1 d1 1\nq1 model:tiny@default-1 d2 0\n")
        judgments = read_judgments(path)
        (warning,) = judgments.warnings
        assert "all judgments come from a model (model:tiny@default-1)" in str(warning)
        assert judgments["q1"] == {"d1": 1, "d2": 0}

    @pytest.mark.parametrize("second", ["0", "Q0", "ada", "models"])
    def test_of_anybody_else_nothing_is_said(self, write, second):
        path = write(f"q1 model:tiny d1 1\nq1 {second} d2 0\n")
        assert read_judgments(path).warnings == ()
        assert read_judgments(write(f"q1 {second} d1 1\n")).warnings == ()
