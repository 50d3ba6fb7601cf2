"""Skeletons of simulators, written beside a first bot from a log of the official referee."""

import importlib
import sys
from dataclasses import replace
from random import Random

import pytest

from referee.errors import UsageError
from referee.log.file import write_log
from referee.log.records import Bot, LoggedTurn, PlayerTurn
from referee.scaffold.new_contest import write_first_bot, write_skeleton
from tests.page.logs import race

# Of each kind of play: a grammar, and the first lines of the players asked at once.
TURNS = """\
gameloop
read lastRow:int lastCol:int
read actionCount:int
loop actionCount read row:int col:int
write 0 0
"""
AT_ONCE = """\
read height:int myId:int
loop height read row:string(9)
gameloop
read myScore:int oppScore:int share:float
loop 2 read x:int kind:word(4)
read unitCount:int
loop unitCount read unitId:int owner:int isNear:bool
loopline 2 tile:word(1)
write join("MOVE", myScore)
"""
SOLO = "write level\ngameloop\nread w:int h:int\nloop h loopline w cell:int\nwrite 1 2\n"
UNITS = ["2", "4 {} true", "7 -1 false", "a b"]
BY_KIND = {
    "turns": (TURNS, [{1: ["-1 -1", "2", "0 1", "2 2"]}, {0: ["0 1", "1", "2 2"]}]),
    "simultaneous": (
        AT_ONCE,
        [
            {
                0: ["2 0", "#.#", "..", "3 4 0.5", "1 RED", "2 BLUE", *UNITS],
                1: ["2 1", "#.#", "..", "4 3 0.5", "2 BLUE", "1 RED", *UNITS],
            }
        ],
    ),
    "solo": (SOLO, [{0: []}, {0: ["2 1", "5 6"]}]),
}


@pytest.fixture(params=BY_KIND)
def skeleton(request, tmp_path, monkeypatch):
    """(kind, the inputs, the contest's modules) of a skeleton that was written from a log."""
    grammar, turns = BY_KIND[request.param]
    turns = [
        {p: [line.format(1 - p) for line in lines] for p, lines in asked.items()} for asked in turns
    ]
    (tmp_path / "grammar.txt").write_text(grammar)
    write_first_bot("toys", tmp_path / "grammar.txt", tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="play a game, then come back"):
        write_skeleton("toys", tmp_path)
    log = race(n_turns=1, outcome=False)
    n_players = 1 if request.param == "solo" else 2
    header = log.header
    log.header = replace(
        header,
        n_players=n_players,
        bots=[Bot("a", str(tmp_path / "bots/toys/first_player.py"), [], "")] * n_players,
        conditions=replace(
            header.conditions,
            referee="official:/build",
            **{
                name: getattr(header.conditions, name)[:n_players]
                for name in ("limits", "nodes", "think_ms")
            },
        ),
    )
    log.turns = [
        LoggedTurn(i, {p: answered(lines) for p, lines in asked.items()}, {})
        for i, asked in enumerate(turns)
    ]
    write_log(log, tmp_path / "first.jsonl")
    write_skeleton("toys", tmp_path)
    for package in ("shared.games", "bots"):
        module = importlib.import_module(package)
        folder = tmp_path.joinpath(*package.split("."))
        monkeypatch.setattr(module, "__path__", [str(folder), *module.__path__])
    yield request.param, turns, lambda name: importlib.import_module(name)
    for name in [name for name in sys.modules if ".toys" in name]:
        del sys.modules[name]


def answered(lines):
    return PlayerTurn(
        input=lines,
        lines_expected=1,
        output=["?"],
        stderr="",
        nodes=None,
        wall_ms=1.0,
        cpu_ms=1.0,
        fault=None,
    )


def test_a_skeleton_begins_as_the_official_game_and_can_be_played(skeleton):
    """The players asked read the official lines, each its own; a search may play it."""
    kind, turns, module = skeleton
    contest = module("shared.games.toys.contest").CONTEST
    match = contest.rebuild(3, {}, turns[0]).match
    assert match.players_to_move() == list(turns[0])
    for player, lines in turns[0].items():
        assert match.initial_input(player) + match.turn_input(player) == lines
    said = match.random_lines(match.players_to_move()[0], Random(1))
    assert (
        said
        in {"turns": [["0 1"], ["2 2"]], "simultaneous": [["MOVE 3"]], "solo": [["level"]]}[kind]
    )
    assert module("bots.toys.game").GAME.max_actions >= 1
    while match.outcome() is None:
        match.play(
            {p: match.parse(p, match.random_lines(p, Random(1))) for p in match.players_to_move()}
        )
    assert match.outcome().reason == "the last turn was played"
    with pytest.raises(Exception, match=r"parse_action in shared/games/toys/protocol\.py"):
        match.parse(0, ["no action"])


def test_a_log_of_another_grammar_is_refused(skeleton, tmp_path):
    """So is a skeleton that is there already. A damaged log is passed over."""
    (tmp_path / "cut.jsonl").write_text('{"bots": [{"bot": "bots/toys/first_player.py"}]}\n')
    with pytest.raises(UsageError, match="contest 'toys' exists: there is "):
        write_skeleton("toys", tmp_path)
    (tmp_path / "bots/toys/stub.txt").write_text("gameloop\nread x:float\nwrite 1\n")
    with pytest.raises(
        UsageError, match=r"turn \d, player \d: the input does not fit the .* bots/toys/stub\.txt"
    ):
        write_skeleton("toys", tmp_path)
