"""The text of Coders Strike Back, line by line, and the actions considered by bots."""

import pytest

from shared.core.protocol import IllegalAction, ProtocolError
from shared.games.coders_strike_back import protocol
from shared.games.coders_strike_back.sim import BOOST, RAISE_SHIELD
from shared.games.coders_strike_back.state import (
    ANGLE,
    new_state,
)
from tests.support.csb_pods import CHECKPOINTS, state_of


class TestProtocol:

    @pytest.mark.parametrize(
        ("radians", "shown"), [(-0.001, 0), (-0.01, 359), (6.28, 0), (0.5, 29)]
    )
    def test_angles_are_rounded_half_up_and_within_0_to_359(self, radians, shown):
        state = state_of((0, 0, 0, 0))
        state[ANGLE] = radians
        assert protocol.turn_lines(state, 3, 0)[0].split()[4] == str(shown)

    @pytest.mark.parametrize(
        ("line", "action"),
        [
            ("1 -2 0", (1, -2, 0)),
            ("100000 -100000 200 hello there", (100000, -100000, 200)),
            ("0 0 BOOST", (0, 0, BOOST)),
            ("5 5 SHIELD  ouch", (5, 5, RAISE_SHIELD)),
        ],
    )
    def test_legal_lines(self, line, action):
        assert protocol.parse_action(line) == action

    @pytest.mark.parametrize(
        "line",
        [
            "",
            "1 2",
            "1 2 201",
            "1.5 2 3",
            "١ 2 3",
            "9" * 400 + " 0 0",
        ],
    )
    def test_illegal_lines_are_named(self, line):
        with pytest.raises(IllegalAction, match="got"):
            protocol.parse_action(line)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("3\nx\n", "the number of checkpoints .* got 'x'"),
            ("3\n2\n1 2\n", "the input ended where x y of a checkpoint"),
            ("", "the input ended where the number of laps"),
        ],
    )
    def test_a_bot_told_nonsense_says_which_line(self, text, message):
        lines = iter(text.splitlines(keepends=True))
        with pytest.raises(ProtocolError, match=message):
            protocol.read_start(lambda: next(lines, ""))

    def test_an_unknown_checkpoint_is_an_error_and_not_an_endless_search(self):
        lines = iter(["0 0 0 0 0 7\n"])
        with pytest.raises(ProtocolError, match="no checkpoint 7"):
            protocol.read_turn(lambda: next(lines), 3, new_state(CHECKPOINTS))
