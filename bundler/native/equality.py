"""Operations of kernels whose compiled result differs from Python's, each with advice.

numba has inferred the type of each variable of a kernel, and of the functions that it calls. A rule
compares these types with the values that Python would compute: an int that becomes a float, two
values of which one is converted to the type of the other one, a variable without a value on a path.
Division by zero, arguments outside of a function's domain, indices beyond a buffer and results of
more than 64 bits are no matter of types: docs/explanation/native-bundles.md tells of them.
"""

import inspect
import operator
from collections.abc import Iterator
from typing import Any

import numpy as np
from numba.core import ir, types

from bundler.native.recording import Kernel, KernelError, Overload

Finding = tuple[str, str]  # (construct, advice)

POWERS = "pow", "ipow"
ARITHMETIC = "add", "sub", "mul", "lshift"  # and these in place
SIGN_CHANGES = "neg", "invert", "sub", "isub"
SHIFTS = "lshift", "rshift", "ilshift", "irshift"
EQUAL_FOR_BUFFERS = operator.is_, operator.is_not, operator.contains
EQUAL_FOR_ARRAYS = {
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.neg),
    *(operator.iadd, operator.isub, operator.imul),
    *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne),
}
IDENTITIES = operator.is_, operator.is_not

UNSIGNED = "write int(x) | 0"
TEXT = "do it outside of kernels"
MATH = "use the function of math, or min, max and abs"
LOOP = "write the loop"

ISINSTANCE = "isinstance, which differs for bools", "write a function for each type"

# Functions whose compiled result differs, whatever their arguments are
FUNCTIONS = {
    "hypot": ("math.hypot, whose last bits differ", "write math.sqrt(x * x + y * y)"),
    "gamma": ("math.gamma, whose last bits differ", "use a table of captured values"),
    "lgamma": ("math.lgamma, whose last bits differ", "use a table of captured values"),
    "exception_check": (
        "a try statement: compiled code raises nothing where Python would",
        "test the values before",
    ),
}

# Functions of numpy and methods of arrays whose compiled results are equal for all numbers
EQUAL = set("""
    all any argmax argmin bincount concatenate copy empty empty_like fill full full_like item ones
    ones_like zeros zeros_like
    """.split())
EQUAL_FOR_INTEGERS = {"arange", "array", "max", "min", "sum", "searchsorted"}


def check_equality(kernel: Kernel) -> None:
    """Raise KernelError for an operation whose compiled result differs from Python's."""
    if finding := parameters(kernel):
        code = kernel.function.__code__
        construct = f"{kernel.shown(kernel.function)}: {finding[0]}"
        raise KernelError((code.co_filename, code.co_firstlineno), construct, finding[1])
    check_function(kernel, kernel.overload, set())


def check_function(kernel: Kernel, overload: Overload, seen: set[str]) -> None:
    """Check a function and, before it, those that it calls."""
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
    """The finding for the parameters of a kernel."""
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
    """The compiled functions of the bundle that one calls, in the order of calls."""
    annotation = overload.type_annotation
    for call, signature in annotation.calltypes.items():
        if isinstance(call, ir.Expr) and call.op == "call" and signature:
            function = annotation.typemap.get(call.func.name)
            if isinstance(function, types.Dispatcher):
                yield from filter(None, [function.dispatcher.overloads.get(signature.args)])


def converted(source: types.Type, target: types.Type, is_stored: bool = False) -> str:
    """Returns "int to float" for a conversion that Python does not make, else "".

    is_stored: in a buffer, in which narrow numbers have to fit.
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
    """The types of the items of a tuple."""
    return [*type_]


def kind(type_: types.Type) -> str:
    """Returns the type that Python has for a number, "" for what is no number."""
    kinds = {"bool": types.Boolean, "int": types.Integer, "float": types.Float}
    return next((name for name, kind_ in kinds.items() if isinstance(type_, kind_)), "")


def is_narrow(type_: Any) -> bool:
    """Returns True for integers of fewer than 64 bits."""
    return isinstance(type_, types.Integer) and bool(getattr(type_, "bitwidth", 64) < 64)


def is_cut(source: Any, target: Any) -> bool:
    """Returns True if numbers of a type do not all fit another one of their kind."""
    if isinstance(source, types.Integer):
        return bool(source.minval < target.minval or source.maxval > target.maxval)
    return bool(getattr(source, "bitwidth", 0) > getattr(target, "bitwidth", 0))


class TypedCode:
    """The code of a function with numba's types.

    takes_lists: its buffers are lists in plain Python, which keep the type of a number.
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
            if is_numpys and is_narrow(self.typemap[statement.target.name]):
                self.wrapping.add(statement.target.name)

    def findings(self) -> Iterator[tuple[int, Finding]]:
        """Yields (line, Finding) of the statements that differ."""
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
        """A variable of more than one type: numba converts the values to a common one."""
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
                functions, operands = operations_of(value.expr)
                kinds = [self.typemap[operand.name] for operand in operands]
                return self.whole_arrays(functions, kinds)
            case "getitem" | "static_getitem":
                array = self.typemap[value.value.name]
                index = value.index
                if isinstance(index, ir.Var):
                    index = self.typemap[index.name]
                is_slice = isinstance(index, slice | types.SliceType)
                is_buffer = isinstance(array, types.Array) and array.mutable
                if self.takes_lists and is_buffer and is_slice:
                    return "a slice, which is a copy of a list, and a view of an array", LOOP
        return None

    def operation(self, value: ir.Expr) -> Finding | None:
        operands = value.list_vars()
        kinds: list[Any] = [types.unliteral(self.typemap[operand.name]) for operand in operands]
        name = value.fn.__name__
        result = self.calltypes[value].return_type
        names = [kind(type_) for type_ in kinds]
        constants = [self.constants.get(operand.name) for operand in operands]
        if any(isinstance(type_, types.Array) for type_ in kinds):
            if value.fn in EQUAL_FOR_BUFFERS:
                return None
            return self.whole_arrays([value.fn], kinds)
        if types.unliteral(result) == types.unicode_type:
            return "a string", TEXT
        if any(isinstance(type_, types.Complex) for type_ in kinds):
            return "a complex number, whose last bits differ", "compute the two parts"
        if not all(names):
            return None
        if value.fn in IDENTITIES:
            return "`is` of numbers", "write =="
        if name in POWERS:
            return power(names, constants)
        if name in SHIFTS and isinstance(constants[1], int) and not 0 <= constants[1] < 64:
            return f"a shift by {constants[1]} bits", "shift by 0 to 63 bits"
        if types.float32 in kinds and set(kinds) != {types.float32}:
            return f"{name} of a float32 and another number", "write np.float64(x)"
        if {*names} == {"bool"} and name.lstrip("i") in ARITHMETIC:
            return f"{name} of bools", "write int(x)"
        if name.lstrip("i") in ARITHMETIC and self.wrapping.intersection(map(str, operands)):
            return f"{name} of {kinds[0]}, which wraps in numpy", "write int(x)"
        integers: list[Any] = [type_ for type_ in kinds if isinstance(type_, types.Integer)]
        is_unsigned = len(integers) == len(kinds) and not any(type_.signed for type_ in integers)
        if name in SIGN_CHANGES and is_unsigned:
            return f"{name} of {kinds[0]}, which wraps", UNSIGNED
        if name == "neg" and is_narrow(kinds[0]):
            return f"{name} of {kinds[0]}, which wraps", UNSIGNED
        if len(kinds) == 1 and names == ["bool"] and name != "not_":
            return f"{name} of a bool", "write int(x)"
        return None

    def whole_arrays(self, functions: list[Any], kinds: list[types.Type]) -> Finding | None:
        """The finding for operations of whole arrays."""
        name = functions[0].__name__
        if self.takes_lists:
            return f"{name} of whole buffers", LOOP
        numbers = {types.unliteral(getattr(type_, "dtype", type_)) for type_ in kinds}
        if not set(functions) <= EQUAL_FOR_ARRAYS or not numbers <= {types.int64, types.float64}:
            shown = " and ".join(sorted(map(str, numbers)))
            return f"np.{name} of arrays of {shown}, whose result differs", LOOP
        return None

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
        name = getattr(key, "__name__", "")
        module = getattr(key, "__module__", None) or ""
        if isinstance(key, np.ufunc) or module.startswith("numpy"):
            shown = module.replace("numpy", "np") if "." in module else "np"
            return array_function(f"{shown}.{name}", name, kinds)
        if module in ("builtins", "math", "_operator") or name == "exception_check":
            if name in FUNCTIONS:
                return FUNCTIONS[name]
            if name in POWERS:
                constants = [self.constants.get(argument.name) for argument in value.args]
                return power([*names] if module != "math" else ["float", names[1]], constants)
        if key is range and "float" in names:
            return "a range to a float", "write int(x)"
        if signature and types.unliteral(signature.return_type) == types.unicode_type:
            return "a string", TEXT
        if key in (min, max) and isinstance(kinds[0], types.BaseTuple):
            names = [kind(type_) for type_ in items_of(kinds[0])]
        if key in (min, max) and len(set(names)) > 1:
            return f"{name} of numbers of several types", "give them one type"
        if key is float and kinds[0] == types.float32:
            return "float of a float32, which stays one", "write np.float64(x)"
        if key is sum:
            items = [getattr(type_, "dtype", type_) for type_ in kinds]
            items = [item for type_ in items for item in getattr(type_, "types", [type_])]
            if any(isinstance(item, types.Float) for item in items):
                return "sum of floats, whose last bits differ", LOOP
        if key is round and len(kinds) > 1:
            return "round to digits, whose last bits differ", "write round(x * 100) / 100"
        if key is abs and is_narrow(kinds[0]):
            return f"abs of {kinds[0]}, which wraps", UNSIGNED
        return None


def power(names: list[str], constants: list[Any]) -> Finding | None:
    """The finding for a power of numbers; constants: the operands that are known, else None."""
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


def operations_of(expression: Any) -> tuple[list[Any], list[ir.Var]]:
    """Returns (functions, variables) of numba's tree of operations of arrays."""
    if not isinstance(expression, tuple):
        return [], [expression] if isinstance(expression, ir.Var) else []
    functions, operands = [expression[0]], []
    for part in expression[1]:
        further, variables = operations_of(part)
        functions += further
        operands += variables
    return functions, operands


def array_function(shown: str, name: str, kinds: list[Any]) -> Finding | None:
    """The finding for a function of numpy, or a method of an array."""
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
