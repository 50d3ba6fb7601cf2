"""Reads a game that was played elsewhere from a file: a saved stderr, the text of the console in
the site's editor, or a replay.

The site's replay is JSON. Each of its `frames`, key frames and intermediate ones, has an `agentId`
and may have a `stdout` and a `stderr`; beside the frames may be `agents` with their names, `ranks`
and `scores`, and `refereeInput` with the seed. The site's replay service answers with the replay
under "success". The engine's own runner writes, instead of frames, `outputs` and `errors`: a list
for each player, with null where the player was not asked.

The console has these headings, for each turn in this order, without empty sections:

    Standard Error Stream:
    Standard Output Stream:
    Game information:
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.errors import UsageError

HEADING = re.compile(
    r"\s*(Standard (Error|Output) Stream|Game (?:information|Summary))\s*:\s*", re.I
)
# A traced bot's stderr contains more: `referee/replay/import_game.py`.
TRACED = re.compile(r"^\s*@\d+:[<>]", re.M)
# A hundred times the longest replays of the site.
MAX_BYTES = 500_000_000
# Hundreds of turns of eight players, and the site's own frames between them.
MAX_FRAMES = 50_000


class TraceError(UsageError):
    """A file has no game, or a damaged one; the text names the file and the valid formats."""


@dataclass
class SiteAnswer:
    """A player's answer in a frame of the site's replay."""

    player: int
    stdout: str
    stderr: str


@dataclass
class SiteGame:
    """A game as stored in a file."""

    # In the order of the game; a saved stderr is a single answer of player 0.
    answers: list[SiteAnswer]
    # By player, where the file has a name.
    names: dict[int, str] = field(default_factory=dict)
    # By player; [] if unknown.
    ranks: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    # None if unknown.
    seed: int | None = None

    def stderr(self) -> dict[int, str]:
        """Returns each player's output to stderr in the whole game, by player."""
        texts: dict[int, list[str]] = {}
        for answer in self.answers:
            texts.setdefault(answer.player, []).append(answer.stderr)
        return {player: "\n".join(said) for player, said in texts.items()}

    def rounds(self) -> list[dict[int, SiteAnswer]]:
        """Returns the answers of each turn, by player; a turn ends when a player answers for the
        second time.
        """
        turns: list[dict[int, SiteAnswer]] = []
        for answer in self.answers:
            if not turns or answer.player in turns[-1]:
                turns.append({})
            turns[-1][answer.player] = answer
        return turns


def read_game(path: Path, most_players: int) -> SiteGame:
    """Returns the game in a file. Raises TraceError, and OSError.

    most_players: the greatest number of players that the contest permits.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise TraceError(f"{path}: more than {MAX_BYTES / 1e6:g} MB, no game has so much")
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise TraceError(f"{path}: not a text in UTF-8") from error
    try:
        game = json.loads(text)
    except (ValueError, RecursionError):
        if HEADING.search(text) and not TRACED.search(text):
            return SiteGame(_console(text))
        return SiteGame([SiteAnswer(0, "", text)])
    if isinstance(game, dict) and isinstance(game.get("success"), dict):
        game = game["success"]
    if isinstance(game, dict) and isinstance(game.get("outputs"), dict):
        game = {**game, "frames": _frames(game), "scores": _by_player(game.get("scores"))}
    frames = game.get("frames") if isinstance(game, dict) else None
    if not isinstance(frames, list) or not all(isinstance(frame, dict) for frame in frames):
        raise TraceError(
            f'{path}: JSON without a list of "frames" or "outputs" of players, so no replay: give'
            " what the page of a replay loads"
        )
    if len(frames) > MAX_FRAMES:
        raise TraceError(f"{path}: {len(frames)} frames, no game has more than {MAX_FRAMES}")
    answered = [_answered(path, number, frame, most_players) for number, frame in enumerate(frames)]
    answers = [answer for answer in answered if answer]
    n_players = 1 + max((answer.player for answer in answers), default=0)
    return SiteGame(
        answers,
        _names(game.get("agents")),
        _numbers(game.get("ranks"), n_players),
        _numbers(game.get("scores"), n_players),
        _seed(game),
    )


def _console(text: str) -> list[SiteAnswer]:
    """Returns the answers in the text of the editor's console, all of player 0."""
    answers: list[SiteAnswer] = []
    stream, is_open = None, False
    for line in text.split("\n"):
        match = HEADING.fullmatch(line)
        if not match:
            if stream and line.strip():
                setattr(answers[-1], stream, getattr(answers[-1], stream) + line + "\n")
            continue
        stream = {"error": "stderr", "output": "stdout"}.get((match[2] or "").lower())
        # A turn ends with its output, or when its first heading appears again.
        if stream and (not is_open or stream == "stderr" or answers[-1].stdout):
            answers.append(SiteAnswer(0, "", ""))
        is_open = stream == "stderr" or (is_open and stream is None)
    return answers


def _frames(game: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the output of the engine's own runner as frames."""
    texts: dict[tuple[int, str], list[Any]] = {}
    for name, kind in (("outputs", "stdout"), ("errors", "stderr")):
        lists = game.get(name)
        for player, values in (lists if isinstance(lists, dict) else {}).items():
            if re.fullmatch(r"\d", player) and isinstance(values, list):
                texts[int(player), kind] = values
    n_rounds = max(map(len, texts.values()), default=0)
    frames = []
    for number in range(n_rounds):
        for player in sorted({player for player, _ in texts}):
            frame: dict[str, Any] = {"agentId": player}
            for kind in ("stdout", "stderr"):
                values = texts.get((player, kind), [])
                frame[kind] = values[number] if number < len(values) else None
            if frame["stdout"] is not None or frame["stderr"]:
                frames.append(frame)
    return frames


def _by_player(scores: Any) -> Any:
    if not isinstance(scores, dict):
        return scores
    return [scores.get(str(player)) for player in range(len(scores))]


def _seed(game: dict[str, Any]) -> int | None:
    said = game.get("refereeInput", game.get("uinput"))
    text = "\n".join(map(str, said)) if isinstance(said, list) else str(said)
    match = re.search(r"^seed=(-?\d{1,19})\s*$", text, re.M)
    return int(match[1]) if match else None


def _answered(
    path: Path, number: int, frame: dict[str, Any], most_players: int
) -> SiteAnswer | None:
    """Returns a player's answer in a frame, None for a frame of the site's own. Raises
    TraceError.
    """
    player = frame.get("agentId")
    texts = [frame.get(name) for name in ("stdout", "stderr")]
    if texts == [None, None]:
        return None
    if type(player) is not int or not all(isinstance(text, str | None) for text in texts):
        raise TraceError(
            f'{path}: frame {number} needs a number "agentId" and texts "stdout" and "stderr"'
        )
    if player < 0:  # the site's own frames have -1
        return None
    if player >= most_players:
        raise TraceError(f"{path}: frame {number} is of player {player} of {most_players} at most")
    stdout, stderr = (_encodable(text or "") for text in texts)
    return SiteAnswer(player, stdout, stderr)


def _encodable(text: str) -> str:
    """Returns a text with unpaired UTF-16 surrogates, which JSON permits but files do not, as
    escapes.
    """
    return text.encode(errors="backslashreplace").decode()


def _names(agents: Any) -> dict[int, str]:
    """Returns the names of the players by player, as far as the data has them."""
    names = {}
    for agent in agents if isinstance(agents, list) else []:
        if not isinstance(agent, dict):
            continue
        user = agent.get("codingamer") or agent.get("arenaboss")
        name = user.get("pseudo") or user.get("nickname") if isinstance(user, dict) else None
        if type(agent.get("index")) is int and isinstance(name, str):
            names[agent["index"]] = _encodable(name)
    return names


def _numbers(values: Any, n_players: int) -> list[float]:
    """Returns the list of numbers, at least one for each player; [] for any other data."""
    if not isinstance(values, list) or len(values) < n_players:
        return []
    return (
        values if all(type(value) in (int, float) and abs(value) < 1e15 for value in values) else []
    )
