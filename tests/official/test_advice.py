"""The advice for failures of an official referee, by Java's words for them."""

import pytest

from referee.official.messages import explain_trace

MAIN = """\
Error: LinkageError occurred while loading main class com.codingame.gameengine.runner.Main
\tjava.lang.UnsupportedClassVersionError: com/codingame/game/Referee has been compiled by a more \
recent version of the Java Runtime (class file version 65.0), this version of the Java Runtime \
only recognizes class file versions up to 61.0
"""
CAUSED = """\
Exception in thread "main" java.lang.RuntimeException: cannot start
\tat com.codingame.game.Referee.init(Referee.java:9)
Caused by: java.lang.UnsupportedClassVersionError: com/x/Y has been compiled by a more recent \
version of the Java Runtime (class file version 65.0)
"""
# Lines of a trace: in the contest's code, and in the engine's.
OWN = "\n\tat com.codingame.gameengine.core.GameManager.start(GameManager.java:9)"
CONTEST = f"{OWN}\n\tat com.codingame.spring2031.Game.init(Game.java:9)"


@pytest.mark.parametrize(
    ("trace", "advice"),
    [
        (MAIN, "it was built for Java 21, newer than the one that runs: apt install openjdk-21"),
        (CAUSED, "it was built for a newer Java than the one that runs"),
        (f"java.lang.IllegalStateException: odd{CONTEST}", "try another --league, --seed"),
        (f"java.lang.IllegalStateException: odd{OWN}", "the engine failed by itself: build"),
    ],
)
def test_advice(trace, advice):
    """A Java of the wrong age is named as such."""
    assert advice in explain_trace(trace)
