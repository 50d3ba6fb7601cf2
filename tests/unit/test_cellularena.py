"""Cellularena: the rules, its boards, its text, its drawing, and the game that its bots search."""

from random import Random

import pytest

from bots.cellularena import game as turns
from bots.cellularena import rival
from shared.core.jit import Ints, int_buffer, kernel
from shared.core.protocol import IllegalAction, ProtocolError
from shared.games.cellularena import sim
from shared.games.cellularena.contest import Match, rebuild
from shared.games.cellularena.maps import new_game
from shared.games.cellularena.protocol import (
    format_action,
    parse_action,
    read_start,
    read_turn,
    start_lines,
    turn_lines,
)
from shared.games.cellularena.state import (
    CELL,
    CELLS,
    ENDED,
    ID_BIT,
    JOINT_SIZE,
    KIND,
    KINDS,
    MAX_ACTIONS,
    N_OPEN,
    N_PLAYERS,
    N_PROTEINS,
    NEXT_ID,
    ORGANS,
    ROOT,
    ROOTS,
    ROW,
    STOCKS,
    TARGET_BIT,
    TURN,
    WAIT,
    WALL,
    cell_at,
    new_state,
    place_of,
    root_of,
    start_state,
)

LETTERS = {".": 0, "#": WALL} | {letter: KINDS.index(letter) for letter in "ABCD"}


@kernel
def apply(state: Ints, joint: Ints, growths: Ints) -> None:
    """A turn."""
    sim.apply(state, joint, growths)


@kernel
def order(state: Ints, growths: Ints, n: int) -> int:
    """The growths that are left, in the order of their ids."""
    return sim.drop_collisions(state, growths, n)


@kernel
def bot_begin(setup: Ints, state: Ints) -> None:
    """Begin a turn of a bot's game."""
    turns.find_steps(setup, state)
    turns.begin_turn(setup, state)


@kernel
def bot_legal(setup: Ints, state: Ints, actions: Ints) -> int:
    """The actions of the next organism."""
    return turns.legal(setup, state, actions)


@kernel
def bot_apply(setup: Ints, state: Ints, action: int) -> None:
    """One of them, in place."""
    turns.apply(setup, state, action, state)


def board(*rows, stocks=(9, 9, 9, 9)):
    """Returns the state of a board with the roots `0` and `1`."""
    roots = [
        (row.index(player), y) for player in "01" for y, row in enumerate(rows) if player in row
    ]
    kinds = {
        (x, y): LETTERS.get(letter, 0) for y, row in enumerate(rows) for x, letter in enumerate(row)
    }
    return start_state(len(rows[0]), len(rows), kinds, stocks, roots)


def play(state, first="", second=""):
    """Play a turn; a player's lines are divided by semicolons."""
    joint, n = int_buffer(JOINT_SIZE), N_PLAYERS
    for player, lines in enumerate((first, second)):
        for line in filter(None, lines.split(";")):
            joint[n] = parse_action(state, player, line)
            joint[player] += 1
            n += 1
    apply(state, joint, int_buffer(MAX_ACTIONS))
    return state


def stocks_of(state, player=0):
    first = STOCKS + N_PROTEINS * player
    return [int(number) for number in state[first : first + N_PROTEINS]]


def kind_at(state, x, y):
    return KINDS[int(state[CELLS + cell_at(x, y)]) & KIND]


# ---- Boards


@pytest.mark.parametrize("seed", range(1, 41))
def test_boards_are_symmetric_and_in_one_piece(seed):
    state = new_game(seed)
    width, height = read_start(lambda: start_lines(state)[0])
    assert 8 <= height <= 12 and width == 2 * height and min(stocks_of(state)) >= 3
    places = [(x, y) for y in range(height) for x in range(width)]
    kinds = {place: kind_at(state, *place) for place in places}
    turned = {(x, y): kinds[width - 1 - x, height - 1 - y] for x, y in places}
    mirrored = {(x, y): kinds[width - 1 - x, y] for x, y in places}
    assert kinds in (turned, mirrored)
    free = {place for place in places if kinds[place] != "WALL"}
    reached, waiting = {min(free)}, [min(free)]
    while waiting:
        x, y = waiting.pop()
        more = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & free - reached
        reached |= more
        waiting += more
    assert reached == free


# ---- Growth


def test_a_growth_is_paid_and_absorbs_a_source():
    state = play(board("0A..1"), "GROW 1 1 0 TENTACLE e", "WAIT")
    assert stocks_of(state) == [12, 8, 8, 9] and kind_at(state, 1, 0) == "TENTACLE"
    assert turn_lines(state, 0)[1:4] == [
        "0 0 ROOT 1 1 N 0 1",
        "1 0 TENTACLE 1 3 E 1 1",
        "4 0 ROOT 0 2 N 0 2",
    ]
    assert (state[ORGANS], state[N_OPEN], state[TURN], state[ENDED]) == (2, 2, 1, 0)


def test_an_organism_grows_once_and_an_unpaid_line_is_left_out():
    state = play(
        board("0...1", ".....", stocks=(5, 0, 0, 5)),
        "GROW 1 1 0 TENTACLE;GROW 1 0 1 BASIC;GROW 1 1 0 BASIC",
    )
    assert [kind_at(state, 1, 0), kind_at(state, 0, 1)] == ["", "BASIC"]


def test_growths_that_collide_leave_a_wall_and_are_paid():
    state = play(board("0A1", "..."), "GROW 1 1 0 BASIC", "GROW 2 1 0 BASIC")
    assert kind_at(state, 1, 0) == "WALL" and state[NEXT_ID] == 3 and state[N_OPEN] == 3
    assert stocks_of(state) == stocks_of(state, 1) == [8, 9, 9, 9]


@pytest.mark.parametrize(
    "line",
    [
        "GROW 7 1 0 BASIC",  # no such organ
        "GROW 2 2 0 BASIC",  # not its own
        "GROW 1 1 0 ROOT",
        "GROW 1 -1 0 BASIC",
        "GROW 1 0 1 BASIC",  # a wall
        "GROW 1 0 0 BASIC",
        "SPORE 1 1 0",  # from a root
    ],
)
def test_a_growth_against_the_rules_is_a_wait(line):
    state = board("0..1", "#...")
    assert parse_action(state, 0, line) == WAIT
    assert turn_lines(play(state, line), 0) == turn_lines(board("0..1", "#..."), 0)


def test_a_source_can_be_spent_from_the_next_turn_on():
    state = board("0A..1", ".....", stocks=(1, 0, 0, 0))
    play(state, "GROW 1 1 0 BASIC;GROW 1 0 1 BASIC")
    assert stocks_of(state) == [3, 0, 0, 0] and state[ORGANS] == 2


def test_a_growth_towards_a_far_cell_is_the_next_organ_on_the_path():
    state = board("0#.....", "..#.#..", "#.....1")
    action = parse_action(state, 0, "GROW 1 6 0 BASIC")
    assert place_of(action >> TARGET_BIT & CELL) == (0, 1)
    play(state, "GROW 1 6 0 BASIC S")
    # From the last organ of the organism on the path.
    assert (
        format_action(state, parse_action(state, 0, "GROW 1 6 0 BASIC S")) == "GROW 3 1 1 BASIC S"
    )
    # An unreachable cell: towards the reachable one nearest to it.
    closed = board("0..#.1")
    assert (
        format_action(closed, parse_action(closed, 0, "GROW 1 4 0 BASIC")) == "GROW 1 1 0 BASIC N"
    )


def test_spores_fly_over_sources_and_not_over_organs():
    state = play(board("0....A..1", "........."), "GROW 1 1 0 SPORER E")
    assert parse_action(state, 0, "SPORE 3 3 1") == WAIT
    assert parse_action(state, 0, "SPORE 3 8 0") == WAIT
    play(state, "SPORE 3 6 0")
    assert kind_at(state, 6, 0) == "ROOT" and (state[ROOTS], state[ORGANS]) == (2, 3)
    assert parse_action(state, 0, "SPORE 3 7 0") == WAIT
    play(state, "GROW 4 6 1 BASIC;GROW 3 1 1 BASIC")
    assert state[ORGANS] == 5
    assert root_of(int(state[CELLS + cell_at(6, 1)])) == cell_at(6, 0)


def java_order(cells):
    """Returns cells in the order of a java.util.HashMap that was filled by `compute`, a literal
    second form.
    """
    table = [[] for _ in range(16)]

    def resized():
        wider = [[] for _ in range(2 * len(table))]
        for one in [cell for bucket in table for cell in bucket]:
            wider[hash_of(one) % len(wider)].append(one)
        return wider

    def hash_of(cell):
        x, y = place_of(cell)
        return 31 * (31 + x) + y

    for cell in cells:
        if sum(map(len, table)) > 0.75 * len(table):
            table = resized()
        bucket = table[hash_of(cell) % len(table)]
        if cell not in bucket:
            bucket.insert(0, cell)
            if len(bucket) >= 8 and len(table) < 64:
                table = resized()
    return [cell for bucket in table for cell in bucket]


@pytest.mark.parametrize("seed", range(60))
def test_ids_follow_the_order_of_a_hash_map(seed):
    rng = Random(seed)
    places = [cell_at(rng.randrange(24), rng.randrange(12)) for _ in range(rng.randrange(1, 45))]
    if seed % 3 == 0:  # one bucket
        places = [cell_at(y + 16 * rng.randrange(2) % 12, y) for y in range(12)][: len(places)]
    state = start_state(24, 12, {}, (0,) * 4, [(0, 0), (23, 11)])
    growths = int_buffer(MAX_ACTIONS)
    for i, cell in enumerate(places):
        growths[i] = 1 | cell << TARGET_BIT
    n = order(state, growths, len(places))
    once = [cell for cell in java_order(places) if places.count(cell) == 1]
    assert [int(growths[i]) >> TARGET_BIT & CELL for i in range(n)] == once


# ---- Harvest, attack, the end


def test_each_player_harvests_a_source_once_a_turn():
    state = board("0.A.1", "....#")
    play(state, "GROW 1 1 0 HARVESTER E", "GROW 2 3 0 HARVESTER W")
    assert stocks_of(state) == stocks_of(state, 1) == [10, 9, 8, 8]
    play(state, "GROW 3 1 1 BASIC")
    play(state, "GROW 4 2 1 HARVESTER N")
    assert stocks_of(state)[0] == 10 + 1 - 1 + 1


def test_tentacles_attack_at_once_and_take_all_that_grew():
    state = board("0...1", ".....")
    play(state, "GROW 1 1 0 SPORER S", "GROW 2 3 0 BASIC")
    play(state, "SPORE 3 1 1", "GROW 4 3 1 BASIC")
    play(state, "GROW 1 0 1 BASIC", "GROW 4 2 0 TENTACLE W")
    # The sporer dies, what it spored lives.
    assert [kind_at(state, 1, 0), kind_at(state, 1, 1)] == ["", "ROOT"] and state[ORGANS] == 3
    # No growth in front of a tentacle of the other player.
    assert parse_action(state, 0, "GROW 1 1 0 BASIC") == WAIT
    assert parse_action(state, 1, "GROW 7 1 0 BASIC") == WAIT  # a root of the other player
    play(state, "GROW 5 2 1 TENTACLE N")
    assert kind_at(state, 2, 0) == "" and state[ORGANS + 1] == 3


def test_tentacles_that_face_each_other_both_die():
    state = play(board("0..1"), "GROW 1 1 0 TENTACLE E", "GROW 2 2 0 TENTACLE W")
    assert (state[ORGANS], state[ORGANS + 1], state[N_OPEN]) == (1, 1, 2)


def test_a_game_ends_without_a_root():
    state = board("0.1")
    assert play(state, "GROW 1 1 0 TENTACLE E")[ENDED] == sim.DIED


def test_a_game_ends_if_the_one_behind_cannot_go_on():
    state = board("0...1", "..A..", stocks=(0, 1, 1, 0))
    for i in range(N_PROTEINS):
        state[STOCKS + N_PROTEINS + i] = 9
    assert play(state)[ENDED] == 0
    state[STOCKS + 1] = 0
    assert play(state)[ENDED] == 0  # equal numbers of organs
    assert play(state, "", "GROW 2 3 0 BASIC")[ENDED] == sim.STARVED


def test_a_game_ends_on_a_full_board_and_after_the_last_turn():
    assert play(board("0.1"), "GROW 1 1 0 BASIC")[ENDED] == sim.FULL
    state = board("0..1")
    state[TURN] = 98
    assert play(state)[ENDED] == 0 and play(state)[ENDED] == sim.LAST_TURN


def test_equal_numbers_of_organs_are_decided_by_proteins():
    match = Match(1)
    match.state = board("0.A1", "....", stocks=(1, 2, 3, 4))
    match.state[TURN] = 99
    match.play({0: [], 1: [parse_action(match.state, 1, "GROW 2 3 1 BASIC")]})
    assert match.outcome().scores == (1.0, 2.0) and match.outcome().ranks == (1, 0)
    match.state = board("0.A1", stocks=(1, 2, 3, 4))
    match.state[TURN], match.state[STOCKS] = 99, 7
    match.play({})
    assert match.outcome().scores == (16.0, 10.0)


# ---- Text


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("WAIT", "WAIT"),
        ("  WAIT hello", "WAIT"),
        ("GROWTH 1 1 0 HARVESTER s some words", "GROW 1 1 0 HARVESTER S"),
        ("GROW 1 1 0 SPORER X", "GROW 1 1 0 SPORER N"),
        ("SPOR 1 1 0", "WAIT"),
    ],
)
def test_lines_that_the_referee_takes(line, name):
    state = board("0..1")
    assert format_action(state, parse_action(state, 0, line)) == name


@pytest.mark.parametrize(
    "line",
    [
        *("", "wait", "WAITS", "GROW 1 1 0", "GROW 1 1 0 basic", "GROW 1 1 0 A", "SPORE 1 1 x"),
        *("GROW 1 99999999999 0 BASIC", "GROW  1 1 0 BASIC", "SPORE 1 1 0,", "GROW ² 1 0 BASIC"),
    ],
)
def test_lines_that_eliminate(line):
    with pytest.raises(IllegalAction):
        parse_action(board("0..1"), 0, line)


def states_of(seed):
    """Yields the states of a random game."""
    match, rng = Match(seed), Random(seed)
    while match.outcome() is None:
        yield match.state
        lines = {player: match.random_lines(player, rng) for player in (0, 1)}
        match.play({player: match.parse(player, lines[player]) for player in lines})


@pytest.mark.parametrize("player", [0, 1])
def test_the_input_tells_the_whole_state(player):
    for state in states_of(5):
        lines = iter(turn_lines(state, player))
        told = new_state()
        told[TURN] = state[TURN]
        size = read_start(lambda state=state: start_lines(state)[0])
        n = read_turn(lambda lines=lines: next(lines, ""), next(lines), size, player, told)
        assert n == state[ROOTS + player]
        told[NEXT_ID] = state[NEXT_ID]
        assert list(map(int, told)) == list(map(int, state))


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ("x", "number of entities"),
        ("99", "at most 4 entities"),
        ("1", "the input ended where entity 1"),
        ("1|0 0 WALL -1 0 X 0", "entity 1"),
        ("1|0 9 WALL -1 0 X 0 0", "entity 1"),
        ("1|0 0 ROOT -1 1 N 0 1", "entity 1"),
        ("1|0 0 BASIC 1 1 N 7 1|1 1 1 1|1 1 1 1|1", "parent"),
        ("0|1 1 1", "proteins"),
        ("0|1 1 1 1|1 1 1 1|", "number of actions"),
    ],
)
def test_malformed_input_is_named(lines, text):
    rest = iter(lines.split("|"))
    with pytest.raises(ProtocolError, match=text):
        read_turn(lambda: next(rest, ""), next(rest), (4, 1), 0, new_state())


def test_another_league_is_refused():
    with pytest.raises(ProtocolError, match="top league, 5"):
        rebuild(1, {"league": "4"}, {0: ["8 8"]})
    found = rebuild(3, {}, {0: ["22 11", "1", "2 2 ROOT 1 7 N 0 7"]})
    assert int(found.match.state[NEXT_ID]) == 9


# ---- Drawing, and the game of bots


@pytest.mark.exhaustive("compiles the bot's game")
@pytest.mark.parametrize("seed", range(3))
def test_a_bots_game_is_the_rules_with_the_rivals_replies(seed):
    """Its organisms' actions, one after another, are a turn of the rules but for the ids."""
    setup, state, actions = (
        turns.new_setup(),
        turns.new_bot_state(),
        int_buffer(turns.MOST_ACTIONS),
    )
    rng = Random(seed)
    twin = new_game(seed + 1)
    setup[turns.LAST] = sim.MAX_TURNS
    for i, number in enumerate(twin):
        state[i] = number
    bot_begin(setup, state)
    ids = (1 << ID_BIT) - 1
    n_played = n_replies = 0
    while not twin[ENDED]:
        joint = int_buffer(JOINT_SIZE)
        joint[0], joint[1] = (int(state[i]) for i in (turns.N_ACTING, rival.N_REPLIES))
        replies = [int(one) for one in state[rival.REPLIES : rival.REPLIES + joint[1]]]
        n_replies += len(replies)
        for i, reply in enumerate(replies, N_PLAYERS + int(joint[0])):
            joint[i] = reply
        for i in range(max(int(joint[0]), 1)):
            n = bot_legal(setup, state, actions)
            spores = [int(one) for one in actions[:n] if one & 7 == ROOT]
            action = rng.choice(spores or [int(one) for one in actions[:n]])
            n_played += action != WAIT
            if joint[0]:
                joint[N_PLAYERS + i] = turns.to_rules(state, action)
            bot_apply(setup, state, action)
        apply(twin, joint, int_buffer(MAX_ACTIONS))
        one, other = (
            [
                int(number) & (ids if i >= CELLS else -1)
                for i, number in enumerate(buffer[: len(twin)])
            ]
            for buffer in (state, twin)
        )
        assert one == other
    assert n_played > 5 and n_replies > 5 and int(twin[CELLS + ROW + 1]) >= 0


def test_an_attack_takes_a_whole_branch_and_no_other():
    """Organs die with the organ they grew from, to the last leaf; what grew elsewhere lives."""
    state = board("0......1", "........", stocks=(99,) * 4)
    for i in range(N_PROTEINS):
        state[STOCKS + N_PROTEINS + i] = 99

    def grow(origin, target, kind="BASIC"):
        return f"GROW {state[CELLS + cell_at(*origin)] >> ID_BIT} {target[0]} {target[1]} {kind}"

    mine = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]
    others = [(7, 0), (7, 1), (6, 1), (5, 1), (4, 1), (3, 1)]
    for step in range(4):
        play(state, grow(*mine[step : step + 2]), grow(*others[step : step + 2]))
    play(state, grow((0, 0), (0, 1)), grow(*others[4:]))
    assert (state[ORGANS], state[ORGANS + 1], state[N_OPEN]) == (6, 6, 4)
    play(state, "", grow((3, 1), (2, 1), "TENTACLE N"))
    assert [kind_at(state, x, 0) for x in range(5)] == ["ROOT", "BASIC", "", "", ""]
    assert kind_at(state, 0, 1) == "BASIC"
    assert (state[ORGANS], state[ORGANS + 1], state[N_OPEN]) == (3, 7, 6)
