"""A parser that keeps comments, items as classes over str and int."""

import sys

import tomlkit
from tomlkit import comment, document, dumps, nl, parse, table
from tomlkit.exceptions import ParseError

text = sys.stdin.read()
config = parse(text)
config["bot"]["depth"] = 5
config["bot"].add("name", "minimax")
config["points"].append({"x": 3})
print(dumps(config), end="")
print(config["bot"], type(config["bot"]["depth"]), config["bot"]["depth"] + 1, config.unwrap())
made = document()
made.add(comment("made"))
made.add(nl())
made["t"] = table().add("dates", [tomlkit.date("2024-01-02"), tomlkit.item({"a": [1, 2]})])
print(tomlkit.dumps(made), repr(made), tomlkit.string("a\nb", multiline=True).as_string())
for wrong in ("a = ]", "a = 1\na = 2", "[x", 'b = "\\q"'):
    try:
        parse(wrong)
    except ParseError as error:
        print(type(error), error)
config["nothing"]
