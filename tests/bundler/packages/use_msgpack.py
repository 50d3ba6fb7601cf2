"""A C extension with a fallback in Python, chosen at import time."""

import datetime

import msgpack
from msgpack import ExtType, Packer, Timestamp, Unpacker, packb, unpackb


def encode(value):
    if isinstance(value, complex):
        return ExtType(5, f"{value.real},{value.imag}".encode())
    raise TypeError(f"no {type(value).__name__}")


data = {"a": [1, -300, 2.5, None, True], "b": b"xy", "é": "text" * 10, "c": 1 + 2j}
packed = packb(data, default=encode)
print(packed, unpackb(packed, ext_hook=lambda code, body: (code, body)), packb(Timestamp(5, 6)))
unpacker = Unpacker(use_list=False)
for part in (packed[:7], b"", packb([1, [2]])):
    unpacker.feed(part)
print(packb(datetime.datetime(2024, 1, 2, tzinfo=datetime.timezone.utc), datetime=True).hex())
print(list(Unpacker(open_file := __import__("io").BytesIO(packb(1) + packb("z")))), Packer.__name__)
for wrong in (
    lambda: packb(2**70),
    lambda: unpackb(b"\x92\x01"),
    lambda: packb({1, 2}, default=encode),
):
    try:
        wrong()
    except (OverflowError, ValueError, TypeError) as error:
        print(type(error).__name__, error)
print(msgpack.exceptions.ExtraData.__mro__[1:3], msgpack.loads is unpackb, msgpack.version > (1,))
unpackb(packb(1) + b"\x00")
