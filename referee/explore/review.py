"""Finds the mistakes of games: every turn is searched again with more nodes, in several processes.

Results are kept in a file, a line a turn, so that an interrupted review goes on where it stopped;
lines of other bots, logs or numbers of nodes are passed over.
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

from referee.explore.explore import check_end, logged_turns, probing, source_of
from referee.log.file import log_lines
from referee.log.records import Log
from referee.sources.bots import content_hash

POLL_S = 0.2
PHASES = ("opening", "middle", "end")
# A loss that is told, in the unit of values: of searches whose values are results, a twentieth.
WON = 1e98


@dataclass(frozen=True)
class Game:
    """A log to review: its name, the player, and the bot's source as given."""

    name: str
    log: Log
    player: int
    bot: str


@dataclass(frozen=True)
class Loss:
    """A turn in which value was lost.

    value: of the best action, by the long search; value_played: of the action played. fall: the
    value of this turn less that of the next one, which a long search did not foresee, if the action
    is the best one. loss: the greater of both losses.
    """

    game: str
    turn: int
    part: float
    agent: str
    played: str
    best: str
    value: float
    value_played: float
    value_seen: float | None
    fall: float

    @property
    def is_other(self) -> bool:
        """True if the long search plays another action."""
        return self.played != self.best

    @property
    def loss(self) -> float:
        if not self.is_other:
            return self.fall
        # The action most visited may have a mean below that of the one played.
        return max(0.0, limited(self.value) - limited(self.value_played))

    @property
    def phase(self) -> str:
        return PHASES[min(int(self.part * len(PHASES)), len(PHASES) - 1)]


def limited(value: float) -> float:
    """A value in which a proven win without bounds counts little more than other ones do."""
    return value if abs(value) < WON else 1e4 * (1 if value > 0 else -1)


def key_of(game: Game, factor: float) -> str:
    """The hash of all that a result depends on: the log, the player, the bot, the nodes."""
    source, parameters = source_of(game.bot)
    made_of = sorted(source.parent.glob("*.py"))
    parts = [content_hash(made_of), parameters, str(game.player), f"{factor:g}"]
    parts.append(hashlib.sha256(log_lines(game.log)).hexdigest())
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def known_results(store: Path, keys: dict[str, str]) -> dict[tuple[str, int], dict[str, Any]]:
    """Returns the results of a store that belong to the games, by game and turn; keys: of games."""
    found: dict[tuple[str, int], dict[str, Any]] = {}
    if not store.is_file():
        return found
    for line in store.read_text(encoding="utf-8").splitlines():
        try:
            result = json.loads(line)
            if keys.get(result["game"]) == result["key"]:
                found[result["game"], int(result["turn"])] = result
        except (ValueError, LookupError, TypeError, AttributeError):
            continue  # half a line of an interrupted review
    return found


def review(
    games: list[Game],
    factor: float,
    store: Path,
    n_processes: int,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[tuple[str, int], dict[str, Any]]:
    """Review games; returns all results, by game and turn, and keeps them in `store`.

    Raises UsageError if a bot cannot be looked into. on_progress: called with the turns done and
    those in all.
    """
    keys = {game.name: key_of(game, factor) for game in games}
    results = known_results(store, keys)
    all_turns = [
        (game.name, turn) for game in games for turn, *_ in logged_turns(game.log, game.player)
    ]
    open_turns = [one for one in all_turns if one not in results]
    n_done = len(all_turns) - len(open_turns)
    on_progress(n_done, len(all_turns))
    if not open_turns:
        return results
    with ExitStack() as stack, store.open("a", encoding="utf-8") as kept:
        tails: list[Tail] = []
        for bot in sorted({game.bot for game in games}):
            own = [
                one for one in open_turns if any(g.name == one[0] and g.bot == bot for g in games)
            ]
            n = min(n_processes, len(own))
            for number in range(n):
                asked = set(own[number::n])
                part = store.with_name(f".{store.name}.{os.getpid()}.{len(tails)}")
                stack.callback(part.unlink, missing_ok=True)
                request = {"work": "review", "factor": factor, "games": requests(games, bot, asked)}
                process = stack.enter_context(probing(request, bot, part))
                tails.append(Tail(part, process, bot))
        running = list(tails)
        while running:
            time.sleep(POLL_S)
            ended = [tail for tail in running if tail.process.poll() is not None]
            for tail in running:
                for result in tail.new_results():
                    result["key"] = keys[result["game"]]
                    results[result["game"], result["turn"]] = result
                    kept.write(json.dumps(result) + "\n")
                    kept.flush()
                    n_done += 1
                    on_progress(n_done, len(all_turns))
            for tail in ended:
                check_end(tail.process, tail.bot)
                running.remove(tail)
    return results


def requests(games: list[Game], bot: str, asked: set[tuple[str, int]]) -> list[dict[str, Any]]:
    """Returns the games of a request of the probe, with the turns asked of each."""
    found = []
    for game in games:
        own = sorted(turn for name, turn in asked if name == game.name)
        if game.bot == bot and own:
            turns = logged_turns(game.log, game.player)
            seat = {"player": game.player, "n_players": game.log.header.n_players}
            found.append({"name": game.name, "turns": turns, "asked": own, **seat})
    return found


class Tail:
    """The results that a process appends to its file."""

    def __init__(self, path: Path, process: Any, bot: str) -> None:
        self.path, self.process, self.bot = path, process, bot
        self.place = 0

    def new_results(self) -> list[dict[str, Any]]:
        """Returns the complete lines since the last call."""
        if not self.path.exists():
            return []
        with self.path.open("rb") as file:
            file.seek(self.place)
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        self.place += len(whole)
        return [json.loads(line) for line in whole.splitlines()]


def losses(games: Iterable[Game], results: dict[tuple[str, int], dict[str, Any]]) -> list[Loss]:
    """Returns the turns that lost value or were played otherwise, the worst first."""
    found = []
    for game in games:
        turns = [turn for turn, *_ in logged_turns(game.log, game.player)]
        last = max(turns, default=0) or 1
        for turn, following in zip(turns, [*turns[1:], None]):
            later = results.get((game.name, following if following is not None else -1))
            for i, agent in enumerate(results.get((game.name, turn), {}).get("agents", [])):
                found.append(loss_of(game.name, turn, turn / (last + 1), agent, later, i))
    return sorted(
        (one for one in found if one is not None and (one.loss > 0.0 or one.is_other)),
        # Of equal losses the earlier one decided the game.
        key=lambda one: (-round(one.loss, 2), one.turn),
    )


def loss_of(
    name: str, turn: int, part: float, agent: dict[str, Any], later: dict[str, Any] | None, i: int
) -> Loss | None:
    """Returns the loss of an agent's turn; None for one without values."""
    value, played = agent["value"], agent["value_played"]
    if value is None:
        return None
    after = later["agents"][i]["value"] if later and len(later["agents"]) > i else None
    fall = 0.0 if after is None else max(0.0, limited(value) - limited(after))
    return Loss(
        name,
        turn,
        part,
        agent["agent"],
        agent["played"],
        agent["best"],
        value,
        value if played is None else played,
        agent["value_seen"],
        fall,
    )
