"""Grammars of contests' inputs, read by the bots written from them.

    python -m tests.lab.scaffold.stubs FILE... [--inputs N]

FILE: a `stub.txt` of a contest's repository. For each, a bot is written and reads N random inputs
(default 20); every value is compared with a second, literal reader of the grammar, and the answer's
number of lines. The bots, and the boards of the same grammars, must satisfy black and mypy. Prints
a line for each grammar that fails, and the counts; the exit status is 1 if one fails.
"""

import argparse
import io
import random
import re
import runpy
import subprocess
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from referee.errors import UsageError
from referee.project import PROJECT
from referee.scaffold.board_writer import write_board
from referee.scaffold.bot_writer import write_bot
from referee.scaffold.stub_grammar import parse_stub, read_stub

N_TURNS = 3
BLOCK = re.compile(r"^(STATEMENT|INPUT|OUTPUT)\s*$")


class Literal:
    """A second reader: walks through the commands word by word, and makes the input meanwhile."""

    def __init__(self, text: str, rng: random.Random) -> None:
        self.rng, self.known = rng, {}
        self.lines, self.values, self.n_written = [], [], 0
        self.words, self.has_silent_turn = [], False
        is_main = True
        text = re.sub(r"(?ms)^CODE-START-.*?^CODE-END-.*?$", "", text)
        for line in text.lstrip("\ufeff").splitlines():
            if BLOCK.match(line.strip()):
                is_main = False
            elif not line.strip():
                is_main = True
            elif is_main:
                self.words += [*line.split(), "\n"]

    def run(self) -> None:
        """Make the input of a whole game."""
        words = list(self.words)
        at = words.index("gameloop") if "gameloop" in words else len(words)
        self.commands(words[:at])
        for _ in range(N_TURNS if at < len(words) else 0):
            before = len(self.lines)
            self.commands(words[at + 1 :])
            self.has_silent_turn |= len(self.lines) == before

    def commands(self, words: list[str]) -> None:
        i = 0
        while i < len(words):
            i = i + 1 if words[i] == "\n" else self.command(words, i, True)

    def command(self, words: list[str], i: int, does: bool) -> int:
        """Do the command at i, unless it is only skipped; returns the place after it."""
        while words[i] == "\n":
            i += 1
        word = words[i]
        if word == "read":
            end = self.end(words, i + 1)
            if does:
                self.line(self.declared(words[i + 1 : end]))
            return end
        if word == "write":
            end = words.index("\n", i) if "\n" in words[i:] else len(words)
            # Further lines of the text, up to a blank line or the next command.
            while end + 1 < len(words) and not self.begins(words, end + 1):
                self.n_written += does
                end = words.index("\n", end + 1) if "\n" in words[end + 1 :] else len(words)
            self.n_written += does
            return end
        n = self.amount(words[i + 1]) if does else 0
        if word == "loopline":
            end = self.end(words, i + 2)
            if does:
                self.line(self.declared(words[i + 2 : end]) * n)
            return end
        assert word == "loop", word
        end = self.command(words, i + 2, False)
        for _ in range(n):
            self.command(words, i + 2, True)
        return end

    def begins(self, words: list[str], i: int) -> bool:
        """Returns True if a command begins at i, or nothing more comes."""
        return words[i] in ("\n", "read", "write", "loop", "loopline", "gameloop")

    def end(self, words: list[str], i: int) -> int:
        while i < len(words) and words[i] not in ("read", "write", "loop", "loopline", "gameloop"):
            i += 1
        return i

    def declared(self, words: list[str]) -> list[tuple[str, str]]:
        found = [word.partition(":") for word in words if word != "\n"]
        return [(name, kind.partition("(")[0].strip()) for name, _, kind in found]

    def amount(self, word: str) -> int:
        return int(word) if word.isdecimal() else self.known[word]

    def line(self, declared: list[tuple[str, str]]) -> None:
        texts = []
        for name, kind in declared:
            text, value = self.value(kind)
            if kind in ("int", "long"):
                self.known[name] = value
            texts.append(text)
            self.values.append(value)
        self.lines.append(" ".join(texts))

    def value(self, kind: str) -> tuple[str, object]:
        rng = self.rng
        if kind in ("int", "long"):
            number = rng.randint(0, 4)
            return str(number), number
        if kind == "float":
            number = rng.randint(-99, 99) / 4
            return str(number), number
        if kind == "bool":
            flag = rng.randint(0, 1)
            return str(flag), bool(flag)
        text = "".join(rng.choice("AB.#x7") for _ in range(rng.randint(1, 5)))
        text = f"{text} of {text}" if kind == "string" else text
        return text, text


def flattened(value: object) -> list[object]:
    """The values of nested tuples and lists, in their order."""
    if isinstance(value, (tuple, list)):
        return [item for part in value for item in flattened(part)]
    return [value]


def problem_of(text: str, bot: Path, n_inputs: int) -> str:
    """Returns the first difference between a bot and the grammar, "" for none."""
    known = runpy.run_path(str(bot))
    for seed in range(n_inputs):
        literal = Literal(text, random.Random(seed))
        literal.run()
        if literal.has_silent_turn:
            continue  # no bot can tell how many turns go by
        given = "".join(f"{line}\n" for line in literal.lines)
        sys.stdin = io.StringIO(given)
        found = flattened(start := known["read_start"]())
        while sys.stdin.tell() < len(given):
            found += flattened(known["read_turn"](start))
        if found != literal.values or list(map(type, found)) != list(map(type, literal.values)):
            return f"input {seed}: read {found[:8]}..., not {literal.values[:8]}..."
        sys.stdin = io.StringIO(given)
        out = io.StringIO()
        with redirect_stdout(out), redirect_stderr(io.StringIO()):
            known["main"]()
        n_lines = len(out.getvalue().splitlines())
        if n_lines != literal.n_written:
            return f"input {seed}: {n_lines} lines of answers, not {literal.n_written}"
    return ""


def main() -> int:
    """Check the files of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--inputs", type=int, default=20)
    asked = parser.parse_args()
    sys.path.insert(0, str(PROJECT))
    n_failed = n_boards = 0
    with tempfile.TemporaryDirectory() as folder:
        for file in asked.files:
            bot = Path(folder) / (re.sub(r"\W", "_", file.stem) + ".py")
            problem = ""
            try:
                bot.write_text(write_bot(parse_stub(read_stub(file)), file.stem))
                board = write_board(parse_stub(read_stub(file)), file.stem)
                n_boards += board is not None
                bot.with_name(f"{bot.stem}_board.py").write_text(board or "")
                problem = problem_of(read_stub(file), bot, asked.inputs)
            except UsageError as error:
                problem = str(error)
            except Exception as error:  # of the bot: the report goes on with the next grammar
                problem = f"{type(error).__name__}: {error}"
            n_failed += bool(problem)
            if problem:
                print(f"{file.name}: {problem}")
        bots = sorted(map(str, Path(folder).glob("*.py")))
        black = [sys.executable, "-m", "black", "--diff", "--check", "-q", "-l", "100", *bots]
        mypy = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"]
        checks = {"black": black, "mypy": [*mypy, "--scripts-are-modules", *bots]}
        for name, words in checks.items():
            done = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True)
            if done.returncode:
                n_failed += 1
                print(f"{name}: {(done.stdout + done.stderr)[-1500:]}")
    counts = f"{len(asked.files)} grammars, {n_boards} boards, {asked.inputs} inputs each"
    print(f"{counts}, {n_failed} problems")
    return bool(n_failed)


if __name__ == "__main__":
    sys.exit(main())
