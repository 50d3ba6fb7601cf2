"""`--pack`: the modules that a bot imports as one packed text, at most a quarter as long.

The bot's own file stays as it is, and so do machine code and weights, which are packed already. All
other code runs where it stood, in the bundle's own namespace, piece by piece. Each piece is
compiled with the path and the line numbers of its source, so that tracebacks name the source.
"""

import ast
import inspect
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from bundler.errors import BundleError
from bundler.program import Program
from bundler.reflection import SOURCES, reflections
from bundler.source_map import BUNDLER_MARK, SourceMap
from bundler.stages.encoding import ENCODINGS, to_literal
from bundler.stages.strip import compact

CONSTANTS = ("MACHINE_CODE = ", "PACKED_WEIGHTS = ")  # also in a carried module
HEAD = "# The modules that the bot imports, packed: each runs below as it stands in its file."


class Part(NamedTuple):
    """Statements in lines first..last of a bundle. path, line: the source of the first statement.
    stays: True if the statements are not packed.
    """

    first: int
    last: int
    path: str
    line: int
    stays: bool


def pack(text: str, program: Program, encode: str) -> str:
    """Returns a bundle in which all but the entry's file is packed. encode: a key of ENCODINGS.
    Raises BundleError if a module reads lines of its source.
    """
    if any(word in SOURCES for module in program.everyone for _, word in reflections(module)):
        advice = "leave --pack out: what is packed has no lines to read"
        raise BundleError(program.entry.shown, 1, "something reads lines of its source", advice)
    source_map = SourceMap(text)
    name = "run_packed"
    while name in text:
        name += "_"
    written: list[str] = []
    fields: list[str] = []
    calls: list[int] = []  # the lines that run a group
    was_packed = False
    for part in _parts(source_map, program.entry.shown):
        lines = source_map.lines[part.first - 1 : part.last]
        if part.stays:
            written += ["", "", *lines] if was_packed else lines
        else:
            if not was_packed:
                calls.append(len(written) + 1)
                written += [BUNDLER_MARK, f"{name}({len(calls)})"]
            fields += [str(len(calls)), str(part.line), part.path, "\n".join(lines)]
        was_packed = not part.stays
    if not fields:
        return text
    first, base, n, size, _ = ENCODINGS[encode]
    literal = to_literal(zlib.compress("\0".join(fields).encode(), 9), encode)
    code = inspect.getsource(run_packed).replace(run_packed.__name__, name)
    written[calls[0]] = f"{HEAD}\n{code}\n\n{name}(1, {literal}, {first}, {base}, {n}, {size})"
    written[calls[-1]] += f"\ndel {name}"
    packed = "\n".join(written) + "\n"
    return compact(packed) if source_map.is_stripped else packed


def _parts(source_map: SourceMap, entry: str) -> Iterator[Part]:
    """Yields the Parts of a bundle, in order, without the comments between them."""
    pieces = iter(source_map.pieces)
    piece, part = next(pieces), None
    for node in ast.parse("\n".join(source_map.lines)).body:
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        is_new = part is None or first > piece.last
        while first > piece.last:
            piece = next(pieces)
        lines = source_map.lines[first - 1 : node.end_lineno]
        stays = piece.path == entry or any(line.startswith(CONSTANTS) for line in lines)
        line = piece.lines[first - piece.first]
        if part and not is_new and stays == part.stays:
            follows = line - part.line == first - part.first or first <= part.last
            if stays or follows:
                part = part._replace(last=node.end_lineno or 0)
                continue
        if part:
            yield part
        if is_new and piece.path == entry:
            first = piece.first  # with its mark
        # An carried module has lines of its own, which its loader shows.
        path = piece.path if piece.path and not piece.carried else "bundle"
        part = Part(first, node.end_lineno or 0, path, line, stays)
    if part:
        yield part


def run_packed(group, code="", first=0, base=0, n=0, size=0):
    """Run a group of pieces, each as lines of its file. The first call unpacks `code`: n letters
    are a number of `size` bits in `base`, `first` for 0.
    """
    import linecache
    import zlib
    from builtins import compile, exec, globals, int, iter, len, list, ord, range, zip

    if code:
        letters, bits = "".join(code.split()), ""
        for place in range(0, len(letters), n):
            number = 0
            for letter in letters[place : place + n]:
                number = number * base + ord(letter) - first
            bits += f"{number:0{size}b}"
        data = int(bits[: len(bits) // 8 * 8], 2).to_bytes(len(bits) // 8, "big")
        fields = iter(zlib.decompressobj().decompress(data).decode().split("\0"))
        run_packed.pieces = list(zip(fields, fields, fields, fields))
    for number, line, path, text in run_packed.pieces:
        if int(number) == group:
            above = int(line) - 1
            # Tracebacks show lines of files that are not there.
            shown = linecache.cache.setdefault(path, (1, None, [], path))[2]
            shown[above:] = ["\n"] * (above - len(shown)) + [row + "\n" for row in text.split("\n")]
            names = globals()
            doc = names["__doc__"]
            exec(compile("\n" * above + text, path, "exec"), names)
            names["__doc__"] = doc  # not a text that stands first
