"""Fixtures of the referee's tests: bots written as small scripts, and matches between them."""

import os
import sys
import tempfile
from pathlib import Path

import pytest

from referee import __main__ as command
from referee.commands.match import NO_RESULT
from referee.log.file import LogWriter, read_log
from referee.log.limits import Profile, TurnLimits
from referee.log.records import Conditions
from referee.play.lateness import AnswerLimits
from referee.play.match import play_match
from referee.play.turn_io import Request
from referee.sources.bots import find_bot
from referee.sources.contests import find_contest

# Prelude of every scripted bot; -I -S starts Python in a few milliseconds.
PRELUDE = """\
import os, signal, sys, time
def turns():
    input(); input()
    for line in sys.stdin:
        yield line
def say(*lines):
    sys.stdout.write("".join(line + "\\n" for line in lines)); sys.stdout.flush()
"""

GOOD = """\
for turn, line in enumerate(turns()):
    print(f"debug {turn}", file=sys.stderr)
    print(f"nodes={100 + turn}", file=sys.stderr, flush=True)
    say(str(turn + 1), "word")
"""


TOY = Path(__file__).with_name("toy.py")
# The times that a spoiled match is played.
N_ATTEMPTS = 5


@pytest.fixture(scope="session")
def toy():
    """The toy contest."""
    return find_contest(str(TOY))


@pytest.fixture
def write_bot(tmp_path):
    """write_bot(code, name) makes a bot from PRELUDE and the code, and returns its command line."""

    def write(code, name="bot"):
        path = tmp_path / f"{name}.py"
        path.write_text(PRELUDE + code)
        return f"{sys.executable} -I -S {path}"

    return write


@pytest.fixture
def good_bot(write_bot):
    """The command line of a bot that answers 1, 2, 3, ... and reports its nodes on stderr."""
    return write_bot(GOOD, "good")


def question(player=0, lines_expected=1):
    """A question with a limit of 20 s."""
    limits = AnswerLimits(limit_ms=20_000)
    return Request(player=player, input=["go"], lines_expected=lines_expected, limits=limits)


@pytest.fixture
def play(toy, tmp_path, monkeypatch):
    """play(bot, bot, ...) plays a match of the toy contest; returns its log, equal to the file's.
    Checks that no folder of a bot is left.

    A match that the machine has spoiled is played again, as in an arena, but not with again=False.
    """
    folders = tmp_path / "folders"
    folders.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folders))

    def run(*bots, contest=toy, seed=7, profile=Profile.SITE, warmup_s=5.0, again=True, **others):
        path = tmp_path / "match.jsonl"
        each = {
            name: value if isinstance(value, tuple) else (value,) * len(bots)
            for name, value in [
                ("limits", others.pop("limits", TurnLimits.of(profile, contest.limits))),
                ("nodes", others.pop("nodes", None)),
                ("think_ms", others.pop("think_ms", None)),
            ]
        }
        conditions = Conditions(seed=seed, warmup_s=warmup_s, **each, **others)
        for _ in range(N_ATTEMPTS if again else 1):
            with LogWriter(path) as writer:
                played = play_match(contest, [find_bot(bot) for bot in bots], conditions, writer)
            if not played.outcome or not played.outcome.spoiled:
                break
        assert read_log(path) == played
        assert list(folders.iterdir()) == []
        return played

    return run


@pytest.fixture
def run(monkeypatch, capsys):
    """run(arguments...) runs the command line; its exit status, stdout and stderr.

    The word "toy" stands for the toy contest's file. The toy contest and scripted bots are outside
    the installation: logs that name them are trusted, unless `trust` is False. A match that the
    machine has spoiled is played again.
    """
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("CG_JIT", "0")

    def call(*arguments, trust=True):
        words = [str(TOY if word == "toy" else word) for word in arguments]
        if trust and words and words[0] in ("replay", "view"):
            words.append("--trust")
        monkeypatch.setattr("sys.argv", ["referee", *words])
        for _ in range(N_ATTEMPTS):
            with pytest.raises(SystemExit) as exit_:
                command.main()
            captured = capsys.readouterr()
            if exit_.value.code != NO_RESULT:
                break
        return exit_.value.code or 0, captured.out, captured.err

    return call


@pytest.fixture
def processes_naming():
    """processes_naming(text) returns the live processes whose command line contains the text."""

    def find(text):
        found = []
        for entry in os.listdir("/proc"):
            if entry.isdecimal() and int(entry) != os.getpid():
                try:
                    command = Path(f"/proc/{entry}/cmdline").read_bytes()
                except (FileNotFoundError, ProcessLookupError):
                    continue
                if str(text).encode() in command:
                    found.append(int(entry))
        return found

    return find
