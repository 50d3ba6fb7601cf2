"""A hash of all that a bundle and its check depend on, and results that are kept under it.

The files are those of the rooms: of the project's folders, and a workspace's, in which bots and
their modules lie. A bundle that is made of any other file is made anew each time.
"""

import hashlib
import os
import pickle
import platform
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from bundler.bundle import Bundle
from bundler.modules.project import Project
from bundler.modules.workspace import CACHE, INSTALLED
from bundler.native.cache import keep
from bundler.sites import environment
from bundler.source_map import read_mark

MADE = CACHE / "made"
ROOMS = ("bots", "bundler", "referee", "shared")
VARIABLES = ("CG_", "NUMBA_", "PATH", "PYTHON")  # the starts of their names


def rooms_of(project: Project) -> set[Path]:
    """Returns the folders whose files are hashed."""
    return {root / room for root in (INSTALLED, project.root) for room in ROOMS}


def inputs_digest(project: Project, texts: Iterable[str], files: Iterable[Path] = ()) -> bytes:
    """Returns a hash of texts, of files and of the rooms of a project, of the names beside these,
    of the machine, of the environment, and of the versions of Python and of packages.
    """
    site = project.site.folder
    packages = {Path(folder) for folder in sys.path} | {*site.glob("lib/*/site-packages")}
    roots, machine = [INSTALLED, project.root], (sys.version, platform.node(), platform.machine())
    texts = [
        *map(str, (project.entry_path, project.root, project.site, *machine)),
        (site / "pyvenv.cfg").read_text() if environment(project.site) else "",
        *sorted(str(path) for folder in packages for path in folder.glob("*-info")),
        *sorted(str(path) for root in roots for path in root.iterdir() if is_importable(path)),
        *sorted(str(item) for item in os.environ.items() if item[0].startswith(VARIABLES)),
        *texts,
    ]
    digest = hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass"))
    for path in sorted({*files, *(path for room in rooms_of(project) for path in room.rglob("*"))}):
        if path.suffix != ".pyc" and path.is_file():
            content = path.read_bytes()
            digest.update(f"\0{path}\0{len(content)}\0".encode() + content)
    return digest.digest()


def is_importable(path: Path) -> bool:
    """Returns True for a path that Python may import, a folder's or a module's but no bundle's."""
    is_module = path.suffix == ".py" and path.is_file() and not is_bundle(path)
    return path.stem.isidentifier() and (is_module or path.is_dir())


def is_bundle(path: Path) -> bool:
    """Returns True for a file that this program wrote: it starts with a mark."""
    with path.open(encoding="utf-8", errors="replace") as file:
        return read_mark(file.readline().rstrip("\n"), number=1) is not None


def remembered(project: Project, options: object, make: Callable[[], Bundle]) -> Bundle:
    """Returns the Bundle that an earlier command has made with the same options, if all that it was
    made of is as it was; else a new one, which is kept.
    """
    texts = [str(options)]
    name = hashlib.sha256(f"{project.entry_path}\0{options}".encode()).hexdigest()[:32]
    file, digest = MADE / name, inputs_digest(project, texts)
    if file.is_file():
        data = file.read_bytes()
        if data.startswith(digest):
            kept: Bundle = pickle.loads(data.removeprefix(digest))
            return kept
    made = make()
    rooms = rooms_of(project)
    files = {*made.files, *made.project.weights}
    is_inside = all(any(path.is_relative_to(room) for room in rooms) for path in files)
    if is_inside and inputs_digest(project, texts) == digest:
        keep(file, digest + pickle.dumps(made))
    return made
