"""The reference of modules, read from their sources: signatures and docstrings.

Functions that only compiled code calls have a decorator for it, or no annotations: the reference
leaves them out.
"""

import ast
import re
from pathlib import Path

Definition = ast.FunctionDef | ast.ClassDef
# "name: text", as the docstrings list fields and arguments
FIELD = re.compile(r"^([a-z]\w*(?:, \w+)*): (?=\S)", re.MULTILINE)
# Two spaces within a line align columns.
COLUMNS = re.compile(r"\S {2,}\S")


def module_section(path: Path, name: str) -> str:
    """Returns a module in Markdown: its docstring, its public classes and functions.

    path: the source. name: the module's full name, for the heading.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parts = [f"## {name}", docstring(tree)]
    for node in tree.body:
        if isinstance(node, Definition) and is_public(node):
            parts.append(definition(node))
    return "\n\n".join(part for part in parts if part) + "\n"


def is_public(node: Definition) -> bool:
    """Returns whether Python code is meant to use a class or function."""
    is_typed = isinstance(node, ast.ClassDef) or node.returns is not None
    is_typed &= not {"njit", "inline"} & set(map(ast.unparse, node.decorator_list))
    return is_typed and not node.name.startswith("_")


def definition(node: Definition) -> str:
    """Returns a class or function: its signature as code, its docstring, a class's methods."""
    if isinstance(node, ast.FunctionDef):
        return f"### {node.name}\n\n```python\n{signature(node)}\n```\n\n{docstring(node)}".rstrip()
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    lines = [f"class {node.name}({bases}):" if bases else f"class {node.name}:"]
    methods = []
    for one in node.body:
        if isinstance(one, ast.AnnAssign):
            lines.append(f"    {ast.unparse(one)}")
        elif isinstance(one, ast.FunctionDef) and not one.name.startswith("_"):
            methods.append(f"```python\n{signature(one)}\n```\n\n{docstring(one)}".rstrip())
    if len(lines) == 1:
        lines = [lines[0].rstrip(":")]
    code = "\n".join(lines)
    parts = [f"### {node.name}", f"```python\n{code}\n```", docstring(node), *methods]
    return "\n\n".join(part for part in parts if part)


def signature(node: ast.FunctionDef) -> str:
    """Returns the line that defines a function, on several lines where it is long."""
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"def {node.name}({ast.unparse(node.args)}){returns}"
    if len(line) <= 88:
        return line
    arguments = re.split(r", (?![^\[(]*[\])])", ast.unparse(node.args))
    return f"def {node.name}(\n    " + ",\n    ".join(arguments) + f",\n){returns}"


def docstring(node: ast.Module | Definition) -> str:
    """Returns a docstring in Markdown: tables and drawings as code, fields as a list."""
    text = ast.get_docstring(node)
    return "\n\n".join(map(paragraph, re.split(r"\n\s*\n", text))) if text else ""


def paragraph(text: str) -> str:
    """Returns a paragraph of a docstring in Markdown."""
    lines = text.splitlines()
    if all(line.startswith("    ") for line in lines) or any(map(COLUMNS.search, lines)):
        return "```text\n" + "\n".join(lines) + "\n```"
    if FIELD.match(text):
        items = [" ".join(item.split()) for item in re.split(r"\n(?=[a-z]\w*(?:, \w+)*: )", text)]
        return "\n".join("- " + FIELD.sub(r"`\1`: ", escaped(item)) for item in items)
    return escaped(text)


def escaped(text: str) -> str:
    """Returns prose whose signs of other languages Markdown leaves as they are."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        part if part.startswith("`") else re.sub(r"([*_<\[\]|])", r"\\\1", part) for part in parts
    )
