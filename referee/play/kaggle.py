"""A match in an environment of Kaggle's simulation contests, of the package kaggle-environments.

Each step of the environment is a turn. The players whose status is ACTIVE are asked: each reads the
configuration once and then its observations, as lines of JSON, and writes each action as one line
of JSON. A Python file runs as Kaggle runs it (`kaggle_agent.py`), any other command speaks these
lines itself.

An answer may take `actTimeout` and the overage time that the player has left for the whole game
(`remainingOverageTime`). A player that is late gets the status TIMEOUT, one that fails ERROR, and
an action that the environment refuses is INVALID; `reward` is None in these cases. The result has
the rewards as scores.

The package takes a second to import, and is imported where a match starts or its page is made.
"""

import hashlib
import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata, util
from pathlib import Path
from random import Random
from typing import Any

from bundler.modules.workspace import CACHE
from referee.errors import UsageError, shorten
from referee.log.records import Bot, Log
from referee.project import install_advice
from referee.sources.bots import find_file, split_parameters
from referee.sources.fingerprint import Fingerprint
from shared.core.clock import Limits
from shared.core.contest import Outcome
from shared.core.protocol import IllegalAction

PACKAGE = "kaggle-environments"
AGENT = Path(__file__).with_name("kaggle_agent.py")
FAILED = ("ERROR", "INVALID", "TIMEOUT")
# The names of a seed in the configurations of environments.
SEEDS = ("seed", "randomSeed")
# One of the package's own agents as a file.
NAMED = """\
from kaggle_environments import make

agent = make({environment!r}).agents[{name!r}]
"""


def version() -> str:
    """Returns the version of the package. Raises UsageError if it is missing."""
    if util.find_spec("kaggle_environments") is None:
        raise UsageError(f"--kaggle needs {PACKAGE}: {install_advice('kaggle')}")
    return metadata.version(PACKAGE)


def fingerprint_package() -> Fingerprint:
    """Returns the fingerprint of the rules, which is the package's version. Raises UsageError."""
    text = version()
    digest = hashlib.sha256(f"{PACKAGE} {text}".encode()).hexdigest()
    return Fingerprint(digest, {PACKAGE: text}, fingerprint_package, {})


def make(name: str, **given: Any) -> Any:
    """Returns an environment of the package. Raises UsageError."""
    version()
    import kaggle_environments as package
    from kaggle_environments.errors import InvalidArgument

    try:
        return package.make(name, **given)
    except InvalidArgument as error:
        known = ", ".join(sorted(package.environments))
        unknown = f"; environments: {known}" if name not in package.environments else ""
        raise UsageError(f"--kaggle {name}: {shorten(str(error))}{unknown}") from error


def configuration_of(options: dict[str, str]) -> dict[str, Any]:
    """Returns a match's options as Kaggle's configuration: {name: value}, where a value is the data
    of a text in JSON, or else the text.
    """

    def read(text: str) -> Any:
        try:
            return json.loads(text)
        except ValueError:
            return text

    return {name: read(text) for name, text in options.items()}


def limits_of(environment: Any) -> Limits:
    """Returns the limits of the first answer, which may use all the overage time, and of later
    answers.
    """
    overage_s = environment.state[0].observation.get("remainingOverageTime", 0)
    act_s = environment.configuration.actTimeout
    return Limits(first_ms=_milliseconds(act_s + overage_s), turn_ms=_milliseconds(act_s))


def agent_file(environment: Any, name: str) -> str:
    """Returns the bot for a word of a command line: for the name of one of the package's own
    agents, a file that is written for it; otherwise the word.
    """
    if find_file(name) or name not in environment.agents:
        return name
    file = CACHE / "kaggle" / environment.name / f"{name}.py"
    text = NAMED.format(environment=environment.name, name=name)
    if not file.is_file() or file.read_text() != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return str(file)


def agent_command(bot: Bot) -> list[str]:
    """Returns the command that plays a bot; a Python file is run as a Kaggle agent."""
    given = split_parameters(bot.bot)[0]
    is_file = given.endswith(".py") and (" " not in given or find_file(given) is not None)
    if is_file and len(bot.command) == 2:
        return [bot.command[0], str(AGENT), bot.command[1]]
    return bot.command


class KaggleMatch:
    """A `shared.core.contest.Match` by an environment, which states limits and receives times."""

    goes_on = False

    def __init__(self, name: str, n_players: int, seed: int, options: dict[str, str]) -> None:
        specification = make(name).specification
        if n_players not in (counts := specification.agents):
            raise UsageError(f"{name} is a game of {' or '.join(map(str, counts))} players")
        seeds = {key: seed for key in SEEDS if key in specification.configuration}
        self.n_players = n_players
        self.out: dict[int, str] = {}
        self.used_ms: dict[int, float] = {}
        self.random_state = Random(seed).getstate()
        with self._own_random():
            self.environment = make(name, configuration=seeds | configuration_of(options))
            self.environment.reset(n_players)
        self.configuration = json.dumps(self.environment.configuration)

    def setup(self) -> dict[str, Any]:
        return {
            "configuration": json.loads(self.configuration),
            "info": self.environment.info,
            "version": version(),
        }

    def snapshot(self) -> dict[str, Any]:
        return {"agents": self.environment.state}

    def players_to_move(self) -> list[int]:
        return [
            player
            for player, agent in enumerate(self.environment.state)
            if agent.status == "ACTIVE" and player not in self.out
        ]

    def initial_input(self, player: int) -> list[str]:
        return [self.configuration]

    def turn_input(self, player: int) -> list[str]:
        # With what all players see, without what is hidden; the package has no public name for it.
        seen = self.environment._Environment__get_shared_state(player)
        return [json.dumps(seen.observation)]

    def lines_expected(self, player: int) -> int:
        return 1

    def limit_ms(self, player: int) -> int:
        """Returns the limit of the player's answer, its overage time included."""
        left_s = self.environment.state[player].observation.get("remainingOverageTime", 0)
        return _milliseconds(self.environment.configuration.actTimeout + left_s)

    def took(self, player: int, ms: float) -> None:
        """Record the time of the player's answer, which is played next."""
        self.used_ms[player] = ms

    def parse(self, player: int, lines: list[str]) -> Any:
        try:
            return json.loads(lines[0])
        except ValueError as error:
            raise IllegalAction(f"no JSON: {error}") from error

    def random_lines(self, player: int, rng: Random) -> list[str]:
        raise UsageError("only the environment knows the legal actions")

    def play(self, actions: dict[int, Any]) -> None:
        from kaggle_environments.errors import DeadlineExceeded

        given: list[Any] = [None] * self.n_players
        logs: list[dict[str, Any]] = [{} for _ in given]
        for player, agent in enumerate(self.environment.state):
            if agent.status != "ACTIVE":
                continue
            used_ms = self.used_ms.get(player, 0.0)
            logs[player] = {"duration": used_ms / 1000.0, "stdout": "", "stderr": ""}
            if player in actions:
                given[player] = actions[player]
            elif used_ms >= self.limit_ms(player):
                given[player] = DeadlineExceeded()
            else:
                given[player] = RuntimeError(self.out[player])
        with self._own_random():
            try:
                self.environment.step(given, logs)
            except Exception as error:  # of any kind: an action that the environment cannot read
                raise UsageError(
                    f"--kaggle {self.environment.name} failed at the actions"
                    f" {shorten(str(actions))}: {type(error).__name__}: {shorten(str(error))}"
                ) from error

    def eliminate(self, player: int, reason: str) -> None:
        self.out[player] = reason

    def outcome(self) -> Outcome | None:
        if not self.environment.done:
            return None
        agents = self.environment.state
        rewards = [agent.reward for agent in agents if agent.reward is not None]
        least = min([0, *rewards])
        scores = [least if agent.reward is None else agent.reward for agent in agents]
        keys = [(agent.reward is not None, score) for agent, score in zip(agents, scores)]
        ranks = tuple(sum(other > key for other in keys) for key in keys)
        told = [
            f"player {player} has the status {agent.status}"
            for player, agent in enumerate(agents)
            if agent.status in FAILED and player not in self.out
        ]
        reason = "; ".join([*self.out.values(), *told])
        rewarded = ", ".join(f"{score:g}" for score in scores)
        return Outcome(ranks, tuple(scores), reason or f"Kaggle's rewards are {rewarded}")

    @contextmanager
    def _own_random(self) -> Iterator[None]:
        """Let the environment draw random numbers from its own generator, which the seed
        started.
        """
        outside = random.getstate()
        random.setstate(self.random_state)
        try:
            yield
        finally:
            self.random_state = random.getstate()
            random.setstate(outside)


def failures_of(log: Log) -> dict[int, str]:
    """Returns {player: text} of the players who have failed by the last state of a log."""
    last = log.turns[-1].state if log.turns else log.header.state
    agents = last.get("agents")
    return {
        player: f"failed, says Kaggle: its status is {agent['status']}"
        for player, agent in enumerate(agents if isinstance(agents, list) else [])
        if isinstance(agent, dict) and agent.get("status") in FAILED
    }


def _milliseconds(seconds: float) -> int:
    return max(1, int(1000.0 * seconds))
