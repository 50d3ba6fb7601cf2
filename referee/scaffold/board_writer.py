"""Writes the first board of a contest from the grammar of its input: a `render.py` with the readers
of the first bot, which draws the grids and the things with coordinates in the input.
"""

import re
from pathlib import Path

from referee.scaffold.bot_writer import SIDES, Field, Record, Writer, snake_case
from referee.scaffold.stub_grammar import Stub, writes

TEMPLATE = Path(__file__).with_name("render.py.template")
SIZES = (
    ("width", "height"),
    ("map_width", "map_height"),
    ("board_width", "board_height"),
    ("grid_width", "grid_height"),
    ("columns", "rows"),
    ("cols", "rows"),
    ("w", "h"),
    ("size", "size"),
    ("map_size", "map_size"),
    ("board_size", "board_size"),
    ("grid_size", "grid_size"),
    ("n", "n"),
)
# The first axis of a place, and the second one of the same place.
AXES = {"x": "y", "col": "row", "column": "row", "c": "r"}
OWNER = re.compile(r"(^|_)(owner|player|team|mine)(_(id|idx|index|number))?$")
LABEL = re.compile(r"(^|_)e?(type|kind|item|class|role|name)(_id)?_?$")
KEY = re.compile(r"^(?!type)(\w+_)?(id|uid|identifier)_?$")
OTHER = re.compile(r"(^|_)(opp|opponent|enemy|other|his|rival|foe)(_|$)")
OWN = re.compile(r"(^|_)(my|me|own|player)(_|$)")
# Places of these are of plans, not of things; and others are no places.
PLANNED = re.compile(r"(^|_)(target|next|dest|destination|to|last|previous|prev|v|speed|dir)(_|$)")
# Texts that are no rows of a map.
TOLD = re.compile(r"(^|_)(scores?|infos?|names?|messages?|orders?|actions?|moves?|commands?)(_|$)")
LISTED = re.compile(r"^list\[(.*)\]$")


def write_board(stub: Stub, title: str) -> str | None:
    """Returns the source of a `render.py`; None if the input has no grid and no things with
    coordinates.
    """
    writer = Writer(stub)
    records = {record.name: record for record in writer.records}
    fields = [*writer.turn.fields, *writer.start.fields]
    if not stub.has_turns:
        fields = writer.start.fields
    named = {field.name for field in fields}
    size = next((pair for pair in SIZES if {*pair} <= named), None)
    things, grids = [], []
    for field in fields:
        inner = _inner(field.type)
        if inner in records:
            counter = snake_case(writer.counters.get(field.name, ""))
            things += _things_in(field.name, counter, records[inner])
        elif _inner(inner) in records:
            things += _cells_in(field.name, records[_inner(inner)])
        elif _inner(inner) or (inner == "str" and is_map(field.name, writer.counters)):
            grids.append(field.name)
    things += _single_things(fields)
    if not grids and not things:
        return None
    text = TEMPLATE.read_text(encoding="utf-8")
    readers = "\n\n\n".join(map(writer.reader, writer.in_order()))
    values = {
        "TITLE": title,
        "ITERATOR": ", Iterator" if "Iterator[" in readers else "",
        "IMPORTED": "Board, Things, frame, scenes" if things else "Board, frame, scenes",
        "RECORDS": writer.classes(),
        "READERS": readers,
        "GRIDS": _tuple([f'"{name}"' for name in grids]),
        "THINGS": _tuple(things),
        "SIZE": f'("{size[0]}", "{size[1]}")' if size else "None",
        "ANSWERS": "True" if stub.has_turns and any(map(writes, stub.start)) else "False",
    }
    for name, value in values.items():
        text = text.replace(f"${name}$", value)
    return text


def is_map(name: str, counters: dict[str, str]) -> bool:
    """Returns True if the list of texts `name` may be the rows of a map: the name of its counter
    means a number of rows, or the counter is a number and `name` means no other texts.
    """
    amount = counters.get(name, "")
    words = snake_case(amount).strip("_").split("_")
    return bool(SIDES & {*words}) or (amount.isdecimal() and not TOLD.search(name))


def _inner(type_: str) -> str:
    """Returns the type of a list's items, "" if the type is no list."""
    match = LISTED.match(type_)
    return match[1] if match else ""


def _pairs(fields: list[Field]) -> list[tuple[str, str]]:
    """Returns the pairs of numbers that are coordinates of a place, in the order of the fields."""
    numbers = [field.name for field in fields if field.type in ("int", "float")]
    pairs = []
    for name in numbers:
        words = name.strip("_").split("_")
        for i, word in enumerate(words):
            plain = re.sub(r"\d+$", "", word)
            short = plain[:-1] if len(plain) == 2 and plain[-1] == "x" else ""
            axis = AXES.get("x" if short and short not in "dvs" else plain)
            if not axis or PLANNED.search("_".join([*words[:i], *words[i + 1 :]])):
                continue
            second = short + axis + word[len(plain) :]
            other = "_".join([*words[:i], second, *words[i + 1 :]])
            if other in numbers:
                pairs.append((name, other))
                break
    return pairs


def _things_in(name: str, counter: str, record: Record) -> list[str]:
    """Returns the source of the things in a list, drawn at the first coordinates of its items; []
    without any coordinates.
    """
    pairs = _pairs(record.fields)
    if not pairs:
        return []
    x, y = pairs[0]
    words = [f'"{name}"', f'"{x}"', f'"{y}"']
    for keyword, pattern in (("owner", OWNER), ("label", LABEL), ("key", KEY)):
        field_name = next((field.name for field in record.fields if pattern.search(field.name)), "")
        words += [f'{keyword}="{field_name}"'] if field_name else []
    if not any(word.startswith("owner") for word in words):
        words += _player_of(name) or _player_of(counter)
    return [f"Things({', '.join(words)})"]


def _cells_in(name: str, record: Record) -> list[str]:
    """Returns the source of the things in a list of lists, drawn at their indices in the lists."""
    owner = next((field.name for field in record.fields if OWNER.search(field.name)), "")
    label = next((field.name for field in record.fields if field.name != owner), "")
    words = [f'"{name}"', '""', '""', *([f'owner="{owner}"'] if owner else []), f'label="{label}"']
    return [f"Things({', '.join(words)})"]


def _player_of(name: str) -> list[str]:
    """Returns the source of the argument `player` if a name tells the owner, else []."""
    if OTHER.search(name):
        return ["player=1"]
    return ["player=0"] if OWN.search(name) or name == "x" else []


def _single_things(fields: list[Field]) -> list[str]:
    """Returns the source of the things whose coordinates are fields of the input itself."""
    things, pairs = [], _pairs(fields)
    others = [x for x, _ in pairs if OTHER.search(x)]
    for x, y in pairs:
        is_own = any(word != x and word.endswith(x) for word in others)
        words = ['""', f'"{x}"', f'"{y}"', *(["player=0"] if is_own else _player_of(x))]
        things.append(f"Things({', '.join(words)})")
    return things


def _tuple(items: list[str]) -> str:
    """Returns the source of a tuple, wrapped as by black at an indentation of four."""
    if not items:
        return "()"
    one_line = f"({', '.join(items)}{',' if len(items) == 1 else ''})"
    if len(one_line) <= 80:
        return one_line
    return "\n".join(["(", *(f"        {item}," for item in items), "    )"])
