"""Toy contests for the referee's tests, one of each kind of game: Sums (simultaneous), Nim
(alternating), Survivors.
"""

from dataclasses import replace

from shared.core.checks.truth import TruthError
from shared.core.clock import Limits
from shared.core.contest import Case, Contest, Outcome, VerifyReport
from shared.core.drawing.shapes import Frame, Text
from shared.core.protocol import IllegalAction

N_TURNS = 5


class Sums:
    """Each player adds up its numbers; the greatest sum, or the last player left, wins."""

    def __init__(self, seed, n_players=2):
        self.n_players = n_players
        self.seed = seed
        self.turn = 0
        self.sums = [0] * n_players
        self.out = {}

    def setup(self):
        return {"turns": N_TURNS}

    def snapshot(self):
        return {"turn": self.turn, "sums": list(self.sums)}

    def players_to_move(self):
        return [player for player in range(self.n_players) if player not in self.out]

    def initial_input(self, player):
        return [f"you {player}", f"seed {self.seed}"]

    def turn_input(self, player):
        return [" ".join(str(total) for total in self.sums)]

    def lines_expected(self, player):
        return 2

    def parse(self, player, lines):
        try:
            return int(lines[0])
        except ValueError:
            raise IllegalAction(f"line 1 holds {lines[0]!r}, a number is expected") from None

    def random_lines(self, player, rng):
        return [str(rng.randrange(1, 4)), "word"][: self.lines_expected(player)]

    def play(self, actions):
        for player, number in actions.items():
            self.sums[player] += number
        self.turn += 1

    def eliminate(self, player, reason):
        self.out[player] = reason

    def outcome(self):
        left = self.players_to_move()
        if self.turn < N_TURNS and len(left) > 1:
            return None
        worth = [(player in left, self.sums[player]) for player in range(self.n_players)]
        ranks = tuple(sorted(worth, reverse=True).index(one) for one in worth)
        reason = "; ".join(self.out.values()) or f"{N_TURNS} turns are over"
        return Outcome(ranks, tuple(float(total) for total in self.sums), reason)


class Nim(Sums):
    """Players alternate in taking 1 to 3 of a heap; the player who takes the last one wins, and an
    eliminated player is skipped.
    """

    def __init__(self, seed, n_players=2):
        super().__init__(seed, n_players)
        self.heap = 5 * n_players
        self.to_move = 0

    def snapshot(self):
        return {"heap": self.heap, "to_move": self.to_move}

    def players_to_move(self):
        return [self.to_move]

    def turn_input(self, player):
        return [str(self.heap)]

    def lines_expected(self, player):
        return 1

    def play(self, actions):
        self.heap -= min(actions.get(self.to_move, 0), self.heap)
        self.pass_on()

    def pass_on(self):
        if self.heap:
            self.to_move = (self.to_move + 1) % self.n_players
            while self.to_move in self.out:
                self.to_move = (self.to_move + 1) % self.n_players

    def outcome(self):
        left = [player for player in range(self.n_players) if player not in self.out]
        if self.heap and len(left) > 1:
            return None
        winner = left[0] if len(left) == 1 else self.to_move
        ranks = tuple(int(player != winner) for player in range(self.n_players))
        reason = "; ".join(self.out.values()) or f"player {winner} took the last one"
        return Outcome(ranks, tuple(float(rank == 0) for rank in ranks), reason)


class Survivors(Sums):
    """In each turn the player with the least number, the last of equals, is eliminated by the
    rules; the last one left wins.
    """

    def __init__(self, seed, n_players=2):
        super().__init__(seed, n_players)
        self.order = []

    def snapshot(self):
        return {"out": list(self.order)}

    def play(self, actions):
        self.turn += 1
        if len(self.players_to_move()) > 1:
            self.eliminate(min(actions, key=lambda player: (actions[player], -player)), "least")

    def eliminate(self, player, reason):
        super().eliminate(player, reason)
        self.order.append(player)

    def outcome(self):
        left = self.players_to_move()
        if len(left) > 1:
            return None
        order = (left + self.order[::-1])[: self.n_players]
        ranks = tuple(order.index(player) for player in range(self.n_players))
        return Outcome(ranks, tuple(map(float, ranks)), f"out in the order {self.order}")


def verify(path):
    """A truth file of this contest holds the line "agrees" or "differs"."""
    found = path.read_text().strip()
    if found not in ("agrees", "differs"):
        raise TruthError(f"{path}: no truth file of toy")
    first = "game 0, turn 2, player 1, sum: 3 where 4 was recorded" if found == "differs" else None
    return VerifyReport(games=1, turns=N_TURNS, mismatches=int(first is not None), first=first)


def render(turn):
    """The sums as texts."""
    texts = [
        Text(str(total), 1, at=(player + 0.5, 1), fill="ink")
        for player, total in enumerate(turn.after["sums"])
    ]
    return Frame((0, 0, 8, 2), tuple(texts))


def map_of(seed, n_players):
    """Names one of three fields, by a property of its seed."""
    return Case(f"field {seed % 3}", "odd" if seed % 2 else "even")


CONTEST = Contest(
    name="toy",
    title="Toy <b>contest</b>",
    players=(2, 3),
    limits=Limits(first_ms=1500, turn_ms=400, bank_ms=300),
    new_match=Sums,
    verify=verify,
    render=render,
    map_of=map_of,
)
NIM = replace(CONTEST, name="nim", players=(2, 8), new_match=Nim)
SURVIVORS = replace(CONTEST, name="survivors", players=(2, 8), new_match=Survivors)
