"""The kernels of a native bundle as machine code; why they may not run as that, stderr says."""

import ast
import base64
import os
import sys

# The bundler writes an .xz file here, as a text that `decoded` reads: a line with a dict, then the
# code. Of the dict, "loader" is the text of bundler/native/loader.py, all else for its MachineCode.
MACHINE_CODE = ""

# Four ideographs, each of one UTF-16 unit, are a number of 59 bits in base N_WIDE.
WIDE_FIRST, N_WIDE = 0x3400, 27_555


def load():
    """The MachineCode of the bundle; None where it cannot run, or `CG_JIT=0` forbids it."""
    if os.environ.get("CG_JIT") == "0":
        return None
    try:
        import lzma  # not at the top: some builds of Python lack it

        head, _, data = lzma.decompress(decoded(MACHINE_CODE)).partition(b"\n")
        arguments = ast.literal_eval(head.decode())
        names = {}
        eval(compile(arguments.pop("loader"), "loader.py", "exec"), names)
        loaded = names["MachineCode"](data, **arguments)
    except Exception as error:  # whatever it is, the bot can play without
        print(f"kernels run as plain Python: {error}", file=sys.stderr)
        return None
    print(f"kernels run as machine code for {loaded.cpu}", file=sys.stderr)
    return loaded


def decoded(text):
    """The bytes, the last not 0, of a text: base 85, or else ideographs."""
    letters = "".join(text.split())
    if letters.isascii():
        return base64.b85decode(letters)
    digits = iter([ord(letter) - WIDE_FIRST for letter in letters])
    fours = zip(digits, digits, digits, digits)
    bits = "".join([f"{((a * N_WIDE + b) * N_WIDE + c) * N_WIDE + d:059b}" for a, b, c, d in fours])
    n = len(bits) // 8
    return int(bits[: 8 * n], 2).to_bytes(n, "big").rstrip(b"\0")


code = load()
COMPILED = code is not None


def kernel(signature):
    """Decorator: the machine code of a function."""
    return code.entry if COMPILED else lambda function: function
