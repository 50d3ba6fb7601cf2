"""The page of a match: one HTML file that shows a log turn by turn, without network.

The page is `page.html` with everything it needs put inside: `page.css`, `picture.js`, `page.js` and
the log as data, its turns drawn by the contest's `render`. What occurs more than once, a text or a
shape, is stored once, and fractions are rounded to three digits.
"""

import json
from dataclasses import asdict
from pathlib import Path
from string import Template
from typing import Any

from referee.bots import names_apart
from referee.contests import find_contest, own_errors
from referee.drawings import drawings
from referee.errors import UsageError
from referee.log import Log, Turn
from referee.pictures import Pictures, rounded
from shared.core.contest import Contest
from shared.core.render import Frame
from shared.core.render import Turn as DrawnTurn

FOLDER = Path(__file__).parent


def write_page(log: Log, path: Path) -> None:
    """Write the page of `log` to a file. Raises UsageError for an unknown contest or no
    states, and OSError.
    """
    if not log.has_states:
        raise UsageError("a game played elsewhere has no states to draw: replay a --player of it")
    contest = find_contest(log.header.contest)
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
    values, wall_ms, cpu_ms, queue_ms, late, warnings, fault, drawings, strange]`, where every text of a bot
    is an index into `texts`, `drawings` holds rows, and `strange` the lines that are no drawings.
    """
    header = log.header
    players = range(header.n_players)
    texts: dict[str, int] = {}
    pictures = Pictures()
    frames = render_frames(log, contest)

    def index(text: str) -> int:
        return texts.setdefault(text, len(texts))

    def answer(player: int, turn: Turn) -> list[Any] | None:
        part = turn.players.get(player)
        if part is None:
            return None
        shapes, strange = drawings(part.stderr, player, frames[0].bounds)
        return [
            [index(line) for line in part.sent],
            [index(line) for line in part.output],
            index(part.stderr),
            part.nodes,
            part.values,
            rounded(part.wall_ms),
            rounded(part.cpu_ms),
            rounded(part.queue_ms),
            part.late,
            [index(warning) for warning in part.warnings],
            None if part.fault is None else index(part.fault),
            [pictures.add(shape) for shape in shapes],
            [index(line) for line in strange],
        ]

    return {
        "title": header.title,
        "seed": header.seed,
        "colours": [contest.colours[player] for player in players],
        "bots": names_apart(header.bots),
        "clock": header.clock,
        "limits": [asdict(limits) for limits in header.limits],
        "hiccup_ms": header.hiccup_ms,
        "nodes": header.nodes,
        "think_ms": header.think_ms,
        "outcome": log.outcome and asdict(log.outcome),
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
    silence: tuple[tuple[str, ...], ...] = ((),) * header.n_players
    frames: list[Frame | None] = [
        _rendered(contest, DrawnTurn(header.setup, None, header.state, silence), line=1)
    ]
    before = header.state
    for line, turn in enumerate(log.turns, 2):
        after = turn.state
        if after == before:
            frames.append(None)
            continue
        parts = [turn.players.get(player) for player in range(header.n_players)]
        output = tuple(tuple(part.output) if part else () for part in parts)
        drawn = DrawnTurn(header.setup, before, after, output)
        frames.append(_rendered(contest, drawn, line))
        before = after
    return frames


def _rendered(contest: Contest, turn: DrawnTurn, line: int) -> Frame:
    """The frame of a turn. Raises ContestError where the contest cannot draw it, as may be the
    case with a damaged log.
    """
    with own_errors(contest.name, f"drawing line {line} of the log"):
        return contest.render(turn)


def _island(data: Any) -> str:
    """`data` as JSON that no text in it can end: HTML heeds `</script` and `<!--` anywhere."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
