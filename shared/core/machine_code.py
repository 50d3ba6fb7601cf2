"""The kernels of a native bundle: machine code made by the bundler, mapped into this process as C functions of Python.

Only native bundles contain this module. `load` says on stderr, once, whether the kernels run as machine code or as the
plain Python functions beside it, and why; it decides before the first buffer is made. A kernel reads the fields of an array
in memory (`PyArrayObject_fields` of numpy's C API, the same since numpy 1.7) once type, dtype, shape and flags fit.
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
# code        LZMA as text: base85, or 14 bits a character from WIDE_FIRST on
MACHINE_CODE = {}

MOST_MEMORY = 1 << 26  # bytes for unpacking; a damaged head may ask for gigabytes
WIDE_FIRST = 0x4E00  # the first of 20,992 ideographs, each of one UTF-16 unit
METH_FASTCALL = 0x80  # of Python's C API: the function takes (self, arguments, how many)

# What a kernel reports of its arguments; a positive status is of an exception that it raised.
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
        self.definitions = []  # of the functions made, which refer to them
        data = unpack(code, (cpu, flags, entries, outside, pointers), checksum)
        self.memory, self.address = map_executable(
            len(data), lambda address: linked(data, address, outside, pointers)
        )

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
        doc = function.__doc__ and function.__doc__.encode()
        definition = MethodDefinition(
            function.__name__.encode(), self.address + offset, METH_FASTCALL, doc
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
new_function = ctypes.pythonapi.PyCFunction_NewEx
new_function.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.py_object]
new_function.restype = ctypes.py_object


def raise_failure(function, types, status, exception, size):
    """Raise what the status of a kernel stands for; it calls this itself.

    types: of the arguments. exception, size: address and bytes of a pickle (name of the class, arguments).
    """
    if status == WRONG_COUNT:
        raise TypeError(f"{function.__name__} takes {len(types)} arguments, by position")
    if status <= WRONG_ARRAY:
        i = WRONG_ARRAY - status
        wanted = f"must be a {types[i]} array of numpy"
        raise TypeError(f"{function.__name__}: argument {i + 1} {wanted}")
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
    words = (ctypes.c_int64 * 9).from_address(id(sample))
    if not (
        words[1:3] == [id(np.ndarray), sample.__array_interface__["data"][0]]
        and words[3] & 0xFFFF == sample.ndim
        and (ctypes.c_int64 * 2).from_address(words[4])[:] == list(sample.shape)
        and (ctypes.c_int64 * 2).from_address(words[5])[:] == list(sample.strides)
        and words[7] == id(sample.dtype)
        and words[8] & 0xFFFF == sample.flags.num
        and ctypes.c_int32.from_address(words[7] + 28).value == sample.dtype.num
    ):
        raise Unusable(f"numpy {np.__version__} keeps the fields of its arrays elsewhere")


def unpack(code, rest, checksum):
    """The code as bytes. Raises Unusable where `code` or `rest` is not what the bundler wrote."""
    import lzma  # not at the top: some builds of Python lack it

    try:
        # Unlike lzma.decompress, this does not mind the zero byte that may follow.
        unpacker = lzma.LZMADecompressor(lzma.FORMAT_ALONE, memlimit=MOST_MEMORY)
        data = unpacker.decompress(from_text("".join(code.split())))
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


def linked(data, address, outside, pointers):
    """The code with the addresses that are known only here, if it is to run at `address`."""
    library = ctypes.CDLL("libm.so.6")  # finds the functions of libc as well
    words = {at: address + int.from_bytes(data[at : at + 8], "little") for at in pointers}
    for name, at in outside.items():
        if name == "ndarray_type":
            words[at] = id(np.ndarray)
            continue
        try:
            function = getattr(ctypes.pythonapi if name.startswith("Py") else library, name)
        except AttributeError:
            raise Unusable(f"there is no function {name} here") from None
        words[at] = ctypes.cast(function, ctypes.c_void_p).value
    code = bytearray(data)
    for at, word in words.items():
        code[at : at + 8] = word.to_bytes(8, "little")
    return bytes(code)


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
