"""Packs the files of bots, rules, foreign referees and options for another machine.

Files travel as trees, named by their content: a program with the files that count with it, or a
folder with all its files. A machine writes a tree once, to its cache folder. A command is unpacked
there with the same files in the same relative places. System programs are sent by name only.
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
    """A packed word of a command: its text, and the paths in trees for its {0}, {1}, ...

    A path is (tree's name, path in it); the path of a tree's top is "".
    """

    text: str
    paths: tuple[tuple[str, str], ...] = ()

    def unpack(self) -> str:
        """Returns the word for this machine."""
        return self.text.format(*(TREES_FOLDER / tree / path for tree, path in self.paths))


@dataclass(frozen=True)
class Package:
    """A setting without its files."""

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
        """Returns texts for the programs and modules that this machine lacks."""
        programs = [name for name in self.programs if shutil.which(name) is None]
        modules = [name for name in self.modules if importlib.util.find_spec(name) is None]
        return [
            *(f"the program {name}" for name in programs),
            *(f"the Python module {name}" for name in modules),
        ]

    def unpack(self) -> Setting:
        """Returns the setting with commands of this machine, whose trees have been written."""
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
    """Packs commands; `trees` must be sent with them."""

    def __init__(self) -> None:
        self.trees: dict[str, Tree] = {}
        self.programs: set[str] = set()
        self.modules: set[str] = set()
        self.globs: tuple[str, ...] = ()

    def pack(self, setting: Setting) -> Package:
        """Pack a setting. Raises UsageError if its files are too large to send."""
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
        """Pack a command; None stands for the Python that runs the referee."""
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
        """Pack a word, or an option's value, with the files and folders that it names."""
        paths, text = named_paths(word), escape_braces(word)
        packed = []
        for number, path in enumerate(paths):
            text = text.replace(escape_braces(str(path)), f"{{{number}}}", 1)
            packed.append(self.pack_path(path))
        return PackedWord(text, tuple(packed))

    def pack_path(self, path: Path, files: Sequence[Path] = ()) -> tuple[str, str]:
        """Pack a file or a folder with all it needs; returns (tree's name, path in it).

        files: those needed, if they are known.
        """
        tree, top = self.pack_tree(path, files)
        return tree, "" if path == top else str(path.relative_to(top))

    def pack_tree(self, path: Path, files: Sequence[Path] = ()) -> tuple[str, Path]:
        """The name of the tree that has all that a file or a folder needs, and its top here."""
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
        """Returns a program's files: the files beside it, and a script's files of `--files`."""
        more = matching_files(self.globs) if is_script(path) and not is_bundle(path) else []
        return sorted({path, *files_beside(path).files, *more})


def tree_name(tree: Tree) -> str:
    """Returns the name of a tree, by its content."""
    digest = hashlib.sha256()
    for name, content in sorted(tree.items()):
        digest.update(hashlib.sha256(os.fsencode(name)).digest() + hashlib.sha256(content).digest())
    return digest.hexdigest()


def escape_braces(text: str) -> str:
    """Returns a text that `format` turns into the given one."""
    return text.replace("{", "{{").replace("}", "}}")


def unpack_command(words: tuple[PackedWord | None, ...]) -> list[str]:
    """Returns a packed command for this machine."""
    return [sys.executable if word is None else word.unpack() for word in words]


def write_tree(name: str, tree: Tree) -> None:
    """Write a tree unless it is there."""
    if not (TREES_FOLDER / name).exists():
        write_folder(TREES_FOLDER / name, tree)


def external_modules(files: list[Path], folders: list[Path]) -> set[str]:
    """Returns the packages from outside that Python files import at their top."""
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
