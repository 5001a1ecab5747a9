"""What the page about Spark shows, runs."""

from __future__ import annotations

import re
from pathlib import Path

import cranfield as cf
from tests.spark.click_logs import impressions
from tests.spark.collections import collection

PAGE = Path(__file__).parent.parent.parent / "docs" / "when-one-machine-is-not-enough.md"


def test_the_lines_of_the_page_run(spark, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    given = collection(20)
    spark.createDataFrame(given.judgments).createOrReplaceTempView("judged")
    spark.createDataFrame(given.run).createOrReplaceTempView("retrieved")
    lines, submitted, clicked = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names = {"spark": spark}
    exec(lines, names)
    assert capsys.readouterr().out == f"{cf.evaluate(given.judgments, given.run, ['nDCG@10', 'AP']).summary()}\n"
    assert cf.load("new.json").queries == tuple(dict.fromkeys(given.judgments["query"].to_pylist()))
    spark.createDataFrame(impressions()).createOrReplaceTempView("clicks")
    names["retrieved"] = spark.createDataFrame([("q01", "d1", 1.0)], "query string, document string, score double")
    exec(clicked, names)
    assert capsys.readouterr().out == f"{cf.clicks(impressions().to_pylist(), 'PBM')}\n"
    assert [str(measure) for measure in names["scores"].measures] == ["nDCG@10"]
    assert submitted.split("\n")[0] == "from cranfield.cli import main"
