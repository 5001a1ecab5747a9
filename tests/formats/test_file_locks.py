"""A lock on an open file."""

from cranfield.formats.file_locks import lock_file


def test_a_file_is_held_once_until_it_is_closed(tmp_path):
    (tmp_path / "log").write_text("")
    with (tmp_path / "log").open("r+b") as one, (tmp_path / "log").open("r+b") as other:
        assert lock_file(one.fileno())
        assert not lock_file(other.fileno())
        one.close()
        assert lock_file(other.fileno())
