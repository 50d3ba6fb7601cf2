"""Plays matches by the official referee of a contest, run from a user's own build of the referee.

CodinGame's contests publish their referee, a Java program on top of one open engine. The class
`com.codingame.gameengine.core.RefereeMain` is started by the site's own game runner: it asks for
the players' answers on its stdin and stdout. This package takes the runner's place, with the
project's bots, clocks and logs under the official rules. `compilation` builds a referee, `build`
finds its Java classes, `java` starts them and `prestart` starts them in advance. `messages` is the
protocol, `engine` leads a running game, `match` presents the game to the match loop.

Source: the sources of github.com/CodinGame/codingame-game-engine, version 4.7.8.
"""
