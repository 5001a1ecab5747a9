"""Every query asked once, and a run of the answers."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.data.request_log import RequestLog, RequestRecord
from cranfield.errors import DataError, UsageError
from cranfield.formats.queries import read_queries
from cranfield.formats.request_logs import log_path, read_log
from cranfield.requesting.asking import IN_A_ROW
from cranfield.requesting.failures import Failure
from cranfield.retrieving.functions import FunctionSystem
from cranfield.retrieving.retrieval import Retrieval, RetrievalChoices, ranked, retrieve_from

QUERIES = {f"q{number}": f"text {number}" for number in range(1, 6)}


class Engine:
    """Finds two documents for every text, but for those that it is told otherwise about."""

    def __init__(self, **otherwise):
        self.otherwise = {name.replace("text", "text "): what for name, what in otherwise.items()}
        self.asked = Counter()

    def __call__(self, text):
        self.asked[text] += 1
        what = self.otherwise.get(text, [("d1", 2.0), ("d2", 1.0)])
        if isinstance(what, list) and what and isinstance(what[0], Exception):
            what = what.pop(0) if len(what) > 1 else what[0]
        if isinstance(what, Exception):
            raise what
        return what


def retrieve(engine, output=None, queries=QUERIES, size=None, sleep=lambda seconds: None, **choices):
    return retrieve_from(
        FunctionSystem(engine),
        read_queries(queries),
        RetrievalChoices(**choices),
        size=size,
        output=output,
        sleep=sleep,
    )


def test_a_run_has_the_results_of_every_query(tmp_path):
    retrieval = retrieve(Engine(), tmp_path / "bm25.run")
    assert (tmp_path / "bm25.run").read_text().splitlines()[:3] == [
        "q1 Q0 d1 1 2.0 bm25",
        "q1 Q0 d2 2 1.0 bm25",
        "q2 Q0 d1 1 2.0 bm25",
    ]
    assert retrieval.run["q5"] == {"d1": 2.0, "d2": 1.0}
    assert retrieval.is_complete
    assert retrieval.asked == 5


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet", "res"])
def test_a_run_is_written_in_the_format_of_its_name(tmp_path, ending):
    retrieve(Engine(), tmp_path / f"bm25.{ending}")
    run = cf.read_run(tmp_path / f"bm25.{ending}")
    assert run["q3"] == {"d1": 2.0, "d2": 1.0}
    assert run.log.latencies.keys() == QUERIES.keys()


def test_queries_may_be_asked_in_any_order_and_the_run_has_theirs(tmp_path):
    def slow_first(text):
        time.sleep(0.05 if text == "text 1" else 0)
        return ["d1"]

    retrieval = retrieve(slow_first, tmp_path / "bm25.run", at_once=4)
    assert [line.split()[0] for line in (tmp_path / "bm25.run").read_text().splitlines()] == list(QUERIES)
    assert list(retrieval.log.records) == list(QUERIES)


def test_failed_timed_out_and_empty_are_three_things(tmp_path):
    engine = Engine(text1=[], text2=ValueError("no"), text3=Failure("timed out", "half of it"))
    retrieval = retrieve(engine, tmp_path / "bm25.run", tries=2)
    outcomes = {query: record.outcome for query, record in retrieval.log.records.items()}
    assert outcomes == {"q1": "empty", "q2": "failed", "q3": "timed out", "q4": "results", "q5": "results"}
    assert retrieval.verdict().startswith(
        "bm25: 3 of 5 queries answered, 1 of them empty. 2 queries failed, 1 of them timed out. No run was written; "
        "the same command asks again for what is missing."
    )
    assert "ValueError: no" in str(retrieval)
    assert not (tmp_path / "bm25.run").exists()
    with pytest.raises(DataError, match=r"2 queries got no answer \(q2, q3\)"):
        _ = retrieval.run


def test_what_may_pass_is_tried_again_and_only_the_last_try_is_timed():
    engine = Engine(text2=[ConnectionError(), TimeoutError(), Failure("rate limited", "", 7.0), Failure("cut off", "")])
    waits = []
    retrieval = retrieve(engine, sleep=waits.append, tries=4)
    assert engine.asked["text 2"] == 4
    assert waits[2] == 7.0
    assert retrieval.log.records["q2"]._replace(request="") == RequestRecord(
        "q2", "", "failed", 4, kind="cut off", detail=""
    )


def test_what_cannot_pass_is_not_tried_again():
    engine = Engine(text2=Failure("rejected", "syntax"), text3=KeyError("x"))
    retrieve(engine)
    assert set(engine.asked.values()) == {1}


def test_the_same_call_asks_only_for_what_failed(tmp_path):
    engine = Engine(text2=ValueError("no"))
    retrieve(engine, tmp_path / "bm25.run")
    engine.otherwise.clear()
    retrieval = retrieve(engine, tmp_path / "bm25.run")
    assert engine.asked == {"text 1": 1, "text 2": 2, "text 3": 1, "text 4": 1, "text 5": 1}
    assert retrieval.asked == 1
    assert "4 of them were answered before and not asked again" in retrieval.verdict()
    assert len((tmp_path / "bm25.run").read_text().splitlines()) == 10


def test_a_complete_run_asks_nothing(tmp_path):
    retrieve(Engine(), tmp_path / "bm25.run")
    engine = Engine()
    retrieval = retrieve(engine, tmp_path / "bm25.run")
    assert not engine.asked
    assert retrieval.run["q1"] == {"d1": 2.0, "d2": 1.0}


def test_a_run_of_the_answered_queries_is_written_where_that_is_asked_for(tmp_path):
    retrieval = retrieve(Engine(text2=ValueError("no")), tmp_path / "bm25.run", partial=True)
    assert not retrieval.is_complete
    assert len((tmp_path / "bm25.run").read_text().splitlines()) == 8
    assert "The run in" in retrieval.verdict()


def test_a_failed_query_is_never_scored_as_an_empty_result(tmp_path):
    retrieval = retrieve(Engine(text1=[], text2=ValueError("no")), tmp_path / "bm25.run", partial=True)
    qrels = {query: {"d1": 1} for query in QUERIES}
    for run in (retrieval.run, tmp_path / "bm25.run", str(tmp_path / "bm25.run")):
        with pytest.raises(DataError, match=r"1 query failed when this run was made \(q2\); a failure is not an empty"):
            cf.evaluate(qrels, run, "RR")
        answered = cf.evaluate(qrels, run, "RR", average_over="answered")
        assert answered.mean("RR").value == 1.0
    others = {query: {"d1": 1} for query in ("q1", "q3")}
    assert cf.evaluate(others, tmp_path / "bm25.run", "RR").mean("RR").value == 0.5


def test_all_stops_after_failures_in_a_row():
    queries = {f"q{number}": f"text {number}" for number in range(100)}
    engine = Engine()
    engine.otherwise = dict.fromkeys(queries.values(), Failure("rejected", "no such index"))
    retrieval = retrieve(engine, queries=queries)
    assert len(engine.asked) == IN_A_ROW
    assert retrieval.left == 100 - IN_A_ROW
    assert "10 queries failed. Stopped early, 90 queries not asked: no such index." in retrieval.verdict()


def test_a_query_that_was_not_asked_is_never_scored_as_an_empty_result(tmp_path):
    engine = Engine(text2=Failure("not allowed", "401"))
    retrieve(engine, tmp_path / "bm25.run", partial=True)
    with pytest.raises(DataError, match=r"3 queries failed when this run was made \(q3, q4, q5\)"):
        cf.evaluate({query: {"d1": 1} for query in QUERIES if query != "q2"}, tmp_path / "bm25.run", "RR")
    engine.otherwise.clear()
    assert retrieve(engine, tmp_path / "bm25.run").asked == 4
    assert engine.asked == {**dict.fromkeys(QUERIES.values(), 1), "text 2": 2}


def test_while_a_run_is_made_again_there_is_none(tmp_path):
    retrieve(Engine(text2=ValueError("no")), tmp_path / "bm25.run", partial=True)

    class Killed(BaseException):
        pass

    def killed(done, of):
        assert not (tmp_path / "bm25.run").exists()
        raise Killed

    with pytest.raises(Killed):
        retrieve_from(
            FunctionSystem(Engine()),
            read_queries(QUERIES),
            RetrievalChoices(),
            output=tmp_path / "bm25.run",
            watch=killed,
        )
    assert not (tmp_path / "bm25.run").exists()
    assert retrieve(Engine(), tmp_path / "bm25.run").asked == 0


def test_what_will_be_the_same_for_every_query_stops_all():
    engine = Engine(text1=Failure("not allowed", "401"))
    assert retrieve(engine).left == 4
    assert engine.asked == {"text 1": 1}


def test_a_file_that_is_there_is_not_replaced(tmp_path):
    (tmp_path / "bm25.run").write_text("q1 Q0 d9 1 2.0 mine\n")
    with pytest.raises(DataError, match="is there already, and was not begun by this request"):
        retrieve(Engine(), tmp_path / "bm25.run")
    assert (tmp_path / "bm25.run").read_text() == "q1 Q0 d9 1 2.0 mine\n"
    retrieve(Engine(), tmp_path / "bm25.run", restart=True)
    assert "d9" not in (tmp_path / "bm25.run").read_text()


def test_another_system_does_not_go_on_with_a_run(tmp_path):
    retrieve(Engine(text1=ValueError()), tmp_path / "bm25.run")
    with pytest.raises(DataError, match="has the answers to other requests"):
        retrieve(lambda text: ["d1"], tmp_path / "bm25.run")


def test_other_queries_do_not_silently_replace_a_run(tmp_path):
    retrieve(Engine(), tmp_path / "bm25.run")
    with pytest.raises(DataError, match="is complete for other queries"):
        retrieve(Engine(), tmp_path / "bm25.run", {**QUERIES, "q6": "text 6"})


def test_a_query_whose_text_changed_is_asked_again(tmp_path):
    engine = Engine(text5=ValueError())
    retrieve(engine, tmp_path / "bm25.run")
    engine.otherwise.clear()
    retrieve(engine, tmp_path / "bm25.run", {**QUERIES, "q1": "text one"})
    assert engine.asked == {**dict.fromkeys(QUERIES.values(), 1), "text one": 1, "text 5": 2}


def test_a_name_that_shows_no_format_is_refused_before_anything_is_asked(tmp_path):
    engine = Engine()
    with pytest.raises(UsageError, match="does not show the format to write a run in"):
        retrieve(engine, tmp_path / "bm25.qrels")
    with pytest.raises(DataError, match="cannot be written"):
        retrieve(engine, tmp_path / "none" / "bm25.run")
    assert not engine.asked


def test_ids_that_trec_cannot_hold_are_refused_at_the_first(tmp_path):
    engine = Engine(text1=["a document"])
    with pytest.raises(DataError, match=r"cannot be written to a TREC file.*\n.*csv, .tsv or .jsonl"):
        retrieve(engine, tmp_path / "bm25.run")
    assert len(engine.asked) == 1
    retrieve(engine, tmp_path / "bm25.jsonl")
    assert cf.read_run(tmp_path / "bm25.jsonl")["q1"] == {"a document": -1.0}
    with pytest.raises(DataError, match="cannot be written to a TREC file"):
        retrieve(engine, tmp_path / "new.run", {"q 1": "text"})


# The order of results


def log_of(*scores):
    records = {
        f"q{at}": RequestRecord(
            f"q{at}", "", "results", 1, 1.0, len(one), documents=("a", "b", "c")[: len(one)], scores=one
        )
        for at, one in enumerate(scores, 1)
    }
    return RequestLog(records)


def test_scores_that_fall_are_kept():
    (one, two), warnings = ranked(log_of((3.0, 2.0, 2.0), (1.0,)), RetrievalChoices(), None)
    assert (one.documents, one.scores, two.scores) == (["a", "b", "c"], [3.0, 2.0, 2.0], [1.0])
    assert not warnings


def test_scores_that_rise_are_distances():
    (one, _), (warning,) = ranked(log_of((0.1, 0.2, 0.3), (0.5,)), RetrievalChoices(), "chroma.run")
    assert (one.documents, one.scores) == (["a", "b", "c"], [-0.1, -0.2, -0.3])
    assert str(warning).startswith("chroma.run: scores rise from the first result to the last, as distances do")
    assert not ranked(log_of((0.1, 0.2)), RetrievalChoices(scores="lower"), None)[1]


def test_scores_that_do_both_are_not_guessed():
    log = log_of((3.0, 1.0, 2.0), (1.0, 2.0))
    with pytest.raises(DataError, match=r"results of 2 queries do not come in the order of their scores \(q1, q2\)"):
        ranked(log, RetrievalChoices(), None)
    (one, _), _ = ranked(log, RetrievalChoices(scores="higher"), None)
    assert (one.documents, one.scores) == (["a", "c", "b"], [3.0, 2.0, 1.0])
    (one, _), _ = ranked(log, RetrievalChoices(scores="lower"), None)
    assert one.documents == ["b", "c", "a"]
    (one, _), _ = ranked(log, RetrievalChoices(scores="order"), None)
    assert (one.documents, one.scores) == (("a", "b", "c"), [-1.0, -2.0, -3.0])


def test_results_without_scores_are_ranked_as_they_came(tmp_path):
    assert retrieve(Engine(text1=["d1", "d2"]), tmp_path / "bm25.run").run["q2"] == {"d1": -1.0, "d2": -2.0}


def test_a_document_that_comes_twice_is_refused_or_counts_once(tmp_path):
    engine = Engine(text1=[("d1", 3.0), ("d2", 2.0), ("d1", 1.0)])
    with pytest.raises(DataError, match="query 'q1' got document 'd1' twice"):
        retrieve(engine, tmp_path / "bm25.run")
    retrieval = retrieve(engine, tmp_path / "bm25.run", duplicates="first")
    assert retrieval.run["q1"] == {"d1": 3.0, "d2": 2.0}
    assert set(engine.asked.values()) == {1}


@pytest.mark.parametrize(
    "wrong", [{"at_once": 0}, {"tries": 0}, {"rate": 0.0}, {"rate": -1.0}, {"scores": "best"}, {"duplicates": "last"}]
)
def test_choices_are_checked(wrong):
    with pytest.raises(UsageError, match="must be"):
        retrieve(Engine(), **wrong)


def test_every_form_tells_of_every_query():
    retrieval = retrieve(Engine(text1=[], text2=ValueError("no")))
    table = retrieval.rows().to_dict()
    assert table["query"] == list(QUERIES)
    assert table["outcome"] == ["empty", "failed", "results", "results", "results"]
    assert table["milliseconds"][1] is None
    content = json.loads(json.dumps(retrieval.to_dict()))
    assert content["queries"] == {"asked": 5, "left": 0, "results": 3, "empty": 1, "failed": 1, "timed_out": 0}
    assert content["failures"] == {"exception": 1}
    assert content["latency"]["queries"] == 4


def test_a_latency_of_seconds_is_spelt_out():
    log = RequestLog({"q1": RequestRecord("q1", "", "empty", 1, 12345.678)})
    assert "Latency: median 12345.7 ms, 95th percentile 12345.7 ms." in Retrieval("slow", log, 1, 13.0).verdict()


def test_cf_retrieve_takes_what_cf_read_queries_takes(tmp_path):
    retrieval = cf.retrieve(
        [{"number": 7, "words": "frost"}], lambda text: [text], columns={"text": "words"}, name="mine"
    )
    assert retrieval.run["7"] == {"frost": -1.0}
    assert retrieval.run.name == "mine"


KILLED = """
import sys, time
import cranfield as cf
path = sys.argv[1]
def search(text):
    with open(path + ".asked", "a") as log:
        log.write(text + "\\n")
    time.sleep(0.01)
    return [("d1", 2.0), ("d2", 1.0)]
retrieval = cf.retrieve({f"q{n}": f"text {n}" for n in range(60)}, search, output=path, at_once=2)
print(retrieval.asked)
"""


def test_after_a_kill_nothing_that_was_answered_is_asked_twice(tmp_path):
    path = str(tmp_path / "bm25.run")
    for _ in range(2):
        process = subprocess.Popen([sys.executable, "-c", KILLED, path], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        before = len(read_log(log_path(path)).records) if Path(log_path(path)).exists() else 0
        while time.monotonic() < deadline:
            time.sleep(0.02)
            if Path(log_path(path)).exists() and Path(log_path(path)).read_bytes().count(b"\n") > before + 8:
                break
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    answered = read_log(log_path(path)).records
    assert 10 <= len(answered) < 60
    done = subprocess.run([sys.executable, "-c", KILLED, path], capture_output=True, text=True, check=True)
    assert int(done.stdout) == 60 - len(answered)
    asked = Counter(Path(path + ".asked").read_text().splitlines())
    assert len(asked) == 60
    assert sum(asked.values()) <= 60 + 2 * 2  # what was under way when it was killed
    assert len(Path(path).read_text().splitlines()) == 120


INTERRUPTED = """
import sys, time
import cranfield as cf
def search(text):
    if text == "text 3":
        print("asked", flush=True)
        time.sleep(60)
    return ["d1"]
cf.retrieve({f"q{n}": f"text {n}" for n in range(9)}, search, output=sys.argv[1])
"""


def test_ctrl_c_ends_at_once_and_keeps_what_was_answered(tmp_path):
    path = str(tmp_path / "bm25.run")
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout.readline() == "asked\n"
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert time.monotonic() - began < 10
    assert list(read_log(log_path(path)).records) == ["q0", "q1", "q2"]
    assert not Path(path).exists()
