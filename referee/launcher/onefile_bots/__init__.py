"""Contest bots over shared simulators and searches: the library, and the command's functions.

    from onefile_bots.shared.search.mcts import make_search
    from onefile_bots import play_match

The library is `onefile_bots.shared`; docs/reference/python-api.md lists its stable modules. Its
packages have short names here, such as `onefile_bots.search.mcts`, and are imported when they are
first used.

An installation has the project's tree, `bots/ shared/ bundler/ referee/`, inside this package, so
that nothing else lands in site-packages; a checkout has this package inside its tree. Sources of
bots say `from shared.search import ...` in both: the command puts the tree first on `sys.path`.
"""

from __future__ import annotations  # the sites' Pythons import it, from Python 3.9 on

import os
import sys
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Sequence

from onefile_bots._arena import ArenaSeries, read_arena
from onefile_bots._bundle import Bundle, make_bundle
from onefile_bots._command import OnefileError
from onefile_bots._match import Match, Player, play_match

if TYPE_CHECKING:
    from onefile_bots.shared import core, games, mesh, path, search

__all__ = [
    "ArenaSeries",
    "Bundle",
    "Match",
    "OnefileError",
    "Player",
    "core",
    "games",
    "make_bundle",
    "mesh",
    "path",
    "play_match",
    "read_arena",
    "search",
]

_HERE = Path(__file__).resolve().parent
# The folder that holds `bots/`, `shared/`, `bundler/` and `referee/`.
FOLDER = _HERE if (_HERE / "referee").is_dir() else _HERE.parents[2]
if FOLDER != _HERE:
    __path__.append(str(FOLDER))  # `onefile_bots.shared` of a checkout

_LIBRARY = f"{__name__}.shared"
_SHORT_NAMES = ("core", "games", "mesh", "path", "search")


class _Library:
    """A finder and loader of `sys.meta_path`, for processes that have the package `shared` on their
    path, such as commands and bots.

    It finds `onefile_bots.shared` as another name of `shared`, so that a contest of a package and
    the referee have the same class `Contest`.
    """

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name == _LIBRARY:
            spec = PathFinder.find_spec("shared")
            is_same = spec and spec.origin == str(FOLDER / "shared" / "__init__.py")
        elif name.startswith(f"{_LIBRARY}."):
            is_same = sys.modules[_LIBRARY] is sys.modules.get("shared")
        else:
            return None
        return ModuleSpec(name, cls) if is_same else None  # type: ignore[arg-type]

    @staticmethod
    def create_module(spec: ModuleSpec) -> None:
        """Let Python make a module; `exec_module` replaces it."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        name = module.__name__.removeprefix(f"{__name__}.")
        sys.modules[module.__name__] = import_module(name)


sys.meta_path.insert(0, _Library)


def __getattr__(name: str) -> ModuleType:
    if name not in _SHORT_NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    package = import_module(f"{_LIBRARY}.{name}")
    modules = sorted(module.name for module in iter_modules(package.__path__))

    def module_of(name: str) -> ModuleType:
        if name not in modules:
            raise AttributeError(f"module {package.__name__!r} has no attribute {name!r}")
        return import_module(f"{package.__name__}.{name}")

    # Each module when it is first used: some compile kernels, which takes seconds.
    vars(package).update(__getattr__=module_of, __dir__=lambda: modules)
    globals()[name] = package
    return package


def __dir__() -> list[str]:
    return sorted({*globals(), *_SHORT_NAMES})


def join(workspace: str | os.PathLike[str]) -> None:
    """Let this process import the modules of a workspace and of the project; a workspace's come
    first.

    The tests of a workspace begin with this call. workspace: the folder that has `onefile.toml`.
    """
    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))
    from bundler.modules.workspace import join as join_workspace

    join_workspace(Path(workspace).resolve())


def main() -> None:
    """Run the command line."""
    # Before anything of the user's: the folder of the command may have a `shared.py`.
    sys.path.insert(0, str(FOLDER))
    if FOLDER == _HERE and "ONEFILE_CACHE" not in os.environ:
        # An installation may be read-only, and is replaced by the next version.
        from platformdirs import user_cache_dir

        os.environ["ONEFILE_CACHE"] = user_cache_dir("onefile-bots", appauthor=False)
    from referee.onefile import main as run

    run()
