"""Bytes that stand in a bundle as a text: learned weights of a bot, and machine code.

    NETWORK = weights("bots/contest/network.npz")

finds the file relative to the folders of `sys.path`, such as the project's. The name has to be a
literal: by it the bundler finds the file, and packs its contents without the header.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np


def decode_text(text: str) -> bytes:
    """Returns the bytes encoded in ASCII or ideographs, without zeros at the end."""
    letters = "".join(text.split())
    # First letter, base, and letters and bits a group
    first, base, n, size = (35, 85, 5, 32) if letters.isascii() else (0x3400, 27_555, 4, 59)
    codes = np.frombuffer(letters.encode("utf-32-le"), "<u4").astype(np.uint64)
    digits = (codes - np.uint64(first)).reshape(-1, n)
    numbers = np.zeros(len(digits), np.uint64)
    for place in range(n):
        numbers = numbers * np.uint64(base) + digits[:, place]
    as_bytes = numbers.astype(">u8").view(np.uint8).reshape(-1, 8)
    bits = np.unpackbits(as_bytes, axis=1)[:, 64 - size :].ravel()
    return np.packbits(bits[: len(bits) // 8 * 8]).tobytes().rstrip(b"\0")


# The bundler writes an .xz file here, as a text: {file: {name: (type, number of values)}}, a zero,
# and the values.
PACKED_WEIGHTS = ""
HEADER = "header"


def weights(name: str) -> "dict[str, np.ndarray]":
    """Returns an .npz file's {name: flat array}. Raises OSError if absent."""
    if PACKED_WEIGHTS:
        return _unpacked(PACKED_WEIGHTS)[name]
    found = [path for path in (Path(folder, name) for folder in sys.path) if path.is_file()]
    if not found:
        raise FileNotFoundError(f"no weights {name} in any folder of sys.path: train them first")
    with np.load(found[0]) as arrays:
        return {key: arrays[key].ravel() for key in arrays.files if key != HEADER}


def _unpacked(text: str) -> dict[str, dict[str, Any]]:
    """Returns each file's arrays."""
    import ast
    import lzma  # not at the top: some builds of Python lack it

    contents, _, data = lzma.decompress(decode_text(text)).partition(b"\0")
    files: dict[str, dict[str, Any]] = ast.literal_eval(contents.decode())
    start = 0
    for arrays in files.values():
        for key, (kind, n) in arrays.items():
            arrays[key] = np.frombuffer(data, kind, n, start)
            start += arrays[key].nbytes
    return files
