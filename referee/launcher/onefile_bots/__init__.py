"""The distribution `onefile-bots`: the command `onefile`, and the way to the project's folder.

An installation has the project's tree, `bots/ shared/ bundler/ referee/`, inside this package, so
that nothing else lands in site-packages; a checkout has this package inside its tree. The sources
say `from shared.search import ...` in both: the command puts the tree first on `sys.path`.
"""

import os
import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
# The folder that holds `bots/`, `shared/`, `bundler/` and `referee/`.
FOLDER = _HERE if (_HERE / "referee").is_dir() else _HERE.parents[2]


def join(workspace: str | os.PathLike[str]) -> None:
    """Let this process import the project's modules, and those of a workspace before them.

    The tests of a workspace begin with it. workspace: the folder that has `onefile.toml`.
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
