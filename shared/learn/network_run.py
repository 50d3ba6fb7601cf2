"""Training runs of a network: generations of self-play games, each followed by a fit to the latest
ones. At home only.

A run is stored in a folder: the games, the weights of each generation, `run.json`, a plot of the
losses. Whenever it is stopped, by its time limit or Ctrl-C, it can be resumed at the same game.
Every game and every fit has a seed of its own, derived from the run's: the same run plays the same
games.

Source: Silver et al., "Mastering the game of Go without human knowledge" (Nature 550, 2017).
"""

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any, Callable, NamedTuple, Optional

import numpy as np

from ..learn.network_training import (
    FINEST,
    Examples,
    Grains,
    Trainer,
    dequantized,
    new_weights,
    quantized,
    save_weights,
)
from ..learn.searched_games import Games, Positions, Schedule, concatenated
from ..search.network import Shape, Symmetries

BATCH = 1024
TEST_SHARE = 20  # the last of this many positions is held out from training
SAVED = 500  # games
SAID_S = 10.0


class Task(NamedTuple):
    """The functions that a contest provides for a run.

    games: from weights, None at first, to the Games that a search plays with them.
    examples: from Positions and a numpy generator to Examples.
    initial: quantised weights from which the first fit begins; random ones if None.
    symmetries: if given, all weights are those of H / G units (`shared/search/network.py`).
    """

    shape: Shape
    games: Callable[[Optional[dict]], Games]
    examples: Callable[[Positions, np.random.Generator], Examples]
    initial: Optional[dict] = None
    symmetries: Optional[Symmetries] = None


class RunSettings(NamedTuple):
    """n_games: of a generation; window: number of latest generations in the fit; epochs: of a fit;
    rate: initial learning rate; n_generations: of the run; grains: of the weights.
    """

    schedule: Schedule
    n_games: int
    window: int = 4
    epochs: int = 4
    rate: float = 2e-3
    n_generations: int = 1000
    grains: Grains = FINEST


class Run:
    """A run in a folder, started or resumed. Raises ValueError if the folder contains another
    run.
    """

    def __init__(self, task: Task, plan: RunSettings, folder: Path, seed: int, minutes: float):
        self.task, self.plan, self.folder, self.seed = task, plan, folder, seed
        self.deadline = time.monotonic() + 60.0 * minutes
        self.log: dict[str, Any] = {"seed": seed, "generation": 0, "losses": []}
        self.log["plan"] = json_of(plan)
        self.log["versions"] = {name: version(name) for name in ("jax", "optax", "numba", "numpy")}
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "run.json"
        if self.file.exists():
            found = json.loads(self.file.read_text())
            if found["seed"] != seed:
                raise ValueError(f"{folder} holds the run of seed {found['seed']}, not of {seed}")
            self.log = found | {"plan": self.log["plan"], "versions": self.log["versions"]}

    @property
    def is_late(self) -> bool:
        return time.monotonic() > self.deadline

    def go(self) -> None:
        """Run generations until the time is up, or the last one is done."""
        while not self.is_late and self.log["generation"] < self.plan.n_generations:
            generation = self.log["generation"]
            if not self.play(generation):
                break
            self.fit(generation)
            self.log["generation"] = generation + 1
            self.file.write_text(json.dumps(self.log))
            self.plot()

    def weights_file(self, generation: int) -> Path:
        return self.folder / f"weights-{generation}.npz"

    def games_files(self, generation: int) -> list[Path]:
        return sorted(self.folder.glob(f"games-{generation:03}-*.npz"))

    def play(self, generation: int) -> bool:
        """Play the generation's games; returns True if all have been played."""
        first = sum(int(path.stem.rpartition("-")[2]) for path in self.games_files(generation))
        weights = None
        if generation:
            with np.load(self.weights_file(generation - 1)) as file:
                weights = quantized(dict(file), self.plan.grains)
        games = self.task.games(weights) if first < self.plan.n_games else None
        parts, said = [], time.monotonic()
        for number in range(first, self.plan.n_games):
            seed = (self.seed * 1000 + generation) * 1_000_000 + number
            parts.append(games.play(self.plan.schedule, seed))
            is_last = self.is_late or number + 1 == self.plan.n_games
            if is_last or len(parts) == SAVED:
                name = f"games-{generation:03}-{number + 1:07}-{len(parts)}.npz"
                np.savez_compressed(self.folder / name, **concatenated(parts)._asdict())
                parts = []
            if time.monotonic() - said > SAID_S:
                said = time.monotonic()
                say(f"generation {generation}: {number + 1:,} of {self.plan.n_games:,} games")
            if self.is_late and number + 1 < self.plan.n_games:
                return False
        return True

    def fit(self, generation: int) -> None:
        """Fit the weights to the latest generations."""
        plan, shape = self.plan, self.task.shape
        window = range(max(0, generation + 1 - plan.window), generation + 1)
        files = [path for one in window for path in self.games_files(one)]
        positions = concatenated([Positions(**np.load(path)) for path in files])
        n_test = len(positions.values) // TEST_SHARE
        rng = np.random.default_rng([self.seed, generation])
        test = self.task.examples(Positions(*(column[-n_test:] for column in positions)), rng)
        positions = Positions(*(column[:-n_test] for column in positions))
        initial, symmetries = self.task.initial, self.task.symmetries
        few = shape
        if symmetries:
            few = shape._replace(hidden=shape.hidden // len(symmetries.features))
        weights = dequantized(initial, few) if initial else new_weights(few, self.seed)
        if generation:
            with np.load(self.weights_file(generation - 1)) as file:
                weights = dict(file)
        n_batches = max(1, len(positions.values) // BATCH)
        steps = plan.epochs * n_batches
        trainer = Trainer(
            shape, weights, plan.rate, steps, grains=plan.grains, symmetries=symmetries
        )
        for epoch in range(plan.epochs):
            examples = self.task.examples(positions, rng)
            order = rng.permutation(len(positions.values))
            found = np.zeros(2)
            for i in range(n_batches):
                chosen = order[BATCH * i : BATCH * (i + 1)]
                found += np.asarray(trainer.step(batch_of(examples, chosen)))
            tested = np.asarray(trainer.losses(test))
            losses = [*(found / n_batches), *tested]
            self.log["losses"].append([generation, epoch, *map(float, losses)])
            say(
                f"generation {generation}, epoch {epoch}: value {losses[0]:.4f}, policy"
                f" {losses[1]:.4f}; not learned from {losses[2]:.4f}, {losses[3]:.4f}"
            )
        final = {name: np.asarray(numbers) for name, numbers in trainer.weights.items()}
        np.savez(self.weights_file(generation), **final)
        header = {key: self.log[key] for key in ("seed", "plan", "versions")}
        header |= {"generations": generation + 1, "positions": len(positions.values)}
        header |= {"losses": self.log["losses"][-1][2:], "shape": list(shape)}
        save_weights(self.folder / "network.npz", final, header, plan.grains)

    def plot(self) -> None:
        """Draw the losses of all epochs."""
        from matplotlib.figure import Figure  # its import takes a second

        losses = np.array(self.log["losses"])
        figure = Figure(figsize=(8, 4), layout="constrained")
        for i, (name, axes) in enumerate(zip(("value", "policy"), figure.subplots(1, 2))):
            axes.plot(losses[:, 2 + i], label="learned from")
            axes.plot(losses[:, 4 + i], label="not learned from")
            axes.set(title=f"loss of the {name}", xlabel="epoch")
            axes.legend()
        figure.savefig(self.folder / "losses.png")


def batch_of(examples: Examples, chosen: np.ndarray) -> Examples:
    return Examples(*(column[chosen] for column in examples))


def json_of(plan: RunSettings) -> dict:
    return plan._asdict() | {name: getattr(plan, name)._asdict() for name in ("schedule", "grains")}


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
