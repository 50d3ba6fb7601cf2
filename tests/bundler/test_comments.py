"""No comment of the project's bots is lost on the way into a bundle."""

import ast
import io
import tokenize

import pytest

from bundler.flatten import flatten
from bundler.layout import looks_like_mark
from bundler.where import SourceMap
from tests.conftest import BOTS, PROJECT


def definitions(text):
    """(name, line, comments) of each function and class at the top level, with the comments right
    above it.
    """
    lines = text.split("\n")
    comments = {
        token.start[0]: token.string
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    }
    for node in ast.parse(text).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            first = min([node, *node.decorator_list], key=lambda part: part.lineno).lineno
            while first > 1 and lines[first - 2].startswith("#"):
                first -= 1
            yield node.name, node.lineno, [
                comments[line] for line in range(first, node.end_lineno + 1) if line in comments
            ]


@pytest.mark.parametrize("bot", BOTS, ids=lambda path: path.stem)
def test_every_comment_of_a_kept_definition_stands_in_the_bundle(bot):
    """The comments of each function and class are those of its source, in order."""
    text = flatten(bot, root=PROJECT, mode="python").text
    source_map = SourceMap(text)
    found = list(definitions(text))
    for name, line, comments in found:
        place = source_map.locate(line)
        if place is None:
            continue  # a helper of the bundler
        path, source_line = place
        source = (PROJECT / path).read_text(encoding="utf-8")
        expected = {(theirs, at): said for theirs, at, said in definitions(source)}
        own = [comment for comment in comments if not looks_like_mark(comment)]
        assert own == expected[name, source_line], name
    assert len(found) > 10
