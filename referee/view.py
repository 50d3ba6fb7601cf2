"""The page of a match: one HTML file that shows a log turn by turn, without network.

The page is `page.html` with everything it needs put inside: `page.css`, `picture.js`, `page.js` and
the log as data, its turns drawn by the contest's `render`. What occurs more than once, a text or a
shape, is stored once, and fractions are rounded to three digits.
"""

import json
from pathlib import Path
from string import Template
from typing import Any

from referee.contests import find_contest
from referee.drawings import drawings
from referee.errors import UsageError
from referee.log import Log, Record
from referee.pictures import Pictures, rounded
from shared.core.contest import Contest
from shared.core.render import Frame, Turn

FOLDER = Path(__file__).parent


def write_page(log: Log, path: Path) -> None:
    """Write the page of `log` to a file. Raises UsageError for an unknown contest or no
    states, and OSError.
    """
    if not log.has_states:
        raise UsageError("a game played elsewhere has no states to draw: replay a --player of it")
    contest = find_contest(log.header["contest"])
    page = Template(_read(FOLDER / "page.html")).substitute(
        style=_read(FOLDER / "page.css"),
        log=_island(page_data(log, contest)),
        script=_read(FOLDER / "picture.js") + _read(FOLDER / "page.js"),
    )
    path.write_text(page, encoding="utf-8")


def page_data(log: Log, contest: Contest) -> dict[str, Any]:
    """What the page shows, as plain JSON data.

    `frames` holds the picture of the start and of each turn, as a row of `rows`
    (referee/pictures.py) or null where nothing moved since the one before. `turns` holds a list of
    answers a turn, one a player: null when it was not asked, else `[input, output, stderr, nodes,
    wall_ms, cpu_ms, queue_ms, late, warnings, fault, drawings, strange]`, where every text of a bot
    is an index into `texts`, `drawings` holds rows, and `strange` the lines that are no drawings.
    """
    header = log.header
    players = range(header["n_players"])
    texts: dict[str, int] = {}
    pictures = Pictures()
    frames = render_frames(log, contest)

    def index(text: str) -> int:
        return texts.setdefault(text, len(texts))

    def answer(player: int, turn: Record) -> list[Any] | None:
        record = turn["players"].get(str(player))
        if record is None:
            return None
        shapes, strange = drawings(record["stderr"], player, frames[0].bounds)
        lines_sent = record.get("initial_input", []) + record["input"]
        return [
            [index(line) for line in lines_sent],
            [index(line) for line in record["output"]],
            index(record["stderr"]),
            record["nodes"],
            rounded(record["wall_ms"]),
            rounded(record["cpu_ms"]),
            rounded(record["queue_ms"]),
            record["late"],
            [index(warning) for warning in record["warnings"]],
            None if record["fault"] is None else index(record["fault"]),
            [pictures.add(shape) for shape in shapes],
            [index(line) for line in strange],
        ]

    return {
        "title": header["title"],
        "seed": header["seed"],
        "colours": [contest.colours[player] for player in players],
        "bots": [bot["name"] for bot in header["bots"]],
        "limits": header["limits"],
        "hiccup_ms": header["hiccup_ms"],
        "nodes": header["nodes"],
        "outcome": log.outcome,
        "frames": [None if frame is None else pictures.add(frame) for frame in frames],
        "turns": [[answer(player, turn) for player in players] for turn in log.turns],
        "schemas": pictures.schemas,
        "rows": pictures.rows,
        "texts": list(texts),
    }


def render_frames(log: Log, contest: Contest) -> list[Frame | None]:
    """The frame of the start and of each turn; None where the state is the one before.

    A turn that ends the game by a player's fault leaves the state as it was.
    """
    header = log.header
    silence: tuple[tuple[str, ...], ...] = ((),) * header["n_players"]
    frames: list[Frame | None] = [
        contest.render(Turn(header["setup"], None, header["state"], silence))
    ]
    before = header["state"]
    for turn in log.turns:
        after = turn["state"]
        if after == before:
            frames.append(None)
            continue
        records = [turn["players"].get(str(player)) for player in range(header["n_players"])]
        output = tuple(tuple(record["output"]) if record else () for record in records)
        frames.append(contest.render(Turn(header["setup"], before, after, output)))
        before = after
    return frames


def _island(data: Any) -> str:
    """`data` as JSON that no text in it can end: HTML heeds `</script` and `<!--` anywhere."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
