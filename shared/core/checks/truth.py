"""Recorded games, read from a file (JSON or JSON lines, plain or gzipped) and compared."""

import gzip
import json
import zlib
from pathlib import Path
from typing import Any, Callable, Iterable

from ...core.contest import VerifyReport
from ...core.protocol import ProtocolError


class TruthError(Exception):
    """A file is not a truth file of the expected contest."""


# A hundred times the size of recorded games; a small gzipped file may expand to any size.
MAX_BYTES = 500_000_000
# Errors raised by looking up parts of JSON of another shape.
MALFORMED = (AttributeError, IndexError, KeyError, TypeError, ValueError, ProtocolError)


def load_json(path: Path, what: str, lines: bool = False) -> Any:
    """Read the contents of a truth file; with `lines`, a list with an entry for each line.

    what: the kind of file, for errors, as in "truth file of Infexion". Raises TruthError.
    """
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            text = (gzip.GzipFile(fileobj=file) if packed else file).read(MAX_BYTES + 1)
        if len(text) > MAX_BYTES:
            raise ValueError(f"it holds more than {MAX_BYTES / 1e6:g} MB")
        return [json.loads(line) for line in text.splitlines()] if lines else json.loads(text)
    except OSError as error:
        raise TruthError(f"{path}: {error.strerror or error}") from error
    except (ValueError, EOFError, RecursionError, zlib.error) as error:
        raise TruthError(f"{path}: no {what} ({error!r})") from error


def check_records(records: Any, keys: set[str], path: Path, what: str, name: str) -> Any:
    """Returns a file's records, called `name`, each with all of the keys. Raises TruthError."""
    try:
        missing = {key for record in records for key in keys - record.keys()}
    except MALFORMED as error:
        raise TruthError(f"{path}: no {what} ({error!r})") from error
    if not records:
        raise TruthError(f"{path}: no {what} (it has no {name})")
    if missing:
        raise TruthError(f"{path}: no {what} (missing {sorted(missing)})")
    return records


def load_parts(path: Path, what: str, parts: set[str]) -> dict[str, Any]:
    """Read a file that has at least one of these parts. Raises TruthError."""
    contents = load_json(path, what)
    if not isinstance(contents, dict) or not any(contents.get(part) for part in parts):
        raise TruthError(f"{path}: no {what} (it has none of {sorted(parts)})")
    return contents


def compare_all(
    path: Path, what: str, subjects: Iterable[tuple[str, Callable[[], tuple[int, list[str]]]]]
) -> VerifyReport:
    """Compare all parts of a file. subjects: (name, comparison function) of each; a function
    returns the number of turns compared and the texts of differences. Raises TruthError.
    """
    games = turns = mismatches = 0
    first, name = None, "the first entry"
    try:
        for name, compare in subjects:
            compared, found = compare()
            games += 1
            turns += compared
            mismatches += len(found)
            first = first or (f"{name}: {found[0]}" if found else None)
    except MALFORMED as error:
        raise TruthError(f"{path}: no {what}: {name} is damaged: {error!r}") from error
    return VerifyReport(games, turns, mismatches, first)
