"""Files that are named by an address give what the same files give on this machine."""

import bz2
import gzip
import json
import lzma
import random
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError
from cranfield.formats.remote import RemotePath, is_remote, remote_path, secrets_in, visible, without_secrets
from cranfield.formats.source import as_source
from tests.formats.reading import judged
from tests.formats.test_shards import MEASURES, QRELS, ROWS, WHOLE, WRITTEN, trec
from tests.requesting.web_server import answering, sent
from tests.s3_server import s3_server

fsspec = pytest.importorskip("fsspec")

SECRET = "s3cret-of-ada"


class _Memory:
    """Files in fsspec's memory."""

    def put(self, name, data):
        fsspec.filesystem("memory").pipe(f"/bucket/{name}", data)

    def address(self, name):
        return f"memory://bucket/{name}"

    def clear(self):
        fsspec.filesystem("memory").store.clear()


class _S3:
    """Files on an S3 server."""

    def __init__(self, system, options):
        self.system, self.options = system, options

    def put(self, name, data):
        with self.system.open_output_stream(f"bucket/{name}") as target:
            target.write(data)

    def address(self, name):
        return f"s3://AKIA-of-ada:{SECRET}@bucket/{name}?{self.options}"

    def clear(self):
        self.system.delete_dir_contents("bucket", missing_dir_ok=True)


@pytest.fixture(scope="module")
def s3():
    with s3_server() as (system, options):
        yield _S3(system, options)


@pytest.fixture(params=["memory", "s3"])
def store(request):
    files = _Memory() if request.param == "memory" else request.getfixturevalue("s3")
    yield files
    files.clear()


QRELS_LINES = "".join(f"{q} 0 {d} {g}\n" for q, of_query in QRELS.items() for d, g in of_query.items()).encode()
SHUFFLED = random.Random(3).sample(ROWS, len(ROWS))


@pytest.mark.parametrize("rows", [ROWS, SHUFFLED], ids=["grouped", "shuffled"])
@pytest.mark.parametrize("ending", WRITTEN)
def test_a_file_of_a_store_scores_as_one_of_this_machine(store, ending, rows):
    store.put(f"bm25.{ending}", WRITTEN[ending](rows))
    store.put("qrels.txt", QRELS_LINES)
    scores = cf.evaluate(store.address("qrels.txt"), store.address(f"bm25.{ending}"), MEASURES)
    assert scores.runs == ("bm25",)
    np.testing.assert_array_equal(scores.values, WHOLE.values)


@pytest.mark.parametrize("ending", WRITTEN)
@pytest.mark.parametrize("name", ["bm25", "bm25/*", "bm*/day=?/part-[0-9].{}", "bm25/**/*.{}"])
def test_a_folder_or_a_pattern_in_a_store_is_one_run(store, ending, name):
    for part in range(5):
        store.put(f"bm25/day={part % 2}/part-{part}.{ending}", WRITTEN[ending](SHUFFLED[part::5]))
    store.put("bm25/_SUCCESS", b"")
    store.put("bm25/day=0/.part-0.crc", b"crc")
    store.put("bm25/_temporary/0/part-9.run", trec(ROWS[:1]))
    scores = cf.evaluate(QRELS, store.address(name.format(ending)), MEASURES)
    np.testing.assert_array_equal(scores.values, WHOLE.values)
    assert scores.runs == ("bm" if name.startswith("bm*") else "bm25",)


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_files_of_a_store_may_be_compressed(store, compress):
    store.put("qrels.txt.x", compress(QRELS_LINES))
    assert judged(store.address("qrels.txt.x")) == QRELS


def test_everything_that_is_opened_by_name_may_be_in_a_store(store):
    store.put("queries.tsv", b"query\ttext\nq0\twhy do tomatoes crack\n")
    store.put("documents.jsonl", b'{"id": "d1", "text": "water"}\n')
    store.put("labels.csv", b"query,document,judge,grade\nq1,d1,ada,1\nq1,d1,ben,0\n")
    store.put("results.json", b"")
    assert cf.read_queries(store.address("queries.tsv")).text("q0") == "why do tomatoes crack"
    assert [judge.name for judge in cf.agree(store.address("labels.csv")).judges] == ["ada", "ben"]


def test_a_folder_as_beir_has_it_may_be_in_a_store(store):
    rows = "".join(f"{q}\t{d}\t{g}\n" for q, of_query in QRELS.items() for d, g in of_query.items())
    store.put("nf/qrels/test.tsv", f"query-id\tcorpus-id\tscore\n{rows}".encode())
    store.put("nf/qrels/train.tsv", b"query-id\tcorpus-id\tscore\nq0\td1\t1\n")
    store.put("nf/queries.jsonl", b'{"_id": "q0", "text": "tomatoes"}\n')
    assert judged(store.address("nf")) == QRELS
    assert cf.read_queries(store.address("nf")).ids == ("q0",)


def test_responses_in_a_folder_of_a_store_are_a_run(store):
    for query in ("q1", "q2"):
        hits = [{"_id": f"d{n}", "_score": 9.0 - n} for n in range(3)]
        store.put(f"answers/{query}.json", json.dumps({"hits": {"hits": hits}}).encode())
    assert cf.evaluate(QRELS, store.address("answers"), "RR").runs == ("answers",)


def test_saved_scores_are_read_from_a_store_and_name_no_secret(store, tmp_path):
    store.put("qrels.txt", QRELS_LINES)
    store.put("bm25.run", trec(ROWS))
    scores = cf.evaluate(store.address("qrels.txt"), store.address("bm25.run"), MEASURES)
    saved = tmp_path / "scores.json"
    cf.save(scores, saved)
    assert SECRET not in saved.read_text()
    assert "bucket/bm25.run" in saved.read_text()
    store.put("scores.json", saved.read_bytes())
    np.testing.assert_array_equal(cf.load(store.address("scores.json")).values, scores.values)


def wrong(address):
    with pytest.raises(DataError) as raised:
        cf.evaluate(QRELS, address, "AP")
    assert SECRET not in str(raised.value)
    (finding,) = raised.value.findings
    return finding


class TestWhatIsWrong:
    def test_nothing_of_this_name(self, store):
        store.put("bm25.run", trec(ROWS))
        for name in ("nope.run", "nope/nothing.run"):
            finding = wrong(store.address(name))
            assert finding.kind == "no-such-file"
            assert finding.path.endswith(f"://bucket/{name}")

    def test_no_file_that_a_pattern_fits(self, store):
        store.put("bm25.run", trec(ROWS))
        assert wrong(store.address("runs/part-*.run")).message == "there are no files to read"

    def test_no_such_bucket(self, s3):
        finding = wrong(s3.address("x").replace("@bucket", "@nowhere"))
        assert finding.message == "there is no bucket or container 'nowhere', or these credentials may not list it"

    def test_a_server_that_is_not_there(self):
        options = "scheme=http&endpoint_override=127.0.0.1%3A1&retry_limit_seconds=1"
        finding = wrong(f"gs://anonymous@bucket/x?{options}")
        assert (finding.kind, finding.path) == ("not-reached", "gs://bucket/x")

    def test_a_scheme_that_nobody_knows(self):
        assert "s3, gs, abfs" in wrong("foo://bucket/bm25.run").advice

    def test_a_package_that_is_not_installed(self, monkeypatch):
        monkeypatch.setitem(__import__("sys").modules, "fsspec.core", None)
        assert wrong("memory://bucket/bm25.run").advice == "Install it: pip install fsspec"

    def test_a_file_of_a_store_that_ends_early(self, store):
        store.put("bm25.run", trec(ROWS))
        source = as_source(store.address("bm25.run"))
        store.put("bm25.run", trec(ROWS)[:100])
        with pytest.raises(DataError) as raised, source.open() as opened:
            opened.read()
        assert "of 4," in str(raised.value)
        assert SECRET not in str(raised.value)

    def test_a_table_of_a_store_that_ends_early(self, store):
        store.put("bm25.parquet", WRITTEN["parquet"](ROWS)[:-100])
        assert "damaged" in wrong(store.address("bm25.parquet")).message

    def test_a_part_that_disappears_while_others_are_read(self, store):
        for part in range(3):
            store.put(f"bm25/part-{part}.run", trec(ROWS[part::3]))
        run = cf.read_run(store.address("bm25"))
        store.clear()
        with pytest.raises(DataError):
            cf.evaluate(QRELS, run, "AP")

    @pytest.mark.parametrize("name", ["scores.json", "scores.csv", "scores.parquet"])
    def test_nothing_is_written_to_an_address(self, name):
        with pytest.raises(UsageError, match="files of this machine only"):
            cf.save(WHOLE, f"memory://bucket/{name}")
        with pytest.raises(UsageError, match="files of this machine only"):
            cf.convert(QRELS, f"s3://ada:{SECRET}@bucket/qrels.csv")
        assert not Path("memory:").exists()


class TestWebServers:
    @pytest.fixture
    def served(self):
        """A function that serves a file at an address, and the paths that were asked for."""
        asked = []

        def answer(handler):
            asked.append(handler.path)
            found = files.get(handler.path.partition("?")[0])
            sent(handler, 200 if found is not None else 404, found or b"")

        files = {}
        with answering(answer) as address:

            def serve(name, data):
                files["/" + name] = data
                return address + name

            serve.asked = asked
            yield serve

    @pytest.mark.parametrize("ending", WRITTEN)
    def test_a_file_scores_as_one_of_this_machine(self, served, ending):
        scores = cf.evaluate(
            served("qrels.txt", QRELS_LINES), served(f"bm25.{ending}", WRITTEN[ending](SHUFFLED)), MEASURES
        )
        np.testing.assert_array_equal(scores.values, WHOLE.values)
        assert served.asked == ["/qrels.txt", f"/bm25.{ending}"]

    def test_names_have_their_letters_and_no_options(self, served):
        address = served("k1%3D0.9.run.gz", gzip.compress(trec(ROWS)))
        scores = cf.evaluate(QRELS, f"{address}?sig={SECRET}", "AP")
        assert scores.runs == ("k1=0.9",)

    def test_what_options_alone_distinguish_are_two_runs(self, served):
        address = served("download", trec(ROWS))
        scores = cf.evaluate(QRELS, [f"{address}?file=a", f"{address}?file=b"], "AP")
        assert len(set(scores.runs)) == 2
        assert not any("same file" in str(warning) for warning in scores.warnings)

    def test_an_answer_that_ends_early_is_no_short_run(self):
        data = trec(ROWS)
        begun = data[: data.index(b"\n", 900) + 1]
        with answering(lambda handler: sent(handler, 200, begun, Content_Length=str(len(data)))) as address:
            assert f"ended after {len(begun)} of {len(data):,} bytes" in wrong(address + "bm25.run").message

    @pytest.mark.parametrize("status", [404, 500])
    def test_a_refusal_is_told_without_the_secret(self, status):
        with answering(lambda handler: sent(handler, status, b"")) as address:
            finding = wrong(f"{address.replace('://', f'://ada:{SECRET}@')}bm25.run?sig={SECRET}")
        assert f"answered {status}" in finding.message
        assert finding.path.endswith("/bm25.run")

    def test_a_page_in_place_of_a_file_is_told(self, served):
        assert "HTML" in wrong(served("bm25.run", b"<!doctype html><html>no such file</html>\n")).message

    def test_a_pattern_is_refused(self):
        assert "does not list its files" in wrong("https://example.org/part-*.run").message


def test_a_file_address_is_a_path(tmp_path):
    (tmp_path / "qrels 1.txt").write_bytes(QRELS_LINES)
    assert judged(f"file://{tmp_path}/qrels%201.txt") == QRELS
    (tmp_path / "parts").mkdir()
    for part, lines in enumerate((QRELS_LINES[:0], QRELS_LINES)):
        (tmp_path / "parts" / f"part-{part}.txt").write_bytes(lines)
    assert judged(f"file://{tmp_path}/parts") == judged(f"file://{tmp_path}/parts/*.txt") == QRELS


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        (f"s3://AKIA:{SECRET}@bucket/a@b/x.run?region=r", "s3://bucket/a@b/x.run"),
        ("s3://AKIA:half/other+half@bucket/x.run", "s3://bucket/x.run"),
        ("s3://bucket/part-?.run", "s3://bucket/part-?.run"),
        (f"https://{SECRET}@example.org:8080/x.run?sig={SECRET}", "https://example.org:8080/x.run"),
        ("abfs://container@account.dfs.core.windows.net/x", "abfs://container@account.dfs.core.windows.net/x"),
        (
            f"abfs://container:{SECRET}@account.dfs.core.windows.net/x",
            "abfs://container@account.dfs.core.windows.net/x",
        ),
        ("hdfs://host:8020/a@b/x", "hdfs://host:8020/a@b/x"),
    ],
)
def test_an_address_is_shown_without_what_may_be_secret(address, shown):
    assert visible(address) == shown
    assert SECRET not in without_secrets(f"cannot open {address}", address)
    assert SECRET not in without_secrets(f"{SECRET} is wrong", address) or SECRET not in address


def test_secrets_are_known_as_they_are_and_as_they_are_written_in_addresses():
    assert set(secrets_in("s3://AKIA1:se%2Fcret@bucket/x?key=a%2Fbcd")) >= {"AKIA1", "se%2Fcret", "se/cret", "a/bcd"}


def test_paths_of_this_machine_are_no_addresses():
    assert not any(map(is_remote, ("bm25.run", "C:\\bm25.run", "file:///x", "postgres://h/d", "a:b", Path("s3:/x"))))


def test_a_place_in_a_store_is_asked_as_a_path_is(store):
    store.put("runs/bm25.run", b"x")
    folder = remote_path(store.address("runs"))
    file = folder / "bm25.run"
    assert isinstance(file, RemotePath)
    assert (file.name, file.suffix, file.is_file(), folder.is_dir()) == ("bm25.run", ".run", True, True)
    assert [str(path) for path in folder.iterdir()] == [str(file)]
