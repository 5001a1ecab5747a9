"""`cranfield clicks models`: which click model predicts best."""

from cranfield import demo

LOG, RUN = (str(demo.path(name)) for name in ("clicks.csv", "bm25.run"))


def test_models_are_compared_at_each_rank(clicks):
    lines = clicks("models", LOG, "--model", "PBM", "--model", "DCTR", "--ranks").stdout.splitlines()
    assert lines[0] == "model\tstatistic\trank\tvalue\tlow\thigh"
    assert len([line for line in lines if line.startswith("DCTR\tperplexity\t")]) == 11
    table = clicks("models", LOG, "--model", "PBM", "--model", "DCTR", "--format", "table").stdout
    assert table.startswith("PBM predicts held-out clicks best")


def test_an_unknown_model_is_told_without_a_traceback(clicks):
    done = clicks("models", LOG, "--model", "PBN")
    assert done.exit_code == 2
    assert "There is no click model 'PBN'. Did you mean PBM" in done.stderr
    assert "Traceback" not in done.stderr
