from cranfield.compat.trec_eval import trec_eval


def test_help_tells_every_option_and_the_measures_asked_for():
    told = trec_eval(["-h", "-m", "map", "-m", "ndcg_cut"]).output.decode()
    for option in ("-q", "-n", "-m", "-c", "-l", "-M", "-J", "-N", "-R", "-T", "-Z", "-D", "-o", "-v", "-h", "--like"):
        assert f"\n  {option}" in told
    assert "map is AP" in told
    assert "ndcg_cut is nDCG" in told
    assert "map is" not in trec_eval(["--help"]).output.decode()
