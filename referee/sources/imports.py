"""Finds the files of a Python program in its own folders: the modules that it imports, directly or
not.

Nothing is run: imports are read from anywhere in the source. A literal that names a file beside the
source, such as "weights.npz", counts as well. Module names computed at run time are not found.
"""

import ast
from pathlib import Path
from typing import Iterator

# A longer text is not a file's name.
MAX_NAME = 200
# Folders of files that the system makes: their text differs from one process to the next.
SYSTEM = ("/proc/", "/sys/")
# Functions that import the module named by their first argument.
IMPORTERS = {"import_module", "__import__"}


def imported_files(file: Path, folders: list[Path]) -> list[Path]:
    """Returns the sorted files that a program imports or names, except the program itself.

    folders: the folders in which imports are searched.
    """
    files: set[Path] = set()
    open_files = [file]
    while open_files:
        path = open_files.pop()
        if path in files:
            continue
        files.add(path)
        if path.suffix == ".py" or path == file:
            open_files += _read_by(path, folders)
    return sorted(files - {file})


def _read_by(path: Path, folders: list[Path]) -> Iterator[Path]:
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return  # a file that cannot be parsed cannot run
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _module_files(alias.name, folders)
        elif isinstance(node, ast.ImportFrom):
            base, roots = node.module or "", folders
            if node.level:
                roots = [[path, *path.parents][min(node.level, len(path.parents))]]
            for alias in node.names:
                # An imported name of a package may be a module.
                yield from _module_files(f"{base}.{alias.name}".strip("."), roots)
        elif isinstance(node, ast.Call) and node.args and _name(node.func) in IMPORTERS:
            if isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
                yield from _module_files(node.args[0].value.strip("."), folders)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
            is_name = 0 < len(text) < MAX_NAME and text.isprintable()
            if is_name and not text.startswith(SYSTEM) and (path.parent / text).is_file():
                yield (path.parent / text).resolve()


def _name(function: ast.expr) -> str | None:
    """Returns the name of a called function, without its module."""
    return getattr(function, "id", getattr(function, "attr", None))


def _module_files(name: str, folders: list[Path]) -> Iterator[Path]:
    """Yields the existing files of a module and of the packages around it."""
    top, *rest = name.split(".")
    for folder in folders:
        place = folder / top
        if _files_at(place) or place.is_dir():
            break
    else:
        return
    yield from _files_at(place)
    for word in rest:
        place = place / word
        yield from _files_at(place)


def _files_at(place: Path) -> list[Path]:
    """Returns the files of the module at a path without suffix: one source, or libraries of machine
    code.
    """
    options = [place / "__init__.py", place.with_name(place.name + ".py")]
    files = [option.resolve() for option in options if option.is_file()]
    return files[:1] or [path.resolve() for path in place.parent.glob(f"{place.name}.*.so")]
