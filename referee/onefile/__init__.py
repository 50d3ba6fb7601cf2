"""The command `onefile`: the commands of `python -m referee` and `python -m bundler`, from any
folder.
"""

import os.path
import signal
import sys

# The project's modules come later: their folder is not on the path yet. Before `die_at_once` only
# few modules are imported: a Ctrl-C there shows a traceback.
PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
BUNDLER = ("bundle", "tunables", "where")


def die_at_once() -> None:
    """Let Ctrl-C end this process without a message while it imports; a command's `main` changes
    that.

    Where Ctrl-C is ignored, as in a shell's background, it stays ignored.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def main() -> None:
    """Run the command line."""
    die_at_once()
    sys.path.insert(0, PROJECT)
    if sys.argv[1:] == ["--version"]:
        from referee.project import version

        print("onefile", version())
        return
    # Each takes a moment to import, and a command needs one of them.
    words = sys.argv[1:2]
    if words and words[0] in BUNDLER:
        from bundler.__main__ import main as bundle

        return bundle("onefile")
    from referee.__main__ import COMMANDS
    from referee.__main__ import main as run

    if words and words[0] in COMMANDS:
        return run("onefile")
    from bundler.__main__ import app

    run("onefile", app.registered_commands)
