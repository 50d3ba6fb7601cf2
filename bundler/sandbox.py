"""Runs a command as the site runs a bot, on one core and in little memory: `python sandbox.py CORE
COMMAND...`. It ends with the command's status.

All processes that the command has started end with it, also when this process is terminated, or
when its parent has ended.
"""

import ctypes
import os
import resource
import signal
import sys

MEMORY_BYTES = 768 * 2**20  # the site's limit
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # prctl(2)


def main(core: str, *command: str) -> int:
    prctl = ctypes.CDLL(None).prctl
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    prctl(PR_SET_CHILD_SUBREAPER, 1)  # orphans become children of this process
    bot = os.fork()
    if bot == 0:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[int(core) % len(cores)]})
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.execvp(command[0], command)
    try:
        code = os.waitstatus_to_exitcode(os.waitpid(bot, 0)[1])
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        end_children()
    return code if code >= 0 else 128 - code  # as a shell does


def end_children() -> None:
    while True:
        with open(f"/proc/{os.getpid()}/task/{os.getpid()}/children") as file:
            children = file.read().split()
        if not children:
            return
        for child in map(int, children):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
