"""`--strip`: a module's text without comments and docstrings; at last the bundle's without empty
lines, and with one column of indentation a level.

Docstrings stay where anything reads docstrings, and all stays where anything reads sources. No line
of a module moves, so that the lines of carried modules stay those of their files.
"""

import ast
import tokenize
from collections.abc import Callable, Iterator
from functools import partial

from bundler.modules.source import dotted, imported_names, lines_within_strings, tokens_of, words
from bundler.program import Program

Stage = Callable[[str], str]  # from the text of a module, or of statements of it, to its text
AS_IT_IS: Stage = str
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
# Readers of docstrings and sources: attributes, builtins, and modules that are imported
LINES = {"getsource", "getsourcelines", "findsource", "getcomments"}
ATTRIBUTES = {"__doc__", "getdoc"} | LINES
DOCUMENTED = {"__doc__", "getdoc", "doctest", "help", "pydoc", "cmd", "unittest", "xmlrpc"}
# Functions that may ask for an attribute of any name
ATTRIBUTE_READERS = {"getattr", "attrgetter", "__getattribute__", "vars"}
READERS = {"inspect", "linecache", "doctest", "tokenize"} | LINES


def stripping(program: Program) -> tuple[Stage, str]:
    """Returns (the stage that strips a text, a note on the comments that remain)."""
    dynamic = [f"{module.shown} imports by a computed name" for module in program.dynamic]
    for place in (*_readers(program, READERS), *dynamic):
        return AS_IT_IS, f"--strip leaves all comments and docstrings in: {place}"
    for place in _readers(program, DOCUMENTED):
        return partial(strip, keep_docstrings=True), f"--strip leaves the docstrings in: {place}"
    return strip, ""


def reads_lines(program: Program) -> bool:
    """Returns True for a program that asks for lines of its sources."""
    return any(_readers(program, LINES | {"linecache", "doctest"}))


def _readers(program: Program, names: set[str]) -> Iterator[str]:
    """Yields "FILE:LINE uses NAME" for the nodes that may mean one of some names."""
    local = {name.partition(".")[0] for name in program.modules} | {""}
    for module in program.everyone:
        builtins = module.names.read - module.names.bound
        for node in module.original.nodes:
            imported = [name.split(".") for name in imported_names(node)]
            used = {word for path in imported if path[0] not in local for word in path}
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                used |= {node.id} & builtins
            elif isinstance(node, ast.Attribute):
                is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
                used |= ATTRIBUTES & {node.attr}
                used |= {"__doc__"} if node.attr == "__dict__" and not is_own else set()
            elif isinstance(node, ast.Constant):
                used |= {word for word in ATTRIBUTES if word in str(node.value)}
            elif isinstance(node, ast.Call) and words(node.func) & ATTRIBUTE_READERS:
                asked = node.args[1:2] if "getattr" in words(node.func) else node.args
                known = [
                    isinstance(argument, ast.Constant) or dotted(argument) == "self"
                    for argument in asked
                ]
                used |= set() if asked and all(known) else {"__doc__"}
            if used & names:
                yield f"{module.shown}:{getattr(node, 'lineno', 1)} uses {min(used & names)}"


def strip(text: str, keep_docstrings: bool = False) -> str:
    """Blank comments and docstrings of a module, unless more than these would change."""
    tree = ast.parse(text)
    lines = text.split("\n")
    for node in () if keep_docstrings else ast.walk(tree):
        if isinstance(node, Documented) and ast.get_docstring(node, clean=False) is not None:
            _blank_docstring(node, lines)
    shorter = "\n".join(lines)
    for token in tokens_of(shorter):
        if token.type == tokenize.COMMENT:
            line, column = token.start
            lines[line - 1] = lines[line - 1][:column].rstrip()
    shorter = "\n".join(lines)
    try:
        return shorter if ast.dump(ast.parse(shorter)) == ast.dump(tree) else text
    except SyntaxError:
        return text


def _blank_docstring(node: Documented, lines: list[str]) -> None:
    docstring = node.body[0]
    first, last = docstring.lineno - 1, (docstring.end_lineno or 0) - 1
    before = lines[first].encode()[: docstring.col_offset].decode()
    after = lines[last].encode()[docstring.end_col_offset :].strip()
    if before.strip() or (after and not after.startswith(b"#")):
        return  # something else stands in the line
    lines[first : last + 1] = [""] * (last + 1 - first)
    del node.body[0]
    if not node.body and not isinstance(node, ast.Module):
        lines[first] = f"{before}pass"
        node.body = [ast.Pass()]


def drop_spare_backslashes(text: str) -> str:
    """Drop the backslashes that join a line to an empty one, which may go or be parted from it."""
    lines = text.split("\n")
    last = 0
    for token in tokens_of(text):
        if token.type == tokenize.NEWLINE:
            for number in range(last, token.start[0]):
                lines[number - 1] = lines[number - 1].removesuffix("\\").rstrip()
        last = token.end[0]
    return "\n".join(lines)


def compact(text: str) -> str:
    """Drop empty lines, and indent by one column a level; strings stay as they are."""
    tokens = list(tokens_of(text))
    level, levels = 0, {}  # of each line
    for token in tokens:
        level += (token.type == tokenize.INDENT) - (token.type == tokenize.DEDENT)
        levels[token.start[0]] = level
    inside = lines_within_strings(tokens)
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        if number not in inside:
            level = 0 if line.startswith("#") else levels.get(number, 0)  # a mark is in no block
            line = line.strip() and " " * level + line.lstrip(" \t\f")
        if line or number in inside:
            lines.append(line)
    return "\n".join(lines) + "\n"
