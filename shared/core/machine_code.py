"""The kernels of a native bundle as machine code; why they may not run as that, stderr says."""

import os
import sys
from typing import Any, Callable

# The bundler writes an .xz file here, as a text: bundler/native/loader.py, the ARGUMENTS of its
# MachineCode, a zero, and the code.
MACHINE_CODE = ""


def load_code() -> Any:
    """The MachineCode of the bundle; None where it cannot run."""
    try:
        import lzma  # not at the top: some builds of Python lack it

        loader, _, data = lzma.decompress(decode_text(MACHINE_CODE)).partition(b"\0")
        names: dict[str, Any] = {}
        type(decode_text)(compile(loader, "loader.py", "exec"), names)()  # type: ignore[misc]
        loaded = names["MachineCode"](data, **names["ARGUMENTS"])
    except Exception as error:  # whatever it is, the bot can play without
        print(f"kernels run as plain Python: {error}", file=sys.stderr)
        return None
    print(f"kernels run as machine code for {loaded.cpu}", file=sys.stderr)
    return loaded


def decode_text(text: str) -> bytes:
    """The bytes, the last not 0, of a text of ASCII or of ideographs, each one UTF-16 unit."""
    letters = "".join(text.split())
    # So many letters, from the first on, are a number of so many bits in that base.
    first, base, n, size = (35, 85, 5, 32) if letters.isascii() else (0x3400, 27_555, 4, 59)
    bits = ""
    for i in range(0, len(letters), n):
        number = 0
        for letter in letters[i : i + n]:
            number = number * base + ord(letter) - first
        bits += f"{number:0{size}b}"
    n = len(bits) // 8
    return int(bits[: 8 * n], 2).to_bytes(n, "big").rstrip(b"\0")


code: Any = load_code() if os.environ.get("CG_JIT") != "0" else None
COMPILED = code is not None


def njit(function: Callable) -> Callable:
    return function


def inline(function: Callable) -> Callable:
    return function


def narrow(number: int) -> int:
    return number


def kernel(signature: Any) -> Callable:
    """Decorator: the machine code of a function."""
    if callable(signature):
        return code.entry(signature, "its annotation") if COMPILED else signature
    return lambda function: code.entry(function, signature) if COMPILED else function
