"""Which scope every name of a module belongs to (Python reference, "Execution model", 4.2).

`Scopes(source)` finds every place where a name stands: plain names, names in f-strings and in
string annotations, names of functions, classes, imports, exception handlers, `match` captures,
`global` and `nonlocal`. Each `Occurrence` knows its offsets in the text, its scope, and the
attributes that follow it (`a` in `a.b.c` has the chain `b`, `c`).
"""

import ast
import re
from dataclasses import dataclass, field

from bundler.fstrings import fields_of_fstrings


@dataclass(eq=False)
class Scope:
    """A scope: `kind` is "module", "class" or "function" (also of lambdas and comprehensions)."""

    kind: str
    name: str = ""
    parent: "Scope | None" = None
    bindings: dict = field(default_factory=dict)  # name -> occurrences that bind or delete it
    globals: set = field(default_factory=set)
    node: ast.AST | None = None
    nonlocals: set = field(default_factory=set)

    def enclosing(self):
        """The scopes in which a name of this scope is looked for, innermost first, without the
        module.
        """
        scope = self
        while scope.kind != "module":
            if scope is self or scope.kind == "function":
                yield scope
            scope = scope.parent


@dataclass(frozen=True)
class Link:
    """One `.name` of a chain: its node, where the expression up to it ends, and what is done: load,
    store, delete.
    """

    name: str
    node: ast.AST
    end: int
    action: str


@dataclass(frozen=True)
class GetattrCall:
    """A call `getattr(a.b, "name")` whose first argument is the chain."""

    name: str
    start: int
    end: int


@dataclass(eq=False)
class Occurrence:
    """A name at a place.

    action: "load", "store", "delete" or "declare" (`x: int` without a value). conditional: within a
    block of its scope (if, for, try, with, match). home: the scope it belongs to, the module's for
    globals and builtins; set once the whole module has been read. unsure: a name of a class body
    that may be the class's or the module's when it is read. alias: for imports, the pair
    (statement, `ast.alias`). debug: within `{...=}` of an f-string, the offsets of the field.
    in_pattern: a value in a match pattern, which has to keep a dot: without one it would be bound.
    """

    name: str
    scope: Scope
    start: int
    end: int
    action: str
    node: ast.AST
    chain: list = field(default_factory=list)
    conditional: bool = False
    home: Scope | None = None
    unsure: bool = False
    alias: tuple | None = None
    debug: tuple | None = None
    in_pattern: bool = False
    looped: bool = False
    getattr_call: GetattrCall | None = None


class Scopes(ast.NodeVisitor):
    """All scopes and occurrences of a module, in the order in which Python evaluates them."""

    def __init__(self, source):
        self.source = source
        self.module = Scope("module")
        self.scope = self.module
        self.occurrences = []
        self.fields = {}  # f-string: the expressions in it, as nodes of which the places are right
        self.blocks = 0
        self.loops = 0
        self.shift = None  # offset of an expression that was parsed on its own
        self.debug = None
        self.in_annotation = False
        for node in source.tree.body:
            self.visit(node)
        for occurrence in self.occurrences:
            occurrence.home = self._home(occurrence)
        self._settle_class_bodies()

    # Places

    def _span(self, node):
        if self.shift is None:
            return self.source.start(node), self.source.end(node)
        text, start = self.shift
        return start + _offset_in(text, node.lineno, node.col_offset), start + _offset_in(
            text, node.end_lineno, node.end_col_offset
        )

    def _add(self, name, start, end, action, node, chain=(), alias=None, scope=None):
        scope = scope or self.scope
        occurrence = Occurrence(
            self._mangled(name), scope, start, end, action, node, list(chain), self.blocks > 0
        )
        occurrence.alias = alias
        occurrence.debug = self.debug
        occurrence.looped = self.loops > 0
        self.occurrences.append(occurrence)
        if action != "load":
            scope.bindings.setdefault(occurrence.name, []).append(occurrence)
        return occurrence

    def _mangled(self, name):
        if name.startswith("__") and not name.endswith("__") and "." not in name:
            scope = self.scope
            while scope is not None and scope.kind != "class":
                scope = scope.parent
            if scope is not None and scope.name.strip("_"):
                return f"_{scope.name.lstrip('_')}{name}"
        return name

    # Looking up

    def _home(self, occurrence):
        name = occurrence.name
        first = occurrence.scope
        if name in first.globals:
            return self.module
        for scope in first.enclosing():
            if name in scope.globals:
                return self.module
            if name in scope.bindings and name not in scope.nonlocals:
                return scope
        return self.module

    def _settle_class_bodies(self):
        """In a class body a name is the module's until the class has bound it; functions around it
        are skipped.
        """
        bound = {}
        for occurrence in self.occurrences:
            scope = occurrence.home
            if scope.kind != "class" or occurrence.scope is not scope:
                continue
            state = bound.setdefault((scope, occurrence.name), "no")
            if occurrence.action == "load":
                if state == "no" and not occurrence.looped:
                    occurrence.home = self.module
                elif state != "yes":
                    occurrence.home = self.module
                    occurrence.unsure = True
            elif occurrence.action == "store" and not occurrence.conditional:
                bound[scope, occurrence.name] = "yes"
            elif occurrence.action == "delete" or (occurrence.action == "store" and state != "yes"):
                bound[scope, occurrence.name] = "maybe"

    # Statements and expressions that open scopes

    def _inside(self, scope, visit):
        outer = self.scope, self.blocks, self.loops
        self.scope, self.blocks, self.loops = scope, 0, 0
        visit()
        self.scope, self.blocks, self.loops = outer

    def visit_FunctionDef(self, node):
        for decorator in node.decorator_list:
            self.visit(decorator)
        self._visit_defaults(node.args)
        for argument in _arguments(node.args):
            self._annotation(argument.annotation)
        self._annotation(node.returns)
        self._define(node, r"(?:async[\s\\]+)?def[\s\\]+(\w+)")

        def body():
            self._bind_arguments(node.args)
            for statement in node.body:
                self.visit(statement)

        self._inside(Scope("function", node.name, self.scope, node=node), body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        self._visit_defaults(node.args)

        def body():
            self._bind_arguments(node.args)
            self.visit(node.body)

        self._inside(Scope("function", "<lambda>", self.scope), body)

    def visit_ClassDef(self, node):
        for part in [*node.decorator_list, *node.bases, *node.keywords]:
            self.visit(part)

        def body():
            for statement in node.body:
                self.visit(statement)

        self._inside(Scope("class", node.name, self.scope, node=node), body)
        self._define(node, r"class[\s\\]+(\w+)")

    def _define(self, node, pattern):
        start = self.source.offset(node.lineno, node.col_offset)
        span = re.compile(pattern).match(self.source.text, start).span(1)
        self._add(node.name, *span, "store", node)

    def _visit_defaults(self, arguments):
        for default in [*arguments.defaults, *arguments.kw_defaults]:
            if default is not None:
                self.visit(default)

    def _bind_arguments(self, arguments):
        for argument in _arguments(arguments):
            start, _ = self._span(argument)
            self._add(argument.arg, start, start + len(argument.arg), "store", argument)

    def _visit_comprehension(self, node):
        first, *others = node.generators
        self.visit(first.iter)

        def body():
            self.visit(first.target)
            for condition in first.ifs:
                self.visit(condition)
            for generator in others:
                for part in [generator.iter, generator.target, *generator.ifs]:
                    self.visit(part)
            for part in _results(node):
                self.visit(part)

        self._inside(Scope("function", "<comprehension>", self.scope), body)

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = _visit_comprehension

    # Names

    def visit_Name(self, node):
        self._add(node.id, *self._span(node), _action(node), node)

    def visit_Attribute(self, node):
        chain = []
        base = node
        while isinstance(base, ast.Attribute):
            chain.insert(0, Link(base.attr, base, self._span(base)[1], _action(base)))
            base = base.value
        if isinstance(base, ast.Name):
            self._add(base.id, *self._span(base), "load", base, chain)
        else:
            self.visit(base)

    def visit_Call(self, node):
        before = len(self.occurrences)
        self.generic_visit(node)
        if getattr(node.func, "id", None) == "getattr" and len(node.args) == 2:
            subject, name = node.args
            plain = isinstance(name, ast.Constant) and isinstance(name.value, str)
            if plain and name.value.isidentifier() and not node.keywords:
                while isinstance(subject, ast.Attribute):
                    subject = subject.value
                for occurrence in self.occurrences[before:]:
                    if occurrence.node is subject:
                        occurrence.getattr_call = GetattrCall(name.value, *self._span(node))

    def visit_NamedExpr(self, node):
        self.visit(node.value)
        scope = self.scope
        while scope.name == "<comprehension>":
            scope = scope.parent
        self._add(node.target.id, *self._span(node.target), "store", node.target, scope=scope)

    def visit_Assign(self, node):
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)

    def visit_AugAssign(self, node):
        if isinstance(node.target, ast.Name):
            # One word that is read and bound: in a class body it cannot be renamed for one of the
            # two.
            load = self._add(node.target.id, *self._span(node.target), "load", node.target)
            load.looped = self.scope.kind == "class" or load.looped
        self.visit(node.value)
        self.visit(node.target)

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self.visit(node.value)
        self._annotation(node.annotation)
        if node.value is None and isinstance(node.target, ast.Name):
            # Makes the name belong to this scope without giving it a value.
            self._add(node.target.id, *self._span(node.target), "declare", node.target)
        else:
            self.visit(node.target)

    def visit_Global(self, node):
        names = self.scope.globals if isinstance(node, ast.Global) else self.scope.nonlocals
        names.update(self._mangled(name) for name in node.names)
        start, end = self._span(node)
        for word in list(re.finditer(r"\w+", self.source.text[start:end]))[1:]:
            if isinstance(node, ast.Global):
                self._add(word[0], start + word.start(), start + word.end(), "load", node)

    visit_Nonlocal = visit_Global

    def visit_Import(self, node):
        for alias in node.names:
            if alias.name != "*":
                name = alias.asname or alias.name.split(".")[0]
                self._add(name, *self._span(alias), "store", node, alias=(node, alias))

    visit_ImportFrom = visit_Import

    def visit_ExceptHandler(self, node):
        if node.type is not None:
            self.visit(node.type)
        if node.name is not None:
            place = re.compile(r"[\s)\\]*as[\s\\]+(\w+)").match(
                self.source.text, self.source.end(node.type)
            )
            self._add(node.name, *place.span(1), "store", node)
        self._visit_block(node.body)

    def visit_MatchAs(self, node):
        self.generic_visit(node)
        if node.name is not None:
            _, end = self._span(node)
            self._add(node.name, end - len(node.name), end, "store", node)

    visit_MatchStar = visit_MatchAs

    def visit_MatchValue(self, node):
        before = len(self.occurrences)
        self.generic_visit(node)
        for occurrence in self.occurrences[before:]:
            occurrence.in_pattern = True

    def visit_MatchMapping(self, node):
        for key in node.keys:
            self.visit(ast.MatchValue(key))
        for pattern in node.patterns:
            self.visit(pattern)
        if node.rest is not None:
            start, end = self._span(node)
            after = self.source.end(node.patterns[-1]) if node.patterns else start
            place = re.compile(r"\*\*\s*(\w+)").search(self.source.text, after, end)
            self._add(node.rest, *place.span(1), "store", node)

    # Blocks

    def _visit_block(self, statements, looped=False):
        self.blocks += 1
        self.loops += looped
        for statement in statements:
            self.visit(statement)
        self.blocks -= 1
        self.loops -= looped

    def visit_If(self, node):
        self.visit(node.test)
        self._visit_block(node.body)
        self._visit_block(node.orelse)

    def visit_While(self, node):
        self.loops += 1
        self.visit(node.test)
        self.loops -= 1
        self._visit_block(node.body, looped=True)
        self._visit_block(node.orelse)

    def visit_For(self, node):
        self.visit(node.iter)
        self._visit_block([node.target, *node.body], looped=True)
        self._visit_block(node.orelse)

    visit_AsyncFor = visit_For

    def visit_With(self, node):
        for item in node.items:
            self.visit(item)
        self._visit_block(node.body)  # what it raises may be suppressed

    visit_AsyncWith = visit_With

    def visit_Try(self, node):
        self._visit_block(node.body)
        for handler in node.handlers:
            self.visit(handler)
        self._visit_block(node.orelse)
        self._visit_block(node.finalbody)

    visit_TryStar = visit_Try

    def visit_Match(self, node):
        self.visit(node.subject)
        self._visit_block(node.cases)

    # Strings that hold code

    def visit_JoinedStr(self, node):
        start, end = self._span(node)
        text = self.source.text
        self.fields[node] = [
            self._visit_text(field_.start, field_.end, (field_ if field_.debug else None))
            for field_ in fields_of_fstrings(text, start, end)
        ]

    def _annotation(self, node):
        if node is not None:
            outer, self.in_annotation = self.in_annotation, True
            self.visit(node)
            self.in_annotation = outer

    def visit_Subscript(self, node):
        if self.in_annotation and _last_name(node.value) == "Literal":
            self.visit(node.value)
            return
        if self.in_annotation and _last_name(node.value) == "Annotated":
            self.visit(node.value)
            first, *rest = node.slice.elts
            self.visit(first)
            self.in_annotation = False
            for part in rest:
                self.visit(part)
            self.in_annotation = True
            return
        self.generic_visit(node)

    def visit_Constant(self, node):
        if not self.in_annotation or not isinstance(node.value, str) or self.shift is not None:
            return
        start, end = self._span(node)
        quotes = self.source.text[start:end]
        if len(quotes) >= 2 and quotes[1:-1] == node.value and "\n" not in node.value:
            try:
                ast.parse(node.value.strip() or "0", mode="eval")
            except SyntaxError:
                return
            self._visit_text(start + 1, end - 1, None)

    def _visit_text(self, start, end, debug):
        """Visit the expression that a part of the text is; returns its node."""
        text = self.source.text[start:end]
        outer = self.shift, self.debug
        # In parentheses an expression may span lines; the opening one takes the place before it.
        self.shift, self.debug = (f"({text})", start - 1), debug or self.debug
        node = ast.parse(f"({text})", mode="eval").body
        self.visit(node)
        self.shift, self.debug = outer
        return node


def _action(node):
    return {ast.Load: "load", ast.Store: "store", ast.Del: "delete"}[type(node.ctx)]


def _arguments(arguments):
    """All parameters of a function."""
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return every + [extra for extra in (arguments.vararg, arguments.kwarg) if extra is not None]


def _results(node):
    return [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]


def _last_name(node):
    return getattr(node, "attr", None) or getattr(node, "id", None)


def _offset_in(text, line, column):
    lines = text.split("\n")
    return sum(len(before) + 1 for before in lines[: line - 1]) + len(
        lines[line - 1].encode()[:column].decode()
    )
