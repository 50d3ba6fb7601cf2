"""Small changes of a module, each of which some test should notice.

Own operators, since neither tool of the field fits. mutmut 3.8 changes no decorated function, and
so no kernel. cosmic-ray 8.7 changes files, which suits kernels and tests that start processes, but
in place; it tries each arithmetic operator against all others (1516 mutants of Infexion's 208
lines, three of four of them of this kind), removes no statement, draws no sample, and has one
command of tests for all modules of a session.

Lines that tests cannot judge are skipped by rule: docstrings, annotations, decorators, imports,
texts, errors and assertions, output for people, the sizes of buffers and caches, the status of a
forked process, and constants that are tuned (times, capacities, multipliers of hashes). So is the
boundary of a comparison of times or with a constant that is no whole number, as computed reals are
hardly ever equal to it, and a plain `return` for `return False`, which is as false.
"""

import ast
import copy
import re
from collections.abc import Iterator
from typing import NamedTuple

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    # The boundary, then the opposite
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
OPPOSITE_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
SKIPPED = (ast.Import, ast.ImportFrom, ast.Raise, ast.Assert, ast.JoinedStr, ast.Nonlocal)
SKIPPED_FIELDS = ("annotation", "returns", "decorator_list", "type_params", "bases", "keywords")
# Output for people, lengths of waits, memory fetched ahead, and buffers, which may be too large
CALLS = re.compile(
    r"^(print|warn|sleep|prefetch\w*|excepthook|excerpt|\w+_buffer|zeros|TypeVar|lru_cache)$"
)
# Calls whose numbers nobody reads, though the call is needed
UNREAD = re.compile(r"^_exit$")
TIMES = re.compile(r"^(now|due|deadline|started|arrived)$|_(s|ms|us|ns|due)$|clock|time")
TUNED = re.compile(r"_(S|MS|BYTES|STEPS|SIZE)$|^(EPSILON|FLAT|CONVERGED)")
LARGEST_CONSTANT = 1000


class Mutant(NamedTuple):
    """The bytes start to end of a module replaced by `new`."""

    line: int
    start: int
    end: int
    new: str

    def text(self, original: str) -> str:
        """Returns the module's text with this change."""
        source = original.encode()
        return (source[: self.start] + self.new.encode() + source[self.end :]).decode()


def mutants(text: str) -> list[Mutant]:
    """Returns all changes of a module's text, in the order of its lines."""
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    made = []
    for node in judged(ast.parse(text)):
        for new in changes(node):
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            made.append(Mutant(node.lineno, start, end, ast.unparse(new)))
    return sorted(set(made))


def judged(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes below one that tests can judge."""
    for field, value in ast.iter_fields(node):
        if field in SKIPPED_FIELDS and not isinstance(node, ast.Call):
            continue
        if field == "args" and isinstance(node, ast.Call) and UNREAD.search(called(node)):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not is_skipped(child):
                yield child
                if not is_below_0(child):
                    yield from judged(child)


def is_skipped(node: ast.AST) -> bool:
    """Returns True for a node that tests cannot judge, with all below it."""
    match node:
        case ast.Expr(value=value):
            return isinstance(value, ast.Constant) or is_skipped(value)
        case ast.Assign(targets=[ast.Tuple(elts=targets)]):
            return all(isinstance(target, ast.Name) and is_tuned(target.id) for target in targets)
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name.startswith("__") or is_tuned(name)
        case ast.If(test=ast.Name(id="TYPE_CHECKING" | "AT_HOME")):
            return True
        case ast.FunctionDef(name=name):
            return name.startswith("prefetch")
        case ast.Call():
            return bool(CALLS.search(called(node)))
    return isinstance(node, SKIPPED)


def called(node: ast.Call) -> str:
    """Returns the last name of a called function; "" without one."""
    return str(getattr(node.func, "id", getattr(node.func, "attr", "")))


def is_tuned(name: str) -> bool:
    """Returns True for the name of a constant that is tuned."""
    return name.isupper() and bool(TUNED.search(name))


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yields what may stand for a node."""
    match node:
        case ast.Compare(ops=[operator]):
            others = COMPARISONS[type(operator)]
            for other in others[1:] if len(others) > 1 and compares_reals(node) else others:
                yield changed(node, ops=[other()])
        case ast.BinOp(op=operator) if type(operator) in ARITHMETIC and not is_text(node):
            yield changed(node, op=ARITHMETIC[type(operator)]())
        case ast.AugAssign(op=operator):
            yield ast.Pass()
            if type(operator) in ARITHMETIC:
                yield changed(node, op=ARITHMETIC[type(operator)]())
        case ast.BoolOp(op=operator):
            yield changed(node, op=ast.Or() if isinstance(operator, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert(), operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)) if value <= LARGEST_CONSTANT:
            yield ast.Constant(value + 1)
            if value > 0:
                yield ast.Constant(value - 1)
        case ast.Constant(value=float(value)):
            yield ast.Constant(2 * value if value else 1.0)
        case ast.Call(func=ast.Name(id=name)) if name in OPPOSITE_CALLS:
            yield changed(node, func=ast.Name(OPPOSITE_CALLS[name]))
        case ast.Return(value=ast.AST() as value) if not (
            is_none_or_false(value) or is_below_0(value)
        ):
            yield changed(node, value=None)
        case ast.Break() | ast.Expr(value=ast.Call()):
            yield ast.Pass()
        case ast.Continue():
            yield ast.Break()
        case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            yield ast.Pass()
        case ast.IfExp(test=ast.Name() | ast.Attribute() | ast.Call() as test):
            yield changed(node, test=ast.UnaryOp(ast.Not(), test))


def changed(node: ast.AST, **fields: object) -> ast.AST:
    """Returns a copy of a node with other fields."""
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def compares_reals(node: ast.Compare) -> bool:
    """Returns True for a comparison of times, or with a constant real."""
    if any(
        isinstance(each, ast.Constant) and isinstance(each.value, float)
        for each in (node.left, *node.comparators)
    ):
        return True
    names = [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
    names += [each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)]
    return any(TIMES.search(name) for name in names)


def is_text(node: ast.BinOp) -> bool:
    """Returns True for a text that is joined, repeated or filled in."""
    sides = (node.left, node.right)
    kinds = (ast.JoinedStr, ast.List, ast.Tuple, ast.Set, ast.Dict)
    texts = [
        isinstance(side, ast.Constant) and isinstance(side.value, str | bytes) for side in sides
    ]
    return any(texts) or any(isinstance(side, kinds) for side in sides)


def is_none_or_false(node: ast.AST) -> bool:
    """Returns True for None and for False."""
    return isinstance(node, ast.Constant) and (node.value is None or node.value is False)


def is_below_0(node: ast.AST) -> bool:
    """Returns True for a constant as -1, for which any number below 0 will do, and None as well."""
    return isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)
