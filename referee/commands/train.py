"""`python -m referee train`."""

import hashlib
import importlib.util
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from bundler.sites import MOST_CHARACTERS
from referee.arena.measures import elo_text, signed
from referee.arena.workers import Pool
from referee.commands.options.common import (
    complete_contest,
    describe_file,
    game_option,
    run_option,
    storage_option,
    time_option,
    warn,
    within,
)
from referee.errors import UsageError
from referee.project import install_advice
from referee.sources.bots import find_file, path_for_people, run_bundler
from referee.sources.workspace import home
from referee.status_line import StatusLine, status_line
from referee.terminal import say
from referee.train.fits import LINEAR, LOGISTIC, NETWORK, PERCEPTRON, text_of
from referee.train.folder import Folder
from referee.train.page import write_page
from referee.train.player import Player
from referee.train.run import Settings, Training, elo_of, elos_of


@dataclass(frozen=True)
class Kind:
    """A kind of training.

    file: the player's file of features or terms, beside the bot. weights: the file of the weights.
    bot: the bot's file. arrays: the names of the arrays of the weights. needed: the packages.
    beginning: advice for a contest without `file`. nodes: the default of --nodes. settings: further
    fields of Settings. example: a bot of this kind.
    """

    file: str
    weights: str
    bot: str
    arrays: set[str]
    needed: tuple[str, ...]
    beginning: str
    nodes: int
    settings: dict[str, int]
    example: str


JAX = ("jax", "optax")
ARRAYS = {"rows", "biases", "value", "policy", "outputs"}
NETWORK_KIND = Kind(
    "features.py",
    "network.npz",
    "network.py",
    ARRAYS,
    JAX,
    "onefile new {} --network writes it",
    400,
    {},
    "bots/connect_four/network.py",
)
TERMS_KIND = Kind(
    "terms.py",
    "evaluation.npz",
    "minimax.py",
    {"weights"},
    (),
    "bots/infexion/terms.py shows one",
    2000,
    # Alpha-beta plays one action, which teaches nothing about the others.
    {"decided": 980, "varied_plies": 400, "window": 3},
    "bots/infexion/minimax.py",
)
KINDS = {
    NETWORK: NETWORK_KIND,
    LINEAR: TERMS_KIND,
    LOGISTIC: replace(TERMS_KIND, needed=("sklearn",)),
    PERCEPTRON: replace(TERMS_KIND, needed=JAX),
}


class FitMethod(StrEnum):
    """The kinds of training, as named on a command line."""

    NETWORK = NETWORK
    LINEAR = LINEAR
    LOGISTIC = LOGISTIC
    PERCEPTRON = PERCEPTRON


def train(
    contest: Annotated[
        str,
        typer.Argument(
            metavar="CONTEST",
            help="A contest with bots/CONTEST/features.py, which `onefile new CONTEST --network`"
            " writes, or terms.py.",
            autocompletion=complete_contest,
        ),
    ],
    bot: Annotated[
        str | None,
        storage_option(
            metavar="FILE",
            help="The bot with the weights, whose bundle is measured and written.",
            show_default="bots/CONTEST/network.py, with terms minimax.py",
        ),
    ] = None,
    *,
    fit: Annotated[
        FitMethod,
        game_option(
            help="A network with its search; or the weights of an evaluation's terms with"
            " alpha-beta: by least squares (linear), logistic regression or, with hidden units, as"
            " a perceptron."
        ),
    ] = FitMethod.NETWORK,
    minutes: Annotated[
        float, time_option(min=0.0, metavar="M", help="Stop after these; the same command goes on.")
    ] = 60.0,
    rounds: Annotated[
        int | None, time_option(min=1, metavar="N", help="Stop after so many generations in all.")
    ] = None,
    nodes: Annotated[
        int | None,
        game_option(
            min=2,
            metavar="N",
            help="Nodes of the search of an action.",
            show_default="400, with terms 2000",
        ),
    ] = None,
    games: Annotated[int, game_option(min=1, metavar="N", help="Games of a generation.")] = 1000,
    random_plies: Annotated[
        int,
        game_option(min=0, metavar="N", help="Games begin with at most so many actions at random."),
    ] = 8,
    rate: Annotated[
        float, game_option(min=0.0, metavar="X", help="The learning rate at the start of a fit.")
    ] = 2e-3,
    seed: Annotated[
        int,
        game_option(metavar="N", callback=within(0, 2**20), help="Another seed makes another run."),
    ] = 1,
    begin: Annotated[
        Path | None,
        storage_option(
            "--begin",
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="Weights of the same shape that play the first games and begin the first fit.",
            show_default="rollouts, and random weights",
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        storage_option(
            metavar="DIR",
            help="Games, weights, page and bundle.",
            show_default="build/train/CONTEST",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        run_option(min=1, metavar="J", help="Processes that play; by default a core each."),
    ] = None,
) -> None:
    """Train a bot's network, or the weights of its evaluation, by games of its search against
    itself, until the time is up.

    The first games of a network are played by UCT with rollouts, those of an evaluation by
    alpha-beta with weights learned one ply deep (TD). Each generation fits the weights to the
    latest games, and is kept if it beats the present one in a sequential test. The same command
    goes on where it was stopped or killed. Needs the extra [networks].

    Examples:

    ```sh
    onefile train connect_four --minutes 15
    onefile train infexion --fit perceptron --minutes 15
    ```
    """
    kind = KINDS[fit]
    if missing := [name for name in kind.needed if importlib.util.find_spec(name) is None]:
        raise UsageError(
            f"train needs {' and '.join(missing)}, not installed: {install_advice('networks')}"
        )
    features = find_file(f"bots/{contest}/{kind.file}")
    if features is None:
        raise UsageError(f"bots/{contest}/{kind.file} is missing: {kind.beginning.format(contest)}")
    # A bot of the installation would not have the features of a workspace.
    source = find_file(bot) if bot else features.with_name(kind.bot)
    if source is None:
        raise UsageError(f"no bot {bot!r}: no such file")
    has_bot = source.exists()
    digest = hashlib.sha256(features.read_bytes()).hexdigest()[:16]
    nodes = nodes or kind.nodes
    settings = Settings(
        contest, digest, seed, nodes, games, random_plies, fit.value, rate=rate, **kind.settings
    )
    place = Folder(
        folder or home() / "build" / "train" / contest, vars(settings), begin, kind.arrays
    )
    # The workers compile, this process does not.
    os.environ["CG_JIT"] = "1"
    n_jobs = jobs or len(os.sched_getaffinity(0))
    with status_line() as status, Pool(n_jobs, Player(contest, fit.value)) as pool:
        status.show("compiling, and checking the bot's files on random games")
        training = Training(settings, place, pool, minutes, status.show)
        shipped = features.with_name(kind.weights)
        if has_bot:
            size = measure(training, source, shipped, status)
            say(
                f"{path_for_people(source)}: {size:,} of {MOST_CHARACTERS:,} characters", error=True
            )
        else:
            warn(
                f"{path_for_people(source)} is missing: the weights are trained, no bundle is"
                f" measured; {kind.example} shows such a bot"
            )
        say(
            f"{place.path}: {games:,} games a generation at {nodes} nodes, in {n_jobs} processes,"
            f" for {minutes:g} minutes; {training.n_done} generations are there",
            error=True,
        )
        for number in report_interruption(training.run(rounds)):
            say(describe_round(training, number), error=True)
            write_page(
                place.path / "train.html", contest, place.state, training.described_weights()
            )
            if has_bot and place.state.rounds[number].is_kept and is_ours(shipped):
                ship(place, shipped)
        if has_bot and place.network.exists():
            if is_ours(shipped):
                ship(place, shipped)  # a killed run may have kept it
                size = measure(training, source, shipped, status)
                say(f"{place.path / 'bot.py'}: {size:,} characters, to paste", error=True)
            else:
                warn(
                    f"{path_for_people(shipped)} is not of this command and stays: copy"
                    f" {place.network} there"
                )
    if training.n_done:
        write_page(place.path / "train.html", contest, place.state, training.described_weights())
        say(describe_file(place.path / "train.html"), error=True)
    if training.n_done < len(place.state.rounds):
        warn(f"generation {training.n_done} is not finished: the same command goes on")
    say(training.kept_text())
    for line in training.described_weights():
        say(line)


def report_interruption(rounds: Iterator[int]) -> Iterator[int]:
    """Yields the numbers of the rounds. At an interruption, warns that the same command goes on."""
    try:
        yield from rounds
    except KeyboardInterrupt:
        warn("stopped: the same command goes on")
        raise


def ship(folder: Folder, weights: Path) -> None:
    """Copy the current weights of the training to the file that the bot reads."""
    folder.write(weights, lambda file: file.write(folder.network.read_bytes()))


def describe_round(training: Training, number: int) -> str:
    """Returns a line about a finished round."""
    rounds = training.folder.state.rounds
    done, (lead, _) = rounds[number], signed(elo_of(rounds[number].pairs))
    verdict = "kept" if done.is_kept else "dropped"
    if done.measured:
        score = sum(done.measured) / (4 * len(done.measured))
        elo = elo_text(elos_of(rounds)[number])
        verdict += f", {score:.0%} against {training.text_of(done.rival)}, {elo}"
    return (
        f"generation {number}: {done.games:,} games, {done.games_per_s:.0f} a second, loss"
        f" {text_of(done.losses[-1])}, lead {lead} in {2 * len(done.pairs)} games of"
        f" the test: {verdict};"
        f" {training.text_of_time()}"
    )


def is_ours(file: Path) -> bool:
    """Returns True if this command may write a bot's file of weights: the file is missing, or this
    command wrote it.
    """
    if not file.exists():
        return True
    with np.load(file) as arrays:
        header: dict[str, Any] = json.loads(str(arrays["header"])) if "header" in arrays else {}
    return "generation" in header


def measure(training: Training, source: Path, weights: Path, status: StatusLine) -> int:
    """Write the bot's stripped bundle into the training's folder. Returns its length in characters,
    as UTF-16 counts them. A bot without weights gets random ones, which are no shorter than trained
    weights. Raises UsageError for a bundle above the limit.
    """
    if not weights.exists():
        training.write_random(weights)
    status.show(f"bundling {path_for_people(source)}")
    bundle = training.folder.path / "bot.py"
    run_bundler(source, bundle, "--strip")
    return len(bundle.read_text(encoding="utf-8").encode("utf-16-le")) // 2
