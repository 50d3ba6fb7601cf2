"""Workspaces: a player's own contests, bots and results, in a folder apart from the project.

A workspace is a folder with a file `onefile.toml`; commands that are given in it, or below it, look
there first and then in the installation. `onefile init` makes one.
"""

from pathlib import Path

from bundler.sources.workspace import INSTALLED, MARKER, find_workspace, join
from referee.errors import UsageError

FILES = {
    MARKER: (
        "# Marks a workspace of onefile: its commands look here first, then in the installation.\n"
    ),
    ".gitignore": "__pycache__/\n.cache/\nbuild/\n",
    "bots/__init__.py": "",
    "shared/games/.gitkeep": "",
    "Makefile": (
        """\
# make match BOT=bots/CONTEST/NAME.py CONTEST=NAME: a game of a bot against itself, and its page
CONTEST ?= my_contest
BOT ?= bots/$(CONTEST)/random_player.py

match:
\tmkdir -p build
\tonefile match $(CONTEST) $(BOT) --log build/match.jsonl
\tonefile view build/match.jsonl

bundle:
\tmkdir -p build
\tonefile bundle $(BOT) -o build/$(notdir $(BOT))

.PHONY: match bundle
"""
    ),
}


def workspace() -> Path | None:
    """Returns the current workspace, None outside of one, and makes its modules importable."""
    found = find_workspace(Path.cwd())
    if found is None or found == INSTALLED:
        return None
    join(found)
    return found


def roots() -> list[Path]:
    """Returns the folders that hold contests and bots."""
    own = workspace()
    return [own, INSTALLED] if own else [INSTALLED]


def home() -> Path:
    """Returns the folder for new files."""
    return roots()[0]


def root_of(path: Path) -> Path | None:
    """The workspace or installation that a file belongs to."""
    return next((root for root in roots() if path.is_relative_to(root)), None)


def make_workspace(folder: Path) -> list[Path]:
    """Make a folder a workspace; the files that were written: those that are there stay.

    Raises UsageError where it is one, or cannot be one, and OSError.
    """
    folder = folder.absolute()
    if (folder / MARKER).exists():
        raise UsageError(f"{folder} is a workspace already")
    if folder.is_relative_to(INSTALLED):
        raise UsageError(f"{folder} lies in onefile's own folder: choose one elsewhere")
    written = []
    for name, text in FILES.items():
        path = folder / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            written.append(path)
    return written
