"""The commands that a page shows, as scripts of bash that run them in a fresh folder.

A page's blocks of code in the language `sh` are commands, and those with a title are files.
Comments of Markdown say how they run; a comment about a block stands before it:

    <!-- run: in home -->            what follows runs in an empty home folder; in workspace: in
                                     one that `onefile init` has made; in checkout: in a copy of the
                                     project; in official: at home, beside a contest's referee
    <!-- slow: REASON -->            the page's commands are slow
    <!-- exhaustive: REASON -->      those of other pages show nearly the same
    <!-- not run: REASON -->         the next block is shown only
    <!-- given: COMMAND -->          a line of bash that the reader does not see; or after a text:
    <!-- given: TEXT                 such lines
    ... -->
"""

import re
import shlex
import textwrap
from dataclasses import dataclass, field

from docs.tools.site import GENERATED, PROJECT, generate

PIECE = re.compile(
    r"^[ ]*<!-- (?P<kind>run|slow|exhaustive|not run|given):(?P<words>.*?)-->$"
    r"|^(?P<indent>[ ]*)```(?P<language>\w+)(?P<settings>[^\n]*)\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
TITLE = re.compile(r'title="([^"]+)"')


@dataclass
class Section:
    """Commands of a page that run one after the other in one folder.

    place: the folder: home, workspace, checkout or official.
    """

    place: str
    script: list[str] = field(default_factory=list)


@dataclass
class Page:
    """The commands of a page. slow, exhaustive: the reason, or ""."""

    path: str
    sections: list[Section] = field(default_factory=list)
    slow: str = ""
    exhaustive: str = ""


def read_page(path):
    """Returns the Page of a file of the project."""
    raw = (PROJECT / path).read_text(encoding="utf-8")
    # Sources take part as files; other generated text has no commands.
    text = GENERATED.sub(lambda m: generate(m[0]) if m[1] == "source" else m[0], raw)
    page, skip = Page(path), False
    for piece in PIECE.finditer(text):
        line = text.count("\n", 0, piece.start()) + 1
        words = (piece["words"] or "").strip()
        if piece["kind"] == "run":
            page.sections.append(Section(words.removeprefix("in ")))
        elif piece["kind"] == "slow":
            page.slow = words
        elif piece["kind"] == "exhaustive":
            page.exhaustive = words
        elif piece["kind"] == "not run":
            skip = True
        elif piece["kind"] == "given":
            page.sections[-1].script.append(words.partition("\n")[2] or words)
        else:
            title = TITLE.search(piece["settings"])
            if piece["language"] == "sh" or title:
                block = textwrap.dedent(piece["text"])
                if not skip:
                    assert page.sections, f"{path}:{line}: no <!-- run: in ... --> before it"
                    page.sections[-1].script.append(
                        write_file(title[1], block) if title else said(path, line) + block
                    )
            skip = False
    return page


def said(path, line):
    """A command that tells in the output where the next one stands."""
    return f"echo {shlex.quote(f'== {path}:{line}')} >&2\n"


def write_file(path, text):
    """A command that writes a file."""
    folder = shlex.quote(path.rpartition("/")[0] or ".")
    return f"mkdir -p {folder}; printf %s {shlex.quote(text)} >{shlex.quote(path)}\n"
