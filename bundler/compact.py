"""The last steps of `--strip`: no empty lines, and one column of indentation a level."""

import io
import tokenize

from bundler.source import lines_within_strings


def without_empty_lines(text):
    """The same program without empty lines; those within strings stay."""
    inside = lines_within_strings(_tokens(text))
    lines = enumerate(text.split("\n"), 1)
    return "\n".join(line for number, line in lines if line.strip() or number in inside) + "\n"


def compact(text):
    """The same program with as little indentation as Python takes; strings stay as they are."""
    tokens = list(_tokens(text))
    levels = {}  # of the lines that begin a statement; in all others indentation is free
    level, begins = 0, True
    for token in tokens:
        kind = token.type
        level += (kind == tokenize.INDENT) - (kind == tokenize.DEDENT)
        if kind == tokenize.NEWLINE:
            begins = True
        elif begins and kind not in (tokenize.INDENT, tokenize.DEDENT, tokenize.NL):
            levels[token.start[0]] = level
            begins = kind == tokenize.COMMENT
    inside = lines_within_strings(tokens)
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if number not in inside:
            lines[number - 1] = " " * levels.get(number, 0) + line.lstrip(" \t\f")
    return "\n".join(lines)


def _tokens(text):
    return tokenize.generate_tokens(io.StringIO(text).readline)
