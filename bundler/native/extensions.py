"""The code that a bundle registers with numba beside its kernels, as by `@overload`: what numba
makes of other code depends on it.
"""

from collections.abc import Iterator
from types import FunctionType
from typing import Any

from numba.core import config, imputils
from numba.core.datamodel import default_manager
from numba.core.typing import templates
from numba.extending import typeof_impl

from bundler.native.captures import Captures, closure, is_foreign


def registered() -> list[Any]:
    """All that numba's registries hold, of itself and of others."""
    registries = vars(templates.builtin_registry), vars(imputils.builtin_registry)
    lists = [items for registry in registries for items in registry.values()]
    items = [item for part in lists if isinstance(part, list) for item in part]
    return [*items, *typeof_impl.registry.items(), *default_manager._handlers.items()]


def extensions(before: list[Any]) -> Captures:
    """Returns the Captures of what was registered since; before: what was, see `registered`. An
    intrinsic is left out, as the kernels that call it capture it.
    """
    captures = Captures(None)
    known = {identity(item) for item in before}
    for item in registered():
        if identity(item) not in known and not all(map(is_foreign, files_in(item))):
            captures.code += captures.digest(item)
    options = {name: value for name, value in vars(config).items() if name.isupper()}
    captures.code += f"{options}"
    return captures


def identity(item: Any) -> tuple[int, ...]:
    return tuple(map(id, item)) if isinstance(item, tuple) else (id(item),)


def files_in(item: Any) -> Iterator[str]:
    """Yields the files of the functions of a registry's item."""
    for part in item if isinstance(item, tuple) else [item]:
        inside = vars(part) if isinstance(part, type) else {}
        if "_definition_func" in inside:
            return
        around = closure(part) if isinstance(part, FunctionType) else {}
        for value in (part, *inside.values(), *around.values()):
            function = getattr(value, "__func__", value)
            if isinstance(function, FunctionType):
                yield function.__code__.co_filename
