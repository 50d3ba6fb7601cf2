"""The supervisors of this process's bots, which run `referee/process/supervisor.py`."""

import contextlib
import marshal
import os
import select
import socket
import subprocess
import sys
import tempfile
import threading

from referee.process.supervisor import HEADER_BYTES, Order
from referee.project import PROJECT

# The longest wait for the end of a bot, mostly for its folder: a disk removes 200 a second.
GOODBYE_MS = 60_000
RUN = (
    "import sys; sys.path[:0] = [{project!r}]; from referee.process.supervisor import main; main()"
)


class Supervisor:
    """A supervisor, free or at work for one bot; channel: the socket for its orders and reports."""

    def __init__(self, pid: int, channel: socket.socket):
        self.pid = pid
        self.channel = channel

    def start(self, order: Order, descriptors: list[int]) -> str:
        """Start a bot. Returns the supervisor's report. Raises ConnectionError if the supervisor
        has been killed.
        """
        body = marshal.dumps(tuple(order))
        socket.send_fds(self.channel, [len(body).to_bytes(HEADER_BYTES, "little")], descriptors)
        self.channel.sendall(body)
        # A line is sent as one message. Read only the first: that of the bot's end may follow, and
        # is awaited elsewhere.
        n_bytes = self.channel.recv(4096, socket.MSG_PEEK).find(b"\n") + 1
        if not n_bytes:
            raise ConnectionResetError
        return self.channel.recv(n_bytes).decode()

    def read(self) -> str:
        """Returns the supervisor's further reports that have arrived, "" if there are none."""
        with contextlib.suppress(BlockingIOError, ConnectionError):
            return self.channel.recv(4096, socket.MSG_DONTWAIT).decode()
        return ""

    def finish(self) -> bool:
        """End the bot with all its processes. Returns False if the supervisor was killed."""
        with contextlib.suppress(ConnectionError):
            self.channel.sendall(bytes(HEADER_BYTES))
            poller = select.poll()
            poller.register(self.channel, select.POLLIN)
            said = ""
            while poller.poll(GOODBYE_MS) and (more := self.channel.recv(4096)):
                said += more.decode()
                if said.endswith("done\n"):
                    return True
        return False

    def close(self) -> None:
        """Let the supervisor end."""
        self.channel.close()


class Nursery:
    """The process that forks all supervisors; it ends when this process ends."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self.free: list[Supervisor] = []
        self.channel, its_end = socket.socketpair()
        program = RUN.format(project=str(PROJECT))
        with its_end:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", program],
                stdin=its_end.fileno(),
                cwd=tempfile.gettempdir(),
                stdout=subprocess.DEVNULL,
                process_group=0,
            )

    def new_supervisor(self) -> Supervisor:
        """Returns a new supervisor. Raises ConnectionError."""
        ours, its_end = socket.socketpair()
        with its_end:
            socket.send_fds(self.channel, [bytes(HEADER_BYTES)], [its_end.fileno()])
        number = self.channel.recv(HEADER_BYTES, socket.MSG_WAITALL)
        if not number:
            raise ConnectionResetError
        return Supervisor(int.from_bytes(number, "little"), ours)

    def close(self) -> None:
        """Let the nursery and its free supervisors end, if this process has started it."""
        for supervisor in self.free:
            supervisor.close()
        self.channel.close()


class SupervisorPool:
    """The supervisors of this process and their nursery, which are started on demand."""

    def __init__(self) -> None:
        # In a cluster's worker, several threads may play.
        self.lock = threading.Lock()
        self.nursery: Nursery | None = None

    def start(self, order: Order, descriptors: list[int]) -> tuple[Supervisor, str]:
        """Start a bot. Returns its supervisor, and the supervisor's report."""
        while True:
            supervisor = self.acquire()
            with contextlib.suppress(ConnectionError):
                return supervisor, supervisor.start(order, descriptors)
            supervisor.close()

    def acquire(self) -> Supervisor:
        """Returns a free supervisor."""
        with self.lock:
            # A forked process has inherited the supervisors of its parent.
            if self.nursery is None or self.nursery.owner != os.getpid():
                self.nursery = Nursery()
            if self.nursery.free:
                return self.nursery.free.pop()
            try:
                return self.nursery.new_supervisor()
            except ConnectionError:
                self.nursery.close()
                self.nursery = Nursery()
                return self.nursery.new_supervisor()

    def release(self, supervisor: Supervisor) -> bool:
        """End a supervisor's bot and remove its folder; the supervisor is then free for another
        bot.

        Returns False if the supervisor has been killed, or belongs to another process: then the
        folder may be left.
        """
        is_whole = supervisor.finish()
        with self.lock:
            if is_whole and self.nursery and self.nursery.owner == os.getpid():
                self.nursery.free.append(supervisor)
                return True
            supervisor.close()
        return False


supervisors = SupervisorPool()
