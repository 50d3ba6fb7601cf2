"""Arenas on real schedulers: workers that die, join late, run another version or lack a program,
and a scheduler that is killed.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack

import pytest

from referee.arena.cluster.keys import make_key
from referee.project import PROJECT
from tests.arena.conftest import TOY, free_port
from tests.arena.test_run import rows
from tests.support.waiting import wait_for

pytest.importorskip("distributed", reason="dask's scheduler is not installed")

# Reports the folders of itself and its helper module, and plays.
MAIN = "import sys, helper\nprint(__file__, helper.__file__, file=sys.stderr)\nhelper.play()\n"
HELPER = """\
def play():
    input(), input()
    while True:
        input()
        print(1)
        print("word", flush=True)
"""


@pytest.fixture(scope="module")
def dask():
    """dask(arguments..., cwd, env) starts a process of the cluster; the module's end kills it."""
    with ExitStack() as stack:

        def start(*arguments, cwd=PROJECT, **more):
            command = [sys.executable, "-m", "dask", *map(str, arguments), "--no-dashboard"]
            process = subprocess.Popen(
                command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more
            )
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        yield start


@pytest.fixture(scope="module")
def schedule(dask, tmp_path_factory):
    """schedule() starts a scheduler on this machine: its process and address."""

    def start():
        file = tmp_path_factory.mktemp("scheduler") / "scheduler.json"
        scheduler = dask(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", file
        )
        wait_for(lambda: file.exists() and file.read_text().endswith("}"))
        return scheduler, json.loads(file.read_text())["address"]

    return start


@pytest.fixture(scope="module")
def work(dask, tmp_path_factory):
    """work(address, **more) starts a worker in an empty folder."""

    def start(address, **more):
        folder = tmp_path_factory.mktemp("worker")
        arguments = ["--nthreads", "1", "--no-nanny", "--local-directory", folder]
        return dask("worker", address, *arguments, **{"cwd": folder, **more})

    return start


@pytest.fixture(scope="module")
def cluster(schedule, work):
    """The address of a scheduler with a worker that can play."""
    _, address = schedule()
    work(address)
    return address


@pytest.fixture
def begin(command):
    """begin(db, address, bots, games, arguments...) starts an arena of the toy contest."""

    def start(db, address, bots, games, *arguments):
        words = command("arena", TOY, *bots, "--games", games, "--db", db, "--json", *arguments)
        return subprocess.Popen(
            [*words, "--cluster", address],
            cwd=PROJECT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


def warnings_in(said):
    """The lines on stderr that are not about progress."""
    return [line for line in said.splitlines() if not line[:1].isdigit()]


@pytest.mark.slow("starts a cluster more")
def test_one_worker_dies(cluster, work, begin, bot, play, tmp_path):
    """The other worker plays its games: every result is stored once, and the table is the same."""
    db, n_games = tmp_path / "cluster.db", 24
    second = work(cluster)
    with begin(db, cluster, [bot(1), bot(2)], n_games) as arena:
        wait_for(lambda: len(rows(db)) >= 4)
        second.kill()
        said, _ = arena.communicate()
    assert arena.returncode == 0
    assert len(rows(db)) == n_games == len(set(rows(db)))
    assert json.loads(said) == play(tmp_path / "here.db", [1, 2], "--games", n_games)


def test_a_pickle_as_a_reply_is_refused(cluster):
    """Bytes come through, as replies are; objects would have to be unpickled."""
    from distributed import Client

    from referee.arena.cluster.scheduler import NO_PICKLES

    with Client(cluster, set_as_default=False, deserializers=NO_PICKLES) as client:
        assert client.submit(bytes, 3, pure=False).result(timeout=180) == bytes(3)
        with pytest.raises(TypeError, match="Could not serialize"):
            client.submit(range, 3, pure=False).result(timeout=180)


@pytest.mark.exhaustive("starts more schedulers and workers")
def test_workers_that_cannot_play_get_no_games(cluster, work, begin, bot, tmp_path):
    """A late worker that lacks the shell is named in a line; one with another version of the
    project, on which every bot would lose, plays with the version sent to it.
    """
    other = tmp_path / "other"
    for folder in ("referee", "shared", "bots", "bundler", "tests"):
        shutil.copytree(PROJECT / folder, other / folder, ignore=shutil.ignore_patterns("*.pyc"))
    source = other / "referee" / "arena" / "play.py"
    source.write_text(source.read_text().replace("                rank,", "                7,"))
    db, reasons = tmp_path / "cluster.db", []
    with begin(db, cluster, [bot(1), bot(2)], 100_000) as arena:
        wait_for(lambda: len(rows(db)) >= 2)
        late = [work(cluster, cwd=other), work(cluster, env={"PATH": "/nowhere"})]
        while len(reasons) < 1:
            line = arena.stderr.readline()
            reasons += [line.split("gets no games: ")[1]] if "gets no games" in line else []
        n_games = len(rows(db)) + 6
        wait_for(lambda: len(rows(db)) >= n_games)
        arena.send_signal(signal.SIGINT)
        arena.communicate()
        for worker in late:
            worker.kill()
            worker.wait()
    assert arena.returncode == 130
    assert reasons == ["it has not the program sh\n"]
    assert rows(db, "SELECT count(*) FROM seats WHERE rank = 7") == [(0,)]


@pytest.mark.slow("starts a cluster")
def test_a_bot_comes_with_its_modules(cluster, begin, tmp_path):
    """A bot with its modules is run from the files sent to the worker, not from their original
    place, and does not lose.
    """
    for name, text in {"main.py": MAIN, "helper.py": HELPER}.items():
        (tmp_path / name).write_text(text)
    source = f"source:{PROJECT}/bots/infexion/random_player.py"
    bots = [f"{sys.executable} {tmp_path}/main.py", source]
    db, logs = tmp_path / "arena.db", tmp_path / "arena-logs"
    with begin(db, cluster, bots, 2, "--all-logs") as arena:
        _said, _ = arena.communicate()
    assert arena.returncode == 3  # the other bot fails in all games
    games = [[json.loads(line) for line in path.open()] for path in logs.iterdir()]
    [log] = [one for one in games if one[0]["bots"][0]["name"] == "main"]
    faults = " ".join(fault for [fault] in rows(db, "SELECT coalesce(fault, '') FROM seats"))
    # The toy's numbers are invalid for the bot of another contest; but it runs.
    assert "main" not in faults and "ModuleNotFoundError" not in json.dumps(log)
    told = json.dumps([turn for turn in log if "players" in turn])
    assert "/.onefile/" in told and "/.cache/shipped" in told and "helper.py" in told
    assert log[0]["bots"][0]["command"][-1] == f"{tmp_path}/main.py"


@pytest.mark.slow("starts more schedulers and workers")
def test_a_scheduler_that_is_killed(schedule, work, begin, bot, play, tmp_path):
    """A killed scheduler costs one line and no result: the same command resumes, here or there."""
    scheduler, address = schedule()
    work(address)
    db = tmp_path / "cluster.db"
    with begin(db, address, [bot(1), bot(2)], 100_000) as arena:
        wait_for(lambda: len(rows(db)) >= 4)
        scheduler.send_signal(signal.SIGKILL)
        said, warned = arena.communicate(timeout=300)
    assert (arena.returncode, said) == (2, "")
    assert warnings_in(warned) == [
        f"error: the dask scheduler at {address} is gone: what was played is kept, the same"
        " command goes on when it is there again"
    ]
    n_games = len(rows(db)) + 4
    assert len(set(rows(db))) == n_games - 4
    assert play(db, [1, 2], "--games", n_games) == play(
        tmp_path / "here.db", [1, 2], "--games", n_games
    )


@pytest.mark.slow("starts more schedulers and workers")
def test_a_scheduler_beyond_this_host_is_one_with_tls(other_address, command, bot, play, tmp_path):
    """It makes its key; worker and arena play with a copy, and who has another one, or none, gets
    no connection. Without TLS nobody connects unless told so.
    """
    key, port = tmp_path / "cluster.pem", free_port()
    words = command("scheduler", "--host", other_address, "--port", port, "--key", key)
    address, db = f"tls://{other_address}:{port}", tmp_path / "a.db"
    with ExitStack() as stack:
        for one in (words, command("worker", address, "--key", key)):
            folder = tmp_path / one[3]
            folder.mkdir()
            environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
            process = subprocess.Popen(
                one, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
            )
            stack.callback(process.wait)
            stack.callback(process.terminate)
            if one is words:
                assert f"made the key {key}" in process.stdout.readline()
                assert process.stdout.readline().endswith(f"worker {address} --key {key}\n")
        assert key.stat().st_mode & 0o777 == 0o600
        wait_for(lambda: can_connect(other_address, port))
        arena = ["arena", TOY, bot(1), bot(2), "--games", 4, "--db", db, "--limits", "off"]
        arena += ["--json"]
        done = subprocess.run(
            command(*arena, "--cluster", address, "--key", key),
            cwd=PROJECT,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert len(rows(db)) == 4
        other = tmp_path / "other.pem"
        make_key(other)
        plain = f"tcp://{other_address}:{port}"
        for words, told in (
            (["--cluster", address, "--key", other], "no dask scheduler at"),
            (["--cluster", address, "--key", tmp_path / "none"], "no key of the cluster at"),
            (["--cluster", plain], "is beyond this host, and without TLS whoever reaches it can"),
            (["--cluster", plain, "--insecure"], "no dask scheduler at"),
        ):
            refused = subprocess.run(
                command(*arena, "--seed", 50, *words), cwd=PROJECT, capture_output=True, text=True
            )
            assert refused.returncode == 2 and told in refused.stderr, refused.stderr


def can_connect(host, port):
    with socket.socket() as one:
        one.settimeout(1.0)
        return one.connect_ex((host, port)) == 0
