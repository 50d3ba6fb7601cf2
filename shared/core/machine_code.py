"""The kernels of a native bundle as machine code; why they may not run as that, stderr says."""

import ast
import base64
import sys

# The bundler writes an .xz file here, as a text that `decoded` reads: a line with a dict, then the
# code. Of the dict, "loader" is the text of bundler/native/loader.py, all else for its MachineCode.
MACHINE_CODE = ""

WIDE_FIRST = 0x4E00  # the first of 16,384 ideographs, each of one UTF-16 unit


def load(wanted):
    """The MachineCode of the bundle; None where it cannot run, or another mode is wanted."""
    if wanted != "native":
        return None
    try:
        import lzma  # not at the top: some builds of Python lack it

        head, _, code = lzma.decompress(decoded(MACHINE_CODE)).partition(b"\n")
        arguments = ast.literal_eval(head.decode())
        names = {}
        eval(compile(arguments.pop("loader"), "loader.py", "exec"), names)
        loaded = names["MachineCode"](code, **arguments)
    except Exception as error:  # whatever it is, the bot can play without
        print(f"kernels run as plain Python: {error}", file=sys.stderr)
        return None
    print(f"kernels run as machine code for {loaded.cpu}", file=sys.stderr)
    return loaded


def decoded(text):
    """The bytes, a multiple of four, of a text: base 85, or else ideographs of 14 bits each."""
    letters = "".join(text.split())
    if letters.isascii():
        return base64.b85decode(letters)
    bits = "".join([f"{ord(letter) - WIDE_FIRST:014b}" for letter in letters])
    words = len(bits) // 32
    return int(bits[: 32 * words], 2).to_bytes(4 * words, "big")
