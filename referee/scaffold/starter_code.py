"""The site's own Python starter code, as shown by its editor for a new game, converted back to its
grammar.
"""

import ast
import io
import re
import tokenize

from referee.scaffold.stub_grammar import (
    Command,
    Loop,
    Read,
    ReadMany,
    Stub,
    StubError,
    Variable,
    Write,
    check,
)

# Comments that are the same in every game.
USUAL = re.compile(
    r"game loop|Write an (action|answer)|To debug|Auto-generated code|the standard input according",
    re.I,
)
ABOUT = re.compile(r"(\w+): (.*)")
CASTS = {"int": "int", "float": "float"}


def is_starter(text: str) -> bool:
    """Returns True if a text is Python rather than a grammar."""
    return re.search(r"^\s*print\(|\binput\(\)", text, re.MULTILINE) is not None


def parse_starter(text: str) -> Stub:
    """Reconstruct the grammar of starter code. Raises StubError."""
    try:
        body = ast.parse(text).body
        comments = _comments(text)
    except (SyntaxError, ValueError, tokenize.TokenError) as error:
        raise StubError(f"the starter code is no Python: {error}") from error
    reader = _Reader(comments)
    stub = Stub()
    for node in body:
        if isinstance(node, ast.While):
            if stub.has_turns:
                raise reader.error(node, "a second loop without end")
            stub.has_turns, stub.turn = True, reader.commands(node.body)
        elif not stub.has_turns:
            stub.start += reader.commands([node])
    own = [
        (line, said)
        for line, said in sorted(comments.items())
        if said and not USUAL.search(said) and not ABOUT.fullmatch(said)
    ]
    stub.statement = "\n".join(said for line, said in own if line < reader.first_read)
    stub.output = "\n".join(said for line, said in own if line > reader.last_read)
    check(stub)
    return stub


def _comments(text: str) -> dict[int, str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {
        token.start[0]: token.string.lstrip("# ").rstrip()
        for token in tokens
        if token.type == tokenize.COMMENT
    }


class _Reader:
    """Reads statements as commands. `parts` are the values of the line that `inputs` holds."""

    def __init__(self, comments: dict[int, str]) -> None:
        self.comments = comments
        found = [match for text in comments.values() if (match := ABOUT.fullmatch(text))]
        self.about = {match[1]: match[2] for match in found}
        # The first and last line of the game loop.
        self.first_read, self.last_read = 10**9, 0

    def commands(self, nodes: list[ast.stmt]) -> list[Command]:
        """The commands of some statements, in their order. Raises StubError."""
        found: list[Command] = []
        # The names of the split texts, and the values taken from each.
        split: list[Variable] | None = None
        for node in nodes:
            if isinstance(node, ast.Import | ast.ImportFrom | ast.Pass):
                continue
            if _source(node) == "inputs = input().split()":
                self._note(node)
                if split:
                    found.append(Read(tuple(split)))
                split = []
                continue
            if split is not None and (part := self._part(node)):
                split.append(part)
                continue
            if split is not None and isinstance(node, ast.For) and not split:
                found.append(self._parts_in_turn(node))
                split = None
                continue
            if split:
                found.append(Read(tuple(split)))
            split = None
            found.append(self._command(node))
        if split:
            found.append(Read(tuple(split)))
        return found

    def _command(self, node: ast.stmt) -> Command:
        if isinstance(node, ast.For):
            source = ast.unparse(node.iter)
            if source == "input().split()":
                self._note(node)
                return ReadMany("", tuple(self._cast(one) for one in node.body))
            amount = re.fullmatch(r"range\((\w+)\)", source)
            inner = self.commands(node.body)
            if amount and len(inner) == 1:
                return Loop(amount[1], inner[0])
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            self._note(node)
            if command := self._read(node):
                return command
        elif isinstance(node, ast.Expr) and (words := _printed(node)) is not None:
            return Write(tuple(words.split()))
        raise self.error(node, "no reader can be made of it")

    def _read(self, node: ast.Assign) -> Read | None:
        """Parse a line that is read by one statement."""
        target, source = node.targets[0], ast.unparse(node.value)
        names = (
            [ast.unparse(one) for one in target.elts]
            if isinstance(target, ast.Tuple)
            else [ast.unparse(target)]
        )
        if (found := re.fullmatch(r"(int|float)\(input\(\)\)", source)) or (
            found := re.fullmatch(
                r"\[(int|float)\((\w+)\) for \2 in input\(\)\.split\(\)\]", source
            )
        ):
            kind = CASTS[found[1]]
        elif source == "input().split()":
            kind = "word"
        elif source == "input()":
            kind = "string"
        elif source in ("input() != '0'", "input() == '1'"):
            kind = "bool"
        else:
            return None
        return Read(tuple(self._variable(name, kind, node.lineno) for name in names))

    def _part(self, node: ast.stmt) -> Variable | None:
        if not isinstance(node, ast.Assign):
            return None
        source = ast.unparse(node.value)
        if not re.search(r"\binputs\[", source):
            return None
        return self._cast(node)

    def _parts_in_turn(self, node: ast.For) -> ReadMany:
        amount = re.fullmatch(r"range\((\w+)\)", ast.unparse(node.iter))
        if not amount:
            raise self.error(node, "no reader can be made of it")
        return ReadMany(amount[1], tuple(self._cast(one) for one in node.body))

    def _cast(self, node: ast.stmt) -> Variable:
        """Parse a value that has been read as a word."""
        if not isinstance(node, ast.Assign):
            raise self.error(node, "no reader can be made of it")
        source = ast.unparse(node.value)
        cast = re.match(r"(int|float)\(", source)
        kind = CASTS[cast[1]] if cast else "bool" if re.search(r"[!=]= '[01]'", source) else "word"
        return self._variable(ast.unparse(node.targets[0]), kind, node.lineno)

    def _variable(self, name: str, kind: str, line: int) -> Variable:
        self.last_read = max(self.last_read, line)
        comment = self.comments.get(line, "") or self.about.get(name, "")
        # Names that are Python keywords have a prefix there.
        return Variable(name.lstrip("_") or name, kind, comment)

    def _note(self, node: ast.stmt) -> None:
        self.first_read = min(self.first_read, node.lineno)
        self.last_read = max(self.last_read, node.lineno)

    def error(self, node: ast.AST, problem: str) -> StubError:
        line = getattr(node, "lineno", 0)
        return StubError(f"line {line} of the starter code, {_source(node)[:80]!r}: {problem}")


def _source(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0]


def _printed(node: ast.Expr) -> str | None:
    """Returns the text that a statement prints, None for another statement."""
    call = node.value
    if not (isinstance(call, ast.Call) and ast.unparse(call.func) == "print" and not call.keywords):
        return None
    values = [one.value for one in call.args if isinstance(one, ast.Constant)]
    return " ".join(map(str, values)) if len(values) == len(call.args) else None
