"""The grammar of a contest's input, `config/stub.txt`, from which the site writes its starter code.

    read width:int height:int         one line
    gameloop                          the following commands are read every turn
    loop count read x:int name:word(9)    `count` lines
    loopline count x:int              a line with `count` repetitions
    write join("MOVE", x, "5")        one line of the answer

Words may stand on any line; the text of a write goes on up to a blank line or the next command.
After a blank line the blocks STATEMENT, INPUT and OUTPUT hold comments. Code between
CODE-START-LANGUAGE and CODE-END-LANGUAGE replaces the starter code of that language, and is
skipped.

Source: stubGeneratorSyntax.md of github.com/CodinGame/codingame-game-engine.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from referee.errors import UsageError, excerpt

KEYWORDS = ("read", "write", "loop", "loopline", "gameloop")
BLOCKS = ("STATEMENT", "INPUT", "OUTPUT")
VARIABLE = re.compile(r"([A-Za-z_]\w*):(int|float|long|bool|word|string)(?:\(\w*\))?", re.ASCII)
AMOUNT = re.compile(r"\d{1,6}|[A-Za-z_]\w*", re.ASCII)
CODE = re.compile(r"CODE-(START|END)-")
COMMENT = re.compile(r"\s*(\w+)\s*:\s*(.*)")
# No grammar nests its loops deeper.
MAX_DEPTH = 8
# The Python types of the grammar's types.
KINDS = {
    "int": "int",
    "long": "int",
    "float": "float",
    "bool": "bool",
    "word": "str",
    "string": "str",
}


class StubError(UsageError):
    """No reader can be made from the grammar; the text names the line."""


@dataclass(frozen=True)
class Variable:
    """A value in a line. kind: a key of KINDS; only a value of kind string may contain blanks."""

    name: str
    kind: str
    comment: str = ""

    @property
    def python(self) -> str:
        """The Python type of the value."""
        return KINDS[self.kind]


@dataclass(frozen=True)
class Read:
    """A line of values."""

    variables: tuple[Variable, ...]


@dataclass(frozen=True)
class ReadMany:
    """Values that are repeated on one line. amount: the number of repetitions, as digits or as the
    name of a variable.
    """

    amount: str
    variables: tuple[Variable, ...]


@dataclass(frozen=True)
class Write:
    """A line of the answer: its words; those in `names` stand for the values of variables."""

    words: tuple[str, ...]
    names: frozenset[str] = frozenset()


@dataclass(frozen=True)
class WriteLines:
    """Several lines of the answer, written at once."""

    lines: tuple[Write, ...]


@dataclass(frozen=True)
class Loop:
    """A repeated command. amount: the number of repetitions, as digits or as the name of a
    variable.
    """

    amount: str
    command: "Command"


Command = Read | ReadMany | Write | WriteLines | Loop


@dataclass
class Stub:
    """A grammar: commands of the start, and of each turn.

    Without has_turns there are only commands of the start. statement: a text about the game.
    output: a text about the answer.
    """

    start: list[Command] = field(default_factory=list)
    turn: list[Command] = field(default_factory=list)
    has_turns: bool = False
    statement: str = ""
    output: str = ""


def read_stub(path: Path) -> str:
    """Returns the text of a grammar. Raises UsageError, and OSError."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not a text in UTF-8") from error


def parse_stub(text: str) -> Stub:
    """Returns the grammar in a text. Raises StubError."""
    main, blocks = _blocks(text)
    matches = [match for line in blocks["INPUT"] if (match := COMMENT.fullmatch(line))]
    comments = {match[1]: match[2] for match in matches}
    parser = _Parser(main, comments)
    stub = Stub(statement="\n".join(blocks["STATEMENT"]), output="\n".join(blocks["OUTPUT"]))
    while parser.left:
        if parser.peek() == "gameloop":
            if stub.has_turns:
                raise parser.error("a second gameloop")
            parser.next()
            stub.has_turns = True
        else:
            (stub.turn if stub.has_turns else stub.start).append(parser.command())
    check(stub)
    return stub


def check(stub: Stub) -> None:
    """Raise StubError if a grammar has no write, or uses a variable as a count before reading it as
    an integer.
    """
    known: set[str] = set()
    if not any(writes(command) for command in stub.turn or stub.start):
        raise StubError("the grammar has no write: what is the answer?")
    for command in [*stub.start, *stub.turn]:
        inner = command
        while isinstance(inner, Loop | ReadMany):
            if not inner.amount.isdecimal() and inner.amount not in known:
                raise StubError(
                    f"the grammar counts by {inner.amount!r}, which it has not read by then"
                )
            if isinstance(inner, ReadMany):
                break
            inner = inner.command
        if isinstance(command, Read):
            known |= {
                variable.name for variable in command.variables if variable.kind in ("int", "long")
            }


def writes(command: Command) -> bool:
    """Returns True if a command is part of the answer."""
    while isinstance(command, Loop):
        command = command.command
    return isinstance(command, Write | WriteLines)


def _blocks(text: str) -> tuple[list[tuple[int, str]], dict[str, list[str]]]:
    """Returns the numbered lines of the main block, and the lines of the other blocks by name."""
    main: list[tuple[int, str]] = []
    blocks: dict[str, list[str]] = {name: [] for name in BLOCKS}
    block, is_code = None, False
    for number, line in enumerate(text.splitlines(), 1):
        if CODE.match(line):
            is_code = line.startswith("CODE-START")
        elif is_code:
            continue
        elif line.strip() in BLOCKS:
            block = line.strip()
        elif block and line.strip():
            blocks[block].append(line.strip())
        elif not line.strip():
            block = None
            main.append((number, line))
        else:
            main.append((number, line))
    return main, blocks


class _Parser:
    """Reads commands, word by word; a write takes the rest of its line."""

    def __init__(self, lines: list[tuple[int, str]], comments: dict[str, str]) -> None:
        self.comments = comments
        self.texts = dict(lines)
        # (line number, its text, the word, the rest of the line after it), the last first.
        self.left = [
            (number, line, match[0], line[match.end() :])
            for number, line in lines
            for match in re.finditer(r"\S+", line)
        ][::-1]
        self.last = (0, "")

    def peek(self) -> str:
        """Returns the next word without taking it, "" at the end."""
        return self.left[-1][2] if self.left else ""

    def next(self) -> str:
        """Take and return the next word. Raises StubError at the end."""
        if not self.left:
            raise StubError(
                f"line {self.last[0]} of the grammar ends too soon: {excerpt(self.last[1])}"
            )
        number, line, word, self.rest = self.left.pop()
        self.last = number, line
        return word

    def error(self, problem: str) -> StubError:
        """Returns an error that names the line of the last word, or else of the next word."""
        number, line = self.last if self.last[0] else self.left[-1][:2]
        return StubError(f"line {number} of the grammar, {excerpt(line.strip())}: {problem}")

    def command(self, depth: int = 0) -> Command:
        """Take and return a command. Raises StubError."""
        word = self.next()
        if depth > MAX_DEPTH:
            raise self.error("its loops are nested too deeply")
        if word == "read":
            return Read(self._variables())
        if word in ("loop", "loopline"):
            amount = self.next()
            if not AMOUNT.fullmatch(amount):
                raise self.error(f"{amount!r} is neither a number nor a variable's name")
            if word == "loopline":
                return ReadMany(amount, self._variables())
            return Loop(amount, self.command(depth + 1))
        if word == "write":
            return self._write()
        raise self.error(f"{word!r} is no command: there are {', '.join(KEYWORDS)}")

    def _variables(self) -> tuple[Variable, ...]:
        variables = []
        while self.peek() and self.peek() not in KEYWORDS:
            word = self.next()
            declared = VARIABLE.fullmatch(word)
            if not declared:
                raise self.error(f"{word!r} is no variable, as in name:int")
            name, kind = declared.groups()
            variables.append(Variable(name, kind, self.comments.get(name, "")))
        if not variables:
            raise self.error("a variable is missing, as in name:int")
        if sum(variable.kind == "string" for variable in variables) > 1:
            raise self.error("a line has one string at most, which takes all the rest")
        return tuple(variables)

    def _write(self) -> Write | WriteLines:
        number, texts = self.last[0], [self.rest.strip()]
        # Further lines of its text.
        while (line := self.texts.get(number + 1, "").strip()) and line.split()[0] not in KEYWORDS:
            texts.append(line)
            number += 1
        while self.left and self.left[-1][0] <= number:
            self.left.pop()
        lines = tuple(self._line(text) for text in texts)
        return lines[0] if len(lines) == 1 else WriteLines(lines)

    def _line(self, text: str) -> Write:
        joined = re.fullmatch(r"join\((.*)\)", text)
        if not joined:
            return Write(tuple(text.split()))
        parts = re.findall(r'"([^"]*)"|([^,\s"]+)', joined[1])
        names = frozenset(
            name for _, name in parts if AMOUNT.fullmatch(name) and not name.isdecimal()
        )
        return Write(tuple(quoted or name for quoted, name in parts), names)
