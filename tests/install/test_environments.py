"""Environments of sites: found, made once, and never half made."""

import os
import stat

import pytest

from bundler import sites
from bundler.sites import STRICT, SiteError, environment, make_environment

# Stands for an interpreter: makes an environment whose Python fails as pip does.
INTERPRETER = """\
#!/bin/sh
for folder; do :; done
mkdir -p "$folder/bin"
printf '#!/bin/sh\\n%s\\n' '{pip}' >"$folder/bin/python"
chmod +x "$folder/bin/python"
{end}
"""
OFFLINE = 'echo "WARNING: Retrying after NewConnectionError" >&2; echo "ERROR: none" >&2; exit 1'
UNKNOWN = 'echo "WARNING: old" >&2; echo "ERROR: No matching distribution" >&2; exit 1'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder of environments."""
    monkeypatch.setattr(sites, "ENVIRONMENTS", tmp_path / "sites")
    return tmp_path / "sites"


@pytest.fixture
def interpreter(tmp_path, monkeypatch):
    """interpreter(pip, end) lets a script be the only interpreter."""

    def make(pip="exit 0", end=""):
        path = tmp_path / "python"
        path.write_text(INTERPRETER.format(pip=pip, end=end))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setattr(sites, "interpreter", lambda version: str(path))

    return make


def test_an_environment_is_made_once_and_told_before(folder, interpreter):
    interpreter()
    told = []
    first = make_environment(STRICT, told.append)
    assert environment(STRICT) == first
    assert make_environment(STRICT, told.append) == first
    assert told == [
        "making the environment of strict, Python 3.9 numpy==1.20.3: it may take a minute, once"
    ]


@pytest.mark.parametrize(
    ("pip", "end", "message"),
    [
        (OFFLINE, "", "pip does not reach the package index: try again online"),
        (UNKNOWN, "", "ERROR: No matching distribution"),
        ("exit 0", "echo 'No space left on device' >&2; exit 1", "No space left on device"),
    ],
)
def test_a_failure_is_a_line_and_leaves_no_environment(folder, interpreter, pip, end, message):
    interpreter(pip, end)
    with pytest.raises(SiteError) as raised:
        make_environment(STRICT)
    assert str(raised.value) == f"the environment of strict cannot be made: {message}"
    assert environment(STRICT) is None
    assert [path.name for path in folder.iterdir()] == [f"{STRICT.folder.name}.lock"]


def test_an_environment_whose_interpreter_is_gone_is_made_anew(folder, interpreter):
    interpreter()
    python = make_environment(STRICT)
    os.remove(python)
    assert environment(STRICT) is None
    assert make_environment(STRICT) == python
