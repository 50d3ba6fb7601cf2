"""Runs the command `onefile` as on another system: without the modules and functions that Python
lacks there. `python -m tests.install.other_system PLATFORM WORDS...`
"""

import os
import signal
import sys

ABSENT = {
    "win32": ("fcntl", "grp", "pwd", "pty", "resource", "termios", "tty"),
    "darwin": (),
}
ABSENT_NAMES = {
    "win32": [
        *(
            (os, name)
            for name in ("fork", "getloadavg", "killpg", "setsid", "geteuid", "pidfd_open")
        ),
        *(
            (signal, name)
            for name in ("SIGHUP", "SIGKILL", "SIGPROF", "SIGCHLD", "pthread_sigmask")
        ),
        *((signal, name) for name in ("setitimer", "ITIMER_PROF")),
    ],
    "darwin": [],
}
ON_LINUX_ALONE = [
    (os, name) for name in ("memfd_create", "sched_getaffinity", "sched_setaffinity", "waitid")
]


def main():
    system, *words = sys.argv[1:]
    # Python's own modules choose by these while they are imported: they come first.
    import multiprocessing  # noqa: F401
    import subprocess  # noqa: F401
    import sysconfig

    import numba  # noqa: F401
    import numpy  # noqa: F401
    import onefile_bots
    import rich.console
    import typer  # noqa: F401

    sysconfig.get_config_vars()
    for name in ABSENT[system]:
        sys.modules[name] = None
    for owner, name in (*ABSENT_NAMES[system], *ON_LINUX_ALONE):
        if hasattr(owner, name):
            delattr(owner, name)
    # rich writes to the console of the real system.
    rich.console.WINDOWS = False
    sys.platform = system
    sys.argv[:] = ["onefile", *words]
    onefile_bots.main()


if __name__ == "__main__":
    main()
