"""Writes the files of weights that a bot names as a literal that shared/core/packed.py decodes."""

import ast
import zlib
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile, is_zipfile

from bundler.modules.project import Project
from bundler.program import Module
from bundler.stages.encoding import compress, to_literal

if TYPE_CHECKING:
    import numpy as np

CONSTANT_LINE = '\nPACKED_WEIGHTS = ""\n'  # takes the literal
FUNCTION, HEADER = "weights", "header"
KINDS = ("int8", "int16", "int32", "int64", "float32", "float64")


def insert_weights(text: str, project: Project, modules: list[Module]) -> str:
    """Returns a bundle's text with the files of weights that its modules name, unchanged if they
    name none. Raises BundleError.
    """
    if CONSTANT_LINE not in text:
        return text
    contents, data = {}, b""
    for module in modules:
        for node in module.source.nodes:
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == FUNCTION:
                name, arrays = _read(project, module, node)
                if name not in contents:
                    contents[name] = {key: (str(a.dtype), a.size) for key, a in arrays.items()}
                    data += b"".join(array.tobytes() for array in arrays.values())
    if not contents:
        return text
    literal = to_literal(compress(repr(contents).encode() + b"\0" + data), "wide")
    return text.replace(CONSTANT_LINE, f"\nPACKED_WEIGHTS = {literal}\n", 1)


def _read(project: Project, module: Module, call: ast.Call) -> "tuple[str, dict[str, np.ndarray]]":
    """Returns (name, {key: flat array}) of the file that a call names. Raises BundleError."""
    import numpy as np  # slow to import

    name = getattr(call.args[0], "value", None) if len(call.args) == 1 else None
    if not isinstance(name, str) or call.keywords:
        raise module.error(call, "weights of a computed name", "write the file's name as a text")
    folders = [project.entry_path.parent, project.root]  # as Python's path has them
    path = next((folder / name for folder in folders if (folder / name).is_file()), Path(name))
    project.weights.add(path.absolute())
    try:
        if path.is_file() and not is_zipfile(path):
            raise ValueError("no .npz file")
        with np.load(path) as file:
            arrays = {key: file[key].ravel() for key in file.files if key != HEADER}
    except (OSError, ValueError, EOFError, BadZipFile, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        advice = f"train them first, or name an .npz file from {project.root} on"
        raise module.error(call, f"weights of {name}: {reason}", advice) from error
    for key, array in arrays.items():
        if str(array.dtype) not in KINDS:
            advice = f"write one of {', '.join(KINDS)}"
            raise module.error(call, f"{key} of {name} is {array.dtype}", advice)
    return name, arrays
