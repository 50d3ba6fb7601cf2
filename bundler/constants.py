"""What is known before the program runs: tests of `if` on constants, and the lists of `__all__`."""

import ast
import operator

UNKNOWN = object()

_COMPARISONS = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}


class Constants:
    """Values of expressions over literals and names that are bound once to one.

    A name counts only where no module stores an attribute of that name (`config.DEBUG = True`).
    """

    def __init__(self, graph):
        self.graph = graph
        self.active = set()

    def value(self, module, node):
        """The value of an expression of a module, or UNKNOWN."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._named(module, node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            value = self.value(module, node.operand)
            return value if value is UNKNOWN else not value
        if isinstance(node, ast.BoolOp):
            return self._bool_op(module, node)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left = self.value(module, node.left)
            right = self.value(module, node.comparators[0])
            compare = _COMPARISONS.get(type(node.ops[0]))
            if UNKNOWN in (left, right) or compare is None:
                return UNKNOWN
            try:
                return compare(left, right)
            except TypeError:
                return UNKNOWN
        return UNKNOWN

    def _bool_op(self, module, node):
        decides = isinstance(node.op, ast.Or)
        known = True
        for part in node.values:
            value = self.value(module, part)
            if value is UNKNOWN:
                known = False
            elif bool(value) == decides and known:
                return value
            elif bool(value) == decides:
                return UNKNOWN
        return value if known else UNKNOWN

    def _named(self, module, node):
        names = []
        while isinstance(node, ast.Attribute):
            names.insert(0, node.attr)
            node = node.value
        occurrence = module.occurrence_at.get(id(node))
        if occurrence is None or occurrence.home.kind != "module":
            return UNKNOWN
        return self._member(module, occurrence.name, names)

    def _member(self, module, name, rest):
        if name == "__name__" and not rest:
            return module.name
        bindings = [
            b
            for b in module.bindings.get(name, ())
            if b.occurrence is None or not module.is_dead(b.occurrence.start)
        ]
        if len(bindings) != 1 or self._may_be_submodule(module, name):
            return UNKNOWN
        (binding,) = bindings
        target = binding.target
        if target is None:
            return UNKNOWN if rest else self._assigned(module, name, binding)
        if target.external:
            full = ".".join([part for part in target.external if part] + rest)
            return False if full == "typing.TYPE_CHECKING" else UNKNOWN
        if target.name is not None:
            return self._member(target.module, target.name, rest)
        if not rest:
            return UNKNOWN
        inner, *rest = rest
        if inner in target.module.bindings:
            return self._member(target.module, inner, rest)
        submodule = self.graph.modules.get(f"{target.module.location.name}.{inner}")
        return self._member(submodule, rest[0], rest[1:]) if submodule and rest else UNKNOWN

    def _may_be_submodule(self, module, name):
        """Whether the import of a submodule can put it in the place of a package's name."""
        full = f"{module.location.name}.{name}"
        return module.location.is_package and self.graph.project.locate(full) is not None

    def _assigned(self, module, name, binding):
        if name in self.graph.written:
            return self.graph.written[name]
        node = binding.unit.node if binding.unit else None
        if binding.in_function or binding.occurrence.conditional or self._stored_elsewhere(name):
            return UNKNOWN
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            target = node.target
        else:
            return UNKNOWN
        if not isinstance(target, ast.Name) or (module, name) in self.active:
            return UNKNOWN
        self.active.add((module, name))
        value = self.value(module, node.value)
        self.active.discard((module, name))
        return value

    def _stored_elsewhere(self, name):
        return any(
            name in module.stored_attributes or module.sets_attributes
            for module in self.graph.modules.values()
        )

    def all_names(self, module):
        """The names in a module's `__all__`. Raises BundleError where they cannot be told."""
        names = []
        for unit in module.units:
            node = unit.node
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(_is_all(target) for target in targets):
                    names = self._list(module, node.value)
            elif isinstance(node, ast.AugAssign) and _is_all(node.target):
                names = names + self._list(module, node.value)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                function = node.value.func
                if isinstance(function, ast.Attribute) and _is_all(function.value):
                    arguments = node.value.args
                    if function.attr == "extend":
                        names = names + self._list(module, arguments[0])
                    elif function.attr == "append":
                        names = names + [self._text(module, arguments[0])]
                    else:
                        raise self._unreadable(module, node)
        return names

    def _list(self, module, node):
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self._text(module, part) for part in node.elts]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self._list(module, node.left) + self._list(module, node.right)
        if isinstance(node, ast.Attribute) and node.attr == "__all__":
            base = self._module_named(module, node.value)
            if base is not None:
                return self.all_names(base)
        raise self._unreadable(module, node)

    def _module_named(self, module, node):
        if isinstance(node, ast.Name):
            for binding in module.bindings.get(node.id, ()):
                if binding.target and binding.target.module and binding.target.name is None:
                    return binding.target.module
            return self.graph.modules.get(f"{module.location.name}.{node.id}")
        if isinstance(node, ast.Attribute):
            base = self._module_named(module, node.value)
            return base and self.graph.modules.get(f"{base.location.name}.{node.attr}")
        return None

    def _text(self, module, node):
        value = self.value(module, node)
        if not isinstance(value, str):
            raise self._unreadable(module, node)
        return value

    def _unreadable(self, module, node):
        return module.source.error(node, "computed __all__", "write it as a list of strings")


def _is_all(node):
    return isinstance(node, ast.Name) and node.id == "__all__"
