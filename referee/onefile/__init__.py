"""The command `onefile`: all that `python -m referee` and `python -m bundler` do, from any folder."""

import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
BUNDLER = ("bundle", "where")


def main() -> None:
    """Run the command line."""
    sys.path.insert(0, str(PROJECT))
    # Each takes a moment to import, and a command needs one of them.
    if sys.argv[1:2] and sys.argv[1] in BUNDLER:
        import bundler.__main__ as program
    else:
        import referee.__main__ as program

        if sys.argv[1:2] in ([], ["--help"]):
            import bundler.__main__

            program.app.registered_commands += bundler.__main__.app.registered_commands
    program.main("onefile")
