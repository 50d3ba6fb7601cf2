"""What cannot be flattened: code that asks for its own file, for modules by computed names, or for
all names there are.
"""

import ast
import sys

GLOBALS = {
    "__file__": "a bundle has no files beside it; put the data into a module",
    "__spec__": "a bundle has no modules; write what you need from it",
    "__loader__": "a bundle has no modules; write what you need from it",
    "__path__": "a bundle has no packages; write what you need from it",
    "__annotations__": "name the variables that you need",
}
LOADERS = {
    "importlib": "import the modules by name, for example into a dict",
    "runpy": "import the module and call a function of it",
    "pkgutil": "import the modules by name, for example into a dict",
    "imp": "import the modules by name",
}
ATTRIBUTES = {
    "__module__": "everything in a bundle belongs to __main__; write the name as a string",
    "__file__": "a bundle has no files beside it; put the data into a module",
}


def check_constructs(graph, linker, liveness):
    """Raises BundleError at the first construct of the kept code that would mean something else in
    one file.
    """
    for module in linker.modules():
        for name in ("__getattr__", "__dir__"):
            for binding in module.bindings.get(name, ()):
                if module is not graph.entry and not binding.in_function:
                    line = module.source.line_of(binding.occurrence.start)
                    raise module.source.error(
                        line, f"{name} of a module", "define the names, or use a class"
                    )
        for unit in module.units:
            if unit in liveness.units:
                _check_unit(graph, linker, unit)


def _check_unit(graph, linker, unit):
    module = unit.module
    error = module.source.error
    for node in ast.walk(unit.node):
        if isinstance(node, ast.Name):
            occurrence = module.occurrence_at.get(id(node))
            own = occurrence is None or occurrence.home.kind != "module"
            if node.id in GLOBALS and not own and not linker.bindings(module, node.id):
                raise error(node, node.id, GLOBALS[node.id])
        elif isinstance(node, ast.Attribute) and node.attr in ATTRIBUTES:
            raise error(node, f".{node.attr}", ATTRIBUTES[node.attr])
        elif isinstance(node, ast.Subscript):
            if linker.full_name(module, node.value) == "sys.modules":
                raise error(node, "sys.modules[...]", "import the module and use its name")
        elif isinstance(node, ast.Call):
            _check_call(graph, linker, module, node)


def _check_call(graph, linker, module, node):
    error = module.source.error
    name = linker.full_name(module, node.func)
    if not isinstance(name, str):
        return
    top = name.split(".")[0]
    if name in ("builtins.__import__", "importlib.import_module"):
        wanted = node.args[0] if node.args else None
        if not isinstance(wanted, ast.Constant) or not isinstance(wanted.value, str):
            raise error(node, "dynamic import of a computed name", LOADERS["importlib"])
        if wanted.value.startswith(".") or graph.project.locate(wanted.value.split(".")[0]):
            raise error(
                node, f"dynamic import of {wanted.value}", "write it as an import statement"
            )
        if wanted.value.split(".")[0] not in sys.stdlib_module_names | {"numpy"}:
            raise error(
                node, f"dynamic import of {wanted.value}", "the site lacks it; do without it"
            )
    elif top in LOADERS:
        raise error(node, name, LOADERS[top])
    elif name == "sys.modules.get":
        raise error(node, name, "import the module and use its name")
    elif name in ("builtins.exec", "builtins.eval"):
        if (
            len(node.args) < 2
            or name == "builtins.exec"
            and not isinstance(node.args[0], ast.Constant)
        ):
            raise error(
                node,
                name.removeprefix("builtins."),
                "write the code itself; it could not see names that the bundle changes",
            )
    elif name == "builtins.globals":
        raise error(node, "globals()", "keep the values in a dict of your own")
    elif name in ("builtins.vars", "builtins.locals", "builtins.dir") and not node.args:
        if _at_top(module, node):
            raise error(node, f"{name.removeprefix('builtins.')}()", "keep the values in a dict")
    elif name == "builtins.vars" and linker.names_module(module, node.args[0]):
        raise error(node, "vars() of a module", "name the attributes that you need")


def _at_top(module, node):
    occurrence = module.occurrence_at.get(id(node.func))
    return occurrence is not None and occurrence.scope.kind == "module"
