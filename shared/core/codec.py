"""Decodes bytes from a text that `bundler/encoding.py` has written into a bundle."""

import numpy as np


def decode_text(text: str) -> bytes:
    """The bytes, the last not 0, of a text of ASCII or of ideographs, each one UTF-16 unit."""
    letters = "".join(text.split())
    # So many letters, from the first on, are a number of so many bits in that base.
    first, base, n, size = (35, 85, 5, 32) if letters.isascii() else (0x3400, 27_555, 4, 59)
    codes = np.frombuffer(letters.encode("utf-32-le"), "<u4").astype(np.uint64)
    digits = (codes - np.uint64(first)).reshape(-1, n)
    numbers = np.zeros(len(digits), np.uint64)
    for place in range(n):
        numbers = numbers * np.uint64(base) + digits[:, place]
    as_bytes = numbers.astype(">u8").view(np.uint8).reshape(-1, 8)
    bits = np.unpackbits(as_bytes, axis=1)[:, 64 - size :].ravel()
    return np.packbits(bits[: len(bits) // 8 * 8]).tobytes().rstrip(b"\0")
