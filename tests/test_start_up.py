"""What is loaded before the work begins: nobody waits for what their call does not need."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import NamedTuple

import pytest

QRELS = "q1 0 d1 1\nq1 0 d2 0\n"
THREADS = "OPENBLAS_NUM_THREADS"
RUN = "q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 1.5 bm25\n"

NOT_FOR_TEXT_FILES = {
    *("bz2", "lzma", "gzip", "tempfile", "shutil", "json", "difflib", "decimal", "importlib.metadata", "hashlib"),
    *("cranfield.errors.clicks", "cranfield.errors.labels", "cranfield.errors.assessing"),
    *("cranfield.formats.arrow", "cranfield.formats.memory", "cranfield.formats.json_object"),
    *(
        "cranfield.evaluating.bounds",
        "cranfield.explaining",
        "cranfield.evaluating.profile_differences",
        "cranfield.compat",
        "cranfield.data.request_log",
        "cranfield.show.paper",
    ),
}


@pytest.fixture
def files(tmp_path):
    """The arguments that name judgments and a run."""
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "bm25.run").write_text(RUN)
    return [str(tmp_path / "qrels.txt"), str(tmp_path / "bm25.run")]


class Process(NamedTuple):
    """What a process had at its end."""

    modules: set[str]
    environment: dict[str, str]


def after(code: str, **environment: str) -> Process:
    """A new process in which some lines have run; nothing is said about threads unless here."""
    tell = """
loaded = sorted(sys.modules)
import json, os
print()
print(json.dumps([loaded, dict(os.environ)]))
"""
    usual = {name: value for name, value in os.environ.items() if name != THREADS}
    command = [sys.executable, "-c", f"import sys\n{code}\n{tell}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**usual, **environment})
    modules, left = json.loads(done.stdout.splitlines()[-1])
    return Process(set(modules), left)


def after_command(*arguments: str, **environment: str) -> Process:
    """The same, where the command has run."""
    code = f"""
from cranfield.cli import main
sys.argv = ["cranfield", *{list(arguments)}]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
"""
    return after(code, **environment)


def libraries(process: Process) -> set[str]:
    """Which other projects' packages were loaded; what every interpreter here loads anyway does not count."""
    packages = {name.partition(".")[0] for name in process.modules - after("").modules}
    own = {"cranfield", "cython_runtime", *sys.stdlib_module_names}
    return {name for name in packages - own if not name.startswith("_")}


def test_importing_the_package_loads_no_other_library():
    assert libraries(after("import cranfield")) == set()


def test_importing_the_package_loads_none_of_its_modules():
    found = after("import cranfield").modules
    assert {name for name in found if name.startswith("cranfield")} == {"cranfield"}


def test_evaluating_in_python_loads_numpy_only():
    code = 'import cranfield as cf; cf.evaluate({"q": {"d": 1}}, {"q": ["d"]}, "AP").mean("AP")'
    assert libraries(after(code)) == {"numpy"}


def test_a_judging_project_without_its_pages_loads_numpy_only():
    code = "import cranfield.assessing.service, cranfield.assessing.store.sqlite, cranfield.assessing.opening"
    assert libraries(after(code)) == {"numpy"}


def test_printing_a_summary_in_python_loads_rich_too():
    code = 'import cranfield as cf; print(cf.evaluate({"q": {"d": 1}}, {"q": ["d"]}, "AP"))'
    assert libraries(after(code)) == {"numpy", "rich"}


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["evaluate", "--help"], ["gate", "--help"]])
def test_help_loads_click_only(arguments):
    assert libraries(after_command(*arguments)) == {"click"}


def test_help_loads_no_command():
    found = after_command("--help").modules
    assert {name for name in found if name.startswith("cranfield.")} == {
        "cranfield.cli",
        "cranfield.cli.streams",
        "cranfield.version",
    }


@pytest.mark.parametrize("form", ["tsv", "csv", "json", "jsonl", "markdown", "latex"])
def test_the_command_evaluates_with_click_and_numpy_only(files, form):
    assert libraries(after_command("evaluate", *files, "--format", form)) == {"click", "numpy"}


def test_a_table_for_a_person_loads_rich_too(files):
    assert libraries(after_command("evaluate", *files, "--format", "table")) == {"click", "numpy", "rich"}


def test_evaluating_text_files_loads_nothing_that_other_files_or_questions_need(files):
    evaluated = after_command("evaluate", *files, "--format", "tsv").modules
    assert "cranfield.formats.trec" in evaluated
    assert evaluated & NOT_FOR_TEXT_FILES - after("import click, numpy").modules == set()


@pytest.mark.parametrize("form", ["tsv", "table", "json"])
def test_a_curve_without_a_figure_loads_click_and_numpy_only(files, form):
    assert libraries(after_command("curve", *files, "--format", form)) == {"click", "numpy"}


def test_a_figure_loads_no_pyplot(files, tmp_path):
    loaded = after_command("curve", *files, "-o", str(tmp_path / "figure.svg")).modules
    assert "matplotlib.figure" in loaded
    assert "matplotlib.pyplot" not in loaded


def test_a_parquet_file_loads_pyarrow_too(files, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table({"query": ["q1"], "document": ["d1"], "score": [2.5]})
    parquet.write_table(table, tmp_path / "bm25.parquet")
    loaded = libraries(after_command("evaluate", files[0], str(tmp_path / "bm25.parquet"), "--format", "tsv"))
    # pyarrow loads cloudpickle where that is installed; and pandas, unless its arrays become NumPy's in other ways.
    assert loaded - {"cloudpickle"} == {"click", "numpy", "pyarrow"}


def test_the_command_has_numpy_start_no_threads(files):
    assert after_command("evaluate", *files).environment[THREADS] == "1"


def test_a_number_of_threads_that_the_user_chose_stays(files):
    assert after_command("evaluate", *files, **{THREADS: "3"}).environment[THREADS] == "3"


def test_the_library_leaves_the_environment_as_it_was():
    code = 'import cranfield as cf; cf.evaluate({"q": {"d": 1}}, {"q": ["d"]}, "AP").mean("AP")'
    assert after(code).environment == after("").environment


def test_the_script_runs_what_was_left_for_the_end_and_then_frees_nothing():
    code = """
import atexit, sys, threading
from cranfield.cli import script
class Freed:
    def __del__(self): print("freed")
kept = Freed()
kept.itself = kept
atexit.register(print, "at the end")
sys.argv = ["cranfield", "--version"]
script()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1:] == ["at the end"]


@pytest.mark.parametrize(
    ("arguments", "code"), [(["--version"], 0), (["evaluate", "--no-such"], 2), (["evaluate", "no.qrels", "no.run"], 3)]
)
def test_the_script_ends_with_the_code_of_the_command(arguments, code):
    line = f"import sys; from cranfield.cli import script; sys.argv = ['cranfield', *{arguments}]; script()"
    assert subprocess.run([sys.executable, "-c", line], capture_output=True).returncode == code


def test_the_script_waits_for_threads():
    code = """
import sys, threading, time
from cranfield.cli import script
threading.Thread(target=lambda: (time.sleep(0.2), print("waited"))).start()
sys.argv = ["cranfield", "--version"]
script()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1:] == ["waited"]
