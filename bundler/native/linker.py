"""A small linker: turns one relocatable x86-64 ELF object into a flat block of position-independent
code.

The object's layout is that of the ELF specification, and the relocations are those of the System V
ABI for AMD64 (section 4.4). Sections follow each other, code first. Calls to a function from
outside go to a jump, which reads the function's address from a word. The words follow the block;
the loader appends them.
"""

import struct
from typing import NamedTuple

SECTION_HEADER = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
RELOCATION = struct.Struct("<QQq")

# Section types and flags
SYMBOL_TABLE, RELOCATIONS, NO_BITS = 2, 4, 8
ALLOCATED, EXECUTABLE = 2, 4
NOT_LOADED = (".eh_frame", ".note")  # tables for stack traces: kernels do not unwind

# Relocation types
R_PC32, R_PLT32, R_GOTPCREL, R_GOTPCRELX, R_REX_GOTPCRELX = 2, 4, 9, 41, 42
RELATIVE = (R_PC32, R_PLT32)
THROUGH_WORD = (R_GOTPCREL, R_GOTPCRELX, R_REX_GOTPCRELX)

JUMP = b"\xff\x25" + bytes(4)  # jmp *word(%rip)


class LinkError(Exception):
    """An object file that holds what this linker does not know."""


class Code(NamedTuple):
    """The linked code. symbols: {visible name: its offset in the data}. outside: the names of the
    functions whose 64-bit addresses have to follow the data.
    """

    data: bytes
    symbols: dict[str, int]
    outside: list[str]


class Section(NamedTuple):
    """A section of the object file. linked, info: the indices of related sections."""

    name: str
    kind: int
    flags: int
    data: bytes
    linked: int
    info: int
    alignment: int


def link(object_file: bytes) -> Code:
    """Returns the Code of an ELF object file. Raises LinkError."""
    sections = read_sections(object_file)
    symbols = read_symbols(sections)
    data, bases = place(sections)
    relocations = [
        (bases[section.info] + offset, info & 0xFFFFFFFF, symbols[info >> 32], addend)
        for section in sections
        if section.kind == RELOCATIONS and section.info in bases
        for offset, info, addend in RELOCATION.iter_unpack(section.data)
    ]
    outside = [(kind, name) for _, kind, (name, _, section, _), _ in relocations if section == 0]
    called = dict.fromkeys(name for kind, name in outside if kind in RELATIVE)
    jumps = {name: len(data) + len(JUMP) * i for i, name in enumerate(called)}
    data += JUMP * len(jumps)
    data += bytes(-len(data) % 8)
    used = dict.fromkeys(name for _, name in outside)
    words = {name: len(data) + 8 * i for i, name in enumerate(used)}

    def write_relative(at: int, target: int) -> None:
        struct.pack_into("<i", data, at, target - at)

    for name, jump in jumps.items():
        write_relative(jump + 2, words[name] - 4)  # counted from the end of the jump's six bytes
    for at, kind, (name, _, section, value), addend in relocations:
        if section in bases and kind in RELATIVE:
            target = bases[section] + value
        elif section == 0 and kind in RELATIVE + THROUGH_WORD:
            target = (jumps if kind in RELATIVE else words)[name]
        else:
            raise LinkError(f"relocation {kind} against {name or sections[section].name}")
        write_relative(at, target + addend)
    visible = {
        name: bases[section] + value
        for name, is_global, section, value in symbols
        if is_global and section in bases
    }
    return Code(bytes(data), visible, list(words))


def place(sections: list[Section]) -> tuple[bytearray, dict[int, int]]:
    """Returns (the block, {index of a loaded section: its offset there})."""
    data, bases = bytearray(), {}
    loaded = [i for i, section in enumerate(sections) if section.flags & ALLOCATED]
    for i in sorted(loaded, key=lambda i: not sections[i].flags & EXECUTABLE):
        if not sections[i].name.startswith(NOT_LOADED):
            data += bytes(-len(data) % max(sections[i].alignment, 1))
            bases[i] = len(data)
            data += sections[i].data
    return data, bases


def read_sections(object_file: bytes) -> list[Section]:
    """Returns the Sections of an ELF object file."""
    (table,) = struct.unpack_from("<Q", object_file, 0x28)
    size, count, names_index = struct.unpack_from("<HHH", object_file, 0x3A)
    headers = [SECTION_HEADER.unpack_from(object_file, table + i * size) for i in range(count)]
    names = object_file[headers[names_index][4] :]
    sections = []
    for name, kind, flags, _, offset, length, linked, info, alignment, _ in headers:
        data = bytes(length) if kind == NO_BITS else object_file[offset : offset + length]
        name = text_at(names, name)
        sections.append(Section(name, kind, flags, data, linked, info, alignment))
    return sections


def read_symbols(sections: list[Section]) -> list[tuple[str, bool, int, int]]:
    """Returns [(name, True if visible from outside, index of its section or 0, value)] of the
    symbols.
    """
    table = next(section for section in sections if section.kind == SYMBOL_TABLE)
    names = sections[table.linked].data
    return [
        (text_at(names, name), info >> 4 != 0, section, value)
        for name, info, _, section, value, _ in SYMBOL.iter_unpack(table.data)
    ]


def text_at(data: bytes, offset: int) -> str:
    """Returns the zero-terminated text at an offset."""
    return data[offset : data.index(b"\0", offset)].decode()
