"""Binary formats declared with expressions; star imports of every module of the package."""

import construct
from construct import *
from construct.lib import Container, hexlify

header = Struct(
    "magic" / Const(b"BOT"),
    "version" / Byte,
    "flags" / BitStruct("fast" / Flag, "level" / BitsInteger(7)),
    "count" / Rebuild(Int16ub, len_(this.units)),
    "units" / Array(this.count, Struct("id" / VarInt, "name" / PascalString(Byte, "utf8"))),
    "kind" / Enum(Byte, pod=1, wall=2),
    "rest" / Switch(this.kind, {"pod": Float32b}, default=GreedyBytes),
)
values = dict(version=2, flags=dict(fast=True, level=5), units=[dict(id=300, name="é")], kind="pod")
data = header.build({**values, "rest": 1.5})
print(hexlify(data), header.parse(data), header.parse(data).kind.intvalue)
print(this.a.b + 1, len_(this.x), repr(header), Container(a=1) == {"a": 1}, Byte[2].sizeof())
print(
    header.compile().parse(data).units[0].name,
    construct.__name__,
    Int8ub is Byte,
    Adapter.__module__,
)
try:
    header.parse(b"BAT")
except ConstError as error:
    print(type(error), str(error).splitlines()[0])
header.build({**values, "kind": "nothing"})
