"""Machine code as text: cached, reproducible, in two alphabets, linked."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bundler.__main__ import app
from bundler.bundle import CPUS, make_bundle
from bundler.errors import BundleError, NoKernelError
from bundler.native import machine_code, subprocesses
from bundler.native.linker import LinkError, link
from bundler.native.machine_code import machine_code_literal
from bundler.stages.encoding import ENCODINGS, compress, encode
from shared.core.packed import decode_text
from tests.conftest import PROJECT
from tests.native.conftest import run
from tests.support.waiting import wait_for

HEAD = 'import numba\nimport numpy as np\nMACHINE_CODE = ""\n'


def test_a_bot_without_kernels_gets_advice(tmp_path):
    with pytest.raises(NoKernelError, match="no kernel: mark an entry point"):
        machine_code_literal(HEAD, cache=tmp_path)


@pytest.mark.exhaustive("waits for a limit of time")
def test_a_bot_that_never_ends_its_import_is_refused(tmp_path, monkeypatch):
    """No process of it is left running."""
    pids = tmp_path / "pids"
    source = (
        f"import os, numba\nopen({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
        f"while True: pass\n"
    )
    monkeypatch.setattr(subprocesses, "IMPORT_S", 5.0)
    with pytest.raises(BundleError, match=r"bot.py:1: importing the bot has not come to its end"):
        machine_code_literal(source, cache=tmp_path, path="bot.py")
    left = [Path("/proc", pid) for pid in pids.read_text().split()]
    assert len(left) == 2
    wait_for(lambda: not any(path.exists() for path in left))


def test_machine_code_is_kept_by_source_and_processor(tmp_path, monkeypatch):
    asked = []

    def make(source, cpu, path, cache):
        asked.append(cpu)
        return bytes(4)

    monkeypatch.setattr(machine_code, "make_machine_code", make)
    options = {"cache": tmp_path, "path": "bots/my_bot.py", "say": asked.append}
    first = machine_code_literal(HEAD, **options)
    assert asked.pop(0) == "compiling the kernels of bots/my_bot.py, which takes about 10 s"
    assert machine_code_literal(HEAD, **options) == first
    assert {*machine_code.CPU_FLAGS, machine_code.BOTH} == {*CPUS}
    assert asked == ["x86-64-v2"]
    machine_code_literal(HEAD, cpu="x86-64-v3", cache=tmp_path)
    machine_code_literal(HEAD + "\n# a comment\n", cache=tmp_path)
    machine_code_literal(HEAD + "CHANGED = 1\n", cache=tmp_path)
    assert asked == ["x86-64-v2", "x86-64-v3", "x86-64-v2"]


def test_options_of_numba_and_python_do_not_reach_machine_code(monkeypatch):
    for name in ("NUMBA_BOUNDSCHECK", "PYTHONOPTIMIZE"):
        monkeypatch.setenv(name, "1")
        assert name not in subprocesses.here()


SUMS = """
import numba

@numba.njit("void(int16[::1], int8[::1])", error_model="numpy")
def add(sums, row):
    for i in range(128):
        sums[i] = int(sums[i]) + int(row[i])
"""
COMPILE = "from bundler.native.compile import main; main('bot.py', 'out', 'cache', 'x86-64-v2')"
PLAIN_NUMBA = "from bundler.native import shortcuts; shortcuts.TRIED = 'none'"


@pytest.mark.slow("compiles twice, once without the shortcuts")
def test_the_shortcuts_through_numba_change_no_byte(tmp_path):
    """A version of numba without them gives the same machine code."""
    bundle = tmp_path / "bot.py"
    bundle.write_text(SUMS + SEARCH)
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "NUMBA_OPT": "0"}
    answers = []
    for before in ("", PLAIN_NUMBA):
        shutil.rmtree(tmp_path / "cache", ignore_errors=True)
        code = f"{before}\n{COMPILE}"
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True)
        answers.append(json.loads((tmp_path / "out").read_text()))
    assert answers[0] == answers[1] and len(answers[0]["entries"]) == 2


SEARCH = """
import math

@numba.njit
def nearest(places, x):
    best = 0
    for i in range(len(places)):
        best = i if abs(places[i] - x) < min(abs(places[best] - x), math.inf) else best
    return best

@numba.njit("int64(float64[::1], int64)")
def search(places, n):
    total = 0
    while total < n and not math.isnan(places[0]):
        total += nearest(places, total / 3) % 5 + 1
    return total
"""
ADD_EIGHT = re.compile(rb"\x66[\x40-\x4f]?\x0f\xfd")  # paddw


def test_numbers_of_8_bits_are_added_many_at_a_time(tmp_path):
    """The entry point is optimised for size; a kernel inlined into it must not inherit that."""
    compiled = machine_code.compile_kernels(SUMS, ["x86-64-v2"], "bot.py", tmp_path)
    assert ADD_EIGHT.search(link(base64.b85decode(compiled["objects"][0])).data)


@pytest.mark.skipif(sys.platform != "linux", reason="counts threads by Linux's /proc")
def test_numpy_starts_no_thread_in_a_native_bundle(tmp_path, monkeypatch):
    """Its import would take nearly twice as much CPU time, and more on more cores."""
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    bot = tmp_path / "bot.py"
    bot.write_text("import numpy\nimport os\n\nprint(len(os.listdir('/proc/self/task')))\n")
    bundle = tmp_path / "bundle.py"
    bundle.write_text(make_bundle(bot, "native").text)
    assert run(bundle)[0] == "1\n"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_encoding_gives_its_bytes_back(encoding):
    """Encoding and decoding are inverse for any number of unused bits in the last letters."""
    for size in range(1, 64):
        data = bytes(range(255, 255 - size, -1))
        assert decode_text(encode(data, ENCODINGS[encoding])) == data


def test_packed_bytes_do_not_end_with_zero():
    """The decoder cannot distinguish a final zero from unused bits."""
    for size in range(9):
        assert compress(bytes(size))[-1] != 0


def test_an_unknown_relocation_is_refused(tmp_path):
    """The offset table of this file holds a relocation against a 32-bit absolute address, which the
    linker does not support.
    """
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple("x86_64-pc-linux-gnu").create_target_machine(
        reloc="static", codemodel="small"
    )
    module = llvm.parse_assembly(
        'target triple = "x86_64-pc-linux-gnu"\n'
        "@table = global [4 x i64] zeroinitializer\n"
        "define ptr @f(i64 %i) {\n"
        "  %p = getelementptr [4 x i64], ptr @table, i64 0, i64 %i\n  ret ptr %p\n}\n"
    )
    with pytest.raises(LinkError, match="relocation"):
        link(machine.emit_object(module))


def test_the_command_line_chooses_processor_and_encoding(tmp_path, monkeypatch):
    asked = []

    def make(text, kernels, say, **options):
        asked.append(options)
        return text

    monkeypatch.setattr("bundler.native.machine_code.insert_machine_code", make)
    monkeypatch.setattr("bundler.inputs.MADE", tmp_path / "made")
    code = 'print(1)\nMACHINE_CODE = ""\nprint(MACHINE_CODE)\n'
    bot, out = str(tmp_path / "bot.py"), str(tmp_path / "out.py")
    (tmp_path / "bot.py").write_text(code)
    command = ["bundle", bot, "-o", out, "--no-check"]
    chosen = ["--mode", "native", "--cpu", "x86-64-v3"]
    (tmp_path / "onefile.toml").write_text('[site]\nencode = "base85"\n')
    assert CliRunner().invoke(app, [*command, *chosen]).exit_code == 0
    assert asked == [{"cpu": "x86-64-v3", "encode": "base85", "path": bot}]
    assert {type(value) for value in asked[0].values()} == {str}
    both = 'BUNDLE_CPU = "both"\n', 'BUNDLE_CPU: str = "both"\n'
    for line, cpu in (("", "x86-64-v2"), *((one, "both") for one in both)):
        Path(bot).write_text(line + code)
        CliRunner().invoke(app, [*command, "--mode", "native"])
        assert asked.pop()["cpu"] == cpu
    Path(bot).write_text('BUNDLE_CPU = "v3"\n')
    result = CliRunner().invoke(app, command)
    assert isinstance(result.exception, BundleError)
    assert "bot.py:1: BUNDLE_CPU is 'v3': write one of x86-64-v2, x86-64-v3, both" in str(
        result.exception
    )
    Path(bot).write_text("print(1)\n")
    result = CliRunner().invoke(app, [*command, "--cpu", "x86-64-v3", "--mode", "numba"])
    assert result.exit_code == 2
    assert "--cpu goes with --mode native" in result.output
