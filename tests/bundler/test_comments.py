"""Each comment of a flattened source stands before the same statement in the bundle; those of the
bots are compared in tests/native/test_own_bundles.py.

`ast_comments` reads both: it knows nothing of the bundler.
"""

import ast
import tokenize

import pytest

from bundler.bundle import make_bundle
from bundler.errors import BundleError
from bundler.source_map import looks_like_mark
from tests.bundler.differential import write_project
from tests.bundler.test_programs import PROGRAMS, name

ast_comments = pytest.importorskip("ast_comments", reason="pip install ast-comments")
# `ast_comments` takes comments of these for those of other statements: behind an `if` of one line,
# and within brackets.
MISREAD = {
    "a guard in one line, a guard with an else, a guard turned around",
    "line continuations and brackets",
}
FIELDS = ("body", "handlers", "orelse", "finalbody", "cases")


def read(path):
    """Returns the text of a source in its declared encoding."""
    with tokenize.open(path) as file:
        return file.read()


def commented(text):
    """{(names around it, first line of a statement): comments above it and behind it, as sets}."""
    found = {}

    def visit(node, names, key):
        above = []
        fields = [getattr(node, field, None) for field in FIELDS]
        parts = [part for field in fields if isinstance(field, list) for part in field]
        for part in parts:
            if isinstance(part, ast_comments.Comment):
                comment = part.value.lstrip("#")
                if part.inline and key:
                    found[key][-1].append(comment)  # of the statement before
                elif not looks_like_mark(part.value):
                    above.append(comment)
                continue
            key = (*names, ast.unparse(part).strip().split("\n")[0])
            found.setdefault(key, []).append(above)
            above = []
            visit(part, (*names, getattr(part, "name", "")), key)

    visit(ast_comments.parse(text), (), None)
    return found


def assert_comments_kept(bundle, sources):
    """Each comment of a statement that is in the bundle stands there before it, or behind it."""
    after = commented(bundle)
    n_comments = 0
    for text in sources:
        for statement, comments in commented(text).items():
            for wanted in comments if statement in after else ():
                n_comments += len(wanted)
                assert any(set(wanted) <= set(found) for found in after[statement]), statement
    return n_comments


COMMENTED = [p for p in PROGRAMS if p.name not in MISREAD and b"#" in b"".join(p.files.values())]


@pytest.mark.parametrize("program", COMMENTED, ids=name)
def test_the_comments_of_a_program_stay_with_their_statements(program, tmp_path):
    entry = write_project(program.files, tmp_path)
    try:
        bundle = make_bundle(entry, root=tmp_path, mode="python")
    except BundleError:
        return
    flat = {module.replace(".", "/") + ".py" for module in bundle.flattened} | {entry.name}
    texts = [read(path) for path in bundle.files if path.relative_to(tmp_path).as_posix() in flat]
    assert_comments_kept(bundle.text, texts)
