"""A game played elsewhere becomes a log that replays."""

import base64
import json
import os
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from referee.log.file import read_log
from referee.project import PROJECT

SMITSIMAX = "bots/coders_strike_back/smitsimax.py"
TRACE = """\
Standard Error Stream:
@0:<b'you 0\\nseed 7\\n0 0\\n'
first words
nodes=12
@0:>b'4\\n'
@0:>b'x\\n'
Standard Output Stream:
4
x
@1:<b'4 \\
@1:9\\n'
nodes=15
@1:>z{packed}
@2:<b'8 18\\n'
"""
PACKED = "c-k}Js^kIy0qy|8"  # zlib and base85 of "4\ny\n"


def fields(record):
    """A bot's input and answer, and its node count."""
    return [
        getattr(record, name) for name in ("input", "lines_expected", "output", "nodes", "fault")
    ]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The log of three turns between two traced bundles that search, and the bundle."""
    folder = tmp_path_factory.mktemp("traced")
    bundle, log = folder / "bundle.py", folder / "log"
    make = ["bundler", SMITSIMAX, "-o", bundle, "--mode", "python", "--trace", "--no-check"]
    match = ["referee", "match", "coders_strike_back", bundle, "--limits", "off", "--log", log]
    for arguments in (make, [*match, "--turns", "3", "--nodes", "5", "--seed", "3"]):
        subprocess.run([sys.executable, "-m", *arguments], cwd=PROJECT, check=True)
    return read_log(log), bundle


def stderr_of(record):
    """The bot's stderr, with the node count in its own field."""
    return f"{record.stderr}nodes={record.nodes}\n"


def test_a_traced_game_replays(run, played, tmp_path):
    """From the text of one player's stderr: every turn is reproduced, and the source's bundle
    answers alike.
    """
    log, bundle = played
    saved = tmp_path / "saved.txt"
    saved.write_text("".join(stderr_of(record) for _, record in log.of_player(1)))
    status, out, err = run("import", saved, "--contest", "coders_strike_back")
    assert (status, err) == (0, "") and out.endswith("saved.jsonl: 3 turns of player 0\n")
    imported = read_log(tmp_path / "saved.jsonl")
    for (_, ours), (_, theirs) in zip(imported.of_player(0), log.of_player(1), strict=True):
        assert ours.input == theirs.sent
        assert (ours.output, ours.nodes) == (theirs.output, 5)
    status, out, err = run("replay", tmp_path / "saved.jsonl", "--bot", bundle)
    assert (status, err) == (0, "") and "all 3 answers agree" in out
    assert run("view", tmp_path / "saved.jsonl", trust=False)[0] == 0
    page = (tmp_path / "saved.html").read_text()
    assert '"board":true' in page and "pod 3" in page


def test_the_sites_replay(run, played, tmp_path):
    """From frames in the site's format, with the site's own frames in between: each traced player
    can be replayed.
    """
    log, bundle = played
    frames = [{"agentId": -1, "gameInformation": "", "keyframe": True}]
    for turn in log.turns:
        for player, record in turn.players.items():
            stdout = "\n".join(record.output) + "\n"
            frame = {"agentId": int(player), "stderr": stderr_of(record), "stdout": stdout}
            frames += [frame, {"agentId": -1, "stderr": "", "gameInformation": "..."}]
    game = {"frames": frames, "gameId": 123, "ranks": [0, 1]}
    saved, path = tmp_path / "game.json", tmp_path / "log"
    saved.write_text(json.dumps({"success": game}))
    status, out, _ = run("import", saved, "--contest", "coders_strike_back", "-o", path)
    assert status == 0 and "3 turns of player 0" in out and "3 turns of player 1" in out
    for player in (0, 1):
        assert run("replay", path, "--player", player, "--bot", bundle)[0] == 0


def test_text_as_it_is_copied(run, tmp_path):
    """Records split into parts, compressed or repeated, other lines in between, and a last turn
    without an answer.
    """
    saved = tmp_path / "saved.txt"
    saved.write_text(TRACE.format(packed=PACKED))
    assert run("import", saved, "--contest", "toy", "-o", tmp_path / "log")[0] == 0
    records = [record for _, record in read_log(tmp_path / "log").of_player(0)]
    assert [fields(record) for record in records] == [
        [["you 0", "seed 7", "0 0"], 2, ["4", "x"], 12, None],
        [["4 9"], 2, ["4", "y"], 15, None],
        [["8 18"], 2, [], None, "no answer in the trace"],
    ]
    assert records[0].stderr == "first words\nStandard Output Stream:\n4\nx\n"


WHOLE = "@0:<b'you 0\\nseed 7\\n0 0\\n'\n@0:>b'2\\nx\\n'\n"


@pytest.mark.parametrize(
    "rest", ["@1:<zlong\\\n@2:er\\\n", "@1:<b'4 4\\n'\n@1:>b'5\\", "@1:"], ids=range(3)
)
def test_a_trace_cut_anywhere_keeps_its_whole_turns(run, tmp_path, rest):
    """The incomplete last turn is left out, with a notice."""
    saved = tmp_path / "saved.txt"
    saved.write_text(WHOLE + rest)
    status, out, err = run("import", saved, "--contest", "toy")
    assert status == 0 and "1 turns of player 0" in out
    assert err == "warning: player 0: no room on stderr for turn 1 and later ones\n"


@pytest.mark.parametrize(
    "first",
    [
        "@0:<b'3\\n3\\n8000 2000\\n'\n@0:>b'2\\nx\\n'\n",
        "@0:<b'you 0\\nseed 7\\n0 0\\n'\n@0:>b'2\\n'\n",
    ],
    ids=["other input", "other number of lines"],
)
def test_a_trace_of_another_contest_is_refused(run, tmp_path, first):
    """Exit 2, naming input and output of the turn, and no log."""
    saved = tmp_path / "saved.txt"
    saved.write_text(first)
    status, _, err = run("import", saved, "--contest", "toy")
    assert status == 2 and "no game of Toy <b>contest</b>: player 0 read '" in err
    assert not saved.with_suffix(".jsonl").exists()


def test_a_trace_that_unpacks_to_more_than_a_game_is_refused(run, tmp_path):
    """Each turn is within bounds, but a file of some kilobytes would become a log of gigabytes."""
    packed = base64.b85encode(zlib.compress(b"1 1\n" * 240_000, 9)).decode()
    turns = "".join(f"@{n}:<z{packed}\n@{n}:>b'1\\nx\\n'\n" for n in range(100))
    saved = tmp_path / "saved.txt"
    saved.write_text("@0:<b'you 0\\nseed 7\\n'\n" + turns)
    status, _, err = run("import", saved, "--contest", "toy")
    assert status == 2 and "the trace unpacks to more than 50 MB, no game does" in err
    assert not saved.with_suffix(".jsonl").exists()


def test_the_sites_replay_of_bots_that_were_not_traced(run, tmp_path):
    """The import has the output, the names and the outcome: it can be viewed, but not replayed."""
    frames = [{"agentId": -1, "view": "..."}]
    for turn in range(3):
        for player in (0, 1):
            said = f"[{turn}] eval = {turn + player}\n" if player else None
            frames.append({"agentId": player, "stdout": f"{turn}\nx\n", "stderr": said})
    agents = [{"index": 1, "codingamer": {"pseudo": "somebody"}}, {"index": 0, "arenaboss": None}]
    game = {"frames": frames, "agents": agents, "ranks": [1, 0], "scores": [3, 7.5]}
    (tmp_path / "game.json").write_text(json.dumps(game))
    status, out, err = run("import", tmp_path / "game.json", "--contest", "toy")
    assert (status, err) == (0, "")
    assert out.endswith(
        "game.jsonl: 3 turns, to be viewed: no bot was traced, so what they read is missing\n"
    )
    path = tmp_path / "game.jsonl"
    log = read_log(path)
    assert [list(turn.players) for turn in log.turns] == [[0, 1]] * 3
    assert log.turns[2].players[1].output == ["2", "x"]
    assert log.turns[2].players[1].values == {"eval": 3.0}
    assert [bot.name for bot in log.header.bots] == ["unknown", "somebody"]
    assert (log.outcome.ranks, log.outcome.scores) == ([1, 0], [3, 7.5])
    assert run("view", path)[0] == 0
    status, _, err = run("replay", path, "--bot", "true")
    assert status == 2 and "what player 0 read is not known" in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "no line of a trace: give the stderr of a bot that was bundled with --trace"),
        (b'{"frames": [{"agentId": 0, "stderr": "hello"}]}', "no line of a trace"),
        (b'{"game": 1}', 'JSON without a list of "frames"'),
        (b'{"frames": [{"stderr": "x"}]}', 'frame 0 needs a number "agentId" and texts "stdout"'),
        (
            b'{"frames": [{"agentId": 99999999, "stdout": "1"}]}',
            "frame 0 is of player 99999999 of 3",
        ),
        (b"\xff\xfe\x00", "not a text in UTF-8"),
        (b"@0:<b'5\\n'\n@2:<b'5\\n'\n", "turn 2 of the trace stands where turn 1 is expected"),
        (b"@0:<b'5\n", 'a damaged line of turn 0, "@0:<b\'5": copy the stderr again'),
        (b"@0:<zAAAA\n", "a damaged line of turn 0"),
        (b"@0:>b'5'\n", "a damaged line of turn 0"),
        (b"@0:<" + 100_000 * b"(", "a damaged line of turn 0"),
        (b"@0:<b'a' b'c'\n", "a damaged line of turn 0"),
    ],
)
def test_a_file_that_is_neither(run, tmp_path, text, message):
    """Exit 2, one line with the expected formats, and no log."""
    saved = tmp_path / "saved"
    saved.write_bytes(text)
    status, out, err = run("import", saved, "--contest", "toy")
    assert (status, out) == (2, "") and err.count("\n") == 1
    assert f"error: {saved}: {message}" in err
    assert not (tmp_path / "saved.jsonl").exists()


def test_what_an_imported_log_lacks(run, tmp_path):
    """A replay needs a bot, a page needs states, and a log never overwrites its own source."""
    saved, log = tmp_path / "saved.txt", tmp_path / "saved.jsonl"
    saved.write_text(TRACE.format(packed=PACKED))
    assert run("import", saved, "--contest", "toy")[0] == 0
    status, _, err = run("replay", log)
    assert status == 2 and "a game played elsewhere has no states to check" in err
    status, _, err = run("replay", log, "--player", "0")
    assert status == 2 and "an imported game does not name its bots: give one with --bot" in err
    assert run("replay", log, "--bot", "true", "--player", "1")[0] == 2
    assert run("import", log, "--contest", "toy")[0] == 2
    assert run("import", saved, "--contest", "chess")[0] == 2


# The rules in plain Python, as `onefile import` runs them
TOLD_APART = """
import random
from pathlib import Path
from referee.replay.import_game import Trace, TracedTurn, TraceError, check_contest
from referee.sources.contests import contest_names, find_contest

for name in {*contest_names()} - {"wayfinder"}:
    contest = find_contest(name)
    match = contest.new_match(seed=100, n_players=contest.players[0])
    player = match.players_to_move()[0]
    lines = match.initial_input(player) + match.turn_input(player)
    answer = match.random_lines(player, random.Random(100))
    texts = ["".join(line + "\\n" for line in part).encode() for part in (lines, answer)]
    trace = Trace([TracedTurn(*texts)])
    taken = []
    for other in contest_names():
        if other in ("ants", "code_of_kutulu", "wayfinder") and other != name:
            continue  # their maps take long to make
        try:
            check_contest(Path("x"), find_contest(other), player, trace, match.n_players)
            taken.append(other)
        except TraceError as error:
            assert "no game of " in str(error)
    assert taken == [name], (name, taken)
"""


def test_contests_are_told_apart_by_their_first_turn():
    """A trace is assigned to its own contest, and to no other."""
    plain = {**os.environ, "CG_JIT": "0"}
    subprocess.run([sys.executable, "-c", TOLD_APART], cwd=PROJECT, env=plain, check=True)


def test_the_console_s_text(run, tmp_path):
    """Copied from the editor: the bot's output turn by turn; missing parts are reported."""
    saved = tmp_path / "console.txt"
    shutil.copy(Path(__file__).with_name("console.txt"), saved)
    status, out, err = run("import", saved, "--contest", "toy", "-o", tmp_path / "log")
    assert (status, err) == (0, "") and "no bot was traced, so what they read is missing" in out
    parts = [part for _, part in read_log(tmp_path / "log").of_player(0)]
    assert [part.output for part in parts] == [["4", "x"], ["5", "y"], ["6", "z"]]
    assert [part.stderr for part in parts] == ["[0] depth = 3\n", "", "no room\n"]
    assert parts[0].values == {"depth": 3.0}
    assert run("view", tmp_path / "log", "-o", tmp_path / "page.html")[0] == 0


FALLBACK = "kernels run as plain Python, 100 to 1,000 times slower: memory refused: [Errno 1]"
WARNING = "ran as plain Python on the site, 100 to 1,000 times slower: memory refused: [Errno 1]\n"


@pytest.mark.falls_back
def test_a_fallback_on_the_site_is_told_first(run, tmp_path):
    """In the site's replay: each player that fell back, by its name if it has one."""
    old = "hm\nkernels run as plain Python: no\x1b[2J\nkernels run as plain Python: again\n"
    frames = [
        {"agentId": 0, "stdout": "0\nx\n", "stderr": f"{FALLBACK}\nnodes=3\n"},
        {"agentId": 1, "stdout": "0\nx\n", "stderr": "kernels run as machine code for x86-64-v2"},
        {"agentId": 0, "stdout": "1\nx\n"},
        {"agentId": 1, "stdout": "1\nx\n", "stderr": old},
    ]
    agents = [{"index": 0, "codingamer": {"pseudo": "somebody"}}]
    (tmp_path / "game.json").write_text(json.dumps({"frames": frames, "agents": agents}))
    status, out, err = run("import", tmp_path / "game.json", "--contest", "toy")
    assert status == 0 and "2 turns" in out
    assert err == (
        f"warning: the bundle of player 0, somebody, {WARNING}"
        "warning: the bundle of player 1 ran as plain Python on the site, many times slower:"
        " no\\x1b[2J\n"
    )


@pytest.mark.parametrize("kind", ["frames", "runner"])
def test_replays_of_a_contest_that_is_not_here(run, tmp_path, kind):
    """Key frames and intermediate ones, or the lists of the engine's own runner; the seed is
    printed.
    """
    if kind == "frames":
        frames = [
            {"agentId": -1, "keyframe": True, "view": "KEY_FRAME 0"},
            {"agentId": 0, "keyframe": True, "stdout": "WAIT\n", "view": "KEY_FRAME 1"},
            {"agentId": 1, "keyframe": False, "stdout": "MOVE\n", "stderr": "hm\n"},
            {"agentId": 0, "keyframe": True, "stdout": "MOVE\n"},
            {"agentId": 1, "keyframe": False, "stdout": None, "gameInformation": "timeout"},
        ]
        game = {"frames": frames, "refereeInput": "seed=-77\n", "ranks": [0, 1], "scores": [2, -1]}
    else:
        outputs = {"0": [None, "WAIT\n", None, "MOVE\n"], "1": [None, None, "MOVE\n", None]}
        errors = {"0": ["", None, None, None], "1": ["", None, "hm\n", None], "referee": ["x"]}
        game = {"outputs": outputs | {"referee": ["..."]}, "errors": errors}
        game |= {"uinput": ["seed=-77"], "scores": {"0": 2, "1": -1}}
    (tmp_path / "game.json").write_text(json.dumps(game))
    status, out, err = run("import", tmp_path / "game.json", "--contest", "just_opened", "--new")
    assert (status, err) == (0, "")
    assert "its seed is -77: the official referee begins the same game with --seed -77" in out
    log = read_log(tmp_path / "game.jsonl")
    answers = [{p: part.output for p, part in turn.players.items()} for turn in log.turns]
    assert answers == [{0: ["WAIT"], 1: ["MOVE"]}, {0: ["MOVE"]}]
    assert run("view", tmp_path / "game.jsonl")[0] == 0
