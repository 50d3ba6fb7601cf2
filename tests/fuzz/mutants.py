"""Damage to files, as from a bad disk, a faulty program or an attacker.

bytes       flipped, removed, inserted, repeated; the file truncated
lines       removed, repeated, exchanged, joined
JSON        a value, at any depth, replaced by one of another kind or size, removed, doubled, or
            moved to a wrong place; numbers that no float holds, NaN, endless nesting
"""

import json
from copy import deepcopy
from random import Random
from typing import Any, Callable

# Placeholders for values that `json` would not write.
RAW = {
    "@nan@": "NaN",
    "@inf@": "-Infinity",
    "@huge@": "1e999",
    "@long@": "9" * 5000,
    "@list@": "[" * 2000 + "]" * 2000,
    "@deep@": "[" * 200_000,
    "@object@": '{"a":' * 500 + "1" + "}" * 500,
    "@half@": "\\ud800",
}
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 7, 8, 9, 49, 99, 1000, 0.5, -0.0, 1e-320),
    *(2**31, 2**53, 2**63, -(2**63), 10**12, 10**29, 10**31, 1e29, -1e29, 1e308, 10**400),
    *("", "0", "x", "\x1b[2J", "é", "\0", "a\nb", "x" * 10_000, "1e5", "</script>", "wall", "off"),
    *([], {}, [[]], [0], [1, 2, 3], {"0": 1}, {"a": {"b": []}}, [None] * 300, ["x", 1]),
    *RAW,
)


def damage_bytes(data: bytes, rng: Random) -> bytes:
    """Change one to four places of a file, or cut off its end."""
    if rng.random() < 0.15:
        return data[: rng.randrange(len(data) + 1)]
    found = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        start = rng.randrange(len(found) + 1)
        end = start + rng.choice((1, 1, 2, 8, 100))
        found[start:end] = rng.choice(
            (
                b"",
                bytes([rng.randrange(256)]),
                bytes(byte ^ 1 << rng.randrange(8) for byte in found[start:end]),
                found[start:end] * 2,
                rng.choice(
                    (b"0", b"9" * 400, b"\0", b"\xff", b"\n", b'"', b"]", b"{", b"-", b"1e9")
                ),
            )
        )
    return bytes(found)


def damage_lines(data: bytes, rng: Random) -> bytes:
    """Remove, repeat, exchange or join a line of a file."""
    lines = data.split(b"\n")
    here, there = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[here]
        case 1:
            lines.insert(there, lines[here])
        case 2:
            lines[here], lines[there] = lines[there], lines[here]
        case 3:
            lines[here : here + 2] = [b"".join(lines[here : here + 2])]
    return b"\n".join(lines)


def damage_json(value: Any, rng: Random) -> Any:
    """Damage one to three parts of a value."""
    root = [value]
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        inside, key = any_place(root, rng)
        match rng.randrange(8):
            case 0 if inside is not root:
                del inside[key]
            case 1 if type(inside[key]) in (int, float):
                number = inside[key]
                inside[key] = rng.choice(
                    (-number, number + 1, number - 1, number * 1000, str(number))
                )
            case 2 if isinstance(inside, list) and inside is not root:
                inside.extend([inside[key]] * rng.choice((1, 5, 100)))
            case 3 if isinstance(inside, dict):
                inside[rng.choice((f"{key}x", "", "9", "state", "a" * 100))] = inside.pop(key)
            case 4:
                other, place = any_place(root, rng)
                inside[key] = json.loads(json.dumps(other[place]))
            case 5 if isinstance(inside[key], str) and inside[key]:
                inside[key] = damage_bytes(inside[key].encode(), rng).decode(errors="replace")
            case _:
                inside[key] = deepcopy(rng.choice(VALUES))
    return root[0]


def any_place(root: list, rng: Random) -> tuple[Any, Any]:
    """A container within a value and one of its keys: deeper ones are as likely as outer ones."""
    inside: Any = root
    key: Any = 0
    while isinstance(inside[key], (list, dict)) and inside[key] and rng.random() < 0.85:
        inside = inside[key]
        keys = range(len(inside)) if isinstance(inside, list) else sorted(inside)
        key = rng.choice(keys)
    return inside, key


def as_text(value: Any) -> str:
    """The text of a damaged value."""
    text = json.dumps(value, separators=(",", ":"))
    if "@" in text:
        for word, raw in RAW.items():
            text = text.replace(f'"{word}"', raw)
    return text


def damage_text(data: bytes, rng: Random, of_json: Callable[[bytes, Random], bytes]) -> bytes:
    """Damage a JSON file in one of the three ways."""
    ways = (damage_bytes, damage_lines, of_json)
    return rng.choices(ways, (25, 10, 65))[0](data, rng)


def damage_json_lines(data: bytes, rng: Random) -> bytes:
    """Damage one line of a file of JSON lines."""
    lines = data.splitlines()
    number = rng.randrange(len(lines))
    record = json.loads(lines[number])
    inner = [key for key in ("state", "setup") if record.get(key)]
    if inner and rng.random() < 0.5:
        key = rng.choice(inner)
        record[key] = damage_json(record[key], rng)
    else:
        record = damage_json(record, rng)
    lines[number] = as_text(record).encode()
    return b"".join(line + b"\n" for line in lines)


def damage_json_file(data: bytes, rng: Random) -> bytes:
    """Damage the JSON of a file."""
    return as_text(damage_json(json.loads(data), rng)).encode()
