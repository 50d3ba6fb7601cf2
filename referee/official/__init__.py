"""Matches by the official referee of a contest, run from a user's own build of it.

CodinGame's contests publish their referee, a Java program on top of one open engine. The class
`com.codingame.gameengine.core.RefereeMain` is what the site's own game runner starts: it asks for
the players' answers on its stdin and stdout. Here our referee is that runner: our bots, clocks and
logs, the official rules. `messages` is the talk, `engine` a running game of it, `match` that game
as the match loop plays it, `build` finds the Java classes and `java` starts them, `ahead` early.

Source: the sources of github.com/CodinGame/codingame-game-engine, version 4.7.8.
"""
