"""The compile subprocess: `python -m bundler.native.compile BUNDLE OUT CACHE TASK`.

It runs the bundle's text, compiles the kernels that this has made, and writes OUT: JSON with
`entries` (name: symbol), `objects` (an ELF file in base85 for each processor), `captures` (label:
digest, place, phrase), `outside` (files that the import has read) and `tape` (of
`tunable_numbers.py`), or with `error`. It is a process of its
own, because numba reads the environment when it is imported. TASK is the processors, separated by
spaces, or one of three words for tasks that make no machine code. "import" and "perturbed" answer
only `captures`, "perturbed" with other variables of the environment. "check" answers `error`, if
any, and `is_import`, True for a bot that cannot be imported.

The folder CACHE keeps machine code by all that the kernels are made of: their functions, the values
that these capture, and the modules that import numba. So nothing is compiled again after a change
of code that only Python runs. Machine code that may be made of more is not kept.
"""

import base64
import contextlib
import ctypes
import gc
import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.event import install_recorder
from numba.core.typeinfer import register_dispatcher

from bundler.native import shortcuts
from bundler.native.cache import cache_key, cached
from bundler.native.captures import Captures, options_of
from bundler.native.entry_points import UnsupportedType, entry_text
from bundler.native.equality import check_equality
from bundler.native.exceptions import class_place, exceptions_as_text
from bundler.native.extensions import extensions, registered
from bundler.native.files_read import files_read
from bundler.native.loader import new_function
from bundler.native.mutations import captured_values, check_playing
from bundler.native.recording import (
    ENTRY,
    ImportingError,
    Kernel,
    KernelError,
    Overload,
    run,
)
from bundler.native.tunable_numbers import SYMBOL, Tape, teach_numba
from bundler.native.typing_errors import typing_error
from bundler.native.unsupported import unsupported
from bundler.source_map import SourceMap

# Largest cost, in LLVM's unit, of an inlined function. With LLVM's own limit, 250, the code of the
# bots of Coders Strike Back is a tenth longer, and not 2% faster.
INLINING_LIMIT = 100

# Largest cost, in the same unit, of an unrolled loop. With LLVM's own limit, 300, the code of the
# bots of X-mas Rush and Coders Strike Back is a fifteenth longer, and 1% faster at best; with 100
# that of Infexion is 5% slower.
UNROLLING_LIMIT = 150

# No lookup tables: LLVM would put the addresses of exceptions into one, before they are known.
# Tables of numbers, as in the bots of Coders Strike Back, would save 56 bytes of 6,876.
OPTIONS = f"-unroll-threshold={UNROLLING_LIMIT}", "-switch-to-lookup=false"

# A kernel may call the C library's mathematics and memory.
ALLOWED = set("""
    acos acosf acosh acoshf asin asinf asinh asinhf atan atanf atanh atanhf atan2 atan2f cbrt ceil
    ceilf copysign copysignf cos cosf cosh coshf erf erff erfc erfcf exp expf exp2 exp2f expm1
    expm1f fabs floor floorf fma fmaf fmod fmodf frexp hypot hypotf ldexp ldexpf lgamma lgammaf log
    logf log10 log10f log1p log1pf log2 log2f nearbyint nearbyintf pow powf rint rintf round roundf
    sin sinf sincos sincosf sinh sinhf sqrt sqrtf tan tanf tanh tanhf tgamma trunc truncf memcpy
    memmove memset memcmp malloc free
    """.split())

# Prefix of numba's names for addresses of this process that the code refers to
ADDRESS = "numba.dynamic.globals"
ADDRESSES = re.compile(rf'^(@"?{re.escape(ADDRESS)}\S+) = .*$', re.MULTILINE)


class PerturbedEnvironment(os._Environ[str]):
    """An environment whose unset variables with a numeric default return default + 1.

    A kernel that captures such a variable then differs, and is noticed.
    """

    def get(self, name: str, default: Any = None) -> Any:
        for number in (int, float):
            with contextlib.suppress(TypeError, ValueError, OverflowError):
                default = type(default)(number(default) + 1)
                break
        return super().get(name, default)


def main(path: str, out: str, cache: str, task: str) -> None:
    """Import the bundle at `path` and write the answer into the file `out`."""
    gc.disable()  # collecting takes a fourteenth of the time, and saves 70 MB for some seconds
    # As on the site, only installed modules and those beside the bundle can be imported.
    left_out = ("", os.getcwd(), os.environ.pop("PYTHONPATH"))
    sys.path[:] = [
        str(Path(path).parent),
        *(folder for folder in sys.path if folder not in left_out),
    ]
    if task == "perturbed":
        os.environ.__class__ = PerturbedEnvironment
    result: dict[str, Any]
    try:
        if task in ("import", "perturbed"):
            result = {"captures": captured_values(run(path, Tape()))}
        else:
            shortcuts.install()
            result = compile_kernels(path, task.split() if task != "check" else [], Path(cache))
    except KernelError as error:
        result = {"error": error.args, "is_import": isinstance(error, ImportingError)}
    Path(out).write_text(json.dumps(result))
    sys.stderr.flush()
    os._exit(0)  # to take all modules apart would take a tenth of the time


def compile_kernels(path: str, cpus: Sequence[str], cache: Path) -> dict[str, Any]:
    """Returns the answer for the bundle at `path`; without `cpus` only checks the kernels. Raises
    KernelError.
    """
    tape, before = Tape(), registered()
    teach_numba(lambda: tape.is_closed)
    with linked_only():
        with files_read(Path(path).parent) as outside:
            kernels = run(path, tape)
        values = captured_values(kernels)
        check_playing(kernels)
        tape.is_closed = True

        def make() -> bytes:
            for kernel in kernels.values():
                compile_kernel(kernel)
            for kernel in kernels.values():
                check_equality(kernel)
            return json.dumps(machine_code(kernels, cpus) if cpus else {}).encode()

        key = kernels_key(path, kernels, extensions(before), [*cpus, tape.text(), f"{outside}"])
        code = json.loads(cached(cache / f"{key}.json", make) if cpus and key else make())
    return {**code, "captures": values, "tape": tape.text(), "outside": outside}


def kernels_key(
    path: str, kernels: dict[str, Kernel], extensions: Captures, others: Sequence[str]
) -> str:
    """Returns a hash of all that the machine code of kernels is made of, and of other texts; "" if
    that is not known. extensions: of numba by the bundle.
    """
    source_map, modules = SourceMap(Path(path).read_text("utf-8")), defaultdict[Any, str](str)
    for piece in source_map.pieces:
        modules[piece.path] += "\n".join(source_map.lines[piece.first - 1 : piece.last])
    texts = [*others, extensions.text(), *(text for text in modules.values() if "numba" in text)]
    for name, kernel in kernels.items():
        captures, options = kernel.captures, options_of(kernel.dispatcher)
        made_of = kernel.signature, kernel.types, options
        texts += [name, captures.digest(made_of), captures.text()]
        texts += [str(class_place(kind, sys.modules[ENTRY])) for kind in captures.exceptions]
    is_known = all(kernel.captures.is_whole for kernel in kernels.values()) and extensions.is_whole
    return cache_key("", "\0".join(texts)) if is_known else ""


def machine_code(kernels: dict[str, Kernel], cpus: Sequence[str]) -> dict[str, Any]:
    """Returns {"entries": {kernel: symbol}, "objects": object files in base85, one for each
    processor}, without kernels only empty entries. Raises KernelError.
    """
    if not kernels:
        return {"entries": {}}
    symbols = {name: f"kernel_{number}" for number, name in enumerate(kernels)}
    texts = [entry_of(kernel, symbols[name]) for name, kernel in kernels.items()]
    texts += [path.read_text() for path in sorted(Path(__file__).parent.glob("*.ll"))]
    whole, *others = [module_of(kernel.overload) for kernel in kernels.values()]
    for module in others:
        whole.link_in(module)
    python_side = llvm.parse_assembly("\n".join(texts))
    python_side.triple, python_side.data_layout = whole.triple, whole.data_layout
    allowed = ALLOWED | outside_names(python_side)
    whole.link_in(python_side)
    internalise(whole, [*symbols.values()])
    text = exceptions_as_text(str(whole), sys.modules[ENTRY])
    # Declared, so that they are left where they are used
    text = ADDRESSES.sub(r"\1 = external global ptr", text)
    objects = []
    for cpu in cpus:
        whole = llvm.parse_assembly(text)
        machine = llvm.Target.from_triple(whole.triple).create_target_machine(
            cpu=cpu, features="", opt=3, reloc="pic", codemodel="small"
        )
        optimise(whole, machine)
        check_names(whole, allowed, kernels)
        objects.append(base64.b85encode(machine.emit_object(whole)).decode())
    return {"entries": symbols, "objects": objects}


def check_names(module: llvm.ModuleRef, allowed: set[str], kernels: dict[str, Kernel]) -> None:
    """Raise KernelError for a kernel that needs more from outside than the allowed names."""
    needed = {name for name in outside_names(module) - allowed if not name.startswith(SYMBOL)}
    if needed:

        def needs(overload: Overload) -> bool:
            text = str(module_of(overload))
            return any(name in text for name in needed)

        kernel = next(kernel for kernel in kernels.values() if needs(kernel.overload))
        raise unsupported(kernel, needs, needed)


def executable(context: CPUContext, library: Any, fndesc: Any, env: Any) -> Any:
    """Replaces `CPUContext.get_executable`: links a function with its callees, and makes machine
    code of it, when Python first calls it.
    """
    library._finalized = True  # for its callers, which link it
    made: list[Any] = []

    def call(*arguments: Any) -> Any:
        if not made:
            modules = [part._final_module for part in (library, *library._linking_libraries)]
            names = [value.name for module in modules for value in module.global_variables]
            if any(name.startswith(SYMBOL) for name in names):
                raise TypeError(f"{fndesc.qualname} reads a tunable number, and runs at import")
            library._finalized = False
            with global_compiler_lock:
                library.finalize()
                made.append(GET_EXECUTABLE(context, library, fndesc, env))
        return made[0](*arguments)

    return callable_by_numba(call)


def add_linking_library(self: Any, library: Any) -> None:
    """Replaces `CodeLibrary.add_linking_library`: adds the library of a function and those of its
    callees, because they are not linked with each other.
    """
    library._ensure_finalized()
    parts = [library, *library._linking_libraries]
    # Each behind all of its callers: LLVM links no function that nothing has named before.
    others = [part for part in self._linking_libraries if part not in parts]
    self._linking_libraries = others + parts


def callable_by_numba(function: Callable[..., Any]) -> Any:
    """Returns a function of Python's C API that calls a Python function: numba's dispatchers expect
    one, and call it with all arguments in a tuple, as PyObject_Call takes them.
    """
    # PyMethodDef: name, function, flags METH_VARARGS and METH_KEYWORDS, docstring
    definition = (ctypes.c_size_t * 4)(ctypes.addressof(SHOWN), CALL, 3, 0)
    DEFINITIONS.append(definition)
    return new_function(ctypes.byref(definition), function, None)


SHOWN = ctypes.create_string_buffer(b"kernel")
CALL: Any = ctypes.cast(ctypes.pythonapi.PyObject_Call, ctypes.c_void_p).value
DEFINITIONS: list[Any] = []  # kept alive for the functions
GET_EXECUTABLE: Any = CPUContext.get_executable
ADD_LIBRARY: Any = CPUCodeLibrary.add_linking_library


@contextlib.contextmanager
def linked_only() -> Iterator[None]:
    """Within the context, numba links and emits only functions that Python calls."""
    CPUContext.get_executable = executable  # type: ignore[method-assign]
    CPUCodeLibrary.add_linking_library = add_linking_library  # type: ignore[method-assign]
    try:
        yield
    finally:
        CPUContext.get_executable = GET_EXECUTABLE  # type: ignore[method-assign]
        CPUCodeLibrary.add_linking_library = ADD_LIBRARY  # type: ignore[method-assign]


def compile_kernel(kernel: Kernel) -> None:
    """Let numba compile a Kernel. Raises KernelError."""
    with install_recorder("numba:compile") as compilations:
        try:
            with register_dispatcher(kernel.dispatcher):
                kernel.dispatcher.compile(kernel.signature)
                kernel.dispatcher.disable_compile()  # for arguments of other types
        except Exception as error:  # numba has many, and its own mistakes
            failures = [
                (event.data["dispatcher"].py_func, event._exc_details[1])
                for _, event in compilations.buffer
                if event._exc_details  # numba's own `is_failed` is true of all others
            ]
            raise typing_error(kernel, error, failures) from error


def entry_of(kernel: Kernel, symbol: str) -> str:
    """Returns the text of a Kernel's entry. Raises KernelError."""
    result, name = kernel.overload.signature.return_type, kernel.overload.fndesc.mangled_name
    try:
        return entry_text(symbol, name, result, kernel.types)
    except UnsupportedType as error:
        construct = f"{kernel.shown(kernel.function)}: unsupported type in its signature"
        raise KernelError(kernel.made_at, construct, str(error)) from error


def module_of(overload: Overload) -> llvm.ModuleRef:
    """Returns a copy of numba's module of a compiled function, reduced to the function and its
    callees.
    """
    # numba has no public way to it; the version is pinned and tests/native holds this to account.
    module = llvm.parse_bitcode(overload.library._final_module.as_bitcode())
    for library in overload.library._linking_libraries:
        module.link_in(library._get_module_for_linking(), preserve=True)
    internalise(module, [overload.fndesc.mangled_name])
    machine = llvm.Target.from_triple(module.triple).create_target_machine()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(0))
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, builder)
    for function in module.functions:
        if not function.is_declaration and function.name != overload.fndesc.mangled_name:
            function.linkage = "linkonce_odr"  # linked once for several kernels
    return module


def internalise(module: llvm.ModuleRef, names: list[str]) -> None:
    """Make all that a module defines internal, except the functions of these names."""
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name not in names:
            value.linkage = "internal"


def optimise(module: llvm.ModuleRef, machine: llvm.TargetMachine) -> None:
    """Optimise all kernels with their entries, which pass null where numba counts references."""
    options = llvm.create_pipeline_tuning_options(3)
    options.inlining_threshold = INLINING_LIMIT
    for option in OPTIONS:
        llvm.set_option("", option)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def outside_names(module: llvm.ModuleRef) -> set[str]:
    """Returns the names that a module uses and does not define."""
    return {
        ADDRESS if value.name.startswith(ADDRESS) else value.name
        for value in (*module.functions, *module.global_variables)
        if value.is_declaration and not value.name.startswith("llvm.")
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
