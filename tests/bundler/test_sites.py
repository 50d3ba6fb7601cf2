"""Sites are data: their packages may be imported, their Python has the syntax and the names that a
bundle uses, and the check runs with it.
"""

import pytest

import bundler.check
import bundler.sites
from bundler.bundle import make_bundle
from bundler.check import check
from bundler.errors import BundleError
from bundler.modules.workspace import MARKER
from bundler.sites import (
    CODINGAME,
    STRICT,
    Site,
    SiteError,
    find_site,
    make_environment,
)
from bundler.versions import check_version, needed_packages
from tests.bundler.differential import write_project
from tests.bundler.test_command_line import bundler as command
from tests.support.pythons import LATER, python_of

# The sites of some Pythons, as keys of PYTHONS
SITES = {STRICT: "oldest", CODINGAME: "site"} | {site: site.version for site in LATER}
OWN = '[site]\npython = "3.12"\npackages = ["numpy", "networkx==3.1"]\n'


def test_a_project_has_a_site_of_its_own(tmp_path):
    assert find_site(None, tmp_path) is CODINGAME
    (tmp_path / MARKER).write_text("# no table\n")
    assert find_site(None, tmp_path) is CODINGAME
    (tmp_path / MARKER).write_text(OWN)
    own = Site("own", (3, 12), ("numpy", "networkx==3.1"))
    assert find_site(None, tmp_path) == find_site("own", tmp_path) == own
    assert own.packages == {"numpy", "networkx"} and own.version == "3.12"
    assert find_site("strict", tmp_path) is STRICT


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("site = 3\n", "got 3"),
        ("[site]\npython = 3.11\n", 'got {"python": 3.11}'),
        ("[site]\npython = '3.8'\n", 'python = "3.11" (3.9 or newer)'),
        ("[site]\npackages = 'numpy'\n", 'packages = ["numpy", "scipy==1.9.3"]'),
        ("[site]\npackages = ['--pre']\n", 'packages = ["numpy", "scipy==1.9.3"]'),
        ("[site]\nversion = '3.11'\n", 'got {"version": "3.11"}'),
        ("[site]\nencode = 'hex'\n", 'encode = "base85" or "wide"'),
        ("[site\n", "mend it"),
    ],
)
def test_a_damaged_site_is_refused(tmp_path, text, message):
    (tmp_path / MARKER).write_text(text)
    with pytest.raises(SiteError) as caught:
        find_site(None, tmp_path)
    assert str(tmp_path / MARKER) in str(caught.value) and message in str(caught.value)


def test_an_unknown_site_is_refused(tmp_path):
    write_project("--- bot.py: print(1)", tmp_path)
    done = command("bot.py", "-o", "out.py", "--site", "nowhere", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr == "error: no site 'nowhere': name one of codingame, strict, own\n"
    done = command("bot.py", "-o", "out.py", "--site", "own", cwd=tmp_path)
    assert "error: no site of your own: write [site] with python = " in done.stderr


@pytest.mark.parametrize("name", ["pandas", "scipy.sparse"])
def test_packages_of_codingame_may_be_imported_and_are_refused_where_they_lack(tmp_path, name):
    entry = write_project(f"--- main.py\nimport {name} as it\nprint(it)", tmp_path)
    assert f"import {name} as it" in make_bundle(entry, root=tmp_path).text
    with pytest.raises(BundleError, match=rf"main.py:1: import {name}: the site strict lacks it"):
        make_bundle(entry, root=tmp_path, site="strict")
    assert make_bundle(entry, root=tmp_path, site="strict", allow=[name.partition(".")[0]]).text


# (the site's Python, code, line and construct of the refusal or "")
STAR = "try:\n    pass\nexcept* OSError:\n    pass\n"
VERSIONS = [
    # Syntax
    (
        (3, 9),
        "match 1:\n    case 1: pass\n",
        "1: Pattern matching is only supported in Python 3.10 and greater",
    ),
    ((3, 10), "match 1:\n    case 1: pass\n", ""),
    ((3, 10), STAR, "3: Exception groups are only supported in Python 3.11 and greater"),
    ((3, 9), "x = {}\nx[*'ab'] = 1\n", "2: invalid syntax"),
    # Modules, their names, builtins
    ((3, 10), "import tomllib\n", "1: tomllib"),
    ((3, 11), "import tomllib\n", ""),
    ((3, 11), "from itertools import batched\n", "1: itertools.batched"),
    ((3, 11), "import itertools as it\nit.batched('ab', 1)\n", "2: itertools.batched"),
    ((3, 11), "import os.path, os\nos.path.isjunction\n", ""),
    ((3, 9), "aiter(1)\n", "1: aiter"),
    # Names that the bot gives to others
    ((3, 9), "def aiter(a): return a\naiter(1)\n", ""),
    ((3, 9), "def f(math): return math.cbrt(1)\nimport math\n", ""),
    ((3, 9), "from .enum import StrEnum\n", ""),
    # Guards
    ((3, 10), "try:\n    import tomllib\nexcept ImportError:\n    tomllib = None\n", ""),
    ((3, 9), "from contextlib import suppress\nwith suppress(NameError): aiter(1)\n", ""),
    (
        (3, 11),
        "import itertools as it, sys\ndef f(x):\n    if sys.version_info < (3, 12):\n"
        "        return x\n    return it.batched(x, 1)\n",
        "",
    ),
    (
        (3, 11),
        "import itertools as it, sys\nNEW = sys.version_info >= (3, 12)\n"
        "def f(x):\n    return it.batched(x, 1) if NEW else x\n"
        "def g(x):\n    return it.batched(x, 1)\n",
        "6: itertools.batched",
    ),
    ((3, 11), "import math\nF = math.fma if hasattr(math, 'fma') else None\n", ""),
    # Annotations that nothing evaluates
    ((3, 9), "def f():\n    import typing\n    a: typing.Self = 1\n", ""),
    ((3, 9), "import typing\ndef f():\n    a: typing.Self = 1\n", ""),
    # Deep trees
    ((3, 9), f"x = {' + '.join(['1'] * 400)}\n", ""),
    ((3, 9), "n = 1\nif n: pass\n" + "elif n: pass\n" * 400, ""),
]


@pytest.mark.parametrize(("python", "code", "message"), VERSIONS)
def test_syntax_and_names_are_those_of_the_sites_python(python, code, message):
    site = next(site for site in SITES if site.python == python)
    python_of(SITES[site])
    if not message:
        assert check_version({"m.py": code}, site)
        return
    with pytest.raises(BundleError) as caught:
        check_version({"m.py": code}, site)
    line, _, construct = message.partition(": ")
    start = f"m.py:{line}: the site's Python {site.version} lacks it: {construct}: "
    assert str(caught.value).startswith(start)


def test_without_the_sites_python_its_syntax_is_known(monkeypatch, tmp_path):
    monkeypatch.setattr(bundler.sites, "ENVIRONMENTS", tmp_path)
    assert not check_version({"m.py": "import tomllib\n"}, STRICT)
    with pytest.raises(
        BundleError, match=r"m.py:2: .*Pattern matching is only supported in Python"
    ):
        check_version({"m.py": "match 1:\n    case 1: pass\n"}, STRICT)


def test_what_is_pruned_or_left_at_home_may_be_newer(tmp_path):
    write_project(
        "--- bot.py\nfrom lib import used\nprint(used())\n"
        "--- lib.py\ndef used():\n    return 1\n\n\n"
        "def unused():\n    from itertools import pairwise\n\n    return pairwise('')\n",
        tmp_path,
    )
    made = make_bundle(tmp_path / "bot.py", "python", root=tmp_path)
    check_version(made.kept, STRICT)
    carried = make_bundle(tmp_path / "bot.py", "python", root=tmp_path, carry=True)
    check_version(carried.kept, STRICT)
    (tmp_path / "bot.py").write_text("import lib\nprint(lib.used(), vars(lib)['unused'])\n")
    whole = make_bundle(tmp_path / "bot.py", "python", root=tmp_path)
    with pytest.raises(BundleError, match=r"lib.py:6: .*: itertools.pairwise"):
        check_version(whole.kept, STRICT)


def test_the_command_refuses_what_is_newer(tmp_path):
    write_project("--- bot.py\nprint(1)\nfrom itertools import pairwise\nprint(pairwise)", tmp_path)
    done = command("bot.py", "-o", "out.py", "--site", "strict", cwd=tmp_path)
    assert done.returncode == 2 and ": itertools.pairwise: do without it" in done.stderr
    assert not (tmp_path / "out.py").exists()
    assert command("bot.py", "-o", "out.py", cwd=tmp_path).returncode == 0


def test_packages_that_are_needed(tmp_path):
    text = "import numpy\ntry:\n    import scipy\nexcept ImportError:\n    scipy = None\n"
    assert needed_packages({"m.py": text}, {"numpy", "scipy"}) == {"numpy"}
    assert needed_packages({"m.py": text}, {"numpy", "scipy"}, {"scipy"}) == {"numpy", "scipy"}
    assert needed_packages({"m.py": "import scipy.sparse"}, {"numpy", "scipy"}) == {"scipy"}


def test_a_bundle_whose_packages_are_missing_is_not_checked(tmp_path, monkeypatch):
    """Neither the site's environment nor this Python has the package."""
    monkeypatch.setattr(bundler.sites, "ENVIRONMENTS", tmp_path / "none")
    (tmp_path / "bot.py").write_text("import no_such_package\nprint(1)\n")
    made = make_bundle(tmp_path / "bot.py", "python", root=tmp_path, allow=["no_such_package"])
    said = check(made, None, {"no_such_package"})
    assert said == (
        "NOT CHECKED: no_such_package is not installed here; `onefile doctor --site codingame`"
        " makes the site's Python"
    )


def test_the_check_runs_with_the_sites_python_and_packages(tmp_path, monkeypatch):
    python_of("site")
    monkeypatch.setattr(bundler.check, "SECONDS", 60.0)  # imports take long on a busy machine
    (tmp_path / "bot.py").write_text(
        "import sys, scipy, pandas\nprint(sys.version_info[:2], scipy.__version__)\n"
    )
    said = check(make_bundle(tmp_path / "bot.py", "python", root=tmp_path))
    numpy, pandas, scipy = (one.replace("==", " ") for one in CODINGAME.requirements)
    assert said.startswith(
        "NOT CHECKED: give --check FILE; without input the program writes 1 line"
    )
    assert said.endswith(f", {numpy}, {pandas}, {scipy}") and "codingame: Python 3.11." in said


def test_a_bundle_whose_machine_code_did_not_run_is_not_checked(tmp_path):
    (tmp_path / "bot.py").write_text(
        "import sys\nprint('kernels run as plain Python: why', file=sys.stderr)\nprint(1)\n"
    )
    said = check(make_bundle(tmp_path / "bot.py", "python", root=tmp_path))
    assert said.startswith("kernels NOT CHECKED: kernels run as plain Python: why")


def test_a_site_without_interpreter_says_how_to_get_one(tmp_path, monkeypatch):
    monkeypatch.setattr(bundler.sites, "ENVIRONMENTS", tmp_path)
    monkeypatch.setattr(bundler.sites, "_candidates", lambda version: iter(()))
    with pytest.raises(SiteError) as caught:
        make_environment(CODINGAME)
    assert str(caught.value) == (
        "no Python 3.11 on this machine: install it (pyenv install 3.11, uv python install 3.11,"
        " or the system's packages python3.11 and python3.11-venv)"
    )
