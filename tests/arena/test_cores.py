"""The cores that a program of a remote worker is pinned to."""

import os

from referee.arena.cluster import remote_worker


def test_programs_share_cores_only_where_there_are_more_of_them_than_cores(tmp_path, monkeypatch):
    """Jobs without a cluster share cores alike; a core is free again once its locks are closed."""
    monkeypatch.setattr(remote_worker.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(remote_worker.os, "sched_getaffinity", lambda _: {3, 5})
    taken = [remote_worker.lock_cores(1) for _ in range(4)]
    try:
        assert [cores for cores, _ in taken] == [{3}, {5}, {3}, {5}]
        for lock in taken[1][1]:
            os.close(lock)
        taken[1] = remote_worker.lock_cores(1)
        assert taken[1][0] == {5}
        both, locks = remote_worker.lock_cores(2)
        taken.append((both, locks))
        assert both == {3, 5}
        more, locks = remote_worker.lock_cores(3)
        taken.append((more, locks))
        assert more == {3, 5}
    finally:
        for _, locks in taken:
            for lock in locks:
                os.close(lock)
