"""A new contest from templates: a small game that can be played at once, to be
replaced rule by rule.

`templates/` holds the files by their paths in the project, with `CONTEST` where the contest's name
goes; in them, `$contest` stands for its name and `$title` for its name for people.
"""

import keyword
import re
from pathlib import Path
from string import Template

from referee.errors import UsageError

TEMPLATES = Path(__file__).parent / "templates"
SUFFIX = ".template"
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", re.ASCII)


def write_contest(contest: str, project: Path) -> list[Path]:
    """Write a new contest's files into the project; their paths in it, sorted.

    Raises UsageError for a name that cannot be a module's, or where one of the files is there.
    """
    if not NAME.fullmatch(contest) or keyword.iskeyword(contest):
        raise UsageError(
            f"{contest!r} cannot name a contest: "
            "lower-case letters and digits are expected, words joined by _, as in my_contest"
        )
    texts = render_templates(contest)
    for path in texts:
        if (project / path).exists():
            raise UsageError(f"contest {contest!r} exists: there is {path}")
    for path, text in texts.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text, encoding="utf-8")
    return list(texts)


def render_templates(contest: str) -> dict[Path, str]:
    """The files of a contest of this name: texts by their paths in the project."""
    names = {"contest": contest, "title": contest.replace("_", " ").capitalize()}
    texts = {}
    for template in sorted(TEMPLATES.rglob(f"*{SUFFIX}")):
        path = str(template.relative_to(TEMPLATES)).removesuffix(SUFFIX)
        text = template.read_text(encoding="utf-8")
        texts[Path(path.replace("CONTEST", contest))] = Template(text).substitute(names)
    return texts
