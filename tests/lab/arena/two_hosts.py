"""An arena on a cluster of two hosts: network namespaces with a cable between them. Needs root.

    python -m tests.lab.arena.two_hosts [N_GAMES] [N_INTERRUPTIONS]

One host has the scheduler and the arena, the other one the workers; they talk with TLS. The workers
are killed, and the cable is pulled out for a while. In the end each game must be stored once, with
the result that an undisturbed arena without a cluster has.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from referee.process.procfs import descendants
from referee.project import PROJECT
from tests.arena.conftest import BOT, TOY
from tests.lab.arena.torture import results

HOSTS = {"onefile-arena": "10.213.77.1", "onefile-worker": "10.213.77.2"}
ARENA, WORKER = HOSTS
ADDRESS = f"tls://{HOSTS[ARENA]}:8786"
CABLE = {ARENA: "onefile-a", WORKER: "onefile-w"}
STUCK_S = 120.0


def ip(*words: str) -> None:
    """Run a command of ip(8)."""
    subprocess.run(["ip", *words], check=True)


def lay_cable(stack: ExitStack) -> None:
    """Make both hosts, and a cable between them."""
    for host in HOSTS:
        ip("netns", "add", host)
        stack.callback(ip, "netns", "del", host)
    ends = "netns", ARENA, "type", "veth", "peer", "name", CABLE[WORKER], "netns", WORKER
    ip("link", "add", CABLE[ARENA], *ends)
    for host, address in HOSTS.items():
        ip("-n", host, "addr", "add", f"{address}/24", "dev", CABLE[host])
        for device in (CABLE[host], "lo"):
            ip("-n", host, "link", "set", device, "up")


class TwoHosts:
    """The hosts' folder and programs."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self.stack = folder, stack
        self.key = ["--key", str(folder / "cluster.pem")]

    def run(self, host: str, *words: object) -> subprocess.Popen:
        """Start a command of onefile on a host; it is killed at the end, with its children."""
        command = ["ip", "netns", "exec", host, sys.executable, "-m", "referee.onefile"]
        with (self.folder / "said").open("ab") as said:
            process = subprocess.Popen(
                [*command, *map(str, words)],
                cwd=PROJECT,
                env={**os.environ, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s"},
                stdout=said,
                stderr=said,
            )
        self.stack.callback(kill, process)
        return process

    def worker(self) -> subprocess.Popen:
        """Start the workers."""
        return self.run(WORKER, "worker", ADDRESS, "--jobs", 2, *self.key)

    def said(self) -> str:
        """The end of all output."""
        return (self.folder / "said").read_text(errors="replace")[-1500:]


def kill(process: subprocess.Popen) -> None:
    """Kill a process and its descendants."""
    for pid in [*descendants(process.pid), process.pid]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    process.wait()


def disturb(hosts: TwoHosts, db: Path, arena: subprocess.Popen, wanted: list[int]) -> int:
    """Interrupt the arena when so many games are stored; returns the number of interruptions."""
    rng, worker, n_done = random.Random(1), hosts.worker(), 0
    end = time.monotonic() + STUCK_S
    while arena.poll() is None:
        n_stored = len(results(db)) if db.exists() else 0
        if wanted and n_stored >= wanted[0]:
            wanted.pop(0)
            end = time.monotonic() + STUCK_S
            if n_done % 2:
                ip("-n", WORKER, "link", "set", CABLE[WORKER], "down")
                time.sleep(rng.uniform(0.5, 3.0))
                ip("-n", WORKER, "link", "set", CABLE[WORKER], "up")
            else:
                kill(worker)
                worker = hosts.worker()
            n_done += 1
            print(f"{n_done}: {'cable' if n_done % 2 == 0 else 'workers'}, {n_stored} games")
        assert time.monotonic() < end, f"no progress in {STUCK_S:g} s: {hosts.said()}"
        time.sleep(0.05)
    return n_done


def main() -> int:
    """Play on both hosts; returns 1 if a game is lost, double or other."""
    n_games, n_interruptions = [*map(int, sys.argv[1:3]), *(600, 8)[len(sys.argv[1:3]) :]]
    with tempfile.TemporaryDirectory(prefix="two-hosts-") as name, ExitStack() as stack:
        folder = Path(name)
        # Alone in its folder, all of whose files count as the bot's.
        bot = folder / "bot" / "bot.sh"
        bot.parent.mkdir()
        bot.write_text(BOT)
        words = ["arena", TOY, *(f"sh {bot} {level}" for level in (1, 2, -3)), "--players", 2]
        words += ["--games", n_games, "--limits", "off", "--json", "--db"]
        lay_cable(stack)
        hosts = TwoHosts(folder, stack)
        hosts.run(ARENA, "scheduler", "--host", HOSTS[ARENA], *hosts.key)
        while not (folder / "cluster.pem").exists():
            time.sleep(0.1)
        db, calm = folder / "cluster.db", folder / "calm.db"
        arena = hosts.run(ARENA, *words, db, "--cluster", ADDRESS, "--patience", 60, *hosts.key)
        wanted = [n_games * n // (n_interruptions + 1) for n in range(1, n_interruptions + 1)]
        n_done = disturb(hosts, db, arena, wanted)
        hosts.run(ARENA, *words, calm).wait()
        found, expected = results(db), results(calm)
        n_other = len(set(found) ^ set(expected))
        print(f"{len(found)} games of {n_games}, {n_done} interruptions, {n_other} other results")
        is_wrong = n_other or len(found) != n_games
        print(hosts.said() if is_wrong else "")
    return bool(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
