"""What a bundle costs, in UTF-16 units as the site counts them."""

import ast
from collections import Counter

from bundler.layout import carried_name
from bundler.where import SourceMap


def utf16_units(text):
    """The length of a text as the site counts it: two for a character beyond U+FFFF."""
    return len(text.encode("utf-16-le")) // 2


def module_costs(text):
    """[(module's path, units, its name if it is carried)] of a bundle, the largest first;
    "(bundler)" for what the bundler wrote.
    """
    source_map = SourceMap(text)
    costs, names = Counter(), {}
    for piece in source_map.pieces:
        lines = source_map.lines[piece.first - 1 : piece.last]
        newlines = len(lines) - (piece.last == len(source_map.lines))
        path = piece.path or "(bundler)"
        names[path] = piece.carried
        costs[path] += sum(map(utf16_units, lines)) + newlines
    return [(path, units, names[path]) for path, units in costs.most_common() if units > 0]


def largest_pieces(text, count):
    """[(source place, name, units)] of the largest statements at the top level of a bundle."""
    source_map = SourceMap(text)
    pieces = []
    for node in ast.parse(text).body:
        lines = source_map.lines[node.lineno - 1 : node.end_lineno]
        units = sum(utf16_units(line) + 1 for line in lines)
        place = source_map.locate(node.lineno)
        where = f"{place[0]}:{place[1]}" if place else "(bundler)"
        is_whole = carried_name(lines[0])
        pieces.append((where, "the whole module" if is_whole else _label(node), units))
    return sorted(pieces, key=lambda piece: -piece[2])[:count]


def _label(node):
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    if hasattr(node, "name") or targets[0] is not None:
        return getattr(node, "name", None) or ast.unparse(targets[0])
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return "docstring"
    return ast.unparse(node).partition("\n")[0][:50]
