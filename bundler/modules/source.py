"""The text of one module, cut into units: the smallest parts that a bundle keeps or leaves out.

A unit is one statement at the top level, or several that share a line, with the comments above it.
Together the units are the whole text.
"""

import ast
import contextlib
import io
import re
import sys
import tokenize
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path

from bundler.errors import BundleError

IMPORTS = (ast.Import, ast.ImportFrom)
Import = ast.Import | ast.ImportFrom
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SPARE_BACKSLASH = re.compile(r"\\\n\s*(\n|\Z)")
PYTHON_DEPTH, DEPTH = 1_000, 30_000  # a tree that Python compiles takes several frames a level


def bound_name(alias: ast.alias) -> str:
    """Returns the name that an alias of an import binds."""
    return alias.asname or alias.name.split(".")[0]


def imported_names(node: ast.AST) -> list[str]:
    """Returns the full names that an import may mean, [] for a relative import and other nodes."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


def words(node: ast.AST) -> set[str]:
    """Returns the name in a node, as a set: an identifier, an attribute, an imported name, a
    keyword, or a text with an underscore; an empty set for other nodes.
    """
    match node:
        case ast.Name(word) | ast.Attribute(_, word) | ast.alias(word) | ast.keyword(str(word)):
            return {word}
        case ast.Constant(str(word)) if "_" in word:
            return {word}
    return set()


def dotted(node: ast.AST) -> str:
    """Returns `a.b.c` for a name and attributes of it, "" for other nodes."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    return ".".join([node.id, *names]) if isinstance(node, ast.Name) else ""


def walk(tree: ast.AST) -> list[ast.AST]:
    """Returns the nodes of a tree in the order of `ast.walk`, in half of its time."""
    nodes = [tree]
    for node in nodes:
        for name in node._fields:
            value = getattr(node, name, None)
            children = value if type(value) is list else (value,)
            nodes.extend([child for child in children if isinstance(child, ast.AST)])
    return nodes


@dataclass(frozen=True)
class Edit:
    """A replacement of the characters from `start` to `end` of a source by `text`."""

    start: int
    end: int
    text: str


@dataclass(eq=False)
class Unit:
    """Statements at the top level of a module, with the offsets of their text: `start` to `end`."""

    statements: list[ast.stmt]
    start: int
    end: int
    first_line: int  # of the statements, without the comments above them

    @property
    def node(self) -> ast.stmt | None:
        """The unit's statement, None where several statements share a line."""
        return self.statements[0] if len(self.statements) == 1 else None

    @property
    def is_import(self) -> bool:
        """True for a unit that is a single import statement."""
        return isinstance(self.node, IMPORTS)

    @property
    def aliases(self) -> list[ast.alias]:
        """The names of an import as `ast` nodes; [] for a unit that is no single import."""
        return self.node.names if isinstance(self.node, IMPORTS) else []

    @cached_property
    def words(self) -> set[str]:
        """The identifiers in the unit's code, the names it declares `global`, and all words in the
        annotations of its variables, even in annotations that are texts.
        """
        names: set[str] = set()
        for node in (node for statement in self.statements for node in walk(statement)):
            if isinstance(node, ast.Name):
                names.add(node.id)
            elif isinstance(node, ast.Global):
                names.update(node.names)
            elif isinstance(node, ast.AnnAssign):  # `dataclass` looks for "ClassVar[int]"
                names.update(re.findall(r"\w+", ast.unparse(node.annotation)))
        return names

    @cached_property
    def texts(self) -> set[str]:
        """The attributes and imported names, and the words in all texts other than docstrings."""
        texts: set[str] = set()
        for node in (node for statement in self.statements for node in walk(statement)):
            match node:
                case ast.Attribute(_, word):
                    texts.add(word)
                case ast.alias(name, other):
                    texts.update([*name.split("."), *([other] if other else [])])
                case ast.Constant(str(text)) if text not in self._docstrings:
                    texts.update(re.findall(r"\w+", text))
        return texts

    @cached_property
    def _docstrings(self) -> set[str | None]:
        definitions = (*FUNCTIONS, ast.ClassDef)
        nodes = (node for statement in self.statements for node in walk(statement))
        return {ast.get_docstring(node, False) for node in nodes if isinstance(node, definitions)}


def read(path: Path, shown: str) -> str:
    """Returns the text of a Python file. Its lines end in \\n, the last one too, and backslashes
    before an empty line are dropped. Raises BundleError.
    """
    try:
        with tokenize.open(path) as file:
            text = file.read()
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        raise BundleError(shown, 1, "not valid Python", f"{error}; save it as UTF-8") from error
    except OSError as error:
        raise BundleError(shown, 1, "cannot be read", error.strerror or str(error)) from error
    text = text if text.endswith("\n") or not text else text + "\n"
    if _SPARE_BACKSLASH.search(text):
        with contextlib.suppress(SyntaxError, tokenize.TokenError):
            return _drop_spare_backslashes(text)
    return text


def _drop_spare_backslashes(text: str) -> str:
    """Returns a text without the backslashes that join a line to an empty line, because a bundle
    may leave out or move the empty line.
    """
    lines = text.split("\n")
    last = 0
    for token in tokens_of(text):
        if token.type == tokenize.NEWLINE:
            for number in range(last, token.start[0]):
                lines[number - 1] = lines[number - 1].removesuffix("\\").rstrip()
        last = token.end[0]
    return "\n".join(lines)


@contextlib.contextmanager
def recursion_limit(depth: int) -> Iterator[None]:
    """Sets Python's recursion limit within the block."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(depth)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def parse(text: str, shown: str) -> ast.Module:
    """Returns the syntax tree of a module's text. Raises BundleError where Python would not compile
    it.
    """
    try:
        with recursion_limit(PYTHON_DEPTH):
            compile(text, shown, "exec", dont_inherit=True)  # finds more than the parser alone
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        reason = getattr(error, "msg", None) or str(error) or "nested too deeply"
        raise BundleError(shown, line, "not valid Python", reason) from error


class Source:
    """A module's text with its tree and units. Raises BundleError for invalid Python."""

    def __init__(self, text: str, shown: str) -> None:
        self.text = text
        self.shown = shown
        self.tree = parse(text, shown)
        self.lines = text.split("\n")
        self.line_starts = [0]
        for line in self.lines:
            self.line_starts.append(self.line_starts[-1] + len(line) + 1)
        self.units = self._units()

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the tree."""
        return walk(self.tree)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The parents of all nodes but the root: {node: the node that contains it}."""
        return {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}

    def is_deferred(self, node: ast.AST) -> bool:
        """Returns True for a node whose code may run later: a node in the body of a function, or in
        a generator expression.
        """
        while node in self.parents:
            child, node = node, self.parents[node]
            if isinstance(node, (*FUNCTIONS, ast.Lambda)):
                body = node.body if isinstance(node.body, list) else [node.body]
                if child in body:
                    return True
            if isinstance(node, ast.GeneratorExp):
                return True
        return False

    def unit_at(self, line: int) -> int:
        """Returns the index of the unit with a statement in a line."""
        return bisect_right([unit.first_line for unit in self.units], line) - 1

    def _units(self) -> list[Unit]:
        units: list[Unit] = []
        for node in self.tree.body:
            first = min(
                line_node.lineno for line_node in (node, *getattr(node, "decorator_list", ()))
            )
            if units and first <= self.line_of(self.end(units[-1].statements[-1])):
                units[-1].statements.append(node)
            else:
                units.append(Unit([node], 0, len(self.text), first))
        for unit, following in pairwise(units):
            last = self.line_of(self.end(unit.statements[-1]))
            # Indented comments below it belong to it.
            while last + 1 < following.first_line and re.match(r"\s+#", self.lines[last]):
                last += 1
            unit.end = following.start = self.line_starts[last]
        return units

    def offset(self, line: int, column: int) -> int:
        """Returns the offset of a place as `ast` counts it: lines from 1, columns in UTF-8
        bytes.
        """
        text = self.lines[line - 1]
        if not text.isascii():
            column = len(text.encode()[:column].decode())
        return self.line_starts[line - 1] + column

    def start(self, node: ast.stmt | ast.expr) -> int:
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: ast.stmt | ast.expr) -> int:
        assert node.end_lineno is not None and node.end_col_offset is not None  # it was parsed
        return self.offset(node.end_lineno, node.end_col_offset)

    def line_of(self, offset: int) -> int:
        """Returns the number, from 1, of the line that contains an offset."""
        return bisect_right(self.line_starts, offset)

    def segment(self, node: ast.stmt | ast.expr) -> str:
        return self.text[self.start(node) : self.end(node)]

    @cached_property
    def comments(self) -> list[tuple[int, str]]:
        """The comments as [(start, text)]."""
        return [
            (self.line_starts[token.start[0] - 1] + token.start[1], token.string)
            for token in tokens_of(self.text)
            if token.type == tokenize.COMMENT
        ]

    def edited(self, start: int, end: int, edits: list[Edit]) -> str:
        """Returns the text from `start` to `end` after the edits within it. An edit that overlaps
        an earlier one is skipped.
        """
        pieces, here = [], start
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
            if here <= edit.start and edit.end <= end:
                pieces += [self.text[here : edit.start], edit.text]
                here = edit.end
        return "".join([*pieces, self.text[here:end]])

    def without(self, units: Iterable[Unit], edits: list[Edit]) -> str:
        """Returns the whole text after edits, with empty lines in place of some units."""
        gone = [
            Edit(unit.start, unit.end, "\n" * self.text[unit.start : unit.end].count("\n"))
            for unit in units
        ]
        return self.edited(0, len(self.text), [*gone, *edits])


# The Source of a text: the same one again when a bot is bundled in a second mode
source_of = lru_cache(maxsize=256)(Source)


def tokens_of(text: str) -> Iterator[tokenize.TokenInfo]:
    return tokenize.generate_tokens(io.StringIO(text).readline)


def lines_within_strings(tokens: Iterable[tokenize.TokenInfo]) -> set[int]:
    """Returns the numbers of the lines that start inside a string, whose indentation is data."""
    lines: set[int] = set()
    starts = []  # first lines of the f-strings around a token; up to 3.11 an f-string is one token
    for token in tokens:
        kind = tokenize.tok_name[token.type]
        if kind == "STRING":
            lines.update(range(token.start[0] + 1, token.end[0] + 1))
        elif kind in ("FSTRING_START", "TSTRING_START"):
            starts.append(token.start[0])
        elif kind in ("FSTRING_END", "TSTRING_END"):
            lines.update(range(starts.pop() + 1, token.end[0] + 1))
    return lines
