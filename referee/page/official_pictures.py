"""The official pictures of a match: a contest's own viewer, which the page shows in a frame.

The viewer's file contains all that the viewer loads, since a browser gives a page from the disk no
access to other files: the scripts as `data:` URLs of an import map, the pictures as data. The page
sends the viewer messages with the moment to draw, and receives errors and keys
(`assets/official.js`). The contest's scripts run in a sandbox, without network.
"""

import base64
import json
import zlib
from typing import Any, NamedTuple

from referee.errors import UsageError
from referee.log.records import Log
from referee.official.failures import texts_of
from referee.official.view import DRAWER, FOLDER, Viewer
from referee.play.leader import leader_of
from referee.sources.bots import distinct_names

MOST_BYTES = 20_000_000  # the greatest size of a frame


class Pictures(NamedTuple):
    """A page of pictures beside the match page.

    text: HTML. shown: for each game, the number of its frames up to the start and up to each turn.
    by_step: True for a page of Kaggle's, which shows one frame at each step.
    """

    text: str
    shown: list[list[int]]
    by_step: bool = False


class GameFrames(NamedTuple):
    """The engine's frames of a game.

    views: JSON texts. shown: the number of frames up to the start and up to each turn of the match.
    """

    views: list[str]
    shown: list[int]


def games_of(log: Log) -> list[GameFrames]:
    """Returns the frames of each game of a match: of one game, or in a contest for one player of
    one game for each bot. Raises UsageError for a log without frames.
    """
    views = [list(map(_unpacked, texts_of(log.header.state, "view")))]
    views += [list(map(_unpacked, texts_of(turn.state, "view"))) for turn in log.turns]
    if not leader_of(log.header.conditions).reports or not views[0]:
        raise UsageError(
            f"{log.source}: it has no official pictures: play a match with --official, without"
            " --option view=off"
        )
    if len(views[0]) == 1:
        return [_game(views)]
    games = []
    for player, first in enumerate(views[0]):
        # The frames of a turn are those of the games that go on, in the order of the players.
        own_frames = [
            [frame for number, frame in zip(sorted(turn.players), some) if number == player]
            for turn, some in zip(log.turns, views[1:])
        ]
        games.append(_game([[first], *own_frames]))
    return games


def viewer_data(viewer: Viewer, log: Log, games: list[GameFrames]) -> dict[str, Any]:
    """Returns the data of the viewer's file as plain JSON.

    `imports` is an import map, `files` and `library` are in base64.
    """
    names = distinct_names(log.header.bots)
    return {
        "title": f"{log.header.title}: official pictures",
        "drawer": FOLDER + DRAWER,
        "imports": {
            FOLDER + name: f"data:text/javascript;charset=utf-8;base64,{_base64(text.encode())}"
            for name, text in viewer.modules.items()
        },
        "library": _base64(viewer.library.encode()),
        "assets": viewer.assets,
        "files": {name: _base64(data) for name, data in viewer.files.items()},
        "games": [game.views for game in games],
        "names": [names] if len(games) == 1 else [[name] for name in names],
    }


def _game(views: list[list[str]]) -> GameFrames:
    shown, n_views = [], 0
    for some in views:
        n_views += len(some)
        shown.append(n_views)
    return GameFrames([frame for some in views for frame in some], shown)


def _unpacked(text: str) -> str:
    """Returns a frame stored in a log (`referee/official/match.py`), "{}" for a damaged frame."""
    try:
        packed = zlib.decompressobj()
        view = packed.decompress(base64.b85decode(text), MOST_BYTES).decode(errors="replace")
        json.loads(view)
        return view
    except (ValueError, zlib.error, RecursionError):
        return "{}"


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
