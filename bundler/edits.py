"""New names in the text of a module, and nothing else: a text is taken only if it parses to the tree
that is wanted.
"""

import ast
import copy
import re

from bundler.source import Edit

SENTINEL = "onefile_sentinel_"


class CannotEdit(Exception):
    """A name stands where it cannot be replaced; the text says where."""


def name_edits(source, names, attributes):
    """The Edits by which names of the top level are called otherwise.

    names: name -> new name, for all places where it stands. attributes: node `m.name` -> new name.
    Raises CannotEdit.
    """
    edits = []
    for node in source.tree.body:
        _visit(source, node, names, attributes, edits)
    return edits


def _visit(source, node, names, attributes, edits):
    if isinstance(node, ast.JoinedStr) or type(node).__name__ == "TemplateStr":
        _edit_string(source, node, names, attributes, edits)
        return
    if isinstance(node, ast.MatchValue):
        if any(part in attributes for part in ast.walk(node)):
            # Without its dot a name in a pattern would be bound.
            raise CannotEdit(f"a pattern in line {node.lineno}")
    if node in attributes:
        edits.append(Edit(source.start(node), source.end(node), attributes[node]))
        return
    if isinstance(node, ast.Name) and node.id in names:
        edits.append(Edit(source.start(node), source.end(node), names[node.id]))
    if isinstance(node, (ast.Global, ast.Nonlocal)) and names.keys() & set(node.names):
        raise CannotEdit(f"a declaration in line {node.lineno}")
    for part in ast.iter_child_nodes(node):
        _visit(source, part, names, attributes, edits)


def _edit_string(source, node, names, attributes, edits):
    """Edit what stands in braces.

    Up to Python 3.11 the tree does not say where that is. So each place with the wanted words is
    tried: where another word there changes just names in the tree, it is code.
    """
    wanted = {part.id: names[part.id] for part in _names_in(node) if part.id in names}
    for part in ast.walk(node):
        if part in attributes:
            wanted[ast.unparse(part)] = attributes[part]
    if not wanted:
        return
    start, end = source.start(node), source.end(node)
    text = source.text[start:end]
    expected = _replaced(node, names, attributes, {})
    found = []
    for words, new in wanted.items():
        pattern = r"(?<![\w.])" + r"\s*\.\s*".join(map(re.escape, words.split("."))) + r"(?!\w)"
        for match in re.finditer(pattern, text):
            tried = _parsed(text[: match.start()] + SENTINEL + text[match.end() :])
            if tried is not None and any(part.id == SENTINEL for part in _names_in(tried)):
                found.append(Edit(start + match.start(), start + match.end(), new))
    result = source.edited(start, end, found)
    if _dump(_parsed(result)) != _dump(expected):
        raise CannotEdit(f"an f-string in line {node.lineno}")
    edits += found


def _names_in(node):
    return [part for part in ast.walk(node) if isinstance(part, ast.Name)]


def _parsed(text):
    try:
        return ast.parse(f"({text})", mode="eval").body
    except SyntaxError:
        return None


def _dump(node):
    return node and ast.dump(node)


class _Replacer(ast.NodeTransformer):
    def __init__(self, names, attributes, absolute):
        self.names = names
        self.attributes = attributes
        self.absolute = absolute

    def visit_Name(self, node):
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_Attribute(self, node):
        new = self.attributes.get(node)
        return self.generic_visit(node) if new is None else ast.Name(new, ast.Load())

    def visit_ImportFrom(self, node):
        new = self.absolute.get(node)
        return node if new is None else ast.ImportFrom(new, node.names, 0)


def _replaced(node, names, attributes, absolute):
    """A copy of a tree with the new names in it."""
    copied = copy.deepcopy(node)
    pairs = list(zip(ast.walk(node), ast.walk(copied)))
    news = [{new: of[old] for old, new in pairs if old in of} for of in (attributes, absolute)]
    return _Replacer(names, *news).visit(copied)


def same_code(text, statements, names, attributes, absolute):
    """Whether a text parses to some statements, but for their new names and absolute imports."""
    expected = [_replaced(statement, names, attributes, absolute) for statement in statements]
    try:
        found = ast.parse(text).body
    except (SyntaxError, ValueError):
        return False
    return [ast.dump(node) for node in found] == [ast.dump(node) for node in expected]
