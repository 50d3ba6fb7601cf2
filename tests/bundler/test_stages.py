"""The text-to-text stages: the changes each makes to a module, and the parts it leaves
unchanged.
"""

import pytest

from bundler.errors import BundleError
from bundler.modules.folding import fold, write_mode
from bundler.modules.library import with_full_names
from bundler.modules.source import Source
from bundler.stages.strip import compact, strip

MODES = {
    "a mode": ('BUNDLE_MODE = "numba"  # how\n', 'BUNDLE_MODE = "native"  # how\n'),
    "another constant": ('MACHINE_CODE = ""\n',) * 2,
    "somebody's own": ('MACHINE_CODE = "abc"\nBUNDLE_MODE = "fast"\n',) * 2,
    "in a function": ('def f():\n    BUNDLE_MODE = "numba"\n',) * 2,
    "at home": (
        'BUNDLE_MODE = "numba"\nAT_HOME = True\n',
        'BUNDLE_MODE = "native"\nAT_HOME = False\n',
    ),
    "somebody's own home": ("AT_HOME = True\n",) * 2,
    "two targets": ('BUNDLE_MODE = MODE = "numba"\n',) * 2,
}
SETTLED = {
    "a branch for types": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:  # for editors\n    import m\nX = 1\n",
        "from typing import TYPE_CHECKING\n\n\nX = 1\n",
    ),
    "a branch for home": (
        "from shared.core.jit import AT_HOME\nif AT_HOME:\n    import m\n\n    m.f()\nX = 1\n",
        "from shared.core.jit import AT_HOME\n\n\n\n\nX = 1\n",
    ),
    "another module's home": ("from m import AT_HOME\nif AT_HOME:\n    X = 1\n",) * 2,
    "a module's own way to run": (
        (
            "X = 1\n# Alone it prints.\nif __name__ == '__main__':\n"
            "    # a comment\n    print(X)  # too\n"
        ),
        "X = 1\n\n\n\n\n",
    ),
    "a guard with an else": ("if __name__ == '__main__':\n    X = 1\nelse:\n    X = 2\n",) * 2,
    "a name of one's own": ("TYPE_CHECKING = f()\nif TYPE_CHECKING:\n    X = 1\n",) * 2,
    "a name that another module has as well": (
        "from typing import TYPE_CHECKING\nfrom m import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    X = 1\n",
    )
    * 2,
    "imports by a mode that is imported": (
        'BUNDLE_MODE = "native"\nfrom m import BUNDLE_MODE\n'
        'if BUNDLE_MODE == "numba":\n    import a\n',
    )
    * 2,
    "imports by mode": (
        'BUNDLE_MODE = "native"\nif BUNDLE_MODE == "numba":\n    import a\n'
        'elif BUNDLE_MODE == "native":\n    from b import (\n'
        "        c,\n    )\nelse:\n    import d\nX = 1\n",
        'BUNDLE_MODE = "native"\nfrom b import (\n        c,\n    )\n\n\n\n\n\nX = 1\n',
    ),
    "more than imports by mode": (
        'BUNDLE_MODE = "native"\nif BUNDLE_MODE == "native":\n    X = 1\nelse:\n    import a\n',
    )
    * 2,
    "imports by a mode that is bound again": (
        'BUNDLE_MODE = "native"\nBUNDLE_MODE = f()\nif BUNDLE_MODE == "numba":\n    import a\n',
    )
    * 2,
    "annotations for a compiler that reads none": (
        "from shared.core.jit import inline, njit\n@njit\ndef f(a: int, *b: m.C[str], c: Tree = 1) "
        "-> None:  # what\n    @inline\n    def g(x: list[int]) -> int: ...\n",
        "from shared.core.jit import inline, njit\n@njit\ndef f(a, *b, c = 1):  # what\n"
        "    @inline\n    def g(x): ...\n",
    ),
    "an annotation over several lines": (
        "from shared.core.jit import njit\n@njit\ndef f(\n    a: int,\n    b: dict[\n"
        "        int, str\n    ],\n    c: (str),\n) -> int: ...\n",
        "from shared.core.jit import njit\n@njit\ndef f(\n    a,\n    b: dict[\n"
        "        int, str\n    ],\n    c: (str),\n): ...\n",
    ),
    "annotations that something may read": (
        "from shared.core.jit import kernel, njit\n@kernel\ndef f(a: int) -> int: ...\n"
        "def g(a: int) -> int: ...\n@njit\n@kernel\ndef h(a: int) -> int: ...\n"
        "@njit\ndef i(a: print(1)): ...\n",
    )
    * 2,
    "annotations below another decorator of the name": (
        "from m import njit\n@njit\ndef f(a: int) -> int: ...\n",
    )
    * 2,
    "annotations below a decorator of two meanings": (
        "from shared.core.jit import njit\ndef f(njit):\n    @njit\n    def g(a: int): ...\n",
    )
    * 2,
}
STRIPPED = {
    "comments": ("X = 1  # one\n# two\n\nY = '# three'\n", "X = 1\nY = '# three'\n"),
    "docstrings": (
        '"""Module."""\nclass A:\n    """Class."""\ndef f():\n    """Function."""\n    return 1\n',
        "class A:\n pass\ndef f():\n return 1\n",
    ),
    "what is in a text": ('X = """a\n\n  # b\n"""\n',) * 2,
    "a docstring in a line with more": ('def f(): "Doc."; return 1\n',) * 2,
}


@pytest.mark.parametrize(("before", "after"), MODES.values(), ids=MODES)
def test_the_mode_is_written(before, after):
    """The mode is written only into the assignments intended for it."""
    assert write_mode(Source(before, "m.py"), "native") == after


@pytest.mark.parametrize(("before", "after"), SETTLED.values(), ids=SETTLED)
def test_code_that_never_runs_is_blanked(before, after):
    """Comments included, and line numbers stay."""
    assert fold(Source(before, "m.py"), is_entry=False).text == after


@pytest.mark.parametrize(("before", "after"), STRIPPED.values(), ids=STRIPPED)
def test_comments_and_docstrings_are_stripped(before, after):
    """No other text is stripped; line numbers stay until all empty lines are dropped."""
    stripped = strip(before)
    assert stripped.count("\n") == before.count("\n")
    assert compact(stripped) == after


FULL_NAMES = {
    "relative": (
        "from ..core.jit import (\n    njit,\n)\nfrom .. import path\n",
        "from shared.core.jit import (\n    njit,\n)\nfrom shared import path\n",
    ),
    "in a function": (
        "def f():\n    from ..path import grid\n",
        "def f():\n    from shared.path import grid\n",
    ),
    "beyond the top": ("from .... import x\n",) * 2,
    "by the distribution": (
        "from onefile_bots.shared.core.jit import njit\nimport onefile_bots.shared.path as p, os\n",
        "from shared.core.jit import njit\nimport shared.path as p, os\n",
    ),
    "others of it": ("from onefile_bots import play_match\nfrom onefile_bots.sharedx import a\n",)
    * 2,
}


@pytest.mark.parametrize(("before", "after"), FULL_NAMES.values(), ids=FULL_NAMES)
def test_the_library_has_the_names_of_a_bundle(before, after):
    assert with_full_names(Source(before, "m.py"), "shared.search") == after
    if ".." in before:  # of another package
        assert with_full_names(Source(before, "m.py"), "mine.search") == before


def test_an_import_that_binds_the_distribution_is_refused():
    with pytest.raises(BundleError, match=r"m\.py:1: import onefile_bots"):
        with_full_names(Source("import onefile_bots.shared.core.jit\n", "m.py"), "")
