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
    found: list[Loss],
    lost: dict[str, Lost],
    factor: float,
) -> None:
    """Write the page. Raises OSError."""
    page = load_template(HERE / "review.html").render(
        style="\n".join(one.read_text(encoding="utf-8") for one in STYLES),
        data=encode_island(page_data(path, games, results, found, lost, factor)),
        script="\n".join(map(read_script, SCRIPTS)),
    )
    path.write_text(page, encoding="utf-8")


def page_data(
    path: Path,
    games: list[ReviewedGame],
    results: Results,
    found: list[Loss],
    lost: dict[str, Lost],
    factor: float,
) -> dict[str, Any]:
    """Returns the data of the page, as plain JSON."""
    by_name = {game.name: game for game in games}
    curves = {}
    for game in games:
        turns = sorted(turn for name, turn in results if name == game.name)
        curves[game.name] = [
            [turn, one["value"], one["value_seen"]]
            for turn in turns
            for one in results[game.name, turn]["agents"][:1]
            if one["value"] is not None
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
            [phase, sum(one.loss for one in found if one.phase == phase and one.is_other)]
            for phase in PHASES
        ],
        "losses": [
            {
                "game": one.game,
                "player": by_name[one.game].player,
                "turn": one.turn,
                "phase": one.phase,
                "agent": one.agent,
                "played": one.played,
                "best": one.best,
                "value": one.value,
                "value_played": one.value_played,
                "loss": one.loss,
                "other": one.is_other,
                "lost": one.is_lost,
            }
            for one in found[:MOST_LISTED]
        ],
    }


def page_of(path: Path, game: ReviewedGame) -> str:
    """Returns the address of a game's match page, from the review's; `onefile view` writes it."""
    page = Path(game.log.source).with_suffix(".html")
    try:
        return page.resolve().relative_to(path.resolve().parent).as_posix()
    except ValueError:
        return page.resolve().as_uri()
