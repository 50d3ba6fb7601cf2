"""Bots of other languages, which are compiled before they run."""

import os
import shutil
import subprocess
import sys

import pytest

from referee.errors import UsageError
from referee.league.folder import find_bots
from referee.project import PROJECT
from referee.sources import programs
from referee.sources.bots import find_bot
from tests.support.waiting import wait_for

# Copies a source with its header, and lists both; counts its calls in a file of another folder.
COMPILER = """#!/bin/sh
echo x >> "$CALLS"
grep -q wrong "$1" && { printf '%s:1: error: wrong \\351\\n' "$1" >&2; exit 1; }
grep -q endless "$1" && sleep 1000
grep -q silent "$1" && exit
grep -q hasty "$1" && echo >> "$1"
cat "$1" lib/head > "$2"; chmod +x "$2"
printf '%s: %s \\\\\\n lib/head\\n' "$2" "$1" > "$3"
"""
SOURCES = {
    "c": '#include <stdio.h>\nint main(void) { puts("hello"); }',
    "cpp": "#include <iostream>\nint main() { std::cout << HELLO; }",
    "rs": 'fn main() { println!("hello"); }',
    "java": "package toys;\nclass Other { public static void main(String[] a) {} }\nclass bot {\n"
    ' public static void main(String[] a) { System.out.println("hello"); }\n}',
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A workspace with a compiler of its own, and one source."""
    monkeypatch.setattr(programs, "PROGRAMS", tmp_path / "programs")
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    (tmp_path / "cc").write_text(COMPILER)
    (tmp_path / "cc").chmod(0o755)
    work = tmp_path / "work"
    (work / "lib").mkdir(parents=True)
    (work / "lib/head").write_text("echo head\n")
    line = f"{tmp_path / 'cc'} {{source}} {{program}}"
    (work / "onefile.toml").write_text(
        f'[compilers]\ntoy = "{line} {{depends}}"\nall = "{line} /dev/null"\nnone = "no-compiler"'
    )
    (work / "bot.toy").write_text("#!/bin/sh\necho main(\n")
    monkeypatch.chdir(work)
    return work


@pytest.mark.parametrize("suffix", ["toy", "all"])
def test_a_program_is_compiled_once_for_equal_files(folder, suffix):
    """A header counts: one that the compiler lists, or one that lies in the source's folder."""
    if suffix == "all":
        (folder / "bot.toy").rename(folder / "bot.all")
    told = []
    before = find_bot(f"bot.{suffix} 3", told.append)
    assert find_bot(f"bot.{suffix} 3", told.append) == before and told == [f"bot.{suffix}"]
    assert (before.name, before.bot, before.command[1:]) == ("bot", f"bot.{suffix} 3", ["3"])
    (folder / "lib/head").write_text("echo other\n")
    after = find_bot(f"bot.{suffix}", told.append)
    assert len(told) == 2 and after.sha256 != before.sha256
    assert os.access(before.command[0], os.X_OK), "a match under way keeps its program"
    (folder / "lib/head").write_text("echo head\n")
    assert find_bot(f"bot.{suffix} 3").sha256 == before.sha256
    assert (folder.parent / "calls").read_text() == "x\nx\n"


def test_a_failed_compilation_is_shown(folder):
    """Its first error stands in the line, all of it above; nothing of it is kept."""
    (folder / "bot.toy").write_text("wrong")
    with pytest.raises(
        UsageError, match=r"cannot compile \S+bot\.toy: \S+:1: error: wrong"
    ) as told:
        find_bot("bot.toy")
    assert "bot.toy:1: error: wrong" in told.value.details
    assert list((folder.parent / "programs").iterdir()) == []
    with pytest.raises(UsageError, match="did you mean bot"):
        find_bot("bt.toy")
    with pytest.raises(UsageError, match="error: wrong"):
        find_bot("bot.toy", lambda bot: pytest.fail("it is compiled again at once"))
    (folder / "bot.none").touch()
    with pytest.raises(UsageError, match="needs the compiler no-compiler"):
        find_bot("bot.none")
    (folder / "bot.toy").write_text("silent")
    with pytest.raises(UsageError, match=r"cc wrote no \{program\} of \S+bot\.toy"):
        find_bot("bot.toy")
    (folder / "bot.toy").write_text("hasty")
    with pytest.raises(UsageError, match=r"bot\.toy changed while it was compiled"):
        find_bot("bot.toy")
    for table, said in {
        "[compilers]\ntoy = 3": r"\[compilers\] toy = 3: expected",
        "[compilers]\n'.toy' = 3": r"\[compilers\] \.toy = 3: expected",
        "compilers = 3": "compilers = 3: expected a table",
    }.items():
        (folder / "onefile.toml").write_text(table)
        with pytest.raises(UsageError, match=said):
            find_bot("bot.toy")


def test_a_killed_referee_leaves_no_compiler(folder, processes_naming):
    (folder / "bot.toy").write_text("endless")
    words = [sys.executable, "-m", "referee", "match", "infexion", "bot.toy"]
    given = {"PYTHONPATH": str(PROJECT), "ONEFILE_CACHE": str(folder.parent / "cache")}
    running = subprocess.Popen(words, env=os.environ | given, stderr=subprocess.DEVNULL)
    wait_for((folder.parent / "calls").exists)
    running.kill()
    running.wait()
    wait_for(lambda: not processes_naming(folder.parent / "cc"))


def test_sources_of_a_folder_join_a_league(folder):
    """Neither a module without a main, nor the source of a program that lies beside it."""
    (folder / "module.toy").touch()
    (folder / "done.toy").write_text("main()")
    (folder / "done").write_text("#!/bin/sh")
    (folder / "done").chmod(0o755)
    assert [bot.name for bot in find_bots(folder)] == ["bot", "done"]


@pytest.mark.slow("compiles in four languages")
@pytest.mark.parametrize("suffix", SOURCES)
def test_a_language_by_its_usual_compiler(folder, suffix):
    (folder / "onefile.toml").write_text("")
    compiler, *_ = programs.COMPILERS[suffix].compile.split()
    if not shutil.which(compiler):
        pytest.skip(f"the compiler {compiler} is not installed")
    text = SOURCES[suffix].replace("HELLO", '"hello\\n"')
    place = folder / "C#, $x it's {program}"  # compilers write some of these in their own way
    place.mkdir()
    (place / f"bot.{suffix}").write_text(text)
    bot = find_bot(str(place / f"bot.{suffix}"))
    assert subprocess.run(bot.command, capture_output=True, text=True).stdout == "hello\n"
