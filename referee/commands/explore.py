"""`python -m referee explore` and `python -m referee review`."""

import os
import re
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from referee.commands.options.common import (
    LogFile,
    Trust,
    describe_file,
    output_path,
    page_option,
    warn,
)
from referee.commands.replay import Player, check_turn, find_player, new_table
from referee.errors import UsageError
from referee.explore.explore import explore as explored
from referee.explore.page import write_explore_page
from referee.explore.review import PHASES, Loss, ReviewedGame, describe_lost, losses, shown_value
from referee.explore.review import review as reviewed
from referee.explore.review_page import write_review_page
from referee.log.file import read_log
from referee.log.records import Log
from referee.play.trust import bot_of_log, contest_of_log
from referee.status_line import status_line
from referee.terminal import plain, say

# Characters of a column of the review's table.
MOST_WORDS = 22
NODES = re.compile(r"(\d{1,4}(?:\.\d{1,3})?)x|(\d{1,12})", re.ASCII)

OwnBot = Annotated[
    str | None,
    typer.Option(
        metavar="BOT",
        help="The source of the bot, bots/CONTEST/NAME.py; without it the logged one.",
    ),
]
NodesText = Annotated[
    str,
    typer.Option(
        metavar="N",
        help="Nodes of the search, as a multiple of the logged ones (10x) or as a number.",
    ),
]


def explore(
    log: LogFile,
    turn: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="The turn to look into; turns count from 0."),
    ],
    player: Player = None,
    bot: OwnBot = None,
    play: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ACTION",
            help="Search the position after this action for as long again, in the words of the"
            " contest; may be given several times.",
        ),
    ] = None,
    nodes: NodesText = "1x",
    page: Annotated[
        Path | None, page_option("LOG with .turnN.html for its suffix", typer.Option)
    ] = None,
    trust: Trust = False,
) -> None:
    """Repeat a turn exactly and write a page with the tree of its search.

    The page shows each node's visits, value, prior and bound, its position on the contest's board,
    and the expected line. A chart shows how the values of the actions changed while the search ran.
    It needs a bot of your own that uses a search of `shared/search`: its source runs, compiled by
    numba.

    With --play the page shows the searches after other actions beside it, with --nodes 10x the
    choice that ten times the nodes would make.

    Examples:

    ```sh
    onefile explore match.jsonl --player 0 --turn 20
    onefile explore match.jsonl --turn 20 --play "4 4" --play "1 1"
    onefile explore match.jsonl --turn 20 --nodes 10x -o deeper.html
    ```
    """
    logged = read_log(log)
    contest = contest_of_log(logged, trust)
    player = find_player(logged, log, player)
    check_turn(logged, log, player, turn)
    named = own_bot(logged, player, bot, trust)
    page = output_path(page, log, f".turn{turn}.html", "page")
    logged_nodes = dict(logged.of_player(player))[turn].nodes
    factor = read_nodes(nodes, logged_nodes)
    first, *others = explored(logged, player, turn, named, factor, tuple(play or ()))
    answer = " | ".join(first["answer"])
    searches = [{"title": f"turn {turn}: {answer}", **search} for search in first["searches"]]
    searches += [{"title": f"after {search['play']}", **search} for search in others]
    notes = list(notes_on(first))
    for note in notes:
        (warn if note.startswith("turn") else say)(note)
    for search in searches:
        say(f"{search['title']}: {describe_search(search)}")
    write_explore_page(page, logged, contest, player, turn, searches, notes)
    say(describe_file(page))


def own_bot(log: Log, player: int, bot: str | None, trust: bool) -> str:
    """Returns the bot whose search is shown: `bot`, or else the logged bot. Raises UsageError if an
    imported game needs `bot`, and Untrusted for a logged bot from elsewhere.
    """
    entry = log.header.bots[player]
    if not bot and not entry.bot:
        raise UsageError(
            f"{log.source}: an imported game does not name its bots, and a stranger's search is not"
            " in its log: give a bot of your own with --bot"
        )
    return bot or bot_of_log(log, entry, trust)


def read_nodes(text: str, logged: int | None) -> float:
    """Returns `--nodes` as a multiple of the logged nodes. Raises BadParameter."""
    match = NODES.fullmatch(text)
    number = float(match[1] or match[2]) if match else 0.0
    if match is None or number <= 0.0:
        raise typer.BadParameter(
            f"{text!r}: a multiple as in 10x, or a number of nodes.", param_hint="'--nodes'"
        )
    return number if match[1] else number / max(logged or 1, 1)


def notes_on(review: dict[str, Any]) -> list[str]:
    """Returns lines that compare the repeated turn with the logged one."""
    answer, logged = (" | ".join(review[key] or []) for key in ("answer", "logged"))
    nodes = round(review["nodes"] * review["factor"])
    notes = []
    if review["differs"] is not None:
        notes.append(f"turn {review['differs']} was answered differently: the bot is another one")
    if review["factor"] != 1.0:
        verdict = "plays the same" if review["same"] else f"plays {answer} instead of {logged}"
        notes.append(f"with {nodes:,} nodes instead of {review['nodes']:,} it {verdict}")
    elif review["same"]:
        notes.append(f"the answer is as logged, {answer}, after {nodes:,} nodes")
    elif review["same"] is False:
        notes.append(f"the answer is {answer}, the logged one {logged}: the bot is another one")
    return notes


def describe_search(search: dict[str, Any]) -> str:
    """Returns the value and the expected line of a search as text."""
    value = search["value"]
    # A mean that is 0 by rights has a rounding error.
    shown = "no value" if value is None else f"value {0.0 if abs(value) < 1e-12 else value:.3g}"
    line = next(tree["line"] for tree in search["trees"] if tree["own"])
    return f"{shown}, expects {', '.join(line[:8]) or 'nothing'}"


def review(
    place: Annotated[
        Path, typer.Argument(metavar="LOG|DIR", help="A log, or a folder of logs (*.jsonl).")
    ],
    player: Player = None,
    bot: OwnBot = None,
    nodes: Annotated[
        float,
        typer.Option(
            "--nodes",
            min=1.0,
            max=1000.0,
            metavar="K",
            help="Search K times the nodes that the log says.",
        ),
    ] = 10.0,
    worst: Annotated[
        int, typer.Option(min=1, metavar="N", help="The number of turns to list.")
    ] = 10,
    workers: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Processes at once; as many as cores by default."),
    ] = None,
    page: Annotated[
        Path | None, page_option("LOG with .review.html for its suffix", typer.Option)
    ] = None,
    trust: Trust = False,
) -> None:
    """Search every turn of a game again with ten times the nodes, and list the mistakes.

    A turn is listed if the longer search plays a better action, or if the value falls by the next
    turn; the worst come first. A folder gets a summary: in which phase its games lose value.
    A lost game of two players in turns is walked back by proofs: the turn that lost it is named.
    Without --player the loser is reviewed, or the player whose bot is --bot.

    Results are kept beside the log, in a file ending in .review.jsonl: an interrupted review goes
    on there, and one that is complete is shown at once.

    Examples:

    ```sh
    onefile review match.jsonl --player 0
    onefile review games --bot bots/infexion/mcts.py --nodes 20
    ```
    """
    games = find_games(place, player, bot, trust)
    n_processes = workers or len(os.sched_getaffinity(0))
    base = place if place.is_file() else place / "games.jsonl"
    store = base.with_suffix(".review.jsonl")
    with status_line() as status:
        results, lost = reviewed(games, nodes, store, n_processes, status.show)
    review = losses(games, results, lost)
    print_review(games, review, results, worst, nodes)
    for game in games:
        if verdict := lost.get(game.name):
            say(f"{plain(game.name)}: it {plain(describe_lost(verdict))}")
    page = output_path(page, base, ".review.html", "page")
    write_review_page(page, games, results, review, lost, nodes, trust)
    say(describe_file(page))


def find_games(place: Path, player: int | None, bot: str | None, trust: bool) -> list[ReviewedGame]:
    """Returns the games of a log or of a folder of logs. Raises UsageError if there are none."""
    if place.is_dir():
        files = sorted(file for file in place.glob("*.jsonl") if ".review" not in file.suffixes)
        if not files:
            raise UsageError(f"{place}: no logs: `match --log` and `arena --logs` write them")
    else:
        files = [place]
    games = []
    for file in files:
        logged = read_log(file)
        seat = seat_to_review(logged, player, bot)
        seat = find_player(logged, file, seat)
        games.append(ReviewedGame(file.stem, logged, seat, own_bot(logged, seat, bot, trust)))
    return games


def seat_to_review(log: Log, player: int | None, bot: str | None) -> int | None:
    """Returns the given player. Without one, returns the last-placed player of the bot, or of all
    if the bot did not play; without an outcome the first of these players; None if nobody was
    asked.
    """
    if player is not None:
        return player
    asked = [seat for seat in range(log.header.n_players) if log.of_player(seat)]
    seats_of_bot = [seat for seat in asked if bot and log.header.bots[seat].bot == bot] or asked
    if log.outcome is None or not seats_of_bot:
        return seats_of_bot[0] if seats_of_bot else None
    ranks = log.outcome.ranks
    return max(seats_of_bot, key=lambda seat: ranks[seat])


def print_review(
    games: list[ReviewedGame],
    listed: list[Loss],
    results: dict[tuple[str, int], dict[str, Any]],
    worst: int,
    factor: float,
) -> None:
    """Print the worst turns, the summary of several games, and the command that explores the worst
    turn.
    """
    table = new_table("turn")
    if len(games) > 1:
        table = new_table("game", "turn")
        table.columns[0].no_wrap = True
    for title in ("phase", "played", "value", "better", "value", "loss"):
        # In a narrow terminal actions take more lines, and numbers stay whole.
        is_action = title in ("played", "better")
        table.add_column(title, justify="right", no_wrap=not is_action, max_width=MOST_WORDS)
    for loss in listed[:worst]:
        table.add_row(
            *([escape(plain(loss.game))] if len(games) > 1 else []),
            str(loss.turn),
            loss.phase,
            escape(plain(loss.played)),
            shown_value(loss.value_played),
            escape(plain(loss.best)) if loss.is_other else "none",
            shown_value(loss.value),
            shown_value(loss.loss),
        )
    Console().print(table)
    n_other = sum(loss.is_other for loss in listed)
    say(f"{len(results)} turns with {factor:g} times the nodes: a better action in {n_other}")
    unsure = sorted({name for (name, _), result in results.items() if not result["agrees"]})
    if unsure:
        say(
            f"the bot plays otherwise now in {len(unsure)} of {len(games)} games; it was led along"
            " the logged ones"
        )
    if len(games) > 1:
        for phase in PHASES:
            lost = sum(loss.loss for loss in listed if loss.phase == phase and loss.is_other)
            say(f"{phase}: {shown_value(lost / len(games))} lost a game by worse actions")
    if listed:
        first = next(game for game in games if game.name == listed[0].game)
        say(
            f"look into the worst: onefile explore {first.log.source} --player {first.player}"
            f" --turn {listed[0].turn} --nodes {factor:g}x"
        )
