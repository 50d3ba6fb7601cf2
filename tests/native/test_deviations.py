"""No kernel of deviations.txt gives another answer than plain Python: it is refused, or equal."""

import linecache
import re
import textwrap
from pathlib import Path

import pytest

from bundler.bundle import make_bundle
from bundler.errors import BundleError
from bundler.native.compile import compile_kernels
from bundler.native.recording import KernelError
from bundler.native.subprocesses import check_kernels
from tests.conftest import PROJECT
from tests.native.conftest import native_bundle, run

TABLE = Path(__file__).with_name("deviations.txt").read_text(encoding="utf-8")
ABOVE, *PARTS = TABLE.rstrip("\n").split("\n=== ")
HEAD, FOOT = re.split(r"--- .* them\n", ABOVE)[1:]
# (name, "equal" or what the refusal says, calls, source)
ROWS = [
    (*title.split(" -> "), calls.removeprefix("calls: "), source)
    for title, calls, source in (part.split("\n", 2) for part in PARTS)
]
EQUAL = [row for row in ROWS if row[1] == "equal"]
REFUSED = [row for row in ROWS if row[1] != "equal"]


def program(rows):
    """The text of a program with the kernels of some rows, each row's in a function of its own."""
    parts = [HEAD]
    for i, (name, _, calls, source) in enumerate(rows):
        body = textwrap.indent(source, "    ")
        call = f"    CALLS.append(lambda: ({calls},))"
        parts.append(f"\n\n# {name}\ndef row_{i}():\n{body}\n\n{call}\n\n\nrow_{i}()\n")
    return "".join([*parts, FOOT])


@pytest.fixture(scope="module")
def equal(tmp_path_factory):
    """(the program of the equal rows, its answers as plain Python by row)."""
    folder = tmp_path_factory.mktemp("equal")
    (folder / "shared").symlink_to(PROJECT / "shared")
    path = folder / "equal.py"
    path.write_text(program(EQUAL))
    return path, answers(run(path, "0")[0])


def answers(output):
    lines = output.splitlines()
    assert len(lines) == len(EQUAL)
    return {row[0]: line.partition(" ")[2] for row, line in zip(EQUAL, lines)}


@pytest.mark.slow("compiles all of them; the zoo has one of each kind")
@pytest.mark.parametrize(
    "mode",
    [
        "python",
        "native",
        pytest.param("numba", marks=pytest.mark.exhaustive("compiles them again by numba itself")),
    ],
)
def test_equal_kernels_answer_as_plain_python_in_all_modes(equal, tmp_path, mode):
    path, plain = equal
    bundle = tmp_path / "bundle.py"
    if mode == "native":
        text = native_bundle(path, path.parent, cache=tmp_path)
    else:
        text = make_bundle(path, root=path.parent, mode=mode).text
    bundle.write_text(text, encoding="utf-8")
    output, said = run(bundle)
    assert mode != "native" or said == "kernels run as machine code for x86-64-v2\n"
    assert answers(output) == plain


LISTS = """

@kernel("int64(int64)")
def f(n):
    return len([i for i in range(n)])
"""


@pytest.mark.slow("infers the types of two kernels in processes of their own")
def test_numba_mode_refuses_what_would_differ_and_nothing_else(tmp_path):
    (tmp_path / "shared").symlink_to(PROJECT / "shared")
    path, options = tmp_path / "bot.py", {"root": tmp_path, "mode": "numba"}
    path.write_text(program(REFUSED[:1]))
    with pytest.raises(BundleError, match=f"{path.name}:\\d+: kernel .*{REFUSED[0][1]}"):
        check_kernels(make_bundle(path, **options).text, str(path))
    path.write_text(HEAD + LISTS + FOOT)
    assert check_kernels(make_bundle(path, **options).text, str(path)) == ""
    path.write_text(HEAD + LISTS + "\n\nprint(f(int(input())))\n")
    said = check_kernels(make_bundle(path, **options).text, str(path))
    assert said.startswith("kernels NOT CHECKED: ") and "ends with EOFError" in said


UNCHECKED = Path(__file__).with_name("unchecked.txt").read_text(encoding="utf-8")
_, KERNELS, IEEE = re.split(r"--- \w+\n", UNCHECKED)


@pytest.mark.slow("compiles them again by numba itself", keep=1)
@pytest.mark.parametrize("mode", ["native", "numba"])
def test_values_beyond_the_types_are_as_documented(tmp_path, mode):
    """Division by zero, functions outside of their domain and overflow raise nothing."""
    (tmp_path / "shared").symlink_to(PROJECT / "shared")
    path, bundle = tmp_path / "bot.py", tmp_path / "bundle.py"
    path.write_text(HEAD + KERNELS + FOOT)
    if mode == "native":
        text = native_bundle(path, tmp_path, cache=tmp_path / "cache")
    else:
        text = make_bundle(path, root=tmp_path, mode=mode).text
    bundle.write_text(text, encoding="utf-8")
    assert run(bundle)[0] == IEEE


@pytest.mark.slow("infers the types of many kernels", keep=4)
@pytest.mark.parametrize(
    ("name", "said", "calls", "source"), REFUSED, ids=[row[0] for row in REFUSED]
)
def test_a_kernel_that_would_differ_is_refused(tmp_path, name, said, calls, source):
    path = tmp_path / "bot.py"
    path.write_text(program([(name, said, calls, source)]))
    linecache.checkcache(str(path))
    with pytest.raises(KernelError) as caught:
        compile_kernels(str(path), ["x86-64-v2"], tmp_path)
    (file, line), construct, advice = caught.value.args[:3]
    assert said in f"{construct}: {advice}"
    assert file == str(path)
    assert path.read_text().splitlines()[line - 1].strip()
