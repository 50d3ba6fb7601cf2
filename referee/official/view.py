"""Collects the viewer of a contest's build: the contest's own scripts and pictures, the engine's
drawer, and the drawing library of its runner.

They lie in the folders `view` of the contest's sources and of the class path's entries. The first
place that has a file counts, so the contest's own files come before the engine's. The scripts are
ES modules; only those that `core/Drawer.js` imports, directly or not, are collected. Two scripts
are replaced: `assets.js` lists the files of `assets/` as the drawer loads them; `demo.js`, the
site's intro, is left empty.

Source: the engine's `Renderer` and `Drawer`, versions 2.7 to 4.7.
"""

import json
import posixpath
import re
import shlex
import zipfile
from dataclasses import dataclass
from pathlib import Path

from referee.errors import UsageError
from referee.official.build import Build

FOLDER = "view/"
SOURCES = "src/main/resources"
DRAWER = "core/Drawer.js"
ASSETS, DEMO = "assets.js", "demo.js"
# The drawer names its library as in `PIXI: 'PIXI6'`; the runner has it as lib/pixi6.js.
LIBRARY = re.compile(r"\bPIXI:\s*['\"](PIXI\d+)['\"]")
MOST_BYTES = 100_000_000

COMMENT = re.compile(r"""'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/""", re.DOTALL)
STATEMENT = re.compile(
    r"""^[ \t]*(?:import|export)\b(?:[^;'"]*?\bfrom)?[ \t\n]*(['"])(?P<name>[^'"\n]+)\1""",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Viewer:
    """A contest's viewer.

    modules: the source of each script by name; imports in it have full names. library: the source
    of the script that defines PIXI. files: the contents of the files in `assets/`, by path. assets:
    the content of the generated `assets.js`, lists of these paths.
    """

    modules: dict[str, str]
    library: str
    files: dict[str, bytes]
    assets: dict[str, object]


def find_viewer(build: Build) -> Viewer:
    """Returns a build's viewer. Raises UsageError if a file is missing."""
    view = ViewFiles(build)
    if DRAWER not in view.places:
        raise UsageError(f"{build.given}: the engine has no viewer ({FOLDER}{DRAWER})")
    modules: dict[str, str] = {}
    left = [DRAWER]
    while left:
        name = left.pop()
        if name not in modules:
            modules[name], imported = _with_full_names(name, view)
            left += imported
    match = LIBRARY.search(modules[DRAWER])
    library = f"lib/{match[1].lower()}.js" if match else "lib/pixi4.js"
    if library not in view.places:
        raise UsageError(
            f"{build.given}: the engine's runner has no {FOLDER}{library}, which draws the"
            " pictures: build the contest with the runner of its engine, version 3.6 or later"
        )
    files = {name: view.read(name) for name in sorted(view.places) if name.startswith("assets/")}
    return Viewer(modules, view.text(library), files, list_assets(files))


class ViewFiles:
    """The files in the folders `view` of a build's sources and class path.

    places: the folder or jar of each file, by the file's name.
    """

    def __init__(self, build: Build) -> None:
        self.places: dict[str, Path] = {}
        self.n_bytes, self.folder = 0, build.folder
        sources = [build.folder / SOURCES] if build.folder else []
        for entry in [*sources, *build.entries]:
            for name in _names(entry):
                self.places.setdefault(name, entry)

    def read(self, name: str) -> bytes:
        """Returns a file's content. Raises UsageError if it cannot be read, or if all files are too
        large.
        """
        entry = self.places[name]
        try:
            if entry.is_dir():
                data = (entry / FOLDER / name).read_bytes()
            else:
                with zipfile.ZipFile(entry) as jar:
                    data = jar.read(FOLDER + name)
        except (OSError, zipfile.BadZipFile) as error:
            raise UsageError(f"{entry}: {FOLDER}{name} cannot be read: {error}") from error
        self.n_bytes += len(data)
        if self.n_bytes > MOST_BYTES:
            raise UsageError(f"{entry}: the viewer's files exceed {MOST_BYTES / 1e6:g} MB")
        return data

    def text(self, name: str) -> str:
        """Returns a file of the viewer as text. Raises UsageError if it cannot be read."""
        return self.read(name).decode("utf-8", errors="replace").removeprefix("\ufeff")

    def resolve(self, wanted: str, importer: str) -> str:
        """Returns the full name of a module that another module imports. Raises UsageError."""
        if wanted.startswith("."):
            name = posixpath.normpath(posixpath.join(posixpath.dirname(importer), wanted))
        else:
            name = posixpath.normpath(wanted.lstrip("/"))
        for candidate in (name, f"{name}.js"):
            if candidate in self.places or candidate in (ASSETS, DEMO):
                return candidate
        raise UsageError(
            f"the viewer lacks {FOLDER}{name}, which {FOLDER}{importer} imports{self._advice()}"
        )

    def _advice(self) -> str:
        """Returns the advice about a missing script, for an error: some contests have TypeScript to
        compile.
        """
        settings_files = self.folder.glob(f"{SOURCES}/**/tsconfig.json") if self.folder else ()
        settings = next(iter(settings_files), None)
        if not settings:
            return ": give the contest's whole repository, built by onefile build"
        where = shlex.quote(str(settings.parent))
        return (
            f": compile its TypeScript: npx -y -p typescript@5 tsc -p {where} (it writes its files"
            " in spite of errors in types)"
        )


def list_assets(files: dict[str, bytes]) -> dict[str, object]:
    """Returns the lists of the generated `assets.js`: `images`, {name below `assets/`: path};
    `sprites`, the paths of sprite sheets; and `fonts`, the paths of bitmap fonts. The picture of a
    sprite sheet is loaded with the sheet, and is not listed.
    """
    images, sprites, fonts, linked = {}, [], [], set()
    for path, data in files.items():
        if path.endswith(".json"):
            try:
                picture = json.loads(data)["meta"]["image"]
                linked.add(posixpath.normpath(posixpath.join(posixpath.dirname(path), picture)))
            except (ValueError, LookupError, TypeError):
                continue
            sprites.append(path)
        elif path.endswith(".fnt"):
            fonts.append(path)
        else:
            images[path.removeprefix("assets/")] = path
    images = {name: path for name, path in images.items() if path not in linked}
    return {"images": images, "sprites": sprites, "fonts": fonts}


def _names(entry: Path) -> list[str]:
    """Returns the names of the files in the folder `view` of a folder or jar."""
    if entry.is_dir():
        folder = entry / FOLDER
        return [
            path.relative_to(folder).as_posix()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and "node_modules" not in path.parts
        ]
    try:
        with zipfile.ZipFile(entry) as jar:
            return [
                name.removeprefix(FOLDER)
                for name in jar.NameToInfo
                if name.startswith(FOLDER) and not name.endswith("/")
            ]
    except (OSError, zipfile.BadZipFile):
        return []


def _with_full_names(name: str, view: ViewFiles) -> tuple[str, list[str]]:
    """Returns a module's source with full names in its imports, and the list of these names. Raises
    UsageError.
    """
    if name == DEMO:
        return "export const demo = undefined;\n", []
    if name == ASSETS:
        return "export const assets = window.officialAssets;\n", []
    source = view.text(name)
    code = COMMENT.sub(
        lambda match: re.sub(r"[^\n]", " ", match[0]) if match[0][0] == "/" else match[0], source
    )
    imported: list[str] = []
    parts, end = [], 0
    for match in STATEMENT.finditer(code):
        imported.append(view.resolve(match["name"], name))
        parts += [source[end : match.start("name")], FOLDER + imported[-1]]
        end = match.end("name")
    return "".join([*parts, source[end:]]), imported
