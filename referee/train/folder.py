"""Keeps the files of a training. A file is written whole or not at all, so a killed run goes on.

train.json           the settings and the rounds, with the pairs of the present test
games/000/00012.npz  examples of a chunk of games, by round and chunk
weights/000.npz      the weights of each round
network.npz          the weights of the last round that was kept
bot.py               the bundle with these weights
train.html           the page
"""

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile

import numpy as np

from referee.errors import UsageError


@dataclass
class Round:
    """Games of the present weights, a fit to the latest games, and the test of the new weights."""

    games: int = 0
    positions: int = 0
    games_per_s: float = 0.0
    # Of each epoch: value and, of a network, policy of positions learned from, then of positions
    # held out.
    losses: list[list[float]] = field(default_factory=list)
    # The half points of the new weights against the present ones, in each pair of the test.
    pairs: list[int] = field(default_factory=list)
    # The test's verdict, None before it.
    is_kept: bool | None = None
    # The round that a kept round is measured against, a number as `State.present`, and the half
    # points in each pair against it.
    rival: int | None = None
    measured: list[int] = field(default_factory=list)


@dataclass
class State:
    """The settings of a training, and its rounds.

    present: the round whose weights play, None for the search that plays the first games, -1 for
    the weights with which the run began.
    """

    settings: dict[str, Any]
    rounds: list[Round] = field(default_factory=list)
    present: int | None = None


class Folder:
    """The folder of a training.

    first: a file of weights to begin with, or None. names: the names of the arrays in a file of
    weights. Raises UsageError if the folder is damaged, or has a training with other settings or
    first weights.
    """

    def __init__(
        self, path: Path, settings: dict[str, Any], first: Path | None, names: set[str]
    ) -> None:
        self.path = path
        self.file = path / "train.json"
        if self.file.exists():
            try:
                data = json.loads(self.file.read_text(encoding="utf-8"))
                rounds = [Round(**one) for one in data["rounds"]]
                self.state = State(data["settings"], rounds, data["present"])
                there = [self.state.settings[name] for name in settings]
            except (ValueError, LookupError, TypeError) as error:
                raise UsageError(f"{self.file} is damaged: give another --folder") from error
            for (name, value), other in zip(settings.items(), there):
                if other != value:
                    raise UsageError(
                        f"{path} has a training with another {name}:"
                        f" {other}, not {value}: give another --folder"
                    )
            begun = self.weights(-1)
            if first and not (begun.exists() and begun.read_bytes() == first.read_bytes()):
                raise UsageError(f"{path} has a training without {first}: give another --folder")
            return
        if first:
            check_weights(first, names)
        path.mkdir(parents=True, exist_ok=True)
        self.state = State(settings, present=None if first is None else -1)
        if first:
            self.write(self.weights(-1), lambda file: file.write(first.read_bytes()))
        self.save()

    def write(self, path: Path, put: Callable[[IO[bytes]], object]) -> None:
        """Write a file completely or not at all; put: writes the content to an open file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.name}.{os.getpid()}.unfinished")
        try:
            with open(unfinished, "wb") as file:
                put(file)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)

    @property
    def network(self) -> Path:
        """The path of the weights of the last round that was kept."""
        return self.path / "network.npz"

    def save(self) -> None:
        """Write the state to `train.json`."""
        text = json.dumps(asdict(self.state))
        self.write(self.file, lambda file: file.write(text.encode()))

    def weights(self, number: int) -> Path:
        """Returns the path of a round's weights; -1 stands for the beginning of the run."""
        return self.path / "weights" / (f"{number:03}.npz" if number >= 0 else "start.npz")

    def weights_of(self, side: int | None) -> Path | None:
        """Returns the path of the weights of a side, a number as `State.present`; None for None."""
        return None if side is None else self.weights(side)

    def present_weights(self) -> Path | None:
        """Returns the path of the present side's weights, None for the search without weights."""
        return self.weights_of(self.state.present)

    @property
    def first_side(self) -> int | None:
        """The side that played the first games, a number as `State.present`."""
        return -1 if self.weights(-1).exists() else None

    def chunk(self, number: int, chunk: int) -> Path:
        return self.path / "games" / f"{number:03}" / f"{chunk:05}.npz"

    def save_chunk(self, number: int, chunk: int, examples: Any) -> None:
        arrays = examples._asdict()
        self.write(self.chunk(number, chunk), lambda file: np.savez_compressed(file, **arrays))

    def chunks(self, number: int, count: int) -> list[dict[str, np.ndarray]]:
        """Returns {name of a column: array} for each chunk of the examples of a round."""
        found = []
        for chunk in range(count):
            with np.load(self.chunk(number, chunk)) as arrays:
                found.append(dict(arrays))
        return found

    def drop_games(self, number: int) -> None:
        """Remove the games of a round that no fit needs any more."""
        for file in (self.path / "games" / f"{number:03}").glob("*.npz"):
            file.unlink()


def check_weights(file: Path, names: set[str]) -> None:
    """Raise UsageError unless a file has arrays of these names."""
    try:
        with np.load(file) as arrays:
            is_whole = names <= set(arrays)
    except (OSError, EOFError, ValueError, TypeError, AttributeError, BadZipFile):
        is_whole = False
    if not is_whole:
        raise UsageError(f"{file} has no weights of such a bot: {', '.join(sorted(names))}")
