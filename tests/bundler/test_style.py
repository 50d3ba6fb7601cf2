"""The style that flattens: for each form a text outside of it, and a similar one within."""

import re
from pathlib import Path

import pytest

from bundler.bundle import make_bundle
from tests.bundler.differential import assert_same, write_project

TABLE = Path(__file__).with_name("style.txt").read_text(encoding="utf-8").split("\n\n")[1:]
CASES = [[line.replace("\\n", "\n") for line in case.strip().split("\n")] for case in TABLE]


def why_carried(text, folder):
    """The first reason against flattening a program with a module of this text, or None."""
    first, _, rest = text.partition("\n")
    path, text = (first[2:], rest) if first.startswith("# ") else ("lib.py", text)
    name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    files = {"main.py": f"import {name} as module\n", path: text + "\n"}
    files = {file: body.encode() for file, body in ({"m.py": "", "pkg/m.py": ""} | files).items()}
    bundle = make_bundle(write_project(files, folder), "python", root=folder)
    assert bool(bundle.carried) == bool(bundle.reasons)
    return bundle.reasons[0] if bundle.reasons else None


@pytest.mark.parametrize(("construct", "outside", "within"), CASES, ids=[case[0] for case in CASES])
def test_one_text_is_outside_of_the_style_and_one_within(construct, outside, within, tmp_path):
    assert why_carried(outside, tmp_path / "outside").startswith(f"{construct},")
    assert why_carried(within, tmp_path / "within") is None


def test_what_nothing_names_is_left_out_of_carried_modules(tmp_path):
    """Functions, constants, and imports of them; a word in a text keeps a definition."""
    project = """\
--- main.py
from lib import used, LIMITS
print(used(), LIMITS)
--- lib.py
from other import first, second
LIMITS = "LIMIT of three"
def used(): return first()
def unused(): return second()
--- other.py
LIMIT = 3
SPARE = 4
def first(): return 1
def second(): return SPARE
"""
    pruned = assert_same(project, tmp_path / "pruned", mode="python", carry=True)
    assert pruned.carried == ["lib", "other"] and not pruned.reasons
    assert not {"unused", "second", "SPARE"} & set(re.findall(r"\w+", pruned.text))
    assert "LIMIT = 3" in pruned.text
    looks_up = project.replace("print(", "print(sorted(vars(__import__('lib')))[-2:], ")
    whole = assert_same(looks_up, tmp_path / "whole", mode="python")
    assert whole.reasons and "def unused" in whole.text and "SPARE = 4" in whole.text
