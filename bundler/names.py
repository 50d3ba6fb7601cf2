"""One name for each entity at the top level of the bundle.

A name stays as it is unless two modules use it, a builtin of that name is used, or a function that
mentions it from another module has a local of that name; then it gets its module's name in front:
`LIMIT` of `shared/core/clock.py` becomes `clock_LIMIT`. Imports from outside come first, then the
bot's own names, then the others in order of execution.
"""

import builtins
import keyword

from bundler.errors import BundleError


def assign_names(graph, linker, liveness, names):
    """Set `flat` of every live entity.

    Raises BundleError where a name that has to stay is taken.

    names: identity -> name in another bundle of the bot; what is in both is called the same.
    """
    entities = list(liveness.entities)
    order = {module: place for place, module in enumerate(graph.modules.values())}

    def rank(entity):
        kinds = {"external": 0, "own": 1, "view": 2, "loader": 3, "helper": 4}
        module = order.get(entity.module, -1)
        return (
            entity.pinned is None,
            kinds[entity.kind],
            module,
            entity.name,
            str(entity.external),
        )

    taken, reserved = {}, set(names.values())
    for entity in sorted(entities, key=rank):
        given = names.get(entity.identity)
        for candidate in _candidates(entity, given):
            usable = candidate not in taken and candidate not in linker.free
            usable = usable and (candidate == given or candidate not in reserved)
            if usable and (entity.pinned or not _captured(linker, entity, candidate)):
                entity.flat = candidate
                taken[candidate] = entity
                break
        else:
            module, line = entity.pinned_at
            raise BundleError(
                module.shown,
                line,
                f"the name {entity.name} is used by several modules",
                "rename it here",
            )


def _candidates(entity, given):
    if entity.pinned:
        yield entity.pinned
        return
    if given:
        yield given
    yield entity.name
    parts = (
        entity.external[0]
        if entity.external
        else entity.module.location.name if entity.module else ""
    ).split(".")
    private = "_" if entity.name.startswith("_") else ""
    stem = entity.name.strip("_") if entity.name.startswith("__") else entity.name.lstrip("_")
    for count in range(1, len(parts) + 1):
        prefix = "_".join(parts[-count:])
        if prefix:
            yield f"{private}{prefix}_{stem}"
    number = 2
    while True:
        yield f"{private}{prefix}_{stem}_{number}"
        number += 1


def _captured(linker, entity, candidate):
    """Whether the name would mean something else at one of the places that mention the entity."""
    if keyword.iskeyword(candidate) or (hasattr(builtins, candidate) and entity.kind != "own"):
        return True
    for scope, occurrence in entity.sites:
        if occurrence is not None and occurrence.name == candidate and not occurrence.chain:
            if occurrence.home.kind == "module":
                continue
        if _mangled_there(scope, candidate):
            return True
        for local in scope.enclosing():
            if candidate in local.bindings and candidate not in local.globals:
                if (local, candidate) not in linker.removed:
                    return True
    return False


def _mangled_there(scope, candidate):
    if not candidate.startswith("__") or candidate.endswith("__"):
        return False
    while scope is not None and scope.kind != "class":
        scope = scope.parent
    return scope is not None
