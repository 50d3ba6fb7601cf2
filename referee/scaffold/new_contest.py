"""Makes a new contest from templates: a small game that can be played at once, to be replaced rule
by rule.

`templates/` holds the files by their paths in the project, `solo_templates/` the files of a game
for one player; in paths, `CONTEST` stands for the contest's name. In the files, `$contest` stands
for its name and `$title` for its title.
"""

import keyword
import re
from contextlib import suppress
from pathlib import Path
from string import Template

from bundler.modules.workspace import newest_logs
from referee.errors import UsageError
from referee.log.file import read_log
from referee.log.records import Log, LogError
from referee.official.limits import DEFAULT_LIMITS, find_limits
from referee.play.leader import OFFICIAL
from referee.scaffold.board_writer import write_board
from referee.scaffold.bot_writer import write_bot
from referee.scaffold.simulator_writer import write_simulator
from referee.scaffold.stub_grammar import parse_stub, read_stub

TEMPLATES, SOLO_TEMPLATES = (
    Path(__file__).parent / name for name in ("templates", "solo_templates")
)
SUFFIX = ".template"
FIRST_BOT, BOARD, GRAMMAR = "first_player.py", "render.py", "stub.txt"
NETWORK_TEMPLATE = Path(__file__).parent / "features.py.template"
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", re.ASCII)


def write_contest(contest: str, project: Path, solo: bool = False) -> list[Path]:
    """Write a new contest's files into the project. Returns their paths in the project, sorted.

    solo: write a game for one player. Raises UsageError for a name that cannot be a module's, or if
    one of the files exists.
    """
    check_name(contest)
    texts = render_templates(contest, SOLO_TEMPLATES if solo else TEMPLATES)
    write_new(contest, texts, project)
    return list(texts)


def write_new(contest: str, texts: dict[Path, str], project: Path) -> None:
    """Write a contest's files. Raises UsageError if one of them exists, except for empty files such
    as `__init__.py`.
    """
    for path, text in texts.items():
        if (project / path).exists() and (text or (project / path).read_text("utf-8")):
            raise UsageError(f"contest {contest!r} exists: there is {path}")
    for path, text in texts.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text, encoding="utf-8")


def write_first_bot(contest: str, stub: Path, project: Path) -> list[Path]:
    """Write a bot from the grammar of a contest's input, and a board if the input shows
    coordinates.

    stub: the file of the grammar, or the contest's folder. Returns the paths in the project: the
    bot's first, then the board's, and last the path of the grammar, kept for a simulator. Raises
    UsageError, and OSError.
    """
    check_name(contest)
    path = Path("bots") / contest / FIRST_BOT
    if (project / path).exists():
        raise UsageError(f"{path} exists: name another contest, or remove it")
    if stub.is_dir() and not stub_of(stub).is_file():
        raise UsageError(
            f"{stub} has no config/stub.txt, which the repository of a contest has: name that, or a"
            " file with the grammar"
        )
    said = read_stub(stub_of(stub) if stub.is_dir() else stub)
    grammar = parse_stub(said)
    stated = (find_limits(stub) if stub.is_dir() else None) or DEFAULT_LIMITS
    texts = {path: write_bot(grammar, title_of(contest), stated)}
    board = Path("shared") / "games" / contest / BOARD
    drawing = write_board(grammar, title_of(contest))
    # One that exists is of a simulator, or was changed by hand.
    if drawing and not (project / board).exists():
        texts[board] = drawing
    texts[path.with_name(GRAMMAR)] = said
    for file, text in texts.items():
        (project / file).parent.mkdir(parents=True, exist_ok=True)
        (project / file.with_name("__init__.py")).touch()
        (project / file).write_text(text, encoding="utf-8")
    return list(texts)


def write_skeleton(contest: str, project: Path) -> list[Path]:
    """Write a simulator beside the first bot of a contest, from its grammar and the newest log of
    the official referee. Returns the paths in the project. Raises UsageError, and OSError.
    """
    check_name(contest)
    folder = project / "bots" / contest
    if not (folder / GRAMMAR).is_file():
        raise UsageError(
            f"there is no bots/{contest}/{GRAMMAR}: begin with onefile new {contest} --stub DIR,"
            " the contest's repository, or a file with its grammar"
        )
    log = official_log(folder, project)
    if log is None:
        raise UsageError(
            "a log of the official referee is missing: play a game, then come back: onefile match"
            f" {contest} --official DIR bots/{contest}/{FIRST_BOT} --log first.jsonl"
        )
    grammar = parse_stub(read_stub(folder / GRAMMAR))
    has_board = (project / "shared" / "games" / contest / BOARD).is_file()
    texts = write_simulator(contest, title_of(contest), grammar, log, has_board)
    write_new(contest, texts, project)
    return list(texts)


def official_log(folder: Path, project: Path) -> Log | None:
    """Returns the newest log of a game that an official referee led, played by bots in a folder;
    None without one. Damaged logs are skipped.
    """
    for path in newest_logs(folder, project.resolve()):
        with suppress(LogError):
            log = read_log(path)
            if (log.header.conditions.referee or "").startswith(OFFICIAL) and log.turns:
                return log
    return None


def write_features(contest: str, project: Path) -> Path:
    """Write a first guess of a network's features beside a contest's bots. Returns the path in the
    project. Raises UsageError if the file exists.
    """
    path = Path("bots") / contest / "features.py"
    if (project / path).exists():
        raise UsageError(f"{path} exists: change it, or remove it")
    (project / path).parent.mkdir(parents=True, exist_ok=True)
    (project / path.with_name("__init__.py")).touch()
    names = {"contest": contest, "title": title_of(contest)}
    text = Template(NETWORK_TEMPLATE.read_text(encoding="utf-8")).substitute(names)
    (project / path).write_text(text, encoding="utf-8")
    return path


def stub_of(folder: Path) -> Path:
    """Returns the path of the grammar in a contest's folder: the file of the highest league with a
    file of its own, else the common file.
    """
    config = folder / "config"
    stubs = [path for path in config.glob("level*/stub.txt") if path.parent.name[5:].isdecimal()]
    return max(stubs, key=lambda path: int(path.parent.name[5:]), default=config / "stub.txt")


def check_name(contest: str) -> None:
    """Raise UsageError unless a contest's module can have this name."""
    if not NAME.fullmatch(contest) or keyword.iskeyword(contest):
        raise UsageError(
            f"{contest!r} cannot name a contest: "
            "lower-case letters and digits are expected, words joined by _, as in my_contest"
        )


def title_of(contest: str) -> str:
    """Returns a contest's title as shown to people, made from its name."""
    return contest.replace("_", " ").capitalize()


def render_templates(contest: str, templates: Path = TEMPLATES) -> dict[Path, str]:
    """Returns the files of a contest: their texts by their paths in the project."""
    names = {"contest": contest, "title": title_of(contest)}
    texts = {}
    for template in sorted(templates.rglob(f"*{SUFFIX}")):
        path = str(template.relative_to(templates)).removesuffix(SUFFIX)
        text = template.read_text(encoding="utf-8")
        texts[Path(path.replace("CONTEST", contest))] = Template(text).substitute(names)
    return texts
