import os

from cranfield.assessing.store.owner import Owner, OwnerLock


def test_a_lock_has_one_owner_until_it_is_released(tmp_path):
    first, second = OwnerLock(tmp_path / "lock"), OwnerLock(tmp_path / "lock")
    assert first.take() is None
    first.announce("http://127.0.0.1:8765")
    owner = second.take()
    assert (owner.pid, owner.address) == (os.getpid(), "http://127.0.0.1:8765")
    first.release()
    assert not (tmp_path / "lock").exists()
    assert second.take() is None
    second.release()


def test_a_lock_that_somebody_left_behind_is_free(tmp_path):
    (tmp_path / "lock").write_text('{"host": "gone", "pid": 1}')
    lock = OwnerLock(tmp_path / "lock")
    assert lock.take() is None
    lock.release()


def test_whoever_holds_it_need_not_say_who_they_are(tmp_path):
    first = OwnerLock(tmp_path / "lock")
    first.take()
    (tmp_path / "lock").write_text("no owner")
    assert OwnerLock(tmp_path / "lock").take() == Owner("", 0)
    first.release()


def test_to_release_what_nobody_holds_does_nothing(tmp_path):
    lock = OwnerLock(tmp_path / "lock")
    lock.release()
    lock.announce("nowhere")
    assert not (tmp_path / "lock").exists()
