"""Finds the mistakes of games: every turn is searched again with more nodes, in several processes.

Then, if positions of a lost game can be proven lost, the game is walked back from its end: the last
turn whose position is not proven lost is the turn that lost the game.

Results are kept in a file, one line for each turn, so that an interrupted review can continue.
Lines of other bots, logs or numbers of nodes are ignored.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.explore.explore import check_contest, check_end, inspecting, logged_turns, source_of
from referee.log.file import log_lines
from referee.log.records import Log
from referee.sources.bots import content_hash

POLL_S = 0.2
PHASES = ("opening", "middle", "end")
# Results of other versions of the inspector are not used.
VERSION = "2"
# The least value of a proven win, in searches whose values have no bounds.
WON = 1e98

# By game and turn
Results = dict[tuple[str, int], dict[str, Any]]
# The turn that lost a game, as `lost_turn` of the inspector tells it
Lost = dict[str, Any] | None


@dataclass(frozen=True)
class ReviewedGame:
    """A log to review. name: the game's name in results. player: the reviewed player. bot: the path
    of the bot's source as typed.
    """

    name: str
    log: Log
    player: int
    bot: str


@dataclass(frozen=True)
class Loss:
    """A turn in which value was lost."""

    game: str
    turn: int
    # The part of the game that was played, 0 to 1.
    part: float
    agent: str
    # The action played, and the best action by the long search, as texts.
    played: str
    best: str
    # Values of these two by the long search.
    value: float
    value_played: float
    # The value that the bot itself reported, or None.
    value_seen: float | None
    # After the best action: the value of this turn less that of the next turn.
    fall: float
    # All positions from the next turn on are proven lost, and this turn's position is not.
    is_lost: bool = False

    @property
    def is_other(self) -> bool:
        """True if the long search plays another action of a higher value.

        Its most visited action may have a lower mean than the action played.
        """
        return self.played != self.best and limited(self.value) > limited(self.value_played)

    @property
    def loss(self) -> float:
        if not self.is_other:
            return self.fall
        return limited(self.value) - limited(self.value_played)

    @property
    def phase(self) -> str:
        return PHASES[min(int(self.part * len(PHASES)), len(PHASES) - 1)]


def limited(value: float) -> float:
    """Returns a value for comparisons: where scores have no bounds, a proven win or loss counts as
    1e4 or -1e4.
    """
    return value if abs(value) < WON else 1e4 * (1 if value > 0 else -1)


def key_of(game: ReviewedGame, factor: float) -> str:
    """Returns a hash of all that a result depends on: the log, the player, the bot, the factor of
    nodes.
    """
    source, parameters = source_of(game.bot)
    made_of = sorted(source.parent.glob("*.py"))
    parts = [VERSION, content_hash(made_of), parameters, str(game.player), f"{factor:g}"]
    parts.append(hashlib.sha256(log_lines(game.log)).hexdigest())
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def read_store(store: Path, keys: dict[str, str]) -> tuple[Results, dict[str, Lost]]:
    """Returns the stored results by (game, turn), and the stored turns that lost games by game.

    keys: the key of each game; results with another key are ignored.
    """
    results: Results = {}
    lost: dict[str, Lost] = {}
    if not store.is_file():
        return results, lost
    for line in store.read_text(encoding="utf-8").splitlines():
        try:
            result = json.loads(line)
            if keys.get(result["game"]) != result["key"]:
                continue
            if "lost" in result:
                lost[result["game"]] = result["lost"]
            else:
                results[result["game"], int(result["turn"])] = result
        except (ValueError, LookupError, TypeError, AttributeError):
            continue  # half a line of an interrupted review
    return results, lost


def review(
    games: list[ReviewedGame],
    factor: float,
    store: Path,
    n_processes: int,
    on_progress: Callable[[str], None] = lambda text: None,
) -> tuple[Results, dict[str, Lost]]:
    """Review games, and keep the results in `store`. Returns all results by (game, turn), and by
    lost game the turn that lost it, or None if no position is proven lost.

    on_progress: is called with a text. Raises UsageError if a bot cannot be inspected.
    """
    for game in games:
        check_contest(game.log, game.bot)
    keys = {game.name: key_of(game, factor) for game in games}
    results, lost = read_store(store, keys)
    all_turns = [
        (game.name, turn) for game in games for turn, *_ in logged_turns(game.log, game.player)
    ]

    def tell_turns() -> None:
        on_progress(f"{len(results)} of {len(all_turns)} turns reviewed")

    def take_turn(result: dict[str, Any]) -> None:
        results[result["game"], result["turn"]] = result
        tell_turns()

    tell_turns()
    open_turns = [turn for turn in all_turns if turn not in results]
    shares = [
        (bot, requests(games, bot, set(share)))
        for bot in sorted({game.bot for game in games})
        for share in shared_out(
            [turn for turn in open_turns if bot_of(games, turn[0]) == bot], n_processes
        )
    ]
    work = {"work": "review", "factor": factor}
    run_inspectors(work, shares, store, keys, take_turn)

    to_prove = [
        game for game in games if game.name not in lost and is_lost_and_provable(game, results)
    ]

    def tell_games() -> None:
        n_done = sum(game.name in lost for game in to_prove)
        on_progress(f"{n_done} of {len(to_prove)} lost games walked back")

    def take_game(result: dict[str, Any]) -> None:
        lost[result["game"]] = result["lost"]
        tell_games()

    if to_prove:
        tell_games()
    shares = [
        (bot, [walk_of(game, results) for game in share])
        for bot in sorted({game.bot for game in to_prove})
        for share in shared_out([game for game in to_prove if game.bot == bot], n_processes)
    ]
    run_inspectors({**work, "work": "lost"}, shares, store, keys, take_game)
    return results, lost


def bot_of(games: list[ReviewedGame], name: str) -> str:
    return next(game.bot for game in games if game.name == name)


def shared_out(items: list[Any], n_processes: int) -> list[list[Any]]:
    """Returns the items in at most `n_processes` lists of similar length."""
    n = min(n_processes, len(items))
    return [items[number::n] for number in range(n)]


def run_inspectors(
    work: dict[str, Any],
    shares: list[tuple[str, list[dict[str, Any]]]],
    store: Path,
    keys: dict[str, str],
    on_result: Callable[[dict[str, Any]], None],
) -> None:
    """Run a process for each share, (bot, games of its request), and append the results to the
    store.

    on_result: is called with each result. Raises UsageError if a bot cannot be inspected.
    """
    if not shares:
        return
    with ExitStack() as stack, store.open("a", encoding="utf-8") as kept:
        tails: list[Tail] = []
        for bot, games in shares:
            unfinished = store.with_name(f".{store.name}.{os.getpid()}.{len(tails)}")
            stack.callback(unfinished.unlink, missing_ok=True)
            process = stack.enter_context(inspecting({**work, "games": games}, bot, unfinished))
            tails.append(Tail(unfinished, process, bot))
        running = list(tails)
        while running:
            time.sleep(POLL_S)
            ended = [tail for tail in running if tail.process.poll() is not None]
            for tail in running:
                for result in tail.new_results():
                    result["key"] = keys[result["game"]]
                    kept.write(json.dumps(result) + "\n")
                    kept.flush()
                    on_result(result)
            for tail in ended:
                check_end(tail.process, tail.bot)
                running.remove(tail)


def is_lost_and_provable(game: ReviewedGame, results: Results) -> bool:
    """Returns True if the player lost, and positions of the game can be proven lost."""
    outcome = game.log.outcome
    if outcome is None or outcome.ranks[game.player] == min(outcome.ranks):
        return False
    return any(result.get("provable") for (name, _), result in results.items() if name == game.name)


def walk_of(game: ReviewedGame, results: Results) -> dict[str, Any]:
    """Returns the request for the turn that lost a game.

    Its `known` is the first turn from which on the long search proves each position lost, or None.
    """
    known = None
    for turn, *_ in reversed(logged_turns(game.log, game.player)):
        agents = results[game.name, turn]["agents"]
        if agents and not (agents[0]["proven"] and agents[0]["value"] < 0):
            break
        known = turn if agents else known  # without a search a plan or a proven value is played
    return {**request_of(game), "known": known}


def requests(
    games: list[ReviewedGame], bot: str, asked: set[tuple[str, int]]
) -> list[dict[str, Any]]:
    """Returns the games of a bot for a request to the inspector, each with its turns to review.

    asked: all turns to review, as (game, turn).
    """
    requests = []
    for game in games:
        turns = sorted(turn for name, turn in asked if name == game.name)
        if game.bot == bot and turns:
            requests.append({**request_of(game), "asked": turns})
    return requests


def request_of(game: ReviewedGame) -> dict[str, Any]:
    turns = logged_turns(game.log, game.player)
    seat = {"player": game.player, "n_players": game.log.header.n_players}
    return {"name": game.name, "turns": turns, **seat}


class Tail:
    """Reads the results that a process appends to its file."""

    def __init__(self, path: Path, process: Any, bot: str) -> None:
        self.path, self.process, self.bot = path, process, bot
        self.place = 0

    def new_results(self) -> list[dict[str, Any]]:
        """Returns the results in the complete lines since the last call."""
        if not self.path.exists():
            return []
        with self.path.open("rb") as file:
            file.seek(self.place)
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        self.place += len(whole)
        return [json.loads(line) for line in whole.splitlines()]


def losses(games: Iterable[ReviewedGame], results: Results, lost: dict[str, Lost]) -> list[Loss]:
    """Returns the turns that lost value, the worst first.

    The turns that lost games come before all other turns; later turns of these games are left out.
    """
    losses_of_all = []
    for game in games:
        turns = [turn for turn, *_ in logged_turns(game.log, game.player)]
        last = max(turns, default=0) or 1
        verdict = lost.get(game.name)
        for turn, following in zip(turns, [*turns[1:], None]):
            if verdict and turn >= verdict["turn"]:
                break
            later = results.get((game.name, following if following is not None else -1))
            for i, agent in enumerate(results.get((game.name, turn), {}).get("agents", [])):
                losses_of_all.append(loss_of(game.name, turn, turn / (last + 1), agent, later, i))
        if verdict:
            losses_of_all.append(lost_at(game.name, verdict, verdict["turn"] / (last + 1)))
    return sorted(
        (loss for loss in losses_of_all if loss is not None and (loss.loss > 0.0 or loss.is_lost)),
        # Of equal losses the earlier one decided the game.
        key=lambda loss: (not loss.is_lost, -loss.loss, loss.turn),
    )


def lost_at(name: str, verdict: dict[str, Any], progress: float) -> Loss:
    """Returns the loss of the turn that lost a game."""
    return Loss(
        name,
        verdict["turn"],
        progress,
        verdict["agent"],
        verdict["played"],
        verdict["best"],
        verdict["value"],
        verdict["value_played"],
        None,
        0.0,
        is_lost=True,
    )


def loss_of(
    name: str,
    turn: int,
    progress: float,
    agent: dict[str, Any],
    later: dict[str, Any] | None,
    i: int,
) -> Loss | None:
    """Returns the loss of an agent's turn, None for a turn without values."""
    value, played = agent["value"], agent["value_played"]
    if value is None:
        return None
    after = later["agents"][i]["value"] if later and len(later["agents"]) > i else None
    fall = 0.0 if after is None else max(0.0, limited(value) - limited(after))
    return Loss(
        name,
        turn,
        progress,
        agent["agent"],
        agent["played"],
        agent["best"],
        value,
        value if played is None else played,
        agent["value_seen"],
        fall,
    )


def describe_lost(verdict: dict[str, Any]) -> str:
    """Returns a text about the turn that lost a game, and how that is known."""
    played, best = verdict["played"], verdict["best"]
    text = f"was lost in turn {verdict['turn']} by {played}: "
    if verdict["doomed_from"] < verdict["lost_from"]:
        text += f"from turn {verdict['doomed_from']} on every action looks lost, "
    text += f"from turn {verdict['lost_from']} on it is a proven loss"
    if verdict["proven"]:
        return f"{text}, and {best} is proven to hold"
    return (
        f"{text}, and {best} has the value {shown_value(verdict['value'])}; within"
        f" {verdict['proof_nodes']:,} nodes turn {verdict['turn']} itself is not proven lost"
    )


def shown_value(value: float) -> str:
    """Returns a value as text; "win" or "loss" for a proven result where scores have no bounds."""
    if abs(value) >= WON:
        return "win" if value > 0 else "loss"
    value = value if abs(value) >= 0.0005 else 0.0  # no -0.000
    return f"{value:.3f}" if abs(value) < 100 else f"{value:,.0f}"
