"""`cranfield mcp`, as an assistant starts it."""

import json
import subprocess
import sys

from click.testing import CliRunner

from cranfield.cli import cranfield


def test_every_line_of_standard_output_is_an_answer(tmp_path):
    lines = [
        {"id": 1, "method": "initialize"},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    ]
    done = subprocess.run(
        [sys.executable, "-c", "from cranfield.cli import main; main()", "mcp", "--root", str(tmp_path)],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        check=True,
    )
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 2]
    assert done.stderr == ""


def test_a_folder_that_is_not_there_is_wrong_usage(tmp_path):
    result = CliRunner().invoke(cranfield, ["mcp", "--root", str(tmp_path / "nowhere")])
    assert result.exit_code == 2
    assert "does not exist" in result.output
