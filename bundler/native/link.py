"""A small linker: one relocatable x86-64 ELF object as a flat block of position-independent code.

What is laid out here is the ELF specification's, and the relocations are those of the System V ABI
for AMD64 (section 4.4). Sections follow each other, code first. A function from outside gets a word
for its address behind all else, which the loader appends, and a jump through that word for calls to
it.
"""

import struct
from dataclasses import dataclass

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


class LinkError(Exception):
    """An object file that holds what this linker does not know."""


@dataclass(frozen=True)
class Code:
    """data: the block; symbols: offsets of what is visible from outside it.

    outside: the names to be found elsewhere; their addresses, of 64 bits each, have to follow the
    block.
    """

    data: bytes
    symbols: dict
    outside: list


@dataclass
class Section:
    """A section header of the object file."""

    name: str
    kind: int
    flags: int
    data: bytes
    size: int
    link: int
    info: int
    alignment: int


def link(object_file):
    """The Code of an ELF object file, given as bytes. Raises LinkError."""
    return Linker(object_file).link()


class Linker:
    """Lays out one object file."""

    def __init__(self, object_file):
        self.sections = read_sections(object_file)
        self.symbols = read_symbols(self.sections)
        self.data = bytearray()
        self.bases = {}  # index of a section: its offset in the block
        self.jumps = {}  # name of an outside function: the offset of its jump
        self.words = {}  # name of an outside symbol: the offset of its word

    def link(self):
        """The Code, complete."""
        self._place_sections()
        relocations = [
            (self.bases[section.info] + offset, info & 0xFFFFFFFF, self.symbols[info >> 32], addend)
            for section in self.sections
            if section.kind == RELOCATIONS and section.info in self.bases
            for offset, info, addend in RELOCATION.iter_unpack(section.data)
        ]
        outside = [(kind, symbol[0]) for _, kind, symbol, _ in relocations if symbol[2] == 0]
        self._place_jumps(dict.fromkeys(name for kind, name in outside if kind in RELATIVE))
        self._place_words(dict.fromkeys(name for _, name in outside))
        for relocation in relocations:
            self._relocate(*relocation)
        visible = {
            name: self.bases[section] + value
            for name, is_global, section, value in self.symbols
            if is_global and section in self.bases
        }
        return Code(bytes(self.data), visible, list(self.words))

    def _place_sections(self):
        loaded = [
            i
            for i, section in enumerate(self.sections)
            if section.flags & ALLOCATED and not section.name.startswith(NOT_LOADED)
        ]
        loaded.sort(key=lambda i: not self.sections[i].flags & EXECUTABLE)
        for i in loaded:
            section = self.sections[i]
            self._align(max(section.alignment, 1))
            self.bases[i] = len(self.data)
            self.data += section.data if section.kind != NO_BITS else bytes(section.size)

    def _place_jumps(self, names):
        for name in names:
            self.jumps[name] = len(self.data)
            self.data += b"\xff\x25" + bytes(4)  # jmp *word(%rip)

    def _place_words(self, names):
        self._align(8)
        self.words = {name: len(self.data) + 8 * i for i, name in enumerate(names)}
        for name, jump in self.jumps.items():
            # Counted from the end of the jump's six bytes
            self._write_relative(jump + 2, self.words[name] - 4)

    def _align(self, alignment):
        self.data += bytes(-len(self.data) % alignment)

    def _relocate(self, place, kind, symbol, addend):
        name, _, section, value = symbol
        if section == 0:
            if kind in RELATIVE:
                self._write_relative(place, self.jumps[name] + addend)
            elif kind in THROUGH_WORD:
                self._write_relative(place, self.words[name] + addend)
            else:
                raise LinkError(f"relocation {kind} against {name}")
            return
        if section not in self.bases:
            raise LinkError(f"a reference into section {self.sections[section].name}")
        target = self.bases[section] + value
        if kind in RELATIVE:
            self._write_relative(place, target + addend)
        else:
            raise LinkError(f"relocation {kind} within the object file")

    def _write_relative(self, place, target):
        struct.pack_into("<i", self.data, place, target - place)


def read_sections(object_file):
    """The Sections of an ELF object file."""
    (table,) = struct.unpack_from("<Q", object_file, 0x28)
    size, count, names_index = struct.unpack_from("<HHH", object_file, 0x3A)
    headers = [SECTION_HEADER.unpack_from(object_file, table + i * size) for i in range(count)]
    names = headers[names_index][4]
    return [
        Section(
            text_at(object_file, names + name),
            kind,
            flags,
            object_file[offset : offset + length] if kind != NO_BITS else b"",
            length,
            linked,
            info,
            alignment,
        )
        for name, kind, flags, _, offset, length, linked, info, alignment, _ in headers
    ]


def read_symbols(sections):
    """(name, whether visible from outside, index of its section or 0, value) of each symbol."""
    table = next(section for section in sections if section.kind == SYMBOL_TABLE)
    names = sections[table.link].data
    return [
        (text_at(names, name), info >> 4 != 0, section, value)
        for name, info, _, section, value, _ in SYMBOL.iter_unpack(table.data)
    ]


def text_at(data, offset):
    """The zero-terminated text at an offset."""
    return data[offset : data.index(b"\0", offset)].decode()
