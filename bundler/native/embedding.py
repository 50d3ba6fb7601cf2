"""A flattened bot with its machine code in it: the text of a native bundle."""

import ast
import base64
import hashlib
import json
import lzma
import os
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from bundler.cache import CACHE, kept
from bundler.errors import BundleError, NoKernelError
from bundler.native.link import LinkError, link
from bundler.where import SourceMap

PROJECT = Path(__file__).resolve().parents[2]

# What /proc/cpuinfo calls the instructions of the x86-64 levels that compilers make use of, the
# lower levels' included
CPU_FLAGS = {"x86-64-v2": "cx16 lahf_lm pni popcnt sse4_1 sse4_2 ssse3"}
CPU_FLAGS["x86-64-v3"] = CPU_FLAGS["x86-64-v2"] + " abm avx avx2 bmi1 bmi2 f16c fma movbe"

LOADER = Path(__file__).with_name("loader.py")

# As in shared/core/machine_code.py: from U+3400 on ideographs, hexagrams and ideographs, of which no
# normalisation changes any
WIDE_FIRST, N_WIDE = 0x3400, 27_555

DICTIONARY = 1 << 20  # bytes; the preset's 64 MB would have to be there where it is unpacked
CONSTANT_LINE = 'MACHINE_CODE = ""\n'  # what the machine code is written into


def embed(
    source, kernels, *, cpu="x86-64-v2", encode="wide", cache=CACHE / "native", path="bundle"
):
    """The text of the native bundle.

    source: a bot flattened in native mode. kernels: the same in numba mode, which is what gets
    compiled. cpu: the x86-64 level to compile for, a key of CPU_FLAGS. encode: "wide" for ideographs of one UTF-16 unit and 14.75 bits each, "base85" for
    ASCII, more than twice as many characters. cache: the folder in which machine code is kept,
    named by a hash of all it is made of. path: what errors call the bot. Raises BundleError where
    a kernel cannot become machine code.
    """
    lines = source.splitlines(keepends=True)
    if CONSTANT_LINE not in lines:
        raise NoKernelError(path)
    machine_code = kept(
        cache / f"{cache_key(kernels, cpu)}.xz", lambda: make_machine_code(kernels, cpu, path)
    )
    lines[lines.index(CONSTANT_LINE)] = constant_text(machine_code, encode)
    return "".join(lines)


def cache_key(source, cpu):
    """A hash of all that determines the machine code."""
    digest = hashlib.sha256(
        f"{cpu} {version('numba')} {version('llvmlite')} {sys.version}\n".encode()
    )
    for file in sorted(Path(__file__).parent.iterdir()):
        if file.is_file():
            digest.update(file.read_bytes())
    digest.update(source.encode())
    return digest.hexdigest()[:32]


def make_machine_code(source, cpu, path):
    """The machine code as `shared/core/machine_code.py` unpacks it. Raises BundleError."""
    compiled = compile_kernels(source, cpu, path)
    if not compiled["entries"]:
        raise NoKernelError(path)
    try:
        code = link(base64.b85decode(compiled["object"]))
    except LinkError as error:
        raise BundleError(path, 1, "machine code that cannot be linked", str(error)) from error
    entries = {name: code.symbols[symbol] for name, symbol in compiled["entries"].items()}
    head = {"cpu": cpu, "flags": CPU_FLAGS[cpu], "entries": entries, "outside": code.outside}
    head["loader"] = without_comments(LOADER.read_text(encoding="utf-8"))
    return packed(f"{head}\n".encode() + code.data)


def without_comments(source):
    """A Python source without comments and docstrings: nobody reads what is packed."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            if ast.get_docstring(node, clean=False) is not None:
                node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def packed(data):
    """An .xz file of some bytes, the shortest of several: what suits best depends on the code."""
    files = []
    for context_bits in range(4):
        pack = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "pb": 0}
        pack |= {"dict_size": DICTIONARY, "lc": context_bits}
        for filters in ([pack], [{"id": lzma.FILTER_X86}, pack]):
            files.append(lzma.compress(data, check=lzma.CHECK_CRC32, filters=filters))
    return min(files, key=len)


def compile_kernels(source, cpu, path):
    """What bundler/native/compile.py answers for this source. Raises BundleError."""
    environment = {
        **os.environ,
        "CG_JIT": "1",
        "NUMBA_CPU_NAME": cpu,
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_OPT": "0",  # what it gives is optimised when it is complete
        "PYTHONPATH": str(PROJECT),
    }
    with tempfile.TemporaryDirectory() as folder:
        bot, out = Path(folder, "bot.py"), Path(folder, "out.json")
        bot.write_text(source, encoding="utf-8")
        command = [sys.executable, "-m", "bundler.native.compile", bot, cpu, out]
        process = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        if not out.exists():
            said = process.stderr.strip().splitlines() or [f"exit status {process.returncode}"]
            advice = "run the bot that is flattened with --mode numba by itself"
            raise BundleError(path, 1, f"compiling failed: {said[-1]}", advice)
        compiled = json.loads(out.read_text())
    if "error" in compiled:
        line, construct, advice = compiled["error"]
        raise BundleError(*source_place(source, line, path), construct, advice)
    return compiled


def source_place(source, line, path):
    """(file, line) that a line of the flattened bot comes from; itself where it comes from none."""
    pieces = SourceMap(source)
    pieces.find_sources([Path.cwd(), PROJECT])
    return pieces.locate(line) or (path, line)


def to_wide(data):
    """Bytes as a text: 59 bits are four characters."""
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 59)
    numbers = [int(bits[i : i + 59], 2) for i in range(0, len(bits), 59)]
    return "".join(
        chr(WIDE_FIRST + number // N_WIDE**place % N_WIDE)
        for number in numbers
        for place in (3, 2, 1, 0)
    )


# (encoder, characters a line: an ideograph is twice as wide as a letter)
ENCODINGS = {"base85": (lambda data: base64.b85encode(data).decode(), 100), "wide": (to_wide, 50)}


def constant_text(machine_code, encoding):
    """The assignment of the constant."""
    encode, width = ENCODINGS[encoding]
    code = encode(machine_code)
    lines = [code[i : i + width] for i in range(0, len(code), width)]
    return "\n".join(['MACHINE_CODE = """', *lines, '"""']) + "\n"
