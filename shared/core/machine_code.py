"""The kernels of a native bundle: machine code made by the bundler, mapped into this process and called by ctypes.

Only native bundles contain this module. `load` tells on stderr, once, whether the kernels run as machine code or as the
plain Python functions beside it, and why. It decides before the first buffer is made.

A kernel becomes a function like those written in C: its machine code takes Python's objects and reads the fields of an
array in memory (`PyArrayObject_fields` of numpy's C API, the same since numpy 1.7) once type, dtype, shape and flags fit.
"""

import base64
import builtins
import ctypes
import mmap
import os
import pickle
import platform
import sys
import zlib

import numpy as np

# The bundler writes the machine code here:
# cpu, flags  the instruction set compiled for, and what /proc/cpuinfo must list for it
# entries     kernel: (offset, types of the arguments in numba's notation)
# outside     function of the C library or of Python: offset of the word for its address
# pointers    offsets of words that hold an offset, and need the address of the code added
# checksum    CRC-32 of all else
# code        LZMA2 after the x86 filter, as text: base85, or 14 bits a character from WIDE_FIRST on
MACHINE_CODE = {}

WIDE_FIRST = 0x4E00  # the first of 20,992 ideographs, each of one UTF-16 unit
DICTIONARY_SIZE = 1 << 22  # bytes, what LZMA2 is told by the bundler too

METH_FASTCALL = 0x80  # of Python's C API: the function takes (self, arguments, how many)

# What a kernel reports of its arguments; a positive status is numba's, of an exception raised in the kernel.
WRONG_COUNT = -100
WRONG_ARRAY = -101  # less the index of the argument


class Unusable(Exception):
    """Why the machine code cannot run here."""


def load(wanted):
    """The MachineCode of the bundle; None where it cannot run, or where another mode than "native" is wanted."""
    if wanted != "native":
        return None
    try:
        loaded = MachineCode(**MACHINE_CODE)
    except (ImportError, OSError, Unusable) as error:
        print(f"kernels run as plain Python: {error}", file=sys.stderr)
        return None
    print(f"kernels run as machine code for {loaded.cpu}", file=sys.stderr)
    return loaded


class MachineCode:
    """Machine code in executable memory. Raises Unusable, OSError or ImportError where it must not or cannot run."""

    def __init__(self, cpu, flags, entries, outside, pointers, checksum, code):
        check_machine(flags)
        self.cpu = cpu
        self.entries = entries
        self.seen = {}  # name of a function: how many kernels were asked for by that name
        self.definitions = []  # of the functions made; Python refers to them as long as these live
        data = unpack(code, (cpu, flags, entries, outside, pointers), checksum)
        self.memory, self.address = map_executable(
            len(data), lambda address: self._linked(data, address, outside, pointers)
        )

    def _linked(self, data, address, outside, pointers):
        """The code with the addresses that are known only here, if it is to run at `address`."""
        library = ctypes.CDLL("libm.so.6")  # finds the functions of libc as well
        words = {}
        for name, offset in outside.items():
            if name == "ndarray_type":
                words[offset] = id(np.ndarray)
                continue
            try:
                function = getattr(ctypes.pythonapi if name.startswith("Py") else library, name)
            except AttributeError:
                raise Unusable(f"there is no function {name} here") from None
            words[offset] = ctypes.cast(function, ctypes.c_void_p).value
        for offset in pointers:
            words[offset] = address + int.from_bytes(data[offset : offset + 8], "little")
        linked = bytearray(data)
        for offset, word in words.items():
            linked[offset : offset + 8] = word.to_bytes(8, "little")
        return bytes(linked)

    def entry(self, function):
        """The machine code of a kernel as a function that takes the arguments of `function`, by position.

        Kernels of one name are told apart by their order. One that was not there when the bundle was made stays Python.
        """
        name = function.__qualname__
        self.seen[name] = self.seen.get(name, 0) + 1
        if self.seen[name] > 1:
            name = f"{name}#{self.seen[name]}"
        if name not in self.entries:
            print(f"kernel {name} has no machine code: it runs as plain Python", file=sys.stderr)
            return function
        offset, types = self.entries[name]
        definition = MethodDefinition(
            function.__name__.encode(),
            self.address + offset,
            METH_FASTCALL,
            function.__doc__ and function.__doc__.encode(),
        )
        self.definitions.append(definition)

        def fail(status, exception, size):
            raise_failure(function, types.split(), status, exception, size)

        return new_function(ctypes.addressof(definition), fail, None)


class MethodDefinition(ctypes.Structure):
    """PyMethodDef of Python's C API."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    ]


# Makes a function: (address of its MethodDefinition, what it gets as self, no module)
new_function = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.py_object
)(("PyCFunction_NewEx", ctypes.pythonapi))


def raise_failure(function, types, status, exception, size):
    """Raise what the status of a kernel stands for; it calls this itself.

    types: of the arguments. exception, size: address and bytes of a pickle (name of the class, arguments).
    """
    if status == WRONG_COUNT:
        raise TypeError(f"{function.__name__} takes {len(types)} arguments, by position")
    if status <= WRONG_ARRAY:
        i = WRONG_ARRAY - status
        message = f"argument {i + 1} must be a {types[i]} array of numpy"
        raise TypeError(f"{function.__name__}: {message}")
    name, arguments = pickle.loads(ctypes.string_at(exception, size))
    raise (function.__globals__.get(name) or getattr(builtins, name))(*arguments)


def check_machine(flags):
    """Raise Unusable unless this is CPython on Linux, on an x86-64 with these flags, and arrays lie in memory as known."""
    if sys.implementation.name != "cpython":
        raise Unusable(f"made for CPython, this is {sys.implementation.name}")
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise Unusable(f"made for Linux on x86_64, this is {sys.platform} on {platform.machine()}")
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:
        # The first processor's part is enough, and the whole file is long where there are many.
        present = info.read(8192).partition("\nflags")[2].partition("\n")[0].split()
    missing = sorted(set(flags.split()) - set(present))
    if missing:
        raise Unusable(f"the processor lacks {' '.join(missing)}")
    sample = np.zeros((2, 3), np.float32)
    address, descriptor = id(sample), id(sample.dtype)
    word, half = ctypes.c_uint64.from_address, ctypes.c_int32.from_address
    fields = (
        word(address + 8).value == id(np.ndarray)
        and word(address + 16).value == sample.__array_interface__["data"][0]
        and half(address + 24).value == sample.ndim
        and word(word(address + 32).value + 8).value == sample.shape[1]
        and word(word(address + 40).value).value == sample.strides[0]
        and word(address + 56).value == descriptor
        and half(address + 64).value & 0xFFFF == sample.flags.num & 0xFFFF
        and half(descriptor + 28).value == sample.dtype.num
    )
    if not fields:
        raise Unusable(f"numpy {np.__version__} keeps the fields of its arrays elsewhere")


def unpack(code, rest, checksum):
    """The code as bytes. Raises Unusable where `code` or `rest` is not what the bundler wrote."""
    import lzma  # not at the top: some builds of Python lack it

    filters = [
        {"id": lzma.FILTER_X86},
        {"id": lzma.FILTER_LZMA2, "dict_size": DICTIONARY_SIZE, "lc": 3, "lp": 0, "pb": 0},
    ]
    try:
        packed = from_text("".join(code.split()))
        data = lzma.decompress(packed, lzma.FORMAT_RAW, filters=filters)
    except (ValueError, lzma.LZMAError) as error:
        raise Unusable(f"the machine code is damaged ({error})") from error
    if zlib.crc32(repr(rest).encode(), zlib.crc32(data)) != checksum:
        raise Unusable("the machine code is damaged (its checksum differs)")
    return data


def from_text(text):
    """The bytes that a text stands for. Raises ValueError where it stands for none."""
    if text.isascii():
        return base64.b85decode(text)
    bits = "".join([f"{ord(character) - WIDE_FIRST:014b}" for character in text])
    return int(bits[: len(bits) // 8 * 8], 2).to_bytes(len(bits) // 8, "big")


def map_executable(size, linked):
    """(mapping, address) of `size` bytes of executable memory that hold linked(address).

    A memfd is filled through its descriptor, so that its mapping never is writable and executable at once. Where that is
    refused, an anonymous mapping is both. Raises OSError where this is refused as well.
    """
    try:
        descriptor = os.memfd_create("kernels")
        try:
            os.ftruncate(descriptor, size)
            memory = mmap.mmap(descriptor, size, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_EXEC)
            address = address_of(memory)
            os.pwrite(descriptor, linked(address), 0)
        finally:
            os.close(descriptor)
    except (AttributeError, OSError):
        access = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
        memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, access)
        address = address_of(memory)
        memory[:] = linked(address)
    return memory, address


def address_of(memory):
    """Where a mapping lies in memory."""
    return np.frombuffer(memory, np.uint8).__array_interface__["data"][0]
