"""A cache of bundles and their checks, by a hash of all that they depend on.

The hash covers the files of the rooms: the folders of the project, and of a workspace, in which
bots and their modules lie. A bundle of any other file is made and checked anew each time.
"""

import contextlib
import hashlib
import os
import pickle
import platform
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from bundler.bundle import Bundle
from bundler.modules.project import Project
from bundler.modules.workspace import CACHE, INSTALLED, MARKER
from bundler.native.cache import keep
from bundler.sites import environment
from bundler.source_map import read_mark

MADE = CACHE / "made"
CHECKED = "checked "  # the start of the phrase of a check that passed
ROOMS = ("bots", "bundler", "referee", "shared")
VARIABLES = ("CG_", "NUMBA_", "PATH", "PYTHON")  # the starts of their names


def roots_of(project: Project) -> set[Path]:
    """Returns the folders that contain rooms: the installation, and the project's root if it is a
    workspace.
    """
    return {INSTALLED, project.root} if (project.root / MARKER).is_file() else {INSTALLED}


def is_of_rooms(bundle: Bundle) -> bool:
    """Returns True if all files that a Bundle was made of lie in rooms, whose files are hashed."""
    rooms = [root / room for root in roots_of(bundle.project) for room in ROOMS]
    files = {*bundle.files, *bundle.project.weights}
    return all(any(path.is_relative_to(room) for room in rooms) for path in files)


def inputs_digest(project: Project, texts: Iterable[str], files: Iterable[Path] = ()) -> bytes:
    """Returns a hash of texts, files, a project's rooms and the names of its other modules, the
    machine, the environment, and the versions of Python and packages.
    """
    site, roots = project.site.folder, sorted(roots_of(project))
    packages = {Path(folder) for folder in sys.path} | {*site.glob("lib/*/site-packages")}
    texts = [
        *map(str, (project.entry_path, project.root, project.as_module, project.site)),
        *(sys.version, platform.node(), platform.machine()),
        str(content_of(site / "pyvenv.cfg") if environment(project.site) else b""),
        *sorted(str(path) for folder in packages for path in folder.glob("*-info")),
        *sorted(str(path) for root in roots for path in root.iterdir() if is_importable(path)),
        *sorted(str(item) for item in os.environ.items() if item[0].startswith(VARIABLES)),
        *texts,
    ]
    digest = hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass"))
    inside = (path for root in roots for room in ROOMS for path in (root / room).rglob("*"))
    for path in sorted({*files, *inside}):
        if path.suffix != ".pyc" and path.is_file():
            content = content_of(path)
            digest.update(f"\0{path}\0{len(content)}\0".encode() + content)
    return digest.digest()


def content_of(path: Path) -> bytes:
    """Returns the bytes of a file, b"" for a file that is missing or cannot be read: no bundle can
    be made of such a file either.
    """
    try:
        return path.read_bytes()
    except OSError:
        return b""


def is_importable(path: Path) -> bool:
    """Returns True for the path of a folder or a module that Python may import, but no bundle."""
    is_module = path.suffix == ".py" and path.is_file() and not is_bundle(path)
    return path.stem.isidentifier() and (is_module or path.is_dir())


def is_bundle(path: Path) -> bool:
    """Returns True for a file that this program wrote: it starts with a mark."""
    first_line = content_of(path).partition(b"\n")[0].decode("utf-8", "replace")
    return read_mark(first_line.rstrip("\r")) is not None


def remembered(
    project: Project,
    options: object,
    log: Path | None,
    make: Callable[[], Bundle],
    check: Callable[[Bundle], str],
) -> tuple[Bundle, str]:
    """Returns (the Bundle, the phrase on its check). An earlier command's Bundle is taken if
    options, log and all files are unchanged. Its check is repeated unless it passed.
    """
    texts, files = [str(options)], [log] if log else []
    name = hashlib.sha256(f"{project.entry_path}\0{options}".encode()).hexdigest()[:32]
    file, digest = MADE / name, inputs_digest(project, texts, files)
    made, phrase = None, ""
    if file.is_file() and (data := file.read_bytes()).startswith(digest):
        made, phrase = pickle.loads(data.removeprefix(digest))
        if phrase.startswith(CHECKED):
            return made, f"checked before: {phrase.removeprefix(CHECKED)}"
    made = made or make()
    phrase = check(made)
    if is_of_rooms(made) and inputs_digest(project, texts, files) == digest:
        with contextlib.suppress(OSError):  # without a cache the next command takes as long
            keep(file, digest + pickle.dumps((made, phrase)))
    return made, phrase
