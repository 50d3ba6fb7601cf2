"""`make_bundle`: makes one file to paste from Python, as `onefile bundle` does."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Iterable, Mapping

from onefile_bots._command import WARNING, run_command


@dataclass(frozen=True)
class Bundle:
    """A bot in one text.

    text: the source of the bundle. path: the file that was written, None if none was. notes: the
    lines that the command printed, on the bundle's length and its check. warnings: texts, for
    instance about imports that the site may lack.
    """

    text: str
    path: Path | None
    notes: tuple[str, ...]
    warnings: tuple[str, ...]


def make_bundle(
    bot: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    mode: str | None = None,
    check: bool = True,
    strip: bool = False,
    pack: bool = False,
    limit: int | None = None,
    cpu: str | None = None,
    site: str | None = None,
    allow: Iterable[str] = (),
    values: Mapping[str, float] | None = None,
) -> Bundle:
    """Make one file to paste of a bot and all that it imports, as `onefile bundle` does.

    bot: the bot's source. out: the file to write or replace; None to return only the text. mode:
    "native", "numba" or "python"; None for native, or python for a bot without kernels. check:
    first compare the bundle with its source. strip: leave out comments and docstrings. pack:
    compress modules. limit: the site's limit on the bundle's length, in characters. cpu:
    "x86-64-v2", "x86-64-v3" or "both". site: "codingame", "strict" or "own". allow: modules that
    the site has besides its packages. values: the values of tunable numbers, by name.

    Raises OnefileError for a bot that cannot be bundled, a bundle that is too long, and a bundle
    whose answers differ from its source's.
    """
    with TemporaryDirectory() as folder:
        file = Path(folder, Path(bot).name) if out is None else Path(out)
        words: list[object] = ["bundle", os.fspath(bot), f"--out={file}"]
        for name, value in {"mode": mode, "limit": limit, "cpu": cpu, "site": site}.items():
            words += [] if value is None else [f"--{name}={value}"]
        flags = {"--no-check": not check, "--strip": strip, "--pack": pack}
        words += [name for name, is_given in flags.items() if is_given]
        words += [f"--allow={module}" for module in allow]
        words += [f"--set={name}={value}" for name, value in (values or {}).items()]
        said = run_command(words)
        text = file.read_text(encoding="utf-8")
    notes = (note.removeprefix(f"{file}: ") for note in said.notes)
    kept = tuple(note for note in notes if not note.startswith(WARNING))
    return Bundle(text, None if out is None else file, kept, said.warnings)
