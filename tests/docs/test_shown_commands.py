"""Every command that the README and the pages of docs/ show runs as it stands."""

import re
import shutil

import pytest

from docs.tools.commands import application
from docs.tools.site import PROJECT
from tests.docs.pages import read_page

COMMANDS = application().commands
PAGES = [
    read_page(path.relative_to(PROJECT).as_posix())
    for path in [PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md"))]
]
# The referee blames the machine: then the commands run again, from the beginning.
MACHINE = re.compile("kept waiting for a CPU|spoiled|no result[:,] the machine")
TRIES = 3
INLINE = re.compile(r"(?<!`)`(onefile|make) ([^`\n]+)`(?!`)")


def cases_of(page):
    marks = [pytest.mark.slow(page.slow)] if page.slow else []
    marks += [pytest.mark.exhaustive(page.exhaustive)] if page.exhaustive else []
    for n, section in enumerate(page.sections, 1):
        if section.script:
            yield pytest.param(section, id=f"{page.path}-{n}", marks=marks)


@pytest.mark.parametrize("section", [case for page in PAGES for case in cases_of(page)])
def test_the_commands_of_a_section_run(section, reader):
    script = "\n".join(section.script)
    if ".cpp" in script and shutil.which("g++") is None:
        pytest.skip("the compiler g++ is not installed")
    for _ in range(TRIES):
        done = reader(section.place, script)
        if done.returncode == 0 or not MACHINE.search(done.stdout + done.stderr):
            break
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path)
def test_a_command_within_a_sentence_exists(page):
    text = (PROJECT / page.path).read_text()
    targets = re.findall(r"^([a-z-]+):", (PROJECT / "Makefile").read_text(), re.MULTILINE)
    for program, words in INLINE.findall(text):
        name, *rest = words.split()
        if program == "make":
            assert name in targets or name.isupper(), f"{page.path}: make {words}"
        elif name in COMMANDS:
            options = {option for one in COMMANDS[name].params for option in one.opts}
            given = {word for word in rest if re.fullmatch(r"--?[a-z][a-z0-9-]*", word)}
            assert given <= options | {"--help"}, f"{page.path}: onefile {words}"
        else:
            known = name in ("COMMAND", "--help", "--version", "--install-completion")
            assert known, f"{page.path}: onefile {words}"
