"""Hashes of kernels' results, and buffers that refuse every index beyond them."""

import hashlib
import struct

from shared.core import jit


class CheckedBuffer(list):
    """A buffer that refuses every index beyond it, and negative ones, which compiled code would not
    refuse either.
    """

    # Bound as defaults: traces spend most of their time here.
    def __getitem__(self, index, get=list.__getitem__, slice=slice):
        if (index.stop or 0) > len(self) if index.__class__ is slice else index < 0:
            raise self.refusal(index)
        try:
            return get(self, index)
        except IndexError:
            raise self.refusal(index) from None

    def __setitem__(self, index, value, set=list.__setitem__, slice=slice):
        if (index.stop or 0) > len(self) if index.__class__ is slice else index < 0:
            raise self.refusal(index)
        try:
            set(self, index, value)
        except IndexError:
            raise self.refusal(index) from None

    def refusal(self, index):
        return IndexError(f"index {index} of a buffer of {len(self)}")


def check_buffers():
    """Make all buffers checked from now on, for modules imported later."""
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


def digest(*buffers):
    """A hash of numbers to the last bit; 0.0 and -0.0 are equal."""
    return hashlib.sha256(
        b"".join(struct.pack("<d", float(number) + 0.0) for buffer in buffers for number in buffer)
    ).hexdigest()[:16]


def digest_whole(*buffers):
    """A hash of whole numbers of 64 bits."""
    return hashlib.sha256(
        b"".join(struct.pack("<q", int(number)) for buffer in buffers for number in buffer)
    ).hexdigest()[:16]
