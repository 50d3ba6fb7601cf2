"""The command line: `python -m referee --help`, which lists the exit statuses too."""

import signal

if __name__ == "__main__" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    # Let Ctrl-C end this process without a word while it imports; `main` changes that.
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import errno
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from typer.models import CommandInfo

from bundler.help import Group
from bundler.modules.workspace import cache_error
from referee.commands.options.defaults import Command
from referee.deferred_signals import repeat_swallowed_interrupts
from referee.errors import UsageError
from referee.option_groups import expand_option_groups
from referee.project import documentation, version
from referee.terminal import say
from shared.core.checks.truth import TruthError

# Length at which an error is cut.
MAX_ERROR = 900
# A full disk, an exceeded quota, or a file size limit.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

# The commands of each panel of `--help`, with their functions. A command imports its own module
# alone: importing all takes half of a short command's time.
PANELS = {
    "Begin": {
        "init": "new:init",
        "bots": "bots:bots",
        "copy": "bots:copy",
        "new": "new:new",
        "doctor": "doctor:doctor",
        "test": "run_tests:run_tests",
    },
    "Play and watch": {
        "match": "match:match",
        "view": "view:view",
        "replay": "replay:replay_command",
        "diff": "replay:diff",
        "explore": "explore:explore",
        "review": "explore:review",
    },
    "Find the stronger bot": {
        "arena": "arena:arena",
        "league": "league:league",
        "table": "table:table",
        "report": "report:report",
        "tune": "tune:tune",
        "train": "train:train",
        "scheduler": "scheduler:scheduler",
        "worker": "worker:worker",
    },
    "Games and referees of others": {
        "build": "build:build",
        "import": "import_game:import_game",
        "verify": "verify:verify",
    },
}
COMMANDS = {
    name: (panel, place) for panel, places in PANELS.items() for name, place in places.items()
}
# Those that start no bots run on other systems than Linux, too.
PORTABLE = ("bots", "copy", "doctor", "import", "init", "new", "test", "view")
# pytest's own options pass through.
SETTINGS = {"test": {"allow_extra_args": True, "ignore_unknown_options": True}}

HELP = f"""\
Plays bots against each other over pipes, logs the games, replays and shows them.

Begin: onefile init my-bots, cd my-bots, onefile bots. The documentation: {documentation()}
"""
STATUSES = """\
Exit status:

- **0**: done, whoever won
- **1**: `replay`, `diff` or `verify` found a difference; `test` a failure; `doctor` a part without
  which no bot can play, or a site's environment that cannot be made
- **2**: the arguments or a file cannot be used; one line on stderr says why
- **3**: a bot failed in a `match`: it crashed, was late, or wrote an illegal answer
- **4**: a `match` has no result, because the machine was too busy
- **130**: interrupted
"""


def command_line(
    words: list[str], others: Sequence[CommandInfo] = (), completes: bool = False
) -> typer.Typer:
    """Returns the application with the command that `words` begins with, or else with all commands.

    others: commands that are added to these; if `words` begins with one of them, only these are in
    the application. completes: the application completes words in a shell. A command that this
    system cannot run ends the process with an error.
    """
    app = typer.Typer(
        cls=Group,
        help=HELP,
        epilog=STATUSES,
        add_completion=completes,
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
    )
    # Of a single command without this typer would take the name for an argument.
    app.callback()(_options_of_all)
    is_linux = sys.platform == "linux"
    names = [name for name in COMMANDS if is_linux or name in PORTABLE]
    if words and words[0] in COMMANDS and words[0] not in names:
        sys.exit(
            f"error: {words[0]} needs Linux, on Windows inside WSL; on {sys.platform} there are"
            f" {', '.join(names)}, and bundle with --mode python or numba"
        )
    if words and words[0] in {command.name for command in others}:
        names = []
    for name in words[:1] if words and words[0] in names else names:
        panel, place = COMMANDS[name]
        module, function = place.split(":")
        command_function = getattr(importlib.import_module(f"referee.commands.{module}"), function)
        app.command(name, cls=Command, rich_help_panel=panel, context_settings=SETTINGS.get(name))(
            expand_option_groups(command_function)
        )
    app.registered_commands += others
    return app


def _print_version(is_asked: bool) -> None:
    if is_asked:
        print(f"onefile {version()}")
        raise typer.Exit


def _options_of_all(
    asks_version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    pass


def words_to_complete(program: str) -> list[str] | None:
    """Returns the words after the program's name that a shell asks to complete, None if no shell
    asks.
    """
    if f"_{program.upper()}_COMPLETE" not in os.environ:
        return None
    typed = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    return typed.split()[1:]


def main(program: str = "python -m referee", others: Sequence[CommandInfo] = ()) -> None:
    """Run the command line. program: the name in its messages. others: further commands."""
    asked = words_to_complete(program)
    words = sys.argv[1:] if asked is None else asked
    run = command_line(words, others, completes=program.isidentifier())
    # What has been imported stays, and need not be looked through for garbage.
    gc.freeze()
    # A match calls the simulator a few hundred times: plain Python is done before numba has begun.
    os.environ.setdefault("CG_JIT", "0")
    # These signals end it as Ctrl-C does: the bots' processes are ended with it.
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        signal.signal(number, signal.default_int_handler)
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # during its import
        signal.signal(signal.SIGINT, signal.default_int_handler)
    repeat_swallowed_interrupts()
    try:
        with suppress(FileNotFoundError):  # the folder has been removed
            check_utf8([os.getcwd()])
        check_utf8(sys.argv[1:])
        sys.exit(run(prog_name=program, standalone_mode=False))
    except (UsageError, TruthError) as error:
        if isinstance(error, UsageError) and error.details:
            say(error.details, error=True)
        sys.exit(print_error(str(error)))
    except typer.TyperException as error:
        message = error.format_message().rstrip(".")
        end = "" if message.endswith("?") else "."
        sys.exit(print_error(f"{message}{end} See {failed_command(error, program)} --help."))
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE):
            sys.exit(
                print_error(
                    "too many open files: play fewer games at once (--jobs), or raise"
                    " the bound (ulimit -n)"
                )
            )
        # A file that cannot be read or written. A full disk is noticed without a file name; any
        # other error without one is a defect: show its traceback.
        if error.filename is None and error.errno not in FULL:
            raise
        problem = error.strerror
        if error.errno == errno.ENOENT and not Path(error.filename).absolute().parent.exists():
            problem = "its folder does not exist"
        problem = cache_error(error) or f"{error.filename or 'cannot write'}: {problem}"
        sys.exit(print_error(problem))
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)


def check_utf8(words: list[str]) -> None:
    """Raise UsageError for a word with invalid UTF-8: no log or file of results can store it."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError as error:
            raise UsageError(f"{word!r} is no UTF-8: give it another name") from error


def failed_command(error: typer.TyperException, program: str) -> str:
    """Returns the command, with the program's name, whose arguments an error is about, else the
    program.
    """
    context = getattr(error, "ctx", None)
    return context.command_path if context else program


def print_error(text: str) -> int:
    """Print an error as one line on stderr, shortened to about MAX_ERROR characters. Returns the
    exit status 2.
    """
    line = " ".join(text.split())
    if len(line) > MAX_ERROR:
        line = f"{line[: MAX_ERROR * 2 // 3]} ... {line[-MAX_ERROR // 3 :]}"
    say(f"error: {line}", error=True)
    return 2


if __name__ == "__main__":
    main()
