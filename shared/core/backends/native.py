"""The backend of a native bundle: machine code, else plain Python with the reason on stderr."""

import os
import sys
from typing import Any

from ...core.packed import decode_text

# An .xz file as text: loader.py with its ARGUMENTS, 0, the code.
MACHINE_CODE = ""


def load_code() -> Any:
    """Returns MachineCode, None if it fails."""
    try:
        import lzma  # some builds of Python lack it

        loader, _, data = lzma.decompress(decode_text(MACHINE_CODE)).partition(b"\0")
        names: Any = {}
        exec(compile(loader, "loader.py", "exec"), names)
        loaded = names["MachineCode"](data, **names["ARGUMENTS"])
    except Exception as error:  # the bot plays on
        print(f"kernels run as plain Python, 100 to 1,000 times slower: {error}", file=sys.stderr)
        return None
    print(f"kernels run as machine code for {loaded.cpu}", file=sys.stderr)
    return loaded


code: Any = load_code() if os.environ.get("CG_JIT") != "0" else None
COMPILED = code is not None


# For tunable.py: of the bundler, while it compiles
open_number: Any = None


def njit(function: Any) -> Any:
    return function


inline = njit


def prefetch(buffer: Any, at: int) -> None:
    """Do nothing: machine code contains it."""


def unsigned(i: int) -> int:
    """Returns i."""
    return i


def copy_numbers(source: Any, first: int, target: Any, start: int, n: int) -> None:
    """Copy n numbers."""
    target[start : start + n] = source[first : first + n]


def local_ints(n: int) -> "list[int]":
    """Returns a list of n zeros."""
    return [0] * n


def vector_operations(n: int) -> None:
    """Returns None: machine code contains its vector operations."""


def kernel(signature: Any) -> Any:
    """Decorator: the machine code of a function."""
    if callable(signature):
        return code.entry(signature, "its annotation") if COMPILED else signature
    return lambda function: code.entry(function, signature) if COMPILED else function
