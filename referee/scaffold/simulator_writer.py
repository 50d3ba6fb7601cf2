"""Writes the skeleton of a contest's simulator from the grammar of its input and from a log that an
official referee led: state, protocol, rules, contest and a bot that searches.

The log shows the number of players and the kind of play: one player, turns, or all at once. It also
shows the lengths of lists, and the words of the input. The skeleton can be played: its rules change
nothing from turn to turn, and `FILL IN` marks each place where rules are missing. Its first turn is
the official one.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from referee.errors import UsageError, excerpt
from referee.log.records import Log
from referee.official.limits import DEFAULT_LIMITS
from referee.scaffold.board_writer import OTHER, OWN, is_map
from referee.scaffold.bot_writer import SCORE, Writer, plural, snake_case
from referee.scaffold.stub_grammar import (
    Command,
    Loop,
    Read,
    ReadMany,
    Stub,
    Variable,
    Write,
    writes,
)
from shared.core.protocol import ProtocolError, split_values

TEMPLATES = Path(__file__).with_name("simulator_templates")
FILL_IN = "FILL IN"
WIDTH = 100
# More words are texts, no kinds of things.
MOST_WORDS = 60
PLAYER_ID = re.compile(
    r"^(my_(player_)?(id|index|idx|number)|player_(id|index|idx|number)|player)$"
)
# Names of the skeleton itself.
FIXED = {"TURN", "TO_MOVE", "N_PLAYERS", "STATE_SIZE", "SETUP_SIZE", "WORDS"}
TAKEN = FIXED | {"LIMITS", "SWAPPED", "MAX_TURNS", "MAX_ACTIONS", "STARTS", "CONTEST"}
DEFAULT_TURNS = 200  # of CodinGame's engine
CODEC = ("check_count", "format_cells", "format_values", "read_cells", "read_values")

Seen = dict[str, list[str]]
OTHER_OWNER = {"0": "1", "1": "0", "true": "false", "false": "true"}


@dataclass
class Facts:
    """Facts of a log.

    kind: "solo", "turns" or "simultaneous". most: by a counter's name in the grammar, the greatest
    count; by "length of NAME", the greatest length of a text. words: the values of the grammar's
    words. truths: the bools written as true or false. start: the player asked first, and its input.
    seen: the texts of each variable, by turn and player. now: these texts for the turn and player
    being read.
    """

    kind: str = "simultaneous"
    n_players: int = 2
    most: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    words: set[str] = field(default_factory=set)
    truths: set[str] = field(default_factory=set)
    start: tuple[int, list[str]] = (0, [])
    seen: dict[int, dict[int, Seen]] = field(default_factory=lambda: defaultdict(dict))
    now: Seen = field(default_factory=dict)

    def views(self) -> list[tuple[Seen, Seen]]:
        """Returns pairs of what players 0 and 1 read in the turns in which both were asked; []
        unless the game has two players.
        """
        return [(by[0], by[1]) for by in self.seen.values() if self.n_players == 2 == len(by)]

    def is_view(self, names: list[str], change: Callable[[list[str]], list[str]]) -> bool:
        """Returns True if player 1 reads these variables as player 0 does after `change`, and the
        players read different texts.
        """
        pairs = [
            (one.get(name, []), two.get(name, [])) for one, two in self.views() for name in names
        ]
        return any(one != two for one, two in pairs) and all(
            change(one) == two for one, two in pairs
        )


def read_facts(contest: str, stub: Stub, log: Log) -> Facts:
    """Returns the facts of an official log. Raises UsageError if its input does not fit the
    grammar.
    """
    facts = Facts(n_players=log.header.n_players)
    asked = [
        [player for player, part in turn.players.items() if part.lines_expected]
        for turn in log.turns
    ]
    if not any(asked):
        raise UsageError(f"{log.source}: no player was asked for an answer")
    if facts.n_players == 1:
        facts.kind = "solo"
    elif all(len(players) <= 1 for players in asked):
        facts.kind = "turns"
    first = next(turn for turn, players in zip(log.turns, asked) if players)
    player = min(player for player, part in first.players.items() if part.lines_expected)
    facts.start = player, first.players[player].sent
    start = [command for command in stub.start if not writes(command)]
    turn = [command for command in stub.turn if not writes(command)]
    for player in range(facts.n_players):
        known: dict[str, int] = {}
        for i, (number, part) in enumerate(log.of_player(player)):
            rest = iter(part.sent)
            try:
                if i == 0:
                    read_commands(start, rest, known, facts)
                facts.now = facts.seen[number][player] = {}
                if i > 0 or not answers_start(stub):
                    read_commands(turn, rest, known, facts)
                line = next(rest, None)
                if line is not None:
                    raise ProtocolError(f"{excerpt(line)} is left over")
            except (ProtocolError, ValueError) as error:
                raise UsageError(
                    f"{log.source}, turn {number}, player {player}: the input does not fit the"
                    f" grammar: {error}; put that of the league played into"
                    f" bots/{contest}/stub.txt"
                ) from error
    return facts


def read_commands(
    commands: list[Command], lines: Iterator[str], known: dict[str, int], facts: Facts
) -> None:
    """Read lines by the grammar's commands. Raises ProtocolError, and ValueError.

    known: receives the integers read, by name. facts: receives counts, words and texts.
    """
    for command in commands:
        if isinstance(command, Loop):
            count = count_of(command.amount, known, facts)
            read_commands([command.command] * count, lines, known, facts)
            continue
        assert isinstance(command, Read | ReadMany)
        times = count_of(command.amount, known, facts) if isinstance(command, ReadMany) else 1
        kinds = [variable.kind.replace("long", "int") for variable in command.variables]
        texts = split_values(next(lines, ""), kinds * times)
        for variable, text in zip(command.variables * times, texts):
            note_value(variable, text, known, facts)


def count_of(amount: str, known: dict[str, int], facts: Facts) -> int:
    """Returns the count that an amount stands for, and records the greatest count in `facts`."""
    count = int(amount) if amount.isdecimal() else known[amount]
    facts.most[amount] = max(facts.most[amount], count)
    return count


def note_value(variable: Variable, text: str, known: dict[str, int], facts: Facts) -> None:
    """Record a value that was read in `known` and `facts`. Raises ValueError if it is not of its
    kind.
    """
    facts.now.setdefault(variable.name, []).append(text)
    if variable.python == "int":
        known[variable.name] = int(text)
    elif variable.kind == "float":
        float(text)
    elif variable.kind == "bool":
        facts.truths |= {variable.name} if text in ("true", "false") else set()
    elif variable.kind == "word":
        facts.words.add(text)
    facts.most[f"length of {variable.name}"] = max(
        facts.most[f"length of {variable.name}"], len(text)
    )


def answers_start(stub: Stub) -> bool:
    """Returns True if the lines read once have an answer of their own."""
    return stub.has_turns and any(map(writes, stub.start))


@dataclass
class Block:
    """Numbers side by side in a buffer: the numbers of a line, or of a list of lines.

    names: the constants of the numbers, or of an item's numbers. variables: their names in the
    grammar. dims: pairs (number, room) of expressions, the outermost dimension first. in_line: True
    if the last dimension lies on one line. is_row: True if an item is a row of characters. size:
    the expression of an item's size.
    """

    buffer: str
    name: str
    kinds: str
    names: list[str]
    variables: list[str]
    dims: list[tuple[str, str]] = field(default_factory=list)
    in_line: bool = False
    is_row: bool = False
    size: str = "1"

    def at(self) -> str:
        """Returns the expression of the index of a line's first number."""
        index = ""
        for depth, (_, room) in enumerate(self.dims):
            is_last = self.in_line and depth == len(self.dims) - 1
            index = f"{room} * {_term(index)}" if index else ""
            index += "" if is_last else (" + " if index else "") + "ijklmnop"[depth]
        if not index:
            return self.name
        return f"{self.name} + {_term(index)}" + ("" if self.size == "1" else f" * {self.size}")

    def statements(self, line: str) -> list[str]:
        """Returns the loops that read or write the block's lines, around the statement `line` for
        one line.

        {at} in `line` stands for the line's index, {more} for the number of items on it.
        """
        times = f", {self.dims[-1][0]}" if self.in_line else ""
        loops = self.dims[: len(self.dims) - self.in_line]
        lines = []
        for depth, (count, room) in enumerate(loops):
            checked = count
            if not count.isdecimal():
                checked = f'check_count({count}, {room}, "{room}")'
            lines.append(f"{'    ' * depth}for {'ijklmnop'[depth]} in range({checked}):")
        return [*lines, "    " * len(loops) + line.format(at=self.at(), more=times)]

    def reading(self) -> list[str]:
        """Returns the statements that read the block by `line()`."""
        if self.is_row:
            call = f'read_cells(line(), {self.buffer}, {{at}}, {self.size}, "{self.size}")'
        else:
            call = f'read_values(line(), "{self.kinds}", WORDS, {self.buffer}, {{at}}{{more}})'
        checks = []
        if self.in_line and not self.dims[-1][0].isdecimal():
            count, room = self.dims[-1]
            checks = [f'check_count({count}, {room}, "{room}")']
        return checks + self.statements(call)

    def writing(self) -> list[str]:
        """Returns the statements that append the block's lines to `lines`."""
        if self.is_row:
            text = f"format_cells({self.buffer}, {{at}}, {self.size})"
        else:
            text = f'format_values("{self.kinds}", WORDS, {self.buffer}, {{at}}{{more}})'
        return self.statements(f"lines.append({text})")


def _term(index: str) -> str:
    return f"({index})" if "+" in index else index


class Layout:
    """The constants of `state.py`, and the blocks of both buffers in the order of the input."""

    def __init__(self, stub: Stub, facts: Facts) -> None:
        self.stub, self.facts, self.writer = stub, facts, Writer(stub)
        self.constants = set(TAKEN)
        self.places: dict[str, str] = {}  # expressions of the numbers, by the grammar's names
        self.words: set[str] = set()  # grammar's names whose numbers are words
        self.scalars: dict[str, list[str]] = {"setup": [], "state": []}
        self.rooms: dict[str, str] = {}
        self.room_lines: list[str] = []
        self.lines: dict[str, list[str]] = {"setup": [], "state": []}
        self.blocks: dict[str, list[Block]] = {"setup": [], "state": []}
        for buffer, commands in (("setup", stub.start), ("state", stub.turn)):
            end = "0" if buffer == "setup" else self._fixed()
            for command in commands:
                if not writes(command):
                    end = self._add(command, buffer, end)
            self.lines[buffer].append(f"{buffer.upper()}_SIZE = {end}")

    def _fixed(self) -> str:
        is_turns = self.facts.kind == "turns"
        self.lines["state"] += ["TURN = 0", *(["TO_MOVE = 1"] if is_turns else [])]
        return "2" if is_turns else "1"

    def _constant(self, name: str) -> str:
        """Returns a new constant's name, with a number if the name is taken."""
        name, number = snake_case(name).strip("_").upper(), 1
        plain = name
        while name in self.constants:
            number += 1
            name = f"{plain}_{number}"
        self.constants.add(name)
        return name

    def _kind(self, variable: Variable) -> str:
        if variable.kind == "bool":
            return "bool" if variable.name in self.facts.truths else "int"
        return variable.kind.replace("long", "int")

    def _add(self, command: Command, buffer: str, end: str) -> str:
        """Add the block that a command reads at the index `end`. Returns the expression of the next
        index.
        """
        if isinstance(command, Read):
            return self._add_scalars(command, buffer, end)
        dims: list[tuple[str, str]] = []
        inner: Command = command
        while isinstance(inner, Loop | ReadMany):
            dims.append((self._number(inner.amount), self._room(inner.amount)))
            if isinstance(inner, ReadMany):
                break
            inner = inner.command
        assert isinstance(inner, Read | ReadMany)
        assert isinstance(command, Loop | ReadMany)
        variables = inner.variables
        stem = self.writer.stem(command)
        several = len(variables) > 1
        name = self._constant(plural(stem if several else variables[0].name))
        kinds = " ".join(map(self._kind, variables))
        block = Block(
            buffer,
            name,
            kinds,
            [],
            [variable.name for variable in variables],
            dims,
            isinstance(inner, ReadMany),
        )
        lines = self.lines[buffer]
        if several:
            prefix = snake_case(stem).strip("_")
            fields = [snake_case(variable.name) for variable in variables]
            block.names = [
                self._constant(name if name.startswith(f"{prefix}_") else f"{prefix}_{name}")
                for name in fields
            ]
            block.size = self._constant(f"{prefix}_size")
            lines.append(_assigned([*block.names, block.size], f"range({len(variables) + 1})"))
        elif kinds in ("word", "string") and len(dims) == 1 and isinstance(inner, Read):
            amount = command.amount
            if is_map(snake_case(variables[0].name), {snake_case(variables[0].name): amount}):
                block.is_row = True
                block.size = self._room(f"length of {variables[0].name}")
        lines.append(f"{name} = {end}")
        self.blocks[buffer].append(block)
        factors = [room for _, room in dims] + ([block.size] if block.size != "1" else [])
        return " + ".join([name, " * ".join(factors)])

    def _add_scalars(self, command: Read, buffer: str, end: str) -> str:
        names = [self._constant(variable.name) for variable in command.variables]
        for name, variable in zip(names, command.variables):
            self.places[variable.name] = f"{buffer}[{name}]"
            if self._kind(variable) in ("word", "string"):
                self.words.add(variable.name)
            else:
                self.words.discard(variable.name)
                self.scalars[buffer].append(name)
            comment = f"  # {variable.comment}" if variable.comment else ""
            line = f"{name} = {end}"
            self.lines[buffer].append(line + (comment if len(line + comment) <= WIDTH else ""))
            end = f"{name} + 1"
        kinds = " ".join(map(self._kind, command.variables))
        self.blocks[buffer].append(
            Block(buffer, names[0], kinds, names, list(self.places)[-len(names) :])
        )
        return end

    def _number(self, amount: str) -> str:
        return amount if amount.isdecimal() else self.places[amount]

    def _room(self, amount: str) -> str:
        """Returns the constant that bounds an amount, which is added if it is new; digits
        unchanged.
        """
        if amount.isdecimal():
            return amount
        if amount not in self.rooms:
            self.rooms[amount] = self._constant(f"max_{snake_case(amount.replace(' ', '_'))}")
            most = max(4, 2 * self.facts.most[amount])
            if self.places.get(amount, "").startswith("state"):  # may grow in a game
                most = max(16, 2 * most)
            self.room_lines.append(f"{self.rooms[amount]} = {most}")
        return self.rooms[amount]

    def said(self, commands: list[Command]) -> list[str]:
        """Returns the statements that add the grammar's answer to `lines`."""
        at = {
            name: f"WORDS[{place}]" if name in self.words else place
            for name, place in self.places.items()
        }
        return [
            line
            for command in commands
            if writes(command)
            for line in self.writer.answer(command, at, False)
        ]

    def listed(self) -> Block | None:
        """Returns the block with the list of legal actions in a turn's input, None if there is
        none.
        """
        for command in self.stub.turn:
            if isinstance(command, Write):
                chosen = self.writer.listed(command)
                blocks = self.blocks["state"]
                wanted = [
                    block
                    for block in blocks
                    if chosen and block.name.lower() == chosen[0].rstrip("_")
                ]
                if wanted and len(wanted[0].dims) == 1 and not wanted[0].in_line:
                    return wanted[0]
        return None

    def swapped(self) -> list[tuple[str, str]]:
        """Returns pairs of constants, of the reader's number and of its opponent's: their names
        differ only by a word such as `my` and `opp`, and the log shows that the players read them
        exchanged.
        """
        if self.facts.n_players != 2:
            return []
        bases = {}
        for name in self.scalars["state"]:
            word = name.lower()
            if not OTHER.search(word):
                base = OWN.sub(lambda match: match[1] and match[2], word)
                bases[base.strip("_")] = name
        pairs = []
        for name in self.scalars["state"]:
            base = OTHER.sub(lambda match: match[1] and match[3], name.lower()).strip("_")
            if OTHER.search(name.lower()) and base in bases:
                pairs.append((bases[base], name))
        given = {
            name: variable
            for block in self.blocks["state"]
            if not block.dims
            for name, variable in zip(block.names, block.variables)
        }
        return [
            (own, other)
            for own, other in pairs
            if all(
                (one.get(given[own]), one.get(given[other]))
                == (two.get(given[other]), two.get(given[own]))
                for one, two in self.facts.views()
            )
        ]

    def exchanged(self) -> list[Block]:
        """Returns the lists of two items that the players read in opposite orders, each player its
        own item first.
        """
        return [
            block
            for block in self.blocks["state"]
            if len(block.dims) == 1
            and block.dims[0][0] == "2"
            and self.facts.is_view(block.variables, lambda texts: texts[::-1])
        ]

    def owned(self) -> list[str]:
        """Returns the statements that exchange the owners 0 and 1 for player 1, where the log shows
        that an owner is given relative to the reader.
        """

        def change(texts: list[str]) -> list[str]:
            return [OTHER_OWNER.get(text, text) for text in texts]

        lines = []
        for block in self.blocks["state"]:
            for place, variable in enumerate(block.variables):
                if block.dims and not block.in_line and self.facts.is_view([variable], change):
                    offset = f" + {block.names[place]}" if block.names else ""
                    [*loops, _] = block.statements("")
                    indent = "    " * len(loops)
                    lines += [
                        *loops,
                        f"{indent}at = {block.at()}{offset}",
                        f"{indent}seen[at] = 1 - state[at] if 0 <= state[at] <= 1 else state[at]",
                    ]
        return lines


def write_simulator(
    contest: str, title: str, stub: Stub, log: Log, has_board: bool
) -> dict[Path, str]:
    """Returns the files of a skeleton: their texts by their paths in the project. Raises
    UsageError.
    """
    facts = read_facts(contest, stub, log)
    layout = Layout(stub, facts)
    values = _values(contest, stub, log, facts, layout) | _drawing(contest, has_board)
    values |= {"contest": contest, "title": title}
    texts = {}
    for folder in (TEMPLATES / "any", TEMPLATES / facts.kind):
        for template in sorted(folder.rglob("*.template")):
            path = str(template.relative_to(folder)).removesuffix(".template")
            text = re.sub(
                r"\$([a-z_]+)", lambda match: values[match[1]], template.read_text("utf-8")
            )
            texts[Path(path.replace("CONTEST", contest))] = text
    player, lines = facts.start
    listed = "".join(f"            {json.dumps(line, ensure_ascii=False)},\n" for line in lines)
    texts[Path(f"shared/games/{contest}/starts.py")] = (
        '"""Starts of games from logs: the player asked first, and the lines that it read."""\n\n'
        f"STARTS = [\n    (\n        {player},\n        [\n{listed}        ],\n    ),\n]\n"
    )
    return texts


def _values(contest: str, stub: Stub, log: Log, facts: Facts, layout: Layout) -> dict[str, str]:
    """Returns the texts that fill in the templates, by name, except those of the drawing."""
    is_turns, is_solo = facts.kind == "turns", facts.kind == "solo"
    site = log.header.site_ms or DEFAULT_LIMITS.limits
    listed, pairs = layout.listed(), layout.swapped()
    count, room = listed.dims[0] if listed else ("", "1")
    n_actions = f"max(1, {count})" if listed else "1"
    legal = ["actions[0] = 0", "return 1"]
    if listed:
        legal = [f"for i in range({n_actions}):", "    actions[i] = i", f"return {n_actions}"]
    scores = [name for name in layout.scalars["state"] if SCORE.search(name.lower())]
    pair = next((pair for pair in pairs if pair[0] in scores), None)
    scored = ["for player in range(N_PLAYERS):", "    scores[player] = 0.0"]
    if pair:
        scored = [f"scores[{player}] = float(state[{name}])" for player, name in enumerate(pair)]
    score = f"float(state[{scores[0]}])" if scores else "0.0"
    values = {
        "n_players": str(facts.n_players),
        "words": _list([f'"{word}"' for word in _kinds_of_things(facts) or ["?"]]),
        "room": "\n".join(layout.room_lines) or "# None is needed.",
        "setup": "\n".join(layout.lines["setup"]),
        "state": "\n".join(layout.lines["state"]),
        "first_ms": str(site[0]),
        "turn_ms": str(site[1]),
        "swapped": _list(
            [f"({own}, {other})" for own, other in pairs]
            + [
                f"*(({block.name} + i, {block.name} + {block.size} + i)"
                f" for i in range({block.size}))"
                for block in layout.exchanged()
            ]
        ),
        "owned": "".join(f"\n        {line}" for line in layout.owned()),
        "read_start": _body(_read(layout.blocks["setup"])),
        "read_turn": _body(_read_turn(stub, layout)),
        "start_lines": _body(_start_lines(facts, layout)),
        "turn_lines": _body(_turn_lines(stub, layout)),
        "format_action": _body(_format_action(stub, layout, listed)),
        "max_actions": room,
        "max_turns": str(DEFAULT_TURNS if stub.has_turns else 1),
        "legal": _body(legal),
        "n_actions": n_actions,
        "evaluate": _body(scored),
        "score": score,
        "begin": "\n        self.state[TO_MOVE] = first" if is_turns else "",
        "fault_score": "0.0" if is_solo else "-1.0",
        "is_apart": "self.state[TURN] > 0" if answers_start(stub) else "False",
        "apart": ", apart=True" if facts.kind == "simultaneous" else "",
    }
    protocol = "\n".join(values[name] for name in ("read_start", "read_turn", "start_lines"))
    protocol += "\n".join(
        values[name] for name in ("turn_lines", "format_action", "swapped", "owned")
    )
    used = [name for name in CODEC if f"{name}(" in protocol]
    values["protocol_imports"] = _imported(["IllegalAction", *used])
    constants = sorted(layout.constants - TAKEN | FIXED)
    values["protocol_state"] = _imported(_used(constants, protocol) or ["TURN"])
    rules = values["legal"] + n_actions + room + (score if is_solo else values["evaluate"])
    needed = {"TURN", *(["STATE_SIZE"] if is_turns or is_solo else [])}
    needed |= {"TO_MOVE"} if is_turns else set()
    needed |= set() if is_solo else {"N_PLAYERS"}
    values["sim_state"] = _imported(sorted({*_used(constants, rules), *needed} - {"MAX_ACTIONS"}))
    turns = ["TO_MOVE"] if is_turns else []
    values["contest_state"] = _imported(["N_PLAYERS", *turns, "TURN", "new_setup", "new_state"])
    return values


def _drawing(contest: str, has_board: bool) -> dict[str, str]:
    """Returns the texts of `contest.py` about its board, by name."""
    if not has_board:
        return {
            "replace": "",
            "render_imports": "",
            "render": "def render(turn):\n"
            '    """Draw a turn."""\n'
            "    # FILL IN: see shared/core/drawing/shapes.py.\n"
            "    return Frame((0, 0, 1, 1), ())\n",
            "more": "",
        }
    return {
        "replace": "\nfrom dataclasses import replace\n",
        "render_imports": f"\nfrom shared.games.{contest}.render import reconstruct\n"
        f"from shared.games.{contest}.render import render as draw",
        "render": "def render(turn):\n"
        '    """Draw a turn as player 0 reads it."""\n'
        '    if "input" in turn.after:\n'
        '        [*_, scene] = reconstruct(0, turn.after["input"])\n'
        "        if scene is None:\n"
        "            return Frame((0, 0, 1, 1), ())\n"
        "        turn = replace(turn, setup=scene[0], after=scene[1])\n"
        "    return draw(turn)\n",
        "more": "\n    reconstruct=reconstruct,",
    }


def _kinds_of_things(facts: Facts) -> list[str]:
    """Returns the words of the input, sorted; [] if they are texts and no kinds of things."""
    plain = all(word.isascii() and '"' not in word and "\\" not in word for word in facts.words)
    return sorted(facts.words) if plain and len(facts.words) <= MOST_WORDS else []


def _read(blocks: list[Block]) -> list[str]:
    return [line for block in blocks for line in block.reading()] or ["pass  # nothing"]


def _read_turn(stub: Stub, layout: Layout) -> list[str]:
    lines = ["state[TURN] += 1"]
    if not stub.has_turns:
        return [*lines, "return bool(state[TURN] == 0)  # all has been read at once"]
    if answers_start(stub):
        lines += ["if state[TURN] == 0:", "    return True  # the lines read once are answered"]
    if not layout.blocks["state"]:
        return [*lines, "return True"]
    peeked = ["pending = [read_line()]", "if not pending[0]:", "    return False", ""]
    peeked += ["def line():", "    return pending.pop() if pending else read_line()", ""]
    return [*lines, *peeked, *_read(layout.blocks["state"]), "return True"]


def _start_lines(facts: Facts, layout: Layout) -> list[str]:
    written = [line for block in layout.blocks["setup"] for line in block.writing()]
    if not written:
        return ["return []"]
    ids = [name for name in layout.scalars["setup"] if PLAYER_ID.match(name.lower())]
    lines = []
    if ids and facts.n_players > 1:
        lines = ["setup = int_buffer(setup)", *(f"setup[{name}] = player" for name in ids)]
    return [*lines, "lines = []", *written, "return lines"]


def _turn_lines(stub: Stub, layout: Layout) -> list[str]:
    written = [line for block in layout.blocks["state"] for line in block.writing()]
    if not written:
        return ["return []"]
    lines = []
    if answers_start(stub):
        lines = ["if state[TURN] == 0:", "    return []  # the lines read once are answered"]
    return [*lines, "lines = []", *written, "return lines"]


def _format_action(stub: Stub, layout: Layout, listed: Block | None) -> list[str]:
    lines = ["lines = []"]
    if answers_start(stub):
        lines += ["if state[TURN] == 0:"]
        lines += [f"    {line}" for line in [*layout.said(stub.start), "return lines"]]
    if listed:
        at = listed.at().replace(" + i", " + action")
        lines += [f"if action < {listed.dims[0][0]}:"]
        if listed.is_row:
            lines += [f"    return [format_cells(state, {at}, {listed.size})]"]
        else:
            lines += [f'    return [format_values("{listed.kinds}", WORDS, state, {at})]']
    return [*lines, *layout.said(stub.turn if stub.has_turns else stub.start), "return lines"]


def _body(lines: list[str]) -> str:
    return "\n".join(f"    {line}" if line else "" for line in lines)


def _used(names: list[str], text: str) -> list[str]:
    return [name for name in names if re.search(rf"\b{name}\b", text)]


def _imported(names: list[str]) -> str:
    """Returns names as they follow `import`, one on each line if they are long."""
    if sum(map(len, names)) + 2 * len(names) <= 40:
        return ", ".join(names)
    return "\n".join(["(", *(f"    {name}," for name in names), ")"])


def _list(items: list[str]) -> str:
    text = f"[{', '.join(items)}]"
    if len(text) <= WIDTH - 10:
        return text
    return "\n".join(["[", *(f"    {item}," for item in items), "]"])


def _assigned(names: list[str], value: str) -> str:
    text = f"{', '.join(names)} = {value}"
    if len(text) <= WIDTH:
        return text
    return "\n".join(["(", *(f"    {name}," for name in names), f") = {value}"])
