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

import inspect

from bundler.source_map import BUNDLER_MARK


def trace_text() -> str:
    """Returns the source of `trace_stdio` and of its call, to be put into a bundle before any code
    that reads or writes.
    """
    name = trace_stdio.__name__
    return f"{BUNDLER_MARK}\n{inspect.getsource(trace_stdio)}\n\n{name}()\ndel {name}\n"


def trace_stdio():
    """Echo to stderr what the bot reads and writes, for `python -m referee import`."""
    import base64
    import io
    import sys
    import zlib
    from builtins import bytes, len, memoryview, min, repr, super  # the bot may bind these names

    ALLOWANCE = 3500  # characters a turn; the site keeps 4,096, and leaves the others to the bot
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
