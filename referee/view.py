"""The page of a match: one HTML file that shows a log turn by turn, without network.

The page is `page.html` with everything it needs put inside: `page.css`, `page.js`, the drawing of
the contest (`Contest.view_script`) and the log as data. The data is smaller than the log: a text
that occurs more than once is stored once, and fractions are rounded to three digits.
"""

import json
from pathlib import Path
from string import Template
from typing import Any

from referee.contests import find_contest
from referee.errors import UsageError
from referee.limits import Profile
from referee.log import Log, Record

FOLDER = Path(__file__).parent


def write_page(log: Log, path: Path) -> None:
    """Write the page of `log` to a file. Raises UsageError for an unknown contest or no states, and OSError."""
    if log.header["seed"] is None:
        raise UsageError("an imported game has no states to draw: replay it instead")
    view_script = find_contest(log.header["contest"]).view_script
    page = Template(_read(FOLDER / "page.html")).substitute(
        style=_read(FOLDER / "page.css"),
        log=_island(page_data(log)),
        view_script=_read(view_script),
        page_script=_read(FOLDER / "page.js"),
    )
    path.write_text(page, encoding="utf-8")


def page_data(log: Log) -> dict[str, Any]:
    """What the page is drawn from, as plain JSON data.

    `states` holds the initial state and the state after each turn. `turns` holds a list of answers
    a turn, one a player: None when it was not asked, else
    `[input, output, stderr, nodes, wall_ms, cpu_ms, fault]`, where every text is an index into
    `texts`. `limits` is None when time was not limited.
    """
    header = log.header
    texts: dict[str, int] = {}

    def index(text: str) -> int:
        return texts.setdefault(text, len(texts))

    def answer(record: Record | None) -> list[Any] | None:
        if record is None:
            return None
        lines_sent = record.get("initial_input", []) + record["input"]
        return [
            [index(line) for line in lines_sent],
            [index(line) for line in record["output"]],
            index(record["stderr"]),
            record["nodes"],
            _rounded(record["wall_ms"]),
            _rounded(record["cpu_ms"]),
            None if record["fault"] is None else index(record["fault"]),
        ]

    players = [str(player) for player in range(header["n_players"])]
    limits = header["limits"]
    return {
        "title": header["title"],
        "seed": header["seed"],
        "bots": [bot["name"] for bot in header["bots"]],
        "limits": None if limits["profile"] == Profile.OFF else limits,
        "nodes": header["nodes"],
        "outcome": log.outcome,
        "setup": header["setup"],
        "states": _rounded([header["state"]] + [turn["state"] for turn in log.turns]),
        "turns": [
            [answer(turn["players"].get(player)) for player in players] for turn in log.turns
        ],
        "texts": list(texts),
    }


def _rounded(value: Any) -> Any:
    """JSON data with every fraction rounded to three digits, and whole ones made integers."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else round(value, 3)
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return value


def _island(data: Any) -> str:
    """`data` as JSON that no text in it can end: HTML heeds `</script` and `<!--` anywhere."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
