"""The page of a review: the value of each turn, and the turns that lost most, with links."""

from pathlib import Path
from typing import Any

from referee.explore.review import PHASES, Loss, Lost, Results, ReviewedGame, describe_lost
from referee.page.page import ASSETS, encode_island, load_template, read_script

HERE = Path(__file__).parent / "assets"
STYLES = (ASSETS / "page.css", HERE / "review.css")
SCRIPTS = (ASSETS / "elements.js", ASSETS / "theme.js", HERE / "review.js")
MOST_LISTED = 200


def write_review_page(
    path: Path,
    games: list[ReviewedGame],
    results: Results,
    all_losses: list[Loss],
    lost: dict[str, Lost],
    factor: float,
) -> None:
    """Write the page. Raises OSError."""
    page = load_template(HERE / "review.html").render(
        style="\n".join(file.read_text(encoding="utf-8") for file in STYLES),
        data=encode_island(page_data(path, games, results, all_losses, lost, factor)),
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
) -> dict[str, Any]:
    """Returns the data of the page, as plain JSON."""
    by_name = {game.name: game for game in games}
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
            }
            for loss in all_losses[:MOST_LISTED]
        ],
    }


def page_of(path: Path, game: ReviewedGame) -> str:
    """Returns the address of a game's match page, from the review's; `onefile view` writes it."""
    page = Path(game.log.source).with_suffix(".html")
    try:
        return page.resolve().relative_to(path.resolve().parent).as_posix()
    except ValueError:
        return page.resolve().as_uri()
