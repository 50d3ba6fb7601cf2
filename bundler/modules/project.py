"""Module lookup: the entry file, the root of the project, and the files below it."""

import difflib
import sys
from collections.abc import Iterable
from importlib.machinery import FileFinder, FrozenImporter, ModuleSpec, SourceFileLoader
from pathlib import Path

from bundler.errors import BundleError
from bundler.modules.library import LIBRARY
from bundler.modules.packages import brought_packages
from bundler.modules.workspace import INSTALLED, MARKER, PACKAGES, find_workspace, roots_of
from bundler.sites import find_site

# Names that mean a package wherever a bot runs
SITE_PACKAGES = {"numpy"}
ROOT_MARKERS = (MARKER, "pyproject.toml", "setup.py", "setup.cfg", ".git")


class Project:
    """The entry and the folders in which its imports are looked up, in Python's order.

    An entry that is named as a module, or that imports relatively, runs as by `python -m`: its
    packages are imported first. Any other entry runs as by `python FILE`: modules beside it come
    before those of the root. site: the name of a site, see bundler/sites.py. Raises BundleError and
    SiteError.
    """

    def __init__(
        self, entry: str | Path, root: Path | None = None, site: str | None = None
    ) -> None:
        self.root, self.entry_path, self.as_module = _find(entry, root)
        self.site = find_site(site, find_workspace(self.root) or self.root)
        self.entry_name = ".".join(self.entry_path.relative_to(self.root).with_suffix("").parts)
        self.weights: set[Path] = set()  # files that a bundle has read
        self.packages: dict[str, Path] = {}  # installed ones that it takes along -> their places
        self.search = [self.root]
        # Modules that a workspace lacks are found in the installation.
        if (self.root / MARKER).is_file() and self.root != INSTALLED:
            self.search.append(INSTALLED)

    def look_beside_entry(self, first: bool) -> None:
        """Search the entry's own folder as well, before the root if `first`, else after it."""
        folder = self.entry_path.parent
        if folder != self.root:
            self.search.insert(0 if first else 1, folder)

    def look_in_installation(self, shown: str) -> None:
        """Search the installation as well, because the module `shown` imports `onefile_bots`.
        Raises BundleError where the bot has a `shared` of its own.
        """
        if INSTALLED not in self.search:
            spec = self.locate(LIBRARY)
            if spec is not None:
                place = spec.origin or next(iter(spec.submodule_search_locations or ()))
                construct, advice = f"{place} hides onefile_bots.shared", "rename it"
                raise BundleError(shown, 1, construct, advice)
            self.search.append(INSTALLED)

    def shown(self, path: Path) -> str:
        """Returns a path as people should read it: relative to the deepest folder around it of the
        root, the installation, and the folders of installed packages that a bundle takes along.
        """
        roots = *(place.parent for place in self.packages.values()), self.root, INSTALLED
        root = max((root for root in roots if path.is_relative_to(root)), key=_depth)
        return path.relative_to(root).as_posix()

    def locate(self, name: str) -> ModuleSpec | None:
        """Returns the spec of a local module, None for any other name. The spec of a folder without
        `__init__.py` has no origin.
        """
        top, *rest = name.split(".")
        if top in sys.builtin_module_names or FrozenImporter.find_spec(top) is not None:
            return None  # Python finds its own first
        specs_of_top = list(filter(None, (_in_folder(folder, top) for folder in self.search)))
        is_of_site = top in {*sys.stdlib_module_names, *self.site.packages}
        if not (specs_of_top or is_of_site) and (place := brought_packages().get(top)):
            self.packages[top] = place
            specs_of_top = list(filter(None, [_in_folder(place.parent, top)]))
        # A regular module further on, the site's own included, comes before a mere folder.
        regular = [spec for spec in specs_of_top if spec.origin]
        if not regular and (top in sys.stdlib_module_names or top in self.site.packages):
            return None
        specs = [_below(spec, rest) for spec in regular or specs_of_top]
        if INSTALLED in self.search and name.startswith(PACKAGES):
            # Each folder may have a part of a package, and the workspace's part comes first.
            wholes = [spec for top_spec in specs_of_top if (spec := _below(top_spec, rest))]
            specs = [*([spec for spec in wholes if spec.origin] or wholes)] or specs
        return next(iter(specs), None)

    def module_names(self, packages: set[str]) -> set[str]:
        """Returns the names of the modules in the searched folders, and of all modules in some
        packages.
        """
        names = set()
        for folder in self.search:
            names |= {path.stem for path in folder.glob("*.py")}
            names |= {path.parent.name for path in folder.glob("*/__init__.py")}
            for package in packages:
                for path in (folder / package).rglob("*.py"):
                    parts = path.relative_to(folder).with_suffix("").parts
                    names.add(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
        return names


def _depth(path: Path) -> int:
    return len(path.parts)


def _below(spec: ModuleSpec | None, names: Iterable[str]) -> ModuleSpec | None:
    for name in names:
        folders = spec.submodule_search_locations if spec else None
        spec = _in_folder(Path(folders[0]), name) if folders else None
    return spec


def _in_folder(folder: Path, name: str) -> ModuleSpec | None:
    """Returns the spec of a module in a folder, as Python finds it there; None if it is missing or
    a folder without Python files.
    """
    spec = FileFinder(str(folder), (SourceFileLoader, [".py"])).find_spec(name)
    folders = spec.submodule_search_locations if spec and not spec.origin else None
    return None if folders and not any(Path(folders[0]).rglob("*.py")) else spec


def _did_you_mean(text: str) -> str:
    """Returns "; did you mean X?" for the Python file that is most like a missing one, else ""."""
    places = [Path.cwd(), *roots_of(Path.cwd())]
    patterns = [f"{Path(text).parent.as_posix()}/*.py", f"bots/*/{Path(text).name}"]
    known = {
        path.relative_to(place).as_posix()
        for place in places
        for pattern in patterns
        if not Path(pattern).is_absolute() and ".." not in pattern
        for path in place.glob(pattern)
    }
    close = difflib.get_close_matches(text, sorted(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def _find(entry: str | Path, root: Path | None) -> tuple[Path, Path, bool]:
    """Returns (root, path of the entry, True if it was named as a module). Raises BundleError."""
    text = str(entry)
    path = Path(text)
    as_module = False
    if not path.is_file() and not text.endswith(".py") and "/" not in text:
        base = Path(root) if root else Path.cwd()
        path = base.joinpath(*text.split(".")).with_suffix(".py")
        if not path.is_file() and path.with_suffix("").joinpath("__main__.py").is_file():
            path = path.with_suffix("").joinpath("__main__.py")
        root = root or base
        as_module = True
    if not path.is_file():
        # As the referee finds it: in the folders of the workspace and of the installation too.
        places = [place / text for place in roots_of(Path.cwd())]
        path = next((place for place in places if place.is_file()), path)
    if not path.is_file():
        folder = Path(text)
        bots = sorted(folder.glob("*.py"))
        shown = f", as {bots[0]}" if bots else ""
        advice = f"give the path of a Python file or the name of a module{shown}"
        advice += "" if bots else _did_you_mean(text)
        raise BundleError(text, 1, "a folder" if folder.is_dir() else "no such file", advice)
    if path.stem in {*sys.stdlib_module_names, *SITE_PACKAGES, "numba"}:
        advice = "rename it: it hides that module from what stands beside it"
        raise BundleError(text, 1, f"a bot named like the module {path.stem}", advice)
    path = path.resolve()
    root = Path(root).resolve() if root else guess_root(path)
    if not path.is_relative_to(root):
        advice = "name a folder around it"
        raise BundleError(text, 1, f"outside of the root {root}", advice)
    return root, path, as_module


def guess_root(path: Path) -> Path:
    """Returns the nearest folder with a project file, else the working folder above the entry, else
    the first folder that is no package.
    """
    for folder in path.parents:
        if any((folder / marker).exists() for marker in ROOT_MARKERS):
            return folder
    if path.is_relative_to(Path.cwd()):
        return Path.cwd().resolve()
    folder = path.parent
    while (folder / "__init__.py").exists():
        folder = folder.parent
    return folder
