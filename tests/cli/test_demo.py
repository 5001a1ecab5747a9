"""`cranfield demo`: the tour, and the files to play with."""


def test_the_tour_shows_what_it_runs_and_what_to_try_next(cranfield):
    done = cranfield("demo")
    assert done.returncode == 0, done.stderr
    for command in ("evaluate", "explain", "check"):
        assert f"$ cranfield {command}" in done.stdout
    assert "hybrid" in done.stdout
    assert "Try next" in done.stdout
    assert "Traceback" not in done.stderr


def test_the_collection_can_be_written_out_and_used(cranfield, folder):
    assert cranfield("demo", "--write", "garden").returncode == 0
    done = cranfield("evaluate", "garden/qrels.txt", "garden/hybrid.run", "-m", "nDCG@10", "--quiet")
    assert done.stdout.startswith("run\tmeasure")
    assert (folder / "garden" / "clicks.csv").exists()


def test_files_of_ones_own_are_not_overwritten(cranfield, folder):
    (folder / "garden").mkdir()
    (folder / "garden" / "qrels.txt").write_text("mine\n")
    done = cranfield("demo", "--write", "garden")
    assert done.returncode == 2
    assert "qrels.txt" in done.stderr
    assert (folder / "garden" / "qrels.txt").read_text() == "mine\n"
