"""The tables in programs/: each small program behaves in one file as its modules do."""

import sys
from pathlib import Path

import pytest

from bundler.errors import BundleError
from tests.bundler.differential import assert_same, read_programs

PROGRAMS = [
    program
    for path in sorted(Path(__file__).with_name("programs").glob("*.txt"))
    for program in read_programs(path)
    if sys.version_info >= (3, 12) or "3.12" not in program.remarks
]
# Each is the text of a module that ends with an exception though nobody uses what it defines.
RAISING = r"""
from functools import total_ordering as o\n@o\nclass A: x = 1
from enum import Enum, unique\n@unique\nclass A(Enum):\n    B = 1\n    C = 1
from enum import Enum\nclass A(Enum):\n    B = 1\n    B = 2
from enum import Enum\nclass A(Enum): mro = 1
from enum import IntEnum\nclass A(IntEnum): B = "x"
from enum import Enum\nfrom abc import ABC\nclass A(ABC, Enum): pass
from typing import runtime_checkable\n@runtime_checkable\nclass A: x = 1
from typing import NamedTuple\nclass A(NamedTuple): _x: int
from typing import NamedTuple\nclass A(NamedTuple):\n    x: int = 1\n    y: int
from typing import Generic\nclass A(Generic[int]): pass
from typing import Protocol\nclass A(Protocol, ValueError): pass
from typing import TypeVar\nT = TypeVar("T", int)
from typing import Optional\ndef f(x: Optional[1, 2]): pass
import typing\nx: typing.NoSuchThing = 1
from dataclasses import dataclass\n@dataclass(order=True, eq=False)\nclass A: x: int = 1
from dataclasses import dataclass\n@dataclass\nclass A: x: list = []
from dataclasses import field\nF = field(default=1, default_factory=list)
import functools\n@functools.lru_cache(maxsize="x")\ndef f(): pass
class A(Exception, ValueError): pass
class A(OSError, AttributeError): pass
class A(ValueError[int]): pass
class A(int, str): pass
class A:\n    __slots__ = ("x",)\n    x = 1
class A:\n    __slots__ = ("1x",)
class A:\n    __qualname__ = 3
class A:\n    x = y\n    y = 1
def f(x: list[undefined]): pass
from math import no_such_name
A, B = 1, 2, 3
X = range(1, 5, 0)
X = {[]: 1}
X = [1 // 0]
X = 1\ndef f(x: X | None): pass
from typing import NamedTuple\nclass A(NamedTuple):\n    x: int = 1\n    def f(self): pass\n    y: int
class D:\n    def __set_name__(self, owner, name): raise ValueError\nd = D()\nclass A: x = d
""".strip().split("\n")
SCOPES = [program for program in PROGRAMS if program.topic == "scopes"]
WAYS = {"plainly": {}, "stripped": {"strip": True}, "unpruned": {"keep_all": True}}


def name(program):
    return f"{program.topic}: {program.name}" if hasattr(program, "topic") else program


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("program", PROGRAMS, ids=name)
def test_a_bundle_behaves_as_its_sources_do(program, way, tmp_path):
    """Same output, same exception; flattened or carried, as the table says if it says so."""
    as_module = "module" in program.remarks
    try:
        bundle = assert_same(program.files, tmp_path, as_module, mode="python", **WAYS[way])
    except BundleError:
        assert "may be refused" in program.remarks
        return
    except AssertionError as difference:
        if "may end with RuntimeError" in program.remarks and "RuntimeError" in str(difference):
            return
        raise
    if program.carried is not None:
        assert set(bundle.carried) == program.carried


@pytest.mark.parametrize("program", SCOPES, ids=name)
def test_it_does_not_matter_which_of_two_modules_comes_first(program, tmp_path):
    """Whichever gives way, names keep their meaning."""
    one, other = b"import lib\nimport other\n", b"import other\nimport lib\n"
    main = program.files["main.py"].replace(one, other)
    assert main != program.files["main.py"]
    assert_same(program.files | {"main.py": main}, tmp_path, mode="python")


@pytest.mark.parametrize("text", RAISING)
def test_what_raises_is_not_left_out(text, tmp_path):
    """Though nobody uses it."""
    text = text.replace("\\n", "\n")
    project = f"--- main.py\nimport lib\nprint('never')\n--- lib.py\n{text}"
    assert not assert_same(project, tmp_path, mode="python").carried
