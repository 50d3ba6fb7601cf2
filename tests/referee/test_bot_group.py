"""Groups of cgroup v2 for bots: where they are, and those that no guardian owns any more."""

import os
import subprocess
import sys

import pytest

from referee.process import bot_group
from referee.project import PROJECT

UNIFIED = "30 24 0:27 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw"
HYBRID = "42 31 0:36 / /sys/fs/cgroup/unified rw - cgroup2 none rw"
OLD = "33 31 0:28 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu"
INNER = "30 24 0:27 /docker/ab /sys/fs/cgroup ro - cgroup2 cgroup rw"
SCOPE = "0::/user.slice/user-1000.slice/session-2.scope"


@pytest.mark.parametrize(
    ("groups", "mounts", "folder"),
    [
        (SCOPE, UNIFIED, "/sys/fs/cgroup/user.slice/user-1000.slice/session-2.scope"),
        ("4:memory:/x\n0::/", f"{OLD}\n{HYBRID}", "/sys/fs/cgroup/unified"),
        ("0::/", OLD, ""),
        ("0::/docker/ab/c", INNER, "/sys/fs/cgroup/c"),
        # Of another container
        ("0::/docker/cd", INNER, ""),
    ],
)
def test_the_folder_of_a_group(groups, mounts, folder):
    assert bot_group.find_group(groups, mounts) == folder


JOINS = """\
import os, subprocess, sys
from referee.process import bot_group
assert bot_group.join(sys.argv[1]) is not None
os.makedirs(sys.argv[1] + "/onefile-1/onefile-2")
subprocess.Popen(["sleep", "60"], stdout=subprocess.DEVNULL)
os.execv("/bin/sh", ["sh", "-c", "echo; sleep 60"])
"""


@pytest.mark.skipif(
    not bot_group.new_group(),
    reason="this user may make no group of cgroup v2: see `onefile doctor`",
)
def test_an_abandoned_group_is_ended(tmp_path):
    """A group without a lock is ended with its processes and those in it; a locked one stays."""
    abandoned, owned = bot_group.new_group(), bot_group.new_group()
    words = [sys.executable, "-c", JOINS, abandoned]
    with subprocess.Popen(words, cwd=PROJECT, stdout=subprocess.PIPE) as process:
        child = os.fork()
        if child == 0:
            # The lock goes with the process.
            is_owned = bot_group.join(owned) is not None
            process.stdout.readline()
            bot_group.clean_up(os.path.dirname(owned))
            is_owned = is_owned and os.path.isdir(owned) and not os.path.exists(abandoned)
            bot_group.leave(owned)
            os._exit(0 if is_owned and not os.path.exists(owned) else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert process.wait() != 0


@pytest.mark.parametrize("name", ["", "no-such-group", "folder"])
def test_a_group_that_cannot_be_made(name, tmp_path):
    """A folder that is no group is refused, and nothing is written or left."""
    group = name and str(tmp_path / name)
    assert bot_group.join(group) is None
    bot_group.leave(group)
    bot_group.end(group)
    bot_group.clean_up(str(tmp_path / "no-such-folder"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("controllers", "has_processes", "is_made"),
    [("", True, True), ("cpu memory\n", True, False), ("", False, False)],
)
def test_a_group_is_made_where_processes_may_join_it(
    controllers, has_processes, is_made, tmp_path, monkeypatch
):
    """Not below a group that hands controllers down: they would share its CPU time otherwise."""
    (tmp_path / "cgroup.subtree_control").write_text(controllers)
    if has_processes:
        (tmp_path / "cgroup.procs").touch()
    monkeypatch.setattr(bot_group, "own_group", lambda: str(tmp_path))
    assert bot_group.new_group().startswith(f"{tmp_path}/{bot_group.PREFIX}") == is_made
    monkeypatch.setattr(bot_group, "own_group", lambda: "")
    assert bot_group.new_group() == ""
