"""Validation; the errors are printed with their class and module."""

import schema
from schema import And, Optional, Or, Regex, Schema, SchemaError, Use

bot = Schema(
    {
        "name": And(str, len, error="a name for {!r}"),
        Optional("depth", default=3): And(Use(int), lambda n: 0 < n < 9),
        "moves": [Or("N", "S", Regex(r"^[EW]\d$"))],
        Optional(str): object,
    },
    name="bot",
)
print(bot.validate({"name": "b", "moves": ["N", "E3"], "other": None}))
for data in (
    {"name": ""},
    {"name": "b", "depth": "x", "moves": []},
    {"name": "b", "moves": ["Q"]},
    3,
):
    try:
        bot.validate(data)
    except SchemaError as error:
        print(type(error), error.code)
print(bot.is_valid({"name": "c", "moves": []}), Schema(int), repr(Or(int, str)))
print(sorted(Schema({"a": int, Optional("b"): str}).json_schema("http://x")["properties"]))
print(schema.SchemaMissingKeyError.__mro__[1:3])
Schema({"x": int}).validate({"x": "1", "y": 2})
