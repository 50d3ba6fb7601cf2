"""The page of a bot's searches: their trees, nodes with the board, and their values as they grow.

It is one HTML file, without network, made from the data of `explore.py`. It contains the heaviest
nodes of each tree, and the boards of the heaviest nodes.
"""

from pathlib import Path
from typing import Any

from referee.log.records import Log
from referee.page.frames import FrameTable
from referee.page.page import ASSETS, drawn_frame, encode_island, load_template, read_script
from shared.core.contest import Contest
from shared.core.drawing.shapes import Turn

HERE = Path(__file__).parent / "assets"
STYLES = (ASSETS / "page.css", HERE / "explore.css")
SCRIPTS = (
    *(ASSETS / f"{name}.js" for name in ("picture", "elements", "theme")),
    *(HERE / f"{name}.js" for name in ("trees", "looks", "explore")),
)
# Characters of all drawn rows; the rest of 5 MB is for the trees.
MOST_DRAWN = 2_500_000

Data = dict[str, Any]


class Boards:
    """Draws positions by the contest's render, up to MOST_DRAWN characters."""

    def __init__(self, contest: Contest, n_players: int, table: FrameTable | None = None) -> None:
        self.contest, self.silence = contest, ((),) * n_players
        self.table = FrameTable() if table is None else table
        self.size = 0
        self.bounds: tuple[float, float, float, float] | None = None

    def add(self, scenes: list[Any], parents: list[int]) -> dict[int, int]:
        """Returns the rows of the frames of a tree's nodes, by node.

        scenes: [node, setup, snapshot] for each node with a position. parents: the parent of each
        node.
        """
        known = {index: snapshot for index, _, snapshot in scenes}
        rows = {}
        for index, setup, snapshot in scenes:
            if self.size > MOST_DRAWN:
                break
            before = known.get(parents[index], snapshot)
            rows[index] = self.draw(setup, before, snapshot)
        return rows

    def add_logged(self, log: Log, turn: int) -> dict[int, int]:
        """Draw the position before a logged turn, for node 0, a tree's root.

        Returns {0: the row of its frame}; {} if the log does not contain the position.
        """
        before = log.header.state if turn == 0 else log.turns[turn - 1].state
        if before is None:
            return {}
        return {0: self.draw(log.header.setup, before, before)}

    def draw(self, setup: Any, before: Any, after: Any) -> int:
        """Returns the row of the frame of a position. before, after: the snapshots before and after
        a turn.
        """
        n_rows = len(self.table)
        turn = Turn(setup, before, after, self.silence)
        doing = "drawing a position of a search"
        frame, row = drawn_frame(self.contest, self.table, turn, doing)
        self.bounds = self.bounds or frame.bounds
        self.size += 60 * (len(self.table) - n_rows) + 5 * len(frame.shapes)
        return row


def write_explore_page(
    path: Path,
    log: Log,
    contest: Contest,
    player: int,
    turn: int,
    searches: list[Data],
    notes: list[str],
) -> None:
    """Write the page of some searches. Raises ContestError if a position cannot be drawn, and
    OSError.

    searches: results of `search_data` in `inspector.py`, each with a "title". notes: lines of text
    above the searches.
    """
    data = page_data(log, contest, player, turn, searches, notes)
    page = load_template(HERE / "explore.html").render(
        style="\n".join(map(_read, STYLES)),
        data=encode_island(data),
        script="\n".join(map(read_script, SCRIPTS)),
    )
    path.write_text(page, encoding="utf-8")


def page_data(
    log: Log,
    contest: Contest,
    player: int,
    turn: int,
    searches: list[Data],
    notes: list[str],
) -> Data:
    """Returns the data of the page, as plain JSON.

    `frames` of a tree are pairs [node, index of the node's frame in `rows`].
    """
    boards = Boards(contest, log.header.n_players)
    has_scenes = any(tree["scenes"] for search in searches for tree in search["trees"])
    shown = []
    for search in searches:
        trees = []
        for tree in search["trees"]:
            parents = [columns[0] for columns in tree["nodes"]]
            frames = boards.add(tree["scenes"], parents)
            if not has_scenes and "play" not in search:
                frames = boards.add_logged(log, turn)
            trees.append(
                {key: value for key, value in tree.items() if key != "scenes"}
                | {"frames": list(frames.items())}
            )
        shown.append({**search, "trees": trees})
    return {
        "title": contest.title,
        "player": player,
        "bot": log.header.bots[player].name,
        "colours": [contest.colours[number] for number in range(log.header.n_players)],
        "isLogged": not has_scenes,
        "searches": shown,
        "notes": notes,
        "bounds": boards.bounds,
        "schemas": boards.table.schemas,
        "rows": boards.table.rows,
    }


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
