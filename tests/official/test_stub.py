"""Grammars of a contest's input, and the bots written from them."""

import io
import runpy
import sys
from pathlib import Path

import pytest

from referee.errors import UsageError
from referee.scaffold.bot_writer import write_bot
from referee.scaffold.new_contest import write_first_bot
from referee.scaffold.stub_grammar import StubError, parse_stub
from tests.conftest import PROJECT

GRAMMAR = Path(__file__).with_name("grammar.txt").read_text()
START = ["4 2", 'Me, "myself"', "a", "b", "c", "d"]
TURN = [
    "5 6",
    "2",
    "0 FISH 1.5 a name 1",
    "1 SHARK 2 b false",
    "1 2 3",
    "4 a 5 b",
    "t1 t2",
    "t3 t4",
]


@pytest.fixture
def answers(monkeypatch, capsys, tmp_path):
    """answers(source, lines) runs a bot on an input; returns its output and stderr."""

    def run(source, lines):
        path = tmp_path / "bot.py"
        path.write_text(source)
        monkeypatch.syspath_prepend(str(PROJECT))
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        runpy.run_path(str(path), run_name="__main__")
        said = capsys.readouterr()
        return said.out.splitlines(), said.err.splitlines()

    return run


def test_a_bot_from_a_grammar(answers):
    """The bot reads every kind of value, answers the expected lines, and ends with its input."""
    source = write_bot(parse_stub(GRAMMAR), "Fish")
    out, err = answers(source, START + TURN + TURN)
    assert out == ["FEED 7 5", "FEED 7 5", "SAY hello"] * 2
    assert err == ["#value my_score 5", "#value opp_score 6", "nodes=1"] * 2
    assert 'say "no" to sharks' in source and "FEED <id> <amount>" in source


def test_what_it_reads(tmp_path):
    """The state has the grammar's names, in Python's style, and types."""
    path = tmp_path / "bot.py"
    path.write_text(write_bot(parse_stub(GRAMMAR), "Fish"))
    known = runpy.run_path(str(path))
    line = iter((*START, *TURN)).__next__
    start = known["read_start"](line)
    assert start == (4, 2, 'Me, "myself"', [["a", "b"], ["c", "d"]])
    turn = known["read_turn"](line, start)
    assert turn.fishes[0] == (0, "FISH", 1.5, "a name", True)
    assert turn.fishes[1] == (1, "SHARK", 2.0, "b", False)
    assert turn.fishes[1].type_ == "SHARK" and turn.my_score == 5
    assert turn.depths == [1, 2, 3] and turn.tiles == [["t1", "t2"], ["t3", "t4"]]
    assert turn.fishes_2 == [(4, "a"), (5, "b")]


def test_one_of_the_listed_actions(answers):
    """If the input lists the legal actions, the answer is one of them."""
    text = (
        "gameloop\nread validActionCount:int\nloop validActionCount read row:int col:int\nwrite"
        " 0 0\n"
    )
    out, _ = answers(write_bot(parse_stub(text), "Grid"), ["2", "3 4", "3 4"])
    assert out == ["3 4"]


@pytest.mark.parametrize(
    ("loop", "name", "record"),
    [
        ("botCount", "bots", "TurnBot"),
        ("width", "cells", "Cell"),
        ("entities", "entities_2", "Entity"),
    ],
)
def test_names_of_records(answers, loop, name, record):
    """No record hides a name of the bot; items have a singular name."""
    text = f"gameloop\nread {loop}:int\nloop {loop} read a:int b:int\nwrite 1\n"
    source = write_bot(parse_stub(text), "T")
    assert f"    {name}: list[{record}]\n" in source
    assert answers(source, ["1", "2 3"])[0] == ["1"]


def test_the_highest_league_s_grammar_is_taken(tmp_path):
    for place, word in (("", "low"), ("level2", "middle"), ("level10", "high")):
        (tmp_path / "config" / place).mkdir(parents=True)
        (tmp_path / "config" / place / "stub.txt").write_text(f"read x:int\nwrite {word}\n")
    path, _ = write_first_bot("fishing", tmp_path, tmp_path)
    assert '"high"' in (tmp_path / path).read_text()


@pytest.mark.parametrize(
    ("source", "statement", "limits", "origin"),
    [
        ("a.setTurnMaxTime(x ? 150 : K.LONG); int LONG = 1_0 * 20;", "", (1000, 150), "line 1 (in"),
        ("// a.setTurnMaxTime(99)", "", (1000, 50), "turn_ms: the engine's default"),
        ("a.turnMaxTime = 80", "1 s per turn", (1000, 80), "the statement says 1000 and 1000"),
        ("", "is &le; 1.5s for the first turn, 99 ms for later turns", (1500, 99), "statement's"),
        ("", "Time per turn ≤ <b>50ms</b><br>Time for the first turn ≤ 2 s", (2000, 50), "Both"),
        ("", "A game lasts 3 s", (1000, 50), "see the contest's statement"),
    ],
)
def test_limits_of_a_bot(tmp_path, source, statement, limits, origin):
    """They are those of the referee's sources, or of the statement."""
    texts = {"config/stub.txt": "read x:int\nwrite 1", "config/statement_en.html": statement}
    for path, text in (texts | ({"src/main/java/A.java": source} if source else {})).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    path, _ = write_first_bot("fishing", tmp_path, tmp_path)
    text = (tmp_path / path).read_text()
    assert f"LIMITS = Limits(first_ms={limits[0]}, turn_ms={limits[1]})" in text
    assert origin in text.replace("\n#", "")


def test_a_game_without_turns_is_answered_once(answers):
    text = "read n:int\nloop n read x:int\nwrite answer\n"
    assert answers(write_bot(parse_stub(text), "Puzzle"), ["2", "1", "2"])[0] == ["answer"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the grammar has no write"),
        ("reed x:int\nwrite 1", "line 1 of the grammar, 'reed x:int': 'reed' is no command"),
        ("loop n read x:int\nwrite 1", "counts by 'n', which it has not read by then"),
        ("gameloop\ngameloop\nwrite 1", "a second gameloop"),
        ("read a:string(2) b:string(3)\nwrite 1", "one string at most"),
        ("loop 2 " * 20 + "read x:int\nwrite 1", "nested too deeply"),
        ("loop -3 read x:int\nwrite 1", "'-3' is neither a number nor a variable's name"),
    ],
)
def test_grammars_that_no_reader_can_be_made_of(text, message):
    with pytest.raises(StubError) as error:
        parse_stub(text)
    assert message in str(error.value)


def test_the_bot_s_file(tmp_path):
    """Its name hides no module of Python, and no existing file is overwritten."""
    (tmp_path / "config").mkdir()
    with pytest.raises(UsageError, match=r"has no config/stub\.txt"):
        write_first_bot("fishing", tmp_path, tmp_path)
    (tmp_path / "config" / "stub.txt").write_text(GRAMMAR)
    path, board, grammar = write_first_bot("fishing", tmp_path, tmp_path)
    assert str(board) == "shared/games/fishing/render.py"
    assert (tmp_path / grammar).read_text() == GRAMMAR
    assert str(path) == "bots/fishing/first_player.py" and path.stem not in sys.stdlib_module_names
    for contest, message in [("fishing", "exists"), ("class", "cannot name a contest")]:
        with pytest.raises(Exception, match=message):
            write_first_bot(contest, tmp_path, tmp_path)
