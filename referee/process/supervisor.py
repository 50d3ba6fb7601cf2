"""The program that starts bots for a referee and ends them with all their processes, even if the
referee is killed.

    referee
     +-- nursery         this program, started once, leads a group: forks the supervisors
          +-- supervisor      one for each bot that runs at once
               +-- bot         leads a group, with its three pipes and nothing else
                    +-- ...         a child may make a session of its own: it stays below the
                    supervisor

The kernel's autogroup divides a core between sessions. All these processes share the referee's
session: on a busy machine a round trip between sessions takes several times as long. Only bots that
compute on one core at the same time get a session each (`Order.is_apart`), and so equal parts of
it: beside a bot of eight threads, one of a single thread got 50% of the core in a session of its
own, 11% in a common one. The nursery gives up the session's terminal, so no bot can use it.

A supervisor adopts the orphans below it (a subreaper), so no process of its bot can leave its tree.
On the order to end a bot (a header without descriptors) it kills all its descendants and removes
the bot's folder; then it is free for the next bot. When the referee ends in any way, its sockets
close: each supervisor ends its bot and itself, and the nursery ends. The nursery adopts and kills
what a killed supervisor leaves. A bot that kills its supervisor and the nursery is not contained.

The referee's side is `referee/process/supervisor_pool.py`. An order is its length in HEADER_BYTES,
with the bot's stdin, stdout and stderr and the lock of its folder as descriptors, followed by its
data as `marshal` encodes them. A supervisor answers in lines: "bot PID" or "error TEXT"; "exited N"
or "killed N" when the bot has ended by itself; "done" when no process or file of it is left. The
nursery gets the same header with a socket for a new supervisor, and answers with its number.

It imports few modules, all from Python's standard library, as it starts with every match. Each
supervisor is forked, as a start of Python takes 30 ms of CPU time.
"""

import fcntl
import gc
import marshal
import os
import resource
import select
import signal
import socket
import sys
import termios
from contextlib import suppress
from typing import Any, NamedTuple, NoReturn

from referee.parent_death import prctl
from referee.process.bot_folders import clean_up, remove
from referee.process.procfs import children

# prctl(2)
PR_SET_CHILD_SUBREAPER = 36
# As on the site. The data limit counts written memory, not the address space reserved by a Java
# machine; shared memory and children are counted by `referee/process/resource_usage.py`.
MEMORY_BYTES = 768 * 1024 * 1024
FILE_BYTES = 16 * 1024 * 1024
# The limit of further processes and threads; the kernel does not hold root to it.
MORE_TASKS = 128

HEADER_BYTES = 8
N_DESCRIPTORS = 4
# The interval at which a supervisor waits for orphans that have ended.
REAP_MS = 1000


class Order(NamedTuple):
    """A bot to start.

    arguments: the words of the command line, beginning with the program's name. is_apart: start the
    bot in a session of its own.
    """

    folder: str
    program: str
    arguments: list[str]
    environment: dict[str, str]
    cores: list[int]
    is_apart: bool


def main() -> None:
    """Run as the nursery, in the bots' temporary folder, with the referee's socket as stdin."""
    channel = socket.socket(fileno=0)
    leave_terminal()
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    clean_up(os.getcwd())
    os.chdir("/")
    n_tasks = count_tasks()
    # Supervisors share its memory as long as they write little to it.
    gc.disable()
    gc.freeze()
    # By pidfd.
    supervisors: dict[int, int] = {}
    poller = select.poll()
    poller.register(channel, select.POLLIN)
    while True:
        for ready, _ in poller.poll():
            if ready in supervisors:
                poller.unregister(ready)
                os.waitpid(supervisors.pop(ready), 0)
                os.close(ready)
                end_children(spared=set(supervisors.values()))
        if not is_readable(channel):
            continue
        header, descriptors = receive(channel, 1)
        if not header:
            return
        supervisor = os.fork()
        if supervisor == 0:
            for other in (channel.detach(), *supervisors):
                os.close(other)
            be_supervisor(socket.socket(fileno=descriptors[0]), n_tasks)
        os.close(descriptors[0])
        ended = os.pidfd_open(supervisor)
        supervisors[ended] = supervisor
        poller.register(ended, select.POLLIN)
        # If the referee has already died, the next iteration notices.
        with suppress(ConnectionError):
            channel.sendall(supervisor.to_bytes(HEADER_BYTES, "little"))


def leave_terminal() -> None:
    """Give up the controlling terminal, if there is one, for this process and all below it."""
    with suppress(OSError):
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            fcntl.ioctl(terminal, termios.TIOCNOTTY)
        finally:
            os.close(terminal)


def be_supervisor(channel: socket.socket, n_tasks: int) -> NoReturn:
    """Supervise one bot after the other, until the referee has ended."""
    try:
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        limit(n_tasks)
        with suppress(ConnectionError):
            while True:
                header, descriptors = receive(channel, N_DESCRIPTORS)
                n_bytes = int.from_bytes(header, "little")
                body = channel.recv(n_bytes, socket.MSG_WAITALL) if header else b""
                if not header or len(body) < n_bytes:
                    break  # the referee has ended, perhaps in the middle of an order
                supervise(Order(*marshal.loads(body)), descriptors, channel)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(0)


def supervise(order: Order, descriptors: list[int], channel: socket.socket) -> None:
    """Start a bot, wait for the order to end it, and remove all its processes and files.

    Raises ConnectionError if the referee has ended.
    """
    bot = None
    try:
        bot = start(order, descriptors[:3], channel)
        wait(bot, channel)
    finally:
        os.chdir("/")
        if bot:
            # At once for the whole group, including processes being forked.
            with suppress(ProcessLookupError):
                os.killpg(bot, signal.SIGKILL)
        end_children(spared=set())
        remove(order.folder)
        os.close(descriptors[3])
    if not channel.recv(HEADER_BYTES):
        raise ConnectionResetError
    channel.sendall(b"done\n")


def start(order: Order, pipes: list[int], channel: socket.socket) -> int | None:
    """Start a bot and report the result. Returns the bot's process id, None if it cannot be
    started.
    """
    try:
        os.sched_setaffinity(0, order.cores)
        os.chdir(order.folder)
        # A session's leader leads a group, too.
        leads: dict[str, Any] = {"setsid": 1} if order.is_apart else {"setpgroup": 0}
        bot = os.posix_spawn(
            order.program,
            order.arguments,
            order.environment,
            file_actions=[(os.POSIX_SPAWN_DUP2, pipes[target], target) for target in range(3)],
            # Python ignores them itself.
            setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],
            **leads,
        )
    except OSError as error:
        channel.sendall(f"error {error.strerror}\n".encode())
        return None
    finally:
        for pipe in pipes:
            os.close(pipe)
    channel.sendall(f"bot {bot}\n".encode())
    return bot


def limit(n_tasks: int) -> None:
    """Set the limits that the bots inherit from their supervisor."""
    for which, value in (
        (resource.RLIMIT_DATA, MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_NPROC, n_tasks + MORE_TASKS),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(which)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(which, (value, value))


def wait(bot: int | None, channel: socket.socket) -> None:
    """Report the bot's exit; return when the referee orders the end or has ended."""
    poller = select.poll()
    poller.register(channel, select.POLLIN)
    ended = os.pidfd_open(bot) if bot else None
    if ended is not None:
        poller.register(ended, select.POLLIN)
    while True:
        ready = {descriptor for descriptor, _ in poller.poll(REAP_MS)}
        if ended in ready:
            poller.unregister(ended)
            # It is not reaped yet: its process id stays reserved for its group.
            if told := os.waitid(os.P_PIDFD, ended, os.WEXITED | os.WNOWAIT):
                how = "exited" if told.si_code == os.CLD_EXITED else "killed"
                with suppress(ConnectionError):
                    channel.sendall(f"{how} {told.si_status}\n".encode())
        if channel.fileno() in ready:
            break
        for orphan in children(os.getpid(), [os.getpid()]):
            if orphan != bot:
                os.waitpid(orphan, os.WNOHANG)
    if ended is not None:
        os.close(ended)


def end_children(spared: set[int]) -> None:
    """Kill this process's children except the spared ones, and the children's descendants, which
    this process then adopts.
    """
    this = os.getpid()
    while orphans := set(children(this, [this])) - spared:
        for child in orphans:
            os.kill(child, signal.SIGKILL)
        for child in orphans:
            os.waitpid(child, 0)


def receive(channel: socket.socket, n: int) -> tuple[bytes, list[int]]:
    """Returns a header with up to n descriptors, not inheritable; b"" at the channel's end."""
    try:
        header, descriptors, *_ = socket.recv_fds(channel, HEADER_BYTES, n)
    except ConnectionError:
        return b"", []
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)
    return header, descriptors


def is_readable(channel: socket.socket) -> bool:
    """Returns True if the channel has data or has ended."""
    return bool(select.select([channel], [], [], 0)[0])


def count_tasks() -> int:
    """Returns the number of processes and threads on the system."""
    with open("/proc/loadavg") as file:
        return int(file.read().split()[3].partition("/")[2])
