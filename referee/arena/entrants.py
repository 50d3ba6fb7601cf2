"""The bots of an arena, identified by their content: an edited bot is another bot."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.log.records import Bot
from referee.sources.fingerprint import named_paths

KEY_LENGTH = 16


@dataclass(frozen=True)
class Entrant:
    """A bot of an arena.

    key: a hash of the files that run and their arguments, independent of the place of the files.
    name: the name of the bot's file. given: the bot's text on the command line, or its path. The
    name and the text end in the bot's own conditions, if any; the key and the name end in the
    number of a copy.
    """

    key: str
    name: str
    given: str


def make_entrants(
    bots: list[Bot], terms: list[str] | None = None, digests: list[str] | None = None
) -> list[Entrant]:
    """Returns the entrants for bots; copies of a bot are numbered.

    terms: for each bot, the conditions that differ between bots, "" if there are none. digests: for
    each bot, a hash of its files, where `Bot.sha256` does not cover all of them.
    """
    seen: Counter[str] = Counter()
    entrants = []
    hashes = digests or [bot.sha256 for bot in bots]
    for bot, term, digest in zip(bots, terms or [""] * len(bots), hashes):
        key = entrant_key(bot, digest, term)
        seen[key] += 1
        copy = f"#{seen[key]}" if seen[key] > 1 else ""
        suffix = f" ({term})" if term else ""
        entrants.append(Entrant(key + copy, bot.name + suffix + copy, bot.bot + suffix))
    return entrants


def entrant_key(bot: Bot, digest: str, terms: str = "") -> str:
    """Returns a hash of a bot's files, other arguments, parameters and terms, in hexadecimal."""
    arguments = [word for word in bot.command if not named_paths(word)]
    texts = [text for text in (terms, bot.parameters) if text]
    text = "\0".join([digest, *arguments, *texts])
    return hashlib.sha256(text.encode()).hexdigest()[:KEY_LENGTH]


def labels(entrants: list[Entrant]) -> list[str]:
    """Returns a unique text for each entrant: the first of five that no other entrant shares.

    The five texts are its name, its given text without folders, its given text, its name with the
    beginning of its key, and its key.
    """
    texts = [
        [entrant.name for entrant in entrants],
        [" ".join(Path(word).name for word in entrant.given.split()) for entrant in entrants],
        [entrant.given for entrant in entrants],
        [f"{entrant.name} {entrant.key[:6]}" for entrant in entrants],
        [entrant.key for entrant in entrants],
    ]
    counts = [Counter(column) for column in texts]
    return [
        next(text for text, count in zip(row, counts) if count[text] == 1) for row in zip(*texts)
    ]


def find_entrant(entrants: Sequence[Entrant], name: str | None) -> int | None:
    """Returns the index of the first bot with a label, name, given text or key, or None."""
    for bot, (label, entrant) in enumerate(zip(labels(list(entrants)), entrants)):
        if name in (label, entrant.name, entrant.given, entrant.key):
            return bot
    return None
