"""The program that starts bots for a referee and ends them with all they have started, however the
referee ends.

    referee
     +-- guardian    this program, started once, in a session of its own: forks a keeper for each bot
          +-- keeper      leads a session; both adopt what loses its parent below them (subreapers)
               +-- bot         leads a group, with its three pipes and nothing else
                    +-- ...         a child may make a session of its own: it stays below the keeper

A keeper ends when it is told to (SIGTERM) and when its guardian dies: it kills all that is below it
and removes the bot's folder. The guardian ends when the referee does: the other end of its socket is
closed then. A bot that kills its keeper falls to the guardian, which ends it at once: it hurts only
itself.

A request is a line's length, its five descriptors, and what `marshal` makes of a tuple: see `Order`.
The keeper answers on the bot's status pipe, a line each: "bot PID" or "error TEXT", then "exited N" or
"killed N". The end of that pipe says that nothing of the bot is left.

It imports nothing but Python's own modules, and few of those: it is started with every match.
"""

import ctypes
import marshal
import os
import resource
import select
import signal
import socket
from contextlib import suppress
from typing import NamedTuple

from referee.folders import clean_up, remove

# prctl(2)
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
# As on the site. The data limit counts what a process writes to, not the address space that a Java
# machine reserves; shared memory and children are counted elsewhere (`referee/meter.py`).
MEMORY_BYTES = 768 * 1024 * 1024
FILE_BYTES = 16 * 1024 * 1024
# How many processes and threads more than there were at first; the kernel does not hold root to it.
MORE_TASKS = 128

HEADER_BYTES = 8
N_DESCRIPTORS = 5
AWAITED = {signal.SIGCHLD, signal.SIGTERM}
prctl = ctypes.CDLL(None).prctl


class Order(NamedTuple):
    """What a referee asks for: a bot's folder, its command and environment, and the cores it gets.

    With it come the bot's stdin, stdout and stderr, its status pipe, and the lock of its folder.
    """

    folder: str
    command: list[str]
    environment: dict[str, str]
    cores: list[int]


class Kept(NamedTuple):
    """A keeper as its guardian knows it. held: descriptors that are closed when all is over."""

    pid: int
    folder: str
    held: list[int]


def guard(channel: socket.socket, temporary: str) -> None:
    """Start a keeper for each order, until the channel is closed; leave nothing behind."""
    # Keepers wait for these two, and none may arrive before they do.
    signal.pthread_sigmask(signal.SIG_BLOCK, AWAITED)
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    clean_up(temporary)
    n_tasks = count_tasks()
    kept: dict[int, Kept] = {}
    poller = select.poll()
    poller.register(channel, select.POLLIN)
    while True:
        for descriptor, _ in poller.poll():
            if descriptor in kept:
                poller.unregister(descriptor)
                bury(descriptor, kept)
            elif (received := receive(channel)) is None:
                end_all(kept)
                return
            else:
                order, descriptors = received
                keeper = os.fork()
                if keeper == 0:
                    channel.close()
                    for other in [*kept, *(one for other in kept.values() for one in other.held)]:
                        os.close(other)
                    keep(order, descriptors, n_tasks)
                ended = os.pidfd_open(keeper)
                poller.register(ended, select.POLLIN)
                for one in descriptors[:3]:
                    os.close(one)
                kept[ended] = Kept(keeper, order.folder, descriptors[3:])
                socket.send_fds(channel, [keeper.to_bytes(HEADER_BYTES, "little")], [ended])


def receive_descriptors(channel: socket.socket, n: int) -> tuple[bytes, list[int]]:
    """A header with so many descriptors, which no program inherits that is started here."""
    header, descriptors, *_ = socket.recv_fds(channel, HEADER_BYTES, n)
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)
    return header, descriptors


def receive(channel: socket.socket) -> tuple[Order, list[int]] | None:
    """An order with its descriptors, None where the referee has ended."""
    try:
        header, descriptors = receive_descriptors(channel, N_DESCRIPTORS)
        body = channel.recv(int.from_bytes(header, "little"), socket.MSG_WAITALL)
    except ConnectionError:
        return None
    return (Order(*marshal.loads(body)), descriptors) if body else None


def bury(descriptor: int, kept: dict[int, Kept]) -> None:
    """End what a keeper that has ended may have left: nothing, unless it was killed."""
    one = kept.pop(descriptor)
    os.waitpid(one.pid, 0)
    end_children({other.pid for other in kept.values()})
    remove(one.folder)
    for held in (descriptor, *one.held):
        os.close(held)


def end_all(kept: dict[int, Kept]) -> None:
    """End all keepers with their bots."""
    for descriptor in kept:
        signal.pidfd_send_signal(descriptor, signal.SIGTERM)
    for descriptor in list(kept):
        bury(descriptor, kept)


def keep(order: Order, descriptors: list[int], n_tasks: int) -> None:
    """Start a bot, wait until its end is wanted, and leave nothing of it. Does not return."""
    try:
        guardian = os.getppid()
        stdin, stdout, stderr, status, _ = descriptors
        os.setsid()
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        if os.getppid() == guardian:  # else it died before the line above
            if bot := start(order, [stdin, stdout, stderr], status, n_tasks):
                wait(bot, status)
        end_children(set())
        remove(order.folder)
    finally:
        os._exit(0)


def start(order: Order, pipes: list[int], status: int, n_tasks: int) -> int | None:
    """Start a bot; its number, None where that fails."""
    try:
        os.sched_setaffinity(0, order.cores)
        os.chdir(order.folder)
        limit(n_tasks)
        bot = os.posix_spawn(
            order.command[0],
            order.command,
            order.environment,
            file_actions=[(os.POSIX_SPAWN_DUP2, pipes[target], target) for target in range(3)],
            setpgroup=0,
            setsigmask=[],
            # Python ignores these two itself.
            setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],
        )
    except OSError as error:
        os.write(status, f"error {error.strerror}\n".encode())
        return None
    finally:
        for pipe in pipes:
            os.close(pipe)
    os.write(status, f"bot {bot}\n".encode())
    return bot


def limit(n_tasks: int) -> None:
    """Set the limits that a keeper hands on to its bot."""
    for which, value in (
        (resource.RLIMIT_DATA, MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_NPROC, n_tasks + MORE_TASKS),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(which)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(which, (value, value))


def wait(bot: int, status: int) -> None:
    """Tell how the bot ends, and return when it is wanted that all ends."""
    awaited = AWAITED
    while signal.sigwait(awaited) != signal.SIGTERM:
        # Whoever has lost its parent and then ends is waited for here. The bot is not, yet: its
        # number stays its group's.
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        while (ended := os.waitid(os.P_ALL, 0, options)) and ended.si_pid != bot:
            os.waitpid(ended.si_pid, 0)
        if ended:
            how = "exited" if ended.si_code == os.CLD_EXITED else "killed"
            # A referee that has been killed reads no more.
            with suppress(BrokenPipeError):
                os.write(status, f"{how} {ended.si_status}\n".encode())
            awaited = {signal.SIGTERM}
    # At once for all of the group, also for who is just being forked.
    with suppress(ProcessLookupError):
        os.killpg(bot, signal.SIGKILL)


def end_children(spared: set[int]) -> None:
    """Kill this process's children but those spared, and theirs, which then become its own."""
    path = f"/proc/self/task/{os.getpid()}/children"
    while True:
        with open(path) as file:
            children = {int(child) for child in file.read().split()} - spared
        if not children:
            return
        for child in children:
            os.kill(child, signal.SIGKILL)
        for child in children:
            os.waitpid(child, 0)


def count_tasks() -> int:
    """How many processes and threads the system runs."""
    with open("/proc/loadavg") as file:
        return int(file.read().split()[3].partition("/")[2])


def main(temporary: str) -> None:
    """Be a guardian, with the channel for standard input. temporary: where bots have their folders."""
    guard(socket.socket(fileno=0), temporary)
