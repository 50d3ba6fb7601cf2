"""`--trace`: a bundle that echoes what it reads and writes, so that a game of the site can be rerun
at home.

`trace_stdio` is put at the top of the bundle. It replaces sys.stdin and sys.stdout by streams that
read and write the same file descriptors and echo every block to stderr, whichever way the bot
reads: readline, iteration, input, sys.stdin.buffer.

The echo is a sequence of records: `<` and what was read, `>` and what is about to be written, the
bytes as Python writes them (`b'3\\n'`) or, where they are many and it is shorter, `z` and their
zlib compression in base85. A record stands in one or more lines

    @TURN:RECORD                        a whole record, or the last part of one
    @TURN:PART\\                        goes on in the next line that opens with `@`

TURN counts from 0 and grows with the first block read after one was written. Every turn has at
least one such line, and all of a turn's lines fit into ALLOWANCE: what does not is written in the
turns that follow.
"""

import ast
import inspect

from bundler.layout import HELPERS_MARK, IMPORTS_MARK, mark_of, read_mark
from bundler.where import SourceMap

NAME = "trace_stdio"


def add_trace(text):
    """A bundle's text with the trace in it, behind the docstring and the imports from `__future__`."""
    after, name = 0, NAME
    for place, node in enumerate(ast.parse(text).body):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if (place == 0 and is_text) or (
            isinstance(node, ast.ImportFrom) and node.module == "__future__"
        ):
            after = node.end_lineno
    while name in text:
        name += "_"
    lines = text.split("\n")
    while after < len(lines) - 1 and not lines[after].strip():
        after += 1
    # The piece that is cut in two here is opened again, for `where`.
    goes_on = SourceMap(text).locate(after + 1)
    mark = mark_of(*goes_on) if goes_on else IMPORTS_MARK
    added = [
        *([""] if after else []),
        HELPERS_MARK,
        inspect.getsource(trace_stdio).replace(NAME, name) + "\n",
        f"{name}()\n",
        *([] if read_mark(lines[after]) else [mark]),
    ]
    return "\n".join([*lines[:after], *added, *lines[after:]])


def trace_stdio():
    """Echo to stderr what the bot reads and writes, for `python -m referee import`."""
    import base64
    import io
    import sys
    import zlib

    ALLOWANCE = 3500  # characters of 4,096 a turn that the site keeps; the rest is the bot's own
    READABLE = 200  # characters up to which a record is not compressed
    turn, room, answered, waiting = -1, 0, True, ""

    def echo(kind, data):
        nonlocal turn, room, answered, waiting
        if kind == "<" and answered:
            turn, room = turn + 1, ALLOWANCE
        answered = kind == ">"
        record = repr(data)
        if len(record) > READABLE:
            packed = "z" + base64.b85encode(zlib.compress(data, 9)).decode()
            record = min(record, packed, key=len)
        waiting += kind + record + "\n"
        while waiting and (fits := room - len(f"@{turn}:\\\n")) > 0:
            record, _, others = waiting.partition("\n")
            if len(record) <= fits:
                line, waiting = f"@{turn}:{record}\n", others
            else:
                line, waiting = f"@{turn}:{record[:fits]}\\\n", f"{record[fits:]}\n{others}"
            room -= len(line)
            sys.stderr.write(line)
        sys.stderr.flush()

    class Echoing(io.FileIO):
        def readinto(self, buffer):
            count = super().readinto(buffer)
            if count:
                echo("<", bytes(buffer[:count]))
            return count

        def write(self, data):
            # Before the answer itself, which ends the turn.
            echo(">", bytes(data))
            left = memoryview(data)
            while left:
                left = left[super().write(left) :]
            return len(data)

    reader = io.BufferedReader(Echoing(sys.stdin.fileno(), closefd=False))
    sys.stdin = io.TextIOWrapper(reader, sys.stdin.encoding, sys.stdin.errors)
    writer = Echoing(sys.stdout.fileno(), "w", closefd=False)
    sys.stdout = io.TextIOWrapper(
        # Under `python -u` the text goes straight to the descriptor.
        writer if sys.stdout.write_through else io.BufferedWriter(writer),
        sys.stdout.encoding,
        sys.stdout.errors,
        line_buffering=sys.stdout.line_buffering,
        write_through=sys.stdout.write_through,
    )
