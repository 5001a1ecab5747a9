"""Whatever is converted stays as it is, or it is said what the other format cannot hold."""

from __future__ import annotations

import io
import json
import math
import struct
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.datasets import load_svmlight_file

import cranfield as cf
from cranfield import demo
from cranfield.conversion import KINDS, READ, WRITTEN, convert
from cranfield.errors import DataError, UsageError
from cranfield.formats.compression import SUFFIXES
from tests.formats.reading import grades, rankings

ENDINGS = {
    **{form: f".{form}" for form in ("csv", "tsv", "jsonl", "json", "parquet", "arrow", "xlsx", "svmlight")},
    "trec": ".txt",
    "msmarco": ".tsv",
    "beir": ".tsv",
    "quepid": ".csv",
    "rank_eval": ".json",
}

# Whatever JSON and tables may hold as an id; forms that cannot hold some refuse them.
any_ids = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8)
plain_ids = st.text(st.sampled_from("abcé19_-."), min_size=1, max_size=6)
ids = plain_ids | any_ids | st.sampled_from(["two words", '"q"', "a,b", "a;b", "=1+2", "'=x", " x ", "#1", "007", "-"])
any_grades = st.integers(-2, 4).map(float) | st.floats(-1e100, 1e100)
any_scores = st.floats(allow_nan=False)


def nested(values):
    return st.dictionaries(ids, st.dictionaries(ids, values, min_size=1, max_size=5), min_size=1, max_size=4)


def bits(scores):
    """Numbers by their bits, so that -0.0 and 0.0 differ."""
    return {
        query: {document: struct.pack("d", value) for document, value in of.items()} for query, of in scores.items()
    }


def converted(source, form, **options):
    """A file in a format, or why it cannot be written."""
    folder = Path(tempfile.mkdtemp())
    path = folder / f"{'queries' if options.get('kind') == 'queries' else 'out'}{ENDINGS[form]}"
    options = {"index": "products"} | options if form == "rank_eval" else options
    refusals = []
    try:
        convert(source, path, to=form, **options)
    except DataError as error:
        refusals += error.findings
    assert all(finding.advice for finding in refusals)
    assert bool(refusals) != path.exists()
    return None if refusals else path


@pytest.mark.parametrize("form", WRITTEN["judgments"])
class TestJudgments:
    @given(judged=nested(any_grades))
    def test_are_read_as_they_were(self, form, judged):
        path = converted(judged, form, kind="judgments")
        if form in ("trec", "svmlight") and all(_is_plain(name) for name in _names(judged)):
            assert path is not None
        if form in ("csv", "jsonl", "json", "parquet", "arrow"):
            assert path is not None
        if path is not None:
            expected = {
                query: of
                for query, documents in judged.items()
                if (of := {one: grade for one, grade in documents.items() if grade >= 0 or form not in RATINGS})
            }
            assume(expected)
            again = cf.read_judgments(path)
            assert grades(again) == expected
            assert list(again.queries) == list(expected)
            assert [list(again[query]) for query in again] == [list(of) for of in expected.values()]

    def test_real_ones_keep_every_score(self, form):
        qrels, run = demo.path("qrels.txt"), demo.path("bm25.run")
        path = converted(qrels, form)
        before, after = (cf.evaluate(judged, run, "nDCG@10 AP")["AP"] for judged in (qrels, path))
        assert np.array_equal(before, after)


RATINGS = ("quepid", "rank_eval")


def _names(judged):
    return [*judged, *(document for of in judged.values() for document in of)]


def _is_plain(name):
    return name.isascii() and name.isprintable() and not set(name) & set(" #\"'=")


@pytest.mark.parametrize("form", WRITTEN["run"])
class TestRuns:
    @given(scores=nested(any_scores))
    def test_keep_every_bit_and_the_order_of_ties(self, form, scores):
        path = converted(scores, form, kind="run")
        if form in ("csv", "parquet", "arrow"):
            assert path is not None
        if path is not None and form != "msmarco":
            again = rankings(cf.read_run(path))
            read = {query: dict(zip(one.documents, one.scores.tolist(), strict=True)) for query, one in again.items()}
            assert bits(read) == bits(scores)
            for query, one in again.items():
                best = sorted(scores[query], key=lambda document: -scores[query][document])
                assert list(one.documents) == best

    @given(ranks=st.lists(st.integers(1, 9), min_size=1, max_size=6), data=st.data())
    def test_of_ranks_alone_keep_their_places(self, form, ranks, data):
        rows = [{"query": "q", "document": f"d{at}", "rank": rank} for at, rank in enumerate(ranks)]
        path = converted(rows, form)
        if form in ("csv", "tsv", "jsonl", "parquet", "arrow", "xlsx", "msmarco"):
            assert path is not None
        if path is not None:
            judged = {"q": {f"d{data.draw(st.integers(0, len(ranks) - 1))}": 1}}
            # Where a rank is missing, three columns could be anything.
            again = cf.read_run(path, format="msmarco" if form == "msmarco" else None)
            before, after = (cf.evaluate(judged, run, "RR")["RR"] for run in (cf.read_run(rows), again))
            assert np.array_equal(before, after)

    def test_real_ones_keep_every_score(self, form):
        qrels, run = demo.path("qrels.txt"), demo.path("bm25.run")
        path = converted(run, form)
        before, after = (cf.evaluate(qrels, cf.read_run(one), "nDCG@10 AP")["AP"] for one in (run, path))
        assert np.array_equal(before, after)


@pytest.mark.parametrize("form", WRITTEN["labels"])
@given(labels=st.dictionaries(st.tuples(ids, ids, ids), any_grades, min_size=1, max_size=8))
def test_labels_are_read_as_they_were(form, labels):
    rows = [{"query": q, "document": d, "judge": j, "grade": grade} for (q, d, j), grade in labels.items()]
    path = converted(rows, form)
    if form in ("csv", "jsonl", "json", "parquet", "arrow") and all(
        name.strip() == name for key in labels for name in key
    ):
        assert path is not None
    if path is not None:
        again = cf.read_labels(path)
        read = {
            (again.queries[again.of_query[item]], again.documents[item], again.judges[judge]): grade
            for item, judge, grade in zip(again.of_item, again.of_judge, again.values.tolist(), strict=True)
        }
        assert read == labels


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)


@pytest.mark.parametrize("form", WRITTEN["queries"])
@given(known=st.dictionaries(ids, texts, min_size=1, max_size=5), intents=st.lists(texts, min_size=5, max_size=5))
def test_queries_are_read_as_they_were(form, known, intents):
    rows = [{"qid": query, "text": text, "intent": intents[at]} for at, (query, text) in enumerate(known.items())]
    path = converted(rows, form, kind="queries")
    if form in ("jsonl", "json", "parquet", "arrow", "beir"):
        assert path is not None
    if path is not None:
        before, after = cf.read_queries(rows), cf.read_queries(path)
        assert (after.ids, after.texts) == (before.ids, before.texts)
        assert after.columns.get("intent", (None,) * len(known)) == before.columns["intent"]


@pytest.mark.parametrize("form", WRITTEN["documents"])
@given(known=st.dictionaries(ids, st.tuples(texts, texts), min_size=1, max_size=5))
def test_documents_are_read_as_they_were(form, known):
    rows = [{"docid": name, "title": title, "text": text} for name, (title, text) in known.items()]
    path = converted(rows, form, kind="documents")
    if form in ("jsonl", "json", "parquet", "arrow", "beir"):
        assert path is not None
    if path is not None:
        assert cf.read_documents(path) == cf.read_documents(rows)


class TestWhatJudgmentsSayBesides:
    """Subtopics, judges and strata are kept, or it is said that they cannot be."""

    ROWS = "q1 1 d1 1\nq1 2 d1 0\nq1 2 d2 1\n"

    def test_a_second_column_that_varies_has_to_be_named(self, tmp_path):
        (tmp_path / "qrels.txt").write_text(self.ROWS)
        with pytest.raises(DataError, match=r"second column is not the same on all lines \(1, 2\)") as raised:
            convert(tmp_path / "qrels.txt", tmp_path / "qrels.csv")
        assert raised.value.findings[0].advice == 'Say which: groups="subtopic" or groups="judge".'

    @pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "json", "parquet", "arrow", "xlsx", "trec"])
    @pytest.mark.parametrize(
        ("groups", "rows"),
        [
            ("subtopic", ROWS),
            ("judge", ROWS),
            ("stratum", "q1 0 d1 1 1\nq1 0 d2 2 -1\n"),
            ("preference", "q1 ada a d1 1\nq1 ada a d2 0\nq1 ben b d1 0\nq1 ben b d3 2\n"),
        ],
        ids=["subtopic", "judge", "stratum", "preference"],
    )
    def test_groups_are_read_as_they_were(self, tmp_path, groups, rows, form):
        (tmp_path / "qrels.txt").write_text(rows)
        path = tmp_path / f"out{ENDINGS[form]}"
        convert(tmp_path / "qrels.txt", path, groups=groups)
        before, after = (cf.read_judgments(one, groups=groups) for one in (tmp_path / "qrels.txt", path))
        assert [part.tolist() for part in before.groups[1:5]] == [part.tolist() for part in after.groups[1:5]]
        assert (list(before.documents), before.groups.owners) == (list(after.documents), after.groups.owners)
        if form == "trec":
            assert path.read_text() == rows

    @pytest.mark.parametrize("form", ["beir", "quepid", "rank_eval", "svmlight"])
    def test_other_tools_have_no_place_for_them(self, tmp_path, form):
        (tmp_path / "qrels.txt").write_text(self.ROWS)
        with pytest.raises(DataError, match="cannot hold a column subtopic"):
            convert(tmp_path / "qrels.txt", tmp_path / f"out{ENDINGS[form]}", to=form, groups="subtopic")

    def test_a_trec_file_has_no_place_for_two_of_them(self, tmp_path):
        rows = [{"query": "q", "document": "d", "judge": "ada", "subtopic": "1", "grade": 1}]
        with pytest.raises(DataError, match="a TREC file cannot hold the columns judge and subtopic"):
            convert(rows, tmp_path / "out.txt", kind="judgments")

    def test_a_model_that_judged_stays_named(self, tmp_path):
        (tmp_path / "qrels.txt").write_text("q1 model:tiny d1 1\n")
        conversion = convert(tmp_path / "qrels.txt", tmp_path / "qrels.csv")
        assert "model:tiny" in (tmp_path / "qrels.csv").read_text()
        assert "model" in str(conversion.warnings[0])


class TestOtherTools:
    @pytest.mark.parametrize(("form", "name"), [("beir", "BEIR"), ("quepid", "Quepid"), ("rank_eval", "_rank_eval")])
    def test_have_whole_grades(self, tmp_path, form, name):
        with pytest.raises(DataError, match=f"{name} cannot hold the grade 0.5, which is no whole number"):
            convert({"q": {"d": 0.5}}, tmp_path / "out", to=form, kind="judgments", **_needed(form))

    @pytest.mark.parametrize("form", ["quepid", "rank_eval"])
    def test_list_only_documents_that_are_judged(self, tmp_path, form):
        conversion = convert({"q": {"d": 1, "e": -1}}, tmp_path / "out", to=form, **_needed(form))
        assert "1 document with a negative grade left out" in str(conversion.warnings[0])
        assert cf.read_judgments(tmp_path / "out")["q"] == {"d": 1}

    def test_quepid_has_texts_in_place_of_ids(self, tmp_path):
        queries = {"q1": "why, tomatoes", "q2": "slugs"}
        convert({"q1": {"d": 1}, "q2": {"d": 3}}, tmp_path / "out.csv", to="quepid", queries=queries)
        assert (tmp_path / "out.csv").read_text() == 'query,docid,rating\n"why, tomatoes",d,1\nslugs,d,3\n'
        with pytest.raises(DataError, match="query 'q2' has no text"):
            convert({"q2": {"d": 1}}, tmp_path / "out.csv", to="quepid", queries={"q1": "x"})
        with pytest.raises(DataError, match="Quepid cannot hold two queries with the text 'x'"):
            convert({"a": {"d": 1}, "b": {"d": 1}}, tmp_path / "out.csv", to="quepid", queries={"a": "x", "b": "x"})

    def test_a_request_can_be_sent_as_it_is(self, tmp_path):
        """As the documentation of `_rank_eval` has it: ids, ratings with their index, and templates with parameters."""
        convert({"q1": {"d": 1}}, tmp_path / "r.json", to="rank_eval", index="shop", queries={"q1": 'say "no"'})
        body = json.loads((tmp_path / "r.json").read_text())
        assert body["requests"] == [
            {
                "id": "q1",
                "template_id": body["templates"][0]["id"],
                "params": {"query_string": 'say "no"'},
                "ratings": [{"_index": "shop", "_id": "d", "rating": 1}],
            }
        ]
        assert body["metric"] == {"dcg": {"k": 10, "normalize": True}}
        with pytest.raises(UsageError, match='rank_eval needs index="products"'):
            convert({"q1": {"d": 1}}, tmp_path / "r.json", to="rank_eval")

    def test_a_beir_folder_has_its_three_files(self, tmp_path):
        for name in ("qrels.txt", "queries.tsv", "documents.jsonl"):
            convert(demo.path(name), f"{tmp_path}/garden/")
        names = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*"))
        assert names == ["garden/corpus.jsonl", "garden/qrels/test.tsv", "garden/queries.jsonl"]
        assert (tmp_path / names[1]).read_text().splitlines()[:2] == ["query-id\tcorpus-id\tscore", "q01\td0020\t0"]
        assert grades(cf.read_judgments(tmp_path / "garden")) == grades(cf.read_judgments(demo.path("qrels.txt")))
        assert cf.read_documents(tmp_path / "garden") == cf.read_documents(demo.path("documents.jsonl"))
        assert cf.read_queries(tmp_path / "garden").columns == cf.read_queries(demo.path("queries.tsv")).columns
        assert convert(tmp_path / "garden", tmp_path / "again.txt").count == 1338


def _needed(form):
    return {"index": "products"} if form == "rank_eval" else {}


class TestSvmlight:
    def test_features_are_scores_that_scikit_learn_reads(self, tmp_path):
        judged = {"7": {"d1": 2, "d2": 0, "d3": 1}, "8": {"d1": 1}}
        bm25, dense = {"7": {"d1": 12.5, "d2": 0.1 + 0.2, "x": 3.0}}, {"7": {"d3": -1.5}, "8": {"d1": 2.0}}
        path = tmp_path / "train.svmlight"
        conversion = convert(judged, path, features={"bm25": bm25, "dense": dense}, kind="judgments")
        values, labels, queries = load_svmlight_file(str(path), query_id=True)
        assert labels.tolist() == [2, 0, 1, 1]
        assert queries.tolist() == [7, 7, 7, 8]
        assert values.toarray().tolist() == [[12.5, 0], [0.1 + 0.2, 0], [0, -1.5], [0, 2]]
        assert [str(warning) for warning in conversion.warnings] == [
            "2 judged documents without a score in bm25: the feature is left out, which means 0",
            "2 judged documents without a score in dense: the feature is left out, which means 0",
        ]
        assert cf.read_run(path, columns={"score": "1"})["7"] == {"d1": 12.5, "d2": 0.1 + 0.2, "d3": 0}

    @pytest.mark.parametrize(
        ("query", "document"), [("two words", "d"), ("a#b", "d"), ("q", "two words"), ("q", "docid=7")]
    )
    def test_ids_that_would_be_read_as_others_are_refused(self, tmp_path, query, document):
        with pytest.raises(DataError, match="cannot be written as SVMlight: it would be read as another id"):
            convert({query: {document: 1}}, tmp_path / "a.svmlight", kind="judgments")


class TestTheFile:
    def test_a_run_that_is_not_grouped_is_written_whole(self, tmp_path):
        lines = demo.path("bm25.run").read_text().splitlines(keepends=True)
        (tmp_path / "mixed.run").write_text("".join(sorted(lines, key=lambda line: line.split()[2])))
        assert convert(tmp_path / "mixed.run", tmp_path / "out.csv").count == len(lines)
        before, after = (rankings(cf.read_run(one)) for one in (demo.path("bm25.run"), tmp_path / "out.csv"))
        assert {query: dict(zip(one.documents, one.scores, strict=True)) for query, one in before.items()} == {
            query: dict(zip(one.documents, one.scores, strict=True)) for query, one in after.items()
        }

    def test_the_tag_of_a_run_stays(self, tmp_path):
        (tmp_path / "a.run").write_text("q Q0 d 1 2.5 my-tag\n")
        convert(tmp_path / "a.run", tmp_path / "b.run")
        assert (tmp_path / "b.run").read_text() == (tmp_path / "a.run").read_text()
        convert(tmp_path / "a.run", tmp_path / "b.run", name="other one")
        assert (tmp_path / "b.run").read_text() == "q Q0 d 1 2.5 other_one\n"

    @pytest.mark.parametrize("ending", SUFFIXES)
    def test_may_be_compressed(self, tmp_path, ending):
        for name in (f"a.run{ending}", f"a.parquet{ending}", f"a.jsonl{ending}"):
            convert(demo.path("bm25.run"), tmp_path / name)
            assert cf.read_run(tmp_path / name)["q01"] == cf.read_run(demo.path("bm25.run"))["q01"]

    def test_may_be_the_one_that_is_read(self, tmp_path):
        (tmp_path / "a.csv").write_text("query,document,grade\nq,d,1\n")
        convert(tmp_path / "a.csv", tmp_path / "a.csv", to="trec")
        assert (tmp_path / "a.csv").read_text() == "q 0 d 1\n"

    def test_is_not_touched_where_the_data_are_wrong(self, tmp_path):
        (tmp_path / "a.run").write_text("q Q0 d 1 2.5 x\nq Q0 d 2 1.5 x\n")
        (tmp_path / "out.csv").write_text("before")
        with pytest.raises(DataError, match="lists document 'd' again"):
            convert(tmp_path / "a.run", tmp_path / "out.csv")
        assert (tmp_path / "out.csv").read_text() == "before"
        assert len(list(tmp_path.iterdir())) == 2

    def test_may_be_an_open_one(self):
        stream = io.BytesIO()
        convert({"q": {"d": 1}}, stream, to="trec", kind="judgments")
        assert stream.getvalue() == b"q 0 d 1\n"
        with pytest.raises(UsageError, match="the name does not show the format to write judgments in"):
            convert({"q": {"d": 1}}, io.BytesIO(), kind="judgments")

    def test_warnings_about_what_was_read_are_told(self, tmp_path):
        (tmp_path / "sheet.csv").write_text("query,document,grade\nq,d,1\nq,e,\n")
        conversion = convert(tmp_path / "sheet.csv", tmp_path / "out.txt")
        assert "1 of 2 rows has no grade" in str(conversion.warnings[0])


class TestKinds:
    @pytest.mark.parametrize(
        ("name", "kind"),
        [
            ("qrels.txt", "judgments"),
            ("bm25.run", "run"),
            ("labels.csv", "labels"),
            ("queries.tsv", "queries"),
            ("documents.jsonl", "documents"),
        ],
    )
    @pytest.mark.parametrize("form", ["csv", "jsonl", "json", "parquet"])
    def test_are_recognised_in_every_format(self, tmp_path, name, kind, form):
        path = tmp_path / f"{'queries' if kind == 'queries' else 'x'}.{form}"
        assert convert(demo.path(name), path).kind == kind
        assert convert(path, tmp_path / "again.jsonl").kind == kind

    def test_a_column_for_each_judge_is_a_table_of_labels(self, tmp_path):
        (tmp_path / "x.csv").write_text("query,document,ada,ben\nq,d,1,2\n")
        assert convert(tmp_path / "x.csv", tmp_path / "out.jsonl").kind == "labels"

    def test_what_could_be_two_things_is_asked_for(self, tmp_path):
        (tmp_path / "x.tsv").write_text("1\twhy do tomatoes crack\n2\tslugs\n")
        with pytest.raises(DataError, match="not clear whether this is queries or documents") as raised:
            convert(tmp_path / "x.tsv", tmp_path / "out.jsonl")
        assert raised.value.findings[0].advice == 'Say which: kind="queries" or kind="documents".'
        assert convert(tmp_path / "x.tsv", tmp_path / "out.jsonl", kind="queries").count == 2
        (tmp_path / "topics.tsv").write_bytes((tmp_path / "x.tsv").read_bytes())
        assert convert(tmp_path / "topics.tsv", tmp_path / "out.jsonl").kind == "queries"

    def test_a_wrong_one_is_refused(self, tmp_path):
        with pytest.raises(UsageError, match=r"kind must be one of .* Did you mean queries\?"):
            convert({"q": {"d": 1}}, tmp_path / "x.csv", kind="querys")
        with pytest.raises(UsageError, match="run cannot be written as 'svmlight'; known are trec, msmarco"):
            convert({"q": {"d": 1.5}}, tmp_path / "x.svmlight", kind="run", to="svmlight")
        with pytest.raises(UsageError, match=r"the name does not show the format to write queries in"):
            convert({"q": "x"}, tmp_path / "x.qrels", kind="queries")

    @pytest.mark.parametrize("kind", KINDS)
    def test_options_without_effect_are_refused(self, tmp_path, kind):
        with pytest.raises(UsageError, match="has no effect on"):
            convert({"q": {"d": 1}}, tmp_path / "x.csv", kind=kind, index="products")


class TestLabels:
    def test_texts_stay_texts(self, tmp_path):
        rows = [
            {"query": "q", "document": "d", "judge": judge, "grade": label}
            for judge, label in (("a", "yes"), ("b", "no"))
        ]
        convert(rows, tmp_path / "out.csv")
        assert (tmp_path / "out.csv").read_text() == "query,document,judge,grade\nq,d,a,yes\nq,d,b,no\n"
        with pytest.raises(DataError, match="a TREC file cannot hold the label"):
            convert(rows, tmp_path / "out.txt")

    def test_without_documents_there_is_nothing_to_write(self, tmp_path):
        with pytest.raises(DataError, match="the labels name no documents"):
            convert(cf.Labels.from_matrix([[0, 1], [1, 1]]), tmp_path / "out.csv")


def test_infinite_scores_are_not_in_json(tmp_path):
    with pytest.raises(DataError, match="the score inf cannot be written as JSON"):
        convert({"q": {"d": math.inf}}, tmp_path / "out.jsonl", kind="run")


class TestTheTable:
    """What is said to be written is written above; what is only read is read here."""

    def test_whatever_is_written_is_read(self):
        assert all(set(WRITTEN[kind]) <= set(READ[kind]) for kind in KINDS)
        only_read = {(kind, form) for kind in KINDS for form in set(READ[kind]) - set(WRITTEN[kind])}
        assert only_read == {
            *(("judgments", "store"), ("labels", "store")),  # tests/formats/test_judging_store.py
            *(("run", "svmlight"), ("run", "rank_eval"), ("labels", "quepid")),
        }

    def test_a_feature_is_a_run(self, tmp_path):
        (tmp_path / "a.letor").write_text("2 qid:q 1:0.5 2:7 # d1\n0 qid:q 1:1.5 # d2\n")
        convert(tmp_path / "a.letor", tmp_path / "a.run", kind="run", columns="score=2")
        assert cf.read_run(tmp_path / "a.run")["q"] == {"d1": 7, "d2": 0}

    def test_a_response_to_rank_eval_is_a_run(self, tmp_path):
        hits = [{"hit": {"_index": "i", "_id": "d", "_score": 1.5}, "rating": 1}]
        details = {"q": {"metric_score": 1, "unrated_docs": [], "hits": hits}}
        (tmp_path / "r.json").write_text(json.dumps({"metric_score": 1, "details": details, "failures": {}}))
        convert(tmp_path / "r.json", tmp_path / "a.run")
        assert cf.read_run(tmp_path / "a.run")["q"] == {"d": 1.5}

    def test_a_book_of_quepid_has_labels(self, tmp_path):
        pairs = [{"query_text": "q", "doc_id": "d", "judgements": [{"rating": 2.0, "user_email": "ada@example.org"}]}]
        (tmp_path / "book.json").write_text(json.dumps({"name": "b", "query_doc_pairs": pairs}))
        convert(tmp_path / "book.json", tmp_path / "labels.csv", kind="labels")
        assert "q,d,ada@example.org,2" in (tmp_path / "labels.csv").read_text()


def test_queries_without_results_are_left_out_with_a_warning_or_stay(tmp_path):
    run = {"q1": {}, "q2": {"d1": 1.5}}
    table = cf.convert(run, tmp_path / "out.csv", kind="run")
    assert (table.count, table.queries, [finding.kind for finding in table.warnings]) == (1, 1, ["silent-left-out"])
    assert not cf.convert(run, tmp_path / "out.json", kind="run").warnings
    assert json.loads((tmp_path / "out.json").read_text()) == run
    with pytest.raises(DataError, match="a run without documents"):
        cf.convert({"q1": {}}, tmp_path / "none.csv", kind="run")
    assert not (tmp_path / "none.csv").exists()
