"""Bundles run on a site as old as Python 3.9 with numpy 1.20: nothing in them is newer."""

import ast

import pytest

from bundler.flatten import flatten
from tests.conftest import BOTS

OLDEST = (3, 9)


@pytest.mark.parametrize("bot", BOTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
@pytest.mark.parametrize("mode", ["python", "native"])
def test_no_syntax_and_no_annotation_is_newer(bot, mode):
    """`int | None` needs Python 3.10, a generic NamedTuple 3.11, `np.ndarray[...]` numpy 1.22."""
    text = flatten(bot, mode=mode).text
    tree = ast.parse(text, feature_version=OLDEST)
    for node in ast.walk(tree):
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            for inner in ast.walk(part) if part else ():
                assert not isinstance(inner, ast.BinOp), ast.unparse(part)
        if isinstance(node, ast.Subscript):
            assert ast.unparse(node.value) not in ("np.ndarray", "np.dtype"), ast.unparse(node)
        if isinstance(node, ast.ClassDef) and "NamedTuple" in map(ast.unparse, node.bases):
            assert len(node.bases) == 1, node.name
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "zip":
            assert "strict" not in [keyword.arg for keyword in node.keywords]
