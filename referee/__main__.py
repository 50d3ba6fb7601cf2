"""The command line: `python -m referee --help`.

Exit status: 0 when the command did what was asked, whoever won; 1 when a comparison
found a difference; 2, with one line on stderr, when the arguments or a file cannot be used.
"""

import errno
import importlib
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import typer
from typer.models import CommandInfo

from referee.commands.option_groups import expand_option_groups
from referee.errors import UsageError
from referee.terminal import say
from shared.core.truth import TruthError

# So many characters of an error are shown.
MAX_ERROR = 900
# A disk, what a user may have of it, or a file.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

# The module of each command: importing them all takes half of a short command's time.
COMMANDS = {
    "match": "match:match",
    "replay": "replay:replay_command",
    "diff": "replay:diff",
    "import": "import_game:import_game",
    "new": "new:new",
    "init": "new:init",
    "serve": "serve:serve",
    "verify": "verify:verify",
    "view": "view:view",
    "arena": "arena:arena",
    "tune": "tune:tune",
    "worker": "worker:worker",
    "table": "table:table",
    "report": "report:report",
}


def command_line(words: list[str], others: Sequence[CommandInfo] = ()) -> typer.Typer:
    """Returns the application with the command that these words begin with.

    Without one it has all commands, and `others`, which are none of the referee's.
    """
    app = typer.Typer(
        help="Plays bots against each other over pipes, logs the games, replays and shows them.",
        add_completion=False,
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
    )
    # Of a single command without this typer would take the name for an argument.
    app.callback()(lambda: None)
    for name in words[:1] if words and words[0] in COMMANDS else COMMANDS:
        module, function = COMMANDS[name].split(":")
        found = importlib.import_module(f"referee.commands.{module}")
        app.command(name)(expand_option_groups(getattr(found, function)))
    app.registered_commands += others
    return app


def main(program: str = "python -m referee", others: Sequence[CommandInfo] = ()) -> None:
    """Run the command line; program: its name. others: commands beside the referee's."""
    run = command_line(sys.argv[1:], others)
    # A match calls the simulator a few hundred times: plain Python is done before numba has begun.
    os.environ.setdefault("CG_JIT", "0")
    # These end it as Ctrl-C does: the bots' processes are ended with it.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # while it was imported
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with suppress(FileNotFoundError):  # the folder has been removed
            check_utf8([os.getcwd()])
        check_utf8(sys.argv[1:])
        sys.exit(run(prog_name=program, standalone_mode=False))
    except (UsageError, TruthError) as error:
        sys.exit(print_error(str(error)))
    except typer.TyperException as error:
        message = error.format_message().rstrip(".")
        end = "" if message.endswith("?") else "."
        sys.exit(print_error(f"{message}{end} See {failed_command(error, program)} --help."))
    except OSError as error:
        # A file that cannot be read or written. What is full is noticed when no name is at hand;
        # any other error without one is a defect: its traceback.
        if error.filename is None and error.errno not in FULL:
            raise
        problem = error.strerror
        if error.errno == errno.ENOENT and not Path(error.filename).absolute().parent.exists():
            problem = "its folder does not exist"
        sys.exit(print_error(f"{error.filename or 'cannot write'}: {problem}"))
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)


def check_utf8(words: list[str]) -> None:
    """Raise UsageError for a word that is no UTF-8: no log or file of results can hold it."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError as error:
            raise UsageError(f"{word!r} is no UTF-8: give it another name") from error


def failed_command(error: typer.TyperException, program: str) -> str:
    """Returns the command whose arguments an error is about, else the program."""
    context = getattr(error, "ctx", None)
    return context.command_path if context else program


def print_error(text: str) -> int:
    """Print an error as one line on stderr and return the exit status; long quotes are cut."""
    line = " ".join(text.split())
    if len(line) > MAX_ERROR:
        line = f"{line[: MAX_ERROR * 2 // 3]} ... {line[-MAX_ERROR // 3 :]}"
    say(f"referee: {line}", error=True)
    return 2


if __name__ == "__main__":
    main()
