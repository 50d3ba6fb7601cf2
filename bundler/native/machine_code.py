"""The machine code of a bundle as a literal of Python, which stands in the bundle's text."""

import ast
import base64
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bundler.bundle import CONSTANT_LINE
from bundler.errors import BundleError, NoKernelError
from bundler.modules.workspace import CACHE
from bundler.native.cache import Unkept, cache_key, cached
from bundler.native.linker import LinkError, link
from bundler.native.subprocesses import Answer, compile_kernels
from bundler.stages.encoding import compress, to_literal
from bundler.stages.strip import strip

LOADER = Path(__file__).with_name("loader.py")
TUNABLE_CODE, CHOSEN_CODE = LOADER.with_name("tunable_code.py"), LOADER.with_name("chosen_code.py")

# The flags of a processor in /proc/cpuinfo, the lower one's included; as in bots/probe.py
CPU_FLAGS = {"x86-64-v2": "cx16 lahf_lm pni popcnt sse4_1 sse4_2 ssse3"}
CPU_FLAGS["x86-64-v3"] = CPU_FLAGS["x86-64-v2"] + " abm avx avx2 bmi1 bmi2 f16c fma movbe"
BOTH = "both"  # machine code for either, chosen at the start


def insert_machine_code(source: str, kernels: str, **options: Any) -> str:
    """Returns the text `source` with the machine code of `kernels` written into it. options: see
    `machine_code_literal`.
    """
    literal = machine_code_literal(kernels, **options)
    return source.replace(CONSTANT_LINE, f"\nMACHINE_CODE = {literal}\n", 1)


def machine_code_literal(
    kernels: str,
    *,
    cpu: str = "x86-64-v2",
    encode: str = "wide",
    cache: Path = CACHE / "native",
    path: str = "bundle",
    say: Callable[[str], None] = lambda line: None,
) -> str:
    """Returns the machine code of a bundle as a literal of Python.

    kernels: the text of the bundle in numba mode. cpu: a key of CPU_FLAGS, or BOTH. encode: a key
    of ENCODINGS. cache: the folder for results. path: the bot's path in errors. say: prints a line
    before a compilation. Raises NoKernelError for a bundle without kernels, BundleError for a
    kernel that cannot become machine code.
    """

    def make() -> bytes:
        say(f"compiling the kernels of {path}, which takes about 10 s")
        return make_machine_code(kernels, cpu, path, cache)

    key = cache_key(kernels, cpu)
    return to_literal(cached(cache / f"{key}.xz", make), encode)


def make_machine_code(source: str, cpu: str, path: str, cache: Path) -> bytes:
    """Returns the loader and the machine code, compressed for `shared/core/backends/native.py`.
    Raises BundleError, and Unkept if the import of the bot has read further files.
    """
    cpus = [cpu] if cpu != BOTH else sorted(CPU_FLAGS, reverse=True)
    compiled = compile_kernels(source, cpus, path, cache)
    codes = linked_codes(compiled, cpus, path)
    # The loader is compressed, so comments would only cost characters.
    parts = [stripped(LOADER)]
    _, arguments = codes[0]
    if "tape" in arguments:
        parts += [stripped(TUNABLE_CODE), "MachineCode = TunableCode"]
    if codes[1:]:
        parts += [stripped(CHOSEN_CODE), "MachineCode = ChosenCode"]
        arguments = {"codes": [(len(data), arguments) for data, arguments in codes]}
    loader = "\n".join([*parts, f"ARGUMENTS = {arguments}"])
    compile(loader, LOADER, "exec")  # finds a syntax error here rather than on the site
    data = compress(b"\0".join([loader.encode(), b"".join(data for data, _ in codes)]))
    if compiled["outside"]:
        raise Unkept(data)
    return data


def linked_codes(
    compiled: Answer, cpus: Sequence[str], path: str
) -> list[tuple[bytes, dict[str, Any]]]:
    """Returns [(code, the other arguments of MachineCode)] for the processors `cpus`, keys of
    CPU_FLAGS. compiled: the answer of compile.py. Raises BundleError.
    """
    if not compiled["entries"]:
        raise NoKernelError(path)
    codes = []
    for cpu, text in zip(cpus, compiled["objects"]):
        try:
            code = link(base64.b85decode(text))
        except LinkError as error:
            construct = "machine code that cannot be linked"
            raise BundleError(path, 1, construct, str(error)) from error
        entries = {name: code.symbols[symbol] for name, symbol in compiled["entries"].items()}
        arguments = {"cpu": cpu, "flags": CPU_FLAGS[cpu], "entries": entries}
        arguments["outside"] = code.outside
        if compiled["tape"]:
            arguments["tape"] = compiled["tape"]
        codes.append((code.data, arguments))
    return codes


def stripped(path: Path) -> str:
    """Returns the code of a Python file without comments and docstrings."""
    return ast.unparse(ast.parse(strip(path.read_text(encoding="utf-8"))))
