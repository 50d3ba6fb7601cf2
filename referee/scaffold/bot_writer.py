"""Writes a first bot of a contest from the grammar of its input: a typed reader with the grammar's
names and comments, the state as NamedTuples, an answer, the loop, the clock and the limits.

The values of a loop become a list: of NamedTuples if its lines have several values, named after
their counter (`entityCount` gives `entitys: list[Entity]`). The answer is the grammar's own, or one
of the legal actions, if the input lists them.
"""

import builtins
import keyword
import re
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import fill

from referee.official.limits import DEFAULT_LIMITS, StatedLimits
from referee.scaffold.stub_grammar import (
    Command,
    Loop,
    Read,
    ReadMany,
    Stub,
    Variable,
    Write,
    WriteLines,
    writes,
)

WIDTH = 100
TEMPLATE = Path(__file__).with_name("bot.py.template")
# The counter's name without these parts names the counted items.
COUNTER = re.compile(
    r"^(num(ber)?(_of)?|nb|n|count(_of)?)_|_(count|number|num|nb|n|length|per_player)$"
)
# Names of lists of legal actions, but not of past ones.
LISTED = re.compile(r"(^|_)(actions?|moves?)(_|$)")
DONE = re.compile(r"(^|_)(opp|opponent|enemy|last|previous|past|done|other)s?(_|$)")
SCORE = re.compile(r"(^|_)(score|points)(_|$)")
# Names used by the bot itself.
TAKEN = {"line", "words", "start", "turn", "read", "bot", "rng", "count", "index", "items"}
CLASSES = {"Bot", "Clock", "Limits", "NamedTuple"}
# Counters that tell nothing about the counted items of a grid.
SIDES = {"n", "m", "w", "h", "width", "height", "size", "side", "rows", "columns", "cols"}
PLURALS = ((r"ies$", "y"), (r"(ch|sh|ss|x|o)es$", r"\1"), (r"([^s])s$", r"\1"))


@dataclass
class Field:
    """A field of a NamedTuple."""

    name: str
    type: str
    comment: str = ""


@dataclass
class Record:
    """A NamedTuple of the bot.

    what: its description in the bot's docstring. body: the statements that read one of it.
    is_in_line: True if a line contains several of them.
    """

    name: str
    what: str
    fields: list[Field] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    is_in_line: bool = False


def write_bot(stub: Stub, title: str, stated: StatedLimits = DEFAULT_LIMITS) -> str:
    """Returns the source of a bot. title: the contest's title. stated: the contest's limits."""
    return Writer(stub).source(title, stated)


def snake_case(name: str) -> str:
    """Returns a grammar's name in Python's style, with an underscore after a name that is taken."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower().strip("_")
    is_taken = keyword.iskeyword(words) or hasattr(builtins, words) or words in TAKEN
    return f"{words}_" if is_taken else words or "value"


class Writer:
    """Turns a grammar into source. Readers take `line`, the function that returns the next line.

    places: the expression of each variable's value. counters: the counter of each list, by its
    field.
    """

    def __init__(self, stub: Stub) -> None:
        self.stub = stub
        self.records: list[Record] = []
        self.places: dict[str, str] = {}
        # The counters of lists, by field of the turn.
        self.counters: dict[str, str] = {}
        self.start = self._record("Start", "What is read once, before the first turn.")
        self._fill(self.start, [command for command in stub.start if not writes(command)])
        for name, place in self.places.items():
            self.places[name] = f"start.{place}"
        self.turn = self._record("Turn", "What is read in a turn.")
        commands = stub.turn if stub.has_turns else []
        self._fill(self.turn, [command for command in commands if not writes(command)])

    def source(self, title: str, stated: StatedLimits) -> str:
        start_fields = {f"start.{field.name}" for field in self.start.fields}
        at = {
            name: f"self.{place}" if place in start_fields else f"self.turn.{place}"
            for name, place in self.places.items()
        }
        commands = self.stub.turn if self.stub.has_turns else self.stub.start
        said = [
            line
            for command in commands
            if writes(command)
            for line in self.answer(command, at, True)
        ]
        text = TEMPLATE.read_text(encoding="utf-8")
        about = "\n".join(_wrapped(line) for line in self.stub.statement.splitlines())
        readers = "\n\n\n".join(map(self.reader, self.in_order()))
        values = {
            "TITLE": title,
            "ORIGIN": _wrapped(f"{stated.origin}.", "# "),
            "FIRST_MS": str(stated.limits.first_ms),
            "TURN_MS": str(stated.limits.turn_ms),
            "ABOUT": f"\n\n{about}\n" if about else "",
            "ITERATOR": ", Iterator" if "Iterator[" in readers else "",
            "RECORDS": self.classes(),
            "READERS": readers,
            "ANSWER": "\n".join(f"        {line}" for line in said),
            "OUTPUT": _docstring("The lines of an answer.", self.stub.output),
            "SCORES": self._scores(),
            "BEGIN": self._begin(at) if self.stub.has_turns else "",
            "CALL": "\n    bot.begin()" if self._begin(at) and self.stub.has_turns else "",
            "IS_OVER": "" if self.stub.has_turns else "\n        self.is_over = True",
        }
        for name, value in values.items():
            text = text.replace(f"${name}$", value)
        return text

    def _begin(self, at: dict[str, str]) -> str:
        """Returns the source of a method that answers the initial input, "" if the grammar has no
        such answer.
        """
        starts = filter(writes, self.stub.start)
        said = [line for command in starts for line in self.answer(command, at, False)]
        if not said:
            return ""
        body = "\n".join(f"        {line}" for line in ("lines: list[str] = []", *said))
        return f'''

    def begin(self) -> None:
        """Answer what is read once."""
{body}
        print(*lines, sep="\\n", flush=True)'''

    def classes(self) -> str:
        """Returns the source of the records."""
        return "\n\n\n".join(map(_class, self.in_order()))

    def in_order(self) -> list[Record]:
        """Returns the records, each after the records that it contains."""
        others = [record for record in self.records if record not in (self.start, self.turn)]
        return [*others, self.start, self.turn]

    def _record(self, name: str, what: str) -> Record:
        """Add and return a new record; a taken name gets the prefix "Turn" or a number."""
        names = {record.name for record in self.records} | CLASSES
        numbered = (f"{name}{number}" for number in range(2, len(names) + 3))
        name = next(
            candidate for candidate in (name, f"Turn{name}", *numbered) if candidate not in names
        )
        self.records.append(Record(name, what))
        return self.records[-1]

    def _fill(self, record: Record, commands: list[Command]) -> None:
        """Add the fields read by commands to a record, and the statements that read them."""
        for command in commands:
            if isinstance(command, Read):
                names = [
                    self._field(record, variable.name, variable.python, variable.comment)
                    for variable in command.variables
                ]
                record.body += _read_values(names, command.variables)
                for name, variable in zip(names, command.variables):
                    self.places[variable.name] = name
            else:
                type_, value, stem, comment = self._many(command)
                name = self._field(record, stem, f"list[{type_}]", comment)
                self.counters[name] = getattr(command, "amount", "")
                record.body.append(f"{name} = {value}")

    def _field(self, record: Record, name: str, type_: str, comment: str) -> str:
        """Add a field to a record. Returns its name, with a number if the name is taken."""
        name = snake_case(name)
        taken, plain, number = {field.name for field in record.fields}, name, 1
        while name in taken:
            number += 1
            name = f"{plain}_{number}"
        record.fields.append(Field(name, type_, comment))
        return name

    def _many(self, command: Command) -> tuple[str, str, str, str]:
        """Returns a list's description: its items' type, the expression that reads it, its name,
        and a comment.
        """
        assert isinstance(command, Loop | ReadMany)
        stem = self.stem(command)
        if isinstance(command, ReadMany):
            return self._words(command, stem)
        count = self._amount(command.amount)
        if isinstance(command.command, Loop | ReadMany):
            type_, value, stem, comment = self._many(command.command)
            return f"list[{type_}]", f"[{value} for _ in range({count})]", stem, comment
        assert isinstance(command.command, Read)
        variables = command.command.variables
        if len(variables) == 1:
            [variable] = variables
            value = _value(variable, "line()")
            return (
                variable.python,
                f"[{value} for _ in range({count})]",
                plural(variable.name),
                variable.comment,
            )
        record = self._record(_camel_case(stem), f"One of `{plural(stem)}`.")
        for variable in variables:
            self._field(record, variable.name, variable.python, variable.comment)
        record.body = _read_values([field.name for field in record.fields], variables)
        value = f"[{_reader_name(record)}(line) for _ in range({count})]"
        return record.name, value, plural(stem), ""

    def _words(self, command: ReadMany, stem: str) -> tuple[str, str, str, str]:
        """Returns the description of a list of values on one line, as `_many` does."""
        variables = command.variables
        if len(variables) == 1:
            [variable] = variables
            name = plural(variable.name)
            value = (
                "line().split()"
                if variable.python == "str"
                else f"[{_value(variable, 'word')} for word in line().split()]"
            )
            return variable.python, value, name, variable.comment
        record = self._record(_camel_case(stem), f"One of `{plural(stem)}`.")
        names = [
            self._field(record, variable.name, variable.python, variable.comment)
            for variable in variables
        ]
        values = [_value(variable, f"words[{n}]") for n, variable in enumerate(variables)]
        record.is_in_line = True
        record.body = [f"words = [next(items) for _ in range({len(variables)})]"]
        record.body += [f"{name} = {value}" for name, value in zip(names, values)]
        record.what += " `items` are the words of its line that are left."
        count = self._amount(command.amount)
        return record.name, f"{_line_reader_name(record)}(line, {count})", plural(stem), ""

    def stem(self, command: Loop | ReadMany) -> str:
        """Returns the name of a list's items: "cell" for a grid, else a name made from the list's
        counter, or from the first value of an item.
        """
        counted = COUNTER.sub("", COUNTER.sub("", snake_case(command.amount).rstrip("_")))
        if counted and not command.amount.isdecimal() and counted not in SIDES:
            return _singular(counted)
        inner: Command = command
        while isinstance(inner, Loop):
            inner = inner.command
        if counted in SIDES:
            return "cell"
        return snake_case(inner.variables[0].name) if isinstance(inner, Read | ReadMany) else "row"

    def _amount(self, amount: str) -> str:
        return amount if amount.isdecimal() else self.places[amount]

    def reader(self, record: Record) -> str:
        """Returns the source of a record's reader, and of the reader of its line if a line contains
        several.
        """
        given = "line: Callable[[], str]"
        takes = "items: Iterator[str]" if record.is_in_line else given
        if record is self.turn:
            takes = f"{given}, start: Start"
        names = [field.name for field in record.fields]
        lines = [
            f"def {_reader_name(record)}({takes}) -> {record.name}:",
            *(f"    {line}" for statement in record.body for line in statement.splitlines()),
            *(
                f"    {line}"
                for line in _listing(f"return {record.name}(", names, ")").splitlines()
            ),
        ]
        if record.is_in_line:
            lines += [
                "",
                "",
                f"def {_line_reader_name(record)}({given}, count: int) -> list[{record.name}]:",
                "    items = iter(line().split())",
                f"    return [{_reader_name(record)}(items) for _ in range(count)]",
            ]
        return "\n".join(lines)

    def answer(self, command: Command, at: dict[str, str], in_turn: bool) -> list[str]:
        """Returns the statements that add a command's lines to the answer.

        at: the expressions of variables. in_turn: True if the bot has read a turn, and may choose
        from its list of legal actions.
        """
        inner, counts = command, []
        while isinstance(inner, Loop):
            counts.append(inner.amount if inner.amount.isdecimal() else at[inner.amount])
            inner = inner.command
        times = "".join(f" * {count}" for count in counts)
        if isinstance(inner, WriteLines):
            said = ", ".join(self._line(line, at) for line in inner.lines)
            return _added(said, times)
        assert isinstance(inner, Write)
        text = self._line(inner, at)
        listed = self.listed(inner) if in_turn else None
        if not listed:
            return _added(text, times)
        name, choice = listed
        return [
            f"if self.turn.{name}:",
            f"    lines += [{choice}]{times}",
            "else:",
            f"    lines += [{text}]{times}",
        ]

    def _line(self, write: Write, at: dict[str, str]) -> str:
        is_formatted = any(word in write.names and word in at for word in write.words)
        words = [f"{{{at[w]}}}" if w in write.names and w in at else w for w in write.words]
        text = " ".join(words).replace("\\", "\\\\").replace('"', '\\"')
        return f'f"{text}"' if is_formatted else f'"{text}"'

    def listed(self, write: Write) -> tuple[str, str] | None:
        """Returns the field of the turn with the legal actions and the expression that chooses one
        of them, None if the input has no such list.
        """
        for listed in self.turn.fields:
            record = next((r for r in self.records if f"list[{r.name}]" == listed.type), None)
            counter = snake_case(self.counters.get(listed.name, ""))
            if not LISTED.search(listed.name) or DONE.search(listed.name) or DONE.search(counter):
                continue
            if listed.type == "list[str]":
                return listed.name, f"self.rng.choice(self.turn.{listed.name})"
            # An action may be followed by a message.
            if record and len(record.fields) <= len(write.words):
                return listed.name, f'" ".join(map(str, self.rng.choice(self.turn.{listed.name})))'
        return None

    def _scores(self) -> str:
        names = [
            field.name
            for field in self.turn.fields
            if field.type in ("int", "float") and SCORE.search(field.name)
        ]
        return "".join(
            f'\n        print(f"#value {name} {{self.turn.{name}}}", file=sys.stderr)'
            for name in names
        )


def _added(lines: str, times: str) -> list[str]:
    """Returns the source lines of `lines += [...]`, wrapped as black does.

    lines: the source of the list's items. times: the source of the repetition, as " * n", or "".
    """
    statement = f"lines += [{lines}]{times}"
    fits = len(statement) <= WIDTH - 8 or times
    return [statement] if fits else ["lines += [", f"    {lines}", "]"]


def _class(record: Record) -> str:
    lines = [f"class {record.name}(NamedTuple):", *_docstring(record.what, "", 4).splitlines()]
    for member in record.fields:
        lines += [""] if lines[-1].endswith('"""') else []
        line = f"    {member.name}: {member.type}"
        comment = f"  # {member.comment}" if member.comment else ""
        if len(line + comment) > WIDTH:
            lines += [_wrapped(member.comment, "    # ")]
            comment = ""
        lines.append(line + comment)
    return "\n".join(lines)


def _docstring(first: str, more: str, indent: int = 8) -> str:
    """Returns the source of a docstring, with quotes and backslashes of `more` replaced, so that
    `more` cannot end the docstring early.
    """
    text = more.replace("\\", "/").replace('"""', "'''")
    blank = " " * indent
    if not text:
        return f'{blank}"""{first}"""'
    lines = [_wrapped(line, blank) for line in text.splitlines()]
    return "\n".join([f'{blank}"""{first}', "", *lines, f'{blank}"""'])


def _wrapped(text: str, indent: str = "") -> str:
    return fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent)


def _read_values(names: list[str], variables: tuple[Variable, ...]) -> list[str]:
    kinds = {variable.kind for variable in variables}
    if len(variables) == 1:
        return [f"{names[0]} = {_value(variables[0], 'line()')}"]
    if kinds <= {"int", "long"}:
        if len(text := f"{', '.join(names)} = map(int, line().split())") < WIDTH - 4:
            return [text]
        return [_listing("(", names, ") = map(int, line().split())")]
    lines, n = ["words = line().split()"], len(variables)
    strings = [place for place, variable in enumerate(variables) if variable.kind == "string"]
    if strings:
        lines = ['words = line().split(" ")']
        [place] = strings
        behind = n - place - 1
        end = f"len(words) - {behind}" if behind else ""
        span = f"{place} : {end}" if end else f"{place}:"
        lines.append(f'words[{span}] = [" ".join(words[{span}])]')
    return lines + [
        f"{name} = {_value(variable, f'words[{place}]')}"
        for place, (name, variable) in enumerate(zip(names, variables))
    ]


def _listing(start: str, names: list[str], end: str) -> str:
    """Returns names between two texts, on one line if that fits in a function, else wrapped as by
    black.
    """
    one_line = f"{start}{', '.join(names)}{end}"
    if len(one_line) <= WIDTH - 4:
        return one_line
    return "\n".join([start, *(f"    {name}," for name in names), end])


def _value(variable: Variable, text: str) -> str:
    """Returns the expression that converts a text to a variable's type."""
    if variable.kind == "bool":
        return f'{text} in ("1", "true")'
    return text if variable.python == "str" else f"{variable.python}({text})"


def _reader_name(record: Record) -> str:
    return f"read_{re.sub(r'(?<=[a-z0-9])(?=[A-Z])', '_', record.name).lower()}"


def _line_reader_name(record: Record) -> str:
    return f"{_reader_name(record)}_line"


def _singular(name: str) -> str:
    """Returns the name of an item of the list `name`."""
    for pattern, end in PLURALS:
        if re.search(pattern, name):
            return re.sub(pattern, end, name)
    return name


def _camel_case(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_") if word) or "Row"


def plural(name: str) -> str:
    """Returns the name of a list whose items are called `name`."""
    name = snake_case(name).rstrip("_")
    if name.endswith(("s", "x", "ch", "sh")):
        return f"{name}es"
    return f"{name[:-1]}ies" if re.search(r"[^aeiou]y$", name) else f"{name}s"
