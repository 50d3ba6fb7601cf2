"""Reads maps of Ants in the contest's text format (RULES.md, section 1)."""

import re
from dataclasses import dataclass, field
from pathlib import Path

LEAST_SIDE, MOST_SIDE = 5, 200
MOST_PLAYERS = 10
LAND, WATER, FOOD = ".", "%", "*"
ANTS, ANTS_ON_HILLS, HILLS = "abcdefghij", "ABCDEFGHIJ", "0123456789"


class MapError(ValueError):
    """A text is not a map; the message gives the place and the expected form."""


@dataclass
class Map:
    """A map: cells of water and food, and (cell, owner) of hills and ants."""

    rows: int
    cols: int
    n_players: int
    water: set[int] = field(default_factory=set)
    food: list[int] = field(default_factory=list)
    hills: list[tuple[int, int]] = field(default_factory=list)
    ants: list[tuple[int, int]] = field(default_factory=list)


def read_map(path: Path) -> Map:
    """Read the map of a file. Raises MapError, which names the file."""
    try:
        return parse_map(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise MapError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise MapError(f"{path}: {error}") from error


def folder_of_maps(text: str) -> Path:
    """Returns the folder with maps that a text names. Raises MapError."""
    folder = Path(text)
    if not folder.is_dir():
        raise MapError(f"{folder}: a folder with files named *.map is expected")
    return folder


def map_file_of(folder: Path, seed: int, n_players: int) -> Path:
    """Returns a map's file in or below a folder. The maps for this number of players, sorted by
    path, belong to seeds 1, 2 and so on, cyclically. Raises MapError.
    """
    header = re.compile(rf"^\s*players\s+{n_players}\s*$", re.IGNORECASE | re.MULTILINE)
    paths = [
        path
        for path in sorted(folder.rglob("*.map"))
        if path.is_file() and header.search(path.read_text(encoding="utf-8", errors="replace"))
    ]
    if not paths:
        raise MapError(f"{folder}: no file named *.map is a map for {n_players} players")
    return paths[(seed - 1) % len(paths)]


def parse_map(text: str) -> Map:
    """Parse the text of a map. Raises MapError."""
    sizes: dict[str, int] = {}
    rows: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        key, _, value = line.strip().partition(" ")
        key, value = key.lower(), value.strip()
        if not key or key.startswith("#"):
            continue
        if key in ("rows", "cols", "players"):
            sizes[key] = _size(number, key, value)
        elif key == "m":
            if "players" not in sizes:
                raise MapError(f"line {number}: the number of players should come before the map")
            rows.append(value)
            _check_row(number, value, sizes)
        else:
            raise MapError(f"line {number}: rows, cols, players or m is expected, got {key[:40]!r}")
    for key in ("rows", "cols", "players"):
        if key not in sizes:
            raise MapError(f"a line '{key} NUMBER' is missing")
    if len(rows) != sizes["rows"]:
        raise MapError(f"there are {len(rows)} lines of map for {sizes['rows']} rows")
    return _map_of(rows, sizes)


def _size(number: int, key: str, value: str) -> int:
    least, most = (2, MOST_PLAYERS) if key == "players" else (LEAST_SIDE, MOST_SIDE)
    if not (value.isascii() and value.isdecimal()) or not least <= int(value[:9]) <= most:
        raise MapError(f"line {number}: {key} should be {least} to {most}, got {value[:40]!r}")
    return int(value)


def _check_row(number: int, row: str, sizes: dict[str, int]) -> None:
    n_players = sizes["players"]
    known = LAND + WATER + FOOD + "?"
    known += ANTS[:n_players] + ANTS_ON_HILLS[:n_players] + HILLS[:n_players]
    if len(row) != sizes.get("cols", len(row)):
        raise MapError(f"line {number}: {len(row)} squares for {sizes['cols']} columns")
    for square in row:
        if square not in known:
            raise MapError(
                f"line {number}: {square!r} is no square of a map for {n_players} players"
            )


def _map_of(rows: list[str], sizes: dict[str, int]) -> Map:
    read = Map(sizes["rows"], sizes["cols"], sizes["players"])
    for cell, square in enumerate("".join(rows)):
        if square == WATER:
            read.water.add(cell)
        elif square == FOOD:
            read.food.append(cell)
        elif square in HILLS:
            read.hills.append((cell, HILLS.index(square)))
        elif square in ANTS_ON_HILLS:
            read.hills.append((cell, ANTS_ON_HILLS.index(square)))
            read.ants.append((cell, ANTS_ON_HILLS.index(square)))
        elif square in ANTS:
            read.ants.append((cell, ANTS.index(square)))
    return read
