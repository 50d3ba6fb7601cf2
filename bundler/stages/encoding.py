"""Encodes bytes as text that stands in a bundle. shared/core/packed.py decodes it."""

import lzma
from typing import NamedTuple


class Encoding(NamedTuple):
    """An encoding of bytes as characters. Each number of `bits` bits is written as `letters` digits
    in the base `base`; the digits are the characters from `first` on. width: the number of
    characters in a line.
    """

    first: int
    base: int
    letters: int
    bits: int
    width: int


# As `decode_text` of shared/core/packed.py reads them. The wide one has ideographs, hexagrams and
# ideographs: each is one UTF-16 unit, and none is changed by normalisation. They are twice as wide
# as letters. The other one has no quotation mark, but the backslash.
ENCODINGS = {
    "wide": Encoding(0x3400, 27_555, letters=4, bits=59, width=50),
    "base85": Encoding(ord("#"), 85, letters=5, bits=32, width=100),
}

DICTIONARY = 1 << 20  # bytes; the preset's 64 MB would have to be there where it is unpacked


def compress(data: bytes) -> bytes:
    """Returns the data as an .xz file, the shortest one over several filters."""
    files = []
    for context_bits in range(4):
        pack = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "pb": 0}
        pack |= {"dict_size": DICTIONARY, "lc": context_bits}
        for filters in ([pack], [{"id": lzma.FILTER_X86}, pack]):
            files.append(lzma.compress(data, check=lzma.CHECK_CRC32, filters=filters))
    return min(files, key=len)


def encode(data: bytes, encoding: Encoding) -> str:
    """Returns the data as the characters of an Encoding, in one line."""
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % encoding.bits)
    numbers = [int(bits[i : i + encoding.bits], 2) for i in range(0, len(bits), encoding.bits)]
    powers = [encoding.base**place for place in reversed(range(encoding.letters))]
    return "".join(
        chr(encoding.first + number // power % encoding.base)
        for number in numbers
        for power in powers
    )


def to_literal(data: bytes, encoding: str) -> str:
    """Returns the data as a literal of Python, a text of many lines. encoding: a key of
    ENCODINGS.
    """
    code, width = encode(data, ENCODINGS[encoding]), ENCODINGS[encoding].width
    lines = [code[i : i + width] for i in range(0, len(code), width)]
    # The module that it is written into may stand in a literal with the other quotation marks.
    text = "\n".join(lines).replace("'''", "''\n'")
    return f'r"""\n{text}\n"""'
