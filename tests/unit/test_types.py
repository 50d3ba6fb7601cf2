"""Public functions have annotations, for mypy and for readers."""

import ast
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
FOLDERS = ("bundler", "referee", "shared/core", "shared/learn", "shared/search")
CONTEST_PARTS = ("contest", "maps", "protocol", "reconstruct")
COMPILED = {"njit", "inline", "kernel"}
# Their text goes into bundles, where annotations would only cost characters.
EMBEDDED = {
    "bundler/embedding.py": ["carry"],
    "bundler/native/loader.py": ["name_of", "entry", "check_machine", "address_of", "executable"],
    "bundler/native/tunable_code.py": ["address_of", "name_of", "is_data"],
    "bundler/pack.py": ["run_packed"],
    "bundler/trace.py": ["trace_stdio"],
    "shared/core/loop.py": ["expect"],
}
SOURCES = sorted(
    str(path.relative_to(PROJECT))
    for path in (
        *(path for name in FOLDERS for path in (PROJECT / name).rglob("*.py")),
        # The referee's side of a contest
        *(path for part in CONTEST_PARTS for path in PROJECT.glob(f"shared/games/*/{part}.py")),
    )
)


def public_functions(body):
    """Returns the functions of a module or class, and of its public classes, without nested
    ones.
    """
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            compiled = COMPILED & {ast.unparse(one) for one in node.decorator_list}
            if not node.name.startswith("_") and not compiled:
                yield node
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node.body)
        elif isinstance(node, (ast.If, ast.Try)):
            yield from public_functions([*node.body, *node.orelse])


def untyped(function):
    """Returns the parts of a function without an annotation."""
    given = function.args
    rest = [one for one in (given.vararg, given.kwarg) if one]
    for one in (*given.posonlyargs, *given.args, *given.kwonlyargs, *rest):
        if one.annotation is None and one.arg not in ("self", "cls"):
            yield one.arg
    if function.returns is None:
        yield "return"


@pytest.mark.parametrize("path", SOURCES)
def test_public_functions_are_annotated(path):
    functions = public_functions(ast.parse((PROJECT / path).read_text()).body)
    lacking = {
        one.name: f"line {one.lineno}: {[*untyped(one)]}" for one in functions if any(untyped(one))
    }
    assert sorted(lacking) == sorted(EMBEDDED.get(path, [])), lacking
