"""How a bundle reads: comments, docstrings, what is said in it; what is dropped, what renamed."""

import sys
from pathlib import Path

import pytest

from bundler.bundle import make_bundle
from tests.bundler.differential import assert_same, outcome_of_bundle, read_programs, write_project

PROJECTS = {p.name: p.files for p in read_programs(Path(__file__).with_name("projects.txt"))}
READS = PROJECTS["commented"].pop("expected").decode()


def test_a_bundle_reads_like_its_sources(tmp_path):
    """Their text stands as it is, with every comment of kept code; those of removed code go."""
    assert assert_same(PROJECTS["commented"], tmp_path, mode="python").text == READS


def test_strip_drops_comments_and_docstrings(tmp_path):
    """Empty lines too; only what names the sources is left."""
    text = assert_same(PROJECTS["commented"], tmp_path, mode="python", strip=True).text
    comments = [line for line in text.split("\n") if "#" in line]
    assert comments and all(
        line.startswith(('__name__ = "', "# lib.py:", "# main.py:")) for line in comments
    )
    assert '"""' not in text and "\n\n" not in text


def test_a_stripped_program_does_the_same(tmp_path):
    """Bodies that consist of a docstring keep a statement, and texts every character; any other
    indentation is a column a level.
    """
    text = assert_same(PROJECTS["stripped"], tmp_path, mode="python", strip=True).text
    assert "a comment" not in text.replace("# no comment", "")
    assert "\n  return" in text and "\n2, {\n3: 4},\n]" in text and "\n    return f" in text


def test_what_reads_sources_finds_them(tmp_path):
    """Then nothing is stripped."""
    code = "import inspect\ndef f():\n\n    return 1  # one\nprint(inspect.getsource(f))"
    assert "# one" in assert_same(f"--- main.py\n{code}", tmp_path, mode="python", strip=True).text


def test_what_nobody_names_goes_if_it_cannot_matter(tmp_path):
    """Pruning knows few kinds of statements; every other stays."""
    text = assert_same(PROJECTS["pruned"], tmp_path, mode="python").text.lower()
    assert "gone" not in text and "json" not in text and "never" not in text
    for letter in "abcdefghij":
        assert "kept_" + letter in text or "kept" + letter in text
    everything = assert_same(
        PROJECTS["pruned"], tmp_path, mode="python", keep_all=True
    ).text.lower()
    for letter in "abcdefgh":
        assert "gone_" + letter in everything or "gone" + letter in everything
    assert "import json" in everything and "never" not in everything


MODES = """
--- main.py
from jit import BUNDLE_MODE
print(BUNDLE_MODE)
--- jit.py
BUNDLE_MODE = "numba"
"""


def test_the_mode_is_written_into_the_program(tmp_path):
    """As the value of BUNDLE_MODE; nothing else depends on where the project lies."""
    texts = set()
    for folder in ("first", "second"):
        entry = write_project(MODES, tmp_path / folder)
        for mode in ("python", "native", "numba"):
            text = make_bundle(entry, root=tmp_path / folder, mode=mode).text
            assert f'BUNDLE_MODE = "{mode}"' in text and text.count("BUNDLE_MODE = ") == 1
            assert outcome_of_bundle(text, tmp_path / mode) == f"{mode}\n"
            texts.add(text)
    assert len(texts) == 3


CARRIED = '''
--- main.py
"""Bot."""
import pkg.longer
print(pkg.longer.X > 0)
--- pkg/__init__.py
--- pkg/longer.py
from pkg import short
X = len(globals())  # of what there is
--- pkg/short.py: Y = 2
'''
HEAD = '''# main.py:1
"""Bot."""


# made by the bundler
# These modules stand here whole, as texts that `import` runs as it runs files:
#   pkg.longer  uses globals(), pkg/longer.py:2
#   pkg.short   imported by pkg.longer, pkg/longer.py:1


def carry('''


def test_what_is_carried_is_said_in_the_head(tmp_path):
    """And why; its text is that of its file."""
    text = assert_same(CARRIED, tmp_path, mode="python").text
    assert text.startswith(HEAD), text
    assert "\nfrom pkg import short\nX = len(globals())  # of what there is\n" in text


@pytest.mark.parametrize(
    "text",
    [
        "import sys\nprint(sys.argv[0] != '')\n",
        (
            "class A:\n    x = 1  # one\n\n    def f(self):\n        # why\n"
            "        return self.x\n\n\nprint(A().f())\n"
        ),
        'x = len("a")\nif x:\n    y = 2\nelse:\n    y = 3  # never\nprint(f"{x=} {y:>{x}}")\n',
        "try:\n    import numba\nexcept ImportError:\n    numba = None\nprint(numba is None)\n",
    ],
)
def test_a_bot_of_one_file_is_left_alone(text, tmp_path):
    """Apart from what names the source."""
    (tmp_path / "main.py").write_text(text)
    bundle = make_bundle(tmp_path / "main.py", root=tmp_path, mode="python").text
    assert bundle == f'__name__ = "__main__"  # main.py:1\n{text}'


def test_the_bundler_imports_nothing_of_a_bot(tmp_path):
    """A subprocess tries the imports of a bot: those that raise stay."""
    project = "--- main.py\nimport lib\nprint(1)\n--- lib.py\nfrom mailbox import Mailbox"
    entry = write_project(project, tmp_path)
    assert "mailbox" not in make_bundle(entry, root=tmp_path, mode="python").text
    (tmp_path / "lib.py").write_text("from mailbox import NoSuchName\n")
    assert "NoSuchName" in make_bundle(entry, root=tmp_path, mode="python").text
    assert "mailbox" not in sys.modules


def test_an_empty_package_is_no_reason_against_a_plain_bundle(tmp_path):
    """Even where it is imported in a block."""
    project = "--- main.py\ntry: import lib.none\nexcept ImportError: print(1)\n--- lib/__init__.py"
    entry = write_project(project, tmp_path)
    made = make_bundle(entry, root=tmp_path, mode="python", plain=True)
    assert not made.embedded and outcome_of_bundle(made.text, tmp_path / "alone") == "1\n"
