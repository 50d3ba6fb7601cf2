"""The Python that `make setup` refuses."""

import shutil
import subprocess

from tests.conftest import PROJECT
from tests.support.pythons import interpreter_of


def test_an_older_python_is_refused_with_advice(tmp_path):
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy(PROJECT / name, tmp_path)
    words = ["make", "setup", f"PYTHON={interpreter_of('3.10')}"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2 and not (tmp_path / ".venv").exists()
    said = "onefile needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"
    assert said in done.stderr.splitlines()
