"""Operations of kernels whose compiled result may differ from Python's, each with advice.

numba has inferred the type of each variable of a kernel, and of the functions that it calls.
Allowed are the operations and functions of the tables below, for the kinds of numbers for which
their results are equal to the last bit. All others are refused, and so are conversions that Python
does not make, as of an int to a float, and variables without a value on some path. Division by
zero, arguments outside of a function's domain, indices beyond a buffer and results of more than 64
bits do not depend on types: docs/explanation/native-bundles.md tells of them.
"""

import inspect
import math
import operator
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numba.core import ir, types
from numba.core.extending import _Intrinsic

from bundler.native.recording import Kernel, KernelError, Overload

Finding = tuple[str, str]  # (construct, advice)

# The kinds of numbers: b bool, i int64, n a narrow int, u an int without sign, w a narrow element
# of an array of numpy, f float64, e float32. The operands for which an operation is equal:
ARITHMETIC = "(?!bb)[binuf]{2}|ee"
OTHER = "(?!bb)[binuwf]{2}|ee"
BITS = "[binuw]{2}"
OPERATIONS = {
    **dict.fromkeys(("add", "mul", "lshift"), ARITHMETIC),
    "sub": "(?!bb|uu)[binuf]{2}|ee",
    **dict.fromkeys(("floordiv", "mod", "truediv", "rshift", "divmod"), OTHER),
    **dict.fromkeys(("and_", "or_", "xor"), BITS),
    **dict.fromkeys(("lt", "le", "eq", "ne", "gt", "ge"), "[binuwf]{2}|ee"),
    "not_": ".",
    "neg": "[ife]",
    "pos": "[inufe]",
    "invert": "[inw]",
}
ADVICE = {
    "e": "write np.float64(x)",
    "b": "write int(x)",
    "w": "write int(x)",
    "u": "write int(x) | 0",
    "n": "write int(x) | 0",
}
EQUAL_FOR_BUFFERS = operator.is_, operator.is_not, operator.contains

TEXT = "do it outside of kernels"
MATH = "use the function of math, or min, max and abs"
LOOP = "write the loop"
TEST = "test the values before"
ISINSTANCE = "isinstance, which differs for bools", "write a function for each type"
SLICE = "a slice, which is a copy of a list, and a view of an array", LOOP

# The functions that are equal, and the kinds of their arguments for which they are
MATHEMATICS = """
    acos acosh asin asinh atan atan2 atanh ceil copysign cos cosh degrees erf erfc exp expm1 fabs
    floor fmod frexp gcd isfinite isinf isnan ldexp log log10 log1p log2 radians sin sinh sqrt tan
    tanh trunc
    """.split()
FUNCTIONS: dict[Any, str] = {
    **{getattr(math, name): "[^e]*" for name in MATHEMATICS},
    **dict.fromkeys((int, bool, len, tuple, enumerate, zip, slice, print), ".*"),
    **dict.fromkeys((min, max), "b+|[inuw]+|f+|e+"),
    abs: "[bife]",
    float: "[^e]*",
    round: "[^e]",
    range: "[^fe]*",
    divmod: OTHER,
}

# The advice for each function that is refused
INSTEAD = {
    "hypot": "write math.sqrt(x * x + y * y)",
    "gamma": "use a table of captured values",
    "lgamma": "use a table of captured values",
    "min": "give them one type",
    "max": "give them one type",
    "round": "write round(x * 100) / 100",
    "range": "write int(x)",
    "is_": "write ==",
    "is_not": "write !=",
    "sum": LOOP,
}

# Functions of numpy and methods of arrays whose compiled results are equal for all numbers
EQUAL = set("""
    all any argmax argmin bincount concatenate copy empty empty_like fill full full_like item ones
    ones_like zeros zeros_like
    """.split())
EQUAL_FOR_INTEGERS = {"arange", "array", "sum", "searchsorted"}

# Expressions that compute nothing
PLAIN = set("""
    getattr getiter iternext pair_first pair_second exhaust_iter build_tuple build_list build_set
    build_map phi typed_getitem
    """.split())


def check_equality(kernel: Kernel) -> None:
    """Raise KernelError for an operation whose compiled result differs from Python's."""
    if finding := parameters(kernel):
        code = kernel.function.__code__
        construct = f"{kernel.shown(kernel.function)}: {finding[0]}"
        raise KernelError((code.co_filename, code.co_firstlineno), construct, finding[1])
    check_function(kernel, kernel.overload, set())


def check_function(kernel: Kernel, overload: Overload, seen: set[str]) -> None:
    """Check a compiled function after the functions that it calls. seen: the names of the functions
    that were checked. Raises KernelError.
    """
    if overload.fndesc.mangled_name in seen:
        return
    seen.add(overload.fndesc.mangled_name)
    for callee in called(overload):
        check_function(kernel, callee, seen)
    function = overload.type_annotation.func_id.func
    file, first = function.__code__.co_filename, function.__code__.co_firstlineno
    findings = [*TypedCode(overload, kernel.takes_lists).findings()]
    if "isinstance" in function.__code__.co_names:
        findings.append((first, ISINSTANCE))
    for line, (construct, advice) in findings:
        raise KernelError((file, line), f"{kernel.shown(function)}: {construct}", advice)


def parameters(kernel: Kernel) -> Finding | None:
    """Returns the finding for the parameters of a kernel, None if they are allowed."""
    for name, parameter in inspect.signature(kernel.function).parameters.items():
        if parameter.kind is not parameter.POSITIONAL_OR_KEYWORD:
            return f"the parameter {name}, which has no fixed position", "pass it by position"
        if parameter.default is not parameter.empty:
            construct = f"the default of {name}, which machine code does not fill in"
            return construct, "pass every argument"
    for name, type_ in zip(inspect.signature(kernel.function).parameters, kernel.types):
        if type_ == types.float32:
            return f"the argument {name} of float32", "make it a float64"
    return None


def called(overload: Overload) -> Iterator[Overload]:
    """Yields the compiled functions of the bundle that a compiled function calls, in order."""
    annotation = overload.type_annotation
    for call, signature in annotation.calltypes.items():
        if isinstance(call, ir.Expr) and call.op == "call" and signature:
            function = annotation.typemap.get(call.func.name)
            if isinstance(function, types.Dispatcher):
                yield from filter(None, [function.dispatcher.overloads.get(signature.args)])


def converted(source: types.Type, target: types.Type, is_stored: bool = False) -> str:
    """Returns "int to float" for a conversion that Python does not make, else "".

    is_stored: True for a number stored in a buffer, whose type may be narrower, because the number
    has to fit.
    """
    source, target = types.unliteral(source), types.unliteral(target)
    if isinstance(target, types.BaseTuple) and isinstance(source, types.BaseTuple):
        pairs = [converted(*pair) for pair in zip(items_of(source), items_of(target))]
        return next(filter(None, pairs), "")
    old, new = kind(source), kind(target)
    if not old or not new or (old == new and (is_stored or not is_cut(source, target))):
        return ""
    return f"{old} to {new}" if old != new else f"{source} to {target}"


def items_of(type_: Any) -> list[types.Type]:
    """Returns the types of the items of a tuple."""
    return [*type_]


def kind(type_: types.Type) -> str:
    """Returns the name of Python's type for a number, "" for any other type."""
    kinds = {"bool": types.Boolean, "int": types.Integer, "float": types.Float}
    return next((name for name, kind_ in kinds.items() if isinstance(type_, kind_)), "")


def letter(type_: types.Type) -> str:
    """Returns the kind of a number as in OPERATIONS, "." for any other type."""
    if isinstance(type_, types.Integer):
        number: Any = type_
        return "u" if not number.signed else "n" if number.bitwidth < 64 else "i"
    known = {types.boolean: "b", types.float64: "f", types.float32: "e"}
    return known.get(types.unliteral(type_), ".")


def is_cut(source: Any, target: Any) -> bool:
    """Returns True if some numbers of a type do not fit another type of the same kind."""
    if isinstance(source, types.Integer):
        return bool(source.minval < target.minval or source.maxval > target.maxval)
    return bool(getattr(source, "bitwidth", 0) > getattr(target, "bitwidth", 0))


class TypedCode:
    """A function's code with the types that numba infers, to find operations whose results may
    differ from Python's.

    takes_lists: True if, in plain Python, the kernel's buffers are lists, whose items keep their
    types.
    """

    def __init__(self, overload: Overload, takes_lists: bool) -> None:
        annotation = overload.type_annotation
        self.typemap, self.calltypes = annotation.typemap, annotation.calltypes
        self.result_type = overload.signature.return_type
        self.takes_lists = takes_lists
        self.statements = [
            statement for _, block in sorted(annotation.blocks.items()) for statement in block.body
        ]
        self.constants = {
            statement.target.name: statement.value.value
            for statement in self.statements
            if isinstance(statement, ir.Assign)
            and isinstance(statement.value, ir.Const | ir.Global | ir.FreeVar)
        }

        # The elements of arrays that are numpy's in plain Python, too, whose arithmetic wraps
        arrays = {name for name, value in self.constants.items() if isinstance(value, np.ndarray)}
        self.wrapping = set[str]()
        for statement in self.statements:
            match statement:
                case ir.Assign(value=ir.Expr(op="getitem" | "static_getitem") as value):
                    is_numpys = not takes_lists or value.value.name in arrays
                case ir.Assign(value=ir.Var() as value):
                    is_numpys = value.name in self.wrapping
                case _:
                    continue
            if is_numpys and letter(self.typemap[statement.target.name]) in "nu":
                self.wrapping.add(statement.target.name)

    def findings(self) -> Iterator[tuple[int, Finding]]:
        """Yields (line, Finding) of the statements whose results may differ from Python's."""
        for statement in self.statements:
            if finding := self.finding(statement):
                yield statement.loc.line, finding

    def finding(self, statement: Any) -> Finding | None:
        match statement:
            case ir.Assign(value=ir.Expr(op="null")):
                return self.unbound(statement)
            case ir.Assign(value=ir.Expr(op="cast")):
                return self.result(statement.value.value)
            case ir.Assign(value=ir.Const(value=value) | ir.Global(value=value)):
                return self.constant(value) or self.assigned(statement)
            case ir.Assign(value=ir.FreeVar(value=value)):
                return self.constant(value) or self.assigned(statement)
            case ir.Assign(value=ir.Expr()):
                return self.expression(statement.value) or self.assigned(statement)
            case ir.Assign():
                return self.assigned(statement)
            case ir.SetItem() | ir.StaticSetItem() if self.takes_lists:
                return self.stored(statement)
        return None

    def unbound(self, statement: ir.Assign) -> Finding | None:
        name = statement.target.name.partition(".")[0]
        if name.startswith("$"):
            return None
        return f"{name}, which has no value on a path", "give it a value first"

    def result(self, value: ir.Var) -> Finding | None:
        source = self.typemap[value.name]
        if change := converted(source, self.result_type):
            name = change.partition(" ")[0]
            target = change.rpartition(" ")[2]
            return f"a result of the type {name}, converted to {target}", f"return a {target}"
        return None

    def constant(self, value: object) -> Finding | None:
        if isinstance(value, np.generic) and not isinstance(value, np.int64 | np.float64):
            return f"a captured {value.dtype}", "capture int(x), float(x) or bool(x)"
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            return f"the number {value}, of more than 63 bits", "mask by fewer bits"
        return None

    def assigned(self, statement: ir.Assign) -> Finding | None:
        """Returns the finding for a value that numba converts on assignment, because its variable
        has values of several types; None if it is not converted.
        """
        value = statement.value
        target = self.typemap[statement.target.name]
        match value:
            case ir.Const() | ir.Global() | ir.FreeVar():
                value = value.value
                source = {bool: types.boolean, int: types.int64, float: types.float64}.get(
                    type(value), types.none
                )
            case ir.Var(name=name):
                source = self.typemap[name]
            case ir.Expr() if self.calltypes.get(value):
                source = self.calltypes[value].return_type
            case _:
                return None
        if change := converted(source, target):
            name = statement.target.name.partition(".")[0]
            shown = "a value" if name.startswith("$") else name
            return f"{shown}, converted from {change}", "give all its values one type"
        return None

    def stored(self, statement: Any) -> Finding | None:
        array = self.typemap[statement.target.name]
        if isinstance(array, types.Array):
            source = self.typemap[statement.value.name]
            if change := converted(source, array.dtype, is_stored=True):
                advice = f"write {change.rpartition(' ')[2]}(x)"
                return f"a value stored in a buffer, converted from {change}", advice
        return None

    def expression(self, value: ir.Expr) -> Finding | None:
        match value.op:
            case "binop" | "inplace_binop" | "unary":
                return self.operation(value)
            case "call":
                return self.call(value)
            case "arrayexpr":
                return whole_arrays(value.expr[0])
            case "getitem" | "static_getitem":
                array = self.typemap[value.value.name]
                index = value.index
                if isinstance(index, ir.Var):
                    index = self.typemap[index.name]
                is_slice = isinstance(index, slice | types.SliceType)
                is_buffer = isinstance(array, types.Array) and array.mutable
                return SLICE if self.takes_lists and is_buffer and is_slice else None
            case op if op not in PLAIN:
                return f"the expression {op}", TEXT
        return None

    def letters(self, operands: list[ir.Var]) -> str:
        """Returns the kinds of the operands as in OPERATIONS, a letter each."""
        kinds = [(operand.name, letter(self.typemap[operand.name])) for operand in operands]
        return "".join("w" if name in self.wrapping else kind for name, kind in kinds)

    def operation(self, value: ir.Expr) -> Finding | None:
        operands = value.list_vars()
        kinds: list[Any] = [types.unliteral(self.typemap[operand.name]) for operand in operands]
        function = value.immutable_fn if value.op == "inplace_binop" else value.fn
        if any(isinstance(type_, types.Array) for type_ in kinds):
            if function in EQUAL_FOR_BUFFERS:
                return None
            return whole_arrays(function)
        if types.unliteral(self.calltypes[value].return_type) == types.unicode_type:
            return "a string", TEXT
        if any(isinstance(type_, types.Complex) for type_ in kinds):
            return "a complex number, whose last bits differ", "compute the two parts"
        letters = self.letters(operands)
        if "." in letters:
            return None
        constants = [self.constants.get(operand.name) for operand in operands]
        name = function.__name__
        if name == "pow":
            return power([*map(kind, kinds)], constants)
        if name in ("lshift", "rshift") and not 0 <= (constants[1] or 0) < 64:
            return f"a shift by {constants[1]} bits", "shift by 0 to 63 bits"
        return allowed(name, OPERATIONS.get(name, "(?!)"), letters, kinds)

    def call(self, value: ir.Expr) -> Finding | None:
        function = self.typemap[value.func.name]
        signature = self.calltypes[value]
        kinds: list[Any] = [types.unliteral(self.typemap[argument.name]) for argument in value.args]
        names = [kind(type_) for type_ in kinds]
        if isinstance(function, types.Dispatcher):
            for source, target in zip(kinds, signature.args if signature else ()):
                if change := converted(source, target):
                    return f"an argument, converted from {change}", "convert it at the call"
            return None
        if isinstance(function, types.NumberClass):
            target = function.instance_type
            if target not in (types.int64, types.float64, types.boolean):
                return f"{target}(x), which wraps otherwise than Python's int", "mask the bits"
            return None
        if isinstance(function, types.BoundFunction):
            key: Any = function.typing_key
            name = key.rpartition(".")[2] if isinstance(key, str) else str(key[-1])
            if isinstance(function.this, types.Array):
                return array_function(f"array.{name}", name, [function.this])
            return None
        key = getattr(function, "typing_key", None)
        if "exception_check" in str(key):
            return "a try statement: compiled code raises nothing where Python would", TEST
        if isinstance(function, types.ExternalFunctionPointer | types.ExternalFunction):
            return None  # a function in C
        if key is None or isinstance(key, _Intrinsic):
            return None  # a class of tuples, or code of the bundle's own for numba
        name = getattr(key, "__name__", "")
        module = getattr(key, "__module__", None) or ""
        if isinstance(key, np.ufunc) or module.startswith("numpy"):
            shown = module.replace("numpy", "np") if "." in module else "np"
            return array_function(f"{shown}.{name}", name, kinds)
        constants = [self.constants.get(argument.name) for argument in value.args]
        if key in (pow, math.pow):
            return power([*names] if key is pow else ["float", names[1]], constants)
        if signature and types.unliteral(signature.return_type) == types.unicode_type:
            return "a string", TEXT
        letters = self.letters(value.args)
        if key in (min, max, sum) and len(kinds) == 1:
            items = getattr(kinds[0], "types", [getattr(kinds[0], "dtype", kinds[0])])
            letters = "".join(map(letter, items))
            if key is sum:
                return allowed(name, "[iu]*", letters, kinds)
        shown = f"{module}.{name}" if module == "math" else name
        return allowed(shown, FUNCTIONS.get(key, "(?!)"), letters, kinds)


def allowed(shown: str, pattern: str, letters: str, kinds: list[Any]) -> Finding | None:
    """Returns the finding for an operation, None if the kinds of its operands match a pattern.
    shown: the operation's name in an error.
    """
    if re.fullmatch(pattern, letters):
        return None
    name = shown.rpartition(".")[2]
    advice = next((ADVICE[kind] for kind in "ewbun" if kind in letters), TEXT)
    operands = " and ".join(dict.fromkeys(map(str, kinds)))
    return f"{shown} of {operands}, which differs", INSTEAD.get(name, advice)


def power(names: list[str], constants: list[Any]) -> Finding | None:
    """Returns the finding for a power of numbers, None if it is allowed. names: the types of base
    and exponent. constants: their values where these are known, else None.
    """
    if names[0] == "float" and names[1] != "float":
        return "a float ** an int, whose last bits differ", "write x * x, or x ** float(n)"
    roots = {0.5: "math.sqrt(x)", 2.0: "x * x", -1.0: "1.0 / x"}
    if names[1] == "float" and constants[1] in roots:
        construct = "a root by ** 0.5" if constants[1] == 0.5 else f"** {constants[1]}"
        return f"{construct}, whose last bits differ", f"write {roots[constants[1]]}"
    if isinstance(constants[0], float):
        return f"{constants[0]} ** a number, whose last bits differ", "pass it as an argument"
    if "float" not in names and not (isinstance(constants[1], int) and constants[1] >= 0):
        return "an int ** an int, which is a float below 0", "write the loop, or 1 << n"
    return None


def whole_arrays(function: Any) -> Finding:
    """Returns the finding for an operation of whole arrays, in whose place plain Python has
    lists.
    """
    return f"{function.__name__} of whole arrays", LOOP


def array_function(shown: str, name: str, kinds: list[Any]) -> Finding | None:
    """Returns the finding for a function of numpy, or a method of an array, None if it is allowed.
    shown: the function's name in an error. kinds: the types of its arguments.
    """
    arrays = [type_ for type_ in kinds if isinstance(type_, types.Array)]
    is_number = kinds and not arrays and all(map(kind, kinds))
    if name in EQUAL:
        return None
    if name in EQUAL_FOR_INTEGERS:
        numbers = [getattr(type_, "dtype", type_) for type_ in kinds]
        if not any(isinstance(number, types.Float | types.Complex) for number in numbers):
            return None
    if is_number:
        return f"{shown} of numbers, whose result differs", MATH
    return f"{shown}, whose result differs", LOOP
