"""Workspaces: a user's own contests, bots and results, in a folder outside the installation.

A workspace is a folder with a file `onefile.toml`; commands run in it, or below it, search there
first and then in the installation. `onefile init` makes one.
"""

from pathlib import Path

from bundler.modules.workspace import INSTALLED, IS_CHECKOUT, join, roots_of
from referee.errors import UsageError


def workspace() -> Path | None:
    """Returns the current workspace, None outside of one, and makes the workspace's modules
    importable.
    """
    folder = roots_of(Path.cwd())[0]
    if folder == INSTALLED:
        return None
    join(folder)
    return folder


def roots() -> list[Path]:
    """Returns the folders that hold contests and bots: the workspace, if there is one, then the
    installation.
    """
    user_workspace = workspace()
    return [user_workspace, INSTALLED] if user_workspace else [INSTALLED]


def is_source(file: Path) -> bool:
    """Returns True for a file in `bots/` of its workspace or of the installation."""
    return any(file.is_relative_to(root / "bots") for root in roots_of(file))


def home() -> Path:
    """Returns the folder for results: the workspace, else a checkout, else the current folder."""
    return workspace() or (INSTALLED if IS_CHECKOUT else Path.cwd())


def home_for_sources() -> Path:
    """Returns the folder for new bots and contests. Raises UsageError where there is none."""
    user_workspace = workspace()
    if user_workspace is None and not IS_CHECKOUT:
        raise UsageError(
            f"{Path.cwd()} is no workspace: type `onefile init DIR`, then `cd DIR` and the command"
        )
    return user_workspace or INSTALLED


def root_of(path: Path) -> Path | None:
    """Returns the workspace or installation that contains a path, None if none does."""
    return next((root for root in roots() if path.is_relative_to(root)), None)
