"""The definitions that the bundler adds to a bundle, for what modules do that one file does not;
only those that are used.
"""

import builtins

MODULE_VIEW = "ModuleView"
LOAD_ONCE = "load_once"
IMPORT_NAME = "import_name"
NAMED = "named"

TEMPLATES = {
    MODULE_VIEW: '''class {name}(types.ModuleType):
    """A module as a value: its attributes are names of this file, read when they are asked for."""

    def __init__(self, name, names):
        super().__init__(name)
        self.__dict__["__flat__"] = names

    def __getattr__(self, attribute):
        try:
            return globals()[self.__flat__[attribute]]
        except KeyError:
            message = f"module {{self.__name__!r}} has no attribute {{attribute!r}}"
            raise AttributeError(message) from None

    def __setattr__(self, attribute, value):
        if attribute in self.__flat__:
            globals()[self.__flat__[attribute]] = value
        else:
            super().__setattr__(attribute, value)

    def __delattr__(self, attribute):
        if attribute in self.__flat__:
            del globals()[self.__flat__[attribute]]
        else:
            super().__delattr__(attribute)

    def __dir__(self):
        return [name for name, flat in self.__flat__.items() if flat in globals()]
''',
    LOAD_ONCE: '''def {name}(body):
    """A module that runs at its first import; one that raised runs again at the next."""
    started = False

    def load():
        nonlocal started
        if not started:
            started = True
            try:
                body()
            except BaseException:
                started = False
                raise

    return load
''',
    IMPORT_NAME: '''def {name}(flat, name, module):
    """The value of a module's name, which is `flat` in this file."""
    if flat not in globals():
        raise ImportError(f"cannot import name {{name!r}} from {{module!r}}")
    return globals()[flat]
''',
    NAMED: '''def {name}(name):
    """Decorator: the name of a function or class in its own module; this file has another."""

    def rename(thing):
        thing.__name__ = thing.__qualname__ = name
        return thing

    return rename
''',
}


class Helpers:
    """The helpers of a bundle. Every one has its name reserved; `name` marks it as used."""

    def __init__(self, linker, liveness):
        self.linker = linker
        self.live = liveness
        self.views = [entity for entity in liveness.entities if entity.kind == "view"]
        self.shadows = [entity for entity in liveness.entities if self._may_shadow(entity)]
        self.types = linker.external(("types", None))
        self.builtins = linker.external(("builtins", None))
        self.entities = {name: linker.helper(name) for name in TEMPLATES}
        reserved = [*self.entities.values()]
        reserved += [self.types] if self.views else []
        reserved += [self.builtins] if self.shadows else []
        liveness.entities.update(dict.fromkeys(reserved, True))
        self.used = set()

    def name(self, helper):
        """What a helper is called in this bundle, which from now on needs it."""
        self.used.add(helper)
        return self.entities[helper].flat

    def imports(self):
        """The entities from outside that the helpers use."""
        used = [self.types] if self.views else []
        return [*used, self.builtins] if self._renamed_shadows() else used

    def texts(self):
        """The definitions that are needed, and the modules that are values."""
        lines = [self._view(entity) for entity in self.views]
        lines += [
            f"{self.builtins.flat}.{entity.flat} = {entity.name}"
            for entity in self._renamed_shadows()
        ]
        texts = [
            template.format(name=self.entities[helper].flat)
            for helper, template in TEMPLATES.items()
            if helper in self.used
        ]
        return [*texts, "\n".join(lines)] if lines else texts

    def _view(self, entity):
        members = self.live.members(entity.module)
        names = {name: member.flat for name, member in members.items()}
        return f"{entity.flat} = {self.name(MODULE_VIEW)}({entity.module.name!r}, {names!r})"

    # A module's name that is also a builtin's means the builtin as long as the module has not bound
    # it. Under another name it does so only where that is a name of the builtin too.

    def _may_shadow(self, entity):
        """Whether an entity has the name of a builtin that its module may read."""
        return (
            entity.kind == "own"
            and hasattr(builtins, entity.name)
            and self.linker.may_read_builtin(entity.module, entity.name, self._is_kept(entity))
        )

    def _is_kept(self, entity):
        kept = [unit for unit in entity.module.units if unit in self.live.units]
        return lambda place: any(unit.start <= place.start < unit.end for unit in kept)

    def _renamed_shadows(self):
        return [entity for entity in self.shadows if entity.flat != entity.name]
