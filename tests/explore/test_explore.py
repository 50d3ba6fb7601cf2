"""`explore` repeats a turn exactly and reads its trees; it searches other actions, more nodes."""

import pytest

from referee.errors import UsageError
from referee.explore.explore import explore

# Contest, player, turn, the search
CASES = [
    ("ultimate_tic_tac_toe", 0, 6, "mcts"),
    ("infexion", 1, 3, "alphabeta"),
    ("code_of_kutulu", 1, 1, "simultaneous_uct"),
    ("code_of_kutulu", 2, 1, "max_n"),
    ("coders_strike_back", 1, 1, "smitsimax"),
    ("infexion", 0, 4, "mcts"),
    ("xmas_rush", 0, 2, "matrix_game"),
    ("ants", 0, 2, "sampler"),
    ("samegame beam", 0, 0, "solo.beam"),
    ("samegame chokudai", 0, 0, "solo.chokudai"),
    ("samegame sp_mcts", 0, 0, "solo.single_player_mcts"),
    ("samegame nmcs", 0, 0, "solo.nested"),
    ("samegame nrpa", 0, 0, "solo.policy_adaptation"),
]
# They have one ply, or stop before the line ends.
SHORT = ("sampler", "matrix_game", "simultaneous_uct", "solo.chokudai", "solo.single_player_mcts")
# Their boards are those of the log.
WITHOUT_SCENES = ("sampler",)
PARENT, WORD, VISITS = range(3)


def bot_of(log, player):
    return log.header.bots[player].bot


@pytest.mark.slow("plays more contests", keep=1)
@pytest.mark.exhaustive("plays more contests", keep=4)
@pytest.mark.parametrize(("contest", "player", "turn", "search"), CASES)
def test_a_turn_is_repeated_with_its_trees(logs, contest, player, turn, search):
    log = logs[contest]
    [found] = explore(log, player, turn, bot_of(log, player))
    assert found["same"] and found["differs"] is None
    [one] = found["searches"]
    assert one["search"] == search
    assert one["granted"] == found["nodes"] == dict(log.of_player(player))[turn].nodes
    own = next(tree for tree in one["trees"] if tree["own"])
    assert own["line"] and (search in SHORT or len(own["nodes"]) > len(own["line"]))
    for tree in one["trees"]:
        root, *nodes = tree["nodes"]
        assert root[PARENT] == -1
        for i, columns in enumerate(nodes, 1):
            assert 0 <= columns[PARENT] < i
            assert tree["words"][columns[WORD]]
            parent = tree["nodes"][columns[PARENT]]
            if columns[VISITS] is not None and parent[VISITS] is not None:
                assert columns[VISITS] <= parent[VISITS]
    assert search in WITHOUT_SCENES or own["scenes"][0][0] == 0


def test_the_line_told_in_the_match_is_the_one_found(logs):
    log = logs["ultimate_tic_tac_toe"]
    told = dict(log.of_player(0))[6].stderr.splitlines()[-1].split("|")[1:]
    [found] = explore(log, 0, 6, bot_of(log, 0))
    assert found["searches"][0]["trees"][0]["line"] == told


def test_looks_end_with_the_choice(logs):
    log = logs["ultimate_tic_tac_toe"]
    [found] = explore(log, 0, 6, bot_of(log, 0))
    [one] = found["searches"]
    nodes = [look[0] for look in one["looks"]]
    assert nodes == sorted(set(nodes)) and nodes[-1] == one["granted"]
    _, first, values = one["looks"][-1]
    assert [first] == found["answer"]
    assert values[first][0] == one["value"]


@pytest.mark.slow("searches in a process of its own")
def test_other_actions_are_searched_as_long(logs):
    log = logs["ultimate_tic_tac_toe"]
    [found] = explore(log, 0, 6, bot_of(log, 0))
    tree = found["searches"][0]["trees"][0]
    words = [tree["words"][one[WORD]] for one in tree["nodes"][1:] if one[PARENT] == 0][:2]
    _, *others = explore(log, 0, 6, bot_of(log, 0), plays=tuple(words))
    assert [other["play"] for other in others] == words
    assert [other["granted"] for other in others] == [found["nodes"]] * 2
    assert all(-1.0 <= other["value"] <= 1.0 for other in others)
    with pytest.raises(UsageError, match=r"'9 9' is no action here: there are \d \d, \d \d"):
        explore(log, 0, 6, bot_of(log, 0), plays=("9 9",))


@pytest.mark.slow("compiles a bot")
def test_more_nodes(logs):
    log = logs["infexion"]
    [found] = explore(log, 1, 3, bot_of(log, 1), factor=3.0)
    [one] = found["searches"]
    assert one["granted"] == 3 * found["nodes"]
    assert one["counts"]["iterations"] >= one["granted"]


def test_another_bot_is_led_along_the_logged_game(logs):
    """Alpha-beta repeats a game of UCT: its answers differ, the positions are the logged ones."""
    log = logs["infexion"]
    [found] = explore(log, 0, 4, bot_of(log, 1))
    assert found["searches"][0]["search"] == "alphabeta"
    board = log.turns[3].state["board"]
    assert found["searches"][0]["trees"][0]["scenes"][0][2]["board"] == board


@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        ("./a.out", "only a bot of your own, in Python"),
        ("bots/probe.py", "no new_player"),
        ("bots/ants/sampler.py", "is a bot of ants, and .* a game of infexion"),
    ],
)
def test_a_bot_that_cannot_be_looked_into(logs, bot, reason):
    with pytest.raises(UsageError, match=reason):
        explore(logs["infexion"], 0, 4, bot)


@pytest.mark.exhaustive("plays more contests", keep=1)
@pytest.mark.parametrize(
    ("game", "player", "turn", "reason"),
    [
        ("samegame nmcs", 0, 1, "did not search: it plays a plan .* look into turn 0"),
        ("mutation", 0, 0, "shared.search.evolution ran in turn 0, and has no show_nodes"),
        ("mutation", 1, 0, "turn 0 has no node count.* or does not search"),
        ("wayfinder", 0, 1, "none of the searches of shared/search ran"),
    ],
)
def test_a_turn_without_a_view_is_told_in_a_line(logs, game, player, turn, reason):
    log = logs[game]
    with pytest.raises(UsageError, match=reason) as told:
        explore(log, player, turn, bot_of(log, player))
    assert "\n" not in str(told.value)
