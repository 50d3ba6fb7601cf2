"""An official referee's double: speaks the protocol of CodinGame's engine, as the `java` of a test.

The game: each turn a player reads the turn's number and one that the seed draws, and writes a
number; the sum of its numbers is its score. A player that writes anything else, or nothing, is
deactivated with -1. In games for one player, the lines of the test case are read one a turn, and
their sum is the measured value; a lost one has none, and the score 0 instead of 1.

    java -version                    says which Java it is
    java ... -cp FOLDER... MAIN      plays; FOLDER/scenario.txt names what goes wrong, if anything

Written from the engine's sources (its `GameManager` and `AbstractPlayer`), not from the project's
reader.
"""

import os
import random
import re
import signal
import sys
import time

LIMIT_MS, FIRST_MS, GRACE_MS, BANK_MS = 100, 1000, 50, 5000
N_TURNS = 4
TRACE = [
    "java.lang.RuntimeException: the map has no cell 7",
    "\tat com.codingame.game.Grid.cell(Grid.java:12)",
    "\tat com.codingame.game.Referee.gameTurn(Referee.java:40)",
]


class Player:
    def __init__(self, number):
        self.number = number
        self.score = 0
        self.active = True
        self.executed = False
        self.bank = BANK_MS
        self.n_late = 0


class Game:
    def __init__(self, scenario, mode, league):
        self.scenario, self.mode, self.league = scenario, mode, league
        self.frame = 0
        self.monitoring = False
        self.summary, self.tooltips = [], []
        self.said_summary, self.said_tooltips = [], []

    # ---- the protocol

    def read(self):
        header = sys.stdin.readline()
        if not header:
            sys.exit(0)
        found = re.fullmatch(r"\[\[(\w+)\] (\d+)\]\n", header)
        if not found:
            self.fail(["java.lang.RuntimeException: Error in data sent to referee"])
        return found[1], [sys.stdin.readline().rstrip("\n") for _ in range(int(found[2]))]

    def say(self, command, lines, end="\n"):
        lines = [line for text in lines for line in re.split("\r\n|\r|\n", text)]
        sys.stdout.write(
            end.join(
                [f"[[{command}] {len(lines)}]\n" + end.join(lines) if lines else f"[[{command}] 0]"]
            )
            + "\n"
        )
        sys.stdout.flush()

    def fail(self, trace):
        self.say("FAIL", trace)
        sys.stderr.write('Exception in thread "main" ' + "\n".join(trace) + "\n")
        sys.exit(1)

    def info(self, new_turn):
        """The first lines of the answer to GET_GAME_INFO."""
        view = [f"{'KEY_FRAME' if new_turn else 'INTERMEDIATE_FRAME'} {self.frame}"]
        if new_turn:
            view.append('{"global":{},"frame":{"board":1}}' if self.frame == 0 else '{"board":2}')
        self.frame += 1
        end = "\r\n" if self.scenario == "returns" else "\n"
        self.say("VIEW", view, end)
        if not self.monitoring and self.scenario != "old":
            self.monitoring = True
            self.say("MONITORING", [])
        self.say("INFOS", [])
        if new_turn:
            self.say("INFOS" if self.mode == "solo" else "SUMMARY", self.said_summary, end)
            if self.said_tooltips:
                self.say("TOOLTIP", self.said_tooltips)

    def execute(self, player, lines, n_lines, new_turn):
        """Ask a player; returns its lines, or None after a timeout."""
        command, _ = self.read()
        assert command == "GET_GAME_INFO", command
        self.info(new_turn)
        self.say("NEXT_PLAYER_INPUT", lines)
        limit = LIMIT_MS if player.executed else FIRST_MS
        told = limit + (GRACE_MS if self.monitoring else 0)
        if self.scenario == "bank":
            limit = told = player.bank
        if self.scenario == "garbage" and self.frame == 3:
            sys.stdout.write("Hello from a println\n")
        number = 9 if self.scenario == "stranger" else player.number
        self.say("NEXT_PLAYER_INFO", [str(number), str(n_lines), str(told)])
        command, written = self.read()
        player.executed = True
        if command == "SET_PLAYER_TIMEOUT":
            return None
        ms = 0
        if self.monitoring:
            ms = int(written.pop(0))
        assert len(written) == n_lines or n_lines == 0, written
        player.bank -= ms
        player.n_late += ms > limit
        return None if player.n_late > 2 else written

    # ---- the game

    def play(self):
        command, lines = self.read()
        assert command == "INIT", command
        players = [Player(number) for number in range(int(lines[0]))]
        parameters = dict(line.split("=", 1) for line in lines[1:]) if self.mode == "multi" else {}
        case = lines[1:] if self.mode == "solo" else []
        if self.league > 3:
            self.fail(
                [
                    "java.lang.RuntimeException: no such league",
                    "\tat com.codingame.game.Referee.init(Referee.java:9)",
                ]
            )
        seed = parameters.setdefault("seed", "1")
        rng = random.Random(None if self.scenario == "unseeded" else int(seed))
        n_turns = len(case) if self.mode == "solo" else int(parameters.get("turns", N_TURNS))
        for turn in range(n_turns):
            if not any(one.active for one in players):
                break
            self.said_summary, self.said_tooltips = self.summary, self.tooltips
            self.summary, self.tooltips = [], []
            drawn = rng.randrange(1000)
            self.trouble(turn)
            asked = [one for one in players if one.active or self.scenario == "undead"]
            if self.scenario == "pauses" and turn % 2:
                self.execute(players[0], [], 0, True)
                continue
            if self.scenario == "beaten" and turn == 2:
                self.deactivate(players[0], "Base destroyed!")
                players[0].score = 0
                continue
            for place, player in enumerate(asked):
                line = case[turn] if self.mode == "solo" else f"{turn} {drawn}"
                written = self.execute(player, [line], 1, place == 0)
                self.judge(player, written)
        self.said_summary, self.said_tooltips = self.summary, self.tooltips
        # The last one is sent unasked: the process may have ended before it is requested.
        self.info(True)
        self.say("UINPUT", [f"{key}={value}" for key, value in parameters.items()])
        if self.scenario == "debts":
            for one in players:
                one.score -= 100
        scores = [one.score for one in players]
        is_won = self.mode == "solo" and players[0].active
        self.say("METADATA", [f'{{"Points":"{sum(scores)}"}}' if is_won else "{}"])
        if self.mode == "solo":
            scores = [int(is_won)]
        self.say("SCORES", [f"{number} {score}" for number, score in enumerate(scores)])

    def judge(self, player, written):
        if not player.active:
            return
        if written and re.fullmatch(r"\d{1,9}", written[0]):
            player.score += int(written[0])
            self.summary.append(f"${player.number} wrote {written[0]}")
            return
        what = "timeout" if written is None else f"invalid: {written[0]}"
        if self.scenario == "curt":
            self.deactivate(player, "Wrong output!")
            return
        self.summary.append(f"¤RED¤${player.number} {what}§RED§")
        self.deactivate(player, f"${player.number} {what}")

    def deactivate(self, player, message):
        player.active, player.score = False, -1
        self.tooltips += [message, str(player.number)]

    def trouble(self, turn):
        """The fault to simulate before a turn."""
        if self.scenario == "noise":
            sys.stderr.write("log " * 300_000 + "\n")
            sys.stderr.flush()
        if turn != 2:
            return
        if self.scenario == "fail":
            self.fail(TRACE)
        if self.scenario == "die":
            sys.stderr.write(
                'Exception in thread "main" java.lang.NoClassDefFoundError: com/google/gson/Gson\n'
            )
            sys.exit(1)
        if self.scenario == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.scenario == "silent":
            time.sleep(1000)


def main(arguments):
    if arguments == ["-version"]:
        sys.stderr.write('openjdk version "11.0.1" 2018-10-16\n')
        return
    options = dict(
        one[2:].split("=", 1) for one in arguments if one.startswith("-D") and "=" in one
    )
    folder = arguments[arguments.index("-cp") + 1].split(os.pathsep)[0]
    try:
        with open(os.path.join(folder, "scenario.txt")) as file:
            scenario = file.read().strip()
    except FileNotFoundError:
        scenario = ""
    if scenario == "lacks":
        sys.stderr.write(
            "Error: Could not find or load main class com.codingame.Main\nCaused by:"
            " java.lang.ClassNotFoundException: com.codingame.gameengine.core.RefereeMain\n"
        )
        sys.exit(1)
    sys.stdin.reconfigure(errors="surrogateescape", newline="\n")
    Game(scenario, options["game.mode"], int(options.get("league.level", 1))).play()


main(sys.argv[1:])
