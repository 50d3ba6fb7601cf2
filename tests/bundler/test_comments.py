"""No comment of the project's bots is lost on the way into a bundle, as another parser than the
bundler's reads them.
"""

import ast
from pathlib import Path

import ast_comments
import pytest

from bundler.flatten import flatten
from bundler.where import SourceMap

ROOT = Path(__file__).parents[2]
BOTS = sorted(path for path in ROOT.glob("bots/*/*.py") if path.name != "__init__.py")


def comments_by_definition(text):
    """(line, name, comments) of each function and class at the top level, or there in an `if`, with
    the comments right above it.
    """
    found = []
    above = []
    end = 0
    for node in statements(ast_comments.parse(text).body):
        if isinstance(node, ast_comments.Comment):
            # A comment that closes the line of a statement belongs to that statement.
            if node.lineno > end:
                above.append(node.value)
            continue
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            inside = sorted(
                (part.lineno, part.value)
                for part in ast.walk(node)
                if isinstance(part, ast_comments.Comment)
            )
            found.append((node.lineno, node.name, [*above, *[value for _, value in inside]]))
        above = []
        end = node.end_lineno
    return found


def statements(body):
    """Some statements, with what is in branches of an `if` in its place."""
    for node in body:
        if isinstance(node, ast.If):
            yield from statements([*node.body, *node.orelse])
        else:
            yield node


def is_renamed(flat, name):
    """Whether a name of the bundle may stand for a name of a source."""
    return flat == name or flat.endswith("_" + name.lstrip("_"))


@pytest.mark.parametrize("bot", BOTS, ids=lambda path: path.stem)
def test_every_comment_of_a_kept_definition_stands_in_the_bundle(bot):
    """The comments of each function and class are those of its source, in order."""
    text = flatten(bot, root=ROOT, mode="numba").text
    source_map = SourceMap(text)
    sources = {}
    n_checked = 0
    for line, flat, comments in comments_by_definition(text):
        place = source_map.locate(line)
        if place is None:
            continue  # a helper of the bundler
        path = place[0]
        if path not in sources:
            sources[path] = comments_by_definition((ROOT / path).read_text(encoding="utf-8"))
        expected = [theirs for _, name, theirs in sources[path] if is_renamed(flat, name)]
        marks = f"# {path}:", f"# {path.rpartition('/')[2]}:"
        own = [comment for comment in comments if not comment.startswith(marks)]
        assert own in expected, flat
        n_checked += 1
    assert n_checked > 0
