def test_a_tally_says_how_far_a_judge_is(make_service, sender):
    service = make_service("ada", strategy="depth")
    ada = sender(service, 2)
    assert service.tally(2)[:6] == (0, 0, 0, 84, 0, 0)
    ada.work(most=12)
    tally = service.tally(2)
    assert (tally.labels, tally.today, tally.left) == (12, 12, 72)
    assert (tally.median_seconds, tally.seconds_left) == (2.0, 144.0)
    assert (tally.query_number, tally.queries) == (1, 6)
    assert tally.last_batch == {1.0: 10}
    ada.next()
    assert service.tally(2).left_here == 2
    assert service.tally(2).left == 72  # what is in hand is left too


def test_who_labels_faster_than_anybody_reads_is_told_apart(make_service, sender):
    service = make_service("ada")
    ada = sender(service, 2)
    for _ in range(3):
        assert not service.tally(2).too_fast
        service.record(2, ada.label(ada.next(), 1.0, active_ms=200))
    assert service.tally(2).too_fast


def test_nothing_is_left_when_all_is_done(make_service, sender):
    service = make_service("ada")
    sender(service, 2).work()
    assert (service.tally(2).left, service.cards(2, "tab")) == (0, [])
