"""The page of a match: one HTML file that shows a log turn by turn, without network.

The page is `assets/page.html` with all its parts inside: `page.css`, the scripts in `assets`, and
the log as data, with its turns drawn by the contest's `render`. Repeated texts and shapes are
stored once, and fractions are rounded to three digits.

A game played elsewhere has no states to draw, unless its contest can reconstruct them from a
player's input (`referee/page/imported_board.py`): its page has everything but the board.
"""

import json
import re
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from referee.log.limits import Profile
from referee.log.records import Log, LoggedTurn, PlayerTurn
from referee.official.view import Viewer
from referee.page.bounds import BoundsExceeded, bounded
from referee.page.drawings import MOST, drawings
from referee.page.expected import Expected, expected_frames
from referee.page.frames import FrameTable, rounded
from referee.page.imported_board import seen_states
from referee.page.official import annotated_frames, drawn_bounds
from referee.page.official_pictures import Pictures, games_of, viewer_data
from referee.play.leader import leader_of
from referee.play.trust import contest_of_log
from referee.process.output_buffer import expected_line
from referee.sources.bots import distinct_names
from referee.sources.contests import ContestError, own_errors
from shared.core.contest import Contest
from shared.core.drawing.shapes import Frame, Turn

ASSETS = Path(__file__).parent / "assets"
SCRIPTS = (
    *("picture", "elements", "log", "theme", "board", "expected", "legend", "header", "tracks"),
    *("players", "search", "playback", "official", "gif", "share", "live", "main"),
)
COMMENT = re.compile(r"^ */\*.*?\*/\n", re.MULTILINE | re.DOTALL)
EMPTY = Frame((0, 0, 16, 9), ())


def write_page(log: Log, path: Path, trust: bool = False, pictures: Pictures | None = None) -> None:
    """Write the page of `log` to a file; trust: permits a contest from outside this installation.

    Official pictures are written into a file beside the page, which shows it in a frame
    (`pictures_path`). Raises OSError, and UsageError for an unknown contest with states and for a
    position that cannot be drawn.
    """
    data = page_data(log, contest_of_log(log, trust))
    if pictures:
        file = pictures_path(path)
        file.write_text(pictures.text, encoding="utf-8")
        data["pictures"] = {
            "file": quote(file.name),
            "shown": pictures.shown,
            "by_step": pictures.by_step,
        }
    path.write_text(page_text(data, frames="'self' file:" if pictures else ""), encoding="utf-8")


def pictures_path(page: Path) -> Path:
    """Returns the path of the file with a page's official pictures, beside the page."""
    return page.with_name(f"{page.stem}.official.html")


def official_pictures(log: Log, viewer: Viewer) -> Pictures:
    """Returns the pictures of a match by an official contest's viewer. Raises UsageError for a log
    without frames.
    """
    games = games_of(log)
    data = viewer_data(viewer, log, games)
    imports = {"imports": data.pop("imports")}
    text = load_template(ASSETS / "viewer.html").render(
        imports=encode_island(imports),
        data=encode_island(data),
        script=_read(ASSETS / "viewer.js"),
    )
    return Pictures(text, [game.shown for game in games])


def page_text(data: dict[str, Any], nonce: str = "", live: str = "", frames: str = "") -> str:
    """Returns the page of a match's data as HTML.

    nonce: the nonce of a server's policy, which lets the page's script run. live: the address of
    the events of a running match, relative to the page's. frames: the sources of frames that the
    page's policy permits.
    """
    return load_template(ASSETS / "page.html").render(
        style=_read(ASSETS / "page.css"),
        log=encode_island(data),
        script="\n".join(read_script(ASSETS / f"{name}.js") for name in SCRIPTS),
        nonce=nonce,
        live=live,
        frames=frames,
    )


@cache
def load_template(path: Path) -> Template:
    """Returns a page's template, loaded once; it escapes inserted values unless they are marked as
    HTML.
    """
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
    (referee/page/frames.py), or null if nothing moved since the picture before; `board` is false if
    all pictures are empty. `turns` holds a list of answers for each turn, one for each player: null
    if the player was not asked, else `[input, output, stderr, nodes, values, wall_ms, cpu_ms,
    queue_ms, limit_ms, late, warnings, fault, drawings, strange, line, ghosts]`. Every text of a
    bot is an index into `texts`. `limit_ms` is null where the answer had no limit of its own.
    `drawings` holds rows, `strange` the malformed lines of drawings, `line` the actions that the
    bot expects, and `ghosts` the rows of their pictures. Empty columns at the end are left out.
    """
    return GrowingPage(contest).add(log)


class GrowingPage:
    """The data of the page of a match that may still be in progress; equal texts and rows are
    stored once.
    """

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.table = FrameTable()
        self.texts: dict[str, int] = {}
        self.frames: list[DrawnFrame | None] = []
        self.ghosts: Expected = {}
        self.n_turns = 0

    def add(self, log: Log) -> dict[str, Any]:
        """Returns the data of a log that continues the log of the last call: only the new entries
        of `turns`, `rows` and `texts`, and all other fields complete.
        """
        table, contest, header = self.table, self.contest, log.header
        n_rows, n_texts = len(table), len(self.texts)
        leader = leader_of(header.conditions)
        if leader.applies_rules and header.conditions.seed is not None:
            self.frames += further_frames(log, contest, table, len(self.frames))
        else:
            self.frames = imported_frames(log, contest, table)
        if leader.reports:
            annotated = annotated_frames(log, [drawn and drawn.frame for drawn in self.frames])
            self.frames = [_added(frame, table) if frame else None for frame in annotated]
        # Each call plays the game anew: a page that grows has the ghosts of its first turns alone.
        self.ghosts = {} if self.n_turns else expected_frames(log, contest, table)
        players = range(header.n_players)
        asked = [log.of_player(player) for player in players]
        firsts = {player: turns[0][1] for player, turns in enumerate(asked) if turns}
        turns = [
            [self._answer(log, firsts, player, turn) for player in players]
            for turn in log.turns[self.n_turns :]
        ]
        self.n_turns = len(log.turns)
        conditions, frames = header.conditions, self.frames
        return {
            "title": header.title,
            "contest": contest.name.rpartition("/")[2],
            "seed": conditions.seed,
            "colours": [contest.colours[player] for player in players],
            "bots": distinct_names(header.bots),
            "clock": conditions.clock,
            "limits": [asdict(limits) for limits in conditions.limits],
            "hiccup_ms": conditions.hiccup_ms,
            "site": conditions.site,
            "nodes": conditions.nodes,
            "expects_answers": contest.read_expected is None,
            "think_ms": conditions.think_ms,
            "outcome": log.outcome and asdict(log.outcome),
            "board": any(drawn and drawn.frame.shapes for drawn in frames)
            or (leader.reports and drawn_bounds(log) is not None),
            "frames": [None if drawn is None else drawn.row for drawn in frames],
            "turns": turns,
            "schemas": table.schemas,
            "rows": table.rows_from(n_rows),
            "texts": list(self.texts)[n_texts:],
        }

    def _index(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))

    def _answer(
        self, log: Log, firsts: dict[int, PlayerTurn], player: int, turn: LoggedTurn
    ) -> list[Any] | None:
        answer, index, table = turn.players.get(player), self._index, self.table
        if answer is None:
            return None
        first = self.frames[0]
        assert first is not None  # only a frame equal to the one before is None
        shapes, strange = drawings(answer.stderr, player, first.frame.bounds)
        conditions, limit_ms = log.header.conditions, None
        if conditions.limits[player].profile not in (Profile.OFF, Profile.BANK):
            limit_ms = log.header.limit_ms(player, answer is firsts.get(player), answer.limit_ms)
        columns: list[Any] = [
            [index(line) for line in answer.sent],
            [index(line) for line in answer.output],
            index(answer.stderr),
            answer.nodes,
            answer.values,
            rounded(answer.wall_ms),
            rounded(answer.cpu_ms),
            rounded(answer.queue_ms),
            limit_ms,
            answer.late,
            [index(warning) for warning in answer.warnings],
            None if answer.fault is None else index(answer.fault),
            [table.add(shape) for shape in shapes],
            [index(line) for line in strange],
            [index(word) for word in expected_line(answer.stderr)],
            self.ghosts.get((turn.turn, player), []),
        ]
        # Most answers end with columns that are empty; a number may be 0.
        while len(columns) > 8 and (columns[-1] is None or columns[-1] == []):
            columns.pop()
        return columns


class DrawnFrame(NamedTuple):
    """A frame, and the index of its row in the table."""

    frame: Frame
    row: int


def further_frames(
    log: Log, contest: Contest, table: FrameTable, n_known: int
) -> list[DrawnFrame | None]:
    """Returns the frames of a log with states, except the first `n_known`: the frame of the start,
    and one for each turn, None for an unchanged state.

    A turn that ends the game by a player's fault leaves the state unchanged.
    """
    header = log.header
    draw = partial(_draw, log, contest, table)
    frames: list[DrawnFrame | None] = []
    if n_known == 0:
        silence = written_in(None, header.n_players)
        frames.append(draw(Turn(header.setup, None, header.state, silence), line=1))
    n_drawn = max(0, n_known - 1)
    before = log.turns[n_drawn - 1].state if n_drawn else header.state
    for line, turn in enumerate(log.turns[n_drawn:], n_drawn + 2):
        after = turn.state
        if after == before:
            frames.append(None)
            continue
        output = written_in(turn, header.n_players)
        frames.append(draw(Turn(header.setup, before, after, output), line))
        before = after
    return frames


def imported_frames(log: Log, contest: Contest, table: FrameTable) -> list[DrawnFrame | None]:
    """Returns the frames of a game played elsewhere: an empty frame, then None, if the board is
    unknown.

    The input of a turn shows the state after the previous turn.
    """
    frames: list[DrawnFrame | None] = []
    before = None
    output = written_in(None, log.header.n_players)
    for line, (turn, known) in enumerate(zip(log.turns, seen_states(log, contest)), 2):
        if known is None:
            frames.append(None)
        else:
            setup, after = known
            frames.append(_draw(log, contest, table, Turn(setup, before, after, output), line))
            before = after
        output = written_in(turn, log.header.n_players)
    first = next((drawn for drawn in frames if drawn), None) or _added(EMPTY, table)
    return [first, *frames[1:], None] if frames else [first]


def written_in(turn: LoggedTurn | None, n_players: int) -> tuple[tuple[str, ...], ...]:
    """Returns the lines that each player wrote in a turn, none for turn None."""
    parts = [turn.players.get(player) if turn else None for player in range(n_players)]
    return tuple(tuple(answer.output) if answer else () for answer in parts)


def _added(frame: Frame, table: FrameTable) -> DrawnFrame:
    return DrawnFrame(frame, table.add(frame))


def _draw(log: Log, contest: Contest, table: FrameTable, turn: Turn, line: int) -> DrawnFrame:
    return drawn_frame(contest, table, turn, f"drawing line {line} of {log.source}")


def drawn_frame(contest: Contest, table: FrameTable, turn: Turn, doing: str) -> DrawnFrame:
    """Returns the frame of a turn, drawn by the contest.

    doing: a description of the action, for errors. Raises ContestError if the contest cannot draw
    the turn, or exceeds the bounds, as it may with a damaged log.
    """
    try:
        with own_errors(contest.name, doing), bounded():
            frame = contest.render(turn)
            if not all(abs(edge) <= MOST for edge in frame.bounds):
                raise ValueError(f"the bounds of a frame are {frame.bounds}")
            return _added(frame, table)
    except (
        *(AttributeError, LookupError, RecursionError, TypeError, ValueError),
        BoundsExceeded,
    ) as error:
        raise ContestError(f"{contest.title}: {doing}: {error}") from error


def encode_island(data: Any) -> str:
    """Returns `data` as JSON that no text in it can end: HTML recognises `</script` and `<!--`
    anywhere.
    """
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def read_script(path: Path) -> str:
    """Returns a script without its comments, which are a tenth of a page."""
    return COMMENT.sub("", _read(path))


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
