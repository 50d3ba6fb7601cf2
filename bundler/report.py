"""The size of a bundle and of its parts, in UTF-16 units as the site counts them."""

import ast
from collections import Counter

from bundler.source_map import SourceMap

LABEL = 50  # characters


def utf16_units(text: str) -> int:
    """Returns the length of a text in UTF-16 units, as the site counts it: a character beyond
    U+FFFF counts as two.
    """
    return len(text.encode("utf-16-le")) // 2


def module_costs(text: str) -> list[tuple[str, int, str | None]]:
    """Returns [(path or "(bundler)", units, name of a carried module)], the largest first."""
    source_map = SourceMap(text)
    costs: Counter[tuple[str, str | None]] = Counter()
    for piece in source_map.pieces:
        lines = source_map.lines[piece.first - 1 : piece.last]
        newlines = len(lines) - (piece.last == len(source_map.lines))
        costs[piece.path or "(bundler)", piece.carried] += sum(map(utf16_units, lines)) + newlines
    return [(path, units, name) for (path, name), units in costs.most_common() if units > 0]


def largest_pieces(text: str, count: int) -> list[tuple[str, str, int]]:
    """Returns [(source place, first line, units)] of the `count` largest statements at a bundle's
    top level, the largest first.
    """
    source_map = SourceMap(text)
    pieces = []
    for node in ast.parse(text).body:
        lines = source_map.lines[node.lineno - 1 : node.end_lineno]
        units = sum(utf16_units(line) + 1 for line in lines)
        where = source_map.shown(node.lineno) or "(bundler)"
        pieces.append((where, lines[0][:LABEL], units))
    return sorted(pieces, key=lambda piece: -piece[2])[:count]
