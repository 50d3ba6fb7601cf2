"""The page of a match: one HTML file that shows a log turn by turn, without network.

The page is `assets/page.html` with everything it needs inside: `page.css`, the scripts beside it
and the log as data, its turns drawn by the contest's `render`. Repeated texts and shapes are stored
once, and fractions are rounded to three digits.

A game played elsewhere has no states to draw, unless its contest can reconstruct them from a
player's input (`referee/page/imported_board.py`): its page has everything but the board.
"""

import json
import re
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from referee.log.limits import Profile
from referee.log.records import Log, PlayerTurn, Turn
from referee.page.bounds import BoundsExceeded, bounded
from referee.page.drawings import MOST, drawings
from referee.page.expected import expected_frames
from referee.page.frames import FrameTable, rounded
from referee.page.imported_board import seen_states
from referee.page.official import annotated_frames, drawn_bounds
from referee.process.output_buffer import expected_line
from referee.sources.bots import distinct_names
from referee.sources.contests import ContestError, own_errors
from referee.sources.trust import contest_of_log
from shared.core.contest import Contest
from shared.core.render import Frame
from shared.core.render import Turn as DrawnTurn

ASSETS = Path(__file__).parent / "assets"
SCRIPTS = (
    *(
        "picture",
        "elements",
        "log",
        "theme",
        "board",
        "expected",
        "legend",
        "header",
        "tracks",
        "players",
        "search",
    ),
    *("playback", "gif", "share", "main"),
)
COMMENT = re.compile(r"^ */\*.*?\*/\n", re.MULTILINE | re.DOTALL)
EMPTY = Frame((0, 0, 16, 9), ())


def write_page(log: Log, path: Path, trust: bool = False) -> None:
    """Write the page of `log` to a file; `trust` permits a contest from outside this installation.

    Raises UsageError for an unknown contest with states and for an undrawable one, and OSError.
    """
    contest = contest_of_log(log, trust)
    page = load_template(ASSETS / "page.html").render(
        style=_read(ASSETS / "page.css"),
        log=encode_island(page_data(log, contest)),
        script="\n".join(read_script(ASSETS / f"{name}.js") for name in SCRIPTS),
    )
    path.write_text(page, encoding="utf-8")


@cache
def load_template(path: Path) -> Template:
    """Load a page template; inserted values are escaped unless marked as HTML."""
    loader = FileSystemLoader(path.parent)
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(path.name)


def page_data(log: Log, contest: Contest) -> dict[str, Any]:
    """Returns the data of the page, as plain JSON.

    `frames` holds the picture of the start and of each turn, as a row of `rows`
    (referee/page/frames.py) or null where nothing moved since the one before; `board` is false if
    they are all empty. `turns` holds a list of answers a turn, one a player: null when it was not
    asked, else `[input, output, stderr, nodes, values, wall_ms, cpu_ms, queue_ms, limit_ms, late,
    warnings, fault, drawings, strange, line, ghosts]`, the last two left out if the bot expects no
    line. Every text of a bot is an index into `texts`. `limit_ms` is null where the answer had no
    limit of its own. `drawings` and `ghosts` hold rows, and `strange` the lines that are no
    drawings.
    """
    header = log.header
    players = range(header.n_players)
    firsts = {player: log.of_player(player)[0][1] for player in players if log.of_player(player)}
    texts: dict[str, int] = {}
    table = FrameTable()
    frames = render_frames(log, contest, table)
    ghosts = expected_frames(log, contest, table)

    def index(text: str) -> int:
        return texts.setdefault(text, len(texts))

    def answer(player: int, turn: Turn) -> list[Any] | None:
        part = turn.players.get(player)
        if part is None:
            return None
        assert frames[0] is not None  # None if nothing has changed
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
            limit_ms(player, part),
            part.late,
            [index(warning) for warning in part.warnings],
            None if part.fault is None else index(part.fault),
            [table.add(shape) for shape in shapes],
            [index(line) for line in strange],
            *expectations(turn, part),
        ]

    def expectations(turn: Turn, part: PlayerTurn) -> list[Any]:
        """The last two columns, left out of most answers of bots that expect nothing."""
        line = expected_line(part.stderr)
        return [[index(word) for word in line], ghosts.get(turn.turn, [])] if line else []

    def limit_ms(player: int, part: PlayerTurn) -> int | None:
        if header.conditions.limits[player].profile in (Profile.OFF, Profile.BANK):
            return None
        return header.limit_ms(player, part is firsts.get(player), part.limit_ms)

    conditions = header.conditions
    return {
        "title": header.title,
        "contest": contest.name.rpartition("/")[2],
        "seed": conditions.seed,
        "colours": [contest.colours[player] for player in players],
        "bots": distinct_names(header.bots),
        "clock": conditions.clock,
        "limits": [asdict(limits) for limits in conditions.limits],
        "hiccup_ms": conditions.hiccup_ms,
        "nodes": conditions.nodes,
        "think_ms": conditions.think_ms,
        "outcome": log.outcome and asdict(log.outcome),
        "board": any(frame and frame.shapes for frame in frames)
        or (log.is_official and drawn_bounds(log) is not None),
        "frames": [None if frame is None else table.add(frame) for frame in frames],
        "turns": [[answer(player, turn) for player in players] for turn in log.turns],
        "schemas": table.schemas,
        "rows": table.rows,
        "texts": list(texts),
    }


def render_frames(log: Log, contest: Contest, table: FrameTable) -> list[Frame | None]:
    """Returns the frames of the start and of each turn, None for an unchanged state, and adds their
    pictures to the table.

    A turn that ends the game by a player's fault leaves the state unchanged.
    """
    if log.is_official:
        return annotated_frames(log, imported_frames(log, contest, table))
    if not log.has_states:
        return imported_frames(log, contest, table)
    header = log.header
    draw = partial(_rendered, log, contest, table)
    silence = written_in(None, header.n_players)
    frames: list[Frame | None] = [
        draw(DrawnTurn(header.setup, None, header.state, silence), line=1)
    ]
    before = header.state
    for line, turn in enumerate(log.turns, 2):
        after = turn.state
        if after == before:
            frames.append(None)
            continue
        output = written_in(turn, header.n_players)
        frames.append(draw(DrawnTurn(header.setup, before, after, output), line))
        before = after
    return frames


def imported_frames(log: Log, contest: Contest, table: FrameTable) -> list[Frame | None]:
    """The frames of a game played elsewhere: empty if the board is unknown.

    The input of a turn shows the state after the previous one.
    """
    frames: list[Frame | None] = []
    before = None
    output = written_in(None, log.header.n_players)
    for line, (turn, known) in enumerate(zip(log.turns, seen_states(log, contest)), 2):
        if known is None:
            frames.append(None)
        else:
            setup, after = known
            drawn = DrawnTurn(setup, before, after, output)
            frames.append(_rendered(log, contest, table, drawn, line))
            before = after
        output = written_in(turn, log.header.n_players)
    first = next((frame for frame in frames if frame), EMPTY)
    return [first, *frames[1:], None] if frames else [first]


def written_in(turn: Turn | None, n_players: int) -> tuple[tuple[str, ...], ...]:
    """Returns the lines that each player wrote in a turn, none before the first one."""
    parts = [turn.players.get(player) if turn else None for player in range(n_players)]
    return tuple(tuple(part.output) if part else () for part in parts)


def _rendered(log: Log, contest: Contest, table: FrameTable, turn: DrawnTurn, line: int) -> Frame:
    """The frame of a turn, added to the table. Raises ContestError if the contest cannot draw it,
    or exceeds the bounds, as it may with a damaged log.
    """
    doing = f"drawing line {line} of {log.source}"
    try:
        with own_errors(contest.name, doing), bounded():
            frame = contest.render(turn)
            if not all(abs(edge) <= MOST for edge in frame.bounds):
                raise ValueError(f"the bounds of a frame are {frame.bounds}")
            table.add(frame)
            return frame
    except (AttributeError, RecursionError, TypeError, ValueError, BoundsExceeded) as error:
        raise ContestError(f"{contest.title}: {doing}: {error}") from error


def encode_island(data: Any) -> str:
    """Encode `data` as JSON that no text in it can end: HTML recognises `</script` and `<!--`
    anywhere.
    """
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def read_script(path: Path) -> str:
    """Returns a script without its comments, which are a tenth of a page."""
    return COMMENT.sub("", _read(path))


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
