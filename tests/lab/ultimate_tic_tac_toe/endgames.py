"""Endgames of the bot `network`, with and without its proofs: games with itself, those lost from a
position that held, these turns again, and matches from positions of the games.

    python -m tests.lab.ultimate_tic_tac_toe.endgames play GAMES --games 70
    python -m tests.lab.ultimate_tic_tac_toe.endgames walk GAMES LOST
    python -m tests.lab.ultimate_tic_tac_toe.endgames again LOST --proofs
    python -m tests.lab.ultimate_tic_tac_toe.endgames match GAMES --ply 24

GAMES and LOST have a line of JSON a game. Both players are the whole bot, its tree kept between
turns, and have `--ms` of CPU time a turn; openings of four plies are random.
"""

import io
import json
import os
from collections import Counter
from contextlib import redirect_stderr
from pathlib import Path
from random import Random

import typer

from bots.ultimate_tic_tac_toe.network import MARGIN_MS, NetworkPlayer
from referee.arena.statistics.sprt import Sprt
from shared.core.clock import Clock
from shared.core.jit import int_buffer, kernel
from shared.games.ultimate_tic_tac_toe.protocol import LIMITS
from shared.games.ultimate_tic_tac_toe.sim import N_ACTIONS, apply, is_over, legal, result
from shared.games.ultimate_tic_tac_toe.state import TURN, new_setup, new_state
from shared.search import mcts
from shared.search.proof_number import Options, is_finished, make_search, new_tree, reset, summary
from tests.lab.ultimate_tic_tac_toe.proofs import PROOF_GAME, ProvingPlayer, hashed, outlook

SETUP = new_setup()
OPENING = 4
TABLE_BITS = 23
BEFORE = 6  # plies before a turn from which on the bot grows its tree
MS = 88.0
cli = typer.Typer()


class Side:
    """The bot in one game after another, with or without proofs."""

    def __init__(self, proofs: bool, ms: float = MS):
        os.environ.update(CG_CLOCK="cpu", CG_MS=str(ms))
        self.player = ProvingPlayer() if proofs else NetworkPlayer()
        self.start()

    def start(self):
        """Begin a game."""
        player = self.player
        player.turns, player.answers, player.answered = [], [], []
        self.clock = Clock(LIMITS, MARGIN_MS)
        mcts.reset(player.tree)

    def choose(self, state, last):
        """Returns the answer to the rival's last action, -1 for none, in a position."""
        self.clock.start()
        self.player.turns.append((last, []))
        self.player.state = int_buffer(state)
        with redirect_stderr(io.StringIO()):  # without the lines of its expectation
            return int(self.player.choose(self.clock))

    def repeat(self, state, last, action, searched):
        """Play a recorded action, `searched`: after a search."""
        if searched:
            self.choose(state, last)
            self.player.answers[-1] = action
            self.player.answered = list(self.player.answers)
        else:
            self.player.turns.append((last, []))
            self.player.answers.append(action)


def new_sides(*proofs, ms):
    """Returns sides that have played a short game: numba compiles some functions meanwhile."""
    os.environ["CG_NODES"] = "2000"
    sides = [Side(one, ms) for one in proofs]
    finish([sides[0], sides[-1]], [])
    del os.environ["CG_NODES"]
    return sides


def after(state, action):
    state = int_buffer(state)
    apply(SETUP, state, action, state)
    return state


def finish(sides, opening):
    """The actions of a game from an opening on, and the first player's result."""
    for side in sides:
        side.start()
    state, last, actions = new_state(), -1, []
    while not is_over(SETUP, state):
        turn = int(state[TURN])
        if turn < len(opening):
            action = opening[turn]
            sides[turn & 1].repeat(state, last, action, False)
        else:
            action = sides[turn & 1].choose(state, last)
        state, last = after(state, action), action
        actions.append(action)
    found = int(result(SETUP, state))
    return actions, -found if state[TURN] & 1 else found


def make_proof(goal):
    """proof(state, nodes) -> Summary: does the player to move win (1), or hold (0)?"""
    options = Options(goal, max_depth=82)
    search = kernel(make_search(PROOF_GAME, options, outlook))
    tree = new_tree(PROOF_GAME, options, TABLE_BITS)

    def proof(state, nodes):
        reset(tree)
        root = hashed(SETUP, state)
        while not is_finished(tree) and summary(tree).generated < nodes:
            search(SETUP, root, tree, 100_000)
        return summary(tree)

    return proof


def read(file):
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@cli.command()
def play(file: Path, games: int = 70, seed: int = 10_000, ms: float = MS) -> None:
    """The bot without proofs against itself; writes the games."""
    sides, actions = new_sides(False, False, ms=ms), int_buffer(N_ACTIONS)
    with file.open("a", encoding="utf-8") as lines:
        for number in range(seed, seed + games):
            rng, state, opening = Random(number), new_state(), []
            for _ in range(OPENING):
                opening.append(int(actions[rng.randrange(legal(SETUP, state, actions))]))
                state = after(state, opening[-1])
            played, first = finish(sides, opening)
            lines.write(json.dumps({"seed": number, "actions": played, "result": first}) + "\n")


@cli.command()
def walk(games: Path, lost: Path, nodes: int = 20_000_000) -> None:
    """Walk each lost game back from its end to the loser's last turn that is not proven lost, and
    write those with a proven hold. A game may have "loser" in place of "result".
    """
    holds, wins, verdicts = make_proof(0), make_proof(1), Counter()
    with lost.open("w", encoding="utf-8") as lines:
        for game in read(games):
            if not game.get("result", 1):
                continue
            loser = game.get("loser", 0 if game.get("result") == -1 else 1)
            states = [new_state()]
            for action in game["actions"]:
                states.append(after(states[-1], action))
            for ply in range(len(game["actions"]) - 1, OPENING - 1, -1):
                if ply % 2 == loser and (found := holds(states[ply], nodes)).reached is not False:
                    break
            refuted = wins(states[ply + 1], nodes)
            verdicts[found.reached, refuted.reached] += 1
            print(f"ply {ply}: holds {found.reached} by {found.generated:,} nodes,", end=" ")
            print(f"refuted {refuted.reached} by {refuted.generated:,}", flush=True)
            if found.reached:
                lines.write(json.dumps({**game, "loser": loser, "ply": ply}) + "\n")
    print("(holds, refuted):", dict(verdicts))


@cli.command()
def again(lost: Path, proofs: bool = True, ms: float = MS, nodes: int = 6_000_000) -> None:
    """The bot at the turns that lost: does it play the same action, or one that holds?"""
    [side], wins, verdicts = new_sides(proofs, ms=ms), make_proof(1), Counter()
    for game in read(lost):
        side.start()
        state, last = new_state(), -1
        for ply, action in enumerate(game["actions"][: game["ply"]]):
            if ply % 2 == game["loser"]:
                side.repeat(state, last, action, ply >= game["ply"] - BEFORE)
            state, last = after(state, action), action
        chosen = side.choose(state, last)
        found = wins(after(state, chosen), nodes).reached
        words = {True: "lost as well", False: "holds", None: "open"}
        verdicts["same" if chosen == game["actions"][game["ply"]] else words[found]] += 1
    print(dict(verdicts))


@cli.command()
def match(games: Path, ply: int = 24, most: int = 100, ms: float = MS) -> None:
    """Play with proofs against without, from each game's position at a ply, with either side."""
    sides, counts, pairs = new_sides(True, False, ms=ms), Counter(), Counter()
    test = Sprt(0.0, 30.0)
    for game in [one for one in read(games) if len(one["actions"]) > ply + OPENING][:most]:
        opening = game["actions"][:ply]
        found = [finish(sides, opening)[1], -finish(sides[::-1], opening)[1]]
        counts.update(found)
        pairs[sum(found) + 2] += 1
        won, drawn, lost = counts[1], counts[0], counts[-1]
        score = (won + drawn / 2) / (won + drawn + lost)
        print(f"+{won} ={drawn} -{lost}, {score:.1%}, llr {test.llr(pairs):+.2f}", flush=True)
        if test.verdict(pairs):
            break
    print(test.verdict(pairs) or "open")


if __name__ == "__main__":
    cli()
