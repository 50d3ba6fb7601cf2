"""`--strip`: a module's text without comments and docstrings; at last the bundle's without empty
lines, and with one column of indentation a level.

Docstrings stay where anything reads docstrings, and all stays where anything reads sources. No line
of a module moves, so that the lines of embedded modules stay those of their files.
"""

import ast
import tokenize

from bundler.flattening.rules import imported_names
from bundler.program import Program
from bundler.sources.source import Stage, lines_within_strings, tokens_of

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
# What reads docstrings and sources: attributes, builtins, and modules that are imported
LINES = {"getsource", "getsourcelines", "findsource", "getcomments"}
ATTRIBUTES = {"__doc__", "getdoc"} | LINES
DOCUMENTED = {"__doc__", "getdoc", "doctest", "help", "pydoc", "cmd", "unittest", "xmlrpc"}
READERS = {"inspect", "linecache", "doctest", "tokenize"} | LINES


def stripping(program: Program) -> Stage | None:
    """The stage from text to text for the modules of a program; None where nothing may go."""
    words = _words(program)
    if words & READERS or program.dynamic:
        return None
    keep_docstrings = bool(words & DOCUMENTED)
    return lambda text: strip(text, keep_docstrings)


def reads_lines(program: Program) -> bool:
    """Returns True for a program that asks for lines of its sources."""
    return bool(_words(program) & (LINES | {"linecache", "doctest"}))


def _words(program: Program) -> set[str]:
    """The names that a program reads and imports, and those that ask for docstrings or lines."""
    words = set()
    for module in program.everyone:
        words |= module.names.read - module.names.bound
        for node in module.original.nodes:
            words |= {part for name in imported_names(node) for part in name.split(".")}
            if isinstance(node, (ast.Attribute, ast.Constant)):
                words |= ATTRIBUTES & {getattr(node, "attr", getattr(node, "value", None))}
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "getattr":
                is_known = len(node.args) > 1 and isinstance(node.args[1], ast.Constant)
                words |= set() if is_known else {"__doc__"}  # it may ask for any name
    return words


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
            line = line.strip() and " " * levels.get(number, 0) + line.lstrip(" \t\f")
        if line or number in inside:
            lines.append(line)
    return "\n".join(lines) + "\n"
