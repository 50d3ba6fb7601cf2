"""Lines of a bundle are mapped to lines of the sources."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bundler.bundle import make_bundle
from bundler.source_map import SourceMap, read_mark
from tests.bundler.differential import read_programs, write_project

BOT = "my bots/x%20y/bot.py"


def bundle_of(folder, **options):
    # In this project, a number at the end of a line or after a word is the line's own number in its
    # file.
    projects = read_programs(Path(__file__).with_name("projects.txt"))
    write_project(next(p.files for p in projects if p.name == "numbered"), folder)
    (folder / "my_bots").rename(folder / "my bots")
    entry = folder / BOT
    for path in (entry, folder / "shared/late.py"):
        path.write_bytes(path.read_text(encoding="utf-8").encode("latin-1"))
    return make_bundle(entry, root=folder, mode="python", **options)


def places(text):
    """Returns {"bot 24": the result of `where` for that line of the bundle}."""
    source_map = SourceMap(text)
    numbered = re.compile(r'(\w+) (?:é )?(\d+)"|(?:  #|:) (\d+)(?:"""|$)')
    found = {}
    for number, line in enumerate(text.split("\n"), 1):
        match = numbered.search(line)
        if match and not read_mark(line):
            found[line.strip()] = source_map.shown(number), int(match[2] or match[3])
    return found


@pytest.mark.parametrize("carry", [False, True], ids=["flattened", "carried"])
@pytest.mark.parametrize("trace", [False, True], ids=["plain", "traced"])
def test_lines_lead_back_to_their_sources(tmp_path, trace, carry):
    """Past pruned code, in the head and in carried modules; a comment or text similar to a mark is
    not mistaken for one.
    """
    bundle = bundle_of(tmp_path, trace=trace, carry=carry)
    assert bool(bundle.carried) == carry
    found = places(bundle.text)
    assert len(found) >= 12, bundle.text
    for line, (shown, number) in found.items():
        assert shown.endswith(f".py:{number}"), (line, shown)
    assert found['print(LIMIT, TEXT, "bot 24")'][0] == f"{BOT}:24"
    source_map = SourceMap(bundle.text)
    own = [*["def carry(", "del carry", "''')"] * carry, *["def trace_stdio"] * trace]
    for line in own:
        number = next(n for n, text in enumerate(source_map.lines, 1) if text.startswith(line))
        assert source_map.locate(number) is None, line


@pytest.mark.parametrize("carry", [False, True], ids=["flattened", "carried"])
def test_lines_of_a_stripped_bundle(tmp_path, carry):
    """Lines of flattened modules are lower bounds, shown as "or below"; those of carried modules
    are exact.
    """
    found = places(bundle_of(tmp_path, strip=True, carry=carry).text)
    assert found['NUMBER = "late é 4"'][0] == f"shared/late.py:{'4' if carry else '4 or below'}"
    assert found['print(LIMIT, TEXT, "bot 24")'][0] == f"{BOT}:17 or below"
    for shown, number in found.values():
        least, _, below = shown.rpartition(":")[2].partition(" ")
        assert int(least) <= number if below else int(least) == number, (shown, number)


@pytest.mark.parametrize("carry", [False, True], ids=["flattened", "carried"])
def test_a_traceback_reads_in_the_sources(tmp_path, carry):
    """For Python's and the site's format; places in carried modules and elsewhere stay as they
    are.
    """
    bundle = tmp_path / "early.py"
    bundle.write_text(bundle_of(tmp_path, carry=carry).text, encoding="utf-8")
    done = subprocess.run([sys.executable, bundle], capture_output=True, text=True)
    source_map = SourceMap(bundle.read_text(encoding="utf-8"))
    translated = source_map.translate(done.stderr, "early.py")
    assert re.findall('File "(.*)", line (.*), in', translated) == [(BOT, "26"), (BOT, "21")]
    (number,) = [n for n, line in enumerate(source_map.lines, 1) if "# 21" in line]
    said = f"ZeroDivisionError: 1\n at Answer.py. in play on line {number}"
    if carry:
        other = '  File "/numpy/x.py", line 3, in x\n  File "shared/early.py", line 5, in y\n'
        assert source_map.translate(other, "early.py") == other
        said += "\n at shared/early.py line 5"
    assert source_map.translate(said, "early.py") == said.replace(f"line {number}", f"{BOT}:21")


def test_lines_are_counted_rightly_below_an_import_in_the_middle(tmp_path):
    """The import became an assignment of another length."""
    main = (
        "from lib import A as B\n\n\nLIMIT = 4\n\n"
        "from lib import A as C\n\n\ndef f(): return B, C\n"
    )
    entry = write_project(f"--- main.py\n{main}\n\nprint(f(), LIMIT)\n--- lib.py: A = 1", tmp_path)
    text = make_bundle(entry, root=tmp_path).text
    number = text.split("\n").index("def f(): return B, C") + 1
    assert SourceMap(text).locate(number) == ("main.py", 9)
