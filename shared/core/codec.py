"""Decodes bytes from a text written into a bundle by `bundler/encoding.py`."""

import numpy as np


def decode_text(text: str) -> bytes:
    """Returns the bytes in ASCII letters or ideographs, without zeros at the end."""
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
