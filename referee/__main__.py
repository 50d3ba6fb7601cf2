"""The command line: `python -m referee --help`.

Exit status: 0 when the command did what was asked, whoever won; 1 when a comparison
found a difference; 2, with one line on stderr, when the arguments or a file cannot be used.
"""

import errno
import os
import signal
import sys

import typer

from referee.commands.arena import arena
from referee.commands.import_game import import_game
from referee.commands.init import init
from referee.commands.match import match
from referee.commands.new import new
from referee.commands.replay import diff, replay_command
from referee.commands.report import report
from referee.commands.serve import serve
from referee.commands.table import table
from referee.commands.tune import tune
from referee.commands.verify import verify
from referee.commands.view import view
from referee.commands.worker import worker
from referee.errors import UsageError
from referee.terminal import say
from shared.core.errors import TruthError

# So many characters of an error are shown.
MAX_ERROR = 900

app = typer.Typer(
    help="Plays bots against each other over pipes, logs the games, replays and shows them.",
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
app.command()(match)
app.command("replay")(replay_command)
app.command()(diff)
app.command("import")(import_game)
app.command()(new)
app.command()(init)
app.command()(serve)
app.command()(verify)
app.command()(view)
app.command()(arena)
app.command()(tune)
app.command()(worker)
app.command()(table)
app.command()(report)


def main(program: str = "python -m referee") -> None:
    """Run the command line. program: what it was called as."""
    # A match calls the simulator a few hundred times: plain Python is done before numba has begun.
    os.environ.setdefault("CG_JIT", "0")
    # These end it as Ctrl-C does: the bots' processes are ended with it.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    try:
        sys.exit(app(prog_name=program, standalone_mode=False))
    except (UsageError, TruthError) as error:
        sys.exit(complain(str(error)))
    except typer.TyperException as error:
        sys.exit(complain(f"{error.format_message().rstrip('.')}. See {program} --help."))
    except OSError as error:
        # A file that cannot be read or written. A full disk is noticed when no name is at hand; any
        # other error without one is a defect: its traceback.
        if error.filename is None and error.errno != errno.ENOSPC:
            raise
        sys.exit(complain(f"{error.filename or 'cannot write'}: {error.strerror}"))
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)


def complain(text: str) -> int:
    """Print an error as one line on stderr, which may quote what is longer; the exit status."""
    line = " ".join(text.split())
    if len(line) > MAX_ERROR:
        line = f"{line[: MAX_ERROR * 2 // 3]} ... {line[-MAX_ERROR // 3 :]}"
    say(f"referee: {line}", error=True)
    return 2


if __name__ == "__main__":
    main()
