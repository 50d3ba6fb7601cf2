"""The page of a review: the value of each turn, and the turns that lost most, with links.

The board of a listed turn shows the position before the turn, and how the action played and the
missed action change it.
"""

from pathlib import Path
from typing import Any

from referee.errors import UsageError
from referee.explore.page import MOST_DRAWN, Boards
from referee.explore.review import PHASES, Loss, Lost, Results, ReviewedGame, describe_lost
from referee.page.expected import other_states
from referee.page.frames import FrameTable
from referee.page.page import ASSETS, encode_island, load_template, read_script
from referee.play.trust import contest_of_log
from shared.core.contest import Contest

HERE = Path(__file__).parent / "assets"
STYLES = (ASSETS / "page.css", HERE / "review.css")
SCRIPTS = (
    *(ASSETS / f"{name}.js" for name in ("picture", "elements", "theme")),
    HERE / "review.js",
)
MOST_LISTED = 200


def write_review_page(
    path: Path,
    games: list[ReviewedGame],
    results: Results,
    all_losses: list[Loss],
    lost: dict[str, Lost],
    factor: float,
    trust: bool = False,
) -> None:
    """Write the page. Raises OSError.

    trust: permits the board of a contest from outside this installation.
    """
    page = load_template(HERE / "review.html").render(
        style="\n".join(file.read_text(encoding="utf-8") for file in STYLES),
        data=encode_island(page_data(path, games, results, all_losses, lost, factor, trust)),
        script="\n".join(map(read_script, SCRIPTS)),
    )
    path.write_text(page, encoding="utf-8")


def page_data(
    path: Path,
    games: list[ReviewedGame],
    results: Results,
    all_losses: list[Loss],
    lost: dict[str, Lost],
    factor: float,
    trust: bool = False,
) -> dict[str, Any]:
    """Returns the data of the page, as plain JSON; parameters as for `write_review_page`."""
    by_name = {game.name: game for game in games}
    listed, table = all_losses[:MOST_LISTED], FrameTable()
    colours: tuple[int, ...] = ()
    frames: dict[tuple[str, int], list[int | None]] = {}
    problems = []
    for game in games:
        try:
            contest = contest_of_log(game.log, trust)
            boards = Boards(contest, game.log.header.n_players, table)
            of_game = [loss for loss in listed if loss.game == game.name]
            frames |= frames_of(game, contest, of_game, boards, MOST_DRAWN / len(games))
            colours = contest.colours
        except UsageError as error:
            problems.append(f"{game.name} has no board: {error}")
    curves = {}
    for game in games:
        turns = sorted(turn for name, turn in results if name == game.name)
        curves[game.name] = [
            [turn, agent["value"], agent["value_seen"]]
            for turn in turns
            for agent in results[game.name, turn]["agents"][:1]
            if agent["value"] is not None
        ]
    return {
        "title": games[0].log.header.title,
        "bot": games[0].log.header.bots[games[0].player].name,
        "factor": factor,
        "colours": list(colours),
        "problems": problems,
        "schemas": table.schemas,
        "rows": table.rows,
        "games": [
            {
                "name": game.name,
                "player": game.player,
                "source": game.log.source,
                "page": page_of(path, game),
                "curve": curves[game.name],
                "lost": describe_lost(verdict) if (verdict := lost.get(game.name)) else None,
            }
            for game in games
        ],
        "phases": [
            [phase, sum(loss.loss for loss in all_losses if loss.phase == phase and loss.is_other)]
            for phase in PHASES
        ],
        "losses": [
            {
                "game": loss.game,
                "player": by_name[loss.game].player,
                "turn": loss.turn,
                "phase": loss.phase,
                "agent": loss.agent,
                "played": loss.played,
                "best": loss.best,
                "value": loss.value,
                "value_played": loss.value_played,
                "loss": loss.loss,
                "other": loss.is_other,
                "lost": loss.is_lost,
                "frames": frames.get((loss.game, loss.turn), []),
            }
            for loss in listed
        ],
    }


def frames_of(
    game: ReviewedGame, contest: Contest, listed: list[Loss], boards: Boards, most: float
) -> dict[tuple[str, int], list[int | None]]:
    """Returns, by (game, listed turn), the rows of the frames before the turn, after it, and after
    the better action; None for an unknown state.

    most: the number of drawn characters from which on turns are left out. Raises ContestError.
    """
    header, turns = game.log.header, game.log.turns
    answers = {loss.turn: loss.best for loss in listed if loss.is_other}
    others = other_states(game.log, contest, game.player, answers)
    frames: dict[tuple[str, int], list[int | None]] = {}
    for turn in {loss.turn for loss in listed}:
        before = turns[turn - 1].state if turn else header.state
        if before is None or boards.size > most:
            continue
        states = (before, turns[turn].state, others.get(turn))
        frames[game.name, turn] = [
            None if state is None else boards.draw(header.setup, before, state) for state in states
        ]
    return frames


def page_of(path: Path, game: ReviewedGame) -> str:
    """Returns the address of a game's match page, as `onefile view` writes it, relative to the
    review's page if it lies below the review's folder.
    """
    page = Path(game.log.source).with_suffix(".html")
    try:
        return page.resolve().relative_to(path.resolve().parent).as_posix()
    except ValueError:
        return page.resolve().as_uri()
