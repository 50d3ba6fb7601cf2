"""State that a bot of Coders Strike Back infers beyond its input."""

import math
import random

from bots.coders_strike_back.tracker import Tracker
from shared.games.coders_strike_back.contest import CONTEST
from shared.games.coders_strike_back.protocol import parse_action
from shared.games.coders_strike_back.sim import BOOST, MAX_ROTATION, RAISE_SHIELD
from shared.games.coders_strike_back.state import (
    ANGLE,
    BOOSTED,
    NEXT,
    SHIELD,
    TIMEOUT,
    TURN,
    VX,
    VY,
    X,
    Y,
)


class Game:
    """A race in which a tracker follows the view of player `player`."""

    def __init__(self, seed, player):
        self.match, self.player = CONTEST.new_match(seed), player
        self.lines = self.match.initial_input(player)
        self.tracker = Tracker(lambda: self.lines.pop(0) + "\n" if self.lines else "")
        self.read()

    def read(self):
        self.lines = self.match.turn_input(self.player)
        assert self.tracker.read_turn()
        self.tracker.update()

    def play(self, own, rival):
        """Play a turn: own (rotation, command) of two pods, the rival's (x, y, command) of two
        pods.
        """
        commands = [
            parse_action(self.tracker.command(pod, rotation, command))
            for pod, (rotation, command) in enumerate(own)
        ]
        self.match.play({self.player: commands, 1 - self.player: rival})
        self.read()

    def pairs(self, field, pods):
        """Returns pairs of the tracker's and the true values, for some of the tracker's pods."""
        for pod in pods:
            actual = (pod + 2 * self.player) % 4
            yield float(self.tracker.state[field + pod]), float(self.match.state[field + actual])


def random_game(seed, player, turns=60):
    rng = random.Random(seed)
    game = Game(seed, player)
    for _ in range(turns):
        if game.match.outcome():
            break
        commands = [200, 200, 200, 100, 0, BOOST, RAISE_SHIELD]
        own = [(rng.uniform(-1.2, 1.2) * MAX_ROTATION, rng.choice(commands)) for _ in range(2)]
        own = [(min(max(turn, -MAX_ROTATION), MAX_ROTATION), command) for turn, command in own]
        rival = [(rng.randrange(16000), rng.randrange(9000), rng.choice(commands)) for _ in "01"]
        game.play(own, rival)
        yield game


def test_ones_own_pods_are_known_exactly_from_either_seat():
    for player in (0, 1):
        for game in random_game(11, player):
            for field in (X, Y, VX, VY, ANGLE, NEXT, SHIELD, BOOSTED):
                for known, true in game.pairs(field, (0, 1)):
                    assert known == true
            state, match = game.tracker.state, game.match.state
            assert state[TURN] == match[TURN]
            assert state[TIMEOUT] == match[TIMEOUT + player]
            assert state[TIMEOUT + 1] == match[TIMEOUT + 1 - player]


def test_rivals_are_as_shown():
    for game in random_game(12, 0):
        for field in (X, Y, VX, VY, NEXT):
            assert all(known == true for known, true in game.pairs(field, (2, 3)))
        for known, true in game.pairs(ANGLE, (2, 3)):
            assert abs(math.remainder(known - true, 2 * math.pi)) <= math.radians(0.5) + 1e-9


def test_a_rivals_boost_is_noticed():
    game = Game(1, 0)
    x, y = game.match.checkpoints[1]
    game.play([(0.0, 0), (0.0, 0)], [(x, y, BOOST), (x, y, 200)])
    assert [known for known, _ in game.pairs(BOOSTED, (2, 3))] == [1, 0]


def test_a_rivals_shield_is_noticed_when_it_is_hit():
    game = Game(1, 0)
    state = game.match.state
    for known in (state, game.tracker.state):
        known[TURN] = 5
        for pod, (px, vx, angle) in enumerate([(0, 600, 0.0), (0, 0, 0.0), (1700, -600, math.pi)]):
            known[X + pod], known[Y + pod] = px, 4000 + 3000 * (pod == 1)
            known[VX + pod], known[VY + pod], known[ANGLE + pod] = vx, 0, angle
    game.play([(0.0, 200), (0.0, 0)], [(-9000, 4000, RAISE_SHIELD), (0, 0, 0)])
    assert [known for known, _ in game.pairs(SHIELD, (2, 3))] == [3, 0]
