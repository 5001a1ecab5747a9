from pathlib import Path

import pytest

from cranfield.assessing.store.filesystem import is_shared

MOUNTS = """\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:27 / /tmp rw - tmpfs tmpfs rw
41 22 0:50 / /home rw shared:2 - nfs4 server:/home rw
42 41 254:3 / /home/local rw - ext4 /dev/vdb rw
43 22 0:51 / /mnt/team\\040drive rw - cifs //server/team rw
44 22 0:52 / /host rw - fuse.sshfs host:/ rw
45 22 0:53 / /host rw - ext4 /dev/vdc rw
nonsense
"""


@pytest.mark.parametrize(
    ("path", "shared"),
    [
        ("/srv/judging.db", False),
        ("/tmp/judging.db", False),
        ("/home/ada/judging.db", True),
        ("/homework/judging.db", False),
        ("/home/local/judging.db", False),
        ("/mnt/team drive/judging.db", True),
        ("/host/judging.db", False),
    ],
)
def test_the_mount_that_a_path_is_on_decides(path, shared):
    assert is_shared(Path(path), MOUNTS) is shared


def test_this_very_system_can_be_asked(tmp_path):
    assert is_shared(tmp_path / "judging.db") in (True, False)


def test_a_system_that_does_not_tell_is_taken_for_local(tmp_path, monkeypatch):
    monkeypatch.setattr("cranfield.assessing.store.filesystem.MOUNTS", tmp_path / "missing")
    assert is_shared(tmp_path) is False
