"""A process of its own that compiles the kernels of a flattened bot: `python -m
bundler.native.compile BOT CPU OUT`.

It runs the bot's source, whose kernels are compiled while it is imported, and writes OUT: JSON with
`entries` (name: symbol) and `object` (an ELF file in base85), or with `error`. A process of its
own, because numba reads the processor to compile for from the environment when it is imported.
"""

import ast
import base64
import builtins
import importlib.util
import json
import pickle
import re
import sys
import traceback
from pathlib import Path

import llvmlite.binding as llvm
import numba
from numba.core.errors import NumbaError
from numba.core.sigutils import normalize_signature

from bundler.native.entries import (
    CHECK,
    UnsupportedType,
    entry_text,
    exception_text,
    text_constant,
)

MODULE = "flattened_bot"

# Cost in LLVM's unit up to which a call is replaced by what it calls. With its own limit, 250, the
# code of the bots of Coders Strike Back is a tenth longer, and not 2% faster.
INLINING_LIMIT = 100

# The same unit, up to which a loop is replaced by its turns. With LLVM's own limit, 300, the code
# of the bots of X-mas Rush and Coders Strike Back is a fifteenth longer, and 1% faster at best;
# with 100 that of Infexion is 5% slower.
UNROLLING_LIMIT = 150

# A choice between exceptions would become a table of addresses, and these are not known
# before the code is loaded. The tables of numbers, as in the bots of Coders Strike Back, save
# 56 bytes of 6,876.
OPTIONS = f"-unroll-threshold={UNROLLING_LIMIT}", "-switch-to-lookup=false"

# What a kernel may call: the C library's mathematics and memory.
ALLOWED = set("""
    acos acosf acosh acoshf asin asinf asinh asinhf atan atanf atanh atanhf atan2 atan2f cbrt ceil
    ceilf copysign copysignf cos cosf cosh coshf erf erff erfc erfcf exp expf exp2 exp2f expm1
    expm1f fabs floor floorf fma fmaf fmod fmodf frexp hypot hypotf ldexp ldexpf lgamma lgammaf log
    logf log10 log10f log1p log1pf log2 log2f nearbyint nearbyintf pow powf rint rintf round roundf
    sin sinf sincos sincosf sinh sinhf sqrt sqrtf tan tanf tanh tanhf tgamma trunc truncf memcpy
    memmove memset memcmp malloc free
    """.split())

# What else numba's code calls: the first pattern that fits tells the feature.
FEATURES = (
    (
        r"\.numba\.unresolved",
        "recursion with arguments of other types",
        "pass variables of the signature's types, no literals",
    ),
    ("numba_dict|numba_typeddict", "a dict", "use an array"),
    ("NRT_MemInfo_.*varsize|numba_list", "a list", "use a buffer and a count"),
    ("numba_.*random|numba_rnd|numba_get_.*state", "np.random", "use shared/core/rng.py"),
    ("numba_gil", "print, or another use of Python's objects", "do it outside of kernels"),
    ("PyTuple_Pack", "an exception with computed arguments", "raise one with constants"),
    ("NRT_", "memory of numba's runtime", "let the caller own every buffer"),
    ("", "a function outside of the C library", "use the functions of math"),
)


class KernelError(Exception):
    """A kernel that cannot become machine code: (line, construct, what to do instead)."""


def main(path, cpu, out):
    """Compile the kernels of the source at `path`; everything goes into the file `out`."""
    try:
        result = compile_kernels(path, cpu)
    except KernelError as error:
        result = {"error": error.args}
    Path(out).write_text(json.dumps(result))


def compile_kernels(path, cpu):
    """The entries and, where there are any, the object file. Raises KernelError."""
    kernels = run_bot(path)
    if not kernels:
        return {"entries": {}}
    whole = None
    entries, declared = {}, []
    texts = [CHECK, Path(__file__).with_name("allocator.ll").read_text()]
    for number, (name, (dispatcher, asked_for)) in enumerate(kernels.items()):
        # A kernel that calls itself may have other overloads beside the one that was asked for.
        overload = dispatcher.overloads[asked_for]
        signature = overload.signature
        symbol = f"kernel_{number}"
        try:
            function = dispatcher.py_func.__name__, overload.fndesc.mangled_name
            texts.append(entry_text(symbol, *function, signature.return_type, signature.args))
        except UnsupportedType as error:
            raise kernel_error(
                dispatcher, "unsupported type in its signature", str(error)
            ) from error
        entries[name] = symbol
        module = module_of(overload)
        declared.append((dispatcher, outside_names(module) - ALLOWED))
        if whole is None:
            whole = module
        else:
            whole.link_in(module)
    python_side = llvm.parse_assembly("\n".join(texts))
    python_side.triple, python_side.data_layout = whole.triple, whole.data_layout
    allowed = outside_names(python_side)
    whole.link_in(python_side)
    internalise(whole, entries.values())
    whole = exceptions_as_text(whole)
    machine = llvm.Target.from_triple(whole.triple).create_target_machine(
        cpu=cpu, features="", opt=3, reloc="pic", codemodel="small"
    )
    optimise(whole, machine)
    check_outside(outside_names(whole) - allowed, declared)
    return {
        "entries": entries,
        "object": base64.b85encode(machine.emit_object(whole)).decode(),
    }


def run_bot(path):
    """Name: (numba's dispatcher, types of the arguments) of each kernel that importing the source
    makes, in order.

    Raises KernelError.
    """
    kernels = {}
    make_decorator = numba.njit

    def recording_njit(*arguments, **options):
        # LLVM decides what to merge once it sees the whole; numba would copy it to every place it
        # is called at.
        options.pop("forceinline", None)
        decorate = make_decorator(*arguments, **options)
        if not (arguments and isinstance(arguments[0], str)):
            return decorate

        def record(function):
            try:
                dispatcher = decorate(function)
            except NumbaError as error:
                raise typing_error(function, str(error)) from error
            name, n = function.__qualname__, 1
            while name in kernels:
                n += 1
                name = f"{function.__qualname__}#{n}"
            kernels[name] = dispatcher, normalize_signature(arguments[0])[0]
            return dispatcher

        return record

    specification = importlib.util.spec_from_file_location(MODULE, path)
    module = importlib.util.module_from_spec(specification)
    sys.modules[MODULE] = module
    numba.njit = recording_njit
    try:
        specification.loader.exec_module(module)
    except KernelError:
        raise
    except (Exception, SystemExit) as error:
        raise import_error(path, error) from error
    finally:
        numba.njit = make_decorator
    return kernels


def typing_error(function, message):
    """A KernelError for what numba says: a reason, then among much else the line."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    file = Path(function.__code__.co_filename).name
    number = re.findall(rf'File ".*{file}", line (\d+)', message)
    line = int(number[-1]) if number else function.__code__.co_firstlineno
    reason = lines[1] if len(lines) > 1 else lines[0]
    return KernelError(line, f"kernel {function.__qualname__}", reason)


def import_error(path, error):
    """A KernelError for what ends the import of the source."""
    frames = traceback.extract_tb(error.__traceback__)
    line = ([1] + [frame.lineno for frame in frames if frame.filename == path])[-1]
    construct = f"importing the bot ends with {type(error).__name__}: {error}"
    return KernelError(line, construct, 'let it play only under `if __name__ == "__main__":`')


def kernel_error(dispatcher, construct, advice):
    """A KernelError at the definition of a kernel."""
    code = dispatcher.py_func.__code__
    return KernelError(code.co_firstlineno, f"kernel {code.co_qualname}: {construct}", advice)


def module_of(overload):
    """A copy of numba's module of a compiled function, reduced to it and what it calls."""
    # numba has no public way to it; the version is pinned and tests/native holds this to account.
    module = llvm.parse_bitcode(overload.library._final_module.as_bitcode())
    internalise(module, [overload.fndesc.mangled_name])
    machine = llvm.Target.from_triple(module.triple).create_target_machine()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(0))
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, builder)
    for function in module.functions:
        if not function.is_declaration and function.name != overload.fndesc.mangled_name:
            function.linkage = "linkonce_odr"  # what several kernels call is linked once
    return module


def internalise(module, names):
    """Let nothing be called from outside of the module but the functions of these names."""
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name not in names:
            value.linkage = "internal"


def optimise(module, machine):
    """Optimise all kernels together with their entries.

    An entry passes null where numba counts references to arrays, so seen as a whole none are
    counted.
    """
    options = llvm.create_pipeline_tuning_options(3)
    options.inlining_threshold = INLINING_LIMIT
    for option in OPTIONS:
        llvm.set_option("", option)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def outside_names(module):
    """The names of what a module uses and does not define."""
    return {
        value.name
        for value in (*module.functions, *module.global_variables)
        if value.is_declaration and not value.name.startswith("llvm.")
    }


def check_outside(needed, declared):
    """Raise KernelError where a kernel needs what no kernel may call.

    needed: the names that are left when all is optimised. declared: (dispatcher, such names before
    that) of each kernel.
    """
    for dispatcher, names in declared:
        if needed & names:
            pattern, feature, advice = next(
                rule for rule in FEATURES if any(re.match(rule[0], name) for name in names)
            )
            name = min(name for name in names if re.match(pattern, name))
            raise kernel_error(dispatcher, f"{feature} ({name})", advice)


# numba's exceptions in LLVM's language: (name, pickle), and (name, name of the pickle, ...) which
# the code refers to
PICKLE = re.compile(r'^@(\.const\.pickledata\.[0-9a-f]+(?:\.\d+)*) = .*? c"(.*)"', re.MULTILINE)
EXCEPTION = re.compile(r"^@(\.const\.picklebuf\.\S+) = .*?\{ ptr @([^,]+),.*$", re.MULTILINE)


def unescaped(match):
    """The byte that LLVM wrote with a backslash."""
    return match[1] if match[1] == b"\\" else bytes.fromhex(match[1].decode())


def exceptions_as_text(module):
    """The module with each exception as the text that an entry hands to Python.

    numba pickles the class itself, which could not be found again where the module has another
    name. Raises KernelError.
    """
    source = str(module)
    pickles = dict(PICKLE.findall(source))

    def rewrite(match):
        escaped = pickles[match[2]].encode()
        # LLVM writes a backslash twice, and what cannot be printed as its number.
        data = re.sub(rb"\\(\\|[0-9A-F]{2})", unescaped, escaped)
        exception, arguments, _ = pickle.loads(data)
        # Of two classes of one name, one is called otherwise in a bundle.
        known = {**vars(builtins), **vars(sys.modules[MODULE])}
        name = next((name for name, value in known.items() if value is exception), None)
        if name is None:
            advice = "raise a built-in exception, or one defined at the top of a module"
            raise KernelError(1, f"a kernel raises {exception.__qualname__}", advice)
        text = exception_text(name, arguments or ())
        try:
            ast.literal_eval(text)
        except ValueError as error:
            advice = "give it numbers and strings"
            raise KernelError(1, f"a kernel raises {name}{arguments}", advice) from error
        return text_constant(match[1], text)

    return llvm.parse_assembly(EXCEPTION.sub(rewrite, source))


if __name__ == "__main__":
    main(*sys.argv[1:])
