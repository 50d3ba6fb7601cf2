"""Finds the files that a program may run or read, by its text: nothing is run.

A Python program's imports are followed (`imports`), and so are paths that its source puts together
from `__file__`, names and texts. Where a name is computed, or a folder is used as a whole, all
files of the folder count. Any other script counts with all files of its folder and with the files
and folders that its text names. A compiled program counts with the files whose full paths it holds.

Files of the system, and those of this Python, belong to no program.
"""

import ast
import os
import re
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path

from referee.project import PROJECT
from referee.sources.imports import imported_files
from referee.sources.workspace import roots

# A folder that no command names counts only up to so many files, and so many bytes.
MAX_FILES = 2_000
MAX_BYTES = 512 * 2**20
# Of a larger file only the beginning is searched for paths.
SEARCHED_BYTES = 64 * 2**20
# Nobody runs these, and running makes them.
LEFT_OUT = {"__pycache__"}
SYSTEM = (
    *("/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/nix", "/proc", "/run"),
    *("/sbin", "/snap", "/sys", "/usr"),
)
# Programs that somebody has put there by hand may be a bot's.
LOCAL = "/usr/local"
# The debug information of a compiled program names what it was made from.
SOURCES = {".c", ".cc", ".cpp", ".cxx", ".d", ".go", ".h", ".hpp", ".java", ".o", ".rs", ".zig"}
SCRIPTS = {".bash", ".cjs", ".js", ".jl", ".lua", ".mjs", ".php", ".pl", ".rb", ".sh", ".ts"}

# A path in a text: of a script, or between the bytes of a compiled program.
PATH_IN_TEXT = re.compile(r"[\w.+@%~/-]*[\w.+@%-]", re.ASCII)
PATH_IN_BYTES = re.compile(rb"/[\w.+@%-][\w.+@%/-]{2,300}")
# The end of a path that begins with a folder known at run time alone, as in "$HERE/../lib/x".
UPWARDS = re.compile(r"\.\./(?:[\w.+@%-]+/)*[\w.+@%-]+", re.ASCII)
# Between the parts of a path, as in join(__dirname, "..", "lib").
BETWEEN_PARTS = re.compile(r"""["'] *, *["']""")
# JavaScript's modules are named without them.
MODULE_SUFFIXES = (".js", ".mjs", ".cjs", ".json")
SHELL, JAVASCRIPT = {".bash", ".sh"}, {".cjs", ".js", ".mjs"}
# A path that begins with a variable, or with the user's home; in a shell script also a file that
# is a variable's value, in JavaScript one that is read or required by a variable.
UNKNOWN_ELSEWHERE = re.compile(r"(?:\$\{?\w+\}?|~)/[\w./-]+", re.ASCII)
UNKNOWN_IN_SHELL = re.compile(
    UNKNOWN_ELSEWHERE.pattern
    + r"|(?:(?<=\bcat)|(?<=\bsource)|(?<=\bexec)|(?<=(?<!\S)\.)|(?<=<))"
    + r"\s+\"?\$\{?\w+\}?(?![\w/}])",
    re.ASCII,
)
UNKNOWN_IN_JAVASCRIPT = re.compile(r"\b(?:require|readFileSync|readFile)\(\s*[A-Za-z_]\w*\s*[,)]")

# Python's functions that make a path of their arguments, and methods that make one of their object.
PATH_FUNCTIONS = {"Path", "PurePath", "PosixPath", "abspath", "expanduser", "fspath", "join"}
PATH_FUNCTIONS |= {"joinpath", "normpath", "realpath", "str"}
PATH_METHODS = {"absolute", "as_posix", "expanduser", "joinpath", "resolve", "with_name"}
# Functions that open or start the file that their first argument names.
OPENERS = {"CDLL", "LoadLibrary", "Popen", "check_call", "check_output", "execl", "execv", "execve"}
OPENERS |= {"execvp", "fromfile", "genfromtxt", "import_module", "loadtxt", "memmap", "open"}
OPENERS |= {"popen", "run_path", "spec_from_file_location", "system", "__import__"}
OPENERS_OF = {"np": {"load"}, "numpy": {"load"}, "subprocess": {"call", "run"}}


@dataclass
class ProgramFiles:
    """The files that a program consists of, its own file first.

    folders: those of which all files count. notes: warnings of file names that cannot be resolved.
    """

    files: dict[Path, None] = field(default_factory=dict)
    folders: set[Path] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)

    def add_folder(self, folder: Path, excluded: tuple[Path, ...]) -> None:
        """Add all files of a folder, except those in `excluded` folders; a note if too many."""
        if folder in self.folders or not _may_count(folder):
            return
        files = list(islice(files_below(folder, excluded, self.folders), MAX_FILES + 1))
        n_bytes = sum(path.stat().st_size for path in files)
        if len(files) > MAX_FILES or n_bytes > MAX_BYTES:
            self.notes.append(
                f"{folder} holds more than {MAX_FILES} files or {MAX_BYTES >> 20} MB, too many to"
                " know when one changes: of them only those count that the bot's files name and"
                " those that it runs; name others in its command"
            )
            return
        self.files.update(dict.fromkeys(files))


def files_of_program(program: Path, excluded: tuple[Path, ...] = ()) -> ProgramFiles:
    """Returns the files of a program. excluded: files and folders that belong to none."""
    program_files, open_programs = ProgramFiles(), [program]
    seen: set[Path] = set()
    while open_programs:
        path = open_programs.pop()
        if path in seen or _is_in(path, excluded):
            continue
        seen.add(path)
        program_files.files[path] = None
        if path != program and is_system(path):
            continue
        open_programs += _named_by(path, program_files, excluded)
    return program_files


def files_named_in(text: str, excluded: tuple[Path, ...] = ()) -> ProgramFiles:
    """Returns the files of all programs that a command in one word names by full paths, as in
    `sh -c '/path/bot x'`, or below a folder that it enters: `sh -c 'cd /path && ./bot'`.
    """
    words = [Path(word) for word in PATH_IN_TEXT.findall(text)]
    full = [path for path in words if path.is_absolute() and not is_system(path)]
    folders = [path for path in full if path.is_dir() and path not in roots()]
    paths = {*full, *(folder / path for folder in folders for path in words)}
    result = ProgramFiles()
    for path in sorted(paths):
        if path.is_file():
            inner = files_of_program(path, excluded)
            result.files |= inner.files
            result.folders |= inner.folders
            result.notes += inner.notes
        elif path in folders and path != Path(path.anchor):
            result.add_folder(path, excluded)
    return result


def is_system(path: Path) -> bool:
    """Returns True if a file is the system's or this Python's."""
    if any(path.is_relative_to(folder) for folder in _pythons()):
        return True
    return path.is_relative_to("/") and any(
        path.is_relative_to(folder) and not path.is_relative_to(LOCAL) for folder in SYSTEM
    )


def files_below(
    folder: Path, excluded: tuple[Path, ...], folders: set[Path] | None = None
) -> Iterator[Path]:
    """Yields the files in and below a folder, in order, without those of hidden folders.

    folders: receives all folders visited.
    """
    for path, names, files in os.walk(folder):
        here = Path(path)
        if folders is not None:
            folders.add(here)
        names[:] = sorted(
            name
            for name in names
            if name not in LEFT_OUT and name[0] != "." and not _is_in(here / name, excluded)
        )
        for name in sorted(files):
            if (here / name).is_file() and not _is_in(here / name, excluded):
                yield here / name


def _named_by(path: Path, program_files: ProgramFiles, excluded: tuple[Path, ...]) -> list[Path]:
    """Add the files that a program reads; returns the programs that it may run."""
    try:
        with path.open("rb") as file:
            data = file.read(SEARCHED_BYTES)
    except OSError:
        return []
    if is_python(path, data):
        return _named_by_python(path, program_files, excluded)
    if path.suffix in SCRIPTS or data.startswith(b"#!"):
        return _named_by_script(path, data.decode(errors="replace"), program_files, excluded)
    # Node's own program, for one, has thousands of paths, none of a bot.
    if data.startswith(b"\x7fELF") and not is_system(path):
        texts = [name.decode() for name in PATH_IN_BYTES.findall(data)]
        names = {Path(text) for text in texts}
        # Below the program's own folder, which it finds by its own name.
        here = path.resolve().parent
        rising = [text for text in texts if "../" in text]
        names |= {_upwards(here, end) for text in rising for end in UPWARDS.findall(text)}
        return [path for path in sorted(names) if path.suffix not in SOURCES and _is_own_file(path)]
    return []


def _upwards(here: Path, text: str) -> Path:
    """Returns the path that a text beginning with ".." stands for in a folder."""
    return Path(os.path.normpath(here / text))


def _named_by_python(
    path: Path, program_files: ProgramFiles, excluded: tuple[Path, ...]
) -> list[Path]:
    elsewhere = [Path(text) for text in os.environ.get("PYTHONPATH", "").split(":") if text]
    searched = dict.fromkeys([path.parent, *elsewhere, *roots()])
    programs: list[Path] = []
    looked_at: set[Path] = set()
    modules = [path]
    while new := [module for module in modules if module not in looked_at]:
        looked_at.update(new)
        n_searched = len(searched)
        for module in new:
            program_files.files[module] = None
            # Paths in modules of `shared/` do not name files of a bot.
            if (module == path or module.suffix == ".py") and not module.is_relative_to(
                PROJECT / "shared"
            ):
                paths = _python_paths(module)
                programs += [file for file in paths.files if _is_own_file(file)]
                searched |= dict.fromkeys(paths.searched)
                _add_computed(paths, program_files, excluded)
        if len(looked_at) == 1 or len(searched) > n_searched:
            modules = [
                file for file in imported_files(path, [*searched]) if not _is_in(file, excluded)
            ]
    # A text that names a file may name a program.
    programs += [module for module in modules if module.suffix != ".py"]
    return [
        program_file
        for program_file in programs
        if program_file not in looked_at or program_file.suffix != ".py"
    ]


def _python_paths(path: Path) -> "PythonPaths":
    try:
        return PythonPaths(path, ast.parse(path.read_bytes()))
    except (SyntaxError, ValueError, RecursionError, OSError):
        return PythonPaths(path, ast.Module([], []))  # it will not run either


def _add_computed(
    paths: "PythonPaths", program_files: ProgramFiles, excluded: tuple[Path, ...]
) -> None:
    """Add the folders from which a module takes files by names that it computes."""
    for folder in paths.folders:
        program_files.add_folder(folder, excluded)
    if paths.computed and not _is_hidden(paths.path):
        program_files.add_folder(paths.path.parent, excluded)
        program_files.notes.append(
            f"{paths.path}, line {paths.computed}, opens or starts a file whose name is computed:"
            " the files of its folder count; name others in the bot's command"
        )


def _named_by_script(
    path: Path, text: str, program_files: ProgramFiles, excluded: tuple[Path, ...]
) -> list[Path]:
    if is_system(path) or _is_hidden(path):
        return []
    programs = []
    program_files.add_folder(path.parent, excluded)
    joined = BETWEEN_PARTS.sub("/", text)
    words = {*PATH_IN_TEXT.findall(text), *PATH_IN_TEXT.findall(joined)}
    here = path.resolve().parent
    # A script may enter the folder above its own.
    above = [here.parent] if any(word.rpartition("/")[2] == ".." for word in words) else []
    for word in words:
        candidates = [Path(word), path.parent / word.lstrip("/")]
        if "/" in word:
            candidates += [base / end for base in above for end in _ends(word)]
        for end in UPWARDS.findall(word):
            base = _upwards(here, end)
            candidates += [base, *(Path(f"{base}{suffix}") for suffix in MODULE_SUFFIXES)]
        for candidate in candidates:
            if _is_own_file(candidate):
                programs.append(candidate.resolve())
            elif "/" in word and candidate.is_dir() and not is_system(candidate):
                folder = candidate.resolve()
                if not path.is_relative_to(folder):
                    program_files.add_folder(folder, excluded)
    unknown = _unknown_names(path, text)
    for number, line in enumerate(text.splitlines(), 1):
        for word in unknown.findall(line):
            end = word.partition("/")[2]
            is_found = end and any((base / end).exists() for base in (here, *above))
            if not is_found and not line.startswith(("#", "//")):
                name = word.lstrip(' "')
                program_files.notes.append(
                    f"{path}, line {number}: {name} cannot be followed: it counts where the bot is"
                    " seen to run it; else name it in the bot's command"
                )
    return sorted(programs)


def _ends(word: str) -> tuple[str, str]:
    """Returns a path within a folder, and the same without its first part, a variable's name."""
    inner = word.lstrip("/")
    return inner, inner.partition("/")[2]


def _unknown_names(path: Path, text: str) -> re.Pattern[str]:
    """Returns the expression for names of files that a script knows only as it runs."""
    if path.suffix in JAVASCRIPT:
        return UNKNOWN_IN_JAVASCRIPT
    first = text.partition("\n")[0]
    is_shell = path.suffix in SHELL or (first.startswith("#!") and "sh" in first)
    return UNKNOWN_IN_SHELL if is_shell else UNKNOWN_ELSEWHERE


class PythonPaths:
    """The paths in a Python source. Texts are paths beside the source, as far as they exist.

    files, folders: those that exist. searched: folders for modules. computed: the line of the first
    file whose name is computed, 0 without one.
    """

    def __init__(self, path: Path, tree: ast.Module):
        self.path, self.values = path, dict[str, str]()
        self.files: list[Path] = []
        self.folders: list[Path] = []
        self.searched: list[Path] = []
        self.computed = 0
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and (value := self.value(node.value)) is not None:
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self.values[target.id] = value
        self._look(tree, False)

    def value(self, node: ast.expr) -> str | None:
        """Returns the text or path that an expression stands for, None if it is computed."""
        match node:
            case ast.Constant(value=str(text)):
                return text
            case ast.Name(id="__file__"):
                return str(self.path)
            case ast.Name(id=name):
                return self.values.get(name)
            case ast.JoinedStr(values=parts):
                return self._joined(parts, "")
            case ast.FormattedValue(value=inner):
                return self.value(inner)
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return self._joined([left, right], os.sep)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._joined([left, right], "")
            case ast.Attribute(value=inner, attr="parent"):
                return self._parent(inner, 1)
            case ast.Subscript(
                value=ast.Attribute(value=inner, attr="parents"), slice=ast.Constant(value=int(n))
            ):
                return self._parent(inner, n + 1)
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(id="sys"), attr="argv"),
                slice=ast.Constant(value=0),
            ):
                return str(self.path)
            case ast.Call(func=function, args=[inner]) if _name(function) == "dirname":
                return self._parent(inner, 1)
            case ast.Call(func=ast.Attribute(value=inner, attr="with_name"), args=[name]):
                folder, last = self._parent(inner, 1), self.value(name)
                return None if folder is None or last is None else os.path.join(folder, last)
            case ast.Call(func=ast.Attribute(value=inner, attr=attribute), args=arguments) if (
                attribute in PATH_METHODS and self.value(inner) is not None
            ):
                return self._joined([inner, *arguments], os.sep)
            case ast.Call(func=function, args=arguments) if _name(function) in PATH_FUNCTIONS:
                return self._joined(arguments, os.sep) if arguments else None
        return None

    def _joined(self, parts: list[ast.expr], between: str) -> str | None:
        values = [self.value(piece) for piece in parts]
        if any(value is None for value in values):
            return None
        texts = [value for value in values if value is not None]
        return os.path.join(*texts) if between else "".join(texts)

    def _parent(self, inner: ast.expr, n: int) -> str | None:
        value = self.value(inner)
        if value is None:
            return None
        path = self._full(value)
        return str([path, *path.parents][min(n, len(path.parents))]) if path else None

    def _full(self, text: str) -> Path | None:
        """The path of a text that may be one."""
        if not 0 < len(text) < 1000 or not text.isprintable():
            return None
        return Path(os.path.normpath(self.path.parent / text))

    def _look(self, node: ast.AST, is_part: bool) -> None:
        """Look at a node. is_part: of a path that stands for something itself."""
        value = self.value(node) if isinstance(node, ast.expr) else None
        if value is not None and not is_part:
            path = self._full(value)
            if path and _exists(path) and path.is_file() and path != self.path:
                self.files.append(path)
        if isinstance(node, ast.Call):
            self._look_at_call(node)
        elif (
            isinstance(node, (ast.BinOp, ast.JoinedStr))
            and value is None
            and (left := self._known_folder(node))
        ):
            # A name below a known folder is computed.
            self.folders.append(left)
        for child in ast.iter_child_nodes(node):
            self._look(child, value is not None)

    def _known_folder(self, node: ast.BinOp | ast.JoinedStr) -> Path | None:
        if isinstance(node, ast.BinOp):
            if not isinstance(node.op, (ast.Div, ast.Add)):
                return None
            first = node.left
        elif node.values:
            first = node.values[0]
        else:
            return None
        value = self.value(first)
        if value is None or os.sep not in value:
            return None
        return self._folder(value) or self._folder(os.path.dirname(value))

    def _folder(self, text: str) -> Path | None:
        path = self._full(text)
        return path if path and _exists(path) and path.is_dir() else None

    def _look_at_call(self, node: ast.Call) -> None:
        function = node.func
        name = _name(function)
        if _is_module_search(function):
            for argument in node.args:
                value = self.value(argument)
                if value is not None and (folder := self._folder(value)):
                    self.searched.append(folder)
                elif value is None and not isinstance(argument, ast.Constant):
                    self.computed = self.computed or node.lineno
            return
        of = function.value if isinstance(function, ast.Attribute) else None
        owner = of.id if isinstance(of, ast.Name) else ""
        if name in OPENERS or name in OPENERS_OF.get(owner, ()):
            is_method = of is not None and self.value(of) is not None
            if node.args and not is_method and self._is_computed(node.args[0]):
                self.computed = self.computed or node.lineno
        if name in ("read_bytes", "read_text") and of is not None and self.value(of) is None:
            self.computed = self.computed or node.lineno
        if name in PATH_FUNCTIONS | PATH_METHODS | {"dirname"}:
            if self.value(node) is None:
                # A name below a known folder is computed.
                known = [self.value(argument) for argument in ([of] if of else []) + node.args[:1]]
                self.folders += [
                    folder for text in known if text and (folder := self._folder(text))
                ]
            return
        # A folder is used as a whole: listed, searched, entered.
        for operand in ([of] if of else []) + node.args:
            value = self.value(operand)
            if value and os.sep in value and (folder := self._folder(value)):
                self.folders.append(folder)

    def _is_computed(self, node: ast.expr) -> bool:
        if isinstance(node, (ast.List, ast.Tuple)):
            return bool(node.elts) and self._is_computed(node.elts[0])
        match node:
            case ast.Constant() | ast.Attribute(value=ast.Name(id="sys" | "os")):
                return False
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id="sys"), attr="argv")):
                return False
            case ast.Call(func=ast.Attribute(attr="fileno")):
                return False
        return self.value(node) is None


def _is_module_search(function: ast.expr) -> bool:
    """Returns True if a call is one of sys.path.insert and the like."""
    match function:
        case ast.Attribute(
            value=ast.Attribute(value=ast.Name(id="sys"), attr="path"),
            attr="insert" | "append" | "extend",
        ):
            return True
        case ast.Attribute(value=ast.Name(id="site"), attr="addsitedir"):
            return True
    return False


def _name(function: ast.expr) -> str:
    """Returns the name of a called function without that of its module."""
    return str(getattr(function, "id", getattr(function, "attr", "")))


def is_python(path: Path, data: bytes) -> bool:
    """Returns True if a file is a Python program, by its name or its first line."""
    first = data[:100].partition(b"\n")[0]
    return path.suffix == ".py" or (first.startswith(b"#!") and b"python" in first)


def _is_own_file(path: Path) -> bool:
    return path.is_absolute() and not is_system(path) and _exists(path) and path.is_file()


def _may_count(folder: Path) -> bool:
    """Returns True if a folder may count as a whole: none of all users', none of the system."""
    open_to_all = Path(tempfile.gettempdir())
    return not (
        open_to_all.is_relative_to(folder)
        or Path.home().is_relative_to(folder)
        or is_system(folder)
        or _is_hidden(folder / "file")
    )


def _is_hidden(path: Path) -> bool:
    """Returns True if a path lies in a hidden folder: a cache, as of the bots' bundles."""
    return any(name[0] == "." for name in path.parent.parts)


def _is_in(path: Path, others: tuple[Path, ...]) -> bool:
    return any(path == other or path.is_relative_to(other) for other in others)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False  # longer than any path, for one


@cache
def _pythons() -> list[Path]:
    """The folders of this Python; one in /usr/local shares that with others."""
    folders = [Path(path) for name, path in sysconfig.get_paths().items() if "lib" in name]
    folders += [Path(prefix) for prefix in (sys.prefix, sys.base_prefix)]
    folders = [path for path in folders if str(path) not in ("/usr", LOCAL, "/")]
    program = Path(sys.executable)
    return [*folders, *(path.resolve() for path in folders), program, program.resolve()]
