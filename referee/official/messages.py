"""The protocol of an official referee, as bytes: in both directions, messages of a header and n
lines.

    [[COMMAND] n]
    n lines

Java counts the lines after trimming the whole text; they may end in CR, LF, or both. The engine
reads messages by a `Scanner`, for which other characters end a line as well: a player's line must
not contain one.
"""

import os
import re
import select
import time
from typing import NamedTuple

from referee.errors import UsageError, excerpt
from referee.process.bot_process import BotProcess, read_pipe

# The time for a referee's message, its start included.
MESSAGE_S = 120.0
HEADER = re.compile(rb"\[\[([A-Z_]{1,40})\] ?(\d{1,9})\]\r?\n")
LINE_END = re.compile(rb"\r\n|\r|\n")
# Line ends for a Scanner, besides LF.
OTHER_LINE_ENDS = re.compile("[\r\x85\u2028\u2029]")
# A hundred times the engine's limit on a game's data for its viewer.
MAX_HELD_BYTES = 500_000_000


class OfficialRefereeError(UsageError):
    """The official referee failed, or violated its protocol; the text gives advice."""


class RefereeDied(OfficialRefereeError):
    """The official referee's process was killed: the game has no result and may be repeated."""


class Message(NamedTuple):
    """A command and its lines."""

    command: str
    lines: list[str]


class Connection:
    """Exchanges messages with a referee's process."""

    def __init__(self, process: BotProcess) -> None:
        self.process = process
        self.held = bytearray()
        self.poller = select.poll()
        self.poller.register(process.stdout, select.POLLIN)
        self.poller.register(process.stderr, select.POLLIN)

    def send(self, command: str, lines: list[str]) -> None:
        """Send a message. Raises OfficialRefereeError."""
        one_line = [OTHER_LINE_ENDS.sub(" ", line) for line in lines]
        text = "\n".join([f"[[{command}] {len(lines)}]", *one_line, ""])
        left = text.encode(errors="backslashreplace")
        while left:
            try:
                left = left[os.write(self.process.stdin, left) :]
            except BlockingIOError:
                poller = select.poll()
                poller.register(self.process.stdin, select.POLLOUT)
                if not poller.poll(MESSAGE_S * 1000):
                    raise OfficialRefereeError("the official referee reads nothing") from None
            except BrokenPipeError:
                return  # the engine has ended: its last output and exit status are received next

    def receive(self) -> Message:
        """Returns the next message. Raises OfficialRefereeError."""
        end = time.monotonic() + MESSAGE_S
        while True:
            if message := self._message():
                return message
            if len(self.held) > MAX_HELD_BYTES:
                raise OfficialRefereeError("the official referee writes without end")
            ready = self.poller.poll(max(0.0, end - time.monotonic()) * 1000)
            if not ready:
                raise OfficialRefereeError(
                    f"the official referee has written nothing for {MESSAGE_S:g}"
                    f" s{self._last_said()}"
                )
            for descriptor, _ in ready:
                self._read(descriptor)

    def _read(self, descriptor: int) -> None:
        if descriptor == self.process.stderr:
            self.process.drain_stderr()
            # If a referee continues, its last output is no more useful than its first.
            if self.process.errors.is_full():
                self.process.errors.take()
            if not self.process.stderr_open:
                self.poller.unregister(descriptor)
            return
        chunk = read_pipe(descriptor)
        if chunk == b"":
            raise self._ended()
        self.held += chunk or b""

    def _message(self) -> Message | None:
        """Remove and return the first message received, None if it is incomplete. Raises
        OfficialRefereeError.
        """
        line_end = self.held.find(b"\n") + 1
        if not line_end:
            return None
        match = HEADER.match(self.held)
        if not match:
            text = bytes(self.held[: line_end - 1]).decode(errors="backslashreplace")
            raise OfficialRefereeError(
                f"no message of an official referee: {excerpt(text)}: is it made with CodinGame's"
                " engine?"
            )
        command, n_lines = match[1].decode(), int(match[2])
        if b"\r" in self.held:
            return self._message_with_returns(command, match.end(), n_lines)
        if self.held.count(b"\n", match.end()) < n_lines:
            return None
        *lines, rest = self.held[match.end() :].split(b"\n", n_lines)
        self.held = rest
        return Message(command, [line.decode(errors="backslashreplace") for line in lines])

    def _message_with_returns(self, command: str, start: int, n_lines: int) -> Message | None:
        """Remove and return a message whose lines may end in carriage returns, None if it is
        incomplete.
        """
        lines = []
        for _ in range(n_lines):
            end = LINE_END.search(self.held, start)
            # The LF after a final CR may still arrive.
            if end is None or (end[0] == b"\r" and end.end() == len(self.held)):
                return None
            lines.append(self.held[start : end.start()].decode(errors="backslashreplace"))
            start = end.end()
        del self.held[:start]
        return Message(command, lines)

    def _ended(self) -> OfficialRefereeError:
        """Returns the error that explains the end of the referee."""
        poller = select.poll()
        poller.register(self.process.status, select.POLLIN)
        if not poller.poll(MESSAGE_S * 1000):
            return OfficialRefereeError("the official referee has closed its output")
        self.process.drain_stderr()
        how = self.process.how_it_ended()
        if "killed" in how:
            return RefereeDied(f"the official referee {how}: play the game again")
        return OfficialRefereeError(f"the official referee {how}{self._last_said()}")

    def _last_said(self) -> str:
        return explain_trace(self.process.errors.held.decode(errors="backslashreplace"))


def explain_trace(trace: str) -> str:
    """Returns the original cause in a Java stack trace, its place and a hint, to append to an
    error.

    Without a cause, returns the last line, or "".
    """
    lines = [line.strip() for line in trace.splitlines() if line.strip()]
    causes = [
        line
        for line in lines
        if re.match(r"(Exception in thread|Caused by:|[\w.$]+(Exception|Error)\b)", line)
    ]
    if not causes:
        return f": {excerpt(lines[-1])}" if lines else ""
    # The last cause in the trace is the original one.
    cause = re.sub(r"^Caused by: |^Exception in thread \"[^\"]*\" ", "", causes[-1])
    place = next((line for line in lines if line.startswith("at com.codingame.game.")), "")
    where = f" ({place})" if place else ""
    return f": {excerpt(cause)[1:-1]}{where}: {way_out(trace)}"


WAYS_OUT = {
    # The message of ASM, by which the engine's libraries read classes.
    r"Unsupported class file (?:major )?version (\d+)": (
        "its engine is too old for the classes of Java {java}: install an older Java, as in apt"
        " install openjdk-17-jre-headless, or set JAVA_HOME to one"
    ),
    r"class file version (\d+)\.\d+\), this version": (
        "it was built for Java {java}, newer than the one that runs: apt install"
        " openjdk-{java}-jre-headless, or set JAVA_HOME to one"
    ),
    r"UnsupportedClassVersionError|has been compiled by a more recent version": (
        "it was built for a newer Java than the one that runs: install that"
    ),
    r"ClassNotFoundException: com\.codingame\.game(?:\.|engine)|main class com\.codingame": (
        "the classpath lacks the contest's classes or the engine: give the contest's folder after"
        " onefile build"
    ),
    r"NoClassDefFound|ClassNotFound|NoSuch(?:Method|Field)Error|AbstractMethodError": (
        "the build lacks a library, or its engine is not of the version that the contest expects:"
        " build it anew with onefile build"
    ),
    r"OutOfMemoryError": (
        "it needs more memory than this machine has left: play fewer games at once"
    ),
    r"Unknown game mode|in a solo player game|in a multiplayer game": (
        "it is the other kind of game: give --option mode=solo, or mode=multi"
    ),
}


# Java's, the engine's and its libraries' own code.
NOT_CONTEST = r"(java|javax|jdk|sun|com\.google|com\.codingame\.gameengine|org\.apache)\."
CLASS_OF_JAVA_0 = 44


def way_out(trace: str) -> str:
    """Returns a hint against the failure that a Java stack trace reports."""
    for pattern, way in WAYS_OUT.items():
        if match := re.search(pattern, trace):
            return way.format(java=int(match[1]) - CLASS_OF_JAVA_0) if match.groups() else way
    if re.search(rf"^\s*at (?!{NOT_CONTEST})", trace, re.MULTILINE):
        return "the contest's own code failed: try another --league, --seed or number of players"
    return "the engine failed by itself: build the contest anew with onefile build"
