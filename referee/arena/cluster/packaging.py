"""Packs the files of bots, rules, foreign referees and options for another machine.

Files travel as trees: a program with the files that belong to it, or a folder with all its files. A
tree is named by a hash of its content, and a machine writes it once, to its cache folder. An
unpacked command names the files there, which have the same relative places as on the first machine.
System programs are sent by name only.
"""

import ast
import hashlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bundler.modules.workspace import CACHE
from referee.arena.cluster.remote_worker import write_folder
from referee.arena.play import Setting
from referee.errors import UsageError
from referee.play.leader import leader_of
from referee.project import PROJECT
from referee.sources.bots import RUN_SOURCE
from referee.sources.fingerprint import (
    files_beside,
    files_of_folder,
    is_bundle,
    is_script,
    matching_files,
    named_paths,
)
from referee.sources.imports import imported_files
from referee.sources.workspace import roots

TREES_FOLDER = CACHE / "shipped"
MAX_BYTES = 256_000_000

# The content of each file by its path in the tree.
Tree = dict[str, bytes]


@dataclass(frozen=True)
class PackedWord:
    """A packed word of a command: a format string, and the paths in trees for its {0}, {1}, ...

    A path is (tree's name, path in the tree); the path "" is the top folder of the tree.
    """

    text: str
    paths: tuple[tuple[str, str], ...] = ()

    def unpack(self) -> str:
        """Returns the word with paths of this machine."""
        return self.text.format(*(TREES_FOLDER / tree / path for tree, path in self.paths))


@dataclass(frozen=True)
class Package:
    """A setting in a form that another machine can unpack, once it has the trees."""

    setting: Setting
    contest: PackedWord
    # The command line of each bot; None stands for the Python that runs the referee.
    commands: tuple[tuple[PackedWord | None, ...], ...]
    referee: tuple[PackedWord | None, ...]
    # (name, value) of the contest's own options.
    options: tuple[tuple[str, PackedWord], ...]
    # Names of the programs that a worker needs.
    programs: frozenset[str]
    # Names of the modules of other packages that Python bots import.
    modules: frozenset[str]

    def missing(self) -> list[str]:
        """Returns a text for each program and module that this machine lacks."""
        programs = [name for name in self.programs if shutil.which(name) is None]
        modules = [name for name in self.modules if importlib.util.find_spec(name) is None]
        return [
            *(f"the program {name}" for name in programs),
            *(f"the Python module {name}" for name in modules),
        ]

    def unpack(self) -> Setting:
        """Returns the setting with paths of this machine, on which the trees have been written."""
        bots = tuple(
            replace(bot, command=unpack_command(words))
            for bot, words in zip(self.setting.bots, self.commands)
        )
        options = {name: word.unpack() for name, word in self.options}
        leader = leader_of(self.setting.conditions)
        leader = leader.with_command(unpack_command(self.referee))
        conditions = replace(self.setting.conditions, options=options, referee=leader.text)
        return replace(
            self.setting, contest=self.contest.unpack(), bots=bots, conditions=conditions
        )


class Packer:
    """Packs settings; `trees` collects the files, which must be sent with the packages."""

    def __init__(self) -> None:
        self.trees: dict[str, Tree] = {}
        self.programs: set[str] = set()
        self.modules: set[str] = set()
        self.globs: tuple[str, ...] = ()

    def pack(self, setting: Setting) -> Package:
        """Returns a setting as a package. Raises UsageError if its files are too large to send."""
        self.globs = setting.files
        commands = tuple(self.pack_command(bot.command) for bot in setting.bots)
        contest = PackedWord(escape_braces(setting.contest))
        if setting.contest.endswith(".py"):
            file = Path(setting.contest)
            needed = [file, *imported_files(file, [file.parent, *roots()])]
            contest = PackedWord("{0}", (self.pack_path(file, needed),))
        leader = leader_of(setting.conditions)
        self.programs |= leader.programs
        referee = self.pack_command(leader.command())
        options = tuple(
            (name, self.pack_word(text)) for name, text in setting.conditions.options.items()
        )
        size = sum(len(content) for tree in self.trees.values() for content in tree.values())
        if size > MAX_BYTES:
            raise UsageError(
                f"the files of bots and options are {size / 1e6:.0f} MB, more than is sent to"
                f" workers ({MAX_BYTES / 1e6:.0f} MB): name smaller ones, or smaller folders"
            )
        programs, modules = frozenset(self.programs), frozenset(self.modules)
        bare = replace(setting, bots=tuple(replace(bot, command=[]) for bot in setting.bots))
        return Package(bare, contest, commands, referee, options, programs, modules)

    def pack_command(self, command: list[str]) -> tuple[PackedWord | None, ...]:
        """Returns a command as packed words; None stands for the Python that runs the referee."""
        if not command:
            return ()
        program, *arguments = command
        words: list[PackedWord | None] = []
        if Path(program).resolve() == Path(sys.executable).resolve():
            words.append(None)
        elif shutil.which(Path(program).name) == program:
            words.append(PackedWord(escape_braces(Path(program).name)))
            self.programs.add(Path(program).name)
        else:
            words.append(self.pack_word(program))
        runs_source = RUN_SOURCE.format(project=str(PROJECT))
        for number, word in enumerate(arguments):
            if word == runs_source:
                tree, top = self.pack_tree(Path(arguments[number + 1]))
                project = PROJECT.relative_to(top) if PROJECT.is_relative_to(top) else ""
                text = escape_braces(RUN_SOURCE).replace("{{project!r}}", "'{0}'")
                words.append(PackedWord(text, ((tree, str(project)),)))
            else:
                words.append(self.pack_word(word))
        return tuple(words)

    def pack_word(self, word: str) -> PackedWord:
        """Returns a word or an option's value, packed with the files and folders that it names."""
        paths, text = named_paths(word), escape_braces(word)
        packed = []
        for number, path in enumerate(paths):
            text = text.replace(escape_braces(str(path)), f"{{{number}}}", 1)
            packed.append(self.pack_path(path))
        return PackedWord(text, tuple(packed))

    def pack_path(self, path: Path, files: Sequence[Path] = ()) -> tuple[str, str]:
        """Pack a file with the files that it needs, or a folder.

        Returns (tree's name, path in the tree). files: the needed files, if the caller knows them.
        """
        tree, top = self.pack_tree(path, files)
        return tree, "" if path == top else str(path.relative_to(top))

    def pack_tree(self, path: Path, files: Sequence[Path] = ()) -> tuple[str, Path]:
        """Add the tree of a file with the files that it needs, or of a folder.

        Returns the tree's name, and its top folder on this machine. files: see pack_path.
        """
        if path.is_dir():
            top, files = path, files_of_folder(path)
        else:
            files = files or self.needed_by(path)
            top = Path(os.path.commonpath([file.parent for file in files]))
            # A module of the project is identified by its full name.
            if len(files) > 1 and path.is_relative_to(PROJECT) and top.is_relative_to(PROJECT):
                top = PROJECT
            places = [path.parent, *roots()]
            modules = [path, *imported_files(path, places)] if path.suffix == ".py" else []
            self.modules |= external_modules(modules, [path.parent, top])
        tree = {str(file.relative_to(top)): file.read_bytes() for file in files}
        name = tree_name(tree)
        self.trees[name] = tree
        return name, top

    def needed_by(self, path: Path) -> list[Path]:
        """Returns a program, the files beside it, and for a script the files of `--files`."""
        more = matching_files(self.globs) if is_script(path) and not is_bundle(path) else []
        return sorted({path, *files_beside(path).files, *more})


def tree_name(tree: Tree) -> str:
    """Returns the name of a tree, a hash of its content in hexadecimal."""
    digest = hashlib.sha256()
    for name, content in sorted(tree.items()):
        digest.update(hashlib.sha256(os.fsencode(name)).digest() + hashlib.sha256(content).digest())
    return digest.hexdigest()


def escape_braces(text: str) -> str:
    """Returns a format string for the given text: the braces are doubled."""
    return text.replace("{", "{{").replace("}", "}}")


def unpack_command(words: tuple[PackedWord | None, ...]) -> list[str]:
    """Returns the words of a packed command on this machine."""
    return [sys.executable if word is None else word.unpack() for word in words]


def write_tree(name: str, tree: Tree) -> None:
    """Write a tree to TREES_FOLDER, unless it is there already."""
    if not (TREES_FOLDER / name).exists():
        write_folder(TREES_FOLDER / name, tree)


def external_modules(files: list[Path], folders: list[Path]) -> set[str]:
    """Returns the names of third-party packages that Python files import at their top level.

    folders: modules in these folders are not third-party.
    """
    names: set[str] = set()
    for file in files:
        if file.suffix != ".py":
            continue
        try:
            body = ast.parse(file.read_bytes()).body
        except (SyntaxError, ValueError):
            continue
        for node in body:
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                names.add(node.module.split(".")[0])
    there = {
        name
        for name in names
        for folder in folders
        if (folder / name).is_dir() or (folder / f"{name}.py").is_file()
    }
    return names - there - sys.stdlib_module_names
