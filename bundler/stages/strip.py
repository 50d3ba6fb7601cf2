"""`--strip`: leaves out the comments and docstrings of each module, then the empty lines of the
bundle, whose indentation becomes one column a level.

Docstrings stay where any module may read docstrings, and everything stays where any module reads
sources. No line of a module moves, so that the lines of carried modules stay those of their files.
"""

import ast
import tokenize
from collections.abc import Callable
from functools import partial

from bundler.modules.source import lines_within_strings, tokens_of
from bundler.program import Program
from bundler.pruning import asked_by_name
from bundler.reflection import SOURCES, reflections

Stage = Callable[[str], str]  # from the text of a module, or of statements of it, to its text
AS_IT_IS: Stage = str
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def stripping(program: Program) -> tuple[Stage, str]:
    """Returns (the stage that strips a text, a note on the comments and docstrings that remain).
    The note is "" if all can go.
    """
    places = [
        (word, f"{module.shown}:{line} uses {word}")
        for module in program.everyone
        for line, word in [
            *reflections(module, {"__doc__", "getdoc"}),
            *asked_by_name(module),
        ]
    ]
    for word, place in places:
        if word in SOURCES:
            return AS_IT_IS, f"--strip leaves all comments and docstrings in: {place}"
    if places:
        note = f"--strip leaves the docstrings in: {places[0][1]}"
        return partial(strip, keep_docstrings=True), note
    return strip, ""


def strip(text: str, keep_docstrings: bool = False) -> str:
    """Returns a module's text with blanked comments and docstrings, or unchanged if its syntax tree
    would change otherwise.
    """
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
    """Returns a text without empty lines, indented by one column a level; strings stay as
    they are.
    """
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
