"""Whatever is killed, and whatever a bot leaves behind: no process and no folder stays."""

import os
import select
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest

from referee.errors import UsageError
from referee.log.limits import TurnLimits
from referee.process import bot_folders
from referee.process.bot_process import BotProcess
from referee.process.procfs import children, descendants, stat
from referee.process.supervisor_pool import supervisors
from referee.project import PROJECT
from tests.referee.test_hostile_bots import DAEMON
from tests.referee.test_match import wait_for

NESTED = """\
for turn, line in enumerate(turns()):
    for _ in range({depth} * (turn == 0)):
        os.mkdir("deeper"); os.chdir("deeper")
    say("1", "x")
"""


def test_folders_nested_deeper_than_python_recurses(play, write_bot, good_bot):
    """They are removed; `play` sees that none is left."""
    log = play(write_bot(NESTED.format(depth=1100)), good_bot)
    assert log.outcome.scores == [5.0, 15.0]


def test_whatever_lies_in_a_folder_is_removed(tmp_path):
    """Links are not followed; what nobody may read or enter is removed as well."""
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
# In a bot: the parent of its parent.
GUARDIAN = "int(open(f'/proc/{os.getppid()}/stat').read().rpartition(')')[2].split()[1])"


def test_a_daemon_dies_with_a_referee_that_is_killed(
    match_of, write_bot, tmp_path, processes_naming
):
    """Though it has a session of its own, no parent and no environment."""
    bot = write_bot(DAEMON + SPINS)
    match = match_of(bot, bot)
    # The match, the bots and their daemons.
    wait_for(lambda: len(processes_naming(bot.split()[-1])) == 5)
    match.kill()
    match.wait()
    wait_for(lambda: processes_naming(tmp_path) == [])
    # The supervisors remove them when the last process is gone.
    wait_for(lambda: list((tmp_path / "folders").iterdir()) == [])


def test_the_next_start_removes_folders_of_the_dead(
    match_of, write_bot, tmp_path, processes_naming
):
    """Those of a referee that was killed with all it had started, and not those of one that
    lives.
    """
    bot, other = write_bot(SPINS), write_bot(SPINS, "other")
    left = tmp_path / "folders"
    match = match_of(bot, bot)
    wait_for(lambda: len(processes_naming(bot.split()[-1])) == 3)
    alive = match_of(other, other)
    wait_for(lambda: len(processes_naming(other.split()[-1])) == 3)
    everything = [match.pid, *descendants(match.pid)]
    # Stopped from the top, killed from the bottom: whoever loses its parent is woken to clean up.
    for end, order in ((signal.SIGSTOP, everything), (signal.SIGKILL, everything[::-1])):
        for pid in order:
            with suppress(ProcessLookupError):  # one that has ended by itself
                os.kill(pid, end)
    match.wait()
    wait_for(lambda: processes_naming(bot.split()[-1]) == [])
    assert len(list(left.iterdir())) == 4
    third = match_of(other, other)
    wait_for(lambda: len(processes_naming(other.split()[-1])) == 6)
    assert len(list(left.iterdir())) == 4
    for one in (alive, third):
        one.send_signal(signal.SIGINT)
        assert one.wait(timeout=20) == 130
    assert list(left.iterdir()) == []


def test_a_bot_that_kills_its_keeper_leaves_nothing(play, write_bot, good_bot, processes_naming):
    """Not even a daemon; the next match has another supervisor."""
    code = DAEMON + "input()\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(60)"
    bot = write_bot(code)
    for _ in range(2):
        reason = play(bot, good_bot).outcome.reason
        assert "turn 0: was killed by SIGKILL, having killed its parent" in reason
        assert processes_naming(bot.split()[-1]) == []
    assert play(good_bot, good_bot).outcome.scores == [15.0, 15.0]


def test_a_bot_that_kills_the_guardian(play, write_bot, good_bot, processes_naming):
    """Its supervisors end all bots; the next match has another guardian."""
    bot = write_bot(f"{DAEMON}input()\nos.kill({GUARDIAN}, signal.SIGKILL)\ntime.sleep(60)")
    reason = play(bot, good_bot).outcome.reason
    assert "was killed by SIGKILL" in reason
    assert processes_naming(bot.split()[-1]) == []
    assert play(good_bot, good_bot).outcome.scores == [15.0, 15.0]


def test_a_bot_that_stops_its_supervisors(play, write_bot, good_bot):
    """They go on when they are needed."""
    for whom in ("os.getppid()", GUARDIAN):
        bot = write_bot(f"input()\nos.kill({whom}, signal.SIGSTOP)\nsys.exit(3)")
        play(bot, good_bot, warmup_s=1.0)
        assert play(good_bot, good_bot, good_bot).outcome.scores == [15.0] * 3


def test_a_guardian_ends_with_its_referee(match_of, good_bot, processes_naming):
    """Also where all went well: nothing waits for the next match of a process that is gone."""
    match = match_of(good_bot, good_bot)
    guardians = []
    while match.poll() is None:
        guardians = children(match.pid) or guardians
        time.sleep(0.005)
    assert guardians
    wait_for(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in guardians))


STOPS = f"os.kill({GUARDIAN}, signal.SIGSTOP)\n"


@pytest.mark.parametrize("code", [STOPS + SPINS, "while True: " + STOPS], ids=["once", "always"])
def test_a_guardian_that_a_bot_stops_ends_with_its_referee(code, match_of, write_bot):
    """And its supervisors, also where the referee is killed."""
    bot = write_bot(code)
    match = match_of(bot, bot)
    wait_for(lambda: any(stat(pid)[0] == b"T" for pid in children(match.pid)))
    left = descendants(match.pid)
    match.kill()
    match.wait()
    wait_for(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in left))


DIES = """\
import os, signal, socket, tempfile
from referee.process import bot_folders
from referee.process.supervisor_pool import Supervisor
from referee.process.bot_process import BotProcess
bot = BotProcess(["cat"], {})
start = Supervisor.start
def start_stopped(supervisor, *order):
    os.kill(supervisor.pid, signal.SIGSTOP)
    return start(supervisor, *order)
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
"""
MOMENTS = {
    "before a supervisor has the folder": (
        "bot_folders.lock(tempfile.mkdtemp(prefix=bot_folders.PREFIX))\ndie()"
    ),
    "before a supervisor tells of the bot": (
        "Supervisor.start, socket.socket.recv = start_stopped, die\nBotProcess(['cat'], {})"
    ),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_referee_that_is_killed_while_it_starts_a_bot(moment, tmp_path):
    """No folder is left behind, no process, and not a word."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    words = [sys.executable, "-c", DIES + MOMENTS[moment]]
    with (tmp_path.parent / "said").open("w+b") as said:
        died = subprocess.run(words, cwd=PROJECT, env=environment, stderr=said)
        assert died.returncode == -signal.SIGKILL
        wait_for(lambda: not list(tmp_path.iterdir()) and not runs_in(tmp_path))
        said.seek(0)
        assert said.read() == b""


def runs_in(folder):
    """Whether a process has a folder below this one for its home."""
    for file in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if f"HOME={folder}/".encode() in file.read_bytes():
                return True
    return False


@pytest.mark.parametrize("exception", [SystemExit, KeyboardInterrupt])
def test_a_referee_that_is_told_to_end_while_it_starts_a_bot(exception, tmp_path, monkeypatch):
    """It leaves no folder behind either."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def end(*_):
        raise exception

    monkeypatch.setattr(supervisors, "start", end)
    with pytest.raises(exception):
        BotProcess(["cat"], {})
    assert list(tmp_path.iterdir()) == []


def test_keepers_are_used_again(play, good_bot):
    """A match after the other needs no more of them."""
    play(good_bot, good_bot, good_bot)
    before = children(supervisors.guardian.process.pid)
    play(good_bot, good_bot, good_bot)
    assert children(supervisors.guardian.process.pid) == before


def test_a_keeper_is_free_of_what_its_last_bot_did(write_bot):
    """A signal to it that came too late, and the folder that it stood in."""
    with BotProcess(write_bot("os.kill(os.getppid(), signal.SIGTERM)").split(), {}) as process:
        time.sleep(0.2)
        folder = process.folder
    assert not os.path.exists(folder)
    with BotProcess(write_bot("print(os.getcwd(), flush=True); input()").split(), {}) as process:
        time.sleep(0.3)
        assert os.read(process.stdout, 1000).decode().strip() == process.folder


def test_a_referee_inside_a_referee(play, write_bot, good_bot, toy, tmp_path, processes_naming):
    """Its supervisors are below ours: each ends its own bots, and ours end all."""
    path = str(PROJECT)
    inner = [sys.executable, "-m", "referee", "serve", toy.name, "-p1", good_bot, "-p2", good_bot]
    code = f"""\
import subprocess
def scores():
    environment = {{**os.environ, "PYTHONPATH": {path!r}}}
    said = subprocess.run({inner!r}, env=environment, capture_output=True, text=True)
    return 5 if said.stdout == "0\\n0\\n" else -5
for turn, line in enumerate(turns()):
    say(str(scores() if turn == 0 else 0), 'x')
"""
    log = play(write_bot(code, "outer"), good_bot, limits=TurnLimits.read("30000", toy.limits))
    assert log.outcome.scores == [5.0, 15.0]
    hangs = write_bot(SPINS, "hangs")
    code = code.replace(repr(good_bot), repr(hangs))
    outer = write_bot(code, "outer")
    log = play(outer, good_bot)
    assert "no complete answer within" in log.outcome.reason
    assert processes_naming(tmp_path) == []


def test_an_error_of_the_system_names_the_program(tmp_path):
    """What is no program for it, though it may be executed."""
    script = tmp_path / "script"
    script.write_text("echo 1\n")
    script.chmod(0o755)
    with pytest.raises(UsageError, match=r"cannot start .*script: Exec format error"):
        BotProcess([str(script)], {})


def test_folders_are_made_in_the_temporary_folder(write_bot, monkeypatch, tmp_path):
    """Under the prefix by which the abandoned ones are known."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with BotProcess(shlex.split(write_bot("input()")), {}) as process:
        assert os.path.basename(process.folder).startswith(bot_folders.PREFIX)
        assert os.path.dirname(process.folder) == str(tmp_path)


def test_a_bot_that_ends_before_its_start_is_heard_of(monkeypatch):
    """Its end stays to be read: else its answer would be waited for as long as the limit allows."""
    receive = socket.socket.recv

    def late(channel, *arguments):
        time.sleep(0.05)
        return receive(channel, *arguments)

    monkeypatch.setattr(socket.socket, "recv", late)
    with BotProcess(["true"], {}) as process:
        assert select.select([process.status], [], [], 5.0)[0]


HALF_AN_ORDER = """\
import os, socket
from referee.process.supervisor import HEADER_BYTES
from referee.process.supervisor_pool import supervisors
supervisor = supervisors.acquire()
socket.send_fds(supervisor.channel, [(100).to_bytes(HEADER_BYTES, "little")], [0, 1, 2])
supervisor.channel.send(b"half")
os._exit(0)
"""


def test_a_referee_that_is_killed_while_it_gives_an_order(tmp_path):
    """Its supervisor ends without a word."""
    said = tmp_path / "said"
    with said.open("w") as stderr:
        # Not a pipe: the supervisor has it, too, and what it says comes when its referee is gone.
        subprocess.run(
            [sys.executable, "-c", HALF_AN_ORDER], cwd=PROJECT, stderr=stderr, check=True
        )
    time.sleep(0.5)
    assert said.read_text() == ""
