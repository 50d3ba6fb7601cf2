"""The program that starts bots for a referee and ends them with all their processes, even if the
referee is killed.

    referee
     +-- guardian    this program, started once, leads a group: forks the supervisors
          +-- supervisor      one for each bot that runs at once
               +-- bot         leads a group, with its three pipes and nothing else
                    +-- ...         a child may make a session of its own: it stays below the
                    supervisor

The kernel's autogroup divides a core between sessions. All these processes share the referee's
session: on a busy machine a round trip between sessions takes several times as long. Only bots that
compute on one core at the same time get a session each (`Order.is_apart`), and so equal parts of
it: beside a bot of eight threads, one of a single thread got 50% of the core in a session of its
own, 11% in a common one. The guardian gives up the session's terminal, so no bot can use it.

Guardian and supervisors adopt orphans below them (subreapers), so no process can leave this tree.
On the order to end a bot (a header without descriptors, then SIGTERM) its supervisor kills all its
descendants and removes the bot's folder; then it is free for the next bot. When the referee dies,
the guardian's socket closes: it signals its supervisors, whose own sockets are closed as well. They
also check now and then by themselves, as a bot may have stopped the guardian, which continues once
no bot is left. When the guardian dies, the kernel signals the supervisors. A bot that kills its
supervisor is adopted and killed by the guardian: it harms only itself. One that kills both leaves
processes of init's; the referee ends them by their group (`bot_group.py`), and without groups the
bot and its process group alone.

The referee's side is `referee/process/supervisor_pool.py`. An order is its length in HEADER_BYTES,
with the bot's stdin, stdout and stderr and the lock of its folder as descriptors, followed by its
data as `marshal` encodes them. A supervisor answers in lines: "bot PID" or "error TEXT"; "exited N"
or "killed N" when the bot has ended by itself; "done" when no process or file of it is left. The
guardian gets the same header: with a socket for a new supervisor, and answers with its number and
pidfd; without, and answers when orphans have been killed.

It imports few modules, all from Python's standard library, as it starts with every match.
"""

import ctypes
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
import time
from contextlib import suppress
from typing import Any, NamedTuple, NoReturn

from referee.process import bot_group
from referee.process.bot_folders import clean_up, remove
from referee.process.parent_death import libc, prctl, signal_when_parent_ends
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
# The signals that a supervisor waits for while a bot runs. They stay blocked: none is delivered at
# another time.
AWAITED = {signal.SIGCHLD, signal.SIGTERM}
# The time for supervisors to end before they are signalled again.
END_S = 0.005
# The interval at which a supervisor checks that its referee is alive.
LOOK_S = 1.0
# The time for a referee to end.
GONE_S = 2.0


class SignalAction(ctypes.Structure):
    """The argument of sigaction(2), in C's layout."""

    _fields_ = [
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ulong * (1024 // 8 // ctypes.sizeof(ctypes.c_ulong))),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    ]


# No signals for children that are stopped or continued, as bots are in every turn.
SA_NOCLDSTOP = 1


class Order(NamedTuple):
    """A bot to start; arguments: the first is its name. is_apart: in a session of its own."""

    folder: str
    program: str
    arguments: list[str]
    environment: dict[str, str]
    cores: list[int]
    is_apart: bool


def main() -> None:
    """Run as the guardian, in the bots' temporary folder, with the referee's socket as stdin.

    The argument is the group to make, "" for none.
    """
    group = sys.argv[1]
    channel = socket.socket(fileno=0)
    signal.pthread_sigmask(signal.SIG_BLOCK, AWAITED)
    # The kernel sends it to a group with a stopped process when the group's last parent ends.
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    leave_terminal()
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    # A bot may have stopped the guardian when the referee dies; otherwise this signal has no
    # effect.
    signal_when_parent_ends(signal.SIGCONT)
    referee, temporary = os.getppid(), os.getcwd()
    # The lock is held as long as the guardian or one of its supervisors lives.
    if group and bot_group.join(group) is not None:
        bot_group.clean_up(os.path.dirname(group))
    clean_up(temporary)
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
        for ended, _ in poller.poll():
            if ended in supervisors:
                poller.unregister(ended)
        reap(supervisors)
        end_children(spared=set(supervisors.values()))
        if not is_readable(channel):
            continue
        header, descriptors = receive(channel, 1)
        if not header:
            end_supervisors(supervisors)
            clean_up_after(referee, temporary)
            bot_group.leave(group)
            return
        if not descriptors:
            with suppress(ConnectionError):
                channel.sendall(header)
            continue
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
            socket.send_fds(channel, [supervisor.to_bytes(HEADER_BYTES, "little")], [ended])


def leave_terminal() -> None:
    """Give up the controlling terminal, if there is one, for this process and all below it."""
    with suppress(OSError):
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            fcntl.ioctl(terminal, termios.TIOCNOTTY)
        finally:
            os.close(terminal)


def clean_up_after(referee: int, temporary: str) -> None:
    """Remove the folder that a killed referee made without handing it to a supervisor."""
    end = time.monotonic() + GONE_S
    # The folder's locks are held until the referee is gone, a moment after its socket.
    while os.getppid() == referee and time.monotonic() < end:
        time.sleep(END_S)
    # The referee may have removed the whole temporary folder.
    with suppress(OSError):
        clean_up(temporary)


def end_supervisors(supervisors: dict[int, int]) -> None:
    """End all supervisors with their bots."""
    while supervisors:
        # Repeatedly: a supervisor that is signalled before its own channel closes takes the signal
        # for a bot's.
        for supervisor in supervisors:
            signal.pidfd_send_signal(supervisor, signal.SIGTERM)
            signal.pidfd_send_signal(supervisor, signal.SIGCONT)
        time.sleep(END_S)
        reap(supervisors)
    end_children(spared=set())


def reap(supervisors: dict[int, int]) -> None:
    """Wait for supervisors that have ended."""
    for ended in [
        pid for pid, supervisor in supervisors.items() if os.waitpid(supervisor, os.WNOHANG)[0]
    ]:
        os.close(ended)
        del supervisors[ended]


def be_supervisor(channel: socket.socket, n_tasks: int) -> NoReturn:
    """Supervise one bot after the other, until the referee or the guardian has died."""
    guardian = os.getppid()
    try:
        # A bot that kills its parent's group must not reach the other bots' supervisors.
        os.setpgid(0, 0)
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        signal_when_parent_ends(signal.SIGTERM)
        libc.sigaction(signal.SIGCHLD, ctypes.byref(SignalAction(flags=SA_NOCLDSTOP)), None)
        limit(n_tasks)
        with suppress(ConnectionError):
            while True:
                header, descriptors = receive(channel, N_DESCRIPTORS)
                # The guardian may have died before the line above.
                if not header or os.getppid() != guardian:
                    break
                n_bytes = int.from_bytes(header, "little")
                body = channel.recv(n_bytes, socket.MSG_WAITALL)
                if len(body) < n_bytes:
                    break  # the referee was killed in the middle of an order
                supervise(Order(*marshal.loads(body)), descriptors, channel, guardian)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        if os.getppid() == guardian:
            os.kill(guardian, signal.SIGCONT)
        os._exit(0)


def supervise(order: Order, descriptors: list[int], channel: socket.socket, guardian: int) -> None:
    """Start a bot, wait for the order to end it, and remove all its processes and files."""
    bot = None
    try:
        bot = start(order, descriptors[:3], channel)
        wait(bot, channel, guardian)
    finally:
        os.chdir("/")
        if bot:
            # At once for the whole group, including processes being forked.
            with suppress(ProcessLookupError):
                os.killpg(bot, signal.SIGKILL)
        end_children(spared=set())
        remove(order.folder, descriptors[3])
        os.close(descriptors[3])
    if not is_readable(channel):
        # Referee or guardian has died: closing the channel informs the other one.
        raise ConnectionResetError
    channel.recv(HEADER_BYTES)
    channel.sendall(b"done\n")


def start(order: Order, pipes: list[int], channel: socket.socket) -> int | None:
    """Start a bot and report the result; returns its process id, None if it cannot be started."""
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
            setsigmask=[],
            # Python ignores the first two itself, the guardian the third.
            setsigdef=[signal.SIGPIPE, signal.SIGXFSZ, signal.SIGHUP],
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


def wait(bot: int | None, channel: socket.socket, guardian: int) -> None:
    """Report the bot's exit; return when the referee orders the end or has died."""
    has_ended = False
    while True:
        arrived = signal.sigtimedwait(AWAITED, LOOK_S)
        if arrived is None:
            # The guardian reports the referee's death, unless a bot has stopped it.
            if is_readable(channel) and not channel.recv(1, socket.MSG_PEEK):
                return
        elif arrived.si_signo == signal.SIGTERM:
            # Any process may have sent it; a legitimate sender has written first, or has died.
            if is_readable(channel) or os.getppid() != guardian:
                return
        elif bot and not has_ended:
            # Orphans that end are reaped here. The bot is not, yet: its process id stays reserved
            # for its group. (A signal without a bot is that of a start that failed.)
            options = os.WEXITED | os.WNOHANG | os.WNOWAIT
            while (ended := os.waitid(os.P_ALL, 0, options)) and ended.si_pid != bot:
                os.waitpid(ended.si_pid, 0)
            if ended:
                how = "exited" if ended.si_code == os.CLD_EXITED else "killed"
                channel.sendall(f"{how} {ended.si_status}\n".encode())
                has_ended = True


def end_children(spared: set[int]) -> None:
    """Kill this process's children except the spared ones; their children, which it then adopts, as
    well.
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
