"""Machine code, mapped into this process as functions of Python.

The text of this file travels with the machine code, compressed; `shared/core/backends/native.py` of
the bundle unpacks and runs it. So it imports nothing of the project.
"""

import ast
import ctypes
import mmap
import os
import platform
import sys

import numpy as np

METH_FASTCALL = 0x80  # of Python's C API: the function takes (self, arguments, how many)


class MachineCode:
    """Machine code in executable memory. Raises an exception where it cannot run.

    cpu, flags: the instruction set and its flags in /proc/cpuinfo. entries: {kernel: its offset}.
    outside: the names of the functions that the code calls; their addresses are appended to the
    code.
    """

    def __init__(self, code, cpu, flags, entries, outside):
        check_machine(flags.split())
        self.cpu = cpu
        self.entries = entries
        self.seen = {}  # name of a function: number of kernels requested by that name
        self.definitions = []  # kept alive for the functions
        addresses = [self.address_of(name).to_bytes(8, "little") for name in outside]
        self.memory = executable(code + b"".join(addresses))
        self.address = np.frombuffer(self.memory, np.uint8).__array_interface__["data"][0]

    def address_of(self, name):
        return address_of(name)

    def name_of(self, function):
        """Returns the name of a kernel, with a number if an earlier kernel has the same name."""
        name = f"{function.__module__}.{function.__qualname__}"
        self.seen[name] = self.seen.get(name, 0) + 1
        return f"{name}#{self.seen[name]}" if self.seen[name] > 1 else name

    def entry(self, function, signature):
        """Returns the machine code of a kernel as a function, or `function` itself if the kernel
        has no machine code. signature: shown in errors.
        """
        name = self.name_of(function)
        if name not in self.entries:
            print(f"kernel {name} has no machine code: it runs as plain Python", file=sys.stderr)
            return function

        def fail(exception, n):
            """Raise `exception`, a text (module, class, arguments). If it is empty, raise
            TypeError: for the number of arguments if n is 0, else for argument n % 256, counted
            from 1, and its field n // 256, counted from 1, where 0 stands for no field. If n is
            negative, raise OverflowError for -n.
            """
            if exception:
                module, name, arguments = ast.literal_eval(exception)
                raise getattr(sys.modules[module], name)(*arguments)
            name, code = function.__name__, function.__code__
            if not n:
                raise TypeError(f"{name} takes {code.co_argcount} arguments, by position")
            field, n_argument = divmod(abs(n), 256)
            wrong = code.co_varnames[n_argument - 1]
            if field:
                wrong += "." + function.__annotations__[wrong]._fields[field - 1]
            error = TypeError if n > 0 else OverflowError
            raise error(f"{name}: argument {wrong} does not fit {signature}")

        # PyMethodDef of Python's C API: name, function, flags, docstring
        shown = ctypes.create_string_buffer(function.__name__.encode())
        words = (ctypes.addressof(shown), self.address + self.entries[name], METH_FASTCALL, 0)
        definition = (ctypes.c_size_t * 4)(*words)
        self.definitions += [shown, definition]
        return new_function(ctypes.byref(definition), fail, None)


# Makes a function: (its PyMethodDef, its self, no module)
new_function = ctypes.pythonapi.PyCFunction_NewEx
new_function.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.py_object]
new_function.restype = ctypes.py_object


def check_machine(flags):
    """Raise RuntimeError on a machine or Python unlike the code's target."""
    if sys.implementation.name != "cpython":
        raise RuntimeError(f"made for CPython, this is {sys.implementation.name}")
    if int(np.__version__.partition(".")[0]) > 2:
        raise RuntimeError(f"made for the arrays of numpy 1 and 2, this is {np.__version__}")
    here = f"{sys.platform} on {platform.machine()}"
    if here != "linux on x86_64":
        raise RuntimeError(f"made for linux on x86_64, this is {here}")
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:
        # The first processor's part is enough, and the whole file is long where there are many.
        present = info.read(8192).partition("\nflags")[2].partition("\n")[0].split()
    missing = sorted(set(flags) - set(present))
    if missing:
        raise RuntimeError(f"the processor lacks {' '.join(missing)}")


def address_of(name):
    """Returns the address of a symbol. Raises AttributeError if there is none."""
    if name == "ndarray_type":
        return id(np.ndarray)
    # libm finds the functions of libc as well
    library = ctypes.pythonapi if name.startswith("Py") else ctypes.CDLL("libm.so.6")
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value


def executable(code):
    """Returns executable memory that contains the code, if possible never writable. Raises
    OSError.
    """
    try:
        descriptor = os.memfd_create("kernels")
        try:
            os.write(descriptor, code)
            access = mmap.PROT_READ | mmap.PROT_EXEC
            return mmap.mmap(descriptor, len(code), mmap.MAP_SHARED, access)
        finally:
            os.close(descriptor)
    except (AttributeError, OSError):
        access = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
        memory = mmap.mmap(-1, len(code), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, access)
        memory.write(code)
        return memory
