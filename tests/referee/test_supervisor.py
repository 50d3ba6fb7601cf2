"""After any kill, and for anything a bot leaves behind, no process and no folder remains."""

import os
import random
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress

import pytest

from referee.log.file import read_log
from referee.process import bot_folders
from referee.process.bot_process import (
    CHUNK,
    FAREWELL_MS,
    SHORT,
    BotProcess,
    end_gracefully,
    read_pipe,
)
from referee.process.procfs import children, descendants
from referee.process.supervisor import FILE_BYTES, MEMORY_BYTES
from referee.process.supervisor_pool import supervisors
from referee.project import PROJECT
from tests.referee.conftest import TOY
from tests.referee.test_hostile_bots import DAEMON
from tests.support.waiting import wait_for


def test_all_kinds_of_content_are_removed(tmp_path):
    """Links are not followed; unreadable files and folders are removed as well."""
    kept = tmp_path / "kept"
    kept.write_text("")
    folder = tmp_path / "folder"
    (folder / "a" / "b" / "c").mkdir(parents=True)
    (folder / "a" / "file").write_text("")
    (folder / "a" / "b" / "link").symlink_to(tmp_path)
    (folder / "out").symlink_to(kept)
    (folder / "a" / "b").chmod(0)
    bot_folders.remove(str(folder))
    assert not folder.exists() and kept.exists()


@pytest.fixture
def match_of(toy, tmp_path):
    """match_of(bot, bot) starts a match in the temporary folder tmp_path/folders."""
    (tmp_path / "folders").mkdir()
    running = []

    def start(*bots):
        command = [sys.executable, "-m", "referee", "match", toy.name, *bots, "--limits", "off"]
        environment = {**os.environ, "TMPDIR": str(tmp_path / "folders")}
        running.append(
            subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL)
        )
        return running[-1]

    yield start
    for match in running:
        match.kill()
        match.wait()


SPINS = "while True: time.sleep(0.1)"


def test_a_daemon_dies_with_a_referee_that_is_killed(
    match_of, write_bot, tmp_path, processes_naming
):
    """Even a daemon with a session of its own, without parent or environment, dies."""
    bot = write_bot(DAEMON + SPINS)
    match = match_of(bot, bot)
    # The match, the bots and their daemons.
    wait_for(lambda: len(processes_naming(bot.split()[-1])) == 5)
    match.kill()
    match.wait()
    wait_for(lambda: processes_naming(tmp_path) == [])
    # The supervisors remove them when the last process has ended.
    wait_for(lambda: list((tmp_path / "folders").iterdir()) == [])


def test_the_next_start_removes_folders_of_the_dead(
    match_of, write_bot, tmp_path, processes_naming
):
    """Folders of a referee killed with all its processes are removed, those of a live one are
    not.
    """
    bot, other = write_bot(SPINS), write_bot(SPINS, "other")
    left = tmp_path / "folders"
    match = match_of(bot, bot)
    wait_for(lambda: len(processes_naming(bot.split()[-1])) == 3)
    alive = match_of(other, other)
    wait_for(lambda: len(processes_naming(other.split()[-1])) == 3)
    everything = [match.pid, *descendants(match.pid)]
    # Stopped from the top, killed from the bottom: a process that loses its parent is woken to
    # clean up.
    for end, order in ((signal.SIGSTOP, everything), (signal.SIGKILL, everything[::-1])):
        for pid in order:
            with suppress(ProcessLookupError):  # one that has already ended
                os.kill(pid, end)
    match.wait()
    wait_for(lambda: processes_naming(bot.split()[-1]) == [])
    assert len(list(left.iterdir())) == 4
    third = match_of(other, other)
    wait_for(lambda: len(processes_naming(other.split()[-1])) == 6)
    assert len(list(left.iterdir())) == 4
    for one in (alive, third):
        one.send_signal(signal.SIGINT)
        assert one.wait(timeout=180) == 130
    assert list(left.iterdir()) == []


def test_a_supervisor_that_is_killed(play, write_bot, good_bot, processes_naming):
    """Even the bot's daemon is ended; the next match has another supervisor."""
    bot = write_bot(f"{DAEMON}input()\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(60)")
    assert "turn 0: was killed by SIGKILL" in play(bot, good_bot).outcome.reason
    wait_for(lambda: processes_naming(bot.split()[-1]) == [])
    assert play(good_bot, good_bot).outcome.scores == [15.0, 15.0]


def test_the_nursery_ends_with_its_referee(match_of, good_bot, processes_naming):
    """It ends also after a normal end of the referee."""
    match = match_of(good_bot, good_bot)
    nurseries = []
    while match.poll() is None:
        nurseries = children(match.pid) or nurseries
        time.sleep(0.005)
    assert nurseries
    wait_for(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in nurseries))


def test_a_referee_that_is_told_to_end_while_it_starts_a_bot(tmp_path, monkeypatch):
    """No folder is left either."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def end(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(supervisors, "start", end)
    with pytest.raises(KeyboardInterrupt):
        BotProcess(["cat"], {})
    assert list(tmp_path.iterdir()) == []


def test_supervisors_are_used_again(play, good_bot):
    """Consecutive matches start no new ones."""
    play(good_bot, good_bot, good_bot)
    before = children(supervisors.nursery.process.pid)
    play(good_bot, good_bot, good_bot)
    assert children(supervisors.nursery.process.pid) == before != []


def test_a_bot_that_ends_before_its_start_is_heard_of(monkeypatch):
    """The referee still reads the bot's exit, instead of waiting for an answer up to the limit."""
    receive = socket.socket.recv

    def late(channel, *arguments):
        time.sleep(0.05)
        return receive(channel, *arguments)

    monkeypatch.setattr(socket.socket, "recv", late)
    with BotProcess(["true"], {}) as process:
        assert select.select([process.status], [], [], 5.0)[0]


@pytest.mark.parametrize("is_apart", [False, True])
def test_the_session_of_a_bot(is_apart, write_bot):
    """It is the referee's, or one of its own for a fair share of a core; the group is its own."""
    code = "print(os.getsid(0), os.getpgid(0), os.getpid(), flush=True); input()"
    with BotProcess(write_bot(code).split(), {}, is_apart=is_apart) as process:
        said = []
        wait_for(lambda: said.append(read_pipe(process.stdout)) or said[-1])
        session, group, pid = map(int, said[-1].split())
    assert pid == group == process.pid
    assert session == (pid if is_apart else os.getsid(0))


OPENS_THE_TERMINAL = """\
def terminal():
    try: os.close(os.open("/dev/tty", os.O_RDWR))
    except OSError: return "none"
    return "there"
for line in turns():
    say("1", terminal())
"""
IN_A_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(int(sys.argv[1]), termios.TIOCSCTTY, 0);"
    " os.close(os.open('/dev/tty', os.O_RDWR)); os.execv(sys.executable, sys.argv[2:])"
)


def test_a_bot_has_no_terminal(write_bot, tmp_path):
    """Although it is in the session of a referee that has one."""
    master, slave = os.openpty()
    bot, log = write_bot(OPENS_THE_TERMINAL), tmp_path / "log"
    match = [sys.executable, "-m", "referee", "match", TOY, bot, bot, "--serial", "--log", log]
    words = [sys.executable, "-c", IN_A_TERMINAL, slave, *match, "--clock", "cpu"]
    done = subprocess.run(
        list(map(str, words)),
        cwd=PROJECT,
        start_new_session=True,
        pass_fds=[slave],
        capture_output=True,
        text=True,
    )
    os.close(master), os.close(slave)
    assert done.returncode == 0, done.stderr
    said = [part.output[1] for turn in read_log(log).turns for part in turn.players.values()]
    assert set(said) == {"none"}


@pytest.mark.parametrize(
    ("command", "how"),
    [
        # Python ignores these: a bot that inherited that would run on when the reader of its pipe
        # has ended, or past its largest file.
        ("kill -PIPE $$; exit 3", "was killed by SIGPIPE"),
        ("kill -XFSZ $$; exit 3", "was killed by SIGXFSZ"),
        # The smallest and the largest status by which a shell tells the signal of its child, and
        # their neighbours
        ("exit 128", "exited with status 128"),
        ("exit 129", "was killed by SIGHUP"),
        ("exit 159", "was killed by SIGSYS"),
        ("exit 160", "exited with status 160"),
    ],
)
def test_how_a_bot_ended(command, how):
    with BotProcess(["/bin/sh", "-c", command], {}) as process:
        select.select([process.status], [], [], 20.0)
        assert process.how_it_ended() == how


@pytest.mark.parametrize(
    ("what", "most"), [("core file", 0), ("data", MEMORY_BYTES), ("file", FILE_BYTES)]
)
def test_the_kernels_limits_of_a_bot(what, most):
    """Soft and hard ones."""
    with BotProcess(["grep", f"Max {what} size", "/proc/self/limits"], {}) as process:
        select.select([process.status], [], [], 20.0)
        assert read_pipe(process.stdout).split()[-3:-1] == [b"%d" % most] * 2


def test_a_farewell_is_short():
    """A bot may end by itself; nobody waits longer for another that ignores the end of its
    input, and not at all without such a bot.
    """
    with BotProcess(["sleep", "60"], {}) as deaf, BotProcess(["cat"], {}) as cat:
        began = time.perf_counter()
        end_gracefully([deaf, cat])
        assert FAREWELL_MS / 1000 <= time.perf_counter() - began < 20
        assert cat.how_it_ended() == "exited with status 0" and deaf.stdin < 0


def test_the_content_of_a_pipe_is_read_at_once():
    """Answers as long as one read, longer, and as long as a pipe's capacity."""
    output, its_end = os.pipe()
    os.set_blocking(output, False)
    assert read_pipe(output) is None
    for n_bytes in (1, SHORT - 1, SHORT, SHORT + 1, CHUNK):
        data = random.Random(n_bytes).randbytes(n_bytes)
        os.write(its_end, data)
        assert read_pipe(output) == data and read_pipe(output) is None
    os.close(its_end)
    assert read_pipe(output) == b""
    os.close(output)
