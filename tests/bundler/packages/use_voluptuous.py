"""Schemas compiled to functions, star imports in the package, errors with paths."""

import voluptuous
from voluptuous import All, Any, Coerce, Invalid, Length, MultipleInvalid, Optional, Range, Required
from voluptuous import Schema, message, truth
from voluptuous.humanize import humanize_error, validate_with_humanized_errors

schema = Schema(
    {
        Required("name"): All(str, Length(min=1)),
        Required("depth", default=2): All(Coerce(int), Range(min=1, max=9)),
        Optional("mode"): Any("fast", "slow", msg="fast or slow"),
        "path": [int],
    }
)


@truth
def isupper(text):
    return text.isupper()


@message("no vowels", cls=Invalid)
def vowels(text):
    return [c for c in text if c in "aeiou"] or vowels.nothing


print(schema({"name": "x", "depth": "4"}), schema.extend({"more": int})({"name": "y", "more": 1}))
print(Schema(isupper)("ABC"), Schema(vowels())("board"), repr(schema.schema["path"]))
for data in ({}, {"name": "", "mode": "odd"}, {"name": "x", "path": [1, "2"]}, {"name": 3, "z": 1}):
    try:
        schema(data)
    except MultipleInvalid as error:
        print(sorted(map(str, error.errors)), type(error.errors[0]).__module__)
        print(sorted(humanize_error(data, error).splitlines()))
print(voluptuous.__name__, Range(min=1), Length(max=2), Schema({}).extend({"a": 1}))
validate_with_humanized_errors({"name": "z" * 3, "depth": 10}, schema)
