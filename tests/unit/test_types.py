"""Public functions say what they take and give: mypy, and who reads them, go by it."""

import ast
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
FOLDERS = ("bundler", "referee", "shared/core", "shared/search")
COMPILED = {"njit", "inline", "kernel"}
# Modules whose functions are not annotated throughout
NOT_YET = [
    "bundler/carry.py",
    "bundler/check.py",
    "bundler/effects.py",
    "bundler/isolated.py",
    "bundler/native/compile.py",
    "bundler/native/embedding.py",
    "bundler/native/entries.py",
    "bundler/native/exceptions.py",
    "bundler/native/link.py",
    "bundler/native/loader.py",
    "bundler/native/recording.py",
    "bundler/plain.py",
    "bundler/plan.py",
    "bundler/program.py",
    "bundler/site.py",
    "bundler/strip.py",
    "bundler/trace.py",
]
SOURCES = sorted(
    str(path.relative_to(PROJECT)) for name in FOLDERS for path in (PROJECT / name).rglob("*.py")
)


def public_functions(body):
    """The functions of a module or class, and of its public classes; nested ones are none."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            compiled = COMPILED & {ast.unparse(one) for one in node.decorator_list}
            if not node.name.startswith("_") and not compiled:
                yield node
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node.body)
        elif isinstance(node, (ast.If, ast.Try)):
            yield from public_functions([*node.body, *node.orelse])


def untyped(path):
    """What of the public functions of a file has no annotation."""
    for function in public_functions(ast.parse((PROJECT / path).read_text()).body):
        given = function.args
        rest = [one for one in (given.vararg, given.kwarg) if one]
        for one in (*given.posonlyargs, *given.args, *given.kwonlyargs, *rest):
            if one.annotation is None and one.arg not in ("self", "cls"):
                yield f"{path}:{one.lineno} {function.name}({one.arg})"
        if function.returns is None:
            yield f"{path}:{function.lineno} {function.name}() ->"


@pytest.mark.parametrize("path", [path for path in SOURCES if path not in NOT_YET])
def test_public_functions_are_annotated(path):
    assert not list(untyped(path))


def test_what_is_done_is_not_excused():
    """A module leaves NOT_YET as soon as it is annotated."""
    assert [path for path in NOT_YET if any(untyped(path))] == NOT_YET
