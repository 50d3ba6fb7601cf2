"""`--strip`: a module's text without comments and docstrings.

Docstrings stay where anything reads docstrings, and all stays where anything reads sources. No line
moves, so that the lines of carried modules stay those of their files.
"""

import ast
import io
import tokenize

# What reads docstrings and sources: attributes, builtins, and modules that are imported
ATTRIBUTES = {"__doc__", "getdoc", "getsource", "getcomments"}
DOCUMENTED = {"__doc__", "getdoc", "doctest", "help", "pydoc", "cmd", "unittest", "xmlrpc"}
READERS = {"inspect", "linecache", "doctest", "tokenize", "getsource", "getcomments"}


def stripping(program):
    """The stage (text, shown) -> text for the modules of a program; None where nothing may go."""
    words = set()
    texts = DOCUMENTED | READERS if program.dynamic else ATTRIBUTES
    for module in [*program.modules.values(), program.entry]:
        words |= module.names.read - module.names.bound
        for node in module.original.nodes:
            if isinstance(node, ast.Attribute):
                words |= {node.attr} & ATTRIBUTES
            elif isinstance(node, (ast.alias, ast.ImportFrom)):
                name = node.name if isinstance(node, ast.alias) else node.module
                words |= set((name or "").split("."))
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "getattr":
                if len(node.args) < 2 or not isinstance(node.args[1], ast.Constant):
                    words.add("__doc__")  # it may ask for any name
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                words |= {node.value} & texts
    if words & READERS:
        return None
    keep_docstrings = bool(words & DOCUMENTED)
    return lambda text, shown: strip(text, keep_docstrings)


def strip(text, keep_docstrings=False):
    """A module's text without comments and docstrings, their lines left empty; the text itself
    where that would change more.
    """
    tree = ast.parse(text)
    lines = text.split("\n")
    if not keep_docstrings:
        _blank_docstrings(tree, lines)
    shorter = _without_comments("\n".join(lines))
    try:
        same = ast.dump(ast.parse(shorter)) == ast.dump(tree)
    except SyntaxError:
        same = False
    return shorter if same else text


def _blank_docstrings(tree, lines):
    """Take docstrings out of the tree and blank their lines."""
    for node in ast.walk(tree):
        kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        if not isinstance(node, kinds) or ast.get_docstring(node, clean=False) is None:
            continue
        first, last = node.body[0].lineno, node.body[0].end_lineno
        before = lines[first - 1].encode()[: node.body[0].col_offset].strip()
        after = lines[last - 1].encode()[node.body[0].end_col_offset :].decode()
        if before or (after.strip() and not after.strip().startswith("#")):
            continue  # something else stands in the line
        indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
        for number in range(first, last + 1):
            lines[number - 1] = ""
        if len(node.body) == 1 and not isinstance(node, ast.Module):
            lines[first - 1] = f"{indent}pass"
            node.body = [ast.Pass()]
        else:
            node.body = node.body[1:]


def _without_comments(text):
    lines = text.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            line, column = token.start
            lines[line - 1] = lines[line - 1][:column].rstrip()
    return "\n".join(lines)
