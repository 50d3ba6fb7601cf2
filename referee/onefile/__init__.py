"""The command `onefile`: all that `python -m referee` and `python -m bundler` do, from any
folder.
"""

import signal
import sys
from pathlib import Path

# The project's modules come later: their folder is not on the path yet.
PROJECT = Path(__file__).resolve().parents[2]
BUNDLER = ("bundle", "tunables", "where")


def die_at_once() -> None:
    """Let Ctrl-C end this process without a word, as long as it only imports; a command's `main`
    changes that. Where it is ignored, as in a shell's background, it stays so.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def main() -> None:
    """Run the command line."""
    sys.path.insert(0, str(PROJECT))
    if sys.argv[1:] == ["--version"]:
        from referee.project import version

        print("onefile", version())
        return
    # Each takes a moment to import, and a command needs one of them.
    words = sys.argv[1:2]
    die_at_once()
    if words and words[0] in BUNDLER:
        from bundler.__main__ import main as bundle

        return bundle("onefile")
    from referee.__main__ import COMMANDS
    from referee.__main__ import main as run

    if words and words[0] in COMMANDS:
        return run("onefile")
    from bundler.__main__ import app

    run("onefile", app.registered_commands)
