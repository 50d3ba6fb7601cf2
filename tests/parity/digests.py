"""Hashes of what kernels compute, and buffers that refuse every index beyond them."""

import hashlib
import struct

from shared.core import jit


class CheckedBuffer(list):
    """A buffer that refuses every index beyond it, and negative ones, which compiled code would
    not refuse either.
    """

    def check(self, index):
        if not isinstance(index, slice) and not 0 <= index < len(self):
            raise IndexError(f"index {index} of a buffer of {len(self)}")

    def __getitem__(self, index):
        self.check(index)
        return super().__getitem__(index)

    def __setitem__(self, index, value):
        self.check(index)
        super().__setitem__(index, value)


def check_buffers():
    """Have all buffers checked from now on, for the modules that are imported from now on."""
    for name in (
        "float_buffer",
        "int_buffer",
        "int32_buffer",
        "int16_buffer",
        "int8_buffer",
        "byte_buffer",
    ):
        new_buffer = getattr(jit, name)
        setattr(jit, name, lambda values, new_buffer=new_buffer: CheckedBuffer(new_buffer(values)))


def tell(trace):
    """Print a line for each (name, value) of a trace, which imports what it traces: in plain Python
    all buffers are checked by then.
    """
    if not jit.COMPILED:
        check_buffers()
    for name, value in trace():
        print(f"{name}: {value}")


def digest(*buffers):
    """A hash of numbers to the last bit; zeros are equal whatever their sign."""
    return hashlib.sha256(
        b"".join(struct.pack("<d", float(number) + 0.0) for buffer in buffers for number in buffer)
    ).hexdigest()[:16]


def digest_whole(*buffers):
    """A hash of whole numbers of 64 bits."""
    return hashlib.sha256(
        b"".join(struct.pack("<q", int(number)) for buffer in buffers for number in buffer)
    ).hexdigest()[:16]
