"""Modules of two folders as one: those of a workspace come before the installed project's.

A workspace has bots and contests of its own, in the same packages as the project: `bots.mine.game`
is looked up there first, and in the project where the workspace has none. A process that runs a
bot's source calls `join` first, or `run`.

This module imports only the standard library as of Python 3.9, because the sites' Pythons run bots'
sources with it.
"""

from __future__ import annotations  # Python 3.9 has no `X | None`

import contextlib
import json
import os
import runpy
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

MARKER = "onefile.toml"  # in a workspace
PACKAGES = ("bots.", "shared.games.")  # to which a workspace adds
INSTALLED = Path(__file__).resolve().parents[2]
# False in an installed distribution, whose package holds the tree: nothing is written there.
IS_CHECKOUT = not (INSTALLED / "__init__.py").exists()
# Bundles and other files that can be made again. The command of a distribution names the user's
# cache folder, and whoever starts a command may name another one.
CACHE = Path(os.environ.get("ONEFILE_CACHE") or INSTALLED / ".cache").absolute()
CACHE_ADVICE = "set ONEFILE_CACHE to a folder that you can write"


def cache_error(error: OSError) -> str | None:
    """Returns a text for an error in making or using the cache folder, None for another error."""
    path = Path(error.filename) if isinstance(error.filename, str) else None
    if path is None or not (path.is_relative_to(CACHE) or CACHE.is_relative_to(path)):
        return None
    return f"the cache {CACHE}: {error.strerror}: {CACHE_ADVICE}"


def find_workspace(start: Path) -> Path | None:
    """Returns the nearest workspace that is or contains a folder, None if there is none."""
    return next((folder for folder in (start, *start.parents) if (folder / MARKER).is_file()), None)


def roots_of(path: Path) -> list[Path]:
    """Returns the folders in which imports of a file, or of a folder's files, are looked up: its
    workspace, if it lies in any, and the installation.
    """
    workspace = find_workspace(path)
    return [workspace, INSTALLED] if workspace and workspace != INSTALLED else [INSTALLED]


class WorkspaceFinder:
    """Finds the modules of a workspace, as one of `sys.meta_path`."""

    def __init__(self, workspace: Path) -> None:
        self.workspace = workspace

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Returns the spec of a module in the workspace, None if the workspace lacks it."""
        if not name.startswith(PACKAGES):
            return None
        parts = name.split(".")
        place, installed = self.workspace.joinpath(*parts), INSTALLED.joinpath(*parts)
        module, package = place.with_suffix(".py"), place / "__init__.py"
        if package.is_file():
            folders = [str(place), str(installed)]
            return spec_from_file_location(name, package, submodule_search_locations=folders)
        return spec_from_file_location(name, module) if module.is_file() else None


def join(workspace: Path) -> None:
    """Let this process find the modules of a workspace. Further calls change nothing."""
    known = [finder.workspace for finder in sys.meta_path if isinstance(finder, WorkspaceFinder)]
    if workspace not in known:
        sys.meta_path.insert(0, WorkspaceFinder(workspace))


def run(workspace: str, file: str) -> None:
    """Run a file as Python does, with the modules beside it, the workspace's and the project's."""
    sys.path.insert(0, str(Path(file).parent))
    join(Path(workspace))
    runpy.run_path(file, run_name="__main__")


def newest_logs(folder: Path, root: Path) -> Iterator[Path]:
    """Yields the paths of the logs of bots that lie in a folder, the newest first. root: the folder
    of the project. Logs are searched in the working folder, in `root` and in its folder `build`.
    """
    places = {Path.cwd().resolve(), root.resolve(), root.resolve() / "build"}
    logs = [log for place in places for log in place.glob("*.jsonl") if log.is_file()]
    for log in sorted(logs, key=lambda log: log.stat().st_mtime, reverse=True):
        with contextlib.suppress(OSError, ValueError, LookupError, TypeError):
            with log.open(encoding="utf-8") as opened:
                bots = json.loads(opened.readline())["bots"]
            if folder in [Path(root, bot["bot"].partition(" ")[0]).parent for bot in bots]:
                yield log
