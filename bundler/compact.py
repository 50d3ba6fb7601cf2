"""The last resort of `--strip`: no blank lines, and one column of indentation a level."""

import io
import tokenize


def compact(text):
    """The same program in fewer characters; lines within strings stay as they are."""
    inside = set()
    starts = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[token.type]
        if kind == "STRING":
            inside.update(range(token.start[0] + 1, token.end[0] + 1))
        elif kind == "FSTRING_START":
            starts.append(token.start[0])
        elif kind == "FSTRING_END":
            inside.update(range(starts.pop() + 1, token.end[0] + 1))
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        if number in inside:
            lines.append(line)
        elif line.strip():
            body = line.lstrip(" ")
            lines.append(" " * ((len(line) - len(body)) // 4) + body)
    return "\n".join(lines) + "\n"
