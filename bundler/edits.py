"""New names in the text of a module, and nothing else: the new text has to parse to the tree that is
wanted.
"""

import ast
import copy

from bundler.source import Edit, Source


def name_edits(source: Source, news: dict[ast.expr, str]) -> list[Edit]:
    """The Edits by which some nodes, each `name` or `m.name`, become other names.

    Raises ValueError where a name cannot be replaced, as in a pattern or in some f-strings.
    """
    edits = [Edit(source.start(node), source.end(node), new) for node, new in news.items()]
    if edits:
        text = source.edited(0, len(source.text), edits)
        copied = copy.deepcopy(source.tree)
        pairs = zip(ast.walk(source.tree), ast.walk(copied))
        wanted = _Replacer({new: news[old] for old, new in pairs if old in news}).visit(copied)
        same_lines = text.count("\n") == source.text.count("\n")
        try:
            is_right = same_lines and ast.dump(ast.parse(text)) == ast.dump(wanted)
        except SyntaxError:
            is_right = False
        if not is_right:
            raise ValueError
    return edits


class _Replacer(ast.NodeTransformer):
    def __init__(self, news):
        self.news = news

    def visit(self, node):
        if node in self.news:
            return ast.Name(self.news[node], node.ctx)
        return self.generic_visit(node)
